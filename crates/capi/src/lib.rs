//! Stairway for C without an operating system: what stands behind `include/stairway.h`.
//!
//! Properties are C structs of callbacks, and memory is one buffer; the answer is a verdict, a report as a C
//! struct, and text through a callback. The header is the manual. This crate is a thin layer: programs are
//! run, made smaller and counted by the engine; what is here turns C callbacks into its operations, and its
//! report into text. `archive/` builds `libstairway.a` out of it.
//!
//! ```text
//! spec (checked) ──► live (the test at hand) ──► operations ──► the engine ──► run ──► render
//!                      ▲ calls, generators, print: what C calls
//! ```
#![no_std]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod abi;
mod assurance;
pub mod calls;
pub mod confidence;
mod frames;
pub mod generators;
mod live;
mod measure;
mod memory;
mod operations;
pub mod print;
mod render;
mod result_codes;
pub mod results;
mod run;
mod sort;
mod spec;
pub mod test_access;

pub use memory::{ARENA, Arena};
pub use run::{panicked, sw_memory_needed, sw_result_name, sw_run, sw_stack_needed, sw_version};
