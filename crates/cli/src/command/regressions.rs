//! `stairway regressions`: which stored failures there are, which of them still fail, and which belong to
//! nothing any more.
//!
//! Failures of C files are replayed by this very command, started again with the words that found them, where
//! it was started then: in the folder that holds the folder of stored failures. Those of Rust tests are replayed by
//! `cargo test`, so all that is found out here is whether the test's name is still anywhere in the sources.

use super::arguments::{Arguments, Command as Subcommands, quoted, words_of};
use super::{BAD_INPUT, PASSED, config, print};
use clap::Parser;
use clap::{Args, Subcommand};
use stairway::report::{StoredFailure, StoredFile};
use stairway_c::report::CHOICES;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Which failures, and what to do with them.
#[derive(Debug, Args)]
pub(crate) struct RegressionsArguments {
    /// Folder with the stored failures
    #[arg(long, value_name = "DIR", default_value = "stairway-regressions", global = true)]
    folder: PathBuf,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List all failures, and whether they still fail (the default)
    List,
    /// Print a failure as it is stored: a file's name or a part of it
    Show {
        /// Name of the file or property, or a part of it
        name: String,
    },
    /// Delete failures whose test is gone or that no longer fit
    Prune {
        /// Also delete those that no longer fail
        #[arg(long)]
        passing: bool,
    },
    /// Copy the failures of another folder, for example one that CI has kept
    Accept {
        /// The other folder
        from: PathBuf,
    },
}

/// What has become of a stored failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    StillFails,
    Passes,
    /// Its choices mean nothing any more.
    Unfit,
    /// What it belongs to is gone.
    Orphan,
    /// A test of a crate: `cargo test` knows.
    OfCargo,
    /// It could not be run, for a reason that is not its own: the code does not compile here, for example.
    Unknown,
}

impl Status {
    const fn words(self) -> &'static str {
        match self {
            Status::StillFails => "still fails",
            Status::Passes => "passes now; kept as a guard",
            Status::Unfit => "no longer fits: the file or its contracts have changed",
            Status::Orphan => "ORPHAN: what it belongs to is gone",
            Status::OfCargo => "replayed by cargo test",
            Status::Unknown => "could not be run here; kept",
        }
    }
}

pub(crate) fn regressions(arguments: &RegressionsArguments) -> u8 {
    let folder = &arguments.folder;
    let files = match StoredFile::all(folder) {
        Ok(files) => files,
        Err(error) => return refused(&format!("`{}` cannot be read: {error}", folder.display())),
    };
    let done = match &arguments.action {
        None | Some(Action::List) => Ok(list(folder, &files)),
        Some(Action::Show { name }) => show(&files, name),
        Some(Action::Prune { passing }) => prune(folder, &files, *passing),
        Some(Action::Accept { from }) => accept(from, folder),
    };
    match done {
        Ok(text) => {
            print(&text);
            PASSED
        }
        Err(why) => refused(&why),
    }
}

fn refused(why: &str) -> u8 {
    eprintln!("{why}");
    BAD_INPUT
}

fn list(folder: &Path, files: &[StoredFile]) -> String {
    if files.is_empty() {
        return format!("no stored failures in {}\n", folder.display());
    }
    let mut text = String::new();
    for file in files {
        let _ = writeln!(text, "{} ({})", file.name, file.path.display());
        for failure in &file.failures {
            let options = match &*failure.options {
                "" => String::new(),
                options => format!(", stored with {options}"),
            };
            let _ =
                writeln!(text, "  {}: {}{options}", failure.identity, status(folder, file, failure).words());
        }
        for warning in &file.warnings {
            let _ = writeln!(text, "  note: {warning}");
        }
    }
    text
}

fn show(files: &[StoredFile], name: &str) -> Result<String, String> {
    let is_meant =
        |file: &&StoredFile| file.name.contains(name) || file.path.display().to_string().contains(name);
    let found: Vec<&StoredFile> = files.iter().filter(is_meant).collect();
    if found.is_empty() {
        return Err(format!("no stored failure belongs to `{name}`; `stairway regressions list` names all"));
    }
    let mut text = String::new();
    for file in found {
        for failure in &file.failures {
            let _ = writeln!(
                text,
                "{}\n\n{}\nreplay: {}\n",
                file.name,
                failure.text.trim_end(),
                replay(file, failure)
            );
        }
    }
    Ok(text)
}

