//! Cases in a sandbox: what both sides do about it.
//!
//! The parent finds out which tier works, makes a folder for the workers' files and names both in their
//! environment. A worker locks itself up when it has reached its property and before it runs a case. What the
//! sandbox is made of is not known here.

use crate::refusals;
use crate::report::{self, Refusal};
use stairway_engine::{Case, Checked};
use stairway_sandbox::scratch::Scratch;
use stairway_sandbox::{Guest, Launcher, Permissions, Reader, Tier, Unavailable, VARIABLE, prerequisites};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names the folder in which each worker has one of its own.
const FOLDER: &str = "STAIRWAY_WORKER_FOLDER";

/// What confined workers are started with, for as long as there may be one.
pub(crate) struct Confinement {
    pub(super) launcher: Launcher,
    pub(super) environment: Vec<(String, OsString)>,
    /// Deleted when the workers are gone.
    _folder: Scratch,
}

impl Confinement {
    /// Makes everything ready, or ends the run with the reason.
    pub(super) fn new(permissions: &Permissions) -> Confinement {
        Confinement::try_new(permissions)
            .unwrap_or_else(|error| report::refuse(Refusal::Input, format!("stairway: `confined`: {error}")))
    }

    fn try_new(permissions: &Permissions) -> Result<Confinement, Unavailable> {
        let tier = stairway_sandbox::tier()?;
        let no_folder = |error: std::io::Error| Unavailable::System("the private folder", error.to_string());
        let folder = Scratch::new().map_err(no_folder)?;
        let launcher = Launcher::new(tier, permissions, folder.path())?;
        let environment = vec![
            (VARIABLE.to_string(), tier.word().into()),
            (FOLDER.to_string(), folder.path().as_os_str().to_os_string()),
            ("TMPDIR".to_string(), "/tmp".into()),
            (prerequisites::VARIABLE.to_string(), prerequisites::make().into()),
        ];
        Ok(Confinement { launcher, environment, _folder: folder })
    }
}

/// In a worker: locks this process up.
pub(super) fn enter(permissions: &Permissions) {
    let entered = try_enter(permissions);
    if let Err(error) = entered {
        eprintln!("stairway: `confined`: {error}");
        std::process::exit(3);
    }
}

fn try_enter(permissions: &Permissions) -> Result<(), Unavailable> {
    let word = std::env::var(VARIABLE).unwrap_or_default();
    let tier = Tier::named(&word).ok_or(Unavailable::UnknownTier(word))?;
    let within = PathBuf::from(std::env::var_os(FOLDER).unwrap_or_default());
    let private = private_folder(&within)
        .map_err(|error| Unavailable::System("the private folder", error.to_string()))?;
    stairway_sandbox::lock_process(tier, permissions, &private)
}

/// A folder of this worker's own: there may be several.
fn private_folder(within: &Path) -> std::io::Result<PathBuf> {
    let folder = within.join(format!("files-{}", process_number()));
    std::fs::create_dir(&folder)?;
    Ok(folder)
}

/// In a worker that is locked up: runs a case.
pub(super) fn run(property: &dyn Fn(&mut Case<'_>) -> Checked, case: &mut Case<'_>) -> Checked {
    let noted = RefusalGuard;
    let guest = Guest::run();
    let result = property(case);
    drop((guest, noted));
    refusals::hand_over(case);
    result
}

/// Notes what was refused when a case is over, in whichever way.
struct RefusalGuard;

impl Drop for RefusalGuard {
    fn drop(&mut self) {
        // The next case may make as many files as this one.
        let _ = stairway_sandbox::are_files_touched();
        for refusal in stairway_sandbox::take_refusals() {
            refusals::note_refusal(&refusal, Reader::Property);
        }
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "names a folder of this process's own; no code under test sees it"
)]
fn process_number() -> u32 {
    std::process::id()
}
