//! One checker for every form of specification: the same settings and the same verbs for closures, models,
//! contracts, laws, refinements and drivers.
//!
//! A [`Checker`] is a run that has not begun ([`Run`]: name, settings, how it is started again) and what it is
//! about. What means nothing for a form does not exist for it: only programs have steps, only a model can run
//! alone.

use crate::checker::{Example, Listener, Progress, Run, Worker, function_of};
use crate::report::{Refusal, Report, or_refusal};
use crate::settings::Settings;
use stairway_engine::{Case, Checked, Observations};
use std::sync::Arc;
use std::time::Duration;

/// Checks one specification.
///
/// A property is given as a closure when it is run; the checkers of other forms know what they check
/// (`Fifo::checker()`, `Checker::contracts::<Account>()`).
///
/// ```
/// use stairway::prelude::*;
/// let report = Checker::new("addition commutes").cases(100).report(|t| {
///     let (a, b) = (t.pick(any::<i32>())?, t.pick(any::<i32>())?);
///     assert_eq!(a.wrapping_add(b), b.wrapping_add(a));
///     Ok(())
/// });
/// assert!(report.is_success());
/// ```
///
/// It does nothing until `run` or `report` is called, and says so if it is dropped before.
#[derive(Debug)]
#[must_use = "a checker does nothing until `run` or `report` is called"]
pub struct Checker<S = Closure> {
    pub(crate) run: Run,
    pub(crate) subject: S,
    reminder: Reminder,
}

/// A property that is given when it is checked.
#[derive(Clone, Copy, Debug)]
pub struct Closure;

/// What a checker is about, where it is known before it is run.
pub trait Check: Sized {
    /// Checks it and returns the report.
    #[doc(hidden)]
    fn report(self, run: Run) -> Report;

    /// The settings that demand everything there is: all operations, or all alternatives.
    #[doc(hidden)]
    fn demanding(settings: Settings) -> Settings {
        settings.demand_all_operations()
    }
}

/// Complains if the checker is dropped without having run: a test that checks nothing passes.
#[derive(Debug)]
struct Reminder {
    /// The checker's name, until it is used.
    of: Option<String>,
}

impl Drop for Reminder {
    fn drop(&mut self) {
        if let Some(name) = self.of.take()
            && !std::thread::panicking()
        {
            panic!("the checker of `{name}` was dropped without `run` or `report`: nothing was checked");
        }
    }
}

impl<S> Checker<S> {
    pub(crate) fn of(name: impl Into<String>, subject: S) -> Self {
        let name = name.into();
        Checker { reminder: Reminder { of: Some(name.clone()) }, run: Run::new(name), subject }
    }

    /// What the checker is made of, once it is used.
    fn used(mut self) -> (Run, S) {
        self.reminder.of = None;
        (self.run, self.subject)
    }

    /// Replaces all settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.run.settings = settings;
        self
    }

    /// Changes the settings that it has.
    pub fn with_settings(mut self, change: impl FnOnce(Settings) -> Settings) -> Self {
        self.run.settings = change(std::mem::take(&mut self.run.settings));
        self
    }

    /// How many cases have to pass; see [`Settings::cases`].
    pub fn cases(self, n: u64) -> Self {
        self.with_settings(|settings| settings.cases(n))
    }

    /// Where all randomness starts; see [`Settings::seed`].
    pub fn seed(self, seed: u64) -> Self {
        self.with_settings(|settings| settings.seed(seed))
    }

    /// How long the search goes on; see [`Settings::time`].
    pub fn time(self, time: Duration) -> Self {
        self.with_settings(|settings| settings.time(time))
    }

    /// Runs cases in a process of their own, so that a crash or a hang is a failure like others; see
    /// [`Settings::isolate`].
    pub fn isolate(self) -> Self {
        self.with_settings(Settings::isolate)
    }

    /// The name under which failures are reported and stored.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.run.name = name.into();
        self.run.is_stored_by_test = false;
        self
    }

    /// How this binary, started again, checks the same: where it is isolated and this is not a test binary.
    pub fn worker(mut self, worker: Worker) -> Self {
        self.run.worker = Some(worker);
        self
    }

    /// Whom to tell how far the run has come: after each case of the search, with what was observed in it,
    /// and often while shrinking, with nothing.
    pub fn listener(
        mut self,
        told: impl Fn(Progress, Option<&Observations>) + Send + Sync + 'static,
    ) -> Self {
        self.run.listener = Some(Listener(Arc::new(told)));
        self
    }

    /// Ends the run, with what it has found so far, once `is_interrupted` says so: it is asked before each
    /// case.
    pub fn interrupted_by(mut self, is_interrupted: fn() -> bool) -> Self {
        self.run.is_interrupted = Some(is_interrupted);
        self
    }
}

