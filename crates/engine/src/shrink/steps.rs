//! Deleting steps of programs, with what depends on them.
//!
//! A reference names the step whose result it is. When that step goes, so does every step that
//! refers to it; when another goes, the reference is renumbered and keeps its meaning. (Seq-test,
//! section 3.3.1, does the same with the names of variables.)

use super::layout::{ROOT, Unit};
use super::{Shrinker, Workbench};
use crate::execute::Recording;
use alloc::vec::Vec;
use core::ops::Range;
use stairway_choice::{Choice, Label, Shape};

/// From how many steps on a program is tried without one of its operations.
const MIN_STEPS: usize = 16;
/// Up to how many deleted steps may have their dependants turned elsewhere.
const MAX_REDIRECTED: usize = 2;
/// How many of each kind of operation are deleted together.
const MAX_BALANCED: usize = 8;
/// Up to how many steps a program is tried operation by operation.
const MAX_BALANCED_STEPS: usize = 128;
/// Up to how many steps a program is tried pair by pair.
pub(super) const MAX_PAIRED: usize = 24;

impl Shrinker<'_, '_> {
    /// Whether choice `i`, a length, counts the steps of a program.
    pub(super) fn counts_steps(&self, i: usize) -> bool {
        let owner = self.bench.layout.owner(i);
        owner != ROOT && self.bench.best.spans[owner as usize].label == Label::Program
    }

    /// Deletes the steps that were refused: they did nothing.
    pub(super) fn delete_refused(&mut self) {
        for i in 0..self.len() {
            if !self.read_elements(i) || !self.counts_steps(i) {
                continue;
            }
            let bench = &mut *self.bench;
            bench.doomed.clear();
            let is_refused = |u: &Unit| u.span != ROOT && bench.best.spans[u.span as usize].rejected;
            bench.doomed.extend(bench.units.iter().map(is_refused));
            if bench.doomed.contains(&true) {
                self.delete_doomed(i);
                return;
            }
        }
    }

    /// Deletes these steps of the program whose length is choice `i`, and their dependants.
    pub(super) fn delete_steps(&mut self, i: usize, steps: Range<usize>) -> bool {
        self.doom(steps);
        self.delete_doomed(i)
    }

    /// Marks these steps, and no others.
    pub(super) fn doom(&mut self, steps: Range<usize>) {
        let bench = &mut *self.bench;
        bench.doomed.clear();
        bench.doomed.resize(bench.units.len(), false);
        bench.doomed[steps].fill(true);
    }

    /// Deletes the steps marked in `bench.doomed` and those that depend on them; if these are
    /// needed, tries again with them turned to an earlier result.
    fn delete_doomed(&mut self, i: usize) -> bool {
        let n_marked = self.bench.doomed.iter().filter(|d| **d).count();
        let may_redirect = n_marked <= MAX_REDIRECTED && self.has_dependants();
        if may_redirect && self.delete_marked(i) {
            return true;
        }
        self.doom_dependants();
        self.delete_marked(i)
    }

    /// Deletes all steps of one operation, for each operation: what matters to a failure is seldom
    /// more than a few of them, and the rest is in the way wherever it is.
    pub(super) fn delete_operations(&mut self, i: usize) {
        let mut operation = 0;
        while self.counts_steps(i) && self.read_elements(i) && self.bench.units.len() >= MIN_STEPS {
            if (0..self.bench.units.len()).all(|k| self.operation(k) < operation) {
                return;
            }
            self.delete_operation(i, operation);
            operation += 1;
        }
    }

    /// Deletes all steps of an operation, unless these are none or all.
    fn delete_operation(&mut self, i: usize, operation: u64) -> bool {
        let Workbench { best, units, doomed, .. } = &mut *self.bench;
        doomed.clear();
        doomed.extend(units.iter().map(|unit| best.choices[unit.start].index == operation));
        if !doomed.contains(&true) || !doomed.contains(&false) {
            return false;
        }
        self.doom_dependants();
        self.delete_marked(i)
    }

