//! Ten systems that were written when the passes of shrinking were done. The first result on them was
//! published as it was; no pass was changed for any of them.

use stairway::prelude::*;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Two levels; what falls out of the first while the second is full is lost, although it is the newest there.
#[derive(Debug, Default)]
pub(super) struct TwoLevels {
    first: VecDeque<u8>,
    second: VecDeque<u8>,
}

impl TwoLevels {
    fn touch(&mut self, key: u8) -> bool {
        let known = self.first.contains(&key) || self.second.contains(&key);
        self.first.retain(|k| *k != key);
        self.second.retain(|k| *k != key);
        self.first.push_front(key);
        if self.first.len() > 2
            && let Some(old) = self.first.pop_back()
        {
            if self.second.len() < 2 {
                self.second.push_front(old);
            } else {
                self.second.rotate_right(1);
            }
        }
        known
    }

    fn holds(&self, key: u8) -> bool {
        self.first.contains(&key) || self.second.contains(&key)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Newest(Vec<u8>);

#[model(system = TwoLevels)]
impl Newest {
    #[start]
    fn new() -> (Newest, TwoLevels) {
        Default::default()
    }

    #[op]
    fn touch(&mut self, #[from(0..12)] key: u8) -> bool {
        let known = self.0.contains(&key);
        self.0.retain(|k| *k != key);
        self.0.insert(0, key);
        self.0.truncate(4);
        known
    }

    #[op]
    fn holds(&self, #[from(0..12)] key: u8) -> bool {
        self.0.contains(&key)
    }
}

/// Reads tokens from text; one that is pushed back twice in a row comes back once.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    input: VecDeque<u8>,
    pushed: Vec<u8>,
}

impl Tokens {
    fn feed(&mut self, token: u8) {
        self.input.push_back(token);
    }

    fn next(&mut self) -> Option<u8> {
        self.pushed.pop().or_else(|| self.input.pop_front())
    }

    fn push_back(&mut self, token: u8) {
        if self.pushed.last() != Some(&token) || self.pushed.len() < 2 {
            self.pushed.push(token);
        }
    }

    fn skip(&mut self, n: usize) -> usize {
        (0..n).filter(|_| self.next().is_some()).count()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Stream(VecDeque<u8>);

#[model(system = Tokens)]
impl Stream {
    #[start]
    fn new() -> (Stream, Tokens) {
        Default::default()
    }

    #[op]
    fn feed(&mut self, #[from(0..5)] token: u8) {
        self.0.push_back(token);
    }

    #[op]
    fn next(&mut self) -> Option<u8> {
        self.0.pop_front()
    }

    #[op]
    fn push_back(&mut self, #[from(0..5)] token: u8) {
        self.0.push_front(token);
    }

    #[op]
    fn skip(&mut self, #[from(0..6)] n: usize) -> usize {
        let n = n.min(self.0.len());
        self.0.drain(..n);
        n
    }
}

/// Sessions that end when they were idle for ten ticks; one that is renewed in its last tick ends all the same.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    now: u32,
    ends: BTreeMap<u8, u32>,
}

impl Sessions {
    fn login(&mut self, user: u8) {
        self.ends.insert(user, self.now + 10);
    }

    fn renew(&mut self, user: u8) -> bool {
        let now = self.now;
        match self.ends.get_mut(&user) {
            Some(end) if *end > now => {
                if *end > now + 1 {
                    *end = now + 10;
                }
                true
            }
            _ => false,
        }
    }

    fn tick(&mut self, n: u32) {
        self.now += n;
    }

