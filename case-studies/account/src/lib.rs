//! A bank account that is specified by contracts only, with bugs that can be planted in it.

mod account;
pub mod bug;

pub use account::{Account, Refused};

#[cfg(test)]
mod tests;
