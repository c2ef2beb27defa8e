//! What one process of Stairway asks another one to run, and how that one is started.
//!
//! The process that has built a project writes a [`Task`] into a file; the processes that run it read that
//! file, and neither the user's sources nor debug information, nor does anybody need a compiler again. There
//! are two such processes: a *worker* runs sequences for its parent, and a *target* runs the inputs of a
//! fuzzer, in workers of its own. Both are this program, with two arguments that say which.

use crate::operations::Settings;
use crate::project::Project;
use crate::storage::{self, StoredError};
use serde::{Deserialize, Serialize};
use stairway_sandbox::{Permissions, Tier};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What this process was started for by another one of Stairway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is a worker: where its assignment is.
    Worker(PathBuf),
    /// It is the target of a fuzzer: where its task is.
    Target(PathBuf),
}

const WORKER: &str = "__worker";
const TARGET: &str = "__target";

impl Role {
    /// Looks at the arguments of a process, without the first, which is its name.
    #[must_use]
    pub fn of(mut arguments: impl Iterator<Item = OsString>) -> Option<Role> {
        let (word, path, rest) = (arguments.next()?, arguments.next()?, arguments.next());
        match word.to_str()? {
            WORKER if rest.is_none() => Some(Role::Worker(path.into())),
            TARGET if rest.is_none() => Some(Role::Target(path.into())),
            _ => None,
        }
    }

    /// The arguments that say so.
    #[must_use]
    pub fn arguments(&self) -> [String; 2] {
        let (word, path) = match self {
            Role::Worker(path) => (WORKER, path),
            Role::Target(path) => (TARGET, path),
        };
        [word.to_string(), path.display().to_string()]
    }
}

/// What is to be run: sequences of calls in a project. `P` is the project, or a reference to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task<P> {
    /// What is run, as its user calls it.
    pub name: String,
    /// Where it is run.
    pub project: P,
    /// How sequences are run.
    pub calls: Settings,
    /// How many calls a sequence has at most, and most sequences.
    pub lengths: Lengths,
    /// What the code may do beyond its own folder; anything that this process may do if there is nothing.
    pub permissions: Option<Permissions>,
    /// A folder whose files every sequence finds in its own.
    pub files: Option<PathBuf>,
}

/// How long sequences are.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Lengths {
    /// All of them at most.
    pub max: u64,
    /// Most of them at most: one in eight is longer.
    pub usual: u64,
}

/// What a worker is to do, and where.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Assignment<P> {
    pub(crate) task: Task<P>,
    /// The folder in which it makes one of its own.
    pub(crate) folder: PathBuf,
    /// What it is locked up with.
    pub(crate) tier: Option<Tier>,
}

impl Task<Project> {
    /// Reads a task.
    ///
    /// # Errors
    /// If the file was not written by this build of Stairway.
    pub fn read(path: &Path) -> Result<Self, StoredError> {
        let mut task: Self = storage::read(path)?;
        // What lies beside the file may have been moved together with it.
        let beside = |at: &Path| path.parent().unwrap_or(Path::new("")).join(at);
        task.project.object = std::path::absolute(beside(&task.project.object)).map_err(|error| {
            StoredError { path: path.to_path_buf(), kind: storage::StoredErrorKind::File(error) }
        })?;
        task.files = task.files.as_deref().map(beside);
        Ok(task)
    }

    /// The same, for another process.
    #[must_use]
    pub fn borrowed(&self) -> Task<&Project> {
        let (name, calls, files) = (self.name.clone(), self.calls.clone(), self.files.clone());
        let permissions = self.permissions.clone();
        Task { name, project: &self.project, calls, lengths: self.lengths, permissions, files }
    }
}

impl Task<&Project> {
    /// Writes it. Paths in it that are relative are taken from the folder of the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoredError> {
        storage::write(path, self)
    }
}
