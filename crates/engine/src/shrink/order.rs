//! Sorting: neighbours of the same kind in order of simplicity.

use super::layout::{ROOT, Unit};
use super::{Shrinker, is_simpler};
use crate::execute::Recording;
use alloc::vec::Vec;

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
        loop {
            let mut units = Vec::new();
            if span != ROOT && span as usize >= self.bench.best.spans.len() {
                return;
            }
            self.bench.layout.units(&self.bench.best, span, 0, &mut units);
            let Some((start, end)) = next_run(&self.bench.best, &units, from) else { return };
            self.order_run(span, start, end);
            from = end;
        }
    }

    /// Sorts the units `start..end` of `span`: all at once, else by swapping neighbours.
    fn order_run(&mut self, span: u32, start: usize, end: usize) {
        let mut units = Vec::new();
        self.bench.layout.units(&self.bench.best, span, 0, &mut units);
        if is_sorted(&self.bench.best, &units[start..end]) || self.sort(&units[start..end]) {
            return;
        }
        for k in start + 1..end.min(start + MAX_SWAPS) {
            let mut at = k;
            // Insertion: move unit `at` forward while that helps.
            while at > start && at < units.len() && !self.is_spent() {
                if is_sorted(&self.bench.best, &units[at - 1..=at]) || !self.sort(&units[at - 1..=at]) {
                    break;
                }
                self.bench.layout.units(&self.bench.best, span, 0, &mut units);
                at -= 1;
            }
        }
    }

    /// Attempts the best record with these neighbouring units sorted.
    fn sort(&mut self, units: &[Unit]) -> bool {
        let best = &self.bench.best;
        let mut sorted = units.to_vec();
        sorted.sort_by(|a, b| compare(best, a, b));
        self.attempt_edited(|record, editor| editor.arrange(record, units, &sorted))
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

fn is_sorted(record: &Recording, units: &[Unit]) -> bool {
    units.is_sorted_by(|a, b| compare(record, a, b).is_le())
}
