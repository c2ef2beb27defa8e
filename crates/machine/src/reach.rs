//! Questions about all runs from a state: what can be reached, what can last, and how long something can
//! take.
//!
//! If exploration is not complete, each answer has two sides: what is certain, and what is not known.

use super::judge::{Condition, holds};
use super::search::Graph;

/// Marks every state from which a step with a condition is possible. `is_unknown` says of which states not
/// all steps are known, and afterwards of which that is not known.
pub(super) const fn can_next(
    graph: &Graph<'_>,
    goal: Condition,
    marked: &mut [bool],
    is_unknown: &mut [bool],
) {
    let mut from = 0;
    while from < graph.n {
        marked[from] = false;
        let (mut i, end) = graph.edges_of(from);
        while i < end {
            marked[from] |= holds(goal, graph.edges[i].letter);
            i += 1;
        }
        is_unknown[from] = is_unknown[from] && !marked[from];
        from += 1;
    }
}

/// Leaves those states marked from which a run stays in marked states for ever. `is_unknown` says of which
/// states not all steps are known, and afterwards of which that is not known.
pub(super) const fn can_always(graph: &Graph<'_>, marked: &mut [bool], is_unknown: &mut [bool]) {
    let (mut n_unknown, mut i) = (0, 0);
    while i < graph.n {
        is_unknown[i] = is_unknown[i] && marked[i];
        n_unknown += is_unknown[i] as usize;
        i += 1;
    }
    // A run may stay if it can reach a state where not everything is known.
    let (mut changed, mut is_forward) = (n_unknown > 0, false);
    while changed {
        changed = false;
        let mut k = 0;
        while k < graph.n {
            let from = if is_forward { k } else { graph.n - 1 - k };
            if marked[from] && !is_unknown[from] && has_edge_to(graph, from, is_unknown) {
                is_unknown[from] = true;
                changed = true;
            }
            k += 1;
        }
        is_forward = !is_forward;
    }
    // It does stay if its next state does.
    changed = true;
    while changed {
        changed = false;
        let mut k = 0;
        while k < graph.n {
            let from = if is_forward { k } else { graph.n - 1 - k };
            if marked[from] && !has_edge_to(graph, from, marked) {
                marked[from] = false;
                changed = true;
            }
            k += 1;
        }
        is_forward = !is_forward;
    }
    let mut i = 0;
    while i < graph.n {
        is_unknown[i] = is_unknown[i] && !marked[i];
        i += 1;
    }
}

const fn has_edge_to(graph: &Graph<'_>, from: usize, marked: &[bool]) -> bool {
    let (mut i, end) = graph.edges_of(from);
    while i < end {
        if marked[graph.edges[i].to as usize] {
            return true;
        }
        i += 1;
    }
    false
}

/// Marks every state from which a marked state can be reached.
const fn spread_back(graph: &Graph<'_>, marked: &mut [bool]) {
    let (mut n_left, mut i) = (0, 0);
    while i < graph.n {
        n_left += !marked[i] as usize;
        i += 1;
    }
    // Nothing is marked, or everything: usual for what is not known.
    let (mut changed, mut is_forward) = (n_left < graph.n, true);
    while changed && n_left > 0 {
        changed = false;
        let mut k = 0;
        while k < graph.n {
            // Back and forth: most machines are done after one round either way.
            let from = if is_forward { k } else { graph.n - 1 - k };
            if !marked[from] {
                let (mut i, end) = graph.edges_of(from);
                while i < end && !marked[graph.edges[i].to as usize] {
                    i += 1;
                }
                if i < end {
                    marked[from] = true;
                    n_left -= 1;
                    changed = true;
                }
            }
            k += 1;
        }
        is_forward = !is_forward;
    }
}

/// Marks every state from which a marked state can be reached. Of states whose steps are not all
/// known, `is_unknown` says that nothing is known; it spreads to the states that depend on them.
pub(super) const fn can_reach(graph: &Graph<'_>, marked: &mut [bool], is_unknown: &mut [bool]) {
    spread_back(graph, marked);
    spread_back(graph, is_unknown);
    let mut i = 0;
    while i < graph.n {
        // What is reached for certain does not depend on what is unknown.
        is_unknown[i] = is_unknown[i] && !marked[i];
        i += 1;
    }
}

/// The largest number of steps in a row that all end in a waiting state of a graph, and the state
/// at the end of them; `None` if there is no bound. `length` is room for a number a state, with
/// which the caller may follow such a run back.
pub(super) const fn longest_wait(
    graph: &Graph<'_>,
    waits: &[bool],
    length: &mut [u32],
) -> Option<(u32, usize)> {
    let (mut round, mut changed) = (0, true);
    while changed {
        changed = false;
        // Each round lengthens the longest run; more rounds than states means a cycle.
        if round > graph.n {
            return None;
        }
        round += 1;
        let mut from = 0;
        while from < graph.n {
            let (mut i, end) = graph.edges_of(from);
            while i < end {
                let to = graph.edges[i].to as usize;
                let before = if waits[from] { length[from] } else { 0 };
                if waits[to] && length[to] < before + 1 {
                    length[to] = before + 1;
                    changed = true;
                    if length[to] as usize > graph.n {
                        return None;
                    }
                }
                i += 1;
            }
            from += 1;
        }
    }
    let (mut most, mut at, mut i) = (0, 0, 0);
    while i < graph.n {
        if length[i] > most {
            (most, at) = (length[i], i);
        }
        i += 1;
    }
    Some((most, at))
}
