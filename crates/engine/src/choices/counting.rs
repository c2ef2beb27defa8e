//! Counting through the choices of one step without a heap: the record that is written is the one
//! that is counted up.
//!
//! Receives a record, hands on a stream that gives the simplest choices first and, each time it is
//! told to advance, the next ones in lexicographic order. It knows nothing of what is drawn.

use super::{Choices, FULL_SIZE, Halt, Source, Span};
use crate::choice::{Choice, Shape};

/// How many choices one step of a machine may draw where they are counted through.
pub const MAX_DRAWN: usize = 32;
/// Numbers and lengths take this many values, the simplest, where steps are counted through.
pub const COUNTED_VALUES: u64 = 3;

/// A record that [`Choices::counting`] can be given.
pub const RECORD: [Choice; MAX_DRAWN] = [Choice::BLANK; MAX_DRAWN];

impl<'b> Choices<'b> {
    /// Counts through the choices of a step, the simplest first, in a record of as many choices as a
    /// step may draw: draw, [`Choices::advance`], and draw again until there is nothing new. One
    /// stream does it all, because to make one is what costs most in const evaluation.
    #[must_use]
    pub const fn counting(record: &'b mut [Choice]) -> Self {
        let source = Source::Counting { n: 0, last: 0, bound: COUNTED_VALUES - 1 };
        let mut choices = Choices::new(source, FULL_SIZE);
        choices.record_into(record, &mut []);
        choices
    }

    /// Whether choices are counted through in place, so that [`Choices::counted`] has them.
    #[inline]
    pub(super) const fn counts(&self) -> bool {
        matches!(self.source, Source::Counting { .. })
    }

    /// The index of a choice that is counted through, noted in the record: the whole of a draw in few
    /// calls.
    pub(super) const fn counted(&mut self, shape: Shape) -> u64 {
        let Source::Counting { n, last, bound } = self.source else { return 0 };
        let at = self.n;
        if at >= self.limit {
            self.stop(Halt::Overrun);
            return 0;
        }
        let mut most = shape.largest_index();
        if most > bound && !shape.is_structural() {
            most = bound;
            self.clipped = true;
        }
        let mut index = if at < n { self.choices[at].index } else { 0 };
        if at + 1 == n {
            index = last;
        }
        if index > most {
            index = most;
        }
        self.n = at + 1;
        self.choices[at] = Choice { index, shape };
        index
    }

    /// [`Choices::weighted`] where choices are counted through; `None` if there is nothing to choose from or
    /// no room.
    pub(super) const fn weighted_counted(
        &mut self,
        weights: &[u32],
        names: &'static [&'static str],
    ) -> Option<usize> {
        let Source::Counting { n, last, .. } = self.source else { return None };
        let (at, mut most) = (self.n, weights.len());
        while most > 0 && weights[most - 1] == 0 {
            most -= 1;
        }
        if most == 0 || at >= self.limit {
            return None;
        }
        let mut index = if at < n { self.choices[at].index as usize } else { 0 };
        if at + 1 == n {
            index = last as usize;
        }
        if index >= most {
            index = most - 1;
        }
        // The next one that there is.
        while weights[index] == 0 {
            index += 1;
        }
        self.n = at + 1;
        self.choices[at] =
            Choice { index: index as u64, shape: Shape::Alternative { n: most as u64, names } };
        Some(index)
    }

    /// The index of the first choice, or 0 if there was none.
    #[must_use]
    pub const fn first_index(&self) -> u64 {
        if self.n > 0 && !self.choices.is_empty() { self.choices[0].index } else { 0 }
    }

    /// [`Choices::advance`] as if only the first choice had been drawn: leaves out what differs in later ones.
    pub const fn advance_first(&mut self) -> bool {
        if self.n > 1 {
            self.n = 1;
        }
        self.advance()
    }

    /// Goes on to the next choices in lexicographic order; false when all have been seen, and the simplest
    /// are next again.
    pub const fn advance(&mut self) -> bool {
        let Source::Counting { n, last, bound } = self.source else { return false };
        let mut i = self.n;
        (self.n, self.n_spans, self.depth, self.current, self.halt) = (0, 0, 0, Span::OPEN, None);
        self.limit = self.choices.len();
        while i > 0 {
            i -= 1;
            // What cannot be had is moved to what can: never go back behind what was asked for.
            let drawn = self.choices[i].index;
            let reached = if i + 1 == n && last > drawn { last } else { drawn };
            if reached < last_index(&self.choices[i]) {
                self.source = Source::Counting { n: i + 1, last: reached + 1, bound };
                return true;
            }
        }
        self.source = Source::Counting { n: 0, last: 0, bound };
        false
    }
}

const fn last_index(choice: &Choice) -> u64 {
    let largest = choice.shape.largest_index();
    if choice.shape.is_structural() || largest < COUNTED_VALUES { largest } else { COUNTED_VALUES - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_value_is_seen_once() {
        let mut seen = Vec::new();
        let mut record = RECORD;
        let mut c = Choices::counting(&mut record);
        loop {
            let which = c.weighted(&[1, 0, 5], &[]);
            let value = if which == 0 { c.unsigned(0, 1000, 0) } else { c.alternative(2) };
            seen.push((which, value));
            if !c.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]);
    }

    #[test]
    fn the_rest_of_a_first_choice_can_be_left_out() {
        let (mut seen, mut record) = (Vec::new(), RECORD);
        let mut c = Choices::counting(&mut record);
        loop {
            let pair = (c.alternative(3), c.alternative(100));
            assert_eq!(c.first_index(), pair.0);
            seen.push(pair);
            let goes_on = if pair.1 < 1 { c.advance() } else { c.advance_first() };
            if !goes_on {
                break;
            }
        }
        assert_eq!(seen, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
    }
}
