//! Which transitions of a machine the cases of a test took, as a table of their report, and which they never
//! did.

use super::{Machine, Transition};
use crate::report::Report;
use stairway_engine::Case;

/// How many transitions are named that were never taken.
const MAX_NAMED: usize = 5;

/// Says which states no case came to, and which transitions between the others no case took.
pub(super) fn say_untaken<M: Machine>(report: &mut Report) {
    let Some(table) = report.result.statistics.tables.get(TABLE) else { return };
    if !report.is_success() {
        return;
    }
    let name = |t: &Transition| row::<M>(t.from, t.op, t.to);
    let (taken, not): (Vec<&Transition>, Vec<&Transition>) =
        M::TRANSITIONS.iter().partition(|t| table.rows.contains_key(&name(t)));
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

/// A transition in words.
pub(super) fn transition<M: Machine>(from: &M::State, op: &M::Op, to: &M::State) -> String {
    row::<M>(M::state_index(from), M::op_index(op), M::state_index(to))
}

/// The name of the table in which transitions are counted.
pub(super) const TABLE: &str = "transitions taken";

/// The row of that table for a transition, given by the positions of its states and its operation.
pub(super) fn row<M: Machine>(from: usize, op: usize, to: usize) -> String {
    format!("{} -- {} --> {}", M::STATES[from], M::OPS[op], M::STATES[to])
}

/// Shown without quotes.
pub(super) struct Plain(pub(super) String);

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Counts each transition once a case, and those that no case took not at all: the table of
/// transitions says how many cases took each.
pub(super) fn count_transitions<M: Machine>(case: &mut Case<'_>, taken: &mut Vec<(usize, usize, usize)>) {
    taken.sort_unstable();
    taken.dedup();
    for (from, op, to) in taken {
        case.collect(TABLE, Plain(row::<M>(*from, *op, *to)));
    }
}
