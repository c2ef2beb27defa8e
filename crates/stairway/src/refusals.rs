//! What the sandbox refused to code under test, on its way into the report of the case at hand.
//!
//! Whoever finds out does not have the case: a run of C is over, or the code of a confined property has
//! returned. The lines wait on their thread until the property has returned.

use stairway_engine::{Case, Failure};
use stairway_sandbox::{Reader, Refusal};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// The table of what was refused.
const TABLE: &str = "refused by the sandbox";

/// Whether anything was ever refused in this process.
static IS_ANY: AtomicBool = AtomicBool::new(false);

thread_local! {
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Keeps what was refused for the report of the case that runs on this thread. A file that is not there was
/// not refused.
pub fn note_refusal(refusal: &Refusal, reader: Reader) {
    if refusal.is_refused() {
        IS_ANY.store(true, Ordering::Relaxed);
        LINES.with_borrow_mut(|lines| lines.push(refusal.words(reader)));
    }
}

/// Puts what was refused into the case that has ended.
#[inline]
pub(crate) fn hand_over(case: &mut Case<'_>) {
    if IS_ANY.load(Ordering::Relaxed) {
        for line in lines() {
            case.note(format_args!("{TABLE}: {line}"));
            case.observed().collect(TABLE, &line);
        }
    }
}

/// Puts what was refused into the failure that a case has ended with by a panic: the case itself is out of
/// reach then.
pub(crate) fn explain(failure: &mut Failure) {
    if IS_ANY.load(Ordering::Relaxed) {
        for line in lines() {
            failure.text.push_str(&format!("\n{TABLE}: {line}"));
        }
    }
}

#[cold]
fn lines() -> Vec<String> {
    let mut lines = LINES.take();
    lines.sort();
    lines.dedup();
    lines
}
