//! A real system behind a machine: the machine is its model.
//!
//! Receives a driver, hands the engine a list of methods, one for each operation of the machine. Each draws arguments as the
//! machine draws them, lets the driver do it, and asks the machine whether what came of it is allowed (`stepping`). So programs
//! are shrunk, stored, counted and reported like those of any model. Where the machine's `options` says what is done there is one
//! method for all, and a program that was written is run by one, too.

mod stepping;

use super::transitions::say_untaken;
use super::{Formula, Machine};
use crate::failure_words;
use crate::program::{ModelBuilder, Operation, ProgramChecker, Running};
use crate::report::{Report, fail};
use crate::reproducer_driver::{Behind, function_name, type_name};
use crate::reproducer_program::{Beginning, Subject};
use crate::settings::Settings;
use crate::watchdog::Doing;
use stairway_engine::{FailureKind, Step};
use std::sync::{Arc, OnceLock, PoisonError};
use stepping::{Asked, Place, Stepper, Which, Written, doing, is_end};

/// Tests a driver against its machine; made by the machine's `test`.
#[must_use = "a checker does nothing until `run` or `report` is called"]
pub struct DriverChecker<M: Machine, D> {
    start: Arc<dyn Fn() -> D + Send + Sync>,
    /// The start as an expression; empty if it has no name.
    start_name: String,
    call: fn(&mut D, M::Op) -> M::Op,
    formulas: Vec<Formula<M>>,
    settings: Settings,
    steps: u64,
    name: String,
    written: Option<Written<M>>,
}

