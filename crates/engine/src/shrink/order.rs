//! Sorting: neighbours of the same kind in order of simplicity.

use super::layout::{ROOT, Unit};
use super::{Shrinker, Workbench, is_simpler};
use crate::execute::Recording;
use core::mem::take;
use stairway_choice::Label;

/// Up to how many neighbours are compared one by one when sorting all at once does not work.
const MAX_SWAPS: usize = 64;

impl Shrinker<'_, '_> {
    /// Sorts the units of every span, as far as neighbours are alike.
    pub(super) fn order_all(&mut self) {
        self.order_inside(ROOT);
        let mut id = 0;
        while id < self.bench.best.spans.len() && !self.is_spent() {
            self.order_inside(id as u32);
            id += 1;
        }
    }

    fn order_inside(&mut self, span: u32) {
        let mut from = 0;
        // Steps refer to each other by number: their order is theirs.
        if span != ROOT && self.bench.best.spans.get(span as usize).is_some_and(|s| s.label == Label::Program)
        {
            return;
        }
        while self.read_units(span)
            && let Some((start, end)) = next_run(&self.bench.best, &self.bench.units, from)
        {
            self.order_run(span, start, end);
            from = end;
        }
    }

    /// Reads the units of `span` into `bench.units`; false if there is no such span any more.
    fn read_units(&mut self, span: u32) -> bool {
        let bench = &mut *self.bench;
        if span != ROOT && span as usize >= bench.best.spans.len() {
            return false;
        }
        bench.layout.units(&bench.best, span, 0, &mut bench.units);
        true
    }

    /// Sorts the units `start..end` of `span`: all at once, else by swapping neighbours.
    fn order_run(&mut self, span: u32, start: usize, end: usize) {
        if self.are_sorted(start, end) || self.sort(start, end) {
            return;
        }
        for k in start + 1..end.min(start + MAX_SWAPS) {
            let mut at = k;
            // Insertion: move unit `at` forward while that helps.
            while at > start && at < self.bench.units.len() && !self.is_spent() {
                if self.are_sorted(at - 1, at + 1) || !self.sort(at - 1, at + 1) || !self.read_units(span) {
                    break;
                }
                at -= 1;
            }
        }
    }

    fn are_sorted(&self, start: usize, end: usize) -> bool {
        self.bench.units[start..end].is_sorted_by(|a, b| compare(&self.bench.best, a, b).is_le())
    }

    /// Attempts the best record with the units `start..end` sorted.
    fn sort(&mut self, start: usize, end: usize) -> bool {
        let Workbench { best, units, more_units, .. } = &mut *self.bench;
        let (units, mut sorted) = (take(units), take(more_units));
        sorted.clear();
        sorted.extend_from_slice(&units[start..end]);
        // An unstable sort needs no memory; the place makes it stable.
        sorted.sort_unstable_by(|a, b| compare(best, a, b).then(a.start.cmp(&b.start)));
        let improved =
            self.attempt_edited(|record, editor| editor.arrange(record, &units[start..end], &sorted));
        sorted.clear();
        (self.bench.units, self.bench.more_units) = (units, sorted);
        improved
    }
}

/// The next two or more neighbouring units that are alike, from unit `from` on.
fn next_run(record: &Recording, units: &[Unit], from: usize) -> Option<(usize, usize)> {
    let mut start = from;
    while start < units.len() {
        let mut end = start + 1;
        while end < units.len() && are_alike(record, &units[start], &units[end]) {
            end += 1;
        }
        if end - start > 1 {
            return Some((start, end));
        }
        start = end;
    }
    None
}

fn are_alike(record: &Recording, a: &Unit, b: &Unit) -> bool {
    if a.span != ROOT && b.span != ROOT {
        return record.spans[a.span as usize].label == record.spans[b.span as usize].label;
    }
    a.span == b.span && record.choices[a.start].shape == record.choices[b.start].shape
}

fn compare(record: &Recording, a: &Unit, b: &Unit) -> core::cmp::Ordering {
    let (a, b) = (&record.choices[a.start..a.end], &record.choices[b.start..b.end]);
    if is_simpler(a, b) {
        core::cmp::Ordering::Less
    } else if is_simpler(b, a) {
        core::cmp::Ordering::Greater
    } else {
        core::cmp::Ordering::Equal
    }
}
