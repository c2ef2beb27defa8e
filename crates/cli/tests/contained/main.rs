//! Code under test may try anything: nothing outside changes, the run ends by itself, and what it finds is found, shrunk and
//! replayed. One table, run in every tier that works here.

mod table;

use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use table::{Ending, Line, TABLE};

const TIERS: [&str; 3] = ["namespaces", "landlock", "seccomp"];
const PRELUDE: &str = include_str!("prelude.c");

/// What must stay as it is.
struct Canary {
    folder: tempfile::TempDir,
    /// A file in shared memory.
    shared: PathBuf,
    /// Where the command has its temporary files.
    temporary: tempfile::TempDir,
    _socket: UnixListener,
    before: String,
}

impl Canary {
    fn new(tier: &str) -> Canary {
        // Not in /tmp, which is the code's own.
        let within = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = tempfile::tempdir_in(within).expect("a folder");
        let temporary = tempfile::tempdir_in(within).expect("a folder");
        std::fs::write(folder.path().join("file"), "canary").expect("a file");
        std::fs::create_dir(folder.path().join("folder")).expect("a folder");
        let socket = UnixListener::bind(folder.path().join("socket")).expect("a socket");
        socket.set_nonblocking(true).expect("it can be asked");
        let name = folder.path().file_name().expect("it has a name").to_string_lossy().into_owned();
        let shared = PathBuf::from(format!("/dev/shm/stairway-{tier}-{name}"));
        std::fs::write(&shared, "canary").expect("a file");
        let mut canary = Canary { folder, shared, temporary, _socket: socket, before: String::new() };
        canary.before = canary.state();
        canary
    }

    /// Everything that could have been changed.
    fn state(&self) -> String {
        let mut state = String::new();
        let entries = std::fs::read_dir(self.folder.path()).expect("it is there");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.push(self.shared.clone());
        for path in paths {
            let about = std::fs::symlink_metadata(&path).expect("it is there");
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let (mode, owner, time) = (about.mode(), about.uid(), (about.mtime(), about.mtime_nsec()));
            writeln!(state, "{} {mode:o} {owner} {time:?} {text}", path.display()).expect("it is text");
        }
        for made in ["/stairway-was-here", "/dev/shm/stairway-was-here"] {
            assert!(!Path::new(made).exists(), "{made} was made");
        }
        state
    }

    /// `stairway test` on a line of the table.
    fn run(&self, tier: &str, file: &Path, arguments: &[&str]) -> Output {
        let (canary, shared) = (self.folder.path().display(), self.shared.display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
        command.current_dir(file.parent().expect("a folder"));
        command.arg("test").arg(file.file_name().expect("a name"));
        command.args(["--seed", "3", "--calls", "200", "--max-len", "6"]).args(arguments);
        command.arg(format!("-DCANARY=\"{canary}\"")).arg(format!("-DSHARED=\"{shared}\""));
        command.env("STAIRWAY_SANDBOX", tier).env("TMPDIR", self.temporary.path()).env("NO_COLOR", "1");
        command.output().expect("the command starts")
    }

    /// Nothing has changed and nothing is left.
    fn check(&self) -> Result<(), String> {
        let state = self.state();
        if state != self.before {
            return Err(format!("something outside has changed:\n{}\n{state}", self.before));
        }
        let left: Vec<_> = std::fs::read_dir(self.temporary.path()).expect("it is there").flatten().collect();
        if !left.is_empty() {
            return Err(format!("it has left {left:?}"));
        }
        let marked = self.temporary.path().display().to_string();
        let is_ours = |process: &std::fs::DirEntry| {
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            String::from_utf8_lossy(&environment).contains(&marked)
        };
        match std::fs::read_dir("/proc").expect("it is there").flatten().find(is_ours) {
            Some(process) => Err(format!("it has left the process {:?}", process.file_name())),
            None => Ok(()),
        }
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.shared);
    }
}

fn program(line: &Line) -> String {
    if line.code.contains("int hostile(") {
        return format!("{PRELUDE}\n{}\n", line.code);
    }
    format!("{PRELUDE}\nint hostile(void)\n{{\n    n_hostile++;{}\n    return 0;\n}}\n", line.code)
}

fn text_of(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// The choices that a report gives for a replay.
fn replay(report: &str) -> &str {
    let after = report.split_once("--replay '").map_or("", |(_, after)| after);
    after.split_once('\'').map_or("", |(choices, _)| choices)
}

/// The calls of the shrunk sequence, by name.
fn calls(report: &str) -> Vec<&str> {
    let names = ["hostile", "bug"];
    let called = |line: &str| names.into_iter().find(|name| line.contains(&format!("{name}(")));
    let sequence = report.lines().take_while(|line| !line.contains("found with seed"));
    sequence.filter(|line| line.starts_with("    ") && line.contains(");")).filter_map(called).collect()
}

fn run_table(tier: &str) {
    let canary = Canary::new(tier);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    // One line only, while it is being written.
    let chosen = std::env::var("LINE").ok();
    let lines = TABLE.iter().filter(|line| chosen.as_ref().is_none_or(|chosen| line.name == chosen));
    let place = TIERS.iter().position(|known| *known == tier).unwrap_or_default();
    let wrong: Vec<String> = lines
        .enumerate()
        .filter_map(|(k, line)| {
            // A replay in one tier each: the report is the same in all of them.
            let result = judge(line, tier, &canary, folder.path(), k % TIERS.len() == place);
            result.err().map(|why| format!("{}: {why}", line.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{} lines are wrong in the tier {tier}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Runs one line; what is wrong with it, if anything.
fn judge(line: &Line, tier: &str, canary: &Canary, folder: &Path, replays: bool) -> Result<(), String> {
    let file = folder.join("t.c");
    std::fs::write(&file, program(line)).expect("a file");
    let _ = std::fs::remove_dir_all(folder.join("stairway-regressions"));
    let timeout = format!("--timeout={}", line.timeout);
    let output = canary.run(tier, &file, &[&timeout]);
    let (code, report) = (output.status.code(), text_of(&output));
    canary.check()?;
    let outside = canary.folder.path().display().to_string();
    for refused in line.refused.iter().map(|text| text.replace("CANARY", &outside)) {
        expect(report.contains(&refused), || format!("`{refused}` is not refused"), &report)?;
    }
    let (says, sequence): (&str, &[&str]) = match line.comes {
        Ending::Bug => ("!(n_hostile && x > 1000)", &["hostile", "bug"]),
        Ending::Failure(says) => (says, &["hostile"]),
        Ending::Nothing => {
            let is_right = code == Some(65) && report.contains("fails while it is loaded");
            return expect(is_right, || format!("it ends with {code:?}, not 65"), &report);
        }
    };
    expect(code == Some(1), || format!("it ends with {code:?}, not 1"), &report)?;
    expect(report.contains(says), || format!("it does not say `{says}`"), &report)?;
    expect(calls(&report) == sequence, || "it is not the shortest sequence".to_string(), &report)?;
    if !replays {
        return Ok(());
    }
    let again = canary.run(tier, &file, &[&timeout, "--replay", replay(&report)]);
    expect(again.status.code() == Some(1), || "it does not replay".to_string(), &text_of(&again))?;
    canary.check()
}

fn expect(is_so: bool, otherwise: impl FnOnce() -> String, report: &str) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(format!("{}\n{report}", otherwise())) }
}

#[test]
fn in_namespaces() {
    run_table("namespaces");
}

#[test]
fn with_landlock() {
    run_table("landlock");
}

#[test]
fn with_seccomp_alone() {
    run_table("seccomp");
}
