//! Refinement: an implementation does only what its specification allows.
//!
//! A [`Correspondence`] compares what a specification allows with what an implementation did: whether the two
//! correspond, which alternatives it was, and if not, what was allowed instead. This is `corres` of section
//! 2.3 of "Climbing the Stairway to Verification". It draws nothing, runs no cases and prints nothing: a
//! property or a `refinement!` does, through the engine. `judge.rs` compares, `spec.rs` is the comparison
//! written by hand, `clauses.rs` is what `refinement!` expands to.

mod checker;
#[doc(hidden)]
pub mod clauses;
mod judge;
mod near;
mod spec;

pub use crate::allowed::{Allowed, Outcomes};
pub use checker::{Refinement, RefinementChecker};
pub(crate) use judge::Judge;
pub use near::{Near, near};
pub use spec::{RelatedSpec, Spec};

use crate::allowed::Name;
use crate::failure_words;
use stairway_engine::{Case, Checked, Failure, Stop};

/// Whether what an implementation did is something that its specification allows.
///
/// Return it from a `#[property]`, or [`check`](Correspondence::check) it: then the alternatives are counted,
/// and the report names those that never happened.
#[derive(Debug)]
#[must_use = "return it from a property, or `check` it: otherwise nothing is checked"]
pub struct Correspondence {
    /// What was allowed, by name, and whether it is what happened.
    pub(crate) alternatives: Vec<(Name, bool)>,
    pub(crate) failure: Option<Box<Failure>>,
}

impl Correspondence {
    /// Whether it is allowed.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.failure.is_none()
    }

    /// Why it is not allowed, in words; nothing if it is.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        self.failure.as_ref().map(|failure| failure_words::message(failure))
    }

    /// The alternatives that explain what happened, by name.
    pub fn taken(&self) -> impl Iterator<Item = &str> {
        self.alternatives.iter().filter(|(_, is_taken)| *is_taken).map(|(name, _)| &**name)
    }

    /// Counts the alternatives in the case, and fails it if what happened is not allowed.
    ///
    /// # Errors
    /// Fails the case; return it with `?`.
    pub fn check(self, case: &mut Case<'_>) -> Checked {
        for (name, is_taken) in self.alternatives {
            case.alternative(name, is_taken);
        }
        self.failure.map_or(Ok(()), |failure| Err(Stop::fail(*failure)))
    }
}

#[cfg(test)]
mod tests;
