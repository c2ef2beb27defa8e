//! All the memory there is: one buffer of the caller's, handed out from its beginning to its end.
//!
//! The buffer is handed over when a run begins, and serves the engine's allocations. It only ever gives back
//! what was allocated last, which is enough: a run takes what it needs at the start and adds its report at
//! the end. Where this library has a global allocator of its own (`archive/`), it is this one; elsewhere, in
//! tests on a host, another one serves, and this stays empty.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// Memory that is lent for the time of one run. Its members are atomic because a global allocator is shared;
/// they are only loaded and stored, which is all that a Cortex-M0 can do.
#[derive(Debug)]
pub struct Arena {
    base: AtomicPtr<u8>,
    size: AtomicUsize,
    used: AtomicUsize,
    most_used: AtomicUsize,
    n_allocations: AtomicUsize,
}

/// The arena of the run that is on.
pub static ARENA: Arena = Arena::new();

/// What every allocation is rounded up to.
pub(crate) const GRAIN: usize = 16;

impl Arena {
    const fn new() -> Self {
        Arena {
            base: AtomicPtr::new(ptr::null_mut()),
            size: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
            most_used: AtomicUsize::new(0),
            n_allocations: AtomicUsize::new(0),
        }
    }

    /// Serves from `base` on; whatever was handed out before is no longer looked after.
    pub(crate) fn lend(&self, base: *mut u8, size: usize) {
        self.base.store(base, Relaxed);
        self.size.store(size, Relaxed);
        self.used.store(0, Relaxed);
        self.most_used.store(0, Relaxed);
        self.n_allocations.store(0, Relaxed);
    }

    /// Gives the buffer back.
    pub(crate) fn end(&self) {
        self.base.store(ptr::null_mut(), Relaxed);
        self.size.store(0, Relaxed);
    }

    /// How many bytes were in use at most.
    pub(crate) fn most_used(&self) -> usize {
        self.most_used.load(Relaxed)
    }

    /// How often memory was asked for since the run began.
    #[must_use]
    pub fn n_allocations(&self) -> usize {
        self.n_allocations.load(Relaxed)
    }

    fn take(&self, from: usize, to: usize) -> *mut u8 {
        if to > self.size.load(Relaxed) {
            return ptr::null_mut();
        }
        self.used.store(to, Relaxed);
        self.most_used.store(to.max(self.most_used()), Relaxed);
        self.base.load(Relaxed).wrapping_add(from)
    }
}

// SAFETY: what is handed out lies within the lent buffer, is aligned, and no two live pieces overlap: `used`
// only goes back over the piece that was handed out last. There is one run at a time, by one thread.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.n_allocations.store(self.n_allocations() + 1, Relaxed);
        let base = self.base.load(Relaxed).addr();
        let align = layout.align().max(GRAIN);
        let free = base.wrapping_add(self.used.load(Relaxed));
        let from = free.next_multiple_of(align).wrapping_sub(base);
        match layout.size().checked_next_multiple_of(GRAIN).and_then(|size| from.checked_add(size)) {
            Some(to) => self.take(from, to),
            None => ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        let from = piece.addr().wrapping_sub(self.base.load(Relaxed).addr());
        if from.wrapping_add(layout.size().next_multiple_of(GRAIN)) == self.used.load(Relaxed) {
            self.used.store(from, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 8).expect("small")
    }

    #[test]
    fn pieces_are_aligned_apart_and_end_with_the_buffer() {
        let mut buffer = [0u8; 256];
        let arena = Arena::new();
        arena.lend(buffer.as_mut_ptr().wrapping_add(1), 255);
        // SAFETY: the layout has a size.
        let take = |n| unsafe { arena.alloc(layout(n)) };
        let (a, b) = (take(10), take(100));
        assert!(a.addr().is_multiple_of(GRAIN) && b.addr() >= a.addr() + 16);
        assert!(take(200).is_null(), "there is not so much");
        assert!(!take(60).is_null());
        assert_eq!(arena.n_allocations(), 4);
    }

    #[test]
    fn the_last_piece_can_be_given_back() {
        let mut buffer = [0u8; 64];
        let arena = Arena::new();
        arena.lend(buffer.as_mut_ptr(), 64);
        // SAFETY: the layout has a size.
        let piece = unsafe { arena.alloc(layout(30)) };
        // SAFETY: it was allocated with this layout.
        unsafe { arena.dealloc(piece, layout(30)) };
        // SAFETY: the layout has a size.
        assert_eq!(unsafe { arena.alloc(layout(30)) }, piece);
    }
}
