//! Words for what is wrong with a call: the sentence, the lines of the user's file that show it, and hints.
//!
//! A [`Finding`] is data from the worker to here, and this is the only place that has words for it. Nothing
//! is decided by them.

use crate::evaluate::{Blame, Bytes, NoReturn, Part, Stop, StopReason};
use crate::finding::{
    BlockName, Difference, Doubt, DoubtfulArgument, Finding, Hint, NameTable, ParameterName, Problem,
    UndefinedPlace,
};
use crate::machine::{BlockId, ByteState, Note, Operand, UndefinedKind, Violation};
use crate::project::Project;
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use stairway::Report;
use stairway::engine::Verdict;
use stairway::report::{CallFault, ContractClause, Failure, FailureKind, Outcome};
use std::fmt;
use std::path::Path;

/// Gives all failures of a report their words; says whether all of them could be read.
pub(crate) fn put_all(project: &Project, report: &mut Report) -> bool {
    let result = &mut report.result;
    let failures: Vec<&mut Failure> = match &mut result.outcome {
        Outcome::Falsified(found) => vec![&mut found.failure],
        Outcome::Flaky(flaky) => {
            let flaky = &mut **flaky;
            let then = match &mut flaky.then {
                Verdict::Failed(again) => Some(again),
                _ => None,
            };
            std::iter::once(&mut flaky.failure).chain(then).collect()
        }
        _ => Vec::new(),
    };
    let others = result.others.iter_mut().map(|other| &mut other.failure);
    failures.into_iter().chain(others).all(|failure| {
        Finding::restore(failure) && {
            put(project, None, failure);
            true
        }
    })
}

/// Gives a failure its words: the sentence, what is shown of the user's file, and hints. Files in `root` are
/// named from there.
pub(crate) fn put(project: &Project, root: Option<&Path>, failure: &mut Failure) {
    let Some(finding) = Finding::of(failure) else { return };
    let words = Words { project, root, failure, finding };
    let (text, excerpt) = (words.message(), words.excerpt());
    let hints: Vec<String> = finding.hints.iter().map(hint).collect();
    failure.text = text;
    failure.excerpt = excerpt;
    failure.details = hints.join("\n");
}

/// Contracts that take longer than a call may.
pub(super) fn slow_contracts(function: &str) -> String {
    format!("`{function}`: the contracts of a call have used up its fuel, which --fuel sets")
}

/// A clause as it is written, on one line.
pub(crate) fn clause(project: &Project, span: Span) -> String {
    project.map.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A failure with everything that its words depend on.
struct Words<'w> {
    project: &'w Project,
    root: Option<&'w Path>,
    failure: &'w Failure,
    finding: &'w Finding,
}

