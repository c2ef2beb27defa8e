//! Refinement: an implementation does only what its specification allows.
//!
//! Receives what a specification allows and what an implementation did, hands on a [`Corres`]: whether
//! the two correspond, which alternatives it was, and if not, what was allowed instead. This is
//! `corres` of section 2.3 of "Climbing the Stairway to Verification". It draws nothing, runs no cases
//! and prints nothing: a property or a `refinement!` does, through the engine. `judge.rs` compares,
//! `difference.rs` finds where two texts part, `clauses.rs` is what `refinement!` expands to.

mod checker;
pub mod clauses;
mod difference;
mod judge;

pub use checker::RefinementChecker;
pub(crate) use judge::{Judge, NOT_ALLOWED, NOT_SAID};

use crate::allowed::{Allowed, Name};
use crate::panics::{self, Blame};
use stairway_engine::{Case, Checked, Failure, Stop};
use std::fmt::Debug;
use std::panic::Location;

/// Whether what an implementation did is something that its specification allows.
///
/// Return it from a `#[property]`, or [`check`](Corres::check) it: then the alternatives are counted, and the report
/// names those that never happened.
#[derive(Debug)]
#[must_use = "return it from a property, or `check` it: otherwise nothing is checked"]
pub struct Corres {
    /// What was allowed, by name, and whether it is what happened.
    pub(crate) alternatives: Vec<(Name, bool)>,
    pub(crate) failure: Option<Box<Failure>>,
}

impl Corres {
    /// Whether it is allowed.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.failure.is_none()
    }

    /// Why it is not allowed, in words; nothing if it is.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.failure.as_ref().map(|failure| &*failure.message)
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

/// Whether `relation` holds between something that is allowed and what the implementation did: the
/// paper's `corres R a c`, which is `∃ o ∈ a. R o c`.
///
/// ```
/// use stairway::prelude::*;
/// # #[derive(Clone, Copy, Debug, PartialEq)] pub enum Error { NoMemory }
/// /// Half of a list, or no memory for it.
/// fn half_spec(list: &[u8]) -> Outcomes<Result<Vec<u8>, Error>> {
///     Outcomes::one("half", Ok(list[..list.len() / 2].to_vec()))
///         .or(Outcomes::one("no memory", Err(Error::NoMemory)))
/// }
/// # fn half(list: &[u8]) -> Result<Box<[u8]>, Error> { Ok(list[..list.len() / 2].into()) }
///
/// #[property]
/// fn half_refines_its_spec(list: Vec<u8>) -> Corres {
///     let related = |spec: &Result<Vec<u8>, Error>, real: &Result<Box<[u8]>, Error>| match (spec, real) {
///         (Ok(spec), Ok(real)) => spec[..] == real[..],
///         (spec, real) => spec.as_ref().err() == real.as_ref().err(),
///     };
///     corres(related, half_spec(&list), half(&list))
/// }
/// ```
///
/// | form | for |
/// |---|---|
/// | `corres` | a specification that allows several outcomes |
/// | [`corres_exact`] | one that says exactly what comes out |
/// | [`corres_ok`] | results: errors must be equal, the relation is about what succeeded |
/// | [`corres_run`] | effects: both sides are closures, and a panic is blamed on its side |
/// | [`corres_seen`] | by the abstract outcome that a concrete one stands for, instead of a relation |
#[track_caller]
pub fn corres<T: Debug, C: Debug>(
    relation: impl Fn(&T, &C) -> bool,
    allowed: Allowed<'_, (), T>,
    concrete: C,
) -> Corres {
    Judge::by_debug(&allowed, &concrete).at(Location::caller()).relate(&relation)
}

/// [`corres`] for a specification that says exactly what comes out.
#[track_caller]
pub fn corres_exact<T: Debug, C: Debug>(
    relation: impl Fn(&T, &C) -> bool,
    expected: T,
    concrete: C,
) -> Corres {
    let allowed = Allowed::just(expected);
    Judge::by_debug(&allowed, &concrete).exact().at(Location::caller()).relate(&relation)
}

/// [`corres`] for results: errors must be equal, and the relation is between what came out where
/// both succeed.
///
/// ```
/// use stairway::{Outcomes, corres_ok};
/// let spec = || Outcomes::one("found", Ok(7)).or(Outcomes::one("gone", Err("gone")));
/// assert!(corres_ok(|spec, real: &u64| *real == *spec, spec(), Ok::<u64, &str>(7)).holds());
/// assert!(!corres_ok(|spec, real: &u64| *real == *spec, spec(), Err("full")).holds());
/// ```
#[track_caller]
pub fn corres_ok<T: Debug, E: Debug + PartialEq<F>, C: Debug, F: Debug>(
    relation: impl Fn(&T, &C) -> bool,
    allowed: Allowed<'_, (), Result<T, E>>,
    concrete: Result<C, F>,
) -> Corres {
    let both = |spec: &Result<T, E>, real: &Result<C, F>| match (spec, real) {
        (Ok(spec), Ok(real)) => relation(spec, real),
        (Err(spec), Err(real)) => spec == real,
        _ => false,
    };
    Judge::by_debug(&allowed, &concrete).at(Location::caller()).relate(&both)
}

/// [`corres`] with both sides as closures: what panics is blamed on the side it happened on.
#[track_caller]
pub fn corres_run<'a, T: Debug, C: Debug>(
    relation: impl Fn(&T, &C) -> bool,
    spec: impl FnOnce() -> Allowed<'a, (), T>,
    real: impl FnOnce() -> C,
) -> Corres {
    let before = panics::blame(Blame::Specification);
    let allowed = spec();
    panics::blame(before);
    let concrete = real();
    Judge::by_debug(&allowed, &concrete).at(Location::caller()).relate(&relation)
}

/// [`corres`] by the abstract outcome that `view` sees in what the implementation did. Conditions
/// ([`any_that`](Allowed::any_that)) are about the abstract outcome, so they need this form.
#[track_caller]
pub fn corres_seen<T: Debug + PartialEq, C: Debug>(
    view: impl Fn(&C) -> T,
    allowed: Allowed<'_, (), T>,
    concrete: C,
) -> Corres {
    Judge::by_debug(&allowed, &concrete).at(Location::caller()).view(&view)
}

#[cfg(test)]
mod tests;
