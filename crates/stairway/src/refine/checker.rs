//! The checker of a `refinement!`: a checker like any other, with its property.

use crate::checker::{Checker, Example, Worker};
use crate::report::Report;
use crate::reproducer::Source;
use crate::reproducer_program::Subject;
use crate::settings::Settings;
use stairway_engine::{Case, Checked};
use std::fmt;

/// Checks that an implementation does only what its specification allows; made by `refinement!`.
///
/// It does nothing until [`run`](RefinementChecker::run) or [`report`](RefinementChecker::report) is called, and
/// says so if it is dropped before.
#[must_use = "a checker does nothing until `run` or `report` is called"]
pub struct RefinementChecker {
    name: &'static str,
    settings: Settings,
    source: Source,
    examples: Vec<Example>,
    worker: Option<Worker>,
    property: fn(&mut Case<'_>) -> Checked,
    is_used: bool,
}

impl fmt::Debug for RefinementChecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefinementChecker").field("name", &self.name).finish_non_exhaustive()
    }
}

impl RefinementChecker {
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        settings: Settings,
        source: Source,
        examples: Vec<Example>,
        property: fn(&mut Case<'_>) -> Checked,
    ) -> Self {
        RefinementChecker { name, settings, source, examples, worker: None, property, is_used: false }
    }

    /// Changes the settings.
    pub fn settings(mut self, change: impl FnOnce(Settings) -> Settings) -> Self {
        self.settings = change(std::mem::take(&mut self.settings));
        self
    }

    /// How many cases have to pass; see [`Settings::cases`].
    pub fn cases(self, n: u64) -> Self {
        self.settings(|settings| settings.cases(n))
    }

    /// Where all randomness starts; see [`Settings::seed`].
    pub fn seed(self, seed: u64) -> Self {
        self.settings(|settings| settings.seed(seed))
    }

    /// Fails the run if something that the specification allows never happened.
    pub fn demand_all(self) -> Self {
        self.settings(Settings::demand_all_alternatives)
    }

    /// How this binary, started again, checks it: where it is isolated and this is not a test binary.
    pub fn worker(mut self, worker: Worker) -> Self {
        self.worker = Some(worker);
        self
    }

    /// Checks it; panics with the report if the implementation does something else.
    pub fn run(self) {
        self.report().conclude();
    }

    /// Checks it and gives the report.
    pub fn report(mut self) -> Report {
        self.is_used = true;
        let (settings, property) = (std::mem::take(&mut self.settings), self.property);
        let checker = Checker::new(self.name)
            .settings(settings)
            .source(self.source)
            .has_own_test()
            .about(Subject::Refinement, None)
            .examples(&self.examples);
        match self.worker.take() {
            Some(worker) => checker.worker(worker).report(property),
            None => checker.report(property),
        }
    }
}

impl Drop for RefinementChecker {
    fn drop(&mut self) {
        if !self.is_used && !std::thread::panicking() {
            panic!(
                "the checker of `{}` was dropped without `run` or `report`: nothing was checked",
                self.name
            );
        }
    }
}
