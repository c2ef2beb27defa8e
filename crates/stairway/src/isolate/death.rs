//! How a worker ended that gave no answer, in words.

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

    /// An identity and a message.
    pub(super) fn describe(self, output: &str) -> (String, String) {
        let (identity, message) = match self {
            Death::Silence(limit) => return ("timeout".to_string(), format!("no answer within {limit:?}")),
            Death::Stop => ("stopped", "the process was stopped, and nothing would have let it go on"),
            Death::Garbage => ("memory of Stairway", "the process wrote over memory that is not its own"),
            Death::Exit(_) if output.contains("has overflowed its stack") => {
                ("stack overflow", "the process died of it")
            }
            Death::Exit(status) => return status.map_or_else(unknown, of_status),
        };
        (identity.to_string(), message.to_string())
    }
}

fn unknown() -> (String, String) {
    ("death".to_string(), "the process is gone, and nobody knows why".to_string())
}

/// What a dead process says by its status.
fn of_status(status: ExitStatus) -> (String, String) {
    let Some(signal) = status.signal() else {
        let code = status.code().unwrap_or(-1);
        return (format!("exit {code}"), "the process ended itself with this code".to_string());
    };
    let (name, meaning) = match signal {
        4 => ("SIGILL", "illegal instruction"),
        5 => ("SIGTRAP", "trap"),
        6 => ("SIGABRT", "abort"),
        7 => ("SIGBUS", "bus error"),
        8 => ("SIGFPE", "arithmetic fault, such as a division by zero"),
        9 => ("SIGKILL", "killed, perhaps for want of memory"),
        11 => ("SIGSEGV", "invalid memory access"),
        _ => return (format!("signal {signal}"), "the process died of it".to_string()),
    };
    (name.to_string(), format!("the process died of it ({meaning})"))
}
