//! Programs as text: the steps of a counterexample, and what the operations did in a run.
//!
//! Renders the data of steps and counts as lines. It chooses words and alignment only.

use crate::difference::{self, Sides, Types};
use crate::program::step_source::{self, OracleSource, result_name};
use crate::render::count;
use stairway_engine::{ProgramCounts, ShownStep};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Answers are aligned unless a call is longer than this.
const MAX_CALL: usize = 48;
/// The follow matrix is shown for at most this many operations.
const MAX_MATRIX: usize = 16;

/// Of states longer than this, what differs is shown.
const MAX_STATE: usize = 100;
/// States of up to so many lines are shown as they are.
const MAX_STATE_LINES: usize = 8;
/// In how many places it is shown how model and system differ.
const N_DIFFERENCES: usize = 6;
/// In how many places it is shown what a step changed.
const N_CHANGES: usize = 3;
/// Of how many steps at the end the states are shown.
const N_STATES: usize = 2;

/// How many programs must have passed for their counts to say something beside a failure.
const MIN_COUNTED: u64 = 20;

/// The steps of a program, numbered from 1 as results are, each with the system's answer; at the
/// end of it also what both sides have come to, if there is a word for it.
pub(crate) fn steps(out: &mut String, steps: &[ShownStep], state: Option<&str>) {
    let Some(last) = steps.last() else { return };
    let digits = (last.ordinal + 1).to_string().len();
    let calls = calls(steps);
    let lengths = calls.iter().map(|call| call.chars().count());
    let width = lengths.filter(|length| *length <= MAX_CALL).max().unwrap_or(0);
    for (k, (step, call)) in steps.iter().zip(&calls).enumerate() {
        let n = step.ordinal + 1;
        let indent = format!("\n{}", " ".repeat(digits + 4));
        let line = match answer(step) {
            None => call.clone(),
            Some(answer) => format!("{call:width$}  -> {}", cut(answer)),
        };
        let _ = writeln!(out, "  {n:digits$}. {}", line.replace('\n', &indent));
        if let Some(OracleSource { said, .. }) = &step_source::of(step).oracle
            && !said.is_empty()
        {
            let _ = writeln!(out, "{}the oracle said: {}", &indent[1..], said.replace('\n', &indent));
        }
        for note in &step.notes {
            let _ = writeln!(out, "{}{}", &indent[1..], note.replace('\n', &indent));
        }
        let is_repeated = steps.get(k + 1).is_some_and(|next| is_same_state(step, next));
        if let Some(word) = state
            && k + N_STATES >= steps.len()
            && !is_repeated
        {
            let before = k.checked_sub(1).map(|before| &steps[before]);
            let is_last = k + 1 == steps.len();
            states(out, step, before, (&indent[1..], word, is_last));
        }
    }
    out.push('\n');
}

fn is_same_state(one: &ShownStep, other: &ShownStep) -> bool {
    (&one.state, &one.system) == (&other.state, &other.system)
}

/// What both sides have come to; of what is long, what differs.
fn states(
    out: &mut String,
    step: &ShownStep,
    before: Option<&ShownStep>,
    (indent, word, is_last): (&str, &str, bool),
) {
    let (has_model, has_system) = (!step.state.is_empty(), !step.system.is_empty());
    if has_model
        && has_system
        && is_last
        && (is_long(&step.state) || is_long(&step.system))
        && let Some(lines) = sides(step, word)
    {
        let _ = writeln!(out, "{indent}{}", lines.join(&format!("\n{indent}  ")));
        return;
    }
    let colon = if has_model && has_system { ":  " } else { ": " };
    let mut side = |name: String, lines: Vec<String>| {
        let below = format!("\n{indent}{}", " ".repeat(name.len()));
        let _ = writeln!(out, "{indent}{name}{}", lines.join(&below));
    };
    if has_model {
        let before = before.map(|before| before.state.as_str());
        side(format!("{word}{colon}"), excerpt(&step.state, before));
    }
    if has_system {
        let before = before.map(|before| before.system.as_str());
        side("system: ".to_string(), excerpt(&step.system, before));
    }
}

