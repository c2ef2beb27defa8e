//! How bytes become values, and values bytes: a plan for each C type that clauses name.
//!
//! Decodes values by the compiler's layouts. It does not know where bytes come from.

use std::collections::BTreeMap;

use super::stop::{Fault, StopReason};
use super::value::{Arena, Value};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::spec::types::{Bits, Type, of_c};

/// A plan, by its place in [`Shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShapeId(u32);

/// The plans of all types.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    by_type: BTreeMap<TypeId, ShapeId>,
}

#[derive(Debug)]
struct Shape {
    kind: Kind,
    size: u64,
    /// The bytes that are not padding, as offsets and sizes.
    pieces: Box<[(u64, u64)]>,
}

#[derive(Debug)]
enum Kind {
    Number(Bits),
    /// `_Bool`: only 0 and 1 are good.
    Bool,
    Pointer {
        /// Of what it points to.
        align: u64,
    },
    Real,
    Record(Box<[Member]>),
    Array {
        of: ShapeId,
        stride: u64,
        n: u64,
    },
    /// Has no value to a spec.
    Opaque,
}

#[derive(Debug)]
struct Member {
    offset: u64,
    shape: ShapeId,
    /// First bit from the beginning of the record, how many, and the type.
    bits: Option<(u64, u32, Bits)>,
}

/// Types nest no deeper than this; debug information could be made to.
const MAX_NESTING: u32 = 64;
/// So many pieces of one type are looked at one by one; of a type with more, all bytes count as one.
const MAX_PIECES: u64 = 1 << 16;

impl Shapes {
    pub(super) fn of(&mut self, ctypes: &CTypes, id: TypeId) -> ShapeId {
        self.of_within(ctypes, id, MAX_NESTING)
    }

    /// The bytes of a value that must be initialised, as offsets and sizes.
    pub(super) fn pieces(&self, id: ShapeId) -> &[(u64, u64)] {
        &self.shapes[id.0 as usize].pieces
    }

    pub(super) fn size(&self, id: ShapeId) -> u64 {
        self.shapes[id.0 as usize].size
    }

    fn of_within(&mut self, ctypes: &CTypes, id: TypeId, fuel: u32) -> ShapeId {
        if let Some(known) = self.by_type.get(&id) {
            return *known;
        }
        let shape = match fuel.checked_sub(1) {
            Some(fuel) => self.plan(ctypes, id, fuel),
            None => Shape { kind: Kind::Opaque, size: 0, pieces: [].into() },
        };
        self.shapes.push(shape);
        let made = ShapeId(self.shapes.len() as u32 - 1);
        // What is cut off is only so at this depth.
        if fuel > 0 {
            self.by_type.insert(id, made);
        }
        made
    }

    fn plan(&mut self, ctypes: &CTypes, id: TypeId, fuel: u32) -> Shape {
        // A size of a type that contains itself would not end.
        let is_array = matches!(ctypes.get(id), CType::Array { .. });
        let size = if is_array { 0 } else { ctypes.size(id).unwrap_or(0) };
        let whole = || [(0, size)].into();
        let kind = match ctypes.get(id) {
            CType::Array { of, len } => {
                let of = self.of_within(ctypes, *of, fuel);
                return self.array(of, len.unwrap_or(0));
            }
            CType::Record(record) => return self.record(ctypes, *record, size, fuel),
            CType::Bool => Kind::Bool,
            CType::Float { .. } => Kind::Real,
            CType::Pointer { to, .. } => Kind::Pointer { align: pointee_align(ctypes, *to) },
            _ => match of_c(ctypes, id) {
                Some(Type::Bits(bits)) => Kind::Number(bits),
                _ => return Shape { kind: Kind::Opaque, size, pieces: [].into() },
            },
        };
        let pieces = match &kind {
            // The x87 format has 10 bytes in 16.
            Kind::Real if size == 16 => [(0, 10)].into(),
            _ => whole(),
        };
        Shape { kind, size, pieces }
    }

