//! The report as text made to be read.
//!
//! Renders a [`Report`] as a string. It chooses words and alignment and decides nothing: everything it says
//! is in the data.

use crate::board;
use crate::choice_text;
use crate::failure_words;
use crate::render_program;
use crate::report::Report;
use crate::reproducer;
use crate::reproducer_program::Subject;
use crate::wording::{Words, broken, subject};
use stairway_engine::{
    CaseOrigin, Counterexample, Decision, Discard, DrawnRole, DrawnValue, Failure, FailureKind, FaultSite,
    FlakyCase, Label, Limit, LongestLength, Outcome, Party, Recording, ShownStep, Statistics,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

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
    let failing = match &report.result.outcome {
        Outcome::Falsified(found) => Some(&found.observed.steps[..]),
        Outcome::Flaky(flaky) => Some(&flaky.observed.steps[..]),
        _ => None,
    };
    let counts = &report.result.statistics;
    // Nothing can be said in percent of one program.
    if report.is_written {
        warnings(&mut out, report);
        return out.trim_end().to_string();
    }
    statistics(&mut out, counts);
    if failing.is_none() {
        alternatives(&mut out, counts);
    }
    render_program::statistics(&mut out, &counts.program, counts.n_passed, failing);
    if let Some(board) = &report.board {
        board::facts(&mut out, &board.0);
    }
    if failing.is_none() {
        lengths(&mut out, report);
        uncalled(&mut out, report);
    }
    warnings(&mut out, report);
    out.trim_end().to_string()
}

/// Long collections that were asked for and never came about.
fn lengths(out: &mut String, report: &Report) {
    for LongestLength { asked, drawn } in report.result.lengths.never_drawn() {
        let (asked, drawn) = (count(asked), count(drawn));
        let _ = writeln!(out, "lengths of up to {asked} were asked for; the longest drawn was {drawn}");
    }
}

/// The functions that no program called, by reason.
fn uncalled(out: &mut String, report: &Report) {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, why) in &report.uncalled {
        by_reason.entry(why).or_default().push(name);
    }
    for (why, names) in by_reason {
        let _ = writeln!(out, "never called, because {why}: {}", names.join(", "));
    }
}

fn warnings(out: &mut String, report: &Report) {
    for warning in &report.warnings {
        let _ = write!(out, "\nwarning: {warning}");
    }
}

