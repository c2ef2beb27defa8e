//! Laws of systems with global state: their two sides run one after the other.
//!
//! Two systems that share a global cannot run side by side. So the whole program is run with the left side of
//! the law, its system is dropped, and the same program is run again with the right side, from a start of its
//! own. The stream of choices is rewound in between, so a program is recorded and shrunk as if it ran once.
//! What the first run answered waits here for the second.

use super::law::{Context, Law, SideOutcome, impossible};
use super::model_builder::ModelBuilder;
use stairway_engine::{Case, Checked, Operations, Step, StepOutcome, Steps, run_program};
use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

/// What the first run leaves to the second.
#[derive(Default)]
struct FirstRun {
    /// Each step that was tried: its operation, how many choices there were after it, and what became of it.
    path: VecDeque<(usize, usize, StepOutcome)>,
    /// The answers of the context, in order.
    answers: VecDeque<Box<dyn Any>>,
    /// What the left side of the law has said.
    said: Option<SideOutcome>,
}

/// Which of the two runs a program is in, and what they share.
#[derive(Clone)]
pub(super) struct Turn {
    pub(super) is_second: bool,
    legacy: Rc<RefCell<FirstRun>>,
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("is_second", &self.is_second).finish_non_exhaustive()
    }
}

impl Turn {
    /// Keeps an answer of the first run.
    pub(super) fn leave<U: 'static>(&self, answer: U) {
        self.legacy.borrow_mut().answers.push_back(Box::new(answer));
    }

    /// The answer of the first run to the call that the second one makes now, if it made that call.
    pub(super) fn inherit<U: 'static>(&self) -> Option<U> {
        let answer = self.legacy.borrow_mut().answers.pop_front()?;
        answer.downcast().ok().map(|answer| *answer)
    }

    /// Keeps what the left side of the law has said.
    pub(super) fn leave_said(&self, said: SideOutcome) {
        self.legacy.borrow_mut().said = Some(said);
    }

    /// What the left side of the law has said.
    pub(super) fn inherit_said(&self) -> Option<SideOutcome> {
        self.legacy.borrow_mut().said.take()
    }
}

/// One of the two runs of a program.
struct InTurn<'l, M, S> {
    law: &'l Law<M, S>,
    turn: Turn,
}

impl<M: 'static, S: 'static> Law<M, S> {
    /// Runs one program twice, the sides of the law one after the other.
    ///
    /// # Errors
    /// Fails the case as the law says; discards it where the second run cannot do what the first one did.
    pub(super) fn run_in_turn(&self, steps: Steps, case: &mut Case<'_>) -> Checked {
        let mark = case.choices().mark();
        let observed = case.observed();
        let (counts, n_shown) = (observed.program.clone(), observed.steps.len());
        let (n_drawn, n_notes) = (observed.drawn.len(), observed.notes.len());
        let legacy = Rc::default();
        let first = InTurn { law: self, turn: Turn { is_second: false, legacy: Rc::clone(&legacy) } };
        run_program(&first, steps, case)?;
        // What is counted and shown is the second run, which speaks of both.
        let observed = case.observed();
        observed.program = counts;
        observed.steps.truncate(n_shown);
        observed.drawn.truncate(n_drawn);
        observed.notes.truncate(n_notes);
        case.choices().rewind(&mark);
        run_program(&InTurn { law: self, turn: Turn { is_second: true, legacy } }, steps, case)
    }
}

impl<M: 'static, S: 'static> Operations for InTurn<'_, M, S> {
    type State = Context<M, S>;

    fn names(&self) -> &'static [&'static str] {
        self.law.names()
    }

    fn start(&self, case: &mut Case<'_>) -> Checked<Context<M, S>> {
        let methods: &ModelBuilder<M, S> = self.law.methods();
        Ok(Context::new(methods.begin_in_turn(case, self.turn.clone())?))
    }

    fn weight(&self, op: usize, state: &Context<M, S>) -> u32 {
        self.law.weight(op, state)
    }

    fn step(&self, op: usize, state: &mut Context<M, S>, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        let stepped = self.law.step(op, state, step)?;
        let did = (op, step.choices().n_choices(), stepped);
        let mut legacy = self.turn.legacy.borrow_mut();
        if !self.turn.is_second {
            legacy.path.push_back(did);
        } else if legacy.path.pop_front() != Some(did) {
            // What is possible on one side only is no context of the law.
            return Err(impossible());
        }
        Ok(stepped)
    }

    fn last(&self, state: &Context<M, S>) -> Option<usize> {
        self.law.last(state)
    }

    fn finish(&self, state: Context<M, S>, case: &mut Case<'_>) -> Checked {
        self.law.finish(state, case)
    }

    fn is_over(&self, state: &Context<M, S>) -> bool {
        self.law.is_over(state)
    }

    fn may_be_stuck(&self) -> bool {
        true
    }
}
