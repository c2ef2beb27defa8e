//! What C has made and the test owns.
//!
//! A handle holds a pointer and the name of the function that frees it, and frees it when it goes out of
//! scope. What goes wrong then fails the case when the run ends.

use super::session::Session;
use super::value::{Pointee, Pointer};
use std::cell::Cell;
use std::fmt;

/// Something that C made and that is freed by C when this goes out of scope: the result of a function that is
/// bound with `-> owned free`.
///
/// Passed by reference, C may use it; passed by value, it becomes C's to free.
///
/// ```
/// stairway_c::library! {
///     mod c {
///         files: "tests/library/cell.c";
///         bind { cons -> owned destroy; }
///     }
/// }
///
/// # fn main() {
/// use stairway_c::library::Pointer;
/// let total = c::run(|c| {
///     c.mocks().changed(|_, _| Ok(()));
///     let Some(first) = c.cons(5, Pointer::NULL)? else { return Ok(0) };
///     // `first` is the second cell's now, and the list is freed when the run ends.
///     let Some(both) = c.cons(6, first)? else { return Ok(0) };
///     c.total(&both)
/// });
/// assert_eq!(total.unwrap(), 11);
/// # }
/// ```
pub struct Handle<'c, 'r, T> {
    session: &'c Session<'r>,
    pointer: Pointer<T>,
    free: &'static str,
    is_owned: Cell<bool>,
}

impl<'c, 'r, T: Pointee> Handle<'c, 'r, T> {
    #[doc(hidden)]
    #[must_use]
    pub fn new(session: &'c Session<'r>, pointer: Pointer<T>, free: &'static str) -> Option<Self> {
        (!pointer.is_null()).then(|| Handle { session, pointer, free, is_owned: Cell::new(true) })
    }
}

impl<T> Handle<'_, '_, T> {
    /// Where it is; it is still freed when the handle goes out of scope.
    #[must_use]
    pub fn pointer(&self) -> Pointer<T> {
        self.pointer
    }

    /// Where it is; from now on somebody else has to free it.
    #[must_use]
    pub fn into_pointer(self) -> Pointer<T> {
        self.give_up()
    }

    pub(super) fn give_up(&self) -> Pointer<T> {
        self.is_owned.set(false);
        self.pointer
    }
}

impl<T> Drop for Handle<'_, '_, T> {
    fn drop(&mut self) {
        // A case that has failed is over: C may be in no state to be called.
        if self.is_owned.get() && !std::thread::panicking() {
            self.session.free_late(self.free, self.pointer.address);
        }
    }
}

impl<T> fmt::Debug for Handle<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pointer.fmt(f)
    }
}
