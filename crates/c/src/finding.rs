//! What is wrong with a call, as data: what the worker has seen, with every value that a report may show.
//!
//! The worker attaches a [`Finding`] to its failure, because only the worker can read the memory that it is
//! about. It crosses to the parent as derived bytes, and the parent's report chooses the words
//! (`report/words.rs`). Addresses stay numbers next to a table of what the program calls them.

use crate::evaluate::{Stop, StopReason, ValueText};
use crate::machine::{BlockId, ByteState, Note, UndefinedKind, Violation};
use crate::spec::position::Span;
use serde::{Deserialize, Serialize};
use stairway::engine::Attach;
use stairway::report::{Failure, Site};
use std::any::Any;
use std::collections::BTreeMap;

/// What is known of a failure. Which function it is about, which kind it has and where it shows is in the
/// failure itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What is wrong.
    pub problem: Problem,
    /// What else is to be known, and what the user may do, in the order in which it is shown.
    pub hints: Vec<Hint>,
    /// What addresses and blocks are called.
    pub names: NameTable,
    /// The mock that answered in place of the function, if one did.
    pub mock: Option<String>,
}

/// What is wrong with a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Problem {
    /// A clause does not hold, or cannot be evaluated.
    Clause {
        /// Which, and why.
        stop: Box<Stop>,
        /// Who called the function and is to blame, if another function did.
        caller: Option<String>,
        /// Where the memory that is not there was freed.
        freed_at: Option<Site>,
    },
    /// A test calls a function although its precondition does not hold, or cannot be evaluated.
    NotAllowed {
        /// The function.
        function: String,
        /// Which clause, and why.
        stop: Box<Stop>,
        /// Where the memory that is not there was freed.
        freed_at: Option<Site>,
    },
    /// The contracts of a call take longer than a call may.
    SlowContracts {
        /// The last of them.
        clause: Span,
    },
    /// The call did not return.
    Violation(Violation),
    /// Undefined arithmetic.
    Undefined(Note),
    /// Something that was never set decides what the call does.
    Uninitialised {
        /// Whether it is memory; otherwise it is a variable.
        is_memory: bool,
    },
    /// The function does not own what its postcondition hands back.
    NotHandedBack {
        /// What it is.
        what: ByteState,
        /// The clause that hands it back.
        by: Option<Span>,
    },
    /// The function may not read what its postcondition lends.
    NotReadable(ByteState),
    /// The caller does not own what the function needs.
    NotTheCallers {
        /// The caller.
        caller: String,
        /// What it is.
        what: ByteState,
    },
    /// The function owned memory, and neither freed it nor hands it back.
    Leaked {
        /// How much.
        n_bytes: u64,
    },
    /// Nothing leads to memory any more.
    Lost {
        /// How much.
        n_bytes: u64,
        /// In how many blocks.
        n_blocks: u64,
    },
    /// The user's invariant, a C function, does not hold.
    Invariant {
        /// The function that was called before.
        after: String,
    },
    /// A function differs from another one that should do the same.
    Difference {
        /// The function.
        one: String,
        /// The other one.
        other: String,
        /// In the call of which function that shows.
        at: String,
        /// What is different.
        what: Difference,
    },
}

/// What two functions do differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Difference {
    /// Only the other one does this.
    Violation(Violation),
    /// They return these values.
    Results(ValueText, ValueText),
    /// Data that a pointer leads to.
    Data,
    /// What they print.
    Output,
}

