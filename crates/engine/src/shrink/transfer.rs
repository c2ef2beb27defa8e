//! Deleting steps of a program together with moving what they brought to another number.
//!
//! What a step adds to something, another may have there from the beginning: `open(50); open(2);
//! transfer(r2, r1, 2)` comes to `open(52)`. Without the transfer the account has too little, and with
//! more in it nothing is simpler until the transfer is gone.
//!
//! A number may also count what earlier steps have done, as the place in a log at which a crash happens: it
//! is lower when one of them is gone, by as much as that one did. Where steps hand out handles or epochs,
//! several numbers count the same, and what counts may be a pair: to take a lock and to give it back.

use super::Shrinker;
use super::layout::Unit;
use super::lower::lowered;
use super::steps::MAX_PAIRED;
use stairway_choice::{Choice, Shape, Value};

/// How many numbers of the deleted steps are tried.
const MAX_MOVED: usize = 2;
/// Up to how many steps any two of a program are deleted together while later numbers count less; of more,
/// neighbours are.
const MAX_ANY_PAIR: usize = 12;
/// Up to how many choices these are compared with each other.
const MAX_COMPARED: usize = 200;

impl Shrinker<'_, '_> {
    /// Deletes a step with what depends on it, and adds a number of theirs to one that is left, or takes it
    /// from there.
    pub(super) fn delete_and_move(&mut self) {
        self.for_programs(MAX_PAIRED, |this, i| {
            (0..this.bench.units.len()).any(|k| (0..MAX_MOVED).any(|nth| this.delete_moving(i, k, nth)))
        });
    }

    /// Deletes a step with what depends on it, and lowers a number of a later step a little.
    pub(super) fn delete_and_count(&mut self) {
        self.for_programs(MAX_PAIRED, Self::delete_one_counted);
    }

    fn delete_one_counted(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        // Most steps count as one.
        [1, 2].into_iter().any(|by| {
            let is_counted = (0..n).any(|k| {
                self.doom(k..k + 1);
                self.doom_dependants();
                (k + 1..n).rev().any(|later| {
                    let Unit { start, end, .. } = self.bench.units[later];
                    !self.bench.doomed[later] && (start..end).any(|at| self.delete_lowered(i, at, by))
                })
            });
            is_counted
                || cfg!(feature = "observations")
                    && by == 1
                    && (1..n).any(|k| self.delete_one_of_two(i, k - 1, k))
        })
    }

    /// Deletes one of two neighbours that takes no arguments, and the other one does what it did as well:
    /// `skip(3)` instead of `next(); skip(2)`.
    fn delete_one_of_two(&mut self, i: usize, first: usize, second: usize) -> bool {
        [(first, second), (second, first)].into_iter().any(|(gone, kept)| {
            self.doom(gone..gone + 1);
            self.doom_dependants();
            let Unit { start, end, .. } = self.bench.units[kept];
            let is_bare = self.bench.units[gone].end - self.bench.units[gone].start == 1;
            is_bare
                && !self.bench.doomed[kept]
                && (start..end).any(|at| !self.is_name(at) && self.delete_moved(i, at, 1))
        })
    }

    /// Deletes a step with what depends on it, and takes the first alternative somewhere else, or wherever
    /// there is the same choice: what is sent again because it was lost is not sent again if it arrives.
    pub(super) fn delete_and_choose(&mut self) {
        self.for_programs(MAX_PAIRED, Self::delete_one_chosen);
    }

    fn delete_one_chosen(&mut self, i: usize) -> bool {
        let n = if self.len() <= MAX_COMPARED { self.bench.units.len() } else { 0 };
        (0..n).any(|other| {
            let Unit { start, end, .. } = self.bench.units[other];
            // The first choice of a step says which operation it is.
            (start + 1..end).any(|at| {
                let operation = self.best()[start].index;
                is_alternative(&self.best()[at])
                    && [Chosen::At(at), Chosen::Everywhere { operation, place: at - start }]
                        .into_iter()
                        .any(|chosen| (0..n).any(|k| k != other && self.delete_choosing(i, k, chosen)))
            })
        })
    }

    fn delete_choosing(&mut self, i: usize, k: usize, chosen: Chosen) -> bool {
        self.doom(k..k + 1);
        self.doom_dependants();
        self.edit_marked_out(i, None)
            && self.change_left(|this, at| {
                let is_chosen = match chosen {
                    Chosen::At(only) => at == only,
                    Chosen::Everywhere { operation, place } => this.is_argument(at, operation, place),
                };
                (is_chosen && is_alternative(&this.best()[at])).then_some(0)
            })
            && self.attempt()
    }

    /// Deletes one or two steps with what depends on them, and lowers by one numbers of later steps that seem
    /// to count the same; or a longer stretch, and lowers them by as many as it has steps.
    pub(super) fn delete_and_count_alike(&mut self) {
        self.for_programs(MAX_PAIRED, |this, i| {
            this.delete_some_counted_alike(i) || this.delete_stretch_counted_alike(i)
        });
    }

