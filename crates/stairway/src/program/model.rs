//! Models: an abstract twin beside the system, step by step.
//!
//! Receives a [`Model`] (what `#[model]` implements), hands the engine its operations. After each
//! step the models that explain what was seen are kept; when none is left, the system did
//! something wrong. A model that panics is the specification's fault and is reported as such.

use super::allowed::Allowed;
use super::results::Results;
use crate::panics::{self, Blame};
use stairway_engine::{Case, Checked, Failure, Operations, ShownStep, Step, Stepped, Stop};
use std::marker::PhantomData;

/// How many states of the model are kept while it is open which one the system is in.
const MAX_MODELS: usize = 256;

/// An abstract twin of a system: what `#[model]` implements for a struct.
pub trait Model: Sized {
    /// The system it models.
    type System;

    /// The operations' names.
    fn names() -> &'static [&'static str];

    /// The model and the system before the first step.
    ///
    /// # Errors
    /// Ends the case when there are none.
    fn start(case: &mut Case<'_>) -> Checked<(Self, Self::System)>;

    /// How likely operation `op` is; 0 if it is not possible now.
    fn weight(running: &Running<Self>, op: usize) -> u32;

    /// Whether the weights are the same in every state.
    fn has_fixed_weights() -> bool {
        false
    }

    /// Draws the arguments of operation `op` and does it on both sides.
    ///
    /// # Errors
    /// Fails the case when the two sides disagree.
    fn step(running: &mut Running<Self>, op: usize, step: &mut Step<'_, '_>) -> Checked<Stepped>;

    /// The name of an invariant that does not hold, if there is one.
    fn violated(&self, _system: &Self::System) -> Option<&'static str> {
        None
    }

    /// Says what the state after a step covers.
    fn observe(&self, _system: &Self::System, _case: &mut Case<'_>) {}

    /// Ends a program.
    ///
    /// # Errors
    /// Fails the case when ending goes wrong.
    fn finish(running: Running<Self>, _case: &mut Case<'_>) -> Checked {
        running.drop_system();
        Ok(())
    }

    /// Whether a program that has come here is over.
    fn is_over(&self) -> bool {
        false
    }

    /// Whether a state in which nothing is possible is an end like any other.
    fn may_be_stuck() -> bool {
        false
    }

    /// Whether the other is certainly the same state, so that one of them can be forgotten.
    fn is_same(&self, _other: &Self) -> bool {
        false
    }

    /// The state, for showing.
    fn show(&self, _system: &Self::System) -> String {
        String::new()
    }
}

/// A program on its way: the models that explain it so far, the system, and earlier results.
#[derive(Debug)]
pub struct Running<M: Model> {
    models: Vec<M>,
    /// The system.
    pub system: M::System,
    /// Results of earlier steps.
    pub results: Results,
}

/// How two answers are shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<T, U> {
    /// Shows the model's.
    pub model: fn(&T) -> String,
    /// Shows the system's.
    pub system: fn(&U) -> String,
}

impl<M: Model> Running<M> {
    /// The first of the models that explain what was seen.
    #[must_use]
    pub fn model(&self) -> &M {
        &self.models[0]
    }

    /// Whether `holds` is true of every model that explains what was seen.
    pub fn in_all(&self, holds: impl Fn(&M) -> bool) -> bool {
        self.models.iter().all(holds)
    }

    /// Runs the system's side of a step.
    #[inline]
    pub fn call<U>(&mut self, call: impl FnOnce(&mut M::System, &mut Results) -> U) -> U {
        panics::blame(Blame::System);
        let answer = call(&mut self.system, &mut self.results);
        panics::blame(Blame::Specification);
        answer
    }

