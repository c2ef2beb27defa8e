//! Panics of the code under test, caught and attributed.
//!
//! One hook for the whole process asks each thread whether it is running a case: if so the panic is kept
//! silently, with its place, and becomes a failure of that case; if not it goes to whatever hook was there
//! before. Runs closures and returns [`Checked`] results.

use crate::backtrace::trimmed;
use crate::failure_words;
use crate::refusals;
use crate::report;
use crate::showing;
use stairway_engine::{Checked, Detail, Evidence, Failure, FailureKind, Guard, Party, Role, Stop, Verdict};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// How many guards this thread is inside.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// How much of the case that this thread runs is shown: a backtrace takes time.
    static DETAIL: Cell<Detail> = const { Cell::new(Detail::Failure) };
    /// Whose code this thread is running.
    static BLAME: Cell<Party> = const { Cell::new(Party::System) };
    /// The latest panic caught by the hook on this thread.
    static CAUGHT: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Says whose code runs on this thread from now on; gives whose it was.
#[cfg_attr(not(debug_assertions), inline)]
pub(crate) fn blame(whose: Party) -> Party {
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
        let payload = match payload.downcast::<TestEnd>() {
            Ok(ended) => end(ended.0),
            Err(payload) => payload,
        };
        let caught = CAUGHT.take();
        let mut failure = match payload.downcast::<Failure>() {
            Ok(failure) => *failure,
            Err(payload) => caught.unwrap_or_else(|| unattributed(&*payload)),
        };
        refusals::explain(&mut failure);
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
        (Ok(()), None) => {
            Err(Stop::fail(Failure::new(FailureKind::Panic(Party::System)).with(Role::Doing, doing())))
        }
        (Err(stop), _) => Err(stop.map_failure(|failure| failure.with(Role::Doing, doing()))),
    }
}

/// What `show` makes of a value of the user's. A `Debug` that panics changes no verdict: such a value is
/// shown as one that cannot be shown. Nothing of the user's is called where nothing is shown.
pub(crate) fn shown(show: impl FnOnce() -> String) -> String {
    if DETAIL.get() == Detail::Nothing {
        return "(not shown)".to_string();
    }
    caught_by(showing::guard, show).unwrap_or_else(|failure| format!("(cannot be shown: {})", failure.text))
}

/// Runs `f`, which decides something by how values are shown: they are then, whatever is shown of the case.
pub(crate) fn showing<T>(f: impl FnOnce() -> T) -> T {
    let detail = DETAIL.replace(Detail::Failure);
    let value = f();
    DETAIL.set(detail);
    value
}

/// What `write` makes of a value of the user's, or nothing if that panics.
pub(crate) fn or_nothing(write: impl FnOnce() -> String) -> String {
    caught_by(showing::guard, write).unwrap_or_default()
}

/// What `f` gives, or the failure that its panic is.
pub(crate) fn caught<T>(f: impl FnOnce() -> T) -> Result<T, Failure> {
    caught_by(guard, f)
}

/// What `f` gives, or the failure that `guard` makes of its end.
pub(crate) fn caught_by<T>(guard: Guard, f: impl FnOnce() -> T) -> Result<T, Failure> {
    let (mut f, mut value) = (Some(f), None);
    let ended = guard(&mut || {
        value = f.take().map(|f| f());
        Ok(())
    });
    match (value, Verdict::of(ended, None)) {
        (Some(value), _) => Ok(value),
        (None, Verdict::Failed(failure)) => Err(failure),
        (None, _) => Err(Failure::new(FailureKind::Panic(Party::System))),
    }
}

/// Unwinds with a failure whose identity is known; outside a case this is a panic like any other.
#[track_caller]
pub(crate) fn fail(mut failure: Failure) -> ! {
    if DEPTH.get() == 0 {
        let place = failure.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        panic!("{}{place}", failure_words::message(&failure));
    }
    failure.details = backtrace();
    std::panic::resume_unwind(Box::new(failure))
}

/// What unwinds while a test [ends](end) inside a case.
struct TestEnd(String);

/// Ends the test that this thread runs, with `message` and without a verdict.
pub(crate) fn end(message: String) -> ! {
    if DEPTH.get() == 0 {
        report::fail(message);
    }
    std::panic::resume_unwind(Box::new(TestEnd(message)))
}

/// Says how much of the case about to run on this thread is shown.
pub(crate) fn will_be_shown(detail: Detail) {
    blame(Party::System);
    DETAIL.set(detail);
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
    let place = info.location().map(Into::into);
    let evidence =
        Evidence { place, text: text(info.payload()), details: backtrace(), ..Evidence::default() };
    Failure::new(FailureKind::Panic(BLAME.get())).shown_by(evidence)
}

/// Where this thread is, if that will be shown and RUST_BACKTRACE asks for it.
fn backtrace() -> String {
    if DETAIL.get() == Detail::Everything {
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            return trimmed(&backtrace.to_string());
        }
    }
    String::new()
}

/// A panic that did not pass through the hook: `resume_unwind`, or a thread's joined panic.
fn unattributed(payload: &(dyn std::any::Any + Send)) -> Failure {
    Failure::new(FailureKind::Panic(Party::System)).saying(text(payload))
}

fn text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is not text".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure_of(f: fn() -> Checked) -> Option<Failure> {
        Verdict::of(guard(&mut { f }), None).failure().cloned()
    }

    #[test]
    fn a_panic_is_a_failure_at_its_place() {
        let failure = failure_of(|| panic!("no {}", "luck")).unwrap();
        assert_eq!(failure.text, "no luck");
        let place = failure.place.clone().unwrap();
        assert!(place.file.ends_with("panics.rs"));
        assert_eq!(failure_words::identity(&failure), format!("panic at {place}"));
    }

    #[test]
    fn other_payloads_are_failures_too() {
        let failure = failure_of(|| std::panic::resume_unwind(Box::new(7))).unwrap();
        assert_eq!(failure.text, "a value that is not text");
    }

    #[test]
    fn guards_nest() {
        let inner = failure_of(|| {
            let inner = failure_of(|| panic!("inner")).unwrap();
            assert_eq!(inner.text, "inner");
            panic!("outer")
        });
        assert_eq!(inner.unwrap().text, "outer");
    }

    #[test]
    fn results_pass_through() {
        assert!(failure_of(|| Ok(())).is_none());
    }
}
