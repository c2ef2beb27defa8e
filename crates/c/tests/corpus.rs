//! The corpus: C files whose names say what a run over them must find.
//!
//! - `*.pass.c` is right: no spec errors, and a run passes.
//! - `*.fail.c` has one planted bug; its first line says which, in whom, and how short the sequence must become.
//! - `*.bad.c` has a mistake in its specs, or something that is not run; the message is in a snapshot.
//!
//! The first lines of a file are its header, `// key: value` each (see [`Header`]). `README.md` beside the files
//! lists the keys. This file reads headers and checks everything that can be known before a run.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use stairway_c::project::{Object, Project, ProjectError};
use stairway_c::source::Options;

/// What can be planted. The same words as in the headers.
const KINDS: &[&str] = &[
    // Contracts.
    "postcondition",
    "precondition-of-callee",
    "loop-invariant",
    "assertion",
    "lemma",
    "leak",
    "unowned-access",
    "spec-error",
    "invariant",
    "difference",
    // Memory.
    "uninitialised",
    "use-after-free",
    "double-free",
    "invalid-free",
    "out-of-bounds",
    "null",
    "dead-stack",
    "read-only",
    "overlap",
    "stack-smashed",
    // Ends of the process.
    "signal",
    "assert",
    "abort",
    "timeout",
    "stack-overflow",
    // Classes of their own.
    "undefined-arithmetic",
];

/// What the comments at the beginning of a file say.
#[derive(Debug, Default)]
struct Header {
    /// `// expect: pass`, or `// expect: KIND|KIND of FUNCTION, at most N calls`.
    expect: Option<Expect>,
    /// `// clause: TEXT`: the violated clause begins with this.
    clause: Option<String>,
    /// `// options: --flag value`: for the command line.
    options: Vec<String>,
    /// `// seeds: N`: found with default settings and each of the seeds 1 to N.
    seeds: u64,
    /// `// sources: a.c b.c`: further files, from the folder `parts`.
    sources: Vec<String>,
}

#[derive(Debug)]
enum Expect {
    /// A run passes, and calls every function that has a contract, apart from these.
    Pass { except: Vec<String> },
    /// A run fails.
    Fail(Planted),
}

#[derive(Debug)]
struct Planted {
    /// One of these.
    kinds: Vec<String>,
    /// Who is blamed: one of these, with `|` between them.
    function: String,
    /// In the shrunk sequence.
    max_calls: usize,
}

impl Header {
    fn read(text: &str) -> Result<Header, String> {
        let mut header = Header::default();
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            let Some((key, value)) = line.split_once(": ") else { break };
            let words = || value.split_whitespace().map(str::to_string).collect();
            match key {
                "expect" => header.expect = Some(Expect::read(value)?),
                "clause" => header.clause = Some(value.to_string()),
                "options" => header.options = words(),
                // Looked at in runs.
                "blocks" => _ = value.parse::<usize>().map_err(|_| "`blocks` is a number".to_string())?,
                "seeds" => header.seeds = value.parse().map_err(|_| "`seeds` is a number".to_string())?,
                "sources" => header.sources = words(),
                _ => return Err(format!("unknown key `{key}` in the header")),
            }
        }
        Ok(header)
    }

    fn planted(&self) -> Option<&Planted> {
        match &self.expect {
            Some(Expect::Fail(planted)) => Some(planted),
            _ => None,
        }
    }
}

impl Expect {
    fn read(value: &str) -> Result<Expect, String> {
        if value == "pass" {
            return Ok(Expect::Pass { except: Vec::new() });
        }
        if let Some(names) = value.strip_prefix("pass, except ") {
            return Ok(Expect::Pass { except: names.split(", ").map(str::to_string).collect() });
        }
        let malformed = || format!("`{value}` is not `KIND of FUNCTION, at most N calls`");
        let (kinds, rest) = value.split_once(" of ").ok_or_else(malformed)?;
        let kinds: Vec<String> = kinds.split('|').map(str::to_string).collect();
        let (function, rest) = rest.split_once(", at most ").ok_or_else(malformed)?;
        let (n, _) = rest.split_once(" call").ok_or_else(malformed)?;
        if let Some(unknown) = kinds.iter().find(|kind| !KINDS.contains(&kind.as_str())) {
            return Err(format!("`{unknown}` is no kind of failure"));
        }
        let max_calls = n.parse().map_err(|_| malformed())?;
        Ok(Expect::Fail(Planted { kinds, function: function.to_string(), max_calls }))
    }
}

struct Case {
    path: PathBuf,
    text: String,
    header: Header,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The files whose names end like this, in the order of their names.
fn cases(ending: &str) -> Vec<Case> {
    let entries = std::fs::read_dir(folder()).expect("the corpus is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    let of_kind = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
    let case = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("readable");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let header = Header::read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Case { path, text, header }
    };
    let all: Vec<Case> = paths.into_iter().filter(of_kind).map(case).collect();
    assert!(!all.is_empty(), "no {ending} in the corpus");
    all
}

impl Case {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn options(&self) -> Options {
        let parts = self.header.sources.iter().map(|name| folder().join("parts").join(name));
        let mut options = Options::new(std::iter::once(self.path.clone()).chain(parts).collect());
        options.flags = ["-Wall", "-Wno-unused"].map(str::to_string).to_vec();
        options
    }

    fn project(&self) -> Result<Project, ProjectError> {
        Project::new(&self.options(), Object::Build, false)
    }

    /// What can be said against a file that should be readable.
    fn objections(&self) -> String {
        let mut said = String::new();
        match self.project() {
            Err(error) => {
                let _ = writeln!(said, "{error}");
            }
            Ok(project) => {
                said.push_str(&project.warnings);
                project.notes.iter().for_each(|note| said.push_str(note));
                if !project.is_instrumented {
                    said.push_str("not instrumented\n");
                }
                self.unknown_names(&project, &mut said);
            }
        }
        said
    }

