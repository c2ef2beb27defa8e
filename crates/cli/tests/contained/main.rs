//! Code under test may try anything: nothing outside changes, the run ends by itself, and what it finds is found, shrunk and
//! replayed. One table, run in every tier that works here.

mod options;
mod table;

use serde_json::Value;
use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use table::{Ending, Line, Run, TABLE};

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

    /// `stairway test` on a program.
    fn run(&self, tier: &str, file: &Path, arguments: &[&str]) -> Output {
        let (canary, shared) = (self.folder.path().display(), self.shared.display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
        command.current_dir(file.parent().expect("a folder"));
        command.arg("test").arg(file.file_name().expect("a name"));
        command.args(["--seed", "3", "--json"]).args(arguments);
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
        let running = || std::fs::read_dir("/proc").expect("it is there").flatten().find(is_ours);
        // All of the processes of a worker are gone before the command is: nobody has to look twice.
        match running() {
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

/// Lines that are one program, each with its number in the table.
type Group = Vec<(usize, &'static Line)>;

/// Lines that are run together: as many as a report has room for failures.
fn groups() -> Vec<Group> {
    const MANY: usize = 10;
    // One line only, while it is being written.
    let chosen = std::env::var("LINE").ok();
    let lines =
        || TABLE.iter().enumerate().filter(|(_, line)| chosen.as_ref().is_none_or(|c| line.name == c));
    let together: Group = lines().filter(|(_, line)| line.run == Run::Together).collect();
    let alone = lines().filter(|(_, line)| matches!(line.run, Run::Alone(_))).map(|line| vec![line]);
    together.chunks(MANY).map(<[_]>::to_vec).chain(alone).collect()
}

/// The options with which a group is run.
fn options(group: &Group) -> Vec<&'static str> {
    match group[0].1.run {
        Run::Together => vec!["--timeout=5000", "--calls=8000", "--max-len=8"],
        Run::Alone(options) => options.to_vec(),
    }
}

/// The program: a function for each line and one with a bug that shows after it. The first line in a sequence has it for itself, so
/// that what it does to its process is not another's undoing.
fn program(group: &Group) -> String {
    let mut text = format!("{PRELUDE}\nstatic int owner;\n");
    for (k, line) in group {
        let (id, before, code) = (k + 1, line.before, line.code);
        writeln!(text, "{before}\nstatic int body_{id}(void)\n{{{code}\n    return 0;\n}}")
            .expect("it is text");
        writeln!(text, "int hostile_{id}(void) {{ if (owner && owner != {id}) return 0; owner = {id}; n_hostile++; return body_{id}(); }}")
            .expect("it is text");
        writeln!(text, "void bug_{id}(int x) {{ assert(!(owner == {id} && n_hostile && x > 1000)); }}")
            .expect("it is text");
    }
    text
}

fn text_of(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

fn run_table(tier: &str) {
    let canary = Canary::new(tier);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let judged = groups().into_iter().map(|group| judge(&group, tier, &canary, folder.path()));
    let wrong: Vec<String> = judged.filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{} groups are wrong in the tier {tier}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Runs a group, and once more what it has stored; what is wrong with it, if anything.
fn judge(group: &Group, tier: &str, canary: &Canary, folder: &Path) -> Result<(), String> {
    let file = folder.join("t.c");
    std::fs::write(&file, program(group)).expect("a file");
    let _ = std::fs::remove_dir_all(folder.join("stairway-regressions"));
    let only =
        group.iter().map(|(k, _)| format!("hostile_{},bug_{}", k + 1, k + 1)).collect::<Vec<_>>().join(",");
    let only = format!("--only={only}");
    let mut arguments = vec![only.as_str()];
    arguments.extend(options(group));
    let first = canary.run(tier, &file, &arguments);
    canary.check()?;
    if matches!(group[0].1.comes, Ending::Nothing) {
        let (code, report) = (first.status.code(), text_of(&first));
        let is_right = code == Some(65) && report.contains("fails while it is loaded");
        return expect(is_right, || format!("{}: it ends with {code:?}, not 65", group[0].1.name), &report);
    }
    check_report(group, canary, &first)?;
    // What was found is found again at once.
    arguments.retain(|argument| !argument.starts_with("--calls"));
    arguments.push("--calls=1");
    let again = canary.run(tier, &file, &arguments);
    check_failures(group, &again)?;
    canary.check()
}

fn check_report(group: &Group, canary: &Canary, output: &Output) -> Result<(), String> {
    let report = check_failures(group, output)?;
    let outside = canary.folder.path().display().to_string();
    let notes: Vec<&str> =
        report["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (_, line) in group {
        for refused in line.refused.iter().map(|text| text.replace("CANARY", &outside)) {
            let is_noted = notes.iter().any(|note| note.contains(&refused));
            expect(is_noted, || format!("{}: `{refused}` is not refused", line.name), &notes.join("\n"))?;
        }
    }
    Ok(())
}

/// Each line has reached its end, by the shortest sequence, and nothing else went wrong.
fn check_failures(group: &Group, output: &Output) -> Result<Value, String> {
    let (code, text) = (output.status.code(), text_of(output));
    expect(code == Some(1), || format!("{}..: it ends with {code:?}, not 1", group[0].1.name), &text)?;
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}\n{text}"))?;
    let others = report["others"].as_array().into_iter().flatten();
    let found: Vec<(Vec<&str>, &str)> =
        std::iter::once(&report["failure"]).chain(others).map(sequence).collect();
    let shown = || found.iter().map(|(steps, why)| format!("{steps:?} {why}")).collect::<Vec<_>>().join("\n");
    for (k, line) in group {
        let (hostile, bug) = (format!("hostile_{}", k + 1), format!("bug_{}", k + 1));
        let (says, expected) = match line.comes {
            Ending::Bug => ("x > 1000", vec![hostile.as_str(), bug.as_str()]),
            Ending::Failure(says) => (says, vec![hostile.as_str()]),
            Ending::Nothing => continue,
        };
        let is_found = found.iter().any(|(steps, why)| *steps == expected && why.contains(says));
        expect(is_found, || format!("{}: it is not found as {expected:?}, `{says}`", line.name), &shown())?;
    }
    let is_all = found.len() == group.len();
    expect(is_all, || format!("{} failures for {} lines", found.len(), group.len()), &shown())?;
    Ok(report)
}

/// The functions of a shrunk sequence, and what went wrong.
fn sequence(failure: &Value) -> (Vec<&str>, &str) {
    let steps = failure["steps"].as_array().into_iter().flatten();
    (
        steps.filter_map(|step| step["function"].as_str()).collect(),
        failure["message"].as_str().unwrap_or_default(),
    )
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
