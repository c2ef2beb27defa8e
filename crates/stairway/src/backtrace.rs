//! Backtraces without what the reader has not written.
//!
//! Finds the frames of the code under test in a backtrace that is text. Whether there is one at all is for
//! [`panics`](crate::panics) to say. Frames are told by their names, and names differ with what was inlined:
//! one that is not known is shown.

use std::backtrace::Backtrace;

/// What begins the part below the code under test.
const BELOW: [&str; 13] = [
    "stairway::checker::Run",
    "stairway_engine::steps::",
    " as stairway_engine::program::Operations>::step",
    // What `#[model]` makes of a block: the steps that programs are made of.
    " as stairway::program::model::Model>::methods",
    // What `#[machine]` makes of a module.
    "::__call",
    " as stairway::machine::Machine>::",
    "stairway::machine::driver::",
    // What `#[contract]` makes of a block: the calls that programs are made of.
    "<impl stairway::program::contract::Contract for ",
    " as stairway::program::contract::Contract>::calls",
    "<impl stairway::program::contract::TheSecondContractNeedsAName for ",
    " as stairway::program::contract::TheSecondContractNeedsAName>::calls",
    "::__calls_of_",
    "__Contracts>::__calls",
];

/// Keeps the frames between the panic and the property: those above belong to the panic itself,
/// those below to this crate and the test runner.
pub(crate) fn trimmed(backtrace: &str) -> String {
    let mut frames: Vec<Vec<&str>> = Vec::new();
    for line in backtrace.lines() {
        match frames.last_mut() {
            Some(frame) if !is_numbered(line) => frame.push(line),
            _ => frames.push(vec![line]),
        }
    }
    let has = |frame: &[&str], name: &str| frame.iter().any(|line| line.contains(name));
    let below = frames.iter().position(|frame| BELOW.iter().any(|name| has(frame, name)));
    frames.truncate(below.unwrap_or(frames.len()));
    // Calls of programs are function pointers: where the closure behind one was inlined, it has no path.
    let is_pointer = |frame: &Vec<&str>| has(frame, "ops::function::FnOnce");
    if below.is_some() && frames.last().is_some_and(is_pointer) {
        frames.pop();
        if frames.last().is_some_and(|frame| name_of(frame).starts_with("{closure#")) {
            frames.pop();
        }
    }
    let begin = frames.iter().position(|frame| has(frame, "rust_begin_unwind"));
    // A failing clause does not panic; the function that judged it is the last of ours.
    let begin = begin.or_else(|| frames.iter().rposition(|frame| is_judge(frame)));
    let begin = begin.map_or(0, |at| at + 1);
    let shown = frames.iter().skip(begin).skip_while(|frame| has(frame, "core::panicking::"));
    let shown = without_wrappers(shown.map(Vec::as_slice));
    shown
        .iter()
        .enumerate()
        .map(|(n, (name, places))| numbered(n, name, places))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The test that this thread runs. The test runner names the thread of a test after it, except where it has
/// no threads (`--test-threads=1`): there the name of the function is taken that the runner has called.
#[allow(clippy::disallowed_methods, reason = "to name this test in a command; no verdict depends on it")]
pub(crate) fn test_name() -> Option<String> {
    let is_path = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    match std::thread::current().name() {
        Some("main") => test_of(&Backtrace::force_capture().to_string()),
        name => name.map(String::from),
    }
    .filter(|name| is_path(name))
}

/// The path of the test function inside its crate.
fn test_of(backtrace: &str) -> Option<String> {
    let mut names = backtrace.lines().filter(|line| is_numbered(line)).map(|line| name_of(&[line]));
    // Frames go from the inside out; what the runner calls is the last one before it.
    let inside: Vec<&str> = names.by_ref().take_while(|name| !name.starts_with(RUNNER)).collect();
    names.next()?;
    let test = inside.into_iter().rfind(|name| !name.contains("ops::function::FnOnce"))?;
    // A closure is called `{{closure}}` or `{closure#0}`.
    let path = test.split_once("::{").map_or(test, |(path, _)| path);
    path.split_once("::").map(|(_, path)| path.to_string())
}

/// What the test runner calls tests through.
const RUNNER: &str = "test::__rust_begin_short_backtrace";

/// Whether this is where clauses are judged. What was inlined has no path in its name.
fn is_judge(frame: &[&str]) -> bool {
    let name = name_of(frame);
    let names = ["requires<", "ensures<", "invariant<", "quietly<"];
    let is_here = || frame.iter().any(|line| line.contains("/program/contract.rs:"));
    // The invariants that a type has in another block.
    let elsewhere =
        ["stairway::program::contract::InvariantProbe", "stairway::program::contract::Invariants"];
    name.starts_with("stairway::program::contract::")
        || elsewhere.iter().any(|n| name.contains(n))
        || names.iter().any(|n| name.starts_with(n)) && is_here()
}

/// Names and places of frames without the functions that `#[contract]` wraps around another: they
/// have the name of what they wrap, and go unless they are all there is of it.
fn without_wrappers<'t>(frames: impl Iterator<Item = &'t [&'t str]>) -> Vec<(String, &'t [&'t str])> {
    let mut shown: Vec<(String, &[&str])> = Vec::new();
    let mut wrapped = String::new();
    for frame in frames {
        let name = name_of(frame);
        if is_judge(frame) {
            continue;
        }
        let plain = unwrapped(name);
        let is_wrapper =
            !name.ends_with(CLOSURE) && ["::__ensured_", "::__attempt_"].iter().any(|w| name.contains(w));
        let is_same = shown.last().is_some_and(|(last, _)| last.trim_end_matches(CLOSURE) == plain);
        let is_repeated = is_same && (is_wrapper || wrapped == plain && !name.contains("::__unchecked_"));
        wrapped = if is_wrapper { plain.clone() } else { String::new() };
        if !is_repeated {
            shown.push((plain, frame.get(1..).unwrap_or_default()));
        }
    }
    shown
}

const CLOSURE: &str = "::{{closure}}";

/// The name that was written, of a function of a contract.
fn unwrapped(name: &str) -> String {
    let words = ["__ensured_", "__attempt_", "__unchecked_"];
    let Some((path, function)) = words.iter().find_map(|word| name.split_once(&format!("::{word}"))) else {
        return of_type(name);
    };
    of_type(&format!("{path}::{function}"))
}

/// The constant that a block was put into is not shown.
fn of_type(name: &str) -> String {
    let inside = name.split_once("::_::<impl ").and_then(|(_, rest)| rest.rsplit_once(">::"));
    inside.map_or(name.to_string(), |(ty, function)| format!("{ty}::{function}"))
}

/// Whether a line of a backtrace begins a frame, as in `  12: name`.
fn is_numbered(line: &str) -> bool {
    line.trim_start().split_once(": ").is_some_and(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()))
}

fn name_of<'t>(frame: &[&'t str]) -> &'t str {
    frame.first().map_or("", |line| line.split_once(": ").map_or(line, |(_, name)| name))
}

