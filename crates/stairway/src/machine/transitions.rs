//! Which transitions of a machine the cases of a test took, as a table of their report, and which they never
//! did.

use super::{Machine, Transition};
use crate::report::Report;
use stairway_engine::{Case, Fact};
use std::collections::BTreeMap;

/// How many transitions are named that were never taken.
const MAX_NAMED: usize = 5;

/// Says which states no case came to, and which transitions between the others no case took.
pub(super) fn say_untaken<M: Machine>(report: &mut Report) {
    let taken = taken(report);
    if taken.is_empty() || !report.is_success() {
        return;
    }
    let name = |t: &Transition| row::<M>(t.from, t.op, t.to);
    let (taken, not): (Vec<&Transition>, Vec<&Transition>) =
        M::TRANSITIONS.iter().partition(|t| taken.contains_key(&(t.from, t.op, t.to)));
    let is_reached = |state: usize| state == M::state_index(&M::START) || taken.iter().any(|t| t.to == state);
    let mut said = Vec::new();
    let states: Vec<&str> = (0..M::STATES.len()).filter(|k| !is_reached(*k)).map(|k| M::STATES[k]).collect();
    if !states.is_empty() {
        said.push(format!("never reached: {}", some_of(&states)));
    }
    let mut never: Vec<String> =
        not.into_iter().filter(|t| is_reached(t.from) && is_reached(t.to)).map(name).collect();
    never.sort();
    never.dedup();
    if !never.is_empty() {
        said.push(format!("never taken: {}", some_of(&never)));
    }
    if !said.is_empty() {
        report.warnings.push(said.join("; "));
    }
}

/// The first few names, and how many more there are.
fn some_of<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<&str> = names.iter().take(MAX_NAMED).map(AsRef::as_ref).collect();
    let more = names.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// A transition that was taken: the positions of its states and its operation.
pub(super) type TransitionIndex = (usize, usize, usize);

/// How many cases took each transition, or how often it was taken where an implementation is driven.
pub(super) fn taken(report: &Report) -> BTreeMap<TransitionIndex, u64> {
    let facts = report.result.statistics.facts.iter();
    facts.filter_map(|(fact, n)| Some((postcard::from_bytes(&fact.0).ok()?, *n))).collect()
}

/// Counts a transition, for people in a table.
pub(super) fn count<M: Machine>(case: &mut Case<'_>, (from, op, to): TransitionIndex) {
    const TABLE: &str = "transitions taken";
    case.observed().collect(TABLE, &row::<M>(from, op, to));
    // Writing to memory does not fail.
    case.observed().count(&Fact(postcard::to_allocvec(&(from, op, to)).unwrap_or_default()));
}

/// A transition as people read it.
fn row<M: Machine>(from: usize, op: usize, to: usize) -> String {
    format!("{} -- {} --> {}", M::STATES[from], M::OPS[op], M::STATES[to])
}

/// Counts each transition once a case, and those that no case took not at all: the table of
/// transitions says how many cases took each.
pub(super) fn count_transitions<M: Machine>(case: &mut Case<'_>, taken: &mut Vec<TransitionIndex>) {
    taken.sort_unstable();
    taken.dedup();
    for transition in taken {
        count::<M>(case, *transition);
    }
}
