//! Property-based testing of stateful code, one step at a time.
#![forbid(unsafe_code)]

mod regex;
mod source;

pub use regex::{ByteRegex, Regex, RegexError, RegexErrorKind, byte_regex, regex};
pub use source::ToSource;
pub use stairway_engine::*;
pub use stairway_macros::ToSource;
