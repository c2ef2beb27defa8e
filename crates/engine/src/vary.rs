//! Variations of a program that was kept: some of its steps, in another order, repeated, beside steps of
//! another program, with other numbers, and steps drawn at random between them.
//!
//! Edits records and runs nothing. What an edit leaves out is drawn at random by `Source::Varied`, so an
//! emptied step is a new one, and one that keeps its first choice is the same operation with new arguments.
//! Records that are no programs are varied choice by choice.

use crate::corpus::Operands;
use crate::execute::Recording;
use alloc::vec::Vec;
use stairway_choice::{Choice, Label, Prng, Shape, Span, Value};

/// How many steps are added, copied or left out at once, at most.
const MAX_RUN: u64 = 8;
/// How many steps follow what was kept, at most.
const MAX_MORE: u64 = 24;
/// How many times a run is repeated, at most.
const MAX_REPEATED: u64 = 4;

/// A variation of `base`, with parts of `donor`; `operands` are what `base` compared.
pub(crate) fn varied(
    base: &Recording,
    donor: &Recording,
    operands: &[Operands],
    prng: &mut Prng,
) -> Recording {
    // What came near to something is moved as it is.
    if !operands.is_empty() && prng.up_to(1) == 0 {
        let mut varied = base.clone();
        approach(&mut varied, operands, prng);
        return varied;
    }
    let mut varied = match (Steps::of(base), Steps::of(donor)) {
        (Some(steps), Some(others)) => steps.varied(base, &others, donor, prng),
        _ => loose(base, prng),
    };
    if prng.up_to(3) == 0 {
        nudge(&mut varied.choices, prng);
    }
    varied
}

/// A short program that goes where `base` went, which is small, by steps that make everything themselves. It
/// begins with a few steps of one operation, of any: what builds up a state is not in `base` where the state
/// came from elsewhere. Then come the operations of `base`, the last one once or a few times, with other
/// arguments. The numbers of `base` are [spare](stairway_choice::Choices::spare), in some order: those of its
/// state are likely the ones to build it with.
pub(crate) fn skeleton(base: &Recording, prng: &mut Prng) -> Option<Recording> {
    let steps = Steps::of(base)?;
    let last = steps.steps.len().checked_sub(1)?;
    let chosen = base.choices.get(base.spans[steps.steps[last]].start as usize)?;
    let operation = |step: usize| Piece { step: Some(step), ..Piece::NEW };
    let repeated = match prng.up_to(7) {
        0 => Piece::NEW,
        1 => operation(prng.up_to(last as u64) as usize),
        _ => Piece { operation: Some(prng.up_to(chosen.shape.largest_index())), ..operation(last) },
    };
    let mut numbers = numbers(base);
    // A number that follows from the others is not in the record; it is next to one of them.
    if prng.up_to(1) == 0 {
        let next = |choice: &Choice| Choice { index: choice.index + 1, ..*choice };
        let is_there = |choice: &Choice| choice.index < choice.shape.largest_index();
        let more: Vec<Choice> = numbers.iter().filter(|choice| is_there(choice)).map(next).collect();
        more.iter().for_each(|choice| add_number(&mut numbers, choice));
    }
    for k in (1..numbers.len()).rev() {
        numbers.swap(k, prng.up_to(k as u64) as usize);
    }
    let n = match prng.up_to(1) {
        0 => prng.up_to(MAX_RUN),
        // One for each number, and a few to spare.
        _ => (numbers.len() as u64 + prng.up_to(2)).min(MAX_RUN),
    };
    let mut pieces = Vec::new();
    pieces.push(if prng.up_to(1) == 0 { Piece::NEW } else { repeated });
    pieces.extend(core::iter::repeat_n(repeated, n as usize));
    for step in 0..last.min(MAX_REPEATED as usize) {
        pieces.extend(core::iter::repeat_n(operation(step), prng.up_to(2) as usize));
    }
    pieces.extend(core::iter::repeat_n(operation(last), 1 + prng.up_to(MAX_REPEATED - 1) as usize));
    // Where the mistake shows in another step, that may be the one which builds.
    pieces.extend(core::iter::repeat_n(repeated, prng.up_to(2) as usize));
    let mut made = steps.assembled(base, base, &pieces);
    let end = made.spans.iter().map(|span| span.end as usize).max().unwrap_or(0);
    made.choices.truncate(end);
    made.choices.extend(numbers);
    Some(made)
}