fn numbered(n: usize, name: &str, places: &[&str]) -> String {
    let places = places.iter().map(|line| format!("\n{line}"));
    format!("{n:4}: {name}{}", places.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runner_calls_the_test() {
        let backtrace = |name: &str| {
            format!(
                "   0: stairway::report::Report::conclude\n             at a.rs:1:1\n   1: {name}\n   2: {name}::{{{{closure}}}}\n   \
                 3: core::ops::function::FnOnce::call_once\n             at b.rs:2:2\n   4: core::ops::function::FnOnce::call_once\n   \
                 5: test::__rust_begin_short_backtrace\n   6: test::run_test::{{{{closure}}}}\n"
            )
        };
        assert_eq!(test_of(&backtrace("krate::tests::keeps")), Some("tests::keeps".to_string()));
        assert_eq!(test_of("   0: krate::main\n   1: std::rt::lang_start\n"), None);
    }

    #[test]
    fn backtraces_show_the_property_only() {
        let backtrace = "   0: stairway::panics::failure\n             at panics.rs:1:1\n   \
            1: rust_begin_unwind\n   2: core::panicking::panic_fmt\n             at panicking.rs:2:2\n   \
            3: user::helper\n             at lib.rs:3:3\n   4: user::property\n   \
            5: stairway::checker::Run::watched::{{closure}}\n   6: std::panic::catch_unwind";
        assert_eq!(
            trimmed(backtrace),
            "   0: user::helper\n             at lib.rs:3:3\n   1: user::property"
        );
        assert_eq!(trimmed("   0: <unknown>\n   1: <unknown>"), "   0: <unknown>\n   1: <unknown>");
    }

    /// The names of frames, as lines of a backtrace.
    fn names(names: &[&str]) -> String {
        let lines =
            names.iter().enumerate().map(|(n, name)| numbered(n, name, &["             at x.rs:1:1"]));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_clause_shows_its_function_and_who_called_it() {
        let backtrace = [
            "stairway::panics::backtrace",
            "stairway::program::contract::fail",
            "ensures<user::{closure_env#0}>\n             at src/program/contract.rs:1:1",
            "user::_::<impl user::Stack<T>>::__ensured_push",
            "user::_::<impl user::Stack<T>>::push",
            "user::helper",
            "user::_::<impl user::Stack<T>>::__unchecked_push",
            "user::_::<impl user::Stack<T>>::__ensured_push",
            "user::_::<impl user::Stack<T>>::push",
            "user::_::<impl user::Stack<T>>::__unchecked_fill",
            "user::_::<impl user::Stack<T>>::__ensured_fill",
            "user::_::<impl user::Stack<T>>::__attempt_fill",
            "user::_::<impl stairway::program::contract::Contract for user::Stack<T>>::calls::{{closure}}",
            "core::ops::function::FnOnce::call_once",
        ];
        let shown = ["user::Stack<T>::push", "user::helper", "user::Stack<T>::push", "user::Stack<T>::fill"];
        assert_eq!(trimmed(&names(&backtrace)), names(&shown));
    }

    #[test]
    fn a_panic_in_a_clause_shows_the_clause() {
        let backtrace = [
            "rust_begin_unwind",
            "core::panicking::panic",
            "user::helper",
            "user::free::__attempt_lay::{{closure}}",
            "stairway::program::contract::quietly",
            "user::free::__attempt_lay",
            "<user::free::Contracts as stairway::program::contract::Contract>::calls::{{closure}}",
        ];
        assert_eq!(trimmed(&names(&backtrace)), names(&["user::helper", "user::free::lay::{{closure}}"]));
    }
}
