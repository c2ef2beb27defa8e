//! A search that sees features gets to places that chance never gets to, is the same search with any number of
//! jobs, leaves what it counts alone, and gets past failures that are known.

mod support;

use stairway_engine::{
    Case, CaseOrigin, Checked, Execute, Execution, Failure, Feature, InProcess, Limit, Observations,
    Operands, Operations, Outcome, Plan, Plans, Recording, Report, Settings, Sink, Step, StepOutcome, Steps,
    Stop, Workspace, any, run, run_program, unguarded,
};
use support::{check, counterexample, demand};

const SEEDS: u64 = 20;

fn settings(seed: u64) -> Settings {
    Settings { seed, n_cases: 40_000, ..Settings::default() }
}

/// Four numbers, each of which is looked at only if the one before it is right.
fn chain(t: &mut Case<'_>) -> Checked {
    const RIGHT: [u16; 4] = [471, 815, 9, 300];
    let number = || 0..1024u16;
    let numbers = t.pick((number(), number(), number(), number()))?;
    let numbers = [numbers.0, numbers.1, numbers.2, numbers.3];
    let n_right = numbers.iter().zip(RIGHT).take_while(|(number, right)| **number == *right).count();
    t.feature(n_right as u64);
    if let (Some(number), Some(right)) = (numbers.get(n_right), RIGHT.get(n_right)) {
        // How close it is, as a comparison would tell.
        t.feature(100 * (1 + n_right as u64) + u64::from((number ^ right).leading_zeros()));
    }
    demand("four right numbers", n_right < 4)
}

/// A lock that opens after nine right turns, and any wrong one sets back.
struct Lock {
    has_features: bool,
}

const TURNS: [usize; 9] = [0, 3, 1, 4, 1, 5, 2, 6, 5];

impl Operations for Lock {
    type State = usize;

    fn names(&self) -> &'static [&'static str] {
        &["a", "b", "c", "d", "e", "f", "g", "h"]
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<usize> {
        Ok(0)
    }

    fn weight(&self, _: usize, _: &Self::State) -> u32 {
        1
    }

    fn step(&self, op: usize, state: &mut usize, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        *state = if TURNS.get(*state) == Some(&op) { *state + 1 } else { 0 };
        if self.has_features {
            step.case().feature(*state as u64);
        }
        demand("closed", *state < TURNS.len())?;
        Ok(StepOutcome::Done)
    }
}

fn is_opened(has_features: bool, seed: u64) -> bool {
    let lock = Lock { has_features };
    let report = check(&settings(seed), |t| run_program(&lock, Steps { min: 0, max: 12 }, t));
    !report.outcome.is_success()
}

#[test]
fn numbers_in_a_chain_are_found_one_after_the_other() {
    for seed in 0..SEEDS {
        let found = counterexample(check(&settings(seed), chain));
        assert!(matches!(found.origin, CaseOrigin::Varied(_)), "seed {seed}: {:?}", found.origin);
    }
}

/// A key that is computed from another number: how near it came is seen, and what it was compared with or not.
fn keyed(t: &mut Case<'_>, has_operands: bool) -> Checked {
    let (number, key) = t.pick((any::<u32>(), any::<u64>()))?;
    let wanted = (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8;
    if t.wants_features() {
        let nearness = (key ^ wanted).leading_zeros();
        let operands = Operands { left: key as i64, right: wanted as i64 };
        let feature = Feature { operands: has_operands.then_some(operands), ..Feature::new(nearness, 2) };
        t.observed().features.push(feature);
    }
    demand("another key", key != wanted)
}

#[test]
fn what_a_number_was_compared_with_is_tried_in_its_place() {
    let n_found = |has_operands| {
        let settings = |seed| Settings { n_cases: 2000, ..settings(seed) };
        let is_found = |seed: &u64| !check(&settings(*seed), |t| keyed(t, has_operands)).outcome.is_success();
        (0..SEEDS).filter(is_found).count() as u64
    };
    assert_eq!((n_found(true), n_found(false)), (SEEDS, 0));
}

#[test]
fn a_state_behind_a_sequence_is_reached_with_features_and_not_without() {
    let n_opened = |has_features| (0..SEEDS).filter(|seed| is_opened(has_features, *seed)).count() as u64;
    assert_eq!((n_opened(true), n_opened(false)), (SEEDS, 0));
}

/// Runs cases of a round backwards, as other threads might.
struct Backwards<F>(InProcess<F>);

impl<F: FnMut(&mut Case<'_>) -> Checked> Execute for Backwards<F> {
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        record: Option<&mut Recording>,
        observed: &mut Observations,
    ) -> Execution {
        self.0.execute(plan, record, observed)
    }

    fn execute_all(
        &mut self,
        from: u64,
        to: u64,
        plans: &Plans<'_>,
        _: &mut Observations,
        sink: &mut dyn Sink,
    ) {
        const AT_ONCE: u64 = 100;
        let mut next = from;
        while next < to {
            let end = next.saturating_add(AT_ONCE).min(to);
            let mut run = |index| {
                let mut observed = Observations::default();
                let executed = self.execute(&plans.plan(index), None, &mut observed);
                (executed, observed)
            };
            let mut results: Vec<_> = (next..end).rev().map(&mut run).collect();
            while let Some((executed, mut observed)) = results.pop() {
                if sink.case(next, &executed, &mut observed).is_break() {
                    return;
                }
                next += 1;
            }
        }
    }
}