impl Words<'_> {
    fn message(&self) -> String {
        let what = self.problem();
        match &self.finding.mock {
            Some(mock) => format!("the mock of `{mock}`: {what}"),
            None => what,
        }
    }

    /// The function that the failure is about, and what is wrong with it.
    fn subject(&self) -> (&str, Option<&CallFault>) {
        match &self.failure.kind {
            FailureKind::Call { function, fault, .. } => (function, Some(fault)),
            _ => ("", None),
        }
    }

    fn problem(&self) -> String {
        let names = &self.finding.names;
        let (name, fault) = self.subject();
        match &self.finding.problem {
            Problem::Clause { stop, caller, .. } => {
                let part = match fault {
                    Some(CallFault::Clause(part)) => clause_words(*part),
                    _ => "specification of",
                };
                let within = caller.as_ref().map_or_else(String::new, |caller| format!(" in `{caller}`"));
                match stop.blame {
                    Blame::Unmet => {
                        let clause = clause(self.project, stop.clause);
                        format!("the {part} `{name}` does not hold{within}: {clause}")
                    }
                    Blame::SpecError => {
                        format!("the {part} `{name}` cannot be evaluated: {}", reason(&stop.why, names))
                    }
                }
            }
            Problem::NotAllowed { function, stop, .. } => match stop.blame {
                Blame::Unmet => format!(
                    "the test calls `{function}` although its precondition does not hold: {}",
                    clause(self.project, stop.clause)
                ),
                Blame::SpecError => {
                    format!(
                        "the specification of `{function}` cannot be evaluated: {}",
                        reason(&stop.why, names)
                    )
                }
            },
            Problem::SlowContracts { .. } => slow_contracts(name),
            Problem::Violation(of) => {
                let colon = if of.is_hang() { "" } else { ":" };
                format!("`{name}`{colon} {}", violation(of, names))
            }
            Problem::Undefined(note) => format!("undefined behaviour in `{name}`: {note}"),
            Problem::Uninitialised { is_memory: true } => {
                format!("`{name}`: uninitialised memory decides what it does")
            }
            Problem::Uninitialised { is_memory: false } => {
                format!("`{name}`: a variable that was never set decides what it does")
            }
            Problem::NotHandedBack { what: of, .. } => {
                format!("`{name}` does not own what its postcondition hands back: {}", what(of, names))
            }
            Problem::NotReadable(of) => {
                format!("`{name}` may not read what its postcondition lends: {}", what(of, names))
            }
            Problem::NotTheCallers { caller, what: of } => {
                format!("`{caller}` calls `{name}` and does not own what that needs: {}", what(of, names))
            }
            Problem::Leaked { n_bytes } => format!(
                "`{name}` leaks {}: it owned them, and neither freed them nor hands them back{}",
                counted(*n_bytes, "byte"),
                self.allocated()
            ),
            Problem::Lost { n_bytes, n_blocks } => format!(
                "`{name}` loses {} in {}{}: never freed, and nothing leads to them any more",
                counted(*n_bytes, "byte"),
                counted(*n_blocks, "block"),
                self.allocated()
            ),
            Problem::Invariant { after } => format!("`{name}` does not hold after `{after}`"),
            Problem::Difference { one, other, at, what } => {
                let within = if at == one { String::new() } else { format!(" in `{at}`") };
                let what = match what {
                    Difference::Violation(of) => format!("only with `{other}`: {}", violation(of, names)),
                    Difference::Results(a, b) => format!("{a} with `{one}`, {b} with `{other}`"),
                    Difference::Data => "other data behind a pointer".to_string(),
                    Difference::Output => "they print something else".to_string(),
                };
                format!("`{other}` differs from `{one}`{within}: {what}")
            }
        }
    }

    fn allocated(&self) -> String {
        self.failure.place.as_ref().map_or_else(String::new, |place| format!(", allocated at {place}"))
    }

    /// The lines of the user's file, where they show more than the place.
    fn excerpt(&self) -> String {
        let shown = match &self.finding.problem {
            Problem::Clause { stop, freed_at, .. } | Problem::NotAllowed { stop, freed_at, .. } => {
                self.stopped(stop, freed_at.as_ref().map(ToString::to_string))
            }
            Problem::SlowContracts { clause } => Diagnostic::error(*clause, "")
                .here("the last of them")
                .help("give a call more with --fuel, or bound what it works on in `requires`"),
            Problem::NotHandedBack { by: Some(by), .. } => {
                Diagnostic::error(*by, "").here("handed back here")
            }
            _ => return String::new(),
        };
        shown.excerpt(&self.project.map, self.root)
    }

    fn stopped(&self, stop: &Stop, freed_at: Option<String>) -> Diagnostic {
        let names = &self.finding.names;
        let mut shown = Diagnostic::error(stop.clause, "").here(reason(&stop.why, names));
        if stop.place != stop.clause {
            shown = shown.label(stop.place, "here");
        }
        if let StopReason::Taken { by, .. } = &stop.why {
            shown = shown.label(*by, "taken here before");
        }
        if matches!(stop.why, StopReason::Constant(_)) {
            shown = shown.help("take it with `R` if it is only read");
        }
        if let Some(place) = freed_at {
            shown = shown.note(format!("it was freed at {place}"));
        }
        for part in stop.parts.iter().filter(|part| part.span != stop.clause) {
            shown = shown.label(part.span, part_words(part, names));
        }
        for within in &stop.within {
            let argument = |(name, value): &(String, _)| format!("{name} = {}", named(value, names));
            let arguments: Vec<String> = within.arguments.iter().map(argument).collect();
            shown = shown.note(format!("in `{}` with {}", within.name, arguments.join(", ")));
        }
        shown
    }
}

