//! The engine.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod case;
mod choice;
mod choices;
mod float;
mod generate;
mod judge;
mod prng;
mod stop;
pub use case::{Answer, Case, Demand, Drawn, Guard, Observed, unguarded};
pub use choice::{Choice, Offset, Shape, Value};
pub use choices::{Choices, FULL_SIZE, Fault, Halt, MAX_CHOICES, MAX_DEPTH, Source, Span};
pub use generate::*;
pub use judge::{Failure, Verdict};
pub use prng::Prng;
pub use stop::{Checked, Discard, Stop};
