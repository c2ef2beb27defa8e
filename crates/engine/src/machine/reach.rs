//! Questions about branching: from where can a state be reached, and how long can it take.

use super::search::Graph;

/// Marks every state from which a marked state can be reached. Of states whose edges are not all
/// known, `is_unknown` says that nothing is known; it spreads to the states that depend on them.
pub const fn can_reach(graph: &Graph<'_>, marked: &mut [bool], is_unknown: &mut [bool]) {
    let mut changed = true;
    while changed {
        changed = false;
        let mut from = graph.n;
        while from > 0 {
            from -= 1;
            let (mut i, end) = graph.edges_of(from);
            while i < end {
                let to = graph.edges[i].to as usize;
                if marked[to] && !marked[from] {
                    marked[from] = true;
                    changed = true;
                }
                if is_unknown[to] && !is_unknown[from] {
                    is_unknown[from] = true;
                    changed = true;
                }
                i += 1;
            }
        }
    }
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
pub const fn longest_wait(graph: &Graph<'_>, waits: &[bool], length: &mut [u32]) -> Option<(u32, usize)> {
    let (mut round, mut changed) = (0, true);
    while changed {
        changed = false;
        // Each round lengthens the longest run; more rounds than states means a circle.
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
