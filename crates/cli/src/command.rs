//! The `stairway` command: arguments, commands, exit codes; no logic.

mod arguments;
mod config;
mod doctor;
mod embedded;
mod fuzz;
mod init;
mod interrupt;
mod oss_fuzz;
mod page;
mod progress;
mod refine;
mod regressions;
mod shell;

use arguments::{Arguments, Command, CommonArguments, Format, TestArguments};
use clap::Parser;
use stairway_c::assignment::Role;
use stairway_c::operations::CallsError;
use stairway_c::project::{Object, Project};
use stairway_c::{Refusal, hunt, report, scratch, worker};
use std::io::{IsTerminal, Write};
use std::path::Path;
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
    // A worker has a group of its own, and ends with its parent; a target ends when its fuzzer says so.
    if let Some(role) = Role::of(std::env::args_os().skip(1)) {
        return ExitCode::from(serve(&role));
    }
    let arguments = match read_arguments() {
        Ok(arguments) => arguments,
        Err(code) => return ExitCode::from(code),
    };
    let run = || match &arguments.command {
        Command::Check(common) => check(common),
        Command::Test(test) => run_test(test),
        Command::Fuzz(arguments) => fuzz::fuzz(arguments),
        Command::Init(arguments) => init::init(arguments),
        Command::Doctor => doctor::doctor(),
        Command::Regressions(arguments) => regressions::regressions(arguments),
        Command::Report(arguments) => page::report(arguments),
        Command::Refine(arguments) => refine::refine(arguments),
        Command::Completions(arguments) => shell::completions(arguments),
        Command::Man => shell::manual(),
        Command::Embedded(arguments) => embedded::embedded(arguments),
    };
    if !stairway_c::fuzz::is_target() {
        interrupt::listen();
        scratch::sweep();
    }
    let code = std::panic::catch_unwind(run).unwrap_or_else(|_| {
        progress::clear();
        match &arguments.command {
            Command::Test(test) => announce(test, INTERNAL, PLEASE_REPORT),
            Command::Fuzz(arguments) => announce(&arguments.test, INTERNAL, PLEASE_REPORT),
            _ => INTERNAL,
        }
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

/// Does what another process of Stairway has started this one for.
fn serve(role: &Role) -> u8 {
    let served = std::panic::catch_unwind(|| match role {
        Role::Worker(path) => {
            worker::work(path).map_err(|error| (INTERNAL, format!("{error}\n{PLEASE_REPORT}")))
        }
        Role::Target(path) => {
            stairway_c::fuzz::serve_file(path).map_err(|error| (fuzz::code_of(&error), error.to_string()))
        }
    });
    match served {
        Ok(Ok(())) => PASSED,
        Ok(Err((code, why))) => {
            eprintln!("{why}");
            code
        }
        Err(_) => {
            eprintln!("{PLEASE_REPORT}");
            INTERNAL
        }
    }
}

/// The command line and what files add to it; or the exit code, when it is said what is wrong.
fn read_arguments() -> Result<Arguments, u8> {
    let typed: Vec<String> = std::env::args().collect();
    let is_json = typed.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    let wrong = |code: u8, outcome: &str, text: &str| {
        eprintln!("{}", text.trim_end());
        if is_json {
            print(&report::json_error(outcome, code, &[], text));
        }
        code
    };
    let words = config::with_files(typed.clone(), Path::new("."))
        .map_err(|why| wrong(BAD_INPUT, "bad input", &why))?;
    Arguments::try_parse_from(words).map_err(|error| {
        if !error.use_stderr() {
            let _ = error.print();
            return PASSED;
        }
        if is_json {
            return wrong(USAGE, "usage", &error.render().to_string());
        }
        let _ = error.print();
        USAGE
    })
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
    options.progress = Some(progress::listener(test.quiet, test.goal()));
    options.is_interrupted = Some(interrupt::is_interrupted);
    let object = if options.calls.has_feedback { Object::BuildComparing } else { Object::Build };
    let project = match Project::new(&test.common.source(), object, in_colour()) {
        Ok(project) => project,
        // A compiler that was interrupted along with us has said nothing of interest.
        Err(_) if interrupt::is_interrupted() => {
            eprintln!("{}", progress::interrupted());
            return PASSED;
        }
        Err(error) => return refuse(test, BAD_INPUT, &error.to_string()),
    };
    if !test.quiet {
        notes(&project);
    }
    match hunt::hunt(&test.name(), project, &options) {
        Ok(found) => conclude(test, &found),
        Err(error) => {
            progress::clear();
            let code = code_of(&error);
            // What the library has refused it has printed.
            let is_printed = matches!(error, CallsError::Refused(_));
            if is_printed {
                announce(test, code, &error.to_string())
            } else {
                refuse(test, code, &error.to_string())
            }
        }
    }
}

/// Says why nothing was run.
fn refuse(test: &TestArguments, code: u8, why: &str) -> u8 {
    eprintln!("{why}");
    announce(test, code, why)
}

/// The same for machines, in the form that was asked for.
fn announce(test: &TestArguments, code: u8, why: &str) -> u8 {
    let outcome = match code {
        GAVE_UP => "gave up",
        USAGE => "usage",
        BAD_INPUT => "bad input",
        _ => "internal error",
    };
    match test.format() {
        Format::Json => print(&report::json_error(outcome, code, &test.files(), why)),
        Format::Github => print(&report::github_error(why)),
        Format::Text => {}
    }
    match &test.junit {
        Some(path) => write_for_machines(path, &report::junit_error(&test.files().join(" "), why), "--junit")
            .unwrap_or(code),
        None => code,
    }
}

/// Writes a file that was asked for; the exit code if it cannot be written.
fn write_for_machines(path: &Path, text: &str, option: &str) -> Option<u8> {
    let error = std::fs::write(path, text).err()?;
    eprintln!("{} cannot be written ({error}); name another file with {option}", path.display());
    Some(BAD_INPUT)
}

/// The exit code where there is nothing to run.
fn code_of(error: &CallsError) -> u8 {
    match error {
        CallsError::Refused(Refusal::Input | Refusal::Program) => BAD_INPUT,
        CallsError::Refused(_) => INTERNAL,
        CallsError::NoSuchFunction(_) | CallsError::NotAPredicate(_) | CallsError::TooMany(_) => USAGE,
        CallsError::Load(_) => INTERNAL,
        CallsError::Sandbox(_) | CallsError::Stored(_) => BAD_INPUT,
        CallsError::NothingCallable(all) if all.iter().all(|not| not.name == "main") => BAD_INPUT,
        _ => GAVE_UP,
    }
}

/// Prints the report of a hunt and writes what was asked for.
fn conclude(test: &TestArguments, found: &hunt::HuntResult) -> u8 {
    progress::clear();
    let about = report::About {
        files: test.common.files(),
        command: arguments::command(std::env::args().skip(1)),
        compiler: test.common.compiler(),
        demands_all: test.demand_all,
    };
    let shown = report::ReportView::of(found, &about);
    let outcome = shown.outcome();
    let is_shown = !test.quiet || outcome != report::Outcome::Passed;
    match test.format() {
        Format::Json => print(&shown.json()),
        Format::Github if is_shown => print(&format!("{}{}", shown.text(), shown.github())),
        _ if is_shown => print(&shown.text()),
        _ => {}
    }
    if let Some(path) = &test.junit
        && let Some(code) = write_for_machines(path, &shown.junit(), "--junit")
    {
        return code;
    }
    if let (Some(path), Some(text)) = (&test.emit_test, shown.test()) {
        if let Some(code) = write_for_machines(path, &text, "--emit-test") {
            return code;
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
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !is_dumb && std::env::var_os("NO_COLOR").is_none()
}
