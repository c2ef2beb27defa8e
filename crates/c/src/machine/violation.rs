//! How a call can end other than by returning, as data.
//!
//! Turns the runtime's record into values that can be compared and stored; the report has words for them. It
//! does not know source positions (the program counters are offsets into the object, for debug information) nor contracts.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in the code: the offset of an instruction in the object file. Calls record the instruction after
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pc(pub u64);

/// A position that the compiler wrote into the object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The file as it was named to the compiler.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 if not known.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

impl ByteState {
    /// Whether it is there, and belongs to somebody else than the running function.
    pub(crate) const fn is_somebody_elses(&self) -> bool {
        matches!(
            self,
            ByteState::Unowned { .. } | ByteState::Global { .. } | ByteState::CallerStack | ByteState::Lent
        )
    }
}

/// What a byte was that must not be touched, or freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ByteState {
    /// Nothing the program knows of.
    Unknown,
    /// In the first page: a null pointer, or a member of one.
    Null,
    /// Next to a block: before it (negative offset) or after it.
    RedZone {
        /// The block.
        block: BlockId,
        /// Of the byte from the block's beginning.
        offset: i64,
        /// Whether the block was freed besides.
        is_freed: bool,
    },
    /// In a block that was freed.
    Freed {
        /// The block.
        block: BlockId,
        /// Of the byte from the block's beginning.
        offset: i64,
        /// Which call freed it.
        freed_at: Option<Pc>,
    },
    /// In a live block that the running function does not own.
    Unowned {
        /// The block.
        block: BlockId,
        /// Of the byte from the block's beginning.
        offset: i64,
    },
    /// In the heap where nothing was allocated yet.
    Unallocated,
    /// After or between the program's variables.
    BetweenGlobals {
        /// The variable before it.
        after: Option<String>,
    },
    /// A variable that the running function has no access to.
    Global {
        /// Its name.
        name: Option<String>,
    },
    /// The stack of a function that has returned.
    DeadStack,
    /// A caller's variable that was not handed over.
    CallerStack,
    /// Next to a local variable: before it (negative offset) or after it.
    Local {
        /// Its name.
        name: String,
        /// Of the byte from the variable's beginning.
        offset: i64,
    },
    /// Constants or code, which cannot be written.
    ReadOnly,
    /// What the running function may read and does not own.
    Lent,
    /// Something that is declared and defined nowhere.
    Missing {
        /// Its name.
        name: Option<String>,
    },
    /// Live memory, but (for `free`) not the beginning of a block.
    Live {
        /// The block.
        block: BlockId,
        /// Of the byte from the block's beginning.
        offset: i64,
    },
}

/// A block of the heap: the how-manieth allocation (slots included) since the object was loaded or reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlockId(pub u64);

/// Why a call did not return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Violation {
    /// Memory was touched that is not the running function's to touch.
    Access {
        /// Of the first bad byte.
        address: u64,
        /// Of the access.
        size: u64,
        /// Or a read.
        is_write: bool,
        /// What is there.
        what: ByteState,
        /// Where.
        pc: Option<Pc>,
    },
    /// A signal: the hardware's, or the code's own.
    Signal {
        /// Its number.
        signal: i32,
        /// The address it is about, if it is about one.
        address: u64,
        /// What is there.
        what: ByteState,
        /// Where; of the last basic block if it came from within a library.
        pc: Option<Pc>,
    },
    /// The stack is used up.
    StackOverflow {
        /// Where.
        pc: Option<Pc>,
    },
    /// `abort()`
    Abort {
        /// Where.
        pc: Option<Pc>,
    },
    /// `assert` failed.
    Assert {
        /// The asserted expression.
        text: String,
        /// Where.
        position: Option<Position>,
        /// Where.
        pc: Option<Pc>,
    },
    /// `exit` and its like.
    Exit {
        /// The status.
        code: i32,
        /// Where.
        pc: Option<Pc>,
    },
    /// `free` or `realloc` of something that is no live block.
    BadFree {
        /// The pointer.
        address: u64,
        /// What it points to; `Freed` is a double free.
        what: ByteState,
        /// Where.
        pc: Option<Pc>,
    },
    /// The fuel is used up: the call does not return, or not within what it may take.
    OutOfFuel {
        /// How many basic blocks it was given.
        n_blocks: u64,
        /// Where it was.
        pc: Option<Pc>,
    },
    /// The time is up, for a call that does not use fuel: in the C library, or without instrumentation.
    Timeout {
        /// Where it was.
        pc: Option<Pc>,
    },
    /// It waits for a thread that is under way. Threads run one after the other, so what would happen is not
    /// known.
    Waits {
        /// The function in which it waits.
        function: String,
        /// Where.
        pc: Option<Pc>,
    },
    /// It waits for what cannot come.
    Deadlock {
        /// For what.
        why: String,
        /// Where.
        pc: Option<Pc>,
    },
    /// A function that is declared and defined nowhere was called.
    Missing {
        /// Its name.
        name: String,
        /// Where.
        pc: Option<Pc>,
    },
    /// An index or pointer outside a variable whose size the compiler knows.
    OutOfBounds {
        /// The array's or the accessed type.
        of: String,
        /// The index, if it is an array's.
        index: Option<i64>,
        /// Where.
        position: Option<Position>,
        /// Where.
        pc: Option<Pc>,
    },
    /// Undefined behaviour after which nothing can go on.
    NoReturn {
        /// What it is.
        text: String,
        /// Where.
        position: Option<Position>,
        /// Where.
        pc: Option<Pc>,
    },
    /// A function wrote over its own frame on the stack.
    StackSmashed {
        /// Where it was noticed: at its end.
        pc: Option<Pc>,
    },
    /// `memcpy` or its like of overlapping memory.
    Overlap {
        /// The destination.
        address: u64,
        /// Where.
        pc: Option<Pc>,
    },
    /// A hook said so.
    Hook,
}

impl Violation {
    /// Whether the call did not come to an end.
    #[must_use]
    pub const fn is_hang(&self) -> bool {
        matches!(self, Violation::OutOfFuel { .. } | Violation::Timeout { .. } | Violation::Deadlock { .. })
    }

    /// What was used and is defined nowhere, if that is what happened.
    #[must_use]
    pub fn missing(&self) -> Option<&str> {
        match self {
            Violation::Missing { name, .. } => Some(name),
            Violation::Access { what: ByteState::Missing { name }, .. } => name.as_deref(),
            _ => None,
        }
    }

    /// Where it happened, if that is known.
    #[must_use]
    pub fn pc(&self) -> Option<Pc> {
        match self {
            Violation::Access { pc, .. }
            | Violation::Signal { pc, .. }
            | Violation::StackOverflow { pc }
            | Violation::Abort { pc }
            | Violation::Assert { pc, .. }
            | Violation::Exit { pc, .. }
            | Violation::BadFree { pc, .. }
            | Violation::OutOfFuel { pc, .. }
            | Violation::Timeout { pc }
            | Violation::Waits { pc, .. }
            | Violation::Deadlock { pc, .. }
            | Violation::Missing { pc, .. }
            | Violation::OutOfBounds { pc, .. }
            | Violation::NoReturn { pc, .. }
            | Violation::StackSmashed { pc }
            | Violation::Overlap { pc, .. } => *pc,
            Violation::Hook => None,
        }
    }
}