    fn array(&self, of: ShapeId, n: u64) -> Shape {
        let element = &self.shapes[of.0 as usize];
        let stride = element.size;
        let size = stride.checked_mul(n).unwrap_or(0);
        let is_dense = *element.pieces == [(0, stride)];
        let pieces = if is_dense || (element.pieces.len() as u64).saturating_mul(n) > MAX_PIECES {
            [(0, size)].into()
        } else {
            let at = |k: u64| element.pieces.iter().map(move |(offset, size)| (k * stride + offset, *size));
            (0..n).flat_map(at).collect()
        };
        let kind =
            if matches!(element.kind, Kind::Opaque) { Kind::Opaque } else { Kind::Array { of, stride, n } };
        Shape { kind, size, pieces }
    }

    fn record(&mut self, ctypes: &CTypes, id: crate::ctypes::RecordId, size: u64, fuel: u32) -> Shape {
        let record = ctypes.record(id);
        let mut members = Vec::new();
        let mut pieces: Vec<(u64, u64)> = Vec::new();
        for (k, member) in record.members.iter().enumerate() {
            let shape = self.of_within(ctypes, member.ty, fuel);
            let bits = member.bits.map(|(first, n)| {
                let ty = match of_c(ctypes, member.ty) {
                    Some(Type::Bits(bits)) => bits,
                    _ => Bits::U64,
                };
                (first, n, ty)
            });
            let own = match bits {
                Some((first, n, _)) => {
                    let last = (first + u64::from(n.max(1)) - 1) / 8;
                    vec![(first / 8, last - first / 8 + 1)]
                }
                None => {
                    let at = |(offset, size): &(u64, u64)| (member.offset.saturating_add(*offset), *size);
                    self.pieces(shape).iter().map(at).collect()
                }
            };
            // Of a union, whichever member was written last is initialised: what all of them have.
            pieces = match (record.is_union, k) {
                (true, 0) => own,
                (true, _) => common(&pieces, &own),
                (false, _) => pieces.into_iter().chain(own).collect(),
            };
            members.push(Member { offset: member.offset, shape, bits });
        }
        Shape { kind: Kind::Record(members.into()), size, pieces: joined(pieces).into() }
    }

    /// Bytes as a value. Bytes that are missing have none.
    pub(super) fn decode(
        &self,
        id: ShapeId,
        bytes: &[u8],
        arena: &mut Arena,
        max_values: usize,
    ) -> Result<Value, Fault> {
        let shape = &self.shapes[id.0 as usize];
        let number =
            |bits: Bits| raw(bytes, shape.size).map_or(Value::Missing, |raw| Value::Bits(bits.extend(raw)));
        Ok(match &shape.kind {
            Kind::Number(bits) => number(*bits),
            Kind::Bool => number(Bits::U8),
            Kind::Pointer { .. } => raw(bytes, 8).map_or(Value::Missing, |raw| Value::Pointer(raw as u64)),
            Kind::Real => real(bytes, shape.size).map_or(Value::Missing, Value::Real),
            Kind::Record(members) => {
                let at = reserve(arena, members.len() as u64, max_values)?;
                for (k, member) in members.iter().enumerate() {
                    let place = at as usize + k;
                    if let Some((first, n, ty)) = member.bits {
                        arena.values[place] = bit_field(bytes, first, n, ty);
                        continue;
                    }
                    // What falls outside has no value.
                    let rest = usize::try_from(member.offset).ok().and_then(|o| bytes.get(o..));
                    let rest = rest.unwrap_or(&[]);
                    let of = &self.shapes[member.shape.0 as usize];
                    // The frequent ones are put in place at once.
                    match of.kind {
                        Kind::Number(bits) => {
                            let Some(raw) = raw(rest, of.size) else { continue };
                            arena.values[place] = Value::Bits(bits.extend(raw));
                        }
                        Kind::Pointer { .. } => {
                            let Some(bytes) = rest.first_chunk() else { continue };
                            arena.values[place] = Value::Pointer(u64::from_le_bytes(*bytes));
                        }
                        _ => arena.values[place] = self.decode(member.shape, rest, arena, max_values)?,
                    }
                }
                Value::Parts { at, n: members.len() as u32 }
            }
            Kind::Array { of, stride, n } => {
                let at = reserve(arena, n.saturating_mul(2), max_values)?;
                for k in 0..*n as usize {
                    let rest = bytes.get(k.saturating_mul(*stride as usize)..).unwrap_or(&[]);
                    let value = self.decode(*of, rest, arena, max_values)?;
                    arena.values[at as usize + 2 * k] = Value::Bits(k as i128);
                    arena.values[at as usize + 2 * k + 1] = value;
                }
                Value::Map { at, n: *n as u32 }
            }
            Kind::Opaque => Value::Missing,
        })
    }

