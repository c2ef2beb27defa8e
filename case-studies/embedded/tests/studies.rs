//! Builds the C programs with each planted bug, and compares the README with what they report.

// The C API's own tests build C programs in the same way.
#[path = "../../../crates/capi/tests/support/mod.rs"]
mod support;

use case_study_support::{assert_readme_shows, table};
use embedded::FREERTOS_KERNEL;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use support::{Build, run, stdout};

/// How many seeds a bug is looked for with.
const N_SEEDS: u64 = 6;

fn c(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name)
}

/// One of the programs with one bug.
struct Program {
    name: &'static str,
    bug: u32,
    flags: &'static [&'static str],
}

impl Program {
    fn build(&self) -> PathBuf {
        let (bug, name) = (format!("-DBUG={}", self.bug), format!("{}-{}", self.name, self.bug));
        let threads = c("threads").display().to_string();
        let mut flags = vec!["-std=gnu99", "-O1", "-pthread", bug.as_str(), "-I", threads.as_str()];
        flags.extend(self.flags);
        let includes = freertos_includes();
        let mut sources = vec![c("threads/properties.c"), c("threads/threads.c")];
        match self.name {
            "queue" => sources = vec![c("queue/queue.c"), c("queue/properties.c")],
            "linux" => sources.push(c("threads/linux.c")),
            _ => {
                flags.extend(includes.iter().map(String::as_str));
                sources.extend([c("threads/freertos.c"), c("threads/messages.c")]);
                sources.extend(freertos().iter().cloned());
            }
        }
        Build { compiler: "gcc", flags: &flags, sources: &sources, name: &name }.build()
    }

    fn run(&self, seed: u64) -> (Option<i32>, String) {
        let output = run(&self.build(), &[&seed.to_string()]);
        (output.status.code(), in_short(&stdout(&output)))
    }

    /// Looks for the bug with several seeds; gives the report of the first, and how many steps the longest
    /// counterexample has.
    fn found(&self) -> (String, usize) {
        let program = self.build();
        let mut all = (0..N_SEEDS).map(|seed| {
            let output = run(&program, &[&(seed + 1).to_string()]);
            let text = in_short(&stdout(&output));
            assert_eq!(output.status.code(), Some(1), "{} {}: seed {seed}\n{text}", self.name, self.bug);
            (text.clone(), n_steps(&text))
        });
        let first = all.next().expect("there are seeds");
        let longest = all.map(|(_, n)| n).max().unwrap_or(0).max(first.1);
        (first.0, longest)
    }
}

/// The report without the folder in which this was checked out.
fn in_short(text: &str) -> String {
    text.replace(&format!("{}/", env!("CARGO_MANIFEST_DIR")), "").trim_end().to_string()
}

/// Steps are what is indented by two and ends with a bracket.
fn n_steps(report: &str) -> usize {
    let is_step = |line: &&str| line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(')');
    report.lines().filter(is_step).filter(|line| !line.contains("met on the way")).count()
}

fn freertos_includes() -> Vec<String> {
    let port = "portable/ThirdParty/GCC/Posix";
    // As folders of the system: the warnings in them are not ours.
    let folders = ["include", port, "portable/ThirdParty/GCC/Posix/utils"];
    folders
        .iter()
        .flat_map(|folder| ["-isystem".to_string(), format!("{FREERTOS_KERNEL}/{folder}")])
        .collect()
}

/// FreeRTOS itself, compiled once.
fn freertos() -> &'static [PathBuf] {
    static OBJECTS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let sources = [
        "tasks.c",
        "queue.c",
        "list.c",
        "portable/MemMang/heap_4.c",
        "portable/ThirdParty/GCC/Posix/port.c",
        "portable/ThirdParty/GCC/Posix/utils/wait_for_event.c",
    ];
    OBJECTS.get_or_init(|| sources.iter().map(|source| compiled(source)).collect())
}

