//! A record that is only partly given: what it has is taken, what it has not is drawn at random.
//!
//! Such a stream has two sources and is, before each draw, a replay or a random one, so that no draw knows of
//! it and what is new is as likely as in any random case. Its limit is kept here, and the one that every draw
//! compares with is 0: only this kind of stream pays for looking which source it is. Where program memory is
//! scarce there is no such stream, and nothing is left of it.

use super::{Choices, Halt, Source, Span};
use crate::choice::Choice;
use crate::prng::Prng;

/// What a stream of this kind has beside its present source.
#[cfg(feature = "observations")]
#[derive(Clone, Copy, Debug)]
pub(super) struct VariationState<'b> {
    /// The source that is not in use.
    other: Source<'b>,
    /// How many choices may be drawn.
    limit: usize,
    /// What the record has after all its spans.
    spare: &'b [Choice],
}

/// Nothing is varied.
#[cfg(not(feature = "observations"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct VariationState<'b>(core::convert::Infallible, core::marker::PhantomData<&'b ()>);

impl<'b> VariationState<'b> {
    /// Both sources, the record first.
    #[cfg(feature = "observations")]
    pub(super) const fn sources(
        choices: &'b [Choice],
        spans: &'b [Span],
        prng: Prng,
    ) -> (Source<'b>, Option<VariationState<'b>>) {
        let record = Source::Replay { choices, spans: Some(spans), bound: u64::MAX };
        let (mut k, mut end) = (0, 0);
        while k < spans.len() {
            if spans[k].end as usize > end {
                end = spans[k].end as usize;
            }
            k += 1;
        }
        let (_, spare) = choices.split_at(if end < choices.len() { end } else { choices.len() });
        (record, Some(VariationState { other: Source::Random(prng), limit: super::MAX_CHOICES, spare }))
    }

    /// A stream that is random altogether: nobody has one that is not.
    #[cfg(not(feature = "observations"))]
    pub(super) const fn sources(
        _: &'b [Choice],
        _: &'b [Span],
        prng: Prng,
    ) -> (Source<'b>, Option<VariationState<'b>>) {
        (Source::Random(prng), None)
    }
}

