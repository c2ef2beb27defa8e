//! A queue in a ring of four cells, right or with one of three bugs, beside a deque.

use super::probe::{Said, agree, begin};
use super::{MAX_STEPS, stairway, stairway_of};
use crate::measure::count_step;
use crate::peers;
use hegel::{TestCase, generators as gs};
use proptest::prelude::{BoxedStrategy, Just, Strategy, any as any_of, prop_oneof};
use proptest::test_runner::Config;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use quickcheck::{Arbitrary, Gen, empty_shrinker};
use stairway::prelude::*;
use std::cell::Cell;
use std::collections::VecDeque;

const CAPACITY: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bug {
    None,
    /// `len` is 0 when the ring is full and its head is not at 0.
    WrapFull,
    /// `clear` rewinds the head but not the tail.
    StaleClear,
    /// The push that fills a wrapped ring loses a value of 1000 and more.
    BigWrap,
}

thread_local! {
    static BUG: Cell<Bug> = const { Cell::new(Bug::None) };
}

/// Which bug the rings made from now on have.
pub(super) fn plant(bug: Bug) {
    BUG.set(bug);
}

#[derive(Debug)]
struct Ring {
    cells: [i32; CAPACITY],
    head: usize,
    tail: usize,
    len: usize,
    bug: Bug,
}

impl Ring {
    fn new() -> Ring {
        begin();
        Ring { cells: [0; CAPACITY], head: 0, tail: 0, len: 0, bug: BUG.get() }
    }

    fn push(&mut self, v: i32) -> bool {
        count_step();
        if self.len == CAPACITY {
            return false;
        }
        let loses = self.bug == Bug::BigWrap && self.len == CAPACITY - 1 && self.tail == 0 && v >= 1000;
        if !loses {
            self.cells[self.tail] = v;
        }
        self.tail = (self.tail + 1) % CAPACITY;
        self.len += 1;
        true
    }

    fn pop(&mut self) -> Option<i32> {
        let v = self.peek()?;
        self.head = (self.head + 1) % CAPACITY;
        self.len -= 1;
        Some(v)
    }

    fn peek(&self) -> Option<i32> {
        count_step();
        (self.len > 0).then(|| self.cells[self.head])
    }

    fn len(&self) -> usize {
        count_step();
        let lies = self.bug == Bug::WrapFull && self.len == CAPACITY && self.head != 0;
        if lies { 0 } else { self.len }
    }

    fn clear(&mut self) {
        count_step();
        (self.len, self.head) = (0, 0);
        if self.bug != Bug::StaleClear {
            self.tail = 0;
        }
    }
}

// Stairway.

#[derive(Debug)]
struct Fifo(VecDeque<i32>);

#[model(system = Ring)]
impl Fifo {
    #[start]
    fn new() -> (Fifo, Ring) {
        (Fifo(VecDeque::new()), Ring::new())
    }

    #[op]
    fn push(&mut self, v: i32) -> Said<bool> {
        let fits = self.0.len() < CAPACITY;
        if fits {
            self.0.push_back(v);
        }
        Said(fits)
    }

    #[op]
    fn pop(&mut self) -> Said<Option<i32>> {
        Said(self.0.pop_front())
    }

    #[op]
    fn peek(&self) -> Said<Option<i32>> {
        Said(self.0.front().copied())
    }

    #[op]
    fn len(&self) -> Said<usize> {
        Said(self.0.len())
    }

    #[op]
    fn clear(&mut self) {
        self.0.clear();
    }
}

pub(super) fn with_stairway(n_cases: u64, seed: u64) {
    stairway(Fifo::checker(), n_cases, seed);
}

/// [`with_stairway`], in programs of at most `n_steps` steps.
pub(super) fn with_steps(n_steps: u64, n_cases: u64, seed: u64) {
    stairway_of(Fifo::checker(), n_steps, n_cases, seed);
}

// The others: steps are values, done on both sides.

#[derive(Clone, Debug)]
enum Op {
    Push(i32),
    Pop,
    Peek,
    Len,
    Clear,
}

#[derive(Clone, Debug, PartialEq)]
enum Answer {
    Fits(bool),
    Value(Option<i32>),
    Len(usize),
    Nothing,
}

fn on_model(model: &mut VecDeque<i32>, op: &Op) -> Answer {
    match op {
        Op::Push(_) if model.len() == CAPACITY => Answer::Fits(false),
        Op::Push(v) => {
            model.push_back(*v);
            Answer::Fits(true)
        }
        Op::Pop => Answer::Value(model.pop_front()),
        Op::Peek => Answer::Value(model.front().copied()),
        Op::Len => Answer::Len(model.len()),
        Op::Clear => {
            model.clear();
            Answer::Nothing
        }
    }
}

fn on_system(ring: &mut Ring, op: &Op) -> Answer {
    match op {
        Op::Push(v) => Answer::Fits(ring.push(*v)),
        Op::Pop => Answer::Value(ring.pop()),
        Op::Peek => Answer::Value(ring.peek()),
        Op::Len => Answer::Len(ring.len()),
        Op::Clear => {
            ring.clear();
            Answer::Nothing
        }
    }
}