fn headline(out: &mut String, report: &Report, outcome: &Outcome) {
    let (subject, statistics) = (subject(report), &report.result.statistics);
    let Words { is, holds, held, cases, demanded, its } = Words::of(report.subject);
    let discarded = match statistics.n_discarded {
        0 => String::new(),
        n => format!(" ({} discarded)", count(n)),
    };
    if report.is_skipped {
        let _ = writeln!(out, "{subject}: not checked, because STAIRWAY_REPLAY names something else");
        return;
    }
    if report.is_replay {
        let _ = writeln!(out, "{subject}: the case in STAIRWAY_REPLAY no longer fails");
        return;
    }
    let _ = match outcome {
        Outcome::Proved { n_inputs } => {
            write!(out, "{subject} {is} proved for {}{discarded}", all(*n_inputs, "inputs"))
        }
        Outcome::Explored { depth, bound, n_programs, n_pruned } => {
            let pruned = match n_pruned {
                0 => String::new(),
                n => format!(" ({} pruned: state already explored)", count(*n)),
            };
            let (programs, steps) = (all(*n_programs, "programs"), counted(*depth, "steps"));
            write!(out, "{subject} {holds} in {programs} of {steps}{pruned}").and_then(|()| match bound {
                None => Ok(()),
                Some(bound) => {
                    write!(out, "\n(every number among its {} simplest values)", bound.saturating_add(1))
                }
            })
        }
        Outcome::Completed { bound, n_inputs } => write!(
            out,
            "{subject} {holds} for {} up to bound {bound}{discarded}\n\
             (every number among its {} simplest values, every collection within {bound} elements of its shortest)",
            all(*n_inputs, "inputs"),
            bound.saturating_add(1),
        ),
        Outcome::GaveUp => write!(
            out,
            "{subject} gave up: {} of {} {cases} were discarded\n\n  draw values that meet the condition \
             instead of rejecting those that do not,\n  or allow more with max_discards",
            count(statistics.n_discarded),
            count(statistics.n_discarded + statistics.n_passed),
        ),
        Outcome::CoverageNotMet { unmet } => write!(
            out,
            "{subject} {held} in {}, but they do not cover what {demanded}: {}",
            counted(statistics.n_passed, cases),
            unmet.iter().map(failure_words::unmet).collect::<Vec<_>>().join(", "),
        ),
        Outcome::GeneratorFailed { fault, at } => {
            let of = match at {
                FaultSite::Unknown => String::new(),
                FaultSite::Pick(place) => format!(" at {place}"),
                FaultSite::Argument(name) => format!(" of `{name}`"),
            };
            write!(out, "{subject} could not be checked: {its} generator{of} is wrong\n\n  {fault}")
        }
        _ if report.result.completed_depth.is_some() => write!(
            out,
            "{subject} {holds} in all programs of up to {} steps, and {held} in {} longer ones before the \
             time was up{discarded}",
            report.result.completed_depth.unwrap_or(0),
            count(statistics.n_passed),
        ),
        _ => match report.result.completed_bound {
            None => write!(out, "{subject} {held} in {}{discarded}", counted(statistics.n_passed, cases)),
            Some(bound) => write!(
                out,
                "{subject} {holds} for all inputs up to bound {bound}, and held in {} {cases} of the next \
                 bound before the time was up{discarded}",
                count(statistics.n_passed),
            ),
        },
    };
    out.push('\n');
    cut_short(out, report, cases);
    discards(out, report);
    match report.result.n_fixed {
        0 => {}
        1 => out.push_str("a stored failure was replayed and no longer fails\n"),
        n => {
            let _ = writeln!(out, "{n} stored failures were replayed and no longer fail");
        }
    }
}

/// What ended the search before it had run as many cases as it was asked to.
fn cut_short(out: &mut String, report: &Report, cases: &str) {
    let why = match report.result.stopped_by {
        Some(_) if report.is_interrupted => "it was interrupted",
        Some(Limit::Clock) => "the time was up",
        Some(Limit::Budget) => "the budget was spent",
        Some(Limit::Settled) => "nothing new was seen",
        _ => return,
    };
    // Of what is counted through, the headline says how far it came.
    if report.result.completed_bound.is_some() || report.result.completed_depth.is_some() {
        return;
    }
    let _ = match report.n_cases_wanted {
        // With only a time given, the time decides.
        u64::MAX => writeln!(out, "stopped when {why}"),
        n => {
            let n_run = count(report.result.statistics.n_passed);
            writeln!(out, "cut short: {why} after {n_run} of {}", counted(n, cases))
        }
    };
}

fn falsified(out: &mut String, report: &Report, found: &Counterexample) {
    let _ = writeln!(out, "{}\n", broken(report, &found.failure));
    drawn(out, &found.observed.drawn);
    let state = if matches!(report.subject, Subject::Driver | Subject::Property | Subject::Board) {
        "state"
    } else {
        "model"
    };
    render_program::steps(out, &found.observed.steps, Some(state));
    failure(out, found);
    unshown(out, found);
    notes(out, &found.observed.notes);
    // It is known where a written program comes from, and it is there already.
    if report.is_written {
        return;
    }
    provenance(out, report, found);
    for other in report.result.others.iter().filter(|other| other.is_of_group) {
        also_seen(out, report, other);
    }
    let further = report.result.others.iter().filter(|other| !other.is_of_group);
    for (k, other) in further.enumerate() {
        let _ = writeln!(out, "\nfurther failure {}\n", k + 1);
        drawn(out, &other.observed.drawn);
        render_program::steps(out, &other.observed.steps, None);
        failure(out, other);
        out.push('\n');
        replay(out, report, &other.recording, other.size);
    }
    if let Some(source) = &report.source {
        reproducer::write(out, source, found);
    }
    // Of a program whose steps could not all be shown there is no text to print.
    if found.unshown.is_none() && !matches!(report.subject, Subject::Property | Subject::Refinement) {
        program(out, report, found);
    }
}

