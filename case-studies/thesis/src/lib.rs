//! The 76 tasks on which the thesis about `seq-test` compares it with Bennet and AFL++ (chapter 4).
//!
//! A workload is a C file with its contract, in `c/`; a mutant is a patch beside it that begins with a
//! sentence on what is wrong; a task is a mutant in one version of the workload's invariant. All were written
//! anew from the descriptions in the thesis. Nothing here generates or judges: [`Runner`] runs the command as
//! a user would, [`Fuzzer`] runs AFL++ on harnesses by hand.

mod afl;
mod published;
mod run;

pub use afl::{Fuzzed, Fuzzer};
pub use published::{Published, published};
pub use run::{Run, Runner};

use std::fs;
use std::path::{Path, PathBuf};

/// A C file with its contract, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name of its folder, of its file, and of its rows.
    pub name: &'static str,
    /// The name in the thesis.
    pub title: &'static str,
    /// The flags that choose a version of its invariant.
    pub versions: &'static [&'static [&'static str]],
    /// Whether it reads files.
    pub has_files: bool,
}

/// All of them, in the thesis's order.
pub const WORKLOADS: [Workload; 6] = [
    Workload { name: "metro", title: "Metro Sim", versions: &[&[]], has_files: false },
    Workload { name: "queue", title: "Circular Queue", versions: &[&[]], has_files: false },
    Workload { name: "reader", title: "File Reader", versions: &[&[]], has_files: true },
    Workload { name: "bst", title: "BST", versions: &[&[], &["-DBOUNDS"]], has_files: false },
    Workload { name: "avl", title: "AVL", versions: &[&[], &["-DBOUNDS"]], has_files: false },
    Workload {
        name: "list",
        title: "Sorted List",
        versions: &[&["-DVERSION=1"], &["-DVERSION=2"], &["-DVERSION=3"]],
        has_files: false,
    },
];

/// A mutant in one version of its workload.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is a version of.
    pub workload: Workload,
    /// The flags of the version.
    pub flags: &'static [&'static str],
    /// The mutant's name; empty for the workload as it is.
    pub mutant: String,
    /// What is wrong.
    pub wrong: String,
    /// The patch.
    patch: Option<PathBuf>,
}

impl Task {
    /// A name for tables: the workload, its version if there are several, and the mutant.
    #[must_use]
    pub fn name(&self) -> String {
        let version = self.workload.versions.iter().position(|flags| *flags == self.flags).unwrap_or(0) + 1;
        match self.workload.versions.len() {
            1 => format!("{}/{}", self.workload.name, self.mutant),
            _ => format!("{}{version}/{}", self.workload.name, self.mutant),
        }
    }
}

impl Workload {
    /// The folder with its file and its mutants.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(self.name)
    }

    /// The harness with which AFL++ tests it.
    #[must_use]
    pub fn harness(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("afl").join(format!("{}.c", self.name))
    }

    /// The workload as it is, in each of its versions: nothing is wrong with it.
    #[must_use]
    pub fn bases(&self) -> Vec<Task> {
        let base = |flags: &&'static [&'static str]| Task {
            workload: *self,
            flags,
            mutant: String::new(),
            wrong: String::new(),
            patch: None,
        };
        self.versions.iter().map(base).collect()
    }

    /// Its tasks, by version and then by the mutant's name.
    ///
    /// # Errors
    /// If a patch cannot be read.
    pub fn tasks(&self) -> Result<Vec<Task>, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.folder().display());
        let mut patches: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(self.folder()).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == "patch") {
                patches.push(path);
            }
        }
        patches.sort();
        let mut tasks = Vec::new();
        for base in self.bases() {
            for patch in &patches {
                let text = fs::read_to_string(patch).map_err(failed)?;
                let wrong = text.lines().next().unwrap_or_default().to_string();
                let name = patch.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                tasks.push(Task { mutant: name, wrong, patch: Some(patch.clone()), ..base.clone() });
            }
        }
        Ok(tasks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_tasks_as_in_the_thesis() {
        for workload in WORKLOADS {
            let tasks = workload.tasks().unwrap();
            let theirs = published().into_iter().filter(|row| row.workload == workload.title);
            for row in theirs {
                assert_eq!(tasks.len(), row.n_tasks, "{}", workload.title);
            }
        }
        let n: usize = WORKLOADS.iter().map(|workload| workload.tasks().unwrap().len()).sum();
        assert_eq!(n, 76);
    }

    #[test]
    fn every_mutant_says_what_is_wrong_and_changes_few_lines() {
        for task in WORKLOADS.iter().flat_map(|workload| workload.tasks().unwrap()) {
            assert!(task.wrong.ends_with('.'), "{}: {}", task.name(), task.wrong);
            let text = fs::read_to_string(task.patch.as_ref().unwrap()).unwrap();
            let lines = text.lines().skip_while(|line| !line.starts_with("+++")).skip(1);
            let n = lines.filter(|line| line.starts_with(['+', '-'])).count();
            assert!((1..=8).contains(&n), "{} changes {n} lines", task.name());
        }
    }

    #[test]
    fn every_mutant_fits_its_workload() {
        for task in WORKLOADS.iter().flat_map(|workload| workload.tasks().unwrap()) {
            let folder = tempfile::tempdir().unwrap();
            let file = task.write_to(folder.path()).unwrap();
            let (base, mutant) = (task.workload.folder().join(format!("{}.c", task.workload.name)), file);
            assert_ne!(fs::read(base).unwrap(), fs::read(mutant).unwrap(), "{}", task.name());
        }
    }
}
