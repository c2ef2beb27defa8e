//! What an invariant may return: whether it holds, a `Result`, or nothing where it asserts what it demands.
//!
//! Asks an invariant what is wrong with a state, in the invariant's own words. An invariant that returns
//! `bool` has no words; the macros show the operands of its condition instead.

use super::contract::Parts;
use crate::panics;
use std::fmt::Display;

/// What an invariant returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// Whether it holds.
    #[default]
    Bool,
    /// `Err` if it does not hold.
    Result,
    /// Nothing; it panics if it does not hold.
    Nothing,
}

impl Returns {
    /// The statement that a printed test makes, given the call of the invariant.
    pub(crate) fn claim(self, call: &str) -> String {
        match self {
            Returns::Bool => call.to_string(),
            Returns::Result => format!("{call}.is_ok()"),
            Returns::Nothing => format!("{{ {call}; true }}"),
        }
    }
}

/// An answer of an invariant that has words for what is wrong.
pub trait Soundness {
    /// What is wrong, if something is.
    fn wrong(self) -> Option<String>;
}

impl Soundness for () {
    fn wrong(self) -> Option<String> {
        None
    }
}

impl<T, E: Display> Soundness for Result<T, E> {
    fn wrong(self) -> Option<String> {
        self.err().map(|error| error.to_string())
    }
}

/// Whether nothing is wrong; a panic says that something is.
pub fn is_sound<A: Soundness>(ask: impl FnOnce() -> A) -> bool {
    wrong(ask).is_none()
}

/// What is wrong, to be shown in place of operands.
pub fn wrong_parts<A: Soundness>(ask: impl FnOnce() -> A) -> Parts {
    wrong(ask).into_iter().map(|text| ("", text)).collect()
}

fn wrong<A: Soundness>(ask: impl FnOnce() -> A) -> Option<String> {
    panics::caught(|| ask().wrong()).unwrap_or_else(|failure| {
        let place = failure.place.as_ref().map(|place| format!(" (at {place})")).unwrap_or_default();
        Some(format!("{}{place}", failure.text))
    })
}
