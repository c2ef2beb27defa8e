//! Putting an operation that takes less in the place of a step.
//!
//! A step may do more than the failure needs: a transfer between two accounts where a deposit would
//! do, or a function that only calls the one that is wrong. Deleting steps cannot help, because what
//! the step does is needed. So its operation is changed, and one of its arguments is left out: a folder that is
//! renamed may as well be made under its new name.

use super::Shrinker;
use super::layout::{ROOT, Unit};
use super::steps::MAX_PAIRED;
use stairway_choice::{Choice, Shape};

/// How many operations are tried in the place of one.
const MAX_OPERATIONS: u64 = 16;
/// How many arguments are tried to be left out.
const MAX_LEFT_OUT: usize = 3;

impl Shrinker<'_, '_> {
    /// Attempts other operations for each step that takes two arguments or more: all, if the first is an earlier
    /// result, and otherwise those that the program does elsewhere.
    pub(super) fn replace_operations(&mut self) {
        self.for_programs(MAX_PAIRED, |this, _| {
            (0..this.bench.units.len()).any(|k| this.replace_operation(this.bench.units[k]))
        });
    }

    fn replace_operation(&mut self, step: Unit) -> bool {
        let &[Choice { index, shape: Shape::Alternative { n, .. } }, first, _, ..] =
            &self.best()[step.start..step.end]
        else {
            return false;
        };
        if step.span == ROOT {
            return false;
        }
        let of_result = matches!(first.shape, Shape::Reference { .. });
        let is_known =
            |operation: u64| self.bench.units.iter().any(|unit| self.best()[unit.start].index == operation);
        let known = (0..n.min(MAX_OPERATIONS)).filter(|other| of_result || is_known(*other));
        let known = known.fold(0u32, |all, operation| all | 1 << operation);
        let others = (0..MAX_OPERATIONS).filter(|other| *other != index && known & 1 << other != 0);
        (0..MAX_LEFT_OUT).any(|k| others.clone().any(|other| self.replace_by(step, other, k)))
    }

    /// Attempts `other` with the step's arguments but for the one at `left_out`.
    fn replace_by(&mut self, step: Unit, other: u64, left_out: usize) -> bool {
        let bench = &mut *self.bench;
        let mut arguments = core::mem::take(&mut bench.buffers.units);
        bench.layout.units(&bench.best, step.span, step.start + 1, &mut arguments);
        let argument = arguments.get(left_out).copied().filter(|_| arguments.len() > 1);
        arguments.clear();
        bench.buffers.units = arguments;
        let Some(argument) = argument else { return false };
        self.attempt_edited(|record, editor| {
            record.choices[step.start].index = other;
            editor.delete(record, argument.start, argument.end);
        })
    }
}
