//! A worker: receives its assignment, locks itself up, loads the object, and runs sequences for its parent.
//!
//! Everything that the parent knows of the project comes with the assignment; all that is left to do here is
//! what needs the loaded object.

use crate::assignment::{Assignment, Lengths};
use crate::operations::{Calls, CallsError, Folder};
use crate::project::Project;
use crate::storage::{self, StoredError};
use stairway::engine::{Steps, run_program};
use stairway::report::{Failure, FailureKind};
use stairway::{Case, Checked, Checker, Settings, Stop};
use stairway_sandbox::Unavailable;
use std::cell::OnceCell;
use std::path::Path;

/// One sequence in so many may be longer than usual: filling what has room for many elements takes as many
/// calls.
const ONE_LONG_IN: u64 = 8;

thread_local! {
    /// What a worker has loaded.
    static LOADED: OnceCell<Result<Calls, NotLoaded>> = const { OnceCell::new() };
}

/// Why a worker has loaded nothing.
#[derive(Debug)]
struct NotLoaded {
    text: String,
    is_users: bool,
}

impl NotLoaded {
    fn of(error: &CallsError) -> Self {
        NotLoaded { text: error.to_string(), is_users: error.is_users() }
    }
}

/// Does what the assignment in a file says, until the parent is gone.
///
/// # Errors
/// If this is no assignment of this build.
///
/// # Panics
/// If this process is no worker.
pub fn work(path: &Path) -> Result<(), StoredError> {
    let assignment: Assignment<Project> = storage::read(path)?;
    // The object's constructors are code under test.
    stairway::__private::worker_loads();
    let (name, lengths) = (assignment.task.name.clone(), assignment.task.lengths);
    let calls = match enter(&assignment) {
        Ok(folder) => {
            let task = assignment.task;
            Calls::new(task.project, task.calls).map(|calls| calls.with_folder(folder))
        }
        Err(error) => Err(error),
    };
    LOADED.with(|loaded| loaded.set(calls.map_err(|error| NotLoaded::of(&error))).ok());
    let checker = Checker::new(name).settings(Settings::new().isolate().without_regressions());
    let report = checker.report(|case| sequence(lengths, case));
    panic!("stairway: this process was started as a worker of `{}` by nobody", report.name)
}

/// Goes where the code has its files, and locks this process up.
fn enter(assignment: &Assignment<Project>) -> Result<Folder, CallsError> {
    let task = &assignment.task;
    let folder = Folder::enter(&assignment.folder, task.files.clone()).map_err(no_folder)?;
    if let (Some(permissions), Some(tier)) = (&task.permissions, assignment.tier) {
        stairway_sandbox::lock(tier, permissions, folder.root()).map_err(CallsError::Sandbox)?;
        return Ok(folder.watched());
    }
    Ok(folder)
}

pub(crate) fn no_folder(error: std::io::Error) -> CallsError {
    let why = format!("no temporary folder: {error}; set TMPDIR to one that can be written");
    CallsError::Sandbox(Unavailable::System("the private folder", why))
}

/// How long a sequence may be. Only a random one is kept short: a record says itself how long it is.
fn steps(lengths: Lengths, case: &mut Case<'_>) -> Steps {
    let is_short = case.choices().free_word().is_some_and(|word| word % ONE_LONG_IN != 0);
    Steps { min: 0, max: if is_short { lengths.usual.min(lengths.max) } else { lengths.max } }
}

/// One sequence of calls in what this process has loaded.
pub(crate) fn sequence(lengths: Lengths, case: &mut Case<'_>) -> Checked {
    let steps = steps(lengths, case);
    LOADED.with(|loaded| match loaded.get() {
        Some(Ok(calls)) => {
            let ended = run_program(calls, steps, case);
            calls.note_edges(case);
            ended
        }
        Some(Err(error)) => {
            let kind = FailureKind::NotLoaded { is_users: error.is_users };
            Err(Stop::fail(Failure::new(kind).saying(error.text.clone())))
        }
        None => Err(Stop::fail(Failure::new(FailureKind::NotLoaded { is_users: false }))),
    })
}
