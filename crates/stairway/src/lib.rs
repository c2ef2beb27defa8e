//! Property-based testing of stateful code, one step at a time.
#![forbid(unsafe_code)]

mod regex;

pub use regex::{ByteRegex, Regex, RegexError, RegexErrorKind, byte_regex, regex};
pub use stairway_engine::*;