    /// Names in the header that the file does not have.
    fn unknown_names(&self, project: &Project, said: &mut String) {
        let is_known = |name: &str| project.sources.functions.iter().any(|f| f.name == name);
        let named: Vec<&str> = match &self.header.expect {
            Some(Expect::Pass { except }) => except.iter().map(String::as_str).collect(),
            Some(Expect::Fail(planted)) => planted.function.split('|').collect(),
            None => Vec::new(),
        };
        for name in named.into_iter().filter(|name| !is_known(name)) {
            let _ = writeln!(said, "the header names `{name}`, which is not defined");
        }
    }
}

/// Runs `check` for all cases, on two threads, and fails with everything that was said.
fn over(cases: &[Case], check: fn(&Case) -> String) {
    let (left, right) = cases.split_at(cases.len() / 2);
    let some = |cases: &[Case]| -> Vec<String> {
        let said = cases.iter().map(|case| (case.name(), check(case)));
        said.filter(|(_, said)| !said.is_empty()).map(|(name, said)| format!("{name}:\n{said}")).collect()
    };
    let said = std::thread::scope(|scope| {
        let left = scope.spawn(|| some(left));
        let right = some(right);
        let mut all = left.join().expect("no panic");
        all.extend(right);
        all
    });
    assert!(said.is_empty(), "{} files:\n\n{}", said.len(), said.join("\n"));
}

#[test]
fn right_files_have_specs_without_errors_and_compile_without_warnings() {
    over(&cases(".pass.c"), |case| match &case.header.expect {
        Some(Expect::Pass { .. }) => case.objections(),
        _ => "the first line of a .pass.c is `// expect: pass`\n".to_string(),
    });
}

#[test]
fn wrong_files_say_what_is_planted_and_are_otherwise_right() {
    over(&cases(".fail.c"), |case| {
        let Some(planted) = case.header.planted() else {
            return "the first line of a .fail.c is `// expect: KIND of FUNCTION, at most N calls`\n"
                .to_string();
        };
        if planted.max_calls == 0 {
            return "no sequence of 0 calls fails\n".to_string();
        }
        let body = case.text.lines().filter(|line| !line.starts_with("// ")).collect::<Vec<_>>().join("\n");
        match &case.header.clause {
            _ if case.header.seeds > 10 => "more seeds than a test has time for\n".to_string(),
            Some(clause) if !body.contains(clause.as_str()) => format!("no clause `{clause}` in the file\n"),
            _ => case.objections(),
        }
    });
}

#[test]
fn mistakes_in_specs_are_explained() {
    for case in cases(".bad.c") {
        let text = match case.project() {
            Ok(project) if project.notes.is_empty() => panic!("{}: nothing is said about it", case.name()),
            Ok(project) => project.notes.join("\n\n"),
            Err(ProjectError::Specs { text, .. }) => text,
            // Compilers differ in what else they say.
            Err(other) => {
                let text = other.to_string();
                text.lines().filter(|line| line.contains("error:")).collect::<Vec<_>>().join("\n")
            }
        };
        let text = text.replace(&format!("{}/", folder().display()), "");
        insta::assert_snapshot!(case.name().trim_end_matches(".bad.c"), text);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_examples_have_specs_without_errors() {
    for name in ["queue.c", "queue_verified.c"] {
        let path = root().join("examples").join(name);
        let text = std::fs::read_to_string(&path).expect("readable");
        assert_eq!(Case { path, text, header: Header::default() }.objections(), "", "{name}");
    }
}

/// The whole files in the book's page on C: what stands between ` ```c ` and ` ``` `.
fn files_of_the_book() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root().join("docs/c.md")).expect("readable");
    let named = page.split("<!-- file: ").skip(1).map(|rest| {
        let (name, rest) = rest.split_once(" -->\n```c\n").expect("a block of C follows the name");
        let (text, _) = rest.split_once("```").expect("the block ends");
        (name.to_string(), text.to_string())
    });
    named.collect()
}

#[test]
fn the_book_shows_files_without_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = files_of_the_book();
    assert!(files.len() >= 4, "{files:?}");
    for (name, text) in files {
        let path = folder.path().join(&name);
        std::fs::write(&path, &text).expect("writable");
        let said = Case { path, text, header: Header::default() }.objections();
        assert_eq!(said, "", "{name}");
    }
}

#[test]
fn static_functions_that_share_a_name_have_their_own_contracts() {
    let cases = cases("two_statics.pass.c");
    let project = cases[0].project().unwrap_or_else(|error| panic!("{error}"));
    let named: Vec<&str> = project.specs.contracts.iter().map(|contract| contract.name.as_str()).collect();
    assert_eq!(named, ["helper", "first", "helper@own_helper.c:1", "second"]);
    let is_there = |name: &&str| project.program.functions.iter().any(|f| f.name == **name);
    assert!(named.iter().all(is_there));
}

#[test]
fn the_corpus_is_large_and_every_kind_of_failure_is_planted() {
    let n: usize = [".pass.c", ".fail.c", ".bad.c"].iter().map(|ending| cases(ending).len()).sum();
    assert!(n >= 60, "{n} files");
    let planted: BTreeSet<String> =
        cases(".fail.c").iter().filter_map(|case| Some(case.header.planted()?.kinds[0].clone())).collect();
    let absent: Vec<&&str> = KINDS.iter().filter(|kind| !planted.contains(**kind)).collect();
    assert!(absent.is_empty(), "no file for {absent:?}");
}