fn named(value: &crate::evaluate::ValueText, names: &NameTable) -> String {
    value.named(&|address| names.address(address))
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
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

fn part_words(part: &Part, names: &NameTable) -> String {
    match &part.before {
        Some(before) => format!("{}, and was {}", named(&part.value, names), named(before, names)),
        None => named(&part.value, names),
    }
}

fn bytes(of: &Bytes, names: &NameTable) -> String {
    let at = names.address(of.address).unwrap_or_else(|| format!("{:#x}", of.address));
    match of.size {
        1 => format!("the byte at {at}"),
        size => format!("byte {} of the {size} at {at}", of.offset),
    }
}

/// Why a clause does not hold, or cannot be evaluated.
fn reason(why: &StopReason, names: &NameTable) -> String {
    match why {
        StopReason::False => "this is false".to_string(),
        StopReason::FalseAt { index, value } => {
            format!("this is false for `{index}` = {}", named(value, names))
        }
        StopReason::NotLive(of) if of.address == 0 => format!("NULL does not point to {} bytes", of.size),
        StopReason::NotLive(of) => format!("there is no memory: {}", bytes(of, names)),
        StopReason::Taken { bytes: of, .. } => format!("this memory was taken before: {}", bytes(of, names)),
        StopReason::Constant(_) => {
            "nobody can own this memory: it is a string literal or a `const` variable".to_string()
        }
        StopReason::Uninitialised(of) => format!("this memory was never written: {}", bytes(of, names)),
        StopReason::TooDeep => "definitions use one another too deeply; is there an end?".to_string(),
        StopReason::TooLong => "this takes too long; is there an end?".to_string(),
        StopReason::OutOfFuel => "the contracts of this call have used up its fuel".to_string(),
        StopReason::TooLarge => "the values of this take too much memory".to_string(),
        StopReason::TooManyIndices { index, n } => {
            format!("`{index}` would have {n} values, too many to try; narrow the guard")
        }
        StopReason::DivisionByZero => "division by zero".to_string(),
        StopReason::NegativeExponent => "a negative exponent".to_string(),
        StopReason::Uninterpreted(name) => {
            format!("`{name}` has no body, so it has no value; give it one, or lift a C function to it")
        }
        StopReason::Abstract(name) => format!("`{name}` has no body, so nothing can be taken; give it one"),
        StopReason::CallFailed { function, why } => {
            format!("`{function}` did not return: {}", no_return(why, names))
        }
        StopReason::NoEntry => "this needs the state in which the function was entered".to_string(),
        StopReason::NoAddress => "this is not in the program".to_string(),
        StopReason::Malformed => "this cannot be evaluated".to_string(),
    }
}

fn no_return(why: &NoReturn, names: &NameTable) -> String {
    match why {
        NoReturn::Violation(of) => violation(of, names),
        NoReturn::Unknown => "there is no such function".to_string(),
        NoReturn::NoCode => "it has no code".to_string(),
        NoReturn::Type(why) => why.clone(),
        NoReturn::NotHere => "C functions cannot be called here".to_string(),
    }
}

/// A block, by its number, by what leads to it or where it was allocated, and by its size.
fn block(of: BlockId, names: &NameTable) -> String {
    let number = of.0;
    let Some(BlockName { variable, size, allocated_at }) = names.block(of) else {
        return format!("block {number}");
    };
    let size = counted(*size, "byte");
    match (variable, allocated_at) {
        (Some(name), _) => format!("block {number} ({name}, {size})"),
        (None, Some(place)) => format!("block {number} ({size}, allocated at {place})"),
        (None, None) => format!("block {number} ({size})"),
    }
}

/// What some memory is.
fn what(of: &ByteState, names: &NameTable) -> String {
    let block = |of: BlockId| block(of, names);
    match of {
        ByteState::Unknown => "memory that is not the program's".to_string(),
        ByteState::Null => "a null pointer".to_string(),
        ByteState::RedZone { block: of, offset, is_freed } => {
            let freed = if *is_freed { "freed " } else { "" };
            match offset {
                ..0 => {
                    format!("{} before {freed}{}", counted(offset.unsigned_abs(), "byte"), block(*of))
                }
                _ => format!("outside {freed}{}, at offset {offset}", block(*of)),
            }
        }
        ByteState::Freed { block: of, offset, .. } => format!("freed {}, at offset {offset}", block(*of)),
        ByteState::Unowned { block: of, offset } => {
            format!("{}, at offset {offset}, which the function does not own", block(*of))
        }
        ByteState::Unallocated => "heap memory that was never allocated".to_string(),
        ByteState::BetweenGlobals { after: Some(name) } => format!("memory after the variable `{name}`"),
        ByteState::BetweenGlobals { after: None } => "memory next to the program's variables".to_string(),
        ByteState::Global { name: Some(name) } => {
            format!("the variable `{name}`, which is not the function's")
        }
        ByteState::Global { name: None } => "a variable that is not the function's".to_string(),
        ByteState::DeadStack => "the stack of a function that has returned".to_string(),
        ByteState::CallerStack => "a local variable of a caller, which was not handed over".to_string(),
        ByteState::Local { name, offset: offset @ ..0 } => {
            format!("{} before the local variable `{name}`", counted(offset.unsigned_abs(), "byte"))
        }
        ByteState::Local { name, offset } => {
            format!("outside the local variable `{name}`, at offset {offset}")
        }
        ByteState::ReadOnly => "memory that cannot be written".to_string(),
        ByteState::Lent => "memory that it may read (`R` in its contract) and does not own".to_string(),
        ByteState::Missing { name: Some(name) } => format!("`{name}`, which is defined nowhere"),
        ByteState::Missing { name: None } => "something that is defined nowhere".to_string(),
        ByteState::Live { block: of, offset: 0 } => format!("the beginning of {}", block(*of)),
        ByteState::Live { block: of, offset } => format!("byte {offset} of {}", block(*of)),
    }
}

/// Why a call did not return.
fn violation(of: &Violation, names: &NameTable) -> String {
    let what = |of: &ByteState| what(of, names);
    match of {
        Violation::Access { size, is_write, what: of, .. } => {
            let verb = if *is_write { "write" } else { "read" };
            format!("{verb} of {}: {}", counted(*size, "byte"), what(of))
        }
        Violation::Signal { signal, what: of, .. } => match *signal {
            4 => "illegal instruction".to_string(),
            8 => "division by zero or overflowing division (SIGFPE)".to_string(),
            7 | 11 => format!("invalid access: {}", what(of)),
            other => format!("signal {other}"),
        },
        Violation::StackOverflow { .. } => "stack overflow".to_string(),
        Violation::Abort { .. } => "abort() was called".to_string(),
        Violation::Assert { text, .. } => format!("assertion `{text}` failed"),
        Violation::Exit { code, .. } => format!("exit({code}) was called"),
        Violation::BadFree { what: ByteState::Freed { block: of, .. }, .. } => {
            format!("double free of {}", block(*of, names))
        }
        Violation::BadFree { what: of @ (ByteState::Lent | ByteState::Unowned { .. }), .. } => {
            format!("free of {}", what(of))
        }
        Violation::BadFree { what: of, .. } => format!("free of what is no live block: {}", what(of)),
        Violation::OutOfFuel { n_blocks, .. } => {
            format!("has not returned after {n_blocks} basic blocks, which is its fuel")
        }
        Violation::Timeout { .. } => {
            "does not return: stopped by the timer, in code that uses no fuel".to_string()
        }
        Violation::Waits { function, .. } => format!("waits in {function}, and nothing ends that"),
        Violation::Deadlock { why, .. } => format!("does not return: {why}"),
        Violation::Missing { name, .. } => format!("`{name}` was called but is defined nowhere"),
        // The compiler has no name for types of functions.
        Violation::OutOfBounds { of, index: Some(index), .. } if of.contains("<unknown>") => {
            let size = of.rfind('[').map_or("", |at| &of[at..]);
            format!("index {index} is out of bounds for an array {size}")
        }
        Violation::OutOfBounds { of, index: Some(index), .. } => {
            format!("index {index} is out of bounds for type {of}")
        }
        Violation::OutOfBounds { of, .. } => {
            format!("access of type {of} outside the variable it points into")
        }
        Violation::NoReturn { text, .. } => text.clone(),
        Violation::StackSmashed { .. } => "a local array was overrun (stack smashed)".to_string(),
        Violation::Overlap { .. } => "memory was copied onto itself (overlapping memcpy)".to_string(),
        Violation::Hook => "a contract of a nested call does not hold".to_string(),
    }
}

impl fmt::Display for ByteState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&what(self, &NameTable::default()))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&violation(self, &NameTable::default()))
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&reason(self, &NameTable::default()))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&part_words(self, &NameTable::default()))
    }
}