/// A state, or of a long one what is not as it was before.
fn excerpt(state: &str, before: Option<&str>) -> Vec<String> {
    if !is_long(state) {
        return vec![state.to_string()];
    }
    let differences = before
        .filter(|before| !before.is_empty() && *before != state)
        .and_then(|before| difference::places(before, state, Types::Same))
        .filter(|differences| !differences.places.is_empty());
    if let Some(differences) = differences {
        return difference::lines(&differences, Sides::BeforeAndAfter, N_CHANGES);
    }
    if state.lines().count() <= MAX_STATE_LINES && state.lines().all(|line| line.chars().count() <= MAX_STATE)
    {
        return state.lines().map(str::to_string).collect();
    }
    let line = state.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_cut = line.chars().nth(MAX_STATE).is_some();
    vec![line.chars().take(MAX_STATE).chain(if is_cut { " …" } else { "" }.chars()).collect()]
}

/// Where model and system differ; nothing if nothing of them can be compared.
fn sides(step: &ShownStep, word: &str) -> Option<Vec<String>> {
    let differences = difference::places(&step.state, &step.system, Types::Other)?;
    if differences.places.is_empty() {
        // What only one of them has says more than what both have.
        if differences.is_partial {
            return None;
        }
        return Some(vec![format!("{word} and system are alike")]);
    }
    let mut lines = vec![format!("{word} and system differ:")];
    lines.extend(difference::lines(&differences, Sides::ModelAndSystem, N_DIFFERENCES));
    Some(lines)
}

fn is_long(state: &str) -> bool {
    state.contains('\n') || state.chars().count() > MAX_STATE
}

/// The name under which later steps can refer to a step's result.
fn name(step: &ShownStep) -> String {
    result_name(step.ordinal, 0)
}

/// An answer as it stands beside its step: a long one would hide the steps, and where it matters the failure
/// shows it in full.
fn cut(answer: &str) -> Cow<'_, str> {
    const MAX_LINES: usize = 12;
    const MAX_CHARACTERS: usize = 1000;
    if let Some((at, _)) = answer.match_indices('\n').nth(MAX_LINES - 1) {
        let n_more = answer[at + 1..].lines().count();
        return format!("{}\n.. ({n_more} more lines)", cut(&answer[..at])).into();
    }
    match answer.char_indices().nth(MAX_CHARACTERS) {
        Some((at, _)) => {
            let n_more = answer[at..].chars().count();
            format!("{}.. ({n_more} more characters)", &answer[..at]).into()
        }
        None => answer.into(),
    }
}

/// The answer, where it says more than the name of the result.
fn answer(step: &ShownStep) -> Option<&str> {
    Some(answer_text(step)).filter(|answer| !answer.is_empty() && !step_source::of(step).shows_name)
}

/// The answer as text; that a step has returned, `()`, is not worth any.
pub(crate) fn answer_text(step: &ShownStep) -> &str {
    if step_source::of(step).answer.is_unit() { "" } else { &step.answer }
}

/// Whether the result is called by its name: a step refers to it, or it cannot be written down.
fn is_named(step: &ShownStep, used: &BTreeSet<u32>) -> bool {
    let source = step_source::of(step);
    let is_kept = source.result.is_some();
    let is_written = step.answer.is_empty() || !source.answer.is_empty();
    source.shows_name || is_kept && (used.contains(&step.ordinal) || !is_written)
}

/// The steps of a program, each on a line of its own.
pub(crate) fn lines(steps: &[ShownStep]) -> Vec<String> {
    let line = |(step, call): (&ShownStep, String)| match answer(step) {
        None => call,
        Some(answer) => format!("{call} -> {answer}"),
    };
    steps.iter().zip(calls(steps)).map(line).collect()
}

/// The calls of a program with their arguments.
pub(crate) fn calls(steps: &[ShownStep]) -> Vec<String> {
    let used: BTreeSet<u32> =
        steps.iter().flat_map(|step| &step_source::of(step).results).map(|used| used.step).collect();
    let one = |step: &ShownStep| {
        let name = if is_named(step, &used) { format!("{} = ", name(step)) } else { String::new() };
        format!("{name}{}", call(step))
    };
    steps.iter().map(one).collect()
}

