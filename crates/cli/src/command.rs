//! The `stairway` command: arguments, commands, exit codes; no logic.

mod arguments;
mod embedded;
mod interrupt;
mod progress;
mod refine;

use arguments::{Arguments, Command, CommonArguments, TestArguments};
use clap::Parser;
use stairway_c::operations::CallsError;
use stairway_c::project::{Object, Project};
use stairway_c::{Refusal, hunt, report, scratch};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Everything holds.
const PASSED: u8 = 0;
/// A contract is broken.
const FALSIFIED: u8 = 1;
/// Nothing was decided.
const GAVE_UP: u8 = 2;
/// The command line is wrong.
const USAGE: u8 = 64;
/// A file is wrong.
const BAD_INPUT: u8 = 65;
/// Stairway is wrong.
const INTERNAL: u8 = 70;

/// What is said when Stairway is wrong.
const PLEASE_REPORT: &str = "this is a bug of Stairway, not of your program: please report it, with the file and the \
                             command that lead here";

pub(crate) fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { PASSED });
        }
    };
    let run = || match &arguments.command {
        Command::Check(common) => check(common),
        Command::Test(test) => run_test(test),
        Command::Refine(arguments) => refine::refine(arguments),
        Command::Embedded(arguments) => embedded::embedded(arguments),
    };
    // A worker has a group of its own, and ends with its parent.
    if hunt::is_parent() {
        interrupt::listen();
        scratch::sweep();
    }
    let code = std::panic::catch_unwind(run).unwrap_or_else(|_| {
        progress::clear();
        INTERNAL
    });
    // What was interrupted says nothing about anything else.
    if let Some(code) = interrupt::code() {
        return ExitCode::from(code);
    }
    if code == INTERNAL {
        eprintln!("{PLEASE_REPORT}");
    }
    ExitCode::from(code)
}

/// Reads and checks the specs.
fn check(common: &CommonArguments) -> u8 {
    match Project::new(&common.source(), Object::Build, in_colour()) {
        Ok(project) => {
            notes(&project);
            print(&format!("{}\n", report::checked(&project)));
            PASSED
        }
        Err(error) => {
            eprintln!("{error}");
            BAD_INPUT
        }
    }
}

fn run_test(test: &TestArguments) -> u8 {
    let mut options = test.options();
    options.progress = Some(progress::listener(test.quiet));
    options.is_interrupted = Some(interrupt::is_interrupted);
    let project = match Project::new(&test.common.source(), hunt::object(), in_colour()) {
        Ok(project) => project,
        // A compiler that was interrupted along with us has said nothing of interest.
        Err(_) if interrupt::is_interrupted() => {
            eprintln!("{}", progress::interrupted());
            return PASSED;
        }
        Err(error) => {
            eprintln!("{error}");
            return BAD_INPUT;
        }
    };
    if !test.quiet {
        notes(&project);
    }
    match hunt::hunt(&test.name(), project, &options) {
        Ok(found) => {
            progress::clear();
            let about = report::About {
                files: test.common.files(),
                command: arguments::command(std::env::args().skip(1)),
                compiler: test.common.compiler(),
                demands_all: test.demand_all,
            };
            conclude(test, &report::Shown::of(&found, &about))
        }
        Err(error) => refused(&error),
    }
}

/// There is nothing to run.
fn refused(error: &CallsError) -> u8 {
    progress::clear();
    if !matches!(error, CallsError::Refused(_)) {
        eprintln!("{error}");
    }
    match error {
        CallsError::Refused(Refusal::Input | Refusal::Program) => BAD_INPUT,
        CallsError::Refused(_) => INTERNAL,
        CallsError::NoSuchFunction(_) | CallsError::NotAPredicate(_) | CallsError::TooMany(_) => USAGE,
        CallsError::Load(_) => INTERNAL,
        CallsError::Sandbox(_) => BAD_INPUT,
        CallsError::NothingCallable(all) if all.iter().all(|not| not.name == "main") => BAD_INPUT,
        _ => GAVE_UP,
    }
}

/// Prints the report and writes what was asked for.
fn conclude(test: &TestArguments, shown: &report::Shown<'_>) -> u8 {
    let outcome = shown.outcome();
    if test.json {
        print(&shown.json());
    } else if !test.quiet || outcome != report::Outcome::Passed {
        print(&shown.text());
    }
    if let (Some(path), Some(text)) = (&test.emit_test, shown.test()) {
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("{} cannot be written ({error}); name another file with --emit-test", path.display());
            return BAD_INPUT;
        }
        if !test.quiet {
            eprintln!("the sequence is written to {}", path.display());
        }
    }
    match outcome {
        report::Outcome::Passed | report::Outcome::Interrupted => PASSED,
        report::Outcome::Falsified => FALSIFIED,
        report::Outcome::GaveUp => GAVE_UP,
        report::Outcome::Unloadable => BAD_INPUT,
        report::Outcome::Internal => INTERNAL,
    }
}

/// Prints; whoever reads may have stopped reading, which is no fault of ours.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn notes(project: &Project) {
    for note in &project.notes {
        eprintln!("note: {note}");
    }
}

fn in_colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
