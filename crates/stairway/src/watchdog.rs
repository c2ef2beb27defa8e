//! A property that never returns: said out loud, with what is needed to find it again.
//!
//! A thread of the process looks at every property being checked from time to time. If one has
//! been in the same case for longer than allowed, it prints which and ends the process, because
//! a thread cannot be stopped from outside. (`isolate` with a time limit can do better: there
//! such a case is a counterexample.) The clock read here decides about nothing else.
//!
//! The same thread says how far properties have come that take longer than two seconds, where somebody looks
//! at a terminal.

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
    let mut shown = ProgressLine::new(now_from_here(), std::io::stderr().is_terminal());
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = Instant::now();
        let fresh = std::mem::take(&mut *WATCHED.lock().unwrap_or_else(PoisonError::into_inner));
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
        shown.update(now, &seen.iter().filter_map(|(activity, ..)| activity.upgrade()).collect::<Vec<_>>());
    }
}

#[allow(clippy::disallowed_methods, reason = "what is shown meanwhile reaches no result")]
fn now_from_here() -> Instant {
    Instant::now()
}

/// What ends within this time needs no word.
const SOON: Duration = Duration::from_secs(2);
/// How often the line changes.
const EVERY: Duration = Duration::from_millis(500);

/// One line on a terminal about the property that has run for longest.
struct ProgressLine {
    is_wanted: bool,
    /// The property that the line is about, since when, and how many cases it had run then.
    subject: Option<(String, Instant)>,
    last: Instant,
    is_there: bool,
}

impl ProgressLine {
    const fn new(now: Instant, is_wanted: bool) -> Self {
        ProgressLine { is_wanted, subject: None, last: now, is_there: false }
    }

    fn update(&mut self, now: Instant, running: &[Arc<Activity>]) {
        if !self.is_wanted {
            return;
        }
        let known = self
            .subject
            .as_ref()
            .and_then(|(name, _)| running.iter().find(|activity| activity.name == *name));
        let Some(activity) = known.or(running.first()) else {
            self.clear();
            self.subject = None;
            return;
        };
        if known.is_none() {
            self.subject = Some((activity.name.clone(), now));
        }
        let since = self.subject.as_ref().map_or(Duration::ZERO, |(_, start)| now.duration_since(*start));
        if since < SOON || now.duration_since(self.last) < EVERY {
            return;
        }
        self.last = now;
        self.is_there = true;
        let line =
            progress_text(&activity.name, activity.ticks.load(Ordering::Relaxed) / 2, since, running.len());
        // Not `eprint!`: a test runner that captures output would keep it to itself.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}\r");
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.is_there) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn progress_text(name: &str, n_cases: u64, since: Duration, n_running: usize) -> String {
    let seconds = since.as_secs();
    let others =
        if n_running > 1 { format!(", and {} more properties", n_running - 1) } else { String::new() };
    let rate = n_cases / seconds.max(1);
    format!("{name}: {n_cases} runs in {seconds} s, {rate} a second{others}")
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
    fn the_line_says_which_property_and_how_fast() {
        let text = progress_text("a::b", 4000, Duration::from_millis(4200), 3);
        assert_eq!(text, "a::b: 4000 runs in 4 s, 1000 a second, and 2 more properties");
        assert_eq!(progress_text("a::b", 8, Duration::from_secs(2), 1), "a::b: 8 runs in 2 s, 4 a second");
    }
}
