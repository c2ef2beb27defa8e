//! The folder in which the code under test opens files: private, and empty when a sequence begins.
//!
//! Names that begin with `/` lead out of it; those files are the user's own business.

use std::io;
use std::path::{Path, PathBuf};

/// A folder of a worker's own.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes a folder in another one and goes there. Who made the other one deletes it.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn enter(within: &Path) -> io::Result<Folder> {
        let path = tempfile::Builder::new().prefix("files-").tempdir_in(within)?.keep();
        std::env::set_current_dir(&path)?;
        Ok(Folder { path })
    }

    /// Goes back there and deletes what is in it, as far as it can be.
    pub(super) fn empty(&self) {
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
    }
}
