//! Confining calls within a process that is not locked: while code under test runs on a thread, the kernel
//! dispatches each of its system calls to the policy (syscall user dispatch).
//!
//! For C that a test calls in its own process. Landlock and a filter cannot be taken back and would be the
//! test's as well; a thread of its own for C would cost two switches a call. Dispatch costs nothing but a
//! byte that is set while C runs. It holds what code does, not what it writes over: a stray write that meets
//! the byte ends it, as one that meets any other byte of the test may end the test. Workers (`lock`) hold
//! that as well.

use crate::gate::{attempt, perform, signed, text};
use crate::paths::{Calls, Root, Surroundings};
use crate::{Permissions, Unavailable, gate, guest, lock, paths, restore, trap};
use std::cell::Cell;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const SET_SYSCALL_USER_DISPATCH: u64 = 59;
const OFF: u64 = 0;
const ON: u64 = 1;

/// A thread whose calls are dispatched; ends with the thread.
struct DispatchedThread(Cell<bool>);

impl Drop for DispatchedThread {
    fn drop(&mut self) {
        if self.0.get() {
            // The byte is about to be somebody else's.
            perform(libc::SYS_prctl, &[SET_SYSCALL_USER_DISPATCH, OFF, 0, 0, 0]);
        }
    }
}

thread_local! {
    static DISPATCHED: DispatchedThread = const { DispatchedThread(Cell::new(false)) };
}

/// How many runs there are within each other.
static N_RUNS: AtomicUsize = AtomicUsize::new(0);

/// A run of calls that are confined, on one thread; when it is dropped, nothing that they made is left.
#[derive(Debug)]
pub struct Confined {
    _stays: std::marker::PhantomData<*const ()>,
}

impl Confined {
    /// From now on calls under test ([`Guest`](crate::Guest)) on this thread are confined. In a process that
    /// is locked they are anyway. Whoever has one keeps other threads from having one.
    ///
    /// # Errors
    /// If the kernel cannot do that.
    pub fn begin() -> Result<Confined, Unavailable> {
        // Only whoever is the first of those within each other leaves nothing.
        if N_RUNS.fetch_add(1, Ordering::Relaxed) == 0 {
            crate::policy::forget_taken();
        }
        let confined = Confined { _stays: std::marker::PhantomData };
        if paths::surroundings().is_some_and(|known| known.calls.is_none()) {
            return Ok(confined);
        }
        if paths::surroundings().is_none() {
            prepare()?;
        }
        if !DISPATCHED.with(|known| known.0.get()) {
            dispatch().map_err(unavailable)?;
            DISPATCHED.with(|known| known.0.set(true));
        }
        Ok(confined)
    }

    /// Code under test may change files in this folder too, until the run is over. Without effect in a
    /// process that is locked.
    ///
    /// # Errors
    /// If it is no folder.
    pub fn allow_changes(&self, folder: &Path) -> Result<(), Unavailable> {
        let Some(known) = paths::surroundings() else { return Ok(()) };
        if known.calls.is_none() {
            return Ok(());
        }
        let root = lock::root(folder);
        let root = root.map_err(|error| Unavailable::Folder(folder.to_path_buf(), error.to_string()))?;
        let extra = &EXTRA;
        match extra.iter().find(|place| place.load(Ordering::Relaxed).is_null()) {
            Some(place) => {
                place.store(Box::into_raw(Box::new(root)), Ordering::Relaxed);
                Ok(())
            }
            None => {
                let why = format!("{} folders may be changed already", extra.len());
                Err(Unavailable::Folder(folder.to_path_buf(), why))
            }
        }
    }
}

impl Drop for Confined {
    fn drop(&mut self) {
        // What is open in a process that is locked up with its own code may be that code's.
        let is_compiled = paths::surroundings().is_some_and(|known| known.is_compiled);
        if N_RUNS.fetch_sub(1, Ordering::Relaxed) > 1 || is_compiled {
            return;
        }
        restore::restore();
        let Some(calls) = paths::surroundings().and_then(|known| known.calls.as_ref()) else { return };
        calls.remove_private();
        for place in &EXTRA {
            let root = place.swap(std::ptr::null_mut(), Ordering::Relaxed);
            if !root.is_null() {
                // SAFETY: it was made from a box, is in no place any more, and no call under test runs.
                let root = unsafe { Box::from_raw(root) };
                perform(libc::SYS_close, &[signed(root.fd)]);
            }
        }
    }
}

