//! A formula on all states that were explored: whether it holds, or a run that shows that it does not.
//!
//! Deciding and printing is what the compiler does too; here it has a heap.

use super::assurance::{Refutation, RefutationKind};
use super::explore::{StateSpace, explore};
use super::property::shown_step;
use super::{Assurance, Formula, Machine};
use stairway_machine as core;
use stairway_machine::{Edge, Explorable, Graph, Head, Rooms, Search, Text, Verdict, decide, wait};

/// What was found on the states that were explored.
pub(super) struct ExploredVerdict {
    /// What that is worth if nothing failed; nothing if it cannot be decided.
    pub(super) assurance: Option<Assurance>,
    /// A condition that was not met on what was explored, where that was not everything.
    pub(super) unmet: Option<&'static str>,
}

/// The formula on all states that are explored, or why it does not hold.
pub(super) fn explored_verdict<M: Machine>(formula: &Formula<M>) -> Result<ExploredVerdict, Refutation> {
    let explored: StateSpace<M> = explore(formula.max_states, formula.max_depth, formula.scrutiny);
    let graph = explored.graph();
    let letter = |to: &u32, op: &Option<M::Op>| (formula.letter)(op.as_ref(), &graph.states[*to as usize]);
    let mut edges: Vec<Edge> =
        graph.to.iter().zip(graph.ops).map(|(to, op)| Edge { to: *to, letter: letter(to, op) }).collect();
    let n = graph.states.len();
    let mut letters: Vec<u32> = graph.states.iter().map(|state| (formula.letter)(None, state)).collect();
    let size = n * formula.tables.most_states();
    let longest = Search::longest_path(size);
    let mut path = vec![0; longest];
    let verdict = decide(
        &formula.tables,
        &mut Explorable {
            edges: &mut edges,
            first: graph.first,
            is_known: graph.is_known,
            letters: &mut letters,
            is_complete: graph.is_complete(),
        },
        &mut Rooms {
            path: &mut path,
            search: &mut vec![0; Search::room(size)],
            letters: &mut vec![0; longest + 1],
            parts: &mut vec![false; (longest + 1) * formula.tables.parts.len()],
            marked: &mut vec![false; n],
            is_unknown: &mut vec![false; n],
        },
    );
    let mut text = Text::new();
    let head = Head { property: formula.name, machine: M::NAME, doc: formula.doc, formula: formula.text };
    let unmet = match verdict {
        Verdict::Fails(found, is_sure) => {
            head.fails(&mut text, n, graph.is_complete(), is_sure);
            M::show_path(&mut text, &graph, &path, found);
            let step = |(k, edge): (usize, &u32)| {
                let state = &graph.states[graph.to[*edge as usize] as usize];
                graph.ops[*edge as usize].as_ref().map(|op| shown_step::<M>(k as u32, op, state))
            };
            return Err(Refutation {
                kind: RefutationKind::Refuted,
                text: text.as_str().to_string(),
                n_states: n,
                steps: path[..found.n_path].iter().enumerate().filter_map(step).collect(),
                cycle_from: found.cycle_from,
            });
        }
        Verdict::Vacuous(k) if graph.is_complete() => {
            head.is_vacuous(&mut text, formula.condition_texts[k]);
            return Err(Refutation::without_run(RefutationKind::Vacuous, text.as_str().to_string(), n));
        }
        Verdict::Undecided => return Ok(ExploredVerdict { assurance: None, unmet: None }),
        Verdict::Vacuous(k) => Some(formula.condition_texts[k]),
        Verdict::Holds => None,
    };
    if formula.is_auto && graph.is_complete() {
        show_wait(formula, &Graph { n, edges: &edges, first: graph.first }, letters[0]);
    }
    let assurance = match graph.assurance {
        core::Assurance::Proved => Assurance::Proved { states: n, steps: graph.to.len() },
        core::Assurance::Bounded => Assurance::Bounded { depth: graph.bound, states: n },
        core::Assurance::Sampled => Assurance::Sampled { states: n, traces: formula.n_traces },
    };
    Ok(ExploredVerdict { assurance: Some(assurance), unmet })
}

/// Prints the smallest number of steps that `within(auto, ..)` holds with.
fn show_wait<M: Machine>(formula: &Formula<M>, graph: &Graph<'_>, start: u32) {
    let (n, m) = (graph.n, formula.tables.monitor.standings.len());
    let (mut product, mut first) = (vec![Edge::BLANK; graph.edges.len() * m], vec![0; n * m]);
    let (mut waits, mut length) = (vec![false; n * m], vec![0; n * m]);
    let rooms = (&mut product[..], &mut first[..], &mut waits[..], &mut length[..]);
    if let Some(steps) = wait(graph, &formula.tables.monitor, start, rooms) {
        println!("property `{}` holds with `within({steps}, ..)` and with nothing smaller", formula.name);
    }
}
