//! Random cases, in rounds: up to the first that fails anew, or up to the end of a round, when the search
//! learns from what its cases have shown.
//!
//! Cases of one round know nothing of each other, so they may be run side by side. Where cases show no
//! features, and no failure is searched for beyond the first, there is nothing to learn and only one round.

use super::{CaseEffect, Phase, Run, Tally};
use crate::budget::Budget;
use crate::corpus::Rounds;
use crate::execute::{Execution, Plans, Sink};
use crate::failure::Failure;
use crate::observations::Observations;
use crate::program::ProgramCounts;
use crate::report::{CaseOrigin, Outcome};
use core::ops::ControlFlow;
#[cfg(feature = "observations")]
use {
    super::FIRST_ROOM,
    crate::budget::Limit,
    crate::corpus::{Corpus, FailureCounts, Novelty},
    crate::execute::Recording,
    crate::judge::Verdict,
    crate::vary,
};

/// What was learnt so far.
#[derive(Debug, Default)]
pub(super) struct Feedback {
    #[cfg(feature = "observations")]
    learnt: SearchMemory,
    rounds: Option<Rounds>,
}

/// What cases have shown.
#[cfg(feature = "observations")]
#[derive(Debug, Default)]
struct SearchMemory {
    corpus: Corpus,
    failing: FailureCounts,
    /// What the search had taken when something new was seen last.
    work_at_new: u64,
}

impl Run<'_> {
    /// Runs random cases as [`Run::random_cases`] does, up to the first that fails anew or to the end of a
    /// round; returns the next number and whether the search goes on.
    pub(super) fn some_cases(&mut self, from: u64, wanted: u64) -> ControlFlow<Outcome, (u64, bool)> {
        if self.tally.statistics.n_ended() >= wanted {
            return ControlFlow::Continue((from, false));
        }
        // The plans of cases borrow from it while a failure is gone after.
        let mut feedback = core::mem::take(&mut self.feedback);
        let mut rounds = feedback.rounds.take().unwrap_or(Rounds::from(from));
        if !self.settings.learns {
            rounds.last();
        }
        let plans = self.plans(rounds.round());
        let mut observed = core::mem::take(&mut self.work.observed);
        let mut search = Search {
            tally: &mut self.tally,
            #[cfg(feature = "observations")]
            learnt: &mut feedback.learnt,
            plans: &plans,
            wanted,
            max_discarded: u64::from(self.settings.max_discards).saturating_mul(wanted),
            next: from,
            is_over: false,
            #[cfg(feature = "observations")]
            is_last: rounds.is_last(),
            has_news: false,
            failed: None,
            ended: ControlFlow::Continue(()),
        };
        self.execute.execute_all(from, rounds.end(), &plans, &mut observed, &mut search);
        let Search { next, failed, ended, is_over, .. } = search;
        #[cfg(feature = "observations")]
        let has_news = search.has_news;
        self.work.observed = observed;
        let has_failed = failed.is_some();
        if let Some((origin, failure, executed)) = failed {
            self.falsified(failure, &plans.plan(next - 1), &executed, origin)?;
        }
        ended?;
        #[cfg(feature = "observations")]
        {
            if has_news {
                rounds.end_with(next - 1);
            }
            if next >= rounds.end() && !is_over {
                self.learn(&mut rounds, &mut feedback.learnt);
            }
        }
        feedback.rounds = Some(rounds);
        self.feedback = feedback;
        ControlFlow::Continue((next, has_failed || !is_over))
    }

    /// The end of a round: keeps what has shown something new, and prepares the next one.
    #[cfg(feature = "observations")]
    fn learn(&mut self, rounds: &mut Rounds, SearchMemory { corpus, failing, .. }: &mut SearchMemory) {
        if !self.settings.learns || (!corpus.has_seen() && self.settings.max_failures <= 1) {
            rounds.last();
            return;
        }
        for Novelty { index, at, operands } in corpus.take_news() {
            let plan = self.plans(rounds.round()).plan(index);
            let size = plan.size;
            let mut recording = Recording::default();
            self.recorded(&plan, &mut recording, FIRST_ROOM);
            vary::cut(&mut recording, at as usize);
            corpus.keep(recording, size, rounds.parent(index), operands);
        }
        rounds.next(corpus, failing, self.settings.seed);
    }
}

