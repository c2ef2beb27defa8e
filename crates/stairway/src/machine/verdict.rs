//! A formula on all states that were explored: whether it holds, or a run that shows that it does not.
//!
//! Searching is the engine's; the words are those of the compiler's messages.

use super::explore::{Explored, explore};
use super::{Formula, Machine};
use stairway_engine::machine::{
    Edge, Found, Graph, Search, is_counterexample, mark, never_met, shorten, wait,
};
use std::fmt::Write as _;

/// The formula on all states that are explored, or the counterexample as text.
pub(super) fn explored_verdict<M: Machine>(formula: &Formula<M>) -> Result<Explored<M>, String> {
    let known = explore::<M>(formula.max_states, formula.max_depth, formula.extra, formula.is_thorough);
    let mut edges: Vec<Edge> = known
        .to
        .iter()
        .zip(&known.ops)
        .map(|(to, op)| Edge { to: *to, letter: (formula.letter)(op.as_ref(), &known.states[*to as usize]) })
        .collect();
    let n = known.states.len();
    let mut letters: Vec<u32> = known.states.iter().map(|state| (formula.letter)(None, state)).collect();
    let (mut marked, mut unknown) = (vec![false; n], vec![false; n]);
    let graph = (&mut edges[..], &known.first[..], &known.is_known[..]);
    let undecided = mark(graph, &mut letters, formula.reaches, &mut marked, &mut unknown);
    let graph = Graph { n, edges: &edges, first: &known.first };
    let size = n * formula.automaton.n_states();
    let (mut path, mut room) = (vec![0; Search::longest_path(size)], vec![0; Search::room(size)]);
    let mut search = Search::new(&mut path, &mut room, size);
    if undecided.is_none()
        && let Some(found) = search.run(&graph, &formula.automaton, letters[0])
    {
        let n_letters = found.n_path + 1;
        let (mut of_run, mut room) = (vec![0; n_letters], vec![false; n_letters * formula.parts.len()]);
        let run = (&edges[..], letters[0]);
        let found = shorten(formula.parts, run, &mut path, found, (&mut of_run, &mut room));
        let judged = (&formula.monitor, formula.parts);
        let is_sure = is_counterexample(judged, run, &path, found, (&mut of_run, &mut room));
        return Err(counterexample(formula, &known, &path, found, is_sure));
    }
    if known.is_complete
        && let Some(k) = never_met(&edges, letters[0], formula.conditions)
    {
        let condition = formula.condition_texts[k];
        return Err(format!(
            "{}\n  nothing was checked: the condition `{condition}` is never met",
            head(formula)
        ));
    }
    if formula.is_auto && known.is_complete {
        let m = formula.monitor.standings.len();
        let (mut product, mut first) = (vec![Edge::BLANK; edges.len() * m], vec![0; n * m]);
        let (mut waits, mut length) = (vec![false; n * m], vec![0; n * m]);
        let rooms = (&mut product[..], &mut first[..], &mut waits[..], &mut length[..]);
        if let Some(steps) = wait(&graph, &formula.monitor, letters[0], rooms) {
            println!("property `{}` holds with `within({steps}, ..)` and with nothing smaller", formula.name);
        }
    }
    Ok(known)
}

fn head<M: Machine>(formula: &Formula<M>) -> String {
    format!(
        "property `{}` of machine `{}` does not hold{}\n  formula: {}",
        formula.name,
        M::NAME,
        formula.doc,
        formula.text
    )
}

fn counterexample<M: Machine>(
    formula: &Formula<M>,
    known: &Explored<M>,
    path: &[u32],
    found: Found,
    is_sure: bool,
) -> String {
    let mut text = format!(
        "{}\n  counterexample ({} states were explored):\n         {:?}",
        head(formula),
        known.states.len(),
        M::START
    );
    if !is_sure {
        text += "\n  (looked at again it does not fail: this is a mistake in Stairway, please report it)";
    }
    for (k, edge) in path[..found.n_path].iter().enumerate() {
        let op =
            known.ops[*edge as usize].map_or("(nothing is possible)".to_string(), |op| format!("{op:?}"));
        let _ =
            write!(text, "\n    {:2}. {op} -> {:?}", k + 1, known.states[known.to[*edge as usize] as usize]);
    }
    if let Some(from) = found.circle_from {
        let _ = write!(text, "\n         and so on for ever, again from step {}", from + 1);
    }
    text
}
