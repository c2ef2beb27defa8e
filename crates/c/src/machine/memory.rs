//! The memory of the code under test, seen from Rust: read, written, asked for its state, handed from owner
//! to owner.
//!
//! Addresses may be anything; only the arena, the program's variables and constants, and the stack are
//! answered for. Which bytes a contract speaks of, and when, is the evaluator's to decide.

use std::cell::Cell;

use super::violation::{BlockId, ByteState, Pc};
use super::{Machine, raw};
use serde::{Deserialize, Serialize};

/// Some bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// Of the first one.
    pub address: u64,
    /// How many.
    pub size: u64,
}

impl Range {
    /// Whether some bytes lie in it, all of them.
    #[must_use]
    pub fn holds(&self, address: u64, size: u64) -> bool {
        let offset = address.wrapping_sub(self.address);
        offset < self.size && size <= self.size - offset
    }
}

/// Bytes that a frame was to get, or to hand back, and that it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingBytes {
    /// Which of the ranges.
    pub index: usize,
    /// The first byte of it that is missing.
    pub address: u64,
    /// What that byte is.
    pub what: ByteState,
}

/// Whether a frame was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[must_use]
pub enum FrameOpening {
    /// Yes; `end_frame` must follow.
    Yes,
    /// No: nobody asked for one.
    Not,
    /// Calls are nested too deeply; go on with the caller's ownership and without `end_frame`.
    TooDeep,
    /// The open frames own too many ranges; the same.
    TooMany,
}

/// A block of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number: which allocation of the sequence it was.
    pub id: BlockId,
    /// Where it stands in the table.
    pub(super) index: u64,
    /// Where it is and how large.
    pub range: Range,
    /// Whether it was not freed.
    pub is_live: bool,
    /// Whether it belongs to the harness: `free` of it is a violation.
    pub is_slot: bool,
    /// Which call allocated it; nothing for the harness.
    pub allocated_at: Option<Pc>,
    /// Which call freed it.
    pub freed_at: Option<Pc>,
}

