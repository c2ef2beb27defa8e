//! A table of cases: each is a test, with a name, a seed and stored failures of its own.

use rstest::rstest;
use stairway::prelude::*;
use std::path::Path;

#[derive(Debug)]
struct Room {
    most: usize,
    inside: usize,
}

impl Room {
    /// Lets one too many in.
    fn enter(&mut self) -> bool {
        let fits = self.inside <= self.most;
        self.inside += usize::from(fits);
        fits
    }
}

#[derive(Debug)]
struct Guests(usize, usize);

fn room(most: usize) -> stairway::program::ModelBuilder<Guests, Room> {
    stairway::program::ModelBuilder::new("room", move || (Guests(0, most), Room { most, inside: 0 })).op(
        "enter",
        |guests: &mut Guests| {
            let fits = guests.0 < guests.1;
            guests.0 += usize::from(fits);
            fits
        },
        Room::enter,
    )
}

/// Checks a room, with its failures in `folder`; gives the steps of the counterexample and the seed of its search.
fn check(folder: &Path, most: usize) -> (usize, u64) {
    let settings = Settings::new().cases(50).regressions(folder);
    let report = room(most).checker().named(format!("room for {most}")).settings(settings).report();
    let found = report.counterexample().unwrap_or_else(|| panic!("nothing was found: {report}"));
    (found.observed.steps.len(), report.result.seed)
}

fn stored(folder: &Path) -> Vec<String> {
    let files =
        std::fs::read_dir(folder).expect("failures are stored").map(|file| file.expect("a file").file_name());
    let mut names: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[rstest]
#[case::one(1)]
#[case::three(3)]
fn a_case_of_a_table_finds_its_own_failure(#[case] most: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(check(folder.path(), most).0, most + 1);
    assert_eq!(stored(folder.path()).len(), 1);
}

#[test]
fn cases_with_names_share_neither_files_nor_seeds() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, three) = (check(folder.path(), 1), check(folder.path(), 3));
    assert_eq!((one.0, three.0), (2, 4));
    assert_ne!(one.1, three.1);
    let files = stored(folder.path());
    assert_eq!(files.len(), 2, "{files:?}");
    // Each replays its own.
    assert_eq!((check(folder.path(), 1).0, check(folder.path(), 3).0), (2, 4));
}

/// What a check in this test is called, and its seed.
fn checked() -> (String, u64) {
    let settings = Settings::new().cases(1).without_regressions();
    let report = room(9).checker().settings(settings).report();
    (report.name.clone(), report.result.seed)
}

#[rstest]
#[case::one("room::case_1_one")]
#[case("room::case_2")]
fn a_case_of_a_table_has_a_name_of_its_own(#[case] name: &str) {
    let (checked, seed) = checked();
    assert_eq!(checked, name);
    // A name that was given stays, and has the seed of that name.
    let settings = Settings::new().cases(1).without_regressions();
    let report = room(9).checker().named("a room").settings(settings).report();
    assert_eq!(report.name, "a room");
    assert_ne!(report.result.seed, seed);
}

#[rstest]
fn a_closure_is_named_after_its_case(#[values(1, 2)] n: u64) {
    let report = Checker::new("rstest::a_closure_is_named_after_its_case").cases(1).report(|t| {
        t.pick(0..=n)?;
        Ok(())
    });
    assert_eq!(report.name, format!("rstest::a_closure_is_named_after_its_case::n_{n}_{n}"));
}

#[rstest]
#[case::one(1)]
#[case::two(2)]
fn an_isolated_case_is_found_again_by_its_worker(#[case] most: usize) {
    let settings = Settings::new().cases(20).without_regressions().isolate();
    let report = room(most).checker().settings(settings).report();
    let found = report.counterexample().unwrap_or_else(|| panic!("nothing was found: {report}"));
    assert_eq!(found.observed.steps.len(), most + 1);
}

#[test]
fn a_test_that_is_no_case_has_the_name_alone() {
    assert_eq!(checked().0, "room");
}
