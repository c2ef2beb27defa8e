//! A folder with C files, and the command run in it.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder with C files.
pub(crate) struct Folder(TempDir);

/// What a command came to.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Folder {
    /// A folder with one file, `t.c`.
    pub(crate) fn with(text: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a temporary folder"));
        folder.write("t.c", text);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).expect("the folder can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("the file is there")
    }

    /// Runs the command with arguments that are separated by blanks.
    pub(crate) fn stairway(&self, arguments: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
        command.args(arguments.split_whitespace()).current_dir(self.path()).env("NO_COLOR", "1");
        command.output().expect("the command starts").into()
    }

    /// The same with arguments as they are.
    pub(crate) fn stairway_of(&self, arguments: &[&str]) -> Ran {
        self.run_in("", arguments)
    }

    /// The same in a folder of this one.
    pub(crate) fn run_in(&self, folder: &str, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
        command.args(arguments).current_dir(self.path().join(folder)).env("NO_COLOR", "1");
        command.output().expect("the command starts").into()
    }

    /// The same with one variable of the environment.
    pub(crate) fn stairway_with(
        &self,
        name: &str,
        value: impl AsRef<std::ffi::OsStr>,
        arguments: &str,
    ) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
        command.args(arguments.split_whitespace()).current_dir(self.path()).env(name, value);
        command.output().expect("the command starts").into()
    }

    /// Hunts in `t.c` with few calls.
    pub(crate) fn test(&self, arguments: &str) -> Ran {
        self.stairway(&format!("test t.c --seed 1 --calls 3000 --fuel 1000000 {arguments}"))
    }

    /// Compiles a file and runs it: its exit code, or the negative of the signal that ended it.
    pub(crate) fn compile_and_run(&self, file: &str, flags: &[&str]) -> i32 {
        let binary = self.path().join("program");
        let compiled = Command::new("gcc")
            .args(["-w", "-funsigned-char"])
            .args(flags)
            .arg(file)
            .arg("-o")
            .arg(&binary)
            .current_dir(self.path())
            .output()
            .expect("gcc starts");
        assert!(
            compiled.status.success(),
            "{}\n{}",
            self.read(file),
            String::from_utf8_lossy(&compiled.stderr)
        );
        let ran = Command::new(binary).current_dir(self.path()).output().expect("the program starts");
        let signal = std::os::unix::process::ExitStatusExt::signal(&ran.status);
        ran.status.code().unwrap_or_else(|| -signal.unwrap_or(1))
    }
}
