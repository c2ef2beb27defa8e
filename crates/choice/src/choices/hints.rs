//! Integers of which some values are worth trying: constants of the code under test, values that a
//! precondition names.
//!
//! Where a random value comes from is not recorded, only the value is: shrinking goes on with the number, and
//! a record keeps its meaning when the hints change.

use super::{Choices, Source};
use crate::choice::{Choice, Shape, Value};

impl Choices<'_> {
    /// Like [`Choices::signed`]; a random case takes one of `hints` instead about `weight` times in 16.
    ///
    /// ```
    /// # use stairway_choice::{Choices, Prng, Source};
    /// let mut choices = Choices::new(Source::Random(Prng::new(1)), 100);
    /// let drawn: Vec<i64> = (0..50).map(|_| choices.signed_or(&[4711, 5], 8, 0, 1000, 0)).collect();
    /// assert!(drawn.contains(&5) && !drawn.contains(&4711)); // out of bounds
    /// ```
    #[inline]
    pub const fn signed_or(&mut self, hints: &[i64], weight: u32, lo: i64, hi: i64, simplest: i64) -> i64 {
        match self.hint(hints.len(), weight) {
            Some(k) if lo <= hints[k] && hints[k] <= hi => {
                self.give(Shape::Signed { lo, hi, simplest }, &Value::Integer(hints[k] as i128));
                hints[k]
            }
            _ => self.signed(lo, hi, simplest),
        }
    }

    /// Like [`Choices::unsigned`]; see [`Choices::signed_or`].
    #[inline]
    pub const fn unsigned_or(&mut self, hints: &[u64], weight: u32, lo: u64, hi: u64, simplest: u64) -> u64 {
        match self.hint(hints.len(), weight) {
            Some(k) if lo <= hints[k] && hints[k] <= hi => {
                self.give(Shape::Unsigned { lo, hi, simplest }, &Value::Integer(hints[k] as i128));
                hints[k]
            }
            _ => self.unsigned(lo, hi, simplest),
        }
    }

    /// Leaves room in the record for an integer that is decided by the draws after it: an earlier result, for
    /// instance. [`Choices::settle`] says which it was. Whatever a record has in this place means nothing as
    /// long as those draws are made; when shrinking does without them, a draw of the same shape here finds
    /// the number.
    #[inline]
    pub const fn foresee(&mut self, shape: Shape) -> usize {
        if !self.may_draw() {
            return usize::MAX;
        }
        if !matches!(self.source, Source::Random(_)) {
            self.taken(shape);
        }
        self.record_if_asked(0, shape);
        self.n - 1
    }

    /// Says what a number was that [`Choices::foresee`] has left room for, if its shape has such a value.
    #[inline]
    pub const fn settle(&mut self, at: usize, value: i128) {
        if !self.recording || at >= self.n {
            return;
        }
        let choice = &mut self.choices[at];
        if let Some(index) = choice.shape.index_of(&Value::Integer(value)) {
            choice.index = index;
        }
    }

    /// Looks for something acceptable, in up to `n` streams that go on from here: if `accepts` is content
    /// with what one of them draws, so does this. Only a random case looks ahead; what others draw has been
    /// decided.
    pub fn look_ahead(&mut self, n: u32, mut accepts: impl FnMut(&mut Choices<'_>) -> bool) {
        let size = self.size;
        let Some(prng) = self.free_prng() else { return };
        for _ in 0..n {
            let ahead = prng.split();
            if accepts(&mut Choices::new(Source::Random(ahead), size)) {
                *prng = ahead;
                return;
            }
        }
    }

    /// Like [`Choices::length`] for a collection that is known already: only a random case may have one.
    pub const fn given_length(&mut self, n: u64, min: u64, max: u64) {
        self.give(Shape::Length { min, max }, &Value::Length(n));
    }

    /// Like [`Choices::character`] for a character that is known already: only a random case may have one.
    pub const fn given_character(&mut self, c: char, lo: u32, hi: u32) {
        self.give(Shape::Character { lo, hi }, &Value::Character(c));
    }

    /// Like [`Choices::reference`] for a step that is known already: only a random case may have one. `false` if
    /// the stream has ended.
    pub const fn given_reference(&mut self, step: u32, n: u32) -> bool {
        let may_draw = self.may_draw();
        if may_draw {
            self.record_if_asked(step as u64, Shape::Reference { n: n as u64 });
        }
        may_draw
    }

    /// A random word that no record knows of; nothing where choices are not random. Whatever is made of it
    /// has to be recorded, with `given_length` and its like.
    #[inline]
    pub const fn free_word(&mut self) -> Option<u64> {
        match self.free_prng() {
            Some(prng) => Some(prng.next_u64()),
            None => None,
        }
    }

    /// Like [`Choices::unsigned`] for a number that is known already: only a random case may have one.
    pub const fn given_unsigned(&mut self, value: u64, lo: u64, hi: u64, simplest: u64) {
        self.give(Shape::Unsigned { lo, hi, simplest }, &Value::Integer(value as i128));
    }

    /// Like [`Choices::named_alternative`] for an alternative that is known already: only a random case may
    /// have one.
    pub const fn given_alternative(&mut self, index: u64, n: u64, names: &'static [&'static str]) {
        if self.may_draw() && index < n {
            self.record_if_asked(index, Shape::Alternative { n, names });
        }
    }

    /// Counts and records a choice whose value is known already.
    const fn give(&mut self, shape: Shape, value: &Value<'_>) {
        if self.may_draw()
            && self.recording
            && let Some(index) = shape.index_of(value)
        {
            self.record(Choice { index, shape });
        }
    }

    /// Which of `n` hints a random case takes, if it takes one, about `weight` times in 16. Nothing is
    /// recorded: what is drawn instead has to be, with `given_length` and its like.
    pub const fn hint(&mut self, n: usize, weight: u32) -> Option<usize> {
        let Some(prng) = self.free_prng() else { return None };
        if n > 0 && prng.up_to(15) < weight as u64 { Some(prng.up_to(n as u64 - 1) as usize) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Span;
    use crate::prng::Prng;

    #[test]
    fn a_known_text_is_recorded_as_its_characters() {
        let (mut record, mut spans) = ([Choice::BLANK; 4], [Span::BLANK; 1]);
        let mut choices = Choices::new(Source::Random(Prng::new(3)), 100);
        choices.record_into(&mut record, &mut spans);
        assert_eq!(choices.hint(1, 16), Some(0));
        choices.given_length(2, 0, 12);
        choices.given_character('o', 32, 126);
        choices.given_character('n', 32, 126);
        let record = choices.recorded().to_vec();
        let mut again = Choices::new(Source::Replay { choices: &record, spans: None, bound: u64::MAX }, 0);
        assert_eq!(again.hint(1, 16), None);
        assert_eq!(again.length(0, 12), 2);
        assert_eq!((again.character(32, 126), again.character(32, 126)), ('o', 'n'));
    }

    #[test]
    fn what_is_made_of_a_free_word_is_found_again() {
        let (mut record, mut spans) = ([Choice::BLANK; 4], [Span::BLANK; 1]);
        let mut choices = Choices::new(Source::Random(Prng::new(3)), 100);
        choices.record_into(&mut record, &mut spans);
        assert!(choices.free_word().is_some());
        choices.given_alternative(1, 2, &["one", "other"]);
        choices.given_unsigned(70, 1, 4096, 1);
        assert!(choices.given_reference(2, 9));
        let record = choices.recorded().to_vec();
        let mut again = Choices::new(Source::Replay { choices: &record, spans: None, bound: u64::MAX }, 0);
        assert_eq!(again.free_word(), None);
        assert_eq!(again.named_alternative(2, &["one", "other"]), 1);
        assert_eq!(again.unsigned(1, 4096, 1), 70);
        assert_eq!(again.reference(&[0, 2, 5], 9), 2);
    }

    #[test]
    fn a_number_that_was_foreseen_is_there_without_what_decided_it() {
        let (mut record, mut spans) = ([Choice::BLANK; 4], [Span::BLANK; 1]);
        let mut choices = Choices::new(Source::Random(Prng::new(3)), 100);
        choices.record_into(&mut record, &mut spans);
        let at = choices.foresee(Shape::Signed { lo: -100, hi: 100, simplest: 0 });
        choices.alternative(3);
        choices.settle(at, -42);
        choices.settle(at, 4711); // no such value
        let record = choices.recorded().to_vec();
        let mut again = Choices::new(Source::Replay { choices: &record, spans: None, bound: u64::MAX }, 0);
        assert_eq!(again.signed(-100, 100, 0), -42);
    }

    #[test]
    fn what_is_looked_for_is_drawn_and_nothing_else_is_recorded() {
        let (mut record, mut spans) = ([Choice::BLANK; 4], [Span::BLANK; 1]);
        let mut choices = Choices::new(Source::Random(Prng::new(3)), 100);
        choices.record_into(&mut record, &mut spans);
        choices.look_ahead(10_000, |c| c.unsigned(0, 999, 0) == 777);
        assert_eq!(choices.unsigned(0, 999, 0), 777);
        let record = choices.recorded().to_vec();
        assert_eq!(record.len(), 1);
        let mut again = Choices::new(Source::Replay { choices: &record, spans: None, bound: u64::MAX }, 0);
        again.look_ahead(10_000, |_| panic!("a record is what it is"));
        assert_eq!(again.unsigned(0, 999, 0), 777);
    }

    #[test]
    fn a_hint_is_recorded_as_the_number_it_is() {
        let (mut record, mut spans) = ([Choice::BLANK; 4], [Span::BLANK; 1]);
        let mut choices = Choices::new(Source::Random(Prng::new(3)), 100);
        choices.record_into(&mut record, &mut spans);
        assert_eq!(choices.signed_or(&[-7], 16, -10, 10, 0), -7);
        assert_eq!(choices.unsigned_or(&[u64::MAX], 16, 0, u64::MAX, 0), u64::MAX);
        let record = choices.recorded().to_vec();
        let mut again = Choices::new(Source::Replay { choices: &record, spans: None, bound: u64::MAX }, 0);
        // Without the hints, and without a random source.
        assert_eq!(again.signed_or(&[], 0, -10, 10, 0), -7);
        assert_eq!(again.unsigned_or(&[], 0, 0, u64::MAX, 0), u64::MAX);
    }
}
