//! What arguments were drawn, by function and parameter.
//!
//! Renders the engine's statistics as text and JSON. The rows are made by `operations::arguments`.

use crate::operations::arguments;
use serde_json::{Value, json};
use stairway::engine::Statistics;
use std::fmt::Write as _;

/// What one parameter was, with how often, the most frequent first.
type Drawn = (String, Vec<(String, u64)>);

/// The parameters of a function, in the order of their names.
fn drawn(statistics: &Statistics, function: &str) -> Vec<Drawn> {
    let Some(table) = statistics.tables.get(&*arguments::table(function)) else { return Vec::new() };
    let mut all: Vec<Drawn> = Vec::new();
    for (row, n) in &table.rows {
        let Ok(arguments::Row { parameter, what }) = serde_json::from_str(row) else { continue };
        let place = all.iter().position(|(name, _)| *name == parameter).unwrap_or(all.len());
        if place == all.len() {
            all.push((parameter, Vec::new()));
        }
        all[place].1.push((what, *n));
    }
    all.iter_mut().for_each(|(_, whats)| whats.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0))));
    all
}

/// As text.
pub(super) fn table<'f>(out: &mut String, statistics: &Statistics, functions: impl Iterator<Item = &'f str>) {
    for function in functions {
        let all = drawn(statistics, function);
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\narguments of {function}");
        let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, whats) in all {
            let whats: Vec<String> = whats.iter().map(|(what, n)| format!("{what} ({n})")).collect();
            let _ = writeln!(out, "  {name:width$}  {}", whats.join("; "));
        }
    }
}

/// As JSON; nothing if arguments were not counted.
pub(super) fn json(statistics: &Statistics, function: &str) -> Option<Value> {
    let all = drawn(statistics, function);
    let of = |(name, whats): &Drawn| {
        let drawn: Vec<Value> = whats.iter().map(|(what, n)| json!({ "what": what, "times": n })).collect();
        json!({ "name": name, "drawn": drawn })
    };
    (!all.is_empty()).then(|| all.iter().map(of).collect())
}