    /// A value as bytes, for calls. What has no value stays as it is.
    pub(super) fn encode(
        &self,
        id: ShapeId,
        value: Value,
        arena: &Arena,
        bytes: &mut [u8],
    ) -> Result<(), Fault> {
        let shape = &self.shapes[id.0 as usize];
        match (&shape.kind, value) {
            (Kind::Number(_) | Kind::Bool, Value::Bits(pattern)) => {
                put(bytes, &pattern.to_le_bytes(), shape.size)
            }
            (Kind::Pointer { .. }, Value::Pointer(address)) => put(bytes, &address.to_le_bytes(), 8),
            (Kind::Real, Value::Real(x)) if shape.size == 4 => put(bytes, &(x as f32).to_le_bytes(), 4),
            (Kind::Real, Value::Real(x)) if shape.size == 8 => put(bytes, &x.to_le_bytes(), 8),
            (Kind::Record(members), Value::Parts { at, n }) if members.len() == n as usize => {
                for (member, part) in members.iter().zip(arena.slice(at, n)) {
                    if member.bits.is_some() {
                        return Err(StopReason::Malformed.into());
                    }
                    let rest = usize::try_from(member.offset).ok().and_then(|o| bytes.get_mut(o..));
                    self.encode(
                        member.shape,
                        *part,
                        arena,
                        rest.ok_or_else(|| Box::new(StopReason::Malformed))?,
                    )?;
                }
                Ok(())
            }
            (Kind::Array { of, stride, n }, Value::Map { at, n: m }) => {
                for k in 0..*n {
                    let Some(part) = arena.lookup(at, m, Value::Bits(i128::from(k))) else { continue };
                    let rest = bytes
                        .get_mut((k * stride) as usize..)
                        .ok_or_else(|| Box::new(StopReason::Malformed))?;
                    self.encode(*of, part, arena, rest)?;
                }
                Ok(())
            }
            (Kind::Opaque, _) => Ok(()),
            _ => Err(StopReason::Malformed.into()),
        }
    }

    /// Whether a value is one that its C type can have.
    pub(super) fn is_good(&self, id: ShapeId, value: Value, arena: &Arena) -> bool {
        match (&self.shapes[id.0 as usize].kind, value) {
            (Kind::Number(bits), Value::Bits(x)) => bits.extend(x) == x,
            (Kind::Bool, Value::Bits(x)) => x == 0 || x == 1,
            (Kind::Pointer { align }, Value::Pointer(address)) => address.is_multiple_of(*align),
            (Kind::Record(members), Value::Parts { at, n }) => {
                members.iter().zip(arena.slice(at, n)).all(|(m, part)| self.is_good(m.shape, *part, arena))
            }
            (Kind::Array { of, .. }, Value::Map { at, n }) => {
                let values = arena.slice(at, 2 * n).iter().skip(1).step_by(2);
                values.into_iter().all(|value| self.is_good(*of, *value, arena))
            }
            _ => true,
        }
    }
}

fn pointee_align(ctypes: &CTypes, to: TypeId) -> u64 {
    // An array of itself has no alignment, and looking for it would not end.
    let mut to = to;
    for _ in 0..MAX_NESTING {
        match ctypes.get(to) {
            CType::Array { of, .. } => to = *of,
            _ => return ctypes.align(to).unwrap_or(1).max(1),
        }
    }
    1
}

