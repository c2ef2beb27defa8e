//! The words of compile errors. Everything here is `const fn`: it is run by the compiler.

use stairway_engine::machine::{Ended, Text};

/// A text behind a headline.
#[must_use]
#[doc(hidden)]
pub const fn __headed(head: &str, text: &Text) -> Text {
    let mut t = Text::new();
    t.str(head);
    t.str(text.as_str());
    t
}

/// How a counterexample was found in an exploration.
#[doc(hidden)]
pub const fn __counted(t: &mut Text, n_states: usize, is_complete: bool, is_sure: bool) {
    t.str("\n  counterexample (");
    t.str(if is_complete { "all " } else { "the first " });
    t.uint(n_states as u128);
    t.str(if n_states == 1 { " state was" } else { " states were" });
    t.str(" explored):");
    unsure(t, is_sure);
}

/// How a counterexample was drawn.
#[doc(hidden)]
pub const fn __drawn(t: &mut Text, n: u64, seed: u64, is_sure: bool) {
    t.str("\n  counterexample (random trace ");
    t.uint(n as u128);
    t.str(", seed ");
    t.uint(seed as u128);
    t.str(", without its detours):");
    unsure(t, is_sure);
}

const fn unsure(t: &mut Text, is_sure: bool) {
    if !is_sure {
        t.str("\n  (looked at again it does not fail: this is a mistake in Stairway, please report it)");
    }
}

/// Not everything was explored, though all was asked for or, for `can_reach`, is needed.
#[doc(hidden)]
pub const fn __incomplete(t: &mut Text, head: &str, n_states: usize, why: Ended, is_needed: bool) {
    t.str(head);
    t.str("\n  not everything can be explored (");
    t.uint(n_states as u128);
    t.str(if n_states == 1 { " state was" } else { " states were" });
    t.str(match why {
        Ended::Complete | Ended::States | Ended::Depth => ", and there are more",
        Ended::Edges => ", with more steps between them than there is room for",
        Ended::Tries => ", with more steps than are tried",
        Ended::Arguments => ", and an operation has more arguments than are tried in one state",
    });
    t.str(if is_needed {
        "), and `can_reach` needs all: bound the machine's data, or allow more with `states(n)`"
    } else {
        "): bound the machine's data, allow more with `states(n)`, look at some with `exhaustive, depth(n)`, or leave \
         `exhaustive` out to draw traces at random beyond"
    });
    if matches!(why, Ended::Arguments) {
        t.str("; arguments are fewer if their types are smaller or `options` proposes them");
    }
}

/// A condition was never met.
#[doc(hidden)]
pub const fn __vacuous(t: &mut Text, head: &str, condition: &str) {
    t.str(head);
    t.str("\n  the condition `");
    t.str(condition);
    t.str("` is never met; mend it, or write the option `vacuous`");
}

/// What was found for `within(auto, ..)`.
#[must_use]
#[doc(hidden)]
pub const fn __within(name: &str, n: u32) -> Text {
    let mut t = Text::new();
    t.str("property `");
    t.str(name);
    t.str("` holds with `within(");
    t.uint(n as u128);
    t.str(", ..)` and with nothing smaller (shown because STAIRWAY_SHOW_WITHIN is set)");
    t
}

/// The seed: a number in the environment of the compiler, or the one given.
///
/// # Panics
/// If it is no number: that fails the build.
#[must_use]
#[doc(hidden)]
pub const fn __seed(text: Option<&str>, otherwise: u64) -> u64 {
    let Some(text) = text else { return otherwise };
    let digits = text.as_bytes();
    let is_hex = digits.len() > 2 && digits[0] == b'0' && digits[1] == b'x';
    let (base, mut i) = if is_hex { (16, 2) } else { (10, 0) };
    let mut seed = 0u64;
    while i < digits.len() {
        let digit = match digits[i] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' if is_hex => digit - b'a' + 10,
            digit @ b'A'..=b'F' if is_hex => digit - b'A' + 10,
            _ => panic!("STAIRWAY_CHECK_SEED is not a number: write it as 42 or 0x2a"),
        };
        seed = seed.wrapping_mul(base).wrapping_add(digit as u64);
        i += 1;
    }
    seed
}
