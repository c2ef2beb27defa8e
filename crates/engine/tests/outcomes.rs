//! Users rely on the outcome to say exactly what is known: that a property held, for how many
//! inputs, or why nothing can be said. Silence is never success.

mod support;

use stairway_engine::{
    Budget, Case, CaseOrigin, Checked, Choice, Counterexample, Decision, Discard, Draw, Execute, Execution,
    Exhaustive, Failure, Fault, Generate, Hooks, InProcess, NoHooks, Observations, Outcome, Plan, Recording,
    Report, Settings, StoredCase, UnmetDemand, Value, Verdict, Workspace, any, btree_set, compose, just,
    one_of, recursive, run, unguarded, vec, weighted, weighted_bool,
};
use std::cell::Cell;
use support::{check, counterexample, demand, name};

fn settings() -> Settings {
    Settings { seed: 11, ..Settings::default() }
}

fn exhaustive(bound: u64) -> Settings {
    Settings { exhaustive: Some(Exhaustive { bound, depth: None }), ..settings() }
}

/// Checks a property that draws one value.
fn check_all<G: Generate<Value: std::fmt::Debug>>(
    settings: &Settings,
    inputs: G,
    holds: impl Fn(&G::Value) -> bool,
) -> Report {
    check(settings, |t| {
        let input = t.pick(&inputs)?;
        demand("property", holds(&input))
    })
}

fn shown(counterexample: &Counterexample) -> &str {
    &counterexample.observed.drawn[0].value
}

// Passed, proved, completed.

#[test]
fn as_many_cases_pass_as_were_asked_for() {
    let report = check_all(&settings(), any::<u32>(), |_| true);
    assert!(matches!(report.outcome, Outcome::Passed) && report.outcome.is_success());
    assert_eq!((report.statistics.n_passed, report.statistics.n_discarded), (256, 0));
}

#[test]
fn without_cases_only_examples_and_stored_failures_run() {
    let n_runs = Cell::new(0);
    let none = Settings { n_cases: 0, n_examples: 2, ..settings() };
    let report = check(&none, |_| {
        n_runs.set(n_runs.get() + 1);
        Ok(())
    });
    assert!(matches!(report.outcome, Outcome::Passed));
    assert_eq!(n_runs.get(), 2);
}

#[test]
fn few_inputs_are_all_tried() {
    let report = check_all(&settings(), (any::<bool>(), 0..=3u8), |_| true);
    assert!(matches!(report.outcome, Outcome::Proved { n_inputs: 8 }), "{:?}", report.outcome);
    assert_eq!(report.statistics.n_passed, 8);
}

#[test]
fn a_property_without_inputs_is_proved_by_one_case() {
    let report = check(&settings(), |_| Ok(()));
    assert!(matches!(report.outcome, Outcome::Proved { n_inputs: 1 }), "{:?}", report.outcome);
}

#[test]
fn filtered_inputs_are_all_tried() {
    let report = check_all(&settings(), (0..=9u8).such_that(|x| x % 2 == 1), |_| true);
    assert!(matches!(report.outcome, Outcome::Proved { n_inputs: 10 }), "{:?}", report.outcome);
    assert_eq!((report.statistics.n_passed, report.statistics.n_discarded), (5, 5));
}

#[test]
fn more_inputs_than_cases_are_no_proof() {
    let few = Settings { n_cases: 100, ..settings() };
    let report = check_all(&few, vec(any::<bool>(), 0..=10), |_| true);
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(report.statistics.n_passed, 100);
}

/// Recursion ends early in the simplest cases; what lies deeper has not been tried.
#[test]
fn recursion_cut_short_is_no_proof() {
    let depths = recursive(just(0u32), |depth| depth.mapped(|n| n + 1));
    let report = check_all(&settings(), &depths, |_| true);
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    let deep = counterexample(check_all(&settings(), &depths, |&n| n < 5));
    assert_eq!(shown(&deep), "5");
}

/// A case that is cut off by the limit of choices says nothing about the property.
#[test]
fn inputs_beyond_the_limits_are_no_proof() {
    let small = Settings { max_choices: 3, ..settings() };
    let report = check_all(&small, vec(any::<bool>(), 0..=4), |_| true);
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    let report = check_all(
        &Settings { exhaustive: Some(Exhaustive { bound: 4, depth: None }), ..small },
        vec(any::<bool>(), 0..=4),
        |_| true,
    );
    assert!(matches!(report.outcome, Outcome::Completed { bound: 4, .. }), "{:?}", report.outcome);
}

