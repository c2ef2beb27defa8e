//! Users rely on properties to mean what they say: `pick`, `assume`, assertions, effects and
//! observations may be mixed freely, as in the monadic property language of Claessen and Hughes,
//! "Testing Monadic Code with QuickCheck", sections 7 to 9, and the tests here follow its text.

mod support;

use stairway_engine::{
    Case, Checked, Discard, DrawnRole, Failure, FailureKind, InProcess, NoHooks, Outcome, Report, Role,
    Settings, Stop, Workspace, any, element, run, sampled_from, vec,
};
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::{check, counterexample, demand, name};

fn settings() -> Settings {
    Settings { seed: 3, ..Settings::default() }
}

/// Turns a panic into a failure known by its message.
fn catching(f: &mut dyn FnMut() -> Checked) -> Checked {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<&str>().copied().unwrap_or("a formatted message");
        Err(Stop::fail(Failure::named(message.to_string())))
    })
}

/// Checks a property whose assertions panic.
fn check_catching(property: impl FnMut(&mut Case<'_>) -> Checked) -> Report {
    let mut execute = InProcess::new(property, catching);
    run(&mut execute, &settings(), &[], &mut NoHooks, &mut Workspace::default())
}

// Section 7: preconditions.

#[test]
fn a_failed_precondition_discards_and_never_counts_as_success() {
    let n_even = Cell::new(0);
    let report = check(&settings(), |t| {
        let x = t.pick(any::<u32>())?;
        t.label("drawn");
        t.assume(x % 2 == 0)?;
        n_even.set(n_even.get() + 1);
        Ok(())
    });
    let statistics = &report.statistics;
    assert_eq!((statistics.n_passed, n_even.get()), (256, 256));
    assert!(statistics.n_discarded > 100);
    // What a discarded case said is not counted either.
    assert_eq!(statistics.labels["drawn"], 256);
}

/// `implementsIf` of section 7: a precondition on the state that effects have led to.
#[test]
fn preconditions_may_depend_on_effects() {
    let report = check_catching(|t| {
        let pushed = t.pick(vec(any::<i32>(), 0..5))?;
        let mut queue = t.run(VecDeque::new);
        t.run(|| queue.extend(&pushed));
        t.assume(!queue.is_empty())?;
        let front = t.run(|| queue.pop_front());
        assert_eq!(front, pushed.first().copied());
        Ok(())
    });
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert!(report.statistics.n_discarded > 0);
}

/// What comes first decides: a failed precondition ends the case, and so does an assertion.
#[test]
fn the_first_failed_condition_decides() {
    let report = check(&settings(), |t| {
        t.pick(any::<bool>())?;
        t.assume(false)?;
        demand("unreachable", false)
    });
    assert!(matches!(report.outcome, Outcome::GaveUp), "{:?}", report.outcome);
    let report = check(&settings(), |t| {
        t.pick(any::<bool>())?;
        demand("reached", false)?;
        t.assume(false)
    });
    assert_eq!(name(&counterexample(report).failure), "reached");
}

// Section 7: assertions and quantification, anywhere.

#[test]
fn assertions_may_stand_anywhere() {
    let fails_at = |place: usize| {
        let report = check_catching(|t| {
            assert!(place != 0, "before anything is drawn");
            let x = t.pick(any::<u32>())?;
            assert!(place != 1 || x < 10, "between");
            t.run(|| assert!(place != 2 || x < 20, "inside of an effect"));
            let y = t.pick(any::<u32>())?;
            assert!(place != 3 || y < 30, "at the end");
            Ok(())
        });
        let found = counterexample(report);
        let drawn: Vec<String> = found.observed.drawn.into_iter().map(|drawn| drawn.value).collect();
        (name(&found.failure).to_string(), drawn)
    };
    assert_eq!(fails_at(0), ("before anything is drawn".into(), vec![]));
    assert_eq!(fails_at(1), ("between".into(), vec!["10".to_string()]));
    assert_eq!(fails_at(2), ("inside of an effect".into(), vec!["20".to_string()]));
    assert_eq!(fails_at(3), ("at the end".into(), vec!["0".to_string(), "30".to_string()]));
}

#[test]
fn errors_of_others_fail_where_they_are_met() {
    let line = line!() + 3;
    let report = check(&settings(), |t| {
        let text = t.pick(sampled_from(["1", "2", "x"]))?;
        let n: u32 = text.parse()?;
        demand("small", n < 10)
    });
    let found = counterexample(report);
    assert_eq!(found.failure.text, "invalid digit found in string");
    let place = found.failure.place.clone().expect("it has a place");
    assert!(place.file.ends_with("semantics.rs") && place.line == line, "{place}");
    assert_eq!(found.observed.drawn[0].value, "\"x\"");
}

#[test]
fn quantification_may_follow_effects() {
    let report = check(&settings(), |t| {
        let seen = t.pick(vec(any::<u8>(), 1..20))?;
        let mut sorted = seen.clone();
        t.run(|| sorted.sort_unstable());
        // The range of the position is known only now.
        let position = t.pick(0..sorted.len())?;
        let x = t.pick(sampled_from(&sorted))?;
        demand("of what was seen", seen.contains(&x) && seen.contains(&sorted[position]))
    });
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
}

#[test]
fn picking_from_an_empty_list_discards() {
    let report = check(&settings(), |t| {
        let seen = t.pick(vec(any::<u8>(), 0..4))?;
        t.pick(sampled_from(&seen))?;
        t.pick(element(&seen))?;
        demand("not empty", !seen.is_empty())
    });
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(report.statistics.n_passed, 256);
    let [why] = Vec::from_iter(report.statistics.discards.keys())[..] else { panic!("one reason") };
    assert!(matches!(why, Discard::Empty(at) if at.file == file!()), "{why:?}");
    let report = check(&settings(), |t| t.pick(sampled_from(Vec::<u8>::new())).map(drop));
    assert!(matches!(report.outcome, Outcome::GaveUp), "{:?}", report.outcome);
}

// Section 8: several outcomes.

/// The inputs of the unknown predicate of section 8's example.
const PAIRS: [(u32, u32); 4] = [(1, 4), (1, 5), (2, 5), (2, 6)];

/// The predicate number `n` of the sixteen there are.
fn predicate(n: u32, x: u32, y: u32) -> bool {
    PAIRS.iter().position(|pair| *pair == (x, y)).is_some_and(|k| n >> k & 1 == 1)
}

/// Which outcomes must satisfy the rest.
#[derive(Clone, Copy, Debug)]
enum Quantifier {
    All,
    First,
    Some,
}

fn quantified<T>(
    t: &mut Case<'_>,
    test: Quantifier,
    outcomes: impl IntoIterator<Item = T>,
    rest: impl FnMut(&mut Case<'_>, T) -> Checked,
) -> Checked {
    match test {
        Quantifier::All => t.for_all(outcomes, rest),
        Quantifier::First => t.for_first(outcomes, rest),
        Quantifier::Some => t.exists(outcomes, rest),
    }
}

/// The declarative reading: every computation in
/// {[p 1 4, p 2 5], [p 1 4, p 2 6], [p 1 5, p 2 5], [p 1 5, p 2 6]} satisfies the test.
fn is_satisfied(test: Quantifier, n: u32) -> bool {
    let computations = [(4, 5), (4, 6), (5, 5), (5, 6)];
    computations.iter().all(|&(y1, y2)| {
        let results = [predicate(n, 1, y1), predicate(n, 2, y2)];
        match test {
            Quantifier::All => results.iter().all(|result| *result),
            Quantifier::First => results[0],
            Quantifier::Some => results.iter().any(|result| *result),
        }
    })
}

/// `do x <- run [1, 2]; y <- pick (elements [x + 3, x + 4]); assert (p x y)` in the list monad.
#[test]
fn several_outcomes_are_judged_as_the_paper_says() {
    for test in [Quantifier::All, Quantifier::First, Quantifier::Some] {
        for n in 0..16 {
            let report = check(&settings(), |t| {
                quantified(t, test, [1, 2], |t, x| {
                    let y = t.pick(sampled_from([x + 3, x + 4]))?;
                    demand("p x y", predicate(n, x, y))
                })
            });
            let is_proved = matches!(report.outcome, Outcome::Proved { .. });
            assert!(is_proved || matches!(report.outcome, Outcome::Falsified(_)), "{:?}", report.outcome);
            assert_eq!(is_proved, is_satisfied(test, n), "{test:?}, predicate {n:04b}");
        }
    }
}

/// Panics in one outcome leave the others to be judged.
#[test]
fn outcomes_may_panic() {
    let with = |test| {
        check_catching(|t| {
            quantified(t, test, [1, 2], |_, x| {
                assert!(x == 2, "one");
                Ok(())
            })
        })
        .outcome
    };
    assert!(matches!(with(Quantifier::Some), Outcome::Proved { .. }));
    assert!(matches!(with(Quantifier::All), Outcome::Falsified(_)));
    assert!(matches!(with(Quantifier::First), Outcome::Falsified(_)));
}

/// A discarded outcome neither holds nor refutes.
#[test]
fn discarded_outcomes_decide_nothing() {
    let with = |test, outcomes: &'static [Option<bool>]| {
        let report = check(&settings(), |t| {
            quantified(t, test, outcomes, |t, outcome| {
                t.assume(outcome.is_some())?;
                demand("outcome", *outcome == Some(true))
            })
        });
        match report.outcome {
            Outcome::Proved { .. } => "held",
            Outcome::GaveUp => "discarded",
            Outcome::Falsified(_) => "failed",
            outcome => panic!("{outcome:?}"),
        }
    };
    assert_eq!(with(Quantifier::All, &[None, Some(true)]), "held");
    assert_eq!(with(Quantifier::All, &[None, Some(false)]), "failed");
    assert_eq!(with(Quantifier::All, &[None]), "discarded");
    assert_eq!(with(Quantifier::First, &[None, Some(true)]), "discarded");
    assert_eq!(with(Quantifier::Some, &[None, Some(true)]), "held");
    assert_eq!(with(Quantifier::Some, &[None, Some(false)]), "discarded");
    assert_eq!(with(Quantifier::All, &[]), "discarded");
}

/// `test_Maybe` of section 8: no result is a failure, or says nothing.
#[test]
fn correctness_is_total_or_partial() {
    let half = |x: u32| x.is_multiple_of(2).then_some(x / 2);
    let report = check(&settings(), |t| {
        let x = t.pick(1..=100u32)?;
        let y = t.total(half(x))?;
        demand("half", 2 * y == x)
    });
    let found = counterexample(report);
    assert_eq!(found.observed.drawn[0].value, "1");
    assert_eq!(found.failure.kind, FailureKind::NoResult);
    let report = check(&settings(), |t| {
        let x = t.pick(1..=100u32)?;
        let y = t.partial(half(x))?;
        demand("half", 2 * y == x)
    });
    assert!(matches!(report.outcome, Outcome::Proved { n_inputs: 100 }), "{:?}", report.outcome);
    assert_eq!((report.statistics.n_passed, report.statistics.n_discarded), (50, 50));
    let report = check(&settings(), |t| {
        let text = t.pick(sampled_from(["7", "seven"]))?;
        t.total(text.parse::<u32>()).map(drop)
    });
    let failure = counterexample(report).failure;
    assert!(failure.operand(Role::Returned).contains("InvalidDigit"), "{failure:?}");
}

// Section 7: `monitor`.

#[test]
fn observations_of_all_cases_are_counted() {
    let report = check(&settings(), |t| {
        let (x, is_odd) = t.pick((0..=3u8, any::<bool>()))?;
        t.collect("x", x);
        t.classify(is_odd, "odd");
        t.cover(10.0, is_odd, "odd");
        Ok(())
    });
    let statistics = report.statistics;
    let rows: Vec<(&str, u64)> = statistics.tables["x"].rows.iter().map(|(x, n)| (&**x, *n)).collect();
    assert_eq!(rows, [("0", 2), ("1", 2), ("2", 2), ("3", 2)]);
    assert_eq!(statistics.labels["odd"], 4);
    assert_eq!((statistics.demands["odd"].n_hits, statistics.demands["odd"].n), (4, 8));
}

/// Something that says when it is shown.
struct Shown<'a>(&'a Cell<u32>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.set(self.0.get() + 1);
        f.write_str("shown")
    }
}

