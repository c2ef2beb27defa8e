//! How a call can end other than by returning, as data.
//!
//! Turns the runtime's record into values that can be compared, stored and printed. It does not know source
//! positions (the program counters are offsets into the object, for debug information) nor contracts.

use std::fmt;

/// A place in the code: the offset of an instruction in the object file. Calls record the instruction after
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pc(pub u64);

/// A position that the compiler wrote into the object.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl What {
    /// Whether it is there, and belongs to somebody else than the running function.
    pub(crate) const fn is_somebody_elses(&self) -> bool {
        matches!(self, What::Unowned { .. } | What::Global { .. } | What::CallerStack | What::Lent)
    }
}

/// What a byte was that must not be touched, or freed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// Nothing the program knows of.
    Unknown,
    /// In the first page: a null pointer, or a member of one.
    Null,
    /// Beside a block: before it (negative offset) or behind it.
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
    /// Behind or between the program's variables.
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
    /// Beside a local variable: before it (negative offset) or behind it.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u64);

/// Why a call did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        what: What,
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
        what: What,
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
        what: What,
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
            Violation::Access { what: What::Missing { name }, .. } => name.as_deref(),
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

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Unknown => write!(f, "memory that is not the program's"),
            What::Null => write!(f, "a null pointer"),
            What::RedZone { block, offset, is_freed } => {
                let freed = if *is_freed { "freed " } else { "" };
                match offset {
                    -1 => write!(f, "1 byte before {freed}block {}", block.0),
                    ..0 => write!(f, "{} bytes before {freed}block {}", -offset, block.0),
                    _ => write!(f, "outside {freed}block {}, at offset {offset}", block.0),
                }
            }
            What::Freed { block, offset, .. } => write!(f, "freed block {}, at offset {offset}", block.0),
            What::Unowned { block, offset } => {
                write!(f, "block {}, at offset {offset}, which the function does not own", block.0)
            }
            What::Unallocated => write!(f, "heap memory that was never allocated"),
            What::BetweenGlobals { after: Some(name) } => write!(f, "memory after the variable `{name}`"),
            What::BetweenGlobals { after: None } => write!(f, "memory next to the program's variables"),
            What::Global { name: Some(name) } => {
                write!(f, "the variable `{name}`, which is not the function's")
            }
            What::Global { name: None } => write!(f, "a variable that is not the function's"),
            What::DeadStack => write!(f, "the stack of a function that has returned"),
            What::CallerStack => write!(f, "a local variable of a caller, which was not handed over"),
            What::Local { name, offset: -1 } => write!(f, "1 byte before the local variable `{name}`"),
            What::Local { name, offset: offset @ ..0 } => {
                write!(f, "{} bytes before the local variable `{name}`", -offset)
            }
            What::Local { name, offset } => {
                write!(f, "outside the local variable `{name}`, at offset {offset}")
            }
            What::ReadOnly => write!(f, "memory that cannot be written"),
            What::Lent => write!(f, "memory that it may read (`R` in its contract) and does not own"),
            What::Missing { name: Some(name) } => write!(f, "`{name}`, which is defined nowhere"),
            What::Missing { name: None } => write!(f, "something that is defined nowhere"),
            What::Live { block, offset } => write!(f, "the inside of block {}, at offset {offset}", block.0),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Access { size, is_write, what, .. } => {
                let verb = if *is_write { "write" } else { "read" };
                let plural = if *size == 1 { "" } else { "s" };
                write!(f, "{verb} of {size} byte{plural}: {what}")
            }
            Violation::Signal { signal, what, .. } => match *signal {
                4 => write!(f, "illegal instruction"),
                8 => write!(f, "division by zero or overflowing division (SIGFPE)"),
                7 | 11 => write!(f, "invalid access: {what}"),
                other => write!(f, "signal {other}"),
            },
            Violation::StackOverflow { .. } => write!(f, "stack overflow"),
            Violation::Abort { .. } => write!(f, "abort() was called"),
            Violation::Assert { text, .. } => write!(f, "assertion `{text}` failed"),
            Violation::Exit { code, .. } => write!(f, "exit({code}) was called"),
            Violation::BadFree { what: What::Freed { block, .. }, .. } => {
                write!(f, "double free of block {}", block.0)
            }
            Violation::BadFree { what: what @ (What::Lent | What::Unowned { .. }), .. } => {
                write!(f, "free of {what}")
            }
            Violation::BadFree { what, .. } => write!(f, "free of what is no live block: {what}"),
            Violation::OutOfFuel { n_blocks, .. } => {
                write!(f, "has not returned after {n_blocks} basic blocks, which is its fuel")
            }
            Violation::Timeout { .. } => {
                write!(f, "does not return: stopped by the timer, in code that uses no fuel")
            }
            Violation::Waits { function, .. } => {
                write!(f, "waits in {function} for a thread that is under way")
            }
            Violation::Deadlock { why, .. } => write!(f, "does not return: {why}"),
            Violation::Missing { name, .. } => write!(f, "`{name}` was called but is defined nowhere"),
            // The compiler has no name for types of functions.
            Violation::OutOfBounds { of, index: Some(index), .. } if of.contains("<unknown>") => {
                let size = of.rfind('[').map_or("", |at| &of[at..]);
                write!(f, "index {index} is out of bounds for an array {size}")
            }
            Violation::OutOfBounds { of, index: Some(index), .. } => {
                write!(f, "index {index} is out of bounds for type {of}")
            }
            Violation::OutOfBounds { of, .. } => {
                write!(f, "access of type {of} outside the variable it points into")
            }
            Violation::NoReturn { text, .. } => f.write_str(text),
            Violation::StackSmashed { .. } => write!(f, "a local array was overrun (stack smashed)"),
            Violation::Overlap { .. } => write!(f, "memory was copied onto itself (overlapping memcpy)"),
            Violation::Hook => write!(f, "a contract of a nested call does not hold"),
        }
    }
}
