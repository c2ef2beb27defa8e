//! Which functions of a library are public, as the linker sees it: those that other files can call.
//!
//! Asked of the compiler and not of Stairway, so that a function that Stairway overlooks counts as one not
//! called.

use crate::catalog::Library;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// The public functions of a library that lies in `folder`.
///
/// # Errors
/// If it cannot be compiled.
pub fn public_functions(library: &Library, folder: &Path) -> Result<BTreeSet<String>, String> {
    let mut functions = BTreeSet::new();
    let objects = tempfile::tempdir().map_err(|error| format!("there is no temporary folder: {error}"))?;
    for (k, file) in library.files.iter().enumerate() {
        let object = objects.path().join(format!("{k}.o"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-c", "-o"]).arg(&object).arg(file).args(&library.arguments).current_dir(folder);
        let output = gcc.output().map_err(|error| format!("cannot run gcc: {error}"))?;
        if !output.status.success() {
            return Err(format!("{file}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let mut nm = Command::new("nm");
        nm.args(["--defined-only", "--extern-only"]).arg(&object).stderr(Stdio::null());
        let names = nm.output().map_err(|error| format!("cannot run nm: {error}"))?;
        let text = String::from_utf8_lossy(&names.stdout).into_owned();
        functions.extend(text.lines().filter_map(function));
    }
    functions.remove("main");
    Ok(functions)
}

/// The name of a function in a line of `nm`: an address, `T`, a name.
fn function(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().skip(1);
    (words.next() == Some("T")).then(|| words.next().map(String::from)).flatten()
}
