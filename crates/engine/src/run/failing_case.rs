//! A case that fails: recorded, shrunk, confirmed, and handed on as the outcome of the run.
//!
//! A failure that does not come again is an outcome of its own.

use super::{FIRST_ROOM, Phase, Run, Settings, limit_of};
use crate::budget::{Budget, Limit};
use crate::execute::{Detail, Execution, Plan, Recording};
use crate::failure::{Failure, FailureKind};
use crate::judge::Verdict;
use crate::observations::Observations;
use crate::report::{CaseOrigin, Counterexample, FlakyCase, Outcome};
use crate::shrink::{self, Limits, ShrinkSummary, Trial};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use stairway_choice::{Halt, Source};

/// How many runs make a case smaller that has something out of nowhere, before the same failure is looked for
/// without: most of them are small then.
const RUNS_BEFORE_PLAIN: u64 = 1500;

/// A failure that was found and is yet to be made small.
#[derive(Debug)]
pub(super) struct PendingFailure {
    failure: Failure,
    recording: Recording,
    size: u32,
    origin: CaseOrigin,
}

/// The failures that the search has gone on after, as they were found.
#[cfg(feature = "observations")]
pub(super) type PendingFailures = alloc::collections::VecDeque<PendingFailure>;

/// Nothing: the first failure ends the search.
#[cfg(not(feature = "observations"))]
#[derive(Debug, Default)]
pub(super) struct PendingFailures;

#[cfg(not(feature = "observations"))]
impl PendingFailures {
    const fn is_empty(&self) -> bool {
        true
    }

    const fn len(&self) -> usize {
        0
    }

    fn push_back(&mut self, _: PendingFailure) {}

    const fn pop_front(&mut self) -> Option<PendingFailure> {
        None
    }
}

