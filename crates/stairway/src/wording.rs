//! What a report calls the thing that was checked, and what it says of it.
//!
//! Words depend on the subject of a report: a property holds, a model describes a system, contracts are kept
//! in programs.

use crate::choice_text;
use crate::failure_words;
use crate::render::counted;
use crate::report::Report;
use crate::reproducer_program::Subject;
use stairway_engine::{Failure, FailureKind, Label, Moment, Party, Recording};

/// What was checked, by name.
pub(crate) fn subject(report: &Report) -> String {
    let name = report.title.as_ref().unwrap_or(&report.name);
    match report.subject {
        Subject::Property => format!("property `{name}`"),
        Subject::Model | Subject::ModelAlone => format!("model `{name}`"),
        Subject::Driver => format!("driver `{name}`"),
        Subject::Contracts => format!("contracts of `{name}`"),
        Subject::Law => format!("law `{name}`"),
        Subject::Refinement => format!("refinement `{name}`"),
        Subject::Board => format!("properties of `{name}`"),
    }
}

/// The words that go with what was checked.
pub(crate) struct Words {
    pub(crate) is: &'static str,
    pub(crate) holds: &'static str,
    pub(crate) held: &'static str,
    pub(crate) cases: &'static str,
    pub(crate) demanded: &'static str,
    pub(crate) its: &'static str,
}

impl Words {
    pub(crate) const fn of(subject: Subject) -> Self {
        let program = Words {
            is: "is",
            holds: "holds",
            held: "held",
            cases: "programs",
            demanded: "is demanded",
            its: "a",
        };
        match subject {
            Subject::Property | Subject::Refinement => {
                Words { cases: "cases", demanded: "it demands", its: "its", ..program }
            }
            Subject::Model => {
                Words { holds: "describes the system", held: "described the system", ..program }
            }
            Subject::Driver => {
                Words { holds: "does what the machine says", held: "did what the machine says", ..program }
            }
            Subject::ModelAlone | Subject::Law => program,
            Subject::Contracts => Words { is: "are", holds: "hold", ..program },
            Subject::Board => Words { is: "are", holds: "hold", cases: "tests", ..program },
        }
    }
}

/// What is wrong, in one line.
pub(crate) fn broken(report: &Report, failure: &Failure) -> String {
    let subject = subject(report);
    match (report.subject, &failure.kind) {
        (_, FailureKind::Mock { .. }) => format!("{subject}: a mock is at fault"),
        (Subject::Property | Subject::Law, _) => format!("{subject} does not hold"),
        (Subject::Contracts | Subject::Board, _) => format!("{subject} do not hold"),
        (Subject::Driver, FailureKind::Formula { .. }) => {
            format!("{subject}: a formula does not hold on its runs")
        }
        (Subject::Driver, FailureKind::Panic(Party::Specification)) => {
            format!("{subject}: the machine is at fault")
        }
        (Subject::Driver, kind) if is_at_start(kind) => format!("{subject}: the start is wrong"),
        (Subject::Driver, _) => format!("{subject}: the system does not do what the machine says"),
        (_, FailureKind::Panic(Party::Specification) | FailureKind::Specification(_)) => {
            format!("{subject}: the specification is at fault")
        }
        (Subject::Refinement, _) => format!("{subject} does not hold"),
        (_, FailureKind::Stuck) => format!("{subject} gets stuck"),
        (Subject::ModelAlone, _) => format!("{subject} does not hold by itself"),
        (_, kind) if is_at_start(kind) => format!("{subject}: the start is wrong"),
        _ => format!("{subject}: the system does not do what the model says"),
    }
}

/// A line about a failure that is still being made smaller.
pub(crate) fn best_so_far(name: &str, failure: &Failure, best: &Recording, n_runs: u64) -> String {
    const LONGEST: usize = 200;
    let n_steps = best.spans.iter().filter(|span| span.label == Label::Step && !span.rejected).count();
    let steps = if n_steps > 0 { format!("{}, ", counted(n_steps as u64, "steps")) } else { String::new() };
    let choices = match choice_text::line(&best.choices) {
        line if line.len() <= LONGEST => line,
        _ => counted(best.choices.len() as u64, "choices"),
    };
    let (failure, runs) = (failure_words::identity(failure), counted(n_runs, "runs"));
    format!("{name}: still shrinking ({failure}); the simplest so far, after {runs}: {steps}{choices}")
}

/// Whether something is wrong before the first step.
const fn is_at_start(kind: &FailureKind) -> bool {
    matches!(
        kind,
        FailureKind::Panic(Party::Start)
            | FailureKind::Invariant { moment: Moment::Start, .. }
            | FailureKind::StartsApart
    )
}
