//! What the compiler knows of declarations, without building anything that could be run.
//!
//! A mistake in a contract should be reported before anything slow is compiled. So copies of the files, without
//! bodies where the compiler also tells what is not used, are linked into an object that is read for its debug
//! information and thrown away. Whatever a compiler or linker refuses is no error here: the build reports it in full.

use super::{Settings, compile_with, compiler};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Debug information of everything, and nothing else.
const COMMON: &[&str] = &[
    "-g",
    "-O0",
    "-fPIC",
    "-w",
    "-fno-eliminate-unused-debug-types",
    "-fno-eliminate-unused-debug-symbols",
    // The user may ask for what an object without bodies cannot have.
    "-fno-lto",
];

/// Understood by gcc only, which tells the two apart.
const GCC: &[&str] = &["-fkeep-static-functions", "-fkeep-inline-functions"];

const CLANG: &[&str] = &["-femit-all-decls"];

/// Which compiler is asked, and so which text it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompilerKind {
    /// It says of everything what it is, so bodies may be left out.
    Gcc,
    /// It says nothing of what is not used.
    Clang,
}

/// The bytes of an object that has the debug information of the files.
pub(crate) fn declarations(
    files: &[PathBuf],
    asked: CompilerKind,
    settings: &Settings,
    folder: &Path,
) -> Option<Vec<u8>> {
    let own = if asked == CompilerKind::Gcc { GCC } else { CLANG };
    let (objects, _) = compile_with(files, settings, &[COMMON, own].concat(), folder).ok()?;
    let linked = folder.join("declarations.so");
    let done = compiler(settings)
        .args([
            "-shared",
            "-nostdlib",
            "-Wl,--allow-multiple-definition,--unresolved-symbols=ignore-all",
            "-o",
        ])
        .arg(&linked)
        .args(&objects)
        .stdin(Stdio::null())
        .output();
    if !done.ok()?.status.success() {
        return None;
    }
    std::fs::read(&linked).ok()
}
