//! Descriptors of code under test, where it shares the process with a test: those that it has opened itself,
//! and no others.
//!
//! In a process that is locked everything is code under test's that was not open when it was locked, and
//! limits of the system keep files small. A test opens files at any time and from any thread, so here each
//! descriptor that the policy hands out is noted, and the policy itself keeps files small.

use crate::gate::{Call, descriptor, perform, signed};
use crate::paths::copy_from_guest;
use crate::trap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The largest descriptor that code under test gets.
const MAX_FILES: i64 = 1024;
/// The size of a file.
pub(crate) const MAX_FILE_SIZE: u64 = 16 << 20;
/// How much a run may write, into all of its files together.
const MAX_WRITTEN: u64 = 256 << 20;

/// A bit for each descriptor.
type Set = [AtomicU64; MAX_FILES as usize / 64];

static OWN: Set = [const { AtomicU64::new(0) }; MAX_FILES as usize / 64];
/// Those that were opened by an object while it is loaded: the process's from then on.
static LOADED: Set = [const { AtomicU64::new(0) }; MAX_FILES as usize / 64];
static N_WRITTEN: AtomicU64 = AtomicU64::new(0);

const EFBIG: i64 = -(libc::EFBIG as i64);
const ENOSPC: i64 = -(libc::ENOSPC as i64);

fn word(set: &'static Set, fd: i64) -> Option<(&'static AtomicU64, u64)> {
    let fd = usize::try_from(fd).ok()?;
    Some((set.get(fd / 64)?, 1 << (fd % 64)))
}

fn holds(set: &'static Set, fd: i32) -> bool {
    word(set, fd.into()).is_some_and(|(word, bit)| word.load(Ordering::Relaxed) & bit != 0)
}

/// Whether code under test has opened it.
pub(crate) fn is_own(fd: i32) -> bool {
    holds(&OWN, fd) || (trap::is_loading() && holds(&LOADED, fd))
}

/// A descriptor that code under test has from now on; an error number is handed on.
pub(crate) fn opened(answer: i64) -> i64 {
    let set = if trap::is_loading() { &LOADED } else { &OWN };
    match word(set, answer) {
        _ if answer < 0 => answer,
        Some((word, bit)) => {
            word.fetch_or(bit, Ordering::Relaxed);
            answer
        }
        None => {
            perform(libc::SYS_close, &[answer.cast_unsigned()]);
            -i64::from(libc::EMFILE)
        }
    }
}

/// The two ends of a pipe, which the kernel has written to `address`.
pub(crate) fn opened_two(answer: i64, address: u64) -> i64 {
    let mut bytes = [0; 8];
    if answer < 0 || copy_from_guest(address, &mut bytes).is_err() {
        return answer;
    }
    let end = |k: usize| i32::from_le_bytes(bytes[4 * k..4 * k + 4].try_into().unwrap_or_default());
    let (one, other) = (opened(end(0).into()), opened(end(1).into()));
    if one < 0 || other < 0 { one.min(other) } else { answer }
}

fn closed(fd: i32) {
    for (word, bit) in [&OWN, &LOADED].into_iter().filter_map(|set| word(set, fd.into())) {
        word.fetch_and(!bit, Ordering::Relaxed);
    }
}

/// Closes those from `first` to `last`.
pub(crate) fn close_own(first: u64, last: u64) {
    for fd in (0..MAX_FILES).filter(|fd| (first..=last).contains(&fd.cast_unsigned())) {
        let fd = fd as i32;
        if is_own(fd) {
            closed(fd);
            perform(libc::SYS_close, &[signed(fd)]);
        }
    }
}

/// What was opened by an object that is loaded now is not code under test's.
pub(crate) fn keep_loaded() {
    LOADED.iter().for_each(|word| word.store(0, Ordering::Relaxed));
}

/// The next run may write again.
pub(crate) fn forget_written() {
    N_WRITTEN.store(0, Ordering::Relaxed);
}

/// Performs a call on a descriptor of code under test's own.
pub(crate) fn perform_on(call: &Call) -> i64 {
    let [fd, _, size, offset, ..] = call.arguments;
    let place = || perform(libc::SYS_lseek, &[fd, 0, libc::SEEK_CUR as u64]);
    match call.number {
        libc::SYS_close => {
            closed(descriptor(fd));
            call.perform()
        }
        libc::SYS_write => limited(call, place(), size),
        libc::SYS_pwrite64 => limited(call, offset.cast_signed(), size),
        libc::SYS_writev => limited(call, place(), 0),
        libc::SYS_pwritev | libc::SYS_pwritev2 => limited(call, offset.cast_signed(), 0),
        libc::SYS_ftruncate if call.arguments[1] > MAX_FILE_SIZE => EFBIG,
        libc::SYS_fallocate if offset.saturating_add(size) > MAX_FILE_SIZE => EFBIG,
        _ => call.perform(),
    }
}

/// Writes as much as fits into a file; what has no place, a pipe, takes all. `size` is the third argument, if
/// that is a number of bytes.
fn limited(call: &Call, place: i64, size: u64) -> i64 {
    let mut call = *call;
    if let Ok(place) = u64::try_from(place) {
        if place >= MAX_FILE_SIZE {
            return EFBIG;
        }
        if size > 0 {
            call.arguments[2] = size.min(MAX_FILE_SIZE - place);
        }
    }
    if N_WRITTEN.load(Ordering::Relaxed) >= MAX_WRITTEN {
        return ENOSPC;
    }
    let answer = call.perform();
    N_WRITTEN.fetch_add(u64::try_from(answer).unwrap_or(0), Ordering::Relaxed);
    answer
}
