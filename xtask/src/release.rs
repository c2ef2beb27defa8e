//! What leaves the project: its crates, and its book as a site.

use crate::setup::is_installed;
use crate::site;
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
    // mdBook reads a folder with its settings and its pages.
    let folder = root().join("target/book-pages");
    let _ = std::fs::remove_dir_all(&folder);
    site::prepare(root(), &folder.join("docs"))?;
    std::fs::copy(root().join("book.toml"), folder.join("book.toml"))
        .map_err(|error| format!("book.toml: {error}"))?;
    let site = root().join("target/book");
    run("the book", Command::new("mdbook").arg("build").arg(&folder).arg("--dest-dir").arg(&site))?;
    eprintln!("the book is in target/book/index.html");
    Ok(())
}

fn run(what: &str, command: &mut Command) -> Result<(), String> {
    let status = command.current_dir(root()).status().map_err(|error| format!("{what}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: failed")) }
}

#[cfg(test)]
mod tests {
    use crate::steps::root;
    use serde_json::Value;
    use std::process::Command;

    /// What crates.io and docs.rs show of a package, and ask for.
    #[test]
    fn every_package_says_what_it_is() {
        let asked = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
        let output =
            Command::new(env!("CARGO")).args(asked).current_dir(root()).output().expect("cargo runs");
        let all: Value = serde_json::from_slice(&output.stdout).expect("it answers in JSON");
        let is_published = |package: &&Value| package["publish"].is_null();
        let packages: Vec<&Value> =
            all["packages"].as_array().expect("there are some").iter().filter(is_published).collect();
        assert!(packages.iter().any(|package| package["name"] == "stairway"), "{packages:?}");
        for package in packages {
            for field in ["description", "license", "readme", "rust_version"] {
                assert!(
                    package[field].as_str().is_some_and(|text| !text.is_empty()),
                    "{}: {field}",
                    package["name"]
                );
            }
            for field in ["keywords", "categories"] {
                let n = package[field].as_array().map_or(0, Vec::len);
                assert!((1..=5).contains(&n), "{}: {n} {field}", package["name"]);
            }
            assert!(package["metadata"]["docs"]["rs"].is_object(), "{}: docs.rs", package["name"]);
        }
    }
}
