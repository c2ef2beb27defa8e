//! The report as text made to be read.
//!
//! Receives a [`Report`], hands on a string. It chooses words and alignment and decides nothing:
//! everything it says is in the data.

use crate::choice_text;
use crate::report::Report;
use stairway_engine::{Counterexample, Decision, Drawn, Flaky, Found, Outcome, Statistics};
use std::fmt::Write as _;

/// The text of a property, for the test that reproduces its failure.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The function's name.
    pub name: &'static str,
    /// Its drawn parameters: name and type.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Its body, braces included.
    pub body: &'static str,
    /// Whether it is an `async fn`.
    pub is_async: bool,
}

/// Bodies up to this many lines are repeated in the report.
const MAX_BODY_LINES: usize = 20;
/// Rows of a table that are shown.
const MAX_TABLE_ROWS: usize = 12;

/// The whole report.
pub(crate) fn text(report: &Report) -> String {
    let mut out = String::new();
    match &report.result.outcome {
        Outcome::Falsified(found) => falsified(&mut out, report, found),
        Outcome::Flaky(flaky) => self::flaky(&mut out, report, flaky),
        outcome => headline(&mut out, report, outcome),
    }
    statistics(&mut out, &report.result.statistics);
    for warning in &report.warnings {
        let _ = write!(out, "\nwarning: {warning}");
    }
    out.trim_end().to_string()
}

fn headline(out: &mut String, report: &Report, outcome: &Outcome) {
    let (name, statistics) = (&report.name, &report.result.statistics);
    let discarded = match statistics.n_discarded {
        0 => String::new(),
        n => format!(" ({} discarded)", count(n)),
    };
    let _ = match outcome {
        Outcome::Proved { n_inputs } => {
            write!(out, "property `{name}` is proved for all {} inputs{discarded}", count(*n_inputs))
        }
        Outcome::Completed { bound, n_inputs } => write!(
            out,
            "property `{name}` holds for all {} inputs up to bound {bound}{discarded}\n\
             (every number among its {} simplest values, every collection within {bound} elements of its shortest)",
            count(*n_inputs),
            bound.saturating_add(1),
        ),
        Outcome::GaveUp => write!(
            out,
            "property `{name}` gave up: {} of {} cases were discarded\n\n  draw values that meet the condition \
             instead of rejecting those that do not,\n  or allow more with max_discards",
            count(statistics.n_discarded),
            count(statistics.n_discarded + statistics.n_passed),
        ),
        Outcome::CoverageNotMet { unmet } => write!(
            out,
            "property `{name}` held in {} cases, but they do not cover what it demands: {}",
            count(statistics.n_passed),
            unmet.join(", "),
        ),
        Outcome::GeneratorFailed { fault } => {
            write!(out, "property `{name}` could not be checked: its generator is wrong\n\n  {fault}")
        }
        _ => write!(out, "property `{name}` held in {} cases{discarded}", count(statistics.n_passed)),
    };
    if let (Outcome::Passed, Some(bound)) = (outcome, report.result.completed_bound) {
        let _ = write!(out, ", all of them up to bound {bound}, before the time was up");
    }
    out.push('\n');
    if matches!(outcome, Outcome::GaveUp) {
        discards(out, statistics);
    }
    if report.result.n_fixed > 0 {
        let _ = writeln!(out, "{} stored failures were replayed and pass now", report.result.n_fixed);
    }
}

fn falsified(out: &mut String, report: &Report, found: &Counterexample) {
    let _ = writeln!(out, "property `{}` does not hold\n", report.name);
    drawn(out, &found.observed.drawn);
    failure(out, found);
    notes(out, &found.observed.notes);
    provenance(out, report, found);
    for (k, other) in report.result.others.iter().enumerate() {
        let _ = writeln!(out, "\nfurther failure {}: {}\n", k + 1, other.failure.identity);
        drawn(out, &other.observed.drawn);
        failure(out, other);
    }
    reproducer(out, report, found);
}

