//! Timing: the tools take turns for many short rounds, and the best round counts. On a machine
//! that is shared, the best round is the one in which nobody else was in the way.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What properties count: elements, nodes or cases. The same cost for every tool.
static COUNTED: AtomicU64 = AtomicU64::new(0);
/// How many cases there were: some tools run a few more or less than they are asked for.
static CASES: AtomicU64 = AtomicU64::new(0);

/// Called once a case by a property under measurement. `value` counts as used.
#[inline]
pub(crate) fn count<T>(n: usize, value: &T) {
    std::hint::black_box(value);
    add(&COUNTED, n as u64);
    add(&CASES, 1);
}

/// Called by a system under test when a program begins.
#[inline]
pub(crate) fn count_case() {
    add(&CASES, 1);
}

/// Called by a system under test at every step.
#[inline]
pub(crate) fn count_step() {
    add(&COUNTED, 1);
}

/// What has been counted since [`forget`]: cases, and what they count.
pub(crate) fn counted() -> (u64, u64) {
    (CASES.load(Ordering::Relaxed), COUNTED.load(Ordering::Relaxed))
}

pub(crate) fn forget() {
    COUNTED.store(0, Ordering::Relaxed);
    CASES.store(0, Ordering::Relaxed);
}

fn add(counter: &AtomicU64, n: u64) {
    counter.store(counter.load(Ordering::Relaxed) + n, Ordering::Relaxed);
}

const N_ROUNDS: u64 = 31;

/// One tool's way to check one property for a number of cases.
pub(crate) struct Contender {
    pub(crate) tool: &'static str,
    pub(crate) n_cases: u64,
    pub(crate) run: fn(n_cases: u64, seed: u64),
}

/// What a contender reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) tool: &'static str,
    /// Counted things a second.
    pub(crate) per_second: f64,
    /// Counted things a case.
    pub(crate) per_case: f64,
    pub(crate) ns_per_case: f64,
}

/// Lets the contenders take turns and gives the best round of each.
pub(crate) fn race(contenders: &[Contender]) -> Vec<Reached> {
    let mut rounds: Vec<Vec<Reached>> = contenders.iter().map(|_| Vec::new()).collect();
    for round in 0..N_ROUNDS {
        for (contender, reached) in contenders.iter().zip(&mut rounds) {
            reached.push(once(contender, 1 + round));
        }
    }
    rounds.into_iter().map(|rounds| best(&rounds)).collect()
}

fn once(contender: &Contender, seed: u64) -> Reached {
    let Contender { tool, n_cases, run } = *contender;
    forget();
    let start = Instant::now();
    run(n_cases, seed);
    let seconds = start.elapsed().as_secs_f64();
    let (n_cases, counted) = counted();
    let (n_cases, counted) = (n_cases as f64, counted as f64);
    let per_case = counted / n_cases;
    Reached { tool, per_second: counted / seconds, per_case, ns_per_case: seconds * 1e9 / n_cases }
}

/// The best speed; counts are averaged over the rounds, because their seeds differ.
fn best(rounds: &[Reached]) -> Reached {
    let per_case = rounds.iter().map(|round| round.per_case).sum::<f64>() / rounds.len() as f64;
    let best = rounds.iter().max_by(|a, b| a.per_second.total_cmp(&b.per_second));
    Reached { per_case, ..*best.expect("there is at least one round") }
}
