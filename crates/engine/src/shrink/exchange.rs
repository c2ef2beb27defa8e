//! Deleting a step while the steps that are left take over what it did.
//!
//! What a step brings, several others may share: five characters of a deleted insertion fit into the two that
//! are left. What two steps do together, one of another kind may do: `pop(); push(0)` where a second
//! `raise(0)` is enough. And where programs differ in names only, numbers change places, so that they come in
//! order.

use super::Shrinker;
use super::layout::{ROOT, Unit};
use super::steps::{MAX_PAIRED, renumber};
use stairway_choice::{Choice, Shape, Value};

/// Up to how many steps any two of a program are replaced by one; of more, neighbours are.
const MAX_ANY_TWO: usize = 8;
/// Up to how many steps two neighbours are replaced by one.
const MAX_COPIED: usize = 16;
/// How many operations that are not in a program are tried in it.
const MAX_OPERATIONS: u64 = 16;
/// Up to how many choices of a record are compared with each other.
const MAX_COMPARED: usize = 200;

impl Shrinker<'_, '_> {
    /// Deletes a step and shares out what it brings among the steps of the same operation.
    pub(super) fn delete_and_share(&mut self) {
        self.for_programs(MAX_PAIRED, |this, i| {
            (0..this.bench.units.len()).any(|k| {
                let Unit { start, end, .. } = this.bench.units[k];
                (start + 1..end)
                    .any(|at| [false, true].into_iter().any(|last| this.delete_sharing(i, at, last)))
            })
        });
    }

    /// Deletes the step that choice `at` belongs to; the first steps that have room take what is there, or
    /// the last.
    fn delete_sharing(&mut self, i: usize, at: usize, last: bool) -> bool {
        let Some(step) = self.step_at(at) else { return false };
        let Some(amount) = amount(&self.best()[at]) else { return false };
        self.doom(step..step + 1);
        self.doom_dependants();
        let start = self.bench.units[step].start;
        let target = (self.best()[start].index, at - start, self.best()[at].shape);
        self.edit_marked_out(i, None)
            && self.change_left(|this, other| {
                let room = this.room_at(other, target)?;
                let is_served = |k: &usize| if last { *k > other } else { *k < other };
                let rooms = (0..this.len()).filter(is_served).filter_map(|k| this.room_at(k, target));
                let served = rooms.fold(0, u64::saturating_add);
                let share = amount.saturating_sub(served).min(room);
                (share > 0).then_some(this.best()[other].index + share)
            })
            && self.attempt()
    }

    /// How much more a choice can take, if it stands at the same place of a step of the same operation that
    /// is left.
    fn room_at(&self, at: usize, (operation, place, shape): (u64, usize, Shape)) -> Option<u64> {
        let choice = &self.best()[at];
        let step = self.step_at(at).filter(|_| choice.shape == shape)?;
        let is_target = !self.bench.doomed[step] && self.is_argument(at, operation, place);
        room(choice).filter(|_| is_target)
    }

    /// Puts a copy of a step in the place of two others.
    pub(super) fn replace_two_by_copy(&mut self) {
        self.for_programs(MAX_COPIED, |this, i| {
            let n = this.bench.units.len();
            let most_between = if n <= MAX_ANY_TWO { n } else { 2 };
            (1..most_between).any(|distance| {
                (0..n.saturating_sub(distance)).any(|first| {
                    let (a, b) = (first, first + distance);
                    [(a, b), (b, a)]
                        .into_iter()
                        .any(|(gone, kept)| (0..n).any(|copied| this.copy_over(i, gone, kept, copied)))
                })
            })
        });
    }

    /// Puts another operation in the place of two neighbours, the last ones first: what they do may be done or
    /// noticed by a single step.
    pub(super) fn turn_two_into_another(&mut self) {
        self.for_programs(MAX_COPIED, |this, i| {
            (1..this.bench.units.len()).rev().any(|k| {
                this.turn_into_another(i, k - 1, k)
                    || this.turn_into_another(i, k, k - 1)
                    || cfg!(feature = "observations") && this.turn_into_count(i, k - 1)
            })
        });
    }

    /// Puts an operation that takes a number in the place of two equal steps without arguments, the first of
    /// which is step `k`: `skip(2)` does what `next(); next()` does.
    fn turn_into_count(&mut self, i: usize, k: usize) -> bool {
        let (first, second) = (self.bench.units[k], self.bench.units[k + 1]);
        let is_bare = |unit: Unit| unit.span != ROOT && unit.end - unit.start == 1;
        let &Choice { index, shape: Shape::Alternative { n, .. } } = &self.best()[first.start] else {
            return false;
        };
        let are_equal = is_bare(first) && is_bare(second) && self.best()[second.start].index == index;
        // Of more than two it does not matter which.
        let is_later = k > 0 && is_bare(self.bench.units[k - 1]) && self.operation(k - 1) == index;
        if !are_equal
            || is_later
            || self.is_referred_to(k)
            || self.is_referred_to(k + 1)
            || self.best()[i].index == 0
        {
            return false;
        }
        let n_choices = self.len();
        (0..n.min(MAX_OPERATIONS)).filter(|other| *other != index).any(|other| {
            // Numbers begin at 0 or at 1. An operation that takes none has drawn less.
            self.turn_into(i, k, (other, 2))
                || self.known.used as usize >= n_choices && self.turn_into(i, k, (other, 1))
        })
    }