/// Random cases, one after the other, up to the first that fails anew.
struct Search<'s, 'r> {
    tally: &'s mut Tally<'r>,
    #[cfg(feature = "observations")]
    learnt: &'s mut SearchMemory,
    plans: &'s Plans<'s>,
    /// How many cases have to end.
    wanted: u64,
    max_discarded: u64,
    /// The number of the case that comes next.
    next: u64,
    /// Whether the search is over.
    is_over: bool,
    /// Whether there is no other round, as long as there is nothing to learn.
    #[cfg(feature = "observations")]
    is_last: bool,
    /// Whether a case was the first of all to show a feature, so that rounds begin here.
    has_news: bool,
    failed: Option<(CaseOrigin, Failure, Execution)>,
    ended: Phase,
}

impl Search<'_, '_> {
    fn go_on(&mut self) -> ControlFlow<()> {
        self.is_over = self.tally.statistics.n_ended() >= self.wanted || self.tally.is_stopped();
        #[cfg(feature = "observations")]
        if let Some(least) = self.tally.settings.settles
            && !self.is_over
            && self.learnt.corpus.has_seen()
            && self.learnt.corpus.is_settled(self.next, least)
            && self.tally.spent.work.saturating_sub(self.learnt.work_at_new)
                >= self.tally.settings.settle_work
        {
            self.tally.stopped_by = Some(Limit::Settled);
            self.is_over = true;
        }
        if self.is_over || self.has_news || self.failed.is_some() || self.ended.is_break() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Looks at what a case has shown, unless it is to be gone after.
    #[cfg(feature = "observations")]
    fn learn(&mut self, origin: CaseOrigin, executed: &Execution, observed: &Observations) {
        let has_ended = matches!(executed.verdict, Verdict::Passed | Verdict::Failed(_));
        if has_ended && let CaseOrigin::Case(_) = origin {
            self.learnt.failing.ended(observed.failed);
        }
        let was_blind = !self.learnt.corpus.has_seen();
        if self.learnt.corpus.look(self.next - 1, &observed.features, has_ended) {
            self.learnt.work_at_new = self.tally.spent.work;
        }
        self.has_news = was_blind && self.learnt.corpus.has_seen() && self.is_last;
    }
}

impl Sink for Search<'_, '_> {
    fn case(&mut self, index: u64, executed: &Execution, observed: &mut Observations) -> ControlFlow<()> {
        self.next = index + 1;
        let origin = match self.plans.round.variant(index) {
            Some(_) => CaseOrigin::Varied(index),
            None => CaseOrigin::Case(index),
        };
        match self.tally.take_in(origin, executed, observed) {
            CaseEffect::Counted => {
                #[cfg(feature = "observations")]
                self.learn(origin, executed, observed);
            }
            CaseEffect::Failed(failure) => {
                #[cfg(feature = "observations")]
                {
                    self.learnt.corpus.failed_anew(index);
                    self.learnt.work_at_new = self.tally.spent.work;
                }
                self.failed = Some((origin, failure, executed.clone()));
            }
            CaseEffect::Ended(outcome) => self.ended = ControlFlow::Break(outcome),
        }
        if self.tally.statistics.n_discarded > self.max_discarded {
            self.ended = ControlFlow::Break(Outcome::GaveUp);
        }
        self.go_on()
    }

    fn n_unattended(&self) -> u64 {
        // A budget is looked at after each case.
        if self.tally.hooks.attends_every_case() || self.tally.settings.budget != Budget::UNLIMITED {
            0
        } else {
            self.wanted.saturating_sub(self.tally.statistics.n_ended())
        }
    }

    fn program(&mut self, counts: &mut ProgramCounts) {
        self.tally.spent.add_steps(counts);
        self.tally.statistics.program.absorb(counts);
    }

    fn uneventful(&mut self, n: u64) -> ControlFlow<()> {
        self.next += n;
        #[cfg(feature = "observations")]
        self.learnt.failing.passed(n);
        self.tally.statistics.n_passed += n;
        self.go_on()
    }
}
