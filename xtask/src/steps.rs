//! The steps of `cargo xtask test`, those that tell most first.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Runs every check there is; those that take long only if `is_full`.
pub(crate) fn test(is_full: bool) -> Result<(), String> {
    cargo("formatting", &["fmt", "--all", "--check"])?;
    let tests = ["test", "--workspace", "--all-features"];
    cargo("compiling the tests", &[&tests[..], &["--no-run"]].concat())?;
    // Tests are run one program after the other and often wait for a process of their own, which leaves half of
    // two cores to whatever has only to be compiled.
    let checks = std::thread::spawn(check_without_running);
    let tested = cargo("tests", &tests);
    let checked = checks.join().unwrap_or_else(|_| Err("the checks beside the tests panicked".to_string()));
    tested.and(checked)?;
    if is_full {
        // A library for each target is a compilation of `core` for each.
        let boards = ["test", "--package", "embedded", "--test", "boards", "--", "--ignored"];
        cargo("the C library on every target", &boards)?;
        // A crate for every example of the front page and the tutorial, and a browser.
        let ways_in =
            ["test", "--package", "stairway-cli", "--test", "book", "--test", "cli", "--", "--ignored"];
        cargo("the first steps of a reader", &ways_in)?;
        // A hundred machines, with every name that an expansion mentions.
        let names = ["test", "--package", "stairway", "--test", "hygiene-mentioned"];
        cargo("names in machines", &names)?;
    }
    miri()
}

/// What the compiler alone decides: lints, the crates where less is there, documentation. Each step is shown when
/// it is over, so that its lines do not mix with those of the tests.
fn check_without_running() -> Result<(), String> {
    let lints = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    captured_cargo("lints", &lints, &[])?;
    // Each on its own, so that no other crate's features can smuggle the standard library in.
    for package in ["stairway-choice", "stairway-engine"] {
        let alone = ["build", "--package", package, "--no-default-features"];
        captured_cargo(&format!("{package} without std"), &alone, &[])?;
    }
    // As if for another system: build scripts ask this variable too. What lints have compiled serves it as well.
    let elsewhere = ["check", "-p", "stairway-c", "-p", "stairway-cli", "--all-features"];
    captured_cargo("the crates for C elsewhere", &elsewhere, &[("STAIRWAY_UNSUPPORTED", "1")])?;
    captured_cargo("documentation", &["doc", "--workspace", "--no-deps", "--all-features"], &[])
}

/// The integration tests of daily work: what users write most, through the library and from C.
const QUICK: [&str; 12] = [
    "contracts",
    "exhaustive",
    "laws",
    "library",
    "models",
    "outcomes",
    "programs",
    "properties",
    "refinement",
    "reports",
    "semantics",
    "surface",
];

/// What a change most likely breaks, for daily work: formatting, all unit tests, and some of the others.
pub(crate) fn quick() -> Result<(), String> {
    cargo("formatting", &["fmt", "--all", "--check"])?;
    // All packages with all features, as in the whole test: what is compiled for one serves the other.
    let tests = QUICK.iter().flat_map(|name| ["--test", name]);
    let arguments = ["test", "--workspace", "--all-features", "--lib", "--bins"].into_iter().chain(tests);
    cargo("quick tests", &arguments.collect::<Vec<_>>())?;
    cargo(
        "reports of the command",
        &["test", "--workspace", "--all-features", "--test", "cli", "reports::"],
    )?;
    eprintln!(
        "\nleft out: lints, documentation and its examples, compile errors, isolation, the sandbox, the corpora and \
         campaigns of the command, the book, case studies, boards and Miri; `cargo xtask test` runs them"
    );
    Ok(())
}

/// Lets Miri look at the C interface, where it is installed: it comes with nightly toolchains only.
pub(crate) fn miri() -> Result<(), String> {
    let is_there = Command::new("cargo").args(["+nightly", "miri", "--version"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        eprintln!(
            "\n== SKIPPED: Miri is not installed; `rustup +nightly component add miri rust-src` does it"
        );
        return Ok(());
    }
    let arguments = ["+nightly", "miri", "test", "--package", "stairway-capi", "--lib", "--test", "rust"];
    eprintln!("\n== the C interface under Miri: cargo {}", arguments.join(" "));
    let status = Command::new("cargo").args(arguments).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err("\nthe C interface under Miri: failed".to_string()),
    }
}

/// Runs cargo in the project's folder.
fn cargo(what: &str, arguments: &[&str]) -> Result<(), String> {
    eprintln!("\n== {what}: cargo {}", arguments.join(" "));
    let (status, seconds) = timed(|| command(arguments, &[]).status())?;
    eprintln!("== {what}: {seconds} s");
    if status.success() { Ok(()) } else { Err(format!("\n{what}: failed")) }
}

/// The same with variables of the environment; what cargo prints comes all at once, when it has ended.
fn captured_cargo(what: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    let (output, seconds) = timed(|| command(arguments, variables).output())?;
    let printed = String::from_utf8_lossy(&output.stderr);
    eprintln!("\n== {what}: cargo {}\n{printed}== {what}: {seconds} s", arguments.join(" "));
    if output.status.success() { Ok(()) } else { Err(format!("\n{what}: failed")) }
}

/// Does something with cargo; how many seconds that took, too, since a developer may want to know.
fn timed<T>(run: impl FnOnce() -> std::io::Result<T>) -> Result<(T, u64), String> {
    #[expect(clippy::disallowed_methods, reason = "a developer may know which step takes long")]
    let begun = Instant::now();
    let done = run().map_err(|error| format!("cannot run cargo: {error}"))?;
    Ok((done, begun.elapsed().as_secs()))
}

/// Cargo with these arguments, the same for every step.
fn command(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .current_dir(root())
        .envs(variables.iter().copied())
        // What is needed to compile a change sooner takes half of the folder and time of its own.
        .env("CARGO_INCREMENTAL", std::env::var_os("CARGO_INCREMENTAL").unwrap_or_else(|| "0".into()))
        // A snapshot that differs is a failure here, never an update; no run here depends on
        // settings meant for somebody's own tests.
        .env("INSTA_UPDATE", "no")
        .env("RUSTDOCFLAGS", "-D warnings")
        .env_remove("STAIRWAY_SEED")
        .env_remove("STAIRWAY_CASES")
        .env_remove("STAIRWAY_PROFILE");
    command
}

/// The project's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}
