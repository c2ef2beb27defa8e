//! A queue whose `size` takes an absolute value where it should wrap around. With a drawn capacity
//! the shortest program needs a small one; with a large one, few programs fill it at all.

use super::probe::{Said, begin};
use super::stairway;
use crate::measure::count_step;
use stairway::prelude::*;
use std::collections::VecDeque;

struct Wrapping {
    cells: Vec<i32>,
    input: usize,
    output: usize,
}

impl Wrapping {
    fn new(capacity: usize) -> Wrapping {
        begin();
        Wrapping { cells: vec![0; capacity + 1], input: 0, output: 0 }
    }

    fn put(&mut self, v: i32) {
        count_step();
        self.cells[self.input] = v;
        self.input = (self.input + 1) % self.cells.len();
    }

    fn get(&mut self) -> i32 {
        count_step();
        let v = self.cells[self.output];
        self.output = (self.output + 1) % self.cells.len();
        v
    }

    fn size(&self) -> usize {
        count_step();
        self.input.abs_diff(self.output) % self.cells.len()
    }
}

#[derive(Debug)]
struct Bounded<const LEAST: usize, const MOST: usize> {
    items: VecDeque<i32>,
    capacity: usize,
}

#[model(system = Wrapping)]
impl<const LEAST: usize, const MOST: usize> Bounded<LEAST, MOST> {
    #[start]
    fn new(#[from(LEAST..=MOST)] capacity: usize) -> (Self, Wrapping) {
        (Bounded { items: VecDeque::new(), capacity }, Wrapping::new(capacity))
    }

    #[op(requires = self.items.len() < self.capacity)]
    fn put(&mut self, v: i32) {
        self.items.push_back(v);
    }

    #[op(requires = !self.items.is_empty())]
    fn get(&mut self) -> Said<i32> {
        Said(self.items.pop_front().expect("an item"))
    }

    #[op]
    fn size(&self) -> Said<usize> {
        Said(self.items.len())
    }
}

/// The capacity is drawn.
pub(super) fn b1(n_cases: u64, seed: u64) {
    stairway(Bounded::<1, 16>::checker(), n_cases, seed);
}

/// The capacity is large.
pub(super) fn b2(n_cases: u64, seed: u64) {
    stairway(Bounded::<32, 32>::checker(), n_cases, seed);
}
