//! Ten systems more, written when the passes of shrinking had been left alone for two days. What they came to
//! when they were seen for the first time is published as it was; no pass was changed for any of them.

pub(super) mod peers;

use stairway::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Sets that are joined, with a way back; a union of what is joined already is taken back as if it had joined
/// something.
#[derive(Debug)]
pub(super) struct Forest {
    parent: [u8; 6],
    trail: Vec<u8>,
    marks: Vec<usize>,
    n_unions: usize,
}

impl Forest {
    fn find(&self, mut x: u8) -> u8 {
        while self.parent[usize::from(x)] != x {
            x = self.parent[usize::from(x)];
        }
        x
    }

    fn union(&mut self, a: u8, b: u8) {
        let (a, b) = (self.find(a), self.find(b));
        self.n_unions += 1;
        if a != b {
            self.parent[usize::from(a)] = b;
            self.trail.push(a);
        }
    }

    fn mark(&mut self) {
        self.marks.push(self.n_unions);
    }

    fn back(&mut self) -> bool {
        let Some(mark) = self.marks.pop() else { return false };
        for _ in mark..self.n_unions {
            if let Some(x) = self.trail.pop() {
                self.parent[usize::from(x)] = x;
            }
        }
        self.n_unions = mark;
        true
    }

    fn joined(&self, a: u8, b: u8) -> bool {
        self.find(a) == self.find(b)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Classes {
    of: [u8; 6],
    marks: Vec<[u8; 6]>,
}

#[model(system = Forest)]
impl Classes {
    #[start]
    fn new() -> (Classes, Forest) {
        let each = [0, 1, 2, 3, 4, 5];
        let forest = Forest { parent: each, trail: Vec::new(), marks: Vec::new(), n_unions: 0 };
        (Classes { of: each, marks: Vec::new() }, forest)
    }

    #[op(weight = 2)]
    fn union(&mut self, #[from(0..6)] a: u8, #[from(0..6)] b: u8) {
        let (a, b) = (self.of[usize::from(a)], self.of[usize::from(b)]);
        self.of.iter_mut().filter(|class| **class == a).for_each(|class| *class = b);
    }

    #[op]
    fn mark(&mut self) {
        self.marks.push(self.of);
    }

    #[op]
    fn back(&mut self) -> bool {
        self.marks.pop().is_some_and(|of| {
            self.of = of;
            true
        })
    }

    #[op]
    fn joined(&self, #[from(0..6)] a: u8, #[from(0..6)] b: u8) -> bool {
        self.of[usize::from(a)] == self.of[usize::from(b)]
    }
}

/// A wheel of four slots for timers; one of exactly two turns fires after one.
#[derive(Debug, Default)]
pub(super) struct Wheel {
    slots: [Vec<(u8, u8)>; 4],
    at: usize,
}

impl Wheel {
    fn schedule(&mut self, timer: u8, delay: u8) {
        self.cancel(timer);
        let turns = if delay == 8 && self.at > 0 { 0 } else { (delay - 1) / 4 };
        self.slots[(self.at + usize::from(delay)) % 4].push((timer, turns));
    }

    fn cancel(&mut self, timer: u8) {
        self.slots.iter_mut().for_each(|slot| slot.retain(|(other, _)| *other != timer));
    }

    fn tick(&mut self) -> Vec<u8> {
        self.at = (self.at + 1) % 4;
        let (due, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.slots[self.at]).into_iter().partition(|(_, turns)| *turns == 0);
        self.slots[self.at] = later.into_iter().map(|(timer, turns)| (timer, turns - 1)).collect();
        let mut due: Vec<u8> = due.into_iter().map(|(timer, _)| timer).collect();
        due.sort_unstable();
        due
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Timers(BTreeMap<u8, u8>);

#[model(system = Wheel)]
impl Timers {
    #[start]
    fn new() -> (Timers, Wheel) {
        Default::default()
    }

    #[op]
    fn schedule(&mut self, #[from(0..5)] timer: u8, #[from(1..=12)] delay: u8) {
        self.0.insert(timer, delay);
    }

    #[op]
    fn cancel(&mut self, #[from(0..5)] timer: u8) {
        self.0.remove(&timer);
    }

    #[op(weight = 3)]
    fn tick(&mut self) -> Vec<u8> {
        self.0.values_mut().for_each(|left| *left -= 1);
        let due: Vec<u8> = self.0.iter().filter(|(_, left)| **left == 0).map(|(timer, _)| *timer).collect();
        self.0.retain(|_, left| *left > 0);
        due
    }
}

/// Rights of users and of groups; who leaves a group loses a right of its own that the group has as well.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    own: BTreeSet<(u8, u8)>,
    of_groups: BTreeSet<(u8, u8)>,
    members: BTreeSet<(u8, u8)>,
}

impl Matrix {
    fn grant(&mut self, user: u8, right: u8) {
        self.own.insert((user, right));
    }

    fn allow(&mut self, group: u8, right: u8) {
        self.of_groups.insert((group, right));
    }

    fn join(&mut self, user: u8, group: u8) {
        self.members.insert((user, group));
    }

    fn leave(&mut self, user: u8, group: u8) {
        if self.members.remove(&(user, group)) {
            self.own.retain(|(who, right)| *who != user || !self.of_groups.contains(&(group, *right)));
        }
    }

    fn may(&self, user: u8, right: u8) -> bool {
        self.own.contains(&(user, right))
            || self.of_groups.iter().any(|(group, r)| *r == right && self.members.contains(&(user, *group)))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Rights {
    own: BTreeSet<(u8, u8)>,
    of_groups: BTreeSet<(u8, u8)>,
    members: BTreeSet<(u8, u8)>,
}

#[model(system = Matrix)]
impl Rights {
    #[start]
    fn new() -> (Rights, Matrix) {
        Default::default()
    }

    #[op]
    fn grant(&mut self, #[from(0..4)] user: u8, #[from(0..4)] right: u8) {
        self.own.insert((user, right));
    }

    #[op]
    fn allow(&mut self, #[from(0..3)] group: u8, #[from(0..4)] right: u8) {
        self.of_groups.insert((group, right));
    }

    #[op]
    fn join(&mut self, #[from(0..4)] user: u8, #[from(0..3)] group: u8) {
        self.members.insert((user, group));
    }

    #[op]
    fn leave(&mut self, #[from(0..4)] user: u8, #[from(0..3)] group: u8) {
        self.members.remove(&(user, group));
    }

    #[op]
    fn may(&self, #[from(0..4)] user: u8, #[from(0..4)] right: u8) -> bool {
        let groups = self.members.iter().filter(|(who, _)| *who == user);
        self.own.contains(&(user, right))
            || groups.into_iter().any(|(_, group)| self.of_groups.contains(&(*group, right)))
    }
}

/// A log of the last five entries with two readers; a reader that is exactly one entry behind what is dropped
/// misses one more.
#[derive(Debug, Default)]
pub(super) struct Circular {
    entries: VecDeque<u8>,
    n_dropped: usize,
    at: [usize; 2],
}

impl Circular {
    fn append(&mut self, entry: u8) {
        self.entries.push_back(entry);
        if self.entries.len() > 5 {
            self.entries.pop_front();
            self.n_dropped += 1;
        }
    }

    fn read(&mut self, reader: usize) -> Option<u8> {
        if self.at[reader] < self.n_dropped {
            let is_behind = self.n_dropped - self.at[reader] == 1;
            self.at[reader] = self.n_dropped + usize::from(is_behind);
        }
        let entry = self.entries.get(self.at[reader] - self.n_dropped).copied()?;
        self.at[reader] += 1;
        Some(entry)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Unread([VecDeque<u8>; 2]);

#[model(system = Circular)]
impl Unread {
    #[start]
    fn new() -> (Unread, Circular) {
        Default::default()
    }

    #[op(weight = 3)]
    fn append(&mut self, #[from(0..20)] entry: u8) {
        for unread in &mut self.0 {
            unread.push_back(entry);
            if unread.len() > 5 {
                unread.pop_front();
            }
        }
    }

    #[op]
    fn read(&mut self, #[from(0..2)] reader: usize) -> Option<u8> {
        self.0[reader].pop_front()
    }
}

/// Slots with generations; the generation of a slot that is freed while it is the last one stays as it is.
#[derive(Debug, Default)]
pub(super) struct Arena {
    slots: Vec<(u32, Option<u8>)>,
}

/// A slot and its generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot(usize, u32);

impl Arena {
    fn put(&mut self, value: u8) -> Slot {
        let free = self.slots.iter().position(|(_, value)| value.is_none());
        let at = free.unwrap_or_else(|| {
            self.slots.push((0, None));
            self.slots.len() - 1
        });
        self.slots[at].1 = Some(value);
        Slot(at, self.slots[at].0)
    }

    fn get(&self, slot: Slot) -> Option<u8> {
        self.slots.get(slot.0).filter(|(generation, _)| *generation == slot.1)?.1
    }

    fn free(&mut self, slot: Slot) -> Option<u8> {
        let value = self.get(slot)?;
        let is_last = slot.0 > 0 && slot.0 + 1 == self.slots.len();
        self.slots[slot.0] = (slot.1 + u32::from(!is_last), None);
        Some(value)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Values(BTreeMap<Ref<Slot>, u8>);

#[model(system = Arena)]
impl Values {
    #[start]
    fn new() -> (Values, Arena) {
        Default::default()
    }

    #[op]
    fn put(&mut self, #[from(0..20)] value: u8, #[result] slot: Ref<Slot>) {
        self.0.insert(slot, value);
    }

    #[op]
    fn get(&self, slot: Ref<Slot>) -> Option<u8> {
        self.0.get(&slot).copied()
    }

    #[op]
    fn free(&mut self, slot: Ref<Slot>) -> Option<u8> {
        self.0.remove(&slot)
    }
}

/// Orders that wait for a counterpart; a sale that uses up two of them at once leaves the second.
#[derive(Debug, Default)]
pub(super) struct OrderBook {
    /// Price, then how long it has waited.
    bids: Vec<(u32, u32)>,
}

impl OrderBook {
    fn bid(&mut self, price: u32, quantity: u32) {
        let at = self.bids.iter().position(|(other, _)| *other < price).unwrap_or(self.bids.len());
        self.bids.insert(at, (price, quantity));
    }

    fn sell(&mut self, price: u32, quantity: u32) -> u32 {
        let (mut left, mut n_used) = (quantity, 0);
        for (other, waiting) in &mut self.bids {
            if *other < price || left == 0 {
                break;
            }
            let filled = left.min(*waiting);
            left -= filled;
            if n_used < 1 || filled < *waiting {
                *waiting -= filled;
            }
            n_used += 1;
        }
        self.bids.retain(|(_, waiting)| *waiting > 0);
        quantity - left
    }

    fn best(&self) -> Option<(u32, u32)> {
        self.bids.first().copied()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Bids(BTreeMap<u32, VecDeque<u32>>);

#[model(system = OrderBook)]
impl Bids {
    #[start]
    fn new() -> (Bids, OrderBook) {
        Default::default()
    }

    #[op]
    fn bid(&mut self, #[from(1..10)] price: u32, #[from(1..20)] quantity: u32) {
        self.0.entry(price).or_default().push_back(quantity);
    }

    #[op]
    fn sell(&mut self, #[from(1..10)] price: u32, #[from(1..30)] quantity: u32) -> u32 {
        let mut left = quantity;
        for (_, waiting) in self.0.range_mut(price..).rev() {
            while let Some(first) = waiting.front_mut()
                && left > 0
            {
                let filled = left.min(*first);
                *first -= filled;
                left -= filled;
                if *first == 0 {
                    waiting.pop_front();
                }
            }
        }
        self.0.retain(|_, waiting| !waiting.is_empty());
        quantity - left
    }

    #[op]
    fn best(&self) -> Option<(u32, u32)> {
        let (price, waiting) = self.0.last_key_value()?;
        Some((*price, *waiting.front()?))
    }
}

/// Words by their letters, with the number of words below each node; removing a word that is the beginning of
/// another one counts it off at its own node only.
#[derive(Debug, Default)]
pub(super) struct Trie {
    n_words: BTreeMap<String, usize>,
    words: BTreeSet<String>,
}

impl Trie {
    fn insert(&mut self, word: &str) {
        if self.words.insert(word.to_string()) {
            for end in 0..=word.len() {
                *self.n_words.entry(word[..end].to_string()).or_default() += 1;
            }
        }
    }

    fn remove(&mut self, word: &str) -> bool {
        if !self.words.remove(word) {
            return false;
        }
        let is_beginning = self.n_words.get(word).is_some_and(|n| *n > 1);
        let first = if is_beginning { word.len() } else { 0 };
        for end in first..=word.len() {
            *self.n_words.entry(word[..end].to_string()).or_default() -= 1;
        }
        true
    }

    fn count(&self, beginning: &str) -> usize {
        self.n_words.get(beginning).copied().unwrap_or(0)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary(BTreeSet<String>);

#[model(system = Trie)]
impl Vocabulary {
    #[start]
    fn new() -> (Vocabulary, Trie) {
        Default::default()
    }

    #[op]
    fn insert(&mut self, #[from(string_of('a'..='c', 1..=4))] word: String) {
        self.0.insert(word);
    }

    #[op]
    fn remove(&mut self, #[from(string_of('a'..='c', 1..=4))] word: String) -> bool {
        self.0.remove(&word)
    }

    #[op]
    fn count(&self, #[from(string_of('a'..='c', 0..=3))] beginning: String) -> usize {
        self.0.iter().filter(|word| word.starts_with(&beginning)).count()
    }
}

/// Tasks that take turns; one that is woken while it is the last to have run goes to the front.
#[derive(Debug, Default)]
pub(super) struct RunQueue {
    ready: VecDeque<u8>,
    blocked: BTreeSet<u8>,
    latest: Option<u8>,
}

impl RunQueue {
    fn spawn(&mut self, task: u8) {
        if !self.ready.contains(&task) && !self.blocked.contains(&task) {
            self.ready.push_back(task);
        }
    }

    fn next(&mut self) -> Option<u8> {
        let task = self.ready.pop_front()?;
        self.ready.push_back(task);
        self.latest = Some(task);
        Some(task)
    }

    fn block(&mut self, task: u8) {
        if let Some(at) = self.ready.iter().position(|other| *other == task) {
            self.ready.remove(at);
            self.blocked.insert(task);
        }
    }

    fn wake(&mut self, task: u8) {
        if self.blocked.remove(&task) {
            if self.latest == Some(task) {
                self.ready.push_front(task);
            } else {
                self.ready.push_back(task);
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    ready: Vec<u8>,
    blocked: BTreeSet<u8>,
}

#[model(system = RunQueue)]
impl Turns {
    #[start]
    fn new() -> (Turns, RunQueue) {
        Default::default()
    }

    #[op]
    fn spawn(&mut self, #[from(0..6)] task: u8) {
        if !self.ready.contains(&task) && !self.blocked.contains(&task) {
            self.ready.push(task);
        }
    }

    #[op]
    fn next(&mut self) -> Option<u8> {
        (!self.ready.is_empty()).then(|| {
            self.ready.rotate_left(1);
            self.ready[self.ready.len() - 1]
        })
    }

    #[op]
    fn block(&mut self, #[from(0..6)] task: u8) {
        if self.ready.contains(&task) {
            self.ready.retain(|other| *other != task);
            self.blocked.insert(task);
        }
    }

    #[op]
    fn wake(&mut self, #[from(0..6)] task: u8) {
        if self.blocked.remove(&task) {
            self.ready.push(task);
        }
    }
}

/// Folders with the sizes of all that is below them; what is moved is added to the new parent, but not to what
/// is above that.
#[derive(Debug)]
pub(super) struct Folders {
    parent: [Option<usize>; 6],
    size: [u32; 6],
}

impl Folders {
    fn add(&mut self, from: Option<usize>, amount: u32) {
        let mut at = from;
        while let Some(folder) = at {
            self.size[folder] += amount;
            at = self.parent[folder];
        }
    }

    fn write(&mut self, folder: usize, amount: u32) {
        self.add(Some(folder), amount);
    }

    fn move_to(&mut self, folder: usize, to: usize) -> bool {
        let mut at = Some(to);
        while let Some(above) = at {
            if above == folder {
                return false;
            }
            at = self.parent[above];
        }
        let (size, mut at) = (self.size[folder], self.parent[folder]);
        while let Some(above) = at {
            self.size[above] -= size;
            at = self.parent[above];
        }
        self.parent[folder] = Some(to);
        self.size[to] += size;
        if self.parent[to].is_some_and(|above| self.parent[above].is_none()) {
            self.add(self.parent[to], size);
        }
        true
    }

    fn size(&self, folder: usize) -> u32 {
        self.size[folder]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Sizes {
    parent: [Option<usize>; 6],
    own: [u32; 6],
}

impl Sizes {
    fn is_below(&self, folder: usize, above: usize) -> bool {
        folder == above || self.parent[folder].is_some_and(|parent| self.is_below(parent, above))
    }
}

#[model(system = Folders)]
impl Sizes {
    #[start]
    fn new() -> (Sizes, Folders) {
        (Sizes { parent: [None; 6], own: [0; 6] }, Folders { parent: [None; 6], size: [0; 6] })
    }

    #[op]
    fn write(&mut self, #[from(0..6)] folder: usize, #[from(1..9)] amount: u32) {
        self.own[folder] += amount;
    }

    #[op]
    fn move_to(&mut self, #[from(0..6)] folder: usize, #[from(0..6)] to: usize) -> bool {
        let may = !self.is_below(to, folder);
        if may {
            self.parent[folder] = Some(to);
        }
        may
    }

    #[op]
    fn size(&self, #[from(0..6)] folder: usize) -> u32 {
        (0..6).filter(|other| self.is_below(*other, folder)).map(|other| self.own[other]).sum()
    }
}

/// Marks in a text that move with it; one inside a stretch that is cut goes to its beginning, unless the stretch
/// reaches to the end of the text.
#[derive(Debug, Default)]
pub(super) struct Marks {
    len: usize,
    at: BTreeMap<u8, usize>,
}

impl Marks {
    fn type_at(&mut self, at: usize, n: usize) {
        let from = at.min(self.len);
        self.len += n;
        self.at.values_mut().filter(|at| **at >= from).for_each(|at| *at += n);
    }

    fn mark(&mut self, name: u8, at: usize) {
        self.at.insert(name, at.min(self.len));
    }

    fn cut(&mut self, at: usize, n: usize) -> usize {
        let from = at.min(self.len);
        let to = (from + n).min(self.len);
        let reaches_end = to == self.len && n > 2;
        for at in self.at.values_mut() {
            if *at >= to && !(reaches_end && *at == to) {
                *at -= to - from;
            } else if *at > from {
                *at = if reaches_end { (from + 1).min(self.len) } else { from };
            }
        }
        self.len -= to - from;
        to - from
    }

    fn place(&self, name: u8) -> Option<usize> {
        self.at.get(&name).copied()
    }
}

/// Each mark stands before a letter, or at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Letters {
    marks: Vec<Vec<u8>>,
}

impl Letters {
    fn slots(&mut self) -> &mut Vec<Vec<u8>> {
        if self.marks.is_empty() {
            self.marks.push(Vec::new());
        }
        &mut self.marks
    }
}

#[model(system = Marks)]
impl Letters {
    #[start]
    fn new() -> (Letters, Marks) {
        Default::default()
    }

    #[op]
    fn type_at(&mut self, #[from(0..10)] at: usize, #[from(1..5)] n: usize) {
        let slots = self.slots();
        let at = at.min(slots.len() - 1);
        slots.splice(at..at, std::iter::repeat_n(Vec::new(), n));
    }

    #[op]
    fn mark(&mut self, #[from(0..3)] name: u8, #[from(0..10)] at: usize) {
        let slots = self.slots();
        slots.iter_mut().for_each(|slot| slot.retain(|other| *other != name));
        let at = at.min(slots.len() - 1);
        slots[at].push(name);
    }

    #[op]
    fn cut(&mut self, #[from(0..10)] at: usize, #[from(0..6)] n: usize) -> usize {
        let slots = self.slots();
        let at = at.min(slots.len() - 1);
        let n = n.min(slots.len() - 1 - at);
        let lost: Vec<u8> = slots.drain(at..at + n).flatten().collect();
        slots[at].extend(lost);
        n
    }

    #[op]
    fn place(&self, #[from(0..3)] name: u8) -> Option<usize> {
        self.marks.iter().position(|slot| slot.contains(&name))
    }
}
