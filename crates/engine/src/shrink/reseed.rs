//! Trying other seeds for something smaller.
//!
//! A structure whose parts depend on one another (a balanced tree) is made from a size and a seed. No single
//! edit makes it smaller: with another size the same seed means something else. So each smaller size, from
//! the least on, is tried with several seeds, and then with the numbers inside in another order: which part
//! of the structure a number belongs to follows from the seed as well.

use super::Shrinker;
use stairway_choice::{Choice, Prng, Shape, mix};

/// How many seeds are tried for each size, and for how many sizes.
const N_SEEDS: u64 = 20;
const MAX_SIZES: u64 = 12;

impl Shrinker<'_, '_> {
    pub(super) fn reseed_all(&mut self) {
        let mut id = 0;
        while id < self.bench.best.spans.len() && !self.is_spent() {
            let span = self.bench.best.spans[id];
            if span.label.has_seed() {
                self.reseed(span.start as usize, span.end as usize);
            }
            id += 1;
        }
    }

    /// Makes what lies between two choices smaller, with whatever seed.
    fn reseed(&mut self, start: usize, end: usize) {
        let (Some(size), Some(seed)) = (self.best().get(start), self.best().get(start + 1)) else { return };
        let (Choice { index, shape: Shape::Length { .. } }, Shape::Unsigned { .. }) = (*size, seed.shape)
        else {
            return;
        };
        let largest = seed.shape.largest_index();
        let is_mixed = self.best()[start + 2..end].iter().filter(|choice| is_number(choice)).count() > 1;
        let n_orders = if is_mixed { 2 } else { 1 };
        for smaller in 0..index.min(MAX_SIZES) {
            for k in 0..N_SEEDS * n_orders {
                // Small seeds first: they are the simpler ones.
                let seed = if k < 2 { k } else { mix(k) % largest.max(1) };
                let is_smaller = self.attempt_with(|choices| {
                    choices[start].index = smaller;
                    choices[start + 1].index = seed.min(largest);
                    if k >= N_SEEDS {
                        shuffle_numbers(&mut choices[start + 2..end], &mut Prng::new(k));
                    }
                });
                if is_smaller || self.is_spent() {
                    return;
                }
            }
        }
    }
}

const fn is_number(choice: &Choice) -> bool {
    matches!(choice.shape, Shape::Signed { .. } | Shape::Unsigned { .. })
}

/// Puts numbers into another order, where they are in the range of their new place.
fn shuffle_numbers(choices: &mut [Choice], prng: &mut Prng) {
    for to in (1..choices.len()).rev().filter(|_| cfg!(feature = "observations")) {
        let from = prng.up_to(to as u64) as usize;
        let (one, other) = (choices[from], choices[to]);
        let fits = |choice: &Choice, index| index <= choice.shape.largest_index();
        if is_number(&one) && is_number(&other) && fits(&one, other.index) && fits(&other, one.index) {
            choices[from].index = other.index;
            choices[to].index = one.index;
        }
    }
}
