//! What happens in programs, seen from the system under test: it says when a program begins and
//! at each of its steps, whoever compares the answers says when they differ. The same cost for
//! every tool, and no tool is asked for its own counts.

use crate::measure::{count_case, counted, forget};
use std::cell::Cell;

/// What one run of a tool came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Steps executed up to the first failure, in all programs together.
    pub(crate) n_steps: u64,
    /// Steps of the first program that failed.
    pub(crate) first_length: u64,
    /// Programs executed after it.
    pub(crate) n_runs: u64,
    /// Steps of the last program that failed.
    pub(crate) length: u64,
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    n_cases_at_first: u64,
    n_steps_at_first: u64,
    length_of_first: u64,
    length_of_last: u64,
}

thread_local! {
    static N_STEPS_AT_START: Cell<u64> = const { Cell::new(0) };
    static FAILURES: Cell<Option<Failures>> = const { Cell::new(None) };
}

/// A program begins.
#[inline]
pub(crate) fn begin() {
    count_case();
    N_STEPS_AT_START.set(counted().1);
}

/// Whether the two sides agree; a difference is remembered.
#[inline]
pub(crate) fn agree<T: PartialEq>(expected: &T, got: &T) -> bool {
    let same = expected == got;
    if !same {
        failed();
    }
    same
}

#[cold]
fn failed() {
    let (n_cases, n_steps) = counted();
    let length_of_last = n_steps - N_STEPS_AT_START.get();
    let first = Failures {
        n_cases_at_first: n_cases,
        n_steps_at_first: n_steps,
        length_of_first: length_of_last,
        length_of_last,
    };
    FAILURES.set(Some(Failures { length_of_last, ..FAILURES.get().unwrap_or(first) }));
}

/// What a model answers: Stairway compares it with what the system does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said<T>(pub(crate) T);

impl<T: PartialEq> PartialEq<T> for Said<T> {
    #[inline]
    fn eq(&self, got: &T) -> bool {
        agree(&self.0, got)
    }
}

/// Lets a tool search, and says what it found.
pub(crate) fn observe(search: impl FnOnce()) -> Option<Found> {
    forget();
    FAILURES.set(None);
    search();
    let failures = FAILURES.get()?;
    Some(Found {
        n_steps: failures.n_steps_at_first,
        first_length: failures.length_of_first,
        n_runs: counted().0 - failures.n_cases_at_first,
        length: failures.length_of_last,
    })
}
