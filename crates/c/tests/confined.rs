//! C that a test calls changes nothing outside, and what it was refused is in the report.

#![allow(clippy::redundant_closure_for_method_calls, reason = "a call of C is written as one")]

use stairway::prelude::*;
use std::ffi::{CStr, CString};
use std::path::Path;

stairway_c::library! {
    mod c {
        files: "tests/library/hostile.c";

        fn save(path: &CStr) -> i32;
        fn drop(path: &CStr) -> i32;
        fn move_to(path: &CStr, to: &CStr) -> i32;
        fn protect(path: &CStr) -> i32;
        fn signal_to(pid: i32) -> i32;
        fn start_process() -> i32;
        fn start_thread() -> i32;
        fn start_program() -> i32;
        fn talk() -> i32;
        fn end_process(code: i32) -> i32;
        fn abort_it() -> i32;
        fn process() -> i32;
        fn folder_mode() -> i32;
        fn first_of(path: &CStr) -> i32;
        fn place(to: &mut [u8]) -> i32;
        fn go(path: &CStr) -> i32;
        fn use_descriptors() -> i32;
        fn grow() -> i32;
        fn map_everything() -> i32;
        fn hoard() -> i32;
        fn ask(question: i32) -> i32;
        mock fn asked(question: i32) -> i32;
    }
}

const EPERM: i32 = 1;
const ENOENT: i32 = 2;
const EAGAIN: i32 = 11;
const EACCES: i32 = 13;
const EROFS: i32 = 30;

/// A folder that is not the code's, with a file in it.
fn canary() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    std::fs::write(folder.path().join("file"), "canary").expect("a file");
    folder
}

fn named(path: &Path) -> CString {
    CString::new(path.to_str().expect("it is text")).expect("no zero in it")
}

#[allow(clippy::disallowed_methods, reason = "the number that C is not to see")]
fn process_number() -> u32 {
    std::process::id()
}

#[test]
fn files_outside_stay_as_they_are() {
    let canary = canary();
    let (file, new) = (named(&canary.path().join("file")), named(&canary.path().join("new")));
    c::run(|c| {
        assert_eq!((c.save(&file)?, c.save(&new)?, c.save(c"/stairway-was-here")?), (EROFS, EROFS, EROFS));
        assert_eq!((c.drop(&file)?, c.move_to(&file, &new)?, c.protect(&file)?), (EROFS, EROFS, EROFS));
        assert_eq!((c.move_to(&file, c"mine")?, c.save(c"/dev/shm/stairway-was-here")?), (EROFS, EROFS));
        assert_eq!((c.first_of(&file)?, c.first_of(c"/proc/self/environ")?), (i32::from(b'c'), -EACCES));
        Ok(())
    })
    .unwrap();
    let left: Vec<_> = std::fs::read_dir(canary.path()).expect("it is there").flatten().collect();
    assert_eq!(left.len(), 1);
    assert_eq!(std::fs::read_to_string(canary.path().join("file")).ok().as_deref(), Some("canary"));
    assert!(!Path::new("/stairway-was-here").exists() && !Path::new("/dev/shm/stairway-was-here").exists());
}

#[test]
fn a_run_has_a_folder_of_its_own() {
    let here = std::env::current_dir().expect("there is one");
    for _ in 0..2 {
        c::run(|c| {
            let mut place = [0; 64];
            assert_eq!((c.first_of(c"note")?, c.first_of(c"/tmp/other")?), (-ENOENT, -ENOENT));
            assert_eq!((c.save(c"note")?, c.save(c"/tmp/other")?), (0, 0));
            assert_eq!((c.first_of(c"/tmp/stairway/note")?, c.first_of(c"../other")?), (115, 115));
            assert_eq!((c.go(c"/tmp")?, c.place(&mut place)?, c.first_of(c"stairway/note")?), (0, 0, 115));
            assert!(place.starts_with(b"/tmp\0"));
            assert_eq!((c.go(c"/")?, c.place(&mut place)?, c.save(c"stairway-was-here")?), (0, 0, EROFS));
            assert!(place.starts_with(b"/\0"));
            assert_eq!((c.go(c"note")?, c.folder_mode()?, c.folder_mode()?), (ENOENT, 0o022, 0o077));
            Ok(())
        })
        .unwrap();
        assert_eq!(std::env::current_dir().ok().as_ref(), Some(&here), "the test is where it was");
    }
    assert!(!Path::new("/tmp/other").exists());
    let own = std::env::temp_dir().join(format!("stairway-calls-{}", process_number()));
    // Within a run, because other tests have theirs.
    c::run(|_| {
        assert!(!own.exists(), "it is gone with the run");
        Ok(())
    })
    .unwrap();
    // Files of the package can be read, as by the test itself.
    assert_eq!(c::run(|c| c.first_of(c"Cargo.toml")).unwrap(), i32::from(b'['));
}

