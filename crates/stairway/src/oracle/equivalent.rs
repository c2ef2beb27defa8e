//! A specification with an oracle beside one that lists what it allows.
//!
//! The [`Correspondence`] says whether the oracles come to exactly what is listed. All oracles are gone
//! through by counting: each run of the specification shows what it asked, and the next oracle answers the
//! last question otherwise. This is the enumeration of section 6.3; inputs are drawn by the engine, as for
//! any property.

use super::Oracle;
use crate::allowed::{Allowed, What};
use crate::panics;
use crate::refine::{Correspondence, Judge};
use stairway_engine::{Evidence, Failure, FailureKind, Party, Role, SpecificationFault};
use std::fmt::Debug;
use std::panic::Location;

/// How many oracles are gone through for one input.
const MAX_ORACLES: usize = 100_000;

/// Whether a specification that asks an oracle gives exactly what a nondeterministic one allows: with
/// every oracle something that is allowed, and everything that is allowed with some oracle.
///
/// ```
/// use stairway::prelude::*;
/// use stairway::{ask, equivalent};
///
/// fn read(block: u8) -> Outcomes<Result<u8, &'static str>> {
///     Outcomes::named("read", Ok(block)).or(Outcomes::each(["io", "no memory"]).map(Err))
/// }
///
/// fn read_by_oracle(block: u8) -> Result<u8, &'static str> {
///     ask("memory", [Ok(()), Err("no memory")])?;
///     ask("disk", [Ok(block), Err("io")])
/// }
///
/// #[property]
/// fn the_two_specifications_are_one(block: u8) -> Correspondence {
///     equivalent(read(block), || read_by_oracle(block))
/// }
/// ```
#[track_caller]
pub fn equivalent<T: PartialEq + Debug>(
    allowed: Allowed<'_, (), T>,
    by_oracle: impl Fn() -> T,
) -> Correspondence {
    let place = Location::caller();
    let before = panics::blame(Party::Specification);
    let corres = compared(&allowed, &by_oracle, place);
    panics::blame(before);
    corres
}

fn compared<T: PartialEq + Debug>(
    allowed: &Allowed<'_, (), T>,
    by_oracle: &dyn Fn() -> T,
    place: &'static Location<'static>,
) -> Correspondence {
    let mut taken = vec![false; allowed.len()];
    let mut path: Option<Vec<usize>> = Some(Vec::new());
    for _ in 0..MAX_ORACLES {
        let Some(tried) = path else { return all_taken(allowed, &taken, place) };
        let oracle = Oracle::counted(&tried);
        let outcome = oracle.during(by_oracle);
        let mut is_allowed = false;
        for (alternative, is_taken) in allowed.alternatives().iter().zip(&mut taken) {
            let explains = match &alternative.what {
                What::Value(value, _) => *value == outcome,
                What::SuchThat(accepts) => accepts(&outcome),
            };
            is_allowed |= explains;
            *is_taken |= explains;
        }
        if !is_allowed {
            return not_allowed(allowed, &outcome, &oracle, place);
        }
        path = next(&oracle);
    }
    let kind = FailureKind::Specification(SpecificationFault::TooManyOracles);
    failed(Failure::new(kind).at(place).with(Role::Asked, MAX_ORACLES.to_string()))
}

/// The next oracle: the last question that has another answer left gets it.
fn next(oracle: &Oracle) -> Option<Vec<usize>> {
    let answers = oracle.0.borrow();
    let mut path: Vec<(usize, usize)> = answers.given.iter().map(|a| (a.index, a.n_offered)).collect();
    while let Some((index, n_offered)) = path.pop() {
        if index + 1 < n_offered {
            path.push((index + 1, n_offered));
            return Some(path.into_iter().map(|(index, _)| index).collect());
        }
    }
    None
}

fn not_allowed<T: PartialEq + Debug>(
    allowed: &Allowed<'_, (), T>,
    outcome: &T,
    oracle: &Oracle,
    place: &'static Location<'static>,
) -> Correspondence {
    let corres = Judge::by_debug(allowed, outcome).relate(&|one: &T, other: &T| one == other);
    let operands = corres.failure.map(|failure| failure.operands.clone()).unwrap_or_default();
    let evidence = Evidence { operands, ..Evidence::default() };
    let failure = Failure::new(FailureKind::Equivalence).shown_by(evidence).at(place);
    failed(failure.with(Role::Asked, oracle.said()))
}

fn all_taken<T: Debug>(
    allowed: &Allowed<'_, (), T>,
    taken: &[bool],
    place: &'static Location<'static>,
) -> Correspondence {
    let never = allowed.alternatives().iter().zip(taken).find(|(_, is_taken)| !**is_taken);
    let Some((alternative, _)) = never else {
        return Correspondence { alternatives: Vec::new(), failure: None };
    };
    let value = match &alternative.what {
        What::Value(value, _) => format!("{value:?}"),
        What::SuchThat(_) => String::new(),
    };
    let failure = Failure::new(FailureKind::Equivalence).at(place);
    failed(failure.with_named(Role::Allowed, alternative.name.clone(), value))
}

fn failed(failure: Failure) -> Correspondence {
    Correspondence { alternatives: Vec::new(), failure: Some(Box::new(failure)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcomes, ask};

    fn why(allowed: Outcomes<u8>, by_oracle: impl Fn() -> u8) -> String {
        equivalent(allowed, by_oracle).why().unwrap_or_else(|| "equivalent".to_string())
    }

    #[test]
    fn all_answers_are_gone_through() {
        let sums = || ask("a", [0, 10]) + ask("b", [0, 1, 2]);
        assert_eq!(why(Outcomes::each([0, 1, 2, 10, 11, 12]), sums), "equivalent");
        assert_eq!(why(Outcomes::each([7]), || 7), "equivalent");
        // What is asked may depend on what was answered.
        let some = || if ask("a", [true, false]) { ask("b", [1, 2]) } else { 3 };
        assert_eq!(why(Outcomes::each([1, 2, 3]), some), "equivalent");
    }

    #[test]
    fn a_difference_is_told_in_both_directions() {
        let two = || ask("a", [1, 2]);
        assert_eq!(why(Outcomes::each([1, 2, 3]), two), "no oracle gives 3 (3), which is allowed");
        assert_eq!(
            why(Outcomes::just(1), two),
            "with a -> 2, the oracle's specification gives what the other does not allow

  observed    2
  allowed     1

  the difference:
    allowed   1
    observed  2
              ^"
        );
        let odd = Outcomes::matching("odd", |n: &u8| n % 2 == 1);
        assert_eq!(
            why(odd.or(Outcomes::just(4)), || ask("a", [2, 4])).lines().next(),
            Some("with a -> 2, the oracle's specification gives what the other does not allow")
        );
    }

    #[test]
    fn too_many_oracles_are_refused() {
        let many = || (0..40).map(|_| ask("bit", [0, 1])).sum();
        assert!(why(Outcomes::matching("any", |_| true), many).contains("more than 100000 oracles"));
    }
}
