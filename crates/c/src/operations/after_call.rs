//! What becomes of a sequence after a call: its result is kept for later calls, or the call has failed, which
//! fails the sequence or is undone.

use super::log::Mark;
use super::{Calls, ParameterHints, Sequence, Target, Variable, failures, replay};
use crate::ctypes::CType;
use crate::facts::{HuntFact, Note, Refusal, UncheckedPart, WithoutBody};
use crate::machine::Violation;
use stairway::engine::{Step, StepOutcome};
use stairway::report::Failure;
use stairway::{Checked, Stop};
use std::ops::ControlFlow;

/// Functions that nobody blames have this part of the fuel of others: what does not return among them is left
/// sooner.
const UNBLAMED_PART: u64 = 16;

/// Sequences without patience have only this part of the fuel, though not less than that.
const LITTLE_PART: u64 = 64;
pub(super) const LITTLE_FUEL: u64 = 100_000;

impl Calls {
    /// Memory that was made for an argument is not freed by the function that ends its life as an object;
    /// nobody says that it may be used after that.
    pub(super) fn mark_ended(&self, target: &Target, sequence: &mut Sequence) {
        if !target.is_ending || target.contract.is_some() || self.settings.is_hostile {
            return;
        }
        let place = target.prototype.place(0);
        let passed = sequence.buffer.get(place);
        let points_there = |variable: &Variable| {
            let mut pointer = [0; 8];
            self.machine.read(variable.address, &mut pointer) && Some(&pointer[..]) == passed
        };
        for variable in sequence.variables.iter_mut().filter(|variable| variable.made > 0) {
            variable.is_ended |= points_there(variable);
        }
    }

    /// Counts what became of a state.
    pub(super) fn count_state(
        &self,
        op: usize,
        sequence: &Sequence,
        step: &mut Step<'_, '_>,
        is_callable: bool,
    ) {
        if sequence.is_state {
            let function = self.targets[op].0.name.to_string();
            HuntFact::State { function, is_callable }.count(step.case());
        }
    }

    /// Whether a function answers for what it does.
    pub(super) fn is_blamed(&self, op: usize) -> bool {
        let target = &self.targets[op].0;
        if self.settings.selection.makers.iter().any(|maker| maker == target.name) {
            return false;
        }
        target.contract.is_some() || !self.has_contracts || self.settings.blames_all
    }

