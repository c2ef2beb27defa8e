//! Makes equal collections simpler together: a key that is put in and asked for again has to change in both
//! places at once, or the failure is gone.

use super::Shrinker;
use core::ops::Range;
use stairway_choice::{Choice, Shape};

impl Shrinker<'_, '_> {
    /// Deletes the same elements from equal collections, and lowers the same choices in them.
    pub(super) fn simplify_alike(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            self.shorten_alike(i);
            self.lower_alike(i);
            i += 1;
        }
    }

    /// Deletes chunks of elements from all collections that equal the one at `i`, from "all" to one.
    fn shorten_alike(&mut self, i: usize) {
        let mut chunk = usize::MAX;
        while let Some(n) = self.read_alike(i) {
            chunk = chunk.min(n).min(self.best()[i].index as usize);
            if chunk == 0 {
                return;
            }
            let mut end = n;
            while end >= chunk && !self.is_spent() {
                if self.delete_alike(i, end - chunk..end) {
                    let Some(left) = self.read_alike(i) else { return };
                    chunk = chunk.min(self.best()[i].index as usize).max(1);
                    end = (end - chunk.min(end)).min(left);
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

    /// Deletes some elements of the collection at `i`, and the same of those that equal it.
    fn delete_alike(&mut self, i: usize, elements: Range<usize>) -> bool {
        let n = elements.len() as u64;
        if self.best()[i].index < n {
            return false;
        }
        let units = &self.bench.units[elements];
        let (Some(first), Some(last)) = (units.first(), units.last()) else { return false };
        let gone = first.start - i..last.end - i;
        let places = core::mem::take(&mut self.bench.buffers.indices);
        let is_simpler = self.attempt_edited(|record, editor| {
            for &at in &places {
                record.choices[at].index -= n;
            }
            editor.delete_all(record, places.iter().map(|&at| at + gone.start..at + gone.end));
        });
        self.bench.buffers.indices = places;
        is_simpler
    }

    /// Lowers each choice of the collection at `i` together with those in its place elsewhere.
    fn lower_alike(&mut self, i: usize) {
        let mut within = 1;
        while let Some(n) = self.read_alike(i)
            && within < self.bench.units[n - 1].end - i
            && !self.is_spent()
        {
            let mut places = core::mem::take(&mut self.bench.buffers.indices);
            places.iter_mut().for_each(|at| *at += within);
            self.lower_places(&places);
            self.bench.buffers.indices = places;
            within += 1;
        }
    }

    /// Finds the collections that equal the one whose length is choice `i`: their places go into
    /// `buffers.indices`, the elements of the first into `bench.units`. How many elements they have; none if
    /// there is only one such collection, or nothing in it.
    fn read_alike(&mut self, i: usize) -> Option<usize> {
        let is_counted = self.read_elements(i) && !self.counts_steps(i);
        let end = self.bench.units.last().filter(|_| is_counted)?.end;
        let choices = &self.bench.best.choices;
        let (collection, mut places) = (&choices[i..end], core::mem::take(&mut self.bench.buffers.indices));
        places.clear();
        places.push(i);
        let mut at = end;
        while at + collection.len() <= choices.len() {
            if are_equal(collection, &choices[at..at + collection.len()]) {
                places.push(at);
                at += collection.len();
            } else {
                at += 1;
            }
        }
        let is_repeated = places.len() > 1;
        self.bench.buffers.indices = places;
        is_repeated.then_some(self.bench.units.len())
    }
}

/// Whether two stretches of a record are collections with the same elements.
fn are_equal(one: &[Choice], other: &[Choice]) -> bool {
    let is_alike = |(a, b): (&Choice, &Choice)| {
        a.index == b.index && core::mem::discriminant(&a.shape) == core::mem::discriminant(&b.shape)
    };
    matches!(other[0].shape, Shape::Length { .. }) && one.iter().zip(other).all(is_alike)
}
