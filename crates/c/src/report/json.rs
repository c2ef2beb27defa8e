//! The report for machines. `docs/c-report.md` describes it; `version` goes up when a field changes its
//! meaning.

use super::distribution;
use super::functions::Facts;
use super::{Outcome, ReportView};
use crate::facts::HuntFact;
use crate::project::Project;
use serde_json::{Value, json};
use stairway::engine::{Choice, Limit, Observations, ShownStep};
use stairway::report::words as failure_words;
use stairway::report::{Counterexample, Failure};

/// The report as one line of JSON.
pub(super) fn of(shown: &ReportView<'_>) -> String {
    let report = &shown.report.result;
    let outcome = match shown.outcome() {
        Outcome::Passed => "passed",
        Outcome::Falsified => "falsified",
        Outcome::GaveUp => "gave up",
        Outcome::Interrupted => "interrupted",
        Outcome::Unloadable => "cannot be loaded",
        Outcome::Internal => "internal error",
    };
    let noticed = super::notes::all_lines(shown.project, &report.statistics);
    let more: Vec<String> = shown.unsigned_char().into_iter().chain(shown.without_contracts()).collect();
    let notes = shown.project.notes.iter().chain(&shown.report.warnings).chain(&noticed);
    let notes: Vec<&String> = notes.chain(&more).collect();
    let (n_contracts, n_functions) = shown.contracts();
    let counted: Vec<(HuntFact, u64)> = HuntFact::all(&report.statistics).collect();
    let functions = shown.functions.iter().map(|facts| function(facts, shown.project, &counted));
    let mut json = json!({
        "version": 1,
        "outcome": outcome,
        "files": shown.about.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        "seed": format!("{:#x}", report.seed),
        "sequences": {
            "passed": report.statistics.n_passed,
            "failed": report.statistics.n_failed,
            "varied": report.statistics.n_varied,
            "discarded": report.statistics.n_discarded,
        },
        "calls": shown.n_calls(),
        "contracts": { "functions": n_functions, "with_contract": n_contracts },
        "spent": { "calls": report.spent.steps, "work": report.spent.work },
        "stopped_by": stopped_by(report.stopped_by),
        "functions": functions.collect::<Vec<_>>(),
        "notes": notes,
    });
    match &report.outcome {
        stairway::report::Outcome::Falsified(found) => {
            json["failure"] = counterexample(shown, found);
        }
        stairway::report::Outcome::Flaky(flaky) => {
            let observed = flaky.failing.as_ref().unwrap_or(&flaky.observed);
            json["failure"] = failure(shown, &flaky.failure, observed, &flaky.recording.choices);
            json["failure"]["then"] = failure_words::run_again(&flaky.then).into();
        }
        _ => {}
    }
    json["others"] = report.others.iter().map(|found| counterexample(shown, found)).collect();
    format!("{json}\n")
}

/// A report that has no run, as one line of JSON.
#[must_use]
pub fn error(outcome: &str, code: u8, files: &[String], message: &str) -> String {
    let json = json!({
        "version": 1,
        "outcome": outcome,
        "files": files,
        "error": { "message": message.trim_end(), "exit_code": code },
    });
    format!("{json}\n")
}

fn stopped_by(limit: Option<Limit>) -> Value {
    match limit {
        None => Value::Null,
        Some(Limit::Clock) => "clock".into(),
        Some(Limit::Settled) => "settled".into(),
        Some(_) => "budget".into(),
    }
}

fn function(facts: &Facts, project: &Project, counted: &[(HuntFact, u64)]) -> Value {
    let unmet = facts.unmet.iter().map(|unmet| json!({ "clause": unmet.words, "times": unmet.n }));
    let mut json = json!({
        "name": facts.name,
        "calls": facts.n_calls,
        "discards": facts.n_discards,
        "unmet": unmet.collect::<Vec<_>>(),
        "never_called": facts.never,
    });
    if let Some(arguments) = distribution::json(project, counted, &facts.name) {
        json["arguments"] = arguments;
    }
    if let Some(states) = &facts.states {
        let none = states.obstacles.iter().map(|(clause, n)| json!({ "clause": clause, "times": n }));
        let none = none.collect::<Vec<_>>();
        json["states"] = json!({ "tried": states.n_tried, "callable": states.n_callable, "none": none });
    }
    if let Some(lines) = &facts.lines {
        json["lines"] = json!({ "all": lines.n, "not_reached": lines.not_reached });
    }
    json
}

/// A failure that was shrunk, with how.
fn counterexample(shown: &ReportView<'_>, found: &Counterexample) -> Value {
    let Counterexample { failure: what, observed, recording, shrinking, .. } = found;
    let mut json = failure(shown, what, observed, &recording.choices);
    json["has_states"] = recording.is_seeded().into();
    json["shrink_runs"] = shrinking.n_runs.into();
    json["shrink_history"] = json!(shrinking.history);
    json["every_step_is_needed"] = (shrinking.is_minimal && shrinking.are_steps_needed).into();
    json["shrinking_stopped_by"] = stopped_by(shrinking.cut_by);
    json
}

fn failure(shown: &ReportView<'_>, failure: &Failure, observed: &Observations, choices: &[Choice]) -> Value {
    let sequence = shown.sequence(observed);
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    let step = |step: &ShownStep| {
        let ShownStep { name, arguments, answer, state, system, notes, .. } = step;
        let arguments = arguments.iter().map(|(name, value)| json!({ "name": name, "value": value }));
        json!({
            "call": sequence.statement(step),
            "function": name,
            "arguments": arguments.collect::<Vec<_>>(),
            "declarations": notes,
            "answer": answer,
            "entry": lines(system),
            "state": lines(state),
        })
    };
    json!({
        "identity": failure_words::identity(failure),
        "message": failure_words::message(failure),
        "place": failure.place.as_ref().map(ToString::to_string).unwrap_or_default(),
        "details": format!("{}{}", failure.excerpt, failure.details),
        "definitions": observed.notes,
        "steps": observed.steps.iter().map(step).collect::<Vec<_>>(),
        "choices": stairway::report::choice_line(choices),
        "replay": shown.replay(choices),
    })
}
