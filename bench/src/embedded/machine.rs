//! How fast properties are called on an emulated machine, where they run in user mode above a kernel: the
//! image of the case study, timed from here by the lines that it writes.

use crate::findings::{Findings, Goal, Table};
use kernel::{Parts, Program, Verdict, boot};
use std::path::Path;
use std::time::{Duration, Instant};

/// How often each is measured; the best counts.
const N_ROUNDS: usize = 5;
const SILENCE: Duration = Duration::from_secs(300);

pub(crate) fn run(findings: &mut Findings) {
    let image = image().expect("the case study compiles");
    let queue = best(&image, "bench queue seed=1 tests=20000");
    let all = best(&image, "bench seed=1 tests=2000");
    findings.figure("embedded/machine/queue", queue, "per second", Some(Goal::AtLeast(100_000.0)));
    findings.figure("embedded/machine/kernel", all, "per second", None);
    findings.table(Table {
        title: "On a bare machine",
        about: "Properties called a second in user mode of the kernel in `case-studies/kernel`, in QEMU with software \
                emulation of one processor: of the circular queue alone, in 64 KB, and of the queue and the kernel together, \
                where most properties are several system calls."
            .to_string(),
        header: ["properties", "a second", "goal"].map(String::from).to_vec(),
        rows: vec![
            vec!["queue".into(), format!("{queue:.0}"), "100,000".into()],
            vec!["queue and kernel".into(), format!("{all:.0}"), String::new()],
        ],
    });
}

fn image() -> Result<std::path::PathBuf, String> {
    let folder = std::env::temp_dir().join("stairway-bench-kernel");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
    Parts::compile(Program::tester()?, &folder)?.image("NO_BUG")
}

fn best(image: &Path, line: &str) -> f64 {
    (0..N_ROUNDS).map(|_| per_second(image, line)).fold(0.0, f64::max)
}

/// Operations a second between the lines that say so.
fn per_second(image: &Path, line: &str) -> f64 {
    let (mut begin, mut reached) = (None, 0.0);
    let ended = boot(image, line, SILENCE, |line| {
        if line == "bench: begins" {
            begin = Some(Instant::now());
        } else if let (Some(n), Some(begin)) = (line.strip_prefix("bench: ends, operations "), begin) {
            reached = n.parse::<f64>().unwrap_or(0.0) / begin.elapsed().as_secs_f64();
        }
    });
    let ended = ended.expect("the machine ends");
    assert_eq!(ended.verdict, Verdict::Passed, "{}", ended.text);
    reached
}
