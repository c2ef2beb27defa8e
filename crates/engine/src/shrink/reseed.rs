//! Trying other seeds for something smaller.
//!
//! A structure whose parts depend on one another (a balanced tree) is made from a size and a seed. No single
//! edit makes it smaller: with another size the same seed means something else. So each smaller size, from
//! the least on, is tried with several seeds.

use super::Shrinker;
use stairway_choice::{Choice, Shape, mix};

/// How many seeds are tried for each size, and for how many sizes.
const N_SEEDS: u64 = 20;
const MAX_SIZES: u64 = 12;

impl Shrinker<'_, '_> {
    pub(super) fn reseed_all(&mut self) {
        let mut id = 0;
        while id < self.bench.best.spans.len() && !self.is_spent() {
            let span = self.bench.best.spans[id];
            if span.label.has_seed() {
                self.reseed(span.start as usize);
            }
            id += 1;
        }
    }

    /// Makes what begins at a choice smaller, with whatever seed.
    fn reseed(&mut self, start: usize) {
        let (Some(size), Some(seed)) = (self.best().get(start), self.best().get(start + 1)) else { return };
        let (Choice { index, shape: Shape::Length { .. } }, Shape::Unsigned { .. }) = (*size, seed.shape)
        else {
            return;
        };
        let largest = seed.shape.largest_index();
        for smaller in 0..index.min(MAX_SIZES) {
            for k in 0..N_SEEDS {
                // Small seeds first: they are the simpler ones.
                let seed = if k < 2 { k } else { mix(k) % largest.max(1) };
                let is_smaller = self.attempt_with(|choices| {
                    choices[start].index = smaller;
                    choices[start + 1].index = seed.min(largest);
                });
                if is_smaller || self.is_spent() {
                    return;
                }
            }
        }
    }
}
