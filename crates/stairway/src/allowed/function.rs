//! What the specification of a function allows: values, choice, sequence, mapping.
//!
//! This is the `NonDet` monad of "Climbing the Stairway to Verification" (section 6.1) with names:
//! a finite list, made eagerly, so that what a specification says can be counted and shown. Sets too
//! large to list are conditions; they have no value to go on with, unless the outcome shows it.

use super::{Allowed, Alternative, Name, What};
use std::borrow::Cow;
use std::fmt::Debug;

/// How many alternatives a specification may come to.
const MAX_ALTERNATIVES: usize = 100_000;

/// Refuses lists that nobody could go through.
#[track_caller]
pub(super) fn bounded(n: usize) {
    assert!(
        n <= MAX_ALTERNATIVES,
        "the specification allows more than {MAX_ALTERNATIVES} outcomes: give a condition (`matching`) \
         instead of listing them"
    );
}

/// Two names one after the other.
fn joined(first: &Name, second: &Name) -> Name {
    match (first.is_empty(), second.is_empty()) {
        (_, true) => first.clone(),
        (true, _) => second.clone(),
        _ => Cow::Owned(format!("{first}, {second}")),
    }
}

impl<'a, T> Allowed<'a, (), T> {
    const fn list(alternatives: Vec<Alternative<'a, (), T>>) -> Self {
        Allowed { model: &(), alternatives }
    }

    fn of_one(name: Name, what: What<'a, T>) -> Self {
        Allowed::list(vec![Alternative { name, what, then: None }])
    }

    /// Allows one outcome: what is not nondeterministic at all (`return`).
    #[must_use]
    pub fn just(value: T) -> Self {
        Allowed::of_one(Cow::Borrowed(""), What::Value(value, None))
    }

    /// Allows one outcome, which is counted by this name.
    #[must_use]
    pub fn named(name: impl Into<Cow<'static, str>>, value: T) -> Self {
        Allowed::of_one(name.into(), What::Value(value, None))
    }

    /// Allows each of these outcomes, called as `Debug` shows it.
    #[must_use]
    pub fn each(values: impl IntoIterator<Item = T>) -> Self
    where
        T: Debug,
    {
        let mut alternatives = Vec::new();
        for value in values {
            bounded(alternatives.len() + 1);
            let name = Cow::Owned(format!("{value:?}"));
            alternatives.push(Alternative { name, what: What::Value(value, None), then: None });
        }
        Allowed::list(alternatives)
    }

    /// Allows every outcome that satisfies a condition, for sets too large to list.
    ///
    /// ```
    /// use stairway::Outcomes;
    /// fn clock(last: u64) -> Outcomes<u64> {
    ///     Outcomes::matching("a time not before the last", move |now| *now >= last)
    /// }
    /// assert!(clock(5).allows(&5) && clock(5).allows(&900) && !clock(5).allows(&4));
    /// ```
    #[must_use]
    pub fn matching(name: impl Into<Cow<'static, str>>, accepts: impl Fn(&T) -> bool + 'a) -> Self {
        Allowed::of_one(name.into(), What::SuchThat(Box::new(accepts)))
    }

    /// Allows nothing: what comes to this in a sequence is left out. A specification that allows
    /// nothing for some input is at fault.
    #[must_use]
    pub const fn none() -> Self {
        Allowed::list(Vec::new())
    }

    /// Calls all of it by one name: alternatives without a name get this one, others are
    /// `name: theirs`.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        for alternative in &mut self.alternatives {
            alternative.name = match &*alternative.name {
                "" => Cow::Owned(name.to_string()),
                own => Cow::Owned(format!("{name}: {own}")),
            };
        }
        self
    }

    /// Goes on from each outcome with what `next` allows after it (the `>>=` of the paper's
    /// do-notation; [`allowed!`](crate::allowed) writes it as `x <- outcomes;`).
    ///
    /// ```
    /// use stairway::Outcomes;
    /// let sums = Outcomes::each([1, 2]).and_then(|a| Outcomes::each([10, 20]).map(move |b| a + b));
    /// assert_eq!(sums.values().copied().collect::<Vec<_>>(), [11, 21, 12, 22]);
    /// ```
    ///
    /// # Panics
    /// After [`matching`](Allowed::matching), which has no value to go on with: see
    /// [`and_then_seen`](Allowed::and_then_seen).
    #[must_use]
    #[track_caller]
    pub fn and_then<U>(self, mut next: impl FnMut(T) -> Allowed<'a, (), U>) -> Allowed<'a, (), U> {
        let mut all = Vec::new();
        for Alternative { name, what, .. } in self.alternatives {
            let What::Value(value, _) = what else { no_value(&name) };
            for mut alternative in next(value).alternatives {
                alternative.name = joined(&name, &alternative.name);
                all.push(alternative);
                bounded(all.len());
            }
        }
        Allowed::list(all)
    }

    /// [`and_then`](Allowed::and_then), after a condition as well: `seen` says which value was chosen, given
    /// the outcome in the end.
    ///
    /// ```
    /// use stairway::Outcomes;
    /// // Takes a time not before the last one, and remembers it.
    /// fn tick(last: u64) -> Outcomes<(u64, u64)> {
    ///     Outcomes::matching("a time not before the last", move |now| *now >= last)
    ///         .and_then_seen(|(_, remembered)| *remembered, move |now| Outcomes::just((last, now)))
    /// }
    /// assert!(tick(5).allows(&(5, 8)) && !tick(5).allows(&(5, 4)) && !tick(5).allows(&(6, 8)));
    /// ```
    #[must_use]
    pub fn and_then_seen<U: PartialEq + 'a>(
        self,
        seen: impl Fn(&U) -> T + Clone + 'a,
        next: impl Fn(T) -> Allowed<'a, (), U> + Clone + 'a,
    ) -> Allowed<'a, (), U>
    where
        T: 'a,
    {
        let mut all = Vec::new();
        for Alternative { name, what, .. } in self.alternatives {
            match what {
                What::Value(value, _) => {
                    for mut alternative in next(value).alternatives {
                        alternative.name = joined(&name, &alternative.name);
                        all.push(alternative);
                    }
                }
                What::SuchThat(accepts) => {
                    let (seen, next) = (seen.clone(), next.clone());
                    let what = What::SuchThat(Box::new(move |outcome: &U| {
                        let value = seen(outcome);
                        accepts(&value) && next(value).allows(outcome)
                    }));
                    all.push(Alternative { name, what, then: None });
                }
            }
            bounded(all.len());
        }
        Allowed::list(all)
    }

    /// Changes each outcome.
    ///
    /// # Panics
    /// After [`matching`](Allowed::matching), like [`and_then`](Allowed::and_then).
    #[must_use]
    #[track_caller]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Allowed<'a, (), U> {
        let one = |Alternative { name, what, .. }: Alternative<'a, (), T>| match what {
            What::Value(value, _) => Alternative { name, what: What::Value(f(value), None), then: None },
            What::SuchThat(_) => no_value(&name),
        };
        Allowed::list(self.alternatives.into_iter().map(one).collect())
    }
}

