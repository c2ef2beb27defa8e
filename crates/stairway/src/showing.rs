//! Values of the user's as text, where showing one may take the process with it.
//!
//! A `Debug` is code under test: it may panic, abort or never return, and none of that says anything about the
//! case. A panic is caught. For the rest, a worker says which value it is about to show, counted from the start of
//! the case; if it dies there, the case is run again without that one.

use crate::panics;
use serde::{Deserialize, Serialize};
use stairway_engine::{Checked, Failure, FailureKind, Party, Stop};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

/// Told which value is about to be shown, and that it was.
pub(crate) type Listener = fn(Option<u32>);

thread_local! {
    /// Who is told of values before they are shown, on this thread.
    static LISTENER: Cell<Option<Listener>> = const { Cell::new(None) };
    /// How many values of this case were shown.
    static N_SHOWN: Cell<u32> = const { Cell::new(0) };
    /// The values of this case that are not shown, and why.
    static UNSHOWABLE: RefCell<Vec<Unshowable>> = const { RefCell::new(Vec::new()) };
}

/// A value that is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unshowable {
    /// Its number in the case.
    pub(crate) number: u32,
    /// Whether none of the later ones is shown either.
    pub(crate) and_later: bool,
    /// How the process ended that showed it.
    pub(crate) why: String,
}

impl Unshowable {
    /// Why a value is left out, if it is because of this one.
    fn why(&self, number: u32) -> Option<String> {
        match self.number.cmp(&number) {
            Ordering::Equal => Some(self.why.clone()),
            Ordering::Less if self.and_later => Some("left out after too many others".to_string()),
            _ => None,
        }
    }
}

/// A case begins: `listener` is told of values, and those in `unshowable` are left out.
pub(crate) fn listen(listener: Option<Listener>, unshowable: Vec<Unshowable>) {
    LISTENER.set(listener);
    N_SHOWN.set(0);
    UNSHOWABLE.set(unshowable);
}

/// Runs `show`, which makes text of one value. A panic is a failure, and so is a value that is left out.
pub(crate) fn guard(show: &mut dyn FnMut() -> Checked) -> Checked {
    // Showing a value may show its parts in this way too; then the whole is one.
    let Some(told) = LISTENER.take() else { return panics::guard(show) };
    let number = N_SHOWN.replace(N_SHOWN.get() + 1);
    let why = UNSHOWABLE.with_borrow(|left_out| left_out.iter().find_map(|value| value.why(number)));
    let shown = match why {
        Some(why) => Err(Stop::fail(Failure::new(FailureKind::Panic(Party::System)).saying(why))),
        None => {
            told(Some(number));
            let shown = panics::guard(show);
            told(None);
            shown
        }
    };
    LISTENER.set(Some(told));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static TOLD: RefCell<Vec<Option<u32>>> = const { RefCell::new(Vec::new()) };
    }

    #[test]
    fn values_are_told_by_number_parts_are_not_and_some_are_left_out() {
        let show = |outer: &'static str| {
            panics::caught_by(guard, || format!("{outer}({})", panics::caught_by(guard, || "inner").unwrap()))
                .map_err(|failure| failure.text.clone())
        };
        let left_out = |number, and_later| Unshowable { number, and_later, why: "SIGABRT".to_string() };
        let tell: Listener = |number| TOLD.with_borrow_mut(|told| told.push(number));
        listen(Some(tell), vec![left_out(1, false), left_out(3, true)]);
        assert_eq!(show("a"), Ok("a(inner)".to_string()));
        assert_eq!(show("b"), Err("SIGABRT".to_string()));
        assert_eq!(show("c"), Ok("c(inner)".to_string()));
        assert_eq!(show("d"), Err("SIGABRT".to_string()));
        assert_eq!(show("e"), Err("left out after too many others".to_string()));
        assert_eq!(TOLD.take(), [Some(0), None, Some(2), None]);
        listen(None, Vec::new());
        assert_eq!((show("f"), TOLD.take()), (Ok("f(inner)".to_string()), Vec::new()));
    }
}
