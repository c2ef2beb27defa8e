//! Why an evaluation stopped: which clause, what of it, and whose fault that is.
//!
//! Data for reports, without words: values are texts by now, in which only addresses are still numbers, so
//! nothing here refers to an evaluator or to memory.

use super::memory::NoReturn;
use super::value_text::ValueText;
use crate::spec::position::Span;
use serde::{Deserialize, Serialize};

/// A clause does not hold, or cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Whose fault it is.
    pub blame: Blame,
    /// The clause of the contract, invariant or statements.
    pub clause: Span,
    /// Where in it, or in the definitions it uses: the assertion, `take` or expression at which it stopped.
    pub place: Span,
    /// What is wrong.
    pub why: StopReason,
    /// The predicates, functions and lemmas that led there, the outermost first.
    pub within: Vec<EnclosingDefinition>,
    /// How many more there are in the middle of them.
    pub n_within_left_out: usize,
    /// The parts of a condition that decided it, with their values, in the order of the text. Only if
    /// explanations were asked for.
    pub parts: Vec<Part>,
}

impl Stop {
    /// Whether, in a precondition at the top of a sequence, it means *not callable here*: also where the
    /// arguments make the spec divide by zero or go on for too long, which is worth counting apart.
    #[must_use]
    pub fn is_discard(&self) -> bool {
        let is_of_these_values = matches!(
            self.why,
            StopReason::DivisionByZero
                | StopReason::TooManyIndices { .. }
                | StopReason::TooDeep
                | StopReason::TooLong
                | StopReason::OutOfFuel
                | StopReason::TooLarge
        );
        // Nobody knows whether the call is allowed.
        self.blame == Blame::Unmet || is_of_these_values || self.why.has_no_body()
    }
}

/// Whose fault it is that an evaluation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blame {
    /// The state is not one that the clause describes: not callable here, or violated.
    Unmet,
    /// The spec's: it has no meaning here.
    SpecError,
}

/// A definition on the way to where an evaluation stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnclosingDefinition {
    /// Its name.
    pub name: String,
    /// Where it is used.
    pub call: Span,
    /// Its arguments: names and values. Only if explanations were asked for.
    pub arguments: Vec<(String, ValueText)>,
}

/// A part of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Where it is written.
    pub span: Span,
    /// What it is.
    pub value: ValueText,
    /// What it was, where the clause says that it is unchanged.
    pub before: Option<ValueText>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StopReason {
    /// A condition is false.
    False,
    /// The condition of an `each` is false for an index.
    FalseAt {
        /// The index's name.
        index: String,
        /// Its value.
        value: ValueText,
    },
    /// Some of the bytes do not exist.
    NotLive(Bytes),
    /// Some of the bytes were taken before.
    Taken {
        /// Which.
        bytes: Bytes,
        /// What took them.
        by: Span,
        /// The clause in which it did.
        in_clause: Span,
    },
    /// The bytes can be read and not written, and were to be owned.
    Constant(Bytes),
    /// Some of the bytes were never written.
    Uninitialised(Bytes),
    /// Definitions use one another too deeply.
    TooDeep,
    /// It takes too long.
    TooLong,
    /// All contracts of a call together take longer than a call may.
    OutOfFuel,
    /// Its values take too much memory, or a number has too many digits.
    TooLarge,
    /// An `each` has too many indices.
    TooManyIndices {
        /// The index's name.
        index: String,
        /// How many; as text, for it may be any number.
        n: String,
    },
    /// A division by zero. In a precondition at the top of a sequence it means *not callable here*.
    DivisionByZero,
    /// A power with a negative exponent, or a shift by a negative number.
    NegativeExponent,
    /// A function without a body.
    Uninterpreted(String),
    /// A predicate without a body.
    Abstract(String),
    /// A C function that stands for a spec function did not return.
    CallFailed {
        /// Which.
        function: String,
        /// How it ended.
        why: Box<NoReturn>,
    },
    /// Something of the function's entry is needed, and it was not seen.
    NoEntry,
    /// A variable or function is not in the program.
    NoAddress,
    /// The clause was not checked, or the program does not fit its debug information.
    Malformed,
}

/// What is wrong, in one word: results that are copied all the time stay small.
pub(super) type Fault = Box<StopReason>;

/// Bytes that could not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes {
    /// Of the first that was to be taken.
    pub address: u64,
    /// How many were.
    pub size: u64,
    /// Which is the first that could not be.
    pub offset: u64,
}

impl StopReason {
    /// Whether it needs the value of something that has no body, or the address of something that is not there.
    #[must_use]
    pub const fn has_no_body(&self) -> bool {
        matches!(self, StopReason::Uninterpreted(_) | StopReason::Abstract(_) | StopReason::NoAddress)
    }

    /// Whose fault it is. Walking too deep over memory is the memory's fault, otherwise the definition's.
    pub(super) fn blame(&self, is_in_predicate: bool) -> Blame {
        match self {
            StopReason::False
            | StopReason::FalseAt { .. }
            | StopReason::NotLive(_)
            | StopReason::Taken { .. }
            | StopReason::Constant(_)
            | StopReason::Uninitialised(_) => Blame::Unmet,
            StopReason::TooDeep | StopReason::TooLong | StopReason::TooLarge if is_in_predicate => {
                Blame::Unmet
            }
            _ => Blame::SpecError,
        }
    }
}