/// Drawn values as aligned `name = value` lines.
fn drawn(out: &mut String, drawn: &[Drawn]) {
    if drawn.is_empty() {
        return;
    }
    let label = |d: &Drawn| {
        if d.name.is_empty() { format!("pick at {}", d.place) } else { d.name.to_string() }
    };
    let width = drawn.iter().map(|d| label(d).chars().count()).max().unwrap_or(0);
    for d in drawn {
        let value = d.value.replace('\n', &format!("\n{}", " ".repeat(width + 5)));
        let _ = writeln!(out, "  {:width$} = {value}", label(d));
    }
    out.push('\n');
}

fn failure(out: &mut String, found: &Counterexample) {
    let failure = &found.failure;
    let kind = failure.identity.split(" at ").next().unwrap_or_default();
    let what = match (kind, failure.place.as_str()) {
        (_, "") => format!("{}:", failure.identity),
        ("panic", place) => format!("panicked at {place}:"),
        (kind, place) => format!("{kind} at {place}:"),
    };
    let _ = writeln!(out, "  {what}\n{}", indented(&failure.message, "  "));
    if !failure.details.trim().is_empty() {
        let _ = writeln!(out, "\n{}", indented(failure.details.trim_end(), "  "));
    }
}

fn notes(out: &mut String, notes: &[String]) {
    if !notes.is_empty() {
        out.push('\n');
    }
    for note in notes {
        let _ = writeln!(out, "  note: {}", note.replace('\n', "\n        "));
    }
}

fn provenance(out: &mut String, report: &Report, found: &Counterexample) {
    let seed = report.result.seed;
    out.push('\n');
    let _ = match found.found {
        Found::Example(index) => writeln!(out, "this is its example {}; examples are not shrunk", index + 1),
        Found::Stored(_) => write!(out, "a stored failure, replayed"),
        Found::Case(index) => write!(out, "found in case {} (seed {seed:#x})", count(index + 1)),
        _ => write!(out, "found while shrinking another failure"),
    };
    if matches!(found.found, Found::Example(_)) {
        return;
    }
    let n_runs = count(found.shrinking.n_runs);
    let _ = if found.shrinking.is_minimal {
        writeln!(out, ", shrunk in {n_runs} runs; nothing simpler that was tried fails like this")
    } else {
        writeln!(out, ", shrunk in {n_runs} runs until the budget ended; a simpler one may exist")
    };
    if let Some(path) = &report.stored_in {
        let _ = writeln!(out, "stored in {}; the next run replays it first", shown_path(path));
    }
    replay(out, &report.name, &found.recording.choices, found.size);
}

/// How to run this very case again.
fn replay(out: &mut String, name: &str, choices: &[stairway_engine::Choice], size: u32) {
    const LONGEST: usize = 400;
    let line = choice_text::line(choices);
    let test = name.split_once("::").map_or(name, |(_, path)| path);
    if line.len() <= LONGEST {
        // Quotes in the choices must survive the shell's.
        let quoted = format!("{name}@{size}: {line}").replace('\'', r"'\''");
        let _ = writeln!(out, "replay with STAIRWAY_REPLAY='{quoted}' cargo test {test}");
    }
}

/// A test that fails on its own, and the attribute that keeps the input as an example.
fn reproducer(out: &mut String, report: &Report, found: &Counterexample) {
    let Some(source) = report.source else { return };
    let values: Vec<&Drawn> = found.observed.drawn.iter().filter(|d| !d.name.is_empty()).collect();
    if values.len() != source.parameters.len() || matches!(found.found, Found::Example(_)) {
        return;
    }
    let arguments: Vec<&str> = values.iter().map(|d| d.value.as_str()).collect();
    let _ = writeln!(out, "\nto keep this input, write above the property:\n\n    #[example({})]", arguments.join(", "));
    if source.is_async || source.body.lines().count() > MAX_BODY_LINES {
        return;
    }
    let _ = writeln!(out, "\nor as a test of its own:\n\n    #[test]\n    fn {}_counterexample() {{", plain(source.name));
    for ((name, ty), value) in source.parameters.iter().zip(&arguments) {
        // A parameter taken by reference was drawn as what it refers to.
        let borrow = if ty.starts_with('&') && !value.starts_with('"') { "&" } else { "" };
        let _ = writeln!(out, "        let {name}: {ty} = {borrow}{value};");
    }
    for line in body_lines(source.body) {
        let _ = writeln!(out, "        {line}");
    }
    out.push_str("    }\n");
}

