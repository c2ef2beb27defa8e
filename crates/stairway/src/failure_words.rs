//! Words for failures: the one line a failure is known by, and the sentences that explain it.
//!
//! A [`Failure`] is data from the judge to here. Reports, JSON lines, regression files and printed tests all
//! take their words from this file, so that one failure is called the same everywhere.

use crate::difference::{self, Sides, Types};
use crate::outcome_words;
use crate::program::conditions::{name_of, stated};
use stairway_engine::{
    CallFault, ContractClause, Discard, Failure, FailureKind, Moment, Operand, Party, ProcessEnd, Reach,
    ReturnFault, Role, SpecificationFault, UnmetDemand, Verdict,
};

/// The line by which a failure is known in files and lists. It holds no values.
#[must_use]
pub fn identity(failure: &Failure) -> String {
    let identity = failure.identity();
    let name = match &identity.kind {
        FailureKind::Panic(Party::System) => "panic".to_string(),
        FailureKind::Panic(Party::Specification) => "panic in the specification".to_string(),
        FailureKind::Panic(Party::Start) => "panic at the start".to_string(),
        FailureKind::Error => "error".to_string(),
        FailureKind::NoResult => "no result".to_string(),
        FailureKind::Returned(what) => returned(*what).to_string(),
        FailureKind::Stuck => "stuck".to_string(),
        FailureKind::NothingCallable => "nothing can be called".to_string(),
        FailureKind::Answer { operation } | FailureKind::Transition { operation } => {
            format!("answer of {operation}")
        }
        FailureKind::SidesAnswer { operation } => format!("answers of {operation} on both sides"),
        FailureKind::Law { binding } => format!("{binding} differs"),
        FailureKind::Requires { function, clause } => format!("requires `{}` of {function}", name_of(clause)),
        FailureKind::Ensures { function, clause } => format!("ensures `{}` of {function}", name_of(clause)),
        FailureKind::Invariant { name, moment: Moment::Start } => format!("invariant {name} at the start"),
        FailureKind::Invariant { name, moment: Moment::Step } => format!("invariant {name}"),
        FailureKind::StartsApart => "the model and the system at the start".to_string(),
        FailureKind::Commutation { operation } => format!("{operation} does not commute"),
        FailureKind::Refinement { is_exact: true } => "not what the specification says".to_string(),
        FailureKind::Refinement { is_exact: false } => "not allowed by the specification".to_string(),
        FailureKind::Equivalence => "the specifications differ".to_string(),
        FailureKind::Specification(fault) => format!("the specification: {}", fault_name(fault)),
        FailureKind::Mock { name } => format!("outside of the mock `{name}`"),
        FailureKind::Formula { name } => format!("formula `{name}`"),
        FailureKind::Impossible => "an operation that is not possible".to_string(),
        FailureKind::Process(end) => end_name(*end),
        FailureKind::Sanitizer(report) => match (&report.tool, &report.finding, &*report.place) {
            (tool, finding, "") => format!("{tool}: {finding}"),
            (tool, finding, place) => format!("{tool}: {finding} {place}"),
        },
        FailureKind::Call { fault, function, reach } => {
            format!("{}{}", call_name(fault, function), reach_name(*reach))
        }
        FailureKind::NotLoaded { .. } => "cannot be loaded".to_string(),
        FailureKind::Misuse { what } => what.to_string(),
        FailureKind::Site(site) => format!("site {site}"),
        FailureKind::Named(name) => name.to_string(),
        _ => "failure".to_string(),
    };
    match identity.place {
        Some(place) => format!("{name} at {place}"),
        None => name,
    }
}

