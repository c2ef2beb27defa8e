//! How much a search, and a shrink, may take: in steps of programs and in work, as cases report them.
//!
//! Cases are added up in the order of their numbers, so a run ends after the same case on every machine and
//! with any number of jobs. A clock is none of its business; [`Hooks`](crate::Hooks) may have one.

use crate::observations::Observations;
use crate::program::ProgramCounts;

/// An amount of what cases take: a limit, or what was used of it.
///
/// ```
/// use stairway_engine::{Budget, Observations};
/// let mut used = Budget::NONE;
/// let case = Observations { work: 600, ..Observations::default() };
/// used.add(&case);
/// assert!(!used.exceeds(Budget { work: 1000, ..Budget::UNLIMITED }));
/// used.add(&case);
/// assert!(used.exceeds(Budget { work: 1000, ..Budget::UNLIMITED }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Steps of programs that were done.
    pub steps: u64,
    /// What the cases themselves say that they took, in a unit of their own ([`Observations::work`]).
    pub work: u64,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget { steps: u64::MAX, work: u64::MAX };
    /// Nothing used so far.
    pub const NONE: Budget = Budget { steps: 0, work: 0 };

    /// Adds what a case took.
    pub fn add(&mut self, observed: &Observations) {
        self.add_steps(&observed.program);
        self.work = self.work.saturating_add(observed.work);
    }

    /// Adds the steps of a program.
    pub(crate) fn add_steps(&mut self, program: &ProgramCounts) {
        self.steps = self.steps.saturating_add(program.n_done.iter().sum());
    }

    /// Whether this much is all of a limit, or more.
    #[must_use]
    pub const fn exceeds(self, limit: Budget) -> bool {
        self.steps >= limit.steps || self.work >= limit.work
    }

    /// The limit at which the next of `n` has used its equal part of what is left after `used`.
    #[must_use]
    pub const fn part(self, used: Budget, n: u64) -> Budget {
        const fn part(limit: u64, used: u64, n: u64) -> u64 {
            match limit {
                u64::MAX => limit,
                _ => used.saturating_add(limit.saturating_sub(used) / if n == 0 { 1 } else { n }),
            }
        }
        Budget { steps: part(self.steps, used.steps, n), work: part(self.work, used.work, n) }
    }

    /// A limit so many times as large.
    #[must_use]
    pub const fn times(self, factor: u64) -> Budget {
        Budget { steps: self.steps.saturating_mul(factor), work: self.work.saturating_mul(factor) }
    }
}

impl Default for Budget {
    /// No limit.
    fn default() -> Self {
        Budget::UNLIMITED
    }
}

/// What ended something before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Its budget: the same in every run.
    Budget,
    /// The clock of whoever started the run.
    Clock,
    /// Nothing new was seen for long enough; see [`Settings::settles`](crate::Settings::settles).
    Settled,
}
