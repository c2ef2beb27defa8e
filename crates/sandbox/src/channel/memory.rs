//! A piece of memory that two processes share, and sleeping in it.
//!
//! Reads and writes bytes at given places; what they mean is for `ring.rs`. Whoever shares the memory may
//! write anything at any time, so everything that is read is copied first and judged then.

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// How many bytes a ring has: several batches and their answers, and still within the processor's cache.
pub(super) const RING: usize = 256 * 1024;
/// Where the rings begin; before them lie the words, those of each side in a line of the cache of their own.
const RINGS: usize = 4096;
const LEN: usize = RINGS + 2 * RING;

/// Who receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Parent,
    Worker,
}

impl Side {
    const fn at(self) -> usize {
        match self {
            Side::Parent => 0,
            Side::Worker => 1,
        }
    }

    pub(super) const fn other(self) -> Side {
        match self {
            Side::Parent => Side::Worker,
            Side::Worker => Side::Parent,
        }
    }
}

/// A line of the processor's cache, and its neighbour, which many fetch along with it.
const LINE: usize = 128;

/// The words of a side: each is a line.
#[derive(Clone, Copy, Debug)]
enum Word {
    /// Changes whenever there may be something to do for this side.
    Bell,
    /// Whether this side sleeps.
    Asleep,
    /// How many bytes were written to this side.
    Written,
    /// How many of them this side has read.
    Read,
}

impl Word {
    const N: usize = 4;

    const fn of(self, side: Side) -> usize {
        (side.at() * Word::N + self as usize) * LINE
    }
}

/// Shared memory, mapped.
#[derive(Debug)]
pub(super) struct Memory {
    base: NonNull<c_void>,
}

// SAFETY: the mapping belongs to the process, not to a thread; its words are atomic, and each ring has one
// writer and one reader.
unsafe impl Send for Memory {}
// SAFETY: as above; the thread that watches a worker touches atomic words only.
unsafe impl Sync for Memory {}

