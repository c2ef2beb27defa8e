//! `cargo xtask cn-tutorial DIR`: every annotated file of CN's public tutorial, run as it is.
//!
//! For developers who look at what a change does to files that were written for CN. Receives a checkout of
//! `rems-project/cn-tutorial`, which is no part of this project; writes `bench/CN-TUTORIAL.md`: for each file
//! what CN's authors say of it, what Stairway says, and why. Alarms and refusals of files that CN accepts
//! need a reason in `bench/cn-tutorial-reasons.txt`; without one the command fails.

use crate::steps::root;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "usage: cargo xtask cn-tutorial DIR [--with=PROGRAM] [--calls=N] [--filter=TEXT]";
const HEADER: &str = "\
# The files of CN's tutorial

Written by `cargo xtask cn-tutorial DIR` over a checkout of the public `rems-project/cn-tutorial`; nothing of it is kept here. Each file is run as it is, with
`stairway test FILE` and a fixed seed. *CN* is what its authors say by the file's place or name: files under `broken`, `should-fail` or `inprogress` and
those called `*.broken.c` or `*.partial.c` are not meant to pass.
";

/// What came of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Passed,
    NothingToCall,
    Alarm,
    Refused,
    Timeout,
    Internal,
}

impl Verdict {
    const fn word(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::NothingToCall => "nothing to call",
            Verdict::Alarm => "alarm",
            Verdict::Refused => "refused",
            Verdict::Timeout => "timeout",
            Verdict::Internal => "internal error",
        }
    }
}

struct Row {
    file: String,
    is_accepted: bool,
    verdict: Verdict,
    why: String,
}

/// Runs every annotated file and writes the table.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let option = |name: &str| arguments.iter().find_map(|word| word.strip_prefix(name).map(String::from));
    let mut folders = arguments.iter().filter(|word| !word.starts_with("--"));
    let (Some(folder), None) = (folders.next(), folders.next()) else { return Err(USAGE.to_string()) };
    let folder = Path::new(folder).canonicalize().map_err(|e| format!("{folder}: {e}"))?;
    let filter = option("--filter=").unwrap_or_default();
    let calls = option("--calls=").unwrap_or_else(|| "3000".to_string());
    let program = match option("--with=") {
        Some(program) => PathBuf::from(program),
        None => build()?,
    };
    let reasons = reasons()?;
    let mut files = Vec::new();
    annotated(&folder, &mut files).map_err(|e| format!("{}: {e}", folder.display()))?;
    files.sort();
    let mut rows = Vec::new();
    for path in files {
        let file = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        if !file.contains(&filter) {
            continue;
        }
        let (verdict, why) = judge(&program, &folder, &file, &calls)?;
        println!("{:16} {file}", verdict.word());
        rows.push(Row { is_accepted: is_accepted(&file), file, verdict, why });
    }
    if filter.is_empty() {
        let to = root().join("bench/CN-TUTORIAL.md");
        std::fs::write(&to, table(&rows, &reasons)).map_err(|e| format!("{}: {e}", to.display()))?;
        println!("wrote {}", to.display());
    }
    let open: Vec<&str> = rows
        .iter()
        .filter(|row| needs_reason(row) && !reasons.contains_key(&row.file))
        .map(|row| &*row.file)
        .collect();
    match open.is_empty() {
        true => Ok(()),
        false => Err(format!("without a reason in bench/cn-tutorial-reasons.txt:\n  {}", open.join("\n  "))),
    }
}

/// The command as it is built for users.
fn build() -> Result<PathBuf, String> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "stairway-cli"])
        .current_dir(root())
        .status();
    match status.is_ok_and(|status| status.success()) {
        true => Ok(root().join("target/release/stairway")),
        false => Err("the command cannot be built".to_string()),
    }
}