    /// Compares the system's answer with that of each model; models that answer otherwise go.
    ///
    /// # Errors
    /// Fails the case when no model is left.
    #[inline]
    pub fn compare<T: PartialEq<U>, U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &U,
        shown: Shown<T, U>,
        answer: impl Fn(&mut M) -> T,
    ) -> Checked<Stepped> {
        step.show_answer(|| (shown.system)(got));
        if let [model] = &mut self.models[..] {
            let expected = answer(model);
            if expected != *got {
                return Err(disagreement(op, &(shown.system)(got), &(shown.model)(&expected)));
            }
            return self.settle(step, op);
        }
        let mut expected = Vec::new();
        self.models.retain_mut(|model| {
            let answer = answer(model);
            let agrees = answer == *got;
            if !agrees {
                expected.push((shown.model)(&answer));
            }
            agrees
        });
        if self.models.is_empty() {
            return Err(disagreement(op, &(shown.system)(got), &expected.join(" or ")));
        }
        self.settle(step, op)
    }

    /// Keeps the models after every alternative that explains the answer.
    ///
    /// # Errors
    /// Fails the case when nothing allowed explains it.
    pub fn explain<U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &U,
        show: fn(&U) -> String,
        allowed: impl for<'m> Fn(&'m M) -> Allowed<'m, M, U>,
    ) -> Checked<Stepped>
    where
        M: Clone,
    {
        step.show_answer(|| show(got));
        let mut after: Vec<M> = Vec::new();
        let mut taken = Vec::new();
        for model in &self.models {
            for (name, model) in allowed(model).explain(got) {
                if !taken.contains(&name) {
                    taken.push(name);
                }
                if after.len() < MAX_MODELS && !after.iter().any(|other| other.is_same(&model)) {
                    after.push(model);
                }
            }
        }
        if after.is_empty() {
            let mut said: Vec<String> = Vec::new();
            for model in &self.models {
                let allows = allowed(model).describe(show);
                if !said.contains(&allows) {
                    said.push(allows);
                }
            }
            return Err(disagreement(op, &show(got), &said.join(" or ")));
        }
        for name in taken {
            step.case().label(format!("{op}: {name}"));
        }
        self.models = after;
        self.settle(step, op)
    }

    /// Begins the end of a program, which is shown as its last step.
    pub fn end(&mut self, case: &mut Case<'_>, op: &'static str) {
        if case.is_detailed() {
            let ordinal = case.observed().steps.last().map_or(0, |last| last.ordinal + 1);
            case.observed().steps.push(ShownStep { name: op, ordinal, ..ShownStep::default() });
        }
    }

    /// Compares the answers at the end of a program, and drops the system.
    ///
    /// # Errors
    /// Fails the case when no model gives the system's answer.
    pub fn conclude<T: PartialEq<U>, U>(
        mut self,
        case: &mut Case<'_>,
        op: &'static str,
        got: &U,
        shown: Shown<T, U>,
        answer: impl Fn(&mut M) -> T,
    ) -> Checked {
        if case.is_detailed()
            && let Some(last) = case.observed().steps.last_mut()
        {
            last.answer = (shown.system)(got);
        }
        let answers: Vec<T> = self.models.iter_mut().map(answer).collect();
        if !answers.iter().any(|answer| answer == got) {
            let expected: Vec<String> = answers.iter().map(shown.model).collect();
            return Err(disagreement(op, &(shown.system)(got), &expected.join(" or ")));
        }
        self.drop_system();
        Ok(())
    }

    /// What goes wrong here is the system's fault.
    fn drop_system(self) {
        panics::blame(Blame::System);
    }

    /// Ends a step: invariants, coverage, what is shown of the state.
    #[inline]
    fn settle(&mut self, step: &mut Step<'_, '_>, op: &'static str) -> Checked<Stepped> {
        let system = &self.system;
        if let Some(name) = self.models.iter().find_map(|model| model.violated(system)) {
            self.models.retain(|model| model.violated(system).is_none());
            if self.models.is_empty() {
                let message = format!("the invariant `{name}` does not hold after `{op}`");
                return Err(Stop::fail(Failure::of(format!("invariant {name}"), message)));
            }
        }
        self.models[0].observe(system, step.case());
        step.show_state(|| self.models[0].show(system));
        Ok(Stepped::Done)
    }
}

fn disagreement(op: &'static str, got: &str, expected: &str) -> Stop {
    let message = format!("`{op}` answered {got}, but the model says {expected}");
    Stop::fail(Failure::of(format!("answer of {op}"), message))
}

/// The operations of a model, for the engine.
#[derive(Debug)]
pub struct Spec<M>(PhantomData<fn() -> M>);

impl<M> Spec<M> {
    pub(crate) const fn new() -> Self {
        Spec(PhantomData)
    }
}

impl<M: Model> Operations for Spec<M> {
    type State = Running<M>;

    fn names(&self) -> &'static [&'static str] {
        M::names()
    }

    fn start(&self, case: &mut Case<'_>) -> Checked<Running<M>> {
        panics::blame(Blame::Specification);
        let (model, system) = M::start(case)?;
        if let Some(name) = model.violated(&system) {
            let message = format!("the invariant `{name}` does not hold at the start");
            return Err(Stop::fail(Failure::of(format!("invariant {name} at the start"), message)));
        }
        model.observe(&system, case);
        Ok(Running { models: vec![model], system, results: Results::default() })
    }

    #[inline]
    fn weight(&self, op: usize, state: &Running<M>) -> u32 {
        M::weight(state, op)
    }

    fn has_fixed_weights(&self) -> bool {
        M::has_fixed_weights()
    }

    #[inline]
    fn step(&self, op: usize, state: &mut Running<M>, step: &mut Step<'_, '_>) -> Checked<Stepped> {
        M::step(state, op, step)
    }

    fn finish(&self, state: Running<M>, case: &mut Case<'_>) -> Checked {
        M::finish(state, case)
    }

    fn is_over(&self, state: &Running<M>) -> bool {
        state.models.iter().all(Model::is_over)
    }

    fn may_be_stuck(&self) -> bool {
        M::may_be_stuck()
    }
}