/// What else is to be known of a failure, or what the user may do about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Hint {
    /// A call may have more fuel.
    Fuel,
    /// A call may have more stack.
    Stack,
    /// Undefined arithmetic came before.
    UndefinedBefore(UndefinedPlace),
    /// Uninitialised memory was read before, perhaps at a known place.
    ReadBefore(Option<Site>),
    /// A doubtful argument was passed.
    Doubtful(DoubtfulArgument),
    /// A contract may let a function use a variable of the program's.
    Accesses {
        /// The variable.
        global: String,
        /// The function that was called and uses it, with all variables that its contract would access;
        /// nothing if another function uses it.
        user: Option<(String, Vec<String>)>,
    },
    /// A function has no contract; this precondition would exclude the call.
    Exclude {
        /// The function.
        function: String,
        /// Which call it is, as numbers go in reports, if it is not the one that failed.
        step: Option<u32>,
        /// The clauses, in the language of contracts.
        clauses: String,
    },
    /// A function without a contract has freed what was used afterwards.
    FreedBy {
        /// The function.
        function: String,
        /// The call, from 1.
        step: u32,
    },
    /// The function asserts something of its parameters; another one may call it only where that holds.
    Guard {
        /// The function.
        function: String,
        /// The other one, in C.
        guard: String,
    },
    /// The function has no contract, and nobody has set the memory that it reads.
    SetFirst {
        /// The function.
        function: String,
        /// The parameter that leads to the memory.
        parameter: String,
        /// The type of what is there.
        pointee: String,
    },
    /// Something may have to be called first.
    SetUp {
        /// Whether that is about an object that is passed.
        is_object: bool,
    },
}

/// Undefined arithmetic, without values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndefinedPlace {
    /// What it is.
    pub kind: UndefinedKind,
    /// The function in which it is.
    pub function: String,
    /// Where.
    pub place: Site,
}

/// An argument that callers hardly ever pass, and that was passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubtfulArgument {
    /// What is doubtful about it.
    pub doubt: Doubt,
    /// The function.
    pub function: String,
    /// The call, as numbers go in reports, from 1.
    pub step: u32,
    /// The parameter.
    pub parameter: ParameterName,
}

/// What is doubtful about an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Doubt {
    /// It is an object that another one holds, and the function may change it: it may be linked twice, or
    /// freed while it is linked.
    Held,
    /// It leads into memory of another argument, or the other way round, and one of them may be changed.
    Shared,
    /// A text that does not end within its memory.
    Endless,
    /// An array of pointers without a NULL at its end, of which nobody says how long it is.
    Unended,
    /// Memory to write into, of which nobody says how much is needed.
    Unmeasured,
    /// A number right after a text that is more than the text has bytes, and may or may not be its length.
    Longer,
}

/// A parameter of a C function, which need not have a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParameterName {
    /// Its name.
    Named(String),
    /// Its place, from 0.
    Place(usize),
}

impl ParameterName {
    /// The parameter in a place, by the names that C has.
    pub(crate) fn of(names: &[&str], place: usize) -> ParameterName {
        match names.get(place).filter(|name| !name.is_empty()) {
            Some(name) => ParameterName::Named((*name).to_string()),
            None => ParameterName::Place(place),
        }
    }
}

/// What the program calls the addresses and blocks that a finding mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameTable {
    addresses: BTreeMap<u64, String>,
    blocks: BTreeMap<u64, BlockName>,
}

/// How a block of the heap is told from the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BlockName {
    /// What leads to it, as C writes it, if a variable does.
    pub(crate) variable: Option<String>,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// Where it was allocated, if the code did that.
    pub(crate) allocated_at: Option<Site>,
}

impl NameTable {
    /// What an address is called.
    pub(crate) fn address(&self, address: u64) -> Option<String> {
        self.addresses.get(&address).cloned()
    }

    /// What is known of a block.
    pub(crate) fn block(&self, block: BlockId) -> Option<&BlockName> {
        self.blocks.get(&block.0)
    }
}

impl Finding {
    /// A problem of which nothing else is known.
    pub(crate) fn new(problem: Problem) -> Finding {
        Finding { problem, hints: Vec::new(), names: NameTable::default(), mock: None }
    }

    /// What is known of a failure of C code.
    pub(crate) fn of(failure: &Failure) -> Option<&Finding> {
        failure.attachment.get()
    }

    /// The same, to be added to.
    pub(crate) fn of_mut(failure: &mut Failure) -> Option<&mut Finding> {
        Finding::of(failure)?;
        failure.attachment.get_mut()
    }

    /// Reads what has come from another process; says whether it can be read.
    pub(crate) fn restore(failure: &mut Failure) -> bool {
        failure.attachment.restore(|bytes| postcard::from_bytes::<Finding>(bytes).ok())
    }