/// Another step that notices the same mistake.
fn also_seen(out: &mut String, report: &Report, other: &Counterexample) {
    let by = render_program::calls(&other.observed.steps).pop().unwrap_or_default();
    let _ = writeln!(out, "also seen by `{by}`: {}", indented(&what(&other.failure), "  ").trim_start());
    out.push_str("  ");
    replay(out, report, &other.recording, other.size);
}

/// A failing program as a test, or why there is none.
fn program(out: &mut String, report: &Report, found: &Counterexample) {
    if report.subject == Subject::Board {
        if let Some(test) = report.test() {
            let _ = writeln!(out, "\nas a C test for this machine:\n\n{}", indented(&test, "    "));
        }
        return;
    }
    let _ = match report.program(found).test() {
        Ok(test) => writeln!(out, "\nas a standalone test:\n\n{}", indented(&test, "    ")),
        Err(why) if why.is_empty() => Ok(()),
        Err(why) => writeln!(out, "\n{why}"),
    };
}

/// Drawn values as aligned `name = value` lines.
fn drawn(out: &mut String, drawn: &[DrawnValue]) {
    if drawn.is_empty() {
        return;
    }
    let label = |d: &DrawnValue| match d.role {
        DrawnRole::Argument => d.name.to_string(),
        DrawnRole::Pick(place) => format!("pick at {place}"),
        DrawnRole::Abstract => format!("abstract {}", d.name),
    };
    let width = drawn.iter().map(|d| label(d).chars().count()).max().unwrap_or(0);
    for d in drawn {
        let value = d.value.replace('\n', &format!("\n{}", " ".repeat(width + 5)));
        let _ = writeln!(out, "  {:width$} = {value}", label(d));
    }
    out.push('\n');
}

fn failure(out: &mut String, found: &Counterexample) {
    let details = format!("{}{}", found.failure.excerpt, found.failure.details);
    let _ = writeln!(out, "{}", indented(&what(&found.failure), "  "));
    if !details.trim().is_empty() {
        let _ = writeln!(out, "\n{}", indented(details.trim_end(), "  "));
    }
}

/// What failed and where, then the message.
fn what(failure: &Failure) -> String {
    let message = failure_words::message(failure);
    match (&failure.kind, &failure.place) {
        (FailureKind::Panic(Party::System), Some(place)) => format!("panicked at {place}:\n{message}"),
        // The message says what it is about.
        (
            FailureKind::Requires { .. }
            | FailureKind::Ensures { .. }
            | FailureKind::Invariant { .. }
            | FailureKind::Refinement { .. }
            | FailureKind::Call { .. },
            Some(place),
        ) => format!("{message}\nat {place}"),
        (kind, None) if speaks_for_itself(kind) => message,
        _ if message.is_empty() => failure_words::identity(failure),
        (FailureKind::Sanitizer(_), None) => format!("{}:\n{message}", failure_words::identity(failure)),
        (_, None) => format!("{}: {message}", failure_words::identity(failure)),
        _ => format!("{}:\n{message}", failure_words::identity(failure)),
    }
}

