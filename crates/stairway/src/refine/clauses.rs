//! What the clauses of `refinement!` expand to.
//!
//! The closures of a refinement run one after the other, and in the end there is a verdict. Each runs with
//! the blame on its own side: the abstraction, the specification and the relation are the specification's,
//! the concrete input and the implementation the system's.

use super::{Correspondence, Judge};
use crate::allowed::Allowed;
use crate::failure_words;
use crate::oracle::Oracle;
use crate::panics;
use stairway_engine::{Case, Checked, Evidence, Failure, FailureKind, Party, Role, SpecificationFault, Stop};
use std::cell::RefCell;
use std::marker::PhantomData;

/// Runs an abstraction.
///
/// # Errors
/// Fails the case if it does, and says that it is the abstraction.
pub fn abstraction<T>(name: &str, of: impl FnOnce() -> Checked<T>) -> Checked<T> {
    blamed(Party::Specification, of).map_err(|stop| at_fault(stop, &format!("the abstraction `{name}`")))
}

/// Runs a specification.
///
/// # Errors
/// Fails the case if it does, and says that it is the specification.
pub fn spec<T>(of: impl FnOnce() -> Checked<T>) -> Checked<T> {
    blamed(Party::Specification, of).map_err(|stop| at_fault(stop, "the specification"))
}

/// Runs the implementation, or what makes its input.
///
/// # Errors
/// Whatever it gives.
pub fn real<T>(of: impl FnOnce() -> Checked<T>) -> Checked<T> {
    blamed(Party::System, of)
}

fn blamed<T>(whose: Party, of: impl FnOnce() -> Checked<T>) -> Checked<T> {
    panics::blame(whose);
    let made = of();
    panics::blame(Party::System);
    made
}

/// An error in a specification says nothing about the implementation.
fn at_fault(stop: Stop, what: &str) -> Stop {
    stop.map_failure(|failure| {
        let text = failure_words::message(&failure);
        let kind = FailureKind::Specification(SpecificationFault::Error);
        let evidence = Evidence { text, operands: Vec::new(), ..(*failure).clone() };
        Failure::new(kind).shown_by(evidence).with(Role::Clause, what)
    })
}

/// What a specification says: an `Allowed`, or exactly one outcome.
#[derive(Debug)]
pub struct SpecAnswer<'a, T> {
    allowed: Allowed<'a, (), T>,
    is_exact: bool,
}

/// What a specification gave, to be told apart by its type.
#[derive(Debug)]
pub struct SpecOutcome<T>(pub Option<T>);

/// For specifications that allow several outcomes.
pub trait GivenAllowed<'a, T> {
    /// What they say.
    fn said(&mut self) -> SpecAnswer<'a, T>;
}

impl<'a, T> GivenAllowed<'a, T> for &mut SpecOutcome<Allowed<'a, (), T>> {
    fn said(&mut self) -> SpecAnswer<'a, T> {
        SpecAnswer { allowed: self.0.take().unwrap_or_else(Allowed::none), is_exact: false }
    }
}

/// For all others.
pub trait GivenValue<T> {
    /// What they say.
    fn said(&mut self) -> SpecAnswer<'static, T>;
}

impl<T> GivenValue<T> for SpecOutcome<T> {
    fn said(&mut self) -> SpecAnswer<'static, T> {
        SpecAnswer { allowed: self.0.take().map_or_else(Allowed::none, Allowed::just), is_exact: true }
    }
}

/// What a specification says, whichever form it has.
#[macro_export]
#[doc(hidden)]
macro_rules! __said {
    ($given:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::refine::{GivenAllowed as _, GivenValue as _};
        (&mut &mut $crate::__private::refine::SpecOutcome(::core::option::Option::Some($given))).said()
    }};
}
pub use __said as said;

/// Two types, to ask whether they are the same.
#[derive(Debug)]
pub struct Types<T, C>(pub PhantomData<(T, C)>);

impl<T, C> Types<T, C> {
    /// The types of what is allowed and what was observed.
    pub const fn of(_: &SpecAnswer<'_, T>, _: &C) -> Self {
        Types(PhantomData)
    }
}

/// For types that are the same.
pub trait TypesSame<T, C> {
    /// An observed outcome is an abstract one.
    fn itself(&self) -> Option<fn(&C) -> &T>;
}

impl<T> TypesSame<T, T> for &Types<T, T> {
    fn itself(&self) -> Option<fn(&T) -> &T> {
        Some(|outcome| outcome)
    }
}

/// For types that differ.
pub trait TypesOther<T, C> {
    /// It is not.
    fn itself(&self) -> Option<fn(&C) -> &T>;
}

impl<T, C> TypesOther<T, C> for Types<T, C> {
    fn itself(&self) -> Option<fn(&C) -> &T> {
        None
    }
}

/// The observed outcome as an abstract one, where the types are the same.
#[macro_export]
#[doc(hidden)]
macro_rules! __itself {
    ($said:expr, $real:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::refine::{TypesOther as _, TypesSame as _};
        (&&$crate::__private::refine::Types::of($said, $real)).itself()
    }};
}
pub use __itself as itself;