    /// What was filled, numbered or stepped over by a stretch of steps is the same without it a whole stretch
    /// further down.
    fn delete_stretch_counted_alike(&mut self, i: usize) -> bool {
        let n = if self.len() <= MAX_COMPARED { self.bench.units.len() } else { 0 };
        (3..n).any(|length| {
            (0..n - length).any(|from| {
                self.doom(from..from + length);
                self.doom_dependants();
                self.delete_lowered_alike(i, from, length as u64)
            })
        })
    }

    fn delete_some_counted_alike(&mut self, i: usize) -> bool {
        let n = if self.len() <= MAX_COMPARED { self.bench.units.len() } else { 0 };
        let most_between = if n <= MAX_ANY_PAIR { n } else { 1 };
        // From one step to the next: the first distance is none at all.
        (0..=most_between).any(|distance| {
            (distance..n).any(|b| {
                self.doom(b..b + 1);
                self.bench.doomed[b - distance] = true;
                self.doom_dependants();
                self.delete_lowered_alike(i, b - distance, 1)
            })
        })
    }

    /// Tries each group of numbers behind step `from`, less by so much, with the marked steps deleted.
    fn delete_lowered_alike(&mut self, i: usize, from: usize, by: u64) -> bool {
        let first = self.bench.units[from].end;
        (first..self.len()).any(|at| {
            let (Some(step), Some(value)) = (self.step_at(at), number(&self.best()[at])) else {
                return false;
            };
            let Unit { start, .. } = self.bench.units[step];
            let groups = [
                Alike::Argument { operation: self.best()[start].index, place: at - start },
                Alike::Value(value),
            ];
            !self.bench.doomed[step]
                && groups.into_iter().any(|alike| {
                    let is_first = !(first..at).any(|other| self.is_alike(other, alike));
                    is_first && self.delete_lowering(i, first, alike, by)
                })
        })
    }

    /// The step that a choice belongs to.
    pub(super) fn step_at(&self, at: usize) -> Option<usize> {
        let step = self.bench.units.partition_point(|unit| unit.end <= at);
        self.bench.units.get(step).filter(|unit| unit.start <= at).map(|_| step)
    }

    /// Whether a choice is a number that belongs to a group, in a step that is left.
    fn is_alike(&self, at: usize, alike: Alike) -> bool {
        let (Some(step), Some(value)) = (self.step_at(at), number(&self.best()[at])) else { return false };
        !self.bench.doomed[step]
            && match alike {
                Alike::Value(of_group) => value == of_group,
                Alike::Argument { operation, place } => self.is_argument(at, operation, place),
            }
    }

    fn delete_lowering(&mut self, i: usize, first: usize, alike: Alike, by: u64) -> bool {
        // A stretch that was counted is counted by all of them; of one or two steps, some may begin with it.
        let is_too_low = |at| self.is_alike(at, alike) && lowered(&self.best()[at], by).is_none();
        if by > 1 && (first..self.len()).any(is_too_low) {
            return false;
        }
        self.edit_marked_out(i, None)
            && self.change_left(|this, at| {
                if at >= first && this.is_alike(at, alike) { lowered(&this.best()[at], by) } else { None }
            })
            && self.attempt()
    }

    /// Changes choices of the candidate, which is the best record without the marked steps: `change` is asked
    /// for the new index of a choice by where it is in the best record. False if nothing has changed.
    pub(super) fn change_left(&mut self, change: impl Fn(&Self, usize) -> Option<u64>) -> bool {
        let (mut n_gone, mut has_changed) = (0, false);
        for at in 0..self.len() {
            if self.step_at(at).is_some_and(|step| self.bench.doomed[step]) {
                n_gone += 1;
            } else if let Some(index) = change(self, at) {
                self.bench.candidate.choices[at - n_gone].index = index;
                has_changed = true;
            }
        }
        has_changed
    }

    /// Whether a choice stands at this place of a step of this operation.
    pub(super) fn is_argument(&self, at: usize, operation: u64, place: usize) -> bool {
        self.step_at(at).is_some_and(|step| {
            let Unit { start, .. } = self.bench.units[step];
            at - start == place && self.best()[start].index == operation
        })
    }

    fn delete_lowered(&mut self, i: usize, at: usize, by: u64) -> bool {
        if self.is_name(at) {
            return false;
        }
        let choice = &self.best()[at];
        let index = number(choice).and_then(|_| lowered(choice, by));
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

/// Numbers that may count the same.
#[derive(Clone, Copy)]
enum Alike {
    /// They are the same argument of the same operation.
    Argument { operation: u64, place: usize },
    /// They are equal.
    Value(i128),
}

/// Where the first alternative is taken instead of another.
#[derive(Clone, Copy)]
enum Chosen {
    /// Here.
    At(usize),
    /// In all steps of an operation, at this place.
    Everywhere { operation: u64, place: usize },
}

/// Whether another alternative than the first was taken.
const fn is_alternative(choice: &Choice) -> bool {
    matches!(choice.shape, Shape::Boolean | Shape::Alternative { .. }) && choice.index > 0
}

fn number(choice: &Choice) -> Option<i128> {
    match choice.value() {
        Value::Integer(v) => Some(v),
        _ => None,
    }
}
