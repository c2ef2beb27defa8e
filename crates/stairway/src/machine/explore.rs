//! Exploring a machine with a heap: as many states as a test wants, otherwise as the compiler does it.
//!
//! Receives a machine, hands on its states and the steps between them. It knows no formula.

use super::Machine;
use crate::failure_words;
use crate::panics;
use crate::report::fail;
use stairway_engine::Stop;
use stairway_machine::{Arguments, Assurance, Ended, Known, MAX_OF_ONE, Scrutiny, TRIES_A_STATE};

/// The states of a machine and the steps between them, as far as they were explored.
#[derive(Debug)]
pub struct Explored<M: Machine> {
    /// The states, nearest to the start first.
    pub states: Vec<M::State>,
    /// The operation of each edge; none where the machine stays at its end.
    pub ops: Vec<Option<M::Op>>,
    /// Where each edge leads.
    pub to: Vec<u32>,
    /// Where the edges of each state begin.
    pub first: Vec<u32>,
    /// Whether all edges of a state are known.
    pub is_known: Vec<bool>,
    /// Why there is no more.
    pub ended: Ended,
    /// How many steps from the start everything is known.
    pub bound: u32,
    is_sampled: bool,
}

impl<M: Machine> Explored<M> {
    /// The same as the compiler has it.
    #[must_use]
    pub fn known(&self) -> Known<'_, M::State, M::Op> {
        Known {
            states: &self.states,
            ops: &self.ops,
            to: &self.to,
            first: &self.first,
            is_known: &self.is_known,
            ended: self.ended,
            assurance: match self.ended {
                Ended::Complete => Assurance::Proved,
                _ if self.is_sampled => Assurance::Sampled,
                _ => Assurance::Bounded,
            },
            bound: self.bound,
        }
    }

    /// Notes that not all steps from a state at this depth are known.
    fn end(&mut self, why: Ended, depth: u32) {
        self.bound = self.bound.min(depth);
        if self.ended == Ended::Complete {
            self.ended = why;
        }
    }
}

/// How many times fewer states the compiler explores.
const FEWER: usize = 100;

/// How many steps are tried.
#[derive(Debug)]
pub struct StepLimits {
    /// Of one operation in one state.
    of_one: usize,
    /// In all.
    n_left: usize,
    /// Which operation was tried last, and how often.
    tried: (u64, usize),
    is_over: bool,
}

impl StepLimits {
    fn new(of_one: usize, n_left: usize) -> Self {
        StepLimits { of_one, n_left, tried: (u64::MAX, 0), is_over: false }
    }

    /// Counts a try of an operation; false if its other arguments are to be left out.
    pub fn allow(&mut self, op: u64) -> bool {
        self.tried = if op == self.tried.0 { (op, self.tried.1 + 1) } else { (op, 1) };
        self.n_left = self.n_left.saturating_sub(1);
        let is_over = self.tried.1 >= self.of_one || self.n_left == 0;
        self.is_over |= is_over;
        !is_over
    }
}

/// Positions of states by what tells them apart: open addressing, so that a state costs four bytes and some air.
struct Positions {
    slots: Vec<u32>,
    n: usize,
}

const EMPTY: u32 = u32::MAX;

impl Positions {
    fn new() -> Self {
        Positions { slots: vec![EMPTY; 1024], n: 0 }
    }

    fn slot(&self, key: u128) -> usize {
        ((key >> 64) as usize ^ key as usize) & (self.slots.len() - 1)
    }

