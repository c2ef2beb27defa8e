//! How sequences are run, and why none can be.

use super::targets::{Selection, UncalledFunction};
use crate::machine::{self, LoadError};
use crate::storage::StoredError;
use serde::{Deserialize, Serialize};
use stairway::engine::MANY_OPERATIONS;

/// How sequences are run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Which functions are called.
    pub selection: Selection,
    /// The function that begins every sequence.
    pub init: Option<String>,
    /// A C predicate that must hold after every call.
    pub invariant: Option<String>,
    /// Whether pointers may be NULL without a contract's consent.
    pub is_hostile: bool,
    /// Whether nothing doubtful is passed.
    pub is_cautious: bool,
    /// Whether allocations fail now and then.
    pub fails_allocations: bool,
    /// How likely functions are, where that was set by hand: 1 is as usual.
    pub weights: Vec<(String, u32)>,
    /// Functions that should do the same, two and two.
    pub same: Vec<(String, String)>,
    /// Whether blocks that nothing leads to fail, whoever lost them.
    pub fails_leaks: bool,
    /// Where arguments come from.
    pub from: super::From,
    /// Whether arguments are counted.
    pub observes_arguments: bool,
    /// Whether sequences tell which branches they have taken, so that those with new ones are varied.
    pub has_feedback: bool,
    /// Whether functions without a contract are blamed in a file with contracts.
    pub blames_all: bool,
    /// What is done about undefined arithmetic.
    pub undefined: UndefinedPolicy,
    /// Whether it fails now, where it can; if not, it is noted and the hunt goes on.
    pub is_strict: bool,
    /// The stack of a call in bytes, if somebody has said how much that is.
    pub stack_limit: Option<u64>,
    /// Limits of a call.
    pub machine: machine::Settings,
}

/// What is done about undefined arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UndefinedPolicy {
    /// It fails, wherever it happens.
    All,
    /// It fails a function that has a contract, and is noted elsewhere.
    Contracts,
    /// It is noted.
    Memory,
    /// It is not mentioned.
    Off,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            selection: Selection::default(),
            init: None,
            invariant: None,
            is_hostile: false,
            is_cautious: false,
            fails_allocations: false,
            weights: Vec::new(),
            same: Vec::new(),
            fails_leaks: false,
            from: super::From::default(),
            observes_arguments: false,
            has_feedback: false,
            blames_all: false,
            undefined: UndefinedPolicy::Contracts,
            is_strict: false,
            stack_limit: None,
            machine: machine::Settings::default(),
        }
    }
}

/// Why nothing can be run.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallsError {
    /// The object cannot be loaded.
    Load(LoadError),
    /// No function can be called: those that were looked at, and why not.
    NothingCallable(Vec<UncalledFunction>),
    /// A function named by an option is not in the program.
    NoSuchFunction(String),
    /// A function named as an invariant cannot be one.
    NotAPredicate(String),
    /// Two functions that should do the same have different types.
    NotAlike(String, String),
    /// The code cannot be contained.
    Sandbox(stairway_sandbox::Unavailable),
    /// More functions than sequences are made of.
    TooMany(usize),
    /// Workers cannot be told what to do.
    Stored(StoredError),
    /// A worker has described a failure in a way that this process does not know.
    Unreadable,
    /// There can be no verdict, for a reason that was printed.
    Refused(stairway::report::Refusal),
}

impl CallsError {
    /// Whether a program that cannot be loaded is the user's to mend.
    pub(crate) const fn is_users(&self) -> bool {
        matches!(self, CallsError::Load(error) if error.is_users())
    }
}

impl std::fmt::Display for CallsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CallsError::Load(error) => error.fmt(f),
            CallsError::NothingCallable(refused) if refused.is_empty() => {
                f.write_str("no function is defined in the files, so there is nothing to call")
            }
            CallsError::NothingCallable(refused) => {
                f.write_str("no function can be called")?;
                refused.iter().try_for_each(|not| write!(f, "\n  {}: {}", not.name, not.why))
            }
            CallsError::NoSuchFunction(name) => {
                write!(
                    f,
                    "there is no function `{name}` with a body in the files that can be called; check the name, --only and --skip"
                )
            }
            CallsError::NotAPredicate(name) => {
                write!(f, "`{name}` cannot be an invariant: it must take nothing and return a number")
            }
            CallsError::NotAlike(one, other) => {
                write!(
                    f,
                    "`{one}` and `{other}` cannot be compared: their parameters or results have different types"
                )
            }
            CallsError::Refused(_) => Ok(()),
            CallsError::Sandbox(error) => error.fmt(f),
            CallsError::Stored(error) => error.fmt(f),
            CallsError::Unreadable => f.write_str(
                "a worker has described a failure that cannot be read: it belongs to another build of Stairway; build again",
            ),
            CallsError::TooMany(n) => write!(
                f,
                "sequences are made of at most {MANY_OPERATIONS} functions, and there are {n}: choose some with --only"
            ),
        }
    }
}

impl std::error::Error for CallsError {}
