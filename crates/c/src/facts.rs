//! What a hunt counts besides calls: what was drawn, what stood against calls, which lines were reached, and what was
//! noticed and fails nothing.
//!
//! Workers count (`operations`), the parent decides by the counts (`hunt`) and has the words for them
//! (`report/notes.rs`, `report/functions.rs`, `report/distribution.rs`). Statistics carry facts as bytes.

use crate::finding::UndefinedPlace;
use crate::machine::{FrameOpening, Limit};
use crate::spec::position::Span;
use serde::{Deserialize, Serialize};
use stairway::engine::{Case, Fact, Statistics};
use stairway::report::{Failure, Site};
use stairway_sandbox::Refusal as SandboxRefusal;

/// Something that is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum HuntFact {
    /// What was passed for a parameter of a function.
    Argument { function: String, parameter: u32, drawn: DrawnArgument },
    /// All arguments of a function were one state, of so many objects.
    StateArguments { function: String, n_objects: Length },
    /// A state was made for a function, and its precondition accepted it or not.
    State { function: String, is_callable: bool },
    /// No state could be made for a function.
    NoState { function: String, why: StateObstacle },
    /// A function was not called.
    Refused { function: String, why: Refusal },
    /// Lines of a function were reached.
    Lines { function: String, lines: Vec<u32> },
    /// Something to be told.
    Noted(Note),
}

/// What an argument was: where it came from and roughly how large it was, so that there are few different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum DrawnArgument {
    Null,
    /// The result of an earlier call, or part of it.
    Earlier,
    Function,
    /// New memory.
    New(Length),
    Number(Magnitude),
    /// Any other value.
    Value,
}

/// A number of elements or objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Length {
    Empty,
    One,
    UpTo7,
    UpTo63,
    UpTo511,
    Longer,
}

impl Length {
    pub(crate) const fn of(n: u64) -> Length {
        match n {
            0 => Length::Empty,
            1 => Length::One,
            2..=7 => Length::UpTo7,
            8..=63 => Length::UpTo63,
            64..=511 => Length::UpTo511,
            _ => Length::Longer,
        }
    }
}

/// The size of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Magnitude {
    VeryNegative,
    Negative,
    Zero,
    One,
    UpTo9,
    UpTo99,
    UpTo999,
    Larger,
}

impl Magnitude {
    pub(crate) const fn of(value: i128) -> Magnitude {
        match value {
            ..=-1000 => Magnitude::VeryNegative,
            -999..=-1 => Magnitude::Negative,
            0 => Magnitude::Zero,
            1 => Magnitude::One,
            2..=9 => Magnitude::UpTo9,
            10..=99 => Magnitude::UpTo99,
            100..=999 => Magnitude::UpTo999,
            _ => Magnitude::Larger,
        }
    }
}

/// Why no state can be made for a precondition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum StateObstacle {
    /// This clause could not be satisfied this time.
    Clause(Span),
    /// A predicate that the clause takes has no body.
    NoBody { clause: Span, predicate: String },
    /// A predicate that the clause takes takes itself in every branch.
    Endless { clause: Span, predicate: String },
    /// The clause is not checked, so no state is known to be allowed.
    Unchecked(Span),
    /// Nothing satisfies these clauses together, as far as can be seen.
    Clash(Vec<Span>),
}

/// Why a call was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Refusal {
    /// A clause of its precondition does not hold.
    Clause(Span),
    /// There is nothing to pass for a parameter at present: what there was is gone.
    Nothing(usize),
    /// Callers hardly pass what would be passed for a parameter.
    Doubtful(usize),
    /// It would be given memory that is not there to be given.
    NotThere,
    /// It reaches a function that has no body, and cannot be played.
    NoBody,
}

/// Something that was noticed and fails nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Note {
    /// Undefined arithmetic, perhaps while a function with a contract ran.
    Undefined { is_under_contract: bool, place: UndefinedPlace },
    /// A function without a contract, in a file with contracts, failed like this.
    NotBlamed { function: String, failure: Box<Failure> },
    /// The same for garbage that decides something.
    GarbageNotBlamed { function: String },
    /// Nothing leads to a block at the end of a sequence; it was allocated there.
    Lost(Site),
    /// A call ended the program.
    Exit { function: String, code: i32 },
    /// A sequence went otherwise when it was run again.
    Unsteady { function: String },
    /// A function starts threads.
    Threads { function: String },
    /// A call was not judged because it waits for a thread that is under way.
    Waits { function: String, wait: String },
    /// A call takes so long that only some sequences wait for it.
    Long { function: String },
    /// Something was not checked.
    Unchecked(UncheckedPart),
    /// The sandbox did not let the code do something.
    Sandbox(SandboxRefusal),
    /// A function without a body did what its contract says.
    Played { function: String },
    /// A call was not judged because it reaches a function without a body.
    Missing(WithoutBody),
}

