//! Users rely on shrinking to end at the smallest answer, whatever seed they started from, and
//! to get there quickly.
//!
//! Thirteen false properties, each with one smallest answer ("The shrinking challenge" of
//! Hypothesis' authors), are run over 100 fixed seeds. At least 95 have to end at the smallest
//! answer, and the mean number of runs after the first failure must not exceed what Hypothesis
//! takes, or 400 where it takes more or nobody knows. `--nocapture` prints the figures.

mod challenge;
mod support;

use challenge::*;
use stairway_engine::{Generate, Settings, any};
use std::collections::BTreeMap;
use std::fmt::Debug;
use support::{check, counterexample, demand};

const N_SEEDS: u64 = 100;
const N_SMALLEST_DEMANDED: usize = 95;

/// What the seeds of one challenge ended with.
#[derive(Default)]
struct Tally {
    n_runs: u64,
    n_cases: u64,
    answers: BTreeMap<String, usize>,
}

fn tally<G: Generate<Value: Debug>>(inputs: &G, holds: impl Fn(&G::Value) -> Option<bool>) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..N_SEEDS {
        let settings = Settings { seed, n_cases: 100_000, max_discards: 100, ..Settings::default() };
        let report = check(&settings, |t| {
            let input = t.pick(inputs)?;
            let verdict = holds(&input);
            t.assume(verdict.is_some())?;
            demand("challenge", verdict != Some(false))
        });
        tally.n_cases += report.statistics.n_passed + report.statistics.n_discarded;
        let smallest = counterexample(report);
        // Shrinking takes its runs between one that records the failure and one that shows it.
        tally.n_runs += 1 + smallest.shrinking.n_runs + 1;
        *tally.answers.entry(smallest.observed.drawn[0].value.clone()).or_default() += 1;
    }
    tally
}

/// Runs a challenge and holds it to its demands.
fn challenge<G: Generate<Value: Debug>>(
    name: &str,
    inputs: G,
    holds: impl Fn(&G::Value) -> Option<bool>,
    smallest: &[&str],
    most_runs: u64,
) {
    let tally = tally(&inputs, holds);
    let n_smallest: usize = smallest.iter().filter_map(|answer| tally.answers.get(*answer)).sum();
    let (mean_runs, mean_cases) = (tally.n_runs as f64 / N_SEEDS as f64, tally.n_cases / N_SEEDS);
    println!(
        "{name:18} {n_smallest:3} % smallest, {mean_runs:5.1} runs (at most {most_runs}), {mean_cases:3} cases"
    );
    assert!(n_smallest >= N_SMALLEST_DEMANDED, "{name} ends at {:#?}", tally.answers);
    assert!(mean_runs <= most_runs as f64, "{name} takes {mean_runs} runs");
}

#[test]
fn bound5() {
    challenge("bound5", bound5::inputs(), bound5::holds, bound5::SMALLEST, 137);
}

#[test]
fn large_union_list() {
    let smallest = large_union_list::SMALLEST;
    challenge("large_union_list", large_union_list::inputs(), large_union_list::holds, smallest, 341);
}

#[test]
fn reverse() {
    challenge("reverse", reverse::inputs(), reverse::holds, reverse::SMALLEST, 46);
}

#[test]
fn calculator() {
    challenge("calculator", calculator::inputs(), calculator::holds, calculator::SMALLEST, 341);
}

#[test]
fn lengthlist() {
    challenge("lengthlist", lengthlist::inputs(), lengthlist::holds, lengthlist::SMALLEST, 85);
}

#[test]
fn difference_zero() {
    challenge("difference, zero", difference::inputs(), difference::is_never_zero, difference::ZERO, 40);
}

#[test]
fn difference_small() {
    challenge("difference, small", difference::inputs(), difference::is_never_small, difference::SMALL, 400);
}

#[test]
fn difference_one() {
    challenge("difference, one", difference::inputs(), difference::is_never_one, difference::ONE, 400);
}

#[test]
fn binheap() {
    challenge("binheap", binheap::inputs(), binheap::holds, binheap::SMALLEST, 400);
}

#[test]
fn coupling() {
    challenge("coupling", coupling::inputs(), coupling::holds, coupling::SMALLEST, 400);
}

#[test]
fn deletion() {
    challenge("deletion", deletion::inputs(), deletion::holds, deletion::SMALLEST, 23);
}

#[test]
fn distinct() {
    challenge("distinct", distinct::inputs(), distinct::holds, distinct::SMALLEST, 52);
}

#[test]
fn nestedlists() {
    challenge("nestedlists", nestedlists::inputs(), nestedlists::holds, nestedlists::SMALLEST, 166);
}

/// Which character of its kind fails hardly ever matters, so the simplest of the kind is shown.
#[test]
fn characters_end_as_the_simplest_of_their_kind() {
    type Kind = fn(char) -> bool;
    let kinds: [(Kind, &str); 5] = [
        (char::is_whitespace, "\" \""),
        (char::is_numeric, "\"0\""),
        (char::is_uppercase, "\"A\""),
        (char::is_control, "\"\\n\""),
        (|c| c.is_alphabetic() && !c.is_ascii(), "\"\u{C0}\""),
    ];
    for (is_of_kind, smallest) in kinds {
        let tally = tally(&any::<String>(), |text| Some(!text.contains(is_of_kind)));
        assert_eq!(tally.answers.keys().collect::<Vec<_>>(), [smallest], "{:#?}", tally.answers);
    }
}