#[test]
fn exhaustive_search_says_which_bound_it_completed() {
    let report = check_all(&exhaustive(3), any::<u8>(), |_| true);
    // 0, 1, 2 and 3: the rest of the numbers was cut off by the bound.
    assert!(matches!(report.outcome, Outcome::Completed { bound: 3, n_inputs: 4 }), "{:?}", report.outcome);
    assert_eq!(report.completed_bound, Some(3));
    let report = check_all(&exhaustive(2), vec(any::<bool>(), 0..=9), |_| true);
    assert!(matches!(report.outcome, Outcome::Completed { bound: 2, n_inputs: 7 }), "{:?}", report.outcome);
}

#[test]
fn exhaustive_search_ends_where_nothing_is_cut_off() {
    let report = check_all(&exhaustive(1000), 0..=3u8, |_| true);
    assert!(matches!(report.outcome, Outcome::Proved { n_inputs: 4 }), "{:?}", report.outcome);
    assert_eq!(report.completed_bound, Some(3));
}

#[test]
fn exhaustive_search_deepens_recursion_with_the_bound() {
    let depths = recursive(just(0u32), |depth| depth.mapped(|n| n + 1));
    let n_inputs = |bound| match check_all(&exhaustive(bound), &depths, |_| true).outcome {
        Outcome::Completed { n_inputs, .. } => n_inputs,
        outcome => panic!("{outcome:?}"),
    };
    assert!(n_inputs(3) < n_inputs(5) && n_inputs(5) < n_inputs(9));
}

#[test]
fn exhaustive_search_over_filters_and_sets_ends() {
    let even = (0..=9u8).such_that(|x| x % 2 == 0);
    let report = check_all(&exhaustive(20), vec(even, 2), |_| true);
    assert!(matches!(report.outcome, Outcome::Proved { .. }), "{:?}", report.outcome);
    assert_eq!(report.statistics.n_passed, 25);
    let report = check_all(&exhaustive(20), btree_set(0..=2u8, 1..=3), |_| true);
    assert!(matches!(report.outcome, Outcome::Proved { .. }), "{:?}", report.outcome);
}

/// What is asked for and cannot be had is passed over, and nothing that can be had is.
#[test]
fn exhaustive_search_passes_over_what_cannot_be_had() {
    let some = weighted([(0, 0..1), (1, 1..2), (0, 2..3), (1, 3..4), (0, 4..5)]);
    let report = check_all(&exhaustive(9), some, |&x| x == 1 || x == 3);
    assert!(matches!(report.outcome, Outcome::Proved { n_inputs: 2 }), "{:?}", report.outcome);
    let report = check_all(&exhaustive(9), weighted_bool(0, 5), |&x| !x);
    assert!(matches!(report.outcome, Outcome::Proved { .. }), "{:?}", report.outcome);
    let ranges = [
        (0.0..=1.0, "1.0"),
        (0.5..=1.0, "1.0"),
        (-1.0..=-0.5, "-1.0"),
        (2.0..=5.0, "3.0"),
        (-9.5..=-1.5, "-3.0"),
    ];
    for (range, whole) in ranges {
        let report = check_all(&exhaustive(9), range.clone(), |x| range.contains(x));
        assert!(matches!(report.outcome, Outcome::Completed { bound: 9, .. }), "{:?}", report.outcome);
        // A whole number as small as this is among the ten simplest floats.
        let found = counterexample(check_all(&exhaustive(9), range, |x| format!("{x:?}") != whole));
        assert_eq!(shown(&found), whole);
    }
}

#[test]
fn exhaustive_search_finds_the_simplest_failure() {
    let found = counterexample(check_all(&exhaustive(50), any::<u8>(), |&x| x % 40 != 39));
    assert_eq!((shown(&found), found.shrinking.is_minimal), ("39", true));
}

// Falsified.

