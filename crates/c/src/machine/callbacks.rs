//! Functions that stand in for callbacks: the code under test is passed one where it wants a function and has
//! none.
//!
//! Makes the address of a function that answers given values. What they are is drawn elsewhere.

use super::{Machine, raw};

/// How many there are.
pub const MAX_CALLBACKS: usize = raw::MAX_CALLBACKS;
/// How many values each answers in turn.
pub const MAX_ANSWERS: usize = raw::MAX_ANSWERS;

impl Machine {
    /// Lets callback number `k` answer these values in turn, as the bytes of a number, from now on.
    pub fn set_answers(&self, k: usize, answers: &[u64]) {
        assert!(k < MAX_CALLBACKS && answers.len() <= MAX_ANSWERS, "no such callback");
        let mut callback =
            raw::Callback { n_calls: 0, n_answers: answers.len() as u64, answers: [0; MAX_ANSWERS] };
        callback.answers[..answers.len()].copy_from_slice(answers);
        // SAFETY: the runtime's table has this many entries, and no call that reads it is under way.
        let place = unsafe { self.api.callbacks.add(k) };
        // SAFETY: it is one of the table, and nobody else looks at it now.
        unsafe { place.write(callback) };
    }

    /// Its address; `is_float` for one that returns a floating-point number.
    #[must_use]
    pub fn callback(&self, k: usize, is_float: bool) -> u64 {
        assert!(k < MAX_CALLBACKS, "no such callback");
        // SAFETY: the runtime's table has two entries for each, filled when the object was loaded.
        let entry = unsafe { self.api.callback_entries.add(2 * k + usize::from(is_float)) };
        // SAFETY: it is one of the table, which never changes.
        unsafe { entry.read() }
    }
}
