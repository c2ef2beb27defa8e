//! The `stairway` command: arguments, commands, exit codes; no logic.

mod arguments;

use arguments::{Arguments, Command, CommonArguments, TestArguments};
use clap::Parser;
use stairway_c::hunt;
use stairway_c::project::{Object, Project};
use stairway_c::report;
use std::io::IsTerminal;
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

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { PASSED });
        }
    };
    ExitCode::from(match arguments.command {
        Command::Check(common) => check(&common),
        Command::Test(test) => run_test(&test),
    })
}

/// Reads and checks the specs.
fn check(common: &CommonArguments) -> u8 {
    match Project::new(&common.source(), Object::Build, in_colour()) {
        Ok(project) => {
            notes(&project);
            println!("{}", report::checked(&project));
            PASSED
        }
        Err(error) => {
            eprintln!("{error}");
            BAD_INPUT
        }
    }
}

fn run_test(test: &TestArguments) -> u8 {
    let options = test.options();
    let project = match Project::new(&test.common.source(), hunt::object(), in_colour()) {
        Ok(project) => project,
        Err(error) => {
            eprintln!("{error}");
            return BAD_INPUT;
        }
    };
    if !test.quiet {
        notes(&project);
    }
    match hunt::hunt(&test.name(), project, &options) {
        Ok((found, project)) => {
            let shown = report::Shown::of(&found, &project, &test.common.files());
            print!("{}", if test.json { shown.json() } else { shown.text() });
            match shown.outcome() {
                report::Outcome::Passed => PASSED,
                report::Outcome::Falsified => FALSIFIED,
                report::Outcome::GaveUp => GAVE_UP,
            }
        }
        Err(error) => {
            eprintln!("{error}");
            GAVE_UP
        }
    }
}

fn notes(project: &Project) {
    for note in &project.notes {
        eprintln!("note: {note}");
    }
}

fn in_colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
