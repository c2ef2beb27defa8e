//! Exploring a machine with a heap: as many states as a test wants, otherwise as the compiler does it.
//!
//! Receives a machine, hands on its states and the steps between them. It knows no formula.

use super::Machine;
use crate::failure_words;
use crate::panics;
use crate::report::fail;
use stairway_engine::machine::{MAX_OF_ONE, RECORD, TRIES_A_STATE};
use stairway_engine::{Choices, Stop};
use std::collections::BTreeMap;

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
    /// Whether everything was explored.
    pub is_complete: bool,
}

/// How many times fewer states the compiler explores.
const FEWER: usize = 100;

/// Explores a machine breadth first.
#[must_use]
pub fn explore<M: Machine>(
    max_states: usize,
    max_depth: u32,
    extra: &[i128],
    is_thorough: bool,
) -> Explored<M> {
    let mut known = Explored {
        states: vec![M::START],
        ops: Vec::new(),
        to: Vec::new(),
        first: Vec::new(),
        is_known: Vec::new(),
        is_complete: true,
    };
    let mut positions = BTreeMap::from([(M::key_of(&M::START), 0u32)]);
    let mut depths = vec![0u32];
    let mut n_left = max_states * TRIES_A_STATE;
    // As many as the compiler tries, which has room for so many fewer states.
    let most_of_one = MAX_OF_ONE.max(max_states / FEWER);
    let mut from = 0;
    while from < known.states.len() {
        known.first.push(known.to.len() as u32);
        if depths[from] >= max_depth {
            known.is_known.push(false);
            known.is_complete = false;
            from += 1;
            continue;
        }
        let mut edges: Vec<(u128, u32)> = Vec::new();
        let (steps, mut is_known) =
            steps_from::<M>(known.states[from], extra, is_thorough, (most_of_one, &mut n_left));
        for (op, to) in steps {
            let key = M::key_of(&to);
            let position = match positions.get(&key) {
                Some(position) => *position,
                None if known.states.len() >= max_states => {
                    is_known = false;
                    continue;
                }
                None => {
                    let position = known.states.len() as u32;
                    known.states.push(to);
                    depths.push(depths[from] + 1);
                    positions.insert(key, position);
                    position
                }
            };
            let edge = (M::key_of_op(&op), position);
            if !edges.contains(&edge) {
                edges.push(edge);
                known.ops.push(Some(op));
                known.to.push(position);
            }
        }
        if edges.is_empty() && is_known {
            known.ops.push(None);
            known.to.push(from as u32);
        }
        known.is_complete &= is_known;
        known.is_known.push(is_known);
        from += 1;
    }
    known
}

/// Steps with where they lead, and whether there are no others.
type Steps<M> = (Vec<(<M as Machine>::Op, <M as Machine>::State)>, bool);

/// The steps from a state, each argument among its representatives, and whether these are all: so many of one operation, and of all
/// operations what is left of the budget.
pub(super) fn steps_from<M: Machine>(
    state: M::State,
    extra: &[i128],
    is_thorough: bool,
    (most_of_one, n_left): (usize, &mut usize),
) -> Steps<M> {
    let (mut steps, mut is_all) = (Vec::new(), true);
    let mut record = RECORD;
    let mut choices = Choices::counting(&mut record);
    let (mut op, mut n_of_op) = (0, 0);
    loop {
        let drawn = panics::explained(
            || M::draw(state, &mut choices, extra, is_thorough),
            || format!("in machine `{}`, in a step from state {state:?}", M::NAME),
        );
        match drawn {
            Ok(drawn) => steps.extend(drawn),
            Err(stop) => cannot_explore(stop),
        }
        if choices.first_index() != op {
            (op, n_of_op) = (choices.first_index(), 0);
        }
        n_of_op += 1;
        *n_left = n_left.saturating_sub(1);
        let is_over = n_of_op >= most_of_one || *n_left == 0;
        is_all &= !is_over;
        if !(if is_over { choices.advance_first() } else { choices.advance() }) {
            return (steps, is_all);
        }
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
