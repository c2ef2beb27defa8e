//! Targeted search: climbing from the best case seen towards a larger score.
//!
//! Proposes edits of the record of the best case. It knows neither the property nor what the score means.
//! Each choice is moved up and down by steps that double as long as the score gets better; when no step helps
//! any more, choices leap to random places, and a place as good as the best is kept, so that plateaus are
//! crossed.

use crate::execute::Recording;
use stairway_choice::{Choice, Prng};

/// The state of one climb.
#[derive(Debug)]
pub(crate) struct Climb {
    best: f64,
    n_left: u64,
    /// Which choice is being moved, up or down, and by how much.
    at: usize,
    up: bool,
    step: u64,
    /// Choices moved in vain since the last success.
    n_vain: usize,
    is_leaping: bool,
    prng: Prng,
}

impl Climb {
    pub(crate) const fn new(best: f64, n_runs: u64) -> Self {
        let prng = Prng::new(n_runs);
        Climb { best, n_left: n_runs, at: 0, up: true, step: 1, n_vain: 0, is_leaping: false, prng }
    }

    /// The next record to try, from the record of the best case; none when the runs are used up.
    pub(crate) fn propose(&mut self, record: &Recording) -> Option<Recording> {
        let n = record.choices.len();
        if n == 0 || self.n_left == 0 {
            return None;
        }
        self.n_left -= 1;
        let mut proposal = record.clone();
        while self.n_vain <= 2 * n {
            self.at %= n;
            if let Some(index) = self.moved(&record.choices[self.at]) {
                proposal.choices[self.at].index = index;
                self.is_leaping = false;
                return Some(proposal);
            }
            self.give_up();
        }
        self.is_leaping = true;
        let at = self.prng.up_to(n as u64 - 1) as usize;
        proposal.choices[at].index = self.prng.up_to(record.choices[at].shape.largest_index());
        Some(proposal)
    }

    /// Takes in the score of what was proposed; true if the climb goes on from there.
    pub(crate) fn learn(&mut self, score: Option<f64>) -> bool {
        let Some(score) = score.filter(|score| *score >= self.best) else {
            self.fail();
            return false;
        };
        if score > self.best {
            self.best = score;
            self.step = self.step.saturating_mul(2);
            self.n_vain = 0;
            return true;
        }
        self.fail();
        // As good as the best: worth it only for want of something better.
        self.is_leaping
    }

    fn fail(&mut self) {
        if self.is_leaping {
            return;
        }
        if self.step > 1 {
            self.step = 1;
        } else {
            self.give_up();
        }
    }

    fn moved(&self, choice: &Choice) -> Option<u64> {
        let largest = choice.shape.largest_index();
        if self.up {
            (choice.index < largest).then(|| choice.index.saturating_add(self.step).min(largest))
        } else {
            (choice.index > 0).then(|| choice.index.saturating_sub(self.step))
        }
    }

    /// Turns to the other direction, then to the next choice.
    fn give_up(&mut self) {
        self.n_vain += 1;
        self.step = 1;
        self.up = !self.up;
        if self.up {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use stairway_choice::Shape;

    /// Climbs from all simplest choices with `n_runs` runs; gives the best score.
    fn climb(n_choices: usize, largest: u64, n_runs: u64, score: impl Fn(&[u64]) -> f64) -> f64 {
        let shape = Shape::Unsigned { lo: 0, hi: largest, simplest: 0 };
        let choices = alloc::vec![Choice { index: 0, shape }; n_choices];
        let mut record = Recording { choices, spans: Vec::new() };
        let score_of =
            |record: &Recording| score(&record.choices.iter().map(|c| c.index).collect::<Vec<_>>());
        let mut best = score_of(&record);
        let mut climb = Climb::new(best, n_runs);
        while let Some(proposal) = climb.propose(&record) {
            let score = score_of(&proposal);
            best = best.max(score);
            if climb.learn(Some(score)) {
                record = proposal;
            }
        }
        best
    }

    #[test]
    fn a_slope_is_climbed_in_steps_that_double() {
        assert_eq!(climb(1, 1 << 40, 200, |c| c[0] as f64), (1u64 << 40) as f64);
    }

    /// Each letter counts only when it is right: no step of one helps by itself.
    #[test]
    fn letters_are_found_one_by_one() {
        let word: Vec<u64> = b"secret".iter().map(|b| u64::from(b - b'a')).collect();
        let matches = |c: &[u64]| c.iter().zip(&word).filter(|(a, b)| a == b).count() as f64;
        assert_eq!(climb(6, 25, 1000, matches), 6.0);
    }

    #[test]
    fn nothing_to_move_ends_the_climb() {
        assert_eq!(climb(0, 9, 10, |_| 1.0), 1.0);
        assert_eq!(climb(3, 0, 10, |_| 1.0), 1.0);
    }
}
