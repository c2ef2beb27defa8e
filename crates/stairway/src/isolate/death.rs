//! How a worker ended that gave no answer.

use stairway_engine::{Failure, FailureKind, ProcessEnd, Role};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a worker did not answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Death {
    /// It said nothing for so long, and was killed.
    Silence(Duration),
    /// It was stopped, which nobody would have changed, and was killed.
    Stop,
    /// It has written over memory that is not its own, and was killed.
    Garbage,
    /// It ended.
    Exit(Option<ExitStatus>),
}

impl Death {
    /// Whether it was not killed from outside: then what it printed last may say why.
    pub(super) const fn is_own(self) -> bool {
        matches!(self, Death::Exit(_))
    }

    /// The failure that it is.
    pub(super) fn failure(self, output: &str) -> Failure {
        let end = match self {
            Death::Silence(limit) => {
                let failure = Failure::new(FailureKind::Process(ProcessEnd::Timeout));
                return failure.with(Role::Asked, format!("{limit:?}"));
            }
            Death::Stop => ProcessEnd::Stopped,
            Death::Garbage => ProcessEnd::Overwritten,
            // These are the words of Rust's runtime, which has no other way to say it.
            Death::Exit(_) if output.contains("has overflowed its stack") => ProcessEnd::StackOverflow,
            Death::Exit(None) => ProcessEnd::Unknown,
            Death::Exit(Some(status)) => match status.signal() {
                Some(signal) => ProcessEnd::Signal(signal),
                None => ProcessEnd::Exit(status.code().unwrap_or(-1)),
            },
        };
        Failure::new(FailureKind::Process(end))
    }
}
