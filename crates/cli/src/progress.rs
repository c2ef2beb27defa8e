//! One line on standard error that says how far the hunt has come, where somebody looks at it.

use stairway_c::Progress;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// When the line was written first and last.
static WRITTEN: Mutex<Option<(Instant, Instant)>> = Mutex::new(None);

/// Whom to tell, if somebody looks.
pub(crate) fn listener(is_quiet: bool) -> Option<fn(Progress)> {
    (!is_quiet && std::io::stderr().is_terminal()).then_some(show as fn(Progress))
}

#[allow(clippy::disallowed_methods, reason = "what is shown meanwhile reaches no result")]
fn show(progress: Progress) {
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
