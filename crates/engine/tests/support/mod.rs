//! What the integration tests share: check a property, fail a clause, look at what was found.

use stairway_engine::{
    Case, Checked, Counterexample, Failure, InProcess, NoHooks, Outcome, Report, Settings, Stop, Workspace,
    run, unguarded,
};

/// Checks a property that does not panic.
pub(crate) fn check(settings: &Settings, property: impl FnMut(&mut Case<'_>) -> Checked) -> Report {
    run(&mut InProcess::new(property, unguarded), settings, &[], &mut NoHooks, &mut Workspace::default())
}

/// Fails the property at `clause` unless it `holds`.
pub(crate) fn demand(clause: &'static str, holds: bool) -> Checked {
    if holds { Ok(()) } else { Err(Stop::fail(Failure::of(clause, String::new()))) }
}

/// What the property was falsified with.
#[track_caller]
pub(crate) fn counterexample(report: Report) -> Counterexample {
    match report.outcome {
        Outcome::Falsified(counterexample) => *counterexample,
        outcome => panic!("expected a counterexample, not {outcome:?}"),
    }
}
