//! `stairway report`: pages to look at, from the JSON lines of a run or the JSON of `stairway test`.
//!
//! A page is one file that needs no other and no network. What it shows is what the lines say; nothing is
//! decided here.

mod data;
mod drawing;
mod html;
mod source;

use super::{BAD_INPUT, PASSED, print};
use clap::Args;
use data::Run;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What to show.
#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// A file of JSON lines, or a folder of such files: what STAIRWAY_REPORT named, or the output of --json
    input: PathBuf,
    /// Where the page goes, or the folder for the pages [default: next to the input]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub(crate) fn report(arguments: &ReportArguments) -> u8 {
    let done = match arguments.input.is_dir() {
        true => folder(&arguments.input, arguments.output.as_deref().unwrap_or(&arguments.input)),
        false => file(&arguments.input, arguments.output.clone()),
    };
    match done {
        Ok(text) => {
            print(&text);
            PASSED
        }
        Err(why) => {
            eprintln!("{why}");
            BAD_INPUT
        }
    }
}

/// The runs that a file tells of.
fn runs(path: &Path) -> Result<Vec<Run>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read `{}` ({error}); check the path", path.display()))?;
    data::runs(&text).map_err(|why| format!("`{}`: {why}", path.display()))
}

fn write(path: &Path, page: &str) -> Result<(), String> {
    std::fs::write(path, page).map_err(|error| {
        format!("`{}` cannot be written ({error}); choose another place with --output", path.display())
    })
}

fn file(input: &Path, output: Option<PathBuf>) -> Result<String, String> {
    let runs = runs(input)?;
    if runs.is_empty() {
        return Err(format!(
            "`{}` tells of no run; write one with STAIRWAY_REPORT or --json",
            input.display()
        ));
    }
    let output = output.unwrap_or_else(|| input.with_extension("html"));
    write(&output, &html::page(&runs))?;
    Ok(format!("wrote {}\n", output.display()))
}

/// A page for each file of a folder, and one that leads to them.
fn folder(input: &Path, output: &Path) -> Result<String, String> {
    let entries =
        std::fs::read_dir(input).map_err(|error| format!("cannot read `{}` ({error})", input.display()))?;
    let is_wanted = |path: &PathBuf| path.extension().is_some_and(|end| end == "jsonl" || end == "json");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_wanted).collect();
    paths.sort();
    if paths.is_empty() {
        return Err(format!(
            "there are no files of JSON lines in `{}`; write some with STAIRWAY_REPORT={}/",
            input.display(),
            input.display()
        ));
    }
    std::fs::create_dir_all(output)
        .map_err(|error| format!("`{}` cannot be made: {error}", output.display()))?;
    let mut pages = Vec::new();
    let mut text = String::new();
    for path in &paths {
        let runs = runs(path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}.html");
        write(&output.join(&name), &html::page(&runs))?;
        pages.push((name, runs));
    }
    let index = output.join("index.html");
    write(&index, &html::index(&pages))?;
    let _ = writeln!(text, "wrote {} and {} more", index.display(), pages.len());
    Ok(text)
}
