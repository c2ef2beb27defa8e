//! Running cases on several threads, with the results of one.
//!
//! Each case draws from its own stream, so it does not matter which thread runs it. Batches of
//! cases run side by side; their results are handed on in the order of their numbers, and what
//! lies behind the first failure is dropped as if it had never run.

use crate::panics;
use stairway_engine::{
    Case, Checked, Execute, Execution, Observations, Plan, Plans, Recording, Sink, execute_with,
};

/// Runs cases of a property on several threads.
pub(crate) struct Parallel<'p, P> {
    property: &'p P,
    n_threads: usize,
}

/// How many cases a thread gets at once.
const BATCH: u64 = 64;

impl<'p, P: Fn(&mut Case<'_>) -> Checked + Sync> Parallel<'p, P> {
    pub(crate) const fn new(property: &'p P, n_threads: usize) -> Self {
        Parallel { property, n_threads }
    }

    fn one(
        &self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observations,
    ) -> Execution {
        let mut property = |case: &mut Case<'_>| (self.property)(case);
        execute_with(&mut property, panics::guard, None, plan, recording, observed)
    }

    fn batch(&self, from: u64, to: u64, plans: &Plans<'_>) -> Vec<(Execution, Observations)> {
        let run = |index| {
            let mut observed = Observations::default();
            let executed = self.one(&plans.plan(index), None, &mut observed);
            (executed, observed)
        };
        (from..to).map(run).collect()
    }
}

impl<P: Fn(&mut Case<'_>) -> Checked + Sync> Execute for Parallel<'_, P> {
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observations,
    ) -> Execution {
        self.one(plan, recording, observed)
    }

    fn execute_all(
        &mut self,
        from: u64,
        to: u64,
        plans: &Plans<'_>,
        _: &mut Observations,
        sink: &mut dyn Sink,
    ) {
        let mut next = from;
        while next < to {
            let starts: Vec<u64> =
                (0..self.n_threads as u64).map(|k| next.saturating_add(k * BATCH).min(to)).collect();
            let this = &*self;
            let results: Vec<_> = std::thread::scope(|scope| {
                let run = |&start: &u64| {
                    scope.spawn(move || this.batch(start, start.saturating_add(BATCH).min(to), plans))
                };
                let threads: Vec<_> = starts.iter().map(run).collect();
                threads.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
            });
            for batch in results {
                // A panic here is ours: those of the property were caught with their case.
                for (executed, mut observed) in batch.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                {
                    if sink.case(next, &executed, &mut observed).is_break() {
                        return;
                    }
                    next += 1;
                }
            }
        }
    }
}
