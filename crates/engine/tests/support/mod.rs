//! What the integration tests share: check a property, fail a clause, look at what was found.

use stairway_engine::{
    Case, Checked, Counterexample, Failure, FailureKind, InProcess, NoHooks, Outcome, Report, Settings, Stop,
    Workspace, run, unguarded,
};

/// Checks a property that does not panic.
pub(crate) fn check(settings: &Settings, property: impl FnMut(&mut Case<'_>) -> Checked) -> Report {
    run(&mut InProcess::new(property, unguarded), settings, &[], &mut NoHooks, &mut Workspace::default())
}

/// Fails the property at `clause` unless it `holds`.
pub(crate) fn demand(clause: &'static str, holds: bool) -> Checked {
    if holds { Ok(()) } else { Err(Stop::fail(Failure::named(clause))) }
}

/// The name that a failure is known by.
#[allow(dead_code, reason = "not every test asks for it")]
#[track_caller]
pub(crate) fn name(failure: &Failure) -> &str {
    match &failure.kind {
        FailureKind::Named(name) => name,
        kind => panic!("expected a named failure, not {kind:?}"),
    }
}

/// What the property was falsified with.
#[track_caller]
pub(crate) fn counterexample(report: Report) -> Counterexample {
    match report.outcome {
        Outcome::Falsified(counterexample) => *counterexample,
        outcome => panic!("expected a counterexample, not {outcome:?}"),
    }
}
