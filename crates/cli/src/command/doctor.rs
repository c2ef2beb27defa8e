//! `stairway doctor`: what is there, what is missing, and the command that installs it.

use super::{BAD_INPUT, PASSED, print};
use std::fmt::Write as _;
use std::process::Command;

/// Something that Stairway uses.
struct Tool {
    /// What it is for.
    purpose: &'static str,
    /// The program; it is asked for its version.
    program: &'static str,
    /// What it must be able to do, if being there is not enough.
    ability: Option<&'static [&'static str]>,
    from: Origin,
    is_needed: bool,
}

/// Where a tool comes from.
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

/// Compiles an empty file as objects under test are compiled.
const INSTRUMENTATION: &[&str] =
    &["-x", "c", "-c", "-o", "/dev/null", "-fsanitize=thread", "-fsanitize-coverage=trace-pc", "/dev/null"];

const TOOLS: [Tool; 9] = [
    Tool {
        purpose: "C files",
        program: "gcc",
        ability: Some(INSTRUMENTATION),
        from: Package("gcc"),
        is_needed: true,
    },
    Tool {
        purpose: "C files with --cc clang",
        program: "clang",
        ability: None,
        from: Package("clang"),
        is_needed: false,
    },
    Tool { purpose: "Rust tests", program: "cargo", ability: None, from: RUST, is_needed: false },
    Tool {
        purpose: "Cortex-M",
        program: "arm-none-eabi-gcc",
        ability: None,
        from: Package("gcc-arm-none-eabi"),
        is_needed: false,
    },
    Tool {
        purpose: "Cortex-M without a board",
        program: "qemu-system-arm",
        ability: None,
        from: Package("qemu-system-arm"),
        is_needed: false,
    },
    Tool {
        purpose: "RISC-V",
        program: "riscv64-unknown-elf-gcc",
        ability: None,
        from: Package("gcc-riscv64-unknown-elf"),
        is_needed: false,
    },
    Tool {
        purpose: "RISC-V without a board",
        program: "qemu-system-riscv32",
        ability: None,
        from: Package("qemu-system-misc"),
        is_needed: false,
    },
    Tool {
        purpose: "campaigns",
        program: "afl-fuzz",
        ability: None,
        from: Package("afl++"),
        is_needed: false,
    },
    Tool { purpose: "proofs", program: "cbmc", ability: None, from: Package("cbmc"), is_needed: false },
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
    let Tool { purpose, program, from, is_needed, .. } = tool;
    match state {
        State::Works(version) => line(text, "ok", program, version),
        State::Missing => {
            let word = if *is_needed { "MISSING" } else { "-" };
            let from = match from {
                Package(package) => format!("sudo apt-get install {package}"),
                Elsewhere(words) => (*words).to_string(),
            };
            line(text, word, program, &format!("for {purpose}: {from}"));
        }
        State::Unable => {
            line(text, "FAILS", program, "cannot instrument: accesses of memory would not be checked");
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
    let is_able = |flags: &[&str]| {
        Command::new(tool.program).args(flags).output().is_ok_and(|output| output.status.success())
    };
    if !tool.ability.is_none_or(is_able) {
        return State::Unable;
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    State::Works(said.lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim().to_string())
}
