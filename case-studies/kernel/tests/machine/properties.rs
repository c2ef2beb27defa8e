//! The properties in user mode: all hold, each finds the bug that is planted for it, and a seed means the
//! same on every machine.

use crate::{SILENCE, folder};
use case_study_support::{assert_readme_shows, table};
use kernel::{Ended, Parts, Program, Verdict, boot, run_here};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A planted bug, and what finds it.
struct Planted {
    bug: &'static str,
    what: &'static str,
    /// As numbered in the paper, and after it.
    number: u32,
    property: &'static str,
}

const fn planted(bug: &'static str, what: &'static str, (number, property): (u32, &'static str)) -> Planted {
    Planted { bug, what, number, property }
}

/// Several properties see some of these. The one that is named is the one that the study is about.
const PLANTED: [Planted; 15] = [
    planted("QUEUE_ROUNDS_UP", "the capacity becomes a power of two", (1, "init")),
    planted("QUEUE_NO_FULL_CHECK", "a full queue takes more", (2, "enqueue")),
    planted("QUEUE_WAITS_FOR_ROOM", "`enqueue` does not return if the queue is full", (2, "enqueue")),
    planted("QUEUE_NO_EMPTY_CHECK", "an empty queue gives more", (3, "dequeue")),
    planted("QUEUE_WRAPS_LATE", "`dequeue` wraps around one element too late", (4, "front")),
    planted("LIBRARY_IGNORES_ANSWER", "creation succeeds, whatever the kernel says", (6, "misuse")),
    planted("LIBRARY_LEAKS_STACK", "a creation that fails keeps its stack", (9, "stacks")),
    planted("LIBRARY_FREES_WRONG_STACK", "it gives back another thread's stack", (11, "send_mail")),
    planted("KERNEL_KEEPS_SLOT", "deletion leaves the capability", (5, "create_or_delete")),
    planted("KERNEL_OVERWRITES_SLOT", "creation where a thread is", (6, "misuse")),
    planted("KERNEL_WRAPS_POINTER", "pointers are masked, not checked", (7, "misuse_beyond")),
    planted("KERNEL_LEAVES_IN_PLACE", "a new priority moves no runnable thread", (8, "priorities")),
    planted("KERNEL_SIGNED_PRIORITY", "priorities are compared as signed", (8, "priorities")),
    planted("KERNEL_FORGETS_WAITER", "a deleted thread still waits for messages", (11, "send_mail")),
    planted("KERNEL_MAPS_OVER", "a frame goes where another one is", (12, "map")),
];

/// Whatever the seed, a bug is found; with one of so many, by the property that is named.
const N_SEEDS: u64 = 12;

static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let parts = Program::tester().and_then(|tester| Parts::compile(tester, &folder("properties")));
    parts.unwrap_or_else(|why| panic!("{why}"))
});

fn on_machine(image: &Path, line: &str) -> Ended {
    boot(image, line, SILENCE, |_| ()).unwrap_or_else(|why| panic!("{why}"))
}

/// The image with a bug, linked once however many tests boot it.
fn image(bug: &'static str) -> PathBuf {
    static LINKED: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut linked = LINKED.lock().unwrap_or_else(PoisonError::into_inner);
    linked.entry(bug).or_insert_with(|| PARTS.image(bug).unwrap_or_else(|why| panic!("{why}"))).clone()
}

/// The failing test as it is reported, from the verdict to where it was found.
fn counterexample(ended: &Ended) -> String {
    let lines = ended.text.lines().skip_while(|line| !line.starts_with("FAILED: "));
    let mut shown = String::new();
    for line in lines {
        shown.push_str(line);
        shown.push('\n');
        if line.starts_with("  found in test ") {
            break;
        }
    }
    shown
}

fn n_steps(counterexample: &str) -> usize {
    counterexample
        .lines()
        .filter(|line| line.starts_with("  queue: ") || line.starts_with("  kernel: "))
        .count()
}

#[test]
fn every_property_holds() {
    let image = image("NO_BUG");
    for line in ["seed=1 tests=300", "seed=2 tests=300 queue", "tests=20 limit=100 json"] {
        let ended = on_machine(&image, line);
        assert_eq!(ended.verdict, Verdict::Passed, "{line}:\n{}", ended.text);
        assert!(ended.text.contains("PASSED: "), "{line}:\n{}", ended.text);
        let last = ended.text.lines().last().unwrap_or("");
        assert_eq!(last.starts_with('{'), line.ends_with("json"), "{line}:\n{}", ended.text);
    }
}

#[test]
fn a_seed_gives_the_same_tests_here_and_on_the_machine() {
    // Every step of every test that holds, and everything about one that does not and is made smaller.
    for (bug, line) in
        [("NO_BUG", "seed=7 tests=40 verbose"), ("KERNEL_KEEPS_SLOT", "seed=5 tests=300 verbose")]
    {
        let there = on_machine(&image(bug), line);
        let here = PARTS.for_linux(bug).and_then(|program| run_here(&program, line, SILENCE));
        let here = here.unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(here.verdict, there.verdict);
        assert!(here.text.lines().count() > 30, "{}", here.text);
        let differs = here.text.lines().zip(there.text.lines()).find(|(here, there)| here != there);
        assert_eq!(differs, None);
        assert_eq!(here.text, there.text);
    }
}

/// The counterexample from the first seed with which the property that is named sees the bug first.
fn found_by_its_property(Planted { bug, property, .. }: &Planted) -> String {
    let mut others = String::new();
    for seed in 1..=N_SEEDS {
        let ended = on_machine(&image(bug), &format!("seed={seed} tests=5000 limit=5"));
        assert_eq!(ended.verdict, Verdict::Failed, "{bug}:\n{}", ended.text);
        let found = counterexample(&ended);
        if found.starts_with(&format!("FAILED: `{property}` ")) {
            return found;
        }
        others.push_str(&found);
    }
    panic!("{bug} is not found by `{property}` with any of {N_SEEDS} seeds, but so:\n{others}")
}

#[test]
fn every_planted_bug_is_found_and_made_small() {
    let mut shown = Vec::new();
    let mut rows = Vec::new();
    for planted in &PLANTED {
        let Planted { bug, what, number, property } = planted;
        let found = found_by_its_property(planted);
        let row = [
            format!("`{bug}`"),
            what.to_string(),
            format!("{number} `{property}`"),
            n_steps(&found).to_string(),
        ];
        rows.push(row.to_vec());
        shown.push((*bug, format!("```text\n{found}```")));
    }
    shown.push(("table", table(&["bug", "what is wrong", "property", "steps"], &rows)));
    assert_readme_shows(env!("CARGO_MANIFEST_DIR"), &shown);
}
