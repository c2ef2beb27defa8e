//! The result of checking a property, as data with a name.
//!
//! [`Report`] is what every checker returns; printing it gives the report for people, [`words`] the single
//! sentences of which it is made.

use crate::backtrace::test_name;
pub use crate::board::{BoardFacts, BoardFault, BoardRun, ReachCounts};
pub use crate::checker::Progress;
pub use crate::choice_text::line as choice_line;
use crate::machine::Picture;
use crate::render;
use crate::reproducer::{self, Source};
pub use crate::reproducer_program::Subject;
use crate::reproducer_program::{Program, ProgramStart};
pub use crate::settings::SettingsError;
pub use crate::stored_failures::{StoredFailure, StoredFile};
use crate::wording;
pub use stairway_engine::{
    CallFault, CaseOrigin, ContractClause, Counterexample, Evidence, Failure, FailureKind, FlakyCase,
    Identity, Moment, Operand, Outcome, Party, ProcessEnd, Reach, ReturnFault, Role, SanitizerReport, Site,
    SpecificationFault, StaleFailure, UnmetDemand,
};
use std::cell::Cell;
use std::io::Write as _;
use std::path::PathBuf;

/// The sentences of a report, each by itself.
pub mod words {
    pub use crate::failure_words::{discard, identity, message, run_again, unmet};
    pub use crate::render::count;
}

/// What checking a property found. Printing it gives the report for people.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The property's name.
    pub name: String,
    /// How many cases had to pass.
    pub n_cases_wanted: u64,
    /// What the engine found: verdict, counterexample, statistics.
    pub result: stairway_engine::Report,
    /// Where a failure was stored.
    pub stored_in: Option<PathBuf>,
    /// What went wrong beside the property: files that cannot be read, stored failures that no
    /// longer fit.
    pub warnings: Vec<String>,
    /// Whether nothing but the case in `STAIRWAY_REPLAY` was run.
    pub is_replay: bool,
    /// Whether nothing was run, because `STAIRWAY_REPLAY` names something else.
    pub is_skipped: bool,
    /// Whether somebody ended the run before it was done.
    pub is_interrupted: bool,
    /// What was checked.
    pub subject: Subject,
    /// Public functions with contracts that programs did not call, each with the reason.
    pub uncalled: Vec<(&'static str, &'static str)>,
    /// What is said to have been checked, if not the name.
    pub(crate) title: Option<String>,
    /// The test that asked for this, where its thread is named after it.
    pub(crate) test: Option<String>,
    pub(crate) source: Option<Source>,
    pub(crate) start: Option<ProgramStart>,
    /// The machine that was checked.
    pub(crate) machine: Option<Picture>,
    /// Whether nothing but a program that was written in the test was run.
    pub(crate) is_written: bool,
    /// What only runs on boards have, and the failing sequence as a test in C.
    pub(crate) board: Option<Box<(BoardFacts, Option<String>)>>,
}

impl Report {
    /// Whether the property held as far as it was tried.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.result.outcome.is_success()
    }

    /// The smallest failing case, if there is one.
    #[must_use]
    pub fn counterexample(&self) -> Option<&Counterexample> {
        match &self.result.outcome {
            Outcome::Falsified(found) => Some(found),
            _ => None,
        }
    }

    /// The counterexample as a test that fails on its own, where it can be written as one: in Rust, and of a
    /// board in C.
    #[must_use]
    pub fn test(&self) -> Option<String> {
        let found = self.counterexample()?;
        match self.subject {
            Subject::Board => self.board.as_ref()?.1.clone(),
            Subject::Property | Subject::Refinement => reproducer::test_of(self.source.as_ref()?, found),
            _ => self.program(found).test().ok(),
        }
    }

    /// A failing program, to be written as a test.
    pub(crate) fn program<'r>(&'r self, found: &'r Counterexample) -> Program<'r> {
        let (start, behind) = match &self.start {
            Some(ProgramStart::Model(start)) => (Some(start), None),
            Some(ProgramStart::Driver(behind)) => (None, Some(behind)),
            None => (None, None),
        };
        Program { name: &self.name, subject: self.subject, start, behind, found }
    }

    /// Ends a test: prints the report, and panics with it if the property does not hold.
    pub fn conclude(&self) {
        if !self.is_success() {
            // Who asks for the data may be anybody; what ends here is a test.
            let of_test = Report { test: test_name(), ..self.clone() };
            fail(of_test.to_string());
        }
        if crate::fuzz::is_target() {
            return;
        }
        println!("{self}");
        // What a passing test prints is not shown; a warning has to be.
        for warning in &self.warnings {
            let _ = writeln!(std::io::stderr(), "warning: {}: {warning}", wording::subject(self));
        }
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&render::text(self))
    }
}

/// Why a run came to no verdict. What is wrong was printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Settings, the environment or a case to replay are wrong.
    Input,
    /// The program under test dies while it is loaded, before anything of it is called.
    Program,
    /// A worker cannot be started, or does not reach its property.
    Worker,
}

thread_local! {
    /// Why this thread is unwinding, if it is for want of a verdict.
    static REFUSED: Cell<Option<Refusal>> = const { Cell::new(None) };
}

/// Ends a run that cannot come to a verdict.
pub(crate) fn refuse(why: Refusal, message: String) -> ! {
    REFUSED.set(Some(why));
    fail(message)
}

/// Runs `f`, and catches its [`refuse`].
pub(crate) fn or_refusal<T>(f: impl FnOnce() -> T) -> Result<T, Refusal> {
    REFUSED.set(None);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    caught.map_err(|payload| REFUSED.take().unwrap_or_else(|| std::panic::resume_unwind(payload)))
}

/// Ends a test with `message`, without the noise of a panic at a place in our code.
pub(crate) fn fail(message: String) -> ! {
    eprintln!("{message}");
    std::panic::resume_unwind(Box::new(message))
}
