//! The reports shown in the book are real: every example here is a code block of the book, is run
//! as its reader would run it, and gives the report that the book shows.
//!
//! The examples fail on purpose, so they are ignored as tests; this file runs this binary again for
//! each of them and compares. `crates/stairway/src/book.rs` compiles all other code of the book.

#![allow(
    unreachable_pub,
    dead_code,
    clippy::nonminimal_bool,
    reason = "the examples are written for the book's reader"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

// One file is one code block, which rustfmt would take apart: `#[ignore]` has to share a line.
#[rustfmt::skip] mod account;
#[rustfmt::skip] mod average;
#[rustfmt::skip] mod parser;
#[rustfmt::skip] mod pool;
#[rustfmt::skip] mod recent;
#[rustfmt::skip] mod ring_1;
#[rustfmt::skip] mod ring_2;
#[rustfmt::skip] mod slab;
#[rustfmt::skip] mod small;
#[rustfmt::skip] mod sorting_1;
#[rustfmt::skip] mod sorting_2;
#[rustfmt::skip] mod sorting_3;
#[rustfmt::skip] mod sorting_4;

// What `stairway init` writes is compiled and run as it is.
#[path = "../../../cli/src/command/init/contract.rs"]
mod init_contract;
#[path = "../../../cli/src/command/init/model.rs"]
mod init_model;
#[path = "../../../cli/src/command/init/property.rs"]
mod init_property;

/// The pages of the book, and the project's front page.
const PAGES: [(&str, &str); 27] = [
    ("../README", include_str!("../../../../README.md")),
    ("README", include_str!("../../../../docs/README.md")),
    ("tutorial", include_str!("../../../../docs/tutorial.md")),
    ("first-property", include_str!("../../../../docs/first-property.md")),
    ("recipes", include_str!("../../../../docs/recipes.md")),
    ("messages", include_str!("../../../../docs/messages.md")),
    ("ci", include_str!("../../../../docs/ci.md")),
    ("generators", include_str!("../../../../docs/generators.md")),
    ("properties", include_str!("../../../../docs/properties.md")),
    ("programs", include_str!("../../../../docs/programs.md")),
    ("machines", include_str!("../../../../docs/machines.md")),
    ("machines-handles", include_str!("../../../../docs/machines-handles.md")),
    ("machines-properties", include_str!("../../../../docs/machines-properties.md")),
    ("machines-drivers", include_str!("../../../../docs/machines-drivers.md")),
    ("machines-composition", include_str!("../../../../docs/machines-composition.md")),
    ("machines-limits", include_str!("../../../../docs/machines-limits.md")),
    ("refinement", include_str!("../../../../docs/refinement.md")),
    ("refinement-c", include_str!("../../../../docs/refinement-c.md")),
    ("c", include_str!("../../../../docs/c.md")),
    ("c-report", include_str!("../../../../docs/c-report.md")),
    ("embedded", include_str!("../../../../docs/embedded.md")),
    ("running", include_str!("../../../../docs/running.md")),
    ("how-it-works", include_str!("../../../../docs/how-it-works.md")),
    ("coming-from", include_str!("../../../../docs/coming-from.md")),
    ("campaigns", include_str!("../../../../docs/campaigns.md")),
    ("finds", include_str!("../../../../docs/finds.md")),
    ("glossary", include_str!("../../../../docs/glossary.md")),
];

/// The examples: the module, its file, and the properties whose reports are shown.
const EXAMPLES: [(&str, &str, &[&str]); 13] = [
    ("account", include_str!("account.rs"), &["accounts_keep_their_contracts"]),
    ("ring_1", include_str!("ring_1.rs"), &["the_ring_is_a_queue"]),
    ("ring_2", include_str!("ring_2.rs"), &["the_ring_is_a_queue"]),
    ("slab", include_str!("slab.rs"), &["keys_lead_to_their_entries"]),
    ("sorting_1", include_str!("sorting_1.rs"), &["insert_keeps_order"]),
    ("sorting_2", include_str!("sorting_2.rs"), &["insert_keeps_order"]),
    ("sorting_3", include_str!("sorting_3.rs"), &["insert_keeps_order"]),
    ("sorting_4", include_str!("sorting_4.rs"), &["insert_keeps_order"]),
    ("pool", include_str!("pool.rs"), &["taken_slots_differ"]),
    ("parser", include_str!("parser.rs"), &["decoding_ends_well"]),
    ("recent", include_str!("recent.rs"), &["recent_is_a_window"]),
    ("average", include_str!("average.rs"), &["average_refines_its_spec"]),
    ("small", include_str!("small.rs"), &["de_morgan", "reversing_twice", "remembers", "climbs"]),
];

/// What a run left behind, with the names that its reader would see.
struct Run {
    report: String,
    stored: Option<String>,
}

