//! State machines whose misuse is a compile error, and formulas about them that the compiler checks.
//!
//! A production crate that needs nothing else depends on this crate alone: it needs `core`, no heap and no test
//! library, and the checks leave nothing in the binary. `stairway` has the same macros, and adds tests, drivers
//! and pictures.
//!
//! ```
//! use stairway_machine::{machine, temporal};
//!
//! #[machine(start = Shut)]
//! pub mod door {
//!     pub enum State { Shut, Open }
//!     pub enum Op { Push, Pull }
//!     fn next(s: State, op: Op) -> State {
//!         match (s, op) { (Shut, Push) => Open, (Open, Pull) => Shut }
//!     }
//! }
//!
//! temporal! { can_be_shut in door, proved: always(can_reach(at(Shut))) }
//!
//! # fn main() {
//! let _shut = door::start().push().pull();
//! # }
//! ```
//!
//! `compose!` makes one machine of several:
//!
//! ```
//! use stairway_machine::{compose, machine, temporal};
//!
//! #[machine(start = Free)]
//! pub mod lock {
//!     pub enum State { Free, Held }
//!     pub enum Op { Take, Give }
//!     fn next(s: State, op: Op) -> State {
//!         match (s, op) { (Free, Take) => Held, (Held, Give) => Free }
//!     }
//! }
//!
//! #[machine(start = Outside)]
//! pub mod thread {
//!     pub enum State { Outside, Inside }
//!     pub enum Op { Take, Give }
//!     fn next(s: State, op: Op) -> State {
//!         match (s, op) { (Outside, Take) => Inside, (Inside, Give) => Outside }
//!     }
//! }
//!
//! compose! { pub mod guarded = lock * 3 thread }
//! temporal! { one_is_inside in guarded, proved: always(not(at_least(2, thread: Inside))) }
//! # fn main() {}
//! ```
//!
//! The rest is what the macros expand to: fingerprints of states, exploration, decisions about formulas,
//! text. Everything is a `const fn` over borrowed slices or arrays of a given size, so that the compiler and
//! a test run the same code.
#![no_std]
#![forbid(unsafe_code)]
#[cfg(test)]
extern crate alloc;

mod compose;
mod diagnosis;
mod exploration;
mod identity;
mod judge;
mod message;
mod pool;
mod property;
mod reach;
mod refine;
mod search;
mod shorten;
mod text;
mod types;
mod walk;

pub use compose::{
    Channel, Copies, MAX_COPIES, Numbered, Renaming, Which, copies, has_number, numbered, sorted,
};
pub use diagnosis::Names;
pub use exploration::{
    Assurance, Ended, Exploration, FixedStateSpace, Limits, MAX_OF_ONE, N_SMALL, N_WHOLE, Progress, Room,
    StateGraph, TRIES_A_STATE, at_most, chain, graph, patience,
};
pub use identity::Identity;
pub use judge::{Branch, Condition, Explorable, Rooms, Tables, Verdict, decide, holds, wait};
pub use message::{Head, TraceFault, headed, seed, smallest_within};
pub use pool::{Arguments, MAX_ENUMERATED, Numbers, Pool, Scrutiny, largest};
pub use refine::{Steps, unrefined};
pub use search::{Counterexample, Edge, Graph, Search};
pub use stairway_choice::{
    COUNTED_VALUES, Choices, CountedChoice, FULL_SIZE, Label, MAX_DRAWN, Prng, RECORD, Source,
};
pub use stairway_formula::{
    ANYTHING, Automaton, Branching, CYCLIC, Lasso, Letter, Monitor, Move, Part, Standing,
};
#[cfg(feature = "macros")]
#[doc(hidden)]
pub use stairway_macros::composed_core as __composed;
#[cfg(feature = "macros")]
pub use stairway_macros::{
    compose_core as compose, machine_core as machine, refines_core as refines, temporal_core as temporal,
};
pub use text::Text;
pub use types::{S, Undriven, Z};