    fn is_in(&self, user: u8) -> bool {
        self.ends.get(&user).is_some_and(|end| *end > self.now)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Idle(BTreeMap<u8, u32>);

#[model(system = Sessions)]
impl Idle {
    #[start]
    fn new() -> (Idle, Sessions) {
        Default::default()
    }

    #[op]
    fn login(&mut self, #[from(0..4)] user: u8) {
        self.0.insert(user, 0);
    }

    #[op]
    fn renew(&mut self, #[from(0..4)] user: u8) -> bool {
        self.0.get_mut(&user).filter(|idle| **idle < 10).map(|idle| *idle = 0).is_some()
    }

    #[op]
    fn tick(&mut self, #[from(1..8)] n: u32) {
        self.0.values_mut().for_each(|idle| *idle += n);
    }

    #[op]
    fn is_in(&self, #[from(0..4)] user: u8) -> bool {
        self.0.get(&user).is_some_and(|idle| *idle < 10)
    }
}

/// Locks with shared owners; upgrading forgets another owner when there are exactly two locks held.
#[derive(Debug, Default)]
pub(super) struct Locks {
    shared: BTreeMap<u8, BTreeSet<u8>>,
    exclusive: BTreeMap<u8, u8>,
}

impl Locks {
    fn share(&mut self, owner: u8, lock: u8) -> bool {
        if self.exclusive.contains_key(&lock) {
            return false;
        }
        self.shared.entry(lock).or_default().insert(owner)
    }

    fn upgrade(&mut self, owner: u8, lock: u8) -> bool {
        let n_locks = self.shared.values().filter(|owners| !owners.is_empty()).count();
        let Some(owners) = self.shared.get_mut(&lock) else { return false };
        let may = owners.contains(&owner) && (owners.len() == 1 || n_locks == 2);
        if may {
            owners.clear();
            self.exclusive.insert(lock, owner);
        }
        may
    }

    fn release(&mut self, owner: u8, lock: u8) -> bool {
        if self.exclusive.get(&lock) == Some(&owner) {
            self.exclusive.remove(&lock);
            return true;
        }
        self.shared.get_mut(&lock).is_some_and(|owners| owners.remove(&owner))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    shared: BTreeSet<(u8, u8)>,
    exclusive: BTreeMap<u8, u8>,
}

#[model(system = Locks)]
impl Held {
    #[start]
    fn new() -> (Held, Locks) {
        Default::default()
    }

    #[op]
    fn share(&mut self, #[from(0..4)] owner: u8, #[from(0..4)] lock: u8) -> bool {
        !self.exclusive.contains_key(&lock) && self.shared.insert((lock, owner))
    }

    #[op]
    fn upgrade(&mut self, #[from(0..4)] owner: u8, #[from(0..4)] lock: u8) -> bool {
        let n_owners = self.shared.iter().filter(|(l, _)| *l == lock).count();
        let may = n_owners == 1 && self.shared.remove(&(lock, owner));
        if may {
            self.exclusive.insert(lock, owner);
        }
        may
    }

    #[op]
    fn release(&mut self, #[from(0..4)] owner: u8, #[from(0..4)] lock: u8) -> bool {
        if self.exclusive.get(&lock) == Some(&owner) {
            return self.exclusive.remove(&lock).is_some();
        }
        self.shared.remove(&(lock, owner))
    }
}

/// Rows a page at a time, by position. Two mistakes fail alike: a row that is deleted when five or more were
/// handed out does not move the position back, and a row that comes before what was handed out, but before no
/// row that is left of it, does not move it on. The second was not meant to be there.
#[derive(Debug)]
pub(super) struct Pages {
    rows: Vec<u8>,
    at: usize,
    /// The last row that was handed out.
    after: Option<u8>,
    mended: Option<usize>,
}

thread_local! {
    static MENDED: Cell<Option<usize>> = const { Cell::new(None) };
}

/// How many mistakes [`Pages`] have.
pub(super) const N_PAGES_MISTAKES: usize = 2;

/// Mends one of the mistakes of all [`Pages`] made from now on.
pub(super) fn mend_pages(mistake: Option<usize>) {
    MENDED.set(mistake);
}

impl Pages {
    fn insert(&mut self, row: u8) {
        if let Err(at) = self.rows.binary_search(&row) {
            self.rows.insert(at, row);
            let is_before = match self.mended {
                Some(1) => self.after.is_some_and(|after| row < after),
                _ => at < self.at,
            };
            if is_before {
                self.at += 1;
            }
        }
    }

    fn delete(&mut self, row: u8) -> bool {
        let Ok(at) = self.rows.binary_search(&row) else { return false };
        self.rows.remove(at);
        if at < self.at && (self.at < 5 || self.mended == Some(0)) {
            self.at -= 1;
        }
        true
    }

    fn page(&mut self) -> Vec<u8> {
        let page: Vec<u8> = self.rows.iter().skip(self.at).take(3).copied().collect();
        self.at += page.len();
        self.after = page.last().copied().or(self.after);
        page
    }

    fn rewind(&mut self) {
        (self.at, self.after) = (0, None);
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    rows: BTreeSet<u8>,
    after: Option<u8>,
}

#[model(system = Pages)]
impl Rows {
    #[start]
    fn new() -> (Rows, Pages) {
        (Rows::default(), Pages { rows: Vec::new(), at: 0, after: None, mended: MENDED.get() })
    }

    #[op(weight = 2)]
    fn insert(&mut self, #[from(0..30)] row: u8) {
        self.rows.insert(row);
    }

    #[op]
    fn delete(&mut self, #[from(0..30)] row: u8) -> bool {
        self.rows.remove(&row)
    }

    #[op]
    fn page(&mut self) -> Vec<u8> {
        let after = self.after;
        let rest = self.rows.iter().filter(|row| after.is_none_or(|after| **row > after));
        let page: Vec<u8> = rest.take(3).copied().collect();
        self.after = page.last().copied().or(self.after);
        page
    }

    #[op]
    fn rewind(&mut self) {
        self.after = None;
    }
}

/// Undo and redo; after three undos a change leaves what could be redone.
#[derive(Debug, Default)]
pub(super) struct Undo {
    value: i32,
    done: Vec<i32>,
    undone: Vec<i32>,
}

impl Undo {
    fn add(&mut self, n: i32) {
        self.done.push(n);
        self.value += n;
        if self.undone.len() < 3 {
            self.undone.clear();
        }
    }

    fn undo(&mut self) -> bool {
        let Some(n) = self.done.pop() else { return false };
        self.value -= n;
        self.undone.push(n);
        true
    }

    fn redo(&mut self) -> bool {
        let Some(n) = self.undone.pop() else { return false };
        self.value += n;
        self.done.push(n);
        true
    }

    fn value(&self) -> i32 {
        self.value
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    changes: Vec<i32>,
    n: usize,
}

#[model(system = Undo)]
impl History {
    #[start]
    fn new() -> (History, Undo) {
        Default::default()
    }

    #[op(weight = 2)]
    fn add(&mut self, #[from(-9..10)] n: i32) {
        self.changes.truncate(self.n);
        self.changes.push(n);
        self.n += 1;
    }

    #[op(weight = 2)]
    fn undo(&mut self) -> bool {
        let may = self.n > 0;
        self.n -= usize::from(may);
        may
    }

    #[op]
    fn redo(&mut self) -> bool {
        let may = self.n < self.changes.len();
        self.n += usize::from(may);
        may
    }

    #[op]
    fn value(&self) -> i32 {
        self.changes[..self.n].iter().sum()
    }
}

/// A log that is compacted; compacting forgets a key that was removed and set again since the last time.
#[derive(Debug, Default)]
pub(super) struct Log(Vec<(u8, Option<u8>)>);

impl Log {
    fn set(&mut self, key: u8, value: u8) {
        self.0.push((key, Some(value)));
    }

    fn remove(&mut self, key: u8) {
        self.0.push((key, None));
    }

    fn compact(&mut self) {
        let mut kept: Vec<(u8, Option<u8>)> = Vec::new();
        for (key, value) in std::mem::take(&mut self.0) {
            match kept.iter_mut().find(|(k, _)| *k == key) {
                Some(entry) if entry.1.is_some() => entry.1 = value,
                Some(_) => {}
                None => kept.push((key, value)),
            }
        }
        kept.retain(|(_, value)| value.is_some());
        self.0 = kept;
    }

    fn get(&self, key: u8) -> Option<u8> {
        self.0.iter().rev().find(|(k, _)| *k == key)?.1
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Latest(BTreeMap<u8, u8>);

#[model(system = Log)]
impl Latest {
    #[start]
    fn new() -> (Latest, Log) {
        Default::default()
    }

    #[op]
    fn set(&mut self, #[from(0..6)] key: u8, value: u8) {
        self.0.insert(key, value);
    }

    #[op]
    fn remove(&mut self, #[from(0..6)] key: u8) {
        self.0.remove(&key);
    }

    #[op]
    fn compact(&mut self) {}

    #[op]
    fn get(&self, #[from(0..6)] key: u8) -> Option<u8> {
        self.0.get(&key).copied()
    }
}

/// Accounts that are named by handles; a transfer of all that is in one opens it for a second time.
#[derive(Debug, Default)]
pub(super) struct Bank(Vec<u32>);

/// An account.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account(usize);

impl Bank {
    fn open(&mut self, amount: u32) -> Account {
        self.0.push(amount);
        Account(self.0.len() - 1)
    }

    fn deposit(&mut self, account: Account, amount: u32) {
        self.0[account.0] += amount;
    }

    fn transfer(&mut self, from: Account, to: Account, amount: u32) -> bool {
        if from.0 == to.0 || self.0[from.0] < amount {
            return false;
        }
        let is_all = self.0[from.0] == amount && amount > 20;
        self.0[from.0] -= amount;
        self.0[to.0] += amount + u32::from(is_all);
        true
    }

    fn balance(&self, account: Account) -> u32 {
        self.0[account.0]
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(BTreeMap<Ref<Account>, u32>);

#[model(system = Bank)]
impl Ledger {
    #[start]
    fn new() -> (Ledger, Bank) {
        Default::default()
    }

    #[op]
    fn open(&mut self, #[from(0..10)] amount: u32, #[result] account: Ref<Account>) {
        self.0.insert(account, amount);
    }

    #[op]
    fn deposit(&mut self, account: Ref<Account>, #[from(1..10)] amount: u32) {
        *self.0.entry(account).or_default() += amount;
    }

    #[op]
    fn transfer(&mut self, from: Ref<Account>, to: Ref<Account>, #[from(0..40)] amount: u32) -> bool {
        let may = from != to && self.0[&from] >= amount;
        if may {
            *self.0.entry(from).or_default() -= amount;
            *self.0.entry(to).or_default() += amount;
        }
        may
    }

    #[op]
    fn balance(&self, account: Ref<Account>) -> u32 {
        self.0[&account]
    }
}

/// Memory in blocks; two neighbours that are free are joined only if the second was freed last.
#[derive(Debug)]
pub(super) struct Blocks {
    used: [bool; 8],
    /// Beginnings of free stretches that were not joined with the one before them.
    seams: BTreeSet<usize>,
}

impl Blocks {
    fn take(&mut self, n: usize) -> Option<usize> {
        let fits = |at: usize| {
            (at..at + n).all(|k| !self.used[k]) && (at + 1..at + n).all(|k| !self.seams.contains(&k))
        };
        let at = (0..=8 - n).find(|at| fits(*at))?;
        self.used[at..at + n].fill(true);
        (at..at + n).for_each(|k| {
            self.seams.remove(&k);
        });
        Some(at)
    }

    fn free(&mut self, at: usize) -> bool {
        let was_used = std::mem::take(&mut self.used[at]);
        if was_used && at + 1 < 8 && !self.used[at + 1] {
            self.seams.insert(at + 1);
        }
        was_used
    }

    fn n_free(&self) -> usize {
        self.used.iter().filter(|used| !**used).count()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Used([bool; 8]);

#[model(system = Blocks)]
impl Used {
    #[start]
    fn new() -> (Used, Blocks) {
        (Used::default(), Blocks { used: [false; 8], seams: BTreeSet::new() })
    }

    #[op]
    fn take(&mut self, #[from(1..4)] n: usize) -> Option<usize> {
        let at = (0..=8 - n).find(|at| self.0[*at..*at + n].iter().all(|used| !used))?;
        self.0[at..at + n].fill(true);
        Some(at)
    }

    #[op]
    fn free(&mut self, #[from(0..8)] at: usize) -> bool {
        std::mem::take(&mut self.0[at])
    }

    #[op]
    fn n_free(&self) -> usize {
        self.0.iter().filter(|used| !**used).count()
    }
}

/// A window of sums; what leaves the window when it is full is not subtracted if it is larger than what enters.
#[derive(Debug, Default)]
pub(super) struct Window {
    values: VecDeque<u16>,
    sum: u32,
}

impl Window {
    fn add(&mut self, value: u16) {
        self.values.push_back(value);
        self.sum += u32::from(value);
        if self.values.len() > 4
            && let Some(old) = self.values.pop_front()
            && old < 30 + value
        {
            self.sum -= u32::from(old);
        }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.sum = 0;
    }

    fn sum(&self) -> u32 {
        self.sum
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sums(VecDeque<u16>);

#[model(system = Window)]
impl Sums {
    #[start]
    fn new() -> (Sums, Window) {
        Default::default()
    }

    #[op(weight = 3)]
    fn add(&mut self, #[from(0..50)] value: u16) {
        self.0.push_back(value);
        if self.0.len() > 4 {
            self.0.pop_front();
        }
    }

    #[op]
    fn clear(&mut self) {
        self.0.clear();
    }

    #[op]
    fn sum(&self) -> u32 {
        self.0.iter().map(|value| u32::from(*value)).sum()
    }
}
