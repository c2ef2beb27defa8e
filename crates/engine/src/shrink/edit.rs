//! Edits that change the structure of a record and keep its spans true.
//!
//! Whether the result is any good is for others.

use super::layout::{ROOT, Unit};
use crate::execute::Recording;
use alloc::vec::Vec;
use core::ops::Range;
use stairway_choice::{Choice, Span};

/// Memory for edits, used again each time.
#[derive(Debug)]
pub(super) struct Editor {
    /// Where each span goes; `ROOT` for one that is dropped.
    moved: Vec<u32>,
    spans: Vec<Span>,
    choices: Vec<Choice>,
    /// How many choices stay before each one, and before the end.
    n_kept: Vec<u32>,
}

impl Editor {
    pub(super) fn with_room(n_choices: usize, n_spans: usize) -> Self {
        Editor {
            moved: Vec::with_capacity(n_spans),
            spans: Vec::with_capacity(n_spans),
            choices: Vec::with_capacity(n_choices),
            n_kept: Vec::with_capacity(n_choices + 1),
        }
    }

    pub(super) const fn bytes(n_choices: usize, n_spans: usize) -> usize {
        (n_spans + n_choices + 1) * size_of::<u32>() + Recording::bytes(n_choices, n_spans)
    }

    pub(super) const N_PIECES: usize = 2 + Recording::N_PIECES;

    /// Deletes the choices `start..end` and the spans that lie wholly within them.
    pub(super) fn delete(&mut self, record: &mut Recording, start: usize, end: usize) {
        self.delete_all(record, core::iter::once(start..end));
    }

    /// Deletes several stretches of choices, which come in order and apart, and the spans that lie
    /// wholly within them: in one go, because a long program may lose thousands of steps at once.
    pub(super) fn delete_all(
        &mut self,
        record: &mut Recording,
        stretches: impl Iterator<Item = Range<usize>>,
    ) {
        self.n_kept.clear();
        let (mut n_kept, mut at) = (0, 0);
        for Range { start, end } in stretches {
            record.choices.copy_within(at..start, n_kept);
            self.n_kept.extend((0..=start - at).map(|k| (n_kept + k) as u32));
            n_kept += start - at;
            // The first of a stretch stands behind what is kept, and so do the others.
            self.n_kept.resize(end, n_kept as u32);
            at = end;
        }
        let n = record.choices.len();
        record.choices.copy_within(at..n, n_kept);
        self.n_kept.extend((0..=n - at).map(|k| (n_kept + k) as u32));
        record.choices.truncate(n_kept + n - at);
        let kept = core::mem::take(&mut self.n_kept);
        let place = |at: u32| kept[at as usize];
        self.keep(record, |span| span.start == span.end || place(span.start) < place(span.end));
        for span in &mut record.spans {
            span.start = place(span.start);
            span.end = place(span.end);
        }
        self.n_kept = kept;
    }

    /// Puts span `part` in the place of span `whole` around it.
    pub(super) fn lift(&mut self, record: &mut Recording, whole: usize, part: usize) {
        let (outer, inner) = (record.spans[whole], record.spans[part]);
        let parent = outer.parent;
        // The spans from `whole` down to `part` go.
        let mut id = inner.parent;
        loop {
            record.spans[id as usize].start = DROPPED;
            if id as usize == whole {
                break;
            }
            id = record.spans[id as usize].parent;
        }
        record.spans[part].parent = parent;
        self.keep(record, |span| span.start != DROPPED);
        self.delete(record, inner.end as usize, outer.end as usize);
        self.delete(record, outer.start as usize, inner.start as usize);
    }

    /// Lets span `first` take in the contents of its neighbour `second`.
    pub(super) fn merge(&mut self, record: &mut Recording, first: usize, second: usize) {
        record.spans[first].end = record.spans[second].end;
        for span in &mut record.spans {
            if span.parent == second as u32 {
                span.parent = first as u32;
            }
        }
        record.spans[second].start = DROPPED;
        self.keep(record, |span| span.start != DROPPED);
    }

    /// Puts neighbouring units into another order.
    pub(super) fn arrange(&mut self, record: &mut Recording, units: &[Unit], order: &[Unit]) {
        let start = units[0].start;
        self.choices.clear();
        self.spans.clear();
        let first_span = units.iter().map(|u| u.span).min().unwrap_or(ROOT);
        for unit in order {
            let (at, to) = (start + self.choices.len(), unit.start);
            self.choices.extend_from_slice(&record.choices[unit.start..unit.end]);
            if unit.span != ROOT {
                let from = unit.span as usize;
                let new_id = first_span + self.spans.len() as u32;
                for (k, span) in record.spans[from..].iter().enumerate() {
                    if k > 0 && (span.parent == ROOT || span.parent < unit.span) {
                        break;
                    }
                    let mut span = *span;
                    span.start = span.start - to as u32 + at as u32;
                    span.end = span.end - to as u32 + at as u32;
                    if k > 0 {
                        span.parent = span.parent - unit.span + new_id;
                    }
                    self.spans.push(span);
                }
            }
        }
        record.choices[start..start + self.choices.len()].copy_from_slice(&self.choices);
        if first_span != ROOT {
            let first = first_span as usize;
            let gap = record.spans.len().min(first + self.spans.len());
            // Empty spans between the units would get in the way: then only choices move.
            if record.spans[first..gap].len() == self.spans.len() {
                record.spans[first..gap].copy_from_slice(&self.spans);
            }
        }
    }

    /// Drops the spans that `keep` does not want, and those inside them.
    fn keep(&mut self, record: &mut Recording, keep: impl Fn(&Span) -> bool) {
        self.moved.clear();
        let mut n = 0;
        for id in 0..record.spans.len() {
            let mut span = record.spans[id];
            let parent = match span.parent {
                ROOT => ROOT,
                parent => self.moved[parent as usize],
            };
            let orphaned = span.parent != ROOT && parent == ROOT;
            if !keep(&span) || orphaned {
                self.moved.push(ROOT);
                continue;
            }
            span.parent = parent;
            self.moved.push(n);
            record.spans[n as usize] = span;
            n += 1;
        }
        record.spans.truncate(n as usize);
    }
}

/// The start of a span that is about to be dropped.
const DROPPED: u32 = Span::OPEN;
