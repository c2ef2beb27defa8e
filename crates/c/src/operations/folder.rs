//! The folder in which the code under test opens files: private, and the same at the start of every sequence.
//!
//! It replaces `/tmp` and contains `stairway`, the working folder, with copies of the files that the user
//! provides. Where the sandbox watches every change, an untouched folder costs nothing.

use std::cell::Cell;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A folder of a worker's own.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// Where a sequence begins.
    path: PathBuf,
    /// Whose files are copied there.
    files: Option<PathBuf>,
    /// Whether the sandbox notices what is done in it.
    is_watched: bool,
    /// What the two folders looked like when nothing was in them.
    untouched: Cell<Option<[Stamp; 2]>>,
}

/// Which folder it is and when something was made, deleted or renamed in it: seconds and nanoseconds.
type Stamp = (u64, i64, i64);

/// What a folder looks like.
fn stamp(path: &Path) -> Option<Stamp> {
    std::fs::metadata(path).ok().map(|folder| (folder.ino(), folder.mtime(), folder.mtime_nsec()))
}

/// What the folder that the process is in looks like, and the one around it.
fn stamps_here() -> Option<[Stamp; 2]> {
    Some([stamp(Path::new("."))?, stamp(Path::new(".."))?])
}

/// How deep folders are nested.
const MAX_DEPTH: usize = 32;
/// How much a sequence may find in its folder: it is copied before each.
const MAX_FILES: u64 = 1000;
const MAX_SIZE: u64 = 16 << 20;

/// Why a folder cannot be brought along.
///
/// # Errors
/// With what is wrong with it.
pub fn check(files: &Path) -> Result<(), String> {
    let real = std::fs::canonicalize(files).map_err(|error| error.to_string())?;
    if !real.is_dir() {
        return Err("it is no folder".to_string());
    }
    let (mut n_files, mut size, mut folders) = (0, 0, vec![(real, 0)]);
    // Each round takes one folder away, and files are counted.
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())?.flatten() {
            let Ok(about) = entry.metadata() else { continue };
            n_files += 1;
            if about.is_dir() && depth < MAX_DEPTH {
                folders.push((entry.path(), depth + 1));
            } else if about.is_file() {
                size += about.len();
            }
            if n_files > MAX_FILES || size > MAX_SIZE {
                let most = MAX_SIZE >> 20;
                return Err(format!(
                    "it holds more than {MAX_FILES} files or {most} MB, which would be copied before each sequence"
                ));
            }
        }
    }
    Ok(())
}

impl Folder {
    /// Makes a folder in another one and goes there. Who made the other one deletes it.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn enter(within: &Path, files: Option<PathBuf>) -> io::Result<Folder> {
        let files = files.map(std::fs::canonicalize).transpose()?;
        let root = tempfile::Builder::new().prefix("files-").tempdir_in(within)?.keep();
        let path = root.join("stairway");
        let folder = Folder { root, path, files, is_watched: false, untouched: Cell::new(None) };
        folder.fill()?;
        Ok(folder)
    }

    /// What stands in for `/tmp`.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The sandbox notices from now on what is done in it.
    #[must_use]
    pub fn watched(self) -> Folder {
        Folder { is_watched: true, ..self }
    }

    /// Goes back there and makes it what it was, as far as it can be.
    pub(super) fn restore(&self) {
        if self.is_watched {
            if !stairway_sandbox::are_files_touched() {
                return;
            }
        } else if self.untouched.get().is_some_and(|known| stamps_here() == Some(known)) {
            // Nearly no sequence touches it. `.` is the folder itself, unless the code has gone elsewhere.
            return;
        } else if self.is_empty() && std::env::set_current_dir(&self.path).is_ok() {
            // Made anew it would look as if it had been touched just now, and be looked through for ever.
            self.untouched.set(self.lasting_stamps());
            return;
        }
        // The code has deleted it, perhaps.
        let _ = std::fs::create_dir_all(&self.root);
        let Ok(entries) = std::fs::read_dir(&self.root) else { return };
        for entry in entries.flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = entry.path();
            let _ = if is_folder { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        }
        let _ = self.fill();
        if self.is_watched {
            // What was done just now was not the code's doing.
            let _ = stairway_sandbox::are_files_touched();
        } else if self.files.is_none() {
            self.untouched.set(None);
        }
    }

    /// Whether there is the folder where sequences begin, with nothing in it, and nothing beside it.
    fn is_empty(&self) -> bool {
        let n_entries =
            |path: &Path| std::fs::read_dir(path).map_or(usize::MAX, |entries| entries.take(2).count());
        self.files.is_none() && n_entries(&self.root) == 1 && n_entries(&self.path) == 0
    }

    /// Makes the folder where sequences begin, and goes there.
    fn fill(&self) -> io::Result<()> {
        std::fs::create_dir_all(&self.path)?;
        std::env::set_current_dir(&self.path)?;
        match &self.files {
            Some(files) => copy_all(files, &self.path),
            None => Ok(()),
        }
    }

    /// What the empty folders look like, if everything that happens in them from now on shows: the clock of a
    /// file system ticks every few milliseconds, and what happens within the same tick does not.
    #[allow(
        clippy::disallowed_methods,
        reason = "decides whether to look into the folder, not what is done there"
    )]
    fn lasting_stamps(&self) -> Option<[Stamp; 2]> {
        let stamps = [stamp(&self.path)?, stamp(&self.root)?];
        let is_old = |(_, seconds, nanoseconds): &Stamp| {
            let changed = Duration::new(u64::try_from(*seconds).ok()?, u32::try_from(*nanoseconds).ok()?);
            let age = SystemTime::now().duration_since(UNIX_EPOCH + changed).ok()?;
            Some(age > Duration::from_millis(50))
        };
        let are_old = stamps.iter().all(|stamp| is_old(stamp) == Some(true));
        are_old.then_some(stamps)
    }
}

