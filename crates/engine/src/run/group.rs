//! Failures that one mistake explains: programs that do the same and are told apart by the step that notices.
//!
//! All of them are shrunk. Decides which of the other failures belong to the one that was found, and lets the
//! shortest program lead; before that, one that makes everything itself takes the place of one with something
//! out of nowhere. Identities stay what they are: shrinking and files go by them.

use crate::execute::Recording;
use crate::report::Counterexample;
use crate::shrink;
use alloc::vec::Vec;
use stairway_choice::{Choice, Label, Span};

/// Marks those of `others` that belong to `found`, and makes the shortest of all these the one that was found.
pub(super) fn lead_with_shortest(found: &mut Counterexample, others: &mut [Counterexample]) {
    let is_plain = |of: &Counterexample| of.recording.n_out_of_nowhere() == 0;
    // Where nothing is observed, nothing is looked for again without it either.
    if cfg!(feature = "observations")
        && !is_plain(found)
        && let Some(other) = others.iter_mut().find(|other| is_plain(other))
        && (found.failure.is_doubtful() || !other.failure.is_doubtful())
    {
        lead(found, other);
    }
    for other in &mut *others {
        other.is_of_group = do_the_same(&found.recording, &other.recording);
    }
    let of_group = others.iter_mut().filter(|other| other.is_of_group);
    let shortest = of_group.min_by(|a, b| {
        let is_simpler = shrink::is_simpler(&a.recording.choices, &b.recording.choices);
        let is_less = n_steps(&a.recording).cmp(&n_steps(&b.recording));
        is_less.then(if is_simpler { core::cmp::Ordering::Less } else { core::cmp::Ordering::Greater })
    });
    if let Some(other) = shortest
        && n_steps(&other.recording) < n_steps(&found.recording)
        && (found.failure.is_doubtful() || !other.failure.is_doubtful())
    {
        lead(found, other);
        (found.is_of_group, other.is_of_group) = (false, true);
    }
}

/// Lets another failure lead.
fn lead(found: &mut Counterexample, other: &mut Counterexample) {
    core::mem::swap(found, other);
    // The search has found them all, whichever of them leads.
    core::mem::swap(&mut found.origin, &mut other.origin);
}

fn n_steps(record: &Recording) -> usize {
    steps(record).len()
}

/// Whether two programs do the same up to their last steps: what one does the other does too, in this order.
fn do_the_same(one: &Recording, other: &Recording) -> bool {
    let (one, other) = (steps(one), steps(other));
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let ([shorter @ .., noticed], [longer @ .., also]) = (&shorter[..], &longer[..]) else { return false };
    // Two clauses that the same operation breaks are two mistakes.
    if shorter.len() == longer.len() && operation(noticed) == operation(also) {
        return false;
    }
    // A single step says too little about what a longer program does.
    if shorter.is_empty() {
        return longer.is_empty();
    }
    let mut rest = longer.iter();
    shorter.iter().all(|step| rest.any(|other| is_same_step(step, other)))
}

/// The first choice of a step says which operation it is.
fn operation(step: &[Choice]) -> Option<u64> {
    step.first().map(|choice| choice.index)
}

fn is_same_step(one: &[Choice], other: &[Choice]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.index == b.index)
}

/// What each step of a program has drawn, refused ones left out; nothing if it is no program.
fn steps(record: &Recording) -> Vec<&[Choice]> {
    let Recording { choices, spans } = record;
    let is_step = |span: &&Span| span.label == Label::Step && !span.rejected;
    let range =
        |span: &Span| (span.start as usize).min(choices.len())..(span.end as usize).min(choices.len());
    spans.iter().filter(is_step).map(|span| &choices[range(span)]).collect()
}