#[test]
fn the_order_in_which_cases_are_run_changes_nothing() {
    let settings = Settings { n_cases: 2000, ..settings(3) };
    let run_with = |execute: &mut dyn Execute| -> Report {
        run(execute, &settings, &[], &mut stairway_engine::NoHooks, &mut Workspace::default())
    };
    let forwards = run_with(&mut InProcess::new(chain, unguarded));
    let backwards = run_with(&mut Backwards(InProcess::new(chain, unguarded)));
    assert_eq!(format!("{forwards:?}"), format!("{backwards:?}"));
}

#[test]
fn varied_cases_are_not_counted() {
    let mut n_run = 0;
    let report = check(&Settings { n_cases: 1000, ..settings(1) }, |t| {
        n_run += 1;
        let x = t.pick(any::<u64>())?;
        t.feature(u64::from(x.leading_zeros()));
        t.label("case");
        t.cover(1.0, true, "always");
        Ok(())
    });
    assert_eq!(report.statistics.n_passed, 1000);
    assert_eq!(report.statistics.labels.values().copied().collect::<Vec<_>>(), [1000]);
    assert!(n_run > 1800, "{n_run}");
}

#[test]
fn a_feature_that_is_seen_late_is_learnt_from_as_well() {
    let mut n_run = 0;
    let report = check(&settings(1), |t| {
        n_run += 1;
        let (x, y) = t.pick((any::<u16>(), 0..900u16))?;
        let is_near = x % 1000 == 777;
        if is_near {
            t.feature(1);
        }
        demand("both", !is_near || y != 778)
    });
    assert!(matches!(counterexample(report).origin, CaseOrigin::Varied(index) if index > 64));
}

#[test]
fn a_search_ends_when_nothing_new_is_seen() {
    let settles = |seed| {
        let settings = Settings { settles: Some(300), ..settings(seed) };
        check(&settings, |t| {
            let x = t.pick(any::<u64>())?;
            t.feature(x % 32);
            Ok(())
        })
    };
    let report = settles(4);
    assert_eq!(report.stopped_by, Some(Limit::Settled));
    let n = report.statistics.n_passed;
    assert!((150..2000).contains(&n), "{n} random cases, and as many varied ones");
    assert_eq!(n, settles(4).statistics.n_passed);
}

/// Fails at once with one operation, and after five others with another.
struct Noisy;

impl Operations for Noisy {
    type State = u32;

    fn names(&self) -> &'static [&'static str] {
        &["fail", "go", "look"]
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<u32> {
        Ok(0)
    }

    fn weight(&self, _: usize, _: &Self::State) -> u32 {
        1
    }

    fn step(&self, op: usize, state: &mut u32, _: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        match op {
            0 => return Err(Stop::fail(Failure::named("known"))),
            1 => *state += 1,
            _ => demand("deep", *state < 25)?,
        }
        Ok(StepOutcome::Done)
    }
}

#[test]
fn what_fails_again_and_again_is_asked_less() {
    let n_steps = |max_failures| {
        let settings = Settings { max_failures, n_cases: 3000, ..settings(2) };
        let report = check(&settings, |t| run_program(&Noisy, Steps { min: 40, max: 40 }, t));
        let n_steps: u64 = report.statistics.program.n_done.iter().sum();
        (report, n_steps)
    };
    let (report, n_done) = n_steps(2);
    let Outcome::Falsified(first) = &report.outcome else { panic!("{:?}", report.outcome) };
    assert_eq!(support::name(&first.failure), "known");
    assert_eq!(report.others.iter().map(|other| support::name(&other.failure)).collect::<Vec<_>>(), ["deep"]);
    // A third of all operations fail, so that a program has three steps in the mean; now it has many more.
    assert!(
        n_done > 10 * report.statistics.n_failed,
        "{n_done} steps in {} failed",
        report.statistics.n_failed
    );
}

#[test]
fn without_features_nothing_is_kept() {
    let mut n_run = 0;
    check(&Settings { n_cases: 1000, ..settings(1) }, |t| {
        n_run += 1;
        t.pick(any::<u64>())?;
        Ok(())
    });
    assert_eq!(n_run, 1000);
}
