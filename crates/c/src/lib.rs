//! Stairway for C: reads contracts from the comments of C files and finds the shortest sequence of
//! calls that breaks one.
//!
//! The way of the data: `source` (what the user's files say, and where), `dwarf` and `ctypes` (what the
//! compiler made of them), `spec` (the contract language, parsed and checked), `build` (an instrumented
//! object), `machine` (the object loaded, called and watched), `evaluate` (contracts over its memory),
//! `operations` (calls as the engine's programs). `library` calls C functions from Rust tests.

#[cfg(not(stairway_unsupported))]
pub mod assignment;
#[cfg(not(stairway_unsupported))]
pub mod build;
#[cfg(not(stairway_unsupported))]
pub mod evaluate;
#[cfg(not(stairway_unsupported))]
mod facts;
#[cfg(not(stairway_unsupported))]
pub mod finding;
mod flow;
#[cfg(not(stairway_unsupported))]
pub mod fuzz;
#[cfg(not(stairway_unsupported))]
pub mod hunt;
#[cfg(not(stairway_unsupported))]
pub mod library;
#[cfg(not(stairway_unsupported))]
pub mod machine;
#[cfg(not(stairway_unsupported))]
pub mod operations;
#[cfg(not(stairway_unsupported))]
pub mod project;
#[cfg(not(stairway_unsupported))]
pub mod report;
#[cfg(not(stairway_unsupported))]
pub mod source;
#[cfg(not(stairway_unsupported))]
pub mod spec;
#[cfg(not(stairway_unsupported))]
pub mod storage;
#[cfg(all(test, not(stairway_unsupported)))]
mod testing;
#[cfg(stairway_unsupported)]
mod unsupported;
#[cfg(not(stairway_unsupported))]
pub mod worker;

#[cfg(not(stairway_unsupported))]
pub use stairway::report::Progress;
pub use stairway::report::Refusal;
pub use stairway_c_types::{ctypes, dwarf};
#[cfg(not(stairway_unsupported))]
pub use stairway_sandbox::scratch;
#[cfg(stairway_unsupported)]
pub use unsupported::UNSUPPORTED;

/// For what the macros of this crate expand to.
#[doc(hidden)]
pub use stairway as __stairway;
#[cfg(feature = "library")]
#[doc(hidden)]
pub use stairway_c_macros::{__bind, __module};

/// The page of the book about `library`, as tests.
#[cfg(all(doctest, not(stairway_unsupported)))]
#[doc = include_str!("../../../docs/refinement-c.md")]
mod page {}
