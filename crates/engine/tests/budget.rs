//! Searches and shrinks that end by what cases took, not by how many there were.

use stairway_engine::{
    Budget, Case, Checked, Choice, Failure, Hooks, InProcess, Limit, NoHooks, Outcome, Recording, Report,
    Settings, Stop, Workspace, is_simpler, run, unguarded, vec,
};

fn check(property: fn(&mut Case<'_>) -> Checked, settings: &Settings, hooks: &mut dyn Hooks) -> Report {
    let mut property = InProcess::new(property, unguarded);
    run(&mut property, settings, &[], hooks, &mut Workspace::default())
}

/// Passes, and takes as much work as its list is long.
fn works(t: &mut Case<'_>) -> Checked {
    let xs = t.pick(vec(0..100u32, 0..20))?;
    t.observed().work += xs.len() as u64;
    Ok(())
}

fn is_small(t: &mut Case<'_>) -> Checked {
    let xs = t.pick(vec(0..100u32, 0..20))?;
    t.observed().work += 10;
    let fits = xs.iter().sum::<u32>() < 70;
    if fits { Ok(()) } else { Err(Stop::fail(Failure::named("sum"))) }
}

fn limited(work: u64) -> Settings {
    Settings {
        seed: 1,
        n_cases: u64::MAX,
        budget: Budget { work, ..Budget::UNLIMITED },
        ..Settings::default()
    }
}

#[test]
fn a_search_ends_with_the_case_that_uses_up_its_budget() {
    let report = check(works, &limited(1000), &mut NoHooks);
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(report.stopped_by, Some(Limit::Budget));
    // No case takes twenty: it did not go on after the limit.
    assert!((1000..1020).contains(&report.spent.work), "{:?}", report.spent);
    let again = check(works, &limited(1000), &mut NoHooks);
    assert_eq!((again.spent, again.statistics.n_passed), (report.spent, report.statistics.n_passed));
    let more = check(works, &limited(2000), &mut NoHooks);
    assert!(more.statistics.n_passed > report.statistics.n_passed);
}

#[test]
fn a_search_that_has_all_its_cases_was_stopped_by_nothing() {
    let settings = Settings { n_cases: 20, ..limited(1_000_000) };
    let report = check(works, &settings, &mut NoHooks);
    assert_eq!((report.stopped_by, report.statistics.n_passed), (None, 20));
}

#[test]
fn a_clock_that_ends_a_search_is_named() {
    struct Clock(u32);
    impl Hooks for Clock {
        fn is_out_of_time(&mut self) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 == 0
        }
    }
    let settings = Settings { try_all_of_few: false, ..limited(u64::MAX) };
    let report = check(works, &settings, &mut Clock(30));
    assert_eq!(report.stopped_by, Some(Limit::Clock));
    // The clock is asked after each case; the simplest one comes before.
    assert_eq!(report.statistics.n_passed, 31);
}

#[test]
fn hooks_see_the_simplest_case_while_shrinking_goes_on() {
    #[derive(Default)]
    struct Best(Vec<Vec<Choice>>);
    impl Hooks for Best {
        fn shrinking(&mut self, _: &Failure, best: &Recording, _: u32) {
            if self.0.last() != Some(&best.choices) {
                self.0.push(best.choices.clone());
            }
        }
    }
    let (mut best, settings) = (Best::default(), Settings { seed: 1, ..Settings::default() });
    let Outcome::Falsified(found) = check(is_small, &settings, &mut best).outcome else { panic!("it fails") };
    assert!(best.0.len() > 2 && best.0.windows(2).all(|two| is_simpler(&two[1], &two[0])), "{:?}", best.0);
    assert_eq!(best.0.last(), Some(&found.recording.choices));
}

#[test]
fn what_a_budget_cut_short_is_not_minimal() {
    let shrunk = |work: u64| {
        let settings = Settings {
            shrink_budget: Budget { work, ..Budget::UNLIMITED },
            ..Settings { seed: 1, ..Settings::default() }
        };
        match check(is_small, &settings, &mut NoHooks).outcome {
            Outcome::Falsified(found) => found.shrinking,
            other => panic!("{other:?}"),
        }
    };
    let whole = shrunk(u64::MAX);
    assert_eq!((whole.is_minimal, whole.cut_by), (true, None));
    let cut = shrunk(50);
    assert_eq!((cut.is_minimal, cut.cut_by, cut.n_runs), (false, Some(Limit::Budget), 5));
}
