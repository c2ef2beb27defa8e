//! Temporary folders that are gone when the run is over, whichever way it ends.
//!
//! A folder is deleted with its [`Scratch`]. A run that is interrupted asks for [`remove_all`]. Of a run that
//! was killed the folders stay; the next one calls [`sweep`], which deletes those whose owner is certainly
//! dead: in each lies a file that its owner keeps locked, and the system takes a lock from whoever dies.

use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the names of all such folders begin with.
const PREFIX: &str = "stairway-";
/// The file that the owner of a folder keeps locked.
const OWNER: &str = ".owner";

/// The folders that this process has.
static OWN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn own() -> MutexGuard<'static, Vec<PathBuf>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary folder.
#[derive(Debug)]
pub struct Scratch {
    folder: tempfile::TempDir,
    _owner: Owner,
}

impl Scratch {
    /// Makes a folder.
    ///
    /// # Errors
    /// If the system does not let us.
    pub fn new() -> io::Result<Scratch> {
        // Whoever asks for everything to be removed waits until it is known what there is.
        let mut own = own();
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let owner = lock(folder.path())?;
        own.push(folder.path().to_path_buf());
        Ok(Scratch { folder, _owner: owner })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        own().retain(|path| path != self.folder.path());
    }
}

/// The locked file of a folder. Dropping it unlocks the file: closing would not do, because a process that
/// another thread forks holds the file, and with it the lock, until it calls `exec`.
#[derive(Debug)]
struct Owner(File);

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

/// Locks a new folder. The file gets its name when it is locked: whoever sees it unlocked knows that its
/// owner is dead.
fn lock(folder: &Path) -> io::Result<Owner> {
    let unnamed = folder.join(".owner-new");
    let owner = Owner(File::create(&unnamed)?);
    flock(&owner.0, FlockOperation::NonBlockingLockExclusive)?;
    fs::rename(&unnamed, folder.join(OWNER))?;
    Ok(owner)
}

/// Removes all folders of this process, which is about to end. No folder is made from then on.
pub fn remove_all() {
    let own = own();
    for path in own.iter() {
        let _ = fs::remove_dir_all(path);
    }
    // Nobody is to make another one.
    std::mem::forget(own);
}

/// Removes the folders of runs that were killed.
pub fn sweep() {
    sweep_in(&std::env::temp_dir());
}

fn sweep_in(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_ours && is_folder && is_abandoned(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether the owner of a folder was this user and is dead.
fn is_abandoned(folder: &Path) -> bool {
    let (Ok(file), Ok(about)) = (File::open(folder.join(OWNER)), fs::metadata(folder)) else { return false };
    about.uid() == rustix::process::geteuid().as_raw()
        && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_abandoned_is_swept() {
        let within = tempfile::tempdir().expect("a folder");
        let [abandoned, owned, young, foreign] =
            ["stairway-a", "stairway-o", "stairway-y", "other-f"].map(|name| within.path().join(name));
        for folder in [&abandoned, &owned, &young, &foreign] {
            fs::create_dir_all(folder.join("inside")).expect("it can be made");
        }
        drop(lock(&abandoned).expect("it can be locked"));
        drop(lock(&foreign).expect("it can be locked"));
        let owner = lock(&owned).expect("it can be locked");
        // One that is just being made has no name for its owner yet.
        fs::write(young.join(".owner-new"), "").expect("it can be written");
        sweep_in(within.path());
        assert!(!abandoned.exists());
        assert!(owned.exists() && young.exists() && foreign.exists());
        drop(owner);
        sweep_in(within.path());
        assert!(!owned.exists() && young.exists() && foreign.exists());
    }

    #[test]
    fn a_folder_goes_with_its_value() {
        let scratch = Scratch::new().expect("a folder");
        let path = scratch.path().to_path_buf();
        assert!(path.join(OWNER).exists() && !is_abandoned(&path));
        drop(scratch);
        assert!(!path.exists());
    }
}
