//! What the lines of a file tell of each run, as far as a page shows it.

use serde_json::Value;
use std::collections::BTreeMap;

/// One run of one property, or of C files.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) name: String,
    /// The test that checks it, where several may.
    pub(super) test: String,
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

/// All runs in a text; of several of one property by one test the last.
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
        let is_of_run = line["type"] != "info" || line["content"]["seed"].is_u64();
        let test = &[&line["metadata"], &line["content"]].map(|data| data["checked_by"].as_str());
        let test = test.iter().flatten().next().copied().unwrap_or_default();
        let at = position(&mut runs, name, test, start, is_of_run);
        runs[at].add(line);
    }
    Ok(runs)
}

/// Where the run of a property is; one that started later takes the place of an earlier one of the same test.
/// Lines that are no part of a run have times of their own and name no test.
fn position(runs: &mut Vec<Run>, name: &str, test: &str, start: f64, is_of_run: bool) -> usize {
    let fresh = || {
        let (name, test, verdict) = (name.to_string(), test.to_string(), "unfinished".to_string());
        Run { name, test, start, verdict, ..Run::default() }
    };
    let is_same =
        |run: &Run| run.name == name && (test.is_empty() || run.test.is_empty() || run.test == test);
    match runs.iter().position(is_same) {
        Some(at) => {
            if is_of_run && start > runs[at].start && !runs[at].content.is_null() {
                let (more, test) = (std::mem::take(&mut runs[at].more), std::mem::take(&mut runs[at].test));
                runs[at] = Run { more, test, ..fresh() };
            }
            if runs[at].test.is_empty() {
                runs[at].test = test.to_string();
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
    /// What is shown as its name.
    pub(super) fn title(&self) -> String {
        if self.test.is_empty() { self.name.clone() } else { format!("{} in {}", self.name, self.test) }
    }

    fn add(&mut self, mut line: Value) {
        if line["type"] == "test_case" {
            let n = line["metadata"]["n_choices"].as_u64().unwrap_or_default();
            *self.sizes.entry(n).or_default() += 1;
            return;
        }
        let title = line["title"].as_str().unwrap_or_default().to_string();
        let content = line["content"].take();
        if content["seed"].is_u64() || line["type"] == "alert" {
            self.is_success = line["type"] == "info";
            self.verdict = title;
            self.content = content;
            return;
        }
        // What a formula is worth on which nothing failed.
        if let Some(assurance) = content["assurance"].as_str() {
            self.is_success = true;
            self.verdict = assurance.to_string();
            self.more.retain(|(_, more)| !more["assurance"].is_string());
        }
        self.more.push((title, content));
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

    /// One that passes must not hide another that fails.
    #[test]
    fn tests_of_one_model_have_a_verdict_each() {
        let line = |start: u32, kind: &str, title: &str, test: &str| {
            format!(
                "{{\"type\":\"test_case\",\"run_start\":{start},\"property\":\"m\",\"status\":\"passed\",\"metadata\":{{\"n_choices\":1,\"checked_by\":\"{test}\"}}}}\n\
                     {{\"type\":\"{kind}\",\"run_start\":{start},\"property\":\"m\",\"title\":\"{title}\",\"content\":{{\"seed\":1,\"checked_by\":\"{test}\"}}}}\n"
            )
        };
        let lines = [
            line(1, "alert", "falsified", "random"),
            line(2, "info", "passed", "short"),
            line(3, "info", "passed", "short"),
        ];
        let runs = runs(&lines.concat()).expect("they are lines of runs");
        let seen: Vec<_> = runs.iter().map(|run| (run.title(), &*run.verdict)).collect();
        assert_eq!(seen, [("m in random".to_string(), "falsified"), ("m in short".to_string(), "passed")]);
        assert_eq!(runs[1].sizes.values().sum::<u64>(), 1);
    }

    #[test]
    fn the_verdict_on_a_formula_is_what_it_is_worth() {
        let lines = r#"{"type":"info","run_start":1.0,"property":"traced","title":"passed","content":{"seed":1}}
{"type":"info","run_start":1.5,"property":"traced","title":"proved: all","content":{"assurance":"proved"}}
{"type":"info","run_start":2.0,"property":"explored","title":"bounded: all","content":{"assurance":"bounded"}}
{"type":"info","run_start":3.0,"property":"explored","title":"proved: all","content":{"assurance":"proved"}}
{"type":"alert","run_start":3.0,"property":"refuted","title":"falsified","content":{"assurance":"refuted"}}
"#;
        let runs = runs(lines).expect("they are lines of runs");
        let seen: Vec<_> = runs.iter().map(|run| (&*run.verdict, run.is_success, run.more.len())).collect();
        assert_eq!(seen, [("proved", true, 1), ("proved", true, 1), ("falsified", false, 0)]);
        assert_eq!((&runs[0].content["seed"], &runs[2].content["assurance"]), (&1.into(), &"refuted".into()));
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
