//! One step of a program on a driver: an operation is drawn, or is the next of those that were written; the
//! driver does it; the machine says whether what came of it is allowed; formulas are judged.
//!
//! Hands the engine what the step turned out to be. That an operation of a written program is not possible is
//! wrong input and no verdict: it has an identity of its own, by which whoever makes the report knows it.

use super::super::formula_run::FormulaRun;
use super::super::transitions;
use super::super::{Formula, Machine};
use crate::panics;
use crate::program::ProgramRun;
use crate::program::step_source::{self, StepSource};
use stairway_engine::{ActualStep, Checked, Failure, FailureKind, Role, Step, StepOutcome, Stop};
use stairway_machine::Standing;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Where a run of a machine is: its state, and where each formula stands.
#[derive(Clone)]
pub(super) struct Place<M: Machine> {
    pub(super) state: M::State,
    judged: Vec<u16>,
    /// The first answer that is not the one that was written.
    otherwise: Option<String>,
    /// Whether a written program has ended early.
    pub(super) is_over: bool,
}

impl<M: Machine> Place<M> {
    pub(super) fn start(formulas: &[Formula<M>]) -> Self {
        let judged = formulas.iter().map(|formula| FormulaRun::new(formula, &M::START).position()).collect();
        Place { state: M::START, judged, otherwise: None, is_over: false }
    }
}

impl<M: Machine> std::fmt::Debug for Place<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.state.fmt(f)
    }
}

/// Whether the machine allows nothing in a state.
pub(super) fn is_end<M: Machine>(state: &M::State) -> bool {
    M::WEIGHTS[M::state_index(state)].iter().all(|weight| *weight == 0)
}

/// Which operations a program consists of.
pub(super) enum OperationSource<M: Machine> {
    /// This one, with arguments that are drawn.
    Drawn(usize),
    /// What the machine's `options` proposes.
    Proposed,
    /// These.
    Written(HandWrittenProgram<M>),
}

/// A program that was written by hand.
pub(super) struct HandWrittenProgram<M: Machine> {
    pub(super) ops: Arc<[M::Op]>,
    /// Why it was not run to its end, if it was not.
    pub(super) ended: Arc<OnceLock<String>>,
}

impl<M: Machine> Clone for HandWrittenProgram<M> {
    fn clone(&self) -> Self {
        HandWrittenProgram { ops: Arc::clone(&self.ops), ended: Arc::clone(&self.ended) }
    }
}

/// What runs the steps of a program.
pub(super) struct Stepper<M: Machine, D> {
    pub(super) call: fn(&mut D, M::Op) -> M::Op,
    pub(super) formulas: Arc<[Formula<M>]>,
    /// What was asked of the driver last, and where.
    pub(super) asked: LastQuestion<M>,
}

pub(super) type LastQuestion<M> = Arc<Mutex<Option<(<M as Machine>::State, <M as Machine>::Op)>>>;

impl<M: Machine, D> Clone for Stepper<M, D> {
    fn clone(&self) -> Self {
        Stepper { call: self.call, formulas: Arc::clone(&self.formulas), asked: Arc::clone(&self.asked) }
    }
}

impl<M: Machine, D> Stepper<M, D> {
    pub(super) fn step(
        &self,
        which: &OperationSource<M>,
        running: &mut ProgramRun<Place<M>, D>,
        step: &mut Step<'_, '_>,
    ) -> Checked<StepOutcome> {
        let before = running.model().state;
        let op = match which {
            OperationSource::Drawn(op) => draw::<M>(before, *op, step)?,
            OperationSource::Proposed => draw::<M>(before, 0, step)?,
            OperationSource::Written(written) => {
                written.next(running.model_mut(), step.ordinal() as usize)?
            }
        };
        let Some(op) = op else { return Ok(StepOutcome::Refused) };
        let impossible = match which {
            OperationSource::Drawn(_) => 0,
            OperationSource::Proposed | OperationSource::Written(_) => impossible::<M>(&before),
        };
        step.turned_out(ActualStep { op: M::op_index(&op), impossible });
        show::<M>(step, &before, &op);
        step.case().checkpoint();
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some((before, op));
        let call = self.call;
        let got =
            panics::explained(|| running.call(|driver, _| call(driver, op)), || doing::<M>(&before, &op))?;
        let Some(done) = got.get().copied() else { return Ok(StepOutcome::Refused) };
        show_answer::<M>(step, &done);
        if let OperationSource::Written(written) = which {
            written.compare(running.model_mut(), step.ordinal() as usize, &done);
        }
        self.judge(running, step, before, done)
    }

    /// Asks the machine and the formulas.
    fn judge(
        &self,
        running: &mut ProgramRun<Place<M>, D>,
        step: &mut Step<'_, '_>,
        before: M::State,
        done: M::Op,
    ) -> Checked<StepOutcome> {
        let next = panics::explained(
            || M::next(before, done),
            || format!("in `next`, of {done:?} in state {before:?}"),
        )?;
        let Some(after) = next else { return Err(not_allowed::<M>(&before, &done)) };
        show_state::<M>(step, &after);
        let transition = (M::state_index(&before), M::op_index(&done), M::state_index(&after));
        transitions::count::<M>(step.case(), transition);
        let place = running.model_mut();
        place.state = after;
        for (formula, at) in self.formulas.iter().zip(&mut place.judged) {
            let mut judged = FormulaRun::from(formula, *at);
            judged.step(&done, &after);
            *at = judged.position();
            if judged.standing() == Standing::Fails {
                return Err(judged.failure());
            }
        }
        Ok(StepOutcome::Done)
    }
}