/// No tool at all: random steps until there have been enough.
pub(super) fn bare(n_cases: u64, seed: u64) {
    let mut state = seed;
    // Wyrand, of which the upper bits give a number below `n`.
    let mut below = |n: u64| {
        state = state.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(state) * u128::from(state ^ 0xe703_7ed1_a0b4_28db);
        let word = (product >> 64) as u64 ^ product as u64;
        ((u128::from(word) * u128::from(n)) >> 64) as u64
    };
    for _ in 0..n_cases {
        let (mut model, mut ring) = (VecDeque::new(), Ring::new());
        for _ in 0..1 + below(MAX_STEPS as u64) {
            let op = match below(5) {
                0 => Op::Push(below(1 << 32) as i32),
                1 => Op::Pop,
                2 => Op::Peek,
                3 => Op::Len,
                _ => Op::Clear,
            };
            assert_eq!(on_model(&mut model, &op), on_system(&mut ring, &op));
        }
    }
}

impl Arbitrary for Op {
    fn arbitrary(g: &mut Gen) -> Op {
        match u8::arbitrary(g) % 5 {
            0 => Op::Push(i32::arbitrary(g)),
            1 => Op::Pop,
            2 => Op::Peek,
            3 => Op::Len,
            _ => Op::Clear,
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Op>> {
        match self {
            Op::Push(v) => Box::new(v.shrink().map(Op::Push)),
            _ => empty_shrinker(),
        }
    }
}

pub(super) fn with_quickcheck(n_cases: u64, seed: u64) {
    fn property(ops: Vec<Op>) -> bool {
        let (mut model, mut ring) = (VecDeque::new(), Ring::new());
        ops.iter().all(|op| agree(&on_model(&mut model, op), &on_system(&mut ring, op)))
    }
    peers::quickcheck(n_cases, seed, MAX_STEPS + 1, property as fn(Vec<Op>) -> bool);
}

/// Its tests see the model only after a step: what it answered has to be kept there.
#[derive(Clone, Debug)]
struct Reference {
    model: VecDeque<i32>,
    expected: Answer,
}

impl ReferenceStateMachine for Reference {
    type State = Reference;
    type Transition = Op;

    fn init_state() -> BoxedStrategy<Reference> {
        Just(Reference { model: VecDeque::new(), expected: Answer::Nothing }).boxed()
    }

    fn transitions(_: &Reference) -> BoxedStrategy<Op> {
        prop_oneof![
            any_of::<i32>().prop_map(Op::Push),
            Just(Op::Pop),
            Just(Op::Peek),
            Just(Op::Len),
            Just(Op::Clear)
        ]
        .boxed()
    }

    fn apply(mut state: Reference, op: &Op) -> Reference {
        state.expected = on_model(&mut state.model, op);
        state
    }
}

impl StateMachineTest for Ring {
    type SystemUnderTest = Ring;
    type Reference = Reference;

    fn init_test(_: &Reference) -> Ring {
        Ring::new()
    }

    fn apply(mut ring: Ring, reference: &Reference, op: Op) -> Ring {
        assert!(agree(&reference.expected, &on_system(&mut ring, &op)));
        ring
    }
}

pub(super) fn with_proptest(n_cases: u64, seed: u64) {
    let config = Config::default();
    let strategy = Reference::sequential_strategy(1..=MAX_STEPS);
    peers::proptest(n_cases, seed, &strategy, |(state, ops, seen)| {
        Ring::test_sequential(config.clone(), state, ops, seen);
        Ok(())
    });
}

struct Machine {
    model: VecDeque<i32>,
    ring: Ring,
}

impl Machine {
    fn perform(&mut self, op: &Op) {
        assert!(agree(&on_model(&mut self.model, op), &on_system(&mut self.ring, op)));
    }
}

#[hegel::state_machine]
impl Machine {
    #[rule]
    fn push(&mut self, tc: TestCase) {
        let v = tc.draw(gs::integers::<i32>());
        self.perform(&Op::Push(v));
    }

    #[rule]
    fn pop(&mut self, _tc: TestCase) {
        self.perform(&Op::Pop);
    }

    #[rule]
    fn peek(&mut self, _tc: TestCase) {
        self.perform(&Op::Peek);
    }

    #[rule]
    fn len(&mut self, _tc: TestCase) {
        self.perform(&Op::Len);
    }

    #[rule]
    fn clear(&mut self, _tc: TestCase) {
        self.perform(&Op::Clear);
    }
}

pub(super) fn with_hegel(n_cases: u64, seed: u64) {
    peers::hegel(n_cases, seed, |tc| {
        let machine = Machine { model: VecDeque::new(), ring: Ring::new() };
        hegel::stateful::machine(machine).steps(MAX_STEPS as i64).run(tc);
    });
}
