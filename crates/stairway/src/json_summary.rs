//! The last line of a property's JSON: what came of the run, in as much detail as a page about it can show.
//! Decides nothing; what the text of a report says is here as data, and the text itself beside it.

use crate::failure_words;
use crate::render_program;
use crate::report::Report;
use serde_json::{Map, Value, json};
use stairway_engine::{
    Alternative, Counterexample, Coverage, Decision, Operand, Outcome, ProgramCounts, ShownStep, Statistics,
};
use std::borrow::Cow;

/// What is known at the end of a run.
pub(crate) fn content(report: &Report) -> Value {
    let (result, statistics) = (&report.result, &report.result.statistics);
    let mut content = json!({
        "seed": result.seed,
        "passed": statistics.n_passed,
        "failed": statistics.n_failed,
        "discarded": statistics.n_discarded,
        "discards": statistics.discards.iter().map(|(why, n)| (failure_words::discard(why), json!(n))).collect::<Map<_, _>>(),
        "labels": statistics.labels.iter().map(|(k, v)| (k.to_string(), json!(v))).collect::<Map<_, _>>(),
        "tables": tables(statistics),
        "demands": statistics.demands.iter().map(demand).collect::<Vec<_>>(),
        "alternatives": statistics.alternatives.iter().map(alternative).collect::<Map<_, _>>(),
        "operations": operations(&statistics.program),
        "spent": { "steps": result.spent.steps, "work": result.spent.work },
        "warnings": report.warnings,
        "text": report.to_string(),
    });
    if let Some(machine) = &report.machine {
        content["machine"] = machine.clone().coverage(report).counterexample(report).to_json();
    }
    if let Some(test) = report.test() {
        content["test"] = Value::from(test);
    }
    if let Outcome::Falsified(found) = &result.outcome {
        content["counterexample"] = counterexample(found);
        content["others"] = result.others.iter().map(counterexample).collect();
    }
    content
}

fn tables(statistics: &Statistics) -> Map<String, Value> {
    let rows = |table: &stairway_engine::Table| {
        let mut rows: Map<String, Value> =
            table.rows.iter().map(|(row, n)| (row.clone(), json!(n))).collect();
        if table.n_other > 0 {
            rows.insert("other".to_string(), json!(table.n_other));
        }
        rows
    };
    statistics.tables.iter().map(|(name, table)| (name.to_string(), rows(table).into())).collect()
}

fn demand((name, coverage): (&Cow<'_, str>, &Coverage)) -> Value {
    let decision = match coverage.decide() {
        Decision::Met => "met",
        Decision::NotMet => "not met",
        Decision::Open => "undecided",
    };
    json!({
        "name": name,
        "demanded": coverage.percent,
        "reached": coverage.reached(),
        "hits": coverage.n_hits,
        "of": coverage.n,
        "decision": decision,
    })
}

/// An alternative of the specification, with how often it was allowed and how often it happened.
fn alternative((name, counts): (&Cow<'_, str>, &Alternative)) -> (String, Value) {
    (name.to_string(), json!({ "taken": counts.n_taken, "allowed": counts.n }))
}

fn operations(counts: &ProgramCounts) -> Value {
    json!({
        "names": counts.names,
        "done": counts.n_done,
        "refused": counts.n_refused,
        "impossible": counts.n_impossible,
        "first": counts.n_first,
        // Row by row: how often the column's operation followed the row's.
        "follow": counts.follow,
    })
}

fn counterexample(found: &Counterexample) -> Value {
    let Counterexample { failure, recording, observed, shrinking, size, .. } = found;
    let drawn = observed.drawn.iter().map(|drawn| json!({ "name": drawn.name, "value": drawn.value }));
    let operands = failure.operands.iter().map(|operand| {
        let Operand { role, name, value } = operand;
        json!({ "role": failure_words::role(*role), "name": name, "value": value })
    });
    let steps = observed.steps.iter().zip(render_program::calls(&observed.steps)).map(step);
    json!({
        "identity": failure_words::identity(failure),
        "message": failure_words::message(failure),
        "place": failure.place.as_ref().map(ToString::to_string),
        "details": format!("{}{}", failure.excerpt, failure.details),
        "operands": operands.collect::<Vec<_>>(),
        "drawn": drawn.collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
        "notes": observed.notes,
        "choices": crate::choice_text::line(&recording.choices),
        "size": size,
        "shrinking": {
            "runs": shrinking.n_runs,
            "is_minimal": shrinking.is_minimal,
            "every_step_is_needed": shrinking.are_steps_needed,
            "history": shrinking.history,
        },
    })
}

/// A step with what both sides have come to.
pub(crate) fn step((step, call): (&ShownStep, String)) -> Value {
    json!({
        "call": call,
        "answer": crate::render_program::answer_text(step),
        "model": step.state,
        "system": step.system,
    })
}
