//! Programs of calls that look for broken contracts, and the README.

use super::Account;
use crate::bug::Bug;
use case_study_support::{SHOWN_SEED, assert_readme_shows, block, n_steps_for_every_seed, settings};
use stairway::Report;

#[test]
fn accounts_keep_their_contracts() {
    stairway::Checker::contracts::<Account>().demand_all().run();
}

fn report(bug: Bug, seed: u64) -> Report {
    bug.plant(|| stairway::Checker::contracts::<Account>().settings(settings(seed)).report())
}

#[test]
fn bugs_are_shrunk_to_the_shortest_program() {
    let n_steps = |bug| n_steps_for_every_seed(|seed| report(bug, seed));
    assert_eq!(n_steps(Bug::None), None);
    assert_eq!(n_steps(Bug::KeepsTheLast), Some(2));
    assert_eq!(n_steps(Bug::PaysTwice), Some(3));
    assert_eq!(n_steps(Bug::TakesFirst), Some(5));
}

#[test]
fn the_readme_shows_what_is_reported() {
    let shown = |bug| block(report(bug, SHOWN_SEED));
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("keeps the last", shown(Bug::KeepsTheLast)),
            ("pays twice", shown(Bug::PaysTwice)),
            ("takes first", shown(Bug::TakesFirst)),
        ],
    );
}
