//! What became of one case: the verdict, given how its property ended and what the stream says.

use crate::failure::{Failure, FailureKind};
use crate::stop::{Checked, Discard, Reason};
use stairway_choice::Halt;

/// The outcome of running a property on one case.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
            Some(Reason::Site(site)) => return Verdict::Failed(Failure::new(FailureKind::Site(site))),
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
