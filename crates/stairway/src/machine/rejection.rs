//! Programs that must not compile: `failing!`.
//!
//! A program goes to rustc together with the crates that the running test was built from, and a part of the
//! error message is looked for in what rustc says. Nothing is built anew, so it takes a fraction of a second.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Asserts that rustc rejects a program with a message that contains `message`.
///
/// # Panics
/// If the program compiles, or the message is another one.
pub fn assert_rejected(krate: &str, package: &str, program: &str, message: &str) {
    let exe = std::env::current_exe().expect("a test knows where it is");
    let deps = exe.parent().expect("it is in a folder").to_path_buf();
    let library = package.replace('-', "_");
    let said = said_by_rustc(&deps, &library, krate, program);
    match said {
        CompileResult::Yes => {
            panic!("this program compiles, but should be rejected with {message:?}:\n{program}")
        }
        CompileResult::No(said) if plain(&said).contains(&plain(message)) => {}
        CompileResult::No(said) => panic!("the program is rejected, but not with {message:?}:\n{said}"),
    }
}

enum CompileResult {
    Yes,
    No(String),
}

/// A text whose layout does not matter.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What rustc says of libraries that do not fit each other: that is no verdict.
const MISFITS: [&str; 5] = ["E0460", "E0463", "E0464", "E0514", "multiple different versions of crate"];
/// How many pairs of libraries are tried.
const MAX_PAIRS: usize = 12;

/// Every library of the tested crate with every build of Stairway, the newest first; Stairway alone where
/// it is what is tested.
fn pairs<'n>(
    [library, stairway]: &[&'n str; 2],
    own: Vec<PathBuf>,
    ours: Vec<PathBuf>,
) -> Vec<Vec<(&'n str, PathBuf)>> {
    if own.is_empty() || library == stairway {
        let alone = ours.into_iter().map(|path| vec![(*stairway, path)]);
        return alone.take(MAX_PAIRS).collect();
    }
    let all = own.iter().flat_map(|own| ours.iter().map(move |path| (own.clone(), path.clone())));
    all.take(MAX_PAIRS).map(|(own, path)| vec![(*library, own), (*stairway, path)]).collect()
}

/// Tries the libraries of this name, the newest first: folders hold builds with other features too.
fn said_by_rustc(deps: &Path, library: &str, krate: &str, program: &str) -> CompileResult {
    let folder = deps.join(format!("stairway-failing-{krate}"));
    std::fs::create_dir_all(&folder).expect("a folder for a program can be made");
    let number = program.bytes().fold(0u64, |n, b| n.wrapping_mul(31).wrapping_add(u64::from(b)));
    let source = folder.join(format!("program_{number}.rs"));
    std::fs::write(&source, format!("#![allow(unused)]\n{program}")).expect("a program can be written");
    let own = newest(deps, library);
    assert!(
        !own.is_empty() || !program.contains(library),
        "the library `{library}` is not next to this test: `failing!` belongs in a file of `tests/`"
    );
    let mut last = String::new();
    for externs in pairs(&[library, "stairway"], own, newest(deps, "stairway")) {
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        command.args(["--edition", "2024", "--crate-type", "bin", "--emit", "metadata", "--color", "never"]);
        command.arg("-L").arg(format!("dependency={}", deps.display())).arg("--out-dir").arg(&folder);
        for (name, path) in externs {
            command.arg("--extern").arg(format!("{name}={}", path.display()));
        }
        let output = command.arg(&source).output().expect("rustc can be run");
        if output.status.success() {
            return CompileResult::Yes;
        }
        last = String::from_utf8_lossy(&output.stderr).into_owned();
        if !MISFITS.iter().any(|misfit| last.contains(misfit)) {
            break;
        }
    }
    CompileResult::No(last)
}

#[allow(clippy::disallowed_methods, reason = "which build is the newest does not reach a verdict")]
fn newest(deps: &Path, library: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(deps).into_iter().flatten().flatten();
    let mut found: Vec<(std::time::SystemTime, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let rest = name.strip_prefix(&format!("lib{library}-"))?;
            rest.ends_with(".rlib").then(|| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))?
        })
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}