/// What a failure means, in sentences.
#[must_use]
pub fn message(failure: &Failure) -> String {
    let mut text = sentence(failure);
    for Operand { name, value, .. } in failure.operands_of(Role::Part) {
        match name.is_empty() {
            // The invariant has words of its own.
            true => text.push_str(&format!("\n  {}", value.replace('\n', "\n  "))),
            false => text.push_str(&format!("\n  {name} = {value}")),
        }
    }
    if let Some(doing) = failure.operands_of(Role::Doing).next() {
        text.push_str(&format!("\n{}", doing.value));
    }
    if failure.operands_of(Role::NotItself).next().is_some() {
        text.push_str(
            "\nthe answer is not equal to itself, as NAN is not: let both sides answer something that is,\n\
             for example its bits (`#[op(call = system.name().to_bits())]`)",
        );
    }
    for Operand { name, value, .. } in failure.operands_of(Role::Afterwards) {
        text.push_str(&format!("\nafterwards, dropping what the program held panicked at {name}: {value}"));
    }
    text
}

fn sentence(failure: &Failure) -> String {
    let operand = |role| failure.operand(role);
    match &failure.kind {
        FailureKind::NoResult => format!("there is no result: the answer is {}", operand(Role::Returned)),
        FailureKind::Returned(ReturnFault::Err) => {
            format!("the property returned {}", operand(Role::Returned))
        }
        FailureKind::Returned(what) => match operand(Role::Clause) {
            "" => returned(*what).to_string(),
            clause => format!("`{clause}` is false"),
        },
        FailureKind::NothingCallable => NOTHING_CALLABLE.to_string(),
        FailureKind::Stuck => {
            let names: Vec<&str> = values(failure, Role::Operation).collect();
            format!("no operation is possible in this state: the preconditions of all of {names:?} are false")
        }
        FailureKind::Answer { operation } => {
            let answers: Vec<&str> = values(failure, Role::Model).collect();
            let system = operand(Role::System);
            let places = match &answers[..] {
                [model] => differences((model, system), Sides::ModelAndSystem),
                _ => String::new(),
            };
            let expected: Vec<&str> = answers.into_iter().chain(values(failure, Role::Allowed)).collect();
            format!("`{operation}` answered {system}, but the model says {}{places}", expected.join(" or "))
        }
        FailureKind::SidesAnswer { operation } => {
            let (left, right) = (operand(Role::Left), operand(Role::Right));
            let places = differences((left, right), Sides::LeftAndRight);
            format!(
                "after the left side of the law `{operation}` answers {left}, after the right side {right}{places}"
            )
        }
        FailureKind::Law { binding } => {
            let (left, right) = (operand(Role::Left), operand(Role::Right));
            let places = differences((left, right), Sides::LeftAndRight);
            format!("on the left side of the law `{binding}` is {left}, on the right side {right}{places}")
        }
        FailureKind::Requires { function, clause } => {
            stated(&format!("`{function}` was called, but its precondition does not hold"), clause)
        }
        FailureKind::Ensures { function, clause } => match clause.lines().count() {
            0 | 1 => format!("`{function}` does not ensure `{clause}`"),
            _ => stated(&format!("`{function}` does not ensure"), clause),
        },
        FailureKind::Invariant { name, moment: Moment::Start } => {
            format!("the invariant `{name}` does not hold at the start")
        }
        FailureKind::Invariant { name, moment: Moment::Step } => {
            format!("the invariant `{name}` does not hold after `{}`", operand(Role::Operation))
        }
        FailureKind::StartsApart => stands_for("at the start", failure),
        FailureKind::Commutation { operation } => stands_for(&format!("after `{operation}`"), failure),
        FailureKind::Refinement { is_exact } => outcome_words::message(failure, *is_exact),
        FailureKind::Equivalence => equivalence(failure),
        FailureKind::Specification(fault) => specification(fault, failure),
        FailureKind::Mock { name } => format!(
            "the mock `{name}` was asked for {}, which it knows nothing about: this says nothing about the code \
             that asked; let the mock answer it, or draw inputs that do not lead there",
            operand(Role::Asked)
        ),
        FailureKind::Transition { operation } => transition(operation, failure),
        FailureKind::Formula { name } => formula(name, failure),
        FailureKind::Process(end) => end_meaning(*end, failure),
        _ => failure.text.clone(),
    }
}

const NOTHING_CALLABLE: &str = "each `pub` function needs a value that cannot be drawn and that none of them can \
                       give first: add a constructor to the `#[contract]`, or derive `Arbitrary`";

