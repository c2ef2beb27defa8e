//! What the tests share: properties that are run in a process of their own, and their output.
//!
//! A *specimen* is an ignored test of the same file. It runs with a folder of its own as the
//! package's, so that what it stores ends up there, and without the variables that whoever runs
//! these tests may have set.
#![allow(dead_code, reason = "each file of tests needs a part of this")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A test to be run in a process and with a folder of its own.
pub(crate) struct Specimen {
    name: String,
    folder: TempDir,
    variables: Vec<(String, std::ffi::OsString)>,
}

/// What a specimen's process left behind.
pub(crate) struct Ended {
    /// 0 if the test passed, 101 if it failed.
    pub(crate) code: Option<i32>,
    /// The report of a passing property, among the test runner's words.
    pub(crate) stdout: String,
    /// The report of a failing property.
    pub(crate) stderr: String,
}

impl Specimen {
    /// The test called `name` in this file.
    pub(crate) fn new(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Specimen { name: name.to_string(), folder, variables: Vec::new() }
    }

    /// Sets a variable of the environment for all runs from here on.
    pub(crate) fn set(mut self, variable: &str, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((variable.to_string(), value.as_ref().to_os_string()));
        self
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file in which its failures are stored.
    pub(crate) fn stored(&self) -> PathBuf {
        let crate_name = module_path!().split("::").next().unwrap();
        let file = format!("{crate_name}.{}.txt", self.name.replace("::", "."));
        self.folder().join("stairway-regressions").join(file)
    }

    /// The command that runs it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([&self.name, "--exact", "--include-ignored", "--nocapture", "--test-threads=1"]);
        command.current_dir(self.folder()).stdin(Stdio::null());
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_ours(name)) {
            command.env_remove(name);
        }
        command.env("CARGO_MANIFEST_DIR", self.folder()).env("RUST_BACKTRACE", "0");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self) -> Ended {
        let output = self.command().output().unwrap();
        let ended = Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(ended.stdout.contains("running 1 test"), "there is no test `{}`", self.name);
        ended
    }

    /// Runs it to its end, which must be a failure, and gives the report.
    pub(crate) fn failing_report(&self) -> String {
        let ended = self.run();
        assert_eq!(ended.code, Some(101), "{}{}", ended.stdout, ended.stderr);
        ended.stderr
    }
}

fn is_ours(variable: &OsStr) -> bool {
    let name = variable.as_encoded_bytes();
    name.starts_with(b"STAIRWAY_") || name == b"RUST_TEST_THREADS" || name == b"RUST_LIB_BACKTRACE"
}

/// The text without what changes when these tests are edited or run elsewhere: lines and columns
/// of source files, and the temporary folder.
pub(crate) fn without_places(text: &str, folder: Option<&Path>) -> String {
    let text = match folder {
        Some(folder) => text.replace(folder.to_str().unwrap(), "FOLDER"),
        None => text.to_string(),
    };
    regex::Regex::new(r"\.rs:\d+:\d+").unwrap().replace_all(&text, ".rs:LINE").into_owned()
}
