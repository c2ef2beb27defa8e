//! The page on C, the tutorial, the front page and the page for those who come from CN: every C file in them is
//! run through the command, and every report shown is compared with the real one.
//! `UPDATE_BOOK=1 cargo test -p stairway-cli --test book` writes the reports anew.

mod pasted;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .and_then(Path::parent)
        .expect("the crate is two folders deep")
}

/// A page while it is read.
struct Reader {
    folder: tempfile::TempDir,
    /// The command that the next output is of.
    command: Option<String>,
    written: Vec<String>,
}

impl Reader {
    fn run(&self) -> String {
        let command = self.command.as_deref().expect("a file or a command stands before each output");
        let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
        let output = Command::new(env!("CARGO_BIN_EXE_stairway"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("the command runs");
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&text).trim_end().to_string()
    }
}

impl Reader {
    /// Makes a file of another one, as the page does.
    fn edit(&self, arguments: &str) {
        let sed = format!("sed {arguments}");
        let status = Command::new("sh").args(["-c", &sed]).current_dir(self.folder.path()).status();
        assert!(status.is_ok_and(|status| status.success()), "{sed}");
    }
}

/// The page with the outputs as they are now.
fn up_to_date(page: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let examples = folder.path().join("examples");
    std::fs::create_dir(&examples).expect("the folder can be written");
    let all = std::fs::read_dir(root().join("examples")).expect("there are examples").flatten();
    for example in all.filter(|example| example.path().extension().is_some_and(|end| end == "c")) {
        std::fs::copy(example.path(), examples.join(example.file_name())).expect("the folder can be written");
    }
    let mut reader = Reader { folder, command: None, written: Vec::new() };
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        reader.written.push(line.to_string());
        let command = line.strip_prefix("$ stairway ").or(line.strip_prefix("$ cargo run --release -- "));
        if let Some(command) = command {
            reader.command = Some(format!("stairway {command}"));
        } else if let Some(arguments) = line.strip_prefix("$ sed ").filter(|rest| rest.contains(".c ")) {
            reader.edit(arguments);
        } else if let Some(name) = marked(line, "file") {
            reader.written.extend(lines.next().map(str::to_string));
            let mut text = String::new();
            for line in lines.by_ref() {
                reader.written.push(line.to_string());
                if line == "```" {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            std::fs::write(reader.folder.path().join(name), text).expect("the folder can be written");
            reader.command = Some(format!("stairway test {name}"));
        } else if marked(line, "output").is_some() {
            if lines.peek().is_some_and(|next| next.starts_with("```text")) {
                let _ = lines.by_ref().skip(1).find(|line| *line == "```");
            }
            let shown = reader.run();
            reader.written.push("```text".to_string());
            reader.written.extend(shown.lines().map(str::to_string));
            reader.written.push("```".to_string());
        }
    }
    reader.written.join("\n") + "\n"
}

/// What stands in `<!-- kind: it -->`.
fn marked<'l>(line: &'l str, kind: &str) -> Option<&'l str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(kind)?.strip_prefix(": ")
}

fn demand_up_to_date(page: &str) {
    let path: PathBuf = root().join(page);
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let now = up_to_date(&page);
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(&path, &now).expect("the page can be written");
        return;
    }
    for (shown, real) in page.lines().zip(now.lines()) {
        assert_eq!(
            shown, real,
            "the page is out of date: UPDATE_BOOK=1 cargo test -p stairway-cli --test book"
        );
    }
    assert_eq!(page.lines().count(), now.lines().count());
}

#[test]
fn what_the_page_on_c_shows_is_what_the_command_says() {
    demand_up_to_date("docs/c.md");
}

#[test]
fn what_those_who_come_from_cn_see_is_what_the_command_says() {
    demand_up_to_date("docs/coming-from.md");
}

#[test]
fn what_the_tutorial_shows_of_c_is_what_the_command_says() {
    demand_up_to_date("docs/tutorial.md");
}

#[test]
fn what_the_front_page_shows_of_c_is_what_the_command_says() {
    demand_up_to_date("README.md");
}
