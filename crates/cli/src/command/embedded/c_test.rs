//! A failing sequence as a test in C: a list of properties with what was drawn for each, for
//! `crates/capi/host/sequence.h`.
//!
//! It is compiled with the program that ran on the board and needs no library. Numbers that were drawn are
//! the same on every machine, so a test does not depend on how values lie in memory.

use stairway::engine::ShownStep;
use std::fmt::Write as _;

/// The steps of a sequence with their draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sequence {
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    set: String,
    property: &'static str,
    ordinal: u32,
    draws: Vec<Draw>,
    is_refused: bool,
}

#[derive(Clone, Copy, Debug)]
enum Draw {
    Number(u64),
    /// The result of the step with this number.
    ResultOf(u32),
}

impl Sequence {
    /// A step begins.
    pub(crate) fn begin(&mut self, set: &str, property: &'static str, ordinal: u32) {
        let set = set.to_string();
        self.steps.push(Step { set, property, ordinal, draws: Vec::new(), is_refused: false });
    }

    /// A number was drawn in the step at hand.
    pub(crate) fn drew(&mut self, number: u64) {
        self.draw(Draw::Number(number));
    }

    /// A result of an earlier step was drawn.
    pub(crate) fn named(&mut self, ordinal: u32) {
        self.draw(Draw::ResultOf(ordinal));
    }

    fn draw(&mut self, draw: Draw) {
        if let Some(step) = self.steps.last_mut() {
            step.draws.push(draw);
        }
    }

    /// The step at hand did nothing after all.
    pub(crate) fn refused(&mut self) {
        if let Some(step) = self.steps.last_mut() {
            step.is_refused = true;
        }
    }
}

/// What to do with a test.
const HOW: &str =
    " * Compile it with the program in place of libstairway.a: crates/capi/host/sequence.h says how.";

/// The test. `steps` are the same steps as they are shown.
pub(crate) fn of(image: &str, message: &str, sequence: &Sequence, steps: &[ShownStep]) -> String {
    let done: Vec<&Step> = sequence.steps.iter().filter(|step| !step.is_refused).collect();
    let position = |ordinal: u32| done.iter().position(|step| step.ordinal == ordinal).unwrap_or(0) as u64;
    let mut out =
        format!("/* {}: {}\n{HOW} */\n#include \"sequence.h\"\n\n", comment(image), comment(message));
    out.push_str("const struct sw_step sw_sequence[] = {\n");
    for step in &done {
        let draws = step.draws.iter().map(|draw| match draw {
            Draw::Number(number) => literal(*number),
            Draw::ResultOf(ordinal) => literal(position(*ordinal)),
        });
        let draws: Vec<String> = draws.collect();
        let (set, property) = (quoted(&step.set), quoted(step.property));
        let call = steps.iter().find(|shown| shown.ordinal == step.ordinal).map_or_else(String::new, call);
        let _ = if draws.is_empty() {
            writeln!(out, "    SW_STEP_WITHOUT_DRAWS({set}, {property}),")
        } else {
            writeln!(out, "    SW_STEP({set}, {property}, {}), /* {} */", draws.join(", "), comment(&call))
        };
    }
    out.push_str("    SW_SEQUENCE_ENDS\n};\n");
    out
}

/// The arguments of a step.
fn call(step: &ShownStep) -> String {
    let arguments = step.arguments.iter().map(|(name, value)| format!("{name} = {value}"));
    arguments.collect::<Vec<_>>().join(", ")
}

/// Text within a comment of C.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\\'], " ")
}

/// A text as C writes it.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_string(),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A number of 64 bits; those that are little below 0 are written so.
fn literal(number: u64) -> String {
    match number.cast_signed() {
        small @ 0..=0x7FFF_FFFF => small.to_string(),
        below @ -0x7FFF_FFFF..0 => format!("(uint64_t){below}"),
        _ => format!("{number:#x}u"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_as_c_has_them() {
        assert_eq!(
            [0, 7, 1 << 31, u64::MAX, 1 << 63].map(literal),
            ["0", "7", "0x80000000u", "(uint64_t)-1", "0x8000000000000000u"]
        );
        assert_eq!(quoted("a \"b\"\n"), "\"a \\\"b\\\"\\n\"");
        assert_eq!(comment("a */ b"), "a * / b");
    }

    #[test]
    fn a_result_is_named_by_its_place_among_the_steps_that_were_done() {
        let mut sequence = Sequence::default();
        sequence.begin("s", "skipped", 0);
        sequence.refused();
        sequence.begin("s", "open", 3);
        sequence.begin("s", "close", 5);
        sequence.named(3);
        let test = of("a.elf", "`close` does not hold", &sequence, &[]);
        assert!(
            test.contains("SW_STEP_WITHOUT_DRAWS(\"s\", \"open\"),\n    SW_STEP(\"s\", \"close\", 0),"),
            "{test}"
        );
        assert!(!test.contains("skipped"), "{test}");
    }
}
