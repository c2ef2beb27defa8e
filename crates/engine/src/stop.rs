//! How a case ends before its property does: an ordinary early return, never an unwind.
//!
//! Generators and the operations of a case give [`Checked`]; `?` hands a [`Stop`] up to whoever
//! runs the case, which alone looks inside it. This file does not know what counts as success.

use crate::failure::{Failure, FailureKind, Role};
use alloc::boxed::Box;
use alloc::string::ToString;
use core::panic::Location;
use stairway_choice::{Halt, StaticText};

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
    /// A failure that has nothing but a number.
    Site(u64),
}

/// A place in the source of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Place {
    /// The file, as the compiler names it.
    #[cfg_attr(feature = "serde", serde(with = "stairway_choice::text"))]
    pub file: StaticText,
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Discard {
    /// An assumption did not hold.
    Assume {
        /// Where it stands.
        place: Place,
        /// Its text; empty if it is not known.
        #[cfg_attr(feature = "serde", serde(with = "stairway_choice::text"))]
        text: StaticText,
    },
    /// A filter rejected every value it was offered.
    Filter(Place),
    /// There was nothing to pick from.
    Empty(Place),
    /// A partial property gave no result.
    Partial(Place),
    /// The case drew more choices than its limit allows.
    Overrun,
}

impl Stop {
    /// Whether the case failed, rather than being thrown away.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        matches!(self.reason, Reason::Fail(_) | Reason::Site(_))
    }

    /// Whether the case failed with a panic of the code under test.
    #[must_use]
    pub fn is_panic(&self) -> bool {
        matches!(&self.reason, Reason::Fail(failure) if matches!(failure.kind, FailureKind::Panic(_)))
    }

    /// The failure that it stands for, if it is one with evidence.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match &self.reason {
            Reason::Fail(failure) => Some(failure),
            _ => None,
        }
    }

    /// This failure, after which `then` was met on the way out of the case. A panic there, of a `Drop`, is
    /// kept as what came afterwards; anything else is this failure once more.
    pub(crate) fn followed_by(self, then: Stop) -> Stop {
        if !cfg!(feature = "observations") {
            return then; // nothing panics there
        }
        let is_another = |then: &Failure| {
            matches!(then.kind, FailureKind::Panic(_))
                && !self.failure().is_some_and(|first| first.is_same(then))
        };
        match then.failure().filter(|then| is_another(then)).cloned() {
            Some(panic) => {
                let place = panic.place.as_ref().map(ToString::to_string).unwrap_or_default();
                self.map_failure(|first| first.with_named(Role::Afterwards, place, panic.text.clone()))
            }
            None => then,
        }
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

    /// Fails the property at a [site](FailureKind::Site) that has a number, without allocating.
    #[must_use]
    pub const fn site(site: u64) -> Self {
        Stop { reason: Reason::Site(site) }
    }

    /// The same, with another failure in place of the one it stands for.
    #[must_use]
    pub fn map_failure(self, change: impl FnOnce(Failure) -> Failure) -> Self {
        match self.reason {
            Reason::Fail(failure) => Stop::fail(change(*failure)),
            Reason::Site(site) => Stop::fail(change(Failure::new(FailureKind::Site(site)))),
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
        Stop::fail(Failure::new(FailureKind::Error).at(Location::caller()).saying(error.to_string()))
    }
}
