//! Deleting steps of a program together with moving what they brought to another number.
//!
//! What a step adds to something, another may have there from the beginning: `open(50); open(2);
//! transfer(r2, r1, 2)` comes to `open(52)`. Without the transfer the account has too little, and with
//! more in it nothing is simpler until the transfer is gone.
//!
//! A number may also count what earlier steps have done, as the place in a log at which a crash happens: it is lower
//! when one of them is gone, by as much as that one did.

use super::Shrinker;
use super::layout::Unit;
use super::steps::lower;
use crate::choice::{Choice, Value};

/// How many numbers of the deleted steps are tried.
const MAX_MOVED: usize = 2;
/// How many things that a later number counts a deleted step may have done.
const MAX_COUNTED: u64 = 3;

impl Shrinker<'_, '_> {
    /// Deletes a step of the program whose length is choice `i`, with what depends on it, and adds a
    /// number of theirs to one that is left, or takes it from there.
    pub(super) fn delete_and_move(&mut self, i: usize) -> bool {
        (0..self.bench.units.len()).any(|k| (0..MAX_MOVED).any(|nth| self.delete_moving(i, k, nth)))
    }

    /// Deletes a step of the program whose length is choice `i`, with what depends on it, and lowers a number of a later
    /// step a little.
    pub(super) fn delete_and_count(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        (0..n).any(|k| {
            self.doom(k..k + 1);
            self.doom_dependants();
            (k + 1..n).rev().any(|later| {
                let Unit { start, end, .. } = self.bench.units[later];
                !self.bench.doomed[later]
                    && (start..end).any(|at| (1..=MAX_COUNTED).any(|by| self.delete_lowered(i, at, by)))
            })
        })
    }

    fn delete_lowered(&mut self, i: usize, at: usize, by: u64) -> bool {
        let choice = &self.best()[at];
        let index = number(choice).and_then(|_| lower(choice, by));
        index.is_some_and(|index| self.edit_marked_out(i, Some((at, index))) && self.attempt())
    }

    fn delete_moving(&mut self, i: usize, step: usize, nth: usize) -> bool {
        self.doom(step..step + 1);
        self.doom_dependants();
        let Some(amount) = self.brought(nth) else { return false };
        (0..self.bench.units.len()).any(|k| {
            let Unit { start, end, .. } = self.bench.units[k];
            !self.bench.doomed[k]
                && (start..end).any(|at| [-amount, amount].iter().any(|by| self.delete_moved(i, at, *by)))
        })
    }

    /// The number at place `nth` in the steps that are to be deleted, if it is another one than
    /// those before it.
    fn brought(&self, nth: usize) -> Option<i128> {
        let units = self.bench.units.iter().zip(&self.bench.doomed);
        let doomed = units.filter(|(_, is_doomed)| **is_doomed).map(|(unit, _)| unit);
        let numbers =
            || doomed.clone().flat_map(|unit| &self.best()[unit.start..unit.end]).filter_map(number);
        let amount = numbers().nth(nth)?;
        (amount != 0 && !numbers().take(nth).any(|earlier| earlier == amount)).then_some(amount)
    }

    fn delete_moved(&mut self, i: usize, at: usize, by: i128) -> bool {
        let choice = self.best()[at];
        let moved = number(&choice).and_then(|v| choice.shape.index_of(&Value::Integer(v.checked_add(by)?)));
        let Some(index) = moved else { return false };
        self.edit_marked_out(i, Some((at, index))) && self.attempt()
    }
}

fn number(choice: &Choice) -> Option<i128> {
    match choice.value() {
        Value::Integer(v) => Some(v),
        _ => None,
    }
}
