//! `cargo xtask capi`: `libstairway.a`, as it is linked on Linux and on bare machines.

use crate::steps::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Symbols that precompiled parts of Rust's libraries name, and what to put in their place. Nothing unwinds,
/// and `bcmp` is one function less to ask of a platform. Named so, they cannot get in the way of a
/// C++ program's own.
const RENAMED: [(&str, &str); 3] = [
    ("_Unwind_Resume", "stairway_never_unwinds"),
    ("rust_eh_personality", "stairway_no_personality"),
    ("bcmp", "memcmp"),
];

/// Builds the library and prints where it is.
pub(crate) fn run() -> Result<(), String> {
    let built = build(&target())?;
    println!("{}", built.display());
    Ok(())
}

fn target() -> PathBuf {
    let shared = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    shared.join("capi")
}

/// Builds the library in `target`.
fn build(target: &Path) -> Result<PathBuf, String> {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--manifest-path"])
        .arg(root().join("crates/capi/archive/Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .status();
    succeeded("cargo", built)?;
    let (raw, finished) = (target.join("release/libstairway.a"), target.join("libstairway.a"));
    let mut objcopy = Command::new("objcopy");
    for (name, instead) in RENAMED {
        objcopy.arg("--redefine-sym").arg(format!("{name}={instead}"));
    }
    succeeded("objcopy", objcopy.arg(&raw).arg(&finished).status())?;
    Ok(finished)
}

fn succeeded(program: &str, status: std::io::Result<std::process::ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} failed: {status}")),
        Err(error) => Err(format!("cannot run {program}: {error}; install binutils and Rust")),
    }
}
