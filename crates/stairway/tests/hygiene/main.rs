//! Users rely on their own names: fields and operations may be called like anything that the expansion of
//! `#[machine]`, `compose!` or `temporal!` mentions.
//!
//! `declared.in` and `mentioned.in` list all such names; a test of the macros (`machine/hygiene.rs`) fails if
//! one is missing.

#[macro_use]
mod machines;

include!("declared.in");
