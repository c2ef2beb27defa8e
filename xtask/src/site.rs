//! The book's pages as mdBook takes them: diagrams are drawn, and links lead out of the book only to what is
//! copied along.
//!
//! On a forge the pages are read as they are: it draws Mermaid itself, and `../bench/RESULTS.md` is a file
//! beside the book. A site has neither.

use stairway_picture::Picture;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Where files from outside the book are put.
const OUTSIDE: &str = "project";

/// Copies the pages of `docs` to `to`, made fit for a site.
pub(crate) fn prepare(root: &Path, to: &Path) -> Result<(), String> {
    let docs = root.join("docs");
    let mut outside = BTreeSet::new();
    for from in files(&docs)? {
        let target = to.join(from.strip_prefix(&docs).unwrap_or(&from));
        if from.extension().is_some_and(|end| end == "md") {
            let text = read(&from)?;
            write(&target, &with_links(&with_pictures(&text), &mut outside))?;
        } else {
            copy(&from, &target)?;
        }
    }
    for path in &outside {
        copy(&root.join(path), &to.join(OUTSIDE).join(as_text(path)))?;
    }
    Ok(())
}

/// All files of a folder and its folders.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut all = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        match path.is_dir() {
            true => all.extend(files(&path)?),
            false => all.push(path),
        }
    }
    all.sort();
    Ok(all)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    make_folder(path)?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_folder(to)?;
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

fn make_folder(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// mdBook copies no Markdown that is not a page of the book, so that becomes text.
fn as_text(path: &Path) -> PathBuf {
    match path.extension() {
        Some(end) if end == "md" => path.with_extension("txt"),
        _ => path.to_path_buf(),
    }
}

/// The page with links to `../file` leading to the copy; which files that are is noted.
fn with_links(page: &str, outside: &mut BTreeSet<PathBuf>) -> String {
    let mut parts = page.split("](../");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (target, rest) = part.split_once(')').unwrap_or((part, ""));
        let path = Path::new(target.split('#').next().unwrap_or(target));
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        if is_inside {
            out += &format!("]({OUTSIDE}/{})", as_text(path).display());
            outside.insert(path.to_path_buf());
        } else {
            out += &format!("](../{target})");
        }
        out += rest;
    }
    out
}

/// The page with its diagrams drawn.
fn with_pictures(page: &str) -> String {
    const FENCE: &str = "```mermaid\n";
    let mut parts = page.split(FENCE);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once("\n```") {
            Some((diagram, rest)) => out += &format!("{}{rest}", picture(diagram).svg()),
            None => out += &format!("{FENCE}{part}"),
        }
    }
    out
}

/// What a state diagram of Mermaid shows, as far as Stairway writes such diagrams.
fn picture(diagram: &str) -> Picture {
    let mut lines = diagram.lines().map(str::trim);
    read_states("", &mut lines)
}

/// The states and transitions up to the end of a group, or of the diagram.
fn read_states<'d>(name: &str, lines: &mut dyn Iterator<Item = &'d str>) -> Picture {
    let mut states: Vec<&str> = Vec::new();
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut start, mut ends, mut edges) = (None, Vec::new(), Vec::new());
    let (mut captions, mut parts) = (Vec::new(), Vec::new());
    let place = |state: &'d str, states: &mut Vec<&'d str>| {
        states.iter().position(|other| *other == state).unwrap_or_else(|| {
            states.push(state);
            states.len() - 1
        })
    };
    while let Some(line) = lines.next() {
        if line == "}" {
            break;
        }
        if let Some(declared) = line.strip_prefix("state \"") {
            let (shown, id) = declared.split_once("\" as ").unwrap_or((declared, declared));
            match id.strip_suffix(" {") {
                Some(_) => parts.push(read_states(shown, lines)),
                None => {
                    names.insert(id, shown);
                }
            }
        } else if line.starts_with("note ") {
            captions.extend(lines.take_while(|line| *line != "end note").map(ToString::to_string));
        } else if let Some((from, to)) = line.split_once(" --> ") {
            let (to, label) = to.split_once(": ").unwrap_or((to, ""));
            match (from, to) {
                ("[*]", to) => start = Some(place(to, &mut states)),
                (from, "[*]") => ends.push(place(from, &mut states)),
                _ => edges.push((place(from, &mut states), place(to, &mut states), label)),
            }
        }
    }
    if !parts.is_empty() {
        return Picture::composed(name, parts, captions);
    }
    let shown: Vec<&str> = states.iter().map(|state| names.get(state).copied().unwrap_or(state)).collect();
    let mut picture = Picture::new(name, &shown, start.unwrap_or(0));
    picture.terminal = ends;
    picture.captions = captions;
    for (from, to, label) in edges {
        label.split(" | ").for_each(|label| picture.edge(from, to, label));
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::root;

    #[test]
    fn every_diagram_of_the_book_is_drawn_and_every_link_out_of_it_leads_somewhere() {
        let mut outside = BTreeSet::new();
        let mut n_drawn = 0;
        for path in files(&root().join("docs")).expect("the book is there") {
            if path.extension().is_none_or(|end| end != "md") {
                continue;
            }
            let text = read(&path).expect("it is text");
            let page = with_links(&with_pictures(&text), &mut outside);
            assert!(!page.contains("```mermaid"), "{}", path.display());
            n_drawn += page.matches("<svg").count();
        }
        assert!(n_drawn >= 6, "{n_drawn}");
        for path in outside {
            assert!(root().join(&path).is_file(), "{}", path.display());
        }
    }

    #[test]
    fn a_diagram_is_read_as_it_is_written() {
        let mut door = Picture::new("", &["Open", "Shut"], 1);
        door.edge(1, 0, "pull / Yes");
        door.edge(1, 0, "kick");
        door.edge(0, 0, "wave");
        door.terminal.push(0);
        door.captions.push("shuts: proved".to_string());
        let again = picture(&door.mermaid());
        // States are in the order in which the diagram mentions them.
        let names = |picture: &Picture, k: usize| picture.states[k].clone();
        let edges = |picture: &Picture| -> BTreeSet<_> {
            let edge = |edge: &stairway_picture::Edge| {
                (names(picture, edge.from), names(picture, edge.to), edge.labels.clone())
            };
            picture.edges.iter().map(edge).collect()
        };
        assert_eq!(edges(&again), edges(&door));
        assert_eq!((names(&again, again.start), &again.captions), ("Shut".to_string(), &door.captions));
        assert_eq!(again.terminal.len(), 1);

        let both =
            Picture::composed("both", vec![door.clone(), Picture::new("lamp", &["Off"], 0)], Vec::new());
        assert_eq!(picture(&both.mermaid()).parts.len(), 2);
    }
}
