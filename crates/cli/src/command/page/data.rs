//! What the lines of a file tell of each run, as far as a page shows it.

use serde_json::Value;
use std::collections::BTreeMap;

/// One run of one property, or of C files.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) name: String,
    /// The verdict in words.
    pub(super) verdict: String,
    pub(super) is_success: bool,
    /// When it started, in seconds since 1970; 0 if that is not known.
    pub(super) start: f64,
    /// The summary.
    pub(super) content: Value,
    /// Whether it is a report of `stairway test`.
    pub(super) is_c: bool,
    /// How many cases had how many choices.
    pub(super) sizes: BTreeMap<u64, u64>,
    /// Other lines about it: a title each, and what it says.
    pub(super) more: Vec<(String, Value)>,
}

/// All runs in a text; of several of one property the last.
pub(super) fn runs(text: &str) -> Result<Vec<Run>, String> {
    let mut runs: Vec<Run> = Vec::new();
    for (k, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Value =
            serde_json::from_str(line).map_err(|error| format!("line {} is no JSON: {error}", k + 1))?;
        if line["version"].is_u64() && line["outcome"].is_string() {
            runs.push(of_c(line));
            continue;
        }
        let Some(name) = line["property"].as_str() else {
            return Err(format!("line {} is not of a run: it names no property", k + 1));
        };
        let start = line["run_start"].as_f64().unwrap_or_default();
        let at = position(&mut runs, name, start);
        runs[at].add(line);
    }
    Ok(runs)
}

/// Where the run of a property is; one that started later takes the place of an earlier one.
fn position(runs: &mut Vec<Run>, name: &str, start: f64) -> usize {
    let fresh = || Run { name: name.to_string(), start, verdict: "unfinished".to_string(), ..Run::default() };
    match runs.iter().position(|run| run.name == name) {
        Some(at) => {
            // Lines that are no part of a run have times of their own.
            if start > runs[at].start && !runs[at].content.is_null() {
                let more = std::mem::take(&mut runs[at].more);
                runs[at] = Run { more, ..fresh() };
            }
            at
        }
        None => {
            runs.push(fresh());
            runs.len() - 1
        }
    }
}

impl Run {
    fn add(&mut self, mut line: Value) {
        if line["type"] == "test_case" {
            let n = line["metadata"]["n_choices"].as_u64().unwrap_or_default();
            *self.sizes.entry(n).or_default() += 1;
            return;
        }
        let title = line["title"].as_str().unwrap_or_default().to_string();
        let content = line["content"].take();
        if content["seed"].is_u64() {
            self.is_success = line["type"] == "info";
            self.verdict = title;
            self.content = content;
        } else {
            self.more.push((title, content));
        }
    }
}

/// A report of `stairway test --json`, in the shape of the others.
fn of_c(line: Value) -> Run {
    let files: Vec<&str> = line["files"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let verdict = line["outcome"].as_str().unwrap_or_default().to_string();
    Run {
        name: files.join(" "),
        is_success: verdict == "passed",
        verdict,
        is_c: true,
        content: line,
        ..Run::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = r#"{"type":"test_case","run_start":1.0,"property":"a","status":"passed","metadata":{"n_choices":3}}
{"type":"info","run_start":1.0,"property":"a","title":"passed","content":{"seed":1}}
{"type":"info","run_start":1.5,"property":"a","title":"assurance","content":{"proved":true}}
{"type":"alert","run_start":2.0,"property":"a","title":"falsified","content":{"seed":2}}
{"type":"info","run_start":2.0,"property":"b","title":"passed","content":{"seed":3}}
{"version":1,"outcome":"falsified","files":["q.c"]}
"#;

    #[test]
    fn the_last_run_of_each_property_is_shown() {
        let runs = runs(LINES).expect("they are lines of runs");
        let seen: Vec<_> = runs.iter().map(|run| (&*run.name, &*run.verdict, run.is_success)).collect();
        assert_eq!(seen, [("a", "falsified", false), ("b", "passed", true), ("q.c", "falsified", false)]);
    }

    #[test]
    fn what_is_no_run_is_refused_with_its_line() {
        assert_eq!(
            runs("\n{\"a\":1}\n").err().as_deref(),
            Some("line 2 is not of a run: it names no property")
        );
        assert!(runs("hello").err().is_some_and(|why| why.starts_with("line 1 is no JSON")));
    }
}
