//! Searches for a run of a machine that an automaton accepts: the shortest path to a state from which every
//! continuation is accepted, or a cycle on which every promise is kept.
//!
//! The product of graph and automaton is never built; its nodes are numbers. Breadth-first search finds
//! shortest prefixes, Tarjan's algorithm the strongly connected components that contain cycles.

use stairway_formula::{ANYTHING, Automaton, CYCLIC, Letter, Move};

/// An edge of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Where it leads.
    pub to: u32,
    /// Which predicates hold after it.
    pub letter: Letter,
}

impl Edge {
    /// A placeholder to fill buffers with.
    pub const BLANK: Edge = Edge { to: 0, letter: 0 };
}

/// A machine as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Graph<'g> {
    /// How many states there are.
    pub n: usize,
    /// The edges, state by state.
    pub edges: &'g [Edge],
    /// Where the edges of each state begin.
    pub first: &'g [u32],
}

impl Graph<'_> {
    /// Where the edges of a state begin and end.
    #[must_use]
    pub const fn edges_of(&self, from: usize) -> (usize, usize) {
        let end = if from + 1 < self.n { self.first[from + 1] as usize } else { self.edges.len() };
        (self.first[from] as usize, end)
    }
}

/// A run that was found: the first `n_path` entries of [`Search::path`] are its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// How many edges there are, with those of the cycle.
    pub n_path: usize,
    /// Where the cycle begins, if there is one.
    pub cycle_from: Option<usize>,
}

/// Room for a search: a number for each pair of a state of the graph and one of the automaton.
#[derive(Debug)]
pub struct Search<'w> {
    /// The edges of what was found.
    pub path: &'w mut [u32],
    /// Node before this one on a shortest way.
    parent: &'w mut [u32],
    /// Edge of the graph by which it was reached.
    by: &'w mut [u32],
    /// Nodes in the order in which they were reached.
    order: &'w mut [u32],
    /// Tarjan's number of each node.
    number: &'w mut [u32],
    /// The smallest number that is reached from it; later, its part.
    low: &'w mut [u32],
    /// Tarjan's two stacks.
    stack: &'w mut [u32],
    /// See `stack`; later the promises kept in each part.
    calls: &'w mut [u32],
    /// Position among the edges of each node that is being looked at.
    at: &'w mut [u32],
}

const NONE: u32 = u32::MAX;
/// How many beginnings of cycles are tried for a short one.
const N_TRIES: usize = 24;

/// What there is among the nodes that can be reached.
enum Outcome {
    Nothing,
    /// Whatever follows the start is accepted.
    Start,
    /// After a node and its edge, whatever follows is accepted.
    Step(u32, u32),
    /// A part in which every promise is kept, among so many nodes.
    Cycle(usize),
}

/// Stands between two transitions of the product: which of an edge are next, and which edges after it.
#[derive(Clone, Copy)]
struct Cursor {
    edge: usize,
    end: usize,
    turn: usize,
    last: usize,
}

/// A transition of the product.
#[derive(Clone, Copy)]
struct Hop {
    to: u32,
    edge: u32,
    kept: u32,
}

const fn cursor(graph: &Graph<'_>, automaton: &Automaton<'_>, node: u32) -> Cursor {
    let (edge, end) = graph.edges_of((node / automaton.n_states) as usize);
    Cursor { edge, end, turn: 0, last: 0 }
}

const fn hop(graph: &Graph<'_>, automaton: &Automaton<'_>, node: u32, cursor: &mut Cursor) -> Option<Hop> {
    let q = automaton.n_states;
    loop {
        if cursor.turn < cursor.last {
            let Move { to: goal, kept } = automaton.moves[cursor.turn];
            cursor.turn += 1;
            let edge = cursor.edge - 1;
            let to = if goal == ANYTHING { NONE } else { graph.edges[edge].to * q + goal as u32 };
            return Some(Hop { to, edge: edge as u32, kept });
        }
        if cursor.edge == cursor.end {
            return None;
        }
        (cursor.turn, cursor.last) = automaton.moves_on(node % q, graph.edges[cursor.edge].letter);
        cursor.edge += 1;
    }
}

