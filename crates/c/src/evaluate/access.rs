//! Memory as clauses take and read it: it exists, it is theirs, it was written, it has a value.
//!
//! Addresses may be anything. The order of the checks is the order in which a reader would ask.

use super::code::Access;
use super::footprint::TakenMemory;
use super::memory::first_without;
use super::run::Run;
use super::shape::ShapeId;
use super::stop::{Bytes, Fault, StopReason};
use super::value::Value;
use crate::machine::Range;

impl Run<'_> {
    /// Takes memory: it exists, is not taken yet, and is initialised if it must be.
    pub(super) fn take(&mut self, access: &Access, address: u64) -> Result<(), Fault> {
        let range = Range { address, size: access.size };
        if range.size == 0 {
            return Ok(());
        }
        self.check_live(range)?;
        if !access.is_read_only && self.memory.is_constant(range) {
            return Err(StopReason::Constant(Bytes { address, size: range.size, offset: 0 }).into());
        }
        let what = TakenMemory {
            place: self.code.places[self.pc],
            clause: self.clause_span(),
            ctype: access.ctype,
            is_initialised: access.is_initialised,
        };
        let taken = match access.is_read_only {
            true => self.state.owned.lend(range, what),
            false => self.state.owned.take(range, what),
        };
        if let Err((by, byte)) = taken {
            let bytes = Bytes { address, size: range.size, offset: byte.wrapping_sub(address) };
            return Err(StopReason::Taken { bytes, by: by.place, in_clause: by.clause }.into());
        }
        if access.is_initialised && !self.is_decreed {
            self.check_initialised(access, address)
        } else {
            Ok(())
        }
    }

    pub(super) fn load(&mut self, access: &Access, address: u64) -> Result<Value, Fault> {
        self.check_live(Range { address, size: access.size })?;
        self.check_initialised(access, address)?;
        self.read(access.shape, access.size, address)
    }

    fn check_live(&self, range: Range) -> Result<(), Fault> {
        let is_sane = range.address.checked_add(range.size).is_some() && range.address != 0;
        if is_sane && self.memory.is_live(range) {
            return Ok(());
        }
        let offset = if is_sane { first_without(range, |byte| self.memory.is_live(byte)) } else { 0 };
        Err(StopReason::NotLive(Bytes { address: range.address, size: range.size, offset }).into())
    }

    fn check_initialised(&self, access: &Access, address: u64) -> Result<(), Fault> {
        for (offset, size) in self.code.shapes.pieces(access.shape) {
            let piece = Range { address: address.wrapping_add(*offset), size: *size };
            if !self.memory.is_initialised(piece) {
                let within = first_without(piece, |byte| self.memory.is_initialised(byte));
                let bytes = Bytes { address, size: access.size, offset: offset + within };
                return Err(StopReason::Uninitialised(bytes).into());
            }
        }
        Ok(())
    }

    pub(super) fn read(&mut self, shape: ShapeId, n: u64, address: u64) -> Result<Value, Fault> {
        let (code, size) = (self.code, n as usize);
        let gone = || Box::new(StopReason::NotLive(Bytes { address, size: n, offset: 0 }));
        let mut small = [0u8; 64];
        if let Some(bytes) = small.get_mut(..size) {
            if !self.memory.read(address, bytes) {
                return Err(gone());
            }
            return code.shapes.decode(shape, bytes, &mut self.state.arena, self.limits.n_values);
        }
        // Every byte has a value, or several: what would not fit is not read.
        if size > self.limits.n_values.saturating_mul(16) {
            return Err(StopReason::TooLarge.into());
        }
        self.state.bytes.resize(size, 0);
        if !self.memory.read(address, &mut self.state.bytes) {
            return Err(gone());
        }
        code.shapes.decode(shape, &self.state.bytes, &mut self.state.arena, self.limits.n_values)
    }
}
