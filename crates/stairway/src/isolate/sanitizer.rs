//! What a sanitizer has said of a worker that it ended.
//!
//! Makes a failure of what the worker printed, with an identity that stays the same from run to run:
//! addresses and process numbers are left out. It knows how the reports of AddressSanitizer and its relatives
//! look, of gcc and of clang.

use stairway_engine::{Evidence, Failure, FailureKind, SanitizerReport};

/// How each report begins.
const TITLES: [(&str, &str); 5] = [
    ("ERROR: AddressSanitizer: ", "AddressSanitizer"),
    ("ERROR: LeakSanitizer: ", "LeakSanitizer"),
    ("WARNING: ThreadSanitizer: ", "ThreadSanitizer"),
    ("WARNING: MemorySanitizer: ", "MemorySanitizer"),
    (": runtime error: ", "UndefinedBehaviorSanitizer"),
];

/// What is set for workers, so that reports are short enough to be kept; what the user sets comes behind it
/// and wins.
pub(super) const OPTIONS: [(&str, &str); 2] = [
    ("ASAN_OPTIONS", "malloc_context_size=10:print_legend=0:leak_check_at_exit=0"),
    ("UBSAN_OPTIONS", "print_stacktrace=1"),
];

/// Where frames are that say nothing of the code under test: in the sanitizer, in the libraries of C and
/// Rust, and in here.
const ELSEWHERE: [&str; 10] = [
    "libsanitizer/",
    "sanitizer_common/",
    "sysdeps/",
    "nptl/",
    "/rustc/",
    "library/",
    "crates/engine/src/",
    "crates/stairway/src/",
    "/stairway-engine-",
    "/stairway-0.",
];

/// How many frames of each stack are shown: enough to come back to the test.
const N_FRAMES: usize = 5;

/// The failure that a report describes, if there is one.
pub(super) fn failure(output: &str) -> Option<Failure> {
    let lines: Vec<&str> = output.lines().collect();
    let title = |line: &str| {
        TITLES.iter().find_map(|(start, who)| Some((line.split_once(start)?.1.to_string(), *who)))
    };
    let (first, (what, who)) = lines.iter().enumerate().find_map(|(k, line)| Some((k, title(line)?)))?;
    let report = &lines[first..];
    // The second line of a leak, and of nothing else, is empty.
    let end = report.iter().position(|line| line.starts_with("SUMMARY: ")).unwrap_or(report.len());
    let report = &report[..end];
    let kind = kind(&what);
    let place =
        report.iter().find_map(|line| frame(line)).map(|(function, place)| (function, relative(place)));
    let at = match &place {
        Some((function, place)) => format!("in {function} at {place}"),
        None => String::new(),
    };
    let (text, details) = (message(&kind, report), details(report, &kind, who));
    let kind = FailureKind::Sanitizer(Box::new(SanitizerReport {
        tool: who.into(),
        finding: kind.into(),
        place: at.into(),
    }));
    Some(Failure::new(kind).shown_by(Evidence { text, details, ..Evidence::default() }))
}

/// What is wrong, without addresses: `heap-buffer-overflow on address 0x..` is the first of its words.
fn kind(what: &str) -> String {
    let until = [" on address", " on unknown address", " on 0x", ": 0x", " (pc ", " (pid="];
    let end = until.iter().filter_map(|mark| what.find(mark)).min().unwrap_or(what.len());
    without_addresses(what[..end].trim()).trim_end_matches(':').to_string()
}

/// One line: what was done, and to what.
fn message(kind: &str, report: &[&str]) -> String {
    let done = report.iter().find_map(|line| {
        let access = line.starts_with("READ of size") || line.starts_with("WRITE of size");
        access.then(|| line.split(" at 0x").next().unwrap_or(line))
    });
    let located = report.iter().find_map(|line| {
        let (_, place) = line.split_once(" is located ")?;
        Some(place.split(" [").next().unwrap_or(place).trim_end_matches(':'))
    });
    let leaked = report.iter().find_map(|line| line.strip_suffix(" allocated from:"));
    let parts = [Some(kind), done, located, leaked];
    let parts: Vec<String> = parts.into_iter().flatten().map(without_addresses).collect();
    parts.join(": ")
}

/// The report without addresses, and without frames that lead nowhere.
fn details(report: &[&str], kind: &str, who: &str) -> String {
    let mut text = format!("{who}: {kind}");
    let mut n_frames = 0;
    for line in report.iter().skip(1) {
        let line = line.trim_end();
        // What follows are threads, and the bytes around the address as the sanitizer keeps them.
        if line.starts_with("Shadow bytes") || line.starts_with("==") || line.contains(" created by ") {
            break;
        }
        if line.trim_start().starts_with('#') {
            let Some((function, place)) = frame(line).filter(|_| n_frames < N_FRAMES) else { continue };
            n_frames += 1;
            text += &format!("\n    in {function} {}", relative(place));
        } else if !line.is_empty() {
            n_frames = 0;
            text += "\n  ";
            text += without_addresses(line).trim_start();
        }
    }
    text
}

