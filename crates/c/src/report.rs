//! The report of a hunt: the sequence as C, what it broke, and what was and was not exercised.
//!
//! Receives the engine's report and the project; hands on text or JSON. It decides nothing.

use crate::operations::text::declaration;
use crate::project::Project;
use stairway::engine::{Counterexample, ShownStep};
use stairway::{Report, choice_line};
use std::fmt::Write as _;

/// How a hunt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything held.
    Passed,
    /// Something was broken.
    Falsified,
    /// Nothing was decided.
    GaveUp,
}

/// A report with what is needed to show it.
#[derive(Debug)]
pub struct Shown<'r> {
    report: &'r Report,
    project: &'r Project,
    /// The files as the user named them.
    files: String,
}

/// What `check` says of a project without errors.
#[must_use]
pub fn checked(project: &Project) -> String {
    let n = project.specs.contracts.iter().filter(|contract| !contract.is_empty()).count();
    let (definitions, contracts) =
        (project.specs.predicates.len() + project.specs.functions.len(), plural(n, "contract"));
    format!(
        "{contracts}, {} and {} of {} read; nothing is wrong with them",
        plural(definitions, "definition"),
        plural(project.specs.loops.len(), "loop invariant"),
        plural(project.sources.functions.len(), "function"),
    )
}

fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

impl<'r> Shown<'r> {
    /// A report of a hunt in a project whose files the user named so.
    #[must_use]
    pub fn of(report: &'r Report, project: &'r Project, files: &str) -> Self {
        Shown { report, project, files: files.to_string() }
    }

    /// How the hunt ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match &self.report.result.outcome {
            stairway::Outcome::Falsified(_) | stairway::Outcome::Flaky(_) => Outcome::Falsified,
            outcome if outcome.is_success() => Outcome::Passed,
            _ => Outcome::GaveUp,
        }
    }

    /// The report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        match &self.report.result.outcome {
            stairway::Outcome::Falsified(found) => self.falsified(&mut out, found),
            stairway::Outcome::Flaky(flaky) => {
                let _ = writeln!(
                    out,
                    "{}: different results on replay: {}, then {}",
                    self.files, flaky.failure.message, flaky.then
                );
            }
            stairway::Outcome::GaveUp => {
                let _ = writeln!(out, "{}: gave up: no sequence came to its end", self.files);
            }
            _ => {
                let n = self.report.result.statistics.n_passed;
                let _ = writeln!(out, "{}: passed: {n} sequences of calls", self.files);
            }
        }
        self.functions(&mut out);
        for note in crate::noticed::lines(&self.report.result.statistics) {
            let _ = writeln!(out, "note: {note}");
        }
        out
    }

    fn falsified(&self, out: &mut String, found: &Counterexample) {
        let _ = writeln!(out, "{}: {}\n", self.files, found.failure.message);
        for step in &found.observed.steps {
            for declaration in &step.notes {
                let _ = writeln!(out, "    {declaration}");
            }
            let _ = writeln!(out, "    {}", self.statement(step));
        }
        out.push('\n');
        if found.failure.details.is_empty() {
            if !found.failure.place.is_empty() {
                let _ = writeln!(out, "  at {}\n", found.failure.place);
            }
        } else {
            let _ = writeln!(out, "{}\n", found.failure.details.trim_end());
        }
        let shrunk = match found.shrinking.n_runs {
            0 => String::new(),
            n => format!(", shrunk in {n} runs"),
        };
        let _ = writeln!(out, "found with seed {:#x}{shrunk}", self.report.result.seed);
        let _ = writeln!(
            out,
            "replay: stairway test {} --replay '{}'",
            self.files,
            choice_line(&found.recording.choices)
        );
    }

    /// A call as a C statement, with what it answered.
    fn statement(&self, step: &ShownStep) -> String {
        let arguments: Vec<&str> = step.arguments.iter().map(|(_, value)| value.as_str()).collect();
        let call = format!("{}({});", step.name, arguments.join(", "));
        let types = &self.project.program.types;
        let function = self.project.program.functions.iter().find(|f| f.is_defined && f.name == step.name);
        let kept = function.filter(|f| types.size(f.signature.returns).is_some());
        let call = match kept {
            Some(function) => {
                format!(
                    "{} = {call}",
                    declaration(types, function.signature.returns, &format!("x{}", step.ordinal + 1))
                )
            }
            None => call,
        };
        if step.answer.is_empty() { call } else { format!("{call}  // {}", step.answer) }
    }

    fn functions(&self, out: &mut String) {
        let counts = &self.report.result.statistics.program;
        if counts.names.is_empty() {
            return;
        }
        let width = counts.names.iter().map(|name| name.len()).max().unwrap_or(0).max("function".len());
        let _ = writeln!(out, "\n{:width$} {:>10} {:>10}", "function", "calls", "discards");
        for (k, name) in counts.names.iter().enumerate() {
            let _ = writeln!(out, "{name:width$} {:>10} {:>10}", counts.n_done[k], counts.n_refused[k]);
        }
        let never = counts.never_done();
        if !never.is_empty() && self.outcome() != Outcome::Falsified {
            let _ = writeln!(out, "NEVER CALLED: {}", never.join(", "));
        }
    }

    /// The report as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let outcome = match self.outcome() {
            Outcome::Passed => "passed",
            Outcome::Falsified => "falsified",
            Outcome::GaveUp => "gave up",
        };
        let counts = &self.report.result.statistics.program;
        let functions: Vec<serde_json::Value> = counts
            .names
            .iter()
            .enumerate()
            .map(|(k, name)| serde_json::json!({ "name": name, "calls": counts.n_done[k], "discards": counts.n_refused[k] }))
            .collect();
        let mut json = serde_json::json!({
            "outcome": outcome,
            "files": self.files,
            "seed": format!("{:#x}", self.report.result.seed),
            "functions": functions,
            "notes": crate::noticed::lines(&self.report.result.statistics),
        });
        if let stairway::Outcome::Falsified(found) = &self.report.result.outcome {
            let step = |step: &ShownStep| serde_json::json!({ "call": self.statement(step), "declarations": step.notes, "answer": step.answer });
            json["failure"] = serde_json::json!({
                "identity": found.failure.identity,
                "message": found.failure.message,
                "place": found.failure.place,
                "details": found.failure.details,
                "steps": found.observed.steps.iter().map(step).collect::<Vec<_>>(),
                "replay": choice_line(&found.recording.choices),
                "shrink_runs": found.shrinking.n_runs,
            });
        }
        format!("{json}\n")
    }
}