impl Choices<'_> {
    /// Counts a draw beyond the limit that is compared first: there is one in a stream of two sources.
    #[cold]
    pub(super) const fn may_draw_varied(&mut self) -> bool {
        #[cfg(feature = "observations")]
        if let Some(varied) = self.varied
            && self.n < varied.limit
        {
            let mut walk = self.walk;
            self.turn(walk.next().is_none());
            self.n += 1;
            return true;
        }
        self.stop(Halt::Overrun);
        false
    }

    /// How many choices may be drawn.
    pub(super) const fn limit_mut(&mut self) -> &mut usize {
        match &mut self.varied {
            #[cfg(feature = "observations")]
            Some(varied) => &mut varied.limit,
            _ => &mut self.limit,
        }
    }

    /// Makes the stream random, or a replay.
    #[cfg(feature = "observations")]
    const fn turn(&mut self, to_random: bool) {
        if let Some(varied) = &mut self.varied
            && to_random != matches!(self.source, Source::Random(_))
        {
            core::mem::swap(&mut self.source, &mut varied.other);
        }
    }

    /// What is random in this stream where nothing is recorded from here to the end of the innermost span.
    pub(super) const fn free_prng(&mut self) -> Option<&mut Prng> {
        #[cfg(feature = "observations")]
        if self.varied.is_some() {
            let is_free = self.walk.is_over();
            self.turn(is_free);
        }
        match &mut self.source {
            Source::Random(prng) => Some(prng),
            _ => None,
        }
    }

    /// What is random in this stream, wherever it stands: for decisions that no record knows of.
    pub(super) const fn any_prng(&mut self) -> Option<&mut Prng> {
        match (&mut self.source, &mut self.varied) {
            (Source::Random(prng), _) => Some(prng),
            #[cfg(feature = "observations")]
            (_, Some(VariationState { other: Source::Random(prng), .. })) => Some(prng),
            _ => None,
        }
    }

    /// The choices that a varied record has after all its spans: no draw finds them, so whoever varied it may
    /// leave numbers there that are worth drawing again.
    #[must_use]
    pub const fn spare(&self) -> &[Choice] {
        match &self.varied {
            #[cfg(feature = "observations")]
            Some(varied) => varied.spare,
            _ => &[],
        }
    }

    /// Whether this case is one of a search, random or varied: what takes long may be cut short in it.
    #[must_use]
    pub const fn is_searching(&self) -> bool {
        self.varied.is_some() || matches!(self.source, Source::Random(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;
    use std::vec::Vec;

    /// Draws `n` steps of an operation and a number each.
    fn program(c: &mut Choices<'_>) -> Vec<(usize, u64)> {
        c.open(Label::Program);
        let n = c.steps(0, 9);
        let steps = (0..n).map(|_| {
            c.open(Label::Step);
            let step = (c.weighted(&[1, 1, 1], &[]), c.unsigned(0, 1 << 40, 0));
            c.close();
            step
        });
        let steps = steps.collect();
        c.close();
        steps
    }

    fn recorded(source: Source<'_>) -> (Vec<(usize, u64)>, Vec<Choice>, Vec<Span>) {
        let (mut choices, mut spans) = ([Choice::BLANK; 40], [Span::BLANK; 20]);
        let mut c = Choices::new(source, 100).recording(&mut choices, &mut spans);
        let steps = program(&mut c);
        (steps, c.recorded().to_vec(), c.recorded_spans().to_vec())
    }

    fn first() -> (Vec<(usize, u64)>, Vec<Choice>, Vec<Span>) {
        (0..).map(|seed| recorded(Source::Random(Prng::new(seed)))).find(|run| run.0.len() == 9).unwrap()
    }

    #[test]
    fn what_is_recorded_is_taken_and_what_follows_is_drawn() {
        let (steps, choices, mut spans) = first();
        // The first three steps; the length still says nine.
        spans.truncate(4);
        spans[0].end = spans[3].end;
        let kept = &choices[..spans[3].end as usize];
        let runs: Vec<_> = (0..3)
            .map(|seed| recorded(Source::Varied { choices: kept, spans: &spans, prng: Prng::new(seed) }))
            .collect();
        for (varied, ..) in &runs {
            assert_eq!((varied.len(), &varied[..3]), (9, &steps[..3]));
        }
        assert_ne!(runs[0].0, runs[1].0);
        // What was drawn is a record like any other.
        let (again, ..) =
            recorded(Source::Replay { choices: &runs[2].1, spans: Some(&runs[2].2), bound: u64::MAX });
        assert_eq!(again, runs[2].0);
        let unrecorded = Source::Varied { choices: kept, spans: &spans, prng: Prng::new(2) };
        assert_eq!(program(&mut Choices::new(unrecorded, 100)), runs[2].0, "recording changes nothing");
    }

    #[test]
    fn a_span_that_was_emptied_is_drawn_and_its_neighbours_stay() {
        let (steps, mut choices, mut spans) = first();
        // The fourth step keeps its operation and loses its number.
        let lost = spans[4].end - 1;
        choices.remove(lost as usize);
        for span in &mut spans {
            span.start -= u32::from(span.start > lost);
            span.end -= u32::from(span.end > lost);
        }
        let (varied, ..) = recorded(Source::Varied { choices: &choices, spans: &spans, prng: Prng::new(1) });
        assert_eq!((varied[3].0, varied[3].1 == steps[3].1), (steps[3].0, false));
        assert_eq!((&varied[..3], &varied[4..]), (&steps[..3], &steps[4..]));
    }

    #[test]
    fn what_a_record_has_after_its_spans_is_spare() {
        let (steps, mut choices, spans) = first();
        let number = Choice { shape: crate::choice::Shape::Unsigned { lo: 0, hi: 9, simplest: 0 }, index: 7 };
        choices.push(number);
        let varied = Source::Varied { choices: &choices, spans: &spans, prng: Prng::new(1) };
        let mut c = Choices::new(varied, 100);
        assert_eq!(c.spare(), &[number]);
        assert_eq!(program(&mut c), steps, "no draw finds it");
        assert_eq!(Choices::new(Source::Random(Prng::new(1)), 100).spare(), &[]);
    }

    #[test]
    fn limits_hold() {
        let (_, choices, spans) = first();
        let mut c = Choices::new(Source::Varied { choices: &choices, spans: &spans, prng: Prng::new(1) }, 9);
        c.limit(5, 9);
        program(&mut c);
        assert_eq!((c.n_choices(), c.halted()), (5, Some(Halt::Overrun)));
    }
}
