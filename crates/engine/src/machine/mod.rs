//! What machines need in const evaluation: states told apart, choices counted through, graphs
//! explored, formulas judged, text written. Nothing here uses a heap or calls user code.
//!
//! Receives numbers: states and operations as fingerprints, graphs as lists of edges with a letter
//! each (a bit for each predicate of a formula), formulas as the tables that `temporal!` computes.
//! Hands on paths. Everything is a `const fn` over borrowed slices or arrays of a given size, so
//! that the compiler and a test run the same code. It knows no machine and no syntax.

mod explored;
mod formula;
mod identity;
mod judge;
mod meaning;
mod message;
mod odd;
mod pool;
mod reach;
mod search;
mod shorten;
mod text;

pub use crate::choices::{COUNTED_VALUES, Counted, MAX_DRAWN, RECORD};
pub use explored::{Assurance, Ended, Explored, Known, MAX_OF_ONE, TRIES_A_STATE, patience};
pub use formula::{ANYTHING, Automaton, Letter, Monitor, Move, Standing};
pub use identity::Identity;
pub use judge::{Branch, Branching, Condition, Explorable, Rooms, Tables, Verdict, decide, holds, wait};
pub use meaning::{Lasso, Part};
pub use message::{Head, headed, seed, smallest_within};
pub use odd::Names;
pub use pool::{Arguments, MAX_ENUMERATED, Pool, Scrutiny};
pub use search::{Edge, Found, Graph, Search};
pub use text::Text;
