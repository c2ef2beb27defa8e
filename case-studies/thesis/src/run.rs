//! Runs the command on a task, as a user would: everything that it does is in the time.

use crate::Task;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs `stairway test`.
#[derive(Clone, Debug)]
pub struct Runner {
    program: PathBuf,
    options: Vec<String>,
}

/// What a run told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The exit code: 0 if nothing is wrong, 1 if something is.
    pub code: Option<i32>,
    /// Seconds from the start of the command until the first failure was on disk, building included.
    pub seconds_to_failure: f64,
    /// Seconds until the command ended: shrunk, confirmed and reported.
    pub seconds: f64,
    /// The calls that were made until then by the search, and those that were discarded before the sequence
    /// that fails.
    pub n_calls: u64,
    /// The calls of the counterexample.
    pub length: usize,
    /// Whether it begins with a state that only a precondition describes.
    pub has_states: bool,
    /// What tells this failure from others.
    pub identity: String,
    /// Whether every call of it is needed.
    pub is_minimal: bool,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl Run {
    /// How good its counterexample is, the best first: one by calls alone is better than one with a state, and
    /// then fewer calls are.
    #[must_use]
    pub const fn rank(&self) -> (bool, usize) {
        (self.has_states, self.length)
    }

    /// Whether something is wrong.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.code == Some(1)
    }
}

impl Task {
    /// Writes the workload into a folder, with the mutant in it; returns the C file.
    ///
    /// # Errors
    /// If files cannot be written, or the patch does not fit.
    pub fn write_to(&self, folder: &Path) -> Result<PathBuf, String> {
        let name = format!("{}.c", self.workload.name);
        let failed = |error: std::io::Error| format!("{name}: {error}");
        let file = folder.join(&name);
        fs::copy(self.workload.folder().join(&name), &file).map_err(failed)?;
        let Some(patch) = &self.patch else { return Ok(file) };
        let applied = Command::new("patch")
            .args(["--strip=0", "--force", "--fuzz=0", "--no-backup-if-mismatch"])
            .current_dir(folder)
            .stdin(fs::File::open(patch).map_err(failed)?)
            .stdout(Stdio::null())
            .status();
        match applied {
            Ok(status) if status.success() => Ok(file),
            Ok(_) => Err(format!("{} does not fit {name}", patch.display())),
            Err(error) => Err(format!("cannot run patch: {error}")),
        }
    }
}

impl Runner {
    /// A runner with this command.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Runner {
        Runner { program: program.into(), options: Vec::new() }
    }

    /// Adds options to the command.
    #[must_use]
    pub fn options<S: Into<String>>(mut self, options: impl IntoIterator<Item = S>) -> Runner {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    /// Runs a task from a seed.
    ///
    /// # Errors
    /// If the task cannot be written or the command cannot be run.
    pub fn run(&self, task: &Task, seed: u64) -> Result<Run, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", task.name());
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = task.write_to(folder.path())?;
        let mut command = Command::new(&self.program);
        command.arg("test").arg(file.file_name().unwrap_or_default()).args(["--json", "--quiet"]);
        command.arg(format!("--seed={seed}")).args(&self.options);
        if task.workload.has_files {
            command.arg("--files").arg(task.workload.folder().join("files"));
        }
        if !task.flags.is_empty() {
            command.arg("--").args(task.flags);
        }
        let report = folder.path().join("report.json");
        let start = now();
        let mut child = command
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(fs::File::create(&report).map_err(failed)?)
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let stored = folder.path().join("stairway-regressions");
        let mut until_failure = None;
        let status = loop {
            if until_failure.is_none() && stored.exists() {
                until_failure = Some(start.elapsed());
            }
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let told = read(&fs::read_to_string(&report).unwrap_or_default());
        let seconds_to_failure = until_failure.map_or(seconds, |time| time.as_secs_f64());
        Ok(Run { code: status.code(), seconds_to_failure, seconds, ..told })
    }
}

#[allow(clippy::disallowed_methods, reason = "how long a command takes is what is measured")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Reads the command's JSON.
fn read(text: &str) -> Run {
    let json: Json = serde_json::from_str(text.trim()).unwrap_or_default();
    let failure = &json["failure"];
    Run {
        n_calls: json["spent"]["calls"].as_u64().unwrap_or(0) + discards(&json),
        length: failure["steps"].as_array().map_or(0, Vec::len),
        has_states: failure["has_states"].as_bool().unwrap_or(false),
        identity: failure["identity"].as_str().unwrap_or_default().to_string(),
        is_minimal: failure["every_step_is_needed"].as_bool().unwrap_or(false),
        message: failure["message"].as_str().unwrap_or_default().to_string(),
        ..Run::default()
    }
}

/// The calls that preconditions refused, in sequences that passed.
fn discards(json: &Json) -> u64 {
    let functions = json["functions"].as_array().into_iter().flatten();
    functions.map(|function| function["discards"].as_u64().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_how_a_task_went() {
        let run = read(
            r#"{"outcome":"falsified","spent":{"calls":41},"functions":[{"discards":1},{"discards":2}],
                "failure":{"message":"m","identity":"i","has_states":true,"every_step_is_needed":true,
                           "steps":[{},{}]}}"#,
        );
        assert_eq!((run.n_calls, run.rank(), run.is_minimal), (44, (true, 2), true));
        assert_eq!((&*run.message, &*run.identity), ("m", "i"));
        let by_calls = Run { length: 5, ..Run::default() };
        assert!(by_calls.rank() < run.rank());
        assert_eq!(read("nonsense"), Run::default());
    }
}
