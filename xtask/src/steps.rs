//! The steps of `cargo xtask test` and `cargo xtask lint`, those that tell most first.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The flags with which every step compiles the tests, so that what is compiled for one serves the others.
const TESTS: [&str; 3] = ["test", "--workspace", "--all-features"];

/// The integration tests that take longest, together about half of the time of all tests.
const LONG: [&str; 4] = ["boards", "cli", "contained", "corpus"];

/// Runs all tests; those that take very long only if `is_full`.
pub(crate) fn test(is_full: bool) -> Result<(), String> {
    cargo("compiling the tests", &[&TESTS[..], &["--no-run"]].concat())?;
    // Cargo runs one program after the other, and many of them wait for a process of their own.
    let long = std::thread::spawn(|| captured_cargo("the longest tests", &integration_tests(LONG), &[]));
    let others = other_tests();
    let long = long.join().unwrap_or_else(|_| Err("the thread of the longest tests panicked".to_string()));
    others.and(long)?;
    if is_full {
        // A library for each target is a compilation of `core` for each.
        let boards = ["test", "--package", "embedded", "--test", "boards", "--", "--ignored"];
        cargo("the C library on every target", &boards)?;
        // A crate for every example of the front page and the tutorial, a browser, and the seeds of the corpus.
        let command = ["--test", "book", "--test", "cli", "--test", "corpus", "--", "--ignored"];
        cargo(
            "what takes the command long",
            &[&["test", "--package", "stairway-cli"], &command[..]].concat(),
        )?;
        // A hundred machines, with every name that an expansion declares or mentions.
        let names = ["test", "--package", "stairway", "--test", "hygiene", "--test", "hygiene-mentioned"];
        cargo("names in machines", &names)?;
    }
    miri()
}

/// Every test that is not among the longest: unit tests, the other integration tests, examples in documentation.
fn other_tests() -> Result<(), String> {
    let names = integration_test_names()?;
    let others = names.iter().map(String::as_str).filter(|name| !LONG.contains(name));
    let mut arguments = integration_tests(others);
    arguments.extend(["--lib", "--bins"]);
    cargo("the other tests", &arguments)?;
    cargo("examples in documentation", &[&TESTS[..], &["--doc"]].concat())
}

/// The arguments with which cargo runs these integration tests, of whatever package they are.
fn integration_tests<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    TESTS.into_iter().chain(names.into_iter().flat_map(|name| ["--test", name])).collect()
}

/// The names of all integration tests that `cargo test` would run.
fn integration_test_names() -> Result<BTreeSet<String>, String> {
    let output = command(&["metadata", "--no-deps", "--format-version", "1"], &[]).output();
    let output = output.map_err(|error| format!("cannot run cargo: {error}"))?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cannot read what `cargo metadata` printed: {error}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let tests = targets.filter(|target| target["kind"][0] == "test" && target["test"] == true);
    Ok(tests.filter_map(|target| target["name"].as_str().map(String::from)).collect())
}

/// What the compiler alone decides: formatting, lints, the crates where less is there, documentation.
pub(crate) fn lint() -> Result<(), String> {
    cargo("formatting", &["fmt", "--all", "--check"])?;
    cargo("lints", &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])?;
    // Each on its own, so that no other crate's features can smuggle the standard library in.
    for package in ["stairway-choice", "stairway-engine"] {
        let alone = ["build", "--package", package, "--no-default-features"];
        cargo(&format!("{package} without std"), &alone)?;
    }
    // As if for another system: build scripts ask this variable too. What lints have compiled serves it as well.
    let elsewhere = ["check", "-p", "stairway-c", "-p", "stairway-cli", "--all-features"];
    captured_cargo("the crates for C elsewhere", &elsewhere, &[("STAIRWAY_UNSUPPORTED", "1")])?;
    cargo("documentation", &["doc", "--workspace", "--no-deps", "--all-features"])
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
    let mut arguments = integration_tests(QUICK);
    arguments.extend(["--lib", "--bins"]);
    cargo("quick tests", &arguments)?;
    cargo("reports of the command", &[&TESTS[..], &["--test", "cli", "reports::"]].concat())?;
    eprintln!(
        "\nleft out: lints, documentation and its examples, compile errors, isolation, the sandbox, the corpora and \
         campaigns of the command, the book, case studies, boards and Miri; `cargo xtask lint` and `cargo xtask test` \
         run them"
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
    let errors = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    eprintln!("\n== {what}: cargo {}\n{errors}{printed}== {what}: {seconds} s", arguments.join(" "));
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
