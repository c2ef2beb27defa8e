//! What went wrong, in words: the clause underlined in the user's file, with the values of its parts.
//!
//! Receives what the evaluator and the machine report; hands on failures. An identity never holds values: those
//! change while shrinking.

use super::failure;
use super::targets::Target;
use crate::evaluate::{Stop, Why};
use crate::machine::{Block, Machine, NotOwned, Note, Opened, Pc, Position, Range, Report, Violation};
use crate::noticed::Noticed;
use crate::project::Project;
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use stairway::Failure;
use std::path::Path;

/// A clause as it is written, on one line.
pub(crate) fn clause(project: &Project, span: Span) -> String {
    project.map.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A clause does not hold, or cannot be evaluated.
pub(crate) fn stopped(
    project: &Project,
    machine: &Machine,
    what: &str,
    name: &str,
    stop: &Stop,
) -> Box<Failure> {
    if stop.why == Why::OutOfFuel {
        return out_of_fuel(project, name, stop);
    }
    let message = match stop.blame {
        crate::evaluate::Blame::Unmet => {
            format!("the {what} `{name}` does not hold: {}", clause(project, stop.clause))
        }
        crate::evaluate::Blame::SpecError => format!("the {what} `{name}` cannot be evaluated: {}", stop.why),
    };
    let place = project.map.place(stop.clause);
    stopped_saying(project, machine, format!("{what} {name} at {place}"), message, stop)
}

/// Contracts that take as long as a call that does not return.
fn out_of_fuel(project: &Project, name: &str, stop: &Stop) -> Box<Failure> {
    let place = project.map.place(stop.clause);
    let message = format!("`{name}`: the contracts of this call have used up its fuel");
    let shown = Diagnostic::error(stop.clause, message.clone())
        .here("the last of them")
        .help("give a call more with --fuel, or bound what it works on in `requires`");
    failure(format!("hang in {name}"), message, place, shown.render(&project.map, false))
}

/// The same in other words.
pub(crate) fn stopped_saying(
    project: &Project,
    machine: &Machine,
    identity: String,
    message: String,
    stop: &Stop,
) -> Box<Failure> {
    let place = project.map.place(stop.clause);
    let mut diagnostic = Diagnostic::error(stop.clause, message.clone()).here(stop.why.to_string());
    if stop.place != stop.clause {
        diagnostic = diagnostic.label(stop.place, "here");
    }
    if let Why::Taken { by, .. } = &stop.why {
        diagnostic = diagnostic.label(*by, "taken here before");
    }
    if matches!(stop.why, Why::Constant(_)) {
        diagnostic = diagnostic.help("take it with `R` if it is only read");
    }
    if let Why::NotLive(bytes) = &stop.why
        && let Some(pc) = machine.block_at(bytes.address).and_then(|block| block.freed_at)
    {
        diagnostic = diagnostic.note(format!("it was freed at {}", at(project, pc)));
    }
    for part in stop.parts.iter().filter(|part| part.span != stop.clause) {
        diagnostic = diagnostic.label(part.span, part.value.clone());
    }
    for within in &stop.within {
        let arguments: Vec<String> = within.arguments.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        diagnostic = diagnostic.note(format!("in `{}` with {}", within.name, arguments.join(", ")));
    }
    failure(identity, message, place, diagnostic.render(&project.map, false))
}

/// Says who broke a precondition: not the function that has it.
pub(super) fn blame(failure: &mut Failure, caller: &str, name: &str) {
    let said = format!("the precondition of `{name}` ");
    if let Some(rest) = failure.message.strip_prefix(&said) {
        let message =
            format!("{said}{}", rest.replacen("does not hold", &format!("does not hold in `{caller}`"), 1));
        failure.details = failure.details.replacen(&failure.message, &message, 1);
        failure.message = message;
    }
}

/// A call that did not return.
pub(super) fn violated(project: &Project, name: &str, violation: &Violation) -> Box<Failure> {
    let place = violation.pc().map_or_else(String::new, |pc| at(project, pc));
    // Where in its loop a call ends changes with the length of the way there.
    let is_loop = violation.is_hang() && !matches!(violation, Violation::Deadlock { .. });
    let is_known = !place.is_empty() && !is_loop;
    let position = if is_known { format!(" at {place}") } else { String::new() };
    let kind = kind(violation);
    let colon = if violation.is_hang() { "" } else { ":" };
    let message = format!("`{name}`{colon} {violation}");
    let mut failure = failure(format!("{kind} in {name}{position}"), message, place, String::new());
    if matches!(violation, Violation::OutOfFuel { .. }) {
        hint(
            &mut failure,
            "help: if it is right and only takes long, give it more with --fuel, or smaller arguments with a contract",
        );
    }
    if matches!(violation, Violation::StackOverflow { .. }) {
        hint(&mut failure, "--stack sets how much stack a call has");
    }
    failure
}

pub(crate) fn kind(violation: &Violation) -> &'static str {
    match violation {
        Violation::Access { .. } => "access",
        Violation::Signal { .. } => "signal",
        Violation::StackOverflow { .. } => "stack overflow",
        Violation::Abort { .. } => "abort",
        Violation::Assert { .. } => "assertion",
        Violation::Exit { .. } => "exit",
        Violation::BadFree { .. } => "bad free",
        Violation::OutOfFuel { .. } | Violation::Timeout { .. } | Violation::Deadlock { .. } => "hang",
        Violation::Waits { .. } => "wait",
        Violation::Missing { .. } => "missing function",
        Violation::OutOfBounds { .. } => "out of bounds",
        Violation::StackSmashed { .. } => "stack smashed",
        Violation::Overlap { .. } => "overlapping copy",
        _ => "undefined behaviour",
    }
}

