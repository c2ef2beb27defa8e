//! Five machines, and what is really behind each of them, with a bug that can be planted there.
//!
//! Each module holds a machine, its properties and a driver. The properties are checked when this crate
//! is compiled.
#![allow(missing_docs, reason = "a machine is read as a whole, in its README section")]

pub mod file;
pub mod flash;
pub mod handshake;
pub mod pick_and_place;
pub mod replicas;

/// Whether a driver is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    None,
    Planted,
}