#[test]
fn a_folder_can_be_opened_up() {
    let canary = canary();
    let (file, new) = (named(&canary.path().join("file")), named(&canary.path().join("new")));
    c::run(|c| {
        c.allow_changes_in(canary.path())?;
        assert_eq!((c.save(&new)?, c.drop(&file)?), (0, 0));
        Ok(())
    })
    .unwrap();
    assert_eq!(std::fs::read_to_string(canary.path().join("new")).ok().as_deref(), Some("saved"));
    assert!(!canary.path().join("file").exists());
    assert_eq!(c::run(|c| c.save(&new)).unwrap(), EROFS, "only for one run");
    let gone = canary.path().join("gone");
    let stop = c::run(|c| c.allow_changes_in(&gone)).unwrap_err();
    assert!(format!("{stop:?}").contains("name another folder"), "{stop:?}");
}

#[test]
fn no_process_is_started_or_hit() {
    c::run(|c| {
        assert_eq!((c.start_process()?, c.start_thread()?, c.start_program()?), (EAGAIN, EAGAIN, EACCES));
        assert_eq!(
            (c.signal_to(1)?, c.signal_to(process_number() as i32)?, c.signal_to(-1)?),
            (EPERM, EPERM, EPERM)
        );
        assert_eq!((c.talk()?, c.process()?), (EACCES, 1000));
        Ok(())
    })
    .unwrap();
    assert_ne!(process_number(), 1000, "the test's own calls are its own");
}

#[test]
fn ends_are_ends_of_the_call() {
    let said = |result: Checked<i32>| format!("{:?}", result.unwrap_err());
    let exit = said(c::run(|c| c.end_process(3)));
    assert!(exit.contains("exit"), "{exit}");
    let abort = said(c::run(|c| c.abort_it()));
    assert!(abort.contains("abort"), "{abort}");
    assert_eq!(c::run(|c| c.process()).unwrap(), 1000, "and the next run is like the first");
}

#[test]
fn descriptors_and_memory_of_the_test_are_not_the_codes() {
    use std::io::Write as _;
    let canary = canary();
    let mut file = std::fs::File::create(canary.path().join("open")).expect("a file");
    assert_eq!(c::run(|c| c.use_descriptors()).unwrap(), 0);
    file.write_all(b"still mine").expect("it is open");
    assert_eq!(std::fs::read_to_string(canary.path().join("open")).ok().as_deref(), Some("still mine"));
    assert_eq!(c::run(|c| c.grow()).unwrap(), 16, "megabytes");
    assert!(c::run(|c| c.map_everything()).unwrap() < 64);
}

/// What the C library takes for C is counted, since a limit of the system's would hold the test as well.
#[test]
fn memory_of_the_c_library_has_a_limit_too() {
    let hoarded = c::run(|c| c.hoard());
    let n = hoarded.unwrap();
    assert!((20..80).contains(&n), "{n} tables of 24 MB");
    assert!(vec![1u8; 4 << 20].iter().all(|byte| *byte == 1), "the test has more");
}

/// A worker that is locked up finds what its parent has built.
#[property(confined, cases = 20)]
fn c_is_called_in_a_property_that_is_confined(n: i32) {
    let named = named(Path::new("/stairway-was-here"));
    assert_eq!(c::run(|c| c.save(&named)).unwrap(), EROFS);
    assert!(std::fs::write("/stairway-was-here", n.to_string()).is_err());
    let doubled = c::run(|c| {
        c.mocks().asked(|_, question| Ok(question / 2));
        c.ask(n)
    });
    assert_eq!(doubled.unwrap(), n / 2);
}

#[test]
fn the_test_itself_is_free() {
    let canary = canary();
    let path = canary.path().join("by a mock");
    let told = path.clone();
    let answer = c::run(|c| {
        c.mocks().asked(|_, question| {
            std::fs::write(&told, "written").expect("a mock is the test");
            let done = std::process::Command::new("true").status().expect("and may start programs");
            Ok(question + i32::from(done.success()))
        });
        c.ask(41)
    });
    assert_eq!(answer.unwrap(), 42);
    assert_eq!(std::fs::read_to_string(path).ok().as_deref(), Some("written"));
    // Other threads, while C runs.
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for k in 0..200 {
                std::fs::write(canary.path().join(format!("{k}")), "x").expect("this thread runs no C");
            }
        });
        for _ in 0..200 {
            assert_eq!(c::run(|c| c.save(c"/stairway-was-here")).unwrap(), EROFS);
        }
        writer.join().expect("it ends");
    });
}

#[test]
fn what_was_refused_is_in_the_report() {
    let report = Checker::new("refusals").seed(1).cases(10).report(|t| {
        let name = t.pick(sampled_from(["/etc/hosts", "/stairway-was-here"]))?;
        let path = CString::new(name)?;
        let saved = c::run(|c| c.save(&path).and_then(|_| c.talk()))?;
        assert_eq!(saved, EACCES);
        Ok(())
    });
    insta::assert_snapshot!(report.to_string());
    let failing = Checker::new("a refusal that fails").seed(1).cases(10);
    let failing = failing.settings(Settings::new().seed(1).cases(10).without_regressions());
    let report = failing.report(|t| {
        let path = CString::new(t.pick(sampled_from(["/etc/hosts", "/stairway-was-here"]))?)?;
        assert_eq!(c::run(|c| c.save(&path))?, 0);
        Ok(())
    });
    let report = report.to_string();
    let line = report.lines().find(|line| line.contains("refused"));
    assert_eq!(
        line,
        Some("  refused by the sandbox: changes in /etc (`c.allow_changes_in(\"/etc\")` allows them)"),
        "{report}"
    );
}
