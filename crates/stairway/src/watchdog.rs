//! A property that never returns: said out loud, with what is needed to find it again.
//!
//! A thread of the process looks at every property being checked from time to time. If one has
//! been in the same case for longer than allowed, it prints which and ends the process, because
//! a thread cannot be stopped from outside. (`isolate` with a time limit can do better: there
//! such a case is a counterexample.) The clock read here decides about nothing else.

use crate::reproducer_program::Subject;
use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

/// What a property is doing; updated by whoever runs it.
#[derive(Debug)]
pub(crate) struct Activity {
    name: String,
    subject: Subject,
    seed: u64,
    doing: Option<Doing>,
    limit: Duration,
    /// Twice the number of cases run, plus one while one is running.
    ticks: AtomicU64,
}

/// Says what is being done, where more is known than the case.
#[derive(Clone)]
pub(crate) struct Doing(pub(crate) Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl std::fmt::Debug for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Doing")
    }
}

static WATCHED: Mutex<Vec<Weak<Activity>>> = Mutex::new(Vec::new());
static START: Once = Once::new();

impl Activity {
    /// Begins to watch a property.
    pub(crate) fn start(
        (name, subject): (&str, Subject),
        seed: u64,
        limit: Duration,
        doing: Option<Doing>,
    ) -> Arc<Self> {
        let ticks = AtomicU64::new(0);
        let activity = Arc::new(Activity { name: name.to_string(), subject, seed, doing, limit, ticks });
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&activity));
        START.call_once(|| {
            std::thread::spawn(watch);
        });
        activity
    }

    /// Marks a case as running until the guard is dropped.
    pub(crate) fn busy(&self) -> Busy<'_> {
        tick(&self.ticks);
        Busy(&self.ticks)
    }
}

/// While it lives, a case is running.
pub(crate) struct Busy<'a>(&'a AtomicU64);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        tick(self.0);
    }
}

/// Not one atomic step, which would cost more than many a property: all that matters is that the
/// number changes while cases come and go.
fn tick(ticks: &AtomicU64) {
    ticks.store(ticks.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

#[allow(clippy::disallowed_methods, reason = "a hang can only be told by a clock; no verdict depends on it")]
fn watch() {
    let mut seen: Vec<(Weak<Activity>, u64, Instant)> = Vec::new();
    let mut fresh_since: Vec<(Weak<Activity>, Instant)> = Vec::new();
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = Instant::now();
        let fresh = std::mem::take(&mut *WATCHED.lock().unwrap_or_else(PoisonError::into_inner));
        fresh_since.extend(fresh.iter().map(|activity| (activity.clone(), now)));
        fresh_since.retain(|(activity, since)| {
            let Some(activity) = activity.upgrade() else { return false };
            let waits = now.duration_since(*since) < SILENT;
            if !waits && std::io::stderr().is_terminal() {
                let _ = writeln!(std::io::stderr(), "{}", progress(&activity));
            }
            waits
        });
        seen.extend(fresh.into_iter().map(|activity| (activity, 0, now)));
        seen.retain_mut(|(activity, ticks, since)| {
            let Some(activity) = activity.upgrade() else { return false };
            let current = activity.ticks.load(Ordering::Relaxed);
            if current != *ticks || current % 2 == 0 {
                (*ticks, *since) = (current, now);
            } else if now.duration_since(*since) >= activity.limit {
                give_up(&activity, current / 2);
            }
            true
        });
    }
}

/// After so long whoever waits at a terminal is told what for.
const SILENT: Duration = Duration::from_secs(2);

/// One line about a check that takes its time.
fn progress(Activity { name, subject, ticks, .. }: &Activity) -> String {
    let n_runs = ticks.load(Ordering::Relaxed) / 2;
    let (what, limit) = match subject {
        Subject::Property | Subject::Refinement => ("property", "`time = \"10s\"`"),
        _ => ("check", "`.time(Duration::from_secs(10))`"),
    };
    format!(
        "{what} `{name}`: {n_runs} runs in {SILENT:?}, and going on; {limit} would end the search after that time"
    )
}

const WITH_SETTINGS: &str = "give the check a time\nlimit, which runs it in a process of its own: .settings(Settings::new().timeout(Duration::from_secs(1))).";

fn give_up(activity: &Activity, n_cases: u64) -> ! {
    let Activity { name, subject, seed, limit, doing, .. } = activity;
    let (what, how) = match subject {
        Subject::Property | Subject::Refinement => (
            "property",
            "give the property a time\nlimit, which runs it in a process of its own: #[property(timeout = \"1s\")].",
        ),
        Subject::Driver => ("driver", WITH_SETTINGS),
        _ => ("check", WITH_SETTINGS),
    };
    let doing =
        doing.as_ref().and_then(|Doing(says)| says()).map_or(String::new(), |said| format!("\n{said}"));
    // Not `eprintln!`: a test runner that captures output would keep it to itself.
    let _ = writeln!(
        std::io::stderr(),
        "\n{what} `{name}` has not returned from run {} for {limit:?} (seed {seed:#x}){doing}\n\
         The process ends here. To have such an input found, shrunk and stored, {how}\n\
         If a run may take this long, set STAIRWAY_HANG, for example to 10m.",
        n_cases + 1
    );
    std::process::exit(101);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_is_told_how_to_wait_less() {
        let check = Activity::start(("a::b", Subject::Model), 1, Duration::from_secs(9), None);
        drop(check.busy());
        assert_eq!(
            progress(&check),
            "check `a::b`: 1 runs in 2s, and going on; `.time(Duration::from_secs(10))` would end the search after that time"
        );
    }
}
