//! The bugs that can be planted in an account.
//!
//! An account receives its bug when it is opened. Which one that is belongs to the thread, so that
//! programs of calls read the same whether a bug is planted or not.

use std::cell::Cell;

/// A mistake in the account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bug {
    /// No mistake.
    #[default]
    None,
    /// `withdraw` refuses to give everything.
    KeepsTheLast,
    /// `close` pays out, but the money stays.
    PaysTwice,
    /// `transfer` takes the money before it looks whether the other account is open.
    TakesFirst,
}

impl Bug {
    /// Plants this mistake in every account that `run` opens on this thread.
    pub fn plant<T>(self, run: impl FnOnce() -> T) -> T {
        PLANTED.set(self);
        let result = run();
        PLANTED.set(Bug::None);
        result
    }

    /// The mistake of the accounts opened now.
    #[must_use]
    pub fn planted() -> Bug {
        PLANTED.get()
    }
}

thread_local! {
    static PLANTED: Cell<Bug> = const { Cell::new(Bug::None) };
}
