//! Temporal formulas as tables: what they are made from, how they are made, and how they judge a run.
//!
//! `temporal!` makes the tables while it expands (feature `build`), and `stairway-machine` runs them in const
//! evaluation and in tests. This package lies below both, so that there is one description of each table. It
//! knows neither machines nor syntax: a predicate is a number.
//!
//! You rarely depend on it yourself; `stairway-machine` re-exports what runs.
#![no_std]
#![forbid(unsafe_code)]
#[cfg(any(feature = "build", test))]
extern crate alloc;

#[cfg(any(feature = "build", test))]
mod automata;
mod meaning;
#[cfg(any(feature = "build", test))]
mod normal;
#[cfg(any(feature = "build", test))]
mod parts;
mod tables;

#[cfg(any(feature = "build", test))]
pub use automata::{AutomatonTables, MonitorTables, automaton, monitor};
pub use meaning::{Lasso, Part};
#[cfg(any(feature = "build", test))]
pub use normal::{AutoDeadline, Formula};
#[cfg(any(feature = "build", test))]
pub use parts::parts;
pub use tables::{ANYTHING, Automaton, Branching, CYCLIC, Letter, Monitor, Move, Standing};
