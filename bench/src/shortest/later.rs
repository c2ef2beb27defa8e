//! Five more systems, written after the pass `shift`. The first result on them was published as it was; no
//! pass was changed for any of them.

use stairway::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A bitmap with a summary bit for each word of four; a word that becomes full by its last bit is not marked
/// so.
#[derive(Debug, Default)]
pub(super) struct Bitmap {
    bits: [bool; 12],
    is_full: [bool; 3],
}

impl Bitmap {
    fn take(&mut self) -> Option<u8> {
        let word = (0..3).find(|word| !self.is_full[*word])?;
        let free = (4 * word..4 * word + 4).find(|bit| !self.bits[*bit])?;
        self.bits[free] = true;
        self.is_full[word] = self.bits[4 * word..4 * word + 4].iter().all(|bit| *bit);
        Some(free as u8)
    }

    fn set(&mut self, bit: u8) {
        self.bits[usize::from(bit)] = true;
        let word = usize::from(bit / 4);
        self.is_full[word] = bit % 4 != 3 && self.bits[4 * word..4 * word + 4].iter().all(|bit| *bit);
    }

    fn clear(&mut self, bit: u8) {
        self.bits[usize::from(bit)] = false;
        self.is_full[usize::from(bit / 4)] = false;
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Bits(BTreeSet<u8>);

#[model(system = Bitmap)]
impl Bits {
    #[start]
    fn new() -> (Bits, Bitmap) {
        Default::default()
    }

    #[op]
    fn take(&mut self) -> Option<u8> {
        let free = (0..12).find(|bit| !self.0.contains(bit))?;
        self.0.insert(free);
        Some(free)
    }

    #[op]
    fn set(&mut self, #[from(0..12)] bit: u8) {
        self.0.insert(bit);
    }

    #[op]
    fn clear(&mut self, #[from(0..12)] bit: u8) {
        self.0.remove(&bit);
    }
}

/// A table in memory over sorted runs; two runs are merged into one when there are three, and what was
/// deleted in them comes back from the oldest.
#[derive(Debug, Default)]
pub(super) struct Merged {
    fresh: BTreeMap<u8, Option<u8>>,
    runs: Vec<BTreeMap<u8, Option<u8>>>,
}

impl Merged {
    fn put(&mut self, key: u8, value: u8) {
        self.fresh.insert(key, Some(value));
    }

    fn delete(&mut self, key: u8) {
        self.fresh.insert(key, None);
    }

    fn flush(&mut self) {
        self.runs.push(std::mem::take(&mut self.fresh));
        if self.runs.len() == 3
            && let (Some(newer), Some(older)) = (self.runs.pop(), self.runs.pop())
        {
            let merged = older.into_iter().chain(newer).collect::<BTreeMap<_, _>>();
            self.runs.push(merged.into_iter().filter(|(_, value)| value.is_some()).collect());
        }
    }

    fn get(&self, key: u8) -> Option<u8> {
        std::iter::once(&self.fresh)
            .chain(self.runs.iter().rev())
            .find_map(|run| run.get(&key))
            .copied()
            .flatten()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Table(BTreeMap<u8, u8>);

#[model(system = Merged)]
impl Table {
    #[start]
    fn new() -> (Table, Merged) {
        Default::default()
    }

    #[op]
    fn put(&mut self, #[from(0..6)] key: u8, #[from(0..10)] value: u8) {
        self.0.insert(key, value);
    }

    #[op]
    fn delete(&mut self, #[from(0..6)] key: u8) {
        self.0.remove(&key);
    }

    #[op]
    fn flush(&mut self) {}

    #[op]
    fn get(&self, #[from(0..6)] key: u8) -> Option<u8> {
        self.0.get(&key).copied()
    }
}

/// Text with a gap of four; if it is filled while the cursor is at the front, the text after it is lost.
#[derive(Debug, Default)]
pub(super) struct Gap {
    before: Vec<u8>,
    after: Vec<u8>,
    n_free: usize,
}

impl Gap {
    fn insert(&mut self, byte: u8) {
        if self.n_free == 0 {
            self.n_free = 4;
            if self.before.is_empty() && self.after.len() > 2 {
                self.after.truncate(2);
            }
        }
        self.n_free -= 1;
        self.before.push(byte);
    }

    fn left(&mut self, n: u8) {
        for _ in 0..n {
            self.after.extend(self.before.pop());
        }
    }

    fn right(&mut self, n: u8) {
        for _ in 0..n {
            self.before.extend(self.after.pop());
        }
    }

    fn text(&self) -> Vec<u8> {
        self.before.iter().chain(self.after.iter().rev()).copied().collect()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Typed {
    text: Vec<u8>,
    at: usize,
}

#[model(system = Gap)]
impl Typed {
    #[start]
    fn new() -> (Typed, Gap) {
        Default::default()
    }

    #[op(weight = 2)]
    fn insert(&mut self, byte: u8) {
        self.text.insert(self.at, byte);
        self.at += 1;
    }

    #[op]
    fn left(&mut self, #[from(0..6)] n: u8) {
        self.at = self.at.saturating_sub(n.into());
    }

    #[op]
    fn right(&mut self, #[from(0..6)] n: u8) {
        self.at = self.text.len().min(self.at + usize::from(n));
    }

    #[op]
    fn text(&self) -> Vec<u8> {
        self.text.clone()
    }
}

/// A queue by priority that forgets what was removed when it is popped; a key that is pushed again meanwhile
/// is forgotten too.
#[derive(Debug, Default)]
pub(super) struct Lazy {
    queue: BTreeSet<(u8, u8)>,
    removed: BTreeSet<u8>,
}

impl Lazy {
    fn push(&mut self, key: u8, priority: u8) {
        self.queue.retain(|(_, other)| *other != key || self.removed.contains(other));
        self.queue.insert((priority, key));
    }

    fn remove(&mut self, key: u8) -> bool {
        let is_there = self.queue.iter().any(|(_, other)| *other == key);
        is_there && self.removed.insert(key)
    }

    fn pop(&mut self) -> Option<u8> {
        while let Some((_, key)) = self.queue.pop_first() {
            if !self.removed.remove(&key) {
                return Some(key);
            }
        }
        None
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Soonest(BTreeMap<u8, u8>);

#[model(system = Lazy)]
impl Soonest {
    #[start]
    fn new() -> (Soonest, Lazy) {
        Default::default()
    }

    #[op]
    fn push(&mut self, #[from(0..8)] key: u8, #[from(0..20)] priority: u8) {
        self.0.insert(key, priority);
    }

    #[op]
    fn remove(&mut self, #[from(0..8)] key: u8) -> bool {
        self.0.remove(&key).is_some()
    }

    #[op]
    fn pop(&mut self) -> Option<u8> {
        let (_, key) = self.0.iter().map(|(key, priority)| (*priority, *key)).min()?;
        self.0.remove(&key);
        Some(key)
    }
}

/// Words of two letters by their first; when the third word with a letter goes, the count of that letter goes
/// down by two.
#[derive(Debug, Default)]
pub(super) struct Index {
    words: BTreeSet<(u8, u8)>,
    n_of: BTreeMap<u8, u32>,
}

impl Index {
    fn add(&mut self, first: u8, second: u8) {
        if self.words.insert((first, second)) {
            *self.n_of.entry(first).or_default() += 1;
        }
    }

    fn remove(&mut self, first: u8, second: u8) -> bool {
        let was_there = self.words.remove(&(first, second));
        if was_there && let Some(n) = self.n_of.get_mut(&first) {
            *n -= if *n == 3 { 2 } else { 1 };
        }
        was_there
    }

    fn count(&self, first: u8) -> u32 {
        self.n_of.get(&first).copied().unwrap_or(0)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Words(BTreeSet<(u8, u8)>);

#[model(system = Index)]
impl Words {
    #[start]
    fn new() -> (Words, Index) {
        Default::default()
    }

    #[op(weight = 2)]
    fn add(&mut self, #[from(0..4)] first: u8, #[from(0..6)] second: u8) {
        self.0.insert((first, second));
    }

    #[op]
    fn remove(&mut self, #[from(0..4)] first: u8, #[from(0..6)] second: u8) -> bool {
        self.0.remove(&(first, second))
    }

    #[op]
    fn count(&self, #[from(0..4)] first: u8) -> u32 {
        self.0.iter().filter(|(letter, _)| *letter == first).count() as u32
    }
}
