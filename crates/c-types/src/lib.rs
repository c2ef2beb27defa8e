//! What a C compiler made of a program.
//!
//! Receives the bytes of a linked object; hands on types, layouts, functions and lines. A crate of its own because two read it:
//! `stairway-c` when a test runs, and the macro behind `stairway_c::library!` when a test is compiled. It knows no specs, builds
//! nothing and runs nothing.

pub mod crossing;
pub mod ctypes;
pub mod dwarf;
