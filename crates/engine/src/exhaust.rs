//! Counting through all choices: the same generators, every value.
//!
//! Receives the record of the case just run, hands on the choices of the next one in
//! lexicographic order. Knows nothing of verdicts.

use crate::choice::Choice;
use alloc::vec::Vec;

/// Turns the record of one case into the beginning of the next; false when all have been seen.
///
/// `bound` limits the index of numbers, lengths, characters and floats, as in
/// [`Source::Replay`](crate::Source::Replay).
pub(crate) fn advance(record: &[Choice], bound: u64, next: &mut Vec<Choice>) -> bool {
    let last = record.iter().rposition(|choice| choice.index < last_index(choice, bound));
    next.clear();
    let Some(last) = last else { return false };
    next.extend_from_slice(&record[..=last]);
    next[last].index += 1;
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
