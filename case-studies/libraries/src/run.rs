//! One run of `stairway test` over a library, in a working copy of its own, as a user would start it.
//!
//! The command's JSON says what was called and what failed. When a failure was found is seen from outside:
//! every failure is on disk before it is shrunk, so the regression file is watched while the command runs.

use crate::catalog::Library;
use crate::planted::Bug;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How many failures are replayed together at most. A replay is mostly building the library, and the bug's may
/// be the first.
const MOST_TOGETHER: usize = 8;

/// Runs the command over libraries.
#[derive(Debug)]
pub struct Runner {
    program: PathBuf,
    /// A run that takes longer is ended.
    limit: Duration,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// `passed`, `falsified` and so on; empty if the command said nothing that can be read.
    pub outcome: String,
    /// The functions that were called.
    pub called: BTreeSet<String>,
    /// Functions never called, and why.
    pub never: Vec<(String, String)>,
    /// What failed, the first first.
    pub alarms: Vec<Alarm>,
    /// Notes.
    pub notes: Vec<String>,
    /// How many calls were made.
    pub n_calls: u64,
    /// From the start of the command to its end.
    pub seconds: f64,
    /// What it printed beside the report.
    pub errors: String,
}

/// A failure that was reported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alarm {
    /// What tells it from others.
    pub identity: String,
    /// What it says.
    pub message: String,
    /// The function that was called last.
    pub function: String,
    /// The sequence, as the command replays it.
    pub choices: String,
    /// What the report says beside it: where, and what to write.
    pub advice: String,
}

/// Whether and when a planted bug was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caught {
    /// Seconds from the start of the command until the failure was on disk.
    pub seconds: f64,
}