/// C files with a spec in them, in all folders.
fn annotated(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            annotated(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "c")
            && String::from_utf8_lossy(&std::fs::read(&path)?).contains("/*@")
        {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a file is meant to pass.
fn is_accepted(file: &str) -> bool {
    let is_not_meant = |part: &str| matches!(part, "broken" | "should-fail" | "inprogress" | "broken-export");
    !file.split('/').any(is_not_meant) && !file.contains(".broken") && !file.contains(".partial")
}

fn needs_reason(row: &Row) -> bool {
    row.is_accepted && !matches!(row.verdict, Verdict::Passed | Verdict::NothingToCall)
}

/// Runs one file. Its own folder of failures is taken away first: what an earlier version found is no matter
/// here.
fn judge(program: &Path, folder: &Path, file: &str, calls: &str) -> Result<(Verdict, String), String> {
    let _ = std::fs::remove_dir_all(folder.join("stairway-regressions"));
    let ran = Command::new("timeout")
        .arg("300")
        .arg(program)
        .args(["test", file, "--json", "--quiet", "--seed=1", "--no-shrink"])
        .arg(format!("--calls={calls}"))
        .current_dir(folder)
        .output()
        .map_err(|e| format!("timeout {}: {e}", program.display()))?;
    let json: Json = serde_json::from_slice(ran.stdout.trim_ascii()).unwrap_or_default();
    let text = |json: &Json| json.as_str().unwrap_or_default().to_string();
    let message = [&json["failure"]["message"], &json["error"]["message"]].map(text).concat();
    let functions = json["functions"].as_array();
    Ok(match ran.status.code() {
        Some(0) => (Verdict::Passed, String::new()),
        Some(1) => (Verdict::Alarm, message),
        Some(65) if is_read(program, folder, file) => (Verdict::NothingToCall, String::new()),
        Some(65) => (Verdict::Refused, message),
        Some(124) => (Verdict::Timeout, String::new()),
        Some(_) if functions.is_some() => (Verdict::Passed, "some functions were never called".to_string()),
        code => (Verdict::Internal, format!("ended with {code:?}: {message}")),
    })
}

/// Whether the contracts of a file are read without an error.
fn is_read(program: &Path, folder: &Path, file: &str) -> bool {
    let ran = Command::new(program).args(["check", file]).current_dir(folder).output();
    ran.is_ok_and(|ran| ran.status.success())
}

/// Why what is not as CN's authors say stays so: `FILE: REASON` on each line.
fn reasons() -> Result<BTreeMap<String, String>, String> {
    let path = root().join("bench/cn-tutorial-reasons.txt");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let line = |line: &str| line.split_once(": ").map(|(file, why)| (file.to_string(), why.to_string()));
    Ok(text.lines().filter_map(line).collect())
}

fn table(rows: &[Row], reasons: &BTreeMap<String, String>) -> String {
    let mut text = String::from(HEADER);
    text.push_str("\n| | CN accepts | CN rejects |\n|---|---|---|\n");
    let mut counts: BTreeMap<Verdict, [usize; 2]> = BTreeMap::new();
    for row in rows {
        counts.entry(row.verdict).or_default()[usize::from(!row.is_accepted)] += 1;
    }
    for (verdict, [accepted, rejected]) in counts {
        let _ = writeln!(text, "| {} | {accepted} | {rejected} |", verdict.word());
    }
    text.push_str("\n| file | CN | Stairway | why |\n|---|---|---|---|\n");
    for row in rows {
        let first = row.why.lines().next().unwrap_or_default().replace('|', "\\|");
        let reason = reasons.get(&row.file).map(|why| format!("{first}: {why}"));
        let why = match reason {
            Some(reason) => reason,
            None if needs_reason(row) => format!("{first}: **unexplained**"),
            None => first,
        };
        let cn = if row.is_accepted { "accepts" } else { "rejects" };
        let _ = writeln!(text, "| {} | {cn} | {} | {why} |", row.file, row.verdict.word());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_file_says_what_its_authors_expect() {
        assert!(is_accepted("src/exercises/list/append.c"));
        assert!(!is_accepted("src/exercises/read.broken.c"));
        assert!(!is_accepted("src/example-archive/SAW/broken/error-cerberus/00001.swap.c"));
    }

    #[test]
    fn an_alarm_without_a_reason_is_named_in_the_table() {
        let row = |file: &str, verdict| Row {
            file: file.into(),
            is_accepted: true,
            verdict,
            why: "x | y\nz".into(),
        };
        let rows = [row("a.c", Verdict::Alarm), row("b.c", Verdict::Alarm)];
        let reasons = BTreeMap::from([("a.c".to_string(), "a bug of theirs".to_string())]);
        let text = table(&rows, &reasons);
        assert!(text.contains("| a.c | accepts | alarm | x \\| y: a bug of theirs |"), "{text}");
        assert!(text.contains("| b.c | accepts | alarm | x \\| y: **unexplained** |"), "{text}");
        assert!(text.contains("| alarm | 2 | 0 |"), "{text}");
    }
}
