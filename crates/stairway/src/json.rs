//! Reports as JSON lines in the OpenPBTStats shape, which Tyche and other viewers open.
//!
//! Writes one line for each case to the file named by `STAIRWAY_REPORT`, or to a file for each property if
//! that is a folder, plus one that sums the run up. Several tests of one process may append to the same file:
//! a property's lines are written at once, when it is done.

use crate::backtrace::test_name;
use crate::failure_words;
use crate::json_summary;
use crate::regressions;
use crate::render_program;
use crate::report::Report;
use serde_json::{Map, Value, json};
use stairway_engine::{Execution, Observations, Outcome, Verdict};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The lines of one property.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    name: String,
    /// The test that checks it, where that is not clear from its name: several tests may check one model.
    test: Option<String>,
    /// When the run started, in seconds since 1970: of all that is written, only this differs between two runs.
    run_start: f64,
    lines: String,
    n: usize,
}

/// How many cases of a property are written, at most: a viewer needs no more, memory has an end.
const MAX_LINES: usize = 100_000;

impl Lines {
    pub(crate) fn new(path: PathBuf, name: &str) -> Self {
        let path = file_of(path, name);
        let is_named_after_it = |test: &str| name.split_once("::").is_some_and(|(_, path)| path == test);
        let test = test_name().filter(|test| !is_named_after_it(test));
        Lines { path, name: name.to_string(), test, run_start: now(), lines: String::new(), n: 0 }
    }

    /// Adds a case.
    pub(crate) fn case(&mut self, executed: &Execution, observed: &Observations) {
        if self.n >= MAX_LINES {
            return;
        }
        self.n += 1;
        let (status, reason) = match &executed.verdict {
            Verdict::Passed => ("passed", String::new()),
            Verdict::Failed(failure) => ("failed", failure_words::message(failure)),
            Verdict::Discarded(why) => ("gave_up", failure_words::discard(why)),
            _ => ("gave_up", "the choices ended".to_string()),
        };
        let name_of = |(k, name): (usize, &str)| {
            if name.is_empty() { format!("pick {}", k + 1) } else { name.to_string() }
        };
        let arguments: Map<String, Value> = observed
            .drawn
            .iter()
            .enumerate()
            .map(|(k, drawn)| (name_of((k, &drawn.name)), Value::from(drawn.value.clone())))
            .collect();
        let representation =
            arguments.iter().map(|(name, value)| format!("{name} = {}", value.as_str().unwrap_or("")));
        let representation = representation.chain(render_program::lines(&observed.steps));
        let mut metadata = json!({ "n_choices": executed.n_choices });
        if let Some(test) = &self.test {
            metadata["checked_by"] = Value::from(&**test);
        }
        if !observed.steps.is_empty() {
            let calls = render_program::calls(&observed.steps);
            metadata["steps"] = observed.steps.iter().zip(calls).map(json_summary::step).collect();
        }
        let line = json!({
            "type": "test_case",
            "run_start": self.run_start,
            "property": self.name,
            "status": status,
            "status_reason": reason,
            "representation": representation.collect::<Vec<_>>().join("\n"),
            "arguments": arguments,
            "how_generated": "stairway",
            "features": features(observed),
            "timing": {},
            "coverage": null,
            "metadata": metadata,
        });
        self.push(&line);
    }

    fn push(&mut self, line: &Value) {
        self.lines.push_str(&line.to_string());
        self.lines.push('\n');
    }

    /// Adds the summary and writes everything; what cannot be written is a warning.
    pub(crate) fn finish(mut self, report: &Report) -> Option<String> {
        // The command that replays a failure names the test.
        let report = &Report { test: self.test.clone(), ..report.clone() };
        let mut content = json_summary::content(report);
        if let Some(test) = &self.test {
            content["checked_by"] = Value::from(&**test);
        }
        let line = json!({
            "type": if report.result.outcome.is_success() { "info" } else { "alert" },
            "run_start": self.run_start,
            "property": self.name,
            "title": title(&report.result.outcome),
            "content": content,
        });
        self.push(&line);
        append(&self.path, &self.lines)
            .err()
            .map(|error| format!("STAIRWAY_REPORT: {} cannot be written: {error}", self.path.display()))
    }
}

/// Appends a line about a property that is no case of it, where reports are wanted: an `info` or an `alert`.
/// What cannot be written is a warning, which is printed.
pub(crate) fn append_line(kind: &str, property: &str, title: &str, content: &Value) {
    if let Some(warning) = try_append(kind, property, title, content) {
        println!("{warning}");
    }
}

fn try_append(kind: &str, property: &str, title: &str, content: &Value) -> Option<String> {
    let path = PathBuf::from(std::env::var_os("STAIRWAY_REPORT").filter(|path| !path.is_empty())?);
    let path = file_of(path, property);
    let line =
        json!({ "type": kind, "run_start": now(), "property": property, "title": title, "content": content });
    let written = append(&path, &format!("{line}\n"));
    written.err().map(|error| format!("STAIRWAY_REPORT: {} cannot be written: {error}", path.display()))
}

/// The file for a property: every one has its own if the path is that of a folder, or ends like one.
fn file_of(path: PathBuf, property: &str) -> PathBuf {
    if !path.is_dir() && !path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return path;
    }
    // If the folder cannot be made, neither can the file, which is said when it is written.
    let _ = std::fs::create_dir_all(&path);
    path.join(regressions::file_name(property).replace(".txt", ".jsonl"))
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

#[allow(clippy::disallowed_methods, reason = "says when a run was; nothing depends on it")]
fn now() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

fn features(observed: &Observations) -> Map<String, Value> {
    let labels = observed.labels.iter().map(|label| (label.to_string(), Value::from(true)));
    let collected = observed.collected.iter().map(|row| (row.table.to_string(), json!(row.value)));
    let covered = observed.covered.iter().map(|(name, _, hit)| (name.to_string(), json!(hit)));
    let scores = observed.scores.iter().map(|(name, score)| (name.to_string(), json!(score)));
    let taken = observed.alternatives.iter().filter(|(_, is_taken)| *is_taken);
    let taken = taken.map(|(name, _)| (name.to_string(), Value::from(true)));
    labels.chain(collected).chain(covered).chain(scores).chain(taken).collect()
}

fn title(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Proved { .. } => "proved for all inputs",
        Outcome::Explored { .. } => "held for all programs up to a length",
        Outcome::Completed { .. } => "held for all inputs up to a bound",
        Outcome::Falsified(_) => "falsified",
        Outcome::GaveUp => "gave up",
        Outcome::CoverageNotMet { .. } => "coverage not met",
        Outcome::Flaky(_) => "flaky",
        Outcome::GeneratorFailed { .. } => "generator failed",
        _ => "unknown",
    }
}
