//! How much of the system was reached: different states and transitions, and how likely one more test is to
//! reach a new one.
//!
//! Counts the fingerprints of one test after the other. The estimate is that of Good and Turing, with tests
//! as what is sampled: leave each test out in turn, and count those without which some state would not have
//! been reached. Their share is what one more test may expect.

use crate::sort::sort_by_key;
use alloc::vec;
use alloc::vec::Vec;

/// Different states and transitions.
#[derive(Debug, Default)]
pub(crate) struct Assurance {
    states: Table,
    transitions: Table,
    /// States and transitions of the test at hand; it counts only if it passes.
    visited: Vec<u64>,
    taken: Vec<u64>,
    n_tests: u32,
}

/// What was reached.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reach {
    pub(crate) n_states: u64,
    pub(crate) n_transitions: u64,
    /// Tests without which a state, a transition would not have been reached.
    pub(crate) n_with_own_state: u64,
    pub(crate) n_with_own_transition: u64,
    pub(crate) n_tests: u64,
    pub(crate) is_full: bool,
}

impl Assurance {
    /// Tells up to `n_states` states apart, in tests of `n_steps` properties and cleanup; nothing
    /// for no states.
    pub(crate) fn with_room(n_states: usize, n_steps: u64) -> Self {
        let n_visited = if n_states == 0 { 0 } else { most_visited(n_steps) };
        Assurance {
            states: Table::with_room(n_states),
            transitions: Table::with_room(n_states),
            visited: Vec::with_capacity(n_visited),
            taken: Vec::with_capacity(n_visited),
            n_tests: 0,
        }
    }

    /// How many bytes [`Assurance::with_room`] takes.
    pub(crate) const fn bytes(n_states: usize, n_steps: u64) -> usize {
        if n_states == 0 {
            return 0;
        }
        2 * (n_states.next_power_of_two() * size_of::<Slot>() + most_visited(n_steps) * size_of::<u64>())
    }

    /// A test begins.
    pub(crate) fn begin(&mut self) {
        self.visited.clear();
        self.taken.clear();
    }

    /// The test has reached a state, by an operation unless it has just begun.
    pub(crate) fn visit(&mut self, state: u64, op: Option<usize>) {
        let state = mixed(state);
        if let (Some(op), Some(before)) = (op, self.visited.last())
            && self.taken.len() < self.taken.capacity()
        {
            self.taken.push(mixed(before.rotate_left(21) ^ mixed(op as u64 + 1) ^ state.rotate_left(42)));
        }
        if self.visited.len() < self.visited.capacity() {
            self.visited.push(state);
        }
    }

    /// The test has passed: what it reached counts.
    pub(crate) fn passed(&mut self) {
        for state in &self.visited {
            self.states.add(*state, self.n_tests);
        }
        for transition in &self.taken {
            self.transitions.add(*transition, self.n_tests);
        }
        self.n_tests += 1;
    }

    /// The figures; sorts the tables, so it comes last.
    pub(crate) fn reached(&mut self) -> Reach {
        Reach {
            n_states: self.states.n as u64,
            n_transitions: self.transitions.n as u64,
            n_with_own_state: self.states.n_with_own(),
            n_with_own_transition: self.transitions.n_with_own(),
            n_tests: self.n_tests.into(),
            is_full: self.states.is_full || self.transitions.is_full,
        }
    }
}

impl Reach {
    /// The chance that one more test reaches a new state, and that it takes a new transition.
    pub(crate) fn chances(&self) -> (f64, f64) {
        let share = |n: u64| if self.n_tests == 0 { 1.0 } else { n as f64 / self.n_tests as f64 };
        (share(self.n_with_own_state), share(self.n_with_own_transition))
    }
}

/// How many states one test can come to: those of its properties, of as many more while cleanup is
/// not possible, and of cleanup.
const fn most_visited(n_steps: u64) -> usize {
    2 * n_steps as usize + crate::abi::MAX_SETS + 2
}

/// One thing that was reached: its hash, the first test that did, and whether another one did too.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    test: u32,
    is_shared: bool,
}

/// A set of hashes with limited room.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    n: usize,
    is_full: bool,
}

impl Table {
    fn with_room(n: usize) -> Self {
        let n = if n == 0 { 0 } else { n.next_power_of_two() };
        Table { slots: vec![Slot::default(); n], n: 0, is_full: false }
    }

    fn add(&mut self, key: u64, test: u32) {
        let n_slots = self.slots.len();
        for k in 0..n_slots {
            let slot = &mut self.slots[(key as usize).wrapping_add(k) & (n_slots - 1)];
            if slot.key == key {
                slot.is_shared |= slot.test != test;
                return;
            }
            if slot.key == 0 {
                *slot = Slot { key, test, is_shared: false };
                self.n += 1;
                return;
            }
        }
        self.is_full = true;
    }

    /// How many tests reached something that no other one did.
    fn n_with_own(&mut self) -> u64 {
        sort_by_key(&mut self.slots, |slot| slot.test);
        let mut own = self.slots.iter().filter(|slot| slot.key != 0 && !slot.is_shared);
        let Some(first) = own.next() else { return 0 };
        let count = |(n, last): (u64, u32), slot: &Slot| (n + u64::from(slot.test != last), slot.test);
        own.fold((1, first.test), count).0
    }
}

/// A hash of a number; never 0, which marks an empty slot.
const fn mixed(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ (z >> 31)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(paths: &[&[u64]], n_states: usize) -> Reach {
        let mut assurance = Assurance::with_room(n_states, 8);
        for path in paths {
            assurance.begin();
            for (i, state) in path.iter().enumerate() {
                assurance.visit(*state, (i > 0).then_some(0));
            }
            assurance.passed();
        }
        assurance.reached()
    }

    #[test]
    fn what_only_one_test_reached_is_what_another_may_add() {
        let reached = tests(&[&[0, 1], &[0, 1, 2], &[0, 1, 0], &[0, 1]], 16);
        assert_eq!((reached.n_states, reached.n_transitions), (3, 3));
        // Only the second reached 2 and went from 1 to 2; only the third went from 1 to 0.
        assert_eq!(reached.chances(), (0.25, 0.5));
    }

    #[test]
    fn a_full_table_says_so() {
        let reached = tests(&[&[0, 1, 2, 3, 4, 5, 6, 7, 8]], 8);
        assert!(reached.is_full && reached.n_states == 8);
        assert!(!tests(&[&[0, 1]], 8).is_full);
    }

    #[test]
    fn failing_tests_do_not_count() {
        let mut assurance = Assurance::with_room(8, 8);
        assurance.begin();
        assurance.visit(1, None);
        assurance.begin();
        assurance.visit(2, None);
        assurance.passed();
        assert_eq!(assurance.reached().n_states, 1);
    }
}