/// The different numbers of a record, but for seeds.
fn numbers(base: &Recording) -> Vec<Choice> {
    let innermost = |at: usize| {
        let holds = |span: &&Span| (span.start as usize..span.end as usize).contains(&at);
        base.spans.iter().rev().find(holds)
    };
    let mut found: Vec<Choice> = Vec::new();
    for (at, choice) in base.choices.iter().enumerate() {
        let is_number = matches!(choice.shape, Shape::Signed { .. } | Shape::Unsigned { .. })
            && !innermost(at).is_some_and(|span| span.label.is(Label::SEEDED));
        if is_number {
            add_number(&mut found, choice);
        }
    }
    found
}

/// Adds a number unless it is there, or there are many.
fn add_number(numbers: &mut Vec<Choice>, choice: &Choice) {
    let value = choice.shape.value_at(choice.index);
    let is_same = |other: &Choice| other.shape.value_at(other.index) == value;
    if numbers.len() < MAX_RUN as usize && !numbers.iter().any(is_same) {
        numbers.push(*choice);
    }
}

/// The record of a case up to the choice at `at`; of a program, whole steps.
pub(crate) fn cut(recording: &mut Recording, at: usize) {
    let Some(steps) = Steps::of(recording) else { return };
    let n = steps.steps.iter().take_while(|id| (recording.spans[**id].start as usize) < at).count();
    let pieces: Vec<Piece> = (0..n).map(Piece::whole).collect();
    *recording = steps.assembled(recording, recording, &pieces);
}

/// Where the steps of a program lie in its record.
struct Steps {
    program: usize,
    /// Their spans.
    steps: Vec<usize>,
}

/// A step of a variation.
#[derive(Clone, Copy)]
struct Piece {
    /// Whether it is a step of the other program.
    is_donated: bool,
    /// Which step it is; none for a new one.
    step: Option<usize>,
    /// Its operation, where that is not the step's.
    operation: Option<u64>,
    /// Whether its arguments are kept.
    is_whole: bool,
}

impl Piece {
    const NEW: Piece = Piece { is_donated: false, step: None, operation: None, is_whole: false };

    const fn whole(step: usize) -> Piece {
        Piece { step: Some(step), is_whole: true, ..Piece::NEW }
    }
}

impl Steps {
    fn of(recording: &Recording) -> Option<Steps> {
        let program = recording.spans.iter().position(|span| span.label == Label::Program)?;
        let has_length = |span: &Span| {
            let first = recording.choices.get(span.start as usize);
            first.is_some_and(|choice| matches!(choice.shape, Shape::Length { .. }))
        };
        let is_step = |span: &Span| span.parent as usize == program && span.label == Label::Step;
        let of = recording.spans.iter().enumerate().filter(|(_, span)| is_step(span));
        has_length(&recording.spans[program])
            .then(|| Steps { program, steps: of.map(|(id, _)| id).collect() })
    }

    fn varied(&self, base: &Recording, others: &Steps, donor: &Recording, prng: &mut Prng) -> Recording {
        let mut pieces: Vec<Piece> = (0..self.steps.len()).map(Piece::whole).collect();
        for _ in 0..=prng.up_to(2) {
            edit(&mut pieces, others.steps.len(), prng);
        }
        self.assembled(base, donor, &pieces)
    }