#[test]
fn a_random_case_falsifies() {
    let report = check_all(&settings(), any::<u32>(), |&x| x < 1000);
    assert!(!report.outcome.is_success());
    let found = counterexample(report);
    assert_eq!((shown(&found), name(&found.failure)), ("1000", "property"));
    assert!(matches!(found.origin, CaseOrigin::Case(_)) && found.shrinking.is_minimal);
}

/// A property of one argument, with the examples 3 and 7.
fn below_five(t: &mut Case<'_>) -> Checked {
    let x = match t.example() {
        Some(index) => {
            let x = [3u32, 7][index];
            t.given("x", || x.to_string());
            x
        }
        None => t.argument("x", 0..=4u32, ToString::to_string)?,
    };
    demand("below five", x < 5)
}

#[test]
fn an_example_falsifies_and_is_shown_as_it_is() {
    let found = counterexample(check(&Settings { n_examples: 2, ..settings() }, below_five));
    assert_eq!(found.origin, CaseOrigin::Example(1));
    assert_eq!((&*found.observed.drawn[0].name, shown(&found)), ("x", "7"));
    let report = check(&Settings { n_examples: 1, ..settings() }, below_five);
    assert!(matches!(report.outcome, Outcome::Proved { n_inputs: 5 }), "{:?}", report.outcome);
}

fn check_stored(stored: &[&[Value<'_>]], property: impl FnMut(&mut Case<'_>) -> Checked) -> Report {
    let stored: Vec<StoredCase<'_>> = stored.iter().map(|values| StoredCase::failure(values, 50)).collect();
    let mut execute = InProcess::new(property, unguarded);
    run(&mut execute, &settings(), &stored, &mut NoHooks, &mut Workspace::default())
}

fn large_pair(t: &mut Case<'_>) -> Checked {
    let (x, y) = t.pick((any::<u64>(), any::<bool>()))?;
    demand("large pair", !(y && x > 1 << 60 && x % 1_000_003 == 77))
}

#[test]
fn a_stored_failure_falsifies_and_is_shrunk() {
    let large = (1 << 60) + 1_000_003 - (1 << 60) % 1_000_003 + 77;
    let values = [Value::Integer(large + 1_000_003), Value::Boolean(true)];
    let report = check_stored(&[&[Value::Integer(5), Value::Boolean(true)], &values], large_pair);
    assert_eq!(report.n_fixed, 1);
    let found = counterexample(report);
    assert_eq!(found.origin, CaseOrigin::Stored(1));
    assert_eq!(found.size, 50);
}

/// What is reported can be stored and falsifies at once in the next run.
#[test]
fn a_counterexample_replays_from_its_values() {
    let two = |t: &mut Case<'_>| {
        let list = t.pick(vec(any::<i32>(), ..20))?;
        demand("few large", list.iter().filter(|x| **x > 100).count() < 2)
    };
    let first = counterexample(check(&settings(), two));
    assert_eq!(shown(&first), "[101, 101]");
    let values: Vec<Value<'_>> = first.recording.choices.iter().map(Choice::value).collect();
    let again = counterexample(check_stored(&[&values], two));
    assert_eq!((again.origin, shown(&again)), (CaseOrigin::Stored(0), shown(&first)));
    assert_eq!(again.recording, first.recording);
}

#[test]
fn stored_failures_that_no_longer_fit_are_said() {
    let of_another_type = [Value::Character('x'), Value::Boolean(true)];
    let too_few = [Value::Integer(1)];
    let too_many = [Value::Integer(1), Value::Boolean(true), Value::Boolean(true)];
    let report = check_stored(&[&of_another_type, &too_few, &too_many], large_pair);
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    let stale: Vec<(usize, u32)> = report.stale.iter().map(|stale| (stale.stored, stale.at)).collect();
    assert_eq!((stale, report.n_fixed), (vec![(0, 0), (1, 1), (2, 2)], 0));
}

#[test]
fn a_stored_failure_that_is_discarded_now_is_not_fixed() {
    let report = check_stored(&[&[Value::Integer(7)], &[Value::Integer(8)]], |t| {
        let x = t.pick(any::<u32>())?;
        t.assume(x % 2 == 0)
    });
    assert_eq!((report.n_fixed, report.stale.len(), report.stale[0].stored), (1, 1, 0));
}

// Gave up.

