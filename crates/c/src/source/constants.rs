//! The constants a piece of C mentions: what its author compared with is worth passing.
//!
//! Reads values from tokens. It does not know what they are used for.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use super::lex::{Kind, Token};

/// Constants that occur in a piece of source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constants {
    /// Integer and character constants; `-5` counts as such, not as 5.
    pub integers: BTreeSet<i128>,
    /// String literals, escapes resolved, without the final zero; adjacent ones are one.
    pub strings: BTreeSet<Vec<u8>>,
    /// Floating constants as they are written, without suffix.
    pub floats: BTreeSet<String>,
}

impl Constants {
    /// Adds the constants of a run of tokens.
    pub(super) fn add(&mut self, text: &[u8], tokens: &[Token]) {
        let code: Vec<Token> = tokens.iter().copied().filter(|token| !token.is_comment()).collect();
        let mut string: Option<Vec<u8>> = None;
        for (k, token) in code.iter().enumerate() {
            if token.kind == Kind::String {
                let inside = unquoted(token.text(text));
                string.get_or_insert_default().extend(unescape(inside));
                continue;
            }
            self.strings.extend(string.take());
            let is_negative =
                k > 0 && code[k - 1].is(text, b'-') && !is_operand(text, k.checked_sub(2).map(|k| code[k]));
            match token.kind {
                Kind::Number => self.add_number(token.text(text), is_negative),
                Kind::Character => self.integers.extend(character(token.text(text))),
                _ => {}
            }
        }
        self.strings.extend(string);
    }

    fn add_number(&mut self, text: &[u8], is_negative: bool) {
        if let Some(value) = integer(text) {
            self.integers.insert(if is_negative { -value } else { value });
        } else if let Ok(text) = std::str::from_utf8(text) {
            let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
            if digits.parse::<f64>().is_ok() {
                let sign = if is_negative { "-" } else { "" };
                self.floats.insert(format!("{sign}{digits}"));
            }
        }
    }
}

/// Whether a minus behind this token subtracts.
fn is_operand(text: &[u8], token: Option<Token>) -> bool {
    token.is_some_and(|token| match token.kind {
        Kind::Word => !matches!(token.text(text), b"return" | b"case"),
        Kind::Number | Kind::Character | Kind::String => true,
        _ => token.is(text, b')') || token.is(text, b']'),
    })
}

/// The value of an integer constant; `None` for floating ones and those too large.
fn integer(text: &[u8]) -> Option<i128> {
    let text: String = text.iter().filter(|byte| **byte != b'\'').map(|byte| char::from(*byte)).collect();
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(digits) = lower.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = lower.strip_prefix("0b") {
        (digits, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let digits = digits.trim_end_matches(['u', 'l']);
    if digits.is_empty() {
        // `0`, `0u` and `0L` lost their only digit to the octal prefix.
        return (radix == 8).then_some(0);
    }
    i128::from_str_radix(digits, radix).ok().filter(|value| *value <= i128::from(u64::MAX))
}

fn unquoted(text: &[u8]) -> &[u8] {
    let inside = &text[1..];
    inside.strip_suffix(&text[..1]).unwrap_or(inside)
}

/// The value of a character constant with one character.
fn character(text: &[u8]) -> Option<i128> {
    match unescape(unquoted(text)).as_slice() {
        [byte] => Some(i128::from(*byte)),
        _ => None,
    }
}

fn unescape(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\\' || at + 1 >= text.len() {
            bytes.push(text[at]);
            at += 1;
            continue;
        }
        let escape = text[at + 1];
        at += 2;
        let (digits_at, most, radix) = match escape {
            b'x' => (at, usize::MAX, 16),
            b'0'..=b'7' => (at - 1, 3, 8),
            _ => {
                bytes.push(simple_escape(escape));
                continue;
            }
        };
        let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
        let n_digits = text[digits_at..].iter().take(most).take_while(|byte| is_digit(byte)).count();
        let digits = &text[digits_at..digits_at + n_digits];
        let value = digits.iter().fold(0_u32, |value, digit| {
            value.wrapping_mul(radix).wrapping_add(char::from(*digit).to_digit(radix).unwrap_or(0))
        });
        bytes.push(value as u8);
        at = digits_at + n_digits;
    }
    bytes
}

fn simple_escape(escape: u8) -> u8 {
    match escape {
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 10,
        b'v' => 11,
        b'f' => 12,
        b'r' => 13,
        b'e' => 27,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lex::{Directives, tokens};
    use super::*;

    fn of(text: &str) -> Constants {
        let mut constants = Constants::default();
        constants.add(text.as_bytes(), &tokens(text.as_bytes(), Directives::Whole));
        constants
    }

    #[test]
    fn integers_of_every_spelling() {
        let found =
            of("0 0u 017 0x1F 0b101 42UL 'a' '\\n' '\\x41' '\\0' 1'000 a-3 (-4) x == -7 return -9; 09");
        let expected = [-9, -7, -4, 0, 3, 5, 10, 15, 31, 42, 65, 97, 1000];
        assert_eq!(found.integers.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!(of("18446744073709551615 99999999999999999999999").integers.len(), 1);
    }

    #[test]
    fn strings_and_floats() {
        let found = of("\"a\\tb\" \"c\"; \"d\\\"\" 1.5f, -2e3 x");
        assert_eq!(found.strings.into_iter().collect::<Vec<_>>(), [b"a\tbc".to_vec(), b"d\"".to_vec()]);
        assert_eq!(found.floats.into_iter().collect::<Vec<_>>(), ["-2e3", "1.5"]);
    }

    #[test]
    fn cut_off_literals_are_harmless() {
        for text in ["\"", "'", "'\\", "\"\\x", "\"\\x\"", "0x", "0b", "1e", "'ab'", "''"] {
            let _ = of(text);
        }
    }
}
