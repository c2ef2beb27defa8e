//! `stairway refine`: reads a description, writes the module it stands for.

use super::arguments::RefineArguments;
use super::{BAD_INPUT, FALSIFIED, PASSED, in_colour, print};
use std::io;
use std::path::Path;

pub(crate) fn refine(arguments: &RefineArguments) -> u8 {
    let name = arguments.file.display().to_string();
    let text = match std::fs::read_to_string(&arguments.file) {
        Ok(text) => text,
        Err(error) => return refused(&format!("`{name}` cannot be read: {error}")),
    };
    let module = match stairway_describe::module(&name, &text) {
        Ok(module) => module,
        Err(problems) => {
            for problem in problems {
                eprintln!("{}\n", problem.render(&name, &text, in_colour()));
            }
            return BAD_INPUT;
        }
    };
    match arguments.output() {
        None => {
            print(&module);
            PASSED
        }
        Some(output) if arguments.check => check(&output, &module),
        Some(output) => write(&output, &module),
    }
}

/// Says whether the module is the one that the description stands for.
fn check(output: &Path, module: &str) -> u8 {
    let shown = output.display();
    match std::fs::read_to_string(output) {
        Ok(written) if written == module => {
            print(&format!("{shown} is what the description says\n"));
            PASSED
        }
        Ok(_) => {
            eprintln!("{shown} is not what the description says: run the command without `--check`");
            FALSIFIED
        }
        Err(error) => refused(&format!("`{shown}` cannot be read: {error}")),
    }
}

/// Writes the module where that changes something, and nothing over a file of somebody else.
fn write(output: &Path, module: &str) -> u8 {
    let shown = output.display();
    match std::fs::read_to_string(output) {
        Ok(written) if written == module => {
            print(&format!("{shown} is up to date\n"));
            return PASSED;
        }
        Ok(written) if !written.starts_with(stairway_describe::WRITTEN) => {
            return refused(&format!(
                "`{shown}` was not written by this command and is left alone: choose another file with `--output`"
            ));
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return refused(&format!("`{shown}` cannot be read: {error}")),
    }
    match std::fs::write(output, module) {
        Ok(()) => {
            print(&format!("wrote {shown}\n"));
            PASSED
        }
        Err(error) => refused(&format!("`{shown}` cannot be written: {error}")),
    }
}

fn refused(message: &str) -> u8 {
    eprintln!("error: {message}");
    BAD_INPUT
}
