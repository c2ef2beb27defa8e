//! Reports what a sequence has shown to the engine, as numbers: the branches that a call took with their counts,
//! how near the operands of comparisons came, branches of contracts, and the clause of a precondition that
//! refused a call.
//!
//! A call that fails or is undone shows nothing, but for the branches of the precondition that refused it. Each
//! worker names a feature once. A worker runs its cases in the order of their numbers, so a reader that goes
//! through all cases in this order knows the feature by then, and cases cost no messages once everything common
//! was seen.

use super::judge::Judge;
use crate::facts::Refusal;
use crate::machine::{Comparison, Machine, Watch};
use stairway::Case;
use stairway::engine::{Feature, Operands, StepOutcome};
use std::cell::{Cell, RefCell};

/// Branches have the numbers below, refusals and branches of contracts those from here on, comparisons the last.
const OTHERS: u32 = 1 << 19;
const COMPARISONS: u32 = 1 << 20;
const N_FEATURES: u32 = 1 << 21;

/// Tells branches of contracts from refusals.
const IN_CONTRACTS: u64 = 1 << 32;

/// How near operands are at least, for it to be a feature: below, distances have more than 63 bits.
const LEAST_NEARNESS: u8 = 2;
const N_NEARNESSES: u32 = 64;

/// The features that this worker has named.
#[derive(Debug)]
pub(super) struct Features {
    named: RefCell<Vec<u64>>,
    is_watching: Cell<bool>,
    /// Whether anybody wants to know.
    is_wanted: bool,
}

impl Features {
    pub(super) fn new(is_wanted: bool) -> Features {
        let named = if is_wanted { vec![0; N_FEATURES as usize / 64] } else { Vec::new() };
        Features { named: RefCell::new(named), is_watching: Cell::new(false), is_wanted }
    }

    /// A call is about to be made.
    pub(super) fn begin(&self, machine: &Machine, judge: &Judge, case: &Case<'_>) {
        let is_watching = self.is_wanted && case.wants_features();
        self.is_watching.set(is_watching);
        if is_watching {
            machine.watch(Watch::Comparisons);
            judge.evaluator().watch(true);
        }
    }

    /// The call has ended.
    pub(super) fn end(&self, machine: &Machine, judge: &Judge) {
        if self.is_watching.get() {
            machine.watch(Watch::Nothing);
            judge.evaluator().watch(false);
        }
    }

    /// What the call did counts, or is forgotten.
    pub(super) fn note(
        &self,
        machine: &Machine,
        judge: &Judge,
        case: &mut Case<'_>,
        stepped: Option<StepOutcome>,
    ) {
        if self.is_watching.replace(false) {
            let is_done = stepped == Some(StepOutcome::Done);
            let at = case.choices().n_choices() as u32;
            let features = &mut case.observed().features;
            machine.take_edges(|edge, n| {
                if is_done {
                    self.name(Feature::new(u32::from(edge) << 3 | bucket(n), at), features);
                }
            });
            judge.evaluator().take_branches(|branch| {
                if stepped.is_some() {
                    let number = Feature::fold(IN_CONTRACTS | u64::from(branch));
                    self.name(Feature::new(OTHERS | (number % OTHERS), at), features);
                }
            });
            machine.take_comparisons(|comparison| {
                if is_done {
                    self.approached(comparison, at, features);
                }
            });
        }
    }

    /// This stood against a call: other clauses were no obstacle.
    pub(super) fn refused(&self, op: usize, refusal: Refusal, case: &mut Case<'_>) {
        if self.is_wanted && case.wants_features() {
            let reason = match refusal {
                Refusal::Clause(span) => u64::from(span.start) << 8,
                Refusal::Nothing(k) | Refusal::Doubtful(k) => 8 + k as u64,
                Refusal::NotThere => 1,
                Refusal::NoBody => 2,
            };
            let number = Feature::fold((op as u64) << 48 ^ reason);
            let at = case.choices().n_choices() as u32;
            self.name(Feature::new(OTHERS | (number % OTHERS), at), &mut case.observed().features);
        }
    }

    /// That operands came as near as this is a feature for every distance that they are not further apart than: so
    /// it does not matter which worker has seen what.
    fn approached(
        &self,
        Comparison { site, nearness, operands }: Comparison,
        at: u32,
        features: &mut Vec<Feature>,
    ) {
        let operands = operands.map(|(left, right)| Operands { left: left as i64, right: right as i64 });
        for nearness in (LEAST_NEARNESS..=nearness).rev() {
            let number = COMPARISONS + u32::from(site) * N_NEARNESSES + u32::from(nearness - LEAST_NEARNESS);
            if !self.name(Feature { number, at, operands }, features) {
                return;
            }
        }
    }

    /// Whether it was not named before.
    fn name(&self, feature: Feature, features: &mut Vec<Feature>) -> bool {
        let number = feature.number;
        let (word, bit) = (&mut self.named.borrow_mut()[number as usize / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        if is_new {
            *word |= bit;
            features.push(feature);
        }
        is_new
    }
}

/// Numbers of times that are not told apart: 1, 2, 3, up to 7, 15, 31 and 127, and more.
const fn bucket(n: u8) -> u32 {
    match n {
        0..=3 => n.saturating_sub(1) as u32,
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        _ => 7,
    }
}
