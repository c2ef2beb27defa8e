//! Completions for shells and manual pages, from the same description as the arguments themselves.

use super::arguments::Arguments;
use super::{BAD_INPUT, PASSED, print};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// For which shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(arguments: &CompletionsArguments) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "stairway", &mut script);
    print(&String::from_utf8_lossy(&script));
    PASSED
}

/// The page of the command, and below it those of its subcommands.
pub(crate) fn manual() -> u8 {
    let mut all = Arguments::command();
    all.build();
    let mut page = Vec::new();
    let subcommands: Vec<clap::Command> =
        all.get_subcommands().filter(|one| one.get_name() != "help").cloned().collect();
    for command in std::iter::once(all).chain(subcommands) {
        if clap_mangen::Man::new(command).render(&mut page).is_err() {
            eprintln!("the manual page cannot be written");
            return BAD_INPUT;
        }
    }
    print(&String::from_utf8_lossy(&page));
    PASSED
}
