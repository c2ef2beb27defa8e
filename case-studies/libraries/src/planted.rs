//! Bugs of our own, as patches of one or two lines that a person can read.
//!
//! What stands above the first `---` of a patch says what it is about, `key: value` a line: `library` and
//! `wrong`, a sentence.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A planted bug.
#[derive(Clone, Debug)]
pub struct Bug {
    /// The name of its patch.
    pub name: String,
    /// The library it is planted in.
    pub library: String,
    /// What is wrong.
    pub wrong: String,
    /// The patch.
    pub patch: PathBuf,
}

/// All bugs, by name.
///
/// # Errors
/// If a patch cannot be read.
pub fn bugs() -> Result<Vec<Bug>, String> {
    bugs_in(&crate::folder().join("patches"))
}

/// The bugs in a folder of patches.
///
/// # Errors
/// If a patch cannot be read.
pub fn bugs_in(folder: &Path) -> Result<Vec<Bug>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut patches: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    patches.retain(|path| path.extension().is_some_and(|extension| extension == "patch"));
    patches.sort();
    patches.into_iter().map(read).collect()
}

fn read(patch: PathBuf) -> Result<Bug, String> {
    let text = fs::read_to_string(&patch).map_err(|error| format!("{}: {error}", patch.display()))?;
    let head: Vec<&str> = text.lines().take_while(|line| !line.starts_with("---")).collect();
    let value = |key: &str| {
        let line = head.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        line.map(String::from).ok_or_else(|| format!("{}: there is no line `{key}: …`", patch.display()))
    };
    let name = patch.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Bug { name, library: value("library")?, wrong: value("wrong")?, patch })
}

impl Bug {
    /// Plants the bug in a copy of its library.
    ///
    /// # Errors
    /// If the patch does not fit.
    pub fn plant(&self, folder: &Path) -> Result<(), String> {
        let patch =
            fs::File::open(&self.patch).map_err(|error| format!("{}: {error}", self.patch.display()))?;
        let applied = Command::new("patch")
            .args(["--strip=1", "--force", "--fuzz=0", "--no-backup-if-mismatch"])
            .current_dir(folder)
            .stdin(patch)
            .stdout(Stdio::null())
            .status();
        match applied {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(format!("{} does not fit {}", self.patch.display(), self.library)),
            Err(error) => Err(format!("cannot run patch: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_patch_names_a_library_and_changes_few_lines() {
        let libraries = crate::catalog();
        let bugs = bugs().unwrap();
        assert_eq!(bugs.len(), 20);
        for bug in bugs {
            assert!(libraries.iter().any(|library| library.name == bug.library), "{}", bug.name);
            assert!(bug.wrong.ends_with('.'), "{}: {}", bug.name, bug.wrong);
            let text = fs::read_to_string(&bug.patch).unwrap();
            let lines = text.lines().skip_while(|line| !line.starts_with("+++")).skip(1);
            let n = |sign| lines.clone().filter(|line| line.starts_with(sign)).count();
            assert!((1..=2).contains(&n('-')), "{} changes {} lines", bug.name, n('-'));
            assert_eq!(n('+'), n('-'), "{}: failures with and without it have the same lines", bug.name);
        }
    }
}
