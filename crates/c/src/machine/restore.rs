//! The state after loading, kept to return to.
//!
//! Small areas are copied back as a whole. Of large ones (static tables of megabytes) only the pages that
//! were written are, as the runtime's checks noted them; pages of zeros take no memory here. What a C library
//! function that is not wrapped writes into a large area of an instrumented program is not seen.

use std::cell::Cell;

use super::bytes_of;
use super::memory::Range;

/// As the runtime counts them: from the beginning of the variables.
const PAGE: u64 = 4096;
/// Areas up to here are copied as a whole, in about a microsecond.
const SMALL: u64 = 64 << 10;

/// An area and what was in it.
pub(super) enum InitialContent {
    /// All of it.
    Whole { address: u64, bytes: Box<[u8]> },
    /// Page by page; nothing for a page of zeros.
    Pages { pages: Vec<Page> },
}

/// A page, or the part of it that belongs to the area.
pub(super) struct Page {
    range: Range,
    /// Its number, for the note that it was written.
    number: usize,
    bytes: Option<Box<[u8]>>,
}

impl InitialContent {
    /// Keeps an area. `paged_from`: where pages are counted from, if writes to it are noted.
    pub(super) fn of(range: Range, paged_from: Option<u64>) -> InitialContent {
        match paged_from {
            Some(from) if range.size > SMALL => InitialContent::Pages { pages: pages(range, from) },
            _ => InitialContent::Whole { address: range.address, bytes: bytes_of(range) },
        }
    }

    /// Brings it back.
    pub(super) fn restore(&self, is_written: &[Cell<u8>]) {
        match self {
            InitialContent::Whole { address, bytes } => put(*address, bytes),
            InitialContent::Pages { pages } => {
                let written = pages.iter().filter(|p| is_written.get(p.number).is_none_or(|w| w.get() != 0));
                written.for_each(Page::restore);
            }
        }
    }
}

impl Page {
    fn restore(&self) {
        match &self.bytes {
            Some(bytes) => put(self.range.address, bytes),
            None => put(self.range.address, &[0; PAGE as usize][..self.range.size as usize]),
        }
    }
}

fn pages(range: Range, from: u64) -> Vec<Page> {
    let mut pages = Vec::new();
    let end = range.address + range.size;
    let mut at = range.address;
    while at < end {
        let number = (at - from) / PAGE;
        let next = (from + (number + 1) * PAGE).min(end);
        let part = Range { address: at, size: next - at };
        let bytes = Some(bytes_of(part)).filter(|bytes| bytes.iter().any(|b| *b != 0));
        pages.push(Page { range: part, number: number as usize, bytes });
        at = next;
    }
    pages
}

fn put(address: u64, bytes: &[u8]) {
    let to: *mut u8 = std::ptr::with_exposed_provenance_mut(address as usize);
    // SAFETY: the same range was read from when the object was loaded; it is writable, and no Rust value
    // lives in it.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
}
