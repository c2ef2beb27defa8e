//! The README and the tutorial, followed by a reader with an empty folder: every command is run as it is written, every
//! file is pasted where the page puts it, and what the page shows must be what the commands print. So a snippet whose
//! install line lacks a dependency fails here, as it would for a reader.

use super::{marked, root};
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: [&str; 2] = ["README.md", "docs/tutorial.md"];

/// Commands that a reader runs once, in the clone; the folder that they name must exist.
const IN_THE_CLONE: [&str; 3] = ["git clone", "cargo install", "cargo run"];

/// The reader, somewhere in a page.
struct Session {
    folder: tempfile::TempDir,
    /// Where the reader is.
    at: PathBuf,
    /// What the last command printed, and whether it succeeded.
    last: Option<(String, bool)>,
}

impl Session {
    /// An empty folder beside a clone.
    fn new() -> Session {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::os::unix::fs::symlink(root(), folder.path().join("stairway")).expect("a link can be made");
        let at = folder.path().to_path_buf();
        Session { folder, at, last: None }
    }

    fn run(&mut self, line: &str) {
        if IN_THE_CLONE.iter().any(|start| line.starts_with(start)) {
            let folder = line.split_whitespace().skip_while(|word| *word != "--path").nth(1);
            assert!(folder.is_none_or(|folder| root().join(folder).exists()), "{line}");
            return;
        }
        self.settle(line);
        if let Some(folder) = line.strip_prefix("cd ") {
            self.at = self.at.join(folder);
            assert!(self.at.is_dir(), "{line}: there is no {}", self.at.display());
            return;
        }
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(&self.at)
            .env("PATH", path_with_the_command())
            .env("CARGO_NET_OFFLINE", "true")
            // The libraries that the workspace has built are those of a fresh crate, too.
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
            .env("CARGO_TERM_COLOR", "never")
            .env("NO_COLOR", "1")
            .env("RUST_BACKTRACE", "0")
            .env_remove("CARGO_MANIFEST_DIR")
            .output()
            .expect("there is a shell");
        let text = [output.stdout, output.stderr].concat();
        self.last = Some((String::from_utf8_lossy(&text).into_owned(), output.status.success()));
    }

    /// A command fails only where the page shows that it does.
    fn settle(&mut self, before: &str) {
        if let Some((text, is_success)) = self.last.take() {
            assert!(is_success, "the command before `{before}` fails, which the page does not show:\n{text}");
        }
    }

    fn paste(&self, path: &str, text: &str) {
        // A file of a crate is named with it; any other is where the reader is.
        let path = if path.contains('/') { self.folder.path().join(path) } else { self.at.join(path) };
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be written");
        std::fs::write(&path, text).expect("the folder can be written");
    }

    fn demand(&mut self, shown: &str) {
        let (text, _) = self.last.take().unwrap_or_else(|| panic!("nothing was run before\n{shown}"));
        // The pages are made from runs without a past; the tutorial mentions this line.
        let text = text.replace("a stored failure was replayed and no longer fails\n", "");
        assert!(text.contains(shown.trim_end()), "the page shows\n{shown}\nand the command says\n{text}");
    }
}

fn path_with_the_command() -> std::ffi::OsString {
    let command = Path::new(env!("CARGO_BIN_EXE_stairway")).parent().expect("a folder").to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([command].into_iter().chain(std::env::split_paths(&others))).expect("a path")
}

/// The target folder that this test was built in.
fn target() -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    test.ancestors().nth(3).expect("it is in target/debug/deps").to_path_buf()
}

/// A piece of a page.
#[derive(Debug)]
enum Piece {
    Command(String),
    File { path: String, text: String, before: String },
    Output(String),
}

/// What a reader does with a page, in order.
fn pieces(page: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut file, mut is_output, mut paragraph) = (None, false, String::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = marked(line, "paste").or(marked(line, "file")) {
            file = Some(path.to_string());
        } else if ["report", "output", "stored"].iter().any(|kind| marked(line, kind).is_some()) {
            is_output = true;
        } else if let Some(language) = line.strip_prefix("```") {
            let text: String =
                lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            if language == "console" {
                let commands = text.lines().filter_map(|line| line.strip_prefix("$ "));
                pieces.extend(commands.map(|line| Piece::Command(line.to_string())));
            } else if let Some(path) = file.take() {
                pieces.push(Piece::File { path, text, before: std::mem::take(&mut paragraph) });
            } else if std::mem::take(&mut is_output) {
                pieces.push(Piece::Output(text));
            } else {
                assert!(!language.starts_with("rust"), "a block of Rust goes into no file:\n{text}");
            }
            paragraph.clear();
        } else if !line.is_empty() {
            paragraph.push_str(line);
        }
    }
    pieces
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("the page is there")
}

#[test]
fn every_block_says_which_file_it_goes_into() {
    for name in PAGES {
        for piece in pieces(&page(name)) {
            let Piece::File { path, before, .. } = piece else { continue };
            let file = path.split_once('/').map_or(&*path, |(_, inside)| inside);
            assert!(
                before.contains(&format!("`{file}`")),
                "{name} does not say that a block is {file}: {before}"
            );
        }
    }
}

#[test]
fn the_front_page_is_short() {
    assert!(page("README.md").len() <= 7 << 10);
}

#[test]
#[ignore = "builds a crate for each example: `cargo xtask test --full`"]
fn a_reader_with_an_empty_folder_sees_what_the_pages_show() {
    for name in PAGES {
        let mut session = Session::new();
        for piece in pieces(&page(name)) {
            match piece {
                Piece::Command(line) => session.run(&line),
                Piece::File { path, text, .. } => session.paste(&path, &text),
                Piece::Output(shown) => session.demand(&shown),
            }
        }
        session.settle("the end");
    }
}
