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
mod odd;
mod pool;
mod reach;
mod search;
mod shorten;
mod text;

pub use explored::{Ended, Explored, MAX_OF_ONE, TRIES_A_STATE, patience};
pub use formula::{ANYTHING, Automaton, Letter, Monitor, Move, Standing};
pub use identity::Identity;
pub use judge::{Condition, Reach, holds, is_counterexample, mark, never_met, wait};
pub use meaning::{Circle, Part};
pub use odd::Names;
pub use pool::Pool;
pub use reach::{can_reach, longest_wait};
pub use search::{Edge, Found, Graph, Search};
pub use shorten::shorten;
pub use stairway_choice::{COUNTED_VALUES, Counted, MAX_DRAWN, RECORD};
pub use text::Text;