    /// The record of a program of these steps.
    fn assembled(&self, base: &Recording, donor: &Recording, pieces: &[Piece]) -> Recording {
        let others = Steps::of(donor);
        let program = base.spans[self.program];
        let begin = program.start as usize + 1;
        let first = self.steps.first().copied();
        let (n_spans, last) = match (first, self.steps.last()) {
            (Some(first), Some(last)) => (first, base.spans[*last].end as usize),
            _ => (self.program + 1, begin),
        };
        let mut made =
            Recording { choices: base.choices[..begin].to_vec(), spans: base.spans[..n_spans].to_vec() };
        for (place, piece) in pieces.iter().enumerate() {
            let (from, steps) = match (&others, piece.is_donated) {
                (Some(others), true) => (donor, others),
                _ => (base, self),
            };
            let at = made.choices.len() as u32;
            let id = made.spans.len() as u32;
            made.spans.push(Span {
                start: at,
                end: at,
                parent: self.program as u32,
                label: Label::Step,
                rejected: false,
            });
            let Some(span) = piece.step.and_then(|step| steps.steps.get(step)) else { continue };
            let Span { start, end, .. } = from.spans[*span];
            let end = if piece.is_whole { end } else { end.min(start + 1) };
            let choices = &from.choices[start as usize..end as usize];
            made.choices.extend(choices.iter().map(|choice| referring(choice, piece, place, pieces)));
            if let (Some(operation), Some(chosen)) = (piece.operation, made.choices.get_mut(at as usize)) {
                chosen.index = operation.min(chosen.shape.largest_index());
            }
            made.spans[id as usize].end = at + (end - start);
            if piece.is_whole {
                let is_inside = |inner: &&Span| inner.parent != Span::OPEN && inner.parent as usize >= *span;
                let inner = from.spans[span + 1..].iter().take_while(is_inside);
                made.spans.extend(inner.map(|inner| Span {
                    start: inner.start - start + at,
                    end: inner.end.min(end) - start + at,
                    parent: inner.parent - *span as u32 + id,
                    ..*inner
                }));
            }
        }
        self.end(base, last, &mut made);
        if let Some(length) = made.choices.get_mut(program.start as usize) {
            length.index = pieces.len() as u64;
        }
        made
    }

    /// Adds what comes after the last step, and closes what is open around the steps.
    fn end(&self, base: &Recording, last: usize, made: &mut Recording) {
        let (at, first) = (made.choices.len(), made.spans.len());
        made.choices.extend_from_slice(&base.choices[last..]);
        let moved = |position: u32| (position as usize - last + at) as u32;
        for span in &mut made.spans[..self.program + 1] {
            if span.end as usize >= last {
                span.end = moved(span.end);
            }
        }
        let behind = match self.steps.last() {
            Some(step) => {
                let inner = base.spans[step + 1..].iter();
                let is_inside = |span: &&Span| span.parent != Span::OPEN && span.parent as usize >= *step;
                step + 1 + inner.take_while(is_inside).count()
            }
            None => self.program + 1,
        };
        for span in &base.spans[behind..] {
            let parent = match span.parent as usize {
                id if span.parent != Span::OPEN && id >= behind => (id - behind + first) as u32,
                _ => span.parent,
            };
            made.spans.push(Span { start: moved(span.start), end: moved(span.end), parent, ..*span });
        }
    }
}

/// A choice of a step at its new place: results of earlier steps are those of the same steps, if they are
/// there.
fn referring(choice: &Choice, piece: &Piece, place: usize, pieces: &[Piece]) -> Choice {
    let mut choice = *choice;
    if let Shape::Reference { .. } = choice.shape {
        let is_meant = |other: &&Piece| {
            other.is_donated == piece.is_donated && other.step.map(|step| step as u64) == Some(choice.index)
        };
        // The latest copy of it.
        if let Some(back) = pieces[..place].iter().rev().position(|other| is_meant(&other)) {
            choice.index = (place - 1 - back) as u64;
        }
    }
    choice
}