/// Runs the example `module::tests::property` in a folder of its own.
fn run(module: &str, property: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let krate = krate(module);
    let mut command = Command::new(std::env::current_exe().unwrap());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("STAIRWAY_") {
            command.env_remove(name);
        }
    }
    let output = command
        .args([&format!("{module}::tests::{property}"), "--exact", "--ignored", "--nocapture", "--quiet"])
        .current_dir(folder.path())
        .env("CARGO_MANIFEST_DIR", folder.path())
        .env("RUST_BACKTRACE", "0")
        // The reader's property has another name and so another seed.
        .env("STAIRWAY_SEED", seed_of(&checked_by(krate, property)).to_string())
        .output()
        .unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    let text = String::from_utf8(text).unwrap();
    let start = ["property `", "model `", "refinement `", "contracts of `"]
        .iter()
        .find_map(|word| text.find(word))
        .unwrap_or_else(|| panic!("no report of {module}: {text}"));
    let end = text[start..].find("\n.\n").map_or(text.len(), |n| start + n);
    let stored = folder.path().join(format!("stairway-regressions/book.{module}.tests.{property}.txt"));
    Run {
        report: as_read(&text[start..end], module),
        stored: std::fs::read_to_string(stored).ok().map(|text| as_read(&text, module)),
    }
}

/// What the test checks, by its full name: itself, a model or contracts.
fn checked_by(krate: &str, test: &str) -> String {
    let checked = match test {
        "recent_is_a_window" => "Window",
        "the_ring_is_a_queue" => "Fifo",
        "keys_lead_to_their_entries" => "Entries",
        "accounts_keep_their_contracts" => return format!("calls of {krate}::Account"),
        property => property,
    };
    format!("{krate}::tests::{checked}")
}

/// The crate that a module stands for: its name without a number.
fn krate(module: &str) -> &str {
    module.split('_').next().unwrap_or(module)
}

/// The seed that follows from a property's name.
fn seed_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Text about this module as it would read in a crate of its own.
fn as_read(text: &str, module: &str) -> String {
    let file = Path::new(file!()).with_file_name(format!("{module}.rs"));
    let krate = krate(module);
    text.replace(&file.display().to_string(), "src/lib.rs")
        .replace(&format!("cargo test {module}::"), "cargo test ")
        .replace(&format!("book::{module}::"), &format!("{krate}::"))
        .replace(&format!("book.{module}."), &format!("{krate}."))
        .trim_end()
        .to_string()
}

/// The code blocks of a page whose info string starts with `language`.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let (mut blocks, mut inside): (Vec<String>, Option<bool>) = (Vec::new(), None);
    for line in page.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(info), None) => {
                let wanted = info.split(',').next() == Some(language);
                blocks.extend(wanted.then(String::new));
                inside = Some(wanted);
            }
            (Some(_), Some(_)) => inside = None,
            (None, Some(true)) => {
                let block = blocks.last_mut().expect("a block is open");
                writeln!(block, "{line}").unwrap();
            }
            (None, _) => {}
        }
    }
    blocks.iter().map(|block| block.trim_end().to_string()).collect()
}

fn all_blocks(language: &str) -> Vec<(&'static str, String)> {
    let of_page = |(name, page): &(&'static str, &str)| {
        let name = *name;
        blocks(page, language).into_iter().map(move |block| (name, block)).collect::<Vec<_>>()
    };
    PAGES.iter().flat_map(of_page).collect()
}

/// The code of a file that the book shows: the one property it points at, or all of it.
fn shown_code(file: &str) -> String {
    let code = file.replace(" #[ignore]", "");
    let Some((_, property)) = code.split_once("    // The book shows this:\n") else {
        return code.trim_end().to_string();
    };
    let inside = property.trim_end().strip_suffix('}').expect("a module ends here").trim_end();
    inside.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_book_shows_the_code_of_the_examples() {
    let shown: BTreeSet<String> = all_blocks("rust").into_iter().map(|(_, block)| block).collect();
    for (module, file, _) in EXAMPLES {
        let code = shown_code(file);
        if module == "ring_2" {
            // The tutorial repairs what it shows with this one edit.
            assert_eq!(file, include_str!("ring_1.rs").replace("% self.len;", "% self.slots.len();"));
            continue;
        }
        assert!(shown.contains(&code), "the book does not show {module}.rs as it is");
    }
    // What is not compiled as a documentation test is compiled here. A target of cargo-fuzz needs its crate.
    let pages = PAGES.iter().filter(|(name, _)| *name != "campaigns");
    let n_ignored: usize = pages.map(|(_, page)| page.matches("```rust,ignore").count()).sum();
    let is_part = |file: &str| file.contains("// The book shows this:");
    assert_eq!(n_ignored, EXAMPLES.iter().filter(|(_, file, _)| is_part(file)).count());
}

/// `<!-- report: module.property -->` and `<!-- stored: module.property -->` stand before the block
/// with that text. Where reports have changed, `UPDATE_BOOK=1 cargo test -p stairway --test book`
/// puts the new ones in; read the difference, the words around them may no longer fit.
#[test]
fn the_book_shows_what_the_examples_report() {
    let mut real = BTreeMap::new();
    for (module, _, properties) in EXAMPLES {
        for property in properties {
            let Run { report, stored } = run(module, property);
            real.insert(format!("<!-- report: {module}.{property} -->"), report);
            real.extend(stored.map(|text| (format!("<!-- stored: {module}.{property} -->"), text)));
        }
    }
    let mut unshown: BTreeSet<&String> = real.keys().filter(|tag| tag.contains("report")).collect();
    // What the pages on C show is compared by the tests of the command, and of its crate.
    let is_on_c = |name: &str| ["c", "c-report"].contains(&name) || name == "refinement-c";
    for (name, page) in PAGES.into_iter().filter(|(name, _)| !is_on_c(name)) {
        let n_claims = ["property `", "model `", "refinement `", "contracts of `", "# Stairway:"]
            .map(|claim| page.matches(&format!("```text\n{claim}")).count());
        let n_tags = tagged(page).len() - 1;
        assert_eq!(n_claims.iter().sum::<usize>(), n_tags, "{name}.md shows a report without saying whose");
        let mut updated = String::new();
        for (tag, part) in tagged(page) {
            let Some(tag) = tag else {
                updated.push_str(part);
                continue;
            };
            unshown.remove(&tag.to_string());
            let text = real.get(tag).unwrap_or_else(|| panic!("{name}.md: there is no example {tag}"));
            let (_, behind) = part.split_once("\n```\n").expect("a block ends");
            write!(updated, "\n```text\n{text}\n```\n{behind}").unwrap();
        }
        if updated != page && std::env::var_os("UPDATE_BOOK").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{name}.md"));
            std::fs::write(path, updated).unwrap();
        } else {
            let same = updated.lines().zip(page.lines()).take_while(|(a, b)| a == b).count();
            let (new, old) = (updated.lines().nth(same), page.lines().nth(same));
            assert!(updated == page, "{name}.md:{}: shown is {old:?}, reported is {new:?}", same + 1);
        }
    }
    assert!(unshown.is_empty(), "the book does not show {unshown:?}");
}