impl Memory {
    /// Memory without a name, and its descriptor.
    pub(super) fn create() -> io::Result<(Memory, OwnedFd)> {
        // SAFETY: the name is a string that ends with 0.
        let descriptor = unsafe { libc::memfd_create(c"stairway".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was just opened and belongs to nobody else.
        let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
        let file = File::from(descriptor);
        file.set_len(LEN as u64)?;
        let memory = Memory::map(file.as_raw_fd())?;
        Ok((memory, file.into()))
    }

    /// The memory whose descriptor is the standard input of this process, which is empty from then on.
    pub(super) fn inherit() -> io::Result<Memory> {
        const STDIN: i32 = libc::STDIN_FILENO;
        let mut status = std::mem::MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: there is room for the answer.
        let answer = unsafe { libc::fstat(STDIN, status.as_mut_ptr()) };
        // SAFETY: all bytes of it were set, to zero or by the system.
        let status = unsafe { status.assume_init() };
        if answer != 0 || status.st_mode & libc::S_IFMT != libc::S_IFREG || status.st_size != LEN as i64 {
            return Err(io::Error::other("standard input is no channel"));
        }
        let memory = Memory::map(STDIN)?;
        let empty = File::open("/dev/null")?;
        // SAFETY: both are open, and nobody else has a claim on standard input.
        if unsafe { libc::dup2(empty.as_raw_fd(), STDIN) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(memory)
    }

    fn map(descriptor: i32) -> io::Result<Memory> {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
        // SAFETY: the system chooses an address where nothing is.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), LEN, protection, flags, descriptor, 0) };
        match NonNull::new(base) {
            Some(base) if base.as_ptr() != libc::MAP_FAILED => Ok(Memory { base }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Makes it accessible.
    pub(super) fn open(&self) {
        self.protect(libc::PROT_READ | libc::PROT_WRITE);
    }

    /// Makes it inaccessible, for all threads of this process.
    pub(super) fn close(&self) {
        self.protect(libc::PROT_NONE);
    }

    fn protect(&self, protection: i32) {
        // SAFETY: the whole mapping is ours. If code under test has unmapped it, the process dies when it is
        // touched next, and that is a verdict on the code.
        unsafe { libc::mprotect(self.base.as_ptr(), LEN, protection) };
    }

    fn word(&self, word: Word, side: Side) -> &AtomicU64 {
        let place = self.at(word.of(side)).cast::<AtomicU64>();
        // SAFETY: the place is within the mapping, aligned to a line, and used in no other way.
        unsafe { place.as_ref() }
    }

    fn half_word(&self, word: Word, side: Side) -> &AtomicU32 {
        let place = self.at(word.of(side)).cast::<AtomicU32>();
        // SAFETY: as in `word`; no word is used in both ways.
        unsafe { place.as_ref() }
    }

    fn at(&self, offset: usize) -> NonNull<u8> {
        debug_assert!(offset < LEN);
        // SAFETY: callers keep within the mapping.
        unsafe { self.base.cast::<u8>().add(offset) }
    }

    /// How many bytes were written to a side, and how many it has read.
    pub(super) fn counts(&self, side: Side) -> (u64, u64) {
        let written = self.word(Word::Written, side).load(Ordering::Acquire);
        (written, self.word(Word::Read, side).load(Ordering::Acquire))
    }

    /// What was written to a side can be read from now on; that side is woken.
    pub(super) fn publish(&self, side: Side, n_written: u64) {
        self.word(Word::Written, side).store(n_written, Ordering::Release);
        self.ring(side);
    }

    /// What a side has read can be written over; the other side is woken.
    pub(super) fn release(&self, side: Side, n_read: u64) {
        self.word(Word::Read, side).store(n_read, Ordering::Release);
        self.ring(side.other());
    }

    /// Copies bytes into the ring of a side, at a place counted from its beginning.
    pub(super) fn put(&self, side: Side, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= RING, "bytes stay within their ring");
        let to = self.at(RINGS + side.at() * RING + at).as_ptr();
        // SAFETY: it was just checked that they fit; what is ours does not overlap with the mapping.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }

    /// Appends `n` bytes of the ring of a side to `to`.
    pub(super) fn get(&self, side: Side, at: usize, n: usize, to: &mut Vec<u8>) {
        assert!(at + n <= RING, "bytes stay within their ring");
        to.reserve(n);
        let from = self.at(RINGS + side.at() * RING + at).as_ptr();
        let end = to.spare_capacity_mut().as_mut_ptr().cast::<u8>();
        // SAFETY: there is room for as many at the end, and it was checked that the ring has them.
        unsafe { std::ptr::copy_nonoverlapping(from, end, n) };
        // SAFETY: they were just written.
        unsafe { to.set_len(to.len() + n) };
    }

    /// What the bell of a side says: whoever looks for work afterwards, finds none and sleeps by this, misses
    /// nothing.
    pub(super) fn bell(&self, side: Side) -> u32 {
        self.half_word(Word::Bell, side).load(Ordering::SeqCst)
    }

    fn ring(&self, side: Side) {
        self.half_word(Word::Bell, side).fetch_add(1, Ordering::SeqCst);
        if self.half_word(Word::Asleep, side).load(Ordering::SeqCst) != 0 {
            self.wake(side);
        }
    }

    /// Wakes a side whatever it says of itself.
    pub(super) fn alarm(&self, side: Side) {
        self.half_word(Word::Bell, side).fetch_add(1, Ordering::SeqCst);
        self.wake(side);
    }

    fn wake(&self, side: Side) {
        let bell = self.half_word(Word::Bell, side).as_ptr();
        // SAFETY: the word lies in the mapping; the system only looks who sleeps there.
        unsafe { libc::syscall(libc::SYS_futex, bell, libc::FUTEX_WAKE, i32::MAX) };
    }

    /// Sleeps until the bell of this side rings, unless it has rung since `seen`.
    pub(super) fn sleep(&self, side: Side, seen: u32, longest: Duration) {
        let bell = self.half_word(Word::Bell, side);
        let asleep = self.half_word(Word::Asleep, side);
        let limit = libc::timespec {
            tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(longest.subsec_nanos()),
        };
        asleep.store(1, Ordering::SeqCst);
        // SAFETY: the word lies in the mapping, and the system reads the time during the call only. However
        // it ends, whoever called looks for himself.
        unsafe { libc::syscall(libc::SYS_futex, bell.as_ptr(), libc::FUTEX_WAIT, seen, &raw const limit) };
        asleep.store(0, Ordering::SeqCst);
    }
}

#[cfg(test)]
impl Memory {
    /// The same memory once more.
    pub(super) fn map_for_test(descriptor: &OwnedFd) -> Memory {
        let memory = Memory::map(descriptor.as_raw_fd()).expect("it can be mapped");
        memory.close();
        memory
    }

    /// What code under test might do to it.
    pub(super) fn scribble(&self, at: usize, value: u8) {
        // SAFETY: the place is within the mapping, which is accessible.
        unsafe { std::ptr::write_bytes(self.at(at).as_ptr(), value, 8) };
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this length, and nothing refers to it any more.
        unsafe { libc::munmap(self.base.as_ptr(), LEN) };
    }
}
