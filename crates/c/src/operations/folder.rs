//! The folder in which the code under test opens files: private, and empty when a sequence begins.
//!
//! Names that begin with `/` lead out of it; those files are the user's own business.

use std::cell::Cell;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A folder of a worker's own.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// What the folder looked like when it was empty.
    untouched: Cell<Option<Stamp>>,
}

/// Which folder it is and when something was made, deleted or renamed in it: seconds and nanoseconds.
type Stamp = (u64, i64, i64);

/// What a folder that a sequence begins in looks like.
fn stamp(path: &Path) -> Option<Stamp> {
    std::fs::metadata(path).ok().map(|folder| (folder.ino(), folder.mtime(), folder.mtime_nsec()))
}

impl Folder {
    /// Makes a folder in another one and goes there. Who made the other one deletes it.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn enter(within: &Path) -> io::Result<Folder> {
        let path = tempfile::Builder::new().prefix("files-").tempdir_in(within)?.keep();
        std::env::set_current_dir(&path)?;
        Ok(Folder { path, untouched: Cell::new(None) })
    }

    /// Goes back there and deletes what is in it, as far as it can be.
    pub(super) fn empty(&self) {
        // Nearly no sequence touches it. `.` is the folder itself, unless the code has gone elsewhere.
        if self.untouched.get().is_some_and(|known| stamp(Path::new(".")) == Some(known)) {
            return;
        }
        if std::env::set_current_dir(&self.path).is_err() {
            // The code has deleted it.
            let _ = std::fs::create_dir_all(&self.path).and_then(|()| std::env::set_current_dir(&self.path));
        }
        let Ok(entries) = std::fs::read_dir(&self.path) else { return };
        for entry in entries.flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = entry.path();
            let _ = if is_folder { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        }
        self.untouched.set(self.lasting_stamp());
    }

    /// What the empty folder looks like, if everything that happens in it from now on shows: the clock of a file system
    /// ticks every few milliseconds, and what happens within the same tick does not.
    #[allow(
        clippy::disallowed_methods,
        reason = "decides whether to look into the folder, not what is done there"
    )]
    fn lasting_stamp(&self) -> Option<Stamp> {
        let stamp = stamp(&self.path)?;
        let is_empty = std::fs::read_dir(&self.path).ok()?.next().is_none();
        let changed = Duration::new(u64::try_from(stamp.1).ok()?, u32::try_from(stamp.2).ok()?);
        let is_old = SystemTime::now().duration_since(UNIX_EPOCH + changed).ok()? > Duration::from_millis(50);
        (is_empty && is_old).then_some(stamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sequence_leaves_is_gone_when_the_next_begins() {
        let within = tempfile::tempdir().expect("a folder can be made");
        let before = std::env::current_dir().expect("there is one");
        let folder = Folder::enter(within.path()).expect("a folder can be made");
        let is_empty = || std::fs::read_dir(&folder.path).is_ok_and(|mut entries| entries.next().is_none());
        for n in 0..50 {
            folder.empty();
            assert!(is_empty(), "round {n}");
            std::fs::write(folder.path.join("file"), "text").expect("it can be written");
            if n % 3 == 0 {
                std::fs::create_dir_all(folder.path.join("a/b")).expect("it can be made");
            }
        }
        // Even if the whole folder was deleted.
        std::fs::remove_dir_all(&folder.path).expect("it can be deleted");
        folder.empty();
        assert!(is_empty());
        std::env::set_current_dir(before).expect("it is still there");
    }
}
