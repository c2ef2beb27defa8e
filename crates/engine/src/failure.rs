//! What went wrong in a case, as data: a kind, a place, and the values that show it.
//!
//! Every stage from the judge to the page hands these values on; words for them are chosen where a report is
//! written, and nowhere else. Two failures with the same [`Identity`] are the same failure, and that is what
//! shrinking keeps: an identity holds no values, because values change while a case is made smaller.

#[cfg(feature = "observations")]
use crate::attachment::{Attach, Attachment};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::panic::Location;

/// The name of an operation, a clause or a function: usually known when the specification is compiled.
pub type Name = Cow<'static, str>;

/// One way in which a property does not hold: its kind, and the [`Evidence`] for it, whose fields are read
/// and written as if they were its own. A failure without evidence takes no memory from the heap.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Failure {
    /// What kind of failure it is, with what it is about.
    pub kind: FailureKind,
    evidence: Option<Box<Evidence>>,
}

/// What shows a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Evidence {
    /// Where in the source it shows, if that is known.
    pub place: Option<Site>,
    /// The values that show it.
    pub operands: Vec<Operand>,
    /// What the code under test said itself: the message of a panic or of an error.
    pub text: String,
    /// The lines of the user's file that show it, where they are known before the report is made.
    pub excerpt: String,
    /// A backtrace or the output of a dead process, if there is one.
    pub details: String,
    /// What a front end knows of it beyond that, from which its report takes the words.
    #[cfg(feature = "observations")]
    pub attachment: Attachment,
}

/// What kind of failure, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FailureKind {
    /// Code panicked.
    Panic(Party),
    /// A `?` met an error.
    Error,
    /// There was no result where one was demanded.
    NoResult,
    /// The property returned something that says it does not hold.
    Returned(ReturnFault),
    /// No operation was possible.
    Stuck,
    /// No program can begin: every function needs a result of another.
    NothingCallable,
    /// The system's answer is not one the model allows.
    Answer {
        /// The operation that answered.
        operation: Name,
    },
    /// After the two sides of a law, the same operation answers differently.
    SidesAnswer {
        /// The operation that answered.
        operation: Name,
    },
    /// The two sides of a law bind different answers to one name.
    Law {
        /// The name that is bound.
        binding: Name,
    },
    /// A call from inside other code did not meet a precondition.
    Requires {
        /// The function that was called.
        function: Name,
        /// The text of the precondition; boxed, because failures are passed by value.
        clause: Box<Name>,
    },
    /// A postcondition does not hold.
    Ensures {
        /// The function or operation that has it.
        function: Name,
        /// The text of the postcondition.
        clause: Box<Name>,
    },
    /// An invariant does not hold.
    Invariant {
        /// Its name.
        name: Name,
        /// When it was checked.
        moment: Moment,
    },
    /// The abstraction of the new system is not the model.
    StartsApart,
    /// After an operation the abstraction of the system is not the model.
    Commutation {
        /// The operation.
        operation: Name,
    },
    /// The implementation did what its specification does not allow.
    Refinement {
        /// Whether the specification has exactly one outcome.
        is_exact: bool,
    },
    /// Two specifications of the same thing differ.
    Equivalence,
    /// The specification cannot be judged by.
    Specification(SpecificationFault),
    /// A mock was asked something it does not know.
    Mock {
        /// The mock's name.
        name: Name,
    },
    /// A machine does not allow what the system answered.
    Transition {
        /// The operation.
        operation: Name,
    },
    /// A temporal formula does not hold.
    Formula {
        /// Its name.
        name: Name,
    },
    /// A step of a program that was written by hand is not possible where it stands.
    Impossible,
    /// The process ended in the middle of a case.
    Process(ProcessEnd),
    /// A sanitizer ended the process.
    Sanitizer(Box<SanitizerReport>),
    /// Something is wrong with a call of a C function.
    Call {
        /// What.
        fault: CallFault,
        /// The function.
        function: Name,
        /// How the call came there.
        reach: Reach,
    },
    /// The code under test could not be loaded.
    NotLoaded {
        /// Whether it is the user's to mend: a library that is not there, a constructor that fails.
        is_users: bool,
    },
    /// The test misuses C: it says nothing about the code under test.
    Misuse {
        /// What of it.
        what: Name,
    },
    /// A site in a test that reports failures by number.
    Site(u64),
    /// A failure that is known by a name alone.
    Named(Name),
}