impl<'w> Search<'w> {
    /// How many edges the path of what is found can have, among this many nodes.
    #[must_use]
    pub const fn longest_path(n_nodes: usize) -> usize {
        4 * n_nodes + 16
    }

    /// How many words a search among this many nodes writes on.
    #[must_use]
    pub const fn room(n_nodes: usize) -> usize {
        6 * n_nodes + 2 * (n_nodes + 1)
    }

    /// A search among this many nodes, in room for its longest path and for all else.
    #[must_use]
    pub const fn new(path: &'w mut [u32], room: &'w mut [u32], n_nodes: usize) -> Self {
        let (parent, room) = room.split_at_mut(n_nodes);
        let (by, room) = room.split_at_mut(n_nodes);
        let (order, room) = room.split_at_mut(n_nodes);
        let (number, room) = room.split_at_mut(n_nodes);
        let (low, room) = room.split_at_mut(n_nodes);
        let (at, room) = room.split_at_mut(n_nodes);
        let (stack, calls) = room.split_at_mut(n_nodes + 1);
        Search { path, parent, by, order, number, low, stack, calls, at }
    }

    /// A run that the automaton accepts, beginning in the graph's state 0 with the letter `start`.
    pub const fn run(
        &mut self,
        graph: &Graph<'_>,
        automaton: &Automaton<'_>,
        start: Letter,
    ) -> Option<Counterexample> {
        match self.look(graph, automaton, start) {
            Outcome::Nothing => None,
            Outcome::Start => Some(Counterexample { n_path: 0, cycle_from: None }),
            Outcome::Step(node, edge) => Some(self.prefix(node, Some(edge))),
            Outcome::Cycle(n) => self.cycle(graph, automaton, n),
        }
    }

    /// Whether there is a run that the automaton accepts: to find a short one costs more than to know that.
    pub const fn exists(&mut self, graph: &Graph<'_>, automaton: &Automaton<'_>, start: Letter) -> bool {
        !matches!(self.look(graph, automaton, start), Outcome::Nothing)
    }

    const fn look(&mut self, graph: &Graph<'_>, automaton: &Automaton<'_>, start: Letter) -> Outcome {
        let (mut i, n_nodes) = (0, self.parent.len());
        while i < n_nodes {
            (self.parent[i], self.number[i]) = (NONE, NONE);
            i += 1;
        }
        let (mut i, end) = automaton.moves_on(0, start);
        let mut n = 0;
        while i < end {
            let Move { to, .. } = automaton.moves[i];
            if to == ANYTHING {
                return Outcome::Start;
            }
            let node = to as u32;
            if self.parent[node as usize] == NONE {
                self.parent[node as usize] = node;
                self.order[n] = node;
                n += 1;
            }
            i += 1;
        }
        if let Some((node, edge)) = self.spread(graph, automaton, &mut n) {
            return Outcome::Step(node, edge);
        }
        if !automaton.can_cycle() {
            return Outcome::Nothing;
        }
        self.parts(graph, automaton, n);
        self.keep(graph, automaton, n);
        let (mut part, all) = (0, automaton.promises | CYCLIC);
        while part < n {
            if self.calls[part] & all == all {
                return Outcome::Cycle(n);
            }
            part += 1;
        }
        Outcome::Nothing
    }

