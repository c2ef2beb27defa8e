//! Which basic blocks ran.
//!
//! Finds places from the object's code and the runtime's notes; which lines they belong to, debug information
//! knows.

use super::violation::Pc;
use super::{Machine, bytes_of};

/// How many branches are told apart, where they are counted.
pub(super) const N_EDGES: u64 = 1 << 16;

impl Machine {
    /// The places that coverage knows: the beginnings of basic blocks.
    #[must_use]
    pub fn coverage_points(&self) -> Vec<Pc> {
        let hook = self.layout.coverage_hook;
        let text = bytes_of(self.layout.text);
        let base = self.layout.text.address;
        // A direct call is one byte and the distance from the instruction behind it.
        let is_call = |k: usize| {
            let Some(distance) = text.get(k + 1..k + 5).and_then(|d| d.try_into().ok()) else { return false };
            let next = base + k as u64 + 5;
            text[k] == 0xe8 && next.wrapping_add_signed(i64::from(i32::from_le_bytes(distance))) == hook
        };
        let points = (0..text.len()).filter(|k| is_call(*k)).map(|k| base + k as u64 + 5);
        points.filter_map(|pc| self.pc(pc)).collect()
    }

    /// Whether the basic block at a place ran since loading or `clear_coverage`.
    #[must_use]
    pub fn is_covered(&self, point: Pc) -> bool {
        let offset = self.address(point.0).wrapping_sub(self.layout.text.address);
        self.coverage.get(offset as usize).is_some_and(|c| c.get() != 0)
    }

    /// Hands each branch that was taken to `keep`, with how often, and forgets them.
    pub fn take_edges(&self, mut keep: impl FnMut(u16, u8)) {
        const AT_ONCE: usize = 16;
        for (k, cells) in self.edges.chunks(AT_ONCE).enumerate() {
            // Most are 0.
            if cells.iter().fold(0, |any, cell| any | cell.get()) == 0 {
                continue;
            }
            for (j, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.get() != 0) {
                // There are no more than 65,536 of them.
                keep((k * AT_ONCE + j) as u16, cell.replace(0));
            }
        }
    }

    /// Forgets what ran.
    pub fn clear_coverage(&self) {
        self.coverage.iter().for_each(|c| c.set(0));
    }
}
