//! Reports what a sequence has shown to the engine, as numbers: the branches that a call took with their
//! counts, and the clause of a precondition that refused a call.
//!
//! A call that fails or is undone shows nothing. Each worker names a feature once. A worker runs its cases in
//! the order of their numbers, so a reader that goes through all cases in this order knows the feature by
//! then, and cases cost no messages once everything common was seen.

use super::refusals::Refusal;
use crate::machine::Machine;
use stairway::Case;
use stairway::engine::Feature;
use std::cell::{Cell, RefCell};

/// Branches have the numbers below, refusals those from here on.
const OTHERS: u32 = 1 << 19;
const N_FEATURES: u32 = 1 << 20;

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
    pub(super) fn begin(&self, machine: &Machine, case: &Case<'_>) {
        let is_watching = self.is_wanted && case.wants_features();
        self.is_watching.set(is_watching);
        if is_watching {
            machine.watch(true);
        }
    }

    /// The call has ended.
    pub(super) fn end(&self, machine: &Machine) {
        if self.is_watching.get() {
            machine.watch(false);
        }
    }

    /// What the call did counts, or is forgotten.
    pub(super) fn note(&self, machine: &Machine, case: &mut Case<'_>, is_done: bool) {
        if self.is_watching.replace(false) {
            let at = case.choices().n_choices() as u32;
            let features = &mut case.observed().features;
            machine.take_edges(|edge, n| {
                if is_done {
                    self.name(u32::from(edge) << 3 | bucket(n), at, features);
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
            self.name(OTHERS | (number % OTHERS), at, &mut case.observed().features);
        }
    }

    fn name(&self, number: u32, at: u32, features: &mut Vec<Feature>) {
        let (word, bit) = (&mut self.named.borrow_mut()[number as usize / 64], 1 << (number % 64));
        if *word & bit == 0 {
            *word |= bit;
            features.push(Feature { number, at });
        }
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
