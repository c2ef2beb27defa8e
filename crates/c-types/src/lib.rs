//! What a C compiler made of a program.
//!
//! Reads types, layouts, functions and lines from the bytes of a linked object. A crate of its own because
//! two read it: `stairway-c` when a test runs, and the macro behind `stairway_c::library!` when a test is
//! compiled. It knows no specs, builds nothing and runs nothing.

pub mod ctypes;
pub mod dwarf;
