//! Users rely on a failure that was found never being lost: it is on disk before shrinking starts,
//! is replayed first, keeps its meaning while the code around it changes, and whatever is wrong
//! with the file is said and not fatal.

mod common;

use common::Specimen;
use stairway::engine::{CaseOrigin, Failure};
use stairway::prelude::*;
use stairway::{Report, Stop};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// A property called `p` whose failures are stored in `folder`.
fn check(folder: &Path, property: impl Fn(&mut Case<'_>) -> Checked + Sync) -> Report {
    Checker::new("p").settings(Settings::new().seed(1).regressions(folder)).report(property)
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("p.txt")
}

fn fail() -> Checked {
    Err(Stop::fail(Failure::named("it fails")))
}

/// Fails for lists with a number above 100.
fn has_no_large_number(t: &mut Case<'_>) -> Checked {
    let xs = t.pick(vec(0..1000, 0..20))?;
    if xs.iter().any(|x| *x > 100) { fail() } else { Ok(()) }
}

const SMALLEST: &str = "# Stairway: failures of `p`. They are replayed first; commit this file.

failure: it fails
size: 2
pick = [101]
    #1 101
";

/// The file after a property of this shape has failed.
fn stored() -> TempDir {
    let folder = folder();
    assert!(!check(folder.path(), has_no_large_number).is_success());
    assert_eq!(fs::read_to_string(file(&folder)).unwrap(), SMALLEST);
    folder
}

fn warnings(report: &Report, folder: &TempDir) -> Vec<String> {
    let folder = folder.path().to_str().unwrap();
    report.warnings.iter().map(|warning| warning.replace(folder, "FOLDER")).collect()
}

#[test]
fn a_failure_is_stored_before_shrinking_starts() {
    let folder = folder();
    let (n_failures, found) = (AtomicU64::new(0), Mutex::new(None));
    let report = check(folder.path(), |t| {
        let xs = t.pick(vec(0..1000, 0..20))?;
        if xs.iter().all(|x| *x <= 100) {
            return Ok(());
        }
        // The first failure is found, the second confirms and records it, the third is shrunk.
        if n_failures.fetch_add(1, Ordering::Relaxed) == 2 {
            *found.lock().unwrap() = fs::read_to_string(file(&folder)).ok();
        }
        fail()
    });
    let stored = found.into_inner().unwrap().expect("nothing was stored when shrinking started");
    assert!(stored.contains("failure: it fails\nsize: 2\npick = ["), "{stored}");
    assert!(!stored.contains("pick = [101]\n"), "it was small before it was shrunk: {stored}");
    assert_eq!(report.stored_in, Some(file(&folder)));
}

#[test]
fn the_shrunk_failure_takes_its_place() {
    let stored = stored();
    assert_eq!(fs::read_dir(stored.path()).unwrap().count(), 1);
}

#[test]
fn a_stored_failure_is_replayed_first() {
    let folder = stored();
    let drawn = Mutex::new(Vec::new());
    let report = check(folder.path(), |t| {
        let xs = t.pick(vec(0..1000, 0..20))?;
        drawn.lock().unwrap().push(xs.clone());
        if xs.contains(&101) { fail() } else { Ok(()) }
    });
    assert_eq!(drawn.into_inner().unwrap()[0], [101]);
    assert_eq!(report.counterexample().map(|found| found.origin), Some(CaseOrigin::Stored(0)));
    assert_eq!(fs::read_to_string(file(&folder)).unwrap(), SMALLEST);
}

#[test]
fn a_failure_that_passes_now_stays_and_is_said() {
    let folder = stored();
    let report = check(folder.path(), |t| t.pick(vec(0..1000, 0..20)).map(drop));
    assert!(report.is_success() && report.result.n_fixed == 1, "{report}");
    assert_eq!(fs::read_to_string(file(&folder)).unwrap(), SMALLEST);
}

#[test]
fn failures_of_another_identity_are_stored_besides() {
    let folder = stored();
    let report = check(folder.path(), |t| {
        let xs = t.pick(vec(0..1000, 0..20))?;
        if xs.len() < 3 { Ok(()) } else { Err(Stop::fail(Failure::named("too many"))) }
    });
    assert!(!report.is_success());
    let text = fs::read_to_string(file(&folder)).unwrap();
    assert!(text.starts_with(SMALLEST) && text.ends_with("pick = [0, 0, 0]\n    #3 0 0 0\n"), "{text}");
}

/// An enum before and after an edit: the same variants in another order, and others between them.
mod before {
    #[derive(stairway::Arbitrary, Debug, PartialEq)]
    pub(crate) enum Op {
        Push(u8),
        Pop,
        Clear,
    }
}

mod after {
    #[derive(stairway::Arbitrary, Debug, PartialEq)]
    pub(crate) enum Op {
        Clear,
        Peek,
        Pop,
        Drain { from: u8 },
        Push(u8),
    }
}

#[test]
fn variants_keep_their_meaning_when_they_are_reordered() {
    let folder = folder();
    let report = check(folder.path(), |t| {
        let ops = t.pick(vec(any::<before::Op>(), 0..10))?;
        let is_cleared = |ops: &[before::Op]| matches!(ops, [before::Op::Push(7..), before::Op::Clear]);
        if ops.windows(2).any(is_cleared) { fail() } else { Ok(()) }
    });
    assert!(!report.is_success());
    assert!(fs::read_to_string(file(&folder)).unwrap().ends_with("    #2 Push 7 Clear\n"));
    let first = Mutex::new(None);
    let report = check(folder.path(), |t| {
        let ops = t.pick(vec(any::<after::Op>(), 0..10))?;
        first.lock().unwrap().get_or_insert(format!("{ops:?}"));
        Ok(())
    });
    assert_eq!(first.into_inner().unwrap().as_deref(), Some("[Push(7), Clear]"));
    assert_eq!((report.result.n_fixed, report.warnings), (1, vec![]));
}

#[test]
fn a_variant_that_is_gone_is_a_warning() {
    let folder = folder();
    let report = check(folder.path(), |t| {
        let ops = t.pick(vec(any::<after::Op>(), 0..10))?;
        if ops.contains(&after::Op::Peek) { fail() } else { Ok(()) }
    });
    assert!(!report.is_success());
    assert!(fs::read_to_string(file(&folder)).unwrap().ends_with("    #1 Peek\n"));
    let report = check(folder.path(), |t| t.pick(vec(any::<before::Op>(), 0..10)).map(drop));
    let expected = "the stored failure `it fails` in FOLDER/p.txt no longer fits the generators (value 2 does \
                    not); delete it there, or bring the generators back";
    assert_eq!((report.is_success(), warnings(&report, &folder)), (true, vec![expected.to_string()]));
}

#[test]
fn values_of_another_shape_are_a_warning_and_stay() {
    type Property = fn(&mut Case<'_>) -> Checked;
    let others: [Property; 3] = [
        |t| t.pick(any::<bool>()).map(drop),
        |t| t.pick(vec(0..50, 0..20)).map(drop),
        |t| t.pick(vec(any::<String>(), 0..20)).map(drop),
    ];
    for other in others {
        let folder = stored();
        let report = check(folder.path(), other);
        let warnings = warnings(&report, &folder);
        assert!(report.is_success() && warnings.len() == 1, "{warnings:?}");
        assert!(warnings[0].contains("`it fails` in FOLDER/p.txt no longer fits"), "{warnings:?}");
        assert_eq!(fs::read_to_string(file(&folder)).unwrap(), SMALLEST);
    }
}

#[test]
fn a_damaged_failure_is_named_and_the_others_are_replayed() {
    let folder = folder();
    fs::write(
        file(&folder),
        SMALLEST.replace("size: 2", "size: four") + "\nfailure: b\nsize: 4\n    #1 102\n",
    )
    .unwrap();
    let report = check(folder.path(), has_no_large_number);
    assert_eq!(report.counterexample().map(|found| found.origin), Some(CaseOrigin::Stored(0)));
    let expected = "FOLDER/p.txt line 3: `four` is not a size; this failure is not replayed";
    assert_eq!(warnings(&report, &folder), [expected]);
    let text = fs::read_to_string(file(&folder)).unwrap();
    assert!(text.contains("size: four\npick = [101]\n    #1 101\n"), "{text}");
}

#[test]
fn files_of_others_are_kept_aside() {
    for (bytes, why) in [(&b"{}"[..], "was not written by Stairway"), (&[0xff, b'\n'], "is not text")] {
        let folder = folder();
        fs::write(file(&folder), bytes).unwrap();
        let report = check(folder.path(), has_no_large_number);
        let expected = format!("FOLDER/p.txt {why}; moved to FOLDER/p.txt.bak");
        assert_eq!(warnings(&report, &folder), [expected]);
        assert_eq!(fs::read(folder.path().join("p.txt.bak")).unwrap(), bytes);
        assert_eq!(fs::read_to_string(file(&folder)).unwrap(), SMALLEST);
    }
}

#[test]
fn a_folder_that_cannot_be_written_loses_no_verdict() {
    let folder = folder();
    let occupied = folder.path().join("occupied");
    fs::write(&occupied, "").unwrap();
    let report = check(&occupied, has_no_large_number);
    assert_eq!(report.counterexample().unwrap().observed.drawn[0].value, "[101]");
    assert_eq!(report.stored_in, None);
    let warnings = warnings(&report, &folder);
    assert_eq!(warnings.len(), 2, "{report}");
    assert!(warnings[0].starts_with("FOLDER/occupied/p.txt cannot be read: "), "{warnings:?}");
    assert!(warnings[1].starts_with("FOLDER/occupied/p.txt cannot be written: "), "{warnings:?}");
    assert!(!report.to_string().contains("stored in"), "{report}");
}

#[test]
fn nothing_is_stored_where_nothing_fails_or_nobody_wants_it() {
    let folder = folder();
    assert!(check(folder.path(), |t| t.pick(0..10).map(drop)).is_success());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let settings = Settings::new().seed(1).regressions(folder.path()).without_regressions();
    let report = Checker::new("p").settings(settings).report(has_no_large_number);
    assert_eq!((report.stored_in, fs::read_dir(folder.path()).unwrap().count()), (None, 0));
}

mod specimens {
    use super::*;

    /// Takes for ever to shrink.
    #[property]
    #[ignore = "a specimen"]
    fn shrinks_slowly(xs: Vec<u16>) {
        static N_FAILURES: AtomicU64 = AtomicU64::new(0);
        let fails = xs.iter().any(|x| *x > 100);
        while fails && N_FAILURES.fetch_add(1, Ordering::Relaxed) > 2 {
            std::thread::sleep(Duration::from_secs(3600));
        }
        assert!(!fails);
    }

    #[property]
    #[ignore = "a specimen"]
    fn fails(xs: Vec<u16>) {
        assert!(xs.iter().all(|x| *x <= 100));
    }
}

#[test]
fn an_interrupted_run_has_stored_its_failure() {
    let specimen = Specimen::new("specimens::shrinks_slowly");
    let output = fs::File::create(specimen.folder().join("output")).unwrap();
    let mut child = specimen.command().stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap();
    while !specimen.stored().exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it stored its failure");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Shells let what they start in the background ignore an interrupt, and that is inherited.
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(!child.wait().unwrap().success());
    let text = fs::read_to_string(specimen.stored()).unwrap();
    assert!(text.contains("\nfailure: panic at crates/stairway/tests/regressions.rs:"), "{text}");
    assert!(text.contains("\nxs = vec!["), "{text}");
}

#[test]
fn properties_store_beside_the_manifest() {
    let specimen = Specimen::new("specimens::fails");
    let first = specimen.failing_report();
    assert!(first.contains("stored in stairway-regressions/regressions.specimens.fails.txt"), "{first}");
    assert!(fs::read_to_string(specimen.stored()).unwrap().ends_with("\nxs = vec![101]\n    #1 101\n"));
    let second = specimen.failing_report();
    assert!(second.contains("replayed from a stored failure"), "{second}");
}

/// Fails for some inputs, which are others for each `k`, and by an identity of its own.
fn fails_at(k: u32, t: &mut Case<'_>) -> Checked {
    let n = t.pick(0..1000_u32)?;
    if n / 100 == k + 1 { Err(Stop::fail(Failure::named(format!("failure {k}")))) } else { Ok(()) }
}

fn assert_has_all(text: &str) {
    let missing: Vec<u32> = (0..8).filter(|k| !text.contains(&format!("failure: failure {k}\n"))).collect();
    assert!(missing.is_empty(), "{missing:?} in {text}");
}

#[test]
#[ignore = "a specimen"]
fn fails_as_it_is_told() {
    let k = std::env::var("FAILURE").unwrap().parse().unwrap();
    Checker::new("shared").settings(Settings::new().seed(1)).run(|t| fails_at(k, t));
}

#[test]
fn of_eight_runs_at_once_none_loses_a_failure() {
    for _ in 0..3 {
        let specimen = Specimen::new("fails_as_it_is_told");
        let run = |k: u32| specimen.command().env("FAILURE", k.to_string()).spawn().unwrap();
        let running: Vec<_> = (0..8).map(run).collect();
        for mut child in running {
            assert_eq!(child.wait().unwrap().code(), Some(101));
        }
        let folder = specimen.folder().join("stairway-regressions");
        assert_has_all(&fs::read_to_string(folder.join("shared.txt")).unwrap());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "nothing else is left there");
    }
}

#[test]
fn tests_of_one_process_that_share_a_file_lose_no_failure() {
    let folder = folder();
    std::thread::scope(|scope| {
        for k in 0..8 {
            let path = folder.path();
            scope.spawn(move || check(path, move |t| fails_at(k, t)));
        }
    });
    assert_has_all(&fs::read_to_string(file(&folder)).unwrap());
}

/// Fails for lists with a number above 100, and discards the empty list.
fn has_small_numbers(t: &mut Case<'_>) -> Checked {
    let xs = t.pick(vec(0..1000, 0..20))?;
    t.assume(!xs.is_empty())?;
    assert!(xs.iter().all(|x| *x <= 100), "a large number");
    Ok(())
}

/// As a fuzzer runs it.
#[test]
#[ignore = "a specimen"]
fn is_fuzzed() {
    let input = fs::read(std::env::var_os("INPUT").unwrap()).unwrap();
    println!("kept: {}", stairway::fuzz::run(&input, || Checker::new("p").run(has_small_numbers)));
}

#[test]
fn a_fuzzer_hears_of_each_input_whether_it_is_kept_and_of_a_violation_by_an_abort() {
    let folder = folder();
    let run = |bytes: &[u8]| {
        let input = folder.path().join("input");
        fs::write(&input, bytes).unwrap();
        let specimen = Specimen::new("is_fuzzed").set("INPUT", input);
        let ended = specimen.run();
        assert_eq!(fs::read_dir(specimen.folder()).unwrap().count(), 0, "a target stores nothing");
        ended
    };
    // A length, and numbers of two bytes each.
    let (kept, discarded) = (run(&[2, 7, 0, 9, 0]), run(&[0]));
    assert!(kept.code == Some(0) && kept.stdout.contains("kept: true"), "{}", kept.stderr);
    assert!(discarded.code == Some(0) && discarded.stdout.contains("kept: false"), "{}", discarded.stderr);
    let violation = run(&[2, 7, 0, 255, 0]);
    assert_eq!(violation.code, None, "it is ended by a signal: {}", violation.stdout);
    assert!(violation.stderr.contains("= [7, 255]"), "{}", violation.stderr);
}

#[test]
fn the_inputs_of_a_fuzzer_are_run_first_and_shrunk() {
    let folder = folder();
    let instance = folder.path().join("out/main");
    for (name, bytes) in
        [("crashes/id:0", &[2, 7, 0, 255, 0][..]), ("crashes/README.txt", b"hi"), ("queue/id:0", &[1])]
    {
        fs::create_dir_all(instance.join(name).parent().unwrap()).unwrap();
        fs::write(instance.join(name), bytes).unwrap();
    }
    let check = |path: &str| {
        let settings =
            Settings::new().regressions(folder.path()).corpus(folder.path().join(path)).without_search();
        Checker::new("p").settings(settings).try_report(has_small_numbers)
    };
    for path in ["out", "out/main", "out/main/crashes/id:0"] {
        let report = check(path).unwrap();
        let found = report.counterexample().unwrap();
        assert!(
            matches!(found.origin, CaseOrigin::Input(_) | CaseOrigin::Stored(0)),
            "{path}: {:?}",
            found.origin
        );
        assert_eq!(found.observed.drawn[0].value, "[101]");
    }
    assert!(fs::read_to_string(file(&folder)).unwrap().contains("#1 101"), "it is stored");
    assert_eq!(check("out/main/queue").unwrap().result.statistics.n_passed, 0, "the stored failure ends it");
    assert_eq!(check("nowhere").unwrap_err(), stairway::report::Refusal::Input);
}
