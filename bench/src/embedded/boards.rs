//! What the library takes on each target, and how fast properties are called on the board that QEMU emulates
//! for it, beside this machine.

use crate::findings::{Findings, Goal, Table};
use embedded::board::{AN385, Board, LM3S6965, OTHERS, RV32};
use embedded::sections;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How often each is measured; the best counts.
const N_ROUNDS: usize = 3;
const KB: f64 = 1024.0;

/// What was measured on one board.
struct Measured {
    text: f64,
    constants: f64,
    memory: f64,
    per_second: f64,
}

/// Measures all boards; `host` is what this machine takes and does: text, memory, properties a second.
pub(crate) fn run(findings: &mut Findings, host: (f64, f64, f64)) {
    let mut rows = vec![vec![
        "this machine".to_string(),
        kilobytes(host.0),
        String::new(),
        kilobytes(host.1),
        format!("{:.0}", host.2),
    ]];
    let small = Without { parts: &["shrinking", "statistics"], text: 64.0 };
    let whole = Without { parts: &[], text: 120.0 };
    let all = [LM3S6965, RV32, AN385].into_iter().chain(OTHERS);
    for (board, without) in [(LM3S6965, small)].into_iter().chain(all.map(|board| (board, whole))) {
        let what = without.named(board.target);
        let measured = measure(&board, &without).unwrap_or_else(|why| panic!("{what}: {why}"));
        let goal = (board.target == LM3S6965.target).then_some(Goal::AtMost(without.text * KB));
        let figure =
            |what: &str| format!("embedded/{} on {}/{what}", without.named(board.target), board.name);
        findings.figure(figure("text"), measured.text, "bytes", goal);
        findings.figure(figure("memory"), measured.memory, "bytes", None);
        findings.figure(figure("properties"), measured.per_second, "per second", None);
        rows.push(vec![
            format!("{what} on {}", board.name),
            kilobytes(measured.text),
            kilobytes(measured.constants),
            kilobytes(measured.memory),
            format!("{:.0}", measured.per_second),
        ]);
    }
    findings.table(Table {
        title: "Targets",
        about: "The queue above for every target that `cargo xtask capi` builds for, on the board that QEMU emulates (with `-icount`, as \
                in the tests; x86-64 runs on this processor without a C library): `.text` of the image and its constants, memory \
                used, and properties called a second by the clock of this machine. The goal for `.text` on `thumbv7m` is 120 KB, and \
                64 KB without shrinking and statistics."
            .to_string(),
        header: ["target", "text", "constants", "memory", "properties a second"].map(String::from).to_vec(),
        rows,
    });
}

/// What is left out of the library, and how large `.text` may be then, in KB.
#[derive(Clone, Copy)]
struct Without {
    parts: &'static [&'static str],
    text: f64,
}

impl Without {
    fn named(&self, target: &str) -> String {
        match self.parts {
            [] => target.to_string(),
            parts => format!("{target} without {}", parts.join(" and ")),
        }
    }
}

fn kilobytes(bytes: f64) -> String {
    format!("{:.0} KB", bytes / KB)
}

fn measure(board: &Board, without: &Without) -> Result<Measured, String> {
    let folder = std::env::temp_dir().join("stairway-bench-boards");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
    let image: PathBuf = folder.join(format!("{}{}.elf", board.target, without.parts.len()));
    let source = super::tests().join("speed.c");
    board.image(&board.archive(without.parts)?, &[source], &[], &image)?;
    let size = |name| sections::size(&image, name).map(|bytes| bytes as f64);
    let mut best =
        Measured { text: size(".text")?, constants: size(".rodata")?, memory: 0.0, per_second: 0.0 };
    for _ in 0..N_ROUNDS {
        let (n_calls, seconds, memory) = round(board, &image)?;
        best.per_second = best.per_second.max(n_calls / seconds);
        best.memory = memory;
    }
    Ok(best)
}

/// Properties, seconds between the lines that say so, and bytes of memory.
fn round(board: &Board, image: &Path) -> Result<(f64, f64, f64), String> {
    let (mut begin, mut seconds, mut numbers) = (None, f64::NAN, Vec::new());
    // QEMU has lines of its own ("Timer with period zero, disabling"), which are no numbers.
    let ended = board.run_with(image, |line| match (line.parse::<f64>(), begin) {
        _ if line == "begins" => begin = Some(Instant::now()),
        (Ok(number), Some(begin)) => {
            if numbers.is_empty() {
                seconds = Instant::elapsed(&begin).as_secs_f64();
            }
            numbers.push(number);
        }
        _ => {}
    })?;
    match (ended.code, &numbers[..]) {
        (Some(0), [n_calls, memory, ..]) => Ok((*n_calls, seconds, *memory)),
        (code, _) => Err(format!("it ended with {code:?}: {}", ended.text)),
    }
}
