//! Counting through the choices of one step, in const evaluation: a fixed record instead of a heap.

use crate::choice::Choice;
use crate::choices::Source;

/// How many choices one step of a machine may draw where they are counted through.
pub const MAX_DRAWN: usize = 32;
/// Numbers and lengths take this many values, the simplest, where steps are counted through.
pub const COUNTED_VALUES: u64 = 3;

/// The choices of the step to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    path: [Choice; MAX_DRAWN],
    n: usize,
    /// What was drawn: the caller lends it to the stream.
    pub record: [Choice; MAX_DRAWN],
}

impl Default for Counter {
    fn default() -> Self {
        Counter::new()
    }
}

impl Counter {
    /// Begins with the simplest choices.
    #[must_use]
    pub const fn new() -> Self {
        Counter { path: [Choice::BLANK; MAX_DRAWN], n: 0, record: [Choice::BLANK; MAX_DRAWN] }
    }

    /// Where the step's choices come from, and where they are recorded.
    pub const fn source(&mut self) -> (Source<'_>, &mut [Choice]) {
        let choices = self.path.split_at(self.n).0;
        (Source::Replay { choices, spans: None, bound: COUNTED_VALUES - 1 }, &mut self.record)
    }

    /// Goes on to the next choices in lexicographic order, given how many were drawn; false when
    /// all have been seen.
    pub const fn advance(&mut self, n_drawn: usize) -> bool {
        let mut i = if n_drawn < MAX_DRAWN { n_drawn } else { MAX_DRAWN };
        while i > 0 {
            i -= 1;
            let asked = if i < self.n { self.path[i].index } else { 0 };
            // What cannot be had is moved to what can: never go back behind what was asked for.
            let drawn = self.record[i].index;
            let reached = if drawn > asked { drawn } else { asked };
            if reached < last_index(&self.record[i]) {
                let mut k = self.n;
                while k < i {
                    self.path[k] = Choice { index: 0, ..self.record[k] };
                    k += 1;
                }
                self.path[i] = Choice { index: reached + 1, ..self.record[i] };
                self.n = i + 1;
                return true;
            }
        }
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
    use crate::{Choices, FULL_SIZE};
    use alloc::vec::Vec;

    #[test]
    fn every_value_is_seen_once() {
        let mut seen = Vec::new();
        let mut counter = Counter::new();
        loop {
            let (source, record) = counter.source();
            let mut c = Choices::new(source, FULL_SIZE).recording(record, &mut []);
            let which = c.weighted(&[1, 0, 5], &[]);
            let value = if which == 0 { c.unsigned(0, 1000, 0) } else { c.alternative(2) };
            let n = c.n_choices();
            seen.push((which, value));
            if !counter.advance(n) {
                break;
            }
        }
        assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]);
    }
}