    /// Breadth first; a node and its edge after which anything is accepted end it.
    const fn spread(
        &mut self,
        graph: &Graph<'_>,
        automaton: &Automaton<'_>,
        n: &mut usize,
    ) -> Option<(u32, u32)> {
        // Every edge of every machine comes by here: a call for each would be most of what is done.
        let Automaton { rows, first, moves, n_states: q, n_atoms, .. } = *automaton;
        let mut next = 0;
        while next < *n {
            let node = self.order[next];
            next += 1;
            let (mut edge, end) = graph.edges_of((node / q) as usize);
            let state = (node % q) << n_atoms;
            while edge < end {
                let Edge { to, letter } = graph.edges[edge];
                let row = rows[(state | letter) as usize] as usize;
                let (mut turn, last) = (first[row] as usize, first[row + 1] as usize);
                while turn < last {
                    let goal = moves[turn].to;
                    turn += 1;
                    if goal == ANYTHING {
                        return Some((node, edge as u32));
                    }
                    let to = (to * q + goal as u32) as usize;
                    if self.parent[to] == NONE {
                        self.parent[to] = node;
                        self.by[to] = edge as u32;
                        self.order[*n] = to as u32;
                        *n += 1;
                    }
                }
                edge += 1;
            }
        }
        None
    }

    /// The way to a node, and one edge more.
    const fn prefix(&mut self, node: u32, last: Option<u32>) -> Counterexample {
        let mut n = 0;
        let mut at = node;
        while self.parent[at as usize] != at {
            n += 1;
            at = self.parent[at as usize];
        }
        let mut n_path = n;
        if let Some(edge) = last {
            self.path[n_path] = edge;
            n_path += 1;
        }
        let mut at = node;
        while n > 0 {
            n -= 1;
            self.path[n] = self.by[at as usize];
            at = self.parent[at as usize];
        }
        Counterexample { n_path, cycle_from: None }
    }

    /// Tarjan's algorithm with stacks of its own: afterwards `low` is the part of each node.
    const fn parts(&mut self, graph: &Graph<'_>, automaton: &Automaton<'_>, n: usize) {
        let (mut count, mut n_stack, mut n_parts, mut root) = (0, 0, 0, 0);
        // While a node is on the stack its `low` is below PART; afterwards it is PART + its part.
        while root < n {
            let node = self.order[root] as usize;
            if !automaton.is_cyclic[node % automaton.n_states as usize] {
                // On no cycle that is looked for: a part of its own.
                self.low[node] = PART + n_parts;
                n_parts += 1;
            } else if self.number[node] == NONE {
                let mut n_calls = 0;
                self.enter(self.order[root], &mut count, &mut n_stack, &mut n_calls);
                while n_calls > 0 {
                    let node = self.calls[n_calls - 1];
                    if let Some(to) = self.next_of(graph, automaton, node) {
                        if self.number[to as usize] == NONE {
                            self.enter(to, &mut count, &mut n_stack, &mut n_calls);
                        } else if self.low[to as usize] < PART {
                            self.lower(node, self.number[to as usize]);
                        }
                        continue;
                    }
                    n_calls -= 1;
                    let low = self.low[node as usize];
                    if n_calls > 0 {
                        self.lower(self.calls[n_calls - 1], low);
                    }
                    if low == self.number[node as usize] {
                        loop {
                            n_stack -= 1;
                            let member = self.stack[n_stack];
                            self.low[member as usize] = PART + n_parts;
                            if member == node {
                                break;
                            }
                        }
                        n_parts += 1;
                    }
                }
            }
            root += 1;
        }
        let mut i = 0;
        while i < n {
            self.low[self.order[i] as usize] -= PART;
            i += 1;
        }
    }

    const fn enter(&mut self, node: u32, count: &mut u32, n_stack: &mut usize, n_calls: &mut usize) {
        self.number[node as usize] = *count;
        self.low[node as usize] = *count;
        self.at[node as usize] = 0;
        *count += 1;
        self.stack[*n_stack] = node;
        *n_stack += 1;
        self.calls[*n_calls] = node;
        *n_calls += 1;
    }

    const fn lower(&mut self, node: u32, low: u32) {
        if low < self.low[node as usize] {
            self.low[node as usize] = low;
        }
    }

