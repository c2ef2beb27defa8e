//! The types of the contract language.
//!
//! What a spec calls a type, what a C type is to a spec, and which types go together. It receives resolved
//! names; reading them from text is the parser's business, deciding where a type is wrong the checker's.

use crate::ctypes::{CType, CTypes, RecordId, Tag, TypeId};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A bit-vector type: `i8` to `i128`, `u8` to `u128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bits {
    /// 8, 16, 32, 64 or 128.
    pub width: u8,
    /// Whether it has negative values.
    pub is_signed: bool,
}

impl Bits {
    /// `u8`
    pub const U8: Bits = Bits { width: 8, is_signed: false };
    /// `i32`
    pub const I32: Bits = Bits { width: 32, is_signed: true };
    /// `u32`
    pub const U32: Bits = Bits { width: 32, is_signed: false };
    /// `u64`
    pub const U64: Bits = Bits { width: 64, is_signed: false };

    const NAMES: [(&'static str, Bits); 10] = [
        ("i8", Bits { width: 8, is_signed: true }),
        ("i16", Bits { width: 16, is_signed: true }),
        ("i32", Bits::I32),
        ("i64", Bits { width: 64, is_signed: true }),
        ("i128", Bits { width: 128, is_signed: true }),
        ("u8", Bits::U8),
        ("u16", Bits { width: 16, is_signed: false }),
        ("u32", Bits::U32),
        ("u64", Bits::U64),
        ("u128", Bits { width: 128, is_signed: false }),
    ];

    /// The type with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Bits> {
        Bits::NAMES.iter().find(|(known, _)| *known == name).map(|(_, bits)| *bits)
    }

    /// The type's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Bits::NAMES.iter().find(|(_, bits)| *bits == self).map_or("bits", |(name, _)| name)
    }

    /// The least value.
    #[must_use]
    pub fn least(self) -> BigInt {
        if self.is_signed { -(BigInt::from(1) << (self.width - 1)) } else { BigInt::ZERO }
    }

    /// The greatest value.
    #[must_use]
    pub fn greatest(self) -> BigInt {
        (BigInt::from(1) << (self.width - u8::from(self.is_signed))) - 1
    }

    /// Whether a number is a value of the type.
    #[must_use]
    pub fn holds(self, value: &BigInt) -> bool {
        self.least() <= *value && *value <= self.greatest()
    }

    /// A number that the type holds, as `checked::ExprKind::Bits` keeps it; a number that
    /// it does not hold wraps.
    #[must_use]
    pub fn pattern(self, value: &BigInt) -> i128 {
        let modulus = BigInt::from(1) << 128;
        let mut rest: BigInt = value % &modulus;
        if rest.sign() == num_bigint::Sign::Minus {
            rest += &modulus;
        }
        let raw = u128::try_from(rest).unwrap_or_default();
        self.extend(raw as i128)
    }

    /// The low bits of a pattern, extended to 128 bits by the type's sign.
    #[must_use]
    pub fn extend(self, pattern: i128) -> i128 {
        let unused = 128 - u32::from(self.width);
        if self.is_signed {
            (pattern << unused) >> unused
        } else {
            (((pattern as u128) << unused) >> unused) as i128
        }
    }

    /// The number a pattern means.
    #[must_use]
    pub fn number(self, pattern: i128) -> BigInt {
        if self.is_signed { BigInt::from(pattern) } else { BigInt::from(pattern as u128) }
    }
}

/// A datatype of the specs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DatatypeId(pub u32);

/// A type of the contract language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    /// Of something that is wrong and was reported; goes with every type. Not in trees that were checked
    /// without errors.
    Unknown,
    /// A bit-vector.
    Bits(Bits),
    /// `integer`, unbounded.
    Integer,
    /// `real`; what a C `float` or `double` is to a spec.
    Real,
    /// `boolean`
    Boolean,
    /// `pointer`, with what it points to if a C type tells.
    Pointer(Option<TypeId>),
    /// `alloc_id`
    AllocId,
    /// `void`, of predicates that return nothing.
    Void,
    /// `{ T a, … }`: fields in the order of their names, so that equal records have equal types.
    Record(Arc<[(String, Type)]>),
    /// `struct S`, unions included.
    Struct(RecordId),
    /// `datatype D`
    Datatype(DatatypeId),
    /// `map<K, V>`; what a C array is to a spec, with `u64` keys.
    Map(Arc<(Type, Type)>),
    /// `cn_list<T>`
    List(Arc<Type>),
    /// `cn_tuple<…>`
    Tuple(Arc<[Type]>),
    /// `cn_set<T>`
    Set(Arc<Type>),
    /// `cn_option<T>`
    Option(Arc<Type>),
}

impl Type {
    /// A map's type.
    #[must_use]
    pub fn map(key: Type, value: Type) -> Type {
        Type::Map(Arc::new((key, value)))
    }

    /// Whether it is a bit-vector, and which.
    #[must_use]
    pub fn bits(&self) -> Option<Bits> {
        match self {
            Type::Bits(bits) => Some(*bits),
            _ => None,
        }
    }

    /// How many parts it is written with, counted no further than to a limit: types share parts, so a short
    /// text can make an enormous one.
    #[must_use]
    pub fn size_up_to(&self, limit: usize) -> usize {
        let mut size = 1;
        let mut add = |ty: &Type| {
            if size < limit {
                size += ty.size_up_to(limit - size);
            }
        };
        match self {
            Type::Record(fields) => fields.iter().for_each(|(_, ty)| add(ty)),
            Type::Map(of) => [&of.0, &of.1].into_iter().for_each(add),
            Type::List(of) | Type::Set(of) | Type::Option(of) => add(of),
            Type::Tuple(of) => of.iter().for_each(add),
            _ => {}
        }
        size
    }

    /// Whether something of it was reported.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Type::Unknown
    }

    /// Whether a value of one can stand where the other is expected. All pointers can: what they
    /// point to is knowledge, not type.
    #[must_use]
    pub fn goes_with(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Unknown, _) | (_, Type::Unknown) | (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Record(a), Type::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.0 == b.0 && a.1.goes_with(&b.1))
            }
            (Type::Map(a), Type::Map(b)) => a.0.goes_with(&b.0) && a.1.goes_with(&b.1),
            (Type::List(a), Type::List(b))
            | (Type::Set(a), Type::Set(b))
            | (Type::Option(a), Type::Option(b)) => a.goes_with(b),
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.goes_with(b))
            }
            _ => self == other,
        }
    }

    /// The type of what may be a value of one or of the other; for types that go together.
    #[must_use]
    pub fn join(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::Unknown, other) => other.clone(),
            (Type::Pointer(None), Type::Pointer(_)) => other.clone(),
            (Type::Pointer(Some(a)), Type::Pointer(Some(b))) if a != b => Type::Pointer(None),
            _ => self.clone(),
        }
    }
}

/// What a C type is to a spec; nothing for functions, vectors and other things specs cannot speak of.
#[must_use]
pub fn of_c(ctypes: &CTypes, id: TypeId) -> Option<Type> {
    // Arrays of arrays of …: DWARF could be made to nest them without end.
    of_c_within(ctypes, id, 64)
}

fn of_c_within(ctypes: &CTypes, id: TypeId, fuel: u32) -> Option<Type> {
    let bits = |size: u32, is_signed| {
        matches!(size, 1 | 2 | 4 | 8 | 16).then(|| Type::Bits(Bits { width: (size * 8) as u8, is_signed }))
    };
    match ctypes.get(id) {
        CType::Void => Some(Type::Void),
        CType::Bool | CType::Char => Some(Type::Bits(Bits::U8)),
        CType::Integer { size, is_signed, .. } => bits(*size, *is_signed),
        CType::Float { .. } => Some(Type::Real),
        CType::Pointer { to, .. } => Some(Type::Pointer(Some(*to))),
        CType::Array { of, .. } => {
            let element = of_c_within(ctypes, *of, fuel.checked_sub(1)?)?;
            Some(Type::map(Type::Bits(Bits::U64), element))
        }
        CType::Record(record) => Some(Type::Struct(canonical(ctypes, *record))),
        CType::Enum(id) => {
            let enumeration = ctypes.enumeration(*id);
            let has_negative = enumeration.constants.iter().any(|(_, value)| *value < 0);
            bits(enumeration.size, has_negative)
        }
        CType::Function(_) | CType::Other { .. } => None,
    }
}

/// The one of several equal records that stands for all: a program of several files has its own
/// description of a struct in each.
#[must_use]
pub fn canonical(ctypes: &CTypes, id: RecordId) -> RecordId {
    let record = ctypes.record(id);
    if record.name.is_empty() {
        return id;
    }
    let name = record.name.clone();
    let by_tag = ctypes.tags.get(&if record.is_union { Tag::Union(name) } else { Tag::Struct(name) });
    let found = by_tag.or_else(|| ctypes.typedefs.get(&record.name));
    match found.map(|found| ctypes.get(*found)) {
        Some(CType::Record(found)) if ctypes.record(*found).size == record.size => *found,
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_wrap_and_extend() {
        let i8 = Bits::from_name("i8").unwrap();
        let u128 = Bits::from_name("u128").unwrap();
        assert_eq!(i8.pattern(&BigInt::from(128)), -128);
        assert_eq!(i8.pattern(&BigInt::from(-129)), 127);
        assert_eq!(Bits::U8.pattern(&BigInt::from(-1)), 255);
        assert_eq!(u128.number(u128.pattern(&u128.greatest())), u128.greatest());
        assert_eq!(
            (Bits::I32.least(), Bits::I32.greatest()),
            (BigInt::from(i32::MIN), BigInt::from(i32::MAX))
        );
        for (name, bits) in Bits::NAMES {
            assert_eq!(bits.name(), name);
            for value in [bits.least(), bits.greatest()] {
                assert_eq!(bits.number(bits.pattern(&value)), value, "{name}");
            }
            assert!(!bits.holds(&(bits.greatest() + 1)) && !bits.holds(&(bits.least() - 1)));
        }
    }

    #[test]
    fn pointers_go_together_and_keep_what_both_know() {
        let mut ctypes = CTypes::default();
        let (a, b) = (ctypes.add(CType::Char), ctypes.add(CType::Bool));
        let (a, b, none) = (Type::Pointer(Some(a)), Type::Pointer(Some(b)), Type::Pointer(None));
        assert!(
            a.goes_with(&b) && Type::map(a.clone(), a.clone()).goes_with(&Type::map(b.clone(), none.clone()))
        );
        assert_eq!((none.join(&a), a.join(&none), a.join(&b)), (a.clone(), a, none));
        assert!(!Type::Integer.goes_with(&Type::Bits(Bits::U8)));
    }

    #[test]
    fn c_types_as_the_language_says() {
        let mut c = CTypes::default();
        let integer = |size, is_signed| CType::Integer { size, is_signed, name: String::new() };
        let (char, bool, i1, u8) =
            (c.add(CType::Char), c.add(CType::Bool), c.add(integer(1, true)), c.add(integer(8, false)));
        let array = c.add(CType::Array { of: i1, len: None });
        let function = c.add(CType::Function(crate::ctypes::Signature {
            returns: u8,
            parameters: vec![],
            is_variadic: false,
        }));
        assert_eq!(of_c(&c, char), Some(Type::Bits(Bits::U8)));
        assert_eq!(of_c(&c, bool), Some(Type::Bits(Bits::U8)));
        assert_eq!(of_c(&c, u8), Some(Type::Bits(Bits::U64)));
        let i8 = Type::Bits(Bits { width: 8, is_signed: true });
        assert_eq!(of_c(&c, array), Some(Type::map(Type::Bits(Bits::U64), i8)));
        assert_eq!(of_c(&c, function), None);
        // An array of itself does not hang.
        c.set(array, CType::Array { of: array, len: None });
        assert_eq!(of_c(&c, array), None);
    }
}
