//! The one idea of Stairway: every nondeterministic decision of a test is drawn from one stream of choices.
//!
//! A [`Choices`] value takes its decisions from a [`Source`] (chance, a record, a file's values, a fuzzer's
//! bytes, counting) and records them if asked to. So the code that draws serves random search, replay,
//! shrinking and exhaustive search alike. Everything is a `const fn` over borrowed memory: the compiler, a
//! machine without a heap and an ordinary test run the very same code. This crate needs `core` only; what is
//! made of choices (values, programs, verdicts) is none of its business.
//!
//! ```
//! use stairway_choice::{Choice, Choices, Prng, Source, Span};
//!
//! let (mut record, mut spans) = ([Choice::BLANK; 8], [Span::BLANK; 2]);
//! let mut drawn = Choices::new(Source::Random(Prng::new(7)), 100).recording(&mut record, &mut spans);
//! let pair = (drawn.signed(-100, 100, 0), drawn.chance(1, 2));
//!
//! let replay = Source::Replay { choices: drawn.recorded(), spans: None, bound: u64::MAX };
//! let mut again = Choices::new(replay, 0);
//! assert_eq!((again.signed(-100, 100, 0), again.chance(1, 2)), pair);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#[cfg(any(test, feature = "serde"))]
extern crate std;

mod choice;
mod choices;
mod float;
mod label;
mod prng;
mod replay;
#[cfg(feature = "serde")]
pub mod text;

pub use choice::{Choice, Offset, Shape, Value};
pub use choices::{
    COUNTED_VALUES, Choices, CountedChoice, FULL_SIZE, Fault, Halt, LANES, Lengths, LongestLength,
    MAX_CHOICES, MAX_DEPTH, MAX_DRAWN, Mark, Mix, RECORD, Source, Span, Sums,
};
pub use float::{decimal, index_of as index_of_float};
pub use label::{Label, StaticText};
pub use prng::{Prng, mix};
