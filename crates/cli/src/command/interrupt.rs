//! Ctrl-C and its like: the run ends with what it has found so far, and leaves nothing behind.
//!
//! The first signal ends the run at its next case. A run that does not get there, because it waits for a
//! compiler or for a worker that is silent, is ended a moment later, and a second signal ends it at once. The
//! library knows nothing of signals; it is told by [`is_interrupted`].

use super::progress;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// How long a run may take to end by itself.
const GRACE: Duration = Duration::from_secs(10);

/// The signal that has come, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Whether the run is to end.
pub(crate) fn is_interrupted() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// What was interrupted has ended, and the run goes on without it.
pub(crate) fn forget() {
    SIGNAL.store(0, Ordering::Relaxed);
}

/// The exit code of a run that was interrupted.
pub(crate) fn code() -> Option<u8> {
    match SIGNAL.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(code_of(signal)),
    }
}

/// As shells have it.
fn code_of(signal: i32) -> u8 {
    128 + u8::try_from(signal).unwrap_or(0)
}

/// Listens from now on. Signals that whoever started us has switched off (`nohup`) stay so.
pub(crate) fn listen() {
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_in(ignored, *signal));
    // Without it the system ends the run, and the next one sweeps.
    let Ok(mut signals) = Signals::new(wanted) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if SIGNAL.swap(signal, Ordering::Relaxed) != 0 {
                leave(signal);
            }
            std::thread::spawn(move || {
                std::thread::sleep(GRACE);
                if is_interrupted() {
                    leave(signal);
                }
            });
        }
    });
}

/// Ends the process from outside the run.
fn leave(signal: i32) -> ! {
    progress::clear();
    eprintln!("{}", progress::interrupted());
    stairway_c::scratch::remove_all();
    std::process::exit(i32::from(code_of(signal)))
}

/// The signals that are ignored, a bit each.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

const fn is_in(mask: u64, signal: i32) -> bool {
    mask >> (signal - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_shells() {
        assert_eq!([SIGHUP, SIGINT, SIGTERM].map(code_of), [129, 130, 143]);
    }

    #[test]
    fn bits_begin_with_signal_1() {
        assert!(is_in(1, SIGHUP) && !is_in(1, SIGINT) && is_in(2, SIGINT) && is_in(1 << 14, SIGTERM));
    }
}
