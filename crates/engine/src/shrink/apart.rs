//! Deleting a step of a program together with making its numbers different.
//!
//! Numbers are lowered one by one, as long as the failure stays. So a program may end with equal
//! ones that a further step is needed to tell apart: `push(0); push(1); push(0); pop(); peek()` for a
//! queue whose third element jumps to the front. Without `pop` nothing is wrong until the last
//! number is another one, and with another number nothing is simpler until `pop` is gone.

use super::Shrinker;
use crate::choice::{Offset, Shape};

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
            let mut distance = 0;
            for (_, unit) in units.iter().enumerate().filter(|(k, _)| *k != step) {
                for choice in &mut record.choices[unit.start..unit.end] {
                    if let Some(index) = choice.index_at(Offset { below: false, distance }) {
                        choice.index = index;
                        distance += 1;
                    }
                    let is_later = choice.index > step as u64;
                    choice.index -= u64::from(is_later && matches!(choice.shape, Shape::Reference { .. }));
                }
            }
            editor.delete(record, units[step].start, units[step].end);
        });
        self.bench.units = units;
        deleted
    }
}
