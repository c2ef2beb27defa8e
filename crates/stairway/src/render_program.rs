//! Programs as text: the steps of a counterexample, and what the operations did in a run.
//!
//! Receives the data of steps and counts, hands on lines. It chooses words and alignment only.

use crate::render::count;
use stairway_engine::{ProgramCounts, ShownStep};
use std::fmt::Write as _;

/// Answers are aligned unless a call is longer than this.
const MAX_CALL: usize = 48;
/// The follow matrix is shown for at most this many operations.
const MAX_MATRIX: usize = 16;

/// States longer than this are left to the report's data.
const MAX_STATE: usize = 100;
/// Of how many steps at the end the states are shown.
const N_STATES: usize = 2;

/// The steps of a program, numbered from 1 as results are, each with the system's answer; at the
/// end of it also what both sides have come to, if that is wanted.
pub(crate) fn steps(out: &mut String, steps: &[ShownStep], has_states: bool) {
    let Some(last) = steps.last() else { return };
    let digits = (last.ordinal + 1).to_string().len();
    let calls: Vec<String> = steps.iter().map(call).collect();
    let lengths = calls.iter().map(|call| call.chars().count());
    let width = lengths.filter(|length| *length <= MAX_CALL).max().unwrap_or(0);
    for (k, (step, call)) in steps.iter().zip(&calls).enumerate() {
        let n = step.ordinal + 1;
        let indent = format!("\n{}", " ".repeat(digits + 4));
        let line = match step.answer.as_str() {
            "" | "()" => call.clone(),
            _ if is_result(step) => call.clone(),
            answer => format!("{call:width$}  -> {answer}"),
        };
        let _ = writeln!(out, "  {n:digits$}. {}", line.replace('\n', &indent));
        for note in &step.notes {
            let _ = writeln!(out, "{}{}", &indent[1..], note.replace('\n', &indent));
        }
        let is_repeated = steps.get(k + 1).is_some_and(|next| is_same_state(step, next));
        if has_states && k + N_STATES >= steps.len() && !is_repeated {
            states(out, step, &indent[1..]);
        }
    }
    out.push('\n');
}

fn is_same_state(one: &ShownStep, other: &ShownStep) -> bool {
    (&one.state, &one.system) == (&other.state, &other.system)
}

/// What both sides have come to, where it is short.
fn states(out: &mut String, step: &ShownStep, indent: &str) {
    let is_shown = |text: &str| {
        !text.is_empty()
            && !text.starts_with('<')
            && !text.contains('\n')
            && text.chars().count() <= MAX_STATE
    };
    // A law about a system has a model that nobody wrote.
    let has_model = is_shown(&step.state) && !step.state.starts_with("__");
    if has_model && is_shown(&step.system) {
        let _ = writeln!(out, "{indent}model:  {}", step.state);
        let _ = writeln!(out, "{indent}system: {}", step.system);
    } else if has_model {
        let _ = writeln!(out, "{indent}model: {}", step.state);
    } else if is_shown(&step.system) {
        let _ = writeln!(out, "{indent}system: {}", step.system);
    }
}

/// Whether the answer is a result that later steps can refer to.
fn is_result(step: &ShownStep) -> bool {
    step.answer == format!("r{}", step.ordinal + 1)
}

/// A step on a line of its own.
pub(crate) fn line(step: &ShownStep) -> String {
    match step.answer.as_str() {
        "" | "()" => call(step),
        _ if is_result(step) => call(step),
        answer => format!("{} -> {answer}", call(step)),
    }
}

/// The call with its arguments.
pub(crate) fn call(step: &ShownStep) -> String {
    let arguments: Vec<&str> = step.arguments.iter().map(|(_, value)| value.as_str()).collect();
    let name = if is_result(step) { format!("{} = ", step.answer) } else { String::new() };
    format!("{name}{}({})", step.name, arguments.join(", "))
}

/// How often the operations were done, and what followed what unless a failure is to be read.
pub(crate) fn statistics(out: &mut String, counts: &ProgramCounts, is_failure: bool) {
    let n_done: u64 = counts.n_done.iter().sum();
    if counts.names.is_empty() || n_done == 0 {
        return;
    }
    operations(out, counts);
    if !is_failure && (2..=MAX_MATRIX).contains(&counts.names.len()) {
        follow(out, counts);
    }
}

fn operations(out: &mut String, counts: &ProgramCounts) {
    let width = name_width(counts);
    let side = width + 4;
    let _ = writeln!(out, "\n{:side$} {:>9} {:>8} {:>11}", "operation", "done", "refused", "impossible");
    for (k, name) in counts.names.iter().enumerate() {
        let (done, refused) = (count(counts.n_done[k]), count(counts.n_refused[k]));
        let impossible = count(counts.n_impossible[k]);
        let _ = writeln!(out, "{:>3} {name:width$} {done:>9} {refused:>8} {impossible:>11}", k + 1);
    }
    let never = counts.never_done();
    if !never.is_empty() {
        let _ = writeln!(out, "never done: {}", never.join(", "));
    }
}

/// What followed each operation, in percent: rows are named, columns numbered.
fn follow(out: &mut String, counts: &ProgramCounts) {
    let n = counts.names.len();
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

    #[test]
    fn what_happened_once_is_not_shown_as_nothing() {
        assert_eq!([(0, 9), (1, 1000), (1, 3), (9, 9)].map(|(n, of)| share(n, of)), [".", "<1", "33", "100"]);
    }
}