fn prune(folder: &Path, files: &[StoredFile], is_passing: bool) -> Result<String, String> {
    let mut text = String::new();
    for file in files {
        let is_unwanted = |failure: &&StoredFailure| match status(folder, file, failure) {
            Status::Orphan | Status::Unfit => true,
            Status::Passes => is_passing,
            _ => false,
        };
        // A failure that is replayed is stored again, so all of them are replayed before the file is locked.
        let unwanted: Vec<&StoredFailure> = file.failures.iter().filter(is_unwanted).collect();
        let removed =
            file.remove(|failure| unwanted.contains(&failure)).map_err(|error| error.to_string())?;
        if removed > 0 {
            let _ = writeln!(text, "{}: {removed} deleted", file.path.display());
        }
    }
    Ok(if text.is_empty() { "nothing to delete\n".to_string() } else { text })
}

fn accept(from: &Path, into: &Path) -> Result<String, String> {
    if !from.is_dir() {
        return Err(format!(
            "`{}` is no folder; name the one that holds the failures to take over",
            from.display()
        ));
    }
    let files =
        StoredFile::all(from).map_err(|error| format!("`{}` cannot be read: {error}", from.display()))?;
    let mut text = String::new();
    for file in &files {
        let n = file.merge_into(into).map_err(|error| error.to_string())?;
        let _ = writeln!(text, "{}: {n} new", file.name);
    }
    Ok(if text.is_empty() { format!("no stored failures in {}\n", from.display()) } else { text })
}

/// The C file that failures belong to, if it is one.
fn c_file(file: &StoredFile) -> Option<&Path> {
    let name = stairway_c::hunt::subject_of_stored(&file.name);
    Some(Path::new(name)).filter(|path| path.extension().is_some_and(|end| end == "c"))
}

/// The command that replays a failure.
fn replay(file: &StoredFile, failure: &StoredFailure) -> String {
    match c_file(file) {
        Some(path) => words(path, failure).iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        None => "cargo test replays it first".to_string(),
    }
}

fn status(folder: &Path, file: &StoredFile, failure: &StoredFailure) -> Status {
    match c_file(file) {
        Some(path) if !beside(folder).join(path).exists() => Status::Orphan,
        Some(path) => run(beside(folder), &words(path, failure)),
        None if is_mentioned(folder, &file.name) => Status::OfCargo,
        None => Status::Orphan,
    }
}

/// The words of the command that replays a failure of a C file. Entries without a command are of versions that
/// stored none.
fn words(path: &Path, failure: &StoredFailure) -> Vec<String> {
    let mut words = words_of(&failure.command);
    if words.is_empty() {
        words.extend(["stairway".to_string(), "test".to_string(), path.display().to_string()]);
        words.extend(failure.options.split_whitespace().map(String::from));
        words.extend(["--replay".to_string(), CHOICES.to_string()]);
    }
    // The option's own word is the last of that name before the compiler's flags.
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    if let Some(choices) = words[..end].iter_mut().rfind(|word| *word == CHOICES) {
        choices.clone_from(&failure.choices);
    }
    words
}

/// Where the command ran that stored failures in a folder.
fn beside(folder: &Path) -> &Path {
    folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn run(folder: &Path, words: &[String]) -> Status {
    let extra = ["--no-shrink", "--quiet"].map(String::from);
    let (test, rest) = words[1..].split_at(1.min(words.len() - 1));
    match exit_code(folder, &[test, &extra, rest].concat()) {
        Some(0) => Status::Passes,
        Some(1) => Status::StillFails,
        // A function that is named is gone, or the choices do not fit; unless it is something before them that is wrong.
        Some(64 | 65) if can_run(folder, words) => Status::Unfit,
        _ => Status::Unknown,
    }
}

/// Whether there is a sandbox, and the code compiles.
fn can_run(folder: &Path, words: &[String]) -> bool {
    let all = config::with_files(words.to_vec(), folder).ok().map(Arguments::try_parse_from);
    let Some(Ok(Arguments { command: Subcommands::Test(test) })) = all else { return false };
    stairway_sandbox::tier().is_ok() && exit_code(folder, &test.common.check()) == Some(0)
}

/// How this command ends for other arguments, in a folder.
fn exit_code(folder: &Path, words: &[String]) -> Option<i32> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    let silent = command.args(words).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    silent.status().ok()?.code()
}

/// How deep folders with sources are looked through.
const MAX_DEPTH: usize = 12;

/// Whether the last name of a property is a word in any Rust file beside the folder. If it is not, there is
/// no such test.
fn is_mentioned(folder: &Path, name: &str) -> bool {
    let word = name.rsplit("::").next().unwrap_or(name);
    is_in_folder(beside(folder), word, MAX_DEPTH)
}

fn is_in_folder(folder: &Path, word: &str, depth: usize) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let is_wanted = |name: &str| !name.starts_with('.') && name != "target";
    entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_wanted)).any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return depth > 0 && is_in_folder(&path, word, depth - 1);
        }
        path.extension().is_some_and(|end| end == "rs")
            && std::fs::read_to_string(path).is_ok_and(|text| has_word(&text, word))
    })
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|other| other == word)
}
