//! Property-based testing of stateful code, one step at a time.
#![forbid(unsafe_code)]

#[cfg(feature = "arbitrary")]
mod adapter;
mod regex;
mod source;

#[cfg(feature = "arbitrary")]
pub use adapter::{FromArbitrary, from_arbitrary};
pub use regex::{ByteRegex, Regex, RegexError, RegexErrorKind, byte_regex, regex};
pub use source::ToSource;
pub use stairway_engine::*;
pub use stairway_macros::ToSource;
