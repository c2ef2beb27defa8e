//! Words for what was noticed and fails nothing, and for what stood against calls.

use super::words::clause;
use crate::facts::{Note, Refusal, StateObstacle, UncheckedPart, Unplayable, WithoutBody};
use crate::finding::ParameterName;
use crate::machine::FrameOpening;
use crate::project::Project;
use stairway::engine::Statistics;
use stairway::report::words::identity;
use stairway_sandbox::{Reader, Refusal as SandboxRefusal};
use std::collections::BTreeMap;

/// How many lines of a kind are shown.
const MOST_LINES: usize = 10;

/// All notes of a hunt, one a line; of many of a kind the first.
pub(super) fn lines(project: &Project, statistics: &Statistics) -> Vec<String> {
    up_to(MOST_LINES, project, statistics)
}

/// All notes of a hunt, however many.
pub(super) fn all_lines(project: &Project, statistics: &Statistics) -> Vec<String> {
    up_to(usize::MAX, project, statistics)
}

fn up_to(most: usize, project: &Project, statistics: &Statistics) -> Vec<String> {
    let mut kinds: BTreeMap<Kind, BTreeMap<String, u64>> = BTreeMap::new();
    for (note, n) in Note::all(statistics) {
        *kinds.entry(Kind::of(&note)).or_default().entry(words(project, &note)).or_default() += n;
    }
    let of_kind = |(kind, rows): (Kind, BTreeMap<String, u64>)| {
        let n_more = rows.len().saturating_sub(most);
        let more = (n_more > 0).then(|| format!("{}: {n_more} more places", kind.words()));
        let line = move |(words, n): (String, u64)| {
            let often = if n == 1 { "in 1 sequence".to_string() } else { format!("in {n} sequences") };
            format!("{}: {words}, {often}", kind.words())
        };
        rows.into_iter().take(most).map(line).chain(more)
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

/// What notes are sorted by, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    UndefinedUnderContract,
    Undefined,
    NotBlamed,
    Lost,
    Exit,
    Unsteady,
    Threads,
    Waits,
    Long,
    Unchecked,
    Refused,
    NotFound,
    Played,
    Missing,
}

impl Kind {
    const fn of(note: &Note) -> Kind {
        match note {
            Note::Undefined { is_under_contract: true, .. } => Kind::UndefinedUnderContract,
            Note::Undefined { is_under_contract: false, .. } => Kind::Undefined,
            Note::NotBlamed { .. } | Note::GarbageNotBlamed { .. } => Kind::NotBlamed,
            Note::Lost(_) => Kind::Lost,
            Note::Exit { .. } => Kind::Exit,
            Note::Unsteady { .. } => Kind::Unsteady,
            Note::Threads { .. } => Kind::Threads,
            Note::Waits { .. } => Kind::Waits,
            Note::Long { .. } => Kind::Long,
            Note::Unchecked(_) => Kind::Unchecked,
            Note::Sandbox(refusal) if refusal.is_refused() => Kind::Refused,
            Note::Sandbox(_) => Kind::NotFound,
            Note::Played { .. } => Kind::Played,
            Note::Missing(_) => Kind::Missing,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Kind::UndefinedUnderContract => "undefined behaviour under a contract",
            Kind::Undefined => "undefined behaviour",
            Kind::NotBlamed => "not blamed without a contract (--all does)",
            Kind::Lost => "never freed, and nothing leads to it at the end",
            Kind::Exit => "ends the program",
            Kind::Unsteady => "different results on replay",
            Kind::Threads => "threads are run one after the other",
            Kind::Waits => "not judged, because nothing ends a wait",
            Kind::Long => "takes long, and was cut short in most sequences",
            Kind::Unchecked => "not checked",
            Kind::Refused => "refused by the sandbox",
            Kind::NotFound => "not found in the code's folder",
            Kind::Played => "played by its contract, since it has no body",
            Kind::Missing => "not judged, because a function has no body",
        }
    }
}

fn words(project: &Project, note: &Note) -> String {
    match note {
        Note::Undefined { place, .. } => place.to_string(),
        Note::NotBlamed { function, failure } => format!("`{function}`: {}", identity(failure)),
        Note::GarbageNotBlamed { function } => format!("uninitialised in {function}"),
        Note::Lost(place) => format!("allocated at {place}"),
        Note::Exit { function, code } => format!("`{function}` with status {code}"),
        Note::Waits { function, wait } => format!("`{function}` in {wait}"),
        Note::Unsteady { function }
        | Note::Threads { function }
        | Note::Long { function }
        | Note::Played { function } => format!("`{function}`"),
        Note::Unchecked(unchecked) => unchecked_words(project, unchecked),
        Note::Sandbox(refusal) => refusal.words(Reader::Command),
        Note::Missing(WithoutBody::NoContract { function, caller }) => format!(
            "`{function}`, called by `{caller}`; write a `spec` for it, name the file that defines it, or add a stub"
        ),
        Note::Missing(WithoutBody::Unplayable { function, why }) => {
            let why = match why {
                Unplayable::Clause(span) => clause(project, *span),
                Unplayable::NoRoom => "there is no room for the memory that it makes".to_string(),
                Unplayable::NotOwned => "it hands back memory that it does not own".to_string(),
            };
            format!("`{function}` has no body and cannot be played by its contract: {why}")
        }
    }
}

fn unchecked_words(project: &Project, unchecked: &UncheckedPart) -> String {
    match unchecked {
        UncheckedPart::Limit { function, limit } => format!("in `{function}`, {limit}"),
        UncheckedPart::Frame { function, opened: FrameOpening::TooDeep } => {
            format!("what `{function}` owns where contracts are nested more than 65535 deep")
        }
        UncheckedPart::Frame { function, .. } => {
            format!("what `{function}` owns where all callers together own more than 16777216 places")
        }
        UncheckedPart::Clause(span) => {
            format!("{}, since something in it has no body", clause(project, *span))
        }
        UncheckedPart::SlowContracts { function } => super::words::slow_contracts(function),
    }
}

/// What the sandbox did to a call, as a comment in a sequence that is shown.
pub(crate) fn sandbox_comment(refusal: &SandboxRefusal) -> String {
    let kind = if refusal.is_refused() { Kind::Refused } else { Kind::NotFound };
    format!("// {}: {}", kind.words(), refusal.words(Reader::Command))
}

/// Why a call of a function was not made.
pub(super) fn refusal(project: &Project, function: &str, why: Refusal) -> String {
    match why {
        Refusal::Clause(span) => clause(project, span),
        Refusal::Nothing(k) => match parameter(project, function, k) {
            name @ ParameterName::Named(_) => format!("nothing to pass for {name}"),
            place @ ParameterName::Place(_) => format!("nothing to pass as {place}"),
        },
        Refusal::Doubtful(k) => format!("doubtful: {}", parameter(project, function, k)),
        Refusal::NotThere => "the memory it takes is not there".to_string(),
        Refusal::NoBody => "it reaches a function that has no body".to_string(),
    }
}

/// What C calls a parameter of a function.
pub(super) fn parameter(project: &Project, function: &str, k: usize) -> ParameterName {
    let known = project.program.functions.iter().find(|f| f.is_defined && f.name == function);
    let names: Vec<&str> = known.iter().flat_map(|f| &f.parameters).map(String::as_str).collect();
    ParameterName::of(&names, k)
}

/// Why no state could be made, for a function that was called or was not.
pub(super) fn state_obstacle(project: &Project, why: &StateObstacle, is_called: bool) -> String {
    match why {
        StateObstacle::Clause(span) => clause(project, *span),
        StateObstacle::NoBody { clause: span, predicate } => {
            format!("{} (`{predicate}` has no body)", clause(project, *span))
        }
        StateObstacle::Endless { clause: span, predicate } => {
            let clause = clause(project, *span);
            format!("{clause} (`{predicate}` takes itself in every branch, so it never ends)")
        }
        StateObstacle::Unchecked(span) => {
            format!("{} (it is not checked, so no state is known to be allowed)", clause(project, *span))
        }
        StateObstacle::Clash(spans) => {
            let named: Vec<String> =
                spans.iter().map(|span| format!("`{}`", clause(project, *span))).collect();
            match &named[..] {
                // Something satisfies them, which drawing does not find.
                [only] if is_called => format!("none found for {only}"),
                all if is_called => format!("none found for {}", all.join(" and ")),
                [only] => format!("nothing satisfies {only}, unless arithmetic wraps"),
                all => format!("{} clash, unless arithmetic wraps", all.join(" and ")),
            }
        }
    }
}
