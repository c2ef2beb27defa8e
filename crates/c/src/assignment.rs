//! What a worker is to do: the project that its parent has read, built and checked, and how to call it.
//!
//! It crosses as a file, so that a worker starts without reading the user's sources, debug information and specs again.
//! Parent and worker are the same program; if the file is of another version all the same, the program was replaced in
//! between, and the worker says so.

use crate::operations::Settings as CallSettings;
use crate::project::{Project, WorkerProject};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stairway_sandbox::Permissions;
use std::fmt;
use std::path::{Path, PathBuf};

/// Changes with the types below, whose layout is all that is in the file.
const VERSION: &str = concat!("stairway-c ", env!("CARGO_PKG_VERSION"), " assignment 1");

/// What a worker is to do; the parent's project is lent, the worker's own.
#[derive(Serialize, Deserialize)]
pub(crate) struct Assignment<P> {
    /// What failures are stored under.
    pub(crate) name: String,
    pub(crate) calls: CallSettings,
    pub(crate) max_len: u64,
    pub(crate) usual_len: u64,
    pub(crate) sandbox: Option<Sandbox>,
    /// A folder whose files every sequence finds in its own.
    pub(crate) files: Option<PathBuf>,
    pub(crate) project: P,
}

/// What the code may do beyond its own folder.
#[derive(Serialize, Deserialize)]
pub(crate) struct Sandbox {
    network: bool,
    exec: bool,
    writable: Vec<PathBuf>,
}

impl Sandbox {
    pub(crate) fn of(permissions: &Permissions) -> Sandbox {
        let Permissions { network, exec, writable } = permissions.clone();
        Sandbox { network, exec, writable }
    }

    pub(crate) fn permissions(&self) -> Permissions {
        Permissions { network: self.network, exec: self.exec, writable: self.writable.clone() }
    }
}

/// Why a worker cannot read its assignment.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// The file cannot be opened.
    File(PathBuf, std::io::Error),
    /// It was written by another version.
    Version,
    /// It is damaged.
    Content(postcard::Error),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::File(path, error) => write!(f, "{} cannot be read ({error})", path.display()),
            Unreadable::Version => {
                f.write_str("the `stairway` command was replaced while it was running; start it again")
            }
            Unreadable::Content(error) => {
                write!(f, "the project that a worker was given is damaged ({error})")
            }
        }
    }
}

impl<'p> Assignment<&'p Project> {
    /// Writes it for workers.
    pub(crate) fn write(&self, path: &Path) -> std::io::Result<()> {
        let bytes = postcard::to_allocvec(&(VERSION, self)).map_err(std::io::Error::other)?;
        std::fs::write(path, bytes)
    }
}

impl Assignment<WorkerProject> {
    /// Reads it in a worker.
    pub(crate) fn read(path: &Path) -> Result<Self, Unreadable> {
        let bytes = std::fs::read(path).map_err(|error| Unreadable::File(path.to_path_buf(), error))?;
        read(&bytes)
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    let (version, rest) = postcard::take_from_bytes::<String>(bytes).map_err(|_| Unreadable::Version)?;
    if version != VERSION {
        return Err(Unreadable::Version);
    }
    postcard::from_bytes(rest).map_err(Unreadable::Content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_version_wrote_or_what_is_damaged_is_refused_with_a_reason() {
        let ours = postcard::to_allocvec(&(VERSION, 7u64)).unwrap();
        assert_eq!(read::<u64>(&ours).unwrap(), 7);
        let theirs = postcard::to_allocvec(&("stairway-c 0.0.1 assignment 1", 7u64)).unwrap();
        assert!(matches!(read::<u64>(&theirs), Err(Unreadable::Version)));
        assert!(matches!(read::<u64>(&[]), Err(Unreadable::Version)));
        assert!(matches!(read::<String>(&ours), Err(Unreadable::Content(_))));
        let replaced = read::<u64>(&theirs).unwrap_err().to_string();
        assert_eq!(replaced, "the `stairway` command was replaced while it was running; start it again");
    }
}