fn values(failure: &Failure, role: Role) -> impl Iterator<Item = &str> {
    failure.operands_of(role).map(|operand| &*operand.value)
}

const fn returned(what: ReturnFault) -> &'static str {
    match what {
        ReturnFault::False => "the property returned false",
        ReturnFault::None => "the property returned None",
        ReturnFault::Err => "the property returned Err",
    }
}

fn stands_for(when: &str, failure: &Failure) -> String {
    let (system, model) = (failure.operand(Role::System), failure.operand(Role::Model));
    let places = differences((model, system), Sides::ModelAndSystem);
    format!("{when} the system stands for {system}, but the model is {model}{places}")
}

/// Where two long values differ, on lines of their own.
fn differences((one, other): (&str, &str), sides: Sides) -> String {
    const LONG: usize = 100;
    const MAX_PLACES: usize = 6;
    let is_long = |text: &str| text.contains('\n') || text.chars().count() > LONG;
    if !is_long(one) && !is_long(other) {
        return String::new();
    }
    match difference::places(one, other, Types::Same) {
        Some(differences) if !differences.places.is_empty() => {
            let lines = difference::lines(&differences, sides, MAX_PLACES);
            format!("\nthey differ in:\n  {}", lines.join("\n  "))
        }
        _ => String::new(),
    }
}

/// How a specification with an oracle differs from one that lists what it allows.
fn equivalence(failure: &Failure) -> String {
    if let Some(never) = failure.operands_of(Role::Allowed).next()
        && failure.operands_of(Role::Observed).next().is_none()
    {
        let what = match (&*never.name, never.value.as_str()) {
            (name, "") => format!("anything that is `{name}`"),
            ("", value) => value.to_string(),
            (name, value) => format!("{value} ({name})"),
        };
        return format!("no oracle gives {what}, which is allowed");
    }
    let with = match failure.operand(Role::Asked) {
        "" => "without asking anything".to_string(),
        asked => format!("with {asked}"),
    };
    let comparison = outcome_words::comparison(failure);
    format!("{with}, the oracle's specification gives what the other does not allow\n\n{comparison}")
}

const fn fault_name(fault: &SpecificationFault) -> &'static str {
    match fault {
        SpecificationFault::AllowsNothing => "allows nothing",
        SpecificationFault::UntestableCondition => "condition",
        SpecificationFault::Error => "error",
        SpecificationFault::NothingCompared => "nothing was compared",
        SpecificationFault::OracleNotShared { .. } => "its oracle is not shared",
        SpecificationFault::TooManyOracles => "too many oracles",
        SpecificationFault::AbstractionDisturbs => "abstraction disturbs",
        SpecificationFault::AbstractionDiffers => "abstraction differs",
        SpecificationFault::TooManyModels => "too many models",
        _ => "at fault",
    }
}

fn specification(fault: &SpecificationFault, failure: &Failure) -> String {
    let operand = |role| failure.operand(role);
    match fault {
        SpecificationFault::AllowsNothing => {
            "it allows no outcome at all for this input: say what is right for \
                                              it, or draw inputs that leave it out"
                .to_string()
        }
        SpecificationFault::UntestableCondition => format!(
            "`{}` is a condition on what the specification gives, and nothing says which outcome the observed one \
             stands for: give a view of it instead of a relation (`view => |real| ..` in `refinement!`, or \
             `Spec::view`)",
            operand(Role::Clause)
        ),
        SpecificationFault::Error => format!("{} gives an error: {}", operand(Role::Clause), failure.text),
        SpecificationFault::NothingCompared => "nothing was compared".to_string(),
        SpecificationFault::OracleNotShared { is_exact } => format!(
            "the specification went by its oracle ({}), and the implementation never asked it: an oracle cannot \
             foretell what an implementation decides by itself; allow what may happen with `Outcomes`, or let a \
             mock that the implementation calls ask the oracle\n\n{}",
            operand(Role::Asked),
            outcome_words::message(failure, *is_exact)
        ),
        SpecificationFault::TooManyOracles => format!(
            "the specification asks more than {} oracles apart: compare smaller inputs",
            operand(Role::Asked)
        ),
        SpecificationFault::AbstractionDisturbs => {
            "the abstraction changes the system it looks at: it must leave it as it was".to_string()
        }
        SpecificationFault::AbstractionDiffers => format!(
            "the abstraction gives two models for one system: first {}, then {}",
            operand(Role::Left),
            operand(Role::Right)
        ),
        SpecificationFault::TooManyModels => format!(
            "more than {} states of the model explain what was seen after `{}`: derive `PartialEq` for the model, \
             so that equal ones are kept once, or allow less",
            operand(Role::Model),
            operand(Role::Operation)
        ),
        _ => failure.text.clone(),
    }
}