    /// Puts an operation with a number in the place of step `k` and the next one.
    fn turn_into(&mut self, i: usize, k: usize, (operation, number): (u64, u64)) -> bool {
        let (first, second) = (self.bench.units[k], self.bench.units[k + 1]);
        self.attempt_edited(|record, editor| {
            record.choices[i].index -= 1;
            record.choices[first.start].index = operation;
            record.choices[second.start].index = number;
            let later = |c: &&mut Choice| is_reference(c) && c.index > k as u64;
            record.choices.iter_mut().filter(later).for_each(|choice| choice.index -= 1);
            editor.merge(record, first.span as usize, second.span as usize);
        })
    }

    /// Deletes step `gone` and puts another operation, with the simplest arguments, in the place of step
    /// `kept`.
    fn turn_into_another(&mut self, i: usize, gone: usize, kept: usize) -> bool {
        let over = self.bench.units[kept];
        let &Choice { index, shape: Shape::Alternative { n, .. } } = &self.best()[over.start] else {
            return false;
        };
        if self.is_referred_to(gone) || self.is_referred_to(kept) {
            return false;
        }
        let known =
            |this: &Self, op: u64| this.bench.units.iter().any(|unit| this.best()[unit.start].index == op);
        (0..n.min(MAX_OPERATIONS)).any(|other| {
            self.doom(gone..gone + 1);
            other != index
                // What is in the program already was copied with its arguments.
                && !known(self, other)
                && self.edit_marked_out(i, Some((over.start, other)))
                && self.attempt()
        })
    }

    /// Deletes step `gone` and puts a copy of step `copied` in the place of step `kept`.
    fn copy_over(&mut self, i: usize, gone: usize, kept: usize, copied: usize) -> bool {
        let is_like = |one: Unit, other: Unit| {
            let (one, other) = (&self.best()[one.start..one.end], &self.best()[other.start..other.end]);
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.index == b.index)
        };
        let [from, over, lost] = [copied, kept, gone].map(|step| self.bench.units[step]);
        let is_first = !(0..copied).any(|earlier| is_like(self.bench.units[earlier], from));
        let fits = from.end - from.start <= over.end - over.start && !is_like(from, over);
        let is_flat = |unit| self.is_flat(unit);
        if !is_first || !fits || !is_flat(from) || !is_flat(over) || self.best()[i].index == 0 {
            return false;
        }
        let refers = |step: usize| self.is_referred_to(step);
        let names_later = self.best()[from.start..from.end]
            .iter()
            .any(|choice| matches!(choice.shape, Shape::Reference { .. }) && choice.index >= kept as u64);
        if refers(gone) || refers(kept) || names_later {
            return false;
        }
        self.doom(gone..gone + 1);
        let units = core::mem::take(&mut self.bench.units);
        let doomed = core::mem::take(&mut self.bench.doomed);
        let mut n_gone = core::mem::take(&mut self.bench.buffers.indices);
        self.edit(|record, editor| {
            record.choices[i].index -= 1;
            record.choices.copy_within(from.start..from.end, over.start);
            renumber(record, &units, &doomed, &mut n_gone);
            let rest = over.start + (from.end - from.start)..over.end;
            let lost = lost.start..lost.end;
            let both = if lost.start < rest.start { [lost, rest] } else { [rest, lost] };
            editor.delete_all(record, both.into_iter());
        });
        (self.bench.units, self.bench.doomed, self.bench.buffers.indices) = (units, doomed, n_gone);
        self.attempt()
    }

    /// Whether a later step names the result of this one.
    fn is_referred_to(&self, step: usize) -> bool {
        let refers = |shape| matches!(shape, Shape::Reference { .. });
        self.best().iter().any(|choice| refers(choice.shape) && choice.index == step as u64)
    }

    /// Whether every argument of a step is a single choice.
    fn is_flat(&self, step: Unit) -> bool {
        let spans = &self.bench.best.spans;
        step.span != ROOT && !spans.iter().any(|span| span.parent == step.span && span.end > span.start)
    }

    /// Exchanges two numbers wherever they are.
    pub(super) fn exchange_numbers(&mut self) {
        self.for_programs(MAX_PAIRED, |this, _| {
            let n = if this.len() <= MAX_COMPARED { this.len() } else { 0 };
            (0..n).any(|a| (a + 1..n).any(|b| this.exchange(a, b)))
        });
    }

    fn exchange(&mut self, a: usize, b: usize) -> bool {
        let (one, other) = (self.best()[a], self.best()[b]);
        let is_number = matches!(one.value(), Value::Integer(_));
        is_number
            && one.shape == other.shape
            && other.index < one.index
            && self.attempt_with(|choices| {
                for choice in choices.iter_mut().filter(|choice| choice.shape == one.shape) {
                    choice.index = match choice.index {
                        index if index == one.index => other.index,
                        index if index == other.index => one.index,
                        index => index,
                    };
                }
            })
    }
}

const fn is_reference(choice: &Choice) -> bool {
    matches!(choice.shape, Shape::Reference { .. })
}

/// How much a choice brings: the elements of a collection, or a number above its simplest.
fn amount(choice: &Choice) -> Option<u64> {
    match (choice.shape, choice.value()) {
        (Shape::Length { min, .. }, _) => Some(min + choice.index).filter(|n| *n > 0),
        (
            Shape::Unsigned { lo: 0, simplest: 0, .. } | Shape::Signed { simplest: 0, .. },
            Value::Integer(v),
        ) => u64::try_from(v).ok(),
        (Shape::Unsigned { lo, simplest, .. }, Value::Integer(v)) if lo == simplest => u64::try_from(v).ok(),
        _ => None,
    }
}

/// How much more a choice can take.
fn room(choice: &Choice) -> Option<u64> {
    match choice.shape {
        Shape::Length { min, max } => Some(max - min - choice.index),
        Shape::Unsigned { lo, hi, simplest } if lo == simplest => Some(hi - lo - choice.index),
        _ => None,
    }
}
