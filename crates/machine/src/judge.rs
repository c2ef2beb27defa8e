//! Decides a formula on an explored machine: predicates about what runs can do, the search for a
//! counterexample, conditions that were never met, and the longest wait.

use super::reach::{can_always, can_next, can_reach, longest_wait};
use super::search::{Counterexample, Edge, Graph, Search};
use super::shorten::shorten;
use stairway_formula::{Automaton, Branching, Lasso, Letter, Monitor, Part, Standing};

/// A condition on one letter: any of these holds, each being predicates that must and must not.
pub type Condition = &'static [(Letter, Letter)];

/// Whether a condition holds.
#[must_use]
pub const fn holds(condition: Condition, letter: Letter) -> bool {
    let (mut i, n) = (0, condition.len());
    while i < n {
        let (must, must_not) = condition[i];
        if letter & must == must && letter & must_not == 0 {
            return true;
        }
        i += 1;
    }
    false
}

/// A predicate about the runs that begin in a state.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// Its bit.
    pub bit: Letter,
    /// What is asked.
    pub asks: Branching,
    /// Of which states, or of which steps.
    pub goal: Condition,
}

/// A formula as tables.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// Judges finite runs.
    pub monitor: Monitor<'static>,
    /// Accepts the infinite runs on which it does not hold.
    pub automaton: Automaton<'static>,
    /// What it is made of.
    pub parts: &'static [Part],
    /// Predicates about what runs can do, each after those that it is made of.
    pub branches: &'static [Branch],
    /// Conditions on one moment that have to be met somewhere.
    pub conditions: &'static [Condition],
    /// Automata that have to accept some run, or a condition of the formula is never met.
    pub antecedents: &'static [Automaton<'static>],
}

impl Tables {
    /// The most states that one of the automata has.
    #[must_use]
    pub const fn most_states(&self) -> usize {
        let (mut most, mut i) = (self.automaton.n_states, 0);
        while i < self.antecedents.len() {
            if self.antecedents[i].n_states > most {
                most = self.antecedents[i].n_states;
            }
            i += 1;
        }
        most as usize
    }
}

/// What is known of a machine, for one formula.
#[derive(Debug)]
pub struct Explorable<'g> {
    /// The steps, state by state, with their letters.
    pub edges: &'g mut [Edge],
    /// Where the steps of each state begin.
    pub first: &'g [u32],
    /// Whether all steps of a state are there.
    pub is_known: &'g [bool],
    /// The letter of each state, as if it had been reached by no operation.
    pub letters: &'g mut [Letter],
    /// Whether all states and steps are there.
    pub is_complete: bool,
}

/// Room to judge in.
#[derive(Debug)]
pub struct Rooms<'r> {
    /// As long as the longest path: see [`Search::longest_path`].
    pub path: &'r mut [u32],
    /// For the search: see [`Search::room`].
    pub search: &'r mut [u32],
    /// A letter more than the path has steps.
    pub letters: &'r mut [Letter],
    /// As many for each part of the formula.
    pub parts: &'r mut [bool],
    /// One for each state.
    pub marked: &'r mut [bool],
    /// One for each state.
    pub is_unknown: &'r mut [bool],
}

/// What is found about a formula on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is no counterexample among what was explored.
    Holds,
    /// There is one, in the room for the path; and whether it fails when it is judged again by what the
    /// formula means.
    Fails(Counterexample, bool),
    /// It asks what can be done from states that were not explored.
    Undecided,
    /// The condition at this position is never met: first those on one moment are counted, then the others.
    Vacuous(usize),
}

/// Decides a formula.
pub const fn decide(tables: &Tables, machine: &mut Explorable<'_>, rooms: &mut Rooms<'_>) -> Verdict {
    if mark(machine, tables.branches, rooms).is_some() {
        return Verdict::Undecided;
    }
    let start = machine.letters[0];
    let graph = Graph { n: machine.letters.len(), edges: machine.edges, first: machine.first };
    if let Some(found) = search(&graph, &tables.automaton, start, rooms) {
        let judging = (&mut *rooms.letters, &mut *rooms.parts);
        let found = shorten(tables.parts, &graph, start, rooms.path, found, judging);
        let is_sure = is_counterexample(tables, (graph.edges, start), found, rooms);
        return Verdict::Fails(found, is_sure);
    }
    if !tables.branches.is_empty() && !machine.is_complete {
        return Verdict::Undecided;
    }
    match never_met(machine.edges, start, tables.conditions) {
        Some(k) => Verdict::Vacuous(k),
        None => match never_accepted(&graph, tables.antecedents, start, rooms) {
            Some(k) => Verdict::Vacuous(tables.conditions.len() + k),
            None => Verdict::Holds,
        },
    }
}

