//! The files of stored failures as they are on disk, for whoever keeps them in order: the
//! `stairway regressions` command. Runs of properties read and write them through `regressions`, whose
//! notation this is.

use crate::choice_text;
use crate::regressions::{self, Block, Store, StoredRun};
use std::io;
use std::path::{Path, PathBuf};

/// A file of stored failures.
#[derive(Clone, Debug)]
pub struct StoredFile {
    /// Where it is.
    pub path: PathBuf,
    /// The property, or the C file, that it belongs to.
    pub name: String,
    /// The failures that can be read.
    pub failures: Vec<StoredFailure>,
    /// What cannot be read.
    pub warnings: Vec<String>,
}

/// One stored failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFailure {
    /// What makes it the same failure in another run.
    pub identity: String,
    /// The options that it was found with, where some of them decide what is drawn.
    pub options: String,
    /// The command that replays it, with `CHOICES` where its choices belong; empty for tests of a crate.
    pub command: String,
    /// Its choices, as replays take them.
    pub choices: String,
    /// The whole entry, as it is in the file.
    pub text: String,
}

impl StoredFailure {
    pub(crate) fn of(block: &Block) -> Option<Self> {
        let tokens: Vec<String> = block.values.as_ref()?.iter().map(choice_text::StoredValue::text).collect();
        let (identity, text) = (block.identity.clone(), block.text.clone());
        let StoredRun { options, command } = block.run.clone();
        Some(StoredFailure { identity, options, command, choices: tokens.join(" "), text })
    }
}

impl StoredFile {
    /// The files of a folder, by name. A folder that does not exist has none.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn all(folder: &Path) -> io::Result<Vec<StoredFile>> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        paths.retain(|path| path.extension().is_some_and(|end| end == "txt"));
        paths.sort();
        Ok(paths.into_iter().filter_map(StoredFile::read).collect())
    }

    /// One file, if it is one of ours.
    fn read(path: PathBuf) -> Option<StoredFile> {
        let text = std::fs::read_to_string(&path).ok()?;
        let name = regressions::name_in(&text)?.to_string();
        let store = Store::open(path.parent()?, &name);
        let failures = store.blocks().iter().filter_map(StoredFailure::of).collect();
        Some(StoredFile { path, name, failures, warnings: store.warnings })
    }

    /// Deletes failures from the file, and the file when it has none left; how many there were.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn remove(&self, is_unwanted: impl Fn(&StoredFailure) -> bool) -> io::Result<usize> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut store = Store::open(folder, &self.name);
        let before = store.blocks().len();
        store.change(|blocks| {
            blocks.retain(|block| !StoredFailure::of(block).is_some_and(|failure| is_unwanted(&failure)));
        });
        if let Some(warning) = store.warnings.into_iter().next_back().filter(|_| !store.is_writable) {
            return Err(io::Error::other(warning));
        }
        let left = Store::open(folder, &self.name).blocks().len();
        if left == 0 {
            std::fs::remove_file(&self.path)?;
        }
        Ok(before - left)
    }

    /// Takes the failures of this file over into a folder, in the place of those with the same identity; how
    /// many are new there.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn merge_into(&self, folder: &Path) -> io::Result<usize> {
        let own = Store::open(self.path.parent().unwrap_or(Path::new(".")), &self.name);
        let mut store = Store::open(folder, &self.name);
        let before = store.blocks().len();
        store
            .change(|blocks| own.blocks().iter().for_each(|block| regressions::place(blocks, block.clone())));
        if !store.is_writable {
            return Err(io::Error::other(store.warnings.join("; ")));
        }
        Ok(Store::open(folder, &self.name).blocks().len() - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Stairway: failures of `a::b`. They are replayed first; commit this file.\n\n\
        failure: one\nsize: 1\n    #2 1 0\n\nfailure: two\nsize: 3\noptions: --hostile\n    4\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.b.txt"), FILE).unwrap();
        std::fs::write(folder.path().join("notes.txt"), "not ours").unwrap();
        folder
    }

    #[test]
    fn files_are_listed_with_what_is_in_them() {
        let folder = folder();
        let files = StoredFile::all(folder.path()).unwrap();
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].name, "a::b");
        let seen: Vec<_> =
            files[0].failures.iter().map(|f| (&*f.identity, &*f.options, &*f.choices)).collect();
        assert_eq!(seen, [("one", "", "#2 1 0"), ("two", "--hostile", "4")]);
        assert_eq!(std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "not ours");
        assert!(StoredFile::all(&folder.path().join("nowhere")).unwrap().is_empty());
    }

    #[test]
    fn failures_are_removed_and_the_file_with_the_last() {
        let folder = folder();
        let file = StoredFile::all(folder.path()).unwrap().remove(0);
        assert_eq!(file.remove(|failure| failure.identity == "one").unwrap(), 1);
        assert_eq!(StoredFile::all(folder.path()).unwrap()[0].failures.len(), 1);
        assert_eq!(file.remove(|_| true).unwrap(), 1);
        assert!(!file.path.exists());
    }

    #[test]
    fn failures_of_another_folder_are_taken_over() {
        let (from, to) = (folder(), tempfile::tempdir().unwrap());
        let file = StoredFile::all(from.path()).unwrap().remove(0);
        assert_eq!(file.merge_into(&to.path().join("stairway-regressions")).unwrap(), 2);
        assert_eq!(file.merge_into(&to.path().join("stairway-regressions")).unwrap(), 0);
    }
}