fn call(step: &ShownStep) -> String {
    let list = |arguments: &[(&str, String)]| {
        arguments.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ")
    };
    let receiver = step_source::of(step).results.iter().find(|used| used.argument == 0);
    match (step.name.rsplit_once("::"), receiver, &step.arguments[..]) {
        (Some((_, method)), Some(receiver), [("self", _), rest @ ..]) => {
            format!("{}.{method}({})", result_name(receiver.step, receiver.nth), list(rest))
        }
        (_, _, all) => format!("{}({})", step.name, list(all)),
    }
}

/// How often the operations were done, and what followed what unless a failure is to be read:
/// `failing` are the steps of the program that fails.
pub(crate) fn statistics(
    out: &mut String,
    counts: &ProgramCounts,
    n_passed: u64,
    failing: Option<&[ShownStep]>,
) {
    let n_done: u64 = counts.n_done.iter().sum();
    if counts.names.is_empty() || n_done == 0 || failing.is_some() && n_passed < MIN_COUNTED {
        return;
    }
    operations(out, counts, failing.unwrap_or_default());
    if failing.is_none() && (2..=MAX_MATRIX).contains(&counts.names.len()) {
        follow(out, counts);
    }
}

fn operations(out: &mut String, counts: &ProgramCounts, failing: &[ShownStep]) {
    let width = name_width(counts);
    let side = width + 4;
    let _ = writeln!(out, "\n{:side$} {:>9} {:>8} {:>11}", "operation", "done", "refused", "impossible");
    for (k, name) in counts.names.iter().enumerate() {
        let (done, refused) = (count(counts.n_done[k]), count(counts.n_refused[k]));
        let impossible = count(counts.n_impossible[k]);
        let _ = writeln!(out, "{:>3} {name:width$} {done:>9} {refused:>8} {impossible:>11}", k + 1);
    }
    let mut never = counts.never_done();
    // The counts are of programs that passed.
    never.retain(|name| failing.iter().all(|step| step.name != *name));
    if !never.is_empty() {
        let _ = writeln!(out, "never done: {}", never.join(", "));
    }
}

/// What followed each operation, in percent: rows are named, columns numbered.
fn follow(out: &mut String, counts: &ProgramCounts) {
    let n = counts.names.len();
    if counts.follow.len() < n * n {
        return;
    }
    let width = name_width(counts);
    let side = width + 4;
    let _ = write!(out, "\n{:side$}", "what came next, in %");
    for k in 0..n {
        let _ = write!(out, " {:>3}", k + 1);
    }
    out.push('\n');
    let mut row = |k: Option<usize>, name: &str, row: &[u64]| {
        let total: u64 = row.iter().sum();
        if total == 0 {
            return;
        }
        let number = k.map_or(String::new(), |k| (k + 1).to_string());
        let _ = write!(out, "{number:>3} {name:width$}");
        for n in row {
            let _ = write!(out, " {:>3}", share(*n, total));
        }
        out.push('\n');
    };
    row(None, "(at the start)", &counts.n_first);
    for (k, name) in counts.names.iter().enumerate() {
        row(Some(k), name, &counts.follow[k * n..(k + 1) * n]);
    }
}

/// A share in percent; what happened is never shown as nothing.
fn share(n: u64, total: u64) -> String {
    match (n, (100 * n + total / 2) / total) {
        (0, _) => ".".to_string(),
        (_, 0) => "<1".to_string(),
        (_, percent) => percent.to_string(),
    }
}

