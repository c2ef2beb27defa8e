//! The tally of a run: takes in every case that the search has executed, whichever phase it belongs to, and
//! decides what its verdict means for the run.

use super::{Hooks, Settings};
use crate::budget::{Budget, Limit};
use crate::execute::Execution;
use crate::failure::{Failure, Identity};
use crate::judge::Verdict;
use crate::observations::Observations;
use crate::report::{CaseOrigin, Outcome};
use crate::statistics::Statistics;
use alloc::vec::Vec;
use stairway_choice::{Halt, Lengths};

/// What a run has seen and spent so far.
pub(super) struct Tally<'r> {
    pub(super) settings: &'r Settings,
    pub(super) hooks: &'r mut dyn Hooks,
    pub(super) statistics: Statistics,
    /// The identities of all failures reported so far.
    pub(super) known: Vec<Identity>,
    /// The identities of further failures, once as many as wanted are reported.
    pub(super) unshown: Vec<Identity>,
    /// Whether as many failures as wanted are reported: the search goes on to see what else is reached.
    pub(super) is_full: bool,
    /// How long the collections became that may be very long.
    pub(super) lengths: Lengths,
    /// What the search took so far.
    pub(super) spent: Budget,
    /// What ended the search, if it was not finished.
    pub(super) stopped_by: Option<Limit>,
}

/// What a case means for the run.
pub(super) enum CaseEffect {
    /// The run goes on.
    Counted,
    /// A failure to go after.
    Failed(Failure),
    /// The run ends: its generators are wrong.
    Ended(Outcome),
}

impl Tally<'_> {
    /// Takes in a case of the search. One that was made to score says nothing about the distribution and is
    /// not counted.
    pub(super) fn take_in(
        &mut self,
        origin: CaseOrigin,
        executed: &Execution,
        observed: &mut Observations,
    ) -> CaseEffect {
        self.spent.add(observed);
        self.lengths.absorb(&executed.lengths);
        self.hooks.case(executed, observed);
        let is_counted = !matches!(origin, CaseOrigin::Target | CaseOrigin::Varied(_));
        #[cfg(feature = "observations")]
        {
            self.statistics.n_varied += u64::from(matches!(origin, CaseOrigin::Varied(_)));
        }
        match &executed.verdict {
            Verdict::Passed if is_counted => self.statistics.passed(origin, observed),
            Verdict::Passed if !cfg!(feature = "observations") => {}
            Verdict::Passed if origin != CaseOrigin::Target => self.statistics.noted(observed),
            Verdict::Passed => self.statistics.scored(origin, observed),
            Verdict::Discarded(why) if is_counted => self.statistics.discarded(*why),
            Verdict::Discarded(_) => {}
            Verdict::Halted(halt) => return CaseEffect::Ended(halted(*halt, observed)),
            Verdict::Failed(failure) => {
                let is_new = self.is_new(failure);
                let has_others = cfg!(feature = "observations") && self.settings.max_failures > 1;
                if is_counted && (!is_new || has_others) {
                    self.statistics.failed(observed);
                } else if cfg!(feature = "observations") && !is_counted {
                    self.statistics.noted(observed);
                }
                if is_new {
                    return CaseEffect::Failed(failure.clone());
                }
            }
        }
        CaseEffect::Counted
    }

    /// Whether to go after a failure. One that is neither reported nor to be reported is remembered.
    pub(super) fn is_new(&mut self, failure: &Failure) -> bool {
        if !cfg!(feature = "observations") {
            return true; // the first one ends the search
        }
        let is_known = self.is_known(failure);
        if !is_known && self.is_full && !is_among(&self.unshown, failure) {
            self.unshown.push(failure.identity());
        }
        !is_known && !self.is_full
    }

    /// Whether a failure like this one has been reported before.
    pub(super) fn is_known(&self, failure: &Failure) -> bool {
        is_among(&self.known, failure)
    }

    /// Whether the search must end now, and why.
    pub(super) fn is_stopped(&mut self) -> bool {
        self.stopped_by = limit_of(self.spent, self.settings.budget, self.hooks);
        self.stopped_by.is_some()
    }
}

fn is_among(known: &[Identity], failure: &Failure) -> bool {
    known.iter().any(|identity| failure.is_implied_by(identity))
}

/// What ends something that has taken this much of a budget.
pub(super) fn limit_of(spent: Budget, budget: Budget, hooks: &mut dyn Hooks) -> Option<Limit> {
    if spent.exceeds(budget) {
        return Some(Limit::Budget);
    }
    hooks.is_out_of_time().then_some(Limit::Clock)
}

fn halted(halt: Halt, observed: &Observations) -> Outcome {
    match halt {
        Halt::Fault(fault) => Outcome::GeneratorFailed { fault, at: observed.fault_at.clone() },
        Halt::Overrun | Halt::Mismatch { .. } => Outcome::GaveUp,
    }
}