/// What a sanitizer reported.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SanitizerReport {
    /// Which one.
    pub tool: Name,
    /// What it found.
    pub finding: Name,
    /// Where, as the sanitizer has it; may be empty.
    pub place: Name,
}

/// Whose code was running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Party {
    /// The code under test, or a plain property.
    System,
    /// A model or another part of a specification.
    Specification,
    /// What makes the model and the system before the first step.
    Start,
}

/// What a property returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ReturnFault {
    /// `false`.
    False,
    /// `None`.
    None,
    /// `Err`.
    Err,
}

/// When something was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Moment {
    /// Before the first step.
    Start,
    /// After a step or a call.
    Step,
}

/// Why a specification cannot be judged by.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SpecificationFault {
    /// It allows no outcome for an input.
    AllowsNothing,
    /// It names a condition on outcomes, and nothing says which outcome was observed.
    UntestableCondition,
    /// A part of it gave an error.
    Error,
    /// Nothing was compared.
    NothingCompared,
    /// The implementation never asks the oracle that the specification goes by.
    OracleNotShared {
        /// Whether the specification has exactly one outcome.
        is_exact: bool,
    },
    /// There are more oracles than can be tried.
    TooManyOracles,
    /// The abstraction changes the system it looks at.
    AbstractionDisturbs,
    /// The abstraction gives two models for one system.
    AbstractionDiffers,
    /// Too many states of the model explain what was seen.
    TooManyModels,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ProcessEnd {
    /// By a signal.
    Signal(i32),
    /// It called `exit`, or returned from `main`.
    Exit(i32),
    /// It used up its stack.
    StackOverflow,
    /// It said nothing for too long and was killed.
    Timeout,
    /// It was stopped and was killed.
    Stopped,
    /// It wrote over memory of the tester's.
    Overwritten,
    /// Nobody knows.
    Unknown,
}

/// What is wrong with a call of a C function.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CallFault {
    /// A clause of its contract does not hold, or cannot be evaluated.
    Clause(ContractClause),
    /// It read memory that it must not read.
    Read,
    /// It wrote memory that it must not write.
    Write,
    /// It touched memory that is there, and belongs to somebody else.
    Unowned,
    /// A signal ended it.
    Signal,
    /// It used up its stack.
    StackOverflow,
    /// It wrote over the end of a local variable.
    StackSmashed,
    /// It called `abort`.
    Abort,
    /// An `assert` of C failed.
    Assert,
    /// It called `exit`.
    Exit,
    /// It freed what it must not free.
    BadFree,
    /// It does not come to an end.
    Hang,
    /// All its threads wait for each other.
    Deadlock,
    /// It waits for a thread.
    Wait,
    /// It calls a function that nobody defines.
    Missing,
    /// An index is out of bounds.
    OutOfBounds,
    /// It copies between places that overlap.
    Overlap,
    /// The C standard gives what it does no meaning.
    Undefined,
    /// Memory that was never written decides what it does.
    Uninitialised,
    /// It does not own what its postcondition hands back.
    OwnershipAfter,
    /// Its caller does not own what it needs.
    OwnershipBefore,
    /// It owned memory that it neither freed nor handed back.
    Leak,
    /// The program has lost memory.
    Lost,
    /// An invariant of the user's, a C function, does not hold after it.
    Invariant,
    /// It answers otherwise than another function that should do the same.
    Differs,
    /// It wrote only a part of a result.
    PartlyWritten,
}

