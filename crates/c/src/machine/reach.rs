//! Which live blocks nothing points to any more.
//!
//! Conservative: every aligned word of variables, slots, given roots and reachable blocks that holds an
//! address in a block keeps that block. So a block it names is unreachable; a hidden pointer keeps nothing.

use super::Machine;
use super::memory::{Block, Range};

impl Machine {
    /// How many bytes `unreachable_blocks` looks through, at most.
    #[must_use]
    pub fn n_reachable_bytes(&self) -> u64 {
        let variables: u64 = self.layout.variables.iter().map(|range| range.size).sum();
        variables + (self.heap_end() - self.placed(super::raw::ARENA))
    }

    /// Live blocks of the heap that neither variables, slots nor the given addresses lead to.
    #[must_use]
    pub fn unreachable_blocks(&self, roots: &[u64]) -> Vec<Block> {
        let mut is_reached = vec![false; self.n_blocks() as usize];
        let mut open: Vec<Range> = self.layout.variables.clone();
        for block in self.blocks().filter(|b| b.is_slot && b.is_live) {
            is_reached[block.index as usize] = true;
            open.push(block.range);
        }
        for root in roots {
            self.reach(*root, &mut is_reached, &mut open);
        }
        // Each block is opened once, so this ends.
        while let Some(range) = open.pop() {
            self.reach_from(range, &mut is_reached, &mut open);
        }
        self.blocks().filter(|b| b.is_live && !is_reached[b.index as usize]).collect()
    }

    /// Live blocks that the code allocated, or may free, and that its variables do not lead to: what is left
    /// of them when a program has done all it should do has leaked.
    #[must_use]
    pub fn leaked_blocks(&self) -> Vec<Block> {
        if !self.blocks().any(|block| block.is_live && !block.is_slot) {
            return Vec::new();
        }
        let mut is_reached = vec![false; self.n_blocks() as usize];
        let mut open: Vec<Range> = self.layout.variables.clone();
        // Each block is opened once, so this ends.
        while let Some(range) = open.pop() {
            self.reach_from(range, &mut is_reached, &mut open);
        }
        self.blocks().filter(|b| b.is_live && !b.is_slot && !is_reached[b.index as usize]).collect()
    }

    fn reach_from(&self, range: Range, is_reached: &mut [bool], open: &mut Vec<Range>) {
        let start = range.address.next_multiple_of(8);
        let mut word = [0; 8];
        for at in (start..(range.address + range.size).saturating_sub(7)).step_by(8) {
            if self.read(at, &mut word) {
                self.reach(u64::from_le_bytes(word), is_reached, open);
            }
        }
    }

    fn reach(&self, pointer: u64, is_reached: &mut [bool], open: &mut Vec<Range>) {
        // Most words are no addresses.
        if !self.is_arena(pointer, 1) {
            return;
        }
        let Some(block) = self.block_at(pointer).filter(|b| b.is_live) else { return };
        if !std::mem::replace(&mut is_reached[block.index as usize], true) {
            open.push(block.range);
        }
    }
}
