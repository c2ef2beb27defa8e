//! Public C libraries, tested without a contract at default settings, and bugs planted in them.
//!
//! The libraries are not part of this project: [`fetch`] brings what `catalog.json` names into
//! `target/libraries` and checks it by its hash. [`Runner`] runs the command as users do, reads its JSON, and
//! tells a planted bug from what fails without it.
//! `cargo xtask libraries` prints what it finds; `cargo xtask bench libraries` writes it to
//! `bench/RESULTS.md`.

pub mod catalog;
pub mod fetch;
pub mod hunt;
pub mod planted;
pub mod run;
pub mod symbols;

pub use catalog::{Library, catalog};
pub use hunt::{Baseline, Caught};
pub use planted::{Bug, bugs};
pub use run::{Alarm, Help, Ran, Runner};

use std::path::{Path, PathBuf};

/// The seeds with which planted bugs are looked for.
pub const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

/// The folder of this study.
#[must_use]
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the libraries are kept: in the target folder of the workspace, which is never committed.
#[must_use]
pub fn store() -> PathBuf {
    let root = folder().ancestors().nth(2).unwrap_or(folder());
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join("libraries")
}
