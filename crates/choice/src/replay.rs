//! Walking along a record while a case draws again.
//!
//! A record (choices and, where they are known, spans) has the index for each draw. An edited record seldom
//! fits what is drawn exactly: a variant with more fields, a shallower tree. So the walk goes by spans: a
//! span that is opened again finds its recorded counterpart by order and label; what it draws beyond that
//! counterpart is the simplest, what it leaves over is skipped, and whatever follows stays in step. Without
//! spans the walk is flat.

use crate::choice::Choice;
use crate::choices::{Span, imprint};
use crate::label::Label;

/// How many recorded neighbours are looked at for a span with the right label.
const LOOKAHEAD: usize = 16;

/// A position in a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'b> {
    choices: &'b [Choice],
    spans: Option<&'b [Span]>,
    /// The next choice.
    at: usize,
    /// The recorded span that corresponds to the innermost open one.
    node: u32,
    /// The first span that may still be entered.
    next_span: usize,
    /// How many open spans have no counterpart.
    n_unmatched: u32,
}

impl<'b> Walk<'b> {
    pub(crate) const fn new(choices: &'b [Choice], spans: Option<&'b [Span]>) -> Self {
        Walk { choices, spans, at: 0, node: Span::OPEN, next_span: 0, n_unmatched: 0 }
    }

    /// The index recorded for the next draw; `None` where nothing corresponds to it.
    pub(crate) const fn next(&mut self) -> Option<u64> {
        if self.n_unmatched > 0 {
            return None;
        }
        if let Some(spans) = self.spans {
            self.skip_children(spans);
        }
        if self.at >= self.end() {
            return None;
        }
        self.at += 1;
        Some(self.choices[self.at - 1].index)
    }

    /// The imprint recorded for the value drawn last, unless that choice was edited since.
    pub(crate) const fn imprint(&mut self) -> Option<u32> {
        match self.next() {
            Some(_) if self.at >= 2 => imprint::read(&self.choices[self.at - 1], &self.choices[self.at - 2]),
            _ => None,
        }
    }

    /// Whether nothing is recorded from here to the end of the innermost span.
    #[cfg(feature = "observations")]
    pub(crate) const fn is_over(&self) -> bool {
        self.n_unmatched > 0 || self.at >= self.end()
    }

    /// A span is opened: finds its counterpart.
    pub(crate) const fn enter(&mut self, label: Label) {
        let Some(spans) = self.spans else { return };
        if self.n_unmatched == 0 {
            let (mut id, mut n_seen) = (self.next_span, 0);
            while id < spans.len() && n_seen < LOOKAHEAD && self.is_inside(spans, id) {
                let span = &spans[id];
                if span.parent == self.node && span.start as usize >= self.at {
                    if span.label.is(label) {
                        self.node = id as u32;
                        self.at = span.start as usize;
                        self.next_span = id + 1;
                        return;
                    }
                    n_seen += 1;
                }
                id += 1;
            }
        }
        self.n_unmatched += 1;
    }

    /// The innermost open span is closed.
    pub(crate) const fn leave(&mut self) {
        let Some(spans) = self.spans else { return };
        if self.n_unmatched > 0 {
            self.n_unmatched -= 1;
            return;
        }
        if self.node != Span::OPEN {
            self.at = self.end();
            let left = self.node;
            self.node = spans[left as usize].parent;
            // Spans inside the one just left cannot be entered any more.
            while self.next_span < spans.len() && is_within(spans, self.next_span, left) {
                self.next_span += 1;
            }
        }
    }

    /// Passes over recorded spans where a lone choice is drawn.
    const fn skip_children(&mut self, spans: &[Span]) {
        let mut id = self.next_span;
        while id < spans.len() && self.is_inside(spans, id) && spans[id].start as usize <= self.at {
            let span = &spans[id];
            let stands_here =
                span.parent == self.node && span.start as usize == self.at && span.end > span.start;
            if stands_here {
                self.at = span.end as usize;
                let skipped = id as u32;
                id += 1;
                while id < spans.len() && is_within(spans, id, skipped) {
                    id += 1;
                }
                self.next_span = id;
            } else {
                id += 1;
            }
        }
    }

    const fn end(&self) -> usize {
        match self.spans {
            Some(spans) if self.node != Span::OPEN => spans[self.node as usize].end as usize,
            _ => self.choices.len(),
        }
    }

    const fn is_inside(&self, spans: &[Span], id: usize) -> bool {
        self.node == Span::OPEN || is_within(spans, id, self.node)
    }
}

/// Whether span `id`, which was opened after span `outer`, lies within it: spans are in the order
/// in which they were opened, so the first one outside has an older parent.
const fn is_within(spans: &[Span], id: usize, outer: u32) -> bool {
    spans[id].parent != Span::OPEN && spans[id].parent >= outer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Shape;

    fn choices<const N: usize>(indices: [u64; N]) -> [Choice; N] {
        indices.map(|index| Choice { index, shape: Shape::Boolean })
    }

    const fn span(start: u32, end: u32, parent: u32, label: &'static str) -> Span {
        Span { start, end, parent, label: Label::Value(label), rejected: false }
    }

    #[test]
    fn a_flat_walk_reads_on_to_the_end() {
        let record = choices([5, 6]);
        let mut walk = Walk::new(&record, None);
        walk.enter(Label::Value("x"));
        assert_eq!((walk.next(), walk.next(), walk.next()), (Some(5), Some(6), None));
    }

    #[test]
    fn a_span_that_draws_more_is_padded_and_its_neighbour_stays_in_step() {
        let record = choices([1, 2]);
        let spans = [span(0, 1, Span::OPEN, "e"), span(1, 2, Span::OPEN, "e")];
        let mut walk = Walk::new(&record, Some(&spans));
        walk.enter(Label::Value("e"));
        assert_eq!((walk.next(), walk.next()), (Some(1), None));
        walk.leave();
        walk.enter(Label::Value("e"));
        assert_eq!(walk.next(), Some(2));
    }

    #[test]
    fn a_span_that_draws_less_leaves_the_rest_behind() {
        let record = choices([1, 2, 3]);
        let spans = [span(0, 2, Span::OPEN, "e"), span(2, 3, Span::OPEN, "e")];
        let mut walk = Walk::new(&record, Some(&spans));
        walk.enter(Label::Value("e"));
        assert_eq!(walk.next(), Some(1));
        walk.leave();
        walk.enter(Label::Value("e"));
        assert_eq!(walk.next(), Some(3));
        walk.leave();
        walk.enter(Label::Value("e"));
        assert_eq!(walk.next(), None);
    }

    #[test]
    fn a_span_with_another_label_has_no_counterpart() {
        let record = choices([1, 2]);
        let spans = [span(0, 1, Span::OPEN, "a"), span(1, 2, Span::OPEN, "b")];
        let mut walk = Walk::new(&record, Some(&spans));
        walk.enter(Label::Value("c"));
        assert_eq!(walk.next(), None);
        walk.leave();
        walk.enter(Label::Value("b"));
        assert_eq!(walk.next(), Some(2));
    }

    #[test]
    fn lone_choices_pass_over_recorded_spans() {
        let record = choices([1, 2, 3]);
        let spans = [span(0, 3, Span::OPEN, "all"), span(0, 2, 0, "in"), span(1, 2, 1, "deep")];
        let mut walk = Walk::new(&record, Some(&spans));
        walk.enter(Label::Value("all"));
        assert_eq!(walk.next(), Some(3));
        assert_eq!(walk.next(), None);
    }
}
