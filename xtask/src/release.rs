//! What leaves the project: its crates, and its book as a site.

use crate::setup::is_installed;
use crate::steps::root;
use std::process::Command;

/// Packages every crate as for crates.io. Nothing is uploaded from here.
pub(crate) fn publish(arguments: &[String]) -> Result<(), String> {
    if arguments != ["--dry-run"] {
        return Err(
            "only `cargo xtask publish --dry-run` is supported: it packages and builds, and uploads nothing"
                .to_string(),
        );
    }
    // In the order of their dependencies, each built from its package alone.
    run(
        "the packages",
        Command::new(env!("CARGO")).args(["publish", "--workspace", "--dry-run", "--allow-dirty"]),
    )
}

/// Makes a site of the book.
pub(crate) fn book() -> Result<(), String> {
    if !is_installed("mdbook") {
        return Err("the book needs mdbook; please run\n\n    cargo install mdbook --locked".to_string());
    }
    run("the book", Command::new("mdbook").args(["build", "--dest-dir", "target/book"]))?;
    eprintln!("the book is in target/book/index.html");
    Ok(())
}

fn run(what: &str, command: &mut Command) -> Result<(), String> {
    let status = command.current_dir(root()).status().map_err(|error| format!("{what}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: failed")) }
}
