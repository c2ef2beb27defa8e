//! Settings from files: `stairway.toml`, and `[package.metadata.stairway]` of a `Cargo.toml`, in the folder
//! in which the command runs.
//!
//! A file says what the command line could say, by the same names, so it becomes words of the command line,
//! before those that were typed. What a setting means is decided in one place, by the arguments.

use super::arguments::Arguments;
use clap::CommandFactory;
use std::path::Path;
use toml_edit::{DocumentMut, Item, Value};

/// Files that may hold settings, and where in them a command's table is; the last one wins.
const FILES: [(&str, &[&str]); 2] =
    [("Cargo.toml", &["package", "metadata", "stairway"]), ("stairway.toml", &[])];

/// Options that have no long name on the command line.
const SHORT: [(&str, &str); 2] = [("include", "-I"), ("define", "-D")];

/// The words of a command line with what files say for its command put before them.
pub(crate) fn with_files(mut words: Vec<String>, folder: &Path) -> Result<Vec<String>, String> {
    // A campaign is a test in which somebody else searches.
    let command = match words.get(1).map(|word| &**word) {
        Some("test" | "fuzz") => "test".to_string(),
        Some("check") => "check".to_string(),
        _ => return Ok(words),
    };
    let mut said = ConfigSettings::default();
    for (name, path) in FILES {
        let Ok(text) = std::fs::read_to_string(folder.join(name)) else { continue };
        let document: DocumentMut = match text.parse() {
            Ok(document) => document,
            // Others complain of a package's file, and know better what is wrong.
            Err(_) if name == "Cargo.toml" => continue,
            Err(error) => return Err(format!("{name}: {error}")),
        };
        let table = path.iter().try_fold(document.as_item(), |item, key| item.get(key));
        let Some(table) = table else { continue };
        check_tables(name, table)?;
        if let Some(table) = table.get(&command) {
            said.read(name, &command, table)?;
        }
    }
    words.splice(2..2, said.options);
    if !said.flags.is_empty() {
        if !words.contains(&"--".to_string()) {
            words.push("--".to_string());
        }
        words.extend(said.flags);
    }
    Ok(words)
}

/// Refuses tables that no command reads: a misspelt one would be ignored.
fn check_tables(file: &str, all: &Item) -> Result<(), String> {
    let tables = all.as_table_like().into_iter().flat_map(|table| table.iter());
    for (name, _) in tables {
        if !["test", "check"].contains(&name) {
            return Err(format!(
                "{file}: there is no table `{name}`; settings are in `[test]` and `[check]`"
            ));
        }
    }
    Ok(())
}

/// What files say.
#[derive(Default)]
struct ConfigSettings {
    options: Vec<String>,
    /// For the compiler.
    flags: Vec<String>,
}

impl ConfigSettings {
    fn read(&mut self, file: &str, command: &str, table: &Item) -> Result<(), String> {
        let Some(table) = table.as_table_like() else {
            return Err(format!("{file}: `{command}` must be a table of options"));
        };
        let known = options_of(command);
        for (key, item) in table.iter() {
            if key != "flags" && !known.iter().any(|known| known == key) {
                let known = known.join(", ");
                return Err(format!(
                    "{file}: there is no option `{key}`; `[{command}]` takes {known} and flags"
                ));
            }
            let wrong = || format!("{file}: `{key}` takes text, a number, true or false, or a list of these");
            let value = item.as_value().ok_or_else(wrong)?;
            let all: Vec<&Value> = match value {
                Value::Array(all) => all.iter().collect(),
                one => vec![one],
            };
            for value in all {
                self.add(key, value).ok_or_else(wrong)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, key: &str, value: &Value) -> Option<()> {
        let text = match value {
            Value::String(text) => text.value().clone(),
            Value::Integer(n) => n.value().to_string(),
            Value::Float(x) => x.value().to_string(),
            Value::Boolean(is_on) => {
                self.options.extend(is_on.value().then(|| format!("--{key}")));
                return Some(());
            }
            _ => return None,
        };
        match SHORT.iter().find(|(long, _)| *long == key) {
            _ if key == "flags" => self.flags.push(text),
            Some((_, short)) => self.options.push(format!("{short}{text}")),
            None => self.options.push(format!("--{key}={text}")),
        }
        Some(())
    }
}

/// What a file may say for a command.
fn options_of(command: &str) -> Vec<String> {
    let all = Arguments::command();
    let command = all.find_subcommand(command);
    let long = command.into_iter().flat_map(clap::Command::get_arguments);
    let long = long.filter_map(|argument| argument.get_long()).filter(|name| *name != "help");
    long.chain(SHORT.iter().map(|(name, _)| *name)).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)], line: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("the folder can be written");
        }
        let words = line.split(' ').map(String::from).collect();
        with_files(words, folder.path()).map(|words| words.join(" "))
    }

    #[test]
    fn files_speak_before_the_command_line() {
        let package = ("Cargo.toml", "[package.metadata.stairway.test]\njobs = 2\n");
        let own = (
            "stairway.toml",
            "[test]\ntime = \"5s\"\njobs = 3\nhostile = true\ninclude = [\"a\", \"b\"]\nflags = [\"-O1\"]\n",
        );
        let line = read(&[package, own], "stairway test q.c --jobs 4");
        assert_eq!(
            line.as_deref(),
            Ok("stairway test --jobs=2 --time=5s --jobs=3 --hostile -Ia -Ib q.c --jobs 4 -- -O1")
        );
        assert_eq!(read(&[own], "stairway doctor").as_deref(), Ok("stairway doctor"));
    }

    #[test]
    fn wrong_files_are_named() {
        let says =
            |text: &str| read(&[("stairway.toml", text)], "stairway test q.c").expect_err("it is wrong");
        assert!(
            says("[test]\ntme = 5\n").starts_with("stairway.toml: there is no option `tme`; `[test]` takes ")
        );
        assert!(says("[tset]\ntime = 5\n").contains("there is no table `tset`"));
        assert!(says("[test]\ntime = { s = 5 }\n").contains("`time` takes text"));
        assert!(says("[test\n").contains("stairway.toml: "));
    }
}
