//! Values that keep their name when positions shift: the third key of a map, drawn while there were five.
//!
//! A choice among values of a state is recorded by position. When shrinking deletes an earlier step, another
//! value may stand there. So an imprint of the value is recorded next to the choice: whoever draws again
//! looks for the value first, and takes the position where the value is gone. An imprint is no decision and
//! is not stored in files. It is kept in the bounds of a choice that has only one value, a character beyond
//! all characters, so nothing ever tries to lower it; and it means nothing once the choice before it has been
//! edited.

use super::{Choices, Source};
use crate::choice::{Choice, Shape};
use crate::prng::mix;

impl Choices<'_> {
    /// What the value drawn just before was known by when the record was made; nothing where choices are new
    /// or were edited.
    ///
    /// Takes a place in the record: a draw with an imprint is two choices, whatever the source.
    pub const fn recall(&mut self) -> Option<u32> {
        if !self.may_draw() {
            return None;
        }
        let found = match self.source {
            Source::Random(_) | Source::Varied { .. } => None,
            Source::Replay { .. } => self.walk.imprint(),
            // Stored values are taken as they are.
            Source::Script(_) => None,
            _ => {
                self.taken(FORGOTTEN);
                None
            }
        };
        self.record_if_asked(0, FORGOTTEN);
        found
    }

    /// Leaves an imprint of the value drawn before [`Choices::recall`], which stands at `index` if it had to
    /// be looked for.
    pub const fn remember(&mut self, imprint: u32, index: Option<u64>) {
        if !self.recording || self.halt.is_some() || self.n < 2 {
            return;
        }
        if let Some(index) = index {
            self.choices[self.n - 2].index = index;
        }
        self.choices[self.n - 1].shape = shape_of(imprint ^ mask(self.choices[self.n - 2].index));
    }

    /// Whether what is drawn is recorded, or was.
    #[must_use]
    pub const fn keeps_imprints(&self) -> bool {
        self.recording || self.is_walking()
    }
}

/// Imprints are characters from here on: there are none.
const FIRST: u32 = 1 << 31;

/// An imprint that is not known.
const FORGOTTEN: Shape = shape_of(0);

const fn shape_of(imprint: u32) -> Shape {
    let code = imprint | FIRST;
    Shape::Character { lo: code, hi: code }
}

/// What makes an imprint mean nothing when the index beside it is another one.
const fn mask(index: u64) -> u32 {
    (mix(index) >> 32) as u32
}

/// What `place` says of the value that `drawn` stands for.
pub(crate) const fn read(place: &Choice, drawn: &Choice) -> Option<u32> {
    match place.shape {
        Shape::Character { lo, .. } if lo > FIRST => Some((lo ^ mask(drawn.index)) & !FIRST),
        _ => None,
    }
}

impl Choice {
    /// Whether this is no decision, but what the value of the choice before it is known by.
    #[must_use]
    pub const fn is_imprint(&self) -> bool {
        matches!(self.shape, Shape::Character { lo, .. } if lo >= FIRST)
    }

    /// Lets the choice before an imprint go by its position; whether there was an imprint.
    pub const fn forget_imprint(&mut self) -> bool {
        let is_known = matches!(self.shape, Shape::Character { lo, .. } if lo > FIRST);
        if is_known {
            self.shape = FORGOTTEN;
        }
        is_known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::{FULL_SIZE, Span};
    use crate::prng::Prng;

    fn replay(choices: &[Choice]) -> Choices<'_> {
        Choices::new(Source::Replay { choices, spans: None, bound: u64::MAX }, FULL_SIZE)
    }

    #[test]
    fn an_imprint_is_there_until_its_choice_is_edited() {
        let (mut choices, mut spans) = ([Choice::BLANK; 8], [Span::BLANK; 2]);
        let mut first =
            Choices::new(Source::Random(Prng::new(3)), FULL_SIZE).recording(&mut choices, &mut spans);
        let k = first.alternative(1000);
        assert_eq!(first.recall(), None);
        first.remember(7, None);
        assert_eq!(first.n_choices(), 2);
        let mut record = choices;
        let mut again = replay(&record[..2]);
        assert_eq!((again.alternative(1000), again.recall()), (k, Some(7)));
        record[0].index = k + 1;
        let mut edited = replay(&record[..2]);
        assert_eq!(edited.alternative(2000), k + 1);
        assert_ne!(edited.recall(), Some(7));
        record[0].index = k;
        assert!(record[1].forget_imprint() && !record[1].forget_imprint());
        let mut forgotten = replay(&record[..2]);
        assert_eq!((forgotten.alternative(1000), forgotten.recall()), (k, None));
    }

    #[test]
    fn a_value_that_was_found_elsewhere_is_recorded_there() {
        let (mut choices, mut spans) = ([Choice::BLANK; 8], [Span::BLANK; 2]);
        let mut c = Choices::new(Source::Random(Prng::new(3)), FULL_SIZE).recording(&mut choices, &mut spans);
        c.alternative(1000);
        c.recall();
        c.remember(7, Some(5));
        let record = choices;
        let mut again = replay(&record[..2]);
        assert_eq!((again.alternative(1000), again.recall()), (5, Some(7)));
    }
}
