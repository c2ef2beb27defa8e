//! The book's page on embedded use shows code that is compiled elsewhere and reports that were really printed.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    support::crate_folder().join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The blocks of the page in this language.
fn blocks(language: &str) -> Vec<String> {
    let page = read(&root().join("docs/embedded.md"));
    let begin = format!("```{language}\n");
    let blocks = page.split(&begin).skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or("").to_string()).collect()
}

/// What the page shows code of.
const CODE: [&str; 4] = [
    "embedded/c/queue/properties.c",
    "embedded/c/threads/properties.c",
    "embedded/c/scheduler/properties.c",
    "kernel/user/guard.c",
];

/// Where the reports are compared with real ones.
const READMES: [&str; 2] = ["embedded/README.md", "kernel/README.md"];

/// All of these files of the case studies.
fn studies(files: &[&str]) -> String {
    files.iter().map(|file| read(&root().join("case-studies").join(file))).collect()
}

#[test]
fn the_code_is_that_of_the_case_studies() {
    let code = studies(&CODE);
    let lines: Vec<&str> = code.lines().map(str::trim).collect();
    for line in blocks("c").iter().flat_map(|block| block.lines()) {
        assert!(lines.contains(&line.trim()), "the page shows `{line}`, which is nowhere in the code");
    }
}

#[test]
fn the_reports_are_those_of_the_case_studies() {
    let readmes = studies(&READMES);
    for report in blocks("text") {
        assert!(readmes.contains(&report), "the READMEs of the studies show other reports than\n{report}");
    }
}

/// The program without the standard library prints what the page shows, and exits with its verdict.
#[test]
fn the_example_without_std_finds_its_bug() {
    let target = support::archive().with_file_name("no_std");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--release", "--target-dir"]).arg(target);
    let output = cargo.current_dir(root().join("examples/no_std")).output().expect("cargo runs the tests");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = support::stdout(&output);
    let printed = printed.split_inclusive('\n').filter(|line| !line.contains("bytes of memory"));
    let printed: String = printed.collect();
    assert!(blocks("console").iter().any(|block| block.ends_with(&printed)), "it prints\n{printed}");
}
