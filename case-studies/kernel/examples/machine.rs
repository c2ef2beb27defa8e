//! Builds an image with a bug, or with `NO_BUG`, and boots it: `cargo run -p kernel --example machine --
//! KERNEL_FORGETS_WAITER seed=42 tests=1000`.

use kernel::{Parts, Program, Verdict, boot};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// A machine that says nothing for so long is ended.
const SILENCE: Duration = Duration::from_secs(600);

fn run(bug: &str, line: &str) -> Result<Verdict, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/kernel");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
    let image = Parts::compile(Program::tester()?, &folder)?.image(bug)?;
    println!("{}", image.display());
    Ok(boot(&image, line, SILENCE, |line| println!("{line}"))?.verdict)
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(bug) = arguments.next() else {
        eprintln!(
            "usage: machine <bug of include/planted.h, or NO_BUG> [seed=N] [tests=N] [limit=MS] [verbose] [queue]"
        );
        return ExitCode::from(2);
    };
    let line = arguments.collect::<Vec<_>>().join(" ");
    match run(&bug, &line) {
        Ok(Verdict::Passed) => ExitCode::SUCCESS,
        Ok(Verdict::Failed) => ExitCode::FAILURE,
        Ok(Verdict::Error) => ExitCode::from(2),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
