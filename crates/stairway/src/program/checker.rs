//! Checking by programs: a checker like any other, with programs for cases.

use super::model::Model;
use super::model_builder::{ModelBuilder, PruneRule};
use crate::check::{Check, Checker};
use crate::checker::Run;
use crate::report::Report;
use crate::reproducer_program::{ProgramStart, Subject};
use stairway_engine::{Case, Checked, Operations, Steps, run_program};

/// Checks a system against its model; made by the `checker()` of a `#[model]`.
pub type ModelChecker<M> = Checker<Programs<ModelBuilder<M, <M as Model>::System>>>;

/// Programs of these operations.
#[derive(Debug)]
pub struct Programs<O> {
    operations: O,
    limits: ProgramLimits,
    /// Runs one of them.
    run: RunProgram<O>,
}

/// Runs one program.
pub(super) type RunProgram<O> = fn(&O, Steps, &mut Case<'_>) -> Checked;

/// How long programs are, and which of them are tried.
#[derive(Clone, Copy, Debug)]
pub struct ProgramLimits {
    steps: Steps,
    depth: Option<u64>,
    n_values: u64,
}

/// How many values numbers and the like take where all programs are tried.
const N_VALUES: u64 = 3;

impl Default for ProgramLimits {
    fn default() -> Self {
        ProgramLimits { steps: Steps::default(), depth: None, n_values: N_VALUES }
    }
}

/// What is checked by programs.
pub trait HasPrograms {
    /// Their limits.
    #[doc(hidden)]
    fn limits(&mut self) -> &mut ProgramLimits;
}

impl<O> HasPrograms for Programs<O> {
    fn limits(&mut self) -> &mut ProgramLimits {
        &mut self.limits
    }
}

impl<O: Operations + Sync> Check for Programs<O> {
    fn report(self, mut run: Run) -> Report {
        let ProgramLimits { mut steps, depth, n_values } = self.limits;
        if let Some(depth) = depth {
            steps.max = steps.max.max(depth);
            run.settings = std::mem::take(&mut run.settings).all_programs(depth, n_values);
        }
        let operations = &self.operations;
        run.operations = operations.names();
        let run_one = self.run;
        run.report(|case| run_one(operations, steps, case))
    }
}

impl<M, S> Checker<Programs<ModelBuilder<M, S>>> {
    /// [`exhaustive`](Checker::exhaustive), but a program that has reached a *model* seen
    /// before is not explored further, whatever the state of the system: faster, and blind to
    /// mistakes that the model does not show until later. The model must be `Hash`.
    pub fn exhaustive_modulo_model(mut self, depth: u64) -> Self {
        self.subject.operations.prunes = PruneRule::OnModel;
        self.exhaustive(depth)
    }

    /// Programs that reach a new state are kept, and every other program is then a variation of a kept one: it goes on
    /// from there, repeats some of its steps, leaves some out, or borrows steps of another. It finds what lies behind
    /// a row of right steps, each of which leads somewhere new.
    ///
    /// A state is the model, by its `Hash` or as its `Debug` shows it, and the `#[fingerprint]` of the system, if there
    /// is one. Thousands of states guide a search; where nearly every step leads to a new one, they do not: a
    /// fingerprint of what matters then helps, on a model that shows only that.
    ///
    /// ```
    /// use stairway::prelude::*;
    ///
    /// /// Opens after four right digits in a row, and then does not close again.
    /// #[derive(Clone, Default)]
    /// struct Lock { n_right: usize, is_stuck: bool }
    /// const CODE: [u8; 4] = [7, 3, 9, 2];
    ///
    /// impl Lock {
    ///     fn digit(&mut self, digit: u8) -> bool {
    ///         self.n_right = if digit == CODE[self.n_right % 4] { self.n_right % 4 + 1 } else { 0 };
    ///         self.is_stuck |= self.n_right == 4;
    ///         self.is_stuck
    ///     }
    /// }
    ///
    /// #[derive(Clone, Debug, Default, Hash)]
    /// struct Model { n_right: usize }
    ///
    /// #[model(system = Lock)]
    /// impl Model {
    ///     #[start] fn new() -> (Model, Lock) { Default::default() }
    ///     #[op] fn digit(&mut self, #[from(0..10u8)] digit: u8) -> bool {
    ///         self.n_right = if digit == CODE[self.n_right % 4] { self.n_right % 4 + 1 } else { 0 };
    ///         self.n_right == 4
    ///     }
    /// }
    ///
    /// let report = Model::checker().settings(Settings::new().without_regressions()).feedback().report();
    /// assert!(!report.result.outcome.is_success());
    /// ```
    pub fn feedback(mut self) -> Self {
        self.subject.operations.name_states();
        self
    }

    /// Leaves the system out: programs run on the model alone, whose invariants must hold and
    /// which must not get stuck.
    pub fn model_alone(mut self) -> Self {
        self.subject.operations.has_system = false;
        self.run.subject = Subject::ModelAlone;
        if let Some(ProgramStart::Model(start)) = &mut self.run.start {
            start.is_model_alone = true;
        }
        self
    }
}

impl<O: Operations + Sync> Checker<Programs<O>> {
    /// A checker by programs of these operations, which begin as `start` says.
    pub(crate) fn of_programs(
        name: String,
        operations: O,
        subject: Subject,
        start: Option<ProgramStart>,
    ) -> Self {
        let mut checker = Checker::of(
            name,
            Programs { operations, limits: ProgramLimits::default(), run: run_program::<O> },
        );
        (checker.run.subject, checker.run.start) = (subject, start);
        checker
    }

    /// What programs are made of.
    pub(super) const fn operations(&mut self) -> &mut O {
        &mut self.subject.operations
    }

    /// The same, by another way to run a program.
    pub(super) fn run_by(mut self, run: RunProgram<O>) -> Self {
        self.subject.run = run;
        self
    }
}

impl<S: HasPrograms> Checker<S> {
    /// Programs have at most this many steps (50 by default), and half of them as many.
    pub fn steps(mut self, max: u64) -> Self {
        self.subject.limits().steps.max = max;
        self
    }

    /// Programs have at least this many steps.
    pub fn min_steps(mut self, min: u64) -> Self {
        self.subject.limits().steps.min = min;
        self
    }

    /// Tries every program of up to `depth` steps instead of random ones.
    ///
    /// Numbers, lengths and the like take their three simplest values, or as many as
    /// [`values`](Checker::values) says; the report says so where they have more. With a
    /// `#[fingerprint]`, and if the model is `Hash`, a program that has reached a state of model
    /// *and* system seen before is not explored further; what can follow has been tried.
    pub fn exhaustive(mut self, depth: u64) -> Self {
        self.subject.limits().depth = Some(depth);
        self
    }

    /// How many values numbers and the like take in an [`exhaustive`](Checker::exhaustive)
    /// search.
    pub fn values(mut self, n: u64) -> Self {
        self.subject.limits().n_values = n;
        self
    }
}

impl<O> Checker<Programs<O>> {
    /// Runs this one program, and shrinks it if it fails: what is drawn at the start, then each
    /// step with what it draws, all written as in [`Settings::replay`](crate::Settings::replay).
    ///
    /// ```
    /// # use stairway::program::ModelBuilder;
    /// # use stairway::prelude::*;
    /// # use std::collections::VecDeque;
    /// # let queue = ModelBuilder::new("queue", || (Vec::new(), VecDeque::new()))
    /// #     .op_with("add", any::<i32>(), |model, v| model.push(*v), |queue, v| queue.push_back(*v))
    /// #     .op("front", |model| model.first().copied(), |queue| queue.front().copied());
    /// queue.checker().program("", &["add 3", "front"]).run();
    /// ```
    pub fn program(mut self, start: &str, steps: &[&str]) -> Self {
        let choices = format!("{start} #{} {}", steps.len(), steps.join(" "));
        let max = &mut self.subject.limits.steps.max;
        *max = (*max).max(steps.len() as u64);
        self.with_settings(|settings| settings.replay(choices))
    }
}
