//! Failures of C code that a test calls: what was touched, whose it was, and the line of C that did it.

use super::session::{Origin, Session};
use crate::evaluate::Stop as Unmet;
use crate::finding::{Finding, ParameterName, Problem};
use crate::machine::{Block, BlockId, ByteState, Pc, Violation};
use crate::operations::failures::{fault, freed_at, of_call};
use crate::report::words::put;
use stairway::Stop;
use stairway::report::{CallFault, Evidence, Failure, FailureKind, Site};
use std::panic::Location;
use std::path::Path;

/// Something that is wrong with the test, not with the code under test.
pub(super) fn misuse(text: &str) -> Stop {
    let kind = FailureKind::Misuse { what: "C cannot be called".into() };
    Stop::fail(Failure::new(kind).saying(format!("C cannot be called: {text}")))
}

/// A call that its precondition forbids, or whose contract makes no sense there.
pub(super) fn not_allowed(session: &Session<'_>, name: &str, unmet: &Unmet) -> Failure {
    let (project, machine) = (&session.ready().project, &session.loaded().machine);
    let kind = FailureKind::Misuse { what: format!("the test's call of {name}").into() };
    let problem = Problem::NotAllowed {
        function: name.to_string(),
        stop: Box::new(unmet.clone()),
        freed_at: freed_at(project, machine, unmet),
    };
    let place = project.map.place(unmet.clause);
    worded(session, Failure::new(kind).at(place).attach(Finding::new(problem)))
}

/// A failure of a contract with its words, because the report of a test in Rust has none for C. Files are named
/// from the folder of the package, as everywhere in the test's report.
pub(super) fn worded(session: &Session<'_>, mut failure: Failure) -> Failure {
    let ready = session.ready();
    let from_root = |site: &mut Site| {
        if let Ok(file) = Path::new(&*site.file).strip_prefix(&ready.root) {
            site.file = file.display().to_string().into();
        }
    };
    if let Some(finding) = Finding::of_mut(&mut failure) {
        finding.sites_mut().for_each(from_root);
    }
    failure.place.iter_mut().for_each(from_root);
    put(&ready.project, Some(&ready.root), &mut failure);
    failure
}

/// A failure at the line of the test that is responsible.
#[track_caller]
pub(super) fn at_caller(kind: &str, message: String) -> Stop {
    let kind = FailureKind::Misuse { what: kind.to_string().into() };
    Stop::fail(Failure::new(kind).at(Location::caller()).saying(message))
}

fn failure(kind: FailureKind, text: String, place: Option<(Site, String)>) -> Failure {
    let (place, excerpt) = place.map_or((None, String::new()), |(place, shown)| (Some(place), shown));
    Failure::new(kind).shown_by(Evidence { place, text, excerpt, ..Evidence::default() })
}

/// A place in C: `file:line`, and the line itself as compilers show it.
fn place(session: &Session<'_>, pc: Pc) -> Option<(Site, String)> {
    let ready = session.ready();
    // Calls record the instruction after them.
    let found = ready.project.program.lines.locate(pc.0.saturating_sub(1))?;
    let path = found.file.strip_prefix(&ready.root).unwrap_or(&found.file);
    let place = Site { file: path.display().to_string().into(), line: found.line, column: 0 };
    let shown = shown(&place, &found.file, found.line);
    Some((place, shown))
}

fn shown(place: &Site, file: &Path, line: u32) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let Some(code) = text.lines().nth(line.saturating_sub(1) as usize) else { return String::new() };
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    format!("{margin}--> {place}\n{margin} |\n{number} | {code}\n{margin} |")
}

/// A call that did not return.
pub(super) fn violated(session: &Session<'_>, name: &str, violation: &Violation) -> Failure {
    let place = violation.pc().and_then(|pc| place(session, pc));
    let message = match violation {
        Violation::Access { size, is_write, what: of, .. } => {
            let verb = if *is_write { "writes" } else { "reads" };
            format!("`{name}` {verb} {}: {}", bytes(*size), what(session, of))
        }
        Violation::Signal { signal: 7 | 11, what: of, .. } => {
            format!("`{name}` touches memory that is not its own: {}", what(session, of))
        }
        Violation::BadFree { what: of @ ByteState::Freed { .. }, .. } => {
            format!("`{name}` frees for the second time {}", what(session, of))
        }
        Violation::BadFree { what: of, .. } => {
            format!("`{name}` frees what it must not free: {}", what(session, of))
        }
        Violation::Missing { name: missing, .. } => format!(
            "`{name}` calls `{missing}`, which is defined nowhere; name its file, or set a mock of it in this run"
        ),
        other => format!("`{name}`: {other}"),
    };
    failure(of_call(fault(violation), name), message, place)
}

fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") }
}

/// What some memory is, in the words of the test.
pub(super) fn what(session: &Session<'_>, what: &ByteState) -> String {
    let beside = |block: BlockId, offset: i64| {
        let Some(found) = session.loaded().machine.block(block) else { return what.to_string() };
        let end = offset - found.range.size.cast_signed();
        let how = match (offset < 0, end) {
            (true, _) => format!("{} before", bytes(offset.unsigned_abs())),
            (false, 0) => "directly after".to_string(),
            (false, _) => format!("{} past the end of", bytes(end.unsigned_abs())),
        };
        format!("{how} {}", origin(session, &found))
    };
    let within = |block: BlockId, offset: i64| {
        let found = session.loaded().machine.block(block);
        let at = if offset == 0 { String::new() } else { format!(", at offset {offset}") };
        found.map_or_else(|| what.to_string(), |b| origin(session, &b) + &at)
    };
    match what {
        ByteState::RedZone { block, offset, is_freed } => {
            beside(*block, *offset) + if *is_freed { ", which is freed already" } else { "" }
        }
        ByteState::Freed { block, offset, freed_at } => {
            let at = freed_at.and_then(|pc| place(session, pc));
            let lent = session.loaded().machine.block(*block).is_some_and(|b| b.is_slot);
            let gone = match at {
                Some((place, _)) => format!(", freed at {place}"),
                None if lent => ", lent only until the call returned".to_string(),
                None => ", freed already".to_string(),
            };
            within(*block, *offset) + &gone
        }
        ByteState::Live { block, offset } | ByteState::Unowned { block, offset } => within(*block, *offset),
        other => other.to_string(),
    }
}

/// A block, by who made it.
fn origin(session: &Session<'_>, block: &Block) -> String {
    let size = bytes(block.range.size);
    match session.origin(block.range.address) {
        Some(Origin::Parameter { function, parameter }) => {
            format!("{} ({size})", parameter_name(session, function, parameter))
        }
        Some(Origin::Lent(at)) => format!("the {size} lent at {at}"),
        Some(Origin::Given(at)) => format!("the {size} given at {at}"),
        None => match block.allocated_at.and_then(|pc| place(session, pc)) {
            Some((place, _)) => format!("the {size} allocated at {place}"),
            None => format!("a block of {size}"),
        },
    }
}

/// A result, given by address, of which only a part was written.
pub(super) fn partly_written(session: &Session<'_>, name: &str, parameter: usize) -> Failure {
    let parameter = parameter_name(session, name, parameter);
    failure(
        of_call(CallFault::PartlyWritten, &format!("{name}, {parameter}")),
        format!("`{name}` writes only a part of {parameter}"),
        None,
    )
}

/// What C calls a parameter.
fn parameter_name(session: &Session<'_>, function: &str, parameter: usize) -> String {
    let functions = &session.ready().project.program.functions;
    let known = functions.iter().find(|f| f.is_defined && f.name == function);
    let names: Vec<&str> = known.iter().flat_map(|f| &f.parameters).map(String::as_str).collect();
    ParameterName::of(&names, parameter).to_string()
}

/// Undefined arithmetic in a call that returned.
pub(super) fn undefined(session: &Session<'_>, name: &str) -> Option<Failure> {
    let ready = session.ready();
    let note = session.loaded().machine.report().notes.into_iter().next()?;
    let file = Path::new(&note.position.file);
    let shown_file = file.strip_prefix(&ready.root).unwrap_or(file).display();
    let at = Site { file: shown_file.to_string().into(), line: note.position.line, column: 0 };
    let shown = shown(&at, file, note.position.line);
    let message = format!("`{name}`: undefined behaviour: {note}");
    Some(failure(of_call(CallFault::Undefined, name), message, Some((at, shown))))
}

/// Blocks that nobody has freed.
pub(super) fn leaked(session: &Session<'_>, first: &Block, n: usize) -> Failure {
    let place = first.allocated_at.and_then(|pc| place(session, pc));
    let others = match n - 1 {
        0 => String::new(),
        1 => ", and one more block".to_string(),
        n => format!(", and {n} more blocks"),
    };
    let message = format!("a leak: nobody frees {}{others}", origin(session, first));
    let what = if place.is_some() { "what is allocated there" } else { "what was given" };
    failure(of_call(CallFault::Lost, what), message, place)
}