#[test]
fn preconditions_that_never_hold_give_up() {
    let always_false = |t: &mut Case<'_>| {
        t.pick(any::<u32>())?;
        t.assume(false)
    };
    let report = check(&settings(), always_false);
    assert!(matches!(report.outcome, Outcome::GaveUp), "{:?}", report.outcome);
    assert_eq!(report.statistics.n_passed, 0);
    let [(why, n)] = Vec::from_iter(&report.statistics.discards)[..] else { panic!("one reason") };
    assert_eq!(*n, report.statistics.n_discarded);
    assert!(matches!(why, Discard::Assume { place, .. } if place.file == file!()), "{why:?}");
}

/// Also where all inputs are tried: nothing has been shown about the property.
#[test]
fn preconditions_that_never_hold_prove_nothing() {
    for settings in [settings(), exhaustive(5)] {
        let report = check(&settings, |t| {
            t.pick(any::<bool>())?;
            t.assume(false)
        });
        assert!(matches!(report.outcome, Outcome::GaveUp), "{:?}", report.outcome);
    }
}

#[test]
fn a_filter_that_lets_nothing_through_gives_up() {
    for settings in [settings(), exhaustive(5)] {
        let report = check_all(&settings, any::<u32>().such_that(|_| false), |_| true);
        assert!(matches!(report.outcome, Outcome::GaveUp), "{:?}", report.outcome);
        let why = report.statistics.discards.keys().next();
        assert!(matches!(why, Some(Discard::Filter(place)) if place.file == file!()), "{why:?}");
    }
}

#[test]
fn some_discards_are_no_reason_to_give_up() {
    let report = check(&settings(), |t| {
        let x = t.pick(any::<u32>())?;
        t.assume(x % 3 == 0)
    });
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(report.statistics.n_passed, 256);
    assert!(report.statistics.n_discarded > 256);
}

// Coverage.

/// Demands that a share of all numbers is a multiple of 4, which one in four is.
fn cover_quarter(percent: f64) -> Report {
    check(&settings(), |t| {
        let x = t.pick(0..=u64::from(u32::MAX))?;
        t.cover(percent, x % 4 == 1, "one more than a multiple of four");
        Ok(())
    })
}

#[test]
fn a_demand_far_off_is_not_met() {
    let report = cover_quarter(60.0);
    let Outcome::CoverageNotMet { unmet } = &report.outcome else { panic!("{:?}", report.outcome) };
    assert_eq!(unmet[..], [UnmetDemand::Coverage("one more than a multiple of four".into())]);
    assert!(!report.outcome.is_success());
}

#[test]
fn a_demand_easily_met_needs_no_more_cases() {
    let report = cover_quarter(5.0);
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(report.statistics.n_passed, 256);
}

#[test]
fn a_demand_that_is_close_takes_more_cases() {
    let report = cover_quarter(23.0);
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert!(report.statistics.n_passed > 256 && report.statistics.n_passed.is_multiple_of(256));
    assert_eq!(report.statistics.coverage(), Decision::Met);
}

#[test]
fn a_demand_no_input_meets_is_not_met() {
    for settings in [settings(), exhaustive(9)] {
        let report = check(&settings, |t| {
            let x = t.pick(0..=3u8)?;
            t.cover(1.0, x > 3, "large");
            Ok(())
        });
        let Outcome::CoverageNotMet { unmet } = &report.outcome else { panic!("{:?}", report.outcome) };
        assert_eq!(unmet[..], [UnmetDemand::Coverage("large".into())]);
    }
}

// Targets.

/// One number in two billion fails; scores show the way to it.
#[test]
fn scores_lead_the_search() {
    let property = |is_scored: bool| {
        move |t: &mut Case<'_>| {
            let x = t.pick(0..=i32::MAX)?;
            if is_scored {
                t.maximize("closeness", -f64::from(x.abs_diff(123_456_789)));
            }
            demand("the one", x != 123_456_789)
        }
    };
    let report = check(&settings(), property(false));
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    let found = counterexample(check(&settings(), property(true)));
    assert_eq!(shown(&found), "123456789");
}

// Flaky cases, and wrong generators.

