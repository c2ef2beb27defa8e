//! The types of a C program, as the compiler laid them out.
//!
//! Filled from debug information, read by the type checker of specs, by generation (which values
//! an argument can have) and by evaluation (how bytes become values). It knows layouts and names;
//! it does not know what a spec calls them, nor where they come from.

use std::collections::BTreeMap;

/// All types of a program.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CTypes {
    types: Vec<CType>,
    records: Vec<Record>,
    enums: Vec<Enumeration>,
    /// `struct S`, `union U`, `enum E` by tag.
    pub tags: BTreeMap<Tag, TypeId>,
    /// Typedefs by name; the type is the one behind it.
    pub typedefs: BTreeMap<String, TypeId>,
    /// Whether a `char` has negative values (`-funsigned-char` says no).
    pub char_is_signed: bool,
}

/// A type of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TypeId(u32);

/// A struct or union of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordId(u32);

/// An enumeration of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnumId(u32);

/// A tag with its kind: the three kinds are separate namespaces to us, one to C.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Tag {
    /// `struct name`
    Struct(String),
    /// `union name`
    Union(String),
    /// `enum name`
    Enum(String),
}

/// A type, without qualifiers and typedefs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CType {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`, which is neither of the other two.
    Char,
    /// Every other integer type.
    Integer {
        /// In bytes: 1, 2, 4, 8 or 16.
        size: u32,
        /// Whether it has negative values.
        is_signed: bool,
        /// As the compiler spells it.
        name: String,
    },
    /// `float`, `double`, `long double`
    Float {
        /// In bytes.
        size: u32,
        /// As the compiler spells it.
        name: String,
    },
    /// A pointer.
    Pointer {
        /// What it points to; `void` if unknown.
        to: TypeId,
        /// Whether what it points to is `const`.
        is_const: bool,
    },
    /// An array; the length of an incomplete or flexible one is not known.
    Array {
        /// Its elements.
        of: TypeId,
        /// How many.
        len: Option<u64>,
    },
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// A function: what function pointers point to.
    Function(Signature),
    /// Something the compiler has and we do not (`_Complex`, vectors): its name and size.
    Other {
        /// As the compiler spells it.
        name: String,
        /// In bytes.
        size: u64,
    },
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Signature {
    /// What it returns.
    pub returns: TypeId,
    /// What it takes.
    pub parameters: Vec<TypeId>,
    /// Whether it takes more (`...`), or nothing is known of what it takes (`f()`).
    pub is_variadic: bool,
}

