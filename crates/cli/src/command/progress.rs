//! One line on standard error that says how far the hunt has come, where somebody looks at it.

use stairway_c::Progress;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// When the line was written first and last.
static WRITTEN: Mutex<Option<(Instant, Instant)>> = Mutex::new(None);

/// How far the hunt has come, for whoever interrupts it.
static N_SEQUENCES: AtomicU64 = AtomicU64::new(0);
static HAS_FOUND: AtomicBool = AtomicBool::new(false);

/// Whom to tell: a line is written if somebody looks.
pub(crate) fn listener(is_quiet: bool) -> fn(Progress) {
    if !is_quiet && std::io::stderr().is_terminal() { show } else { keep }
}

fn keep(progress: Progress) {
    N_SEQUENCES.store(progress.n_cases, Ordering::Relaxed);
    HAS_FOUND.store(progress.is_shrinking, Ordering::Relaxed);
}

/// What is said when the hunt cannot end by itself.
pub(crate) fn interrupted() -> String {
    let n = N_SEQUENCES.load(Ordering::Relaxed);
    let sequences = if n == 1 { "1 sequence".to_string() } else { format!("{n} sequences") };
    match HAS_FOUND.load(Ordering::Relaxed) {
        true => {
            format!("interrupted after {sequences}; a failure was found, and the next run begins with it")
        }
        false => format!("interrupted after {sequences}"),
    }
}

#[allow(clippy::disallowed_methods, reason = "what is shown meanwhile reaches no result")]
fn show(progress: Progress) {
    keep(progress);
    let now = Instant::now();
    let Ok(mut written) = WRITTEN.lock() else { return };
    let (first, last) = written.get_or_insert((now, now));
    if now.duration_since(*last) < EVERY {
        return;
    }
    *last = now;
    let line = line(progress, now.duration_since(*first));
    let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
}

fn line(progress: Progress, since: Duration) -> String {
    let Progress { n_cases, n_steps, is_shrinking, .. } = progress;
    let seconds = since.as_secs();
    match is_shrinking {
        true => format!("{seconds} s: something is wrong; looking for the shortest way there"),
        false => format!("{seconds} s: {n_steps} calls in {n_cases} sequences"),
    }
}

/// Writes a line of somebody else's, who is told for how many seconds there were any; at most every moment, and if somebody looks.
#[allow(clippy::disallowed_methods, reason = "what is shown meanwhile reaches no result")]
pub(crate) fn say(is_quiet: bool, line: impl FnOnce(u64) -> String) {
    if is_quiet || !std::io::stderr().is_terminal() {
        return;
    }
    let now = Instant::now();
    let Ok(mut written) = WRITTEN.lock() else { return };
    let (first, last) = written.get_or_insert((now, now));
    if now.duration_since(*last) < EVERY {
        return;
    }
    *last = now;
    let line = line(now.duration_since(*first).as_secs());
    let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
}

/// Takes the line away.
pub(crate) fn clear() {
    if WRITTEN.lock().is_ok_and(|written| written.is_some()) {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_going_on() {
        let mut progress = Progress { n_cases: 12, n_steps: 600, ..Progress::default() };
        assert_eq!(line(progress, Duration::from_millis(2500)), "2 s: 600 calls in 12 sequences");
        progress.is_shrinking = true;
        assert!(line(progress, Duration::ZERO).contains("shortest"));
    }
}
