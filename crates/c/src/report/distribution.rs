//! What arguments were drawn, by function and parameter.
//!
//! Renders what `operations::arguments` has counted as text and JSON.

use super::notes::parameter;
use crate::facts::{DrawnArgument, HuntFact, Length, Magnitude};
use crate::finding::ParameterName;
use crate::project::Project;
use serde_json::{Value, json};
use stairway::engine::Statistics;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What one parameter was, with how often, the most frequent first.
type ParameterCounts = (String, Vec<(String, u64)>);

/// The parameters of a function, in the order of their names.
fn drawn(project: &Project, counted: &[(HuntFact, u64)], function: &str) -> Vec<ParameterCounts> {
    let mut all: BTreeMap<String, Vec<(String, u64)>> = BTreeMap::new();
    for (fact, n) in counted {
        let (name, what) = match fact {
            HuntFact::Argument { function: of, parameter: k, drawn } if of == function => {
                let name = match parameter(project, function, *k as usize) {
                    ParameterName::Named(name) => name,
                    place @ ParameterName::Place(_) => place.to_string(),
                };
                (name, words(*drawn))
            }
            HuntFact::StateArguments { function: of, n_objects } if of == function => {
                let words = format!("a state, {}", length_words(*n_objects, "object"));
                ("all together".to_string(), words)
            }
            _ => continue,
        };
        all.entry(name).or_default().push((what, *n));
    }
    all.values_mut().for_each(|whats| whats.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0))));
    all.into_iter().collect()
}

fn words(drawn: DrawnArgument) -> String {
    match drawn {
        DrawnArgument::Null => "NULL",
        DrawnArgument::Earlier => "earlier",
        DrawnArgument::Function => "a function",
        DrawnArgument::New(length) => return format!("new, {}", length_words(length, "element")),
        DrawnArgument::Number(magnitude) => number_words(magnitude),
        DrawnArgument::Value => "a value",
    }
    .to_string()
}

fn length_words(length: Length, thing: &str) -> String {
    let n = match length {
        Length::Empty => return "empty".to_string(),
        Length::One => return format!("1 {thing}"),
        Length::UpTo7 => "2 to 7",
        Length::UpTo63 => "8 to 63",
        Length::UpTo511 => "64 to 511",
        Length::Longer => return format!("512 {thing}s and more"),
    };
    format!("{n} {thing}s")
}

const fn number_words(magnitude: Magnitude) -> &'static str {
    match magnitude {
        Magnitude::VeryNegative => "-1000 and below",
        Magnitude::Negative => "-999 to -1",
        Magnitude::Zero => "0",
        Magnitude::One => "1",
        Magnitude::UpTo9 => "2 to 9",
        Magnitude::UpTo99 => "10 to 99",
        Magnitude::UpTo999 => "100 to 999",
        Magnitude::Larger => "1000 and above",
    }
}

/// As text.
pub(super) fn table<'f>(
    out: &mut String,
    project: &Project,
    statistics: &Statistics,
    functions: impl Iterator<Item = &'f str>,
) {
    let counted: Vec<(HuntFact, u64)> = HuntFact::all(statistics).collect();
    for function in functions {
        let all = drawn(project, &counted, function);
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
pub(super) fn json(project: &Project, counted: &[(HuntFact, u64)], function: &str) -> Option<Value> {
    let all = drawn(project, counted, function);
    let of = |(name, whats): &ParameterCounts| {
        let drawn: Vec<Value> = whats.iter().map(|(what, n)| json!({ "what": what, "times": n })).collect();
        json!({ "name": name, "drawn": drawn })
    };
    (!all.is_empty()).then(|| all.iter().map(of).collect())
}
