//! Memory of code under test: what it maps by itself is its own, and everything else is not its to unmap.
//!
//! The C library maps and unmaps for Stairway as well and is trusted; the runtime stands in for the functions
//! that code under test calls. What is decided here are calls that go around the C library.

use super::{EINVAL, EPERM, refuse};
use crate::gate::{Call, perform};
use crate::trap::Registers;
use crate::{Hint, restore};
use std::sync::atomic::{AtomicU64, Ordering};

const MAX_MAPPINGS: usize = 64;
/// All mappings together.
const MAX_MAPPED: u64 = 1 << 30;
const ENOMEM: i64 = -(libc::ENOMEM as i64);

/// Addresses and sizes.
static MAPPINGS: [(AtomicU64, AtomicU64); MAX_MAPPINGS] =
    [const { (AtomicU64::new(0), AtomicU64::new(0)) }; MAX_MAPPINGS];

pub(super) fn decide(call: &Call, registers: &Registers<'_>) -> Option<i64> {
    let [a, b, _, d, ..] = call.arguments;
    let is_ours = [
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_pkey_mprotect,
    ]
    .contains(&call.number);
    if !is_ours {
        return None;
    }
    if !registers.is_direct() {
        return Some(if crate::paths::is_shared() { perform_counted(call) } else { call.perform() });
    }
    Some(match call.number {
        libc::SYS_mmap if d & libc::MAP_FIXED as u64 != 0 && !is_own(a, b) => {
            refuse("mmap over memory that is not the code's", Hint::Never, ENOMEM)
        }
        libc::SYS_mmap => map(call),
        libc::SYS_brk => perform(libc::SYS_brk, &[0]),
        libc::SYS_pkey_mprotect => EPERM,
        libc::SYS_mremap if call.arguments[3] & libc::MREMAP_FIXED as u64 != 0 => EINVAL,
        _ if is_own(a, b) => {
            let answer = call.perform();
            if answer >= 0 && call.number == libc::SYS_munmap {
                forget(a, b);
            } else if answer > 0 && call.number == libc::SYS_mremap {
                forget(a, b);
                remember(answer.cast_unsigned(), call.arguments[2]);
            }
            answer
        }
        libc::SYS_munmap => refuse("munmap of memory that is not the code's", Hint::Never, EINVAL),
        _ => refuse("a change of memory that is not the code's", Hint::Never, ENOMEM),
    })
}

/// What the C library has taken for code under test in a test's own process, where no limit of the system's
/// can hold it: it would hold the test as well.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// A run begins with nothing taken: what one has left to the C library may be given back by the test.
pub(crate) fn forget_taken() {
    TAKEN.store(0, Ordering::Relaxed);
}

/// Performs a call of the C library, unless it has too much memory by then.
fn perform_counted(call: &Call) -> i64 {
    let [a, b, c, ..] = call.arguments;
    let (more, less) = match call.number {
        libc::SYS_mmap => (b, 0),
        libc::SYS_munmap => (0, b),
        libc::SYS_mremap => (c.saturating_sub(b), b.saturating_sub(c)),
        libc::SYS_brk => {
            let now = perform(libc::SYS_brk, &[0]).cast_unsigned();
            (if a == 0 { 0 } else { a.saturating_sub(now) }, now.saturating_sub(a.max(1)))
        }
        _ => (0, 0),
    };
    let taken = TAKEN.load(Ordering::Relaxed);
    if more > 0 && taken.saturating_add(more) > MAX_MAPPED {
        // `brk` answers where the end is.
        return if call.number == libc::SYS_brk { perform(libc::SYS_brk, &[0]) } else { ENOMEM };
    }
    let answer = call.perform();
    if answer >= 0 {
        let less = if call.number == libc::SYS_brk && a == 0 { 0 } else { less };
        TAKEN.store(taken.saturating_add(more).saturating_sub(less), Ordering::Relaxed);
    }
    answer
}

fn map(call: &Call) -> i64 {
    let fd = crate::gate::descriptor(call.arguments[4]);
    let is_file = call.arguments[3] & libc::MAP_ANONYMOUS as u64 == 0;
    if is_file && crate::paths::surroundings().is_some_and(|known| known.is_host(fd)) {
        return super::EBADF;
    }
    let sizes = || MAPPINGS.iter().map(|(_, size)| size.load(Ordering::Relaxed));
    if sizes().all(|size| size != 0) || sizes().fold(call.arguments[1], u64::saturating_add) > MAX_MAPPED {
        return ENOMEM;
    }
    let answer = call.perform();
    if answer > 0 && !is_own(call.arguments[0], call.arguments[1]) {
        remember(answer.cast_unsigned(), call.arguments[1]);
    }
    answer
}

fn is_own(address: u64, size: u64) -> bool {
    MAPPINGS.iter().any(|(start, length)| {
        let (start, length) = (start.load(Ordering::Relaxed), length.load(Ordering::Relaxed));
        let at = address.wrapping_sub(start);
        length > 0 && at < length && size <= length - at
    })
}

fn remember(address: u64, size: u64) {
    if crate::trap::is_loading() {
        // What an object maps while it is loaded stays as long as the object.
        return;
    }
    restore::mark(restore::MEMORY);
    let size = size.saturating_add(4095) & !4095;
    if let Some((start, length)) = MAPPINGS.iter().find(|(_, size)| size.load(Ordering::Relaxed) == 0) {
        start.store(address, Ordering::Relaxed);
        length.store(size, Ordering::Relaxed);
    }
}

/// A mapping that was cut in two is forgotten as a whole.
fn forget(address: u64, size: u64) {
    for (start, length) in &MAPPINGS {
        let (from, n) = (start.load(Ordering::Relaxed), length.load(Ordering::Relaxed));
        if n == 0 || address.wrapping_sub(from) >= n {
            continue;
        }
        if address == from {
            start.store(address.saturating_add(size), Ordering::Relaxed);
            length.store(n.saturating_sub(size.saturating_add(4095) & !4095), Ordering::Relaxed);
        } else {
            length.store(address - from, Ordering::Relaxed);
        }
    }
}

/// Unmaps what code under test has mapped.
pub(crate) fn unmap_all() {
    for (start, length) in &MAPPINGS {
        let n = length.swap(0, Ordering::Relaxed);
        if n > 0 {
            perform(libc::SYS_munmap, &[start.load(Ordering::Relaxed), n]);
        }
    }
}
