//! Section `embedded`: how large `libstairway.a` is in a program without anything, how much memory it takes,
//! and how fast properties in C are called.

mod boards;
mod machine;

use crate::findings::{Findings, Goal, Table};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often the speed is measured; the best counts.
const N_ROUNDS: usize = 3;

pub(crate) fn run(findings: &mut Findings) {
    let text = text_of_bare_program();
    let program = compiled("speed", &["-std=c99", "-O2", "-static"], &[tests().join("speed.c")]);
    let (natively, memory) = best_speed(|| Command::new(&program));
    let emulated = is_installed(EMULATOR).then(|| {
        best_speed(|| {
            let mut emulator = Command::new(EMULATOR);
            emulator.arg(&program);
            emulator
        })
        .0
    });
    findings.figure("embedded/text", text, "bytes", Some(Goal::AtMost(200.0 * 1024.0)));
    findings.figure("embedded/memory", memory, "bytes", Some(Goal::AtMost(64.0 * 1024.0)));
    findings.figure("embedded/properties natively", natively, "per second", None);
    if let Some(rate) = emulated {
        findings.figure("embedded/properties emulated", rate, "per second", Some(Goal::AtLeast(100_000.0)));
    }
    let emulated = emulated.map_or(format!("not measured: no {EMULATOR}"), |rate| format!("{rate:.0}"));
    let row = |what: &str, value: String, goal: &str| vec![what.to_string(), value, goal.to_string()];
    findings.table(Table {
        title: "A queue in C",
        about: "Two properties of a circular queue with `stairway.h`, in tests of up to 32: `.text` of a program linked without a C \
                library, memory used of the 64 KB given, properties called a second on this machine and in QEMU's software \
                emulation of its processor (`qemu-x86_64`, package `qemu-user`)."
            .to_string(),
        header: ["what", "", "goal"].map(String::from).to_vec(),
        rows: vec![
            row("text", format!("{:.0} KB", text / 1024.0), "under 200 KB"),
            row("memory", format!("{:.0} KB", memory / 1024.0), "64 KB"),
            row("properties a second, natively", format!("{natively:.0}"), ""),
            row("properties a second, emulated", emulated, "100000"),
        ],
    });
    machine::run(findings);
    boards::run(findings, (text, memory, natively));
}

/// Emulates one program on this system.
const EMULATOR: &str = "qemu-x86_64";

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Properties a second in the best round, and bytes of memory.
fn best_speed(command: impl Fn() -> Command) -> (f64, f64) {
    let rounds = (0..N_ROUNDS).map(|_| speed(command()));
    rounds.fold((0.0, 0.0), |(best, _), (rate, memory)| (rate.max(best), memory))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn tests() -> PathBuf {
    root().join("crates/capi/tests/c")
}

/// `libstairway.a`, freshly built.
fn archive() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(["xtask", "capi"]).current_dir(root()).output().expect("cargo is there");
    assert!(output.status.success(), "cargo xtask capi: {}", String::from_utf8_lossy(&output.stderr));
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
}

fn compiled(name: &str, flags: &[&str], sources: &[PathBuf]) -> PathBuf {
    let program = std::env::temp_dir().join(format!("stairway-bench-{name}"));
    let mut gcc = Command::new("gcc");
    gcc.args(flags).arg("-I").arg(root().join("crates/capi/include")).args(sources).arg(archive());
    let status = gcc.arg("-o").arg(&program).status().expect("gcc is there");
    assert!(status.success(), "gcc failed on {name}");
    program
}

fn text_of_bare_program() -> f64 {
    let flags = [
        "-std=c99",
        "-O2",
        "-DBARE",
        "-ffreestanding",
        "-fno-builtin",
        "-nostdlib",
        "-static",
        "-Wl,--gc-sections",
    ];
    let memory = root().join("crates/capi/freestanding/memory.c");
    let program = compiled("bare", &flags, &[tests().join("queue.c"), memory]);
    let output = Command::new("size").arg("-A").arg(program).output().expect("binutils are there");
    let sizes = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = sizes.lines().find(|line| line.starts_with(".text")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|size| size.parse().ok()).unwrap_or(f64::NAN)
}

/// Properties a second, and bytes of memory.
fn speed(mut program: Command) -> (f64, f64) {
    let output = program.output().expect("it was just built");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = printed.split_whitespace().filter_map(|number| number.parse::<f64>().ok());
    let (calls, nanoseconds, memory) = (numbers.next(), numbers.next(), numbers.next());
    (calls.unwrap_or(0.0) * 1e9 / nanoseconds.unwrap_or(1.0), memory.unwrap_or(f64::NAN))
}
