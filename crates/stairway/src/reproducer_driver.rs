//! A failing program on what is behind a machine, as code.
//!
//! Writes a test with exactly the operations of a counterexample; or, where nobody knows how the user's test
//! makes a driver, the call that has to be added to it. The results are those that the system gave: they say
//! what went wrong, and they are not asked for.

use crate::program::step_source::of as source_of;
use crate::reproducer_program::{MAX_LINES, NoTestReason, Program};
use crate::source_lines::{Lines, snake_case};
use stairway_engine::FailureKind;

/// What is behind a machine, as source text.
#[derive(Clone, Debug)]
pub(crate) struct DriverSource {
    /// The machine's name.
    pub(crate) machine: &'static str,
    /// The function that makes a driver, as an expression; empty if it has no name.
    pub(crate) start: String,
    /// The names of the formulas that are judged.
    pub(crate) formulas: Vec<&'static str>,
}

impl DriverSource {
    /// The test, or what has to be added to the user's.
    pub(crate) fn test(&self, program: &Program<'_>) -> Result<String, NoTestReason> {
        let steps = program.steps();
        if steps.is_empty() || steps.iter().any(|step| source_of(step).call.is_empty()) {
            return Err(NoTestReason::new());
        }
        if steps.len() > MAX_LINES {
            return Err(format!("there is no test to paste: it would be longer than {MAX_LINES} lines"));
        }
        let mut lines = Lines::default();
        if self.start.is_empty() {
            lines.open(".program({".to_string());
            lines.push(format!("use {}::*;", self.machine));
            lines.open("[".to_string());
            write_steps(&mut lines, program);
            lines.close("]");
            lines.close("})");
            return Err(format!(
                "to run exactly this program, write before the `.run()` of your test:\n\n{}",
                lines.text().trim_end()
            ));
        }
        lines.push(format!("use {}::*;", self.machine));
        lines.open(format!("{}::test({})", self.machine, self.start));
        for formula in &self.formulas {
            lines.push(format!(".formula(&{formula}::FORMULA)"));
        }
        lines.open(".program([".to_string());
        write_steps(&mut lines, program);
        lines.close("])");
        lines.push(".run();".to_string());
        let words: Vec<String> = program.name.split(' ').map(snake_case).collect();
        Ok(format!("#[test]\nfn {}_counterexample() {{\n{}}}\n", words.join("_"), lines.text()))
    }
}

/// The operations, a line each; what goes wrong is said at the last.
fn write_steps(lines: &mut Lines, program: &Program<'_>) {
    let Some((last, earlier)) = program.steps().split_last() else { return };
    for step in earlier {
        lines.push(format!("{},", source_of(step).call));
    }
    let wrong = match &program.found.failure.kind {
        FailureKind::Transition { .. } => format!("not allowed in state {}", last.state),
        FailureKind::Formula { name } => format!("formula `{name}` fails here"),
        _ if program.is_panic() => format!("panics here: {}", program.message()),
        _ => program.message(),
    };
    lines.note(format!("{},", source_of(last).call), &wrong);
}

/// The name of a function as it is written beside what it belongs to, from its type: `Store::new` or `start`;
/// empty where it has none, as a closure.
pub(crate) fn function_name(of_type: &str) -> String {
    // `<a::Store as core::default::Default>::default`
    let plain = match of_type.strip_prefix('<').and_then(|rest| rest.split_once(" as ")) {
        Some((of, rest)) => match rest.rsplit_once(">::") {
            Some((_, method)) => format!("{of}::{method}"),
            None => return String::new(),
        },
        None => of_type.to_string(),
    };
    let is_path = plain.split("::").all(|word| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_alphanumeric() || c == '_')
    });
    if !is_path {
        return String::new();
    }
    let mut words = plain.rsplit("::");
    match (words.next(), words.next()) {
        (Some(function), Some(of)) if of.starts_with(char::is_uppercase) => format!("{of}::{function}"),
        (Some(function), _) => function.to_string(),
        (None, _) => String::new(),
    }
}

/// A type's name without the modules in it.
pub(crate) fn type_name(full: &str) -> String {
    let (mut name, mut word) = (String::new(), String::new());
    for c in full.chars().chain(Some('\0')) {
        if c.is_alphanumeric() || matches!(c, '_' | ':') {
            word.push(c);
        } else {
            name.push_str(word.rsplit("::").next().unwrap_or(&word));
            word.clear();
            name.push(c);
        }
    }
    name.truncate(name.len() - 1);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<F: Fn() -> u8>(_: F) -> String {
        function_name(std::any::type_name::<F>())
    }

    fn seven() -> u8 {
        7
    }

    #[test]
    fn functions_are_known_by_their_types() {
        assert_eq!(named(seven), "seven");
        assert_eq!(named(u8::default), "default", "a primitive type is in no report");
        assert_eq!(function_name("a::b::Store::new"), "Store::new");
        assert_eq!(function_name("<a::Store as core::default::Default>::default"), "Store::default");
        assert_eq!(named(|| 7), "");
        assert_eq!(function_name("a::Store<u8>::new"), "", "this is not how it is written");
    }

    #[test]
    fn types_lose_their_modules() {
        assert_eq!(type_name("a::b::Store"), "Store");
        assert_eq!(type_name("a::Pool<b::Tcp, [c::Slot; 2]>"), "Pool<Tcp, [Slot; 2]>");
    }
}
