//! The counterexample as code: an attribute that keeps the input, and a test that fails on its own.
//!
//! Receives the text of a property and the values that break it, hands on Rust source. The test
//! does not need Stairway: what only Stairway understands is left out of the body, and a property
//! that cannot do without it gets the attribute alone.

use stairway_engine::{Counterexample, DrawnRole, FailureKind, Found, Observed, SpecificationFault};
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
    /// The body to show where several outcomes were right; empty unless this is a refinement.
    pub several: &'static str,
    /// Whether the body is a test without Stairway: not async, no executor, no case.
    pub stands_alone: bool,
    /// Whether every argument can be written as Rust source.
    pub is_pasteable: bool,
}

/// Bodies up to this many lines are repeated in the report.
const MAX_BODY_LINES: usize = 20;

/// Macros that only observe: a test of its own does without them, and its input is known to
/// satisfy what was assumed.
const OBSERVERS: [&str; 7] = ["assume!", "cover!", "label!", "classify!", "collect!", "note!", "maximize!"];

/// The counterexample as a test, if it is one.
pub(crate) fn test_of(source: &Source, found: &Counterexample) -> Option<String> {
    let body = body_lines(body_of(source, found));
    if !is_about_arguments(source, found) || !source.is_pasteable || !stands_alone(source, &body) {
        return None;
    }
    let values: Vec<&str> = arguments(&found.observed).collect();
    let text = test(source, &values, &body);
    Some(text.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect())
}

fn stands_alone(source: &Source, body: &[String]) -> bool {
    source.stands_alone && body.len() <= MAX_BODY_LINES
}

/// What was picked besides the arguments cannot be given by an example.
fn is_about_arguments(source: &Source, found: &Counterexample) -> bool {
    arguments(&found.observed).count() == source.parameters.len() && !matches!(found.found, Found::Example(_))
}

/// The values of the arguments; what a refinement sees in them is shown, but not given.
fn arguments(observed: &Observed) -> impl Iterator<Item = &str> {
    observed.drawn.iter().filter(|drawn| drawn.role != DrawnRole::Abstract).map(|drawn| drawn.value.as_str())
}

/// The body that says what went wrong.
fn body_of(source: &Source, found: &Counterexample) -> &'static str {
    match (source.several, &found.failure.kind) {
        ("", _) => source.body,
        (
            several,
            FailureKind::Refinement { is_exact: false }
            | FailureKind::Specification(SpecificationFault::AllowsNothing),
        ) => several,
        (_, FailureKind::Refinement { .. } | FailureKind::Specification(_)) => source.body,
        // The implementation did not come to its end, so there is nothing to compare.
        (several, _) => {
            let same = source.body.bytes().zip(several.bytes()).take_while(|(a, b)| a == b).count();
            let end = source.body.as_bytes()[..same].iter().rposition(|byte| *byte == b'\n');
            end.map_or(source.body, |end| &source.body[..end])
        }
    }
}

