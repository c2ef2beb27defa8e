//! What a sequence did to its process, undone before the next one begins.
//!
//! The policy marks what it lets code under test change; nothing marked costs one load.

use crate::gate::{at, perform, signed};
use crate::paths::{is_shared, surroundings};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Files in a folder that may be changed.
pub(crate) const FILES: u32 = 1;
/// Open descriptors.
pub(crate) const DESCRIPTORS: u32 = 2;
/// The folder that the process is in.
pub(crate) const FOLDER: u32 = 4;
/// The mode of new files.
pub(crate) const UMASK: u32 = 8;
/// Which signals are blocked.
pub(crate) const MASK: u32 = 16;
/// Mappings of memory.
pub(crate) const MEMORY: u32 = 32;

/// What was printed.
pub(crate) const OUTPUT: u32 = 64;
/// Other processes.
pub(crate) const PROCESSES: u32 = 128;

static DIRTY: AtomicU32 = AtomicU32::new(FILES);

/// The mode of files that a sequence begins with.
pub(crate) const FIRST_UMASK: u64 = 0o022;

thread_local! {
    /// The signals that were blocked before code under test ran.
    static FIRST_MASK: Cell<u64> = const { Cell::new(0) };
}

/// Remembers which signals this thread blocks.
pub(crate) fn remember_mask() {
    let mut mask = 0u64;
    perform(libc::SYS_rt_sigprocmask, &[0, 0, crate::gate::at_mut(&mut mask), 8]);
    FIRST_MASK.set(mask);
}

/// Nothing has been done yet.
pub(crate) fn forget_all() {
    DIRTY.store(0, Ordering::Relaxed);
}

/// The mode of files that code under test has asked for, where it shares the process with a test.
static OWN_UMASK: AtomicU64 = AtomicU64::new(FIRST_UMASK);

/// `umask`
pub(crate) fn change_umask(mode: u64) -> i64 {
    mark(UMASK);
    if is_shared() {
        return OWN_UMASK.swap(mode & 0o777, Ordering::Relaxed).cast_signed();
    }
    perform(libc::SYS_umask, &[mode])
}

/// The mode of a new file: what the kernel does with its own mask comes on top.
pub(crate) fn mode_of(mode: u64) -> u64 {
    if is_shared() { mode & !OWN_UMASK.load(Ordering::Relaxed) } else { mode }
}

/// Something has to be undone.
pub(crate) fn mark(what: u32) {
    DIRTY.fetch_or(what, Ordering::Relaxed);
}

/// Whether files may have been made or changed since the last time somebody asked.
///
/// ```
/// // Nobody knows what was there before.
/// assert!(stairway_sandbox::are_files_touched());
/// assert!(!stairway_sandbox::are_files_touched());
/// ```
#[must_use]
pub fn are_files_touched() -> bool {
    let is_touched = DIRTY.fetch_and(!FILES, Ordering::Relaxed) & FILES != 0;
    if is_touched {
        crate::files::forget_created();
    }
    is_touched
}

/// Undoes what the last sequence did to descriptors, folder, mode of files, signals and memory. Files are
/// their folder's business: see [`are_files_touched`].
pub fn restore() {
    let Some(known) = surroundings() else { return };
    // Sockets that are allowed are made without asking.
    let unseen = if known.permissions.network { DESCRIPTORS } else { 0 };
    // And so are processes that the C library starts.
    let unseen = unseen | if known.permissions.exec { PROCESSES | DESCRIPTORS } else { 0 };
    let dirty = DIRTY.fetch_and(FILES, Ordering::Relaxed) | unseen;
    if dirty & !FILES == 0 {
        return;
    }
    if dirty & PROCESSES != 0 {
        crate::policy::processes::end_children();
    }
    if dirty & DESCRIPTORS != 0 {
        close_descriptors();
    }
    if dirty & FOLDER != 0 {
        crate::files::go_home();
        if !is_shared() {
            perform(libc::SYS_fchdir, &[signed(known.root_fd(0))]);
            perform(libc::SYS_chdir, &[crate::gate::text(c"stairway")]);
        }
    }
    if dirty & UMASK != 0 {
        OWN_UMASK.store(FIRST_UMASK, Ordering::Relaxed);
        if !is_shared() {
            perform(libc::SYS_umask, &[FIRST_UMASK]);
        }
    }
    if dirty & MASK != 0 {
        let mask = FIRST_MASK.get();
        perform(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&mask), 0, 8]);
    }
    if dirty & OUTPUT != 0 {
        crate::trap::forget_printed();
    }
    if dirty & MEMORY != 0 {
        crate::policy::unmap_all();
    }
}

/// Closes what is not the host's.
fn close_descriptors() {
    let Some(known) = surroundings() else { return };
    crate::descriptors::forget_written();
    if known.calls.is_some() {
        return crate::descriptors::close_own(0, u64::from(u32::MAX));
    }
    let mut first = 0u64;
    for fd in 0..256u64 {
        if known.is_host(fd as i32) {
            if fd > first {
                perform(libc::SYS_close_range, &[first, fd - 1, 0]);
            }
            first = fd + 1;
        }
    }
    perform(libc::SYS_close_range, &[first, u64::from(u32::MAX), 0]);
}
