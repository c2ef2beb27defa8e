//! The corpus of C files (`crates/c/tests/corpus`), run: files that are right pass, and in the others the planted bug is
//! found, in the function that has it, by no more calls than it takes.

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates").join("c/tests/corpus")
}

/// What the header of a file says behind a word, all lines of it.
fn headers<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    lines.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": ")).collect()
}

/// The files that belong to one test, by name within the folder.
fn files(name: &str, text: &str) -> Vec<PathBuf> {
    let more = headers(text, "sources")
        .into_iter()
        .flat_map(|line| line.split([',', ' ']).filter(|s| !s.is_empty()));
    let place = |source: &str| {
        let in_parts = folder().join("parts").join(source);
        if in_parts.exists() { in_parts } else { folder().join(source) }
    };
    std::iter::once(folder().join(name)).chain(more.map(place)).collect()
}

/// Runs one file, with at most as many seeds as its header names; what is not as the header says.
fn problem(name: &str, most_seeds: u64) -> Option<String> {
    let text = std::fs::read_to_string(folder().join(name)).expect("the file can be read");
    match headers(&text, "seeds").first().map(|n| n.parse::<u64>().expect("a number")) {
        None => problem_with(name, &text, &["--calls", "5000", "--seed", "1"]),
        // As a user would run it.
        Some(n) => {
            (1..=n.min(most_seeds)).find_map(|seed| problem_with(name, &text, &["--seed", &seed.to_string()]))
        }
    }
}

/// Runs one file with these options; what is not as its header says.
fn problem_with(name: &str, text: &str, settings: &[&str]) -> Option<String> {
    let options = headers(text, "options").into_iter().flat_map(str::split_whitespace);
    let workplace = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_stairway"))
        .arg("test")
        .args(files(name, text))
        .args(options)
        .args(settings)
        .args(["--json", "--quiet"])
        .current_dir(workplace.path())
        .output()
        .expect("the command runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = headers(text, "expect").concat();
    if expected.starts_with("pass") {
        return (output.status.code() != Some(0)).then(|| format!("{name}: does not pass: {said}"));
    }
    if output.status.code() != Some(1) {
        let error = String::from_utf8_lossy(&output.stderr);
        return Some(format!("{name}: ends with {:?} instead of 1: {said}{error}", output.status.code()));
    }
    let report: Json = serde_json::from_str(said.trim()).expect("one line of JSON");
    let planted = Planted::of(text);
    planted.differs_from(&report["failure"]).map(|what| format!("{name}: {what}: {}", report["failure"]))
}

/// What the header of a file with a bug says.
struct Planted<'t> {
    kinds: Vec<&'t str>,
    function: &'t str,
    most: usize,
    clause: Option<&'t str>,
    /// Of the states in it.
    most_blocks: usize,
}