/// Whether the message of a failure of this kind names what it is about.
const fn speaks_for_itself(kind: &FailureKind) -> bool {
    matches!(
        kind,
        FailureKind::Answer { .. }
            | FailureKind::SidesAnswer { .. }
            | FailureKind::Transition { .. }
            | FailureKind::Requires { .. }
            | FailureKind::Ensures { .. }
            | FailureKind::Invariant { .. }
            | FailureKind::Refinement { .. }
            | FailureKind::Returned(_)
            | FailureKind::Formula { .. }
            | FailureKind::Call { .. }
            | FailureKind::Misuse { .. }
    )
}

/// That values are missing, and why.
fn unshown(out: &mut String, found: &Counterexample) {
    if let Some(showing) = &found.unshown {
        let how = failure_words::identity(showing);
        let _ = writeln!(
            out,
            "\n  showing the values of this case ended in another failure ({how}): what is missing above\n  \
             was not shown, and the choices below are complete"
        );
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
    let _ = match found.origin {
        CaseOrigin::Example(index) => {
            writeln!(out, "this is its example {}; examples are not shrunk", index + 1)
        }
        CaseOrigin::Stored(_) if report.is_replay => write!(out, "replayed from STAIRWAY_REPLAY"),
        CaseOrigin::Stored(_) => write!(out, "replayed from a stored failure"),
        CaseOrigin::Input(_) => write!(out, "found in an input of a fuzzer"),
        CaseOrigin::Case(index) | CaseOrigin::Varied(index) => {
            write!(out, "found in case {} (seed {seed:#x})", count(index + 1))
        }
        CaseOrigin::Target => write!(out, "found while climbing towards a larger score (seed {seed:#x})"),
        _ => write!(out, "found while shrinking another failure"),
    };
    if matches!(found.origin, CaseOrigin::Example(_)) {
        return;
    }
    let runs = counted(found.shrinking.n_runs, "runs");
    let _ = if found.shrinking.is_minimal && found.shrinking.n_runs == 0 {
        writeln!(out, "; it is the simplest input there is")
    } else if found.shrinking.is_minimal {
        let minimal = if found.shrinking.are_steps_needed {
            "every step is needed"
        } else {
            "no simpler failing input found"
        };
        writeln!(out, ", shrunk in {runs}; {minimal}")
    } else {
        writeln!(out, ", shrunk in {runs} until the budget ended; a simpler one may exist")
    };
    if let Some(path) = &report.stored_in {
        let _ = writeln!(out, "stored in {}; the next run replays it first", shown_path(path));
    }
    replay(out, report, &found.recording, found.size);
}

/// How to run this very case again.
fn replay(out: &mut String, report: &Report, recording: &Recording, size: u32) {
    const LONGEST: usize = 400;
    // The seed leads there again; a board takes no list of choices.
    if report.subject == Subject::Board {
        return;
    }
    let name = &report.name;
    let line = choice_text::line(&recording.choices);
    // The test that checks a model is not called after it.
    let is_model = recording.spans.iter().any(|span| span.label == Label::Program);
    let path = name.split_once("::").map_or(name.as_str(), |(_, path)| path);
    // A name that somebody chose need not be that of a test.
    let is_test = !is_model && path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let test = match (&report.test, is_test) {
        (_, true) => format!(" {path}"),
        (Some(test), false) => format!(" {test}"),
        (None, false) => String::new(),
    };
    if line.len() <= LONGEST {
        // Quotes in the choices must survive the shell's.
        let quoted = format!("{name}@{size}: {line}").replace('\'', r"'\''");
        let _ = writeln!(out, "replay with STAIRWAY_REPLAY='{quoted}' cargo test{test}");
    }
}

fn flaky(out: &mut String, report: &Report, flaky: &FlakyCase) {
    let Words { is, .. } = Words::of(report.subject);
    let subject = subject(report);
    let _ = writeln!(out, "{subject} {is} flaky: the same choices gave different verdicts\n");
    drawn(out, &flaky.observed.drawn);
    let is_program = !flaky.observed.steps.is_empty();
    let run = |out: &mut String, which: &str, ended: &str| {
        let _ = writeln!(out, "  {which} {}", indented(ended, "         ").trim_start());
    };
    run(out, "first:", &what(&flaky.failure));
    if is_program {
        match &flaky.failing {
            Some(failing) => flaky_steps(out, &failing.steps),
            None => out.push_str("         it did not fail this way again, so its steps are not known\n"),
        }
        out.push('\n');
    }
    run(out, "again:", &failure_words::run_again(&flaky.then));
    if is_program {
        flaky_steps(out, &flaky.observed.steps);
    }
    out.push_str(
        "\n  it depends on something that is not drawn: a clock, an address, hash order, a thread, or\n  \
         state left over from an earlier case\n\n",
    );
    if report.subject == Subject::Refinement {
        out.push_str(
            "  no oracle and no exact specification foretells what an implementation decides by itself: allow what\n  \
             may happen with `Outcomes`, or let its environment ask the oracle\n\n",
        );
    }
    replay(out, report, &flaky.recording, flaky.size);
}

/// The steps of one of two runs.
fn flaky_steps(out: &mut String, steps: &[ShownStep]) {
    let mut text = String::new();
    render_program::steps(&mut text, steps, None);
    let _ = writeln!(out, "\n{}", indented(text.trim_end(), "       "));
}

/// Why cases were thrown away, the most frequent reason first.
fn discards(out: &mut String, report: &Report) {
    let mut rows: Vec<_> = report.result.statistics.discards.iter().filter(|(_, n)| **n > 0).collect();
    if rows.is_empty() {
        return;
    }
    out.push('\n');
    rows.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    for (why, n) in rows {
        let _ = write!(out, "  {}: {}", counted(*n, "times"), failure_words::discard(why));
        let is_boards = report.subject == Subject::Board && *why == Discard::Overrun;
        out.push_str(if is_boards { "; raise `max_choices`\n" } else { "\n" });
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

/// What specifications allowed: what happened, and what never did.
fn alternatives(out: &mut String, statistics: &Statistics) {
    if statistics.alternatives.is_empty() {
        return;
    }
    out.push_str("\nwhat the specification allows\n");
    let taken = statistics.alternatives.iter().filter(|(_, alternative)| alternative.n_taken > 0);
    let mut rows: Vec<_> = taken.collect();
    rows.sort_by_key(|(_, alternative)| std::cmp::Reverse(alternative.n_taken));
    for (name, alternative) in rows {
        let share = 100.0 * alternative.n_taken as f64 / alternative.n as f64;
        let (taken, n) = (count(alternative.n_taken), counted(alternative.n, "cases"));
        let _ = writeln!(out, "  {share:5.1}% {name} ({taken} of the {n} that allow it)");
    }
    for (name, alternative) in statistics.never_taken() {
        let _ = writeln!(out, "   never {name} (allowed in {})", counted(alternative.n, "cases"));
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
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{by}{line}") };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A path from the current folder on, where it lies below.
fn shown_path(path: &std::path::Path) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.as_ref().and_then(|here| path.strip_prefix(here).ok());
    relative.unwrap_or(path).display().to_string()
}

/// So many things; their name is a plural.
pub(crate) fn counted(n: u64, things: &str) -> String {
    match n {
        1 => format!("1 {}", things.strip_suffix('s').unwrap_or(things)),
        n => format!("{} {things}", count(n)),
    }
}

/// All of so many things.
fn all(n: u64, things: &str) -> String {
    match n {
        1 => format!("the only {}", things.strip_suffix('s').unwrap_or(things)),
        n => format!("all {} {things}", count(n)),
    }
}

/// 1234567 as 1,234,567.
#[must_use]
pub fn count(n: u64) -> String {
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
    fn one_thing_is_no_plural() {
        assert_eq!([0, 1, 2000].map(|n| counted(n, "runs")), ["0 runs", "1 run", "2,000 runs"]);
        assert_eq!([1, 2].map(|n| all(n, "inputs")), ["the only input", "all 2 inputs"]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }
}
