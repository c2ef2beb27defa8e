//! Exhaustive search: enumerates every choice sequence in lexicographic order, with the same generators as
//! random search. Programs that expose a fingerprint of their state are pruned: each state is expanded once
//! for the steps that are left ([`VisitedStates`]). Verdicts are none of its business.

use crate::execute::Recording;
use alloc::vec;
use alloc::vec::Vec;
use stairway_choice::{Choice, Label, Shape, mix};

/// How to count through all cases instead of drawing them at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhaustive {
    /// Numbers, lengths, characters and floats take this many values and one more, the simplest.
    pub bound: u64,
    /// Programs have up to this many steps, instead of as many as `bound` says.
    pub depth: Option<u64>,
}

/// The states that programs have reached: a hash table with open addressing.
///
/// Cases are enumerated depth first, so by the time another program reaches a state, everything that can
/// follow it within the steps that were left at its first visit has been tried, or is being tried. The table
/// lives in the process that runs the cases. When that process dies the table is empty again, which costs
/// time and misses nothing; so does a state that there is no room for.
#[derive(Debug, Default)]
pub struct VisitedStates {
    /// The length of the programs that are enumerated; nothing is kept where none are.
    n_steps: Option<u64>,
    slots: Vec<Option<Visit>>,
    n: usize,
    /// Whether `slots` may not grow.
    is_limited: bool,
    /// Whether the latest program was ended at a state that was known.
    was_pruned: bool,
}

/// A state with how many steps were left, and which choices led there.
#[derive(Clone, Copy, Debug)]
struct Visit {
    state: u128,
    n_left: u64,
    by: u128,
}

/// Where the table begins that may grow.
const FEW_STATES: usize = 64;

/// The table belongs to the search: what is observed of one case does not carry it along.
impl Clone for VisitedStates {
    fn clone(&self) -> Self {
        VisitedStates::default()
    }
}

impl VisitedStates {
    /// A table for this many states that never grows.
    pub(crate) fn with_room(n_states: usize) -> Self {
        VisitedStates { slots: vec![None; n_slots(n_states)], is_limited: true, ..VisitedStates::default() }
    }

    /// How many bytes [`VisitedStates::with_room`] takes.
    pub(crate) const fn bytes(n_states: usize) -> usize {
        n_slots(n_states) * size_of::<Option<Visit>>()
    }

    /// In how many pieces.
    pub(crate) const N_PIECES: usize = 1;

    /// Begins the next case; programs of another length begin with nothing visited.
    #[inline]
    pub(crate) fn begin(&mut self, n_steps: Option<u64>) {
        if self.n_steps != n_steps {
            self.empty(n_steps);
        }
        self.was_pruned = false;
    }

    #[cold]
    fn empty(&mut self, n_steps: Option<u64>) {
        self.n_steps = n_steps;
        self.slots.fill(None);
        self.n = 0;
    }

    /// Whether programs are enumerated.
    pub(crate) const fn is_searching(&self) -> bool {
        self.n_steps.is_some()
    }

    /// Whether the latest program was ended at a state that was known.
    pub(crate) const fn was_pruned(&self) -> bool {
        self.was_pruned
    }

    /// Whether everything that can follow this state has been seen from elsewhere.
    pub(crate) fn is_known(&mut self, state: u128, n_left: u64, path: &[Choice]) -> bool {
        let by = hash(path);
        let Some(slot) = self.slot(state) else { return false };
        match &mut self.slots[slot] {
            Some(visit) if visit.by == by => false,
            Some(visit) if visit.n_left >= n_left => {
                self.was_pruned = true;
                true
            }
            known => {
                self.n += usize::from(known.is_none());
                *known = Some(Visit { state, n_left, by });
                false
            }
        }
    }

    /// Where a state is or can be put; nowhere if there is no room for another one.
    fn slot(&mut self, state: u128) -> Option<usize> {
        if 2 * self.n >= self.slots.len() && !self.is_limited {
            self.grow();
        }
        let slot = probe(&self.slots, state);
        let is_full = 2 * self.n >= self.slots.len();
        slot.filter(|slot| !is_full || self.slots[*slot].is_some())
    }

    fn grow(&mut self) {
        let n_slots = (2 * self.slots.len()).max(FEW_STATES);
        let old = core::mem::replace(&mut self.slots, vec![None; n_slots]);
        for visit in old.into_iter().flatten() {
            if let Some(slot) = probe(&self.slots, visit.state) {
                self.slots[slot] = Some(visit);
            }
        }
    }
}

/// Half of the slots stay empty, so that looking for a state ends soon.
const fn n_slots(n_states: usize) -> usize {
    (2 * n_states).next_power_of_two()
}

/// The slot of a state, or the first empty one on the way to it. The number of slots is a power of two.
fn probe(slots: &[Option<Visit>], state: u128) -> Option<usize> {
    let first = mix(state as u64 ^ (state >> 64) as u64) as usize;
    let all = (0..slots.len()).map(|k| first.wrapping_add(k) & (slots.len() - 1));
    all.into_iter().find(|slot| slots[*slot].is_none_or(|visit| visit.state == state))
}

/// FNV-1a over the indices, wide enough that no two paths of a run are taken for the same.
fn hash(path: &[Choice]) -> u128 {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mix = |hash: u128, choice: &Choice| (hash ^ u128::from(choice.index)).wrapping_mul(PRIME);
    path.iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, mix)
}

/// Turns the choices asked for in one case, of which `record` is what became, into those of the
/// next one; false when all have been seen.
///
/// `bound` limits the index of numbers, lengths, characters and floats, as in
/// [`Source::Replay`](crate::Source::Replay).
///
/// With `are_steps_fixed`, programs keep the length they have.
pub(crate) fn advance(
    recording: &Recording,
    bound: u64,
    are_steps_fixed: bool,
    path: &mut Vec<Choice>,
) -> bool {
    let record = &recording.choices[..];
    let is_fixed = |i: usize| {
        are_steps_fixed && recording.spans.iter().any(|s| s.label == Label::Program && s.start as usize == i)
    };
    let asked = |i: usize| path.get(i).map_or(0, |choice| choice.index);
    // What cannot be had (a float outside its range, an alternative of weight 0) is moved to
    // what can. Up to there, then, everything has been seen; but never go back.
    let reached = |i: usize| match record[i].index {
        index if index <= last_index(&record[i], bound) => index.max(asked(i)),
        _ => asked(i),
    };
    let is_left = |&i: &usize| !is_fixed(i) && reached(i) < last_index(&record[i], bound);
    let last = (0..record.len()).rfind(is_left);
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
    let programs = spans.iter().enumerate().filter(|(_, span)| span.label == Label::Program);
    let sizes = programs.map(|(id, program)| {
        let inside = &choices[program.start as usize..program.end as usize];
        let [Choice { shape: Shape::Length { max, .. }, .. }, steps @ ..] = inside else { return 1 };
        let is_step = |span: &&crate::Span| span.parent == id as u32 && span.label == Label::Step;
        let n_steps = spans[id + 1..].iter().filter(is_step).count() as u64;
        let n_times_longer = max.checked_div(n_steps).unwrap_or(1);
        product(steps).saturating_pow(u32::try_from(n_times_longer).unwrap_or(u32::MAX))
    });
    sizes.fold(1, u64::saturating_mul)
}