#[test]
fn a_property_that_changes_its_mind_is_flaky() {
    let n_calls = Cell::new(0);
    let report = check(&settings(), |t| {
        t.pick(any::<u64>())?;
        n_calls.set(n_calls.get() + 1);
        demand("tenth call", n_calls.get() != 10)
    });
    let Outcome::Flaky(flaky) = report.outcome else { panic!("{:?}", report.outcome) };
    assert_eq!((name(&flaky.failure), matches!(flaky.then, Verdict::Passed)), ("tenth call", true));
    assert_eq!(flaky.recording.choices.len(), 1);
}

#[test]
fn a_failure_that_vanishes_after_shrinking_is_flaky() {
    let n_calls = Cell::new(0);
    let report = check(&Settings { max_shrink_runs: 5, ..settings() }, |t| {
        let x = t.pick(any::<u64>())?;
        let is_large = x > 1000;
        n_calls.set(n_calls.get() + u32::from(is_large));
        demand("the first few calls", !is_large || n_calls.get() > 4)
    });
    assert!(matches!(report.outcome, Outcome::Flaky(_)), "{:?}", report.outcome);
}

#[test]
fn a_property_that_draws_differently_is_flaky() {
    let n_calls = Cell::new(0);
    let report = check(&settings(), |t| {
        n_calls.set(n_calls.get() + 1);
        for _ in 0..n_calls.get() {
            t.pick(any::<u64>())?;
        }
        demand("third call", n_calls.get() < 3)
    });
    let Outcome::Flaky(flaky) = report.outcome else { panic!("{:?}", report.outcome) };
    assert!(matches!(flaky.then, Verdict::Halted(_)), "{:?}", flaky.then);
}