    /// A call went wrong: that fails the sequence, or the sequence goes on as if the call had not been made.
    pub(super) fn failed(
        &self,
        op: usize,
        mark: Mark,
        failure: Failure,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<StepOutcome> {
        let (violation, is_deeper, is_tainted) = {
            let observed = self.judge.observed();
            (observed.violation.clone(), observed.is_deeper, observed.is_tainted)
        };
        if is_tainted {
            // A lock of the C library may be held for ever.
            stairway::__private::retire_worker();
        }
        let name = self.targets[op].0.name;
        let is_slow = violation.as_ref().is_some_and(Violation::is_hang);
        if let Some(missing) = violation.as_ref().and_then(Violation::missing) {
            let missing = WithoutBody::NoContract { function: missing.to_string(), caller: name.to_string() };
            return Ok(self.without_body(op, mark, missing, sequence, step));
        }
        // Contracts that take longer than a call may: that is nobody's fault either.
        let is_in_contracts = !is_slow && failures::is_hang(&failure.kind);
        let function = name.to_string();
        let note = match &violation {
            _ if is_in_contracts => Note::Unchecked(UncheckedPart::SlowContracts { function }),
            Some(Violation::Exit { code, .. }) => Note::Exit { function, code: *code },
            Some(Violation::Waits { function: wait, .. }) => Note::Waits { function, wait: wait.clone() },
            _ if is_slow && sequence.is_hasty => Note::Long { function },
            // What arbitrary arguments do to a function without a contract is nobody's fault; that it took
            // long, with the little fuel that it has, is not its callees' either.
            _ if !self.is_blamed(op) && (!is_deeper || is_slow) => {
                let mut known = Failure::new(failure.kind.clone());
                known.place.clone_from(&failure.place);
                Note::NotBlamed { function, failure: Box::new(known) }
            }
            _ => return Err(Stop::fail(sequence.doubtful(failure))),
        };
        note.put(step.case());
        sequence.log.borrow_mut().cut(mark);
        if is_slow || is_in_contracts {
            sequence.hanging.push(op);
        }
        sequence.is_over = is_tainted || !self.restore(sequence);
        Ok(StepOutcome::Refused)
    }

    /// How many basic blocks a call may take; 0 for any number.
    pub(super) fn fuel(&self, op: usize, is_hasty: bool) -> u64 {
        let all = self.settings.machine.fuel;
        let fuel = if self.is_blamed(op) { all } else { all.div_ceil(UNBLAMED_PART) };
        // Without what sets everything up there would be nothing to do.
        match is_hasty && !self.roles.is_init(op) {
            true => fuel.min((fuel / LITTLE_PART).max(LITTLE_FUEL)),
            false => fuel,
        }
    }

    /// A call reached a function that has no body and cannot be played: the sequence goes on as if the call
    /// had not been made.
    pub(super) fn without_body(
        &self,
        op: usize,
        mark: Mark,
        missing: WithoutBody,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> StepOutcome {
        Note::Missing(missing).put(step.case());
        self.note_refusal(op, Refusal::NoBody, step.case());
        sequence.log.borrow_mut().cut(mark);
        sequence.hanging.push(op);
        sequence.is_over = !self.restore(sequence);
        StepOutcome::Refused
    }

    /// Comes back to the state after the last call that returned.
    pub(super) fn restore(&self, sequence: &Sequence) -> bool {
        self.start_over(self.settings.machine.fill);
        let mut is_same = true;
        let came = self.again(&sequence.log.borrow(), false, &mut |made| {
            is_same = made.violation.is_none() && self.machine.flow() == made.call.flow;
            if !is_same {
                return ControlFlow::Break(());
            }
            self.judge.ask_again(&self.machine);
            ControlFlow::Continue(())
        });
        is_same && came == replay::Extent::Whole
    }

    /// A variable with the address of memory that was made.
    pub(super) fn hold(&self, made: u64) -> Option<u64> {
        let address = self.machine.slot(8, 8)?;
        self.machine.write(address, &made.to_le_bytes()).then_some(address)
    }

    /// Where a function takes an object for good and returns one, the latter stands in its place: the next calls
    /// go on with it.
    pub(super) fn replace_consumed(&self, op: usize, step: u32, sequence: &Sequence) {
        let (target, _, wishes) = &self.targets[op];
        let CType::Pointer { to, .. } = self.project.program.types.get(target.returns) else { return };
        let is_something = |bytes: &[u8]| bytes.iter().any(|byte| *byte != 0);
        let is_replaced = |(k, wish): (usize, &ParameterHints)| {
            let passed = sequence.buffer.get(target.prototype.place(k));
            wish.is_consumed && wish.object == Some(*to) && passed.is_some_and(is_something)
        };
        if is_something(&sequence.result) && wishes.iter().enumerate().any(is_replaced) {
            sequence.favourites.borrow_mut().set(*to, step);
        }
    }

    /// Keeps a result in a variable of its own, if there is one and room for it.
    pub(super) fn keep(&self, op: usize, sequence: &mut Sequence, step: &mut Step<'_, '_>) -> bool {
        let (target, ..) = &self.targets[op];
        let types = &self.project.program.types;
        let size = sequence.result.len() as u64;
        if size == 0 {
            return false;
        }
        step.show_answer(|| self.answer(target, sequence));
        let address = self.machine.slot(size, types.align(target.returns).unwrap_or(16));
        match address {
            Some(address) if self.machine.write(address, &sequence.result) => {
                let (step, ty, kind) = (step.ordinal(), target.returns, self.kind_of[op]);
                sequence.variables.push(Variable { step, kind, ty, address, made: 0, is_ended: false });
                sequence.standing.gives(&self.roles, kind);
                self.replace_consumed(op, step, sequence);
                true
            }
            _ => false,
        }
    }
}
