//! Where the `stairway` command begins: the command itself, or why there is none.

#[cfg(not(stairway_unsupported))]
mod command;

#[cfg(not(stairway_unsupported))]
fn main() -> std::process::ExitCode {
    command::run()
}

#[cfg(stairway_unsupported)]
fn main() -> std::process::ExitCode {
    eprintln!("{}", stairway_c::UNSUPPORTED);
    // As for every input that cannot be used.
    std::process::ExitCode::from(65)
}
