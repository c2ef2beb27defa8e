//! Trying simpler structures for the same numbers.
//!
//! The other passes change one thing at a time, so they cannot turn one tree into a differently
//! shaped one of the same size when every step between passes the test. For small records this
//! pass counts through the structures (booleans and alternatives) from the simplest on, and hands
//! the numbers of the best record to each in ascending order.

use super::{Candidate, Shrinker};
use alloc::vec::Vec;
use stairway_choice::{Choice, Label};

/// Records longer than this are not reshaped.
const MAX_CHOICES: usize = 48;
/// How many structures are tried.
const MAX_STRUCTURES: u32 = 96;

impl Shrinker<'_, '_> {
    pub(super) fn reshape(&mut self) {
        let is_structural = |c: &&Choice| c.shape.is_structural();
        let is_program = self.bench.best.spans.iter().any(|s| s.label == Label::Program);
        if is_program
            || self.len() > MAX_CHOICES
            || !self.best().iter().filter(is_structural).any(|c| c.index > 0)
        {
            return;
        }
        let bench = &mut *self.bench;
        bench.structure.clear();
        bench.numbers.clear();
        bench.numbers.extend(bench.best.choices.iter().filter(|c| !c.shape.is_structural()));
        bench.numbers.sort_unstable_by_key(|c| c.index);
        for _ in 0..MAX_STRUCTURES {
            if self.run_candidate(Candidate::Reshaped) || self.is_spent() {
                return;
            }
            // What was really drawn says what there is to choose.
            let bench = &mut *self.bench;
            bench.structure.clear();
            bench.structure.extend(bench.scratch.choices.iter().filter(is_structural));
            if !advance(&mut bench.structure) || !self.is_below_best() {
                return;
            }
        }
    }

    /// Whether a record with the structure at hand could be simpler than the best one.
    fn is_below_best(&self) -> bool {
        let best = self.best().iter().filter(|c| c.shape.is_structural()).map(|c| c.index);
        self.bench.structure.iter().map(|c| c.index).le(best)
    }
}

/// The next structure in lexicographic order.
fn advance(structure: &mut Vec<Choice>) -> bool {
    let Some(last) = structure.iter().rposition(|c| c.index < c.shape.largest_index()) else { return false };
    structure.truncate(last + 1);
    structure[last].index += 1;
    true
}