/// What is not checked of a call that has no frame of its own.
pub(super) fn unframed(name: &str, opened: Opened) -> Option<String> {
    match opened {
        Opened::Yes | Opened::Not => None,
        Opened::TooDeep => {
            Some(format!("what `{name}` owns where contracts are nested more than 65535 deep"))
        }
        Opened::TooMany => {
            Some(format!("what `{name}` owns where all callers together own more than 16777216 places"))
        }
    }
}

/// Where an instruction stands in the source. Calls record the instruction after them.
pub(super) fn at(project: &Project, pc: Pc) -> String {
    let found = project.program.lines.locate(pc.0.saturating_sub(1));
    found.map_or_else(String::new, |location| {
        let path = &location.file;
        let known = project.sources.files.iter().find(|file| path.ends_with(&file.path));
        let shown = known.map_or_else(|| path.display().to_string(), |file| file.path.display().to_string());
        format!("{shown}:{}", location.line)
    })
}

/// Where the compiler says something is, in the user's words for the file.
fn position(project: &Project, position: &Position) -> String {
    let path = Path::new(&position.file);
    let known = project.sources.files.iter().find(|file| path.ends_with(&file.path));
    let file = known.map_or_else(|| position.file.clone(), |file| file.path.display().to_string());
    let column = project.sources.column(path, position.line, position.column);
    Position { file, column, ..position.clone() }.to_string()
}

/// The function whose text holds a position.
fn function_at<'p>(project: &'p Project, position: &Position) -> Option<&'p str> {
    let path = Path::new(&position.file);
    let is_same = |file: &Path| file == path || file.ends_with(path) || path.ends_with(file);
    let before = project.program.functions.iter().filter(|function| {
        let is_there = function.file.as_deref().is_some_and(is_same);
        is_there && function.is_defined && function.line <= position.line
    });
    before.max_by_key(|function| function.line).map(|function| &*function.name)
}

pub(crate) fn has_contract(project: &Project, name: &str) -> bool {
    let contract = project.specs.contract_of.get(name).map(|k| &project.specs.contracts[*k]);
    contract.is_some_and(|contract| contract.not_run.is_none() && !contract.is_empty())
}

/// Whether a contract answers for undefined arithmetic: that of the function it stands in, or of the one that was called.
fn is_under_contract(project: &Project, target: &Target, note: &Note) -> bool {
    let within = function_at(project, &note.position);
    target.contract.is_some() || within.is_some_and(|name| has_contract(project, name))
}

/// Undefined arithmetic in a call of which a contract does not speak, as a failure.
pub(super) fn undefined(
    project: &Project,
    target: &Target,
    report: &Report,
    is_everywhere: bool,
) -> Option<Box<Failure>> {
    let is_meant = |note: &&Note| is_everywhere || is_under_contract(project, target, note);
    let note = report.notes.iter().find(is_meant)?;
    let place = position(project, &note.position);
    let within = function_at(project, &note.position).unwrap_or(target.name);
    let message = format!("undefined behaviour in `{within}`: {note}");
    Some(failure(format!("undefined behaviour in {within} at {place}"), message, place, String::new()))
}

