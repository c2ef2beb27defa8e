//! Makes states for their own sake: how many of them satisfy their precondition, and how long that takes.
//!
//! An engine program whose steps each make a state for one function, put it into memory and, on request,
//! judge it. Nothing is called. Only measurements use it.

use super::{Calls, Sequence, states};
use stairway::engine::{
    Execute as _, InProcess, NoHooks, Operations, Settings, Step, StepOutcome, Steps, Workspace,
};
use stairway::{Case, Checked};
use std::cell::Cell;

/// How many states are made in one program, before memory is as it was.
const STATES: u64 = 50;

/// What became of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateCounts {
    /// How many were begun.
    pub n_begun: u64,
    /// How many were made: they are in memory.
    pub n_made: u64,
    /// The blocks of those.
    pub n_blocks: u64,
    /// How many were judged to satisfy the precondition.
    pub n_callable: u64,
}

struct Rehearsal<'c> {
    calls: &'c Calls,
    op: usize,
    contract: usize,
    n_nodes: Option<u32>,
    is_judged: bool,
    counts: Cell<StateCounts>,
}

impl Calls {
    /// Makes about `n` states for a function, with room for `n_nodes` nodes where that is not left to chance,
    /// and judges them or not; nothing if none can be made for it.
    #[must_use]
    pub fn rehearse(
        &self,
        function: &str,
        n: u64,
        n_nodes: Option<u32>,
        is_judged: bool,
    ) -> Option<StateCounts> {
        let op = self.names.iter().position(|name| *name == function)?;
        let contract = self.targets[op].0.contract.filter(|_| self.states.weight(op) > 0)?;
        let counts = Cell::default();
        let rehearsal = Rehearsal { calls: self, op, contract, n_nodes, is_judged, counts };
        let steps = Steps { min: STATES, max: STATES };
        let property = |case: &mut Case<'_>| stairway::engine::run_program(&rehearsal, steps, case);
        let settings = Settings { n_cases: n.div_ceil(STATES), ..Settings::default() };
        let mut execute = InProcess::new(property, stairway::engine::unguarded);
        stairway::engine::run(&mut execute, &settings, &[], &mut NoHooks, &mut Workspace::default());
        execute.refresh();
        Some(rehearsal.counts.get())
    }
}

impl Operations for Rehearsal<'_> {
    type State = Sequence;

    fn names(&self) -> &'static [&'static str] {
        &["make a state"]
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<Sequence> {
        self.calls.reset();
        Ok(Sequence { has_states: true, ..Sequence::default() })
    }

    fn weight(&self, _: usize, _: &Sequence) -> u32 {
        1
    }

    fn step(&self, _: usize, sequence: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        let Calls { project, machine, judge, .. } = self.calls;
        let (target, _, wishes) = &self.calls.targets[self.op];
        let contract = &project.specs.contracts[self.contract];
        let global_name = |_: u64| None;
        let mut sources = self.calls.sources(self.op, &sequence.numbers, &global_name);
        let request = states::Request { target, wishes, contract, n_nodes: self.n_nodes };
        let made = self.calls.states.make(project, &request, step, &mut sources)?;
        let mut counts = self.counts.get();
        counts.n_begun += 1;
        if let Ok(blueprint) = made
            && self.calls.build(self.op, &blueprint, sequence, step)
        {
            counts.n_made += 1;
            counts.n_blocks += blueprint.blocks.len() as u64;
            if self.is_judged {
                counts.n_callable +=
                    u64::from(judge.admits(project, machine, target, self.contract, &sequence.buffer));
            }
        }
        self.counts.set(counts);
        Ok(StepOutcome::Done)
    }
}
