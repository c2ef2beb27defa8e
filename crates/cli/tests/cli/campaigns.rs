//! Campaigns: AFL++ and libFuzzer search, and what they find is reported like everything else. Where one of
//! them is not installed its test says so and ends.

use crate::support::{Folder, Ran};
use std::path::Path;
use std::process::{Command, Stdio};

/// The page of the book; its file fails as soon as it is called with a large number.
const PAGE: &str = include_str!("../../../../docs/campaigns.md");

/// The first block of a language on the page.
fn block(language: &str) -> &'static str {
    let text = PAGE.split_once(&format!("```{language}\n")).expect("there is a block").1;
    text.split_once("```").expect("it ends").0
}

fn clip() -> Folder {
    let folder = Folder::with("");
    folder.write("clip.c", block("c"));
    folder
}

/// It is in the same words as on the page, shrunk, with the command that repeats it.
fn is_reported(ran: &Ran) {
    assert!(ran.out.starts_with(block("text")), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("found in an input of a fuzzer, shrunk"), "{}", ran.out);
    assert!(ran.out.contains("replay: stairway test clip.c --"), "{}", ran.out);
}

/// Whether a program is there; if not, that is printed.
fn is_there(program: &str, asked: &[&str]) -> bool {
    let asked = Command::new(program).args(asked).stdin(Stdio::null()).output();
    let is_there = asked.is_ok_and(|output| output.status.success() || program == "afl-fuzz");
    if !is_there {
        eprintln!("skipped: {program} is not installed, or cannot do what a campaign needs");
    }
    is_there
}

/// Both an `afl-fuzz` that is bounded by executions and one that meets the bug at once are deterministic enough.
#[test]
fn two_instances_of_afl_share_a_folder_and_what_they_find_is_shrunk() {
    if !is_there("afl-fuzz", &["-h"]) {
        return;
    }
    let folder = clip();
    let ran = folder.stairway("fuzz clip.c --jobs 2 --executions 400 --keep-going --seed 1");
    let logs = ["main", "secondary-1"].map(|name| {
        std::fs::read_to_string(folder.path().join(format!("stairway-fuzz/clip.c/{name}.log")))
            .unwrap_or_default()
    });
    assert_eq!(ran.code, 1, "{}{}\n{}\n{}", ran.out, ran.err, logs[0], logs[1]);
    is_reported(&ran);
    for instance in ["main", "secondary-1"] {
        let stats = folder.read(&format!("stairway-fuzz/clip.c/afl/{instance}/fuzzer_stats"));
        assert!(stats.contains("execs_done"), "{stats}");
    }
    // It is stored like any other failure, and what the fuzzer has kept can be read back.
    assert!(
        folder
            .stairway("test clip.c --calls 3000")
            .out
            .contains("found again, as it was stored by an earlier run")
    );
    std::fs::remove_dir_all(folder.path().join("stairway-regressions")).expect("it was stored");
    let ran = folder.stairway("test clip.c --calls 3000 --corpus stairway-fuzz/clip.c/afl");
    is_reported(&ran);
}

#[test]
fn libfuzzer_finds_it_through_the_same_target() {
    let works = ["-fsanitize=fuzzer", "-x", "c", "-o", "/dev/null", "-"];
    let source = Folder::with("");
    source.write("e.c", "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return 0; }\n");
    let file = source.path().join("e.c");
    let asked: Vec<&str> = works[..5].iter().copied().chain([file.to_str().expect("a path")]).collect();
    if !is_there("clang", &asked) {
        return;
    }
    let folder = clip();
    let ran = folder.stairway("fuzz clip.c --engine libfuzzer --executions 20000 --seed 1");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    is_reported(&ran);
}

#[test]
fn a_campaign_that_cannot_begin_says_why() {
    let folder = clip();
    let ran = folder.stairway_with("PATH", "/nowhere", "fuzz clip.c");
    assert_eq!(
        (ran.code, &*ran.err),
        (65, "afl-fuzz is not installed; this installs it: sudo apt-get install afl++\n")
    );
    let ran = folder.stairway_with("PATH", "/nowhere", "fuzz clip.c --engine libfuzzer");
    assert!(ran.code == 65 && ran.err.starts_with("clang is not installed"), "{}", ran.err);
    let ran = folder.stairway("test clip.c --corpus nowhere");
    assert_eq!(ran.code, 65, "{}", ran.err);
    assert!(ran.err.contains("the corpus nowhere for `clip.c` cannot be read"), "{}", ran.err);
    assert_eq!(folder.stairway("fuzz clip.c --secondary ../x").code, 64);
}

#[test]
fn a_fuzzer_that_dies_is_reported_with_its_last_words() {
    let folder = clip();
    folder.write("afl-fuzz", "#!/bin/sh\n[ \"$1\" = -h ] || { echo no cores left; exit 3; }\n");
    let fake = folder.path().join("afl-fuzz");
    make_executable(&fake);
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let ran = folder.stairway_with("PATH", path, "fuzz clip.c");
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("afl-fuzz ended with exit status: 3"), "{}", ran.err);
    assert!(ran.err.contains("no cores left"), "{}", ran.err);
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
}