#[test]
fn drawn_values_and_notes_are_kept_for_the_smallest_case_only() {
    let (n_shown, n_runs) = (Cell::new(0), Cell::new(0));
    let report = check(&settings(), |t| {
        n_runs.set(n_runs.get() + 1);
        let x = t.pick(any::<u32>())?;
        t.note(Shown(&n_shown));
        t.note(format_args!("x is {x}"));
        demand("small", x < 1000)
    });
    let observed = counterexample(report).observed;
    assert_eq!(observed.notes, ["shown", "x is 1000"]);
    assert_eq!(observed.drawn.len(), 1);
    // Once when the failure was found, so that it can be shown if all else fails, and once at
    // the end.
    assert_eq!(n_shown.get(), 2);
    assert!(n_runs.get() > 10);
}

/// Section 11: values that cannot be shown are shown by where they stand.
#[test]
fn values_without_debug_are_shown_by_position() {
    struct Opaque(u32);
    let values: Vec<Opaque> = (0..5).map(|x| Opaque(x * 10)).collect();
    let line = line!() + 2;
    let report = check(&settings(), |t| {
        let picked = t.pick(element(&values))?;
        demand("small", picked.0 < 30)
    });
    let drawn = &counterexample(report).observed.drawn[0];
    assert_eq!(drawn.value, "position 4 of 5");
    let DrawnRole::Pick(place) = drawn.role else { panic!("{drawn:?}") };
    assert!(place.file.ends_with("semantics.rs") && place.line == line, "{place}");
}

/// Discarding returns early: nothing unwinds, and what was acquired is released.
#[test]
fn discarding_is_an_ordinary_return() {
    struct Release<'a>(&'a Cell<u32>);
    impl Drop for Release<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    let (n_released, n_runs) = (Cell::new(0), Cell::new(0));
    let report = check(&settings(), |t| {
        n_runs.set(n_runs.get() + 1);
        let _release = Release(&n_released);
        let x = t.pick(any::<u32>())?;
        t.assume(x % 2 == 0)
    });
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(n_released.get(), n_runs.get());
}
