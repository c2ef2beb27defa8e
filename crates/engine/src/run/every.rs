//! Every input there is, one after the other, up to a bound: the part of the pipeline that counts through.
//!
//! It knows which inputs come next from `exhaust`, and says what it means that all of them have passed.

use super::{FIRST_ROOM, Phase, Run};
use crate::exhaust;
use crate::judge::Verdict;
use crate::report::{CaseOrigin, Outcome};
use crate::stop::Discard;
use core::ops::ControlFlow;
use stairway_choice::{FULL_SIZE, Source};

/// Up to how many inputs are tried one after the other where cases are drawn at random.
const MAX_FEW: u64 = 1 << 16;

/// What counting through cases came to.
#[derive(Clone, Copy, Debug, Default)]
struct Enumeration {
    n_inputs: u64,
    n_pruned: u64,
    complete: bool,
    clipped: bool,
}

impl Run<'_> {
    /// Up to how many inputs are all tried: no more than cases, however many these are.
    pub(super) fn few(&self) -> u64 {
        self.settings.n_cases.min(MAX_FEW)
    }

    pub(super) fn all_of_few(&mut self) -> Phase {
        let before = core::mem::take(&mut self.tally.statistics);
        let few = self.few();
        let all = self.enumerate(few, 0, few)?;
        if all.complete && !all.clipped {
            return ControlFlow::Break(self.tried_all(all, few));
        }
        // The first of many cases say little about the distribution.
        self.tally.statistics = before;
        ControlFlow::Continue(())
    }

    pub(super) fn exhaustive(&mut self, bound: u64) -> Phase {
        let mut all = Enumeration::default();
        for bound in 0..=bound {
            self.tally.statistics.restart();
            all = self.enumerate(bound, bound.min(u64::from(FULL_SIZE)) as u32, u64::MAX)?;
            if !all.complete {
                return ControlFlow::Continue(());
            }
            self.completed_bound = Some(bound);
            if !all.clipped {
                break;
            }
        }
        ControlFlow::Break(self.tried_all(all, bound))
    }

    /// Every program of no steps, of one, of two, and so on.
    pub(super) fn all_programs(&mut self, bound: u64, depth: u64) -> Phase {
        let mut all = Enumeration::default();
        for n_steps in 0..=depth {
            self.n_steps = Some(n_steps);
            self.tally.statistics.restart();
            all = self.enumerate(bound, bound.min(u64::from(FULL_SIZE)) as u32, u64::MAX)?;
            if !all.complete {
                return ControlFlow::Continue(());
            }
            self.completed_depth = Some(n_steps);
        }
        ControlFlow::Break(match self.tried_all(all, bound) {
            Outcome::Completed { n_inputs, .. } | Outcome::Proved { n_inputs } => {
                let bound = all.clipped.then_some(bound);
                Outcome::Explored { depth, bound, n_programs: n_inputs, n_pruned: all.n_pruned }
            }
            other => other,
        })
    }

    /// The outcome when no case up to `bound` has failed. Without a single case that met the
    /// preconditions, or with a demand that no input there is can meet, that is no success.
    fn tried_all(&self, all: Enumeration, bound: u64) -> Outcome {
        let Enumeration { n_inputs, clipped, .. } = all;
        let unmet = self.tally.statistics.never_covered();
        if self.tally.statistics.n_passed == 0 {
            Outcome::GaveUp
        } else if let ControlFlow::Break(outcome) = self.operations() {
            outcome
        } else if clipped {
            Outcome::Completed { bound, n_inputs }
        } else if !unmet.is_empty() {
            Outcome::CoverageNotMet { unmet }
        } else {
            Outcome::Proved { n_inputs }
        }
    }

    /// Runs every case up to `bound`, or `most` of them.
    fn enumerate(&mut self, bound: u64, size: u32, most: u64) -> ControlFlow<Outcome, Enumeration> {
        let mut path = core::mem::take(&mut self.work.next);
        let mut record = core::mem::take(&mut self.work.record);
        path.clear();
        let mut all = Enumeration::default();
        let result = loop {
            if all.n_inputs >= most || self.tally.is_stopped() {
                break ControlFlow::Continue(());
            }
            let plan = self.plan(Source::Replay { choices: &path, spans: None, bound }, size);
            let executed = self.recorded(&plan, &mut record, FIRST_ROOM);
            all.n_inputs += 1;
            all.n_pruned += u64::from(executed.pruned);
            // A case cut off by the limits has not been tried.
            let is_cut = matches!(executed.verdict, Verdict::Discarded(Discard::Overrun));
            all.clipped |= executed.clipped || is_cut;
            if let ControlFlow::Break(outcome) =
                self.judge(&plan, CaseOrigin::Case(all.n_inputs - 1), &executed)
            {
                break ControlFlow::Break(outcome);
            }
            let may_be_few = cfg!(feature = "observations") && most < u64::MAX;
            if may_be_few && (exhaust::product(&record.choices) > most || exhaust::programs(&record) > most) {
                break ControlFlow::Continue(()); // there are more than `most` after all
            }
            if !exhaust::advance(&record, bound, self.n_steps.is_some(), &mut path) {
                all.complete = true;
                break ControlFlow::Continue(());
            }
        };
        self.work.next = path;
        self.work.record = record;
        result?;
        ControlFlow::Continue(all)
    }
}