fn name_width(counts: &ProgramCounts) -> usize {
    let longest = counts.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    longest.max("what came next, in %".len() - 4).max("operation".len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::step_source::{AnswerSource, ResultUse, StepSource};
    use stairway_engine::Attachment;

    #[test]
    fn what_happened_once_is_not_shown_as_nothing() {
        assert_eq!([(0, 9), (1, 1000), (1, 3), (9, 9)].map(|(n, of)| share(n, of)), [".", "<1", "33", "100"]);
    }
    fn step(ordinal: u32, name: &'static str, arguments: &[(&'static str, &str)]) -> ShownStep {
        let arguments = arguments.iter().map(|(name, value)| (*name, (*value).to_string())).collect();
        ShownStep { name, ordinal, arguments, ..ShownStep::default() }
    }

    #[test]
    fn a_long_answer_does_not_hide_the_steps() {
        assert_eq!(cut("Queue { n: 0 }"), "Queue { n: 0 }");
        let lines: Vec<String> = (1..=120).map(|n| format!("line {n}")).collect();
        let shown = cut(&lines.join("\n")).into_owned();
        assert!(shown.ends_with("line 12\n.. (108 more lines)"), "{shown}");
        assert_eq!(cut(&lines[..12].join("\n")), lines[..12].join("\n"));
        let shown = cut(&"ä".repeat(5000)).into_owned();
        assert!(shown.ends_with("ä.. (4000 more characters)"), "{shown}");
    }

    #[test]
    fn an_answer_that_looks_like_the_name_of_its_result_is_shown() {
        let answered = |shows_name| {
            let attachment = Attachment::new(StepSource { shows_name, ..StepSource::default() });
            ShownStep { answer: "r1".to_string(), attachment, ..step(0, "label", &[]) }
        };
        assert_eq!(lines(&[answered(false)]), ["label() -> r1"]);
        assert_eq!(lines(&[answered(true)]), ["r1 = label()"]);
    }

    #[test]
    fn results_have_names_where_something_refers_to_them() {
        let answered = |mut step: ShownStep, answer: &str, source: &str, result: Option<&str>| {
            step.answer = answer.to_string();
            let answer = AnswerSource { text: source.to_string(), ..AnswerSource::default() };
            let source: &mut StepSource = step.attachment.get_or_default();
            (source.answer, source.result) = (answer, result.map(str::to_string));
            step
        };
        let given = |mut step: ShownStep, results: &[(u32, usize)]| {
            let used = |(of, argument): &(u32, usize)| ResultUse {
                step: *of,
                nth: 0,
                is_changed: false,
                argument: *argument,
            };
            let results = results.iter().map(used).collect();
            step.attachment = Attachment::new(StepSource { results, ..StepSource::default() });
            step
        };
        let steps = [
            answered(step(0, "Queue::new", &[]), "Queue { n: 0 }", "", Some("")),
            answered(given(step(1, "Queue::len", &[("self", "&r1")]), &[(0, 0)]), "0", "0", Some("")),
            answered(given(step(2, "Queue::len", &[("self", "&r1")]), &[(0, 0)]), "0", "0", Some("")),
            answered(given(step(3, "Queue::next", &[("self", "&mut r1")]), &[(0, 0)]), "None", "", None),
            given(step(4, "Queue::add", &[("self", "&mut r1"), ("n", "r2")]), &[(0, 0), (1, 1)]),
            // A value that looks like the name of a result is none.
            step(5, "Queue::add", &[("self", "&mut Queue { n: 1 }"), ("n", "r3")]),
            given(step(6, "join", &[("a", "&r1"), ("b", "r1")]), &[(0, 0), (0, 1)]),
        ];
        assert_eq!(
            lines(&steps),
            [
                "r1 = Queue::new() -> Queue { n: 0 }",
                "r2 = r1.len() -> 0",
                "r1.len() -> 0",
                "r1.next() -> None",
                "r1.add(r2)",
                "Queue::add(&mut Queue { n: 1 }, r3)",
                "join(&r1, r1)",
            ]
        );
    }

    #[test]
    fn a_failing_program_is_not_said_to_be_never_done() {
        let counts = ProgramCounts {
            names: &["add", "remove", "len"],
            n_done: vec![9, 0, 0],
            n_refused: vec![0; 3],
            n_impossible: vec![0; 3],
            n_first: vec![0; 3],
            follow: vec![0; 9],
        };
        let said = |n_passed, failing| {
            let mut out = String::new();
            statistics(&mut out, &counts, n_passed, failing);
            out
        };
        let failing = [step(0, "remove", &[])];
        assert_eq!(said(MIN_COUNTED - 1, Some(&failing)), "");
        assert!(said(MIN_COUNTED, Some(&failing)).ends_with("never done: len\n"));
        assert!(said(1, None).contains("never done: remove, len\n"));
    }
}
