//! Which case of a table a test is. `#[rstest]` makes a test of each case, and all of them check what has one
//! name: with the case behind it, each has a seed and stored failures of its own.
//!
//! Only the path of the test tells cases apart (`tests::parses::case_2_long`). Test runners name the thread
//! of a test after it, and one that runs a single test says which in its arguments. A check on any other
//! thread keeps the name without a case, as does one whose name was given by `named`. The name is in every
//! report and in the line that replays it, so nothing depends on the path that cannot be seen.

use crate::backtrace::test_name;
use std::thread;

/// The name of a check in this test.
pub(crate) fn named(name: String) -> String {
    match test_path().as_deref().and_then(|path| case_of(path, &name)) {
        Some(case) => format!("{name}::{case}"),
        None => name,
    }
}

/// The path of the test that this thread runs, where it is certain.
#[allow(clippy::disallowed_methods, reason = "names a check; it is shown with everything that depends on it")]
fn test_path() -> Option<String> {
    let thread = thread::current();
    match thread.name()? {
        "main" => {}
        name => return name.contains("::").then(|| name.to_string()),
    }
    // One test by its name, as workers and nextest have it; or all of them on the thread of the process.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--exact") {
        let mut paths = arguments.into_iter().filter(|argument| argument.contains("::"));
        return paths.next().filter(|_| paths.next().is_none());
    }
    let has_no_threads = arguments.iter().any(|argument| argument.starts_with("--test-threads"))
        || std::env::var_os("RUST_TEST_THREADS").is_some();
    if has_no_threads { test_name() } else { None }
}

/// What stands behind the function in the path of a test: behind the one that the check is named after, or
/// behind the one that has cases.
fn case_of<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let function = name.split_once("::").map_or("", |(_, function)| function);
    if let Some(case) = path.strip_prefix(function).and_then(|rest| rest.strip_prefix("::"))
        && !function.is_empty()
    {
        return Some(case);
    }
    let (at, _) = path.match_indices("::").find(|(at, _)| is_case(&path[at + 2..]))?;
    Some(&path[at + 2..])
}

/// Whether these are the segments that `#[rstest]` makes: `case_1`, `case_2_long`, then `size_1_16` for each
/// list of values.
fn is_case(segments: &str) -> bool {
    let mut segments = segments.split("::");
    let is_first = segments.next().and_then(|first| first.strip_prefix("case_")).is_some_and(has_number);
    is_first && segments.all(|value| value.split_once('_').is_some_and(|(_, rest)| has_number(rest)))
}

/// Whether text is a number, alone or before `_`.
fn has_number(text: &str) -> bool {
    let number = text.split('_').next().unwrap_or("");
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_what_stands_behind_the_function() {
        // A closure is named after the function it stands in.
        assert_eq!(case_of("tests::parses::case_2_long", "krate::tests::parses"), Some("case_2_long"));
        assert_eq!(case_of("tests::parses::n_1_8", "krate::tests::parses"), Some("n_1_8"));
        // A model has a name of its own.
        assert_eq!(case_of("tests::parses::case_2_long", "krate::Queue"), Some("case_2_long"));
        assert_eq!(case_of("parses::case_1::n_1_8", "krate::Queue"), Some("case_1::n_1_8"));
    }

    #[test]
    fn other_tests_are_no_cases() {
        for path in
            ["tests::parses", "case_1", "case_1::parses", "tests::case_1::parses", "t::case_a::b", "t::case_"]
        {
            assert_eq!(case_of(path, "krate::Queue"), None, "{path}");
        }
        assert_eq!(case_of("tests::parses", "krate::tests::parses"), None);
        assert_eq!(case_of("tests::parses_all", "krate::tests::parses"), None);
        assert_eq!(case_of("tests::parses", "queue of four"), None);
    }
}