/// How a call of a C function came to what is wrong. One statement may fail for reasons that have nothing to
/// do with each other: what a function makes of its own arguments, what others pass it, and what comes of
/// arguments that nobody would pass. Failures of each kind are kept, so that none hides another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reach {
    /// The function itself does it.
    #[default]
    Directly,
    /// A function that it calls does.
    Through,
    /// It was passed something that callers hardly pass, or an earlier call was.
    Doubtfully,
}

/// A clause of a C contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ContractClause {
    /// What callers must see to.
    Precondition,
    /// What holds afterwards.
    Postcondition,
    /// What holds in each round of a loop.
    LoopInvariant,
    /// What holds at a place.
    Assertion,
    /// Its precondition cannot be evaluated.
    Specification,
}

/// A value that shows a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Operand {
    /// What it is to the failure.
    pub role: Role,
    /// Its name: an expression of a clause, the name of an alternative; may be empty.
    pub name: Name,
    /// The value, as it is shown.
    pub value: String,
}

/// What a value is to a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Role {
    /// A part of the clause that does not hold; its name is the text of the part.
    Part,
    /// What the system answered, or stands for.
    System,
    /// What the model says.
    Model,
    /// On the left side of a law.
    Left,
    /// On the right side of a law.
    Right,
    /// What was observed of an implementation.
    Observed,
    /// The outcome of the implementation in which that was seen.
    SeenIn,
    /// An outcome that is allowed; without a value, a condition that is only named.
    Allowed,
    /// So many more outcomes were allowed than are kept here.
    Unlisted(u64),
    /// The operation during or after which it showed.
    Operation,
    /// The state in which it showed.
    State,
    /// After how many steps it showed.
    Steps,
    /// What was returned.
    Returned,
    /// What was asked of a mock or an oracle.
    Asked,
    /// The text of a clause or a formula.
    Clause,
    /// A transition that would have been allowed.
    Transition,
    /// What was going on, in a phrase of the specification's.
    Doing,
    /// The answer is not equal to itself, as NAN is not; without a value.
    NotItself,
    /// The message of a panic that came afterwards, when what the case held was dropped; its name is the place.
    Afterwards,
}

/// A place in a source file, which may be of another program than this one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Site {
    /// The file, as the compiler names it.
    pub file: Name,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

impl From<&Location<'_>> for Site {
    fn from(at: &Location<'_>) -> Self {
        Site { file: Cow::Owned(at.file().to_string()), line: at.line(), column: at.column() }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            0 => write!(f, "{}:{}", self.file, self.line),
            column => write!(f, "{}:{}:{column}", self.file, self.line),
        }
    }
}

/// What makes a failure the same as another: its kind, and its place where kinds alone do not tell. A
/// statement of C that goes wrong is a place; which function was called to reach it is not part of the
/// identity, and empty in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The kind.
    pub kind: FailureKind,
    /// The place, if failures of this kind are told apart by it.
    pub place: Option<Site>,
}

impl CallFault {
    /// Whether a statement of the code under test shows it, and not a clause of a contract or what is left
    /// after a call.
    const fn is_of_statement(&self) -> bool {
        !matches!(
            self,
            CallFault::Clause(_)
                | CallFault::Hang
                | CallFault::Leak
                | CallFault::Lost
                | CallFault::OwnershipBefore
                | CallFault::OwnershipAfter
                | CallFault::Invariant
                | CallFault::Differs
                | CallFault::PartlyWritten
        )
    }
}

impl FailureKind {
    /// Whether failures of this kind are told apart by their places.
    const fn is_placed(&self) -> bool {
        match self {
            FailureKind::Panic(_)
            | FailureKind::Error
            | FailureKind::NoResult
            | FailureKind::Refinement { .. }
            | FailureKind::Equivalence
            | FailureKind::Mock { .. }
            | FailureKind::Misuse { .. } => true,
            FailureKind::Specification(fault) => !matches!(
                fault,
                SpecificationFault::AbstractionDisturbs
                    | SpecificationFault::AbstractionDiffers
                    | SpecificationFault::TooManyModels
            ),
            // Where in its loop a call ends changes with the length of the way there, and where memory was
            // allocated is not where it was lost.
            FailureKind::Call { fault, .. } => !matches!(
                fault,
                CallFault::Hang
                    | CallFault::Leak
                    | CallFault::OwnershipBefore
                    | CallFault::Invariant
                    | CallFault::PartlyWritten
            ),
            _ => false,
        }
    }
}