impl<T: Debug> Allowed<'_, (), T> {
    /// Lets the oracle in charge choose: so a specification of one module is the mock of it in the
    /// test of another. The first alternative is the calm one.
    ///
    /// ```
    /// use stairway::{Oracle, Outcomes};
    /// fn read(block: u8) -> Outcomes<Result<u8, &'static str>> {
    ///     Outcomes::named("read", Ok(block)).or(Outcomes::each(["io", "no memory"]).map(Err))
    /// }
    /// let mock = |block| read(block).by_oracle("read");
    /// assert_eq!(Oracle::of([0, 2]).during(|| (mock(5), mock(5))), (Ok(5), Err("no memory")));
    /// ```
    ///
    /// # Panics
    /// Where no oracle is in charge, where nothing is allowed, and if a condition is chosen.
    #[must_use]
    #[track_caller]
    pub fn by_oracle(mut self, question: &'static str) -> T {
        assert!(!self.is_empty(), "the specification of `{question}` allows nothing here: say what is right");
        let shown = |k: usize| match &self.alternatives[k].what {
            What::Value(value, _) => format!("{value:?}"),
            What::SuchThat(_) => self.alternatives[k].name.to_string(),
        };
        let index = crate::oracle::ask_index(question, self.len(), shown);
        let Alternative { name, what, .. } = self.alternatives.swap_remove(index);
        match what {
            What::Value(value, _) => value,
            What::SuchThat(_) => no_value(&name),
        }
    }
}

impl Allowed<'_, (), ()> {
    /// Goes on only if `condition` holds: a guard in a sequence.
    #[must_use]
    pub fn when(condition: bool) -> Self {
        if condition { Allowed::just(()) } else { Allowed::none() }
    }
}

#[track_caller]
fn no_value(name: &str) -> ! {
    panic!(
        "`{name}` is a condition and has no value to go on with: put the condition on the whole outcome, \
         or say which value was chosen with `and_then_seen`"
    );
}

#[cfg(test)]
mod tests {
    use crate::{Outcomes, allowed};

    fn values<T: Clone>(outcomes: &Outcomes<T>) -> Vec<T> {
        outcomes.values().cloned().collect()
    }

    #[test]
    fn choice_sequence_and_failure_are_those_of_a_list() {
        let both = Outcomes::each([1, 2]).or(Outcomes::just(3)).or(Outcomes::none());
        assert_eq!(values(&both), [1, 2, 3]);
        let odd = both.and_then(|n| Outcomes::when(n % 2 == 1).map(move |()| n * 10));
        assert_eq!(values(&odd), [10, 30]);
        assert!(Outcomes::<u8>::none().or(Outcomes::none()).is_empty());
    }

    #[test]
    fn names_follow_the_sequence() {
        let steps = Outcomes::named("found", 1).and_then(|n| {
            Outcomes::just(n).or(Outcomes::named("rounded", 0)).or(Outcomes::each([7, 8]).called("guess"))
        });
        assert_eq!(steps.names(), ["found", "found, rounded", "found, guess: 7", "found, guess: 8"]);
    }

    #[test]
    fn the_notation_is_a_sequence() {
        let outcomes: Outcomes<i32> = allowed! {
            (a, b) <- Outcomes::each([(1, 2), (3, 3)]);
            let sum = a + b;
            require a != b;
            c <- Outcomes::each([10, 20]);
            return sum * c
        };
        assert_eq!(values(&outcomes), [30, 60]);
        let branch = |wide| -> Outcomes<i32> {
            allowed! {
                x <- Outcomes::just(1);
                if wide { Outcomes::each([x, x + 1]) } else { Outcomes::just(x) }
            }
        };
        assert_eq!((branch(true).len(), branch(false).len()), (2, 1));
    }

    #[test]
    #[should_panic(expected = "`late` is a condition and has no value to go on with")]
    fn conditions_cannot_be_gone_on_from() {
        let _ = Outcomes::matching("late", |n: &i32| *n > 5).and_then(Outcomes::just);
    }

    #[test]
    #[should_panic(expected = "more than 100000 outcomes")]
    fn lists_have_an_end() {
        let _ = Outcomes::each(0..).map(|n: u64| n);
    }
}
