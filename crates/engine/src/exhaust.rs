//! Counting through all choices: the same generators, every value.
//!
//! Receives the choices of the case just run, hands on those of the next one in lexicographic
//! order. Knows nothing of verdicts.

use crate::choice::{Choice, Shape};
use crate::execute::Recording;
use crate::program::{PROGRAM, STEP};
use alloc::vec::Vec;

/// Turns the choices asked for in one case, of which `record` is what became, into those of the
/// next one; false when all have been seen.
///
/// `bound` limits the index of numbers, lengths, characters and floats, as in
/// [`Source::Replay`](crate::Source::Replay).
pub(crate) fn advance(record: &[Choice], bound: u64, path: &mut Vec<Choice>) -> bool {
    let asked = |i: usize| path.get(i).map_or(0, |choice| choice.index);
    // What cannot be had (a float outside of its range, an alternative of weight 0) is moved to
    // what can. Up to there, then, everything has been seen; but never go back.
    let reached = |i: usize| match record[i].index {
        index if index <= last_index(&record[i], bound) => index.max(asked(i)),
        _ => asked(i),
    };
    let last = (0..record.len()).rfind(|&i| reached(i) < last_index(&record[i], bound));
    let Some(last) = last else { return false };
    let next = Choice { index: reached(last) + 1, ..record[last] };
    path.truncate(last);
    for choice in &record[path.len()..last] {
        path.push(Choice { index: 0, ..*choice });
    }
    path.push(next);
    true
}

fn last_index(choice: &Choice, bound: u64) -> u64 {
    let largest = choice.shape.largest_index();
    if choice.shape.is_structural() { largest } else { largest.min(bound) }
}

/// How many cases there are if every case draws the choices of this record.
pub(crate) fn product(record: &[Choice]) -> u64 {
    record.iter().fold(1u64, |n, choice| n.saturating_mul(choice.shape.largest_index().saturating_add(1)))
}

/// About how many programs there are if all steps are like those of this record: what the length
/// and the choices of a short program do not say.
pub(crate) fn programs(record: &Recording) -> u64 {
    let Recording { choices, spans } = record;
    let programs = spans.iter().enumerate().filter(|(_, span)| span.label == PROGRAM);
    let sizes = programs.map(|(id, program)| {
        let inside = &choices[program.start as usize..program.end as usize];
        let [Choice { shape: Shape::Length { max, .. }, .. }, steps @ ..] = inside else { return 1 };
        let is_step = |span: &&crate::Span| span.parent == id as u32 && span.label == STEP;
        let n_steps = spans[id + 1..].iter().filter(is_step).count() as u64;
        let n_times_longer = max.checked_div(n_steps).unwrap_or(1);
        product(steps).saturating_pow(u32::try_from(n_times_longer).unwrap_or(u32::MAX))
    });
    sizes.fold(1, u64::saturating_mul)
}