impl fmt::Display for UndefinedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UndefinedKind::Add
            | UndefinedKind::Subtract
            | UndefinedKind::Multiply
            | UndefinedKind::Negate => "signed overflow",
            UndefinedKind::Divide => "undefined division",
            UndefinedKind::Shift => "undefined shift",
            UndefinedKind::FloatCast => "undefined conversion",
            UndefinedKind::InvalidValue => "no value of its type",
            UndefinedKind::ArrayLength => "array of no positive length",
            UndefinedKind::Builtin => "counting zeros of 0",
            UndefinedKind::Null => "null where the declaration forbids it",
            UndefinedKind::Pointer => "pointer arithmetic that wraps around",
            UndefinedKind::Alignment => "misaligned pointer",
        })
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Integer(n) => write!(f, "{n}"),
            Operand::Float(x) => write!(f, "{x}"),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |k: usize| self.operands.get(k).map_or_else(|| "?".to_string(), ToString::to_string);
        let (a, b) = (of(0), of(1));
        let ty = &self.type_name;
        match self.kind {
            UndefinedKind::Add => write!(f, "signed overflow: {a} + {b} does not fit in {ty}"),
            UndefinedKind::Subtract => write!(f, "signed overflow: {a} - {b} does not fit in {ty}"),
            UndefinedKind::Multiply => write!(f, "signed overflow: {a} * {b} does not fit in {ty}"),
            UndefinedKind::Negate => write!(f, "signed overflow: -({a}) does not fit in {ty}"),
            UndefinedKind::Divide => write!(f, "undefined division: {a} / {b} in {ty}"),
            UndefinedKind::Shift => write!(f, "undefined shift: {a} by {b} in {ty}"),
            UndefinedKind::FloatCast => {
                write!(f, "undefined conversion: {a} does not fit in the integer type")
            }
            UndefinedKind::InvalidValue => write!(f, "{a} is no value of type {ty}"),
            UndefinedKind::ArrayLength => write!(f, "the length of an array is {a}"),
            UndefinedKind::Builtin => write!(f, "counting zeros of 0"),
            UndefinedKind::Null => write!(f, "null where the declaration forbids it"),
            UndefinedKind::Pointer => write!(f, "pointer arithmetic wraps around"),
            UndefinedKind::Alignment => write!(f, "misaligned pointer"),
        }
    }
}