fn fault_of<G: Generate<Value: std::fmt::Debug>>(inputs: G) -> Fault {
    match check_all(&settings(), inputs, |_| true).outcome {
        Outcome::GeneratorFailed { fault, .. } => fault,
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn wrong_generators_are_named() {
    assert_eq!(fault_of(5..5u8), Fault::EmptyRange);
    assert_eq!(fault_of(vec(any::<u8>(), 3..3)), Fault::EmptyRange);
    assert_eq!(fault_of(one_of(Vec::<std::ops::Range<u8>>::new())), Fault::NoAlternative);
    assert_eq!(fault_of(weighted([(0, just(1)), (0, just(2))])), Fault::NoAlternative);
    fn for_ever(c: &mut Draw<'_>) -> Checked<u8> {
        c.draw(compose(for_ever))
    }
    assert_eq!(fault_of(compose(for_ever)), Fault::TooDeep);
}

/// Swallowing the error does not turn a wrong generator into a success.
#[test]
fn a_wrong_generator_cannot_be_ignored() {
    let report = check(&settings(), |t| {
        let _ = t.pick(5..5u8);
        Ok(())
    });
    assert!(matches!(report.outcome, Outcome::GeneratorFailed { fault: Fault::EmptyRange, .. }));
}

// Out of time.

/// Says that time is up after so many questions.
struct Patience {
    n_left: u64,
}

impl Hooks for Patience {
    fn is_out_of_time(&mut self) -> bool {
        self.n_left = self.n_left.saturating_sub(1);
        self.n_left == 0
    }
}

fn check_for(n: u64, settings: &Settings, property: impl FnMut(&mut Case<'_>) -> Checked) -> Report {
    let mut hooks = Patience { n_left: n };
    run(&mut InProcess::new(property, unguarded), settings, &[], &mut hooks, &mut Workspace::default())
}

#[test]
fn out_of_time_passes_with_fewer_cases() {
    let report = check_for(20, &settings(), |t| t.pick(any::<u64>()).map(drop));
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert!((1..30).contains(&report.statistics.n_passed));
}

#[test]
fn out_of_time_without_a_single_success_gives_up() {
    let report = check_for(20, &settings(), |t| {
        t.pick(any::<u64>())?;
        t.assume(false)
    });
    assert!(matches!(report.outcome, Outcome::GaveUp), "{:?}", report.outcome);
}

#[test]
fn out_of_time_does_not_excuse_coverage() {
    let report = check_for(200, &Settings { n_cases: 10_000, ..settings() }, |t| {
        t.pick(any::<u64>())?;
        t.cover(90.0, false, "never");
        Ok(())
    });
    assert!(matches!(report.outcome, Outcome::CoverageNotMet { .. }), "{:?}", report.outcome);
}

#[test]
fn out_of_time_exhaustive_search_says_how_far_it_came() {
    let report = check_for(20, &exhaustive(100), |t| t.pick((any::<u8>(), any::<u8>())).map(drop));
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    // 1 + 4 + 9 cases up to bound 2, and not all of the 16 up to bound 3.
    assert_eq!(report.completed_bound, Some(2));
}

#[test]
fn out_of_time_shrinking_is_not_finished() {
    let property = |t: &mut Case<'_>| {
        let list = t.pick(vec(any::<u32>(), 5..50))?;
        demand("sum", list.iter().map(|x| u64::from(*x)).sum::<u64>() < 1 << 32)
    };
    let found = counterexample(check_for(20, &settings(), property));
    assert!(!found.shrinking.is_minimal);
    assert!(found.shrinking.n_runs < 20, "{:?}", found.shrinking);
    let found = counterexample(check_for(100_000, &settings(), property));
    assert!(found.shrinking.is_minimal);
}

#[test]
fn a_budget_for_shrinking_is_kept() {
    let few = Settings { max_shrink_runs: 7, ..settings() };
    let found = counterexample(check_all(&few, vec(any::<u32>(), 5..50), |list| list.iter().any(|x| *x < 9)));
    assert_eq!((found.shrinking.n_runs, found.shrinking.is_minimal), (7, false));
}

// Identity and further failures.

/// Fails in one way for large numbers, in another for very large ones.
fn two_ways(t: &mut Case<'_>) -> Checked {
    let x = t.pick(any::<u32>())?;
    demand("very large", x < 1_000_000)?;
    demand("large", x < 1000)
}

#[test]
fn shrinking_keeps_to_the_failure_and_reports_the_others() {
    let very_large = [Value::Integer(2_000_000)];
    let report = check_stored(&[&very_large], two_ways);
    let [other] = &report.others[..] else { panic!("one other failure, not {:?}", report.others) };
    assert_eq!((name(&other.failure), shown(other), other.origin), ("large", "1000", CaseOrigin::Shrinking));
    assert!(other.shrinking.is_minimal);
    let found = counterexample(report);
    assert_eq!((name(&found.failure), shown(&found)), ("very large", "1000000"));
}

/// The moment to store a failure is before it is shrunk.
#[test]
fn a_failure_is_handed_out_before_shrinking() {
    struct Keep(Vec<String>);
    impl Hooks for Keep {
        fn found(
            &mut self,
            failure: &stairway_engine::Failure,
            recording: &stairway_engine::Recording,
            _size: u32,
            _observed: &stairway_engine::Observations,
        ) {
            self.0.push(format!("{} {:?}", name(failure), recording.choices[0].value()));
        }
    }
    let mut keep = Keep(Vec::new());
    let stored = [StoredCase::failure(&[Value::Integer(2_000_000)], 9)];
    let mut execute = InProcess::new(two_ways, unguarded);
    run(&mut execute, &settings(), &stored, &mut keep, &mut Workspace::default());
    assert_eq!(keep.0[..], ["very large Integer(2000000)"]);
}

// What is reported owes nothing to earlier runs.

/// Counts how often it is asked to forget, and fails only where it was not since the last run.
struct Forgetful {
    n_refreshed: u32,
    is_fresh: bool,
}

impl Execute for Forgetful {
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observations,
    ) -> Execution {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        let property = |case: &mut Case<'_>| {
            case.pick(any::<u32>())?;
            demand("worn out", is_fresh)
        };
        InProcess::new(property, unguarded).execute(plan, recording, observed)
    }

    fn refresh(&mut self) {
        self.n_refreshed += 1;
        self.is_fresh = true;
    }
}

#[test]
fn a_failure_that_only_worn_executors_have_is_flaky() {
    let mut execute = Forgetful { n_refreshed: 0, is_fresh: true };
    let report = run(&mut execute, &settings(), &[], &mut NoHooks, &mut Workspace::default());
    assert!(matches!(report.outcome, Outcome::Flaky(_)), "{:?}", report.outcome);
    assert_eq!(execute.n_refreshed, 1);
}

// Several failures of one run.

/// A property that fails in four ways, two of them common.
fn four_failures(settings: &Settings) -> Report {
    check(settings, |t| {
        let n = t.pick(0..1000u32)?;
        demand("not above 900", n <= 900)?;
        demand("not above 800", n <= 800)?;
        demand("not 7", n != 7)?;
        demand("not 77", n != 77)
    })
}