/// Changes a program of `pieces`; the other one has `n_others` steps.
fn edit(pieces: &mut Vec<Piece>, n_others: usize, prng: &mut Prng) {
    let n = pieces.len();
    let at = prng.up_to(n as u64) as usize;
    let run = (at + 1 + prng.up_to(MAX_RUN - 1) as usize).min(n);
    match prng.up_to(15) {
        // Goes on from where it ended.
        0..=4 => pieces.extend((0..=prng.up_to(MAX_MORE - 1)).map(|_| Piece::NEW)),
        // Goes on from an earlier place.
        5 => {
            pieces.truncate(at);
            pieces.extend((0..=prng.up_to(MAX_MORE - 1)).map(|_| Piece::NEW));
        }
        6 | 7 => {
            pieces.splice(at..at, (0..=prng.up_to(MAX_RUN / 2 - 1)).map(|_| Piece::NEW));
        }
        8 if at < n => {
            pieces.drain(at..run);
        }
        9 | 10 if at < n => {
            let again: Vec<Piece> = pieces[at..run].to_vec();
            for _ in 0..=prng.up_to(MAX_REPEATED - 1) {
                pieces.splice(run..run, again.iter().copied());
            }
        }
        11 | 12 if n_others > 0 => {
            let from = prng.up_to(n_others as u64 - 1) as usize;
            let to = from + 1 + prng.up_to((n_others - from) as u64 - 1) as usize;
            let donated = (from..to).map(|step| Piece { is_donated: true, ..Piece::whole(step) });
            pieces.splice(at..at, donated);
        }
        13 if n > 1 => {
            let one = prng.up_to(n as u64 - 1) as usize;
            let moved = pieces.remove(one);
            pieces.insert(at.min(n - 1), moved);
        }
        // The same operation with other arguments.
        _ if at < n => pieces[at].is_whole = false,
        _ => pieces.push(Piece::NEW),
    }
}

/// A variation of a record that is no program: it is drawn anew from some choice on, or in one span.
fn loose(base: &Recording, prng: &mut Prng) -> Recording {
    let mut varied = base.clone();
    let n = base.choices.len();
    if n == 0 {
        return varied;
    }
    match prng.up_to(3) {
        0 => without(&mut varied, prng.up_to(n as u64 - 1) as usize..n),
        1 if !base.spans.is_empty() => {
            let span = base.spans[prng.up_to(base.spans.len() as u64 - 1) as usize];
            without(&mut varied, span.start as usize..(span.end as usize).min(n));
        }
        _ => nudge(&mut varied.choices, prng),
    }
    varied
}

/// Takes choices out of a record, and leaves the spans around them.
fn without(recording: &mut Recording, gone: core::ops::Range<usize>) {
    let n = (gone.end - gone.start) as u32;
    let moved = |position: u32| match position as usize {
        at if at <= gone.start => position,
        at if at >= gone.end => position - n,
        _ => gone.start as u32,
    };
    for span in &mut recording.spans {
        (span.start, span.end) = (moved(span.start), moved(span.end));
    }
    recording.choices.drain(gone);
}

/// Moves one choice, or a few, by a little or by a lot.
fn nudge(choices: &mut [Choice], prng: &mut Prng) {
    if choices.is_empty() {
        return;
    }
    loop {
        let at = prng.up_to(choices.len() as u64 - 1) as usize;
        let like = choices[prng.up_to(choices.len() as u64 - 1) as usize];
        let choice = &mut choices[at];
        let largest = choice.shape.largest_index();
        let step = 1 << prng.up_to(n_doublings(largest));
        let index = match prng.up_to(5) {
            0 => choice.index.saturating_add(1 + prng.up_to(3)),
            1 => choice.index.saturating_sub(1 + prng.up_to(3)),
            2 => choice.index.saturating_add(step),
            3 => choice.index.saturating_sub(step),
            4 if core::mem::discriminant(&like.shape) == core::mem::discriminant(&choice.shape) => like.index,
            _ => prng.up_to(largest),
        };
        choice.index = index.min(largest);
        if prng.up_to(3) > 0 {
            return;
        }
    }
}

