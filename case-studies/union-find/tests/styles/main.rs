//! Union-Find by contracts and by a relational model, and which of them catches which planted bug.

// Contracts are checked in code that is compiled for tests. The library is not, so that the model
// judges on its own here; the same file once more, in this test, has its contracts checked.
#[path = "../../src/classes.rs"]
#[allow(dead_code, unreachable_pub, reason = "programs of calls find what they need")]
mod contracted;
mod model;

use case_study_support::{SHOWN_SEED, assert_readme_shows, block, n_steps_of_each_failure, settings, table};
use stairway::Report;
use union_find::bug::{self, Bug};

/// A way to look for a bug, from a seed.
type Style = fn(u64) -> Report;

fn by_contracts(seed: u64) -> Report {
    stairway::Checker::contracts::<contracted::Classes>().settings(settings(seed).cases(2000)).report()
}

fn by_model(seed: u64) -> Report {
    model::Repr::checker().settings(settings(seed)).report()
}

/// A row of the README's table: how long the counterexamples are for every seed.
fn row(bug: Bug) -> Vec<String> {
    let length = |style: Style| {
        let lengths = n_steps_of_each_failure(|seed| bug.plant(|| style(seed)));
        lengths.values().min().map_or("no".to_string(), usize::to_string)
    };
    vec![format!("`{bug:?}`"), length(by_contracts), length(by_model)]
}

#[test]
fn the_readme_shows_what_each_style_catches() {
    let report = |bug: Bug, style: Style| block(bug.plant(|| style(SHOWN_SEED)));
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("table", table(&["bug", "contracts", "relational model"], &Bug::ALL.map(row))),
            ("contracts", report(Bug::WeighsTwice, by_contracts)),
            ("model", report(Bug::LinksElement, by_model)),
        ],
    );
}

/// Section 11: `[NewElement, UnionElements 0 0]`.
#[test]
fn the_weight_bug_is_shrunk_to_one_element_united_with_itself() {
    let report = Bug::WeighsTwice.plant(|| by_contracts(SHOWN_SEED));
    let found = report.counterexample().unwrap_or_else(|| panic!("{report}"));
    let program: Vec<(&str, Vec<&str>)> = (found.observed.steps.iter())
        .map(|step| (step.name, step.arguments.iter().map(|(_, value)| value.as_str()).collect()))
        .collect();
    let expected = [
        ("Classes::new", vec![]),
        ("Classes::add", vec!["&mut r1"]),
        ("Classes::union", vec!["&mut r1", "r2", "r2"]),
    ];
    assert_eq!(program, expected);
}

#[test]
fn the_copy_with_contracts_keeps_them() {
    let report = by_contracts(SHOWN_SEED);
    assert!(report.is_success(), "{report}");
}
