//! Choices that are made elsewhere: a case that goes through something systematically puts them into its stream,
//! and a record has them like those that were drawn.

use super::{Choices, Source, Span};
use crate::choice::Choice;

impl Choices<'_> {
    /// Whether nothing but chance decides: only then may a case [put](Choices::put) choices.
    #[must_use]
    pub const fn is_by_chance(&self) -> bool {
        matches!(self.source, Source::Random(_)) && self.varied.is_none()
    }

    /// Takes these choices, and the spans in which they are, as if they had been drawn. Of a stream that follows a
    /// record they are drawn instead.
    pub fn put(&mut self, choices: &[Choice], spans: &[Span]) {
        debug_assert!(self.is_by_chance(), "choices are put into a stream that has its own");
        let (mut next, mut innermost) = (0, Span::OPEN);
        for at in 0..=choices.len() {
            loop {
                let opened = spans.get(next).filter(|s| s.start as usize == at && s.parent == innermost);
                if let Some(span) = opened {
                    self.open(span.label);
                    (innermost, next) = (next as u32, next + 1);
                    continue;
                }
                match spans.get(innermost as usize) {
                    Some(span) if span.end as usize == at => {
                        self.close();
                        innermost = span.parent;
                    }
                    _ => break,
                }
            }
            if let Some(choice) = choices.get(at)
                && self.may_draw()
            {
                self.record_if_asked(choice.index, choice.shape);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Shape;
    use crate::label::Label;
    use crate::prng::Prng;

    fn draw(choices: &mut Choices<'_>) -> [u64; 3] {
        choices.open(Label::Value("outer"));
        let first = choices.unsigned(0, 9, 0);
        choices.open(Label::Value("inner"));
        let second = choices.unsigned(0, 9, 0);
        choices.close();
        choices.open(Label::Value("empty"));
        choices.close();
        choices.close();
        [first, second, choices.unsigned(0, 9, 0)]
    }

    #[test]
    fn what_is_put_is_recorded_as_if_it_had_been_drawn() {
        let blank = [Choice { index: 0, shape: Shape::Boolean }; 20];
        let (mut one, mut spans_of_one) = (blank, [Span::BLANK; 8]);
        let mut drawn =
            Choices::new(Source::Random(Prng::new(3)), 100).recording(&mut one, &mut spans_of_one);
        let values = draw(&mut drawn);
        let (mut other, mut spans_of_other) = (blank, [Span::BLANK; 8]);
        let mut put =
            Choices::new(Source::Random(Prng::new(4)), 100).recording(&mut other, &mut spans_of_other);
        put.put(drawn.recorded(), drawn.recorded_spans());
        assert_eq!(put.recorded(), drawn.recorded());
        assert_eq!(put.recorded_spans(), drawn.recorded_spans());
        let source =
            Source::Replay { choices: put.recorded(), spans: Some(put.recorded_spans()), bound: u64::MAX };
        assert_eq!(draw(&mut Choices::new(source, 100)), values);
    }
}
