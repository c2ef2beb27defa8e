//! What the case studies share.
//!
//! Receives reports of planted bugs and the pieces of a README that show them; says whether each bug
//! is shrunk to the same number of steps whatever the seed is, and whether the README shows what is
//! really reported. It knows no study.

use stairway::report::Outcome;
use stairway::{Report, Settings};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The seed of the reports that READMEs show.
pub const SHOWN_SEED: u64 = 1;

/// How many seeds the quality of shrinking is judged by.
const N_SEEDS: u64 = 20;

/// How a planted bug is run: from a given seed, and leaving nothing behind.
pub fn settings(seed: u64) -> Settings {
    Settings::new().seed(seed).without_regressions()
}

/// The number of steps of the counterexample, the same for every seed; `None` if no seed finds one.
///
/// # Panics
/// If some seeds find nothing, or if counterexamples have different lengths.
#[track_caller]
pub fn n_steps_for_every_seed(report: impl Fn(u64) -> Report) -> Option<usize> {
    let lengths = n_steps_of_each_failure(report);
    let first = lengths.values().next().copied();
    assert!(lengths.values().all(|n| Some(*n) == first), "each failure has its own length: {lengths:#?}");
    first
}

/// The number of steps of the counterexample for each failure that the seeds lead to: one mistake may
/// be seen in several ways, of which shrinking keeps the one that was found.
///
/// # Panics
/// If some seeds find nothing, or if the same failure has counterexamples of different lengths.
#[track_caller]
pub fn n_steps_of_each_failure(report: impl Fn(u64) -> Report) -> BTreeMap<String, usize> {
    let mut seen: BTreeMap<String, Report> = BTreeMap::new();
    let mut n_found = 0;
    let n_steps = |report: &Report| report.counterexample().map(|found| found.observed.steps.len());
    for seed in 0..N_SEEDS {
        let report = report(seed);
        let Some(found) = report.counterexample() else { continue };
        n_found += 1;
        let other =
            seen.entry(stairway::report::words::identity(&found.failure)).or_insert_with(|| report.clone());
        assert_eq!(n_steps(&report), n_steps(other), "one seed: {other}\n\nanother seed: {report}");
    }
    assert!(n_found == 0 || n_found == N_SEEDS, "only {n_found} of {N_SEEDS} seeds find something");
    seen.into_iter().filter_map(|(failure, report)| Some((failure, n_steps(&report)?))).collect()
}

/// A report as a block of a README, without the backtrace that some ask for.
#[must_use]
pub fn block(mut report: Report) -> String {
    if let Outcome::Falsified(found) = &mut report.result.outcome {
        found.failure.excerpt.clear();
        found.failure.details.clear();
    }
    format!("```text\n{}\n```", report.to_string().trim_end())
}

/// A table of a README.
#[must_use]
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let _ = write!(text, "\n| {} |", row.join(" | "));
    }
    text
}

/// Compares what stands between `<!-- shown: name -->` and `<!-- end -->` in the README of `folder` with the
/// text given for that name, and its code, line by line, with the study's. Where reports have changed,
/// `UPDATE_README=1` puts the new ones in; read the difference, the words around them may no longer fit.
///
/// # Panics
/// If the README shows something else, or shows something that nobody has given.
#[track_caller]
pub fn assert_readme_shows(folder: &str, real: &[(&str, String)]) {
    let path = Path::new(folder).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("a case study has a README");
    assert_code_exists(&readme, &sources(Path::new(folder)));
    let updated = with_shown(&readme, real);
    if updated != readme && std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&path, updated).expect("the README can be written");
        return;
    }
    let same = updated.lines().zip(readme.lines()).take_while(|(a, b)| a == b).count();
    let (new, old) = (updated.lines().nth(same), readme.lines().nth(same));
    assert!(
        updated == readme,
        "{}:{}: shown is {old:?}, reported is {new:?}; UPDATE_README=1 shows what is reported",
        path.display(),
        same + 1,
    );
}

