//! The counterexample as code: an attribute that keeps the input, and a test that fails on its own.
//!
//! Receives the text of a property and the values that break it, hands on Rust source. The test
//! does not need Stairway: what only Stairway understands is left out of the body, and a property
//! that cannot do without it gets the attribute alone.

use stairway_engine::{Counterexample, Found, Observed};
use std::fmt::Write as _;

/// The text of a property.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The function's name.
    pub name: &'static str,
    /// Its drawn parameters: name and type.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Its return type; empty for none.
    pub returns: &'static str,
    /// Its body, braces included.
    pub body: &'static str,
    /// Whether the body is a test without Stairway: not async, no executor, no case.
    pub stands_alone: bool,
}

/// Bodies up to this many lines are repeated in the report.
const MAX_BODY_LINES: usize = 20;

/// Macros that only observe: a test of its own does without them, and its input is known to
/// satisfy what was assumed.
const OBSERVERS: [&str; 7] = ["assume!", "cover!", "label!", "classify!", "collect!", "note!", "maximize!"];

/// Writes the counterexample as code.
pub(crate) fn write(out: &mut String, source: &Source, found: &Counterexample) {
    // What was picked besides the arguments cannot be given by an example.
    let Observed { drawn, .. } = &found.observed;
    if drawn.len() != source.parameters.len() || matches!(found.found, Found::Example(_)) {
        return;
    }
    let values: Vec<&str> = drawn.iter().map(|d| d.value.as_str()).collect();
    let example = values.join(", ");
    let _ = writeln!(out, "\nto keep this input, write above the property:\n\n    #[example({example})]");
    let body = body_lines(source.body);
    if source.stands_alone && body.len() <= MAX_BODY_LINES {
        let _ = write!(out, "\nor as a test of its own:\n\n{}", test(source, &values, &body));
    }
}

fn test(source: &Source, values: &[&str], body: &[String]) -> String {
    let name = source.name.strip_prefix("r#").unwrap_or(source.name);
    let mut out = String::new();
    let is_result = source.returns.contains("Result<");
    let returns = if is_result { format!(" -> {}", source.returns) } else { String::new() };
    let _ = writeln!(out, "    #[test]\n    fn {name}_counterexample(){returns} {{");
    for ((name, ty), value) in source.parameters.iter().zip(values) {
        // A parameter taken by reference was drawn as what it refers to.
        let (borrow, ty) = match ty.strip_prefix('&') {
            Some("str") => ("", *ty),
            Some(lent) if lent.starts_with("mut ") => ("&mut ", *ty),
            Some(_) => ("&", *ty),
            None => ("", *ty),
        };
        let _ = writeln!(out, "        let {name}: {ty} = {borrow}{value};");
    }
    for line in asserted(source.returns, body) {
        let _ = writeln!(out, "{}", format!("        {line}").trim_end());
    }
    out.push_str("    }\n");
    out
}

/// The body, failing the test where the property would return that it does not hold.
fn asserted(returns: &str, body: &[String]) -> Vec<String> {
    let (open, close) = match (returns, body) {
        ("bool", [only]) => return vec![format!("assert!({only});")],
        ("bool", _) => ("assert!({", "});"),
        (returns, _) if returns.starts_with("Option<") => ("assert!({", "}.is_some());"),
        _ => return body.to_vec(),
    };
    let inside = body.iter().map(|line| format!("    {line}"));
    [open.to_string()].into_iter().chain(inside).chain([close.to_string()]).collect()
}

/// The statements between the braces that matter, with their common indentation taken away.
fn body_lines(body: &str) -> Vec<String> {
    let inner = body.trim().trim_start_matches('{').trim_end_matches('}').trim_matches('\n').trim_end();
    let indent = inner
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut lines = Vec::new();
    let mut is_observing = false;
    for line in inner.lines() {
        let text = line.trim();
        is_observing |= OBSERVERS.iter().any(|name| text.trim_start_matches("stairway::").starts_with(name));
        if !is_observing {
            lines.push(line.get(indent..).unwrap_or("").to_string());
        }
        is_observing &= !text.contains(';');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: [(&str, &str); 3] = [("x", "i32"), ("s", "&str"), ("v", "&mut Vec<u8>")];

    fn source(returns: &'static str, body: &'static str) -> Source {
        Source { name: "p", parameters: &PARAMETERS, returns, body, stands_alone: true }
    }

    fn rendered(returns: &'static str, body: &'static str) -> String {
        test(&source(returns, body), &["-1", "\"ab\"", "vec![]"], &body_lines(body))
    }

    #[test]
    fn bodies_lose_their_braces_their_indentation_and_what_only_observes() {
        assert_eq!(body_lines("{\n        a();\n\n            b();\n    }"), ["a();", "", "    b();"]);
        assert_eq!(body_lines("{ a() }"), ["a()"]);
        let body = "{\n    assume!(x > 0);\n    cover!(\n        1.0,\n        x,\n    );\n    f(x);\n}";
        assert_eq!(body_lines(body), ["f(x);"]);
    }

    #[test]
    fn a_test_binds_the_arguments_and_repeats_the_body() {
        let expected = "    #[test]
    fn p_counterexample() {
        let x: i32 = -1;
        let s: &str = \"ab\";
        let v: &mut Vec<u8> = &mut vec![];
        assert!(s.len() as i32 == x);
    }
";
        assert_eq!(rendered("", "{\n    assert!(s.len() as i32 == x);\n}"), expected);
    }

    #[test]
    fn results_truth_values_and_options_fail_the_test_too() {
        assert!(rendered("bool", "{ x == 0 }").contains("        assert!(x == 0);\n"));
        let two_lines = "{\n    let y = x;\n    y == 0\n}";
        let expected = "        assert!({\n            let y = x;\n            y == 0\n        });\n";
        assert!(rendered("bool", two_lines).contains(expected));
        assert!(rendered("Option<()>", "{ None }").contains("}.is_some());"));
        assert!(
            rendered("Result<(), String>", "{ Ok(()) }")
                .contains("fn p_counterexample() -> Result<(), String> {")
        );
    }
}