/// Goes after a comparison whose operands were not equal. A number that was drawn and is one of the operands becomes
/// the other one, mostly; otherwise a number is moved by what they differ by, is made one of them or a byte of one, or
/// is moved anyhow: one of the last step, mostly.
fn approach(recording: &mut Recording, operands: &[Operands], prng: &mut Prng) {
    let Operands { left, right } = operands[prng.up_to(operands.len() as u64 - 1) as usize];
    let (left, right) = (i128::from(left), i128::from(right));
    let last = Steps::of(recording).and_then(|steps| steps.steps.last().copied());
    let last = last.map_or(0, |id| recording.spans[id].start as usize);
    let choices = &mut recording.choices;
    if choices.is_empty() {
        return;
    }
    let is_operand = |choice: &Choice| number(choice).is_some_and(|n| is_same(n, left) || is_same(n, right));
    let n_matching = choices.iter().filter(|choice| is_operand(choice)).count() as u64;
    if n_matching > 0 && prng.up_to(3) > 0 {
        let chosen = prng.up_to(n_matching - 1) as usize;
        if let Some(choice) = choices.iter_mut().filter(|choice| is_operand(choice)).nth(chosen) {
            let is_left = number(choice).is_some_and(|n| is_same(n, left));
            set(choice, if is_left { right } else { left });
        }
        if prng.up_to(3) > 0 {
            return;
        }
    }
    for _ in 0..=prng.up_to(1) {
        let first = if prng.up_to(3) > 0 && last < choices.len() { last } else { 0 };
        let at = first as u64 + prng.up_to((choices.len() - first) as u64 - 1);
        let choice = &mut choices[at as usize];
        let Some(value) = number(choice) else {
            nudge(core::slice::from_mut(choice), prng);
            continue;
        };
        let byte = 8 * prng.up_to(3);
        match prng.up_to(9) {
            0 => set(choice, left),
            1 => set(choice, right),
            2 | 3 => set(choice, value + (right - left)),
            4 | 5 => set(choice, value - (right - left)),
            6 => set(choice, value + ((right - left) >> byte)),
            7 => set(choice, value - ((right - left) >> byte)),
            8 => set(choice, ((if prng.up_to(1) == 0 { left } else { right }) >> byte) & 0xff),
            _ => nudge(core::slice::from_mut(choice), prng),
        }
    }
}

/// Numbers without a sign may have been taken for some with a sign.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

fn is_same(number: i128, operand: i128) -> bool {
    number == operand || operand < 0 && WIDTHS.iter().any(|bits| number == operand + (1 << bits))
}

/// Makes a choice that of a number, if it can be.
fn set(choice: &mut Choice, number: i128) {
    let ways = WIDTHS.iter().map(|bits| number + (1 << bits));
    if let Some(index) = core::iter::once(number).chain(ways).find_map(|way| index_of(choice, way)) {
        choice.index = index;
    }
}

fn number(choice: &Choice) -> Option<i128> {
    match choice.value() {
        Value::Integer(value) => Some(value),
        Value::Character(value) => Some(i128::from(u32::from(value))),
        Value::Length(n) => Some(i128::from(n)),
        _ => None,
    }
}

fn index_of(choice: &Choice, number: i128) -> Option<u64> {
    let value = match choice.shape {
        Shape::Character { .. } => Value::Character(char::from_u32(u32::try_from(number).ok()?)?),
        Shape::Length { .. } => Value::Length(u64::try_from(number).ok()?),
        _ => Value::Integer(number),
    };
    choice.shape.index_of(&value)
}

/// How often 1 can be doubled before it is more than an index can be moved by.
const fn n_doublings(largest: u64) -> u64 {
    largest.saturating_add(1).ilog2() as u64
}
