//! Failures of C code: their kind, and the clause underlined in the user's file with the values of its parts.
//!
//! Turns what the evaluator and the machine report into a [`Failure`]. Its sentences are written here, in the
//! worker, because only the worker can read the memory that they are about.

use super::failure;
use super::targets::Target;
use crate::evaluate::{Stop, StopReason};
use crate::machine::{
    Block, FrameOpening, Machine, NotOwned, Note, Pc, Position, Range, Report, Violation, What,
};
use crate::noticed::NoteTable;
use crate::project::Project;
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use stairway::report::{CallFault, ContractClause, Evidence, Failure, FailureKind, Reach, Site};
use std::path::Path;

/// A clause as it is written, on one line.
pub(crate) fn clause(project: &Project, span: Span) -> String {
    project.map.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A clause does not hold, or cannot be evaluated.
pub(crate) fn stopped(
    project: &Project,
    machine: &Machine,
    (clause, name): (ContractClause, &str),
    stop: &Stop,
) -> Box<Failure> {
    stopped_in(project, machine, (clause, name, None), stop)
}

/// The same of a nested call, whose caller is to blame for a precondition.
pub(crate) fn stopped_in(
    project: &Project,
    machine: &Machine,
    (part, name, caller): (ContractClause, &str, Option<&str>),
    stop: &Stop,
) -> Box<Failure> {
    if stop.why == StopReason::OutOfFuel {
        return out_of_fuel(project, name, stop);
    }
    let what = clause_words(part);
    let within = caller.map_or_else(String::new, |caller| format!(" in `{caller}`"));
    let message = match stop.blame {
        crate::evaluate::Blame::Unmet => {
            format!("the {what} `{name}` does not hold{within}: {}", clause(project, stop.clause))
        }
        crate::evaluate::Blame::SpecError => format!("the {what} `{name}` cannot be evaluated: {}", stop.why),
    };
    let kind = of_call(CallFault::Clause(part), name);
    stopped_saying(project, machine, kind, message, stop)
}

const fn clause_words(part: ContractClause) -> &'static str {
    match part {
        ContractClause::Precondition => "precondition of",
        ContractClause::Postcondition => "postcondition of",
        ContractClause::LoopInvariant => "loop invariant in",
        ContractClause::Assertion => "assertion in",
        _ => "specification of",
    }
}

/// Contracts that take as long as a call that does not return.
fn out_of_fuel(project: &Project, name: &str, stop: &Stop) -> Box<Failure> {
    let place = project.map.place(stop.clause);
    let message = format!("`{name}`: the contracts of a call have used up its fuel, which --fuel sets");
    let shown = Diagnostic::error(stop.clause, message.clone())
        .here("the last of them")
        .help("give a call more with --fuel, or bound what it works on in `requires`");
    failure_at(of_call(CallFault::Hang, name), message, Some(place), shown.excerpt(&project.map))
}

/// The same in other words.
pub(crate) fn stopped_saying(
    project: &Project,
    machine: &Machine,
    kind: FailureKind,
    message: String,
    stop: &Stop,
) -> Box<Failure> {
    let place = project.map.place(stop.clause);
    let mut diagnostic = Diagnostic::error(stop.clause, message.clone()).here(stop.why.to_string());
    if stop.place != stop.clause {
        diagnostic = diagnostic.label(stop.place, "here");
    }
    if let StopReason::Taken { by, .. } = &stop.why {
        diagnostic = diagnostic.label(*by, "taken here before");
    }
    if matches!(stop.why, StopReason::Constant(_)) {
        diagnostic = diagnostic.help("take it with `R` if it is only read");
    }
    if let StopReason::NotLive(bytes) = &stop.why
        && let Some(pc) = machine.block_at(bytes.address).and_then(|block| block.freed_at)
        && let Some(place) = at(project, pc)
    {
        diagnostic = diagnostic.note(format!("it was freed at {place}"));
    }
    for part in stop.parts.iter().filter(|part| part.span != stop.clause) {
        diagnostic = diagnostic.label(part.span, part.value.clone());
    }
    for within in &stop.within {
        let arguments: Vec<String> = within.arguments.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        diagnostic = diagnostic.note(format!("in `{}` with {}", within.name, arguments.join(", ")));
    }
    failure_at(kind, message, Some(place), diagnostic.excerpt(&project.map))
}

/// Something is wrong with a call.
pub(crate) fn of_call(fault: CallFault, function: &str) -> FailureKind {
    FailureKind::Call { fault, function: function.to_string().into(), reach: Reach::Directly }
}