/// The function and the place of a line like `#1 0x55d0 in fill /home/me/c/fill.c:8:5`, unless it
/// lies elsewhere.
fn frame(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start().strip_prefix('#')?;
    let (_, named) = line.split_once(" in ")?;
    let (function, place) = named.rsplit_once(' ')?;
    let is_place = place.rsplit(':').next().is_some_and(|n| n.parse::<u32>().is_ok());
    let is_ours = !ELSEWHERE.iter().any(|folder| place.contains(folder));
    (is_place && is_ours).then_some((function, place))
}

/// From the folder of the package, which tests run in.
fn relative(place: &str) -> String {
    let folder = std::env::current_dir().ok().map(|folder| format!("{}/", folder.display()));
    folder
        .and_then(|folder| place.strip_prefix(&folder).map(str::to_string))
        .unwrap_or_else(|| place.to_string())
}

/// The text without words that are numbers of this process only.
fn without_addresses(text: &str) -> String {
    let mut shown = String::new();
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_region = word.starts_with("[0x");
        if is_region || (bare.starts_with("0x") && bare.len() > 4) {
            let kept = shown.strip_suffix(" at").map_or(shown.len(), str::len);
            shown.truncate(kept);
            continue;
        }
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(word);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure_words;

    const OVERRUN: &str = "\
something printed
=================================================================
==2411==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000033 at pc 0x55d0 bp 0x7ffd sp 0x7ffc
WRITE of size 1 at 0x602000000033 thread T1
    #0 0x55d0a1 in ring_push /elsewhere/ring.c:21
    #1 0x55d0a2 in ring::real /elsewhere/tests/ring.rs:40:9
    #2 0x55d0a3 in core::ops::function::FnOnce::call_once (/bin/ring+0x5) (BuildId: 12)

0x602000000033 is located 0 bytes to the right of 3-byte region [0x602000000030,0x602000000033)
allocated by thread T1 here:
    #0 0x7f in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69
    #1 0x55d0a4 in ring_new /elsewhere/ring.c:9

SUMMARY: AddressSanitizer: heap-buffer-overflow /elsewhere/ring.c:21 in ring_push
Shadow bytes around the buggy address:
";

    #[test]
    fn an_overrun_is_known_by_its_line() {
        let found = failure(OVERRUN).expect("there is a report");
        assert_eq!(
            failure_words::identity(&found),
            "AddressSanitizer: heap-buffer-overflow in ring_push at /elsewhere/ring.c:21"
        );
        assert_eq!(
            found.text,
            "heap-buffer-overflow: WRITE of size 1: 0 bytes to the right of 3-byte region"
        );
        insta::assert_snapshot!(found.details, @r"
        AddressSanitizer: heap-buffer-overflow
          WRITE of size 1 thread T1
            in ring_push /elsewhere/ring.c:21
            in ring::real /elsewhere/tests/ring.rs:40:9
          is located 0 bytes to the right of 3-byte region
          allocated by thread T1 here:
            in ring_new /elsewhere/ring.c:9
        ");
    }

    #[test]
    fn a_leak_is_known_by_who_allocated() {
        let output = "\
==6269==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 33 byte(s) in 1 object(s) allocated from:
    #0 0x7f in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69
    #1 0x55 in leak /tmp/a.c:7

SUMMARY: AddressSanitizer: 33 byte(s) leaked in 1 allocation(s).
";
        let found = failure(output).expect("there is a report");
        assert_eq!(
            failure_words::identity(&found),
            "LeakSanitizer: detected memory leaks in leak at /tmp/a.c:7"
        );
        assert_eq!(found.text, "detected memory leaks: Direct leak of 33 byte(s) in 1 object(s)");
    }

    #[test]
    fn other_words_of_sanitizers_are_understood() {
        let kinds = [
            "==1==ERROR: AddressSanitizer: attempting double-free on 0x602000000010 in thread T0:",
            "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x55 bp 0x7f T0)",
            "==1==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x7f in thread T0",
            "WARNING: ThreadSanitizer: data race (pid=12)",
            "==7==WARNING: MemorySanitizer: use-of-uninitialized-value",
            "a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented",
            "fatal runtime error: stack overflow, aborting",
        ];
        let said = kinds.map(|line| failure(line).map(|found| failure_words::identity(&found)));
        insta::assert_snapshot!(said.map(Option::unwrap_or_default).join("\n"), @r"
        AddressSanitizer: attempting double-free
        AddressSanitizer: SEGV
        AddressSanitizer: attempting free
        ThreadSanitizer: data race
        MemorySanitizer: use-of-uninitialized-value
        UndefinedBehaviorSanitizer: signed integer overflow: 2147483647 + 1 cannot be represented
        ");
    }
}