    /// The successor on a cycle that this node has not gone to yet.
    const fn next_of(&mut self, graph: &Graph<'_>, automaton: &Automaton<'_>, node: u32) -> Option<u32> {
        let Automaton { rows, first, moves, n_states: q, n_atoms, width, .. } = *automaton;
        if width == 0 {
            return None;
        }
        let state = (node % q) << n_atoms;
        let (from, end) = graph.edges_of((node / q) as usize);
        let at = self.at[node as usize];
        let (mut edge, mut turn) = (from + (at / width) as usize, (at % width) as usize);
        while edge < end {
            let Edge { to, letter } = graph.edges[edge];
            let row = rows[(state | letter) as usize] as usize;
            let (begin, last) = (first[row] as usize, first[row + 1] as usize);
            if begin + turn < last {
                let Move { to: goal, kept } = moves[begin + turn];
                turn += 1;
                if kept & CYCLIC != 0 {
                    // Behind the last transition of an edge comes the next edge.
                    let next = if begin + turn == last { width } else { turn as u32 };
                    self.at[node as usize] = (edge - from) as u32 * width + next;
                    return Some(to * q + goal as u32);
                }
            } else {
                edge += 1;
                turn = 0;
            }
        }
        self.at[node as usize] = (end - from) as u32 * width;
        None
    }

    /// Afterwards `calls` says for each part which promises are kept in it, and whether it has an
    /// edge.
    const fn keep(&mut self, graph: &Graph<'_>, automaton: &Automaton<'_>, n: usize) {
        let mut i = 0;
        while i < n {
            self.calls[i] = 0;
            i += 1;
        }
        let Automaton { rows, first, moves, n_states: q, n_atoms, is_cyclic, .. } = *automaton;
        let mut i = 0;
        while i < n {
            let node = self.order[i];
            let part = self.low[node as usize];
            i += 1;
            if !is_cyclic[(node % q) as usize] {
                continue;
            }
            let (mut edge, end) = graph.edges_of((node / q) as usize);
            let state = (node % q) << n_atoms;
            let mut found = self.calls[part as usize];
            while edge < end {
                let Edge { to, letter } = graph.edges[edge];
                let row = rows[(state | letter) as usize] as usize;
                let (mut turn, last) = (first[row] as usize, first[row + 1] as usize);
                while turn < last {
                    let Move { to: goal, kept } = moves[turn];
                    turn += 1;
                    if kept & CYCLIC != 0 && self.low[(to * q + goal as u32) as usize] == part {
                        found |= kept;
                    }
                }
                edge += 1;
            }
            self.calls[part as usize] = found;
        }
    }

    /// A short prefix with a short cycle after it, in a part where every promise is kept.
    const fn cycle(
        &mut self,
        graph: &Graph<'_>,
        automaton: &Automaton<'_>,
        n: usize,
    ) -> Option<Counterexample> {
        let (mut best, mut best_length, mut tries, mut i) = (NONE, usize::MAX, 0, 0);
        let all = automaton.promises | CYCLIC;
        // `number` is free by now: the edge by which a node was reached; `at` the node before it.
        let (mut k, n_nodes) = (0, self.number.len());
        while k < n_nodes {
            self.number[k] = NONE;
            k += 1;
        }
        while i < n && tries < N_TRIES {
            let node = self.order[i];
            if self.calls[self.low[node as usize] as usize] & all == all {
                tries += 1;
                let length = self.with_cycle(graph, automaton, node).n_path;
                if length < best_length {
                    (best, best_length) = (node, length);
                }
            }
            i += 1;
        }
        if best == NONE {
            return None;
        }
        let mut found = self.with_cycle(graph, automaton, best);
        // A prefix that ends as the cycle does is part of the cycle.
        while let Some(from) = found.cycle_from
            && from > 0
            && self.path[from - 1] == self.path[found.n_path - 1]
        {
            found = Counterexample { n_path: found.n_path - 1, cycle_from: Some(from - 1) };
        }
        Some(found)
    }

