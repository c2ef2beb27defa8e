//! Comparing what is allowed with what was observed.
//!
//! Takes alternatives, an outcome and a relation between the two, and returns a [`Correspondence`]: which
//! alternatives explain the outcome, or what was allowed instead. A specification that cannot be judged by
//! (it allows nothing, or names a condition nobody can test) is a failure of its own.

use super::{Correspondence, near};
use crate::allowed::{Allowed, Alternative, What};
use crate::panics;
use stairway_engine::{Failure, FailureKind, Party, Role, SpecificationFault};
use std::fmt::Debug;
use std::panic::Location;

/// How many allowed outcomes are kept with a failure, to find the nearest one.
const MAX_COMPARED: usize = 1000;

/// Shows an outcome of the specification, and one of the implementation.
type Show<T, C> = (fn(&T) -> String, fn(&C) -> String);

/// A comparison on its way.
pub(crate) struct Judge<'j, 'a, T, C> {
    pub(crate) allowed: &'j Allowed<'a, (), T>,
    pub(crate) real: &'j C,
    pub(crate) show: Show<T, C>,
    /// The abstract outcome that the real one is by itself, where the types are the same.
    pub(crate) itself: Option<fn(&C) -> &T>,
    /// Whether the specification says exactly what comes out.
    pub(crate) is_exact: bool,
    pub(crate) place: Option<&'static Location<'static>>,
}

impl<'j, 'a, T: Debug, C: Debug> Judge<'j, 'a, T, C> {
    pub(crate) fn by_debug(allowed: &'j Allowed<'a, (), T>, real: &'j C) -> Self {
        let show: Show<T, C> = (|outcome| format!("{outcome:?}"), |outcome| format!("{outcome:?}"));
        Judge { allowed, real, show, itself: None, is_exact: false, place: None }
    }
}

impl<T, C> Judge<'_, '_, T, C> {
    /// Says whether the specification says exactly what comes out.
    pub(crate) const fn exact(mut self, is_exact: bool) -> Self {
        self.is_exact = is_exact;
        self
    }

    /// Says that the real outcome is an abstract one by itself.
    pub(crate) const fn with_itself(mut self, itself: fn(&C) -> &T) -> Self {
        self.itself = Some(itself);
        self
    }

    pub(crate) const fn at(mut self, place: &'static Location<'static>) -> Self {
        self.place = Some(place);
        self
    }

    /// Judges by a relation. The relation is part of the specification: its panics are that one's.
    pub(crate) fn relate(&self, relation: &dyn Fn(&T, &C) -> bool) -> Correspondence {
        let before = panics::blame(Party::Specification);
        let corres = self.related(relation);
        panics::blame(before);
        corres
    }

    fn related(&self, relation: &dyn Fn(&T, &C) -> bool) -> Correspondence {
        let mut untestable = None;
        let is_taken = |alternative: &Alternative<'_, (), T>| match (&alternative.what, self.itself) {
            (What::Value(value, _), _) => relation(value, self.real),
            // The observed outcome is the only candidate there is.
            (What::SuchThat(accepts), Some(itself)) => {
                let outcome = itself(self.real);
                accepts(outcome) && relation(outcome, self.real)
            }
            (What::SuchThat(_), None) => {
                untestable = Some(alternative.name.to_string());
                false
            }
        };
        let taken: Vec<bool> = self.allowed.alternatives().iter().map(is_taken).collect();
        match untestable {
            Some(name) if !taken.contains(&true) => self.fault(
                self.failure(FailureKind::Specification(SpecificationFault::UntestableCondition))
                    .with(Role::Clause, name),
            ),
            _ => self.conclude(&taken, |failure| {
                let failure = failure.with(Role::Observed, (self.show.1)(self.real));
                match near::too_far() {
                    Some(apart) => failure.with_named(Role::Part, "difference", apart),
                    None => failure,
                }
            }),
        }
    }

    /// Judges by the abstract outcome that the real one stands for.
    pub(crate) fn view(&self, view: &dyn Fn(&C) -> T, is_equal: fn(&T, &T) -> bool) -> Correspondence {
        let before = panics::blame(Party::Specification);
        let seen = view(self.real);
        let is_taken = |alternative: &Alternative<'_, (), T>| match &alternative.what {
            What::Value(value, _) => is_equal(value, &seen),
            What::SuchThat(accepts) => accepts(&seen),
        };
        let taken: Vec<bool> = self.allowed.alternatives().iter().map(is_taken).collect();
        let corres = self.conclude(&taken, |failure| {
            let (text, real) = ((self.show.0)(&seen), (self.show.1)(self.real));
            let is_same = text == real;
            let failure = failure.with(Role::Observed, text);
            if is_same { failure } else { failure.with(Role::SeenIn, real) }
        });
        panics::blame(before);
        corres
    }

    /// The verdict, given which alternatives explain what was observed; `observed` adds that to a failure.
    fn conclude(&self, taken: &[bool], observed: impl FnOnce(Failure) -> Failure) -> Correspondence {
        let alternatives = self.allowed.alternatives();
        if alternatives.is_empty() {
            return self.fault(self.failure(FailureKind::Specification(SpecificationFault::AllowsNothing)));
        }
        let named = alternatives.iter().zip(taken).filter(|(alternative, _)| !alternative.name.is_empty());
        let named = named.map(|(alternative, is_taken)| (alternative.name.clone(), *is_taken)).collect();
        let failure = (!taken.contains(&true)).then(|| {
            let failure = observed(self.failure(FailureKind::Refinement { is_exact: self.is_exact }));
            Box::new(self.with_allowed(failure))
        });
        Correspondence { alternatives: named, failure }
    }

    /// Adds what is allowed; a condition has a name and no value.
    fn with_allowed(&self, mut failure: Failure) -> Failure {
        let alternatives = self.allowed.alternatives();
        for Alternative { name, what, .. } in alternatives.iter().take(MAX_COMPARED) {
            let value = match what {
                What::Value(value, _) => (self.show.0)(value),
                What::SuchThat(_) => String::new(),
            };
            failure = failure.with_named(Role::Allowed, name.clone(), value);
        }
        match alternatives.len().saturating_sub(MAX_COMPARED) {
            0 => failure,
            n => failure.with(Role::Unlisted(n as u64), ""),
        }
    }

    fn failure(&self, kind: FailureKind) -> Failure {
        match self.place {
            Some(place) => Failure::new(kind).at(place),
            None => Failure::new(kind),
        }
    }

    fn fault(&self, failure: Failure) -> Correspondence {
        Correspondence { alternatives: Vec::new(), failure: Some(Box::new(failure)) }
    }
}
