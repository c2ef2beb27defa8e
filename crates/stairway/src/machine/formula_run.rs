//! A formula along one run: where it stands after each step, and how it fails.

use super::{Formula, Machine};
use stairway_engine::{Failure, FailureKind, Role, Stop};
use stairway_machine::{Monitor, Standing};

/// A formula on its way along a run.
#[derive(Debug)]
pub(super) struct FormulaRun<'f, M: Machine> {
    formula: &'f Formula<M>,
    at: u16,
}

impl<'f, M: Machine> FormulaRun<'f, M> {
    pub(super) fn new(formula: &'f Formula<M>, start: &M::State) -> Self {
        let letter = (formula.letter)(None, start);
        FormulaRun { formula, at: formula.tables.monitor.after(Monitor::START, letter) }
    }

    pub(super) fn from(formula: &'f Formula<M>, at: u16) -> Self {
        FormulaRun { formula, at }
    }

    pub(super) fn position(&self) -> u16 {
        self.at
    }

    pub(super) fn step(&mut self, op: &M::Op, to: &M::State) {
        self.at = self.formula.tables.monitor.after(self.at, (self.formula.letter)(Some(op), to));
    }

    pub(super) fn standing(&self) -> Standing {
        self.formula.tables.monitor.standing(self.at)
    }

    pub(super) fn at_the_end(&self, state: &M::State) -> Standing {
        self.formula.tables.monitor.at_the_end(self.at, (self.formula.letter)(None, state))
    }

    pub(super) fn failure(&self) -> Stop {
        let Formula { name, text, .. } = self.formula;
        Stop::fail(Failure::new(FailureKind::Formula { name: (*name).into() }).with(Role::Clause, *text))
    }

    pub(super) fn still_waiting(&self, n: u64) -> Stop {
        let Formula { name, text, .. } = self.formula;
        let failure = Failure::new(FailureKind::Formula { name: (*name).into() }).with(Role::Clause, *text);
        Stop::fail(failure.with(Role::Steps, n.to_string()))
    }
}
