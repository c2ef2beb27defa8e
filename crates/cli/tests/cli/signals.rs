//! A run that is interrupted says what it has found, and leaves nothing behind; what a killed one leaves is removed by the next.

use crate::support::{Folder, Ran};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const RIGHT: &str = "int twice(int x)\n/*@ requires x < 1000i32; x > -1000i32; ensures return == x + x; @*/\n{ return 2 * x; }\n";

/// Dies in ways that take long to shrink.
const DIES: &str = "#include <unistd.h>\n#include <sys/syscall.h>\nstatic int n;\nvoid add(int k) { if (k > 4) n++; }\n\
                    void end(void) { if (n > 9) syscall(SYS_exit_group, 0); }\n";

/// A run on its way, with a temporary folder of its own.
struct Running {
    folder: Folder,
    child: Option<Child>,
}

impl Running {
    fn start(text: &str, arguments: &str) -> Running {
        let folder = Folder::with(text);
        std::fs::create_dir(folder.path().join("tmp")).expect("it can be made");
        // Whoever runs the tests may have switched signals off (`nohup`), which the command would respect.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_stairway")]);
        command.args(arguments.split_whitespace()).current_dir(folder.path());
        command.env("TMPDIR", folder.path().join("tmp")).env("NO_COLOR", "1");
        let child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        Running { folder, child: Some(child) }
    }

    fn number(&self) -> u32 {
        self.child.as_ref().expect("it runs").id()
    }

    /// What is left in the temporary folder.
    fn left(&self) -> Vec<PathBuf> {
        entries(&self.folder.path().join("tmp"))
    }

    /// Its workers.
    fn workers(&self) -> Vec<u32> {
        let number = self.number();
        let children = std::fs::read_to_string(format!("/proc/{number}/task/{number}/children"));
        let children = children.unwrap_or_default();
        children
            .split_whitespace()
            .filter_map(|child| child.parse().ok())
            .filter(|child| is_worker(*child))
            .collect()
    }

    /// Sends a signal, and waits for the end.
    fn end(&mut self, signal: &str) -> Ran {
        let sent = Command::new("kill").args([signal, &self.number().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        self.child.take().expect("it runs").wait_with_output().expect("it ends").into()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn is_worker(process: u32) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    name.trim() == "stairway"
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).expect("it is there").flatten().map(|entry| entry.path()).collect()
}

/// Waits for something that another process does.
fn until(mut holds: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never happened");
}

#[test]
fn an_interrupted_run_says_how_far_it_came_and_leaves_nothing() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let mut running = Running::start(RIGHT, "test t.c --time 600");
        until(|| !running.workers().is_empty());
        let ran = running.end(signal);
        assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("interrupted after "), "{said}");
        assert!(running.left().is_empty(), "{:?}", running.left());
    }
}

#[test]
fn an_interrupted_run_shows_what_it_has_found() {
    let mut running = Running::start(DIES, "test t.c --seed 1 --calls 5000 --unconfined");
    let stored = running.folder.path().join("stairway-regressions/t.c.txt");
    until(|| stored.exists());
    let ran = running.end("-INT");
    assert_eq!(ran.code, 130, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("`end`: exit 0: ") && ran.out.contains("    end();\n"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert!(
        ran.out.contains("until it was interrupted, confirmed in a fresh process; a shorter one may exist"),
        "{}",
        ran.out
    );
    assert!(running.left().is_empty(), "{:?}", running.left());
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next_and_its_workers_are_dead() {
    let mut running = Running::start(RIGHT, "test t.c --time 600 --jobs 2");
    until(|| running.workers().len() == 2);
    let workers = running.workers();
    let ran = running.end("-KILL");
    assert_eq!(ran.code, -1);
    until(|| workers.iter().all(|worker| !is_worker(*worker)));
    assert!(!running.left().is_empty());
    let foreign = running.folder.path().join("tmp/stairway-of-somebody-else");
    std::fs::create_dir(&foreign).expect("it can be made");
    let next = running.folder.stairway_with("TMPDIR", running.folder.path().join("tmp"), "check t.c");
    assert_eq!(next.code, 0, "{}{}", next.out, next.err);
    assert_eq!(running.left(), [foreign]);
}

#[test]
fn of_eight_commands_at_once_none_loses_a_failure() {
    let function = |k: u32| format!("int f{k}(int x)\n/*@ ensures return == x; @*/\n{{ return x ^ 1; }}\n");
    let folder = Folder::with(&(0..8).map(function).collect::<String>());
    let start = |k: u32| {
        let arguments = format!("test t.c --seed 1 --calls 2000 --quiet --only f{k}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
        command.args(arguments.split_whitespace()).current_dir(folder.path()).stdout(Stdio::null());
        command.spawn().expect("the command starts")
    };
    let running: Vec<Child> = (0..8).map(start).collect();
    for mut child in running {
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
    }
    let stored = folder.read("stairway-regressions/t.c.txt");
    assert_eq!(stored.matches("failure: ").count(), 8, "{stored}");
}