/// The names of files with code end so.
const CODE: [&str; 3] = ["rs", "c", "h"];

/// All code in a folder.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    let entries = std::fs::read_dir(folder).expect("a case study's folders can be read");
    for path in entries.map(|entry| entry.expect("an entry can be read").path()) {
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| CODE.iter().any(|known| extension == *known)) {
            text += &std::fs::read_to_string(&path).expect("code can be read");
        }
    }
    text
}

/// Every line of the page's Rust and C is a line of the code, as far as ` { .. }` does not cut it short.
#[track_caller]
fn assert_code_exists(page: &str, code: &str) {
    let blocks = ["```rust,ignore\n", "```c\n"].into_iter().flat_map(|fence| page.split(fence).skip(1));
    for block in blocks {
        let lines = block.lines().take_while(|line| *line != "```").map(str::trim);
        for line in lines.filter(|line| *line != "..") {
            let line = line.strip_suffix("{ .. }").unwrap_or(line);
            assert!(code.contains(line), "the README shows `{line}`, which is nowhere in the code");
        }
    }
}

/// The page with the given texts where they belong.
fn with_shown(page: &str, real: &[(&str, String)]) -> String {
    let (mut updated, mut rest) = (String::new(), page);
    let mut unshown: Vec<&str> = real.iter().map(|(name, _)| *name).collect();
    while let Some((before, behind)) = rest.split_once("<!-- shown: ") {
        let (name, behind) = behind.split_once(" -->").expect("a comment ends");
        let (_, behind) = behind.split_once("<!-- end -->").expect("`<!-- end -->` follows what is shown");
        let found = real.iter().find(|(known, _)| *known == name);
        let (_, text) = found.unwrap_or_else(|| panic!("nothing is given for `{name}`"));
        let _ = write!(updated, "{before}<!-- shown: {name} -->\n{text}\n<!-- end -->");
        unshown.retain(|known| *known != name);
        rest = behind;
    }
    assert!(unshown.is_empty(), "the README does not show {unshown:?}");
    updated.push_str(rest);
    updated
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "a\n<!-- shown: one -->\nold\n<!-- end -->\nb\n<!-- shown: two -->\n<!-- end -->";

    #[test]
    fn what_is_shown_is_replaced_and_nothing_else() {
        let real = [("two", "2".to_string()), ("one", "1\n1".to_string())];
        let updated = with_shown(PAGE, &real);
        let expected = "a\n<!-- shown: one -->\n1\n1\n<!-- end -->\nb\n<!-- shown: two -->\n2\n<!-- end -->";
        assert_eq!(updated, expected);
        assert_eq!(with_shown(&updated, &real), updated);
    }

    #[test]
    #[should_panic(expected = "the README does not show [\"three\"]")]
    fn what_is_given_must_be_shown() {
        let real = ["one", "two", "three"].map(|name| (name, String::new()));
        let _ = with_shown(PAGE, &real);
    }

    #[test]
    #[should_panic(expected = "nothing is given for `two`")]
    fn what_is_shown_must_be_given() {
        let _ = with_shown(PAGE, &[("one", String::new())]);
    }

    #[test]
    fn code_may_be_cut_short() {
        let page = "a\n```rust,ignore\nfn f() { .. }\n..\n```\nfn g";
        assert_code_exists(page, "fn f() {\n}\n");
    }

    #[test]
    #[should_panic(expected = "the README shows `fn g();`, which is nowhere in the code")]
    fn code_that_is_shown_exists() {
        assert_code_exists("```rust,ignore\nfn g();\n```", "fn g() {}");
    }

    #[test]
    #[should_panic(expected = "the README shows `int g;`, which is nowhere in the code")]
    fn c_that_is_shown_exists() {
        assert_code_exists("```c\nint g;\n```", "int f;");
    }

    #[test]
    fn tables_have_a_head() {
        let table = table(&["a", "b"], &[vec!["1".to_string(), "2".to_string()]]);
        assert_eq!(table, "| a | b |\n|---|---|\n| 1 | 2 |");
    }
}
