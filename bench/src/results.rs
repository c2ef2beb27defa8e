//! `RESULTS.md`: one part a section, each with the machine, the versions and the command that
//! gave it. Running a section replaces its part and leaves the others alone.

use crate::findings::Findings;
use std::fmt::Write;
use std::process::Command;

pub(crate) const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");

const HEAD: &str = "# Results\n\nWritten by `cargo xtask bench`; do not edit. Machines differ and are noisy: trust counts and ratios.\n";
const PACKAGES: [&str; 5] = ["stairway", "quickcheck", "proptest", "proptest-state-machine", "hegeltest"];

/// Writes the part called `section`.
pub(crate) fn write(section: &str, findings: &Findings) -> std::io::Result<()> {
    let old = std::fs::read_to_string(PATH).unwrap_or_default();
    let mut parts: Vec<(String, String)> = old.split("\n## ").skip(1).filter_map(named).collect();
    let text = part(section, findings);
    match parts.iter_mut().find(|(name, _)| name == section) {
        Some((_, old)) => *old = text,
        None => parts.push((section.to_string(), text)),
    }
    let parts: String = parts.iter().map(|(_, text)| format!("\n## {}\n", text.trim_end())).collect();
    std::fs::write(PATH, format!("{HEAD}{parts}"))
}

fn named(part: &str) -> Option<(String, String)> {
    Some((part.lines().next()?.to_string(), part.to_string()))
}

fn part(section: &str, findings: &Findings) -> String {
    let mut text = format!("{section}\n\n");
    let profile = if cfg!(debug_assertions) { "" } else { "--release " };
    let lines = [
        format!("`cargo run {profile}-- {section}` in `bench/`, or `cargo xtask bench {section}`"),
        format!("{}, {}", said_by("date", &["-u", "+%Y-%m-%d %H:%M UTC"]), machine()),
        format!("{}; {}", said_by("rustc", &["--version"]), PACKAGES.map(versioned).join(", ")),
    ];
    for line in lines {
        let _ = writeln!(text, "- {line}");
    }
    let with_goals = findings.figures.iter().filter(|figure| figure.goal.is_some());
    let unmet: Vec<_> = with_goals.clone().filter(|figure| !figure.is_met()).collect();
    let n = with_goals.count();
    let _ = writeln!(text, "- {} of {n} goals met\n", n - unmet.len());
    for figure in unmet {
        let _ = writeln!(text, "Not met: {figure}.\n");
    }
    for table in &findings.tables {
        let _ = writeln!(text, "{table}");
    }
    text
}

fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let n = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{n} cores of {}", model.map_or("an unknown processor", |(_, name)| name))
}

/// A package and its version, as locked.
fn versioned(package: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let after = lock.split(&format!("name = \"{package}\"\nversion = \"")).nth(1);
    format!("{package} {}", after.and_then(|rest| rest.split('"').next()).unwrap_or("?"))
}

fn said_by(program: &str, arguments: &[&str]) -> String {
    let said = Command::new(program).args(arguments).output();
    said.map_or_else(|_| "?".to_string(), |said| String::from_utf8_lossy(&said.stdout).trim().to_string())
}