/// A struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// Its tag, or the typedef that names it; empty if it has none.
    pub name: String,
    /// Whether all members lie at offset 0.
    pub is_union: bool,
    /// In bytes; `None` while it is only declared.
    pub size: Option<u64>,
    /// Its alignment in bytes.
    pub align: u64,
    /// Its members.
    pub members: Vec<Member>,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Member {
    /// Its name; empty if it is an anonymous struct or union.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// In bytes from the record's beginning; of a bit field, the byte its first bit lies in.
    pub offset: u64,
    /// Where the bits lie, if it is a bit field: first bit from the beginning of the record, and how many.
    pub bits: Option<(u64, u32)>,
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Enumeration {
    /// Its tag, or the typedef that names it; empty if it has none.
    pub name: String,
    /// In bytes.
    pub size: u32,
    /// Whether its representation has negative values.
    pub is_signed: bool,
    /// Its constants in order.
    pub constants: Vec<(String, i128)>,
}

/// Whether a typedef of this name is an integer as wide as a pointer wherever C is compiled: `usize` or `isize`
/// in Rust.
#[must_use]
pub fn is_word(name: &str) -> bool {
    matches!(name, "size_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t")
}

impl CTypes {
    /// Adds a type.
    ///
    /// # Panics
    /// With more than 2³² types.
    pub fn add(&mut self, ty: CType) -> TypeId {
        self.types.push(ty);
        TypeId(u32::try_from(self.types.len() - 1).expect("fewer than 2^32 types"))
    }

    /// Replaces a type: for types that refer to themselves, added before they are known.
    pub fn set(&mut self, id: TypeId, ty: CType) {
        self.types[id.0 as usize] = ty;
    }

    /// Adds a struct or union.
    ///
    /// # Panics
    /// With more than 2³² of them.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId(u32::try_from(self.records.len() - 1).expect("fewer than 2^32 types"))
    }

    /// Adds an enumeration.
    ///
    /// # Panics
    /// With more than 2³² of them.
    pub fn add_enum(&mut self, enumeration: Enumeration) -> EnumId {
        self.enums.push(enumeration);
        EnumId(u32::try_from(self.enums.len() - 1).expect("fewer than 2^32 types"))
    }

    /// What a type is.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &CType {
        &self.types[id.0 as usize]
    }

    /// All types.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }

    /// The type `char`, if the program uses it.
    #[must_use]
    pub fn char_type(&self) -> Option<TypeId> {
        let place = self.types.iter().position(|ty| *ty == CType::Char)?;
        u32::try_from(place).ok().map(TypeId)
    }

    /// What a struct or union is.
    #[must_use]
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// What a struct or union is, for adding members to it.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// What an enumeration is.
    #[must_use]
    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.0 as usize]
    }

    /// The value of an enumeration's constant, and the enumeration.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<(EnumId, i128)> {
        self.enums.iter().enumerate().find_map(|(k, of)| {
            let (_, value) = of.constants.iter().find(|(constant, _)| constant == name)?;
            Some((EnumId(k as u32), *value))
        })
    }

    /// How many bytes a value takes; `None` for incomplete types and functions.
    #[must_use]
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            CType::Void | CType::Function(_) => None,
            CType::Bool | CType::Char => Some(1),
            CType::Integer { size, .. } | CType::Float { size, .. } => Some(u64::from(*size)),
            CType::Pointer { .. } => Some(8),
            CType::Array { of, len } => self.size(*of)?.checked_mul((*len)?),
            CType::Record(id) => self.record(*id).size,
            CType::Enum(id) => Some(u64::from(self.enumeration(*id).size)),
            CType::Other { size, .. } => Some(*size),
        }
    }

    /// At multiples of what its addresses lie; `None` for incomplete types and functions.
    #[must_use]
    pub fn align(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            CType::Array { of, .. } => self.align(*of),
            CType::Record(id) => self.record(*id).size.map(|_| self.record(*id).align),
            // `_Complex` is as strict as its parts, vectors as their size: the machine's limit covers both.
            _ => self.size(id).map(|size| size.clamp(1, 16)),
        }
    }

    /// The alignment that a record's members and size show, as the compiler does not write it down.
    pub(crate) fn natural_align(&self, id: RecordId) -> u64 {
        let record = self.record(id);
        let strictest = record.members.iter().map(|member| {
            let natural = match member.bits {
                Some(_) => 1,
                None => self.align(member.ty).unwrap_or(1),
            };
            // In a packed record members lie anywhere.
            if member.offset == 0 { natural } else { natural.min(1 << member.offset.trailing_zeros().min(4)) }
        });
        let mut align = strictest.max().unwrap_or(1).max(1);
        while align > 1 && !record.size.unwrap_or(0).is_multiple_of(align) {
            align /= 2;
        }
        align
    }

    /// A tag with its keyword, unless the name is a typedef's and there is no such tag.
    fn tagged(&self, keyword: &str, name: &str, tag: fn(String) -> Tag) -> String {
        match name {
            "" => format!("{keyword} (unnamed)"),
            _ if !self.tags.contains_key(&tag(name.to_string())) && self.typedefs.contains_key(name) => {
                name.to_string()
            }
            _ => format!("{keyword} {name}"),
        }
    }

    /// The type as C writes it, for messages.
    #[must_use]
    pub fn name(&self, id: TypeId) -> String {
        match self.get(id) {
            CType::Void => "void".to_string(),
            CType::Bool => "_Bool".to_string(),
            CType::Char => "char".to_string(),
            CType::Integer { name, .. } | CType::Float { name, .. } | CType::Other { name, .. } => {
                name.clone()
            }
            CType::Pointer { to, is_const } => {
                let qualifier = if *is_const { "const " } else { "" };
                format!("{qualifier}{} *", self.name(*to))
            }
            CType::Array { of, len: Some(len) } => format!("{}[{len}]", self.name(*of)),
            CType::Array { of, len: None } => format!("{}[]", self.name(*of)),
            CType::Record(of) => match self.record(*of) {
                Record { is_union: true, name, .. } => self.tagged("union", name, Tag::Union),
                Record { name, .. } => self.tagged("struct", name, Tag::Struct),
            },
            CType::Enum(of) => match &*self.enumeration(*of).name {
                "" => "int".to_string(),
                name => self.tagged("enum", name, Tag::Enum),
            },
            CType::Function(signature) => {
                let parameters: Vec<String> = signature.parameters.iter().map(|p| self.name(*p)).collect();
                format!("{} (*)({})", self.name(signature.returns), parameters.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_without_a_tag_is_called_by_its_typedef() {
        let mut types = CTypes::default();
        let mut add = |name: &str| {
            let record = Record {
                name: name.to_string(),
                is_union: false,
                size: Some(4),
                align: 4,
                members: Vec::new(),
            };
            let id = types.add_record(record);
            types.add(CType::Record(id))
        };
        let (pair, cell, unnamed) = (add("pair"), add("cell"), add(""));
        types.typedefs.insert("pair".to_string(), pair);
        types.typedefs.insert("cell".to_string(), cell);
        types.tags.insert(Tag::Struct("cell".to_string()), cell);
        assert_eq!(
            [pair, cell, unnamed].map(|id| types.name(id)),
            ["pair", "struct cell", "struct (unnamed)"]
        );
    }
}
