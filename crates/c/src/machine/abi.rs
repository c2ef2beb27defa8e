//! How values of C types travel in calls.
//!
//! Turns a signature into libffi's description of it and where the bytes of each argument go. Records are
//! described by the classes of their eightbytes (System V ABI for x86-64, §3.2.3), since libffi knows neither
//! unions nor bit fields. What cannot be passed is refused by name, before anything is called.

use libffi::middle::{Cif, Type};

use crate::ctypes::{CType, CTypes, RecordId, Signature, TypeId};

/// Why a function cannot be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedType {
    /// What cannot be passed or returned.
    pub what: String,
}

impl std::fmt::Display for UnsupportedType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} cannot be passed by value; pass a pointer to it", self.what)
    }
}

/// A signature, ready for calls.
#[derive(Debug)]
pub struct Prototype {
    pub(super) cif: Cif,
    parameters: Vec<Place>,
    arguments_size: usize,
    result_size: usize,
}

/// Where an argument's bytes lie among the arguments.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: usize,
    size: usize,
}

impl Prototype {
    /// Describes a signature.
    ///
    /// # Errors
    /// If a parameter or the result has a type that cannot be passed by value here.
    pub fn new(types: &CTypes, signature: &Signature) -> Result<Prototype, UnsupportedType> {
        let mut parameters = Vec::new();
        let mut ffi = Vec::new();
        let mut end = 0usize;
        for id in &signature.parameters {
            let size = parameter_size(types, *id)?;
            ffi.push(describe(types, *id)?);
            parameters.push(Place { offset: end, size });
            end += size.next_multiple_of(16);
        }
        let result_size = match types.get(signature.returns) {
            CType::Void => 0,
            _ => parameter_size(types, signature.returns)?,
        };
        let cif = Cif::try_new(ffi, describe(types, signature.returns)?)
            .map_err(|_| UnsupportedType { what: "this signature".to_string() })?;
        Ok(Prototype { cif, parameters, arguments_size: end, result_size })
    }

    /// How many bytes all arguments take.
    #[must_use]
    pub fn arguments_size(&self) -> usize {
        self.arguments_size
    }

    /// How many parameters there are.
    #[must_use]
    pub fn n_parameters(&self) -> usize {
        self.parameters.len()
    }

    /// Where the bytes of one argument lie among those of all.
    #[must_use]
    pub fn place(&self, parameter: usize) -> std::ops::Range<usize> {
        let place = self.parameters[parameter];
        place.offset..place.offset + place.size
    }

    /// How many bytes the result takes.
    #[must_use]
    pub fn result_size(&self) -> usize {
        self.result_size
    }
}

fn parameter_size(types: &CTypes, id: TypeId) -> Result<usize, UnsupportedType> {
    let size = match types.get(id) {
        CType::Function(_) | CType::Array { .. } => Some(8),
        _ => types.size(id),
    };
    let too_large = || UnsupportedType { what: types.name(id) };
    usize::try_from(size.ok_or_else(too_large)?).ok().filter(|n| *n <= 1 << 16).ok_or_else(too_large)
}

fn describe(types: &CTypes, id: TypeId) -> Result<Type, UnsupportedType> {
    let unsupported = || UnsupportedType { what: types.name(id) };
    Ok(match types.get(id) {
        CType::Void => Type::void(),
        CType::Bool | CType::Char => Type::u8(),
        CType::Integer { size: 16, .. } => Type::structure([Type::u64(), Type::u64()]),
        CType::Integer { size, is_signed, .. } => integer(*size, *is_signed).ok_or_else(unsupported)?,
        CType::Float { size, .. } => float(u64::from(*size)).ok_or_else(unsupported)?,
        CType::Enum(of) => {
            let of = types.enumeration(*of);
            integer(of.size, of.is_signed).ok_or_else(unsupported)?
        }
        // As parameters these are pointers; no function returns one.
        CType::Pointer { .. } | CType::Function(_) | CType::Array { .. } => Type::pointer(),
        CType::Record(record) => record_type(types, *record).ok_or_else(unsupported)?,
        CType::Other { .. } => return Err(unsupported()),
    })
}

