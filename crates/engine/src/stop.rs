//! How a case ends before its property does: an ordinary early return, never an unwind.
//!
//! Generators and the operations of a case give [`Checked`]; `?` hands a [`Stop`] up to whoever
//! runs the case, which alone looks inside it. This file does not know what counts as success.

use crate::judge::Failure;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::panic::Location;
use stairway_choice::Halt;

/// What generators and properties return: a value, or the reason to end the case here.
pub type Checked<T = ()> = Result<T, Stop>;

/// The reason a case ended early. Made by `assume`, `pick` and `?`, read by the runner.
///
/// Any error converts into a `Stop` that fails the property, so `?` works on foreign results.
/// (For that reason a `Stop` is not an error itself.)
#[derive(Clone, Debug)]
pub struct Stop {
    pub(crate) reason: Reason,
}

#[derive(Clone, Debug)]
pub(crate) enum Reason {
    Discard(Discard),
    Halt(Halt),
    Fail(Box<Failure>),
    /// A failure that has nothing but an identity.
    Clause(&'static str),
}

/// A place in the source of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl From<&'static Location<'static>> for Place {
    fn from(at: &'static Location<'static>) -> Self {
        Place { file: at.file(), line: at.line(), column: at.column() }
    }
}

impl core::fmt::Display for Place {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Why a case was thrown away without counting as success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Discard {
    /// An assumption did not hold.
    Assume(Place),
    /// A filter rejected every value it was offered.
    Filter(Place),
    /// There was nothing to pick from.
    Empty(Place),
    /// A partial property gave no result.
    Partial(Place),
    /// The case drew more choices than its limit allows.
    Overrun,
}

impl core::fmt::Display for Discard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Discard::Assume(at) => write!(f, "the assumption at {at} did not hold"),
            Discard::Filter(at) => write!(f, "the filter at {at} let nothing through"),
            Discard::Empty(at) => write!(f, "there was nothing to pick from at {at}"),
            Discard::Partial(at) => write!(f, "there was no result at {at}"),
            Discard::Overrun => f.write_str("more choices were drawn than the limit allows"),
        }
    }
}

impl Stop {
    /// Whether the case failed, rather than being thrown away.
    pub(crate) const fn is_failure(&self) -> bool {
        matches!(self.reason, Reason::Fail(_) | Reason::Clause(_))
    }

    /// Throws the case away; it counts neither as success nor as failure.
    #[must_use]
    pub const fn discard(why: Discard) -> Self {
        Stop { reason: Reason::Discard(why) }
    }

    /// Fails the property.
    #[must_use]
    pub fn fail(failure: Failure) -> Self {
        Stop { reason: Reason::Fail(Box::new(failure)) }
    }

    /// Fails the property by a clause of which there is nothing more to say, without allocating.
    #[must_use]
    pub const fn clause(identity: &'static str) -> Self {
        Stop { reason: Reason::Clause(identity) }
    }

    /// The same, with another failure in place of the one it stands for.
    #[must_use]
    pub fn map_failure(self, change: impl FnOnce(Failure) -> Failure) -> Self {
        match self.reason {
            Reason::Fail(failure) => Stop::fail(change(*failure)),
            Reason::Clause(identity) => Stop::fail(change(Failure::of(identity, String::new()))),
            reason => Stop { reason },
        }
    }

    /// Ends the case because its choice stream has ended.
    #[must_use]
    pub const fn halt(halt: Halt) -> Self {
        Stop { reason: Reason::Halt(halt) }
    }
}

impl<E: core::error::Error> From<E> for Stop {
    /// The error fails the property at the `?` that met it.
    #[track_caller]
    fn from(error: E) -> Self {
        Stop::fail(Failure::at(Location::caller(), "error", error.to_string()))
    }
}
