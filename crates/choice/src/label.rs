//! What a span of choices is: shrinking and replay tell programs, steps and values apart by it.

use crate::choice::same_text;

/// A text that is part of the program. It crosses to another process as a number.
pub type StaticText = &'static str;

/// What kind of thing a span holds.
///
/// Spans with equal labels may stand in for each other; those that the engine knows are variants of their
/// own, so that nobody can open one by a name that the engine does not recognise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Label {
    /// A value; the name is that of its type, or of what a generator makes of it.
    Value(#[cfg_attr(feature = "serde", serde(with = "crate::text"))] StaticText),
    /// A program: a length, then its steps.
    Program,
    /// A step of a program: the choice of its operation, then its arguments.
    Step,
    /// A step after the last one, which no length counts.
    Ending,
    /// A try at something that may be refused.
    Try,
    /// A value that a filter looks at.
    Filtered,
    /// An argument of a step.
    Argument,
    /// A part of an argument.
    Part,
}

impl Label {
    /// Something whose structure follows from its first two choices, a length and a seed: where parts depend
    /// on one another so much that decisions could not be edited one by one.
    pub const SEEDED: Label = Label::Value("seeded");

    /// The same for a value that can be written down where it is used, and needs nothing that is there already.
    pub const SOLVED: Label = Label::Value("solved");

    /// An object out of nowhere, decided one choice after the other, where another step could have given one.
    pub const MADE: Label = Label::Value("made");

    /// Whether the structure of a span follows from its first two choices.
    #[must_use]
    pub const fn has_seed(self) -> bool {
        self.is(Label::SEEDED) || self.is(Label::SOLVED)
    }

    /// All labels but those of values.
    pub const FIXED: [Label; 7] = [
        Label::Program,
        Label::Step,
        Label::Ending,
        Label::Try,
        Label::Filtered,
        Label::Argument,
        Label::Part,
    ];

    /// Whether both are the same; `==` is not available in const evaluation.
    #[must_use]
    pub const fn is(self, other: Label) -> bool {
        match (self, other) {
            (Label::Value(a), Label::Value(b)) => same_text(a.as_bytes(), b.as_bytes()),
            (Label::Program, Label::Program)
            | (Label::Step, Label::Step)
            | (Label::Ending, Label::Ending)
            | (Label::Try, Label::Try)
            | (Label::Filtered, Label::Filtered)
            | (Label::Argument, Label::Argument)
            | (Label::Part, Label::Part) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_is_itself_and_no_other() {
        let values = [Label::Value("u8"), Label::Value("u16")];
        for (i, a) in Label::FIXED.iter().chain(&values).enumerate() {
            for (j, b) in Label::FIXED.iter().chain(&values).enumerate() {
                assert_eq!((a.is(*b), a == b), (i == j, i == j), "{a:?} {b:?}");
            }
        }
    }
}
