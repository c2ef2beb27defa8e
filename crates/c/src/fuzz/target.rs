//! The target of a campaign: runs each input of a fuzzer in a worker of `stairway test`, and tells the fuzzer
//! what it needs to know.
//!
//! The worker is contained, keeps its memory between inputs and resets it; this process never runs the user's
//! code. A worker that dies is replaced, and its death is a violation like any other.

use super::FuzzError;
use super::fork_server::{self, End, ForkServer};
use crate::assignment::{Role, Task};
use crate::facts::HuntFact;
use crate::hunt::{self, Options, Target};
use crate::operations::CallsError;
use crate::project::Project;
use stairway::engine::{Feature, Observations, Verdict};
use stairway::report::words;
use std::io;
use std::path::Path;

/// Writes the task of a target beside the object; hands on the command that starts one. Both are deleted with
/// the project.
///
/// # Errors
/// If the file cannot be written.
pub fn target(name: &str, project: &Project, options: &Options) -> Result<Vec<String>, FuzzError> {
    let path = project.object.with_extension("task");
    options.task(name, project)?.write(&path).map_err(CallsError::Stored)?;
    let program = std::env::current_exe().map_err(|error| FuzzError::Protocol(error.to_string()))?;
    Ok([program.display().to_string()].into_iter().chain(Role::Target(path).arguments()).collect())
}

/// Whether this process was started by a fuzzer, as its target.
#[must_use]
pub fn is_target() -> bool {
    fork_server::is_target()
}

/// Runs what the fuzzer that has started this process sends, until it is gone; the task is in a file.
///
/// # Errors
/// As [`serve`], and if there is no task in the file.
pub fn serve_file(path: &Path) -> Result<(), FuzzError> {
    serve(Task::read(path).map_err(CallsError::Stored)?.borrowed())
}

/// Runs what the fuzzer that has started this process sends, until it is gone.
///
/// # Errors
/// If there is no sandbox, or the fuzzer does not speak as AFL++ does.
pub fn serve(task: Task<&Project>) -> Result<(), FuzzError> {
    let mut target = hunt::target(task, None)?;
    let lost = |error: io::Error| FuzzError::Protocol(error.to_string());
    let server = ForkServer::connect().map_err(lost)?;
    server.serve(|input, map| run(&mut target, input, map)).map_err(lost)
}

/// Runs an input, leaving in the map what a fuzzer is to find interesting. A case that is discarded tests
/// nothing, and leaves nothing.
fn run(target: &mut Target, input: &[u8], map: &mut [u8]) -> End {
    let (verdict, observed) = target.target.run(input);
    // AFL++ takes an empty map for a target that tells nothing.
    map[0] = 1;
    match verdict {
        Verdict::Passed => {
            show(observed, map);
            End::Returned
        }
        Verdict::Failed(failure) => {
            show(observed, map);
            // A failure is interesting even if its worker took the branches along: fuzzers compare maps.
            mark(map, words::identity(&failure).as_bytes());
            End::Aborted
        }
        _ => End::Returned,
    }
}

/// Branches, and undefined arithmetic: that fails nothing here, and is judged when the inputs are run again,
/// if they are kept.
fn show(observed: &Observations, map: &mut [u8]) {
    for Feature { number, .. } in &observed.features {
        map[(number >> 8) as usize] = *number as u8;
    }
    for (fact, _) in &observed.facts {
        if matches!(HuntFact::read(fact), Some(HuntFact::Noted(note)) if note.is_undefined()) {
            mark(map, &fact.0);
        }
    }
}

/// Counts something that has no branch, by a hash of it (FNV-1a).
fn mark(map: &mut [u8], what: &[u8]) {
    let hash =
        what.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    let at = (hash ^ (hash >> 16)) as usize % map.len();
    map[at] = map[at].max(1);
}

/// Inputs to begin with: what was stored, what the user has, and random cases; as far as they pass.
pub(super) fn seeds(target: &mut Target, options: &Options, more: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    /// How many random cases are tried: from the smallest size to the full one.
    const N_RANDOM: u64 = 101;
    /// Every how many of them.
    const STEP: usize = 5;
    // The empty sequence always passes.
    let mut seeds = [vec![vec![0]], more].concat();
    if let Some(folder) = &options.regressions {
        for name in &target.names {
            seeds.extend(target.target.stored(folder, name));
        }
    }
    seeds.extend((1..=N_RANDOM).step_by(STEP).filter_map(|index| target.target.seed(index)));
    seeds.retain(|seed| matches!(target.target.run(seed).0, Verdict::Passed));
    seeds.sort();
    seeds.dedup();
    seeds
}

impl From<CallsError> for FuzzError {
    fn from(error: CallsError) -> Self {
        FuzzError::Calls(error)
    }
}
