//! The last word of a process: whether its exit code stands.
//!
//! What a test binary has not done is known only when all its tests are over, and nobody is left then who
//! could fail. So the code with which it ends is replaced.

use std::sync::OnceLock;

/// The code to end with instead, if there is a reason.
type Verdict = fn() -> Option<i32>;

static VERDICT: OnceLock<Verdict> = OnceLock::new();

/// Asks `verdict` when the process exits, and ends it with the code that it gives. Only the first of several
/// is asked. False if that cannot be done.
pub fn at_exit(verdict: Verdict) -> bool {
    if VERDICT.set(verdict).is_err() {
        return true;
    }
    // SAFETY: `ask` is a function of this program that never unwinds into C.
    unsafe { libc::atexit(ask) == 0 }
}

extern "C" fn ask() {
    // A panic must not reach the C library.
    let code = VERDICT.get().and_then(|verdict| std::panic::catch_unwind(verdict).ok().flatten());
    if let Some(code) = code {
        // SAFETY: ends the process at once; whatever was to be flushed by Rust was flushed before.
        unsafe { libc::_exit(code) };
    }
}
