//! Section `programs`: how fast programs of calls run beside a model, how soon planted bugs are
//! found and how short the programs are that show them.

mod bugs;
mod handles;
mod long;
pub(crate) mod probe;
mod queue;
mod speed;
mod wrapping;

use crate::findings::Findings;
use stairway::program::ModelChecker;
use stairway::{Model, Settings};

/// Programs have at most this many steps.
pub(crate) const MAX_STEPS: usize = 50;

pub(crate) fn run(findings: &mut Findings) {
    speed::run(findings);
    bugs::run(findings);
    long::run(findings);
}

/// Checks a model with Stairway.
fn stairway<M: Model>(checker: ModelChecker<M>, n_cases: u64, seed: u64) {
    stairway_of(checker, MAX_STEPS as u64, n_cases, seed);
}

/// Checks a model with Stairway, in programs of at most `n_steps` steps.
fn stairway_of<M: Model>(checker: ModelChecker<M>, n_steps: u64, n_cases: u64, seed: u64) {
    let settings = Settings::new().without_regressions().cases(n_cases).seed(seed);
    let _ = checker.settings(settings).steps(n_steps).report();
}
