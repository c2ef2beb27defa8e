//! Which live blocks nothing points to any more.
//!
//! Conservative: every aligned word of variables, slots, given roots and reachable blocks that holds an
//! address in a block keeps that block. So a block it names is unreachable; a hidden pointer keeps nothing.

use super::Machine;
use super::memory::{Block, Range};

/// How many blocks are asked whether they hold another one, and how many bytes they may have together.
const MOST_HOLDERS: u64 = 4096;
const MOST_BYTES: u64 = 1 << 18;
/// How many bytes are read at a time.
const PIECE: usize = 512;
/// How many blocks are followed from the one that may be held.
const MOST_LINKED: usize = 32;

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

    /// Whether a live block leads to another one, which does not lead back: blocks in a cycle of pointers hold
    /// each other no more than a parent is held by a child that knows it. What leads to one of such a cycle from
    /// outside holds all of it. Where there is too much to look through, the answer is that it may.
    #[must_use]
    pub fn may_be_held(&self, of: &Block) -> bool {
        let mut reached = vec![*of];
        let mut next = 0;
        while let Some(block) = reached.get(next).copied() {
            next += 1;
            self.pointers(block.range, |pointer| {
                if reached.len() < MOST_LINKED
                    && !reached.iter().any(|known| known.range.holds(pointer, 1))
                    && let Some(block) = self.block_at(pointer).filter(|block| block.is_live)
                {
                    reached.push(block);
                }
                false
            });
        }
        let mut cycle = vec![of.range];
        // Each round adds one, or is the last.
        while let Some(block) =
            reached.iter().find(|block| !cycle.contains(&block.range) && self.leads_to(block.range, &cycle))
        {
            cycle.push(block.range);
        }
        if self.n_blocks() > MOST_HOLDERS {
            return true;
        }
        let is_other = |other: &Block| {
            other.is_live && !other.is_slot && !reached.iter().any(|block| block.index == other.index)
        };
        let mut n_bytes = 0;
        self.blocks().filter(is_other).any(|other| {
            n_bytes += other.range.size;
            n_bytes > MOST_BYTES || self.leads_to(other.range, &cycle)
        })
    }

    /// Whether there is a pointer into one of several ranges in some memory.
    #[must_use]
    pub fn leads_to(&self, from: Range, ranges: &[Range]) -> bool {
        self.pointers(from, |pointer| ranges.iter().any(|range| range.holds(pointer, 1)))
    }

    /// Whether one of the pointers into the heap in some memory is wanted.
    fn pointers(&self, from: Range, mut is_wanted: impl FnMut(u64) -> bool) -> bool {
        let mut is_pointer = |word: &[u8]| {
            let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
            self.is_arena(word, 1) && is_wanted(word)
        };
        let mut bytes = [0; PIECE];
        (0..from.size.min(MOST_BYTES)).step_by(PIECE).any(|at| {
            let piece = &mut bytes[..PIECE.min((from.size - at) as usize)];
            self.read(from.address + at, piece) && piece.chunks_exact(8).any(&mut is_pointer)
        })
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
