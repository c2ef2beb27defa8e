//! Finds blocks that are unreachable at the end of a sequence.
//!
//! A lost block is noted, or fails the sequence: if the contract of the function that lost it mentions no
//! memory, and everywhere if the user asks for that. Results stay in their variables, so a lost block is lost
//! to the program itself. Running the sequence again shows which call lost it. Ownership in contracts is
//! judged after each call, in `judge`.

use super::{Calls, Sequence, failures};
use crate::facts::Note;
use crate::machine::Block;
use stairway::{Case, Checked, Stop};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// How many bytes are looked through for pointers at the end of a sequence, at most: a fraction of a
/// millisecond.
const MOST_LOOKED_THROUGH: u64 = 1 << 16;
/// The same where leaks fail the run.
const MOST_IN_EARNEST: u64 = 1 << 22;

impl Calls {
    /// Looks for blocks that are lost.
    pub(super) fn check_leaks(&self, sequence: &Sequence, case: &mut Case<'_>) -> Checked {
        let lost =
            self.lost_blocks(if self.settings.fails_leaks { MOST_IN_EARNEST } else { MOST_LOOKED_THROUGH });
        if lost.is_empty() {
            return Ok(());
        }
        if self.settings.fails_leaks || self.has_contracts {
            let known = lost.iter().map(|block| block.id.0).collect();
            let op = self.loser(sequence, &known);
            // A contract that takes memory says what it answers for, and is judged after each call: what else
            // is lost, somebody else dropped.
            let contract =
                |op: &usize| self.targets[*op].0.contract.map(|k| &self.project.specs.contracts[k]);
            let answers = |op: &usize| contract(op).is_some_and(|contract| !contract.takes());
            if let Some(op) = op.filter(|op| self.settings.fails_leaks || answers(op)) {
                let failure = *failures::lost(&self.project, self.targets[op].0.name, &lost);
                return Err(Stop::fail(sequence.doubtful(failure)));
            }
        }
        for block in lost {
            if let Some(place) = block.allocated_at.and_then(|pc| failures::at(&self.project, pc)) {
                Note::Lost(place).put(case);
            }
        }
        Ok(())
    }

    /// The blocks that the code allocated and nothing leads to, unless there is too much to look through.
    fn lost_blocks(&self, most_bytes: u64) -> Vec<Block> {
        let is_possible = self.machine.blocks().any(|block| block.is_live && block.allocated_at.is_some());
        if !is_possible || self.machine.n_reachable_bytes() > most_bytes {
            return Vec::new();
        }
        let lost = self.machine.unreachable_blocks(&[]).into_iter();
        lost.filter(|block| block.allocated_at.is_some()).collect()
    }

    /// The function that lost one of these blocks first.
    fn loser(&self, sequence: &Sequence, lost: &BTreeSet<u64>) -> Option<usize> {
        self.start_over(self.settings.machine.fill);
        let mut found = None;
        self.again(&sequence.log.borrow(), false, &mut |made| {
            let is_kept = made.call.is_kept;
            // A result that is kept leads to its block; it is put into its variable after this.
            let roots: Vec<u64> = match <[u8; 8]>::try_from(made.result) {
                Ok(bytes) if is_kept => vec![u64::from_le_bytes(bytes)],
                _ => Vec::new(),
            };
            let mut gone = self.machine.unreachable_blocks(&roots).into_iter();
            if made.violation.is_none() && gone.any(|block| lost.contains(&block.id.0)) {
                found = Some(made.call.op);
                return ControlFlow::Break(());
            }
            self.judge.ask_again(&self.machine);
            ControlFlow::Continue(())
        });
        found
    }
}