impl Machine {
    /// Reads bytes; `false` (and nothing read) where there is nothing of the program's.
    #[must_use]
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        if !self.is_readable(address, bytes.len() as u64) {
            return false;
        }
        let from: *const u8 = std::ptr::with_exposed_provenance(address as usize);
        // SAFETY: the range lies in mapped memory of the object or runtime, which no Rust value lives in.
        unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len()) };
        true
    }

    /// Writes bytes of the heap, a variable or the stack, which then count as initialised.
    #[must_use]
    pub fn write(&self, address: u64, bytes: &[u8]) -> bool {
        let size = bytes.len() as u64;
        let is_variable = self.layout.variables.iter().any(|r| r.holds(address, size));
        if !self.is_arena(address, size) && !is_variable && !self.stack().holds(address, size) {
            return size == 0;
        }
        let to: *mut u8 = std::ptr::with_exposed_provenance_mut(address as usize);
        // SAFETY: as in `read`; the range is writable.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        self.set_initialised(Range { address, size }, true);
        if is_variable && size > 0 {
            let first = (address - self.layout.globals.address) / 4096;
            let last = (address + size - 1 - self.layout.globals.address) / 4096;
            (first..=last).for_each(|page| self.is_written[page as usize].set(1));
        }
        true
    }

    /// Whether the code may write there as far as the system is concerned.
    #[must_use]
    pub fn is_writable(&self, address: u64) -> bool {
        let is_variable = self.layout.variables.iter().any(|r| r.holds(address, 1));
        self.is_arena(address, 1) || is_variable || self.stack().holds(address, 1)
    }

    fn stack(&self) -> Range {
        Range { address: self.placed(raw::STACK), size: raw::STACK_SIZE }
    }

    pub(super) fn is_arena(&self, address: u64, size: u64) -> bool {
        let top = self.heap_end();
        let arena = self.placed(raw::ARENA);
        Range { address: arena, size: top - arena }.holds(address, size)
    }

    fn is_readable(&self, address: u64, size: u64) -> bool {
        self.is_arena(address, size)
            || self.stack().holds(address, size)
            || self.layout.variables.iter().any(|r| r.holds(address, size))
            || self.layout.readable.iter().any(|r| r.holds(address, size))
            || size == 0
    }

    /// The shadow of bytes of the heap or of variables.
    fn shadow(&self, range: Range) -> Option<&[Cell<u8>]> {
        let size = usize::try_from(range.size).ok()?;
        if self.is_arena(range.address, range.size) {
            let at = range.address + (raw::SHADOW - raw::ARENA);
            let at: *const Cell<u8> = std::ptr::with_exposed_provenance(at as usize);
            // SAFETY: the shadow is mapped for all of the arena, and only ever reached through cells from Rust.
            return Some(unsafe { std::slice::from_raw_parts(at, size) });
        }
        if !self.layout.globals.holds(range.address, range.size) {
            return None;
        }
        let start = usize::try_from(range.address - self.layout.globals.address).ok()?;
        self.globals_shadow.get(start..start + size)
    }

    /// Whether all bytes belong to live blocks, variables, constants or the stack.
    #[must_use]
    pub fn is_live(&self, range: Range) -> bool {
        match self.shadow(range) {
            Some(shadow) => all_have(shadow, raw::LIVE),
            None => self.is_readable(range.address, range.size),
        }
    }

    /// Whether all bytes were written. Of the stack, only variables without an initialiser whose address is
    /// taken can be seen not to have a value.
    #[must_use]
    pub fn is_initialised(&self, range: Range) -> bool {
        let Some(shadow) = self.shadow(range) else {
            // SAFETY: the runtime looks at local variables that it knows, which are on its stack.
            return !self.stack().holds(range.address, range.size)
                || unsafe { (self.api.is_unset)(range.address, range.size) } == 0;
        };
        let is_written = || all_have(shadow, raw::INIT);
        if is_written() {
            return true;
        }
        if self.is_arena(range.address, range.size) {
            // SAFETY: the range lies in the arena; the runtime looks at it and its shadow.
            unsafe { (self.api.settle)(range.address, range.size) };
        }
        is_written()
    }

    /// Makes bytes count as written, or not: what a `trusted` function did by decree, or what a test made up.
    pub fn set_initialised(&self, range: Range, is_initialised: bool) {
        for s in self.shadow(range).unwrap_or(&[]) {
            s.set(if is_initialised { s.get() | raw::INIT } else { s.get() & !raw::INIT });
        }
    }

    /// Whether every frame may touch a variable (as at the beginning, all of them), or only those that are
    /// given it.
    pub fn set_public(&self, variable: Range, is_public: bool) {
        for s in self.shadow(variable).unwrap_or(&[]) {
            s.set(s.get() & (raw::LIVE | raw::INIT) | if is_public { raw::PUBLIC } else { 0 });
        }
    }

    /// What a byte is, for messages.
    #[must_use]
    pub fn describe(&self, address: u64) -> ByteState {
        let mut found = raw::Violation::NONE;
        // SAFETY: the runtime fills the record.
        unsafe { (self.api.describe)(address, &raw mut found) };
        self.what(&found)
    }

    /// Opens a frame that may touch the ranges, what it allocates and its stack, and nothing else.
    ///
    /// # Errors
    /// If a byte of them is not live, overlaps an earlier range, or is not the caller's. Nothing is changed
    /// then.
    pub fn begin_frame(&self, footprint: &[Range]) -> Result<FrameOpening, MissingBytes> {
        self.begin_frame_lending(footprint, &[])
    }

    /// The same, with bytes that the frame may read besides; these ranges are in order, with gaps between them.
    ///
    /// # Errors
    /// Also if the caller may not read a byte that is to be lent; such ranges are counted after the others.
    pub fn begin_frame_lending(
        &self,
        footprint: &[Range],
        lent: &[Range],
    ) -> Result<FrameOpening, MissingBytes> {
        let (n, n_lent) = (footprint.len() as u64, lent.len() as u64);
        // SAFETY: the ranges are read within the call.
        let answer = unsafe { (self.api.begin_frame)(footprint.as_ptr(), n, lent.as_ptr(), n_lent) };
        match answer {
            u64::MAX => Ok(FrameOpening::TooDeep),
            n if n == u64::MAX - 1 => Ok(FrameOpening::TooMany),
            _ => self.owned(answer).map(|()| FrameOpening::Yes),
        }
    }

    /// Takes ranges back from the frame, for its caller.
    ///
    /// # Errors
    /// If the frame does not own a byte of them (any more).
    pub fn release(&self, footprint: &[Range]) -> Result<(), MissingBytes> {
        // SAFETY: the ranges are read within the call.
        let answer = unsafe { (self.api.release)(footprint.as_ptr(), footprint.len() as u64) };
        self.owned(answer)
    }

    /// Asks whether the frame may read some bytes.
    ///
    /// # Errors
    /// With the first that it may not read.
    pub fn may_read(&self, ranges: &[Range]) -> Result<(), MissingBytes> {
        // SAFETY: the ranges are read within the call.
        let answer = unsafe { (self.api.may_read)(ranges.as_ptr(), ranges.len() as u64) };
        self.owned(answer)
    }

    /// Whether nobody can write a byte of them: string literals and constants.
    #[must_use]
    pub fn is_constant(&self, range: Range) -> bool {
        // Mostly it is of the heap.
        !self.is_arena(range.address, range.size)
            && self.layout.readable.iter().any(|r| r.holds(range.address, range.size))
    }

    fn owned(&self, answer: u64) -> Result<(), MissingBytes> {
        let Some(index) = answer.checked_sub(1) else { return Ok(()) };
        let found = self.raw_report().violation;
        Err(MissingBytes { index: index as usize, address: found.address, what: self.what(&found) })
    }

    /// Closes the frame. What it still owned has leaked: the pieces are appended, and nobody's from now on.
    pub fn end_frame(&self, leaks: &mut Vec<Range>) {
        let mut found = self.leaks.borrow_mut();
        // SAFETY: the runtime writes at most as many ranges as there is room for.
        let n = unsafe { (self.api.end_frame)(found.as_mut_ptr(), found.len() as u64) };
        leaks.extend(&found[..(n as usize).min(found.len())]);
    }

    /// How many frames are open.
    #[must_use]
    pub fn depth(&self) -> u64 {
        // SAFETY: the runtime's counter lives as long as the object.
        unsafe { self.api.depth.read_volatile() }
    }

    /// Memory for the harness: results and arguments by address. Not initialised; `None` when the heap is full.
    #[must_use]
    pub fn slot(&self, size: u64, align: u64) -> Option<u64> {
        self.allocate_as(size, align, 1)
    }

    /// A block as `malloc` makes it: the code may free it.
    #[must_use]
    pub fn allocate(&self, size: u64, align: u64) -> Option<u64> {
        self.allocate_as(size, align, 0)
    }

    fn allocate_as(&self, size: u64, align: u64, kind: u32) -> Option<u64> {
        let align = align.checked_next_power_of_two()?;
        // SAFETY: the runtime's allocator takes any size; the alignment is a power of two.
        let address = unsafe { (self.api.allocate)(size, align, kind) };
        (address != 0).then_some(address)
    }

    /// Ends the life of the block that begins at an address, as `free` does: a use of it from now on is a
    /// violation. `false`, and nothing is changed, if no live block of this kind begins there.
    #[must_use]
    pub fn retire(&self, address: u64, is_slot: bool) -> bool {
        let Some(block) = self.block_at(address) else { return false };
        if !block.is_live || block.is_slot != is_slot || block.range.address != address {
            return false;
        }
        let at = self.placed(raw::BLOCKS) + block.index * size_of::<raw::Block>() as u64;
        let at: *mut raw::Block = std::ptr::with_exposed_provenance_mut(at as usize);
        // SAFETY: the table holds a record for this block, as `block_at` found it.
        let record = unsafe { &mut *at };
        record.is_live = 0;
        for s in self.shadow(block.range).unwrap_or(&[]) {
            s.set(0);
        }
        true
    }

    pub(super) fn heap_end(&self) -> u64 {
        // SAFETY: the runtime's counter lives as long as the object.
        unsafe { self.api.top.read_volatile() }
    }

    /// How many blocks there are, with the freed ones that are still known.
    pub(super) fn n_blocks(&self) -> u64 {
        // SAFETY: the runtime's counter lives as long as the object.
        unsafe { self.api.n_blocks.read_volatile() }
    }

    /// All of them.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        (0..self.n_blocks()).filter_map(|index| self.block_in_table(index))
    }

    /// A block by its number, unless it was freed long ago.
    #[must_use]
    pub fn block(&self, id: BlockId) -> Option<Block> {
        // As long as nothing was forgotten, the table is in the order of allocation.
        let guess = self.block_in_table(id.0).filter(|block| block.id == id);
        guess.or_else(|| self.blocks().find(|block| block.id == id))
    }

    pub(super) fn block_in_table(&self, index: u64) -> Option<Block> {
        if index >= self.n_blocks() {
            return None;
        }
        let at = self.placed(raw::BLOCKS) + index * size_of::<raw::Block>() as u64;
        let at: *const raw::Block = std::ptr::with_exposed_provenance(at as usize);
        // SAFETY: the table holds `n_blocks` records.
        let block = unsafe { at.read() };
        Some(Block {
            id: BlockId(block.serial),
            index,
            range: Range { address: block.address, size: block.size },
            is_live: block.is_live != 0,
            is_slot: block.kind != 0,
            allocated_at: self.pc(block.alloc_pc),
            freed_at: self.pc(block.free_pc),
        })
    }

    /// The block that holds an address, freed or not.
    #[must_use]
    pub fn block_at(&self, address: u64) -> Option<Block> {
        // SAFETY: the runtime's counter lives as long as the object.
        let n_old = unsafe { self.api.n_old.read_volatile() };
        let old = self.last_block_up_to(address, 0, n_old);
        let new = self.last_block_up_to(address, n_old, self.n_blocks());
        let index = old.into_iter().chain(new).max_by_key(|index| self.beginning(*index))?;
        let block = self.block_in_table(index)?;
        (address - block.range.address < block.range.size.max(1)).then_some(block)
    }

    /// Whether a variable of the harness is at an address, where there was something else before: freed
    /// memory has been used again, so that a pointer to it is stale and looks live.
    #[must_use]
    pub(crate) fn is_reused(&self, address: u64) -> bool {
        // SAFETY: the runtime's counter lives as long as the object.
        let n_old = unsafe { self.api.n_old.read_volatile() };
        n_old > 0 && self.block_at(address).is_some_and(|block| block.is_slot)
    }

    /// In a part of the table, in which blocks lie in the order of their addresses: the last one that begins
    /// at or before an address.
    fn last_block_up_to(&self, address: u64, first: u64, end: u64) -> Option<u64> {
        let (mut low, mut high) = (first, end);
        while low < high {
            let middle = low.midpoint(high);
            if self.beginning(middle) <= address {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1).filter(|last| *last >= first)
    }

    /// Where a block of the table begins, which is all that a search for one needs.
    fn beginning(&self, index: u64) -> u64 {
        debug_assert!(index < self.n_blocks(), "the table is shorter");
        let at = self.placed(raw::BLOCKS) + index * size_of::<raw::Block>() as u64;
        let at: *const u64 = std::ptr::with_exposed_provenance(at as usize);
        // SAFETY: the table holds `n_blocks` records, each of which begins with its address.
        unsafe { at.read() }
    }
}

/// Whether every byte of the shadow has a flag, eight at a time: contracts ask this of all that they take.
fn all_have(shadow: &[Cell<u8>], flag: u8) -> bool {
    let (words, rest) = shadow.as_chunks::<8>();
    let flags = u64::from_ne_bytes([flag; 8]);
    let word = |bytes: &[Cell<u8>; 8]| u64::from_ne_bytes(bytes.each_ref().map(Cell::get));
    words.iter().all(|bytes| word(bytes) & flags == flags) && rest.iter().all(|s| s.get() & flag != 0)
}