/// Folders that the present run may change.
static EXTRA: [AtomicPtr<Root>; 8] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 8];

/// Folders that the present run may change besides the private one, with their numbers.
pub(crate) fn extra_roots() -> impl Iterator<Item = (usize, &'static Root)> {
    EXTRA.iter().enumerate().filter_map(|(k, place)| {
        let root = place.load(Ordering::Relaxed);
        // SAFETY: it lives until the run is over, and is asked for while a call under test runs.
        (!root.is_null()).then(|| (k + 1, unsafe { &*root }))
    })
}

fn unavailable(error: io::Error) -> Unavailable {
    Unavailable::Calls(error.to_string())
}

#[allow(
    clippy::disallowed_methods,
    reason = "names a folder of this process's own; no code under test sees it"
)]
fn process_number() -> u32 {
    std::process::id()
}

/// What the policy has to know, once for a process.
fn prepare() -> Result<(), Unavailable> {
    static PREPARING: Mutex<()> = Mutex::new(());
    let _one = PREPARING.lock().unwrap_or_else(PoisonError::into_inner);
    if paths::surroundings().is_some() {
        return Ok(());
    }
    let named = |path: PathBuf| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other);
    let here = named(std::env::current_dir().map_err(unavailable)?).map_err(unavailable)?;
    let temporary = std::fs::canonicalize(std::env::temp_dir()).map_err(unavailable)?;
    let process = process_number();
    let private = temporary.join(format!("stairway-calls-{process}"));
    // Of a process that had the same number and was killed.
    let _ = std::fs::remove_dir_all(&private);
    let known = Surroundings {
        roots: Vec::new(),
        random_fd: lock::random_file().map_err(unavailable)?,
        host_files: Default::default(),
        runtime_file: -1,
        permissions: Permissions::default(),
        pid: i64::from(process),
        is_compiled: false,
        calls: Some(Calls { private: named(private).map_err(unavailable)?, fd: AtomicI32::new(-1), here }),
    };
    trap::install(trap::Stack::Alternate).map_err(unavailable)?;
    paths::set_surroundings(known);
    restore::forget_all();
    Ok(())
}

/// System calls of code under test on this thread come to the policy from now on.
pub(crate) fn dispatch() -> io::Result<()> {
    restore::remember_mask();
    let (first, size) = gate::range();
    attempt(libc::SYS_prctl, &[SET_SYSCALL_USER_DISPATCH, ON, first, size, guest::mark()]).map(drop)
}

impl Calls {
    /// The folder that stands in for `/tmp`, which is made when it is asked for; in a signal handler.
    pub(crate) fn private_fd(&self) -> i32 {
        let known = self.fd.load(Ordering::Relaxed);
        if known >= 0 {
            return known;
        }
        let flags = (libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC | libc::O_NOFOLLOW) as u64;
        // If it is there already, somebody else has made it.
        if perform(libc::SYS_mkdir, &[text(&self.private), 0o700]) != 0 {
            return -1;
        }
        let fd = perform(libc::SYS_open, &[text(&self.private), flags, 0]);
        let fd = i32::try_from(fd).unwrap_or(-1);
        perform(libc::SYS_mkdirat, &[signed(fd), text(c"stairway"), 0o700]);
        self.fd.store(fd, Ordering::Relaxed);
        fd
    }

    fn remove_private(&self) {
        let fd = self.fd.swap(-1, Ordering::Relaxed);
        if fd >= 0 {
            perform(libc::SYS_close, &[signed(fd)]);
            let _ = std::fs::remove_dir_all(std::ffi::OsStr::from_bytes(self.private.to_bytes()));
        }
    }
}
