//! C source with what was reached: the lines of functions that a run has not come to are marked.

use super::html::escaped;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Files longer than this are not shown.
const MAX_LINES: usize = 5000;

/// The files of a report, as far as they can be read here, with the lines that no sequence has reached.
pub(super) fn annotated(out: &mut String, report: &Value) {
    let functions = report["functions"].as_array().into_iter().flatten();
    let missed: BTreeSet<u64> = functions
        .flat_map(|function| function["lines"]["not_reached"].as_array().into_iter().flatten())
        .filter_map(Value::as_u64)
        .collect();
    let files: Vec<&str> =
        report["files"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    // Lines carry no file: with several files nobody knows whose they are.
    let [file] = files[..] else { return };
    let Ok(text) = std::fs::read_to_string(file) else { return };
    if text.lines().count() > MAX_LINES {
        return;
    }
    let n = missed.len();
    let title = match n {
        0 => "every line with code was reached".to_string(),
        1 => "1 line was not reached".to_string(),
        n => format!("{n} lines were not reached"),
    };
    let _ = write!(out, "<section><h2>{}</h2><p>{title}</p><pre class=\"source\">", escaped(file));
    for (k, line) in text.lines().enumerate() {
        let is_missed = missed.contains(&(k as u64 + 1));
        let (open, close) = if is_missed { ("<mark>", "</mark>") } else { ("", "") };
        let _ = writeln!(out, "<span class=\"n\">{:5}</span> {open}{}{close}", k + 1, escaped(line));
    }
    out.push_str("</pre></section>");
}