    /// The way to a node and from there through its part back to it, with every promise kept.
    const fn with_cycle(
        &mut self,
        graph: &Graph<'_>,
        automaton: &Automaton<'_>,
        node: u32,
    ) -> Counterexample {
        let from = self.prefix(node, None).n_path;
        let (mut n_path, mut kept, mut at) = (from, 0, node);
        loop {
            let missing = automaton.promises & !kept;
            let is_back = missing == 0;
            if is_back && at == node && n_path > from {
                return Counterexample { n_path, cycle_from: Some(from) };
            }
            // A cycle through a part of n nodes is shorter than n for each promise.
            let goal = if is_back { Some(node) } else { None };
            let Some((to, kept_now)) = self.go(graph, automaton, at, missing, goal, &mut n_path) else {
                return Counterexample { n_path: usize::MAX, cycle_from: None };
            };
            (at, kept) = (to, kept | kept_now);
        }
    }

    /// Goes the shortest way within a part to `goal`, or to where a missing promise is kept.
    const fn go(
        &mut self,
        graph: &Graph<'_>,
        automaton: &Automaton<'_>,
        from: u32,
        missing: u32,
        goal: Option<u32>,
        n_path: &mut usize,
    ) -> Option<(u32, u32)> {
        let part = self.low[from as usize];
        let (mut next, mut n, mut end) = (0, 1, None);
        self.stack[0] = from;
        while next < n && end.is_none() {
            let node = self.stack[next];
            next += 1;
            let mut cursor = cursor(graph, automaton, node);
            while let Some(hop) = hop(graph, automaton, node, &mut cursor) {
                if hop.to == NONE || self.low[hop.to as usize] != part {
                    continue;
                }
                let is_there = match goal {
                    Some(goal) => hop.to == goal,
                    None => hop.kept & missing != 0,
                };
                if is_there {
                    end = Some((node, hop));
                    break;
                }
                if self.number[hop.to as usize] == NONE && hop.to != from {
                    self.number[hop.to as usize] = hop.edge;
                    self.at[hop.to as usize] = node;
                    self.stack[n] = hop.to;
                    n += 1;
                }
            }
        }
        let reached = match end {
            Some((node, hop)) if self.append(node, from, hop, n_path) => Some((hop.to, hop.kept)),
            _ => None,
        };
        while n > 0 {
            n -= 1;
            self.number[self.stack[n] as usize] = NONE;
        }
        reached
    }

    /// Writes the way from `from` to `node` and one hop more after the path; false if it is too
    /// long to be shown.
    const fn append(&mut self, node: u32, from: u32, hop: Hop, n_path: &mut usize) -> bool {
        let (mut n, mut at) = (0, node);
        while at != from {
            n += 1;
            at = self.at[at as usize];
        }
        if *n_path + n >= self.path.len() {
            return false;
        }
        self.path[*n_path + n] = hop.edge;
        let mut at = node;
        let end = *n_path + n;
        while n > 0 {
            n -= 1;
            self.path[*n_path + n] = self.number[at as usize];
            at = self.at[at as usize];
        }
        *n_path = end + 1;
        true
    }
}

