//! Section `embedded`: how large `libstairway.a` is in a program without anything, how much memory it takes, and how
//! fast properties in C are called.

mod machine;

use crate::findings::{Findings, Goal, Table};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often the speed is measured; the best counts.
const N_ROUNDS: usize = 5;

pub(crate) fn run(findings: &mut Findings) {
    let text = text_of_bare_program();
    let (mut per_second, mut memory) = (0.0f64, 0.0);
    let program = compiled("speed", &["-std=c99", "-O2"], &[tests().join("speed.c")]);
    for _ in 0..N_ROUNDS {
        let (rate, used) = speed(&program);
        per_second = per_second.max(rate);
        memory = used;
    }
    findings.figure("embedded/text", text, "bytes", Some(Goal::AtMost(200.0 * 1024.0)));
    findings.figure("embedded/memory", memory, "bytes", Some(Goal::AtMost(64.0 * 1024.0)));
    findings.figure("embedded/queue operations", per_second, "per second", Some(Goal::AtLeast(100_000.0)));
    findings.table(Table {
        title: "A queue in C",
        about: "Two properties of a circular queue with `stairway.h`: `.text` of the program linked without a C library, memory \
                used of the 64 KB given, and properties called a second on this machine. What an emulated machine does is \
                measured by the case study of the kernel, which runs there."
            .to_string(),
        header: ["what", "", "goal"].map(String::from).to_vec(),
        rows: vec![
            vec!["text".into(), format!("{:.0} KB", text / 1024.0), "under 200 KB".into()],
            vec!["memory".into(), format!("{:.0} KB", memory / 1024.0), "64 KB".into()],
            vec!["properties a second, natively".into(), format!("{per_second:.0}"), "100,000 emulated".into()],
        ],
    });
    machine::run(findings);
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

/// Operations a second, and bytes of memory.
fn speed(program: &Path) -> (f64, f64) {
    let output = Command::new(program).output().expect("it was just built");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = printed.split_whitespace().filter_map(|number| number.parse::<f64>().ok());
    let (calls, nanoseconds, memory) = (numbers.next(), numbers.next(), numbers.next());
    (calls.unwrap_or(0.0) * 1e9 / nanoseconds.unwrap_or(1.0), memory.unwrap_or(f64::NAN))
}
