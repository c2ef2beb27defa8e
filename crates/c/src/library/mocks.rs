//! C functions that a test answers for: mocks, put in place of what C calls.
//!
//! Passes to closures of the test what C passes, and to C what they answer. A function for which no mock is
//! set in a run is called as it is, or is missing if it is defined nowhere.

use super::session::Session;
use super::value::{ReturnValue, Value};
use super::words;
use crate::machine::{Flow, NestedCall};
use stairway::{Checked, Stop};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A mock: reads its arguments from the call and sets its result.
pub type Mock<'r> = Box<dyn FnMut(&Session<'r>, &mut MockCall<'_, '_>) -> Checked + 'r>;

/// The mocks of a run, by name; a mock that is running is taken out.
#[derive(Default)]
pub struct Mocks<'r> {
    all: RefCell<BTreeMap<&'static str, Option<Mock<'r>>>>,
}

impl std::fmt::Debug for Mocks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.all.borrow().keys()).finish()
    }
}

impl<'r> Mocks<'r> {
    /// Sets a mock; another one of the same function is forgotten.
    pub fn set(&self, name: &'static str, mock: Mock<'r>) {
        self.all.borrow_mut().insert(name, Some(mock));
    }
}

/// A call of a mock by C.
pub struct MockCall<'c, 'n> {
    call: &'c mut NestedCall<'n>,
    n_read: usize,
}

impl std::fmt::Debug for MockCall<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MockCall").field("n_read", &self.n_read).finish_non_exhaustive()
    }
}

impl MockCall<'_, '_> {
    /// The next argument.
    pub fn argument<T: Value>(&mut self) -> T {
        let k = self.n_read;
        self.n_read += 1;
        T::get(self.call.argument(k))
    }

    /// What the mock answers.
    pub fn answer<R: ReturnValue>(&mut self, result: &R) {
        let mut bytes = vec![0; self.call.result().len()];
        result.returned_to(&mut bytes);
        self.call.set_result(&bytes);
    }
}

/// Asked before each call of a function that has a mock.
pub(super) struct MockInterceptor<'s, 'r> {
    session: &'s Session<'r>,
    mocks: &'s Mocks<'r>,
    stop: Option<Stop>,
    panic: Option<Box<dyn Any + Send>>,
}

impl<'s, 'r> MockInterceptor<'s, 'r> {
    pub(super) fn new(session: &'s Session<'r>, mocks: &'s Mocks<'r>) -> Self {
        MockInterceptor { session, mocks, stop: None, panic: None }
    }

    /// Why a mock ended the call; goes on with its panic, if that is why.
    pub(super) fn into_stop(self) -> Option<Stop> {
        if let Some(panic) = self.panic {
            resume_unwind(panic);
        }
        self.stop
    }

    fn ask(&mut self, name: &'static str, mock: &mut Mock<'r>, call: &mut NestedCall<'_>) -> Flow {
        let mut call = MockCall { call, n_read: 0 };
        // Unwinding must not pass through C.
        let asked = catch_unwind(AssertUnwindSafe(|| mock(self.session, &mut call)));
        match asked {
            Ok(Ok(())) => return Flow::Skip,
            Ok(Err(stop)) => {
                let within = |mut failure: stairway::report::Failure| {
                    failure.text =
                        format!("the mock of `{name}`: {}", stairway::report::words::message(&failure));
                    failure
                };
                self.stop = Some(stop.map_failure(within));
            }
            Err(panic) => self.panic = Some(panic),
        }
        Flow::Stop
    }
}

impl MockInterceptor<'_, '_> {
    /// Lets mock number `k` answer, if one is set in this run.
    pub(super) fn answer(&mut self, k: usize, call: &mut NestedCall<'_>) -> Flow {
        let declared = &self.session.ready().declared.mocks;
        let Some(name) = declared.get(k).map(|mock| mock.name) else { return Flow::GoOn };
        let taken = self.mocks.all.borrow_mut().get_mut(name).map(Option::take);
        match taken {
            None => Flow::GoOn,
            Some(None) => {
                self.stop = Some(words::misuse(&format!("the mock of `{name}` is called while it runs")));
                Flow::Stop
            }
            Some(Some(mut mock)) => {
                let flow = self.ask(name, &mut mock, call);
                self.mocks.set(name, mock);
                flow
            }
        }
    }
}
