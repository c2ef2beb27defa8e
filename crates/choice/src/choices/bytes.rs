//! Choices as the bytes of a fuzzer: every input is some case, and every case can be written as an input.
//!
//! A choice takes as many bytes as its largest index needs, little endian, and nothing if it has only one
//! value. A number that is too large goes round. A length never exceeds the number of bytes behind it: a
//! short input would otherwise be a long case of which most is the simplest value, and no mutation would
//! reach it.

use super::{Choices, Source};
use crate::choice::{Choice, Shape};

impl Choices<'_> {
    /// The index that the next bytes stand for; 0 where there are none left.
    pub(super) const fn decoded(&mut self, shape: Shape) -> u64 {
        let Source::Bytes(bytes) = self.source else { return 0 };
        let (width, mut word, mut k) = (width_of(shape), 0u64, 0);
        while k < width && self.used + k < bytes.len() {
            word |= (bytes[self.used + k] as u64) << (8 * k);
            k += 1;
        }
        self.used += k;
        let largest = shape.largest_index();
        let index = if largest == u64::MAX { word } else { word % (largest + 1) };
        let n_left = (bytes.len() - self.used) as u64;
        if counts_what_follows(shape) && index > n_left { n_left } else { index }
    }
}

impl Choice {
    /// Hands the bytes that stand for a list of choices to `push`.
    ///
    /// ```
    /// # use stairway_choice::{Choice, Choices, Shape, Source};
    /// let drawn = [
    ///     Choice { index: 2, shape: Shape::Length { min: 0, max: 9 } },
    ///     Choice { index: 300, shape: Shape::Unsigned { lo: 0, hi: 999, simplest: 0 } },
    /// ];
    /// let mut bytes = Vec::new();
    /// Choice::encode(&drawn, |byte| bytes.push(byte));
    /// let mut choices = Choices::new(Source::Bytes(&bytes), 100);
    /// assert_eq!((choices.length(0, 9), choices.unsigned(0, 999, 0)), (2, 300));
    /// ```
    pub fn encode(choices: &[Choice], mut push: impl FnMut(u8)) {
        let (mut n, mut wanted) = (0u64, 0u64);
        for choice in choices {
            let width = width_of(choice.shape);
            for k in 0..width {
                push((choice.index >> (8 * k)) as u8);
            }
            n += width as u64;
            if counts_what_follows(choice.shape) {
                wanted = wanted.max(n.saturating_add(choice.index));
            }
        }
        // What is counted by a length may take no bytes of its own. Records are in memory, so no length is
        // out of reach.
        for _ in n..wanted {
            push(0);
        }
    }
}

const fn counts_what_follows(shape: Shape) -> bool {
    matches!(shape, Shape::Length { .. })
}

const fn width_of(shape: Shape) -> usize {
    (64 - shape.largest_index().leading_zeros()).div_ceil(8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::{FULL_SIZE, Span};
    use crate::prng::Prng;
    use std::vec::Vec;

    fn draw(c: &mut Choices<'_>) -> (Vec<i64>, u64, bool, char, u64, u32) {
        let n = c.length(0, 20);
        let list = (0..n).map(|_| c.signed(-70_000, 70_000, 3)).collect();
        let n_steps = c.steps(0, 50);
        let last = (c.chance(1, 3), c.character(0, char::MAX as u32), c.float(-1e9, 1e9, true).to_bits());
        (list, n_steps, last.0, last.1, last.2, c.reference(&[0, 3, 5], 9))
    }

    #[test]
    fn a_record_as_bytes_draws_the_same() {
        for seed in 0..500 {
            let (mut choices, mut spans) = ([Choice::BLANK; 64], [Span::BLANK; 1]);
            let random = Choices::new(Source::Random(Prng::new(seed)), FULL_SIZE);
            let mut random = random.recording(&mut choices, &mut spans);
            let drawn = draw(&mut random);
            let mut bytes = Vec::new();
            Choice::encode(random.recorded(), |byte| bytes.push(byte));
            assert_eq!(draw(&mut Choices::new(Source::Bytes(&bytes), FULL_SIZE)), drawn);
        }
    }

    #[test]
    fn no_length_exceeds_what_follows_it() {
        let length = |bytes: &[u8]| Choices::new(Source::Bytes(bytes), FULL_SIZE).length(0, 200);
        assert_eq!([length(&[]), length(&[9]), length(&[9, 1, 1])], [0, 0, 2]);
        assert_eq!(length(&[3; 100]), 3);
    }
}