/// Draws an operation; none if it was refused.
fn draw<M: Machine>(before: M::State, op: usize, step: &mut Step<'_, '_>) -> Checked<Option<M::Op>> {
    let drawn = panics::explained(
        || M::draw_call(before, op, step.choices()),
        || match M::HAS_OPTIONS {
            true => format!("while an operation was drawn in state {before:?}"),
            false => format!("while arguments of `{}` were drawn in state {before:?}", M::OPS[op]),
        },
    )?;
    match step.choices().halted() {
        Some(halt) if drawn.is_none() => Err(Stop::halt(halt)),
        _ => Ok(drawn),
    }
}

impl<M: Machine> HandWrittenProgram<M> {
    /// The next operation, if it is possible; none where the program has come off its way before, which ends
    /// it.
    fn next(&self, place: &mut Place<M>, ordinal: usize) -> Checked<Option<M::Op>> {
        let Some(op) = self.ops.get(ordinal).copied() else { return Ok(None) };
        let (state, n) = (place.state, ordinal + 1);
        let may = panics::explained(
            || M::may(state, op),
            || format!("in a guard of `next`, of {op:?} in state {state:?}"),
        )?;
        if may {
            return Ok(Some(op));
        }
        if let Some(otherwise) = &place.otherwise {
            let _ = self.ended.set(format!(
                "the program ended before step {n}, {}, which is not possible in state {state:?}: {otherwise}",
                called::<M>(&op)
            ));
            place.is_over = true;
            return Ok(None);
        }
        let message = format!(
            "step {n} of the program, {}, is not possible in state {state:?} of `{}`; it is possible in: {}",
            called::<M>(&op),
            M::NAME,
            M::POSSIBLE[M::op_index(&op)]
        );
        Err(Stop::fail(Failure::new(FailureKind::Impossible).saying(message)))
    }

    /// Keeps the first answer that is another than the one that was written: what follows may not be possible.
    fn compare(&self, place: &mut Place<M>, ordinal: usize, done: &M::Op) {
        let written = &self.ops[ordinal];
        if place.otherwise.is_none() && M::key_of_op(written) != M::key_of_op(done) {
            let (got, said) = (M::parts(done).1, M::parts(written).1);
            place.otherwise = Some(format!("step {} answered {got} where {said} is written", ordinal + 1));
        }
    }
}

/// The operations that are not possible in a state, a bit each.
fn impossible<M: Machine>(state: &M::State) -> u128 {
    let weights = M::WEIGHTS[M::state_index(state)].iter().take(128).enumerate();
    weights.filter(|(_, weight)| **weight == 0).fold(0, |bits, (op, _)| bits | 1 << op)
}

/// Shows what is about to be done, and where: it may not come to an end.
fn show<M: Machine>(step: &mut Step<'_, '_>, before: &M::State, op: &M::Op) {
    if step.is_shown()
        && let Some(shown) = step.case().observed().steps.last_mut()
    {
        shown.name = M::OPS[M::op_index(op)];
        shown.arguments = M::parts(op).0;
        shown.attachment.get_or_default::<StepSource>().call = M::source(op);
        show_state::<M>(step, before);
    }
}

fn show_state<M: Machine>(step: &mut Step<'_, '_>, state: &M::State) {
    step.show_state(|| format!("{state:?}"));
    if let Some(source) = step_source::of_running(step) {
        source.state = Some(M::state_index(state));
    }
}

fn show_answer<M: Machine>(step: &mut Step<'_, '_>, done: &M::Op) {
    step.show_answer(|| M::parts(done).1);
    if let Some(source) = step_source::of_running(step) {
        source.call = M::source(done);
    }
}

/// What the driver is asked for, in words.
pub(super) fn doing<M: Machine>(before: &M::State, op: &M::Op) -> String {
    format!("while the driver did {} in state {before:?}", called::<M>(op))
}

/// A call in words.
fn called<M: Machine>(op: &M::Op) -> String {
    let arguments: Vec<String> = M::parts(op).0.into_iter().map(|(_, value)| value).collect();
    format!("`{}({})`", M::OPS[M::op_index(op)], arguments.join(", "))
}

/// What is said of an answer that the machine does not allow: also which arms there are.
fn not_allowed<M: Machine>(before: &M::State, done: &M::Op) -> Stop {
    let (state, op) = (M::state_index(before), M::op_index(done));
    let (name, answer) = (M::OPS[op], M::parts(done).1);
    let failure = Failure::new(FailureKind::Transition { operation: name.into() }).with(Role::System, answer);
    let mut failure = failure.with(Role::Model, M::NAME).with(Role::State, format!("{before:?}"));
    let mut arms: Vec<&str> = Vec::new();
    for arm in M::TRANSITIONS.iter().filter(|arm| (arm.from, arm.op) == (state, op)) {
        if !arms.contains(&arm.label) {
            arms.push(arm.label);
        }
    }
    // An arm without a pattern for the result and without a guard decides inside itself.
    if !arms.is_empty() && !arms.contains(&name) {
        failure = arms.iter().fold(failure, |failure, arm| failure.with(Role::Transition, *arm));
    }
    Stop::fail(failure)
}