/// Above every number of Tarjan's.
const PART: u32 = 1 << 30;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Accepts runs on which the first predicate never holds again after some time:
    /// `eventually(always(not(p)))`.
    const FINALLY_NEVER: Automaton<'static> = Automaton {
        // In the first state the predicate may still hold; in the second it may not.
        rows: &[0, 1, 2, 3],
        first: &[0, 2, 3, 4, 4],
        moves: &[
            Move { to: 0, kept: 0 },
            Move { to: 1, kept: 1 },
            Move { to: 0, kept: 0 },
            Move { to: 1, kept: 1 | CYCLIC },
        ],
        is_cyclic: &[false, true],
        n_states: 2,
        n_atoms: 1,
        width: 2,
        promises: 1,
    };
    /// Accepts runs on which the first predicate fails once: `eventually(not(p))`.
    const ONCE_NOT: Automaton<'static> = Automaton {
        rows: &[0, 1],
        first: &[0, 1, 2],
        moves: &[Move { to: ANYTHING, kept: 1 }, Move { to: 0, kept: 0 }],
        is_cyclic: &[false],
        n_states: 1,
        n_atoms: 1,
        width: 1,
        promises: 1,
    };

    /// Runs a search on a graph given as (from, to, letter), in order of `from`.
    fn search(
        n: usize,
        edges: &[(u32, u32, Letter)],
        automaton: &Automaton<'_>,
    ) -> Option<(Vec<u32>, Option<usize>)> {
        let first: Vec<u32> =
            (0..n as u32).map(|s| edges.iter().filter(|(from, ..)| *from < s).count() as u32).collect();
        let made: Vec<Edge> = edges.iter().map(|(_, to, letter)| Edge { to: *to, letter: *letter }).collect();
        let graph = Graph { n, edges: &made, first: &first };
        let size = n * automaton.n_states as usize;
        let (mut path, mut room) = (vec![0; Search::longest_path(size)], vec![0; Search::room(size)]);
        let mut search = Search::new(&mut path, &mut room, size);
        let found = search.run(&graph, automaton, 1)?;
        Some((path[..found.n_path].to_vec(), found.cycle_from))
    }

    #[test]
    fn the_shortest_bad_prefix_is_found() {
        let edges = [(0, 1, 1), (0, 2, 1), (1, 2, 1), (2, 3, 0), (3, 0, 1)];
        assert_eq!(search(4, &edges, &ONCE_NOT), Some((vec![1, 3], None)));
        assert_eq!(search(4, &edges.map(|(a, b, _)| (a, b, 1)), &ONCE_NOT), None);
    }

    #[test]
    fn a_cycle_without_the_predicate_is_found() {
        // 0 -> 1 -> 2 -> 1 avoids the predicate for ever; 0 -> 0 does not.
        let edges = [(0, 0, 1), (0, 1, 1), (1, 2, 0), (2, 1, 0), (2, 0, 1)];
        assert_eq!(search(3, &edges, &FINALLY_NEVER), Some((vec![1, 2, 3], Some(1))));
        let kept = [(0, 0, 1), (0, 1, 1), (1, 2, 0), (2, 1, 1), (2, 0, 1)];
        assert_eq!(search(3, &kept, &FINALLY_NEVER), None);
    }

    /// Against a search that tries every run: on all graphs of three states with one or two edges a state.
    #[test]
    fn all_small_graphs_are_judged_rightly() {
        let mut n_found = 0;
        for code in 0..3u32.pow(6) * 64 {
            let (mut shape, letters) = (code / 64, code % 64);
            let edges: Vec<(u32, u32, Letter)> = (0..6)
                .map(|k| {
                    let to = shape % 3;
                    shape /= 3;
                    (k / 2, to, letters >> k & 1)
                })
                .collect();
            let found = search(3, &edges, &FINALLY_NEVER);
            assert_eq!(found.is_some(), has_cycle_without(&edges), "{edges:?}");
            if let Some((path, Some(from))) = found {
                n_found += 1;
                let (mut at, mut places) = (0, vec![0]);
                for edge in &path {
                    assert_eq!(edges[*edge as usize].0, at, "{edges:?} {path:?}");
                    at = edges[*edge as usize].1;
                    places.push(at);
                }
                assert_eq!(places[from], at, "a cycle ends where it began: {edges:?} {path:?}");
                assert!(path[from..].iter().all(|edge| edges[*edge as usize].2 == 0), "{edges:?} {path:?}");
            }
        }
        assert!(n_found > 1000);
    }

    /// Whether a state that can be reached is on a cycle of edges without the predicate.
    fn has_cycle_without(edges: &[(u32, u32, Letter)]) -> bool {
        let reach = |from: u32, plain: bool| {
            let mut seen = [false; 3];
            let mut todo = vec![from];
            while let Some(at) = todo.pop() {
                for (_, to, _) in edges.iter().filter(|(f, _, letter)| *f == at && (!plain || *letter == 0)) {
                    if !seen[*to as usize] {
                        seen[*to as usize] = true;
                        todo.push(*to);
                    }
                }
            }
            seen
        };
        let reached = reach(0, false);
        (0..3).any(|s| (s == 0 || reached[s as usize]) && reach(s, true)[s as usize])
    }
}
