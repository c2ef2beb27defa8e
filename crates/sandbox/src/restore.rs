//! What a sequence did to its process, undone before the next one begins.
//!
//! The policy marks what it lets code under test change; nothing marked costs one load.

use crate::gate::{at, perform, signed};
use crate::paths::SURROUNDINGS;
use std::sync::atomic::{AtomicU32, Ordering};

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

static DIRTY: AtomicU32 = AtomicU32::new(FILES);

/// The mode of files that a sequence begins with.
pub(crate) const FIRST_UMASK: u64 = 0o022;

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
    let Some(known) = SURROUNDINGS.get() else { return };
    // Sockets that are allowed are made without asking.
    let unseen = if known.permissions.network { DESCRIPTORS } else { 0 };
    let dirty = DIRTY.fetch_and(FILES, Ordering::Relaxed) | unseen;
    if dirty & !FILES == 0 {
        return;
    }
    if dirty & DESCRIPTORS != 0 {
        close_descriptors();
    }
    if dirty & FOLDER != 0
        && let Some(private) = known.private()
    {
        perform(libc::SYS_fchdir, &[signed(private.fd)]);
        perform(libc::SYS_chdir, &[crate::gate::text(c"stairway")]);
    }
    if dirty & UMASK != 0 {
        perform(libc::SYS_umask, &[FIRST_UMASK]);
    }
    if dirty & MASK != 0 {
        let nothing = 0u64;
        perform(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&nothing), 0, 8]);
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
    let Some(known) = SURROUNDINGS.get() else { return };
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
