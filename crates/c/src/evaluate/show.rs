//! Values as text, for reports.
//!
//! Shows a value on one line that a person reads: numbers as numbers, structs with their members' names,
//! datatypes that are lists as lists. Long ones are cut, and say so.

use std::fmt::Write;

use super::code::Code;
use super::value::{Arena, Value};
use super::value_text::ValueText;
use crate::spec::checked::Datatype;
use crate::spec::types::{Bits, DatatypeId, Type, of_c};
use stairway::__private::EntryValue;

/// So many elements of a list, map or record are shown.
const MAX_ELEMENTS: usize = 40;
/// A text is not continued when it is longer than this.
const MAX_LENGTH: usize = 2_000;
/// Values nest no deeper than this in a text.
const MAX_NESTING: u32 = 12;

/// Shows values.
pub(super) struct Show<'s> {
    pub(super) code: &'s Code,
    pub(super) arena: &'s Arena,
    /// What an address is called in every sequence, such as a variable of the program's.
    pub(super) name: &'s dyn Fn(u64) -> Option<String>,
}

impl Show<'_> {
    pub(super) fn text(&self, value: Value, ty: &Type) -> ValueText {
        let mut out = ValueText::default();
        self.write(&mut out, value, ty, MAX_NESTING);
        out
    }

    /// A value as data: numbers, and what is made of them by constructors.
    pub(super) fn data(&self, value: Value, ty: &Type) -> EntryValue {
        self.data_within(value, ty, MAX_NESTING)
    }

    fn data_within(&self, value: Value, ty: &Type, fuel: u32) -> EntryValue {
        let Some(fuel) = fuel.checked_sub(1) else { return EntryValue::Other };
        match (value, ty) {
            (Value::Bits(x), Type::Bits(Bits { is_signed: false, .. })) => {
                i128::try_from(x as u128).map_or(EntryValue::Other, EntryValue::Number)
            }
            (Value::Bits(x) | Value::Integer(x), _) => EntryValue::Number(x),
            (Value::Data { of, constructor, .. }, _) => {
                let datatype = self.code.datatypes.get(of.0 as usize);
                let Some(known) =
                    datatype.and_then(|datatype| datatype.constructors.get(constructor as usize))
                else {
                    return EntryValue::Other;
                };
                let part = |k: u32| self.arena.part(&value, k).copied().unwrap_or(Value::Missing);
                let fields = known.fields.iter().zip(0..);
                let fields = fields.map(|((_, ty), k)| self.data_within(part(k), ty, fuel));
                EntryValue::Data(constructor, fields.collect())
            }
            _ => EntryValue::Other,
        }
    }

    fn write(&self, out: &mut ValueText, value: Value, ty: &Type, fuel: u32) {
        let Some(fuel) = fuel.checked_sub(1).filter(|_| out.len() <= MAX_LENGTH) else {
            return out.push_str("…");
        };
        let _ = match (value, ty) {
            (Value::Missing, _) => write!(out, "?"),
            (Value::Unit, _) => write!(out, "()"),
            (Value::Boolean(x), _) => write!(out, "{x}"),
            (Value::Bits(x), Type::Bits(Bits { is_signed: false, .. })) => write!(out, "{}", x as u128),
            (Value::Bits(x) | Value::Integer(x), _) => write!(out, "{x}"),
            (Value::Big(_), _) => self.write_big(out, value),
            (Value::Real(x), _) => write!(out, "{x}"),
            (Value::Pointer(0), _) => write!(out, "NULL"),
            (Value::Pointer(address), _) => match (self.name)(address) {
                Some(name) => write!(out, "{name}"),
                None => {
                    out.push_address(address);
                    Ok(())
                }
            },
            (Value::Parts { at, n }, _) => {
                self.write_parts(out, self.arena.slice(at, n), ty, fuel);
                Ok(())
            }
            (Value::Data { of, constructor, .. }, _) => {
                self.write_data(out, value, of, constructor, fuel);
                Ok(())
            }
            (Value::Map { at, n }, Type::Map(of)) => {
                self.write_map(out, self.arena.slice(at, 2 * n), of, fuel);
                Ok(())
            }
            (Value::List { at, n }, Type::List(of) | Type::Set(of)) => {
                let parts = self.arena.slice(at, n).iter().map(|v| (None, *v, (**of).clone()));
                self.write_all(out, ["[", "]"], parts, fuel);
                Ok(())
            }
            (Value::Option(at), Type::Option(of)) => {
                match at.and_then(|at| self.arena.slice(at, 1).first()) {
                    Some(value) => {
                        let part = [(None, *value, (**of).clone())].into_iter();
                        self.write_all(out, ["Some(", ")"], part, fuel);
                    }
                    None => out.push_str("None"),
                }
                Ok(())
            }
            _ => write!(out, "?"),
        };
    }

    fn write_big(&self, out: &mut ValueText, value: Value) -> std::fmt::Result {
        let value = self.arena.big(value).unwrap_or_default();
        if value.bits() > 1024 {
            return write!(out, "a number of {} bits", value.bits());
        }
        write!(out, "{value}")
    }

    fn write_parts(&self, out: &mut ValueText, parts: &[Value], ty: &Type, fuel: u32) {
        let fields: Vec<(String, Type)> = match ty {
            Type::Record(fields) => fields.to_vec(),
            Type::Tuple(of) => of.iter().map(|ty| (String::new(), ty.clone())).collect(),
            Type::Struct(id) => {
                let ty = |ty| of_c(&self.code.ctypes, ty).unwrap_or(Type::Unknown);
                self.code.ctypes.record(*id).members.iter().map(|m| (m.name.clone(), ty(m.ty))).collect()
            }
            _ => Vec::new(),
        };
        let named = fields.into_iter().zip(parts).map(|((name, ty), value)| {
            (Some(name).filter(|name| !name.is_empty()).map(ValueText::from), *value, ty)
        });
        self.write_all(out, ["{ ", " }"], named, fuel);
    }

    fn write_data(&self, out: &mut ValueText, value: Value, of: DatatypeId, constructor: u32, fuel: u32) {
        let Some(datatype) = self.code.datatypes.get(of.0 as usize) else { return out.push_str("?") };
        if let Some(list) = ListLike::of(datatype, of) {
            let elements = std::iter::successors(Some(&value), |rest| self.arena.part(rest, list.tail));
            let elements = elements.map_while(|rest| self.arena.part(rest, list.head).copied());
            let parts = elements.map(|element| (None, element, list.ty.clone()));
            return self.write_all(out, ["[", "]"], parts, fuel);
        }
        let Some(constructor) = datatype.constructors.get(constructor as usize) else {
            return out.push_str("?");
        };
        out.push_str(&constructor.name);
        if constructor.fields.is_empty() {
            return;
        }
        let parts = constructor.fields.iter().enumerate().map(|(k, (name, ty))| {
            let part = self.arena.part(&value, k as u32).copied().unwrap_or(Value::Missing);
            (Some(ValueText::from(name.clone())), part, ty.clone())
        });
        self.write_all(out, [" { ", " }"], parts, fuel);
    }

    /// A map whose keys count from zero is an array.
    fn write_map(&self, out: &mut ValueText, entries: &[Value], of: &(Type, Type), fuel: u32) {
        let is_array = entries
            .chunks_exact(2)
            .enumerate()
            .all(|(k, entry)| matches!(entry[0], Value::Bits(key) | Value::Integer(key) if key == k as i128));
        let parts = entries.chunks_exact(2).map(|entry| {
            let name = (!is_array).then(|| {
                let mut key = ValueText::default();
                self.write(&mut key, entry[0], &of.0, fuel);
                key
            });
            (name, entry[1], of.1.clone())
        });
        self.write_all(out, if is_array { ["[", "]"] } else { ["{ ", " }"] }, parts, fuel);
    }

    fn write_all(
        &self,
        out: &mut ValueText,
        around: [&str; 2],
        parts: impl Iterator<Item = (Option<ValueText>, Value, Type)>,
        fuel: u32,
    ) {
        let mut parts = parts.enumerate().peekable();
        if parts.peek().is_none() {
            return out.push_str(&around.map(str::trim).concat());
        }
        out.push_str(around[0]);
        for (k, (name, value, ty)) in parts {
            if k > 0 {
                out.push_str(", ");
            }
            if k == MAX_ELEMENTS || out.len() > MAX_LENGTH {
                out.push_str("…");
                break;
            }
            if let Some(name) = name {
                out.extend(name);
                out.push_str(": ");
            }
            self.write(out, value, &ty, fuel);
        }
        out.push_str(around[1]);
    }
}

/// A datatype with one constructor for nothing and one for an element and the rest.
struct ListLike {
    head: u32,
    tail: u32,
    ty: Type,
}

impl ListLike {
    fn of(datatype: &Datatype, id: DatatypeId) -> Option<ListLike> {
        let [a, b] = datatype.constructors.as_slice() else { return None };
        let (empty, cons) = if a.fields.is_empty() { (a, b) } else { (b, a) };
        if !empty.fields.is_empty() {
            return None;
        }
        let is_tail = |ty: &Type| *ty == Type::Datatype(id);
        match cons.fields.as_slice() {
            [(_, head), (_, tail)] if is_tail(tail) && !is_tail(head) => {
                Some(ListLike { head: 0, tail: 1, ty: head.clone() })
            }
            [(_, tail), (_, head)] if is_tail(tail) && !is_tail(head) => {
                Some(ListLike { head: 1, tail: 0, ty: head.clone() })
            }
            _ => None,
        }
    }
}
