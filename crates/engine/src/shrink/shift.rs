//! Deleting a step while another one of its kind moves to where it does the work of both.
//!
//! What two steps do at their places, one may do at a third: a page that is read twice after five rows moves
//! a cursor by five, and so does one that is read after the first row if the other rows come to stand before
//! it. For that the rows must come in the other order, so everything is also tried with the numbers of an
//! operation reversed, as far as the step has moved. Neither change is simpler by itself: no pass that makes
//! one of them gets there.

use super::Shrinker;
use super::layout::Unit;
use stairway_choice::{Choice, Shape, Value};

/// Up to how many steps a program is tried.
const MAX_STEPS: usize = 12;

/// How many different numbers make an order.
const MIN_ORDER: usize = 3;

/// A step that is deleted, one that is moved, and the step before which it is put.
#[derive(Clone, Copy)]
struct Shift {
    gone: usize,
    moved: usize,
    before: usize,
}

impl Shrinker<'_, '_> {
    /// Deletes a step and moves another one of the same operation.
    pub(super) fn delete_and_shift(&mut self) {
        self.for_programs(MAX_STEPS, |this, i| {
            // Otherwise the order of steps is a matter of operations alone, and other passes see to that.
            if !this.has_order() {
                return false;
            }
            let n = this.bench.units.len();
            let shifts = (0..n).flat_map(move |gone| {
                (0..n).flat_map(move |moved| (0..n).map(move |before| Shift { gone, moved, before }))
            });
            { shifts }.any(|shift| this.is_useful(shift) && this.shift(i, shift))
        });
    }

    /// Whether a shift is more than exchanging steps of one operation, which differ in their numbers only: of
    /// several in a row the last one goes and an outer one moves, past steps of other operations.
    fn is_useful(&self, Shift { gone, moved, before }: Shift) -> bool {
        let n = self.bench.units.len();
        let operation = |step: usize| self.best()[self.bench.units[step].start].index;
        let is_kind = |step: Option<usize>| step.is_some_and(|step| operation(step) == operation(moved));
        let next = (moved + 1..n).find(|step| *step != gone);
        let previous = (0..moved).rev().find(|step| *step != gone);
        let from = moved.min(before)..moved.max(before);
        gone != moved
            && operation(gone) == operation(moved)
            && !is_kind(Some(gone + 1).filter(|step| *step < n))
            && !(is_kind(next) && is_kind(previous))
            && operation(before) != operation(moved)
            && { from }.any(|step| step != gone && operation(step) != operation(moved))
    }

    /// Tries it with the numbers as they are, and with those of each operation reversed.
    fn shift(&mut self, i: usize, shift: Shift) -> bool {
        let n = self.bench.units.len();
        self.attempt_shifted(i, shift, None)
            || (0..n).any(|step| {
                let operation = |step: usize| self.best()[self.bench.units[step].start].index;
                let is_first = (0..step).all(|earlier| operation(earlier) != operation(step));
                is_first && self.attempt_shifted(i, shift, Some(operation(step)))
            })
    }

    fn attempt_shifted(&mut self, i: usize, shift: Shift, reversed: Option<u64>) -> bool {
        if self.best()[i].index == 0 {
            return false;
        }
        let units = core::mem::take(&mut self.bench.units);
        let mut order = core::mem::take(&mut self.bench.buffers.units);
        order.clear();
        order.extend(order_of(shift, units.len()).map(|step| units[step]));
        // What comes after both places stays as it is.
        let passed = passed(shift);
        let is_possible = reversed.is_none_or(|operation| self.has_numbers(&order[..passed], operation));
        if is_possible {
            self.edit(|record, editor| {
                record.choices[i].index -= 1;
                for choice in units.iter().flat_map(|unit| unit.start..unit.end) {
                    let choice = &mut record.choices[choice];
                    if let Shape::Reference { .. } = choice.shape {
                        choice.index = place_of(shift, choice.index as usize, units.len()) as u64;
                    }
                }
                if let Some(operation) = reversed {
                    reverse(&mut record.choices, &order[..passed], operation);
                }
                editor.arrange(record, &units, &order);
                // The step that goes was put last.
                let (end, lost) = (units[units.len() - 1].end, units[shift.gone]);
                editor.delete_all(record, core::iter::once(end - (lost.end - lost.start)..end));
            });
        }
        order.clear();
        (self.bench.units, self.bench.buffers.units) = (units, order);
        is_possible && self.attempt()
    }

    /// Whether an operation has as many different numbers as make an order.
    fn has_order(&self) -> bool {
        let steps = &self.bench.units;
        let number = |step: usize, operation: u64| {
            number_of(self.best(), &steps[step], operation).map(|at| self.best()[at].index)
        };
        (0..steps.len()).any(|step| {
            let operation = self.best()[steps[step].start].index;
            let is_new = |k: &usize| {
                number(*k, operation)
                    .is_some_and(|n| (0..*k).all(|earlier| number(earlier, operation) != Some(n)))
            };
            (0..steps.len()).filter(is_new).count() >= MIN_ORDER
        })
    }

    /// Whether steps of an operation have different numbers first: others are not worth reversing.
    fn has_numbers(&self, steps: &[Unit], operation: u64) -> bool {
        let mut numbers = steps
            .iter()
            .filter_map(|unit| number_of(self.best(), unit, operation))
            .map(|at| self.best()[at].index);
        let first = numbers.next();
        numbers.any(|number| Some(number) != first)
    }
}

/// The steps in their new order; the one that goes is the last.
fn order_of(Shift { gone, moved, before }: Shift, n: usize) -> impl Iterator<Item = usize> {
    let others =
        move |steps: core::ops::Range<usize>| steps.filter(move |step| *step != gone && *step != moved);
    others(0..before).chain([moved]).chain(others(before..n)).chain([gone])
}

/// How many steps come, in the new order, up to the later one of the two places of the step that has moved.
fn passed(Shift { gone, moved, before }: Shift) -> usize {
    let end = before.max(moved + 1);
    end - usize::from(gone < end)
}

/// Where a step comes to be.
fn place_of(shift: Shift, step: usize, n: usize) -> usize {
    order_of(shift, n).position(|other| other == step).unwrap_or(step)
}

/// Where the first argument of a step of this operation is, if it is a number.
fn number_of(choices: &[Choice], unit: &Unit, operation: u64) -> Option<usize> {
    let at = unit.start + 1;
    let is_number = at < unit.end && matches!(choices[at].value(), Value::Integer(_));
    (is_number && choices[unit.start].index == operation).then_some(at)
}

/// Turns the order of the first numbers of an operation around.
fn reverse(choices: &mut [Choice], steps: &[Unit], operation: u64) {
    let (mut first, mut last) = (0, steps.len());
    while first < last {
        let from = (first..last).find_map(|k| Some((k, number_of(choices, &steps[k], operation)?)));
        let to = (first..last).rev().find_map(|k| Some((k, number_of(choices, &steps[k], operation)?)));
        let (Some((k, one)), Some((l, other))) = (from, to) else { return };
        if choices[one].shape == choices[other].shape {
            let (a, b) = (choices[one].index, choices[other].index);
            (choices[one].index, choices[other].index) = (b, a);
        }
        (first, last) = (k + 1, l);
    }
}
