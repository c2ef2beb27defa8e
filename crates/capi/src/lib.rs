//! Stairway for C without an operating system: what stands behind `include/stairway.h`.
//!
//! Receives properties as C structs of callbacks and one buffer of memory; hands on a verdict, a
//! report as a C struct, and text through a callback. The header is the manual. This crate is a thin
//! layer: programs are run, made smaller and counted by the engine; what is here turns
//! C callbacks into its operations, and its report into text. `archive/` builds `libstairway.a` out of it.
#![no_std]
extern crate alloc;

pub mod abi;