/// A call that did not return.
pub(super) fn violated(project: &Project, name: &str, violation: &Violation) -> Box<Failure> {
    let place = violation.pc().and_then(|pc| at(project, pc));
    let colon = if violation.is_hang() { "" } else { ":" };
    let message = format!("`{name}`{colon} {violation}");
    let mut kind = of_call(fault(violation), name);
    if let (Some(site), FailureKind::Call { reach, .. }) = (&place, &mut kind)
        && !violation.is_hang()
        && function_at(project, &site.file, site.line).is_some_and(|within| within != name)
    {
        *reach = Reach::Through;
    }
    let mut failure = failure(kind, message, place, String::new());
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

pub(crate) const fn fault(violation: &Violation) -> CallFault {
    match violation {
        Violation::Access { what, .. } if what.is_somebody_elses() => CallFault::Unowned,
        Violation::Access { is_write: true, .. } => CallFault::Write,
        Violation::Access { .. } => CallFault::Read,
        Violation::Signal { .. } => CallFault::Signal,
        Violation::StackOverflow { .. } => CallFault::StackOverflow,
        Violation::Abort { .. } => CallFault::Abort,
        Violation::Assert { .. } => CallFault::Assert,
        Violation::Exit { .. } => CallFault::Exit,
        Violation::BadFree { what: What::Lent | What::Unowned { .. }, .. } => CallFault::Unowned,
        Violation::BadFree { .. } => CallFault::BadFree,
        Violation::OutOfFuel { .. } | Violation::Timeout { .. } => CallFault::Hang,
        Violation::Deadlock { .. } => CallFault::Deadlock,
        Violation::Waits { .. } => CallFault::Wait,
        Violation::Missing { .. } => CallFault::Missing,
        Violation::OutOfBounds { .. } => CallFault::OutOfBounds,
        Violation::StackSmashed { .. } => CallFault::StackSmashed,
        Violation::Overlap { .. } => CallFault::Overlap,
        _ => CallFault::Undefined,
    }
}

/// A clause that was not checked, because something in it has no body.
pub(super) fn without_value(project: &Project, span: Span) -> String {
    format!("{}, since something in it has no body", clause(project, span))
}

/// Whether a failure is that something takes too long.
pub(super) const fn is_hang(kind: &FailureKind) -> bool {
    matches!(kind, FailureKind::Call { fault: CallFault::Hang, .. })
}

/// A function that has no body was reached: which, by whom, and what to do.
pub(super) fn missing(missing: &str, caller: &str) -> String {
    format!(
        "`{missing}`, called by `{caller}`; write a `spec` for it, name the file that defines it, or add a stub"
    )
}

/// What is not checked of a call that has no frame of its own.
pub(super) fn unframed(name: &str, opened: FrameOpening) -> Option<String> {
    match opened {
        FrameOpening::Yes | FrameOpening::Not => None,
        FrameOpening::TooDeep => {
            Some(format!("what `{name}` owns where contracts are nested more than 65535 deep"))
        }
        FrameOpening::TooMany => {
            Some(format!("what `{name}` owns where all callers together own more than 16777216 places"))
        }
    }
}

/// Where an instruction stands in the source. Calls record the instruction after them.
pub(super) fn at(project: &Project, pc: Pc) -> Option<Site> {
    let location = project.program.lines.locate(pc.0.saturating_sub(1))?;
    let path = &location.file;
    let known = project.sources.files.iter().find(|file| path.ends_with(&file.path));
    let shown = known.map_or_else(|| path.display().to_string(), |file| file.path.display().to_string());
    Some(Site { file: shown.into(), line: location.line, column: 0 })
}

/// Where the compiler says something is, in the user's words for the file.
fn position(project: &Project, position: &Position) -> Site {
    let path = Path::new(&position.file);
    let known = project.sources.files.iter().find(|file| path.ends_with(&file.path));
    let file = known.map_or_else(|| position.file.clone(), |file| file.path.display().to_string());
    let column = project.sources.column(path, position.line, position.column);
    Site { file: file.into(), line: position.line, column }
}

/// The function whose text holds a position.
fn function_at<'p>(project: &'p Project, file: &str, line: u32) -> Option<&'p str> {
    let path = Path::new(file);
    let is_same = |file: &Path| file == path || file.ends_with(path) || path.ends_with(file);
    let before = project.program.functions.iter().filter(|function| {
        let is_there = function.file.as_deref().is_some_and(is_same);
        is_there && function.is_defined && function.line <= line
    });
    before.max_by_key(|function| function.line).map(|function| &*function.name)
}

pub(crate) fn has_contract(project: &Project, name: &str) -> bool {
    let contract = project.specs.contract_of.get(name).map(|k| &project.specs.contracts[*k]);
    contract.is_some_and(|contract| contract.not_run.is_none() && !contract.is_empty())
}

