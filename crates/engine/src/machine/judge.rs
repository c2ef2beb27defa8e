//! A formula against an explored machine: predicates about what can be reached, conditions that
//! were never met, counterexamples looked at again, and how long a wait can be.

use super::formula::{Letter, Monitor, Standing};
use super::meaning::{Circle, Part};
use super::reach::{can_reach, longest_wait};
use super::search::{Edge, Found, Graph};

/// A condition on one letter: any of these holds, each being predicates that must and must not.
pub type Condition = &'static [(Letter, Letter)];

/// Whether a condition holds.
#[must_use]
pub const fn holds(condition: Condition, letter: Letter) -> bool {
    let mut i = 0;
    while i < condition.len() {
        let (must, must_not) = condition[i];
        if letter & must == must && letter & must_not == 0 {
            return true;
        }
        i += 1;
    }
    false
}

/// The predicate `can_reach(goal)`.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Its bit.
    pub bit: Letter,
    /// What can be reached.
    pub goal: Condition,
}

/// Gives every edge and state the bits of what can be reached. `letters` are those of the states
/// alone. Says at which state that cannot be known, because not everything was explored.
pub const fn mark(
    graph: (&mut [Edge], &[u32], &[bool]),
    letters: &mut [Letter],
    reaches: &[Reach],
    marked: &mut [bool],
    is_unknown: &mut [bool],
) -> Option<usize> {
    let (edges, first, is_known) = graph;
    let n = letters.len();
    let mut undecided = None;
    let mut r = 0;
    while r < reaches.len() {
        let Reach { bit, goal } = reaches[r];
        let mut i = 0;
        while i < n {
            marked[i] = holds(goal, letters[i]);
            is_unknown[i] = !is_known[i];
            i += 1;
        }
        can_reach(&Graph { n, edges, first }, marked, is_unknown);
        let mut i = 0;
        while i < n {
            if marked[i] {
                letters[i] |= bit;
            } else if is_unknown[i] && undecided.is_none() {
                undecided = Some(i);
            }
            i += 1;
        }
        let mut e = 0;
        while e < edges.len() {
            if marked[edges[e].to as usize] {
                edges[e].letter |= bit;
            }
            e += 1;
        }
        r += 1;
    }
    undecided
}

/// The first condition that no letter meets, if there is one.
#[must_use]
pub const fn never_met(edges: &[Edge], start: Letter, conditions: &[Condition]) -> Option<usize> {
    let mut k = 0;
    while k < conditions.len() {
        let (mut is_met, mut e) = (holds(conditions[k], start), 0);
        while e < edges.len() && !is_met {
            is_met = holds(conditions[k], edges[e].letter);
            e += 1;
        }
        if !is_met {
            return Some(k);
        }
        k += 1;
    }
    None
}

/// Whether what a search found is a counterexample, looked at again without the search's automaton: a
/// beginning by the monitor, a circle by what the parts of the formula mean. The rooms have a place for
/// each letter of the run, and one for each letter and part.
#[must_use]
pub const fn is_counterexample(
    (monitor, parts): (&Monitor, &[Part]),
    (edges, start): (&[Edge], Letter),
    path: &[u32],
    found: Found,
    (letters, room): (&mut [Letter], &mut [bool]),
) -> bool {
    letters[0] = start;
    let mut state = monitor.after(Monitor::START, start);
    let mut i = 0;
    while i < found.n_path {
        letters[i + 1] = edges[path[i] as usize].letter;
        state = monitor.after(state, letters[i + 1]);
        i += 1;
    }
    match found.circle_from {
        None => matches!(monitor.standing(state), Standing::Fails),
        Some(from) => {
            let letters = letters.split_at(found.n_path + 1).0;
            !Circle { letters, back: from + 1 }.holds(parts, room)
        }
    }
}

/// How many steps what `within(auto, ..)` speaks of can take: the longest wait in the product of
/// graph and monitor, built in the given rooms. `None` if there is no bound.
pub const fn wait(
    graph: &Graph<'_>,
    monitor: &Monitor,
    start: Letter,
    rooms: (&mut [Edge], &mut [u32], &mut [bool], &mut [u32]),
) -> Option<u32> {
    let (edges, first, waits, length) = rooms;
    let m = monitor.standings.len();
    let (mut node, mut n_edges) = (0, 0);
    while node < graph.n * m {
        let (state, judged) = (node / m, (node % m) as u16);
        first[node] = n_edges as u32;
        waits[node] = monitor.waits[judged as usize];
        let (mut e, end) = graph.edges_of(state);
        while e < end {
            let to = graph.edges[e].to as usize * m + monitor.after(judged, graph.edges[e].letter) as usize;
            edges[n_edges] = Edge { to: to as u32, letter: 0 };
            n_edges += 1;
            e += 1;
        }
        node += 1;
    }
    let begin = monitor.after(Monitor::START, start) as usize;
    reached(edges.split_at(n_edges).0, first, begin, length);
    let mut node = 0;
    while node < graph.n * m {
        waits[node] = waits[node] && length[node] != 0;
        length[node] = (node == begin && waits[node]) as u32;
        node += 1;
    }
    let product = Graph { n: graph.n * m, edges: edges.split_at(n_edges).0, first };
    match longest_wait(&product, waits, length) {
        Some((most, _)) => Some(most),
        None => None,
    }
}

/// Sets `mark` for every node that can be reached from `begin`.
const fn reached(edges: &[Edge], first: &[u32], begin: usize, mark: &mut [u32]) {
    let n = first.len();
    let mut i = 0;
    while i < n {
        mark[i] = 0;
        i += 1;
    }
    mark[begin] = 1;
    let mut changed = true;
    let graph = Graph { n, edges, first };
    while changed {
        changed = false;
        let mut from = 0;
        while from < n {
            if mark[from] == 1 {
                mark[from] = 2;
                let (mut e, end) = graph.edges_of(from);
                while e < end {
                    if mark[edges[e].to as usize] == 0 {
                        mark[edges[e].to as usize] = 1;
                        changed = true;
                    }
                    e += 1;
                }
            }
            from += 1;
        }
    }
}