impl<M: Machine, D> std::fmt::Debug for DriverChecker<M, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DriverChecker").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<M: Machine, D: 'static> DriverChecker<M, D> {
    #[doc(hidden)]
    pub fn new<S: Fn() -> D + Send + Sync + 'static>(start: S, call: fn(&mut D, M::Op) -> M::Op) -> Self {
        DriverChecker {
            start: Arc::new(start),
            start_name: function_name(std::any::type_name::<S>()),
            call,
            formulas: Vec::new(),
            settings: Settings::new(),
            steps: 50,
            name: format!("{} behind {}", type_name(std::any::type_name::<D>()), M::NAME),
            written: None,
        }
    }

    /// A formula that must hold on every run; several can be added.
    pub fn formula(mut self, formula: &Formula<M>) -> Self {
        self.formulas.push(*formula);
        self
    }

    /// Replaces all settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// How many programs have to pass.
    pub fn cases(mut self, n: u64) -> Self {
        self.settings = self.settings.cases(n);
        self
    }

    /// Where all randomness starts.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings = self.settings.seed(seed);
        self
    }

    /// Programs have at most this many steps (50 by default).
    pub fn steps(mut self, max: u64) -> Self {
        self.steps = max;
        self
    }

    /// The name under which failures are reported and stored.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Runs these operations and nothing else; a report of a failure prints them.
    ///
    /// The driver gives the results. Those that are written say what it answered once: if it answers otherwise and an operation is
    /// not possible then, the program ends there, and a warning says so. An operation that is not possible although everything
    /// was answered as it is written is an error.
    ///
    /// ```
    /// # use stairway::prelude::*;
    /// # #[machine(start = Shut)]
    /// # pub mod door {
    /// #     pub enum State { Shut, Open }
    /// #     pub enum Op { Push { ret: Moved }, Pull }
    /// #     pub enum Moved { Yes, No }
    /// #     fn next(s: State, op: Op) -> State {
    /// #         match (s, op) {
    /// #             (Shut, Push { ret: Yes }) => Open,
    /// #             (Shut, Push { ret: No }) => Shut,
    /// #             (Open, Pull) => Shut,
    /// #         }
    /// #     }
    /// # }
    /// # #[derive(Default)]
    /// # struct Hinges;
    /// # impl door::Driver for Hinges {
    /// #     fn push(&mut self) -> door::Moved { door::Moved::Yes }
    /// #     fn pull(&mut self) {}
    /// # }
    /// # fn main() {
    /// use door::{Moved, Op};
    /// door::test(Hinges::default).program([Op::Push { ret: Moved::Yes }, Op::Pull]).run();
    /// # }
    /// ```
    pub fn program(mut self, ops: impl IntoIterator<Item = M::Op>) -> Self {
        self.written = Some(Written { ops: ops.into_iter().collect(), ended: Arc::new(OnceLock::new()) });
        self
    }

    /// Tests the driver; panics with the report if it does something that the machine does not allow.
    pub fn run(self) {
        self.report().conclude();
    }

    /// Tests the driver and gives the report.
    pub fn report(self) -> Report {
        match self.written.clone() {
            Some(written) => self.report_of(written),
            None => {
                let (steps, settings) = (self.steps, self.settings.clone());
                let mut report = self.checker().settings(settings).steps(steps).report();
                say_untaken::<M>(&mut report);
                report
            }
        }
    }

    /// What checks the driver.
    fn checker(self) -> ProgramChecker<ModelBuilder<Place<M>, D>> {
        let behind = Beginning::Driver(self.behind());
        let asked = Asked::<M>::default();
        let says = Arc::clone(&asked);
        let says = move || {
            let asked = says.lock().unwrap_or_else(PoisonError::into_inner);
            asked.map(|(state, op)| doing::<M>(&state, &op))
        };
        self.methods(asked).checker().about(Subject::Driver, behind).doing(Doing(Arc::new(says)))
    }

    /// Runs a program that was written.
    fn report_of(mut self, written: Written<M>) -> Report {
        let n = written.ops.len() as u64;
        let settings = self.settings.clone().cases(1).max_shrinks(0).without_regressions();
        // What is stored or replayed of other programs is not meant for this one.
        self.name += ", one program";
        let mut report = self.checker().settings(settings).steps(n).min_steps(n).report();
        report.is_written = true;
        if let Some(found) = report.counterexample()
            && found.failure.kind == FailureKind::Impossible
        {
            fail(format!("stairway: {}", failure_words::message(&found.failure)));
        }
        report.warnings.extend(written.ended.get().cloned());
        report
    }

    /// What is known of this test as source text.
    fn behind(&self) -> Behind {
        Behind {
            machine: M::NAME,
            types: M::TYPES,
            start: self.start_name.clone(),
            formulas: self.formulas.iter().map(|formula| formula.name).collect(),
        }
    }

    fn methods(self, asked: Asked<M>) -> ModelBuilder<Place<M>, D> {
        let DriverChecker { start, call, formulas, name, written, .. } = self;
        let stepper = Stepper { call, formulas: formulas.into(), asked };
        let of_start = Arc::clone(&stepper.formulas);
        let methods = ModelBuilder::new(name, move || (Place::start(&of_start), start()));
        let is_written = written.is_some();
        let methods = match written {
            Some(written) => methods.method(method("step", Which::Written(written), stepper)).counted(M::OPS),
            None if M::HAS_OPTIONS => {
                methods.method(method("step", Which::Proposed, stepper)).counted(M::OPS)
            }
            None => M::OPS.iter().enumerate().fold(methods, |methods, (op, name)| {
                let weight = move |place: &Place<M>| M::WEIGHTS[M::state_index(&place.state)][op];
                methods.method(method(name, Which::Drawn(op), stepper.clone()).weight_by(weight))
            }),
        };
        methods.terminal(move |place: &Place<M>| place.is_over || !is_written && is_end::<M>(&place.state))
    }
}

fn method<M: Machine, D: 'static>(
    name: &'static str,
    which: Which<M>,
    stepper: Stepper<M, D>,
) -> Operation<Place<M>, D> {
    Operation::custom(name, move |running: &mut Running<Place<M>, D>, step: &mut Step<'_, '_>| {
        stepper.step(&which, running, step)
    })
}
