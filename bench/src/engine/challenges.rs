//! The shrinking challenges: how often the smallest answer is reached, in how many runs and how
//! fast.
//!
//! Each challenge says what its inputs are in the idiom of each tool and judges them by one
//! function. Runs are executions of that function after the first failure, counted here and not
//! by the tools; the answer is the last input that failed.

mod lists;
mod numbers;
mod trees;

use crate::findings::{Findings, Goal, Table};
use crate::peers;
use hegel::TestCase;
use proptest::strategy::Strategy;
use proptest::test_runner::TestCaseError;
use quickcheck::TestResult;
use stairway::Generate;
use std::any::Any;
use std::cell::RefCell;
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// A false property over inputs that every tool can make.
trait Challenge: 'static {
    const NAME: &'static str;
    /// Mean runs of Hypothesis, or 400 where it has none or more.
    const MOST_RUNS: f64;
    /// The smallest answers, as `Debug` shows them.
    const SMALLEST: &'static [&'static str];
    type Input: Debug + Clone + 'static;
    /// What quickcheck makes and shrinks, composed of what it has shrinkers for.
    type Quickcheck: quickcheck::Arbitrary + Debug;

    /// Whether the property holds; nothing if the input does not count.
    fn holds(input: &Self::Input) -> Option<bool>;
    fn stairway() -> impl Generate<Value = Self::Input> + Sync;
    fn quickcheck(made: Self::Quickcheck) -> Self::Input;
    fn proptest() -> impl Strategy<Value = Self::Input>;
    fn hegel(tc: &TestCase) -> Self::Input;
}

/// Cases that a tool may take to find a failure.
const N_CASES: u64 = 20_000;
const N_SEEDS_OF_STAIRWAY: u64 = 100;
const N_SEEDS_OF_PEERS: u64 = 30;
/// A tool that takes longer than this for one challenge is not given further seeds.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(findings: &mut Findings) {
    let header =
        ["challenge", "tool", "seeds", "found", "% smallest", "runs", "goal", "ms", "time, tool / stairway"];
    let mut table = Table {
        title: "Shrinking challenges",
        about: format!(
            "Of the failures found, those that ended at the smallest answer; mean executions after the first \
             failure; mean milliseconds from the first failure to the end. At most {N_CASES} cases a seed and \
             {PATIENCE:?} a line."
        ),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    peers::panics_are_shown(false);
    lists::run(findings, &mut table);
    numbers::run(findings, &mut table);
    trees::run(findings, &mut table);
    peers::panics_are_shown(true);
    findings.table(table);
}

/// One challenge for all tools.
fn challenge<C: Challenge>(findings: &mut Findings, table: &mut Table) {
    eprintln!("{}", C::NAME);
    let ours = tally::<C>(N_SEEDS_OF_STAIRWAY, with_stairway::<C>);
    let all = [
        ("stairway", ours),
        ("quickcheck", tally::<C>(N_SEEDS_OF_PEERS, with_quickcheck::<C>)),
        ("proptest", tally::<C>(N_SEEDS_OF_PEERS, with_proptest::<C>)),
        ("hegel", tally::<C>(N_SEEDS_OF_PEERS, with_hegel::<C>)),
    ];
    for (tool, tally) in all {
        let mut row = vec![C::NAME.to_string(), tool.to_string(), tally.n_seeds.to_string()];
        row.push(tally.n_found.to_string());
        if tally.n_found == 0 {
            row.extend(["-", "-", "", "-", "-"].map(String::from));
        } else {
            let goal = if tool == "stairway" { C::MOST_RUNS.to_string() } else { String::new() };
            row.push(format!("{:.0}", tally.percent_smallest()));
            row.push(format!("{:.0}", tally.mean_runs()));
            row.push(goal);
            row.push(format!("{:.3}", tally.mean_ms()));
            row.push(format!("{:.1}", tally.mean_ms() / ours.mean_ms()));
        }
        table.rows.push(row);
        let figure = |what| format!("engine/shrinking/{}/{tool}/{what}", C::NAME);
        let is_ours = tool == "stairway";
        let goals = (is_ours.then_some(Goal::AtLeast(95.0)), is_ours.then_some(Goal::AtMost(C::MOST_RUNS)));
        if is_ours || tally.n_found > 0 {
            findings.figure(figure("smallest"), tally.percent_smallest(), "percent", goals.0);
            findings.figure(figure("runs"), tally.mean_runs(), "runs", goals.1);
            findings.figure(figure("time"), tally.mean_ms(), "ms", None);
        }
    }
}

