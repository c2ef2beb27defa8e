//! The queue in every style of specification, and which style catches which planted bug.

// Contracts are checked in code that is compiled for tests. The library is not, so that laws and
// models judge on their own here; the same file once more, in this test, has its contracts checked.
#[path = "../../src/queue.rs"]
#[allow(dead_code, unreachable_pub, reason = "programs of calls find what they need")]
mod contracted;
mod laws;
mod methods;
mod model;

use case_study_support::{SHOWN_SEED, assert_readme_shows, block, n_steps_for_every_seed, settings, table};
use queue::bug::{self, Bug};
use stairway::Report;

/// A way to look for a bug, from a seed.
type Style = fn(u64) -> Report;

const LAWS: [(&str, Style); 5] = [
    ("front_of_empty", |seed| laws::front_of_empty_law().settings(settings(seed)).report()),
    ("front_of_one", |seed| laws::front_of_one_law().settings(settings(seed)).report()),
    ("front_add", |seed| laws::front_add_law().settings(settings(seed)).report()),
    ("remove_the_only_one", |seed| laws::remove_the_only_one_law().settings(settings(seed)).report()),
    ("add_remove", |seed| laws::add_remove_law().settings(settings(seed)).report()),
];

fn by_model(seed: u64) -> Report {
    model::List::checker().settings(settings(seed)).report()
}

fn by_contracts(seed: u64) -> Report {
    stairway::Checker::contracts::<contracted::Queue>().settings(settings(seed)).report()
}

fn by_answers(seed: u64) -> Report {
    methods::methods().checker().settings(settings(seed)).report()
}

/// The law that shows a bug with the fewest steps.
fn best_law(bug: Bug) -> Option<(&'static str, Style)> {
    let n_steps = |law: Style| {
        let report = bug.plant(|| law(SHOWN_SEED));
        report.counterexample().map(|found| found.observed.steps.len())
    };
    let broken = LAWS.into_iter().filter_map(|(name, law)| Some((n_steps(law)?, name, law)));
    broken.min_by_key(|(n, ..)| *n).map(|(_, name, law)| (name, law))
}

/// How long the counterexample of a bug is, for every seed.
fn length(bug: Bug, style: Style) -> String {
    let n_steps = n_steps_for_every_seed(|seed| bug.plant(|| style(seed)));
    n_steps.map_or("no".to_string(), |n| n.to_string())
}

/// A row of the README's table.
fn row(bug: Bug) -> Vec<String> {
    let law = best_law(bug);
    let by_laws = law.map_or("no".to_string(), |(name, law)| format!("{} (`{name}`)", length(bug, law)));
    let mut row = vec![format!("`{bug:?}`"), by_laws];
    row.extend([by_contracts, by_answers, by_model].map(|style| length(bug, style)));
    row
}

#[test]
fn the_readme_shows_what_each_style_catches() {
    let head = ["bug", "laws", "contracts", "model, answers only", "model with abstraction"];
    let rows = Bug::ALL.map(row);
    let report = |bug: Bug, style: Style| block(bug.plant(|| style(SHOWN_SEED)));
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("table", table(&head, &rows)),
            ("laws", report(Bug::RemovesBoth, LAWS[4].1)),
            ("contracts", report(Bug::Leak, by_contracts)),
            ("answers", report(Bug::PushesIn, by_answers)),
            ("model", report(Bug::TailKept, by_model)),
        ],
    );
}

#[test]
fn the_copy_with_contracts_keeps_them() {
    let report = by_contracts(SHOWN_SEED);
    assert!(report.is_success(), "{report}");
}