/// An answer that a machine does not allow, with the arms of `next` that could have.
fn transition(operation: &str, failure: &Failure) -> String {
    let answered = match failure.operand(Role::System) {
        "" => "did this".to_string(),
        answer => format!("answered {answer}"),
    };
    let (machine, state) = (failure.operand(Role::Model), failure.operand(Role::State));
    let allowed: Vec<&str> = values(failure, Role::Transition).collect();
    let arms = match &allowed[..] {
        [] => String::new(),
        [one] => format!("\nthe only arm for it there: {one}"),
        several => format!("\nthe arms for it there:\n  {}", several.join("\n  ")),
    };
    format!("{operation}: the system {answered}, which `{machine}` does not allow in state {state}{arms}")
}

fn formula(name: &str, failure: &Failure) -> String {
    let text = failure.operand(Role::Clause);
    match failure.operand(Role::Steps) {
        "" => format!("formula `{name}` does not hold: {text}"),
        n_steps => format!(
            "formula `{name}` is open after {n_steps} steps, something that must happen has not happened: {text}\n\
             say how long it may take with `within(n, ..)`, or write the option `open`"
        ),
    }
}

/// The name of a signal, and what it means.
const fn signal(number: i32) -> Option<(&'static str, &'static str)> {
    Some(match number {
        4 => ("SIGILL", "illegal instruction"),
        5 => ("SIGTRAP", "trap"),
        6 => ("SIGABRT", "abort"),
        7 => ("SIGBUS", "bus error"),
        8 => ("SIGFPE", "arithmetic fault, such as a division by zero"),
        9 => ("SIGKILL", "killed, perhaps for want of memory"),
        11 => ("SIGSEGV", "invalid memory access"),
        _ => return None,
    })
}

fn end_name(end: ProcessEnd) -> String {
    match end {
        ProcessEnd::Signal(number) => {
            signal(number).map_or_else(|| format!("signal {number}"), |(name, _)| name.to_string())
        }
        ProcessEnd::Exit(code) => format!("exit {code}"),
        ProcessEnd::StackOverflow => "stack overflow".to_string(),
        ProcessEnd::Timeout => "timeout".to_string(),
        ProcessEnd::Stopped => "stopped".to_string(),
        ProcessEnd::Overwritten => "memory of Stairway".to_string(),
        _ => "death".to_string(),
    }
}

fn end_meaning(end: ProcessEnd, failure: &Failure) -> String {
    match end {
        ProcessEnd::Signal(number) => match signal(number) {
            Some((_, meaning)) => format!("the process died of it ({meaning})"),
            None => "the process died of it".to_string(),
        },
        ProcessEnd::Exit(_) => "the process ended itself with this code".to_string(),
        ProcessEnd::StackOverflow => "the process died of it".to_string(),
        ProcessEnd::Timeout => format!("no answer within {}", failure.operand(Role::Asked)),
        ProcessEnd::Stopped => "the process was stopped, and nothing would have let it go on".to_string(),
        ProcessEnd::Overwritten => "the process wrote over memory that is not its own".to_string(),
        _ => "the process is gone, and nobody knows why".to_string(),
    }
}

