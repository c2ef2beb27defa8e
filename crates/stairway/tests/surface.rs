//! What users can name. A name that is added, moved or lost changes the list, and with it somebody's code:
//! it is to be meant.

use std::fmt::Write as _;
use std::path::Path;
use syn::{Item, UseTree, Visibility};

/// The names that a tree of imports brings.
fn imported(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, names),
        UseTree::Name(name) => names.push(name.ident.to_string()),
        UseTree::Rename(renamed) => names.push(renamed.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, names)),
        UseTree::Glob(_) => panic!("a public `use ..::*` hides what it makes public"),
    }
}

fn is_hidden(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "hidden")
    })
}

/// The public names of a module, without those that macros need and nobody else.
fn public(items: &[Item]) -> Vec<String> {
    let mut names = Vec::new();
    for item in items {
        let (visibility, attributes, name) = match item {
            Item::Use(item) => {
                if matches!(item.vis, Visibility::Public(_)) && !is_hidden(&item.attrs) {
                    imported(&item.tree, &mut names);
                }
                continue;
            }
            Item::Mod(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Struct(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Enum(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Trait(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Type(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Const(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Fn(item) => (&item.vis, &item.attrs, &item.sig.ident),
            _ => continue,
        };
        if matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes) {
            names.push(name.to_string());
        }
    }
    names.sort();
    names.dedup();
    names
}

fn parsed(path: &Path) -> Vec<Item> {
    let text = std::fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap().items
}

/// The macros that a crate exports, wherever they are written; names that begin with `__` are ours.
fn exported_macros(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            exported_macros(&path, names);
            continue;
        }
        for item in parsed(&path) {
            let Item::Macro(item) = item else { continue };
            let is_exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
            let name = item.ident.map(|name| name.to_string()).unwrap_or_default();
            if is_exported && !name.starts_with("__") {
                names.push(format!("{name}!"));
            }
        }
    }
}

#[test]
fn what_users_can_name_is_designed() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = parsed(&sources.join("lib.rs"));
    let (mut names, mut macros) = (public(&root), Vec::new());
    exported_macros(&sources, &mut macros);
    // Folders are read in no order.
    macros.sort();
    names.extend(macros);
    assert!(names.len() <= 60, "{} names at the root, which nobody can take in: {names:?}", names.len());
    let mut listed = String::new();
    let mut list = |module: &str, names: &[String]| {
        writeln!(listed, "{module}\n  {}", names.join("\n  ")).unwrap();
    };
    list("stairway", &names);
    for (module, file) in [
        ("generate", "generate.rs"),
        ("program", "program/mod.rs"),
        ("refine", "refine/mod.rs"),
        ("machine", "machine/mod.rs"),
        ("report", "report.rs"),
        ("fuzz", "fuzz.rs"),
    ] {
        list(&format!("stairway::{module}"), &public(&parsed(&sources.join(file))));
    }
    insta::assert_snapshot!(listed);
}

/// Adds the files and folders below `folder`, each as a path from the root of the workspace.
fn add_paths(folder: &Path, from_root: &str, paths: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().into_string().unwrap_or_default();
        if name == "target" {
            continue;
        }
        let path = format!("{from_root}/{name}");
        if entry.path().is_dir() {
            add_paths(&entry.path(), &path, paths);
        }
        paths.push(path);
    }
}

/// The words between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The names of source files in a text.
fn named_files(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '*');
    let words = text.split(move |c: char| !is_part(c)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| [".rs", ".c", ".h"].iter().any(|end| word.ends_with(end)) && !word.contains('*'))
}

#[test]
fn the_architecture_names_what_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(text) = std::fs::read_to_string(root.join("ARCHITECTURE.md")) else {
        // The crate by itself, without the workspace.
        return;
    };
    let mut paths = Vec::new();
    add_paths(&root.join("crates"), "crates", &mut paths);
    let exists = |name: &str| {
        let end = format!("/{}", name.trim_end_matches('/'));
        paths.iter().any(|path| path.ends_with(&end))
    };
    let between =
        |from: &str, to: &str| text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).unwrap().0;
    let map = between("## Map", "## One failure");
    let walks = between("## One failure, from spec to report", "## Invariants");
    let paths_in_walks = quoted(walks).filter(|word| word.contains('/'));
    let named = named_files(map).chain(named_files(walks)).chain(paths_in_walks);
    let missing: Vec<&str> = named.filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names files that do not exist: {missing:?}");
    for walk in walks.split("\nA failing ").skip(1) {
        let n_stops = walk.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
        assert!((1..=15).contains(&n_stops), "{n_stops} stops in `A failing {walk}`");
    }
}
