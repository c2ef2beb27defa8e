//! A property that never returns: said out loud, with what is needed to find it again.
//!
//! A thread of the process looks at every property being checked from time to time. If one has
//! been in the same case for longer than allowed, it says which, and in which step. Where that case awaits
//! something, it is woken and ends its test (`await_limit.rs`); everything else ends the process, because
//! a thread cannot be stopped from outside. (`isolate` with a time limit can do better: there
//! such a case is a counterexample.) The clock read here decides about nothing else.
//!
//! The same thread says how far properties have come that take longer than two seconds, where somebody looks
//! at a terminal.

use crate::await_limit::AwaitedFuture;
use crate::reproducer_program::Subject;
use crate::whereabouts::{self, Whereabouts};
use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// What a property is doing; updated by whoever runs it.
#[derive(Debug)]
pub(crate) struct Activity {
    name: String,
    subject: Subject,
    seed: u64,
    doing: Option<ActivitySource>,
    /// The operations of its programs.
    operations: &'static [&'static str],
    limit: Duration,
    /// How many cases were begun, and how many of them ended.
    n_begun: AtomicU64,
    n_ended: AtomicU64,
    /// Where the thread is that runs its cases, if there is only one.
    thread: OnceLock<&'static Whereabouts>,
    has_one_thread: bool,
    progress: ShownProgress,
    /// What its cases await.
    awaited: Mutex<Vec<Arc<AwaitedFuture>>>,
}

/// What is watched.
#[derive(Clone, Debug)]
pub(crate) struct WatchedProperty<'w> {
    pub(crate) name: &'w str,
    pub(crate) subject: Subject,
    pub(crate) seed: u64,
    pub(crate) doing: Option<ActivitySource>,
    pub(crate) operations: &'static [&'static str],
    /// How long one of its cases may take.
    pub(crate) limit: Duration,
    /// Whether one thread runs all cases: of several, nobody knows which one hangs.
    pub(crate) has_one_thread: bool,
    pub(crate) progress: ShownProgress,
}

/// What the line on a terminal says of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShownProgress {
    /// How many runs it has made.
    Runs,
    /// For how long it has run: its cases are counted in other processes.
    Time,
    /// Nothing: somebody else shows it.
    Nothing,
}

/// Says what is being done, where more is known than the case.
#[derive(Clone)]
pub(crate) struct ActivitySource(pub(crate) Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl std::fmt::Debug for ActivitySource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Doing")
    }
}

static WATCHED: Mutex<Vec<Weak<Activity>>> = Mutex::new(Vec::new());
static START: Once = Once::new();

impl Activity {
    /// Begins to watch a property.
    pub(crate) fn start(watched: WatchedProperty<'_>) -> Arc<Self> {
        let WatchedProperty { name, subject, seed, doing, operations, limit, has_one_thread, progress } =
            watched;
        let activity = Arc::new(Activity {
            name: name.to_string(),
            subject,
            seed,
            doing,
            operations,
            limit,
            n_begun: AtomicU64::new(0),
            n_ended: AtomicU64::new(0),
            thread: OnceLock::new(),
            has_one_thread,
            progress,
            awaited: Mutex::default(),
        });
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&activity));
        START.call_once(|| {
            std::thread::spawn(watch);
        });
        activity
    }

    /// Marks a case as running until the guard is dropped.
    pub(crate) fn busy(self: &Arc<Self>) -> CaseGuard<'_> {
        if self.has_one_thread {
            self.thread.get_or_init(|| whereabouts::belong_to(self));
        } else {
            whereabouts::belong_to(self);
        }
        whereabouts::end_steps();
        self.count(&self.n_begun);
        CaseGuard(self)
    }

    /// One more. Where one thread counts, not in one atomic step, which would cost more than many a property.
    fn count(&self, n: &AtomicU64) {
        if self.has_one_thread {
            n.store(n.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        } else {
            n.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many cases were begun and ended.
    fn counts(&self) -> (u64, u64) {
        (self.n_begun.load(Ordering::Relaxed), self.n_ended.load(Ordering::Relaxed))
    }

    /// Remembers something that is awaited, until it is [no longer](Activity::no_longer_awaits).
    pub(crate) fn awaits(&self, awaited: Arc<AwaitedFuture>) -> Arc<AwaitedFuture> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&awaited));
        awaited
    }

    /// The counterpart of [`Activity::awaits`].
    pub(crate) fn no_longer_awaits(&self, awaited: &Arc<AwaitedFuture>) {
        self.awaited
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|other| !Arc::ptr_eq(other, awaited));
    }

    /// Ends what is awaited; whether anything is.
    fn expire(&self) -> bool {
        let awaited = self.awaited.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Each of them hears of it.
        awaited.iter().filter(|awaited| awaited.expire()).count() > 0
    }

    /// What is said of a case that awaits what is never ready.
    pub(crate) fn never_ready(&self) -> String {
        self.told("What is awaited there is not ready: this test ends here, the others go on.")
    }

    /// The step that is being done, as far as it is known.
    fn doing(&self) -> Option<String> {
        if !self.has_one_thread {
            return None;
        }
        if let Some(said) = self.doing.as_ref().and_then(|ActivitySource(says)| says()) {
            return Some(said);
        }
        let (ordinal, op) = self.thread.get()?.step()?;
        Some(format!("It is in step {} of a program, `{}`.", ordinal + 1, self.operations.get(op)?))
    }

    /// What is said of a case that takes too long, and of what follows from it.
    fn told(&self, what: &str) -> String {
        let Activity { name, subject, seed, limit, .. } = self;
        let (kind, how) = match subject {
            Subject::Property | Subject::Refinement => ("property", "#[property(timeout = \"1s\")]"),
            Subject::Driver => ("driver", WITH_SETTINGS),
            _ => ("check", WITH_SETTINGS),
        };
        let doing = self.doing().map_or(String::new(), |doing| format!("{doing}\n"));
        format!(
            "{kind} `{name}` has not returned from run {} for {limit:?} (seed {seed:#x})\n{doing}{what}\n\
             To have such an input found, shrunk and stored, give the {kind} a time limit, which runs it in a\n\
             process of its own: {how}\n\
             If a run may take this long, set STAIRWAY_HANG, for example to 10m.",
            self.counts().1 + 1
        )
    }
}

