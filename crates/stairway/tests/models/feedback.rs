//! What lies behind a row of right steps is found when states guide the search, with any number of jobs, and not by
//! chance.

use super::{falsified, program};
use stairway::prelude::*;

/// What each step has to be: a turn to one of eight places, or a push.
const TURNS: [u8; 8] = [5, 2, 7, 0, 3, 6, 1, 4];

/// A safe that opens after eight right turns; any wrong one sets back. Then it loses count.
#[derive(Clone, Default)]
struct Safe {
    n_right: usize,
}

impl Safe {
    fn turn(&mut self, to: u8) -> usize {
        self.n_right = if TURNS.get(self.n_right) == Some(&to) { self.n_right + 1 } else { 0 };
        if self.n_right == TURNS.len() { 0 } else { self.n_right }
    }
}

/// Has no `Hash`: states are told apart by how they are shown.
#[derive(Clone, Debug, Default)]
struct Count {
    n_right: usize,
}

#[model(system = Safe)]
impl Count {
    #[start]
    fn new() -> (Count, Safe) {
        Default::default()
    }

    #[op]
    fn turn(&mut self, #[from(0..8u8)] to: u8) -> usize {
        self.n_right = if TURNS.get(self.n_right) == Some(&to) { self.n_right + 1 } else { 0 };
        self.n_right
    }
}

/// The same, with a model that knows nothing of turns: the system tells its own states apart.
#[derive(Clone, Debug, Default, Hash)]
struct Closed;

#[model(system = Safe)]
impl Closed {
    #[start]
    fn new() -> (Closed, Safe) {
        Default::default()
    }

    #[op(call = system.turn(to) < TURNS.len() && system.n_right < TURNS.len())]
    fn turn(&mut self, #[from(0..8u8)] to: u8) -> bool {
        usize::from(to) < TURNS.len()
    }

    #[fingerprint]
    fn state(system: &Safe) -> impl std::hash::Hash {
        system.n_right
    }
}

fn settings(seed: u64, jobs: usize) -> Settings {
    Settings::new().seed(seed).cases(4000).jobs(jobs).without_regressions()
}

#[test]
fn states_of_a_model_lead_where_chance_does_not() {
    for seed in 0..5 {
        let by_chance = Count::checker().settings(settings(seed, 1)).report();
        assert!(by_chance.result.outcome.is_success(), "seed {seed}");
        let report = Count::checker().settings(settings(seed, 1)).feedback().report();
        assert_eq!(program(falsified(&report)).len(), TURNS.len(), "seed {seed}");
    }
}

#[test]
fn a_fingerprint_of_the_system_does_the_same() {
    let by_chance = Closed::checker().settings(settings(1, 1)).report();
    assert!(by_chance.result.outcome.is_success());
    let report = Closed::checker().settings(settings(1, 1)).feedback().report();
    assert_eq!(program(falsified(&report)).len(), TURNS.len());
}

#[test]
fn states_guide_several_jobs_as_they_guide_one() {
    let found = |jobs| {
        let report = Count::checker().settings(settings(3, jobs)).feedback().report();
        (program(falsified(&report)), report.result.statistics.n_passed)
    };
    assert_eq!(found(1), found(3));
}
