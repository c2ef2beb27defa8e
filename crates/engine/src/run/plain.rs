//! The same failure without anything out of nowhere.
//!
//! A program that begins with a value out of nowhere may show a mistake that programs which make everything
//! themselves can show as well, and those are preferred. So when such a failure was found, the search goes on
//! for a while among short programs that end with the operation which fails, cases of a size at which nothing
//! is made that a step can give, and looks for this failure. Where it does not come, another one may: the
//! same mistake, noticed by the step that would have made the value. That one is handed on as well.

use super::{FIRST_ROOM, Run, limit_of};
use crate::budget::Budget;
use crate::execute::{Execution, Plans, Recording, Round, Sink, Variant};
use crate::failure::Failure;
use crate::observations::Observations;
use crate::report::CaseOrigin;
use crate::vary;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use stairway_choice::Prng;

/// From this size on, cases may make values from [seeds](stairway_choice::Label::SEEDED) although there is
/// another way; below it they do not.
pub const SEEDED_SIZE: u32 = stairway_choice::FULL_SIZE / 2;

/// In cases of this size, nothing is [made](stairway_choice::Label::MADE) that another step can give.
pub const PLAIN_SIZE: u32 = SEEDED_SIZE - 1;

/// How many short programs are tried.
const N_CASES: u64 = 4000;
/// How often a case is met that fails so and has something out of nowhere in it, before this is given up.
const MOST_ROUNDS: u32 = 3;

impl Run<'_> {
    /// A case with the failure of `recording`, which is small, in which nothing is out of nowhere, and its size;
    /// none if there is nothing in `recording` either. Another failure that such a case has is added to `others`.
    pub(super) fn plainly(
        &mut self,
        failure: &Failure,
        recording: &Recording,
        origin: CaseOrigin,
        budget: Budget,
        others: &mut Vec<(Failure, Recording)>,
    ) -> Option<(Recording, u32)> {
        let is_wanted = self.settings.max_shrink_runs > 0 && recording.n_out_of_nowhere() > 0;
        let (CaseOrigin::Case(index) | CaseOrigin::Varied(index)) = origin else { return None };
        if !is_wanted {
            return None;
        }
        let from = index + 1;
        let variants: Vec<Variant> = (0..N_CASES).map_while(|k| short(recording, k)).collect();
        let round = Round { first: from, varied: &variants, has_no_others: true, ..Round::default() };
        let plans = Plans { is_guided: false, detailed: false, ..self.plans(round) };
        let end = from + variants.len() as u64;
        let mut next = from;
        let mut plain = Recording::default();
        let mut other = None;
        // Each round begins after the case that ended the one before, for something in it was out of nowhere
        // after all: such cases end workers, so a few of them are enough.
        for _ in 0..MOST_ROUNDS {
            if next >= end {
                break;
            }
            let (spent, hooks) = (&mut self.shrink_spent, &mut *self.tally.hooks);
            let mut search = Search { failure, hooks, spent, budget, found: None, other: None };
            let mut observed = core::mem::take(&mut self.work.observed);
            self.execute.execute_all(next, end, &plans, &mut observed, &mut search);
            let Search { found, other: met, .. } = search;
            other = other.or(met);
            self.work.observed = observed;
            let Some(found) = found else { break };
            let plan = plans.plan(found);
            let again = self.recorded(&plan, &mut plain, FIRST_ROOM);
            let is_same = again.verdict.failure().is_some_and(|again| again.is_same(failure));
            if is_same && plain.n_out_of_nowhere() == 0 {
                return Some((plain, plan.size));
            }
            next = found + 1;
        }
        let again = self.recorded(&plans.plan(other?), &mut plain, FIRST_ROOM);
        if let Some(other) = again.verdict.failure()
            && plain.n_out_of_nowhere() == 0
        {
            others.push((other.clone(), plain));
        }
        None
    }
}

/// A short program that ends as `recording` does.
fn short(recording: &Recording, k: u64) -> Option<Variant> {
    let mut prng = Prng::new(k);
    let recording = vary::skeleton(recording, &mut prng)?;
    Some(Variant { recording, size: PLAIN_SIZE, prng, parent: 0 })
}

/// Cases up to the first with a failure.
struct Search<'s> {
    failure: &'s Failure,
    hooks: &'s mut dyn super::Hooks,
    spent: &'s mut Budget,
    budget: Budget,
    found: Option<u64>,
    /// The first that fails in another way, which is no more doubtful.
    other: Option<u64>,
}

impl Sink for Search<'_> {
    fn case(&mut self, index: u64, executed: &Execution, observed: &mut Observations) -> ControlFlow<()> {
        self.spent.add(observed);
        let failed = executed.verdict.failure();
        if failed.is_some_and(|failed| failed.is_same(self.failure)) {
            self.found = Some(index);
            return ControlFlow::Break(());
        }
        if failed.is_some_and(|failed| self.failure.is_doubtful() || !failed.is_doubtful()) {
            self.other = self.other.or(Some(index));
        }
        match limit_of(*self.spent, self.budget, self.hooks) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
