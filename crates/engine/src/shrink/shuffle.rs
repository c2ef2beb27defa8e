//! Programs with fewer steps that no single edit leads to.
//!
//! Four keys put into a tree in one order need a step more than the same four in another, and a value that
//! was made from a seed for an early step may do for the one that fails. Between such programs lies nothing
//! that fails, so both passes here leave steps out and draw numbers of the others anew, a bounded number of
//! times, from a generator that depends on nothing but the attempt.

use super::Shrinker;
use super::layout::{ROOT, Unit};
use stairway_choice::{Choice, Prng, Shape};

/// Up to how many steps a program is tried so.
const MAX_SHUFFLED: usize = 9;
/// How often the rest is drawn anew at most, for each operation that is left out.
const MAX_SHUFFLES: u64 = 250;
/// How often something made from a seed is tried where another step has been.
const N_LIFTED: u64 = 300;
/// By how much larger than it was it may be.
const MAX_LARGER: u64 = 3;
/// Numbers in it are below 2 to this.
const MAX_DOUBLINGS: u64 = 12;
/// Of 16 choices, how many numbers, references and alternatives are drawn anew.
const NUMBERS: u64 = 12;
const OTHERS: u64 = 2;

impl Shrinker<'_, '_> {
    /// Deletes a step and draws numbers of the others anew.
    pub(super) fn delete_and_shuffle(&mut self) {
        if cfg!(feature = "observations") {
            self.for_programs(MAX_SHUFFLED, Self::delete_one_shuffled);
        }
    }

    fn delete_one_shuffled(&mut self, i: usize) -> bool {
        let n = self.bench.units.len();
        // Of neighbours that do the same, the last goes: the first may be the one that makes something.
        let goes = |this: &Self, k: usize| k + 1 == n || this.operation(k) != this.operation(k + 1);
        let n_gone = (0..n).filter(|k| goes(self, *k)).count() as u64;
        let n_shuffles = MAX_SHUFFLES.min(self.n_shuffles / n_gone.max(1));
        (0..n).any(|k| goes(self, k) && (0..n_shuffles).any(|attempt| self.shuffle(i, k, attempt)))
    }

    /// Deletes step `k` and draws some choices of the others anew.
    fn shuffle(&mut self, i: usize, k: usize, attempt: u64) -> bool {
        self.doom(k..k + 1);
        if self.is_spent() || !self.edit_marked_out(i, None) {
            return false;
        }
        let mut prng = Prng::new(attempt);
        let takes_whole = attempt % 2 == 1;
        let bench = &mut *self.bench;
        let n_left = bench.units.len() as u64 - 1;
        let n_gone = bench.units[k].end - bench.units[k].start;
        for (at, unit) in bench.units.iter().enumerate().filter(|(at, _)| *at != k) {
            // Where the step is in the candidate, which has the others only.
            let (at, n_gone) = if at < k { (at, 0) } else { (at - 1, n_gone) };
            let (first, end) = ((unit.start + 1).min(unit.end) - n_gone, unit.end - n_gone);
            let mut is_of_result = false;
            for choice in &mut bench.candidate.choices[first..end] {
                redraw(choice, &mut prng, n_left, at as u64);
                // What follows a reference says which part of that result is taken: the first is all of it.
                let is_alternative = matches!(choice.shape, Shape::Alternative { .. });
                if takes_whole && is_of_result && is_alternative {
                    choice.index = 0;
                }
                is_of_result =
                    matches!(choice.shape, Shape::Reference { .. }) || (is_of_result && is_alternative);
            }
        }
        self.attempt()
    }

    /// Lets the step that fails begin with what was made from a seed for it or for another one, and deletes all
    /// others.
    pub(super) fn lift_seeded(&mut self) {
        if cfg!(feature = "observations") {
            self.for_programs(usize::MAX, |this, i| {
                let n = this.bench.units.len();
                n > 1 && (0..n).rev().any(|k| this.lift_from(i, k))
            });
        }
    }

    /// Deletes all steps but step `k`, which becomes what the last one is.
    fn lift_from(&mut self, i: usize, k: usize) -> bool {
        let (Unit { start, span, .. }, last) = (self.bench.units[k], self.bench.units.len() - 1);
        let seeded = self
            .bench
            .best
            .spans
            .iter()
            .position(|inner| span != ROOT && inner.parent == span && inner.label.has_seed());
        let Some(seeded) = seeded else { return false };
        let (from, to) = (self.bench.best.spans[seeded].start, self.bench.best.spans[seeded].end);
        let size = self.best().get(from as usize).map_or(0, |choice| choice.index);
        let operation = self.operation(last);
        (0..N_LIFTED).any(|attempt| {
            self.doom(0..last + 1);
            self.bench.doomed[k] = false;
            if self.is_spent() || !self.edit_marked_out(i, Some((start, operation))) {
                return false;
            }
            if attempt > 0 {
                let n_gone = self.bench.units[..k].iter().map(|unit| unit.end - unit.start).sum::<usize>();
                let (from, to) = (from as usize - n_gone, to as usize - n_gone);
                reseed(&mut self.bench.candidate.choices[from..to], size, attempt);
            }
            self.attempt()
        })
    }
}

/// Draws a choice anew, now and then: a small number, a step before this one, another alternative.
fn redraw(choice: &mut Choice, prng: &mut Prng, n_steps: u64, step: u64) {
    let word = prng.up_to(15);
    let largest = choice.shape.largest_index();
    match choice.shape {
        Shape::Signed { .. } | Shape::Unsigned { .. } if word < NUMBERS => {
            choice.index = prng.up_to((n_steps + 1).min(largest));
        }
        Shape::Reference { .. } if word < OTHERS && step > 0 => choice.index = prng.up_to(step - 1),
        Shape::Alternative { .. } if word < OTHERS => choice.index = prng.up_to(largest),
        _ => {}
    }
}

/// Draws what is made from a seed anew: its size, its seed, and numbers in it.
fn reseed(choices: &mut [Choice], size: u64, attempt: u64) {
    let mut prng = Prng::new(attempt);
    let [first, seed, rest @ ..] = choices else { return };
    // Small ones first.
    let most = (size + MAX_LARGER).min(first.shape.largest_index());
    first.index = prng.up_to(most.min(attempt * (most + 1) / N_LIFTED));
    seed.index = prng.up_to(seed.shape.largest_index());
    // Mostly numbers are names, and the smallest will do; every third time they may be amounts.
    let largest = if attempt % 3 == 2 { 1 << prng.up_to(MAX_DOUBLINGS) } else { size + 1 };
    rest.iter_mut().for_each(|choice| redraw(choice, &mut prng, largest, 0));
}