impl fmt::Display for UndefinedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in `{}` at {}", self.kind, self.function, self.place)
    }
}

impl fmt::Display for ParameterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterName::Named(name) => write!(f, "`{name}`"),
            ParameterName::Place(k) => write!(f, "argument {}", k + 1),
        }
    }
}

fn hint(of: &Hint) -> String {
    match of {
        Hint::Fuel => "help: if it is right and only takes long, give it more with --fuel, or smaller arguments with a contract"
            .to_string(),
        Hint::Stack => "--stack sets how much stack a call has".to_string(),
        Hint::UndefinedBefore(place) => format!("undefined behaviour before: {place}"),
        Hint::ReadBefore(place) => {
            let place = place.as_ref().map_or_else(String::new, |place| format!(", at {place}"));
            format!("uninitialised memory was read before{place}")
        }
        Hint::Doubtful(argument) => doubtful(argument),
        Hint::Accesses { global, user: None } => format!(
            "help: if it may be used there, the contract of the function that uses it begins with\n    /*@ accesses {global};"
        ),
        Hint::Accesses { global, user: Some((function, globals)) } => format!(
            "help: if `{function}` may use `{global}`, its contract begins with\n    /*@ accesses {};",
            globals.join(", ")
        ),
        Hint::Exclude { function, step, clauses } => {
            let call = step.map_or_else(|| "this call".to_string(), |step| format!("call {step}"));
            format!(
                "help: `{function}` has no contract, so it is passed every argument of its types\nhelp: if {call} is not \
                 allowed, say so before its body:\n    /*@ requires {clauses} @*/"
            )
        }
        Hint::FreedBy { function, step } => format!(
            "help: `{function}` (call {step}) has freed it, and nobody says that it was still needed\nhelp: if callers may \
             not do that, leave `{function}` out with --skip {function}, or say what it takes in a contract"
        ),
        Hint::Guard { function, guard } => format!(
            "help: if callers have to see to that, leave `{function}` out with --skip {function}, and call it in a function \
             of your own:\n    {guard}"
        ),
        Hint::SetFirst { function, parameter, pointee } => format!(
            "help: `{function}` has no contract, so it is passed memory that nobody has set\nhelp: if callers have to set \
             what `{parameter}` points to, say so before its body:\n    /*@ requires take Set = RW<{pointee}>({parameter}); @*/"
        ),
        Hint::SetUp { is_object: false } => "help: if something has to be called first, name it with --init; --only and --skip \
                                             choose what is called"
            .to_string(),
        Hint::SetUp { is_object: true } => "help: if its object has to be set up first, write a function that returns one, or name \
                                            the one that sets it up with --init; --only and --skip choose what is called"
            .to_string(),
    }
}

