//! Counting through the choices of one step without a heap: the record that is written is the one that is
//! counted up.
//!
//! The stream gives the simplest choices first and, each time it advances, the next ones in lexicographic
//! order. It knows nothing of what is drawn.

use super::{Choices, FULL_SIZE, Halt, Source};

/// How many choices one step of a machine may draw where they are counted through.
pub const MAX_DRAWN: usize = 32;
/// Numbers and lengths take this many values, the simplest, where steps are counted through.
pub const COUNTED_VALUES: u64 = 3;

/// A choice that is counted through.
#[derive(Clone, Copy, Debug)]
pub struct CountedChoice {
    /// Which of its values it has, or is to have next.
    index: u64,
    /// The largest index that it takes.
    most: u64,
}

/// A record that [`Choices::counting`] can be given.
pub const RECORD: [CountedChoice; MAX_DRAWN] = [CountedChoice { index: 0, most: 0 }; MAX_DRAWN];

impl<'b> Choices<'b> {
    /// Counts through the choices of a step, the simplest first, in a record of as many choices as a
    /// step may draw: draw, [`Choices::advance`], and draw again until there is nothing new. One
    /// stream does it all, because to make one is what costs most in const evaluation.
    #[must_use]
    pub const fn counting(record: &'b mut [CountedChoice]) -> Self {
        let mut choices = Choices::new(Source::Counting { n: 0, bound: COUNTED_VALUES - 1 }, FULL_SIZE);
        choices.limit = record.len();
        choices.counted = record;
        choices
    }

    /// Whether choices are counted through in place, so that [`Choices::counted`] has them.
    #[inline]
    pub(super) const fn counts(&self) -> bool {
        matches!(self.source, Source::Counting { .. })
    }

    /// The index of a choice that is counted through, `most` at most, and fewer where it says how large
    /// something is: the whole of a draw in one call, since calls are what const evaluation takes longest for.
    pub(super) const fn counted(&mut self, mut most: u64, is_structural: bool) -> u64 {
        let Source::Counting { n, bound } = self.source else { return 0 };
        let at = self.n;
        if at >= self.limit {
            self.stop(Halt::Overrun);
            return 0;
        }
        if most > bound && !is_structural {
            most = bound;
            self.clipped = true;
        }
        let mut index = if at < n { self.counted[at].index } else { 0 };
        if index > most {
            index = most;
        }
        self.n = at + 1;
        self.counted[at] = CountedChoice { index, most };
        index
    }

    /// [`Choices::weighted`] where choices are counted through; `None` if there is nothing to choose from or
    /// no room.
    pub(super) const fn weighted_counted(&mut self, weights: &[u32]) -> Option<usize> {
        let (at, mut n) = (self.n, weights.len());
        while n > 0 && weights[n - 1] == 0 {
            n -= 1;
        }
        if n == 0 || at >= self.limit {
            return None;
        }
        let mut index = self.counted(n as u64 - 1, true) as usize;
        // The next one that there is.
        while weights[index] == 0 {
            index += 1;
        }
        self.counted[at].index = index as u64;
        Some(index)
    }

    /// Notes that what is drawn stands for values that are not all counted through.
    pub const fn clip(&mut self) {
        self.clipped = true;
    }

    /// The index of the first choice, or 0 if there was none.
    #[must_use]
    pub const fn first_index(&self) -> u64 {
        if self.n > 0 && !self.counted.is_empty() { self.counted[0].index } else { 0 }
    }

    /// [`Choices::advance`] as if only the first choice had been drawn: leaves out what differs in later ones.
    pub const fn advance_first(&mut self) -> bool {
        if self.n > 1 {
            self.n = 1;
        }
        self.advance()
    }

    /// Begins to count anew, from the simplest choices on.
    pub const fn recount(&mut self) {
        let Source::Counting { bound, .. } = self.source else { return };
        self.source = Source::Counting { n: 0, bound };
        self.n = 0;
        self.depth = 0;
        self.clipped = false;
        if self.halt.is_some() {
            self.halt = None;
            self.limit = self.counted.len();
        }
    }

    /// Goes on to the next choices in lexicographic order; false when all have been seen, and the simplest
    /// are next again.
    pub const fn advance(&mut self) -> bool {
        let Source::Counting { bound, .. } = self.source else { return false };
        let mut i = self.n;
        self.n = 0;
        self.depth = 0;
        if self.halt.is_some() {
            self.halt = None;
            self.limit = self.counted.len();
        }
        while i > 0 {
            i -= 1;
            if self.counted[i].index < self.counted[i].most {
                self.counted[i].index += 1;
                self.source = Source::Counting { n: i + 1, bound };
                return true;
            }
        }
        self.source = Source::Counting { n: 0, bound };
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

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
