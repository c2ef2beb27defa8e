//! A contract that breaks behind a row of right calls is found when states guide the search, and not by chance.

use super::program;
use stairway::Report;
use stairway::prelude::*;

/// The order in which a connection has to be set up, by the number of the request.
const HANDSHAKE: [u8; 7] = [2, 5, 1, 1, 6, 0, 3];

/// Counts the requests that came in order, and forgets how many there were with the last of them.
#[derive(Debug)]
pub(crate) struct Session {
    n_right: usize,
    n_open: usize,
}

#[contract]
impl Session {
    pub fn new() -> Session {
        Session { n_right: 0, n_open: 0 }
    }

    #[ensures(self.n_open >= old(self.n_open))]
    pub fn request(&mut self, #[from(0..8u8)] kind: u8) {
        self.n_right = if HANDSHAKE.get(self.n_right) == Some(&kind) { self.n_right + 1 } else { 0 };
        self.n_open = if self.n_right == HANDSHAKE.len() { 0 } else { self.n_right.max(self.n_open) };
    }
}

fn settings(seed: u64, jobs: usize) -> Settings {
    Settings::new().seed(seed).cases(4000).jobs(jobs).without_regressions()
}

fn guided(seed: u64, jobs: usize) -> Report {
    Checker::contracts::<Session>().settings(settings(seed, jobs)).feedback().report()
}

#[test]
fn states_of_values_lead_where_chance_does_not() {
    let by_chance = Checker::contracts::<Session>().settings(settings(1, 1)).report();
    assert!(by_chance.result.outcome.is_success());
    for seed in 0..3 {
        assert_eq!(program(&guided(seed, 1)).len(), 1 + HANDSHAKE.len(), "seed {seed}");
    }
}

#[test]
fn they_guide_several_jobs_as_they_guide_one() {
    let found = |jobs| {
        let report = guided(3, jobs);
        (program(&report), report.result.statistics.n_passed)
    };
    assert_eq!(found(1), found(3));
}

/// Counts what was asked of it; what it looks like cannot be told.
pub(crate) struct Shy {
    n: usize,
}

impl std::fmt::Debug for Shy {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("not to be shown")
    }
}

#[contract]
impl Shy {
    pub fn new() -> Shy {
        Shy { n: 0 }
    }

    #[ensures(self.n < 5)]
    pub fn ask(&mut self) {
        self.n += 1;
    }
}

#[test]
fn a_debug_that_panics_costs_the_guide_and_nothing_else() {
    let report = Checker::contracts::<Shy>().settings(settings(1, 1)).feedback().report();
    assert_eq!(program(&report).len(), 6);
}
