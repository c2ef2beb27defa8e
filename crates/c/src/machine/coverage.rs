//! Which basic blocks ran, which branches were taken, and how near the operands of comparisons came.
//!
//! Finds places from the object's code and the runtime's notes; which lines they belong to, debug information
//! knows.

use super::violation::Pc;
use super::{Machine, bytes_of, raw};

/// How many branches are told apart, where they are counted.
pub(super) const N_EDGES: u64 = 1 << 16;
/// How many comparisons are told apart.
pub(super) const N_SITES: u64 = 1 << 14;

/// What is watched while calls run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Nothing.
    Nothing,
    /// Which branches are taken, and how often.
    Branches,
    /// The same, and how near the operands of comparisons come, where the object announces those.
    Comparisons,
}

/// A comparison of a call, as near as its operands came in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Which one it is; a few may share a number.
    pub site: u16,
    /// At most 65, for equal operands; one less for each bit of the distance, or for each character that is
    /// missing.
    pub nearness: u8,
    /// The operands, where they are numbers.
    pub operands: Option<(u64, u64)>,
}

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

    /// Whether the basic block at a place has run since the object was loaded.
    #[must_use]
    pub fn is_covered(&self, point: Pc) -> bool {
        let offset = self.address(point.0).wrapping_sub(self.layout.text.address);
        self.coverage.get(offset as usize).is_some_and(|c| c.get() != 0)
    }

    /// Says what to watch from now on.
    pub fn watch(&self, watch: Watch) {
        const BRANCHES: u32 = 1;
        const COMPARISONS: u32 = 2;
        let watched = match watch {
            Watch::Nothing => 0,
            Watch::Branches => BRANCHES,
            Watch::Comparisons => BRANCHES | COMPARISONS,
        };
        // SAFETY: the runtime's own function, which sets three of its variables.
        unsafe { (self.api.watch)(watched) };
    }

    /// Hands each comparison that was made while watched to `keep`, and forgets them.
    pub fn take_comparisons(&self, mut keep: impl FnMut(Comparison)) {
        // SAFETY: the runtime's own variable, which lives as long as the object.
        let n = unsafe { self.api.n_compared.replace(0) };
        for site in self.compared.iter().take(n as usize).map(std::cell::Cell::get) {
            let raw::Comparison { nearness, left, right } = self.sites[usize::from(site)].take();
            let operands = (left != right).then_some((left, right));
            keep(Comparison { site, nearness: nearness as u8, operands });
        }
    }

    /// Hands each branch that was taken while watched to `keep`, with how often, and forgets them.
    pub fn take_edges(&self, mut keep: impl FnMut(u16, u8)) {
        // SAFETY: the runtime's own variable, which lives as long as the object.
        let n = unsafe { self.api.n_touched.replace(0) };
        for edge in self.touched.iter().take(n as usize).map(std::cell::Cell::get) {
            keep(edge, self.edges[usize::from(edge)].replace(0));
        }
    }
}
