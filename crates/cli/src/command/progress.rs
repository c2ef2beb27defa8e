//! How far a search has come, for whoever waits: a bar on a terminal, a plain line every half a minute
//! elsewhere, nothing in the first two seconds. None of it reaches a result.

use indicatif::{ProgressBar, ProgressStyle};
use stairway_c::Progress;
use stairway_c::hunt::HuntProgress;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// What ends within this time needs no word.
const SOON: Duration = Duration::from_secs(2);
/// How often the bar changes.
const EVERY: Duration = Duration::from_millis(200);
/// How often a line is written where no terminal is.
const EVERY_LINE: Duration = Duration::from_secs(30);
/// The parts of a bar.
const N_PARTS: u64 = 1000;

/// When a search is to end, as far as that is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Goal {
    /// After so many calls.
    pub(crate) calls: Option<u64>,
    /// After this time.
    pub(crate) time: Option<Duration>,
}

static GOAL: OnceLock<Goal> = OnceLock::new();

/// What is shown.
struct Display {
    first: Instant,
    last: Instant,
    bar: Option<ProgressBar>,
}

static SHOWN: Mutex<Option<Display>> = Mutex::new(None);

/// How far the search has come, for whoever interrupts it.
static N_SEQUENCES: AtomicU64 = AtomicU64::new(0);
static HAS_FOUND: AtomicBool = AtomicBool::new(false);

/// Whom to tell.
pub(crate) fn listener(is_quiet: bool, goal: Goal) -> fn(HuntProgress) {
    let _ = GOAL.set(goal);
    match (is_quiet, takes_bars()) {
        (true, _) => keep,
        (false, true) => show,
        (false, false) => write_lines,
    }
}

/// Whether somebody looks, at a terminal that takes control sequences.
fn takes_bars() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn keep(progress: HuntProgress) {
    N_SEQUENCES.store(progress.run.n_cases, Ordering::Relaxed);
    HAS_FOUND.store(progress.run.is_shrinking, Ordering::Relaxed);
}

/// What is said when the search cannot end by itself.
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

fn show(progress: HuntProgress) {
    keep(progress);
    at_times(EVERY, |shown, since| {
        let (share, text) = line(progress, since, *GOAL.get_or_init(Goal::default));
        let bar = shown.bar.get_or_insert_with(|| ProgressBar::new(N_PARTS));
        let template = if share.is_some() { "{bar:24} {msg}" } else { "{spinner} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(share.map_or(0, |share| (share * N_PARTS as f64) as u64));
        bar.set_message(text);
        bar.tick();
    });
}

fn write_lines(progress: HuntProgress) {
    keep(progress);
    at_times(EVERY_LINE, |_, since| {
        let (share, text) = line(progress, since, *GOAL.get_or_init(Goal::default));
        let share = share.map_or_else(String::new, |share| format!("{:.0} %, ", share * 100.0));
        eprintln!("{} s: {share}{text}", since.as_secs());
    });
}

#[allow(clippy::disallowed_methods, reason = "what is shown meanwhile reaches no result")]
fn at_times(every: Duration, show: impl FnOnce(&mut Display, Duration)) {
    let now = Instant::now();
    let Ok(mut shown) = SHOWN.lock() else { return };
    let shown = shown.get_or_insert(Display { first: now, last: now, bar: None });
    let since = now.duration_since(shown.first);
    if since < SOON || now.duration_since(shown.last) < every {
        return;
    }
    shown.last = now;
    show(shown, since);
}

/// The share that is done, where that is known, and what is going on.
fn line(progress: HuntProgress, since: Duration, goal: Goal) -> (Option<f64>, String) {
    let HuntProgress { run, budget, n_lines } = progress;
    let Progress { n_cases, n_steps, work, n_shrinks, n_left, is_shrinking, .. } = run;
    if is_shrinking {
        return (None, format!("found a failure; shrinking: {n_left} steps, {n_shrinks} runs"));
    }
    let seconds = since.as_secs_f64().max(0.001);
    let limit = |limit: u64, done: u64| (limit < u64::MAX).then(|| done as f64 / limit.max(1) as f64);
    let by_calls = goal.calls.map(|calls| n_steps as f64 / calls.max(1) as f64);
    let by_time = goal.time.map(|time| seconds / time.as_secs_f64().max(0.001));
    let shares = [by_calls, by_time, limit(budget.steps, n_steps), limit(budget.work, work)];
    let share = shares.into_iter().flatten().reduce(f64::max).map(|share| share.min(1.0));
    let left = share
        .filter(|share| *share > 0.01)
        .map_or_else(String::new, |share| format!(", {:.0} s left", seconds / share - seconds));
    let lines = if n_lines == 0 { String::new() } else { format!(", {n_lines} lines reached") };
    (
        share,
        format!(
            "{n_steps} calls in {n_cases} sequences, {:.0} calls a second{lines}{left}",
            n_steps as f64 / seconds
        ),
    )
}

/// Shows a line of somebody else's, who is told for how many seconds there were any; at most every moment,
/// and if somebody looks.
pub(crate) fn say(is_quiet: bool, line: impl FnOnce(u64) -> String) {
    if is_quiet || !takes_bars() {
        return;
    }
    at_times(EVERY, |shown, since| {
        let bar = shown.bar.get_or_insert_with(ProgressBar::new_spinner);
        bar.set_message(line(since.as_secs()));
        bar.tick();
    });
}

/// Takes the bar away.
pub(crate) fn clear() {
    if let Ok(mut shown) = SHOWN.lock()
        && let Some(bar) = shown.as_mut().and_then(|shown| shown.bar.take())
    {
        bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::engine::Budget;

    #[test]
    fn the_line_says_what_is_going_on() {
        let run = Progress { n_cases: 12, n_steps: 600, work: 3000, ..Progress::default() };
        let mut progress = HuntProgress { run, budget: Budget::UNLIMITED, n_lines: 0 };
        let (share, text) = line(progress, Duration::from_secs(3), Goal { calls: Some(2400), time: None });
        assert_eq!((share, &*text), (Some(0.25), "600 calls in 12 sequences, 200 calls a second, 9 s left"));
        // Whichever ends it first.
        let goal = Goal { calls: Some(2400), time: Some(Duration::from_secs(6)) };
        assert_eq!(line(progress, Duration::from_secs(3), goal).0, Some(0.5));
        assert_eq!(line(progress, Duration::from_secs(3), Goal::default()).0, None);
        (progress.budget.work, progress.n_lines) = (4000, 31);
        assert_eq!(
            line(progress, Duration::from_secs(3), goal),
            (
                Some(0.75),
                "600 calls in 12 sequences, 200 calls a second, 31 lines reached, 1 s left".to_string()
            )
        );
        (progress.run.is_shrinking, progress.run.n_left, progress.run.n_shrinks) = (true, 14, 120);
        assert_eq!(
            line(progress, Duration::from_secs(3), goal),
            (None, "found a failure; shrinking: 14 steps, 120 runs".to_string())
        );
    }
}
