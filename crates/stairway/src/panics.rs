//! Panics of the code under test, caught and attributed.
//!
//! One hook for the whole process asks each thread whether it is running a case: if so the panic
//! is kept silently, with its place, and becomes a failure of that case; if not it goes to
//! whatever hook was there before. Receives closures, hands on [`Checked`] results.

use stairway_engine::{Checked, Failure, Stop};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// How many guards this thread is inside of.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Whether this thread runs a case that will be shown, so that a backtrace is worth its time.
    static IS_SHOWN: Cell<bool> = const { Cell::new(false) };
    /// Whose code this thread is running.
    static BLAME: Cell<Blame> = const { Cell::new(Blame::System) };
    /// The latest panic caught by the hook on this thread.
    static CAUGHT: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Whose fault a panic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blame {
    /// The code under test, or a plain property.
    System,
    /// A model or another part of a specification.
    Specification,
    /// What makes the model and the system before the first step.
    Start,
}

/// Says whose code runs on this thread from now on; gives whose it was.
#[inline]
pub(crate) fn blame(whose: Blame) -> Blame {
    BLAME.replace(whose)
}

static INSTALL: Once = Once::new();

/// Runs `f` and turns a panic into a failure. This is the engine's guard wherever there is `std`.
pub(crate) fn guard(f: &mut dyn FnMut() -> Checked) -> Checked {
    install();
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(f));
    DEPTH.set(DEPTH.get() - 1);
    result.unwrap_or_else(|payload| {
        let caught = CAUGHT.take();
        Err(Stop::fail(match payload.downcast::<Failure>() {
            Ok(failure) => *failure,
            Err(payload) => caught.unwrap_or_else(|| unattributed(&*payload)),
        }))
    })
}

/// Unwinds with a failure whose identity is known; outside of a case this is a panic like any other.
#[track_caller]
pub(crate) fn fail(mut failure: Failure) -> ! {
    if DEPTH.get() == 0 {
        panic!("{} ({})", failure.message, failure.place);
    }
    failure.details = backtrace();
    std::panic::resume_unwind(Box::new(failure))
}

/// Says whether the case about to run on this thread will be shown.
pub(crate) fn will_be_shown(shown: bool) {
    blame(Blame::System);
    IS_SHOWN.set(shown);
}

/// Keeps the frames between the panic and the property: those above belong to the panic itself,
/// those below to this crate and the test runner.
fn trimmed(backtrace: &str) -> String {
    let mut frames: Vec<Vec<&str>> = Vec::new();
    for line in backtrace.lines() {
        match frames.last_mut() {
            Some(frame) if !is_numbered(line) => frame.push(line),
            _ => frames.push(vec![line]),
        }
    }
    let has = |frame: &[&str], name: &str| frame.iter().any(|line| line.contains(name));
    let begin = frames.iter().position(|frame| has(frame, "rust_begin_unwind"));
    // A failing clause does not panic; the function that judged it is the last of ours.
    let begin = begin.or_else(|| frames.iter().rposition(|frame| has(frame, "/program/contract.rs:")));
    let begin = begin.map_or(0, |at| at + 1);
    let ours = ["stairway::checker::Checker", "stairway_engine::program::run_steps"];
    let below = frames.iter().position(|frame| ours.iter().any(|name| has(frame, name)));
    let shown = frames.iter().take(below.unwrap_or(frames.len())).skip(begin);
    let shown = shown.skip_while(|frame| has(frame, "core::panicking::"));
    shown.enumerate().map(|(n, frame)| numbered(n, frame)).collect::<Vec<_>>().join("\n")
}

/// Whether a line of a backtrace begins a frame, as in `  12: name`.
fn is_numbered(line: &str) -> bool {
    line.trim_start().split_once(": ").is_some_and(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()))
}

fn numbered(n: usize, frame: &[&str]) -> String {
    let first = frame.first().map_or("", |line| line.split_once(": ").map_or(*line, |(_, name)| name));
    let rest = frame.iter().skip(1).map(|line| format!("\n{line}"));
    format!("{n:4}: {first}{}", rest.collect::<String>())
}

fn install() {
    INSTALL.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            if DEPTH.get() > 0 {
                CAUGHT.set(Some(failure(info)));
            } else {
                previous(info);
            }
        }));
    });
}

fn failure(info: &PanicHookInfo<'_>) -> Failure {
    let message = text(info.payload());
    let kind = match BLAME.get() {
        Blame::System => "panic",
        Blame::Specification => "panic in the specification",
        Blame::Start => "panic at the start",
    };
    let mut failure = match info.location() {
        Some(place) => Failure::at(place, kind, message),
        None => Failure::of(kind, message),
    };
    failure.details = backtrace();
    failure
}

/// Where this thread is, if that will be shown and RUST_BACKTRACE asks for it.
fn backtrace() -> String {
    if IS_SHOWN.get() {
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            return trimmed(&backtrace.to_string());
        }
    }
    String::new()
}

/// A panic that did not pass through the hook: `resume_unwind`, or a thread's joined panic.
fn unattributed(payload: &(dyn std::any::Any + Send)) -> Failure {
    Failure::of("panic", text(payload))
}

fn text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is not text".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway_engine::Verdict;

    fn failure_of(f: fn() -> Checked) -> Option<Failure> {
        Verdict::of(guard(&mut { f }), None).failure().cloned()
    }

    #[test]
    fn a_panic_is_a_failure_at_its_place() {
        let failure = failure_of(|| panic!("no {}", "luck")).unwrap();
        assert_eq!(failure.message, "no luck");
        assert!(failure.place.contains("panics.rs:"));
        assert_eq!(failure.identity, format!("panic at {}", failure.place));
    }

    #[test]
    fn other_payloads_are_failures_too() {
        let failure = failure_of(|| std::panic::resume_unwind(Box::new(7))).unwrap();
        assert_eq!(failure.message, "a value that is not text");
    }

    #[test]
    fn backtraces_show_the_property_only() {
        let backtrace = "   0: stairway::panics::failure\n             at panics.rs:1:1\n   \
            1: rust_begin_unwind\n   2: core::panicking::panic_fmt\n             at panicking.rs:2:2\n   \
            3: user::helper\n             at lib.rs:3:3\n   4: user::property\n   \
            5: stairway::checker::Checker::watched::{{closure}}\n   6: std::panic::catch_unwind";
        assert_eq!(
            trimmed(backtrace),
            "   0: user::helper\n             at lib.rs:3:3\n   1: user::property"
        );
        assert_eq!(trimmed("   0: <unknown>\n   1: <unknown>"), "   0: <unknown>\n   1: <unknown>");
    }

    #[test]
    fn guards_nest() {
        let inner = failure_of(|| {
            let inner = failure_of(|| panic!("inner")).unwrap();
            assert_eq!(inner.message, "inner");
            panic!("outer")
        });
        assert_eq!(inner.unwrap().message, "outer");
    }

    #[test]
    fn results_pass_through() {
        assert!(failure_of(|| Ok(())).is_none());
    }
}