/// How outcomes are shown, and whether they are of one type.
pub type OutcomeDisplay<T, C> = (fn(&T) -> String, fn(&C) -> String, Option<fn(&C) -> &T>);

/// Compares by a relation.
///
/// # Errors
/// Ends the case if the relation panics.
pub fn related<T, C>(
    said: &SpecAnswer<'_, T>,
    real: &C,
    shown: OutcomeDisplay<T, C>,
    relation: impl Fn(&T, &C) -> bool,
) -> Checked<Correspondence> {
    guarded(|| judge(said, real, shown).relate(&relation))
}

/// Compares for equality.
///
/// # Errors
/// Ends the case if the comparison panics.
pub fn equal<T: PartialEq<C>, C>(
    said: &SpecAnswer<'_, T>,
    real: &C,
    shown: OutcomeDisplay<T, C>,
) -> Checked<Correspondence> {
    guarded(|| judge(said, real, shown).relate(&|one: &T, other: &C| one == other))
}

/// Compares by what is seen in the observed outcome.
///
/// # Errors
/// Ends the case if the view panics.
pub fn viewed<T: PartialEq, C>(
    said: &SpecAnswer<'_, T>,
    real: &C,
    shown: OutcomeDisplay<T, C>,
    view: impl Fn(&C) -> T,
) -> Checked<Correspondence> {
    guarded(|| judge(said, real, shown).view(&view, T::eq))
}

const fn judge<'j, 'a, T, C>(
    said: &'j SpecAnswer<'a, T>,
    real: &'j C,
    (spec, observed, itself): OutcomeDisplay<T, C>,
) -> Judge<'j, 'a, T, C> {
    let SpecAnswer { allowed, is_exact } = said;
    Judge { allowed, real, show: (spec, observed), itself, is_exact: *is_exact, place: None }
}

/// Both sides and their comparison, for a teardown that runs even if one of them panics.
///
/// # Errors
/// Ends the case as they do.
pub fn whatever(run: impl FnOnce() -> Checked<Correspondence>) -> Checked<Correspondence> {
    caught(run)
}

/// A panic in here must not keep the teardown from running.
fn guarded(judge: impl FnOnce() -> Correspondence) -> Checked<Correspondence> {
    caught(|| Ok(judge()))
}

fn caught(judge: impl FnOnce() -> Checked<Correspondence>) -> Checked<Correspondence> {
    let (mut judge, mut corres) = (Some(judge), None);
    panics::guard(&mut || {
        corres = judge.take().map(|judge| judge()).transpose()?;
        Ok(())
    })?;
    // A judge that did not panic has said something.
    corres.ok_or_else(|| {
        Stop::fail(Failure::new(FailureKind::Specification(SpecificationFault::NothingCompared)))
    })
}

/// The oracle of a refinement, and what each side asked of it.
#[derive(Debug)]
pub struct SharedOracle<'o> {
    oracle: &'o Oracle,
    by_spec: RefCell<Vec<&'static str>>,
    by_real: RefCell<Vec<&'static str>>,
}

impl<'o> SharedOracle<'o> {
    /// Nothing was asked yet.
    #[must_use]
    pub const fn new(oracle: &'o Oracle) -> Self {
        SharedOracle { oracle, by_spec: RefCell::new(Vec::new()), by_real: RefCell::new(Vec::new()) }
    }

    /// Runs a part of the specification with the oracle in charge.
    pub fn spec<T>(&self, of: impl FnOnce() -> T) -> T {
        let (value, asked) = self.oracle.session(of);
        self.by_spec.borrow_mut().extend(asked);
        value
    }

    /// Runs a part of the implementation with the oracle in charge.
    pub fn real<T>(&self, of: impl FnOnce() -> T) -> T {
        let (value, asked) = self.oracle.session(of);
        self.by_real.borrow_mut().extend(asked);
        value
    }

    /// Says what the oracle said, and refuses a specification whose oracle the implementation has
    /// never heard of: nothing foretells what an implementation decides by itself (section 6.3).
    pub fn conclude(&self, case: &mut Case<'_>, judged: Checked<Correspondence>) -> Checked<Correspondence> {
        let said = self.oracle.said();
        if case.is_detailed() && !said.is_empty() {
            case.note(format_args!("the oracle said: {said}"));
        }
        let mut corres = judged?;
        let is_real_deaf = self.by_real.borrow().is_empty();
        if let (Some(failure), true) = (&mut corres.failure, is_real_deaf)
            && let Some(said) = self.oracle.disturbed(&self.by_spec.borrow())
        {
            let is_exact = matches!(failure.kind, FailureKind::Refinement { is_exact: true });
            let fault = FailureKind::Specification(SpecificationFault::OracleNotShared { is_exact });
            failure.kind = fault;
            **failure = (**failure).clone().with(Role::Asked, said);
        }
        Ok(corres)
    }
}

/// Frees what a case holds.
pub fn teardown<C>(real: C, of: impl FnOnce(C)) {
    panics::blame(Party::System);
    of(real);
}

/// The verdict on a case.
///
/// # Errors
/// Fails the case if what was observed is not allowed.
pub fn conclude(case: &mut Case<'_>, judged: Checked<Correspondence>) -> Checked {
    judged?.check(case)
}
