//! The library beside its specifications, the planted mistakes, and the README.

mod arrows;
mod elements;
mod planted;