impl Run<'_> {
    /// A case failed: record it, have it stored, make it small, and report it.
    pub(super) fn falsified(
        &mut self,
        failure: Failure,
        plan: &Plan<'_>,
        first: &Execution,
        origin: CaseOrigin,
    ) -> Phase {
        self.n_steps = None;
        if !self.settings.is_repeatable {
            return ControlFlow::Break(self.as_found(failure, plan.size, origin));
        }
        let Some((failure, plan, first)) = self.unmasked(failure, *plan, first.clone()) else {
            return ControlFlow::Continue(()); // reported before
        };
        let plan = &plan;
        let mut recording = core::mem::take(&mut self.work.record);
        // The second run draws exactly what the first one drew, or the property is flaky. How
        // much that was is unknown if the first one took its process down.
        let is_known = first.n_choices != Execution::UNKNOWN;
        let room = if is_known { first.n_choices.max(first.n_spans) } else { FIRST_ROOM };
        let mut again = self.recorded(&plan.detailed(), &mut recording, room);
        let is_shown = cfg!(feature = "observations") && self.settings.keep_details;
        if is_shown && !is_again(&again, &failure) {
            let shown = (recording.clone(), self.work.observed.clone());
            let plain = LESS_DETAIL.into_iter().find_map(|detail| {
                let executed = self.recorded(&Plan { detail, ..*plan }, &mut recording, room);
                is_again(&executed, &failure).then_some(executed)
            });
            match plain {
                Some(plain) => again = plain,
                None => (recording, self.work.observed) = shown,
            }
        }
        if is_known && again.n_choices != first.n_choices {
            again.verdict = Verdict::Halted(Halt::Mismatch { at: again.n_choices as u32 });
        }
        if !again.verdict.failure().is_some_and(|again| again.is_same(&failure)) {
            let flaky = self.flaky(&failure, again.verdict, &recording, plan, origin);
            self.work.record = recording;
            // Nothing that follows a verdict which does not repeat could be relied on.
            if !self.wants_others() || self.pending.is_empty() {
                return ControlFlow::Break(flaky);
            }
            self.tally.known.push(failure.identity());
            return ControlFlow::Continue(());
        }
        self.tally.hooks.found(&failure, &recording, plan.size, &self.work.observed);
        let pending = PendingFailure { failure, recording, size: plan.size, origin };
        if self.wants_others() {
            // Made small when the search is over: what else there is must not wait for that.
            self.tally.known.push(pending.failure.identity());
            self.pending.push_back(pending);
            self.tally.is_full = self.pending.len() >= self.settings.max_failures;
            return ControlFlow::Continue(());
        }
        let mut others = Vec::new();
        let outcome = self.reduced(pending, self.settings.shrink_budget, &mut others);
        for (failure, recording) in others {
            if !cfg!(feature = "observations") || self.tally.is_known(&failure) {
                continue;
            }
            let identity = failure.identity();
            let pending =
                PendingFailure { failure, recording, size: plan.size, origin: CaseOrigin::Shrinking };
            let other = self.reduced(pending, self.settings.shrink_budget, &mut Vec::new());
            if let Outcome::Falsified(counterexample) = other {
                self.others.push(*counterexample);
                self.tally.known.push(identity);
            }
        }
        ControlFlow::Break(outcome)
    }

    /// Whether the search goes on after a failure.
    fn wants_others(&self) -> bool {
        cfg!(feature = "observations") && self.settings.max_failures > 1 && self.settings.exhaustive.is_none()
    }

    /// Makes the failures small that the search has gone on after, each with an equal part of what there is
    /// for that. What they turn into on the way is made small after them.
    pub(super) fn reduce_pending(&mut self) {
        self.put_doubtful_last();
        while let Some(pending) = self.pending.pop_front() {
            let n = 1 + self.pending.len() as u64;
            let budget = self.settings.shrink_budget.part(self.shrink_spent, n);
            let (size, mut others) = (pending.size, Vec::new());
            let outcome = self.reduced(pending, budget, &mut others);
            match (&self.first, outcome) {
                (None, outcome) => {
                    let is_reliable = matches!(outcome, Outcome::Falsified(_));
                    self.first = Some(outcome);
                    // Nothing that follows a verdict which does not repeat could be relied on.
                    if !is_reliable {
                        return;
                    }
                }
                (Some(_), Outcome::Falsified(counterexample)) => self.others.push(*counterexample),
                (Some(_), _) => {}
            }
            for (failure, recording) in others {
                let n = 1 + self.others.len() + self.pending.len();
                if n < self.settings.max_failures && !self.tally.is_known(&failure) {
                    self.tally.known.push(failure.identity());
                    self.pending.push_back(PendingFailure {
                        failure,
                        recording,
                        size,
                        origin: CaseOrigin::Shrinking,
                    });
                }
            }
        }
    }

    /// What took arguments that callers hardly pass comes after what did not, and only if that does not say
    /// as much.
    #[cfg(feature = "observations")]
    fn put_doubtful_last(&mut self) {
        let mut plain = self.pending.iter().filter(|pending| !pending.failure.is_doubtful());
        let plain: Vec<_> = plain.by_ref().map(|pending| pending.failure.identity()).collect();
        let is_implied = |failure: &Failure| plain.iter().any(|known| failure.is_implied_by(known));
        self.pending.retain(|pending| !pending.failure.is_doubtful() || !is_implied(&pending.failure));
        self.pending.make_contiguous().sort_by_key(|pending| pending.failure.is_doubtful());
    }

    #[cfg(not(feature = "observations"))]
    const fn put_doubtful_last(&mut self) {}

    /// Makes a failure small, and runs what is left once more.
    fn reduced(
        &mut self,
        pending: PendingFailure,
        budget: Budget,
        others: &mut Vec<(Failure, Recording)>,
    ) -> Outcome {
        #[cfg_attr(not(feature = "observations"), allow(unused_mut, reason = "nothing is looked for again"))]
        let PendingFailure { failure, mut recording, mut size, origin } = pending;
        self.tally.hooks.begins_shrinking(&recording);
        let all = self.settings.max_shrink_runs;
        let is_plain = !cfg!(feature = "observations") || recording.n_out_of_nowhere() == 0;
        let n_runs = if is_plain { all } else { all.min(RUNS_BEFORE_PLAIN) };
        #[cfg_attr(not(feature = "observations"), allow(unused_mut, reason = "nothing is looked for again"))]
        let mut shrinking = self.shrink(&failure, &mut recording, size, (budget, n_runs), others);
        #[cfg(feature = "observations")]
        if !is_plain {
            let plain = self.plainly(&failure, &recording, origin, budget, others);
            let is_done = plain.is_none() && shrinking.is_minimal;
            if let Some(plain) = plain {
                (recording, size) = plain;
            }
            if !is_done {
                let n_before = shrinking.n_runs;
                let limits = (budget, all.saturating_sub(n_before));
                shrinking = self.shrink(&failure, &mut recording, size, limits, others);
                shrinking.n_runs += n_before;
            }
        }
        self.confirmed(&failure, recording, size, origin, shrinking)
    }

    /// What is wrong with a case whose process died: showing an answer may be what killed it, and then the
    /// failure is the one that is there as long as nothing is shown. None if that one is known.
    fn unmasked<'p>(
        &mut self,
        failure: Failure,
        mut plan: Plan<'p>,
        first: Execution,
    ) -> Option<(Failure, Plan<'p>, Execution)> {
        if !cfg!(feature = "observations") || !matches!(failure.kind, FailureKind::Process(_)) {
            return Some((failure, plan, first));
        }
        let as_it_was = plan.detail;
        plan.detail = Detail::Nothing;
        self.work.observed.clear();
        let executed = self.execute.execute(&plan, None, &mut self.work.observed);
        match executed.verdict.failure().cloned() {
            Some(other) if !matches!(other.kind, FailureKind::Process(_)) => {
                let is_known = self.tally.is_known(&other);
                self.tally.known.push(failure.identity());
                (!is_known).then_some((other, plan, executed))
            }
            _ => {
                plan.detail = as_it_was;
                Some((failure, plan, first))
            }
        }
    }

    /// What the latest case drew and noted, where somebody looks at it.
    fn observed(&self) -> Observations {
        if cfg!(feature = "observations") { self.work.observed.clone() } else { Observations::default() }
    }

    /// The outcome where a failing case cannot be run again: there is no record of it.
    fn as_found(&self, failure: Failure, size: u32, origin: CaseOrigin) -> Outcome {
        Outcome::Falsified(Box::new(Counterexample {
            failure,
            recording: Recording::default(),
            size,
            observed: self.observed(),
            origin,
            shrinking: ShrinkSummary::default(),
            is_of_group: false,
            unshown: None,
        }))
    }

    /// The outcome if a second run did not end as the first one did.
    fn flaky(
        &mut self,
        failure: &Failure,
        then: Verdict,
        recording: &Recording,
        plan: &Plan<'_>,
        origin: CaseOrigin,
    ) -> Outcome {
        let observed = self.observed();
        Outcome::Flaky(Box::new(FlakyCase {
            failure: failure.clone(),
            then,
            recording: if cfg!(feature = "observations") { recording.clone() } else { Recording::default() },
            size: plan.size,
            observed,
            failing: self.failing_again(failure, plan),
            origin,
        }))
    }

    /// What a run shows that fails as the first one did. The first one was not recorded; what is
    /// flaky often fails again before long.
    fn failing_again(&mut self, failure: &Failure, plan: &Plan<'_>) -> Option<Observations> {
        const MAX_TRIALS: usize = if cfg!(feature = "observations") { 16 } else { 0 };
        (0..MAX_TRIALS).find_map(|_| {
            self.work.observed.clear();
            let mut plan = *plan;
            plan.detail = self.most_detail();
            let executed = self.execute.execute(&plan, None, &mut self.work.observed);
            is_again(&executed, failure).then(|| self.observed())
        })
    }

    fn shrink(
        &mut self,
        failure: &Failure,
        recording: &mut Recording,
        size: u32,
        (budget, max_runs): (Budget, u64),
        others: &mut Vec<(Failure, Recording)>,
    ) -> ShrinkSummary {
        let Settings { n_shuffles, max_choices, max_depth, without_pass: skip, .. } = *self.settings;
        let max_others = self.settings.max_others;
        let spent = &mut self.shrink_spent;
        let mut cut_by = None;
        let (execute, observed, hooks) =
            (&mut *self.execute, &mut self.work.observed, &mut *self.tally.hooks);
        let mut trial = |source: Source<'_>, scratch: &mut Recording, best: &Recording| {
            hooks.shrinking(failure, best, size);
            cut_by = limit_of(*spent, budget, hooks);
            if cut_by.is_some() {
                return Trial::OutOfTime;
            }
            let mut plan = Plan::new(source, size, scratch.choices.len());
            plan.max_depth = max_depth;
            plan.detail = Detail::Nothing;
            observed.clear();
            let verdict = execute.execute(&plan, Some(scratch), observed).verdict;
            spent.add(observed);
            match verdict {
                Verdict::Failed(other) if other.is_same(failure) => {
                    Trial::SameFailure { is_in_step: observed.failed.is_some() }
                }
                Verdict::Failed(other) => {
                    keep_other(others, other, scratch, max_others);
                    Trial::Other
                }
                _ => Trial::Other,
            }
        };
        let limits = Limits { max_runs, n_shuffles, max_choices, skip };
        let mut shrinking = shrink::shrink(recording, limits, &mut self.work.bench, &mut trial);
        // Without a limit of its own it was the number of runs.
        shrinking.cut_by = (!shrinking.is_minimal).then(|| cut_by.unwrap_or(Limit::Budget));
        shrinking
    }

    /// Runs the smallest case once more, to show it and to make sure. Its record is handed on, not copied.
    fn confirmed(
        &mut self,
        failure: &Failure,
        recording: Recording,
        size: u32,
        origin: CaseOrigin,
        shrinking: ShrinkSummary,
    ) -> Outcome {
        let source = Source::Replay { choices: &recording.choices, spans: None, bound: u64::MAX };
        let mut plan = self.plan(source, size);
        plan.detail = self.most_detail();
        self.work.observed.clear();
        self.execute.refresh();
        let executed = self.execute.execute(&plan, None, &mut self.work.observed);
        let observed = self.observed();
        let (failure, unshown) = match executed.verdict {
            Verdict::Failed(again) if again.is_same(failure) => (again, None),
            then => match (then, self.failing_plainly(failure, &plan)) {
                (Verdict::Failed(showing), Some(again)) => (again, Some(showing)),
                (then, _) => {
                    self.work.observed = observed;
                    return self.flaky(failure, then, &recording, &plan, origin);
                }
            },
        };
        let is_of_group = false;
        Outcome::Falsified(Box::new(Counterexample {
            failure,
            recording,
            size,
            observed,
            origin,
            shrinking,
            is_of_group,
            unshown,
        }))
    }

    /// The failure, if the case fails like this as long as no value of it is shown.
    fn failing_plainly(&mut self, failure: &Failure, plan: &Plan<'_>) -> Option<Failure> {
        if !cfg!(feature = "observations") {
            return None; // nothing is ever shown
        }
        let less = LESS_DETAIL.into_iter().filter(|_| plan.detail == Detail::Everything);
        { less }.find_map(|detail| {
            self.work.observed.clear();
            let executed = self.execute.execute(&Plan { detail, ..*plan }, None, &mut self.work.observed);
            executed.verdict.failure().filter(|again| again.is_same(failure)).cloned()
        })
    }

    /// How much of a case is shown, if it is up to the user.
    const fn most_detail(&self) -> Detail {
        if self.settings.keep_details { Detail::Everything } else { Detail::Failure }
    }
}

/// Showing values is code under test as well, and its end says nothing about the failure: less is shown then.
const LESS_DETAIL: [Detail; 2] = [Detail::Failure, Detail::Nothing];

fn is_again(executed: &Execution, failure: &Failure) -> bool {
    executed.verdict.failure().is_some_and(|again| again.is_same(failure))
}

/// Keeps the simplest record of each other failure met while shrinking.
fn keep_other(
    others: &mut Vec<(Failure, Recording)>,
    failure: Failure,
    recording: &Recording,
    max_others: usize,
) {
    let known = others.iter().position(|(known, _)| known.is_same(&failure));
    match known {
        Some(known) if shrink::is_simpler(&recording.choices, &others[known].1.choices) => {
            others[known].1.clone_from(recording);
        }
        None if others.len() < max_others => others.push((failure, recording.clone())),
        _ => {}
    }
}
