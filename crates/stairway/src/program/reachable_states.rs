//! States that programs reach, as something to draw.
//!
//! A generator of systems is made of a model: each system is made by running a random program of the model's
//! operations, and is shown by that program. So a property can speak of every reachable state (Claessen and
//! Hughes, "Testing Monadic Code with QuickCheck", section 11, `forAllStates`). A program that fails on the
//! way fails the property, as it would fail its model.

use super::model::Model;
use super::model_builder::ModelBuilder;
use super::program_run::ProgramRun;
use stairway_engine::{
    Case, Checked, Draw, Failure, FailureKind, Generate, Operations, Party, ShownStep, Step, StepOutcome,
    Steps, Stop, run_program,
};
use std::cell::RefCell;
use std::fmt;

/// A system that a program has reached, and the model beside it; made by [`reached`].
pub struct ReachedSystem<M: Model> {
    /// The system.
    pub system: M::System,
    /// What the model has come to.
    pub model: M,
    /// The steps that led here, if they are shown.
    steps: String,
}

impl<M: Model> fmt::Debug for ReachedSystem<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.steps.is_empty() { "the start" } else { &self.steps })
    }
}

/// Systems that random programs of a model's operations reach, with the model beside them.
///
/// ```
/// use stairway::prelude::*;
/// use stairway::program::ReachedSystem;
/// use stairway::reached;
/// # use std::collections::VecDeque;
/// # struct Fifo(VecDeque<u8>);
/// # #[model(system = VecDeque<u8>)]
/// # impl Fifo {
/// #     #[start] fn new() -> (Fifo, VecDeque<u8>) { (Fifo(VecDeque::new()), VecDeque::new()) }
/// #     #[op] fn push_back(&mut self, v: u8) { self.0.push_back(v); }
/// #     #[op] fn pop_front(&mut self) -> Option<u8> { self.0.pop_front() }
/// # }
/// #[property]
/// fn a_copy_is_equal(#[from(reached::<Fifo>())] queue: ReachedSystem<Fifo>) {
///     assert_eq!(queue.system.clone(), queue.system);
/// }
/// # fn main() {}
/// ```
///
/// It is drawn by itself, with `pick` or `#[from(..)]`, and not as a part of another value.
#[must_use]
pub fn reached<M: Model>() -> ReachedStates<M> {
    ReachedStates { methods: M::methods().named(), steps: Steps { min: 0, max: MAX_STEPS } }
}

/// How many steps lead to a state.
const MAX_STEPS: u64 = 20;

/// See [`reached`].
#[derive(Debug)]
pub struct ReachedStates<M: Model> {
    methods: ModelBuilder<M, M::System>,
    steps: Steps,
}

impl<M: Model> ReachedStates<M> {
    /// At most so many steps lead to a state; 20 unless something else is said.
    #[must_use]
    pub const fn steps(mut self, max: u64) -> Self {
        self.steps.max = max;
        self
    }
}

impl<M: Model> Generate for ReachedStates<M> {
    type Value = ReachedSystem<M>;

    fn generate(&self, _: &mut Draw<'_>) -> Checked<ReachedSystem<M>> {
        let text = "a reached state is drawn by itself, with `pick` or `#[from(reached::<Model>())]`, and not as a part of another value";
        Err(Stop::fail(Failure::new(FailureKind::Panic(Party::Specification)).saying(text.to_string())))
    }

    fn generate_in(&self, case: &mut Case<'_>) -> Checked<ReachedSystem<M>> {
        // What is counted and shown of the program belongs to the value.
        let counts = std::mem::take(&mut case.observed().program);
        let n_steps = case.observed().steps.len();
        let to = Way { methods: &self.methods, state: RefCell::new(None) };
        let outcome = run_program(&to, self.steps, case);
        case.observed().program = counts;
        outcome?;
        let steps = case.observed().steps.split_off(n_steps);
        let running = to.state.into_inner();
        let Some((model, system)) = running.and_then(ProgramRun::into_parts) else {
            return Err(Stop::fail(Failure::new(FailureKind::Stuck)));
        };
        let steps: Vec<String> = steps.iter().map(shown).collect();
        Ok(ReachedSystem { system, model, steps: steps.join("; ") })
    }
}

fn shown(step: &ShownStep) -> String {
    let arguments: Vec<&str> = step.arguments.iter().map(|(_, value)| value.as_str()).collect();
    format!("{}({})", step.name, arguments.join(", "))
}

/// The operations of a model, of which the last state is kept.
struct Way<'m, M: Model> {
    methods: &'m ModelBuilder<M, M::System>,
    state: RefCell<Option<ProgramRun<M, M::System>>>,
}

impl<M: Model> Operations for Way<'_, M> {
    type State = ProgramRun<M, M::System>;

    fn names(&self) -> &'static [&'static str] {
        self.methods.names()
    }

    fn start(&self, case: &mut Case<'_>) -> Checked<Self::State> {
        self.methods.start(case)
    }

    fn weight(&self, op: usize, state: &Self::State) -> u32 {
        self.methods.weight(op, state)
    }

    fn has_fixed_weights(&self) -> bool {
        self.methods.has_fixed_weights()
    }

    fn step(&self, op: usize, state: &mut Self::State, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        self.methods.step(op, state, step)
    }

    fn finish(&self, state: Self::State, _: &mut Case<'_>) -> Checked {
        self.state.replace(Some(state));
        Ok(())
    }

    fn is_over(&self, state: &Self::State) -> bool {
        self.methods.is_over(state)
    }

    fn may_be_stuck(&self) -> bool {
        true
    }
}
