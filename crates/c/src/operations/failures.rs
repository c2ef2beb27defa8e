//! Failures of C code: turns what the evaluator and the machine have seen into a [`Failure`] with a kind, a
//! place, and a [`Finding`] for the report, which has the words.

use super::targets::Target;
use crate::evaluate::{Stop, StopReason};
use crate::facts::UncheckedPart;
use crate::finding::{Finding, Hint, Problem, UndefinedPlace};
use crate::machine::{
    Block, ByteState, FrameOpening, Machine, MissingBytes, Note, Pc, Position, Range, Report, Violation,
};
use crate::project::Project;
use crate::spec::position::Span;
use stairway::report::{CallFault, ContractClause, Failure, FailureKind, Reach, Site};
use std::path::Path;

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
    let caller = caller.map(ToString::to_string);
    let problem =
        Problem::Clause { stop: Box::new(stop.clone()), caller, freed_at: freed_at(project, machine, stop) };
    failure(of_call(CallFault::Clause(part), name), Some(project.map.place(stop.clause)), problem)
}

/// Contracts that take as long as a call that does not return.
fn out_of_fuel(project: &Project, name: &str, stop: &Stop) -> Box<Failure> {
    let place = project.map.place(stop.clause);
    failure(of_call(CallFault::Hang, name), Some(place), Problem::SlowContracts { clause: stop.clause })
}

/// Where the memory was freed that a clause needs.
pub(crate) fn freed_at(project: &Project, machine: &Machine, stop: &Stop) -> Option<Site> {
    match &stop.why {
        StopReason::NotLive(bytes) => at(project, machine.block_at(bytes.address)?.freed_at?),
        _ => None,
    }
}

/// Something is wrong with a call.
pub(crate) fn of_call(fault: CallFault, function: &str) -> FailureKind {
    FailureKind::Call { fault, function: function.to_string().into(), reach: Reach::Directly }
}

/// A call that did not return.
pub(super) fn violated(project: &Project, name: &str, violation: &Violation) -> Box<Failure> {
    let place = violation.pc().and_then(|pc| at(project, pc));
    let mut kind = of_call(fault(violation), name);
    if let (Some(site), FailureKind::Call { reach, .. }) = (&place, &mut kind)
        && !violation.is_hang()
        && function_at(project, &site.file, site.line).is_some_and(|within| within != name)
    {
        *reach = Reach::Through;
    }
    let mut failure = failure(kind, place, Problem::Violation(violation.clone()));
    if matches!(violation, Violation::OutOfFuel { .. }) {
        hint(&mut failure, Hint::Fuel);
    }
    if matches!(violation, Violation::StackOverflow { .. }) {
        hint(&mut failure, Hint::Stack);
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
        Violation::BadFree { what: ByteState::Lent | ByteState::Unowned { .. }, .. } => CallFault::Unowned,
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

/// Whether a failure is that something takes too long.
pub(super) const fn is_hang(kind: &FailureKind) -> bool {
    matches!(kind, FailureKind::Call { fault: CallFault::Hang, .. })
}

/// What is not checked of a call that has no frame of its own.
pub(super) fn unframed(name: &str, opened: FrameOpening) -> Option<UncheckedPart> {
    match opened {
        FrameOpening::Yes | FrameOpening::Not => None,
        FrameOpening::TooDeep | FrameOpening::TooMany => {
            Some(UncheckedPart::Frame { function: name.to_string(), opened })
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
    Some(failure(of_call(CallFault::Undefined, within), Some(place), Problem::Undefined(note.clone())))
}

/// Undefined arithmetic in a call, without values, and whether a contract answers for it.
pub(super) fn undefined_places(
    project: &Project,
    target: &Target,
    report: &Report,
) -> Vec<(bool, UndefinedPlace)> {
    let place = |note: &Note| {
        let within = function_at(project, &note.position.file, note.position.line).unwrap_or(target.name);
        let place = position(project, &note.position);
        let is_under_contract = is_under_contract(project, target, note);
        (is_under_contract, UndefinedPlace { kind: note.kind, function: within.to_string(), place })
    };
    report.notes.iter().map(place).collect()
}

/// A failure with what the report is to know of it.
pub(super) fn failure(kind: FailureKind, place: Option<Site>, problem: Problem) -> Box<Failure> {
    let mut failure = Failure::new(kind).attach(Finding::new(problem));
    failure.place = place;
    Box::new(failure)
}

/// Adds a hint to a failure.
pub(super) fn hint(failure: &mut Failure, hint: Hint) {
    if let Some(finding) = Finding::of_mut(failure) {
        finding.hints.push(hint);
    }
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
    let problem = Problem::Uninitialised { is_memory: read.is_some() };
    failure(of_call(CallFault::Uninitialised, name), place, problem)
}

/// Memory that the postcondition promises and the function does not have any more.
pub(super) fn not_handed_back(
    project: &Project,
    name: &str,
    bytes: &MissingBytes,
    by: Option<Span>,
) -> Box<Failure> {
    let place = by.map(|span| project.map.place(span));
    let problem = Problem::NotHandedBack { what: bytes.what.clone(), by };
    failure(of_call(CallFault::OwnershipAfter, name), place, problem)
}

/// Memory that a postcondition lends and that the function may not read itself.
pub(super) fn not_readable(name: &str, bytes: &MissingBytes) -> Box<Failure> {
    failure(of_call(CallFault::OwnershipAfter, name), None, Problem::NotReadable(bytes.what.clone()))
}

/// Memory that a nested call takes and its caller does not have.
pub(super) fn not_the_callers(name: &str, caller: &str, bytes: &MissingBytes) -> Box<Failure> {
    let problem = Problem::NotTheCallers { caller: caller.to_string(), what: bytes.what.clone() };
    failure(of_call(CallFault::OwnershipBefore, name), None, problem)
}

/// Memory that a function owned and neither freed nor handed back.
pub(super) fn leaked(project: &Project, machine: &Machine, name: &str, leaks: &[Range]) -> Box<Failure> {
    let n_bytes = leaks.iter().map(|range| range.size).sum();
    let from = leaks.first().and_then(|range| machine.block_at(range.address));
    let place = from.and_then(|block| block.allocated_at).and_then(|pc| at(project, pc));
    failure(of_call(CallFault::Leak, name), place, Problem::Leaked { n_bytes })
}

/// Memory that the program has lost.
pub(super) fn lost(project: &Project, name: &str, blocks: &[Block]) -> Box<Failure> {
    let n_bytes = blocks.iter().map(|block| block.range.size).sum();
    let place = blocks.iter().find_map(|block| block.allocated_at).and_then(|pc| at(project, pc));
    failure(of_call(CallFault::Lost, name), place, Problem::Lost { n_bytes, n_blocks: blocks.len() as u64 })
}

/// The user's predicate does not hold.
pub(super) fn invariant(name: &str, after: &str) -> Box<Failure> {
    failure(of_call(CallFault::Invariant, name), None, Problem::Invariant { after: after.to_string() })
}
