//! Counting through all choices: the same generators, every value.
//!
//! Receives the choices of the case just run, hands on those of the next one in lexicographic
//! order. Knows nothing of verdicts.

use crate::choice::Choice;
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