impl Runner {
    /// A runner with this command.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Runner {
        Runner { program: program.into(), limit: Duration::from_secs(300) }
    }

    /// Runs a library that lies in `folder`, at default settings.
    ///
    /// # Errors
    /// If there can be no working copy.
    pub fn run(&self, library: &Library, folder: &Path, seed: Option<u64>) -> Result<Ran, String> {
        let copy = Copy::of(folder)?;
        let seed: Vec<String> = seed.map(|seed| format!("--seed={seed}")).into_iter().collect();
        let start = now();
        let child = self.start(library, &copy, &seed)?;
        let (seconds, _) = self.wait(child, start, |_| false)?;
        let mut ran = read_report(&fs::read_to_string(copy.out()).unwrap_or_default());
        ran.seconds = seconds;
        ran.errors = fs::read_to_string(copy.errors()).unwrap_or_default();
        Ok(ran)
    }

    /// Looks for a planted bug, and stops as soon as it is found: as soon as a sequence fails as
    /// it does not without the bug.
    ///
    /// # Errors
    /// If there can be no working copy, or the patch does not fit.
    pub fn hunt(
        &self,
        library: &Library,
        folder: &Path,
        bug: &Bug,
        seed: u64,
    ) -> Result<Option<Caught>, String> {
        let copy = Copy::of(folder)?;
        bug.plant(&copy.library())?;
        let start = now();
        let child = self.start(library, &copy, &[format!("--seed={seed}")])?;
        let is_found = &AtomicBool::new(false);
        let (send, receive) = mpsc::channel::<(Duration, Stored)>();
        std::thread::scope(|scope| {
            // Sequences are replayed beside the search, so that what comes later is seen when it comes. What has
            // come meanwhile is replayed together: building the library takes longer than running it.
            let replays = scope.spawn(move || {
                while let Ok(first) = receive.recv() {
                    let batch: Vec<_> =
                        std::iter::once(first).chain(receive.try_iter().take(MOST_TOGETHER - 1)).collect();
                    if let Some(elapsed) = self.first_of_the_bug(library, folder, &batch) {
                        is_found.store(true, Ordering::Relaxed);
                        return Some(Caught { seconds: elapsed.as_secs_f64() });
                    }
                }
                None
            });
            let mut looked_at = BTreeSet::new();
            let waited = self.wait(child, start, |elapsed| {
                for stored in stored(&copy) {
                    if looked_at.insert(stored.clone()) {
                        let _ = send.send((elapsed, stored));
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

    /// When the first of these sequences was found that the bug fails. Most fail in the library as it is too, by
    /// the same choices, which one run shows for all of them. What it does not show is replayed by itself.
    fn first_of_the_bug(
        &self,
        library: &Library,
        folder: &Path,
        batch: &[(Duration, Stored)],
    ) -> Option<Duration> {
        let innocent = self.fail_anyway(library, folder, batch).unwrap_or_default();
        let mut others = batch.iter().filter(|(_, stored)| !innocent.contains(stored));
        others.find(|(_, stored)| self.is_of_the_bug(library, folder, stored)).map(|(elapsed, _)| *elapsed)
    }

    /// Those of these sequences that fail alike in the library as it is.
    fn fail_anyway(
        &self,
        library: &Library,
        folder: &Path,
        batch: &[(Duration, Stored)],
    ) -> Result<BTreeSet<Stored>, String> {
        let copy = Copy::of(folder)?;
        let kept = copy.library().join("stairway-regressions");
        fs::create_dir_all(&kept).map_err(|error| error.to_string())?;
        let mut texts: BTreeMap<&OsString, String> = BTreeMap::new();
        for (_, stored) in batch {
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
        let alike = batch.iter().map(|(_, stored)| stored).filter(|stored| is_alike(stored));
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

    fn start(&self, library: &Library, copy: &Copy, more: &[String]) -> Result<Child, String> {
        let (flags, options): (Vec<&String>, Vec<&String>) = library
            .arguments
            .iter()
            .partition(|argument| !argument.starts_with("-I") && !argument.starts_with("-D"));
        let file =
            |path: PathBuf| fs::File::create(path).map_err(|error| format!("the working copy: {error}"));
        let mut command = Command::new(&self.program);
        command.arg("test").args(&library.files).args(options).args(["--json", "--quiet"]).args(more);
        if !flags.is_empty() {
            command.arg("--").args(flags);
        }
        command
            .current_dir(copy.library())
            .env("TMPDIR", copy.temporary())
            .stdin(Stdio::null())
            .stdout(file(copy.out())?)
            .stderr(file(copy.errors())?)
            .spawn()
            .map_err(|error| format!("cannot run {}: {error}", self.program.display()))
    }

    /// Waits for the end, or until `is_enough`; returns the seconds and whether it was.
    fn wait(
        &self,
        mut child: Child,
        start: Instant,
        mut is_enough: impl FnMut(Duration) -> bool,
    ) -> Result<(f64, bool), String> {
        const PAUSE: Duration = Duration::from_millis(10);
        loop {
            let ended = child.try_wait().map_err(|error| error.to_string())?.is_some();
            let elapsed = start.elapsed();
            let is_found = is_enough(elapsed);
            if !ended && (is_found || elapsed > self.limit) {
                end(&mut child);
            }
            if ended || is_found || elapsed > self.limit {
                return Ok((elapsed.as_secs_f64(), is_found));
            }
            std::thread::sleep(PAUSE);
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "how long a command takes is what is measured")]
fn now() -> Instant {
    Instant::now()
}

/// Ends the command as Ctrl-C would, so that it takes its workers along.
fn end(child: &mut Child) {
    let _ = Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
    for _ in 0..200 {
        if child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// A working copy of a library.
#[derive(Debug)]
struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    fn of(library: &Path) -> Result<Copy, String> {
        let failed = |error: std::io::Error| format!("there can be no working copy: {error}");
        let folder = tempfile::Builder::new().prefix("stairway-library-").tempdir().map_err(failed)?;
        let copy = Copy { folder };
        fs::create_dir(copy.temporary()).map_err(failed)?;
        let status =
            Command::new("cp").arg("-r").arg(library).arg(copy.library()).status().map_err(failed)?;
        if status.success() { Ok(copy) } else { Err(format!("{} cannot be copied", library.display())) }
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("library")
    }

    fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("report.json")
    }

    fn errors(&self) -> PathBuf {
        self.folder.path().join("errors.txt")
    }
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

/// Reads the command's JSON.
fn read_report(text: &str) -> Ran {
    let json: Json = serde_json::from_str(text.trim()).unwrap_or_default();
    let text = |json: &Json| json.as_str().unwrap_or_default().to_string();
    let functions = || json["functions"].as_array().into_iter().flatten();
    let alarm = |json: &Json| {
        let last =
            json["steps"].as_array().and_then(|steps| steps.last()).map(|step| text(&step["function"]));
        Alarm {
            identity: text(&json["identity"]),
            message: text(&json["message"]),
            function: last.unwrap_or_default(),
            choices: text(&json["choices"]),
            advice: text(&json["details"]),
        }
    };
    let first = Some(&json["failure"]).filter(|failure| failure.is_object());
    let alarms: Vec<Alarm> =
        first.into_iter().chain(json["others"].as_array().into_iter().flatten()).map(alarm).collect();
    let with_calls = functions().filter(|f| f["calls"].as_u64() > Some(0)).map(|f| text(&f["name"]));
    // A call that failed was made.
    let called = with_calls.chain(alarms.iter().map(|alarm| alarm.function.clone())).collect();
    let never = functions().filter(|f| f["never_called"].is_string());
    Ran {
        outcome: text(&json["outcome"]),
        called,
        never: never.map(|f| (text(&f["name"]), text(&f["never_called"]))).collect(),
        alarms,
        notes: json["notes"].as_array().into_iter().flatten().map(text).collect(),
        n_calls: json["calls"].as_u64().unwrap_or(0),
        ..Ran::default()
    }
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

    #[test]
    fn a_report_says_what_was_called_and_what_failed() {
        let ran = read_report(
            r#"{"outcome":"falsified","calls":7,"notes":["a"],
                "functions":[{"name":"f","calls":7,"never_called":null},{"name":"g","calls":0,"never_called":"no"}],
                "failure":{"identity":"i","message":"m","steps":[{"function":"f"},{"function":"h"}]},"others":[]}"#,
        );
        assert_eq!((&*ran.outcome, ran.n_calls, ran.alarms.len()), ("falsified", 7, 1));
        assert_eq!(ran.called.iter().map(String::as_str).collect::<Vec<_>>(), ["f", "h"]);
        assert_eq!(ran.never, [("g".to_string(), "no".to_string())]);
    }
}
