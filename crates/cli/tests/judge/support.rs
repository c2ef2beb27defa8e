//! Runs the command on a file.

use std::process::Command;

/// How the command ended, and what it said.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) text: String,
}

impl Ended {
    #[track_caller]
    pub(crate) fn says(&self, what: &str) -> &Ended {
        assert!(self.text.contains(what), "`{what}` is missing in:\n{}", self.text);
        self
    }

    #[track_caller]
    pub(crate) fn does_not_say(&self, what: &str) -> &Ended {
        assert!(!self.text.contains(what), "`{what}` is in:\n{}", self.text);
        self
    }

    #[track_caller]
    pub(crate) fn passes(&self) -> &Ended {
        assert_eq!(self.code, Some(0), "it does not pass:\n{}", self.text);
        self
    }

    #[track_caller]
    pub(crate) fn fails(&self) -> &Ended {
        assert_eq!(self.code, Some(1), "it does not fail:\n{}", self.text);
        self
    }

    /// The choices that the report gives for a replay.
    pub(crate) fn replay(&self) -> String {
        let after = self.text.split_once("--replay '").expect("there is a replay").1;
        after.split_once('\'').expect("it ends").0.to_string()
    }
}

/// `stairway test file.c` with further arguments, in a folder of its own.
pub(crate) fn hunt(code: &str, arguments: &[&str]) -> Ended {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file.c"), code).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
    command.current_dir(&folder).args(["test", "file.c", "--seed", "7"]).args(arguments);
    if !arguments.contains(&"--calls") {
        command.args(["--calls", "12000"]);
    }
    let output = command.output().expect("it runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ended { code: output.status.code(), text: text.concat() }
}
