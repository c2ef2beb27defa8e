//! Panics of the code under test, caught and attributed.
//!
//! One hook for the whole process asks each thread whether it is running a case: if so the panic
//! is kept silently, with its place, and becomes a failure of that case; if not it goes to
//! whatever hook was there before. Receives closures, hands on [`Checked`] results.

use crate::backtrace::trimmed;
use crate::refused;
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
#[cfg_attr(not(debug_assertions), inline)]
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
        let mut failure = match payload.downcast::<Failure>() {
            Ok(failure) => *failure,
            Err(payload) => caught.unwrap_or_else(|| unattributed(&*payload)),
        };
        refused::explain(&mut failure);
        Err(Stop::fail(failure))
    })
}

/// Runs `f`; a panic in it becomes a failure that also says what was being done.
pub(crate) fn explained<T>(f: impl FnOnce() -> T, doing: impl FnOnce() -> String) -> Checked<T> {
    let (mut f, mut value) = (Some(f), None);
    let ended = guard(&mut || {
        value = f.take().map(|f| f());
        Ok(())
    });
    match (ended, value) {
        (Ok(()), Some(value)) => Ok(value),
        (Ok(()), None) => Err(Stop::fail(Failure::of("panic", doing()))),
        (Err(stop), _) => Err(stop.map_failure(|mut failure| {
            failure.message = format!("{}\n{}", failure.message, doing());
            failure
        })),
    }
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