/// Copies files and folders, but no links: those would lead somewhere else.
pub(crate) fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    copy_below(from, to, 0)
}

fn copy_below(from: &Path, to: &Path, depth: usize) -> io::Result<()> {
    for entry in std::fs::read_dir(from)?.flatten() {
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() && depth < MAX_DEPTH {
            std::fs::create_dir_all(&target)?;
            copy_below(&entry.path(), &target, depth + 1)?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_too_large_is_refused() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        assert_eq!(check(folder.path()), Ok(()));
        let large = std::fs::File::create(folder.path().join("large")).expect("it can be made");
        large.set_len(MAX_SIZE).expect("it can grow");
        assert_eq!(check(folder.path()), Ok(()));
        large.set_len(MAX_SIZE + 1).expect("it can grow");
        assert!(check(folder.path()).is_err_and(|why| why.contains("16 MB")));
        assert_eq!(check(&folder.path().join("large")), Err("it is no folder".to_string()));
        assert!(check(&folder.path().join("gone")).is_err_and(|why| why.contains("No such file")));
    }

    #[test]
    fn what_a_sequence_leaves_is_gone_when_the_next_begins() {
        let within = tempfile::tempdir().expect("a folder can be made");
        let files = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(files.path().join("data")).expect("it can be made");
        std::fs::write(files.path().join("data/words"), "one").expect("it can be written");
        let before = std::env::current_dir().expect("there is one");
        for files in [None, Some(files.path().to_path_buf())] {
            let folder = Folder::enter(within.path(), files.clone()).expect("a folder can be made");
            let expected = usize::from(files.is_some());
            let n_entries = || std::fs::read_dir(&folder.path).map_or(9, Iterator::count);
            for n in 0..50 {
                folder.restore();
                assert_eq!(n_entries(), expected, "round {n}");
                if files.is_some() {
                    let words = folder.path.join("data/words");
                    assert_eq!(std::fs::read_to_string(&words).ok().as_deref(), Some("one"), "round {n}");
                    std::fs::write(words, "two").expect("it can be written");
                }
                std::fs::write(folder.path.join("file"), "text").expect("it can be written");
                if n % 3 == 0 {
                    std::fs::create_dir_all(folder.path.join("a/b")).expect("it can be made");
                }
            }
            // Even if the whole folder was deleted.
            std::fs::remove_dir_all(&folder.root).expect("it can be deleted");
            folder.restore();
            assert_eq!(n_entries(), expected);
            if files.is_none() {
                let made = stamp(&folder.path);
                folder.restore();
                assert_eq!(stamp(&folder.path), made, "one that is empty is not made anew");
            }
        }
        std::env::set_current_dir(before).expect("it is still there");
    }
}