fn identities(report: &Report) -> Vec<String> {
    let Outcome::Falsified(first) = &report.outcome else { panic!("{:?}", report.outcome) };
    let mut identities: Vec<String> = std::iter::once(&**first)
        .chain(&report.others)
        .map(|found| name(&found.failure).to_string())
        .collect();
    identities.sort();
    identities
}

#[test]
fn the_search_goes_on_after_a_failure_where_several_are_wanted() {
    let many =
        Settings { n_cases: 20_000, max_failures: 9, max_others: 0, try_all_of_few: false, ..settings() };
    let report = four_failures(&many);
    assert_eq!(identities(&report), ["not 7", "not 77", "not above 800", "not above 900"]);
    let Outcome::Falsified(first) = &report.outcome else { unreachable!() };
    for found in std::iter::once(&**first).chain(&report.others) {
        let smallest = name(&found.failure).rsplit(' ').next().unwrap().parse::<u32>().unwrap();
        let is_above = name(&found.failure).contains("above");
        assert_eq!(shown(found), (smallest + u32::from(is_above)).to_string(), "each is shrunk");
    }
    let statistics = &report.statistics;
    assert_eq!(statistics.n_passed + statistics.n_failed, 20_000, "known failures count as cases");
    assert!(statistics.n_failed > 1_000);
}

#[test]
fn failures_are_made_small_when_the_search_is_over() {
    #[derive(Default)]
    struct Order(String);
    impl Hooks for Order {
        fn found(&mut self, _: &Failure, _: &Recording, _: u32, _: &Observations) {
            self.0.push('f');
        }
        fn begins_shrinking(&mut self, _: &Recording) {
            self.0.push('s');
        }
    }
    let settings =
        Settings { n_cases: 20_000, max_failures: 9, max_others: 0, try_all_of_few: false, ..settings() };
    let mut order = Order::default();
    let mut property = |t: &mut Case<'_>| -> Checked {
        let n = t.pick(0..1000u32)?;
        demand("not above 900", n <= 900)?;
        demand("not 7", n != 7)
    };
    let mut execute = InProcess::new(&mut property, unguarded);
    run(&mut execute, &settings, &[], &mut order, &mut Workspace::default());
    assert_eq!(order.0, "ffss");
}

#[test]
fn every_failure_has_its_part_of_what_shrinking_may_take() {
    let part = Budget { work: 100, ..Budget::UNLIMITED }.part(Budget { work: 40, steps: 7 }, 3);
    assert_eq!(part, Budget { work: 60, ..Budget::UNLIMITED });
    assert_eq!(
        Budget { work: 10, steps: 10 }.part(Budget { work: 40, steps: 4 }, 0),
        Budget { work: 40, steps: 10 }
    );
}

#[test]
fn after_the_last_failure_that_is_wanted_others_are_counted() {
    let two =
        Settings { n_cases: 20_000, max_failures: 2, max_others: 0, try_all_of_few: false, ..settings() };
    let report = four_failures(&two);
    assert_eq!((identities(&report).len(), report.n_unshown), (2, 2));
    assert_eq!(report.statistics.n_passed + report.statistics.n_failed, 20_000);
    let one = four_failures(&Settings { max_failures: 1, ..two });
    assert_eq!(identities(&one).len(), 1);
}

#[test]
fn stored_failures_are_all_replayed_where_several_are_wanted() {
    let stored = [950, 7, 3].map(|n| [Value::Integer(n)]);
    let stored: Vec<_> = stored.iter().map(|values| StoredCase::failure(values, 50)).collect();
    let settings = Settings { max_failures: 9, n_cases: 0, ..settings() };
    let mut property = |t: &mut Case<'_>| -> Checked {
        let n = t.pick(0..1000u32)?;
        demand("not above 900", n <= 900)?;
        demand("not 7", n != 7)
    };
    let mut execute = InProcess::new(&mut property, unguarded);
    let report = run(&mut execute, &settings, &stored, &mut NoHooks, &mut Workspace::default());
    assert_eq!(identities(&report), ["not 7", "not above 900"]);
    assert_eq!(report.n_fixed, 1);
}
