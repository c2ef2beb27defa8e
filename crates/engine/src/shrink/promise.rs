//! Which edits of a program are worth a run.
//!
//! The passes for steps propose as many edits as a program has pairs of steps, and more; few of them help. What
//! cannot fail like the best record is not run, and a pass that has led to nothing for long is ended: its
//! likeliest edits come first. Deleting single steps is no such pass, so this costs no program its
//! 1-minimality.

use super::Shrinker;
use crate::execute::Recording;
use stairway_choice::Label;

/// How many runs in a row a pass may lead to nothing.
const MAX_IN_VAIN: u64 = 40;
/// How many runs in a row all of them, with what is tried before them, may lead to nothing.
const MAX_ALL_IN_VAIN: u64 = 175;

impl Shrinker<'_, '_> {
    /// Whether the candidate, an edit of the steps of a program, is worth a run.
    pub(super) fn is_promising(&self) -> bool {
        let n_all_in_vain = self.done.n_runs - self.n_runs_of_best;
        self.n_in_vain < MAX_IN_VAIN && n_all_in_vain < MAX_ALL_IN_VAIN && self.may_fail_alike()
    }

    /// Whether the operation that fails is left. If it is not, one that is new may notice the mistake too, and
    /// with fewer steps.
    fn may_fail_alike(&self) -> bool {
        let (best, candidate) = (&self.bench.best, &self.bench.candidate);
        let Some(last) = operations(best).last().filter(|_| self.fails_in_step) else { return true };
        let is_new = |operation: u64| !operations(best).any(|known| known == operation);
        operations(candidate).any(|operation| operation == last || is_new(operation))
    }
}

/// Which operation each step of a record is.
fn operations(record: &Recording) -> impl Iterator<Item = u64> {
    let steps = record.spans.iter().filter(|span| span.label == Label::Step);
    steps.filter_map(|span| record.choices.get(span.start as usize)).map(|choice| choice.index)
}
