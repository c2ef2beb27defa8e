//! Campaigns: AFL++ or libFuzzer search, over the same target, the same judge and the same reports as
//! `stairway test`.
//!
//! The way of the data: `target` runs inputs in contained workers, `fork_server` is how a fuzzer talks to it,
//! `engine` how a fuzzer is started, `campaign` several of them over one folder. What they find are files of
//! bytes, each the choices of a sequence; the hunt reads them back (`hunt::Options::corpus`), shrinks and
//! reports. Nothing here judges, shrinks or reports.

mod bundle;
mod campaign;
mod engine;
mod fork_server;
mod target;

pub use bundle::bundle;
pub use campaign::{Campaign, CampaignEnd, prepare, run};
pub use engine::Engine;
pub use target::{is_target, serve, serve_file, target};

use crate::operations::CallsError;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why there is no campaign.
#[derive(Debug)]
#[non_exhaustive]
pub enum FuzzError {
    /// The calls cannot be made, whoever asks for them.
    Calls(CallsError),
    /// A program is missing.
    Missing {
        /// The program.
        program: &'static str,
        /// What installs it on Debian and its relatives.
        package: &'static str,
    },
    /// The driver of libFuzzer cannot be built: the words of the compiler.
    Driver(String),
    /// A fuzzer ended without having been asked to.
    Died {
        /// Which.
        program: &'static str,
        /// How it ended.
        status: String,
        /// What it printed last.
        said: String,
    },
    /// This process was started as a target by something that does not speak as AFL++ does.
    Protocol(String),
    /// A file or a folder cannot be read or written.
    File(PathBuf, String),
}

impl FuzzError {
    fn at(path: &Path) -> impl FnOnce(std::io::Error) -> FuzzError {
        let path = path.to_path_buf();
        move |error| FuzzError::File(path, error.to_string())
    }
}

impl fmt::Display for FuzzError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FuzzError::Calls(error) => error.fmt(f),
            FuzzError::Missing { program, package } => {
                write!(f, "{program} is not installed; this installs it: sudo apt-get install {package}")
            }
            FuzzError::Driver(why) => write!(
                f,
                "the driver of libFuzzer cannot be built; this installs what it needs: sudo apt-get install clang \
                 libclang-rt-14-dev\n{why}"
            ),
            FuzzError::Died { program, status, said } => {
                let said = said.trim_end();
                write!(f, "{program} ended with {status}, before anything was found. It said:\n{said}")
            }
            FuzzError::Protocol(why) => {
                write!(f, "the fuzzer that started this process cannot be answered: {why}")
            }
            FuzzError::File(path, why) => write!(f, "{} cannot be used: {why}", path.display()),
        }
    }
}

impl std::error::Error for FuzzError {}
