//! The test `hygiene` with the names that expansions mention and do not declare.

#[macro_use]
mod machines;

include!("mentioned.in");