fn integer(size: u32, is_signed: bool) -> Option<Type> {
    Some(match (size, is_signed) {
        (1, true) => Type::i8(),
        (1, false) => Type::u8(),
        (2, true) => Type::i16(),
        (2, false) => Type::u16(),
        (4, true) => Type::i32(),
        (4, false) => Type::u32(),
        (8, true) => Type::i64(),
        (8, false) => Type::u64(),
        _ => return None,
    })
}

fn float(size: u64) -> Option<Type> {
    Some(match size {
        4 => Type::f32(),
        8 => Type::f64(),
        16 => Type::longdouble(),
        _ => return None,
    })
}

/// The class of eight bytes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Only padding.
    Nothing,
    Sse,
    Integer,
    X87,
}

fn record_type(types: &CTypes, id: RecordId) -> Option<Type> {
    let record = types.record(id);
    let size = record.size.filter(|n| *n > 0 && *n <= 1 << 16)?;
    let align = record.align.clamp(1, 16);
    if size > 16 {
        // In memory: only size and alignment matter.
        let unit = if align == 16 { float(16)? } else { integer(u32::try_from(align).ok()?, false)? };
        let n = usize::try_from(size / align).ok()?;
        return Some(Type::structure(std::iter::repeat_n(unit, n).collect::<Vec<_>>()));
    }
    let mut classes = [Class::Nothing; 2];
    classify_record(types, id, 0, &mut classes)?;
    if classes.contains(&Class::X87) {
        return (classes == [Class::X87; 2]).then(|| Type::structure([Type::longdouble()]));
    }
    let mut elements = Vec::new();
    for (k, class) in classes.iter().enumerate() {
        let n = size.saturating_sub(8 * k as u64).min(8);
        let unit = align.min(8);
        let (unit, element) = match class {
            Class::Integer => (unit, integer(u32::try_from(unit).ok()?, false)?),
            _ if unit == 8 => (8, Type::f64()),
            _ => (4, Type::f32()),
        };
        elements.extend(std::iter::repeat_n(element, usize::try_from(n / unit).ok()?));
    }
    Some(Type::structure(elements))
}

fn classify_record(types: &CTypes, id: RecordId, at: u64, classes: &mut [Class; 2]) -> Option<()> {
    for member in &types.record(id).members {
        if let Some((first, n)) = member.bits {
            let (first, last) = (at * 8 + first, at * 8 + first + u64::from(n).max(1) - 1);
            merge(classes, first / 64, Class::Integer)?;
            merge(classes, last / 64, Class::Integer)?;
        } else {
            classify(types, member.ty, at + member.offset, classes)?;
        }
    }
    Some(())
}

fn classify(types: &CTypes, id: TypeId, at: u64, classes: &mut [Class; 2]) -> Option<()> {
    match types.get(id) {
        CType::Record(record) => classify_record(types, *record, at, classes),
        CType::Array { of, len } => {
            let size = types.size(*of)?;
            (0..len.unwrap_or(0)).try_for_each(|k| classify(types, *of, at + k * size, classes))
        }
        CType::Other { .. } | CType::Void | CType::Function(_) => None,
        CType::Float { size: 16, .. } => {
            merge(classes, at / 8, Class::X87)?;
            merge(classes, at / 8 + 1, Class::X87)
        }
        scalar => {
            let size = types.size(id)?;
            // Packed records travel in memory, which libffi cannot be told.
            if size == 0 || !at.is_multiple_of(size.min(8)) {
                return None;
            }
            let class = if matches!(scalar, CType::Float { .. }) { Class::Sse } else { Class::Integer };
            (0..size.div_ceil(8)).try_for_each(|k| merge(classes, at / 8 + k, class))
        }
    }
}

fn merge(classes: &mut [Class; 2], eightbyte: u64, class: Class) -> Option<()> {
    let slot = classes.get_mut(usize::try_from(eightbyte).ok()?)?;
    *slot = match (*slot, class) {
        (Class::Nothing, new) => new,
        (old, new) if old == new => old,
        (Class::X87, _) | (_, Class::X87) => return None,
        _ => Class::Integer,
    };
    Some(())
}
