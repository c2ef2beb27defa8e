//! Ten systems with a planted bug each, on which the passes of shrinking were worked out. The systems are
//! what people write; nothing in them knows of shrinking.

use stairway::prelude::*;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

/// Keys by level; a key of the upper level that is removed stays in it.
#[derive(Debug, Default)]
pub(super) struct SkipList {
    base: BTreeSet<u8>,
    express: BTreeSet<u8>,
}

impl SkipList {
    fn insert(&mut self, key: u8) -> bool {
        if key.is_multiple_of(4) {
            self.express.insert(key);
        }
        self.base.insert(key)
    }

    fn remove(&mut self, key: u8) -> bool {
        if self.base.len() < 4 {
            self.express.remove(&key);
        }
        self.base.remove(&key)
    }

    fn contains(&self, key: u8) -> bool {
        self.express.contains(&key) || self.base.contains(&key)
    }

    fn first(&self) -> Option<u8> {
        self.base.first().copied()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Keys(BTreeSet<u8>);

#[model(system = SkipList)]
impl Keys {
    #[start]
    fn new() -> (Keys, SkipList) {
        Default::default()
    }

    #[op]
    fn insert(&mut self, #[from(0..64)] key: u8) -> bool {
        self.0.insert(key)
    }

    #[op]
    fn remove(&mut self, #[from(0..64)] key: u8) -> bool {
        self.0.remove(&key)
    }

    #[op]
    fn contains(&self, #[from(0..64)] key: u8) -> bool {
        self.0.contains(&key)
    }

    #[op]
    fn first(&self) -> Option<u8> {
        self.0.first().copied()
    }
}

/// A cache that forgets to move a key to the front when it is written again.
#[derive(Debug)]
pub(super) struct Lru {
    order: VecDeque<(u8, u16)>,
    capacity: usize,
}

impl Lru {
    fn get(&mut self, key: u8) -> Option<u16> {
        let at = self.order.iter().position(|(k, _)| *k == key)?;
        let entry = self.order.remove(at)?;
        self.order.push_front(entry);
        Some(entry.1)
    }

    fn put(&mut self, key: u8, value: u16) {
        if let Some(entry) = self.order.iter_mut().find(|(k, _)| *k == key) {
            entry.1 = value;
            return;
        }
        self.order.push_front((key, value));
        self.order.truncate(self.capacity);
    }

    fn len(&self) -> usize {
        self.order.len()
    }
}

#[derive(Clone, Debug)]
pub(super) struct Recent {
    entries: Vec<(u8, u16)>,
    capacity: usize,
}

#[model(system = Lru)]
impl Recent {
    #[start]
    fn new(#[from(2..5)] capacity: usize) -> (Recent, Lru) {
        (Recent { entries: Vec::new(), capacity }, Lru { order: VecDeque::new(), capacity })
    }

    #[op]
    fn get(&mut self, #[from(0..10)] key: u8) -> Option<u16> {
        let at = self.entries.iter().position(|(k, _)| *k == key)?;
        let entry = self.entries.remove(at);
        self.entries.insert(0, entry);
        Some(entry.1)
    }

    #[op]
    fn put(&mut self, #[from(0..10)] key: u8, value: u16) {
        self.entries.retain(|(k, _)| *k != key);
        self.entries.insert(0, (key, value));
        self.entries.truncate(self.capacity);
    }

    #[op]
    fn len(&self) -> usize {
        self.entries.len()
    }
}

/// Disjoint intervals; one that is added does not swallow more than one neighbour.
#[derive(Debug, Default)]
pub(super) struct Intervals(BTreeMap<u16, u16>);

impl Intervals {
    fn add(&mut self, from: u16, length: u16) {
        let (mut from, mut to) = (from, from + length);
        if let Some((f, t)) = self.0.range(..=to).next_back().map(|(f, t)| (*f, *t))
            && t >= from
        {
            self.0.remove(&f);
            (from, to) = (from.min(f), to.max(t));
        }
        self.0.insert(from, to);
    }

    fn covers(&self, at: u16) -> bool {
        self.0.range(..=at).next_back().is_some_and(|(_, to)| at < *to)
    }

    fn count(&self) -> usize {
        self.0.len()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Points(BTreeSet<u16>);

#[model(system = Intervals)]
impl Points {
    #[start]
    fn new() -> (Points, Intervals) {
        Default::default()
    }

    #[op]
    fn add(&mut self, #[from(0..100)] from: u16, #[from(1..20)] length: u16) {
        self.0.extend(from..from + length);
    }

    #[op]
    fn covers(&self, #[from(0..120)] at: u16) -> bool {
        self.0.contains(&at)
    }

    #[op]
    fn count(&self) -> usize {
        self.0.iter().filter(|at| !self.0.contains(&at.wrapping_sub(1))).count()
    }
}

/// Text in leaves of at most eight characters; a leaf that is split in two long halves loses a character.
#[derive(Debug, Default)]
pub(super) struct Rope(Vec<String>);

impl Rope {
    fn insert(&mut self, at: usize, text: String) {
        let mut left = at.min(self.len());
        let mut k = 0;
        while k < self.0.len() && left > self.0[k].len() {
            left -= self.0[k].len();
            k += 1;
        }
        if k == self.0.len() {
            self.0.push(text);
        } else {
            self.0[k].insert_str(left, &text);
            if self.0[k].len() > 8 {
                let rest = self.0[k].split_off(8);
                if rest.len() > 4 {
                    self.0[k].pop();
                }
                self.0.insert(k + 1, rest);
            }
        }
    }

    fn len(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }

    fn text(&self) -> String {
        self.0.concat()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Text(String);

#[model(system = Rope)]
impl Text {
    #[start]
    fn new() -> (Text, Rope) {
        Default::default()
    }

    #[op]
    fn insert(&mut self, #[from(0..40)] at: usize, #[from(alphanumeric(1..6))] text: String) {
        let at = at.min(self.0.len());
        self.0.insert_str(at, &text);
    }

    #[op]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[op]
    fn text(&self) -> String {
        self.0.clone()
    }
}

/// A heap whose entries can become more urgent; the old entry of one that became so twice is still served.
#[derive(Debug, Default)]
pub(super) struct Heap {
    heap: BinaryHeap<(u16, u8)>,
    stale: BTreeSet<(u16, u8)>,
    urgency: BTreeMap<u8, u16>,
}

impl Heap {
    fn push(&mut self, task: u8, urgency: u16) -> bool {
        let is_new = !self.urgency.contains_key(&task);
        if is_new {
            self.urgency.insert(task, urgency);
            self.heap.push((urgency, task));
        }
        is_new
    }

    fn raise(&mut self, task: u8, by: u16) -> bool {
        let Some(urgency) = self.urgency.get_mut(&task) else { return false };
        if self.stale.len() < 2 {
            self.stale.insert((*urgency, task));
        }
        *urgency += by;
        self.heap.push((*urgency, task));
        true
    }

    fn pop(&mut self) -> Option<u8> {
        while let Some((urgency, task)) = self.heap.pop() {
            if !self.stale.remove(&(urgency, task)) {
                self.urgency.remove(&task);
                return Some(task);
            }
        }
        None
    }

    fn len(&self) -> usize {
        self.urgency.len()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Urgent(BTreeMap<u8, u16>);

#[model(system = Heap)]
impl Urgent {
    #[start]
    fn new() -> (Urgent, Heap) {
        Default::default()
    }

    #[op]
    fn push(&mut self, #[from(0..8)] task: u8, #[from(0..50)] urgency: u16) -> bool {
        let is_new = !self.0.contains_key(&task);
        self.0.entry(task).or_insert(urgency);
        is_new
    }

    #[op]
    fn raise(&mut self, #[from(0..8)] task: u8, #[from(1..20)] by: u16) -> bool {
        self.0.get_mut(&task).map(|urgency| *urgency += by).is_some()
    }

    #[op]
    fn pop(&mut self) -> Option<u8> {
        let task = *self.0.iter().max_by_key(|(task, urgency)| (**urgency, **task))?.0;
        self.0.remove(&task);
        Some(task)
    }

    #[op]
    fn len(&self) -> usize {
        self.0.len()
    }
}

/// Tokens that come back with time; what is left of a tick is lost when tokens are taken.
#[derive(Debug)]
pub(super) struct Bucket {
    tokens: u32,
    left: u32,
}

impl Bucket {
    fn wait(&mut self, ticks: u32) {
        let all = self.left + ticks;
        self.tokens = (self.tokens + all / 10).min(20);
        self.left = all % 10;
    }

    fn take(&mut self, n: u32) -> bool {
        let can = n <= self.tokens;
        if can {
            self.tokens -= n;
            if self.tokens == 0 {
                self.left = 0;
            }
        }
        can
    }

    fn tokens(&self) -> u32 {
        self.tokens
    }
}

#[derive(Clone, Debug)]
pub(super) struct Allowance {
    tenths: u32,
}

#[model(system = Bucket)]
impl Allowance {
    #[start]
    fn new() -> (Allowance, Bucket) {
        (Allowance { tenths: 50 }, Bucket { tokens: 5, left: 0 })
    }

    #[op]
    fn wait(&mut self, #[from(0..40)] ticks: u32) {
        let tenths = self.tenths + ticks;
        self.tenths = if tenths >= 210 { 200 + tenths % 10 } else { tenths };
    }

    #[op]
    fn take(&mut self, #[from(1..10)] n: u32) -> bool {
        let can = n * 10 <= self.tenths;
        if can {
            self.tenths -= n * 10;
        }
        can
    }

    #[op]
    fn tokens(&self) -> u32 {
        self.tenths / 10
    }
}

/// Counted references; a copy of a copy is not counted.
#[derive(Debug, Default)]
pub(super) struct Counts {
    objects: Vec<u32>,
    /// For each handle its object, and whether it is a copy.
    handles: Vec<Option<(usize, bool)>>,
}

impl Counts {
    fn create(&mut self) -> usize {
        self.objects.push(1);
        self.handles.push(Some((self.objects.len() - 1, false)));
        self.handles.len() - 1
    }

    fn copy(&mut self, handle: usize) -> bool {
        let Some(Some((object, is_copy))) = self.handles.get(handle).copied() else { return false };
        if !is_copy {
            self.objects[object] += 1;
        }
        self.handles.push(Some((object, true)));
        true
    }

    fn release(&mut self, handle: usize) -> bool {
        let Some(Some((object, _))) = self.handles.get_mut(handle).map(Option::take) else { return false };
        self.objects[object] = self.objects[object].saturating_sub(1);
        true
    }

    fn live(&self) -> usize {
        self.objects.iter().filter(|count| **count > 0).count()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    n_objects: usize,
    handles: Vec<Option<usize>>,
}

#[model(system = Counts)]
impl Owners {
    #[start]
    fn new() -> (Owners, Counts) {
        Default::default()
    }

    #[op]
    fn create(&mut self) -> usize {
        self.handles.push(Some(self.n_objects));
        self.n_objects += 1;
        self.handles.len() - 1
    }

    #[op]
    fn copy(&mut self, #[from(0..8)] handle: usize) -> bool {
        let Some(Some(object)) = self.handles.get(handle).copied() else { return false };
        self.handles.push(Some(object));
        true
    }

    #[op]
    fn release(&mut self, #[from(0..8)] handle: usize) -> bool {
        self.handles.get_mut(handle).and_then(Option::take).is_some()
    }

    #[op]
    fn live(&self) -> usize {
        self.handles.iter().flatten().collect::<BTreeSet<_>>().len()
    }
}

/// A counter in words of four bits; a carry over two words at once is lost.
#[derive(Debug, Default)]
pub(super) struct Digits([u8; 4]);

impl Digits {
    fn add(&mut self, n: u8) {
        let mut carry = u16::from(n);
        for (k, digit) in self.0.iter_mut().enumerate() {
            let sum = u16::from(*digit) + (carry & 15);
            carry = (carry >> 4) + (sum >> 4);
            *digit = (sum & 15) as u8;
            if k == 1 && carry > 0 && *digit == 0 {
                carry = 0;
            }
        }
    }

    fn clear_low(&mut self) {
        self.0[0] = 0;
    }

    fn value(&self) -> u32 {
        self.0.iter().rev().fold(0, |value, digit| value << 4 | u32::from(*digit))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Number(u32);

#[model(system = Digits)]
impl Number {
    #[start]
    fn new() -> (Number, Digits) {
        Default::default()
    }

    #[op]
    fn add(&mut self, #[from(0..100)] n: u8) {
        self.0 = (self.0 + u32::from(n)) & 0xffff;
    }

    #[op]
    fn clear_low(&mut self) {
        self.0 &= !15;
    }

    #[op]
    fn value(&self) -> u32 {
        self.0
    }
}

/// A journal that loses the last write of a transaction which is committed right after a checkpoint.
#[derive(Debug, Default)]
pub(super) struct Journal {
    stored: BTreeMap<u8, u8>,
    pending: Vec<(u8, u8)>,
    is_fresh: bool,
}

impl Journal {
    fn write(&mut self, key: u8, value: u8) {
        self.pending.push((key, value));
    }

    fn checkpoint(&mut self) -> usize {
        self.is_fresh = self.pending.len() > 1;
        self.pending.len()
    }

    fn commit(&mut self) {
        if self.is_fresh {
            self.pending.pop();
        }
        self.stored.extend(self.pending.drain(..));
        self.is_fresh = false;
    }

    fn abort(&mut self) {
        self.pending.clear();
        self.is_fresh = false;
    }

    fn read(&self, key: u8) -> Option<u8> {
        self.stored.get(&key).copied()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Durable {
    stored: BTreeMap<u8, u8>,
    pending: Vec<(u8, u8)>,
}

#[model(system = Journal)]
impl Durable {
    #[start]
    fn new() -> (Durable, Journal) {
        Default::default()
    }

    #[op]
    fn write(&mut self, #[from(0..10)] key: u8, value: u8) {
        self.pending.push((key, value));
    }

    #[op]
    fn checkpoint(&mut self) -> usize {
        self.pending.len()
    }

    #[op]
    fn commit(&mut self) {
        self.stored.extend(self.pending.drain(..));
    }

    #[op]
    fn abort(&mut self) {
        self.pending.clear();
    }

    #[op]
    fn read(&self, #[from(0..10)] key: u8) -> Option<u8> {
        self.stored.get(&key).copied()
    }
}

/// A map in shards that grow; a key is looked up in the wrong shard after the second growth.
#[derive(Debug)]
pub(super) struct Shards {
    shards: Vec<BTreeMap<u8, u16>>,
    n_growths: usize,
}

impl Shards {
    fn shard(&self, key: u8) -> usize {
        usize::from(key) % self.shards.len()
    }

    fn put(&mut self, key: u8, value: u16) {
        let shard = self.shard(key);
        self.shards[shard].insert(key, value);
    }

    fn grow(&mut self) {
        if self.shards.len() < 8 {
            let all: Vec<(u8, u16)> = self.shards.iter_mut().flat_map(std::mem::take).collect();
            self.shards.resize(self.shards.len() * 2, BTreeMap::new());
            self.n_growths += 1;
            for (k, (key, value)) in all.into_iter().enumerate() {
                let shard = self.shard(key);
                let lost = self.n_growths == 2 && k == 2;
                self.shards[if lost { 0 } else { shard }].insert(key, value);
            }
        }
    }

    fn get(&self, key: u8) -> Option<u16> {
        self.shards[self.shard(key)].get(&key).copied()
    }

    fn len(&self) -> usize {
        self.shards.iter().map(BTreeMap::len).sum()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Entries(BTreeMap<u8, u16>);

#[model(system = Shards)]
impl Entries {
    #[start]
    fn new() -> (Entries, Shards) {
        (Entries::default(), Shards { shards: vec![BTreeMap::new()], n_growths: 0 })
    }

    #[op]
    fn put(&mut self, #[from(0..30)] key: u8, value: u16) {
        self.0.insert(key, value);
    }

    #[op]
    fn grow(&mut self) {}

    #[op]
    fn get(&self, #[from(0..30)] key: u8) -> Option<u16> {
        self.0.get(&key).copied()
    }

    #[op]
    fn len(&self) -> usize {
        self.0.len()
    }
}
