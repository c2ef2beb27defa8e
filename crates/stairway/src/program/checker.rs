//! Checking by programs: a checker like any other, with programs for cases.

use super::methods::Methods;
use super::model::Model;
use crate::checker::Checker;
use crate::report::Report;
use crate::reproducer_program::{Start, Subject};
use crate::settings::Settings;
use stairway_engine::{Operations, Steps, run_program};

/// Checks a system against its model; made by the `checker()` of a `#[model]`.
pub type ModelChecker<M> = ProgramChecker<Methods<M, <M as Model>::System>>;

/// Runs programs of operations: a [`ModelChecker`] or a [`CallsChecker`](crate::CallsChecker).
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
    about: About,
    is_used: bool,
}

/// What is checked, and how its programs begin as source text.
type About = (Subject, Option<Start>);

impl<M, S> ProgramChecker<Methods<M, S>> {
    /// Leaves the system out: programs run on the model alone, whose invariants must hold and
    /// which must not get stuck.
    pub fn model_alone(mut self) -> Self {
        self.operations.has_system = false;
        self.about.0 = Subject::ModelAlone;
        if let Some(start) = &mut self.about.1 {
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
            about,
            is_used: false,
        }
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
        let steps = self.steps;
        let settings = std::mem::take(&mut self.settings);
        let operations = &self.operations;
        Checker::new(&*self.name)
            .settings(settings)
            .about(self.about.0, self.about.1.clone())
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
