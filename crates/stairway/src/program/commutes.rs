//! One operation at a time: does it commute with the abstraction?
//!
//! Section 5 of "Testing Monadic Code with QuickCheck", for properties that bring their system to a state by
//! themselves. Does both sides of an operation on a system, and panics where they part.

use crate::panics;
use stairway_engine::Party;
use std::fmt::Debug;

/// Checks that an operation does to a system what `model` does to the model that `abstraction`
/// sees in it, and gives the same answer.
///
/// ```
/// use stairway::prelude::*;
/// use std::collections::VecDeque;
///
/// stairway::check(|t| {
///     let mut queue: VecDeque<i32> = t.pick(vec(any(), 0..10))?.into();
///     let n: i32 = t.pick(any())?;
///     stairway::commutes(
///         &mut queue,
///         |queue| queue.iter().copied().collect::<Vec<_>>(),
///         |queue| queue.push_back(n),
///         |model| model.push(n),
///     );
///     Ok(())
/// });
/// ```
///
/// # Panics
/// If the answers differ or the models do; and, as the fault of the specification, if the
/// abstraction gives two different models for one system.
#[track_caller]
pub fn commutes<S, M, A>(
    system: &mut S,
    abstraction: impl Fn(&S) -> M,
    call: impl FnOnce(&mut S) -> A,
    model: impl FnOnce(&mut M) -> A,
) where
    M: PartialEq + Debug,
    A: PartialEq + Debug,
{
    let mut expected = seen(system, &abstraction);
    let whose = panics::blame(Party::System);
    let answer = call(system);
    panics::blame(Party::Specification);
    let said = model(&mut expected);
    let now = seen(system, &abstraction);
    panics::blame(whose);
    assert!(answer == said, "the system answered {answer:?}, but the model says {said:?}");
    assert!(now == expected, "the system stands for {now:?} now, but the model is {expected:?}");
}

/// The model in a system, seen twice.
#[track_caller]
fn seen<S, M: PartialEq + Debug>(system: &S, abstraction: &impl Fn(&S) -> M) -> M {
    let whose = panics::blame(Party::Specification);
    let (first, second) = (abstraction(system), abstraction(system));
    assert!(
        first == second,
        "the abstraction gives two models for one system: first {first:?}, then {second:?}"
    );
    panics::blame(whose);
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn message(run: impl FnOnce()) -> String {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("this is wrong");
        caught.downcast_ref::<String>().cloned().unwrap_or_default()
    }

    #[test]
    fn both_the_answer_and_the_state_count() {
        commutes(&mut vec![1], Vec::len, Vec::pop, |n| {
            *n -= 1;
            Some(1)
        });
        let wrong = message(|| commutes(&mut vec![1], Vec::len, Vec::pop, |_| None));
        assert_eq!(wrong, "the system answered Some(1), but the model says None");
        let wrong = message(|| commutes(&mut vec![1], Vec::len, Vec::pop, |_| Some(1)));
        assert_eq!(wrong, "the system stands for 0 now, but the model is 1");
    }

    #[test]
    fn a_wavering_abstraction_is_said() {
        let n = Cell::new(0);
        let look = |(): &()| {
            n.set(n.get() + 1);
            n.get()
        };
        let wrong = message(|| commutes(&mut (), look, |()| (), |_| ()));
        assert_eq!(wrong, "the abstraction gives two models for one system: first 1, then 2");
    }
}
