//! One thread at a time runs C.
//!
//! Signals, the watch on hanging calls and much of the C library belong to the process, so runs of several
//! threads take turns, whichever libraries they use. The thread whose turn it is may begin further runs, of
//! other libraries, within its first.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Whose turn it is, and how many runs it has begun.
struct Owner {
    thread: u64,
    n_runs: usize,
}

static OWNER: Mutex<Option<Owner>> = Mutex::new(None);
static IS_FREE: Condvar = Condvar::new();

static N_THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static THREAD: u64 = N_THREADS.fetch_add(1, Ordering::Relaxed);
}

/// The number of this thread.
pub(super) fn thread() -> u64 {
    THREAD.with(|thread| *thread)
}

fn owner() -> MutexGuard<'static, Option<Owner>> {
    OWNER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A turn; dropped when the run is over, on the thread that has it.
pub(super) struct Turn {
    /// It stays on its thread.
    _stays: std::marker::PhantomData<*const ()>,
}

impl Turn {
    /// Waits until no other thread runs C.
    pub(super) fn take() -> Turn {
        let this = thread();
        let mut owner = owner();
        while owner.as_ref().is_some_and(|owner| owner.thread != this) {
            owner = IS_FREE.wait(owner).unwrap_or_else(PoisonError::into_inner);
        }
        let n_runs = owner.as_ref().map_or(0, |owner| owner.n_runs) + 1;
        *owner = Some(Owner { thread: this, n_runs });
        Turn { _stays: std::marker::PhantomData }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut owner = owner();
        let left = owner.as_ref().map_or(0, |owner| owner.n_runs - 1);
        match &mut *owner {
            Some(owner) if left > 0 => owner.n_runs = left,
            _ => {
                *owner = None;
                IS_FREE.notify_one();
            }
        }
    }
}
