//! Values that are known already, as terms: what the contract of a call bound at its entry. Pointers lead
//! into existing memory.

use super::draft::{Term, TermId};
use super::draw::{DrawResult, Drawing};
use crate::evaluate::{Arena, Value};

/// How many values inside one another are looked at. Nothing is demanded of what lies deeper: the evaluator
/// judges it.
const MOST_INSIDE: u32 = 400;

impl Drawing<'_, '_> {
    /// The term of a value.
    pub(super) fn known(&mut self, value: Value, arena: &Arena, depth: u32) -> DrawResult<TermId> {
        self.tick()?;
        if depth >= MOST_INSIDE {
            return Ok(self.draft.add(Term::Missing));
        }
        let term = match value {
            Value::Missing | Value::Big(_) => Term::Missing,
            Value::Unit => Term::Unit,
            Value::Boolean(value) => Term::Boolean(value),
            Value::Bits(value) | Value::Integer(value) => Term::Number(value),
            // Terms have whole numbers only.
            Value::Real(value) if value.fract() == 0.0 && value.abs() < 1e18 => Term::Number(value as i128),
            Value::Real(_) => Term::Missing,
            Value::Pointer(address) => return Ok(self.pointer_to(address)),
            Value::Parts { at, n } => {
                let (at, n) = self.known_row(arena.slice(at, n), arena, depth)?;
                Term::Parts { at, n }
            }
            Value::Data { of, constructor, at, n } => {
                let (at, n) = self.known_row(arena.slice(at, n), arena, depth)?;
                Term::Data { of, constructor, at, n }
            }
            Value::Map { at, n } => {
                let (at, n) = self.known_row(arena.slice(at, 2 * n), arena, depth)?;
                Term::Map { at, n: n / 2 }
            }
            Value::List { at, n } => {
                let (at, n) = self.known_row(arena.slice(at, n), arena, depth)?;
                Term::List { at, n }
            }
            Value::Option(None) => Term::Option(None),
            Value::Option(Some(at)) => {
                let held = arena.slice(at, 1).first().copied().unwrap_or(Value::Missing);
                Term::Option(Some(self.known(held, arena, depth + 1)?))
            }
        };
        Ok(self.draft.add(term))
    }

    fn known_row(&mut self, values: &[Value], arena: &Arena, depth: u32) -> DrawResult<(u32, u32)> {
        let row = values
            .iter()
            .map(|value| self.known(*value, arena, depth + 1))
            .collect::<DrawResult<Vec<_>>>()?;
        Ok(self.draft.row(&row))
    }

    /// An address: of a function, or in the memory that is there.
    fn pointer_to(&mut self, address: u64) -> TermId {
        match self.world.functions.contains(&Some(address)) {
            true => self.draft.add(Term::Address(address)),
            false => self.draft.present(address),
        }
    }
}
