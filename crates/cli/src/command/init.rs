//! `stairway init`: a first step that runs, with comments that say how to go on. Files that exist are left
//! alone.

use super::{BAD_INPUT, PASSED, print};
use clap::Args;
use std::path::{Path, PathBuf};

/// What to begin with.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// A C file: a new one gets a first contract, an existing one a stairway.toml
    #[arg(conflicts_with_all = ["model", "contract"])]
    file: Option<PathBuf>,
    /// Write a Rust test with a model of this type
    #[arg(long, value_name = "TYPE", value_parser = type_name, conflicts_with = "contract")]
    model: Option<String>,
    /// Write a Rust test with contracts of this type
    #[arg(long, value_name = "TYPE", value_parser = type_name)]
    contract: Option<String>,
}

const FIRST_C: &str = include_str!("init/first.c");
const FIRST_PROPERTY: &str = include_str!("init/property.rs");
const FIRST_MODEL: &str = include_str!("init/model.rs");
const FIRST_CONTRACT: &str = include_str!("init/contract.rs");
/// What a package may be called and a path cannot begin with.
const KEYWORDS: [&str; 19] = [
    "abstract", "async", "await", "become", "box", "do", "dyn", "final", "gen", "macro", "match", "move",
    "mod", "override", "priv", "try", "type", "use", "yield",
];
const SETTINGS: &str = include_str!("init/stairway.toml");

/// A name of a type, as Rust has them.
fn type_name(text: &str) -> Result<String, String> {
    let is_first = text.starts_with(char::is_alphabetic);
    let is_name = is_first && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name { Ok(text.to_string()) } else { Err("name the type alone, such as `Queue`".to_string()) }
}

pub(crate) fn init(arguments: &InitArguments) -> u8 {
    let done = match (&arguments.file, &arguments.model, &arguments.contract) {
        (Some(file), _, _) => init_c(file),
        (_, Some(name), _) => init_rust(&format!("{}_model", snake(name)), &about(FIRST_MODEL, name)),
        (_, _, Some(name)) => init_rust(&format!("{}_contract", snake(name)), &about(FIRST_CONTRACT, name)),
        _ if Path::new("Cargo.toml").exists() => init_rust("first_property", FIRST_PROPERTY),
        _ => init_c(Path::new("first.c")),
    };
    match done {
        Ok(next) => {
            print(&next);
            PASSED
        }
        Err(why) => {
            eprintln!("{why}");
            BAD_INPUT
        }
    }
}

/// A first test of a type.
fn about(text: &str, name: &str) -> String {
    text.replace("Thing", name).replace("thing_", &format!("{}_", snake(name)))
}

fn init_c(file: &Path) -> Result<String, String> {
    if file.extension().is_none_or(|end| end != "c") {
        return Err(format!("`{}` is not named like a C file; its name must end in `.c`", file.display()));
    }
    let name = file.display().to_string();
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_-./+".contains(c));
    let command = match is_plain {
        true => format!("stairway test {name}"),
        false => format!("stairway test '{}'", name.replace('\'', "'\\''")),
    };
    if !file.exists() {
        write(file, FIRST_C)?;
        return Ok(format!("wrote {}; next:\n\n    {command}\n", file.display()));
    }
    let settings = Path::new("stairway.toml");
    if settings.exists() {
        return Err(format!("`{}` and `stairway.toml` exist already; run `{command}`", file.display()));
    }
    write(settings, SETTINGS)?;
    Ok(format!(
        "wrote stairway.toml, in which every setting is a comment so far. Nothing else is needed:\n\n    {command}\n\n\
         tests the functions of {} for crashes, memory and arithmetic. Then write a contract between the header\n\
         of one function and its body:\n\n    /*@ requires x > 0i32; ensures return >= x; @*/\n",
        file.display()
    ))
}

fn init_rust(name: &str, text: &str) -> Result<String, String> {
    let Ok(manifest) = std::fs::read_to_string("Cargo.toml") else {
        return Err(
            "there is no Cargo.toml here; go to a package's folder, or begin one with `cargo new --lib`"
                .to_string(),
        );
    };
    let manifest = manifest.parse::<toml_edit::DocumentMut>().unwrap_or_default();
    if manifest.contains_key("workspace") && !manifest.contains_key("package") {
        return Err(
            "the Cargo.toml here is that of a workspace; go to the folder of one of its packages".to_string()
        );
    }
    let file = Path::new("tests").join(format!("{name}.rs"));
    std::fs::create_dir_all("tests").map_err(|error| format!("the folder tests cannot be made: {error}"))?;
    let named = |table: &str| manifest.get(table)?.get("name")?.as_str();
    let library = named("lib").or_else(|| named("package")).unwrap_or("your_crate").replace('-', "_");
    let library = if KEYWORDS.contains(&&*library) { format!("r#{library}") } else { library };
    write(&file, &text.replace("your_crate", &library))?;
    let has_stairway = ["dependencies", "dev-dependencies"]
        .iter()
        .any(|kind| manifest.get(kind).and_then(|all| all.get("stairway")).is_some());
    let dependency = if has_stairway {
        ""
    } else {
        "    cargo add --dev --path ../stairway/crates/stairway    # the clone of Stairway\n"
    };
    Ok(format!("wrote {}; next:\n\n{dependency}    cargo test --test {name}\n", file.display()))
}

/// Writes a file that is not there yet.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => format!("`{}` exists already and is left alone", path.display()),
        _ => format!("`{}` cannot be written: {error}", path.display()),
    })
}

/// `RingBuffer` as `ring_buffer`, `HTTPQueue` as `http_queue`.
fn snake(name: &str) -> String {
    let all: Vec<char> = name.chars().collect();
    let is_small = |at: usize| all.get(at).is_some_and(|c| c.is_lowercase() || c.is_numeric());
    let mut text = String::new();
    for (at, c) in all.iter().enumerate() {
        let begins = c.is_uppercase() && at > 0 && (is_small(at - 1) || is_small(at + 1));
        if begins && !text.ends_with('_') {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_become_names_of_files() {
        let names = ["RingBuffer", "HTTPQueue", "Utf8Reader", "Prüf_Größe", "A", "LRU"].map(snake);
        assert_eq!(names, ["ring_buffer", "http_queue", "utf8_reader", "prüf_größe", "a", "lru"]);
        assert_eq!(type_name("Größe").as_deref(), Ok("Größe"));
        assert!(about(FIRST_MODEL, "RingBuffer").contains("fn ring_buffer_does_what_the_model_says()"));
        assert!(type_name("Ring<u8>").is_err() && type_name("../x").is_err() && type_name("9").is_err());
    }
}
