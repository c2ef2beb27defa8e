//! A step as source text, for whoever prints a program as a test.
//!
//! Filled in by those who do the steps, and only for a program that is shown; the engine carries it
//! from there to the report and knows nothing of the language it is written in. The names `system`,
//! `model`, `answer`, `before` and `result`, and `r1`, `r2`, .. for the results of steps, are agreed
//! upon between the two.

use alloc::string::String;
use alloc::vec::Vec;
use stairway_choice::StaticText;

/// A call as source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Code {
    /// Statements that give names to what the call mentions.
    pub bindings: Vec<String>,
    /// The call on the system; empty if it is not known.
    pub call: String,
    /// What the step does to the model; empty if one statement cannot say it.
    pub model: String,
    /// The answer as an expression; empty if it cannot be written.
    pub answer: String,
    /// The answers that would have been right, as expressions; empty if they cannot be written.
    pub expected: Vec<String>,
    /// What does not hold after the step.
    pub claim: String,
    /// Statements that give names to what the claim mentions.
    pub names: Vec<String>,
    /// How the result that later steps refer to is got from the answer, if it is kept.
    pub result: Option<String>,
    /// The step whose result the call changes without saying so in its text: its receiver.
    pub changes: Option<u32>,
    /// Whether the call has to be awaited.
    pub is_async: bool,
    /// Why the step cannot be written, if it cannot.
    pub missing: String,
}

/// One statement on a side of a law.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SideStep {
    /// The name it binds; may be empty.
    #[cfg_attr(feature = "serde", serde(with = "stairway_choice::text"))]
    pub name: StaticText,
    /// The call.
    pub code: Code,
    /// The value it binds instead of an answer, as an expression.
    pub value: String,
}
