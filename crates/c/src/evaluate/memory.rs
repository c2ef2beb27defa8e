//! The memory that clauses speak of, asked through a trait.
//!
//! Implemented for the machine; tests have one of their own. Which bytes are asked for, and what they mean,
//! is decided elsewhere.

use crate::machine::{Machine, Range, Violation};
use crate::spec::checked::CFunctionId;
use serde::{Deserialize, Serialize};

/// The state of a program under test. Addresses may be anything; answers never trust them.
pub trait Memory {
    /// Reads bytes; `false` where there are none.
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool;

    /// Whether all bytes exist.
    fn is_live(&self, range: Range) -> bool;

    /// Whether all bytes were written; only asked for bytes that exist.
    fn is_initialised(&self, range: Range) -> bool;

    /// Whether nobody can write them: string literals and constants.
    fn is_constant(&self, _range: Range) -> bool {
        false
    }

    /// What reports call an address instead of its number.
    fn name(&self, _address: u64) -> Option<String> {
        None
    }

    /// Calls a C function that stands for a spec function, with its arguments and the place of its result as
    /// C has them.
    ///
    /// # Errors
    /// With how it ended, if it did not return.
    fn call(&self, _function: CFunctionId, _arguments: &[&[u8]], _result: &mut [u8]) -> Result<(), NoReturn> {
        Err(NoReturn::NotHere)
    }
}

/// Why a C function that stands for a spec function did not return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum NoReturn {
    /// It did something else instead.
    Violation(Violation),
    /// There is no such function.
    Unknown,
    /// It has no code.
    NoCode,
    /// Functions of its type cannot be called: why.
    Type(String),
    /// C functions cannot be called here.
    NotHere,
}

impl Memory for Machine {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        Machine::read(self, address, bytes)
    }

    fn is_live(&self, range: Range) -> bool {
        Machine::is_live(self, range)
    }

    fn is_initialised(&self, range: Range) -> bool {
        Machine::is_initialised(self, range)
    }

    fn is_constant(&self, range: Range) -> bool {
        Machine::is_constant(self, range)
    }

    fn name(&self, address: u64) -> Option<String> {
        let symbol = self.symbol_at(address)?;
        match address - symbol.address {
            0 => Some(format!("&{}", symbol.name)),
            offset => Some(format!("&{} + {offset} bytes", symbol.name)),
        }
    }
}

/// The first byte of a range for which something does not hold. For messages: one byte after the other.
pub(super) fn first_without(range: Range, holds: impl Fn(Range) -> bool) -> u64 {
    // Far behind the first page of what does not exist nothing begins to exist that would matter to a message.
    let limit = range.size.min(1 << 16);
    (0..limit).find(|k| !holds(Range { address: range.address.wrapping_add(*k), size: 1 })).unwrap_or(0)
}
