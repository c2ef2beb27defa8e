//! The runner without a network and without Stairway: a small script stands for the command.

use libraries::planted::bugs_in;
use libraries::{Baseline, Library, Ran, Runner};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A command that finds a failure of `get` in every file, and one of `put` where a line has `<=`; elsewhere
/// `put` fails otherwise.
const COMMAND: &str = r#"#!/bin/sh
case "$*" in
    *--replay*get*) echo '{"outcome":"falsified","failure":{"identity":"read at list.c:9:1"}}'; exit 1;;
    *--replay*) echo '{"outcome":"falsified","failure":{"identity":"read at list.c:4:1"}}'; exit 1;;
esac
mkdir -p stairway-regressions
file=stairway-regressions/list.c.txt
printf 'failure: read at list.c:9:1\nsize: 1\n1. get(x)\n    get\n\n' > $file
others='[]'
if grep -q '<=' list.c; then
    printf 'failure: write at list.c:3:1\nsize: 1\n1. make(3)\n2. put(x1, 3)\n    put\n\n' >> $file
    others='[{"identity":"write at list.c:3:1","message":"m","steps":[{"function":"make"},{"function":"put"}]}]'
fi
failure='{"identity":"read at list.c:9:1","message":"m","steps":[{"function":"get"}]}'
echo "{\"outcome\":\"falsified\",\"calls\":5,\"notes\":[],\"functions\":[{\"name\":\"make\",\"calls\":5,\"never_called\":null}],
       \"failure\":$failure,\"others\":$others}" | tr -d '\n'
exit 1
"#;

const PATCH: &str = "library: list\nwrong: One element too many.\n\n--- a/list.c\n+++ b/list.c\n@@ -1 +1 @@\n\
                     -int put(int i) { return i < 3; }\n+int put(int i) { return i <= 3; }\n";

fn library() -> Library {
    serde_json::from_str(
        r#"{"name":"list","version":"1","kind":"container","url":"","sha256":"","folder":"","files":["list.c"]}"#,
    )
    .unwrap()
}

/// The library, the command and the patches, in a folder.
fn made(folder: &Path) -> (PathBuf, Runner, PathBuf) {
    let (here, patches) = (folder.join("list"), folder.join("patches"));
    fs::create_dir(&here).unwrap();
    fs::create_dir(&patches).unwrap();
    fs::write(here.join("list.c"), "int put(int i) { return i < 3; }\n").unwrap();
    fs::write(patches.join("list-one-too-many.patch"), PATCH).unwrap();
    let command = folder.join("stairway");
    fs::write(&command, COMMAND).unwrap();
    fs::set_permissions(&command, fs::Permissions::from_mode(0o755)).unwrap();
    (here, Runner::new(command), patches)
}

#[test]
fn a_run_leaves_the_library_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (here, runner, _) = made(folder.path());
    let ran = runner.run(&library(), &here, None).unwrap();
    assert_eq!((&*ran.outcome, ran.alarms.len(), ran.n_calls), ("falsified", 1, 5));
    assert_eq!(ran.called.iter().map(String::as_str).collect::<Vec<_>>(), ["get", "make"]);
    assert_eq!(fs::read_dir(&here).unwrap().count(), 1, "it ran in a copy");
}

/// A run in which `put` fails where the bug shows.
fn alike(runner: &Runner, here: &Path) -> Ran {
    let mut ran = runner.run(&library(), here, None).unwrap();
    ran.alarms[0].identity = "write at list.c:3:1".to_string();
    ran
}

#[test]
fn a_planted_bug_is_found_and_a_failure_that_was_there_before_is_not_taken_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let (here, runner, patches) = made(folder.path());
    let bugs = bugs_in(&patches).unwrap();
    let mut baseline = Baseline::of(&runner.run(&library(), &here, None).unwrap());
    assert!(runner.hunt(&library(), &here, &bugs[0], 1, &mut baseline).unwrap().is_some());
    // Also where a run without the patch happened to fail at the same place.
    let mut baseline = Baseline::of(&alike(&runner, &here));
    assert!(runner.hunt(&library(), &here, &bugs[0], 1, &mut baseline).unwrap().is_some());
    // The same failures, of which none is the patch's.
    fs::write(patches.join("list-one-too-many.patch"), PATCH.replace("i <= 3", "i < 4")).unwrap();
    let harmless = bugs_in(&patches).unwrap();
    assert!(runner.hunt(&library(), &here, &harmless[0], 1, &mut baseline).unwrap().is_none());
}

#[test]
fn a_patch_that_does_not_fit_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (here, runner, patches) = made(folder.path());
    fs::write(here.join("list.c"), "int other;\n").unwrap();
    let bugs = bugs_in(&patches).unwrap();
    assert!(runner.hunt(&library(), &here, &bugs[0], 1, &mut Baseline::default()).is_err());
}
