//! Machines: each file is one declaration with the properties that hold of it. That this crate compiles
//! is half of its test.

pub mod arq;
pub mod atm;
pub mod crash_stop;
pub mod file;
pub mod handshake;
pub mod motor;
pub mod pick_and_place;
