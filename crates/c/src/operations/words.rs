//! What went wrong, in words: the clause underlined in the user's file, with the values of its parts.
//!
//! Receives what the evaluator and the machine report; hands on failures. An identity never holds values: those
//! change while shrinking.

use super::failure;
use crate::evaluate::{Stop, Why};
use crate::machine::{Machine, NotOwned, Pc, Range, Violation};
use crate::project::Project;
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use stairway::Failure;

/// A clause as it is written, on one line.
pub(super) fn clause(project: &Project, span: Span) -> String {
    project.map.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A clause does not hold, or cannot be evaluated.
pub(super) fn stopped(project: &Project, what: &str, name: &str, stop: &Stop) -> Box<Failure> {
    let place = project.map.place(stop.clause);
    let message = match stop.blame {
        crate::evaluate::Blame::Unmet => {
            format!("the {what} `{name}` does not hold: {}", clause(project, stop.clause))
        }
        crate::evaluate::Blame::SpecError => format!("the {what} `{name}` cannot be evaluated: {}", stop.why),
    };
    let mut diagnostic = Diagnostic::error(stop.clause, message.clone()).here(stop.why.to_string());
    if stop.place != stop.clause {
        diagnostic = diagnostic.label(stop.place, "here");
    }
    if let Why::Taken { by, .. } = &stop.why {
        diagnostic = diagnostic.label(*by, "taken here before");
    }
    for part in stop.parts.iter().filter(|part| part.span != stop.clause) {
        diagnostic = diagnostic.label(part.span, part.value.clone());
    }
    for within in &stop.within {
        let arguments: Vec<String> = within.arguments.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        diagnostic = diagnostic.note(format!("in `{}` with {}", within.name, arguments.join(", ")));
    }
    failure(format!("{what} {name} at {place}"), message, place, diagnostic.render(&project.map, false))
}

/// A call that did not return.
pub(super) fn violated(project: &Project, name: &str, violation: &Violation) -> Box<Failure> {
    let place = violation.pc().map_or_else(String::new, |pc| at(project, pc));
    let position = if place.is_empty() { String::new() } else { format!(" at {place}") };
    let kind = kind(violation);
    failure(format!("{kind} in {name}{position}"), format!("`{name}`: {violation}"), place, String::new())
}

fn kind(violation: &Violation) -> &'static str {
    match violation {
        Violation::Access { .. } => "access",
        Violation::Signal { .. } => "signal",
        Violation::StackOverflow { .. } => "stack overflow",
        Violation::Abort { .. } => "abort",
        Violation::Assert { .. } => "assertion",
        Violation::Exit { .. } => "exit",
        Violation::BadFree { .. } => "bad free",
        Violation::Timeout { .. } => "timeout",
        Violation::Missing { .. } => "missing function",
        Violation::OutOfBounds { .. } => "out of bounds",
        Violation::StackSmashed { .. } => "stack smashed",
        Violation::Overlap { .. } => "overlapping copy",
        _ => "undefined behaviour",
    }
}

/// Where an instruction stands in the source. Calls record the instruction after them.
fn at(project: &Project, pc: Pc) -> String {
    let found = project.program.lines.locate(pc.0.saturating_sub(1));
    found.map_or_else(String::new, |location| {
        let path = &location.file;
        let known = project.sources.files.iter().find(|file| path.ends_with(&file.path));
        let shown = known.map_or_else(|| path.display().to_string(), |file| file.path.display().to_string());
        format!("{shown}:{}", location.line)
    })
}

/// Undefined arithmetic in the last call.
pub(super) fn undefined(project: &Project, machine: &Machine, name: &str) -> Option<Box<Failure>> {
    let report = machine.report();
    let note = report.notes.first()?;
    let place = note.position.to_string();
    let _ = project;
    let message = format!("`{name}`: undefined behaviour: {note}");
    Some(failure(format!("undefined arithmetic in {name} at {place}"), message, place, String::new()))
}

/// Memory that the postcondition promises and the function does not have any more.
pub(super) fn not_handed_back(
    project: &Project,
    name: &str,
    bytes: &NotOwned,
    by: Option<Span>,
) -> Box<Failure> {
    let place = by.map_or_else(String::new, |span| project.map.place(span));
    let message = format!("`{name}` does not own what its postcondition hands back: {}", bytes.what);
    let details = by.map_or_else(String::new, |span| {
        Diagnostic::error(span, message.clone()).here("handed back here").render(&project.map, false)
    });
    failure(format!("ownership after {name} at {place}"), message, place, details)
}

/// Memory that a nested call takes and its caller does not have.
pub(super) fn not_the_callers(project: &Project, name: &str, bytes: &NotOwned) -> Box<Failure> {
    let _ = project;
    let message = format!("the caller of `{name}` does not own what it needs: {}", bytes.what);
    failure(format!("ownership before {name}"), message, String::new(), String::new())
}

/// Memory that a function owned and neither freed nor handed back.
pub(super) fn leaked(project: &Project, machine: &Machine, name: &str, leaks: &[Range]) -> Box<Failure> {
    let n: u64 = leaks.iter().map(|range| range.size).sum();
    let from = leaks.first().and_then(|range| machine.block_at(range.address));
    let born =
        from.and_then(|block| block.allocated_at).map(|pc| at(project, pc)).filter(|place| !place.is_empty());
    let place = born.clone().unwrap_or_default();
    let born = born.map_or_else(String::new, |place| format!(", allocated at {place}"));
    let message =
        format!("`{name}` leaks {n} bytes: it owned them, and neither freed them nor hands them back{born}");
    failure(format!("leak in {name}"), message, place, String::new())
}

/// The user's predicate does not hold.
pub(super) fn invariant(name: &str, after: &str) -> Box<Failure> {
    let message = format!("`{name}` does not hold after `{after}`");
    failure(format!("invariant {name} after {after}"), message, String::new(), String::new())
}