/// Undefined arithmetic in a call, without values.
pub(super) fn undefined_notes(project: &Project, target: &Target, report: &Report) -> Vec<(Noticed, String)> {
    let line = |note: &Note| {
        let under = is_under_contract(project, target, note);
        let noticed = if under { Noticed::UndefinedUnderContract } else { Noticed::Undefined };
        let within = function_at(project, &note.position).unwrap_or(target.name);
        let place = position(project, &note.position);
        (noticed, format!("{} in `{within}` at {place}", note.kind))
    };
    report.notes.iter().map(line).collect()
}

/// Adds a line to the details of a failure.
pub(super) fn hint(failure: &mut Failure, line: &str) {
    if !failure.details.is_empty() && !failure.details.ends_with('\n') {
        failure.details.push('\n');
    }
    failure.details.push_str(line);
}

/// Uninitialised bytes were read in the call that failed.
pub(super) fn read_before(project: &Project, pc: Option<Pc>) -> String {
    let place = pc.map(|pc| at(project, pc)).filter(|place| !place.is_empty());
    format!("uninitialised memory was read before{}", place.map_or_else(String::new, |p| format!(", at {p}")))
}

/// Which allocation.
pub(super) fn nth_allocation(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (1, k) if k != 11 => "st",
        (2, k) if k != 12 => "nd",
        (3, k) if k != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending} allocation")
}

/// Garbage decided something.
pub(super) fn uninitialised(project: &Project, name: &str, read: Option<Option<Pc>>) -> Box<Failure> {
    let place = read.flatten().map(|pc| at(project, pc)).unwrap_or_default();
    let what = match read {
        Some(_) => "uninitialised memory decides what it does",
        None => "a variable that was never set decides what it does",
    };
    let position = if place.is_empty() { String::new() } else { format!(" at {place}") };
    failure(format!("uninitialised in {name}{position}"), format!("`{name}`: {what}"), place, String::new())
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

/// Memory that a postcondition lends and that the function may not read itself.
pub(super) fn not_readable(name: &str, bytes: &NotOwned) -> Box<Failure> {
    let message = format!("`{name}` may not read what its postcondition lends: {}", bytes.what);
    failure(format!("reading after {name}"), message, String::new(), String::new())
}

/// Memory that a nested call takes and its caller does not have.
pub(super) fn not_the_callers(name: &str, caller: &str, bytes: &NotOwned) -> Box<Failure> {
    let message = format!("`{caller}` calls `{name}` and does not own what that needs: {}", bytes.what);
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
    let bytes = if n == 1 { "byte" } else { "bytes" };
    let message = format!(
        "`{name}` leaks {n} {bytes}: it owned them, and neither freed them nor hands them back{born}"
    );
    failure(format!("leak in {name}"), message, place, String::new())
}

/// Memory that the program has lost.
pub(super) fn lost(project: &Project, name: &str, blocks: &[Block]) -> Box<Failure> {
    let n: u64 = blocks.iter().map(|block| block.range.size).sum();
    let place =
        blocks.iter().find_map(|block| block.allocated_at).map(|pc| at(project, pc)).unwrap_or_default();
    let (bytes, many) = (if n == 1 { "byte" } else { "bytes" }, blocks.len());
    let many = if many == 1 { "1 block".to_string() } else { format!("{many} blocks") };
    let born = if place.is_empty() { String::new() } else { format!(", allocated at {place}") };
    let message = format!(
        "`{name}` loses {n} {bytes} in {many}{born}: never freed, and nothing leads to them any more"
    );
    let position = if place.is_empty() { String::new() } else { format!(" at {place}") };
    failure(format!("leak in {name}, lost{position}"), message, place, String::new())
}

/// The user's predicate does not hold.
pub(super) fn invariant(name: &str, after: &str) -> Box<Failure> {
    let message = format!("`{name}` does not hold after `{after}`");
    failure(format!("invariant {name} after {after}"), message, String::new(), String::new())
}
