//! The search for a planted bug, with the command at default settings, and whether what it finds is the bug.
//!
//! Libraries fail without a contract as they are, so a failure is the bug's if its sequence does not fail like
//! this without the patch. Most failures need no replay to be told apart: how the library fails as it is
//! ([`Baseline`]) is known from runs without the patch, and what fails otherwise is looked at first. When a
//! failure was found is seen from outside: every failure is on disk before it is shrunk, so the regression
//! file is watched while the command runs.

use crate::catalog::Library;
use crate::planted::Bug;
use crate::run::{Alarm, Copy, Ran, Runner, now, read_report};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How many failures are replayed together at most. A replay is mostly building the library, and the bug's may
/// be the first.
const MOST_TOGETHER: usize = 8;

/// How a library fails as it is: the identities of all failures that were seen without a patch.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    identities: BTreeSet<String>,
}

impl Baseline {
    /// What a run without a patch reported.
    #[must_use]
    pub fn of(ran: &Ran) -> Baseline {
        Baseline { identities: ran.alarms.iter().map(|alarm| alarm.identity.clone()).collect() }
    }

    fn has(&self, stored: &Stored) -> bool {
        self.identities.contains(&stored.identity)
    }
}

/// Whether and when a planted bug was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caught {
    /// Seconds from the start of the command until the failure was on disk.
    pub seconds: f64,
}

impl Runner {
    /// Looks for a planted bug, and stops as soon as it is found: as soon as a sequence fails as
    /// it does not without the bug. What fails without the bug is added to `baseline`.
    ///
    /// # Errors
    /// If there can be no working copy, or the patch does not fit.
    pub fn hunt(
        &self,
        library: &Library,
        folder: &Path,
        bug: &Bug,
        seed: u64,
        baseline: &mut Baseline,
    ) -> Result<Option<Caught>, String> {
        let copy = Copy::of(folder)?;
        bug.plant(&copy.library())?;
        let start = now();
        // Several failures are made small when the search is over, which is no part of finding them.
        let child = self.start(library, &copy, &[format!("--seed={seed}"), "--no-shrink".to_string()])?;
        let is_found = &AtomicBool::new(false);
        let (send, receive) = channel::<Finding>();
        std::thread::scope(|scope| {
            // Sequences are replayed beside the search, so that it ends when the bug is found.
            let replays = scope.spawn(move || {
                let caught = self.first_of_the_bug(library, folder, &receive, baseline);
                is_found.store(caught.is_some(), Ordering::Relaxed);
                caught
            });
            let mut looked_at = BTreeSet::new();
            let waited = self.wait(child, start, |elapsed| {
                for stored in stored(&copy) {
                    if looked_at.insert(stored.clone()) {
                        let _ = send.send(Finding { elapsed, stored });
                    }
                }
                is_found.load(Ordering::Relaxed)
            });
            // What is left is replayed when there is nothing more to come.
            drop(send);
            waited?;
            replays.join().map_err(|_| "a replay panicked".to_string())
        })
    }

    /// The first finding that is the bug's, of those that do not look like failures of the library as it is; if
    /// there is none, of the others.
    fn first_of_the_bug(
        &self,
        library: &Library,
        folder: &Path,
        findings: &Receiver<Finding>,
        baseline: &mut Baseline,
    ) -> Option<Caught> {
        let mut known = Vec::new();
        // What has come meanwhile is replayed together: building the library takes longer than running it.
        while let Ok(first) = findings.recv() {
            let mut batch = Vec::new();
            for finding in std::iter::once(first).chain(findings.try_iter()) {
                let kind = if baseline.has(&finding.stored) { &mut known } else { &mut batch };
                kind.push(finding);
            }
            for some in batch.chunks(MOST_TOGETHER) {
                let caught = self.judge(library, folder, some, baseline);
                if caught.is_some() {
                    return caught;
                }
            }
        }
        known.chunks(MOST_TOGETHER).find_map(|some| self.judge(library, folder, some, baseline))
    }

    /// The first of these findings that is the bug's. Most of several fail in the library as it is too, by the
    /// same choices, which one run shows for all of them. What it does not show is replayed by itself.
    fn judge(
        &self,
        library: &Library,
        folder: &Path,
        batch: &[Finding],
        baseline: &mut Baseline,
    ) -> Option<Caught> {
        let innocent = match batch {
            [_] => BTreeSet::new(),
            _ => self.fail_anyway(library, folder, batch).unwrap_or_default(),
        };
        for Finding { elapsed, stored } in batch {
            if !innocent.contains(stored) && self.is_of_the_bug(library, folder, stored) {
                return Some(Caught { seconds: elapsed.as_secs_f64() });
            }
            baseline.identities.insert(stored.identity.clone());
        }
        None
    }

