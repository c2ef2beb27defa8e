//! A whole program beside its specification: driven through its command line and the file system.

use stairway::prelude::*;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// Lines of letters, the last of which may have no end.
fn text() -> impl Generate<Value = Vec<u8>> {
    let line = string_of(sampled_from(&['a', 'b', 'c', ' ']), 0..4usize);
    (vec(line, 0..6), any::<bool>()).mapped(|(lines, is_ended)| {
        let text = lines.join("\n");
        if is_ended && !lines.is_empty() { format!("{text}\n") } else { text }.into_bytes()
    })
}

/// The lines of a file, as `sort -u` must leave them: each once, in order, with an end.
fn sorted(text: &[u8]) -> Vec<u8> {
    let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|byte| *byte == b'\n');
    let mut lines: Vec<&[u8]> = lines.collect();
    if text.is_empty() {
        lines.clear();
    }
    lines.sort_unstable();
    lines.dedup();
    lines.into_iter().flat_map(|line| [line, b"\n"].concat()).collect()
}

/// The first `n` lines.
fn first(text: &[u8], n: usize) -> Vec<u8> {
    text.split_inclusive(|byte| *byte == b'\n').take(n).flatten().copied().collect()
}

fn file_in(folder: &Path, text: &[u8]) -> std::io::Result<std::path::PathBuf> {
    let path = folder.join("input");
    std::fs::File::create(&path)?.write_all(text)?;
    Ok(path)
}

fn run(program: &str, arguments: &[&str], file: &Path) -> std::io::Result<Vec<u8>> {
    let ran = Command::new(program).args(arguments).arg(file).env("LC_ALL", "C").output()?;
    Ok(ran.stdout)
}

refinement! {
    #[property(cases = 30)]
    sort_sorts(#[from(text())] text: Vec<u8>) {
        concrete folder => tempfile::tempdir()?,
        concrete file => file_in(folder.path(), &text)?,
        spec => sorted(&text),
        real => {
            run("sort", &["-u", "-o", &file.display().to_string()], &file)?;
            std::fs::read(&file)?
        },
        teardown => drop(folder),
    }

    #[property(cases = 30)]
    head_is_the_beginning(#[from(text())] text: Vec<u8>, #[from(0..5usize)] n: usize) {
        concrete folder => tempfile::tempdir()?,
        concrete file => file_in(folder.path(), &text)?,
        spec => first(&text, n),
        real => run("head", &["-n", &n.to_string()], &file)?,
        teardown => drop(folder),
    }

    #[ignore = "tail is not head; reported below"]
    tail_is_the_beginning(#[from(text())] text: Vec<u8>, #[from(0..5usize)] n: usize) {
        concrete folder => tempfile::tempdir()?,
        concrete file => file_in(folder.path(), &text)?,
        spec => first(&text, n),
        real => run("tail", &["-n", &n.to_string()], &file)?,
        teardown => drop(folder),
    }
}

#[test]
fn a_program_that_does_something_else_is_found_with_a_small_file() {
    let checker = tail_is_the_beginning_refinement();
    let report = checker.with_settings(|settings| settings.without_regressions().seed(1)).report();
    let drawn: Vec<&str> =
        report.counterexample().unwrap().observed.drawn.iter().map(|d| &*d.value).collect();
    assert_eq!(drawn, ["vec![10, 97]", "1"], "{report}");
}
