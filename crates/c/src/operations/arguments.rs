//! Counts what arguments were drawn, in tables of the engine's statistics, for `--distribution`.
//!
//! A row names the parameter and its rough size, so that there are few rows.

use super::make::Origin;
use super::targets::Target;
use super::text;
use crate::ctypes::{CType, CTypes};
use serde::{Deserialize, Serialize};

/// The name of the table with the arguments of a function.
pub(crate) fn table(function: &str) -> String {
    format!("arguments of {function}")
}

/// The name of a parameter: its own, or its place.
fn name(target: &Target, k: usize) -> String {
    match target.names.get(k).filter(|name| !name.is_empty()) {
        Some(name) => (*name).to_string(),
        None => format!("argument {}", k + 1),
    }
}

/// A row of the table: the parameter and what it was. Tables count texts, so it is written as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) parameter: String,
    pub(crate) what: String,
}

/// What an argument was, as a row.
pub(super) fn row(types: &CTypes, target: &Target, k: usize, origin: Origin, bytes: &[u8]) -> String {
    let what = match (origin, types.get(target.parameters[k])) {
        (Origin::Null, _) => "NULL".to_string(),
        (Origin::Earlier, _) => "earlier".to_string(),
        (Origin::Function, _) => "a function".to_string(),
        (Origin::Made(n), _) => format!("new, {}", length(n)),
        (Origin::Value, CType::Integer { is_signed, .. }) => number(text::number(bytes, *is_signed)),
        (Origin::Value, CType::Char | CType::Bool | CType::Enum(_)) => number(text::number(bytes, false)),
        (Origin::Value, _) => "a value".to_string(),
    };
    serde_json::to_string(&Row { parameter: name(target, k), what }).unwrap_or_default()
}

fn length(n: u64) -> String {
    match n {
        0 => "empty",
        1 => "1 element",
        2..=7 => "2 to 7 elements",
        8..=63 => "8 to 63 elements",
        64..=511 => "64 to 511 elements",
        _ => "512 elements and more",
    }
    .to_string()
}

fn number(value: i128) -> String {
    match value {
        ..=-1000 => "-1000 and below",
        -999..=-1 => "-999 to -1",
        0 => "0",
        1 => "1",
        2..=9 => "2 to 9",
        10..=99 => "10 to 99",
        100..=999 => "100 to 999",
        _ => "1000 and above",
    }
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rough() {
        assert_eq!(
            (number(-5), number(0), number(12), number(i128::MAX)),
            ("-999 to -1".into(), "0".into(), "10 to 99".into(), "1000 and above".into())
        );
        assert_eq!((length(0), length(9)), ("empty".into(), "8 to 63 elements".into()));
    }
}
