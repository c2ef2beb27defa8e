//! What became of one case: the verdict, and the identity of a failure.
//!
//! Receives nothing from other stages; every stage after execution reads these types. Two
//! failures with the same [`Failure::identity`] are the same failure: shrinking keeps to it.

use crate::stop::{Checked, Discard, Reason};
use alloc::borrow::Cow;
use alloc::string::String;
use core::panic::Location;
use stairway_choice::Halt;

/// The outcome of running a property on one case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// The property held.
    Passed,
    /// The case did not meet a precondition; it says nothing about the property.
    Discarded(Discard),
    /// The property does not hold.
    Failed(Failure),
    /// The choice stream ended: the generator is wrong, or a stored case no longer fits.
    Halted(Halt),
}

/// One way in which a property does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What makes this failure the same as another: a clause, or a kind of failure and a place.
    /// It never contains values, because those change while shrinking.
    pub identity: Cow<'static, str>,
    /// What went wrong, for people.
    pub message: String,
    /// Where, as `file:line:column`, if known.
    pub place: String,
    /// A backtrace or the output of a dead process, if there is one.
    pub details: String,
    /// Whether it took the process with it: then nobody was left to say where.
    pub took_process: bool,
}

impl Failure {
    /// A failure identified by its kind and by a place in the source.
    #[must_use]
    pub fn at(place: &Location<'_>, kind: &str, message: String) -> Self {
        let place = alloc::format!("{place}");
        Failure {
            identity: Cow::Owned(alloc::format!("{kind} at {place}")),
            message,
            place,
            details: String::new(),
            took_process: false,
        }
    }

    /// A failure identified by a clause of the specification.
    #[must_use]
    pub fn of(identity: impl Into<Cow<'static, str>>, message: String) -> Self {
        Failure {
            identity: identity.into(),
            message,
            place: String::new(),
            details: String::new(),
            took_process: false,
        }
    }
}

impl Verdict {
    /// The verdict on a property that ended with `result`, given what the stream says.
    #[must_use]
    pub fn of(result: Checked, halted: Option<Halt>) -> Self {
        let reason = match result {
            Ok(()) => None,
            Err(stop) => Some(stop.reason),
        };
        // A failure stands even when the stream has ended: what the property saw was real.
        match reason {
            Some(Reason::Fail(failure)) => return Verdict::Failed(*failure),
            Some(Reason::Clause(identity)) => return Verdict::Failed(Failure::of(identity, String::new())),
            _ => {}
        }
        let ended = match reason {
            Some(Reason::Halt(halt)) => Some(halt),
            _ => halted,
        };
        match (ended, reason) {
            (Some(Halt::Overrun), _) => Verdict::Discarded(Discard::Overrun),
            (Some(halt), _) => Verdict::Halted(halt),
            (None, Some(Reason::Discard(why))) => Verdict::Discarded(why),
            (None, _) => Verdict::Passed,
        }
    }

    /// The failure, if it is one.
    #[must_use]
    pub const fn failure(&self) -> Option<&Failure> {
        match self {
            Verdict::Failed(failure) => Some(failure),
            _ => None,
        }
    }
}
