//! One run of `stairway test` over a library, in a working copy of its own, as a user would start it.
//!
//! The command's JSON says what was called, what failed, and what the report says about that.

use crate::catalog::Library;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a report tells the reader to do about a failure that may be the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Help {
    /// Text to paste: a contract, or a function.
    Text,
    /// An instruction: an option, or what to write.
    Instruction,
    /// Nothing.
    None,
}

impl Alarm {
    /// What to do about it, as the report says.
    #[must_use]
    pub fn help(&self) -> Help {
        let mut lines = self.advice.lines().skip_while(|line| !line.starts_with("help: "));
        match (lines.next(), lines.any(|line| line.starts_with("    "))) {
            (None, _) => Help::None,
            (Some(_), true) => Help::Text,
            (Some(_), false) => Help::Instruction,
        }
    }
}

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
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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

    pub(crate) fn start(&self, library: &Library, copy: &Copy, more: &[String]) -> Result<Child, String> {
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
    pub(crate) fn wait(
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
pub(crate) fn now() -> Instant {
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
pub(crate) struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    pub(crate) fn of(library: &Path) -> Result<Copy, String> {
        let failed = |error: std::io::Error| format!("there can be no working copy: {error}");
        let folder = tempfile::Builder::new().prefix("stairway-library-").tempdir().map_err(failed)?;
        let copy = Copy { folder };
        fs::create_dir(copy.temporary()).map_err(failed)?;
        let status =
            Command::new("cp").arg("-r").arg(library).arg(copy.library()).status().map_err(failed)?;
        if status.success() { Ok(copy) } else { Err(format!("{} cannot be copied", library.display())) }
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.folder.path().join("library")
    }

    fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.folder.path().join("report.json")
    }

    fn errors(&self) -> PathBuf {
        self.folder.path().join("errors.txt")
    }
}

/// Reads the command's JSON.
pub(crate) fn read_report(text: &str) -> Ran {
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
    fn help_is_what_a_report_says_to_write() {
        let help = |advice: &str| Alarm { advice: advice.to_string(), ..Alarm::default() }.help();
        let contract = "3 | x = *p;\nhelp: if this call is not allowed, say so:\n    /*@ requires x < 3; @*/";
        assert_eq!(help(contract), Help::Text);
        assert_eq!(help("3 | x = *p;\nhelp: name it with --init"), Help::Instruction);
        assert_eq!(help("3 | /*@ requires x < 3; @*/"), Help::None, "that is the user's");
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
