//! Case study: a capability kernel on a bare machine.
//!
//! The study is C: `kernel/` is the kernel, `user/` what runs above it, `host/` a machine that is a Linux
//! program. What is here builds the images ([`compile`]) and boots them ([`mod@boot`]), for the tests and for
//! the benchmarks. It knows no property.

pub mod boot;
pub mod compile;

pub use boot::{Ended, Verdict, boot, run_here};
pub use compile::{Parts, Program};