impl Deref for Failure {
    type Target = Evidence;

    fn deref(&self) -> &Evidence {
        static NOTHING: Evidence = Evidence {
            place: None,
            operands: Vec::new(),
            text: String::new(),
            excerpt: String::new(),
            details: String::new(),
            #[cfg(feature = "observations")]
            attachment: Attachment::NONE,
        };
        self.evidence.as_deref().unwrap_or(&NOTHING)
    }
}

impl DerefMut for Failure {
    fn deref_mut(&mut self) -> &mut Evidence {
        self.evidence.get_or_insert_default()
    }
}

impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && **self == **other
    }
}

impl Eq for Failure {}

impl Failure {
    /// A failure of a kind, of which nothing else is known.
    #[must_use]
    pub const fn new(kind: FailureKind) -> Self {
        Failure { kind, evidence: None }
    }

    /// A failure that is known by a name alone.
    #[must_use]
    pub fn named(name: impl Into<Name>) -> Self {
        Failure::new(FailureKind::Named(name.into()))
    }

    /// The same kind, shown by this.
    #[must_use]
    pub fn shown_by(mut self, evidence: Evidence) -> Self {
        self.evidence = Some(Box::new(evidence));
        self
    }

    /// It shows at this place.
    #[must_use]
    pub fn at(mut self, place: impl Into<Site>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// The code under test said this itself.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// A front end knows this of it.
    #[cfg(feature = "observations")]
    #[must_use]
    pub fn attach(mut self, value: impl Attach) -> Self {
        self.attachment = Attachment::new(value);
        self
    }

    /// A value shows it.
    #[must_use]
    pub fn with(self, role: Role, value: impl Into<String>) -> Self {
        self.with_named(role, "", value)
    }

    /// A value that has a name shows it.
    #[must_use]
    pub fn with_named(mut self, role: Role, name: impl Into<Name>, value: impl Into<String>) -> Self {
        self.operands.push(Operand { role, name: name.into(), value: value.into() });
        self
    }

    /// The values in a role, in order.
    pub fn operands_of(&self, role: Role) -> impl Iterator<Item = &Operand> {
        self.operands.iter().filter(move |operand| operand.role == role)
    }

    /// The first value in a role; empty if there is none.
    #[must_use]
    pub fn operand(&self, role: Role) -> &str {
        self.operands_of(role).next().map_or("", |operand| &operand.value)
    }

    /// What makes it the same as another.
    #[must_use]
    pub fn identity(&self) -> Identity {
        let place = self.placed().cloned();
        let kind = match &self.kind {
            FailureKind::Call { fault, reach, .. } if place.is_some() && fault.is_of_statement() => {
                FailureKind::Call { fault: fault.clone(), function: Name::Borrowed(""), reach: *reach }
            }
            kind => kind.clone(),
        };
        Identity { kind, place }
    }

    /// The place, if it is a part of the identity.
    fn placed(&self) -> Option<&Site> {
        self.place.as_ref().filter(|_| self.kind.is_placed())
    }

    /// Whether it has this identity.
    #[must_use]
    pub fn is(&self, identity: &Identity) -> bool {
        is_same(&self.kind, self.placed(), &identity.kind, identity.place.as_ref())
    }

    /// Whether somebody who knows a failure with this identity learns nothing from this one: it is the same,
    /// or would be without arguments that callers hardly pass.
    #[must_use]
    pub fn is_implied_by(&self, known: &Identity) -> bool {
        if cfg!(not(feature = "observations")) || self.is(known) || !self.is_doubtful() {
            return self.is(known);
        }
        let (mut kind, FailureKind::Call { reach: known_reach, .. }) = (self.kind.clone(), &known.kind)
        else {
            return false;
        };
        if let FailureKind::Call { reach, .. } = &mut kind {
            *reach = *known_reach;
        }
        is_same(&kind, self.placed(), &known.kind, known.place.as_ref())
    }

    /// Whether it took arguments that callers hardly pass.
    #[must_use]
    pub const fn is_doubtful(&self) -> bool {
        matches!(self.kind, FailureKind::Call { reach: Reach::Doubtfully, .. })
    }

    /// Whether it is the same failure as another.
    #[must_use]
    pub fn is_same(&self, other: &Failure) -> bool {
        is_same(&self.kind, self.placed(), &other.kind, other.placed())
    }
}

/// Whether kinds at places are the same failure. A statement that goes wrong is the same one whoever was
/// called.
fn is_same(kind: &FailureKind, at: Option<&Site>, other: &FailureKind, other_at: Option<&Site>) -> bool {
    at == other_at
        && match (kind, other) {
            (
                FailureKind::Call { fault, reach, .. },
                FailureKind::Call { fault: other, reach: other_reach, .. },
            ) if at.is_some() && fault.is_of_statement() => fault == other && reach == other_reach,
            _ => kind == other,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(fault: CallFault, function: &'static str, line: u32) -> Failure {
        reached(Reach::Directly, fault, function, line)
    }

    fn reached(reach: Reach, fault: CallFault, function: &'static str, line: u32) -> Failure {
        let place = Site { file: "t.c".into(), line, column: 0 };
        Failure::new(FailureKind::Call { fault, function: function.into(), reach }).at(place)
    }

    #[test]
    fn failures_that_are_reached_differently_do_not_hide_each_other() {
        let direct = call(CallFault::Read, "decode", 7);
        let through = |function| reached(Reach::Through, CallFault::Read, function, 7);
        let doubtful = reached(Reach::Doubtfully, CallFault::Read, "decode", 7);
        assert!(through("map").is_same(&through("fold")));
        for (one, other) in [(&direct, &through("map")), (&direct, &doubtful)] {
            assert!(!one.is_same(other) && !other.is(&one.identity()));
            assert_ne!(one.identity(), other.identity());
        }
        assert!(doubtful.is_doubtful() && !direct.is_doubtful());
        assert!(doubtful.is_implied_by(&direct.identity()) && !direct.is_implied_by(&doubtful.identity()));
        assert!(!reached(Reach::Doubtfully, CallFault::Read, "decode", 8).is_implied_by(&direct.identity()));
    }

    #[test]
    fn a_statement_that_goes_wrong_is_one_failure_whoever_is_called() {
        let [one, other] = ["list_push", "list_clear"].map(|function| call(CallFault::Read, function, 7));
        assert!(one.is_same(&other) && other.is(&one.identity()));
        assert_eq!(one.identity(), other.identity());
        assert!(!one.is_same(&call(CallFault::Read, "list_push", 8)));
        assert!(!one.is_same(&call(CallFault::Write, "list_push", 7)));
    }

    #[test]
    fn clauses_and_hangs_belong_to_their_functions() {
        let clause = CallFault::Clause(ContractClause::Postcondition);
        for fault in [clause, CallFault::Hang, CallFault::Lost] {
            let [one, other] = ["f", "g"].map(|function| call(fault.clone(), function, 7));
            assert!(!one.is_same(&other), "{fault:?}");
            assert_ne!(one.identity(), other.identity());
        }
    }

    #[test]
    fn without_a_place_the_function_tells() {
        let unplaced = |function: &'static str| {
            Failure::new(FailureKind::Call {
                fault: CallFault::Signal,
                function: function.into(),
                reach: Reach::Directly,
            })
        };
        assert!(!unplaced("f").is_same(&unplaced("g")));
        assert!(unplaced("f").is_same(&unplaced("f")));
    }
}
