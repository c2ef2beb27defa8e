//! Programs given to rustc: checks leave nothing in what is built, and fail as the front page says.

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
temporal! { goes_off in lamp: always(can_reach(at(Off))) }
temporal! { counts in lamp, random(20): always(at(Off | On { n: 0..=9 })) }
";

/// How many builds are tried: a folder that was built in for weeks has hundreds, and each takes seconds.
const MAX_BUILDS: usize = 8;

/// What rustc says of a program with each build of Stairway beside this test, the newest first; nothing where it
/// compiles. Builds with other features do not fit.
fn said_by_rustc<'f>(folder: &'f Path, program: &str) -> impl Iterator<Item = Option<String>> + use<'f> {
    said_with_seed(folder, program, None)
}

/// The same with a seed in the compiler's environment.
fn said_with_seed<'f>(
    folder: &'f Path,
    program: &str,
    seed: Option<&'static str>,
) -> impl Iterator<Item = Option<String>> + use<'f> {
    std::fs::write(folder.join("program.rs"), program).expect("a program can be written");
    let deps: PathBuf =
        std::env::current_exe().expect("a test has a path").parent().expect("and a folder").into();
    libraries(&deps).into_iter().map(move |library| {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition", "2024", "-O", "--crate-name", "program", "--color", "never", "program.rs"]);
        rustc.arg("-L").arg(format!("dependency={}", deps.display()));
        rustc.arg("--extern").arg(format!("stairway={}", library.display()));
        match seed {
            Some(seed) => rustc.env("STAIRWAY_CHECK_SEED", seed),
            None => rustc.env_remove("STAIRWAY_CHECK_SEED"),
        };
        let output = rustc.current_dir(folder).output().expect("rustc can be run");
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    })
}

/// The optimised program.
fn built(folder: &Path, program: &str) -> Vec<u8> {
    let is_built = said_by_rustc(folder, program).any(|said| said.is_none());
    assert!(is_built, "no build of Stairway fits: {:?}", said_by_rustc(folder, program).last());
    std::fs::read(folder.join("program")).expect("it was just built")
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
    found.truncate(MAX_BUILDS);
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

#[test]
fn the_book_shows_what_the_compiler_says() {
    let page = include_str!("../../../../docs/machines.md");
    let section = page
        .split("\n## ")
        .find(|section| section.starts_with("A property that does not hold\n"))
        .expect("there is one");
    let block =
        |kind: &str| section.split(kind).nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let (program, shown) = (block("```rust,compile_fail\n"), block("```text\n").trim_end());
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut said =
        said_by_rustc(folder.path(), &format!("{program}\nfn main() {{}}\n")).map(Option::unwrap_or_default);
    assert!(said.any(|said| said.contains(shown)), "no compiler says\n{shown}");
}

#[test]
fn the_seed_comes_from_the_environment_of_the_compiler() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let wrong = format!("{PROGRAM}temporal! {{ stays_off in lamp, random(20): always(at(Off)) }}\n");
    let says = |seed, words: &str| {
        said_with_seed(folder.path(), &wrong, seed).any(|said| said.is_some_and(|said| said.contains(words)))
    };
    assert!(says(None, "(random trace 1, seed 1, without its detours)"));
    assert!(says(Some("42"), "(random trace 1, seed 42, without its detours)"));
    assert!(says(Some("0x2a"), "(random trace 1, seed 42, without its detours)"));
    assert!(says(Some("2a"), "STAIRWAY_CHECK_SEED is not a number: write it as 42 or 0x2a"));
}
