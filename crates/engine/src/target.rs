//! Targeted search: climbing from the best case seen towards a larger score.
//!
//! Receives the record of the best case, hands on edited records to try. It knows neither the
//! property nor what the score means. Each choice is moved up and down by steps that double as
//! long as the score gets better.

use crate::choice::Choice;
use crate::execute::Recording;

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
}

impl Climb {
    pub(crate) const fn new(best: f64, n_runs: u64) -> Self {
        Climb { best, n_left: n_runs, at: 0, up: true, step: 1, n_vain: 0 }
    }

    /// The next record to try, from the record of the best case; none when the top is reached.
    pub(crate) fn propose(&mut self, record: &Recording) -> Option<Recording> {
        let n = record.choices.len();
        while self.n_left > 0 && n > 0 && self.n_vain <= 2 * n {
            self.at %= n;
            if let Some(index) = self.moved(&record.choices[self.at]) {
                self.n_left -= 1;
                let mut proposal = record.clone();
                proposal.choices[self.at].index = index;
                return Some(proposal);
            }
            self.give_up();
        }
        None
    }

    /// Takes in the score of what was proposed; true if it is the best so far.
    pub(crate) fn learn(&mut self, score: Option<f64>) -> bool {
        match score {
            Some(score) if score > self.best => {
                self.best = score;
                self.step = self.step.saturating_mul(2);
                self.n_vain = 0;
                true
            }
            _ => {
                if self.step > 1 {
                    self.step = 1;
                } else {
                    self.give_up();
                }
                false
            }
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
