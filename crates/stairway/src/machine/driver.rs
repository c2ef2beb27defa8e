//! Tests a real system against a machine: the machine is its model.
//!
//! The engine gets one operation for each operation of the machine. It draws arguments as the machine draws
//! them, has the driver make the call, and asks the machine whether the outcome is allowed (`stepping`). So programs are shrunk, stored, counted and reported like those of any model.
//! Where the machine's `options` says what is done there is one method for all, and a program that was
//! written is run by one, too.

mod stepping;

use super::transitions::say_untaken;
use super::{Formula, Machine, Picture};
use crate::check::{Check, Checker};
use crate::checker::Run;
use crate::failure_words;
use crate::program::{HasPrograms, ModelBuilder, Operation, ProgramLimits, ProgramRun, Programs};
use crate::report::{Report, fail};
use crate::reproducer_driver::{DriverSource, function_name, type_name};
use crate::reproducer_program::{ProgramStart, Subject};
use crate::watchdog::ActivitySource;
use stairway_engine::{FailureKind, Step};
use std::sync::{Arc, OnceLock, PoisonError};
use stepping::{HandWrittenProgram, LastQuestion, OperationSource, Place, Stepper, doing, is_end};

/// Tests a driver against its machine; made by the machine's `test`.
pub type DriverChecker<M, D> = Checker<Driver<M, D>>;

/// What is behind a machine.
pub struct Driver<M: Machine, D> {
    start: Arc<dyn Fn() -> D + Send + Sync>,
    /// The start as an expression; empty if it has no name.
    start_name: String,
    call: fn(&mut D, M::Op) -> M::Op,
    formulas: Vec<Formula<M>>,
    limits: ProgramLimits,
    written: Option<HandWrittenProgram<M>>,
}

impl<M: Machine, D> std::fmt::Debug for Driver<M, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Driver").field("start", &self.start_name).finish_non_exhaustive()
    }
}

impl<M: Machine, D> HasPrograms for Driver<M, D> {
    fn limits(&mut self) -> &mut ProgramLimits {
        &mut self.limits
    }
}

impl<M: Machine, D: 'static> Check for Driver<M, D> {
    fn report(self, run: Run) -> Report {
        match self.written.clone() {
            Some(written) => self.report_of(run, &written),
            None => {
                let mut report = self.checker(run).report();
                say_untaken::<M>(&mut report);
                report
            }
        }
    }
}

impl<M: Machine, D: 'static> Checker<Driver<M, D>> {
    #[doc(hidden)]
    pub fn driver<S: Fn() -> D + Send + Sync + 'static>(start: S, call: fn(&mut D, M::Op) -> M::Op) -> Self {
        let name = format!("{} behind {}", type_name(std::any::type_name::<D>()), M::NAME);
        let driver = Driver {
            start: Arc::new(start),
            start_name: function_name(std::any::type_name::<S>()),
            call,
            formulas: Vec::new(),
            limits: ProgramLimits::default(),
            written: None,
        };
        let mut checker = Checker::of(name, driver);
        checker.run.is_stored_by_test = true;
        checker.run.machine = Some(Picture::of::<M>());
        checker
    }

    /// A formula that must hold on every run; several can be added.
    pub fn formula(mut self, formula: &Formula<M>) -> Self {
        self.subject.formulas.push(*formula);
        self
    }

    /// Runs these operations and nothing else; a report of a failure prints them.
    ///
    /// The driver gives the results. Those that are written say what it answered once: if it answers
    /// otherwise and an operation is not possible then, the program ends there, and a warning says so. An
    /// operation that is not possible although everything was answered as it is written is an error.
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
        self.subject.written =
            Some(HandWrittenProgram { ops: ops.into_iter().collect(), ended: Arc::new(OnceLock::new()) });
        self
    }
}

impl<M: Machine, D: 'static> Driver<M, D> {
    /// What checks the driver.
    fn checker(self, mut run: Run) -> Checker<Programs<ModelBuilder<Place<M>, D>>> {
        let behind = ProgramStart::Driver(self.behind());
        let asked = LastQuestion::<M>::default();
        let says = Arc::clone(&asked);
        let says = move || {
            let asked = says.lock().unwrap_or_else(PoisonError::into_inner);
            asked.map(|(state, op)| doing::<M>(&state, &op))
        };
        let limits = self.limits;
        let mut checker = self.methods(run.name.clone(), asked).checker();
        (run.subject, run.start) = (Subject::Driver, Some(behind));
        run.doing = Some(ActivitySource(Arc::new(says)));
        checker.run = run;
        *checker.subject.limits() = limits;
        checker
    }

    /// Runs a program that was written.
    fn report_of(self, mut run: Run, written: &HandWrittenProgram<M>) -> Report {
        let n = written.ops.len() as u64;
        run.settings = std::mem::take(&mut run.settings).cases(1).max_shrinks(0).without_regressions();
        // What is stored or replayed of other programs is not meant for this one.
        run.name += ", one program";
        let mut report = self.checker(run).steps(n).min_steps(n).report();
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
    fn behind(&self) -> DriverSource {
        DriverSource {
            machine: M::NAME,
            start: self.start_name.clone(),
            formulas: self.formulas.iter().map(|formula| formula.name).collect(),
        }
    }

    fn methods(self, name: String, asked: LastQuestion<M>) -> ModelBuilder<Place<M>, D> {
        let Driver { start, call, formulas, written, .. } = self;
        let stepper = Stepper { call, formulas: formulas.into(), asked };
        let of_start = Arc::clone(&stepper.formulas);
        let methods = ModelBuilder::new(name, move || (Place::start(&of_start), start()));
        let is_written = written.is_some();
        let methods = match written {
            Some(written) => {
                methods.method(method("step", OperationSource::Written(written), stepper)).counted(M::OPS)
            }
            None if M::HAS_OPTIONS => {
                methods.method(method("step", OperationSource::Proposed, stepper)).counted(M::OPS)
            }
            None => M::OPS.iter().enumerate().fold(methods, |methods, (op, name)| {
                let weight = move |place: &Place<M>| M::WEIGHTS[M::state_index(&place.state)][op];
                methods.method(method(name, OperationSource::Drawn(op), stepper.clone()).weight_by(weight))
            }),
        };
        methods.terminal(move |place: &Place<M>| place.is_over || !is_written && is_end::<M>(&place.state))
    }
}

fn method<M: Machine, D: 'static>(
    name: &'static str,
    which: OperationSource<M>,
    stepper: Stepper<M, D>,
) -> Operation<Place<M>, D> {
    Operation::custom(name, move |running: &mut ProgramRun<Place<M>, D>, step: &mut Step<'_, '_>| {
        stepper.step(&which, running, step)
    })
}
