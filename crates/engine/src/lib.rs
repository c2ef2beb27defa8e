//! The engine of Stairway: one choice stream from generator to report.
//!
//! Every nondeterministic decision of a test case is drawn from one [`Choices`] value, and nothing
//! else is random. So one piece of generator code serves random search, replay, shrinking (edit
//! the recorded choices, run again), exhaustive search (count through the choices) and a fuzzer's
//! bytes.
//!
//! ```text
//! generate ──► execute ──► judge ──► shrink ──► report
//!  choices      case       verdict    choices    data
//! ```
//!
//! The files are named after these words, and [`run()`] calls every stage in order. The crate is
//! `no_std`, has no dependencies and no `unsafe`, does no I/O and reads no clock. Use it through
//! the crate `stairway` where there is an operating system, and directly where there is none:
//!
//! ```
//! use stairway_engine::{Checked, InProcess, NoHooks, Settings, Workspace, any, run, unguarded};
//!
//! let addition_commutes = |t: &mut stairway_engine::Case<'_>| -> Checked {
//!     let (a, b) = (t.pick(any::<u32>())?, t.pick(any::<u32>())?);
//!     assert_eq!(a.wrapping_add(b), b.wrapping_add(a));
//!     Ok(())
//! };
//! let mut execute = InProcess::new(addition_commutes, unguarded);
//! let report = run(&mut execute, &Settings::default(), &[], &mut NoHooks, &mut Workspace::default());
//! assert!(report.outcome.is_success());
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(feature = "observations")]
mod attachment;
mod budget;
mod case;
mod corpus;
#[cfg(feature = "serde")]
mod crossing;
mod draw;
mod execute;
mod exhaust;
mod failure;
mod generate;
mod judge;
mod map;
mod observations;
mod program;
mod report;
mod run;
mod shrink;
mod state_draw;
mod statistics;
mod steps;
mod stop;
mod target;
#[cfg(feature = "observations")]
mod vary;
mod weights;
#[cfg(feature = "observations")]
pub use attachment::{Attach, Attachment};
pub use budget::{Budget, Limit};
pub use case::{Answer, Case, Guard, Tap, unguarded};
pub use corpus::{Feature, Guide, Operands};
pub use draw::Draw;
pub use execute::{
    Detail, Execute, Execution, InProcess, Plan, Plans, Recording, Round, Sink, Variant, execute_with,
};
pub use exhaust::{Exhaustive, VisitedStates};
pub use failure::{
    CallFault, ContractClause, Evidence, Failure, FailureKind, Identity, Moment, Name, Operand, Party,
    ProcessEnd, Reach, ReturnFault, Role, SanitizerReport, Site, SpecificationFault,
};
pub use generate::*;
pub use judge::Verdict;
pub use map::Map;
#[cfg(feature = "observations")]
pub use observations::Fact;
pub use observations::{CollectedValue, DrawnRole, DrawnValue, FaultSite, Observations};
pub use program::{
    ActualStep, Ending, MANY_OPERATIONS, MAX_OPERATIONS, Operations, ProgramCounts, ShownStep, Step,
    StepOutcome, Steps,
};
pub use report::{CaseOrigin, Counterexample, FlakyCase, Outcome, Report, StaleFailure, UnmetDemand};
pub use run::{Hooks, NoHooks, Room, Settings, StoredCase, Workspace, run};
#[cfg(feature = "observations")]
pub use run::{PLAIN_SIZE, SEEDED_SIZE};
pub use shrink::{Cost, Pass, PassCount, ShrinkPoint, ShrinkSummary, is_simpler};
pub use stairway_choice::{
    Choice, Choices, FULL_SIZE, Fault, Halt, Label, Lengths, LongestLength, MAX_CHOICES, MAX_DEPTH, Offset,
    Prng, Shape, Source, Span, StaticText, Value,
};
pub use state_draw::{Imprint, is_empty};
pub use statistics::{Alternative, BestScore, Coverage, Decision, MAX_ROWS, Statistics, Table};
pub use steps::run_program;
pub use stop::{Checked, Discard, Place, Stop};