    /// Those of these sequences that fail alike in the library as it is.
    fn fail_anyway(
        &self,
        library: &Library,
        folder: &Path,
        batch: &[Finding],
    ) -> Result<BTreeSet<Stored>, String> {
        let copy = Copy::of(folder)?;
        let kept = copy.library().join("stairway-regressions");
        fs::create_dir_all(&kept).map_err(|error| error.to_string())?;
        let mut texts: BTreeMap<&OsString, String> = BTreeMap::new();
        for Finding { stored, .. } in batch {
            texts.entry(&stored.file).or_default().push_str(&stored.text);
        }
        for (file, text) in texts {
            fs::write(kept.join(file), text).map_err(|error| error.to_string())?;
        }
        let options = ["--no-shrink", "--calls", "1"].map(String::from);
        let child = self.start(library, &copy, &options)?;
        self.wait(child, now(), |_| false)?;
        let ran = read_report(&fs::read_to_string(copy.out()).unwrap_or_default());
        let is_alike = |stored: &Stored| {
            let is_it = |alarm: &Alarm| alarm.identity == stored.identity && alarm.choices == stored.choices;
            ran.alarms.iter().any(is_it)
        };
        let alike = batch.iter().map(|finding| &finding.stored).filter(|stored| is_alike(stored));
        Ok(alike.cloned().collect())
    }

    /// Whether a sequence does not fail like this in the library as it is: then the bug is what fails it. It
    /// may fail otherwise there, after the statement at which the bug shows. One that passes the call which
    /// failed has no choices left, and the command refuses it.
    fn is_of_the_bug(&self, library: &Library, folder: &Path, stored: &Stored) -> bool {
        let replayed = || -> Result<Ran, String> {
            let copy = Copy::of(folder)?;
            let options = ["--no-shrink", "--replay", &stored.choices].map(String::from);
            let child = self.start(library, &copy, &options)?;
            self.wait(child, now(), |_| false)?;
            Ok(read_report(&fs::read_to_string(copy.out()).unwrap_or_default()))
        };
        replayed().is_ok_and(|ran| {
            !ran.outcome.is_empty() && ran.alarms.iter().all(|alarm| alarm.identity != stored.identity)
        })
    }
}

/// A failure on disk, and when it was first seen there.
#[derive(Debug)]
struct Finding {
    elapsed: Duration,
    stored: Stored,
}

/// A failure on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Stored {
    identity: String,
    choices: String,
    /// The file that it is kept in, and all that it says about it.
    file: OsString,
    text: String,
}

/// The failures on disk.
fn stored(copy: &Copy) -> Vec<Stored> {
    let Ok(entries) = fs::read_dir(copy.library().join("stairway-regressions")) else { return Vec::new() };
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let files = files.filter(|path| path.extension() == Some(OsStr::new("txt")));
    let read = |path: PathBuf| {
        let file = path.file_name().unwrap_or_default().to_os_string();
        let failures = failures(&fs::read_to_string(path).unwrap_or_default());
        failures.into_iter().map(move |stored| Stored { file: file.clone(), ..stored })
    };
    files.flat_map(read).collect()
}

/// The failures in a regression file.
fn failures(text: &str) -> Vec<Stored> {
    let mut found: Vec<Stored> = Vec::new();
    for line in text.lines() {
        if let Some(identity) = line.strip_prefix("failure: ") {
            found.push(Stored { identity: identity.to_string(), ..Stored::default() });
        } else if let (Some(choices), Some(last)) = (line.strip_prefix("    "), found.last_mut()) {
            let blank = if last.choices.is_empty() { "" } else { " " };
            last.choices.extend([blank, choices]);
        }
        if let Some(last) = found.last_mut() {
            last.text.extend([line, "\n"]);
        }
    }
    found.retain(|stored| !stored.choices.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_read_from_a_regression_file() {
        let text = "# Stairway: failures of `t.c`.\n\nfailure: read at t.c:3:1\nsize: 7\n1. make(0)\n2. drop(x1)\n    #2 make\n    twice\n\n\
                    failure: hang in spin\nsize: 1\n1. spin()\n";
        let found = failures(text);
        assert_eq!(found.len(), 1);
        assert_eq!((&*found[0].identity, &*found[0].choices), ("read at t.c:3:1", "#2 make twice"));
        assert!(found[0].text.starts_with("failure: read") && found[0].text.ends_with("twice\n\n"));
    }
}
