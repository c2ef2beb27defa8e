//! A comparison by hand: what is allowed, how outcomes correspond, and the implementation, one after the other.
//!
//! This is `corres R a c`, which is `∃ o ∈ a. R o c`, of "Climbing the Stairway to Verification" (section
//! 2.3) as a builder. `refinement!` is the usual way to it; this one is for properties that compare in the
//! midst of other things.

use super::{Correspondence, Judge};
use crate::allowed::Allowed;
use crate::panics;
use stairway_engine::{Case, Checked, Party};
use std::fmt::Debug;
use std::panic::Location;

/// What an implementation may do.
///
/// ```
/// use stairway::prelude::*;
/// # #[derive(Clone, Copy, Debug, PartialEq)] pub enum Error { NoMemory }
/// /// Half of a list, or no memory for it.
/// fn half_spec(list: &[u8]) -> Outcomes<Result<Vec<u8>, Error>> {
///     Outcomes::named("half", Ok(list[..list.len() / 2].to_vec()))
///         .or(Outcomes::named("no memory", Err(Error::NoMemory)))
/// }
/// # fn half(list: &[u8]) -> Result<Box<[u8]>, Error> { Ok(list[..list.len() / 2].into()) }
///
/// #[property]
/// fn half_refines_its_spec(list: Vec<u8>) -> Correspondence {
///     Spec::any_of(half_spec(&list))
///         .relate_ok(|spec: &Vec<u8>, real: &Box<[u8]>| spec[..] == real[..])
///         .compare(half(&list))
/// }
///
/// check(|t| {
///     let n = t.pick(any::<u8>())?;
///     Spec::exactly(n).check(t, || n.reverse_bits().reverse_bits())
/// });
/// ```
#[derive(Debug)]
#[must_use = "a specification checks nothing until `check` or `compare` is called"]
pub struct Spec<'a, T> {
    allowed: Allowed<'a, (), T>,
    is_exact: bool,
}

impl<'a, T> Spec<'a, T> {
    /// Any of these outcomes is right.
    pub const fn any_of(allowed: Allowed<'a, (), T>) -> Self {
        Spec { allowed, is_exact: false }
    }

    /// Exactly this is right.
    pub fn exactly(outcome: T) -> Self {
        Spec { allowed: Allowed::just(outcome), is_exact: true }
    }

    /// Any of the outcomes that `spec` returns is right; if it panics, the specification is to blame.
    pub fn from_fn(spec: impl FnOnce() -> Allowed<'a, (), T>) -> Self {
        let before = panics::blame(Party::Specification);
        let allowed = spec();
        panics::blame(before);
        Spec::any_of(allowed)
    }

    /// An outcome of the implementation is right if `relation` holds between an allowed one and it.
    pub fn relate<C>(self, relation: impl Fn(&T, &C) -> bool + 'a) -> RelatedSpec<'a, T, C> {
        RelatedSpec { spec: self, comparison: Comparison::Relation(Box::new(relation)) }
    }

    /// An outcome of the implementation is right if the abstract one that `view` sees in it is allowed.
    /// Conditions ([`matching`](Allowed::matching)) are about the abstract outcome, so they need this form
    /// where the types differ.
    pub fn view<C>(self, view: impl Fn(&C) -> T + 'a) -> RelatedSpec<'a, T, C>
    where
        T: PartialEq,
    {
        RelatedSpec { spec: self, comparison: Comparison::View(Box::new(view), T::eq) }
    }

    /// Compares an outcome of the implementation for equality.
    #[track_caller]
    pub fn compare(self, real: T) -> Correspondence
    where
        T: PartialEq + Debug,
    {
        let judge = Judge::by_debug(&self.allowed, &real).at(Location::caller());
        judge.with_itself(|outcome| outcome).exact(self.is_exact).relate(&|spec: &T, real: &T| spec == real)
    }

    /// Runs the implementation and compares its outcome for equality; the alternatives are counted in the case.
    ///
    /// # Errors
    /// Fails the case if the outcome is not allowed; return it with `?`.
    #[track_caller]
    pub fn check(self, case: &mut Case<'_>, real: impl FnOnce() -> T) -> Checked
    where
        T: PartialEq + Debug,
    {
        self.compare(real()).check(case)
    }
}

impl<'a, T: Debug, E: Debug> Spec<'a, Result<T, E>> {
    /// Errors must be equal; where both sides succeed, `relation` must hold between their results.
    pub fn relate_ok<C: Debug, F: Debug>(
        self,
        relation: impl Fn(&T, &C) -> bool + 'a,
    ) -> RelatedSpec<'a, Result<T, E>, Result<C, F>>
    where
        E: PartialEq<F>,
    {
        self.relate(move |spec, real| match (spec, real) {
            (Ok(spec), Ok(real)) => relation(spec, real),
            (Err(spec), Err(real)) => spec == real,
            _ => false,
        })
    }
}

/// A [`Spec`] that says how outcomes of the implementation correspond to what is allowed.
#[derive(Debug)]
#[must_use = "a specification checks nothing until `check` or `compare` is called"]
pub struct RelatedSpec<'a, T, C> {
    spec: Spec<'a, T>,
    comparison: Comparison<'a, T, C>,
}

/// Whether an allowed outcome and one of the implementation correspond.
type Relation<'a, T, C> = Box<dyn Fn(&T, &C) -> bool + 'a>;

enum Comparison<'a, T, C> {
    Relation(Relation<'a, T, C>),
    /// With the equality of abstract outcomes.
    View(Box<dyn Fn(&C) -> T + 'a>, fn(&T, &T) -> bool),
}

impl<T, C> std::fmt::Debug for Comparison<'_, T, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Comparison")
    }
}

impl<T: Debug, C: Debug> RelatedSpec<'_, T, C> {
    /// Compares an outcome of the implementation.
    #[track_caller]
    pub fn compare(self, real: C) -> Correspondence {
        let RelatedSpec { spec, comparison } = self;
        let judge = Judge::by_debug(&spec.allowed, &real).at(Location::caller()).exact(spec.is_exact);
        match comparison {
            Comparison::Relation(relation) => judge.relate(&relation),
            Comparison::View(view, is_equal) => judge.view(&view, is_equal),
        }
    }

    /// Runs the implementation and compares its outcome; the alternatives are counted in the case.
    ///
    /// # Errors
    /// Fails the case if the outcome is not allowed; return it with `?`.
    #[track_caller]
    pub fn check(self, case: &mut Case<'_>, real: impl FnOnce() -> C) -> Checked {
        self.compare(real()).check(case)
    }
}