const fn search(
    graph: &Graph<'_>,
    automaton: &Automaton<'_>,
    start: Letter,
    rooms: &mut Rooms<'_>,
) -> Option<Counterexample> {
    searching(graph, automaton, rooms).run(graph, automaton, start)
}

const fn searching<'r>(graph: &Graph<'_>, automaton: &Automaton<'_>, rooms: &'r mut Rooms<'_>) -> Search<'r> {
    let n_nodes = graph.n * automaton.n_states as usize;
    let path = rooms.path.split_at_mut(Search::longest_path(n_nodes)).0;
    Search::new(path, rooms.search.split_at_mut(Search::room(n_nodes)).0, n_nodes)
}

/// The first automaton that accepts no run.
const fn never_accepted(
    graph: &Graph<'_>,
    automata: &[Automaton<'_>],
    start: Letter,
    rooms: &mut Rooms<'_>,
) -> Option<usize> {
    let mut k = 0;
    while k < automata.len() {
        if !searching(graph, &automata[k], rooms).exists(graph, &automata[k], start) {
            return Some(k);
        }
        k += 1;
    }
    None
}

/// Gives every edge and state the bits of what runs can do. Says at which state that cannot be known, because
/// not everything was explored.
const fn mark(machine: &mut Explorable<'_>, branches: &[Branch], rooms: &mut Rooms<'_>) -> Option<usize> {
    let n = machine.letters.len();
    let (marked, is_unknown) = (rooms.marked.split_at_mut(n).0, rooms.is_unknown.split_at_mut(n).0);
    let (mut undecided, mut b) = (None, 0);
    while b < branches.len() {
        let Branch { bit, asks, goal } = branches[b];
        let graph = Graph { n, edges: machine.edges, first: machine.first };
        let is_wanted = !matches!(asks, Branching::Inevitably);
        let mut i = 0;
        while i < n {
            marked[i] = holds(goal, machine.letters[i]) == is_wanted;
            is_unknown[i] = !machine.is_known[i];
            i += 1;
        }
        match asks {
            Branching::CanNext => can_next(&graph, goal, marked, is_unknown),
            Branching::CanReach => can_reach(&graph, marked, is_unknown),
            Branching::CanAlways | Branching::Inevitably => can_always(&graph, marked, is_unknown),
        }
        let mut i = 0;
        while i < n {
            if is_unknown[i] && undecided.is_none() {
                undecided = Some(i);
            }
            if marked[i] == is_wanted {
                machine.letters[i] |= bit;
            }
            i += 1;
        }
        // Const evaluation pays for asking a slice how long it is.
        let (mut e, n_edges) = (0, machine.edges.len());
        while e < n_edges {
            if marked[machine.edges[e].to as usize] == is_wanted {
                machine.edges[e].letter |= bit;
            }
            e += 1;
        }
        b += 1;
    }
    undecided
}

/// The first condition that no letter meets, if there is one.
const fn never_met(edges: &[Edge], start: Letter, conditions: &[Condition]) -> Option<usize> {
    let (mut k, n_edges) = (0, edges.len());
    while k < conditions.len() {
        let (mut is_met, mut e) = (holds(conditions[k], start), 0);
        while e < n_edges && !is_met {
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

/// Whether what a search found is a counterexample, judged again without the search's automaton: a beginning
/// by the monitor, a lasso by what the parts of the formula mean.
const fn is_counterexample(
    tables: &Tables,
    (edges, start): (&[Edge], Letter),
    found: Counterexample,
    rooms: &mut Rooms<'_>,
) -> bool {
    let (monitor, letters) = (&tables.monitor, &mut *rooms.letters);
    letters[0] = start;
    let mut state = monitor.after(Monitor::START, start);
    let mut i = 0;
    while i < found.n_path {
        letters[i + 1] = edges[rooms.path[i] as usize].letter;
        state = monitor.after(state, letters[i + 1]);
        i += 1;
    }
    match found.cycle_from {
        None => matches!(monitor.standing(state), Standing::Fails),
        Some(from) => {
            let letters = letters.split_at(found.n_path + 1).0;
            !Lasso { letters, back: from + 1 }.holds(tables.parts, rooms.parts)
        }
    }
}
/// How many steps what `within(auto, ..)` speaks of can take: the longest wait in the product of
/// graph and monitor, built in the given rooms. `None` if there is no bound.
pub const fn wait(
    graph: &Graph<'_>,
    monitor: &Monitor<'_>,
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
