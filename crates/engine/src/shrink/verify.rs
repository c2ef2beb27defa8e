//! The last word on a program: without any one of its steps it does not fail like this.
//!
//! The passes look for simpler records, and a record with fewer steps need not be one: what is left
//! may draw more. So this tries every single step once more, by itself and with what depends on it,
//! asks for fewer steps only, and gives the case more room than a simpler record could need. What
//! the passes have tried already, and what came to its end then, is not run again.

use super::layout::{ROOT, Unit};
use super::{Candidate, Shrinker, Trial, is_simpler};
use crate::execute::Recording;
use stairway_choice::{Label, Span};

/// What became of a program without one of its steps.
enum StepNeed {
    /// It does not fail like this.
    Needed,
    /// It fails like this, and has taken the place of the longer one.
    Gone,
    /// Nobody knows: the program may not be shorter, or the budget has ended.
    Unknown,
}

impl Shrinker<'_, '_> {
    /// Tries the program without each of its steps; true if one was not needed, and is gone.
    pub(super) fn leave_out_a_step(&mut self) -> bool {
        let (mut n_steps, mut n_needed) = (0, 0);
        for i in 0..self.len() {
            if !self.counts_steps(i) || !self.read_elements(i) {
                continue;
            }
            for k in 0..self.bench.units.len() {
                if !is_step(&self.bench.best, self.bench.units[k]) {
                    continue;
                }
                n_steps += 1;
                match self.without(i, k) {
                    StepNeed::Needed => n_needed += 1,
                    StepNeed::Gone => return true,
                    StepNeed::Unknown => {}
                }
            }
        }
        // A step in which something was refused first may be another one without an earlier step.
        let is_refused = |span: &Span| span.rejected && span.end > span.start;
        let is_literal = !self.bench.best.spans.iter().any(is_refused);
        self.done.are_steps_needed = n_steps > 0 && n_needed == n_steps && is_literal;
        false
    }

    /// Leaves step `k` of the program whose length is choice `i` out.
    fn without(&mut self, i: usize, k: usize) -> StepNeed {
        self.doom(k..k + 1);
        self.doom_dependants();
        if !self.edit_marked_out(i, None) {
            return StepNeed::Unknown;
        }
        let bench = &*self.bench;
        if bench.cache.get(&bench.candidate).is_some_and(|known| known.is_another_end) {
            let count = &mut self.done.passes[self.pass as usize].n_cached;
            *count = count.saturating_add(1);
            return StepNeed::Needed;
        }
        let n_choices = bench.best.choices.len();
        let room = (2 * n_choices + 16).min(self.max_choices).max(n_choices);
        let Some(trial) = self.run_within(Candidate::Edited, room) else { return StepNeed::Unknown };
        let (before, after) = (n_steps(&self.bench.best), n_steps(&self.bench.scratch));
        match trial {
            // A step may have come behind the others, and then it is that one which fails.
            Trial::SameFailure { .. } if after < before && !self.is_less_plain() => {
                self.accept_shorter(after)
            }
            _ => StepNeed::Needed,
        }
    }

    /// Takes a program with fewer steps. It need not be simpler, so the passes could come back to
    /// the longer one: no number of steps is taken twice for that reason.
    fn accept_shorter(&mut self, n_steps: usize) -> StepNeed {
        let is_simpler = is_simpler(&self.bench.scratch.choices, &self.bench.best.choices);
        if !is_simpler && n_steps >= self.fewest_steps {
            return StepNeed::Unknown;
        }
        self.fewest_steps = self.fewest_steps.min(n_steps);
        self.accept();
        StepNeed::Gone
    }
}

/// How many steps the programs of a record have.
pub(super) fn n_steps(record: &Recording) -> usize {
    record.spans.iter().filter(|span| span.label == Label::Step).count()
}

fn is_step(record: &Recording, unit: Unit) -> bool {
    unit.span != ROOT && record.spans[unit.span as usize].label == Label::Step
}
