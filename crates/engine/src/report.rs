//! What a run found, as data. Rendering is somebody else's business and decides nothing.

use crate::budget::{Budget, Limit};
use crate::execute::Recording;
use crate::failure::{Failure, Name};
use crate::judge::Verdict;
use crate::observations::{FaultSite, Observations};
use crate::shrink::ShrinkSummary;
use crate::statistics::Statistics;
use alloc::boxed::Box;
use alloc::vec::Vec;
use stairway_choice::{Fault, Lengths};

/// The whole result of checking one property.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed the run started from.
    pub seed: u64,
    /// The verdict on the property.
    pub outcome: Outcome,
    /// What was exercised.
    pub statistics: Statistics,
    /// Failures other than the one reported, met on the way; each shrunk as well.
    pub others: Vec<Counterexample>,
    /// How many more failures there are, of other identities, where as many as wanted are reported.
    pub n_unshown: usize,
    /// Stored failures that no longer fit the generators, by position in the list given.
    pub stale: Vec<StaleFailure>,
    /// Fixed examples that were discarded, counted from 0: they check nothing.
    pub skipped_examples: Vec<usize>,
    /// Stored failures that were replayed and pass now.
    pub n_fixed: u64,
    /// The largest bound that was completed in exhaustive mode.
    pub completed_bound: Option<u64>,
    /// The largest number of steps of which all programs were tried.
    pub completed_depth: Option<u64>,
    /// Long collections that were asked for, and how long they became.
    pub lengths: Lengths,
    /// What the search took.
    pub spent: Budget,
    /// What ended the search before it was done.
    pub stopped_by: Option<Limit>,
}

/// A stored failure that could not be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleFailure {
    /// Its position in the list given.
    pub stored: usize,
    /// How many of its values were still used.
    pub at: u32,
}

/// The verdict on a property.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It held in every case tried.
    Passed,
    /// It held for all inputs there are.
    Proved {
        /// How many.
        n_inputs: u64,
    },
    /// All programs of up to so many steps were tried.
    Explored {
        /// So many steps.
        depth: u64,
        /// How many values, and one more, numbers and the like took, if they have more.
        bound: Option<u64>,
        /// How many programs that were.
        n_programs: u64,
        /// How many of them were not explored further, because they had reached a known state.
        n_pruned: u64,
    },
    /// It held for all inputs up to a bound: every number among its `bound + 1` simplest
    /// values, every collection within `bound` elements of its shortest.
    Completed {
        /// The bound.
        bound: u64,
        /// How many inputs that were.
        n_inputs: u64,
    },
    /// It does not hold.
    Falsified(Box<Counterexample>),
    /// Too few cases met the preconditions.
    GaveUp,
    /// A coverage demand is certainly not met.
    CoverageNotMet {
        /// The demands.
        unmet: Vec<UnmetDemand>,
    },
    /// The same choices gave different verdicts.
    Flaky(Box<FlakyCase>),
    /// The generator is wrong.
    GeneratorFailed {
        /// What is wrong with it.
        fault: Fault,
        /// What was being drawn.
        at: FaultSite,
    },
}

impl Outcome {
    /// Whether the property can be relied on as far as it was tried.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        matches!(
            self,
            Outcome::Passed | Outcome::Proved { .. } | Outcome::Completed { .. } | Outcome::Explored { .. }
        )
    }
}

/// A demand that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnmetDemand {
    /// Too few cases hit what this coverage demand names.
    Coverage(Name),
    /// This operation was never done.
    Operation(Name),
    /// This alternative of a specification never happened.
    Alternative(Name),
}

/// A failing case, as small as it could be made.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What fails.
    pub failure: Failure,
    /// The choices that lead there.
    pub recording: Recording,
    /// The size it was generated with; part of what makes a replay.
    pub size: u32,
    /// What the property drew and noted.
    pub observed: Observations,
    /// Where it came from.
    pub origin: CaseOrigin,
    /// How it was made small.
    pub shrinking: ShrinkSummary,
    /// Whether, as one of several, it is the failure that leads the report, noticed by another step.
    pub is_of_group: bool,
    /// How showing the values of this case ended, if that did not go well.
    pub unshown: Option<Failure>,
}

/// Where a failing case came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaseOrigin {
    /// A fixed example, counted from 0.
    Example(usize),
    /// A stored failure, by position in the list given.
    Stored(usize),
    /// The input of a fuzzer, by position in the same list.
    Input(usize),
    /// Case number `index` of the search, counted from 0.
    Case(u64),
    /// Case number `index` of the search, which is a variation of an earlier one.
    Varied(u64),
    /// Met while climbing towards a larger score.
    Target,
    /// Met while shrinking another failure.
    Shrinking,
}

/// Two runs of the same choices that ended differently.
#[derive(Clone, Debug)]
pub struct FlakyCase {
    /// The failure seen first.
    pub failure: Failure,
    /// What the second run ended with: another failure, or none; halted if it drew different choices.
    pub then: Verdict,
    /// The choices.
    pub recording: Recording,
    /// The size.
    pub size: u32,
    /// What the second run drew and noted.
    pub observed: Observations,
    /// What a run that failed like the first one drew and noted, if another one did.
    pub failing: Option<Observations>,
    /// Where it came from.
    pub origin: CaseOrigin,
}
