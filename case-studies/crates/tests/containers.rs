//! Containers beside a model, at their smallest: nothing in them.

use case_study_support::{SHOWN_SEED, settings};
use id_pool::IdPool;
use rust_lapper::{Interval, Lapper};
use stairway::prelude::*;
use stairway::report::Report;
use std::collections::BTreeSet;

/// The numbers of a range, and those that were handed out.
#[derive(Debug)]
struct Pool {
    from: usize,
    to: usize,
    used: BTreeSet<usize>,
}

#[model(system = IdPool)]
impl Pool {
    #[start]
    fn new(#[from(0..4)] from: usize, #[from(0..7)] n: usize) -> (Pool, IdPool) {
        (Pool { from, to: from + n, used: BTreeSet::new() }, IdPool::new_ranged(from..from + n))
    }

    #[op]
    fn request_id(&mut self) -> Option<usize> {
        let free = (self.from..self.to).find(|id| !self.used.contains(id));
        self.used.extend(free);
        free
    }

    #[op(requires = self.from <= id && id < self.to)]
    fn return_id(&mut self, #[from(0..12)] id: usize) -> Result<(), usize> {
        if self.used.remove(&id) { Ok(()) } else { Err(id) }
    }

    #[op]
    fn used_count(&self) -> usize {
        self.used.len()
    }
}

/// Intervals as pairs.
#[derive(Debug)]
struct Intervals(Vec<(u32, u32)>);

#[model(system = Lapper<u32, ()>)]
impl Intervals {
    #[start]
    fn new() -> (Intervals, Lapper<u32, ()>) {
        (Intervals(Vec::new()), Lapper::new(Vec::new()))
    }

    #[op(call = system.insert(Interval { start, stop: start + n, val: () }))]
    fn insert(&mut self, #[from(0..20)] start: u32, #[from(1..10)] n: u32) {
        self.0.push((start, start + n));
    }

    /// The sum of all depths is the sum of all lengths.
    #[op(call = system.depth().map(|of| (of.stop - of.start) * of.val).sum::<u32>())]
    fn depth(&self) -> u32 {
        self.0.iter().map(|(start, stop)| stop - start).sum()
    }
}

/// The calls of the shortest failing program, and the message of its panic.
fn found(report: &Report) -> (Vec<&str>, String) {
    let found = report.counterexample().expect("it fails");
    let calls = found.observed.steps.iter().map(|step| step.name).collect();
    (calls, stairway::report::words::message(&found.failure))
}

#[test]
fn id_pool_hands_out_numbers_of_an_empty_range() {
    let report = Pool::checker().settings(settings(SHOWN_SEED)).report();
    let (calls, message) = found(&report);
    assert_eq!(calls, ["request_id"], "{message}");
}

#[test]
fn rust_lapper_has_no_depth_without_intervals() {
    let report = Intervals::checker().settings(settings(SHOWN_SEED)).report();
    let (calls, message) = found(&report);
    assert_eq!(calls, ["depth"], "{message}");
}