    /// The position of a state, or where to put a new one.
    fn find(&self, key: u128, keys: &[u128]) -> Result<u32, usize> {
        let mut slot = self.slot(key);
        loop {
            match self.slots[slot] {
                EMPTY => return Err(slot),
                position if keys[position as usize] == key => return Ok(position),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    fn insert(&mut self, slot: usize, position: u32, keys: &[u128]) {
        self.slots[slot] = position;
        self.n += 1;
        if self.n * 2 > self.slots.len() {
            self.slots = vec![EMPTY; self.slots.len() * 2];
            for (position, key) in keys.iter().enumerate() {
                if let Err(slot) = self.find(*key, keys) {
                    self.slots[slot] = position as u32;
                }
            }
        }
    }
}

/// Explores a machine breadth first.
#[must_use]
pub fn explore<M: Machine>(max_states: usize, max_depth: u32, scrutiny: Scrutiny<'_>) -> Explored<M> {
    let mut known = Explored {
        states: vec![M::START],
        ops: Vec::new(),
        to: Vec::new(),
        first: Vec::new(),
        is_known: Vec::new(),
        ended: Ended::Complete,
        bound: u32::MAX,
        is_sampled: false,
    };
    let (mut keys, mut positions, mut depths) = (vec![M::key_of(&M::START)], Positions::new(), vec![0u32]);
    if let Err(slot) = positions.find(keys[0], &keys[..0]) {
        positions.insert(slot, 0, &keys);
    }
    // As many of one operation as the compiler tries, which has room for so many fewer states.
    let of_one = MAX_OF_ONE.max(max_states / FEWER);
    let mut limits = StepLimits::new(of_one, max_states.saturating_mul(TRIES_A_STATE));
    let may_join = scrutiny.arguments == Arguments::Ignored;
    let (mut steps, mut from) = (Vec::new(), 0);
    while from < known.states.len() {
        let first = known.to.len();
        known.first.push(first as u32);
        if depths[from] >= max_depth {
            known.is_known.push(false);
            known.end(Ended::Depth, depths[from]);
            from += 1;
            continue;
        }
        let state = known.states[from];
        let mut is_known = steps_of::<M>(state, scrutiny, &mut limits, &mut steps);
        if !is_known {
            known.is_sampled |= !limits.is_over;
            known.end(if limits.is_over { Ended::Tries } else { Ended::Sampled }, depths[from]);
        }
        for (op, to) in steps.drain(..) {
            let key = M::key_of(&to);
            let position = match positions.find(key, &keys) {
                Ok(position) => position,
                Err(_) if known.states.len() >= max_states => {
                    is_known = false;
                    known.end(Ended::States, depths[from]);
                    continue;
                }
                Err(slot) => {
                    let position = known.states.len() as u32;
                    known.states.push(to);
                    keys.push(key);
                    depths.push(depths[from] + 1);
                    positions.insert(slot, position, &keys);
                    position
                }
            };
            let is_same = |edge: usize| {
                known.to[edge] == position
                    && known.ops[edge].is_some_and(|other| {
                        may_join && M::op_index(&other) == M::op_index(&op)
                            || M::key_of_op(&other) == M::key_of_op(&op)
                    })
            };
            if !(first..known.to.len()).any(is_same) {
                known.ops.push(Some(op));
                known.to.push(position);
            }
        }
        if known.to.len() == first && is_known {
            known.ops.push(None);
            known.to.push(from as u32);
        }
        known.is_known.push(is_known);
        from += 1;
    }
    known
}

/// The steps from a state, and whether these are all.
fn steps_of<M: Machine>(
    state: M::State,
    scrutiny: Scrutiny<'_>,
    limits: &mut StepLimits,
    steps: &mut Vec<(M::Op, M::State)>,
) -> bool {
    limits.tried = (u64::MAX, 0);
    limits.is_over = false;
    let made = panics::explained(
        || M::steps(state, scrutiny, limits, &mut |op, to| steps.push((op, to))),
        || format!("in machine `{}`, in a step from state {state:?}", M::NAME),
    );
    match made {
        Ok(is_all) => is_all,
        Err(stop) => cannot_explore(stop),
    }
}

/// Whether something is possible in a state.
pub(super) fn has_step<M: Machine>(state: M::State) -> bool {
    let mut steps = Vec::new();
    let mut limits = StepLimits::new(MAX_OF_ONE, usize::MAX);
    steps_of::<M>(state, Scrutiny::NONE, &mut limits, &mut steps);
    !steps.is_empty()
}

/// Ends the test where `next` has panicked.
fn cannot_explore(stop: Stop) -> ! {
    let mut said = String::new();
    let _ = stop.map_failure(|failure| {
        let place = failure.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        said = format!("the machine is at fault: it panicked{place}:\n{}", failure_words::message(&failure));
        failure
    });
    fail(said)
}