/// The lines between the braces, with their common indentation taken away.
fn body_lines(body: &str) -> Vec<String> {
    let inner = body.trim().trim_start_matches('{').trim_end_matches('}').trim_matches('\n').trim_end();
    let indent = inner
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    inner.lines().map(|line| line.get(indent..).unwrap_or("").to_string()).collect()
}

fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn flaky(out: &mut String, report: &Report, flaky: &Flaky) {
    let _ = writeln!(out, "property `{}` is flaky: the same choices gave different verdicts\n", report.name);
    drawn(out, &flaky.observed.drawn);
    let _ = writeln!(out, "  first:  {}\n{}", flaky.failure.identity, indented(&flaky.failure.message, "          "));
    let _ = writeln!(out, "  then:   {}", flaky.then);
    out.push_str(
        "\n  it depends on something that is not drawn: a clock, an address, hash order, a thread, or\n  \
         state left over from an earlier case\n\n",
    );
    replay(out, &report.name, &flaky.recording.choices, flaky.size);
}

fn discards(out: &mut String, statistics: &Statistics) {
    out.push('\n');
    let mut rows: Vec<_> = statistics.discards.iter().collect();
    rows.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    for (why, n) in rows {
        let _ = writeln!(out, "  {} times: {why}", count(*n));
    }
}

fn statistics(out: &mut String, statistics: &Statistics) {
    let n = statistics.n_passed.max(1);
    if !statistics.labels.is_empty() {
        out.push_str("\nlabels\n");
        let rows = statistics.labels.iter().map(|(name, k)| (name.to_string(), *k));
        table(out, rows.collect(), n, 0);
    }
    for (name, rows) in &statistics.tables {
        let _ = writeln!(out, "\n{name}");
        let total = rows.rows.values().sum::<u64>() + rows.n_other;
        table(out, rows.rows.iter().map(|(v, k)| (v.clone(), *k)).collect(), total.max(1), rows.n_other);
    }
    if !statistics.demands.is_empty() {
        out.push_str("\ncoverage demanded\n");
    }
    for (name, demand) in &statistics.demands {
        let word = match demand.decide() {
            Decision::Met => "met",
            Decision::NotMet => "NOT MET",
            Decision::Open => "undecided",
        };
        let _ = writeln!(
            out,
            "  {:5.1}% {name} ({} of {}; {:.1}% demanded: {word})",
            demand.reached(),
            count(demand.n_hits),
            count(demand.n),
            demand.percent
        );
    }
    if !statistics.scores.is_empty() {
        out.push_str("\nlargest scores\n");
    }
    for (name, best) in &statistics.scores {
        let _ = writeln!(out, "  {name}: {}", best.score);
    }
}

/// Rows by share, the largest first.
fn table(out: &mut String, mut rows: Vec<(String, u64)>, total: u64, n_other: u64) {
    rows.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let rest: u64 = rows.iter().skip(MAX_TABLE_ROWS).map(|(_, n)| n).sum::<u64>() + n_other;
    let share = |n: u64| 100.0 * n as f64 / total as f64;
    for (value, n) in rows.iter().take(MAX_TABLE_ROWS) {
        let _ = writeln!(out, "  {:5.1}% {value}", share(*n));
    }
    if rest > 0 {
        let _ = writeln!(out, "  {:5.1}% other", share(rest));
    }
}

fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

/// A path from the current folder on, where it lies below.
fn shown_path(path: &std::path::Path) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.as_ref().and_then(|here| path.strip_prefix(here).ok());
    relative.unwrap_or(path).display().to_string()
}

/// 1234567 as 1,234,567.
fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn bodies_lose_their_braces_and_indentation() {
        assert_eq!(body_lines("{\n        a();\n\n            b();\n    }"), ["a();", "", "    b();"]);
        assert_eq!(body_lines("{ a() }"), ["a()"]);
    }
}