impl<S: Check> Checker<S> {
    /// Fails the run if an operation was never done or, in a refinement, something that the specification
    /// allows never happened.
    pub fn demand_all(self) -> Self {
        self.with_settings(S::demanding)
    }

    /// Checks it; panics with the report if it does not hold.
    pub fn run(self) {
        self.report().conclude();
    }

    /// Checks it and returns the report.
    pub fn report(self) -> Report {
        let (run, subject) = self.used();
        subject.report(run)
    }

    /// Checks it and returns the report, or why there is none.
    ///
    /// # Errors
    /// If there can be no verdict, which [`report`](Checker::report) ends with a panic.
    pub fn try_report(self) -> Result<Report, Refusal> {
        or_refusal(|| self.report())
    }
}

impl Checker<Closure> {
    /// A checker for the property called `name`; its failures are stored under that name.
    pub fn new(name: impl Into<String>) -> Self {
        Checker::of(name, Closure)
    }

    /// Inputs that always run before anything is drawn.
    pub fn examples(mut self, examples: &[Example]) -> Self {
        self.run.examples = examples.into();
        self
    }

    /// Checks the property; panics with the report if it does not hold.
    pub fn run(self, property: impl Fn(&mut Case<'_>) -> Checked + Sync) {
        self.report(property).conclude();
    }

    /// Checks the property and returns the report.
    pub fn report(self, property: impl Fn(&mut Case<'_>) -> Checked + Sync) -> Report {
        self.used().0.report(property)
    }

    /// Checks the property and returns the report, or why there is none.
    ///
    /// # Errors
    /// If there can be no verdict, which [`report`](Checker::report) ends with a panic.
    pub fn try_report(self, property: impl Fn(&mut Case<'_>) -> Checked + Sync) -> Result<Report, Refusal> {
        or_refusal(|| self.report(property))
    }

    /// Workers that run the cases of a fuzzer.
    #[doc(hidden)]
    #[must_use]
    pub fn target(self) -> crate::fuzz::Target {
        self.used().0.target()
    }

    /// Checks an asynchronous property; panics with the report if it does not hold.
    pub fn run_async(self, property: impl AsyncFn(&mut Case<'_>) -> Checked + Sync) {
        self.run(|case| crate::block_on(property(case)));
    }
}

/// Checks a property written as a closure over a case; panics with the report if it does not
/// hold. It is named after the function it stands in; use [`Checker`] for settings, or when a
/// function checks several properties.
///
/// ```
/// stairway::check(|t| {
///     let xs = t.pick(stairway::generate::vec(0..100, 1..20))?;
///     let i = t.pick(0..xs.len())?;
///     t.assume(xs[i] > 0)?;
///     assert!(xs.iter().sum::<i32>() > 0);
///     Ok(())
/// });
/// ```
pub fn check<F: Fn(&mut Case<'_>) -> Checked>(property: F) {
    Run::new(function_of::<F>()).run_here(property);
}

/// [`check`] for a property that awaits; runs it with [`block_on`](crate::block_on).
///
/// ```
/// stairway::check_async(async |t| {
///     let n = t.pick(0..10)?;
///     assert!(std::future::ready(n).await < 10);
///     Ok(())
/// });
/// ```
pub fn check_async<F: AsyncFn(&mut Case<'_>) -> Checked>(property: F) {
    Run::new(function_of::<F>()).run_here(|case| crate::block_on(property(case)));
}
