//! The same failure without anything made from a seed.
//!
//! A program that begins with a value out of nowhere may show a mistake that programs which make everything
//! themselves can show as well, and those are preferred. So when such a failure was found, the search goes on
//! for a while among short programs that end with the operation which fails, small cases in which nothing is
//! seeded, and looks for this failure alone.

use super::{FIRST_ROOM, Run, limit_of};
use crate::budget::Budget;
use crate::case::Observed;
use crate::execute::{Executed, Plans, Recording, Round, Sink, Variant};
use crate::failure::Failure;
use crate::report::Found;
use crate::vary;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use stairway_choice::Prng;

/// From this size on, cases may make values from [seeds](stairway_choice::Label::SEEDED) although there is
/// another way; below it they do not.
pub const SEEDED_SIZE: u32 = stairway_choice::FULL_SIZE / 2;

/// How many short programs are tried for each case that it took to find the failure, at least and at most.
const EFFORT: u64 = 8;
const LEAST_CASES: u64 = 1500;
const MOST_CASES: u64 = 4000;
/// How often a case is met that fails so and has something seeded in it, before this is given up.
const MOST_ROUNDS: u32 = 3;

impl Run<'_> {
    /// The case with this failure that is made small, and its size: one in which nothing is seeded, if there is
    /// one.
    pub(super) fn preferred(
        &mut self,
        failure: &Failure,
        (recording, size): (Recording, u32),
        found: Found,
        budget: Budget,
    ) -> (Recording, u32) {
        let is_wanted = cfg!(feature = "observations") && self.settings.max_shrink_runs > 0;
        if !is_wanted || !recording.is_seeded() {
            return (recording, size);
        }
        self.plainly(failure, &recording, found, budget).unwrap_or((recording, size))
    }

    /// A case with the failure of `recording` in which nothing is seeded, and its size.
    fn plainly(
        &mut self,
        failure: &Failure,
        recording: &Recording,
        found: Found,
        budget: Budget,
    ) -> Option<(Recording, u32)> {
        let (Found::Case(index) | Found::Varied(index)) = found else { return None };
        let (from, n_cases) = (index + 1, index.saturating_mul(EFFORT).clamp(LEAST_CASES, MOST_CASES));
        let variants: Vec<Variant> = (0..n_cases).map_while(|k| short(recording, k)).collect();
        let round = Round { first: from, varied: &variants, has_no_others: true, ..Round::default() };
        let plans = Plans { is_guided: false, detailed: false, ..self.plans(round) };
        let end = from + variants.len() as u64;
        let mut next = from;
        let mut plain = Recording::default();
        // Each round begins after the case that ended the one before, for something was seeded in it after all:
        // such cases end workers, so a few of them are enough.
        for _ in 0..MOST_ROUNDS {
            if next >= end {
                break;
            }
            let (spent, hooks) = (&mut self.shrink_spent, &mut *self.tally.hooks);
            let mut search = Search { failure, hooks, spent, budget, found: None };
            let mut observed = core::mem::take(&mut self.work.observed);
            self.execute.execute_all(next, end, &plans, &mut observed, &mut search);
            let found = search.found;
            self.work.observed = observed;
            let plan = plans.plan(found?);
            let again = self.recorded(&plan, &mut plain, FIRST_ROOM);
            let is_same = again.verdict.failure().is_some_and(|again| again.is_same(failure));
            if is_same && !plain.is_seeded() {
                return Some((plain, plan.size));
            }
            next = found? + 1;
        }
        None
    }
}

/// A short program that ends as `recording` does.
fn short(recording: &Recording, k: u64) -> Option<Variant> {
    let mut prng = Prng::new(k);
    let recording = vary::skeleton(recording, &mut prng)?;
    Some(Variant { recording, size: SEEDED_SIZE - 1, prng, parent: 0 })
}

/// Cases up to the first with a failure.
struct Search<'s> {
    failure: &'s Failure,
    hooks: &'s mut dyn super::Hooks,
    spent: &'s mut Budget,
    budget: Budget,
    found: Option<u64>,
}

impl Sink for Search<'_> {
    fn case(&mut self, index: u64, executed: &Executed, observed: &mut Observed) -> ControlFlow<()> {
        self.spent.add(observed);
        let failed = executed.verdict.failure();
        if failed.is_some_and(|failed| failed.is_same(self.failure)) {
            self.found = Some(index);
            return ControlFlow::Break(());
        }
        match limit_of(*self.spent, self.budget, self.hooks) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
