//! Deleting steps of programs, with what depends on them.
//!
//! A reference names the step whose result it is. When that step goes, so does every step that
//! refers to it; when another goes, the reference is renumbered and keeps its meaning. (Seq-test,
//! section 3.3.1, does the same with the names of variables.)

use super::layout::{ROOT, Unit};
use super::{Shrinker, Workbench};
use crate::execute::Recording;
use alloc::vec::Vec;
use stairway_choice::{Choice, Label, Offset, Shape};

/// From how many steps on a program is tried without one of its operations.
const MIN_STEPS: usize = 16;
/// Up to how many steps a program is tried step by step together with its numbers.
const MAX_FINE: usize = 64;
/// Up to how many deleted steps may have their dependants turned elsewhere.
const MAX_REDIRECTED: usize = 2;
/// How many of each kind of operation are deleted together.
const MAX_BALANCED: usize = 8;
/// Up to how many steps a program is tried operation by operation.
const MAX_BALANCED_STEPS: usize = 128;
/// Up to how many steps a program is tried pair by pair.
const MAX_PAIRED: usize = 24;
/// How many numbers before the program are lowered together with deletions.
const MAX_NUMBERS: usize = 4;

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
                self.delete_doomed(i, None);
                return;
            }
        }
    }

    /// Deletes the steps `from..to` of the program whose length is choice `i`, and their
    /// dependants; lowers `number`, if given, by one for good measure.
    pub(super) fn delete_steps(&mut self, i: usize, from: usize, to: usize, number: Option<usize>) -> bool {
        self.doom(from..to);
        self.delete_doomed(i, number)
    }

    /// Marks these steps, and no others.
    pub(super) fn doom(&mut self, steps: core::ops::Range<usize>) {
        let bench = &mut *self.bench;
        bench.doomed.clear();
        bench.doomed.resize(bench.units.len(), false);
        bench.doomed[steps].fill(true);
    }

    /// Deletes the steps marked in `bench.doomed` and those that depend on them; if these are
    /// needed, tries again with them turned to an earlier result.
    fn delete_doomed(&mut self, i: usize, number: Option<usize>) -> bool {
        let n_marked = self.bench.doomed.iter().filter(|d| **d).count();
        let may_redirect = n_marked <= MAX_REDIRECTED && self.has_dependants();
        if may_redirect && self.delete_marked(i, number) {
            return true;
        }
        self.doom_dependants();
        self.delete_marked(i, number)
    }

    /// Deletes all steps of one operation, for each operation: what matters to a failure is seldom
    /// more than a few of them, and the rest is in the way wherever it is.
    pub(super) fn delete_operations(&mut self, i: usize) {
        let mut operation = 0;
        while self.counts_steps(i) && self.read_elements(i) && self.bench.units.len() >= MIN_STEPS {
            let Workbench { best, units, doomed, .. } = &mut *self.bench;
            let of = |unit: &Unit| best.choices[unit.start].index;
            if units.iter().all(|unit| of(unit) < operation) {
                return;
            }
            doomed.clear();
            doomed.extend(units.iter().map(|unit| of(unit) == operation));
            if doomed.contains(&true) && doomed.contains(&false) {
                self.doom_dependants();
                self.delete_marked(i, None);
            }
            operation += 1;
        }
    }

    /// Deletes two steps, wherever they are, or a stretch of steps: what one step undoes of
    /// another (a push and a pop) can only go together.
    pub(super) fn delete_several(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            while self.counts_steps(i) && self.read_elements(i) && self.delete_some(i) {}
            i += 1;
        }
    }

    fn delete_some(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        (n <= MAX_PAIRED && self.delete_pair(i))
            || (n <= MAX_BALANCED_STEPS && self.delete_balanced(i))
            || (n <= MAX_PAIRED && self.delete_stretch(i))
            || (n <= MAX_PAIRED && self.delete_and_tell_apart(i))
            || (n <= MAX_PAIRED && self.replace_operations())
            || (n <= MAX_PAIRED && self.delete_and_move(i))
            || (n <= MAX_PAIRED && self.delete_and_count(i))
            || (n <= MAX_PAIRED && self.delete_and_count_alike(i))
            || (n <= MAX_PAIRED && self.delete_and_choose(i))
    }

    fn delete_pair(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        (0..n).any(|b| (0..b).any(|a| self.delete_both(i, a, b)))
    }

    fn delete_both(&mut self, i: usize, a: usize, b: usize) -> bool {
        let bench = &mut *self.bench;
        bench.doomed.clear();
        bench.doomed.resize(bench.units.len(), false);
        bench.doomed[a] = true;
        bench.doomed[b] = true;
        self.delete_doomed(i, None)
    }

    /// Deletes as many steps of one operation as of another, the first or the last of each.
    fn delete_balanced(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        let is_first_of_its_kind =
            |this: &Self, k: usize| (0..k).all(|j| this.operation(j) != this.operation(k));
        for b in 0..n {
            for a in 0..b {
                if !is_first_of_its_kind(self, a) || !is_first_of_its_kind(self, b) {
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

    /// Which operation a step is.
    fn operation(&self, step: usize) -> u64 {
        self.best()[self.bench.units[step].start].index
    }

    fn delete_of_kinds(&mut self, i: usize, kinds: [u64; 2], count: usize, from_the_end: bool) -> bool {
        let n = self.bench.units.len();
        self.bench.doomed.clear();
        self.bench.doomed.resize(n, false);
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
        self.delete_doomed(i, None)
    }

    fn delete_stretch(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        (3..n).any(|length| (0..=n - length).any(|from| self.delete_steps(i, from, from + length, None)))
    }

    fn delete_marked(&mut self, i: usize, number: Option<usize>) -> bool {
        let change = number.and_then(|at| Some((at, lower(&self.best()[at], 1)?)));
        self.edit_marked_out(i, change) && self.attempt()
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
        let mut n_gone = core::mem::take(&mut self.bench.positions);
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
        self.bench.positions = n_gone;
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

    /// Deletes a step and lowers a number drawn before the program, such as a capacity: each
    /// alone may not be possible.
    pub(super) fn delete_and_lower(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            if self.counts_steps(i) && matches!(self.best()[i].shape, Shape::Length { .. }) {
                for number in 0..i.min(MAX_NUMBERS) {
                    self.delete_and_lower_number(i, number);
                }
            }
            i += 1;
        }
    }

    fn delete_and_lower_number(&mut self, i: usize, number: usize) {
        let mut k = 0;
        while i < self.len()
            && self.best()[number].offset().is_some_and(|o| o.distance > 0)
            && self.read_elements(i)
            && k < self.bench.units.len().min(MAX_FINE)
        {
            if !self.delete_steps(i, k, k + 1, Some(number)) {
                k += 1;
            }
        }
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
fn renumber(record: &mut Recording, units: &[Unit], doomed: &[bool], n_gone: &mut Vec<usize>) {
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

/// The index of the number that is nearer to the simplest one by this much.
pub(super) fn lower(choice: &Choice, by: u64) -> Option<u64> {
    let offset = choice.offset()?;
    choice.index_at(Offset { distance: offset.distance.checked_sub(by)?, ..offset })
}