fn reserve(arena: &mut Arena, n: u64, max_values: usize) -> Result<u32, Fault> {
    let at = arena.values.len();
    let end = usize::try_from(n).ok().and_then(|n| at.checked_add(n)).filter(|end| *end <= max_values);
    arena.values.resize(end.ok_or_else(|| Box::new(StopReason::TooLarge))?, Value::Missing);
    Ok(at as u32)
}

/// The first bytes as a number.
fn raw(bytes: &[u8], size: u64) -> Option<i128> {
    Some(match size {
        1 => i128::from(*bytes.first()?),
        2 => i128::from(u16::from_le_bytes(*bytes.first_chunk()?)),
        4 => i128::from(u32::from_le_bytes(*bytes.first_chunk()?)),
        8 => i128::from(u64::from_le_bytes(*bytes.first_chunk()?)),
        16 => i128::from_le_bytes(*bytes.first_chunk()?),
        _ => return None,
    })
}

fn real(bytes: &[u8], size: u64) -> Option<f64> {
    match size {
        4 => Some(f64::from(f32::from_le_bytes(*bytes.first_chunk()?))),
        8 => Some(f64::from_le_bytes(*bytes.first_chunk()?)),
        _ => {
            let mantissa = u64::from_le_bytes(*bytes.first_chunk()?);
            let top = u16::from_le_bytes(*bytes.get(8..10)?.first_chunk()?);
            let exponent = i32::from(top & 0x7fff);
            let size = match (exponent, mantissa << 1) {
                (0x7fff, 0) => f64::INFINITY,
                (0x7fff, _) => f64::NAN,
                // In two steps: the power alone may be out of range where the product is not.
                _ => {
                    let half = (exponent - 16383 - 63) / 2;
                    mantissa as f64 * f64::from(half).exp2() * f64::from(exponent - 16383 - 63 - half).exp2()
                }
            };
            Some(if top & 0x8000 == 0 { size } else { -size })
        }
    }
}

fn bit_field(bytes: &[u8], first: u64, n: u32, ty: Bits) -> Value {
    let from = (first / 8) as usize;
    let shift = (first % 8) as u32;
    let n = n.clamp(1, 64);
    let n_bytes = (shift + n).div_ceil(8) as usize;
    let Some(part) = bytes.get(from..from.saturating_add(n_bytes)) else { return Value::Missing };
    let mut wide = [0u8; 16];
    wide[..n_bytes].copy_from_slice(part);
    let unused = 128 - n;
    let moved = (u128::from_le_bytes(wide) >> shift) << unused;
    Value::Bits(if ty.is_signed { (moved as i128) >> unused } else { (moved >> unused) as i128 })
}

fn put(bytes: &mut [u8], from: &[u8], size: u64) -> Result<(), Fault> {
    let size = size as usize;
    match (bytes.get_mut(..size), from.get(..size)) {
        (Some(to), Some(from)) => {
            to.copy_from_slice(from);
            Ok(())
        }
        _ => Err(StopReason::Malformed.into()),
    }
}

/// Neighbours made one, in order.
fn joined(mut pieces: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    pieces.retain(|(_, size)| *size > 0);
    pieces.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (offset, size) in pieces {
        let end = offset.saturating_add(size);
        match joined.last_mut() {
            Some((start, length)) if *start + *length >= offset => *length = (*length).max(end - *start),
            _ => joined.push((offset, size)),
        }
    }
    joined
}

/// What two lists of pieces have in common.
fn common(a: &[(u64, u64)], b: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let both = |a: &(u64, u64), b: &(u64, u64)| {
        let (start, end) = (a.0.max(b.0), (a.0 + a.1).min(b.0 + b.1));
        (start < end).then(|| (start, end - start))
    };
    a.iter().flat_map(|a| b.iter().filter_map(move |b| both(a, b))).collect()
}
