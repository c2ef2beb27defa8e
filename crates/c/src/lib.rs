//! Stairway for C: reads contracts from the comments of C files and finds the shortest sequence of
//! calls that breaks one.
//!
//! The way of the data: `source` (what the user's files say, and where), `dwarf` and `ctypes` (what the compiler
//! made of them), `spec` (the contract language, parsed and checked), `build` (an instrumented
//! object), `machine` (the object loaded, called and watched), `evaluate` (contracts over its
//! memory), `operations` (calls as the engine's programs). `library` calls C functions from Rust tests.

pub mod build;
pub mod evaluate;
pub mod hunt;
pub mod library;
pub mod machine;
pub mod noticed;
pub mod operations;
pub mod project;
pub mod report;
pub mod source;
pub mod spec;
#[cfg(test)]
mod testing;

pub use stairway::Progress;
pub use stairway_c_types::{ctypes, dwarf};

/// For what the macros of this crate expand to.
#[doc(hidden)]
pub use stairway as __stairway;
#[doc(hidden)]
pub use stairway_c_macros::__bind;

/// The page of the book about `library`, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/refinement-c.md")]
mod page {}
