//! Going back in a stream: what was drawn since a place is drawn again.
//!
//! A case that does the same twice, one time after the other, draws it once: the record has it once, and an
//! edit of the record changes both.

use super::likely::N_RECENT;
use super::variation::VariationState;
use super::{Choices, Source};
use crate::replay::Walk;

/// A place in a stream.
#[derive(Clone, Copy, Debug)]
pub struct Mark<'b> {
    source: Source<'b>,
    varied: Option<VariationState<'b>>,
    walk: Walk<'b>,
    used: usize,
    n: usize,
    n_spans: usize,
    current: u32,
    depth: u32,
    recent: [u64; N_RECENT],
    recent_character: char,
}

impl<'b> Choices<'b> {
    /// This place.
    #[must_use]
    pub const fn mark(&self) -> Mark<'b> {
        Mark {
            source: self.source,
            varied: self.varied,
            walk: self.walk,
            used: self.used,
            n: self.n,
            n_spans: self.n_spans,
            current: self.current,
            depth: self.depth,
            recent: self.recent,
            recent_character: self.recent_character,
        }
    }

    /// Goes back to a place of this stream: from here on it gives the same choices again, as long as the same
    /// kinds of choices are drawn.
    pub const fn rewind(&mut self, to: &Mark<'b>) {
        self.source = to.source;
        self.varied = to.varied;
        self.walk = to.walk;
        self.used = to.used;
        self.n = to.n;
        self.n_spans = to.n_spans;
        self.current = to.current;
        self.depth = to.depth;
        self.recent = to.recent;
        self.recent_character = to.recent_character;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{Choice, Shape};
    use crate::choices::Span;
    use crate::label::Label;
    use crate::prng::Prng;

    fn some(choices: &mut Choices<'_>) -> [u64; 4] {
        choices.open(Label::Value("some"));
        let drawn = [(); 4].map(|()| choices.unsigned(0, 1000, 0));
        choices.close();
        drawn
    }

    #[test]
    fn what_was_drawn_is_drawn_again_and_recorded_once() {
        let mut choices = [Choice { index: 0, shape: Shape::Boolean }; 20];
        let mut spans = [Span::BLANK; 8];
        let mut random = Choices::new(Source::Random(Prng::new(7)), 100).recording(&mut choices, &mut spans);
        let first = some(&mut random);
        let mark = random.mark();
        let second = some(&mut random);
        random.rewind(&mark);
        assert_eq!(some(&mut random), second);
        assert_eq!((random.n_choices(), random.n_spans()), (8, 2));
        let (choices, spans) = (random.recorded().to_vec(), random.recorded_spans().to_vec());
        let source = Source::Replay { choices: &choices, spans: Some(&spans), bound: u64::MAX };
        let mut replayed = Choices::new(source, 100);
        assert_eq!(some(&mut replayed), first);
        let mark = replayed.mark();
        assert_eq!(
            [some(&mut replayed), {
                replayed.rewind(&mark);
                some(&mut replayed)
            }],
            [second; 2]
        );
    }
}
