//! How a record is grouped: which span owns a choice, and which units a span consists of.
//!
//! A unit is a child span or a choice that lies in no child: the smallest piece that can be deleted, moved or
//! copied as a whole. What is done with these pieces is not known here.

use crate::execute::Recording;
use alloc::vec::Vec;
use stairway_choice::Span;

/// The pseudo-span around the whole record.
pub(super) const ROOT: u32 = Span::OPEN;

/// A piece of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The span it is; `ROOT` for a lone choice.
    pub(super) span: u32,
}

#[derive(Debug)]
pub(super) struct Layout {
    /// Innermost span around each choice.
    owner: Vec<u32>,
    /// How many spans lie inside each span.
    n_inside: Vec<u32>,
}

impl Layout {
    pub(super) fn with_room(n_choices: usize, n_spans: usize) -> Self {
        Layout { owner: Vec::with_capacity(n_choices), n_inside: Vec::with_capacity(n_spans) }
    }

    pub(super) const fn bytes(n_choices: usize, n_spans: usize) -> usize {
        (n_choices + n_spans) * size_of::<u32>()
    }

    pub(super) const N_PIECES: usize = 2;

    pub(super) fn read(&mut self, record: &Recording) {
        self.owner.clear();
        self.owner.resize(record.choices.len(), ROOT);
        for (id, span) in record.spans.iter().enumerate() {
            self.owner[span.start as usize..span.end as usize].fill(id as u32);
        }
        self.n_inside.clear();
        self.n_inside.resize(record.spans.len(), 0);
        for id in (0..record.spans.len()).rev() {
            let parent = record.spans[id].parent;
            if parent != ROOT {
                self.n_inside[parent as usize] += 1 + self.n_inside[id];
            }
        }
    }

    pub(super) fn owner(&self, choice: usize) -> u32 {
        self.owner[choice]
    }

    /// The spans inside `span`, at any depth.
    pub(super) fn inside(&self, span: u32) -> core::ops::Range<usize> {
        if span == ROOT {
            return 0..self.n_inside.len();
        }
        let first = span as usize + 1;
        first..first + self.n_inside[span as usize] as usize
    }

    /// The units of `span` that start at `from` or later, into `out`.
    pub(super) fn units(&self, record: &Recording, span: u32, from: usize, out: &mut Vec<Unit>) {
        out.clear();
        self.push_units(record, span, from, out);
    }

    /// The units of `span` that start at `from` or later, behind what is in `out`.
    pub(super) fn push_units(&self, record: &Recording, span: u32, from: usize, out: &mut Vec<Unit>) {
        let end = if span == ROOT { record.choices.len() } else { record.spans[span as usize].end as usize };
        let start = if span == ROOT { 0 } else { record.spans[span as usize].start as usize };
        let mut at = start;
        let children = self.inside(span);
        let mut id = children.start;
        while id < children.end {
            let child = record.spans[id];
            push_lone_choices(at, child.start as usize, from, out);
            if child.start >= from as u32 && child.end > child.start {
                out.push(Unit { start: child.start as usize, end: child.end as usize, span: id as u32 });
            }
            at = at.max(child.end as usize);
            id += 1 + self.n_inside[id] as usize;
        }
        push_lone_choices(at, end, from, out);
    }
}

fn push_lone_choices(start: usize, end: usize, from: usize, out: &mut Vec<Unit>) {
    for at in start.max(from)..end {
        out.push(Unit { start: at, end: at + 1, span: ROOT });
    }
}
