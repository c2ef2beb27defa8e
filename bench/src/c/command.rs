//! The command `stairway` as users run it: built in release, run over a file, with what it cost.

use serde_json::Value as Json;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The built command, and a folder for C files.
pub(crate) struct Stairway {
    program: PathBuf,
    folder: PathBuf,
}

/// What a run did and cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ran {
    pub(crate) n_calls: u64,
    pub(crate) n_discards: u64,
    /// From the start of the command to its end.
    pub(crate) total_seconds: f64,
    /// Without what a run of a single sequence takes: building the C file.
    pub(crate) seconds: f64,
    /// The most memory that the command or a worker of it held.
    pub(crate) peak_mb: f64,
}

impl Ran {
    pub(crate) fn per_second(&self) -> f64 {
        self.n_calls as f64 / self.seconds
    }
}

/// The fastest of several runs.
pub(crate) fn best<'r>(runs: impl Iterator<Item = &'r Ran>) -> Ran {
    *runs.max_by(|a, b| a.per_second().total_cmp(&b.per_second())).expect("there is at least one run")
}

impl Stairway {
    /// Builds the command; `None` if that does not work.
    pub(crate) fn built() -> Option<Stairway> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let built = Command::new("cargo")
            .args(["build", "--release", "--quiet", "--package", "stairway-cli"])
            .current_dir(root)
            .env("CARGO_TARGET_DIR", &target)
            .status();
        let folder = std::env::temp_dir().join(format!("stairway-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        built
            .is_ok_and(|status| status.success())
            .then(|| Stairway { program: target.join("release/stairway"), folder })
    }

    /// A file in the folder.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("the file can be written");
        path.display().to_string()
    }

    /// Runs `stairway test` over a file.
    pub(crate) fn test(&self, file: &str, arguments: &[&str]) -> Ran {
        self.run(Command::new(&self.program), file, arguments)
    }

    /// The same on one core, which the command shares with its worker.
    pub(crate) fn test_on_one_core(&self, file: &str, arguments: &[&str]) -> Ran {
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(&self.program);
        self.run(command, file, arguments)
    }

    /// Seconds that `stairway check` takes over a file, and that gcc takes with the flags of the instrumented
    /// build.
    pub(crate) fn checked(&self, file: &str) -> (f64, f64) {
        let recorded = self.folder.join("flags");
        // A compiler that writes down the arguments of its last instrumented compilation, one a line.
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *-fsanitize=thread*' -c '*) printf '%s\\n' \"$@\" > '{}';; esac\nexec gcc \"$@\"\n",
            recorded.display()
        );
        let compiler = self.file("recording-gcc", &script);
        std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        let mut command = Command::new(&self.program);
        let all = seconds(command.args(["check", file, "--cc", &compiler]).stdout(Stdio::null()));
        let arguments = std::fs::read_to_string(&recorded).expect("the build was instrumented");
        let own = |argument: &&str| {
            !argument.ends_with(".i") && !argument.ends_with(".c") && !argument.ends_with(".o")
        };
        let flags = arguments.lines().filter(own);
        let mut gcc = Command::new("gcc");
        let object = self.folder.join("large.o");
        // The name of the object follows `-o`, which is the last of them.
        let compiling = seconds(gcc.args(flags).arg(object).arg(file));
        (all, compiling)
    }

    fn run(&self, command: Command, file: &str, arguments: &[&str]) -> Ran {
        let (begin, ..) = self.timed(Command::new(&self.program), file, &["--calls", "1"]);
        let (total_seconds, peak_mb, said) = self.timed(command, file, arguments);
        let functions = said["functions"].as_array();
        let sum = |name: &str| functions.into_iter().flatten().filter_map(|f| f[name].as_u64()).sum();
        let seconds = (total_seconds - begin).max(1e-3);
        Ran { n_calls: sum("calls"), n_discards: sum("discards"), total_seconds, seconds, peak_mb }
    }

    /// Seconds, megabytes, and the report.
    fn timed(&self, mut command: Command, file: &str, arguments: &[&str]) -> (f64, f64, Json) {
        let start = Instant::now();
        let mut child = command
            .args(["test", file, "--json", "--quiet"])
            .args(arguments)
            .current_dir(&self.folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command can be run");
        let stdout = child.stdout.take().expect("it is piped");
        let reader = std::thread::spawn(move || std::io::read_to_string(stdout).unwrap_or_default());
        let mut peak_kb = 0;
        while child.try_wait().is_ok_and(|ended| ended.is_none()) {
            peak_kb = peak_kb.max(memory_kb(child.id()));
            std::thread::sleep(Duration::from_millis(2));
        }
        let seconds = start.elapsed().as_secs_f64();
        // A failure that was stored is tried first: the next run would be another one.
        let _ = std::fs::remove_dir_all(self.folder.join("stairway-regressions"));
        let said = reader.join().unwrap_or_default();
        (seconds, peak_kb as f64 / 1024.0, serde_json::from_str(said.trim()).unwrap_or_default())
    }
}

fn seconds(command: &mut Command) -> f64 {
    let start = Instant::now();
    let status = command.status().expect("the command can be run");
    assert!(status.success(), "{command:?} fails");
    start.elapsed().as_secs_f64()
}

/// The most memory that a process or a child of it with the same name has held so far.
fn memory_kb(process: u32) -> u64 {
    let read = |path: String| std::fs::read_to_string(path).unwrap_or_default();
    let children = read(format!("/proc/{process}/task/{process}/children"));
    let ids = children.split_whitespace().map(ToString::to_string).chain([process.to_string()]);
    let held = ids.map(|id| {
        let status = read(format!("/proc/{id}/status"));
        let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        let is_ours = line("Name:").is_some_and(|name| name.trim() == "stairway");
        let kb = line("VmHWM:").and_then(|size| size.split_whitespace().next()?.parse().ok());
        kb.filter(|_| is_ours).unwrap_or(0)
    });
    held.max().unwrap_or(0)
}

impl Drop for Stairway {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
