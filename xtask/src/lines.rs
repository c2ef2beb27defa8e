//! `cargo xtask lines`: how many lines of code folders have, counted the same way each time.
//!
//! Comments, blank lines and what is compiled for tests only do not count.

use std::fs;
use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: cargo xtask lines FOLDER..

  for example: cargo xtask lines crates/macros/src/machine crates/macros/src/temporal";

pub(crate) fn run(folders: &[String]) -> Result<(), String> {
    if folders.is_empty() {
        return Err(USAGE.to_string());
    }
    let mut n_all = 0;
    for folder in folders {
        let n_lines = in_folder(Path::new(folder)).map_err(|error| format!("{folder}: {error}"))?;
        println!("{n_lines:>7} {folder}");
        n_all += n_lines;
    }
    println!("{n_all:>7} lines of code");
    Ok(())
}

/// The lines in all files of a folder that are no tests.
fn in_folder(folder: &Path) -> std::io::Result<usize> {
    let (mut texts, mut tests, mut n_lines) = (Vec::new(), Vec::new(), 0);
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            n_lines += in_folder(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)?;
            tests.extend(code(&text).1.into_iter().map(|name| folder.join(format!("{name}.rs"))));
            texts.push((path, text));
        }
    }
    let is_test = |path: &PathBuf| tests.contains(path);
    Ok(n_lines + texts.iter().filter(|(path, _)| !is_test(path)).map(|(_, text)| code(text).0).sum::<usize>())
}

/// How many lines of a file are code, and the modules in files of their own that are compiled for tests only.
fn code(text: &str) -> (usize, Vec<&str>) {
    let (mut n_lines, mut tests) = (0, Vec::new());
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            let declared = lines.by_ref().find(|line| !line.starts_with("#[")).unwrap_or_default();
            match declared.strip_prefix("mod ").and_then(|name| name.strip_suffix(';')) {
                Some(name) => tests.push(name),
                None => skip_block(declared, &mut lines),
            }
        } else if !line.is_empty() && !line.starts_with("//") {
            n_lines += 1;
        }
    }
    (n_lines, tests)
}

/// Passes over the rest of an item that begins in this line.
fn skip_block<'t>(first: &'t str, lines: &mut impl Iterator<Item = &'t str>) {
    let mut depth = 0;
    for line in std::iter::once(first).chain(lines) {
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        if depth <= 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blank_lines_and_tests_do_not_count() {
        let text = "//! Why.\n\nfn one() {\n    // Why.\n    two();\n}\n\n#[cfg(test)]\nmod more;\nmod other;\n\
                    #[cfg(test)]\nmod tests {\n    fn three() {\n    }\n}\nfn four() {}\n";
        assert_eq!(code(text), (5, vec!["more"]));
    }
}
