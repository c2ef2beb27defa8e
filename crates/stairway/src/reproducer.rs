//! The counterexample of a property as code: an attribute that keeps the input, and a test that fails on its
//! own.
//!
//! The test does not need Stairway. The macro has left out of its body what only Stairway understands; a
//! property that cannot do without gets the attribute alone.

use crate::program::call_source::Parameter;
use crate::program::step_source::lent;
use crate::source_lines::importable;
use stairway_engine::{
    CaseOrigin, Counterexample, DrawnRole, DrawnValue, FailureKind, Observations, SpecificationFault,
};
use std::fmt::Write as _;

/// The text of a property.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The function's name.
    pub name: &'static str,
    /// Its drawn parameters.
    pub parameters: &'static [Parameter],
    /// What it returns.
    pub returns: Returns,
    /// The lines of its body, without what only observes.
    pub body: &'static [&'static str],
    /// Whether they are one expression that does not return early.
    pub is_expression: bool,
    /// The body to show where several outcomes were right; empty unless this is a refinement.
    pub several: &'static [&'static str],
    /// Whether the body is a test without Stairway: not async, no executor, no case.
    pub stands_alone: bool,
    /// Whether every argument can be written as Rust source.
    pub is_pasteable: bool,
}

/// What a property returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Nothing that a test need look at.
    Nothing,
    /// Whether it holds.
    Truth,
    /// A `Result` of this type, which a test can return as well.
    Result(&'static str),
    /// Something else of this type that can be unwrapped if it holds: an `Option`, a `Result` with a value, or
    /// another name for one of these.
    Value(&'static str),
}

/// Bodies up to this many lines are repeated in the report.
const MAX_BODY_LINES: usize = 20;

/// The counterexample as a test, if it is one.
pub(crate) fn test_of(source: &Source, found: &Counterexample) -> Option<String> {
    let body = body_of(source, found);
    if !is_about_arguments(source, found) || !source.is_pasteable || !stands_alone(source, body) {
        return None;
    }
    let values: Vec<&DrawnValue> = arguments(&found.observed).collect();
    let text = test(source, &values, body);
    Some(text.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect())
}

const fn stands_alone(source: &Source, body: &[&str]) -> bool {
    source.stands_alone && body.len() <= MAX_BODY_LINES
}

/// What was picked besides the arguments cannot be given by an example.
fn is_about_arguments(source: &Source, found: &Counterexample) -> bool {
    arguments(&found.observed).count() == source.parameters.len()
        && !matches!(found.origin, CaseOrigin::Example(_))
}

/// The values of the arguments; what a refinement sees in them is shown, but not given.
fn arguments(observed: &Observations) -> impl Iterator<Item = &DrawnValue> {
    observed.drawn.iter().filter(|drawn| drawn.role != DrawnRole::Abstract)
}

/// The body that says what went wrong.
fn body_of(source: &Source, found: &Counterexample) -> &'static [&'static str] {
    match (source.several, &found.failure.kind) {
        ([], _) => source.body,
        (
            several,
            FailureKind::Refinement { is_exact: false }
            | FailureKind::Specification(SpecificationFault::AllowsNothing),
        ) => several,
        (_, FailureKind::Refinement { .. } | FailureKind::Specification(_)) => source.body,
        // The implementation did not come to its end, so there is nothing to compare: only what both have in
        // common.
        (several, _) => {
            let n_common = source.body.iter().zip(several).take_while(|(one, other)| one == other).count();
            &source.body[..n_common]
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
    let values: Vec<&DrawnValue> = arguments(&found.observed).collect();
    let example = values.iter().map(|drawn| &*drawn.value).collect::<Vec<_>>().join(", ");
    let place = if source.several.is_empty() {
        "below `#[property]`".to_string()
    } else {
        format!("above `{}(..)`", source.name)
    };
    let _ = writeln!(out, "\nto keep this input, write {place}:\n\n    #[example({example})]");
    let body = body_of(source, found);
    if stands_alone(source, body) {
        let _ = write!(out, "\nor as a standalone test:\n\n{}", test(source, &values, body));
    }
}

fn test(source: &Source, values: &[&DrawnValue], body: &[&str]) -> String {
    let name = source.name.strip_prefix("r#").unwrap_or(source.name);
    let mut out = String::new();
    let returns = match source.returns {
        Returns::Result(ty) => format!(" -> {ty}"),
        _ => String::new(),
    };
    let _ = writeln!(out, "    #[test]\n    fn {name}_counterexample(){returns} {{");
    for path in importable(source.parameters.iter().flat_map(|parameter| parameter.imports).copied()) {
        let _ = writeln!(out, "        use {path};");
    }
    for (parameter, drawn) in source.parameters.iter().zip(values) {
        let _ = writeln!(out, "        {}", parameter.bind(&drawn.value, lent(drawn)));
    }
    for line in asserted(source, body) {
        let _ = writeln!(out, "{}", format!("        {line}").trim_end());
    }
    out.push_str("    }\n");
    out
}

/// The body, failing the test where the property would return that it does not hold.
fn asserted(source: &Source, body: &[&str]) -> Vec<String> {
    // Otherwise a closure, because the body may return early.
    let (open, close) = match (source.returns, body) {
        (Returns::Truth, [only]) if source.is_expression => return vec![format!("assert!({only});")],
        (Returns::Truth, _) => ("assert!((|| -> bool {".to_string(), "})());"),
        (Returns::Value(ty), _) => (format!("(|| -> {ty} {{"), "})().unwrap();"),
        (Returns::Nothing | Returns::Result(_), _) => {
            return body.iter().map(|line| (*line).to_string()).collect();
        }
    };
    let inside = body.iter().map(|line| format!("    {line}"));
    [open].into_iter().chain(inside).chain([close.to_string()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::call_source::{Lending, lent};
    use crate::program::step_source::LentSource;
    use stairway_engine::Attachment;

    const PARAMETERS: [Parameter; 4] = [
        Parameter { name: "x", ty: "i32", lending: Lending::Owned, imports: &["shapes::Point"] },
        Parameter { name: "s", ty: "&str", lending: Lending::Text, imports: &[] },
        Parameter { name: "v", ty: "&mut Vec<u8>", lending: Lending::Mutable, imports: &[] },
        Parameter { name: "w", ty: "&[u8]", lending: Lending::Slice, imports: &[] },
    ];

    fn rendered(returns: Returns, is_expression: bool, body: &'static [&'static str]) -> String {
        let source = Source {
            name: "p",
            parameters: &PARAMETERS,
            returns,
            body,
            is_expression,
            several: &[],
            stands_alone: true,
            is_pasteable: true,
        };
        let drawn = |(value, attachment): (&str, Attachment)| DrawnValue {
            name: "".into(),
            role: DrawnRole::Argument,
            value: value.to_string(),
            at: 0,
            attachment,
        };
        let none = Attachment::default;
        let slice = lent(LentSource { text: "&[1]".into(), is_loose: false });
        let values = [("-1", none()), ("\"ab\"", none()), ("vec![]", none()), ("vec![1]", slice)];
        let values = values.map(drawn);
        test(&source, &values.iter().collect::<Vec<_>>(), body)
    }

    #[test]
    fn a_test_binds_the_arguments_and_repeats_the_body() {
        let expected = "    #[test]
    fn p_counterexample() {
        use shapes::Point;
        let x: i32 = -1;
        let s: &str = \"ab\";
        let v: &mut Vec<u8> = &mut vec![];
        let w: &[u8] = &[1];
        assert!(s.len() as i32 == x);
    }
";
        assert_eq!(rendered(Returns::Nothing, false, &["assert!(s.len() as i32 == x);"]), expected);
    }

    #[test]
    fn results_truth_values_and_options_fail_the_test_too() {
        assert!(rendered(Returns::Truth, true, &["x == 0"]).contains("        assert!(x == 0);\n"));
        let expected =
            "        assert!((|| -> bool {\n            let y = x;\n            y == 0\n        })());\n";
        assert!(rendered(Returns::Truth, false, &["let y = x;", "y == 0"]).contains(expected));
        let early = "assert!((|| -> bool {\n            return x == 0\n        })());";
        assert!(rendered(Returns::Truth, false, &["return x == 0"]).contains(early));
        let option = rendered(Returns::Value("Option<()>"), true, &["None"]);
        assert!(option.contains("(|| -> Option<()> {\n            None\n        })().unwrap();"), "{option}");
        let result = rendered(Returns::Result("Result<(), String>"), true, &["Ok(())"]);
        assert!(result.contains("fn p_counterexample() -> Result<(), String> {"));
    }
}
