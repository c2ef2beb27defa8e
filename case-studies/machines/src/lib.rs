//! Machines: each module is one declaration with the properties that hold of it, which are checked when
//! this crate is compiled. Five have something real behind them, in which a bug can be planted.
#![allow(missing_docs, reason = "a machine is read as a whole, in its README section")]

pub mod alternating;
pub mod arq;
pub mod atm;
pub mod commit;
pub mod file;
pub mod flash;
pub mod handshake;
pub mod lease;
pub mod pick_and_place;
pub mod replicas;

/// Whether a driver is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    None,
    Planted,
}
