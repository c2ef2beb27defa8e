//! Passes that make a record shorter.

use super::layout::{ROOT, Unit};
use super::lower::lowered;
use super::{Shrinker, Workbench};
use stairway_choice::{Choice, Label, Shape, Value};

/// Up to how many elements a collection is tried element by element in the dearer passes.
const MAX_FINE: usize = 64;
/// How many descendants of a span are tried in its place.
const MAX_DESCENDANTS: usize = 12;

impl Shrinker<'_, '_> {
    /// Removes everything that filters rejected, in one go.
    pub(super) fn remove_rejected(&mut self) {
        self.delete_refused();
        let Workbench { best, units, .. } = &mut *self.bench;
        units.clear();
        let mut end = 0;
        // A rejected span within another one goes with it.
        for (id, span) in best.spans.iter().enumerate() {
            if span.rejected && span.end > span.start && span.start >= end {
                end = span.end;
                units.push(Unit { start: span.start as usize, end: end as usize, span: id as u32 });
            }
        }
        if !units.is_empty() {
            let rejected = core::mem::take(units);
            self.attempt_edited(|record, editor| {
                editor.delete_all(record, rejected.iter().map(|unit| unit.start..unit.end));
            });
            self.bench.units = rejected;
        }
    }

    /// Deletes elements of every collection: as many as possible at once, then fewer.
    pub(super) fn shorten_all(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            if self.read_elements(i) {
                self.delete_operations(i);
                self.delete_chunks(i, Elements::Units);
            }
            i += 1;
        }
    }

    /// Lowers numbers that turn out to count what follows, while deleting from anywhere in it.
    ///
    /// A number counts something if lowering it by one makes the case draw fewer choices; the
    /// difference is the size of what it counts.
    pub(super) fn delete_counted(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            if let Some(lower) = lowered(&self.best()[i], 1) {
                let before = self.len();
                let improved = self.attempt_with(|c| c[i].index = lower);
                let stride = before.saturating_sub(self.known.used as usize);
                if !improved && stride > 0 {
                    self.delete_chunks(i, Elements::Stride(stride));
                }
            }
            i += 1;
        }
    }

    /// Deletes chunks of elements, halving the chunk size from "all" to one. The count in
    /// choice `i` goes down with every element deleted.
    fn delete_chunks(&mut self, i: usize, elements: Elements) {
        let mut chunk = usize::MAX;
        loop {
            let Some((mut n, removable)) = self.count_elements(i, elements) else { return };
            chunk = chunk.min(removable);
            if chunk == 0 {
                return;
            }
            let mut end = n;
            while end >= chunk && !self.is_spent() {
                if self.delete_elements(i, elements, end - chunk, end) {
                    let Some((left, removable)) = self.count_elements(i, elements) else { return };
                    chunk = chunk.min(removable);
                    if chunk == 0 {
                        return;
                    }
                    n = left;
                    end = (end - chunk.min(end)).min(n);
                } else {
                    end -= chunk;
                }
            }
            if chunk == 1 {
                return;
            }
            chunk /= 2;
        }
    }

    /// How many elements choice `i` counts at the moment, and how many of them may go.
    fn count_elements(&mut self, i: usize, elements: Elements) -> Option<(usize, usize)> {
        let choice = *self.best().get(i)?;
        match elements {
            Elements::Units => {
                if !self.read_elements(i) {
                    return None;
                }
                let n = self.bench.units.len();
                Some((n, n.min(choice.index as usize)))
            }
            Elements::Stride(stride) => {
                let n = self.len().checked_sub(i + 1)? / stride;
                let distance = usize::try_from(choice.offset()?.distance).unwrap_or(usize::MAX);
                Some((n, n.min(distance)))
            }
        }
    }

    fn delete_elements(&mut self, i: usize, elements: Elements, from: usize, to: usize) -> bool {
        if matches!(elements, Elements::Units) && self.counts_steps(i) {
            return self.delete_steps(i, from..to);
        }
        let (start, end) = match elements {
            Elements::Units => (self.bench.units[from].start, self.bench.units[to - 1].end),
            Elements::Stride(stride) => (i + 1 + from * stride, i + 1 + to * stride),
        };
        let n = (to - from) as u64;
        self.attempt_edited(|record, editor| {
            record.choices[i].index = lowered_by(&record.choices[i], n);
            editor.delete(record, start, end);
        })
    }

    /// Reads the elements of the collection whose length is choice `i` into `bench.units`;
    /// false if it is no length or its elements cannot be told apart.
    pub(super) fn read_elements(&mut self, i: usize) -> bool {
        let Some(Choice { index, shape: Shape::Length { min, .. } }) = self.best().get(i).copied() else {
            return false;
        };
        let bench = &mut *self.bench;
        bench.layout.units(&bench.best, bench.layout.owner(i), i + 1, &mut bench.units);
        let n = usize::try_from(min + index).unwrap_or(usize::MAX);
        let n_read = bench.units.len();
        bench.units.truncate(n);
        // A program may have ended before its length.
        n_read >= n || self.counts_steps(i)
    }

    /// Puts a part of a recursive value in the place of the whole.
    pub(super) fn replace_by_subtrees(&mut self) {
        let mut id = 0;
        while id < self.bench.best.spans.len() && !self.is_spent() {
            if !self.replace_by_subtree(id) {
                id += 1;
            }
        }
    }

    fn replace_by_subtree(&mut self, id: usize) -> bool {
        let whole = self.bench.best.spans[id];
        let mut tried = 0;
        for part_id in self.bench.layout.inside(id as u32) {
            let part = self.bench.best.spans[part_id];
            let smaller = part.end - part.start < whole.end - whole.start;
            if part.label != whole.label || !smaller || part.start == part.end {
                continue;
            }
            if self.attempt_edited(|record, editor| editor.lift(record, id, part_id)) {
                return true;
            }
            tried += 1;
            if tried == MAX_DESCENDANTS {
                break;
            }
        }
        false
    }

    /// Merges neighbouring collections within a collection: `[[a], [b]]` becomes `[[a, b]]`.
    pub(super) fn join_all(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            let mut k = 1;
            while self.best()[i].index > 0
                && self.read_elements(i)
                && k < self.bench.units.len().min(MAX_FINE)
            {
                let pair = (self.bench.units[k - 1], self.bench.units[k]);
                if !self.join(i, pair.0, pair.1) {
                    k += 1;
                }
            }
            i += 1;
        }
    }

    fn join(&mut self, outer: usize, first: Unit, second: Unit) -> bool {
        let (a, b) = (self.best()[first.start], self.best()[second.start]);
        let (Shape::Length { .. }, Value::Length(n)) = (a.shape, b.value()) else { return false };
        if first.span == ROOT || second.span == ROOT {
            return false;
        }
        let joined = a.index.saturating_add(n);
        if joined > a.shape.largest_index() {
            return false;
        }
        self.attempt_edited(|record, editor| {
            record.choices[outer].index -= 1;
            record.choices[first.start].index = joined;
            editor.merge(record, first.span as usize, second.span as usize);
            editor.delete(record, second.start, second.start + 1);
        })
    }

    /// Deletes one or two neighbouring units anywhere: what a loop over a drawn flag repeats, or
    /// an element of something that draws no length.
    pub(super) fn drop_all(&mut self) {
        let mut id = 0;
        while id <= self.bench.best.spans.len() && !self.is_spent() {
            let span = if id == 0 { ROOT } else { id as u32 - 1 };
            let mut k = 0;
            while self.read_droppable(span) && k < self.bench.units.len().min(MAX_FINE) {
                if !self.drop_units(k, k + 1) && !self.drop_units(k, k + 2) {
                    k += 1;
                }
            }
            id += 1;
        }
    }

    /// Reads the units of a span that no length counts; false if there is nothing to drop.
    fn read_droppable(&mut self, span: u32) -> bool {
        let bench = &mut *self.bench;
        if span != ROOT && span as usize >= bench.best.spans.len() {
            return false;
        }
        if span != ROOT && bench.best.spans[span as usize].label == Label::Step {
            return false;
        }
        bench.layout.units(&bench.best, span, 0, &mut bench.units);
        let is_length =
            |u: &Unit| u.span == ROOT && matches!(bench.best.choices[u.start].shape, Shape::Length { .. });
        bench.units.len() > 1 && !bench.units.iter().any(is_length)
    }

    fn drop_units(&mut self, from: usize, to: usize) -> bool {
        let units = &self.bench.units;
        if to > units.len() {
            return false;
        }
        let (start, end) = (units[from].start, units[to - 1].end);
        self.attempt_edited(|record, editor| editor.delete(record, start, end))
    }

    /// Deletes an element and lowers by one the numbers that are positions behind it, taking
    /// the numbers outside the collection, inside it, or all of them to be positions.
    pub(super) fn renumber_all(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            let mut k = 0;
            while self.best()[i].index > 0
                && self.read_elements(i)
                && !self.counts_steps(i)
                && k < self.bench.units.len().min(MAX_FINE)
            {
                if !self.delete_and_renumber(i, k) {
                    k += 1;
                }
            }
            i += 1;
        }
    }

    fn delete_and_renumber(&mut self, i: usize, k: usize) -> bool {
        let (gone, last) = (self.bench.units[k], self.bench.units[self.bench.units.len() - 1]);
        let collection = i..last.end;
        let scopes: [fn(bool) -> bool; 3] = [|inside| !inside, |inside| inside, |_| true];
        scopes.into_iter().any(|in_scope| {
            self.attempt_edited(|record, editor| {
                for (at, choice) in record.choices.iter_mut().enumerate() {
                    if in_scope(collection.contains(&at)) {
                        lower_position(choice, k);
                    }
                }
                record.choices[i].index -= 1;
                editor.delete(record, gone.start, gone.end);
            })
        })
    }
}

/// What a count counts: the units of its span, or stretches of equally many choices.
#[derive(Clone, Copy)]
enum Elements {
    Units,
    Stride(usize),
}

/// The index after taking `n` away from a count.
fn lowered_by(choice: &Choice, n: u64) -> u64 {
    match choice.offset() {
        Some(_) => lowered(choice, n).unwrap_or(0),
        None => choice.index.saturating_sub(n),
    }
}

/// Lowers an integer that is larger than `k` by one, if its bounds allow it.
fn lower_position(choice: &mut Choice, k: usize) {
    if let Value::Integer(v) = choice.value()
        && v > k as i128
        && let Some(index) = choice.shape.index_of(&Value::Integer(v - 1))
    {
        choice.index = index;
    }
}
