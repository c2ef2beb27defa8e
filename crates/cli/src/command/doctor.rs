//! `stairway doctor`: what is there, what is missing, and the command that installs it.

use super::{BAD_INPUT, PASSED, print};
use std::fmt::Write as _;
use std::process::Command;

/// Something that Stairway uses.
struct Tool {
    name: &'static str,
    /// What it is for.
    purpose: &'static str,
    /// The program; it is asked for its version.
    program: &'static str,
    proof: Proof,
    from: Origin,
    is_needed: bool,
}

/// What shows that a tool can do what it must.
#[derive(Clone, Copy)]
enum Proof {
    /// That it is there.
    Runs,
    /// That it accepts these arguments.
    Accepts(&'static [&'static str]),
    /// That the libraries exist which it would link for these arguments.
    Links(&'static [&'static str]),
}

/// Where a tool comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// A package of Debian and its relatives.
    Package(&'static str),
    /// Something else, in words.
    Elsewhere(&'static str),
}

use Origin::{Elsewhere, Package};

/// Packages of distributions are mostly too old.
const RUST: Origin =
    Elsewhere(concat!("Rust ", env!("CARGO_PKG_RUST_VERSION"), " or later, from https://rustup.rs"));

/// The runtime has the version of clang in the name of its package.
const FUZZER: Origin =
    Elsewhere("sudo apt-get install clang libclang-rt-14-dev (14 or the version of your clang)");

/// Compiles an empty file as objects under test are compiled, and prints what comes of it.
const INSTRUMENTATION: &[&str] =
    &["-x", "c", "-S", "-o", "-", "-fsanitize=thread", "-fsanitize-coverage=trace-pc", "/dev/null"];

/// Shows how a target of libFuzzer would be linked.
const FUZZER_LINK: &[&str] = &["-###", "-fsanitize=fuzzer", "-x", "c", "/dev/null"];

/// A program that is worth having.
const fn tool(program: &'static str, purpose: &'static str, from: Origin) -> Tool {
    Tool { name: program, purpose, program, proof: Proof::Runs, from, is_needed: false }
}

const TOOLS: [Tool; 10] = [
    Tool {
        proof: Proof::Accepts(INSTRUMENTATION),
        is_needed: true,
        ..tool("gcc", "C files", Package("gcc"))
    },
    tool("clang", "C files with --cc clang", Package("clang")),
    tool("cargo", "Rust tests", RUST),
    tool("arm-none-eabi-gcc", "Cortex-M", Package("gcc-arm-none-eabi")),
    tool("qemu-system-arm", "Cortex-M without a board", Package("qemu-system-arm")),
    tool("riscv64-unknown-elf-gcc", "RISC-V", Package("gcc-riscv64-unknown-elf")),
    tool("qemu-system-riscv32", "RISC-V without a board", Package("qemu-system-misc")),
    tool("afl-fuzz", "campaigns", Package("afl++")),
    Tool {
        name: "libFuzzer",
        proof: Proof::Links(FUZZER_LINK),
        ..tool("clang", "campaigns with --engine libfuzzer and --oss-fuzz", FUZZER)
    },
    tool("cbmc", "proofs", Package("cbmc")),
];

/// What was found out of a tool.
enum State {
    /// It is there: the first line of its version.
    Works(String),
    Missing,
    /// It is there, and cannot do what it must.
    Unable,
}

pub(crate) fn doctor() -> u8 {
    let mut text = String::new();
    let mut is_ready = true;
    let _ = writeln!(text, "stairway {}", env!("CARGO_PKG_VERSION"));
    match stairway_sandbox::tier() {
        Ok(tier) => line(&mut text, "ok", "sandbox", &format!("contained by {}", tier.word())),
        Err(error) => {
            is_ready = false;
            line(&mut text, "FAILS", "sandbox", &format!("{error}; --unconfined works without it"));
        }
    }
    for tool in &TOOLS {
        is_ready &= show(&mut text, tool, &look(tool));
    }
    text.push_str(if is_ready {
        "\nC files can be tested here: stairway test file.c\n"
    } else {
        "\nC files cannot be tested here yet. Rust tests need cargo alone.\n"
    });
    print(&text);
    if is_ready { PASSED } else { BAD_INPUT }
}

/// Writes what was found; whether that is enough.
fn show(text: &mut String, tool: &Tool, state: &State) -> bool {
    let Tool { name, purpose, from, is_needed, .. } = tool;
    match state {
        State::Works(version) => line(text, "ok", name, version),
        State::Missing => {
            let word = if *is_needed { "MISSING" } else { "-" };
            let from = match from {
                Package(package) => format!("sudo apt-get install {package}"),
                Elsewhere(words) => (*words).to_string(),
            };
            line(text, word, name, &format!("for {purpose}: {from}"));
        }
        State::Unable => {
            line(text, "FAILS", name, "cannot instrument: accesses of memory would not be checked");
        }
    }
    matches!(state, State::Works(_)) || !is_needed
}

fn line(text: &mut String, word: &str, what: &str, more: &str) {
    let _ = writeln!(text, "  {word:8} {what:24} {more}");
}

fn look(tool: &Tool) -> State {
    // AFL has no option that only says its version, and every tool here says something at once.
    let asked = if tool.program == "afl-fuzz" { "-h" } else { "--version" };
    let Ok(output) = Command::new(tool.program).arg(asked).output() else { return State::Missing };
    let run = |flags: &[&str]| Command::new(tool.program).args(flags).output();
    match tool.proof {
        Proof::Runs => {}
        Proof::Accepts(flags) if run(flags).is_ok_and(|output| output.status.success()) => {}
        Proof::Links(flags) if run(flags).is_ok_and(|output| has_libraries(&output.stderr)) => {}
        Proof::Accepts(_) => return State::Unable,
        Proof::Links(_) => return State::Missing,
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    State::Works(without_colour(line).trim().to_string())
}

/// Whether the libraries exist that a compiler names by their whole paths, of which there is at least one.
fn has_libraries(command: &[u8]) -> bool {
    let command = String::from_utf8_lossy(command);
    let mut libraries =
        command.split('"').filter(|word| word.starts_with('/') && word.ends_with(".a")).peekable();
    libraries.peek().is_some() && libraries.all(|library| std::path::Path::new(library).exists())
}

/// A line without the sequences that colour it, which some programs write for files too.
fn without_colour(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_no_colours() {
        assert_eq!(
            without_colour("\x1b[0;36mafl-fuzz++4.04c\x1b[0m based on m"),
            "afl-fuzz++4.04c based on m"
        );
        assert_eq!(without_colour("gcc 12"), "gcc 12");
    }

    #[test]
    fn libraries_are_looked_for() {
        assert!(!has_libraries(b"\"ld\" \"/nowhere/libfuzzer.a\""));
        assert!(!has_libraries(b"\"ld\" \"-lc\""));
    }
}
