//! What the runtime recorded about the last call, made into values.

use super::memory::Range;
use super::notes::{self, Note};
use super::violation::{BlockId, ByteState, Pc, Position, Violation};
use super::{Machine, c_text, raw};
use serde::{Deserialize, Serialize};

/// What was noticed during the last call, whether it returned or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// A hash of the basic blocks that ran, in order: equal runs have equal ones, wherever the object is
    /// loaded.
    pub flow: u64,
    /// Reads of bytes that were never written.
    pub uninitialised: Option<UninitialisedReads>,
    /// Uninitialised bytes that were copied, as far as one could tell; allowed, but what they decide later is
    /// not.
    pub n_copied: u64,
    /// Calls of `malloc` and its like.
    pub n_allocations: u64,
    /// Those that answered null: injected, or the heap was full.
    pub n_failed_allocations: u64,
    /// Limits that it met: what was not seen because of them.
    pub limits: Vec<Limit>,
    /// How many threads it started.
    pub n_threads: u64,
    /// The fuel that it took.
    pub fuel: u64,
    /// Bytes written to standard output and error.
    pub n_output: u64,
    /// Undefined arithmetic.
    pub notes: Vec<Note>,
    /// The call was left in the middle of a library function, whose state may be broken.
    pub is_tainted: bool,
}

/// What is not seen any more once there was too much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// Places of undefined arithmetic in one call.
    Notes = 1,
    /// Local variables at a time.
    Locals = 2,
    /// Memory that the C library lends.
    Foreign = 4,
}

impl Limit {
    const ALL: [Limit; 3] = [Limit::Notes, Limit::Locals, Limit::Foreign];
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Limit::Notes => "undefined arithmetic at more than 16 places of one call",
            Limit::Locals => "overruns of local variables beyond 65536 at a time",
            Limit::Foreign => "memory of the C library and of `mmap` beyond 4096 pieces, the oldest of which are taken for foreign",
        })
    }
}

/// What calls have taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCost {
    /// How many there were.
    pub n_calls: u64,
    /// Their fuel: basic blocks, and what the C library did for them.
    pub fuel: u64,
}

/// Reads of bytes that were never written. Whether they mattered, a second run with another `fill` tells:
/// they did if `flow` or results differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UninitialisedReads {
    /// How many.
    pub n_reads: u64,
    /// The first one's address.
    pub address: u64,
    /// And where.
    pub pc: Option<Pc>,
}

impl Machine {
    pub(super) fn raw_report(&self) -> &raw::Report {
        // SAFETY: the report lives in the object; it only changes during calls into the runtime, none of
        // which is made while this reference is held: the callers in this module copy what they need.
        unsafe { &*self.api.report }
    }

    /// Everything about the last call.
    #[must_use]
    pub fn report(&self) -> Report {
        let r = self.raw_report();
        Report {
            flow: r.flow,
            uninitialised: (r.n_uninitialised > 0).then(|| UninitialisedReads {
                n_reads: r.n_uninitialised,
                address: r.first_address,
                pc: self.pc(r.first_pc),
            }),
            n_copied: r.n_copied,
            n_allocations: r.n_allocations,
            n_failed_allocations: r.n_failed,
            limits: Limit::ALL.into_iter().filter(|limit| r.limits & *limit as u64 != 0).collect(),
            n_threads: r.n_threads,
            fuel: r.fuel,
            n_output: r.n_output,
            notes: notes::read(r),
            is_tainted: r.is_tainted != 0,
        }
    }

    /// Whether the last call read uninitialised bytes or did undefined arithmetic: whether `report` is worth
    /// its while.
    #[must_use]
    pub fn is_suspicious(&self) -> bool {
        let r = self.raw_report();
        r.n_uninitialised > 0 || r.n_notes > 0 || r.n_failed > 0 || r.n_threads > 0 || r.limits > 0
    }

    /// What all calls together have taken since the object was loaded.
    #[must_use]
    pub fn spent(&self) -> CallCost {
        // SAFETY: the runtime's counters live as long as the object.
        let raw::CallCost { n_calls, fuel } = unsafe { self.api.spent.read_volatile() };
        CallCost { n_calls, fuel }
    }

    /// The hash of the basic blocks of the last call.
    #[must_use]
    pub fn flow(&self) -> u64 {
        self.raw_report().flow
    }

    /// What the code printed since the last reset, as far as it is kept (64 KB).
    #[must_use]
    pub fn output(&self) -> Vec<u8> {
        // SAFETY: the runtime's counter lives as long as the object.
        let used = unsafe { self.api.output_used.read_volatile() };
        super::bytes_of(Range { address: self.placed(raw::OUTPUT), size: used.min(raw::OUTPUT_SIZE) })
            .into_vec()
    }

    pub(super) fn what(&self, v: &raw::Violation) -> ByteState {
        let found = v.block.checked_sub(1).and_then(|index| self.block_in_table(index));
        let (block, offset) = (found.map_or(BlockId(u64::MAX), |found| found.id), v.offset);
        let name = || self.symbol_at(v.address).map(|s| s.name.clone());
        match v.what {
            1 => ByteState::Null,
            2 => ByteState::RedZone { block, offset, is_freed: found.is_some_and(|b| !b.is_live) },
            3 => ByteState::Freed { block, offset, freed_at: found.and_then(|b| b.freed_at) },
            4 => ByteState::Unowned { block, offset },
            5 => ByteState::Unallocated,
            6 => ByteState::BetweenGlobals {
                after: self.layout.variable_before(v.address).map(|s| s.name.clone()),
            },
            7 => ByteState::Global { name: name() },
            8 => ByteState::DeadStack,
            9 => ByteState::CallerStack,
            10 => ByteState::ReadOnly,
            11 => ByteState::Missing { name: name() },
            12 => ByteState::Live { block, offset },
            14 => ByteState::Lent,
            13 if !v.text.is_null() => ByteState::Local { name: c_text(v.text), offset },
            _ => ByteState::Unknown,
        }
    }

    pub(super) fn violation(&self) -> Violation {
        let v = self.raw_report().violation;
        let pc = self.pc(v.pc);
        let what = self.what(&v);
        let position =
            (!v.file.is_null()).then(|| Position { file: c_text(v.file), line: v.line, column: v.column });
        match v.kind {
            1 => Violation::Access { address: v.address, size: v.size, is_write: v.is_write != 0, what, pc },
            2 => Violation::Signal { signal: v.code.cast_signed(), address: v.address, what, pc },
            3 => Violation::StackOverflow { pc },
            4 => Violation::Abort { pc },
            5 => Violation::Assert { text: c_text(v.text), position, pc },
            6 => Violation::Exit { code: v.code.cast_signed(), pc },
            7 => Violation::BadFree { address: v.address, what, pc },
            8 => Violation::Timeout { pc },
            9 => Violation::Missing { name: c_text(v.text), pc },
            10 => {
                let index = (v.address == 0).then_some(v.offset);
                Violation::OutOfBounds { of: c_text(v.text).replace('\'', ""), index, position, pc }
            }
            11 => Violation::NoReturn { text: c_text(v.text), position, pc },
            12 => Violation::StackSmashed { pc },
            13 => Violation::Overlap { address: v.address, pc },
            16 => Violation::Waits { function: c_text(v.text), pc },
            17 => Violation::Deadlock { why: c_text(v.text), pc },
            15 => Violation::OutOfFuel { n_blocks: v.address, pc },
            _ => Violation::Hook,
        }
    }
}