    /// The places in it.
    pub(crate) fn sites_mut(&mut self) -> impl Iterator<Item = &mut Site> {
        let freed_at = match &mut self.problem {
            Problem::Clause { freed_at, .. } | Problem::NotAllowed { freed_at, .. } => freed_at.as_mut(),
            _ => None,
        };
        let hints = self.hints.iter_mut().filter_map(|hint| match hint {
            Hint::UndefinedBefore(UndefinedPlace { place, .. }) | Hint::ReadBefore(Some(place)) => {
                Some(place)
            }
            _ => None,
        });
        let allocated_at = self.names.blocks.values_mut().filter_map(|block| block.allocated_at.as_mut());
        freed_at.into_iter().chain(hints).chain(allocated_at)
    }

    /// Keeps what the addresses and blocks in it are called.
    pub(crate) fn name_all(
        &mut self,
        address: impl Fn(u64) -> Option<String>,
        block: impl Fn(BlockId) -> Option<BlockName>,
    ) {
        let mut mentions = Mentions::default();
        mentions.problem(&self.problem);
        let named = |at: &u64| Some((*at, address(*at)?));
        self.names.addresses.extend(mentions.addresses.iter().filter_map(named));
        let named = |of: &BlockId| Some((of.0, block(*of)?));
        self.names.blocks.extend(mentions.blocks.iter().filter_map(named));
    }
}

/// The addresses and blocks that a finding mentions.
#[derive(Default)]
struct Mentions {
    addresses: Vec<u64>,
    blocks: Vec<BlockId>,
}

impl Mentions {
    fn problem(&mut self, problem: &Problem) {
        match problem {
            Problem::Clause { stop, .. } | Problem::NotAllowed { stop, .. } => self.stop(stop),
            Problem::Violation(violation)
            | Problem::Difference { what: Difference::Violation(violation), .. } => self.violation(violation),
            Problem::NotHandedBack { what, .. }
            | Problem::NotReadable(what)
            | Problem::NotTheCallers { what, .. } => self.what(what),
            Problem::Difference { what: Difference::Results(one, other), .. } => {
                self.addresses.extend(one.addresses().chain(other.addresses()));
            }
            Problem::Difference { what: Difference::Data | Difference::Output, .. }
            | Problem::SlowContracts { .. }
            | Problem::Undefined(_)
            | Problem::Uninitialised { .. }
            | Problem::Leaked { .. }
            | Problem::Lost { .. }
            | Problem::Invariant { .. } => {}
        }
    }

    fn stop(&mut self, stop: &Stop) {
        match &stop.why {
            StopReason::NotLive(bytes)
            | StopReason::Taken { bytes, .. }
            | StopReason::Constant(bytes)
            | StopReason::Uninitialised(bytes) => self.addresses.push(bytes.address),
            StopReason::FalseAt { value, .. } => self.addresses.extend(value.addresses()),
            StopReason::CallFailed { why, .. } => {
                if let crate::evaluate::NoReturn::Violation(violation) = &**why {
                    self.violation(violation);
                }
            }
            _ => {}
        }
        for part in &stop.parts {
            let before = part.before.iter().flat_map(ValueText::addresses);
            self.addresses.extend(part.value.addresses().chain(before));
        }
        let arguments = stop.within.iter().flat_map(|within| &within.arguments);
        self.addresses.extend(arguments.flat_map(|(_, value)| value.addresses()));
    }

    fn violation(&mut self, violation: &Violation) {
        if let Violation::Access { what, .. }
        | Violation::Signal { what, .. }
        | Violation::BadFree { what, .. } = violation
        {
            self.what(what);
        }
    }

    fn what(&mut self, what: &ByteState) {
        if let ByteState::RedZone { block, .. }
        | ByteState::Freed { block, .. }
        | ByteState::Unowned { block, .. }
        | ByteState::Live { block, .. } = what
        {
            self.blocks.push(*block);
        }
    }
}

impl Attach for Finding {
    fn boxed_clone(&self) -> Box<dyn Attach> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn Attach) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }

    fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory does not fail.
        postcard::to_allocvec(self).unwrap_or_default()
    }
}
