//! The corpus of C files (`crates/c/tests/corpus`), run: files that are right pass, and in the others the planted bug is
//! found, in the function that has it, by no more calls than it takes.

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates").join("c/tests/corpus")
}

/// What the header of a file says behind a word, all lines of it.
fn headers<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    lines.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": ")).collect()
}

/// The files that belong to one test, by name within the folder.
fn files(name: &str, text: &str) -> Vec<PathBuf> {
    let more = headers(text, "sources")
        .into_iter()
        .flat_map(|line| line.split([',', ' ']).filter(|s| !s.is_empty()));
    let place = |source: &str| {
        let in_parts = folder().join("parts").join(source);
        if in_parts.exists() { in_parts } else { folder().join(source) }
    };
    std::iter::once(folder().join(name)).chain(more.map(place)).collect()
}

/// Runs one file; what is not as its header says.
fn problem(name: &str) -> Option<String> {
    let text = std::fs::read_to_string(folder().join(name)).expect("the file can be read");
    let options = headers(&text, "options").into_iter().flat_map(str::split_whitespace);
    let workplace = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_stairway"))
        .arg("test")
        .args(files(name, &text))
        .args(options)
        .args(["--calls", "5000", "--seed", "1", "--json", "--quiet"])
        .current_dir(workplace.path())
        .output()
        .expect("the command runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = headers(&text, "expect").concat();
    if expected.starts_with("pass") {
        return (output.status.code() != Some(0)).then(|| format!("{name}: does not pass: {said}"));
    }
    if output.status.code() != Some(1) {
        let error = String::from_utf8_lossy(&output.stderr);
        return Some(format!("{name}: ends with {:?} instead of 1: {said}{error}", output.status.code()));
    }
    let report: Json = serde_json::from_str(said.trim()).ok()?;
    let (_, rest) = expected.split_once(" of ")?;
    let (_, most) = rest.split_once("at most ")?;
    let most: usize = most.split_whitespace().next()?.parse().ok()?;
    let n_calls = report["failure"]["steps"].as_array().map_or(usize::MAX, Vec::len);
    (n_calls > most)
        .then(|| format!("{name}: {n_calls} calls instead of {most}: {}", report["failure"]["message"]))
}

#[test]
fn every_file_of_the_corpus_is_what_its_name_says() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the corpus is there")
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".pass.c") || name.ends_with(".fail.c"))
        .collect();
    names.sort();
    assert!(names.len() > 100, "only {} files", names.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(problem(name));
        }
        found
    };
    let problems: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