/// Whether a contract answers for undefined arithmetic: that of the function it stands in, or of the one that
/// was called.
fn is_under_contract(project: &Project, target: &Target, note: &Note) -> bool {
    let within = function_at(project, &note.position.file, note.position.line);
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
    let within = function_at(project, &note.position.file, note.position.line).unwrap_or(target.name);
    let message = format!("undefined behaviour in `{within}`: {note}");
    Some(failure(of_call(CallFault::Undefined, within), message, Some(place), String::new()))
}

/// Undefined arithmetic in a call, without values.
pub(super) fn undefined_notes(
    project: &Project,
    target: &Target,
    report: &Report,
) -> Vec<(NoteTable, String)> {
    let line = |note: &Note| {
        let under = is_under_contract(project, target, note);
        let noticed = if under { NoteTable::UndefinedUnderContract } else { NoteTable::Undefined };
        let within = function_at(project, &note.position.file, note.position.line).unwrap_or(target.name);
        let place = position(project, &note.position);
        (noticed, format!("{} in `{within}` at {place}", note.kind))
    };
    report.notes.iter().map(line).collect()
}

/// A failure with the lines of the user's file that show it.
fn failure_at(kind: FailureKind, text: String, place: Option<Site>, excerpt: String) -> Box<Failure> {
    Box::new(Failure::new(kind).shown_by(Evidence { place, text, excerpt, ..Evidence::default() }))
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
    let place = pc.and_then(|pc| at(project, pc));
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
    let place = read.flatten().and_then(|pc| at(project, pc));
    let what = match read {
        Some(_) => "uninitialised memory decides what it does",
        None => "a variable that was never set decides what it does",
    };
    failure(of_call(CallFault::Uninitialised, name), format!("`{name}`: {what}"), place, String::new())
}

/// Memory that the postcondition promises and the function does not have any more.
pub(super) fn not_handed_back(
    project: &Project,
    name: &str,
    bytes: &NotOwned,
    by: Option<Span>,
) -> Box<Failure> {
    let place = by.map(|span| project.map.place(span));
    let message = format!("`{name}` does not own what its postcondition hands back: {}", bytes.what);
    let excerpt = by.map_or_else(String::new, |span| {
        Diagnostic::error(span, message.clone()).here("handed back here").excerpt(&project.map)
    });
    failure_at(of_call(CallFault::OwnershipAfter, name), message, place, excerpt)
}

/// Memory that a postcondition lends and that the function may not read itself.
pub(super) fn not_readable(name: &str, bytes: &NotOwned) -> Box<Failure> {
    let message = format!("`{name}` may not read what its postcondition lends: {}", bytes.what);
    failure(of_call(CallFault::OwnershipAfter, name), message, None, String::new())
}

/// Memory that a nested call takes and its caller does not have.
pub(super) fn not_the_callers(name: &str, caller: &str, bytes: &NotOwned) -> Box<Failure> {
    let message = format!("`{caller}` calls `{name}` and does not own what that needs: {}", bytes.what);
    failure(of_call(CallFault::OwnershipBefore, name), message, None, String::new())
}

/// Memory that a function owned and neither freed nor handed back.
pub(super) fn leaked(project: &Project, machine: &Machine, name: &str, leaks: &[Range]) -> Box<Failure> {
    let n: u64 = leaks.iter().map(|range| range.size).sum();
    let from = leaks.first().and_then(|range| machine.block_at(range.address));
    let place = from.and_then(|block| block.allocated_at).and_then(|pc| at(project, pc));
    let born = place.as_ref().map_or_else(String::new, |place| format!(", allocated at {place}"));
    let bytes = if n == 1 { "byte" } else { "bytes" };
    let message = format!(
        "`{name}` leaks {n} {bytes}: it owned them, and neither freed them nor hands them back{born}"
    );
    failure(of_call(CallFault::Leak, name), message, place, String::new())
}

/// Memory that the program has lost.
pub(super) fn lost(project: &Project, name: &str, blocks: &[Block]) -> Box<Failure> {
    let n: u64 = blocks.iter().map(|block| block.range.size).sum();
    let place = blocks.iter().find_map(|block| block.allocated_at).and_then(|pc| at(project, pc));
    let (bytes, many) = (if n == 1 { "byte" } else { "bytes" }, blocks.len());
    let many = if many == 1 { "1 block".to_string() } else { format!("{many} blocks") };
    let born = place.as_ref().map_or_else(String::new, |place| format!(", allocated at {place}"));
    let message = format!(
        "`{name}` loses {n} {bytes} in {many}{born}: never freed, and nothing leads to them any more"
    );
    failure(of_call(CallFault::Lost, name), message, place, String::new())
}

/// The user's predicate does not hold.
pub(super) fn invariant(name: &str, after: &str) -> Box<Failure> {
    let message = format!("`{name}` does not hold after `{after}`");
    failure(of_call(CallFault::Invariant, name), message, None, String::new())
}