const fn clause_name(clause: ContractClause) -> &'static str {
    match clause {
        ContractClause::Precondition => "precondition of",
        ContractClause::Postcondition => "postcondition of",
        ContractClause::LoopInvariant => "loop invariant in",
        ContractClause::Specification => "specification of",
        _ => "assertion in",
    }
}

/// How a call came to what is wrong, where that tells failures apart.
const fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Directly => "",
        Reach::Through => " in a callee",
        Reach::Doubtfully => " after doubtful arguments",
    }
}

fn call_name(fault: &CallFault, function: &str) -> String {
    let name = match fault {
        CallFault::Clause(clause) => return format!("{} {function}", clause_name(*clause)),
        CallFault::Invariant => return format!("invariant {function}"),
        CallFault::OwnershipAfter => return format!("ownership after {function}"),
        CallFault::OwnershipBefore => return format!("ownership before {function}"),
        CallFault::Differs => return format!("differs: {function}"),
        CallFault::PartlyWritten => return format!("partly written result of {function}"),
        CallFault::Read => "read",
        CallFault::Write => "write",
        CallFault::Unowned => "access",
        CallFault::Signal => "signal",
        CallFault::StackOverflow => "stack overflow",
        CallFault::StackSmashed => "stack smashed",
        CallFault::Abort => "abort",
        CallFault::Assert => "assert",
        CallFault::Exit => "exit",
        CallFault::BadFree => "bad free",
        CallFault::Hang => "hang",
        CallFault::Deadlock => "deadlock",
        CallFault::Wait => "wait",
        CallFault::Missing => "missing function",
        CallFault::OutOfBounds => "out of bounds",
        CallFault::Overlap => "overlapping copy",
        CallFault::Undefined => "undefined behaviour",
        CallFault::Uninitialised => "uninitialised",
        CallFault::Leak => "leak",
        CallFault::Lost => "lost memory",
        _ => "failure",
    };
    match function {
        "" => name.to_string(),
        _ => format!("{name} in {function}"),
    }
}

/// Why a case was thrown away.
#[must_use]
pub fn discard(why: &Discard) -> String {
    match why {
        Discard::Assume { place, text: "" } => format!("the assumption at {place} did not hold"),
        Discard::Assume { place, text } => format!("the assumption `{text}` at {place} did not hold"),
        Discard::Filter(at) => format!("the filter at {at} let nothing through"),
        Discard::Empty(at) => format!("there was nothing to pick from at {at}"),
        Discard::Partial(at) => format!("there was no result at {at}"),
        _ => "more choices were drawn than the limit allows".to_string(),
    }
}

/// What became of a case that failed when it was run again.
#[must_use]
pub fn run_again(then: &Verdict) -> String {
    match then {
        Verdict::Passed => "passed".to_string(),
        Verdict::Failed(again) => format!("failed in another way: {}", message(again)),
        Verdict::Discarded(why) => format!("was discarded: {}", discard(why)),
        _ => "drew different choices".to_string(),
    }
}

/// A demand that is not met.
#[must_use]
pub fn unmet(demand: &UnmetDemand) -> String {
    match demand {
        UnmetDemand::Operation(name) => format!("the operation `{name}`"),
        UnmetDemand::Alternative(name) => format!("the alternative `{name}`"),
        UnmetDemand::Coverage(name) => name.to_string(),
        _ => String::new(),
    }
}

/// What an operand is to a failure, in a word.
pub(crate) const fn role(role: Role) -> &'static str {
    match role {
        Role::Part => "part",
        Role::System => "system",
        Role::Model => "model",
        Role::Left => "left",
        Role::Right => "right",
        Role::Observed => "observed",
        Role::SeenIn => "seen in",
        Role::Allowed => "allowed",
        Role::Unlisted(_) => "not listed",
        Role::Operation => "operation",
        Role::State => "state",
        Role::Steps => "steps",
        Role::Returned => "returned",
        Role::Asked => "asked",
        Role::Clause => "clause",
        Role::Transition => "possible transition",
        Role::Doing => "doing",
        Role::NotItself => "not equal to itself",
        Role::Afterwards => "afterwards",
        _ => "operand",
    }
}
