//! The engine.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod case;
mod choice;
mod choices;
mod execute;
mod exhaust;
mod float;
mod generate;
mod judge;
mod prng;
mod replay;
mod report;
mod run;
mod shrink;
mod statistics;
mod stop;
mod target;
pub use case::{Answer, Case, Demand, Drawn, Guard, Observed, Tap, unguarded};
pub use choice::{Choice, Offset, Shape, Value};
pub use choices::{Choices, FULL_SIZE, Fault, Halt, MAX_CHOICES, MAX_DEPTH, Source, Span};
pub use execute::{Execute, Executed, InProcess, Plan, Recording, execute_with};
pub use generate::*;
pub use judge::{Failure, Verdict};
pub use prng::Prng;
pub use report::{Counterexample, Flaky, Found, Outcome, Report, Stale};
pub use run::{Hooks, NoHooks, Settings, Stored, Workspace, run};
pub use shrink::{Pass, PassCount, Shrinking, is_simpler};
pub use statistics::{Best, Coverage, Decision, MAX_ROWS, Statistics, Table};
pub use stop::{Checked, Discard, Place, Stop};
