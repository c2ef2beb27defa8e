//! Checks leave nothing in what is built: a program with them is the same, byte for byte.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = r#"
use stairway::prelude::*;

#[machine(start = Off)]
pub mod lamp {
    pub enum State { Off, On { n: u32 } }
    pub enum Op { Press, Count }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Off, Press) => On { n: 0 },
            (On { n }, Count) if n < 9 => On { n: n + 1 },
            (On { .. }, Press) => Off,
        }
    }
}

fn main() {
    println!("{}", lamp::start().press().n);
}
"#;

const CHECKS: &str = r"
check! { goes_off in lamp: always(can_reach(at(Off))) }
check! { counts in lamp, random(20): always(at(Off | On { n: 0..=9 })) }
";

/// The optimised program, built with the newest build of Stairway beside this test that fits.
fn built(folder: &Path, program: &str) -> Vec<u8> {
    let source = folder.join("lamp_program.rs");
    std::fs::write(&source, program).expect("a program can be written");
    let deps: PathBuf =
        std::env::current_exe().expect("a test has a path").parent().expect("and a folder").into();
    let mut said = String::new();
    for library in libraries(&deps) {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args([
            "--edition",
            "2024",
            "-O",
            "--crate-name",
            "lamp_program",
            "-o",
            "lamp_program",
            "lamp_program.rs",
        ]);
        rustc.arg("-L").arg(format!("dependency={}", deps.display()));
        rustc.arg("--extern").arg(format!("stairway={}", library.display()));
        let output = rustc.current_dir(folder).output().expect("rustc can be run");
        if output.status.success() {
            return std::fs::read(folder.join("lamp_program")).expect("it was just built");
        }
        said = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    panic!("no build of Stairway fits: {said}");
}

#[allow(clippy::disallowed_methods, reason = "which build is the newest does not reach a verdict")]
fn libraries(deps: &Path) -> Vec<PathBuf> {
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libstairway-") && name.ends_with(".rlib")
    };
    let entries = std::fs::read_dir(deps).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(is_ours).collect();
    found.sort_by_key(|path| std::cmp::Reverse(path.metadata().and_then(|data| data.modified()).ok()));
    found
}

#[test]
fn a_program_with_checks_is_the_same_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let without = built(folder.path(), PROGRAM);
    let with = built(folder.path(), &format!("{PROGRAM}{CHECKS}"));
    assert!(without == with, "checks leave something: {} and {} bytes", without.len(), with.len());
    // And the comparison can fail: another program is another one.
    let other =
        built(folder.path(), &PROGRAM.replace("n < 9", "n < 8").replace("press().n", "press().n + 1"));
    assert!(without != other);
}
