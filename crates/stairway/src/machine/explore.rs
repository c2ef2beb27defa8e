//! Room for an exploration on the heap: as many states as a test wants. The exploration itself is the one
//! that the compiler runs.
//!
//! The result is a machine's states and the steps between them. Formulas are decided elsewhere (`verdict`).

use super::Machine;
use crate::failure_words;
use crate::panics;
use crate::report::fail;
use stairway_engine::Stop;
use stairway_machine::{
    Choices, Exploration, Limits, MAX_OF_ONE, Progress, RECORD, Scrutiny, StateGraph, TRIES_A_STATE, chain,
    graph,
};
use std::cell::Cell;

/// The states of a machine and the steps between them, as far as they were explored, and room for more.
#[derive(Debug)]
pub struct StateSpace<M: Machine> {
    states: Vec<M::State>,
    keys: Vec<u128>,
    heads: Vec<u32>,
    links: Vec<u32>,
    joined: Vec<u32>,
    first: Vec<u32>,
    is_known: Vec<bool>,
    ops: Vec<Option<M::Op>>,
    to: Vec<u32>,
    limits: Limits,
    progress: Progress<M::State, M::Op>,
}

impl<M: Machine> StateSpace<M> {
    fn new(limits: Limits) -> Self {
        let mut explored = StateSpace {
            states: Vec::new(),
            keys: Vec::new(),
            heads: Vec::new(),
            links: Vec::new(),
            joined: Vec::new(),
            first: Vec::new(),
            is_known: Vec::new(),
            ops: Vec::new(),
            to: Vec::new(),
            limits,
            progress: Progress::default(),
        };
        explored.grow();
        explored
    }

    /// All that is known, as the compiler has it.
    #[must_use]
    pub fn graph(&self) -> StateGraph<'_, M::State, M::Op> {
        graph(&self.progress, (&self.states, &self.ops, &self.to), (&self.first, &self.is_known))
    }

    /// Makes more room for states and for steps, whichever are used up. The vectors grow in small steps,
    /// because room that is filled in advance is memory; the chains are made anew only when there are four
    /// times as many states as chains.
    fn grow(&mut self) {
        let more = |n_used: usize, n: usize| match n_used == n {
            true => n + (n / 2).clamp(FIRST_ROOM, n / 32 + LARGE_STEP),
            false => n,
        };
        let n = more(self.progress.n, self.states.len()).min(self.limits.states.max(FIRST_ROOM));
        let n_edges = more(self.progress.n_edges, self.to.len());
        self.states.resize(n, M::START);
        self.keys.resize(n, 0);
        self.links.resize(n, 0);
        if self.progress.is_joining {
            self.joined.resize(n, 0);
        }
        self.first.resize(n, 0);
        self.is_known.resize(n, false);
        if n / 4 > self.heads.len() {
            self.heads.resize(n / 2, 0);
            chain(&self.keys[..self.progress.n], &mut self.heads, &mut self.links);
        }
        self.ops.resize(n_edges, None);
        self.to.resize(n_edges, 0);
    }

    /// The exploration in this room.
    fn exploration(&mut self) -> Exploration<'_, M::State, M::Op> {
        Exploration {
            n_chains: self.heads.len() as u64,
            n_edges_max: self.to.len().min(self.limits.edges),
            states: &mut self.states,
            keys: &mut self.keys,
            heads: &mut self.heads,
            links: &mut self.links,
            joined: &mut self.joined,
            first: &mut self.first,
            is_known: &mut self.is_known,
            ops: &mut self.ops,
            to: &mut self.to,
            facts: &mut [],
            limits: self.limits,
            progress: self.progress,
        }
    }

    /// Explores until everything is known, or the room is full.
    fn fill(&mut self, choices: &mut Choices<'_>, scrutiny: Scrutiny<'_>, at: &Cell<M::State>) {
        let mut exploration = self.exploration();
        if exploration.progress.is_full {
            exploration.reopen();
        }
        while exploration.open() {
            at.set(exploration.states[exploration.progress.from]);
            M::expand(&mut exploration, choices, scrutiny);
            exploration.close();
        }
        let progress = exploration.progress;
        self.progress = progress;
    }
}

/// How many times fewer states the compiler explores.
const FEWER: usize = 100;
/// For how many states and steps there is room at first.
const FIRST_ROOM: usize = 1024;
/// Room for many states grows by a thirty-second, and by so many.
const LARGE_STEP: usize = 1 << 13;

/// Explores a machine breadth first.
#[must_use]
pub fn explore<M: Machine>(max_states: usize, max_depth: u32, scrutiny: Scrutiny<'_>) -> StateSpace<M> {
    // As many of one operation as the compiler tries, which has room for so many fewer states.
    let of_one = MAX_OF_ONE.max(max_states / FEWER);
    let tries = max_states.saturating_mul(TRIES_A_STATE);
    let limits = Limits {
        states: max_states,
        edges: usize::MAX,
        of_one,
        tries,
        sampled_tries: tries,
        depth: max_depth,
    };
    let start = M::START;
    let mut explored = StateSpace::<M>::new(limits);
    let mut exploration = explored.exploration();
    exploration.start(start, M::key_of(&start));
    let progress = exploration.progress;
    explored.progress = progress;
    let (mut record, at) = (RECORD, Cell::new(start));
    let mut choices = Choices::counting(&mut record);
    loop {
        let filled = panics::explained(
            || explored.fill(&mut choices, scrutiny, &at),
            || format!("in machine `{}`, in a step from state {:?}", M::NAME, at.get()),
        );
        if let Err(stop) = filled {
            cannot_explore(stop);
        }
        if !explored.progress.is_full {
            return explored;
        }
        explored.grow();
    }
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
