//! `cargo xtask bench`: the benchmarks live in a workspace of their own, so that users and CI do
//! not build the peers.

use crate::steps::root;
use std::process::Command;

/// Runs the benchmarks with the given section and options.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--"])
        .args(arguments)
        .current_dir(root().join("bench"))
        // Tools that capture backtraces of failures would be measured doing that.
        .env("RUST_BACKTRACE", "0")
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the benchmarks failed".to_string()) }
}