fn compiled(source: &str) -> PathBuf {
    let source = Path::new(FREERTOS_KERNEL).join(source);
    let name = source.file_stem().expect("a file").to_string_lossy().into_owned();
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("freertos-{name}.o"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu99", "-O1", "-w", "-c", "-I"]).arg(c("threads")).args(freertos_includes());
    let output = gcc.arg(&source).arg("-o").arg(&object).output().expect("gcc is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    object
}

const FREERTOS: &[&str] = &[];
const COMPOSED: &[&str] = &["-DWITH_MESSAGES"];
/// Priorities that differ by one may be the same there.
const LINUX: &[&str] = &["-DSAME=1"];

fn block(text: &str) -> String {
    format!("```text\n{text}\n```")
}

#[test]
fn the_readme_shows_what_is_reported() {
    let bugs: [(&str, u32, &'static str, &'static [&'static str], &str); 11] = [
        ("1", 1, "queue", &[], "`init` does not empty the queue"),
        ("2", 2, "queue", &[], "`enqueue` does not look whether the queue is full (the paper's)"),
        ("3", 3, "queue", &[], "`dequeue` does not look whether it is empty"),
        ("4", 4, "queue", &[], "`front` gives the first cell of the array"),
        ("5", 5, "freertos", FREERTOS, "`thread_delete` forgets one slot"),
        ("6", 6, "freertos", FREERTOS, "`thread_create` ignores the kernel's answer (the paper's)"),
        ("7", 7, "freertos", FREERTOS, "`thread_delete` succeeds where there is no slot"),
        ("8", 8, "freertos", FREERTOS, "priorities have seven bits"),
        (
            "9",
            9,
            "freertos",
            FREERTOS,
            "`thread_create` loses the stack when the kernel refuses (the paper's)",
        ),
        ("messages", 10, "messages", COMPOSED, "a message that was received stays"),
        ("both", 11, "messages", COMPOSED, "`take` takes two units when the message queue is full"),
    ];
    let (mut rows, mut real) = (Vec::new(), Vec::new());
    for (shown, bug, name, flags, what) in bugs {
        let (report, n) = Program { name, bug, flags }.found();
        rows.push(vec![bug.to_string(), what.to_string(), name.to_string(), n.to_string()]);
        real.push((shown, block(&report)));
    }
    real.push((
        "bugs",
        table(&["bug", "what is wrong", "program", "properties in the counterexample"], &rows),
    ));
    let (code, passed) = Program { name: "queue", bug: 0, flags: &[] }.run(1);
    assert_eq!(code, Some(0), "{passed}");
    real.push(("queue", block(&passed)));
    assert_readme_shows(env!("CARGO_MANIFEST_DIR"), &real);
}

#[test]
fn without_bugs_everything_holds_on_freertos() {
    for (name, flags) in [("freertos", FREERTOS), ("messages", COMPOSED)] {
        let (code, text) = Program { name, bug: 0, flags }.run(1);
        assert_eq!(code, Some(0), "{text}");
    }
}

/// The stack that is lost is seen by nobody without the ninth property.
#[test]
fn the_papers_properties_do_not_see_the_lost_stack() {
    let (code, text) = Program { name: "papers", bug: 9, flags: &["-DN_PROPERTIES=4"] }.run(1);
    assert_eq!(code, Some(0), "{text}");
}

/// A right that not everybody has: without it, it is said and nothing is claimed.
#[test]
fn linux_runs_threads_in_order_where_that_is_permitted() {
    const NOT_PERMITTED: i32 = 77;
    let (code, text) = Program { name: "linux", bug: 0, flags: LINUX }.run(1);
    if code == Some(NOT_PERMITTED) {
        eprintln!("{text}");
        return;
    }
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = Program { name: "linux", bug: 8, flags: LINUX }.run(1);
    assert_eq!((code, n_steps(&text)), (Some(1), 3), "{text}");
}