fn doubtful(argument: &DoubtfulArgument) -> String {
    let DoubtfulArgument { doubt, function, step, parameter } = argument;
    let what = match doubt {
        Doubt::Held => {
            "is an object that another one holds, and nobody says that it may be: it could be linked twice, or freed \
             while it is linked"
        }
        Doubt::Shared => "shares memory with another argument, and nobody says that it may",
        Doubt::Endless => "is a text that does not end within its memory, and nobody says that it need not",
        Doubt::Unended => "is an array of pointers without a NULL at its end, and nobody says how long it is",
        Doubt::Unmeasured => "is memory of an earlier call, and nobody says how much is needed",
        Doubt::Longer => {
            "is more than the text before it has bytes, and nobody says whether it is its length"
        }
    };
    format!(
        "help: doubtful: {parameter} of `{function}` (call {step}) {what}\nhelp: if it is not allowed, leave such calls out \
         with --cautious, or say what `{function}` takes in a contract"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Pc;
    use stairway::report::Site;

    fn double_free(names: NameTable) -> Finding {
        let what = ByteState::Freed { block: BlockId(3), offset: 0, freed_at: Some(Pc(7)) };
        let problem = Problem::Violation(Violation::BadFree { address: 0x1000, what, pc: None });
        Finding { names, ..Finding::new(problem) }
    }

    fn x1() -> BlockName {
        BlockName { variable: Some("x1".to_string()), size: 24, allocated_at: None }
    }

    fn words_of(finding: &Finding) -> String {
        match &finding.problem {
            Problem::Violation(of) => violation(of, &finding.names),
            _ => String::new(),
        }
    }

    #[test]
    fn what_the_code_says_itself_is_not_taken_for_an_address() {
        let text = "!\"block 3 at 0x1000 is full\"".to_string();
        let problem = Problem::Violation(Violation::Assert { text, position: None, pc: None });
        let mut finding = Finding::new(problem);
        finding.name_all(|_| Some("x1".to_string()), |_| Some(x1()));
        assert_eq!(words_of(&finding), "assertion `!\"block 3 at 0x1000 is full\"` failed");
    }

    #[test]
    fn a_block_is_shown_with_the_variable_that_leads_to_it() {
        let mut finding = double_free(NameTable::default());
        assert_eq!(words_of(&finding), "double free of block 3");
        finding.name_all(|_| None, |block| (block.0 == 3).then(x1));
        assert_eq!(words_of(&finding), "double free of block 3 (x1, 24 bytes)");
    }

    #[test]
    fn a_block_to_which_nothing_leads_is_shown_with_where_it_comes_from() {
        let what = ByteState::Live { block: BlockId(3), offset: 4 };
        let problem = Problem::Violation(Violation::BadFree { address: 0x1004, what, pc: None });
        let mut finding = Finding::new(problem);
        let place = Site { file: "bus.c".into(), line: 17, column: 0 };
        let lost = BlockName { variable: None, size: 1, allocated_at: Some(place) };
        finding.name_all(|_| None, |_| Some(lost.clone()));
        assert_eq!(
            words_of(&finding),
            "free of what is no live block: byte 4 of block 3 (1 byte, allocated at bus.c:17)"
        );
    }

    #[test]
    fn a_finding_crosses_to_another_process_as_it_is() {
        let mut finding = double_free(NameTable::default());
        finding.name_all(|_| None, |_| Some(x1()));
        finding.hints.push(Hint::SetUp { is_object: true });
        let kind = FailureKind::Error;
        let failure = Failure::new(kind).attach(finding.clone());
        let bytes = postcard::to_allocvec(&failure).expect("it can be written");
        let mut arrived: Failure = postcard::from_bytes(&bytes).expect("it can be read");
        assert_eq!(Finding::of(&arrived), None, "nobody has read it yet");
        assert!(Finding::restore(&mut arrived));
        assert_eq!(Finding::of(&arrived), Some(&finding));
    }

    #[test]
    fn a_finding_of_another_build_is_refused() {
        let mut arrived = Failure::new(FailureKind::Error);
        arrived.attachment = stairway::engine::Attachment::from_bytes(vec![200, 1]);
        assert!(!Finding::restore(&mut arrived));
    }
}