    /// Applies `edit` to each program of up to `most` steps, whose length is the choice it is given, as long
    /// as that helps.
    pub(super) fn for_programs(&mut self, most: usize, edit: impl Fn(&mut Self, usize) -> bool) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            while self.counts_steps(i)
                && self.read_elements(i)
                && self.bench.units.len() <= most
                && edit(self, i)
            {}
            i += 1;
        }
    }

    /// Deletes two steps, wherever they are: what one step undoes of another (a push and a pop) can only go
    /// together.
    pub(super) fn delete_pairs(&mut self) {
        self.for_programs(MAX_PAIRED, |this, i| {
            let n = this.bench.units.len();
            (0..n).any(|b| (0..b).any(|a| this.delete_both(i, a, b)))
        });
    }

    fn delete_both(&mut self, i: usize, a: usize, b: usize) -> bool {
        self.doom(a..a + 1);
        self.bench.doomed[b] = true;
        self.delete_doomed(i)
    }

    /// Deletes as many steps of one operation as of another, the first or the last of each.
    pub(super) fn delete_balanced(&mut self) {
        self.for_programs(MAX_BALANCED_STEPS, Self::delete_equally_many);
    }

    fn delete_equally_many(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        for b in 0..n {
            for a in 0..b {
                if !self.is_first_of_its_kind(a) || !self.is_first_of_its_kind(b) {
                    continue;
                }
                for count in (2..=MAX_BALANCED.min(n / 2)).rev() {
                    let kinds = [self.operation(a), self.operation(b)];
                    if self.delete_of_kinds(i, kinds, count, false)
                        || self.delete_of_kinds(i, kinds, count, true)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether no earlier step is of the same operation.
    fn is_first_of_its_kind(&self, step: usize) -> bool {
        (0..step).all(|earlier| self.operation(earlier) != self.operation(step))
    }

    /// Which operation a step is.
    pub(super) fn operation(&self, step: usize) -> u64 {
        self.best()[self.bench.units[step].start].index
    }

    fn delete_of_kinds(&mut self, i: usize, kinds: [u64; 2], count: usize, from_the_end: bool) -> bool {
        let n = self.bench.units.len();
        self.doom(0..0);
        for kind in kinds {
            let mut left = count;
            for k in 0..n {
                let k = if from_the_end { n - 1 - k } else { k };
                if left > 0 && self.operation(k) == kind {
                    self.bench.doomed[k] = true;
                    left -= 1;
                }
            }
            if left > 0 {
                return false;
            }
        }
        self.delete_doomed(i)
    }

    /// Deletes a stretch of steps, wherever it is, or all steps of one operation.
    pub(super) fn delete_stretches(&mut self) {
        self.for_programs(MAX_PAIRED, |this, i| {
            let n = this.bench.units.len();
            let mut stretches =
                (3..n).flat_map(|length| (0..=n - length).map(move |from| from..from + length));
            stretches.any(|steps| this.delete_steps(i, steps))
                || (0..n).any(|k| this.is_first_of_its_kind(k) && this.delete_operation(i, this.operation(k)))
        });
    }

    /// Deletes the marked steps: values that later steps drew from the state are looked for there again, and
    /// if that does not help, what stands in their position is taken.
    fn delete_marked(&mut self, i: usize) -> bool {
        if !self.edit_marked_out(i, None) {
            return false;
        }
        self.attempt() || self.edit_marked_out(i, None) && self.forget_imprints() && self.attempt()
    }

    /// Lets every value of the candidate that was drawn from a state go by its position; whether there is one.
    fn forget_imprints(&mut self) -> bool {
        let choices = self.bench.candidate.choices.iter_mut();
        choices.fold(false, |found, choice| choice.forget_imprint() | found)
    }

    /// Makes the candidate the best record without the marked steps, and with another index at one
    /// place; false if it may not be so short.
    pub(super) fn edit_marked_out(&mut self, i: usize, change: Option<(usize, u64)>) -> bool {
        let n_doomed = self.bench.doomed.iter().filter(|d| **d).count() as u64;
        if n_doomed > self.best()[i].index {
            return false;
        }
        let doomed = core::mem::take(&mut self.bench.doomed);
        let units = core::mem::take(&mut self.bench.units);
        let mut n_gone = core::mem::take(&mut self.bench.buffers.indices);
        self.edit(|record, editor| {
            if let Some((at, index)) = change {
                record.choices[at].index = index;
            }
            record.choices[i].index -= n_doomed;
            renumber(record, &units, &doomed, &mut n_gone);
            let gone = units.iter().zip(&doomed).filter(|(_, is_doomed)| **is_doomed);
            editor.delete_all(record, gone.map(|(unit, _)| unit.start..unit.end));
        });
        self.bench.doomed = doomed;
        self.bench.units = units;
        self.bench.buffers.indices = n_gone;
        true
    }

    /// Marks every step that refers to a marked one.
    pub(super) fn doom_dependants(&mut self) {
        for k in 0..self.bench.units.len() {
            self.bench.doomed[k] |= self.refers_to_doomed(k);
        }
    }

    fn has_dependants(&self) -> bool {
        (0..self.bench.units.len()).any(|k| !self.bench.doomed[k] && self.refers_to_doomed(k))
    }

    fn refers_to_doomed(&self, step: usize) -> bool {
        let Unit { start, end, .. } = self.bench.units[step];
        self.best()[start..end].iter().any(|choice| {
            matches!(choice.shape, Shape::Reference { .. })
                && self.bench.doomed.get(choice.index as usize) == Some(&true)
        })
    }
}

/// Lowers the length of each program that has failed on its way to the steps that were executed:
/// what does not fail any more would go on to the old length. One is left over, because a program
/// that is stuck has failed at a step that it could not do.
pub(super) fn cut_programs(record: &mut Recording) {
    let Recording { choices, spans } = record;
    for (id, program) in spans.iter().enumerate().filter(|(_, span)| span.label == Label::Program) {
        let steps = spans[id + 1..].iter().filter(|span| span.parent == id as u32);
        let n_executed = steps.filter(|span| span.label == Label::Step).count() as u64;
        if let Some(Choice { index, shape: Shape::Length { min, .. } }) =
            choices.get_mut(program.start as usize)
        {
            *index = (n_executed + 1).saturating_sub(*min).min(*index);
        }
    }
}

/// Renumbers references to steps behind deleted ones; what refers to a deleted one is turned to
/// the step before it, and from there to the latest result there is. `n_gone` is memory.
pub(super) fn renumber(record: &mut Recording, units: &[Unit], doomed: &[bool], n_gone: &mut Vec<usize>) {
    n_gone.clear();
    n_gone.extend(doomed.iter().scan(0, |n, is_doomed| {
        *n += usize::from(*is_doomed);
        Some(*n)
    }));
    for unit in units {
        for choice in &mut record.choices[unit.start..unit.end] {
            if matches!(choice.shape, Shape::Reference { .. }) {
                let n_gone = n_gone.get(choice.index as usize).or(n_gone.last()).map_or(0, |n| *n as u64);
                choice.index = choice.index.saturating_sub(n_gone);
            }
        }
    }
}
