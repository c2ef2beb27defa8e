//! Deleting a step of a program together with making its numbers different.
//!
//! Numbers are lowered one by one, as long as the failure stays. So a program may end with equal
//! ones that a further step is needed to tell apart: `push(0); push(1); push(0); pop(); peek()` for a
//! queue whose third element jumps to the front. Without `pop` nothing is wrong until the last
//! number is another one, and with another number nothing is simpler until `pop` is gone.

use super::Shrinker;
use stairway_choice::{Offset, Shape};

impl Shrinker<'_, '_> {
    /// Deletes a step of the program whose length is choice `i` and gives each number that is left
    /// a value of its own.
    pub(super) fn delete_and_tell_apart(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        self.best()[i].index > 0 && (0..n).any(|k| !self.is_referred_to(k) && self.delete_apart(i, k))
    }

    fn is_referred_to(&self, step: usize) -> bool {
        let refers = |shape| matches!(shape, Shape::Reference { .. });
        self.best().iter().any(|choice| refers(choice.shape) && choice.index == step as u64)
    }

    fn delete_apart(&mut self, i: usize, step: usize) -> bool {
        let units = core::mem::take(&mut self.bench.units);
        let deleted = self.attempt_edited(|record, editor| {
            record.choices[i].index -= 1;
            let others = |k: &usize| *k != step;
            let is_later = |index: u64| index > step as u64;
            for at in (0..units.len()).filter(others).flat_map(|k| units[k].start..units[k].end) {
                let (before, behind) = record.choices.split_at_mut(at);
                let choice = &mut behind[0];
                // The first number of its kind is the simplest, and so on.
                let earlier = (0..units.len()).filter(others).flat_map(|k| units[k].start..units[k].end);
                let n_alike = earlier.take_while(|k| *k < at).filter(|k| before[*k].shape == choice.shape);
                let offset = Offset { below: false, distance: n_alike.count() as u64 };
                choice.index = match choice.shape {
                    Shape::Reference { .. } => choice.index - u64::from(is_later(choice.index)),
                    _ => choice.index_at(offset).unwrap_or(choice.index),
                };
            }
            editor.delete(record, units[step].start, units[step].end);
        });
        self.bench.units = units;
        deleted
    }
}