/// What was not checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum UncheckedPart {
    /// The runtime met a limit in a call of a function.
    Limit { function: String, limit: Limit },
    /// What a function owns, because it has no frame of its own for this reason.
    Frame { function: String, opened: FrameOpening },
    /// A clause in which something has no body.
    Clause(Span),
    /// The contracts of calls of a function take too long.
    SlowContracts { function: String },
}

/// Why a function without a body could not be done without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum WithoutBody {
    /// It has no contract either.
    NoContract { function: String, caller: String },
    /// It cannot be played by its contract.
    Unplayable { function: String, why: Unplayable },
}

/// Why a contract cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Unplayable {
    /// Nothing was found that satisfies a clause.
    Clause(Span),
    /// There is no room for the memory that it makes.
    NoRoom,
    /// It hands back memory that it does not own.
    NotOwned,
}

impl HuntFact {
    /// As statistics carry it.
    pub(crate) fn to_fact(&self) -> Fact {
        // Writing to memory does not fail, and none of the types refuses to be written.
        Fact(postcard::to_allocvec(self).unwrap_or_default())
    }

    /// What a worker has counted. What cannot be read was written over by code under test.
    pub(crate) fn read(fact: &Fact) -> Option<HuntFact> {
        postcard::from_bytes(&fact.0).ok()
    }

    /// Counts it.
    pub(crate) fn count(&self, case: &mut Case<'_>) {
        case.observed().count(&self.to_fact());
    }

    /// All that were counted in a hunt, with how often.
    pub(crate) fn all(statistics: &Statistics) -> impl Iterator<Item = (HuntFact, u64)> {
        statistics.facts.iter().filter_map(|(fact, n)| Some((HuntFact::read(fact)?, *n)))
    }
}

impl Note {
    /// Counts it, once a sequence.
    pub(crate) fn put(self, case: &mut Case<'_>) {
        let fact = HuntFact::Noted(self).to_fact();
        let observed = case.observed();
        if !observed.facts.iter().any(|(known, _)| *known == fact) {
            observed.count(&fact);
        }
    }

    /// All notes of a hunt, with how many sequences have each.
    pub(crate) fn all(statistics: &Statistics) -> impl Iterator<Item = (Note, u64)> {
        HuntFact::all(statistics).filter_map(|(fact, n)| match fact {
            HuntFact::Noted(note) => Some((note, n)),
            _ => None,
        })
    }

    /// Whether it is about undefined arithmetic.
    pub(crate) const fn is_undefined(&self) -> bool {
        matches!(self, Note::Undefined { .. })
    }

    /// Whether it is about undefined arithmetic of which a contract speaks.
    pub(crate) const fn is_undefined_under_contract(&self) -> bool {
        matches!(self, Note::Undefined { is_under_contract: true, .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rough() {
        let numbers = [-5, 0, 12, i128::MAX].map(Magnitude::of);
        assert_eq!(numbers, [Magnitude::Negative, Magnitude::Zero, Magnitude::UpTo99, Magnitude::Larger]);
        assert_eq!([0, 9].map(Length::of), [Length::Empty, Length::UpTo63]);
    }

    #[test]
    fn facts_arrive_as_they_were_counted_and_broken_ones_are_left_out() {
        let note = Note::Exit { function: "quit".into(), code: 3 };
        let fact = HuntFact::Noted(note.clone()).to_fact();
        assert_eq!(HuntFact::read(&fact), Some(HuntFact::Noted(note.clone())));
        let mut statistics = Statistics::default();
        statistics.facts.insert(fact, 2);
        statistics.facts.insert(Fact(vec![255, 255]), 1);
        assert_eq!(Note::all(&statistics).collect::<Vec<_>>(), [(note, 2)]);
    }
}
