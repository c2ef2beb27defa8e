//! Runs that happened on a board: what came from there, as a report like any other.
//!
//! The engine ran elsewhere and sent what it found as data; here are the words for what only such runs have.
//! Who receives the data is the `stairway` command.

use crate::render::count;
use crate::report::Report;
use crate::reproducer_program::Subject;
use stairway_engine::{CallFault, ContractClause, Failure, FailureKind, Reach, Site};
use std::fmt::Write as _;

/// A run on a board.
#[derive(Clone, Debug)]
pub struct BoardRun {
    /// The program that ran.
    pub name: String,
    /// How many tests had to pass.
    pub n_tests_wanted: u64,
    /// What the engine found there.
    pub result: stairway_engine::Report,
    /// The failing sequence as a C test for this machine.
    pub test: Option<String>,
    /// What else is known.
    pub facts: BoardFacts,
}

/// What only runs on boards have to say.
#[derive(Clone, Debug, Default)]
pub struct BoardFacts {
    /// The width of `long`, `size_t` and pointers, where arguments were drawn by it.
    pub native_bits: Option<u64>,
    /// Whether tests could not be run again, for want of `reset`.
    pub is_unrepeatable: bool,
    /// Whether shrinking was wanted and the library has none.
    pub lacks_shrinking: bool,
    /// Whether statistics were wanted and the library has none.
    pub lacks_statistics: bool,
    /// Tests that ended with fewer properties than asked for.
    pub n_short: u64,
    /// States and transitions, where a set has a fingerprint.
    pub reached: Option<ReachCounts>,
    /// The chance that one more test fails is at most this, with a confidence of 95 %.
    pub most_failing: Option<f64>,
}

/// How many states and transitions were reached.
#[derive(Clone, Copy, Debug)]
pub struct ReachCounts {
    /// Different states.
    pub n_states: u64,
    /// Different transitions.
    pub n_transitions: u64,
    /// Whether there were more than could be told apart.
    pub is_table_full: bool,
    /// The chance that one more test reaches a new state.
    pub new_state_chance: f64,
    /// The chance that one more test takes a new transition.
    pub new_transition_chance: f64,
}

/// How a property failed on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardFault {
    /// A check in its body did not hold.
    Condition,
    /// Its body returned `SW_FAIL` without a reason.
    Unexplained,
    /// Its body did not return in time.
    Hang,
    /// The processor trapped its body, or an assertion ended it.
    Crash,
    /// No property was eligible.
    Stuck,
    /// No cleanup property became eligible.
    Endless,
}

impl BoardFault {
    /// A failure of `property`, with what was said about it there.
    #[must_use]
    pub fn failure(self, property: &str, said: &str, place: Option<Site>) -> Failure {
        let call = |fault| FailureKind::Call {
            fault,
            function: property.to_string().into(),
            reach: Reach::Directly,
        };
        let kind = match self {
            BoardFault::Condition | BoardFault::Unexplained => {
                call(CallFault::Clause(ContractClause::Assertion))
            }
            BoardFault::Hang => call(CallFault::Hang),
            BoardFault::Crash => call(CallFault::Signal),
            BoardFault::Stuck | BoardFault::Endless => FailureKind::Named("".into()),
        };
        let mut failure = Failure::new(kind);
        failure.text = match (self, said) {
            (BoardFault::Condition, "") => format!("`{property}` does not hold"),
            (BoardFault::Condition, said) => format!("`{property}` does not hold: {said}"),
            (BoardFault::Unexplained, _) => format!("`{property}` does not hold: the body returned SW_FAIL"),
            (BoardFault::Hang, _) => format!("`{property}` does not return"),
            (BoardFault::Crash, "") => format!("`{property}` crashes"),
            (BoardFault::Crash, said) => format!("`{property}` crashes: {said}"),
            (BoardFault::Stuck, _) => "no property is eligible in this state".to_string(),
            (BoardFault::Endless, _) => "no cleanup property becomes eligible from this state".to_string(),
        };
        failure.place = place;
        failure
    }
}

impl From<BoardRun> for Report {
    fn from(run: BoardRun) -> Report {
        Report {
            name: run.name,
            n_cases_wanted: run.n_tests_wanted,
            result: run.result,
            stored_in: None,
            warnings: Vec::new(),
            is_replay: false,
            is_skipped: false,
            is_interrupted: false,
            subject: Subject::Board,
            uncalled: Vec::new(),
            title: None,
            test: None,
            source: None,
            start: None,
            machine: None,
            is_written: false,
            board: Some(Box::new((run.facts, run.test))),
        }
    }
}

/// What only a board has to say, below everything else.
pub(crate) fn facts(out: &mut String, facts: &BoardFacts) {
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    if let Some(reached) = &facts.reached {
        let more = if reached.is_table_full { "at least " } else { "" };
        let (n_states, n_transitions) = (count(reached.n_states), count(reached.n_transitions));
        line(format!("\nreached {more}{n_states} states and {n_transitions} transitions"));
        if reached.is_table_full {
            line("there were more than could be told apart: raise max_states".to_string());
        } else {
            line(format!(
                "chance that one more test reaches a new state {:.2} %, takes a new transition {:.2} %",
                100.0 * reached.new_state_chance,
                100.0 * reached.new_transition_chance
            ));
        }
    }
    if let Some(share) = facts.most_failing {
        let percent = 100.0 * share;
        line(format!("one more test fails with a chance of at most {percent:.2} % (95 % confidence)"));
    }
    let notes = [
        (facts.n_short > 0, format!("{} tests ended early: no property was eligible", count(facts.n_short))),
        (facts.is_unrepeatable, "without `reset` a failing test is shown as it was found".to_string()),
        (facts.lacks_shrinking, "the library was built without shrinking".to_string()),
        (facts.lacks_statistics, "the library was built without statistics".to_string()),
    ];
    for (_, note) in notes.into_iter().filter(|(is_so, _)| *is_so) {
        line(format!("note: {note}"));
    }
    if let Some(bits) = facts.native_bits {
        line(format!(
            "note: `long`, `size_t` and pointers are drawn by the board's {bits} bits; other machines may draw \
             other sequences from this seed"
        ));
    }
}
