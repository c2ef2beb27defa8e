//! Undefined arithmetic that a call did and that did not stop it.
//!
//! Reads kind, position and operands from the records of the compiler's checks.

use super::raw;
use super::violation::Position;
use serde::{Deserialize, Serialize};

/// One place of undefined arithmetic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// What it is.
    pub kind: UndefinedKind,
    /// Where.
    pub position: Position,
    /// How often in this call.
    pub count: u32,
    /// The type of the operation, as the compiler spells it.
    pub type_name: String,
    /// Its operands, as far as there are any.
    pub operands: Vec<Operand>,
}

/// A kind of undefined arithmetic. The order is the runtime's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum UndefinedKind {
    /// `a + b` overflows.
    Add,
    /// `a - b` overflows.
    Subtract,
    /// `a * b` overflows.
    Multiply,
    /// `-a` overflows.
    Negate,
    /// `a / 0`, or `INT_MIN / -1`.
    Divide,
    /// Shifted by a negative amount, by too much, or a negative value to the left.
    Shift,
    /// A floating-point value that the integer type does not have.
    FloatCast,
    /// A `_Bool` that is neither.
    InvalidValue,
    /// An array of variable length with a length that is not positive.
    ArrayLength,
    /// `__builtin_clz(0)` and its like.
    Builtin,
    /// Null where the declaration forbids it.
    Null,
    /// Pointer arithmetic that wraps around.
    Pointer,
    /// A misaligned pointer.
    Alignment,
}

const KINDS: [UndefinedKind; 13] = [
    UndefinedKind::Add,
    UndefinedKind::Subtract,
    UndefinedKind::Multiply,
    UndefinedKind::Negate,
    UndefinedKind::Divide,
    UndefinedKind::Shift,
    UndefinedKind::FloatCast,
    UndefinedKind::InvalidValue,
    UndefinedKind::ArrayLength,
    UndefinedKind::Builtin,
    UndefinedKind::Null,
    UndefinedKind::Pointer,
    UndefinedKind::Alignment,
];

/// An operand of undefined arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Operand {
    /// An integer.
    Integer(i128),
    /// A `float` or `double`.
    Float(f64),
}

/// The notes of a report.
pub(super) fn read(report: &raw::Report) -> Vec<Note> {
    let n = (report.n_notes as usize).min(raw::MAX_NOTES);
    report.notes[..n].iter().filter_map(read_note).collect()
}

fn read_note(note: &raw::Note) -> Option<Note> {
    let kind = *KINDS.get(note.kind as usize)?;
    let position = Position { file: super::c_text(note.file), line: note.line, column: note.column };
    let ty = TypeDescriptor::read(note.type_);
    let operands = ty.as_ref().map_or_else(Vec::new, |ty| ty.operands(kind, note));
    let type_name = ty.map_or_else(String::new, |ty| ty.name);
    Some(Note { kind, position, count: note.count, type_name, operands })
}

/// What the compiler writes beside a check about the type it is for.
struct TypeDescriptor {
    is_float: bool,
    bits: u32,
    is_signed: bool,
    name: String,
}

impl TypeDescriptor {
    fn read(at: *const u16) -> Option<TypeDescriptor> {
        if at.is_null() {
            return None;
        }
        // SAFETY: the runtime hands on the compiler's descriptor: two halfwords, then a terminated name, in
        // the loaded object.
        let kind = unsafe { at.read_unaligned() };
        // SAFETY: as above.
        let second = unsafe { at.add(1) };
        // SAFETY: as above.
        let info = unsafe { second.read_unaligned() };
        // SAFETY: as above; the name follows the two halfwords.
        let name = super::c_text(unsafe { at.add(2) }.cast());
        let name = name.trim_matches('\'').to_string();
        let is_float = kind == 1;
        let bits = if is_float { u32::from(info) } else { 1u32.checked_shl(u32::from(info >> 1))? };
        Some(TypeDescriptor { is_float, bits, is_signed: info & 1 == 1, name })
    }

    fn operands(&self, kind: UndefinedKind, note: &raw::Note) -> Vec<Operand> {
        let left = self.value(note.left);
        match kind {
            UndefinedKind::Add
            | UndefinedKind::Subtract
            | UndefinedKind::Multiply
            | UndefinedKind::Divide => {
                vec![left, self.value(note.right)]
            }
            // The amount has a type of its own, and is small or negative: as 32 bits it is what the source
            // says.
            UndefinedKind::Shift => vec![left, Operand::Integer(i128::from(note.right[0] as i32))],
            _ => vec![left],
        }
    }

    fn value(&self, raw: [u64; 2]) -> Operand {
        if self.is_float {
            return Operand::Float(match self.bits {
                32 => f64::from(f32::from_bits(raw[0] as u32)),
                64 => f64::from_bits(raw[0]),
                _ => f64::NAN,
            });
        }
        let wide = u128::from(raw[0]) | u128::from(raw[1]) << 64;
        let unused = 128 - self.bits.min(128);
        let shifted = wide.checked_shl(unused).unwrap_or(0);
        Operand::Integer(if self.is_signed {
            (shifted as i128) >> unused
        } else {
            (shifted >> unused) as i128
        })
    }
}
