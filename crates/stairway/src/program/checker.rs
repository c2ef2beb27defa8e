//! Checking by programs: a checker like any other, with programs for cases.

use super::model::Model;
use super::model_builder::{ModelBuilder, Prunes};
use crate::checker::Checker;
use crate::report::Report;
use crate::reproducer_program::{Beginning, Subject};
use crate::settings::Settings;
use crate::watchdog::Doing;
use stairway_engine::{Operations, Steps, run_program};

/// Checks a system against its model; made by the `checker()` of a `#[model]`.
pub type ModelChecker<M> = ProgramChecker<ModelBuilder<M, <M as Model>::System>>;

/// Runs programs of operations: a [`ModelChecker`] or a [`ContractsChecker`](crate::program::ContractsChecker).
///
/// It does nothing until [`run`](ProgramChecker::run) or [`report`](ProgramChecker::report) is
/// called, and says so if it is dropped before.
#[derive(Debug)]
#[must_use = "a checker does nothing until `run` or `report` is called"]
pub struct ProgramChecker<O> {
    name: String,
    operations: O,
    settings: Settings,
    steps: Steps,
    depth: Option<u64>,
    n_values: u64,
    about: About,
    doing: Option<Doing>,
    /// What programs do not call, each with the reason.
    uncalled: Vec<(&'static str, &'static str)>,
    is_used: bool,
}

/// How many values numbers and the like take where all programs are tried.
const N_VALUES: u64 = 3;

/// What is checked, and how its programs begin as source text.
type About = (Subject, Option<Beginning>);

impl<M, S> ProgramChecker<ModelBuilder<M, S>> {
    /// [`exhaustive`](ProgramChecker::exhaustive), but a program that has come to a *model* seen
    /// before is not gone on with, whatever the state of the system: faster, and blind to
    /// mistakes that the model does not show until later. The model must be `Hash`.
    pub fn exhaustive_modulo_model(mut self, depth: u64) -> Self {
        self.operations.prunes = Prunes::OnModel;
        self.exhaustive(depth)
    }

    /// Leaves the system out: programs run on the model alone, whose invariants must hold and
    /// which must not get stuck.
    pub fn model_alone(mut self) -> Self {
        self.operations.has_system = false;
        self.about.0 = Subject::ModelAlone;
        if let Some(Beginning::Model(start)) = &mut self.about.1 {
            start.is_model_alone = true;
        }
        self
    }
}

impl<O: Operations + Sync> ProgramChecker<O> {
    pub(super) fn of(name: String, operations: O, about: About) -> Self {
        ProgramChecker {
            name,
            operations,
            settings: Settings::new(),
            steps: Steps::default(),
            depth: None,
            n_values: N_VALUES,
            about,
            doing: None,
            uncalled: Vec::new(),
            is_used: false,
        }
    }

    /// Says what is checked, and how its programs begin as source text.
    pub(crate) fn about(mut self, subject: Subject, start: Beginning) -> Self {
        self.about = (subject, Some(start));
        self
    }

    /// What programs do not call, each with the reason.
    pub(super) fn uncalled(mut self, uncalled: Vec<(&'static str, &'static str)>) -> Self {
        self.uncalled = uncalled;
        self
    }

    /// What says what is being done, for a program that never returns.
    pub(crate) fn doing(mut self, doing: Doing) -> Self {
        self.doing = Some(doing);
        self
    }

    /// Replaces all settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// How many programs have to pass; see [`Settings::cases`].
    pub fn cases(mut self, n: u64) -> Self {
        self.settings = std::mem::take(&mut self.settings).cases(n);
        self
    }

    /// Where all randomness starts; see [`Settings::seed`].
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings = std::mem::take(&mut self.settings).seed(seed);
        self
    }

    /// Programs have at most this many steps (50 by default), and half of them as many.
    pub fn steps(mut self, max: u64) -> Self {
        self.steps.max = max;
        self
    }

    /// Programs have at least this many steps.
    pub fn min_steps(mut self, min: u64) -> Self {
        self.steps.min = min;
        self
    }

    /// Tries every program of up to `depth` steps instead of random ones.
    ///
    /// Numbers, lengths and the like take their three simplest values, or as many as
    /// [`values`](ProgramChecker::values) says; the report says so where they have more. With a
    /// `#[fingerprint]`, and if the model is `Hash`, a program that has come to a state of model
    /// *and* system seen before is not gone on with; what can follow has been tried.
    pub fn exhaustive(mut self, depth: u64) -> Self {
        self.depth = Some(depth);
        self
    }

    /// How many values numbers and the like take in an [`exhaustive`](ProgramChecker::exhaustive)
    /// search.
    pub fn values(mut self, n: u64) -> Self {
        self.n_values = n;
        self
    }

    /// Runs this one program, and shrinks it if it fails: what is drawn at the start, then each
    /// step with what it draws, all written as in [`Settings::replay`].
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
        self.settings = std::mem::take(&mut self.settings).replay(choices);
        self.steps.max = self.steps.max.max(steps.len() as u64);
        self
    }

    /// Fails the run if an operation was never done.
    pub fn demand_all(mut self) -> Self {
        self.settings = std::mem::take(&mut self.settings).demand_all_operations();
        self
    }

    /// Checks the system; panics with the report if it does something wrong.
    pub fn run(self) {
        self.report().conclude();
    }

    /// Checks the system and gives the report.
    pub fn report(mut self) -> Report {
        self.is_used = true;
        let mut steps = self.steps;
        let mut settings = std::mem::take(&mut self.settings);
        if let Some(depth) = self.depth {
            steps.max = steps.max.max(depth);
            settings = settings.all_programs(depth, self.n_values);
        }
        let uncalled = std::mem::take(&mut self.uncalled);
        let operations = &self.operations;
        Checker::new(&*self.name)
            .settings(settings)
            .about(self.about.0, self.about.1.clone())
            .doing(self.doing.clone())
            .uncalled(uncalled)
            .report(|case| run_program(operations, steps, case))
    }
}

impl<O> Drop for ProgramChecker<O> {
    fn drop(&mut self) {
        if !self.is_used && !std::thread::panicking() {
            panic!(
                "the checker of `{}` was dropped without `run` or `report`: nothing was checked",
                self.name
            );
        }
    }
}