/// Writes the counterexample as code.
pub(crate) fn write(out: &mut String, source: &Source, found: &Counterexample) {
    if !is_about_arguments(source, found) {
        return;
    }
    if !source.is_pasteable {
        out.push_str(
            "\nderive `ToSource` for the types of the arguments to get this input as a test to paste\n",
        );
        return;
    }
    let values: Vec<&str> = arguments(&found.observed).collect();
    let example = values.join(", ");
    let place = if source.several.is_empty() {
        "below `#[property]`".to_string()
    } else {
        format!("above `{}(..)`", source.name)
    };
    let _ = writeln!(out, "\nto keep this input, write {place}:\n\n    #[example({example})]");
    let body = body_lines(body_of(source, found));
    if stands_alone(source, &body) {
        let _ = write!(out, "\nor as a standalone test:\n\n{}", test(source, &values, &body));
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
    let is_expression = |line: &str| !line.contains(';') && !line.contains("return");
    // Otherwise a closure, because the body may return early.
    let (open, close) = match (returns, body) {
        ("bool", [only]) if is_expression(only) => return vec![format!("assert!({only});")],
        ("bool", _) => ("assert!((|| -> bool {".to_string(), "})());"),
        (returns, _) if returns.starts_with("Option<") => {
            (format!("assert!((|| -> {returns} {{"), "})().is_some());")
        }
        _ => return body.to_vec(),
    };
    let inside = body.iter().map(|line| format!("    {line}"));
    [open].into_iter().chain(inside).chain([close.to_string()]).collect()
}

/// The statements between the braces that matter, with their common indentation taken away.
fn body_lines(body: &str) -> Vec<String> {
    let inner = body.trim();
    let inner = inner.strip_prefix('{').map_or(inner, |inner| inner.strip_suffix('}').unwrap_or(inner));
    let inner = without_observers(inner);
    let inner = inner.trim_matches('\n').trim_end();
    let is_blank = |line: &&str| line.trim().is_empty();
    let indent_of = |line: &str| line.len() - line.trim_start().len();
    let indent = inner.lines().filter(|line| !is_blank(line)).map(indent_of).min().unwrap_or(0);
    inner.lines().map(|line| line.get(indent..).unwrap_or("").trim_end().to_string()).collect()
}

/// The text without the statements that only observe; lines that held nothing else go as well.
fn without_observers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((start, end)) = next_observer(rest) {
        out.push_str(&rest[..start]);
        rest = &rest[end..];
        // The space before what follows on the same line is there already.
        if out.ends_with(' ') {
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
        let stood_alone = out.lines().next_back().is_none_or(|line| line.trim().is_empty());
        if stood_alone && rest.trim_start_matches([' ', '\t']).starts_with('\n') {
            out.truncate(out.trim_end_matches([' ', '\t']).len());
            rest = rest.trim_start_matches([' ', '\t']).strip_prefix('\n').unwrap_or(rest);
        }
    }
    out + rest
}

/// Where the first statement that only observes starts and ends.
fn next_observer(text: &str) -> Option<(usize, usize)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut first: Option<(usize, usize)> = None;
    for name in OBSERVERS {
        for (at, _) in text.match_indices(name) {
            let before = text[..at].trim_end_matches("stairway::").trim_end_matches("::");
            if before.chars().next_back().is_some_and(is_word) || first.is_some_and(|(start, _)| start < at) {
                continue;
            }
            if let Some(end) = end_of_statement(text, at + name.len()) {
                first = Some((before.len(), end));
                break;
            }
        }
    }
    first
}

/// Where the macro call whose arguments open at `at` ends, with its semicolon.
fn end_of_statement(text: &str, at: usize) -> Option<usize> {
    let (mut depth, mut is_text, mut is_escaped) = (0u32, false, false);
    for (k, c) in text[at..].char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            _ if is_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let end = at + k + 1;
                    let behind = text[end..].trim_start();
                    let semicolon = behind.strip_prefix(';').map(|rest| text.len() - rest.len());
                    return Some(semicolon.unwrap_or(end));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: [(&str, &str); 3] = [("x", "i32"), ("s", "&str"), ("v", "&mut Vec<u8>")];

    fn source(returns: &'static str, body: &'static str) -> Source {
        let several = "";
        Source {
            name: "p",
            parameters: &PARAMETERS,
            returns,
            body,
            several,
            stands_alone: true,
            is_pasteable: true,
        }
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
        let one_line = "{ collect!(\"depth (\", depth(&j)); assert!(depth(&j) < 3); }";
        assert_eq!(body_lines(one_line), ["assert!(depth(&j) < 3);"]);
        let inside = "{\n    for i in 0..3 { note!(\"{i}\"); f(i) }\n    renote!(1);\n}";
        assert_eq!(body_lines(inside), ["for i in 0..3 { f(i) }", "renote!(1);"]);
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
        let expected =
            "        assert!((|| -> bool {\n            let y = x;\n            y == 0\n        })());\n";
        assert!(rendered("bool", two_lines).contains(expected));
        assert!(rendered("Option<()>", "{ None }").contains("assert!((|| -> Option<()> {"));
        assert!(
            rendered("Result<(), String>", "{ Ok(()) }")
                .contains("fn p_counterexample() -> Result<(), String> {")
        );
    }
}
