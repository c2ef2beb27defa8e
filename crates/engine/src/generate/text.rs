//! Text: strings over the character sets that programs treat differently.
//!
//! The length is limited by a [`Size`]. The order of simplicity is one for people: letters before digits
//! before signs before control characters. Which length is likely is the stream's business.

use super::{Any, Generate, Size, StringOf, any, string_of};
use crate::draw::Draw;
use crate::stop::Checked;

/// Strings of any characters, most of them ASCII.
///
/// ```
/// use stairway_engine::{Choices, Draw, Prng, Source, strings};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(strings(..9)).unwrap().chars().count() < 9);
/// ```
pub fn strings(size: impl Into<Size>) -> StringOf<Any<char>> {
    string_of(any(), size)
}

/// Strings of the 128 ASCII characters, control characters included.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, ascii};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(ascii(..9)).unwrap().is_ascii());
/// ```
pub fn ascii(size: impl Into<Size>) -> StringOf<AsciiChar> {
    string_of(AsciiChar { names: &ASCII }, size)
}

/// Strings of ASCII letters and digits.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, alphanumeric};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(alphanumeric(8)).unwrap().chars().all(|c| c.is_ascii_alphanumeric()));
/// ```
pub fn alphanumeric(size: impl Into<Size>) -> StringOf<AsciiChar> {
    string_of(AsciiChar { names: ASCII.split_at(N_ALPHANUMERIC).0 }, size)
}

/// Strings of the ASCII characters from the space to the tilde.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, printable};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(printable(8)).unwrap().chars().all(|c| (' '..='~').contains(&c)));
/// ```
pub fn printable(size: impl Into<Size>) -> StringOf<AsciiChar> {
    string_of(AsciiChar { names: ASCII.split_at(N_PRINTABLE).0 }, size)
}

/// One character of [`ascii`], [`alphanumeric`] or [`printable`].
///
/// It is drawn as one of several named alternatives, because a range of codes would put the
/// control characters first and could not leave out the signs between digits and letters.
#[derive(Clone, Copy, Debug)]
pub struct AsciiChar {
    names: &'static [&'static str],
}

impl Generate for AsciiChar {
    type Value = char;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<char> {
        let index = choices.named_alternative(self.names.len() as u64, self.names);
        Ok(char::from(self.names[index as usize].as_bytes()[0]))
    }
    #[inline]
    fn is_single(&self) -> bool {
        true
    }
}

const N_ALPHANUMERIC: usize = 62;
const N_PRINTABLE: usize = 95;

/// All of ASCII, the simplest character first.
static ASCII: [&str; 128] = characters(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \
!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\
\n\t\r\0\x01\x02\x03\x04\x05\x06\x07\x08\x0B\x0C\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\
\x1B\x1C\x1D\x1E\x1F\x7F",
);

const fn characters<const N: usize>(text: &'static str) -> [&'static str; N] {
    let (mut names, mut rest, mut i) = ([""; N], text, 0);
    while i < N {
        (names[i], rest) = rest.split_at(1);
        i += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, assert_replays, assert_single, at, samples};
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::string::String;

    #[test]
    fn every_kind_of_text_replays() {
        assert_replays(&strings(0..20));
        assert_replays(&ascii(0..20));
        assert_replays(&alphanumeric(1..));
        assert_replays(&printable(9));
        assert_single(&AsciiChar { names: &ASCII }, true);
    }

    #[test]
    fn every_character_of_a_set_is_there_once_and_no_other() {
        let ascii: BTreeSet<String> = all(&ascii(1)).into_iter().collect();
        assert_eq!((ascii.len(), ASCII.concat().len()), (128, 128));
        assert!(ascii.iter().all(|text| text.is_ascii()));
        let printable: BTreeSet<String> = all(&printable(1)).into_iter().collect();
        assert_eq!(printable, (' '..='~').map(String::from).collect());
        let alphanumeric = all(&alphanumeric(1)).concat();
        assert!(alphanumeric.len() == 62 && alphanumeric.chars().all(|c| c.is_ascii_alphanumeric()));
    }

    #[test]
    fn simple_text_is_readable() {
        assert_eq!(at(&ascii(3), &[0, 0, 1, 52]).unwrap(), "ab0");
        assert_eq!(at(&strings(3), &[0, 0, 1, 52]).unwrap(), "ab0");
    }

    #[test]
    fn text_is_mostly_ascii_but_not_only() {
        let text = samples(&strings(0..30), 300).concat();
        let (n, n_ascii) = (text.chars().count(), text.chars().filter(char::is_ascii).count());
        assert!(n_ascii * 2 > n && n_ascii * 100 < n * 95, "{n_ascii} of {n}");
    }
}