impl<'t> Planted<'t> {
    fn of(text: &'t str) -> Planted<'t> {
        let expected = headers(text, "expect")[0];
        let (kinds, rest) = expected.split_once(" of ").expect("KIND of FUNCTION");
        let (function, most) = rest.split_once(", at most ").expect("at most N calls");
        let most = most.split_whitespace().next().expect("a number").parse().expect("a number");
        let clause = headers(text, "clause").first().copied();
        let blocks = headers(text, "blocks").first().map(|n| n.parse().expect("a number"));
        let most_blocks = blocks.unwrap_or(usize::MAX);
        Planted { kinds: kinds.split('|').collect(), function, most, clause, most_blocks }
    }

    /// What of a failure is not as it was planted.
    fn differs_from(&self, failure: &Json) -> Option<String> {
        let text = |name: &str| failure[name].as_str().expect("a text").to_string();
        let (identity, message, details) = (text("identity"), text("message"), text("details"));
        let n_calls = failure["steps"].as_array().map_or(usize::MAX, Vec::len);
        if n_calls > self.most {
            return Some(format!("{n_calls} calls instead of {}", self.most));
        }
        let n_blocks = failure["steps"].to_string().matches("malloc(").count();
        if n_blocks > self.most_blocks {
            return Some(format!("{n_blocks} blocks instead of {}", self.most_blocks));
        }
        if !self.kinds.iter().any(|kind| is_kind(kind, &identity, &message)) {
            return Some(format!("no {}", self.kinds.join(" and no ")));
        }
        if !self.function.split('|').any(|function| message.contains(&format!("`{function}`"))) {
            return Some(format!("`{}` is not blamed", self.function));
        }
        let is_shown = |clause: &&str| !message.contains(*clause) && !details.contains(*clause);
        self.clause.filter(is_shown).map(|clause| format!("`{clause}` is not the clause"))
    }
}

/// Whether a failure is of a kind, by its identity and what it says.
fn is_kind(kind: &str, identity: &str, message: &str) -> bool {
    let is = |start: &str| identity.starts_with(start);
    // Of a statement, or of a call whose place is not known.
    let is_of = |kind: &str| is(&format!("{kind} at ")) || is(&format!("{kind} in "));
    let says = |word: &str| message.contains(word);
    let is_access = || ["access", "read", "write"].iter().any(|kind| is_of(kind));
    match kind {
        "postcondition" => is("postcondition of") && says("does not hold"),
        "spec-error" => is("postcondition of") && says("cannot be evaluated"),
        "precondition-of-callee" => is("precondition of") || is("ownership before"),
        "loop-invariant" => is("loop invariant in"),
        "assertion" => is("assertion in") && says("does not hold: assert"),
        "lemma" => is("assertion in") && says("does not hold: apply"),
        "leak" => is("leak in") || is("lost memory in"),
        "unowned-access" => is_access() && (says("does not own") || says("is not the function's")),
        "invariant" => is("invariant "),
        "difference" => is("differs: "),
        "uninitialised" => is_of("uninitialised"),
        "use-after-free" => is_access() && says("freed block"),
        "double-free" => is_of("bad free") && says("double free"),
        "invalid-free" => is_of("bad free") && says("no live block"),
        "out-of-bounds" => {
            is_of("out of bounds")
                || (is_access() && (says("outside ") || says(" before ") || says(" after the variable")))
        }
        "null" => is_access() && says("null pointer"),
        "dead-stack" => is_access() && says("has returned"),
        "read-only" => is_access() && says("cannot be written"),
        "overlap" => is_of("overlapping copy"),
        "stack-smashed" => is_of("stack smashed"),
        "signal" => is_of("signal"),
        "assert" => is_of("assert"),
        "abort" => is_of("abort"),
        "timeout" => is("hang in") || is_of("deadlock"),
        "stack-overflow" => is_of("stack overflow"),
        "undefined-arithmetic" => is_of("undefined behaviour"),
        _ => false,
    }
}

#[test]
fn every_file_of_the_corpus_is_what_its_name_says() {
    assert_corpus(1);
}

#[test]
#[ignore = "every file by all its seeds: `cargo xtask test --full`"]
fn every_file_of_the_corpus_is_that_by_all_its_seeds() {
    assert_corpus(u64::MAX);
}

fn assert_corpus(most_seeds: u64) {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the corpus is there")
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".pass.c") || name.ends_with(".fail.c"))
        .collect();
    names.sort();
    assert!(names.len() > 100, "only {} files", names.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(problem(name, most_seeds));
        }
        found
    };
    let problems: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The thesis's workloads pass as they are, and one mutant of each version of an invariant is found.
#[test]
fn the_workloads_of_the_thesis_are_right_and_their_mutants_are_not() {
    let runner = thesis::Runner::new(env!("CARGO_BIN_EXE_stairway"));
    for workload in thesis::WORKLOADS {
        let few = runner.clone().options(["--calls", "3000"]);
        for base in workload.bases() {
            let run = few.run(&base, 1).expect("the command runs");
            assert_eq!(run.code, Some(0), "{}: {}", base.name(), run.message);
        }
        let tasks = workload.tasks().expect("patches can be read");
        for version in tasks.chunk_by(|one, other| one.flags == other.flags) {
            let run = runner.run(&version[0], 1).expect("the command runs");
            assert!(run.is_found(), "{}: {run:?}", version[0].name());
        }
    }
}

/// From these seeds the queue with the wrong size was shown with a state: it takes one of three slots, and what is
/// looked for without states ended at programs that made one after many refusals.
#[test]
fn a_failure_by_a_state_is_shown_by_calls_where_they_reach_it() {
    let runner = thesis::Runner::new(env!("CARGO_BIN_EXE_stairway"));
    let tasks = thesis::WORKLOADS.iter().flat_map(|workload| workload.tasks().expect("patches can be read"));
    let task = tasks.into_iter().find(|task| task.name() == "queue/size_spec").expect("a task");
    for seed in [6, 7, 9, 19] {
        let run = runner.run(&task, seed).expect("the command runs");
        assert_eq!((run.has_states, run.length), (false, 5), "seed {seed}: {run:?}");
    }
}

#[test]
fn made_states_satisfy_their_preconditions() {
    let names = ["avl", "heap", "not_empty", "queue", "search_tree", "sorted", "stack", "two_trees"];
    for name in names {
        let name = format!("states_{name}.pass.c");
        let output = Command::new(env!("CARGO_BIN_EXE_stairway"))
            .arg("test")
            .arg(folder().join(&name))
            .args(["--from", "states", "--calls", "2000", "--seed", "1", "--json"])
            .current_dir(tempfile::tempdir().expect("a temporary folder").path())
            .output()
            .expect("the command runs");
        let report: Json = serde_json::from_slice(output.stdout.trim_ascii()).expect("one line of JSON");
        let functions = report["functions"].as_array().expect("functions");
        for states in functions.iter().map(|function| &function["states"]).filter(|states| states.is_object())
        {
            let (tried, callable) = (states["tried"].as_u64(), states["callable"].as_u64());
            assert!(callable.zip(tried).is_some_and(|(n, of)| 10 * n >= 9 * of), "{name}: {states}");
        }
    }
}