/// A page cut behind each comment that announces a report: the comment, and what follows up to the
/// next one. The comments are the ends of the parts before them.
fn tagged(page: &str) -> Vec<(Option<&str>, &str)> {
    let mut parts = Vec::new();
    let (mut tag, mut start) = (None, 0);
    let starts = page.match_indices("<!-- ").map(|(at, _)| at);
    // Others announce what C files give.
    let is_ours =
        |at: &usize| ["<!-- report: ", "<!-- stored: "].iter().any(|tag| page[*at..].starts_with(tag));
    for at in starts.filter(is_ours) {
        let end = at + page[at..].find("-->").expect("a comment ends") + 3;
        parts.push((tag, &page[start..end]));
        (tag, start) = (Some(&page[at..end]), end);
    }
    parts.push((tag, &page[start..]));
    parts
}

#[test]
fn every_page_is_a_test() {
    let compiled = include_str!("../../src/book.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(page) = name.strip_suffix(".md").filter(|page| *page != "SUMMARY") else { continue };
        assert!(
            include_str!("../../../../docs/SUMMARY.md").contains(&format!("({name})")),
            "SUMMARY.md lacks {name}"
        );
        assert!(PAGES.iter().any(|(known, _)| *known == page), "{name} is missing in tests/book/main.rs");
        assert!(compiled.contains(&format!("docs/{name}")), "{name} is missing in src/book.rs");
    }
}

/// What the index of messages quotes is in the source of what says it.
#[test]
fn messages_are_quoted_as_they_are() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut source = String::new();
    for krate in ["stairway", "c", "cli", "sandbox"] {
        read_all(&crates.join(krate).join("src"), &mut source);
    }
    // Words that stand on several lines of source.
    let source: String = source.replace("\\\n", "").split_whitespace().collect::<Vec<_>>().join(" ");
    let page = include_str!("../../../../docs/messages.md");
    for message in page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()) {
        assert!(source.contains(message), "nothing says `{message}`");
    }
}

/// All Rust in a folder.
fn read_all(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => read_all(&path, text),
            path if path.extension().is_some_and(|end| end == "rs") => {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
            _ => {}
        }
    }
}

/// Links between the pages lead somewhere.
#[test]
fn links_lead_somewhere() {
    for (name, page) in PAGES {
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") || link.contains(' ') {
                continue;
            }
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            if name == "../README" {
                let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(target);
                assert!(file.exists(), "README.md links to {link}, which is no file");
                continue;
            }
            if target.starts_with("../") || target.starts_with("pictures/") {
                let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(target);
                assert!(file.exists(), "{name}.md links to {link}, which is no file");
                continue;
            }
            let target = if target.is_empty() { name } else { target.trim_end_matches(".md") };
            let page = PAGES.iter().find(|(known, _)| *known == target);
            let Some((_, page)) = page else { panic!("{name}.md links to {link}, which is no page") };
            let has_anchor = anchor.is_empty() || page.lines().any(|line| anchor_of(line) == anchor);
            assert!(has_anchor, "{name}.md links to {link}, which is no heading");
        }
    }
}

/// The anchor that viewers give to a heading.
fn anchor_of(line: &str) -> String {
    let Some(heading) = line.strip_prefix('#') else { return String::new() };
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