/// What the seeds of one tool came to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    n_seeds: u64,
    n_found: u64,
    n_smallest: u64,
    n_runs: u64,
    time: Duration,
}

impl Tally {
    fn per_found(&self, total: f64) -> f64 {
        total / self.n_found.max(1) as f64
    }
    fn percent_smallest(&self) -> f64 {
        self.per_found(100.0 * self.n_smallest as f64)
    }
    fn mean_runs(&self) -> f64 {
        self.per_found(self.n_runs as f64)
    }
    fn mean_ms(&self) -> f64 {
        self.per_found(self.time.as_secs_f64() * 1e3)
    }
}

fn tally<C: Challenge>(n_seeds: u64, run: fn(u64)) -> Tally {
    let (mut tally, start) = (Tally::default(), Instant::now());
    for seed in 0..n_seeds {
        if start.elapsed() > PATIENCE {
            break;
        }
        SEEN.take();
        run(seed);
        let end = Instant::now();
        let seen = SEEN.take();
        tally.n_seeds += 1;
        if let (Some((n_before, when)), Some(answer)) = (seen.first_failure, seen.answer) {
            let answer = answer.downcast_ref::<C::Input>().map(|input| format!("{input:?}"));
            tally.n_found += 1;
            tally.n_smallest += u64::from(answer.is_some_and(|answer| C::SMALLEST.contains(&&*answer)));
            tally.n_runs += seen.n_runs - n_before;
            tally.time += end - when;
        }
    }
    tally
}

/// What a property has seen for one seed.
#[derive(Default)]
struct Seen {
    n_runs: u64,
    /// How many runs there had been, and when it was.
    first_failure: Option<(u64, Instant)>,
    /// The last input that failed.
    answer: Option<Box<dyn Any>>,
}

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

/// Judges an input and remembers what has to be known about it.
fn judge<C: Challenge>(input: &C::Input) -> Option<bool> {
    let holds = C::holds(input);
    SEEN.with_borrow_mut(|seen| {
        seen.n_runs += 1;
        if holds == Some(false) {
            let n_runs = seen.n_runs;
            seen.first_failure.get_or_insert_with(|| (n_runs, Instant::now()));
            seen.answer = Some(Box::new(input.clone()));
        }
    });
    holds
}

fn with_stairway<C: Challenge>(seed: u64) {
    let generator = C::stairway();
    peers::stairway(N_CASES, seed, |t| {
        let input = t.pick(&generator)?;
        let holds = judge::<C>(&input);
        t.assume(holds.is_some())?;
        assert!(holds == Some(true));
        Ok(())
    });
}

fn with_quickcheck<C: Challenge>(seed: u64) {
    fn property<C: Challenge>(made: C::Quickcheck) -> TestResult {
        judge::<C>(&C::quickcheck(made)).map_or_else(TestResult::discard, TestResult::from_bool)
    }
    peers::quickcheck(N_CASES, seed, 101, property::<C> as fn(C::Quickcheck) -> TestResult);
}

fn with_proptest<C: Challenge>(seed: u64) {
    peers::proptest(N_CASES, seed, &C::proptest(), |input| match judge::<C>(&input) {
        Some(true) => Ok(()),
        Some(false) => Err(TestCaseError::fail("does not hold")),
        None => Err(TestCaseError::reject("does not count")),
    });
}

fn with_hegel<C: Challenge>(seed: u64) {
    peers::hegel(N_CASES, seed, |tc| {
        let input = C::hegel(&tc);
        let holds = judge::<C>(&input);
        tc.assume(holds.is_some());
        assert!(holds == Some(true));
    });
}
