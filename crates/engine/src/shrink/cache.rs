//! Which records have been tried: a table of fixed size that forgets on collision.
//!
//! Knows hashes only, so its memory is bounded; a forgotten entry costs one more run, never a
//! wrong answer (two records sharing a 64-bit hash aside).

use crate::execute::Recording;
use alloc::vec::Vec;
use stairway_choice::mix;

#[derive(Debug)]
pub(super) struct Cache {
    /// Empty until the first failure: most runs have none.
    slots: Vec<(u64, CachedRun)>,
    n_slots: usize,
}

/// What is known of a record that was tried.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CachedRun {
    /// How many choices its run drew.
    pub(super) used: u32,
    /// Whether the run came to its end, and to another one than the failure.
    pub(super) is_another_end: bool,
}

impl Cache {
    /// A table of at least `n` slots, with its memory reserved.
    pub(super) fn with_room(n: usize) -> Self {
        let n_slots = n_slots(n);
        Cache { slots: Vec::with_capacity(n_slots), n_slots }
    }

    /// A table of at least `n` slots that takes its memory when it is first needed.
    pub(super) const fn of(n: usize) -> Self {
        Cache { slots: Vec::new(), n_slots: n_slots(n) }
    }

    /// How many bytes [`Cache::with_room`] takes.
    pub(super) const fn bytes(n: usize) -> usize {
        size_of::<(u64, CachedRun)>() * n_slots(n)
    }

    pub(super) const N_PIECES: usize = 1;

    /// Forgets everything; to be called before anything else.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(self.n_slots, (0, CachedRun::default()));
    }

    pub(super) fn get(&self, record: &Recording) -> Option<CachedRun> {
        let key = hash(record);
        let (stored, known) = self.slots[self.slot(key)];
        (stored == key).then_some(known)
    }

    pub(super) fn put(&mut self, record: &Recording, known: CachedRun) {
        let key = hash(record);
        let slot = self.slot(key);
        self.slots[slot] = (key, known);
    }

    const fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}

const fn n_slots(n: usize) -> usize {
    let n = n.next_power_of_two();
    if n > 16 { n } else { 16 }
}

/// A hash of the indices and of where spans lie; never 0, which marks an empty slot.
fn hash(record: &Recording) -> u64 {
    let fold = |h: u64, word: u64| mix(h.rotate_left(5) ^ word).wrapping_add(1);
    let words = record.choices.iter().map(|c| c.index);
    let bounds = record.spans.iter().map(|s| (u64::from(s.start) << 32) | u64::from(s.end));
    words.chain(bounds).fold(record.choices.len() as u64, fold) | 1
}