/// While it lives, a case is running.
pub(crate) struct CaseGuard<'a>(&'a Activity);

impl Drop for CaseGuard<'_> {
    fn drop(&mut self) {
        self.0.count(&self.0.n_ended);
    }
}

#[allow(clippy::disallowed_methods, reason = "a hang can only be told by a clock; no verdict depends on it")]
fn watch() {
    let mut seen: Vec<(Weak<Activity>, (u64, u64), Instant)> = Vec::new();
    // A terminal that takes no control sequences gets no line that changes.
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let mut shown = ProgressLine::new(now_from_here(), std::io::stderr().is_terminal() && !is_dumb);
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = Instant::now();
        let fresh = std::mem::take(&mut *WATCHED.lock().unwrap_or_else(PoisonError::into_inner));
        seen.extend(fresh.into_iter().map(|activity| (activity, (0, 0), now)));
        seen.retain_mut(|(activity, counts, since)| {
            let Some(activity) = activity.upgrade() else { return false };
            let (n_begun, n_ended) = activity.counts();
            if (n_begun, n_ended) != *counts || n_begun == n_ended {
                (*counts, *since) = ((n_begun, n_ended), now);
            } else if now.duration_since(*since) >= activity.limit {
                // An executor that does not go on when it is woken has as long again.
                if activity.expire() {
                    *since = now;
                } else {
                    give_up(&activity);
                }
            }
            true
        });
        let running = seen.iter().filter_map(|(activity, ..)| activity.upgrade());
        let running = running.filter(|activity| activity.progress != ShownProgress::Nothing);
        shown.update(now, &running.collect::<Vec<_>>());
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
        let n_cases = (activity.progress == ShownProgress::Runs).then(|| activity.counts().1);
        let line = progress_text(&activity.name, n_cases, since, running.len());
        // Not `eprint!`: a test runner that captures output would keep it to itself.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}\r");
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.is_there) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// How long the line is at most: terminals are seldom narrower.
const MAX_WIDTH: usize = 78;

fn progress_text(name: &str, n_cases: Option<u64>, since: Duration, n_running: usize) -> String {
    let seconds = since.as_secs();
    let others =
        if n_running > 1 { format!(", and {} more properties", n_running - 1) } else { String::new() };
    let rest = match n_cases {
        Some(n) => format!("{n} runs in {seconds} s, {} a second{others}", n / seconds.max(1)),
        None => format!("{seconds} s in worker processes{others}"),
    };
    // A line that breaks cannot be taken back: of a long path, its end is shown.
    let room = MAX_WIDTH.saturating_sub(rest.chars().count() + 2);
    let n = name.chars().count();
    if n <= room {
        return format!("{name}: {rest}");
    }
    let end: String = name.chars().skip(n - room.saturating_sub(1)).collect();
    format!("…{end}: {rest}")
}

const WITH_SETTINGS: &str = ".settings(Settings::new().timeout(Duration::from_secs(1)))";

fn give_up(activity: &Activity) -> ! {
    let said = activity.told("Code that does not return cannot be stopped in this process, which ends here.");
    // Not `eprintln!`: a test runner that captures output would keep it to itself.
    let _ = writeln!(std::io::stderr(), "\n{said}");
    std::process::exit(101);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_which_property_and_how_fast() {
        let text = progress_text("a::b", Some(4000), Duration::from_millis(4200), 3);
        assert_eq!(text, "a::b: 4000 runs in 4 s, 1000 a second, and 2 more properties");
        assert_eq!(
            progress_text("a::b", Some(8), Duration::from_secs(2), 1),
            "a::b: 8 runs in 2 s, 4 a second"
        );
        let long = progress_text(&"module::".repeat(20), Some(8), Duration::from_secs(2), 1);
        assert!(long.chars().count() == 78 && long.starts_with("…::module"), "{long}");
        assert_eq!(progress_text("a::b", None, Duration::from_secs(2), 1), "a::b: 2 s in worker processes");
    }
}
