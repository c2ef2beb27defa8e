//! Why calls were not made, counted in tables of the engine's statistics.
//!
//! Receives the clause that stood against a call; a row of the table of its function is what comes of it.
//! Calls are refused nearly as often as they are made, so the words for each reason are found once.

use crate::project::Project;
use crate::spec::position::Span;
use stairway::Case;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What stood against a call. Each kind has a table of its own, so that nobody has to read it off the words, which
/// may be the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Something that the precondition asks for.
    Precondition,
    /// There was nothing to pass.
    Nothing,
    /// What there was is doubtful.
    Doubt,
}

impl Obstacle {
    pub(crate) const ALL: [Obstacle; 3] = [Obstacle::Precondition, Obstacle::Nothing, Obstacle::Doubt];
}

/// Why a call may not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Refusal {
    /// A clause of its precondition does not hold.
    Clause(Span),
    /// There is nothing to pass for a parameter at present: what there was is gone.
    Nothing(usize),
    /// Callers hardly pass what would be passed for a parameter.
    Doubtful(usize),
    /// It would be given memory that is not there to be given.
    NotThere,
    /// It reaches a function that has no body, and cannot be played.
    NoBody,
}

impl Refusal {
    const fn obstacle(self) -> Obstacle {
        match self {
            Refusal::Clause(_) | Refusal::NotThere | Refusal::NoBody => Obstacle::Precondition,
            Refusal::Nothing(_) => Obstacle::Nothing,
            Refusal::Doubtful(_) => Obstacle::Doubt,
        }
    }

    pub(super) fn words(self, project: &Project) -> String {
        match self {
            Refusal::Clause(span) => crate::report::words::clause(project, span),
            Refusal::Nothing(k) => format!("nothing to pass as argument {}", k + 1),
            Refusal::Doubtful(k) => format!("doubtful: argument {}", k + 1),
            Refusal::NotThere => "the memory it takes is not there".to_string(),
            Refusal::NoBody => "it reaches a function that has no body".to_string(),
        }
    }
}

/// The name of the table with the refusals of a function for reasons of one kind.
pub(crate) fn table(function: &str, obstacle: Obstacle) -> String {
    match obstacle {
        Obstacle::Precondition => format!("preconditions of {function}"),
        Obstacle::Nothing => format!("nothing to pass to {function}"),
        Obstacle::Doubt => format!("doubtful arguments of {function}"),
    }
}

/// The name of the table of the states that were made for a function, and its rows.
pub(crate) fn state_table(function: &str) -> String {
    format!("states of {function}")
}

pub(crate) const CALLABLE: &str = "callable";
pub(crate) const NOT_CALLABLE: &str = "not callable";

/// The name of the table of the clauses at which no state could be made for a function.
pub(crate) fn no_state_table(function: &str) -> String {
    format!("no state of {function}")
}

/// A table and a row of it.
type Row = (&'static str, String);

/// The words for reasons that were met before.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    known: RefCell<BTreeMap<(usize, Refusal), Row>>,
}

impl Refusals {
    /// Counts that function number `op` was not called.
    pub(super) fn note<'a>(
        &self,
        op: usize,
        refusal: Refusal,
        case: &mut Case<'_>,
        words: impl FnOnce(Refusal) -> (&'a str, String),
    ) {
        let mut known = self.known.borrow_mut();
        let (table, row) = known.entry((op, refusal)).or_insert_with(|| {
            let (name, words) = words(refusal);
            (table(name, refusal.obstacle()).leak(), words)
        });
        case.observed().collect(*table, row);
    }
}
