//! The wording of verdicts, the same in compile errors and in tests. Everything here is `const fn`: the
//! compiler runs it.

use super::{Ended, Text};

/// What a verdict is about.
#[derive(Clone, Copy, Debug)]
pub struct Head<'h> {
    /// The property's name.
    pub property: &'h str,
    /// The machine's.
    pub machine: &'h str,
    /// What is documented of the property.
    pub doc: &'h str,
    /// The formula as it is written.
    pub formula: &'h str,
}

impl Head<'_> {
    const fn write(&self, t: &mut Text, verdict: &str) {
        t.str("property `");
        t.str(self.property);
        t.str("` of machine `");
        t.str(self.machine);
        t.str("` ");
        t.str(verdict);
        t.str(self.doc);
        t.str("\n  formula: ");
        t.str(self.formula);
    }

    /// It does not hold; the run follows.
    pub const fn fails(&self, t: &mut Text, n_states: usize, is_complete: bool, is_sure: bool) {
        self.write(t, "does not hold");
        t.str("\n  counterexample (");
        t.str(if is_complete { "all " } else { "the first " });
        t.uint(n_states as u128);
        t.str(if n_states == 1 { " state was" } else { " states were" });
        t.str(" explored):");
        unsure(t, is_sure);
    }

    /// It does not hold on a trace that was drawn; the trace follows.
    pub const fn fails_on_trace(&self, t: &mut Text, n: u64, seed: u64, is_sure: bool) {
        self.write(t, "does not hold");
        t.str("\n  counterexample (random trace ");
        t.uint(n as u128);
        t.str(", seed ");
        t.uint(seed as u128);
        t.str(", without its detours):");
        unsure(t, is_sure);
    }

    /// Not everything was explored, though all was asked for or is needed; the last states follow. `computed`
    /// names the arguments that are too many to try.
    pub const fn is_not_decided(
        &self,
        t: &mut Text,
        n_states: usize,
        why: Ended,
        is_needed: bool,
        computed: &str,
    ) {
        self.write(t, "is not decided");
        t.str("\n  not everything can be explored (");
        t.uint(n_states as u128);
        t.str(if n_states == 1 { " state was" } else { " states were" });
        t.str(match why {
            Ended::Complete | Ended::States | Ended::Depth => ", and there are more",
            Ended::Edges => ", with more steps between them than there is room for",
            Ended::Tries => ", with more steps than are tried",
            Ended::Arguments => ", and an operation has more arguments than are tried in one state",
            Ended::Sampled => {
                ", and an operation has arguments that are not only compared and too many to try"
            }
        });
        if matches!(why, Ended::Sampled) && !computed.is_empty() {
            t.str(": ");
            t.str(computed);
        }
        t.str(if is_needed {
            "), and what can be done or must be done is known only if all are: bound the machine's data, or allow more with `states(n)`"
        } else {
            "): bound the machine's data, allow more with `states(n)`, look at some with `exhaustive, depth(n)`, or write \
             `sampled` to draw traces at random beyond"
        });
        if matches!(why, Ended::Arguments | Ended::Sampled) {
            t.str("; arguments are fewer if their types are smaller or `options` proposes them");
        }
        t.str("; the last ones were:");
    }

    /// A condition was never met.
    pub const fn is_vacuous(&self, t: &mut Text, condition: &str) {
        self.write(t, "was not checked");
        t.str("\n  the condition `");
        t.str(condition);
        t.str("` is never met; fix it, or write the option `vacuous`");
    }
}

const fn unsure(t: &mut Text, is_sure: bool) {
    if !is_sure {
        t.str("\n  (it does not fail when judged again: this is a bug in Stairway, please report it)");
    }
}

/// How a trace fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFault {
    /// What must not happen has happened.
    Refuted,
    /// What must happen is still waited for after many steps.
    Waiting,
    /// Nothing is possible any more, and what must happen has not.
    Ended,
}

impl TraceFault {
    /// A line after the trace.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            TraceFault::Refuted => "",
            TraceFault::Waiting => {
                "\n         the trace ends before what must happen has happened; say how long that may take with `within(n, ..)`, \
                 or write the option `open`"
            }
            TraceFault::Ended => "\n         nothing is possible any more",
        }
    }
}

/// A text after a headline.
#[must_use]
pub const fn headed(head: &str, text: &Text) -> Text {
    let mut t = Text::new();
    t.str(head);
    t.str(text.as_str());
    t
}

/// What was found for `within(auto, ..)`.
#[must_use]
pub const fn smallest_within(name: &str, n: u32) -> Text {
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
pub const fn seed(text: Option<&str>, otherwise: u64) -> u64 {
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
