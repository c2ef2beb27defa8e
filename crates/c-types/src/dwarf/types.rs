//! From debug information to [`CTypes`].
//!
//! Turns the table of entries into types. Equal types get equal identities, also across compilation units:
//! records and enumerations are told apart by tag and shape, since two files may use one tag for different
//! things. It does not know functions and variables.

// The constants' names are DWARF's.
#![allow(non_upper_case_globals)]

use std::collections::BTreeMap;

use gimli::{
    DW_ATE_boolean, DW_ATE_float, DW_ATE_signed, DW_ATE_signed_char, DW_ATE_unsigned, DW_ATE_unsigned_char,
    DW_TAG_array_type, DW_TAG_atomic_type, DW_TAG_base_type, DW_TAG_compile_unit, DW_TAG_const_type,
    DW_TAG_enumeration_type, DW_TAG_enumerator, DW_TAG_formal_parameter, DW_TAG_member, DW_TAG_pointer_type,
    DW_TAG_restrict_type, DW_TAG_structure_type, DW_TAG_subrange_type, DW_TAG_subroutine_type,
    DW_TAG_typedef, DW_TAG_union_type, DW_TAG_unspecified_parameters, DW_TAG_volatile_type,
};

use super::DwarfError;
use super::entries::{Entries, Entry, EntryId};
use super::names::{Names, Shape, is_tagged, is_transparent};
use crate::ctypes::{CType, CTypes, Enumeration, Member, Record, RecordId, Signature, Tag, TypeId, is_word};

/// How deep types may be nested within each other; what C compilers accept is far below.
pub(super) const MAX_DEPTH: usize = 256;
/// How many dimensions an array may have.
const MAX_DIMENSIONS: usize = 64;

/// What becomes of `size_t` and the other integers that are as wide as a pointer by their definition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WordTypes {
    /// The integer type that they are to the compiler.
    AsIntegers,
    /// An integer type with their name.
    ByName,
}

/// Builds the types of a program.
pub(super) struct TypeBuilder<'a> {
    entries: &'a Entries,
    words: WordTypes,
    pub(super) types: CTypes,
    known: BTreeMap<EntryId, TypeId>,
    interned: BTreeMap<CType, TypeId>,
    by_shape: BTreeMap<Shape, TypeId>,
    names: Names<'a>,
    /// Records whose members are still to be read: records refer to each other in cycles.
    unfinished: Vec<(RecordId, EntryId)>,
}

impl<'a> TypeBuilder<'a> {
    pub(super) fn new(entries: &'a Entries, words: WordTypes) -> Self {
        TypeBuilder {
            entries,
            words,
            types: CTypes::default(),
            known: BTreeMap::new(),
            interned: BTreeMap::new(),
            by_shape: BTreeMap::new(),
            names: Names::new(entries),
            unfinished: Vec::new(),
        }
    }

    /// Reads every named type of the program, those at file scope first: they own the names.
    pub(super) fn read_all(&mut self) -> Result<(), DwarfError> {
        let entries = self.entries;
        let is_global = |entry: &Entry| {
            entry.parent.is_some_and(|parent| entries.all[parent].tag() == DW_TAG_compile_unit)
        };
        for wants_global in [true, false] {
            for (id, entry) in entries.all.iter().enumerate() {
                if is_global(entry) != wants_global {
                    continue;
                }
                if is_tagged(entry.tag()) {
                    let ty = self.resolve(id)?;
                    if let (Some(tag), false) = (tag_of(entry), entry.is_declaration) {
                        self.types.tags.entry(tag).or_insert(ty);
                    }
                } else if entry.tag() == DW_TAG_typedef
                    && let Some(name) = &entry.name
                {
                    let ty = self.resolve(id)?;
                    self.types.typedefs.entry(name.clone()).or_insert(ty);
                }
            }
        }
        // Tags that are declared and never defined.
        for (id, entry) in entries.all.iter().enumerate() {
            if let (true, Some(tag)) = (entry.is_declaration, tag_of(entry)) {
                let ty = self.resolve(id)?;
                self.types.tags.entry(tag).or_insert(ty);
            }
        }
        Ok(())
    }

    /// The type of an entry that has one; `void` if it has none.
    pub(super) fn type_of(&mut self, id: EntryId) -> Result<TypeId, DwarfError> {
        match self.entries.type_of(id) {
            Some(ty) => self.resolve(ty),
            None => Ok(self.intern(CType::Void)),
        }
    }

    /// A function's type: of a subprogram, or of what a pointer points to.
    pub(super) fn signature(&mut self, id: EntryId) -> Result<Signature, DwarfError> {
        let signature = self.signature_at(id, 0)?;
        self.finish()?;
        Ok(signature)
    }

    /// Whether a variable is `const`; an array is when its elements are.
    pub(super) fn is_const_variable(&self, id: EntryId) -> bool {
        let ty = self.entries.type_of(id);
        let element = ty.filter(|ty| self.entries.all[*ty].tag() == DW_TAG_array_type);
        self.is_const(ty) || element.is_some_and(|array| self.is_const(self.entries.all[array].ty))
    }

    /// One identity for equal types.
    pub(super) fn intern(&mut self, ty: CType) -> TypeId {
        if let Some(id) = self.interned.get(&ty) {
            return *id;
        }
        let id = self.types.add(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    fn resolve(&mut self, id: EntryId) -> Result<TypeId, DwarfError> {
        let ty = self.resolve_at(id, 0)?;
        self.finish()?;
        Ok(ty)
    }

    fn resolve_at(&mut self, id: EntryId, depth: usize) -> Result<TypeId, DwarfError> {
        if let Some(known) = self.known.get(&id) {
            return Ok(*known);
        }
        if depth > MAX_DEPTH {
            return Err(DwarfError::TooDeep);
        }
        let entry = &self.entries.all[id];
        let ty = match entry.tag() {
            DW_TAG_typedef => {
                let inner = self.inner(entry, depth)?;
                self.word(entry, inner).map_or(inner, |word| self.intern(word))
            }
            DW_TAG_const_type | DW_TAG_volatile_type | DW_TAG_restrict_type | DW_TAG_atomic_type => {
                self.inner(entry, depth)?
            }
            DW_TAG_base_type => {
                let ty = self.base(entry);
                self.intern(ty)
            }
            DW_TAG_pointer_type => {
                let is_const = self.is_const(entry.ty);
                let to = self.inner(entry, depth)?;
                self.intern(CType::Pointer { to, is_const })
            }
            DW_TAG_array_type => self.array(entry, depth)?,
            DW_TAG_structure_type | DW_TAG_union_type => self.record(id)?,
            DW_TAG_enumeration_type => self.enumeration(id),
            DW_TAG_subroutine_type => {
                let signature = self.signature_at(id, depth)?;
                self.intern(CType::Function(signature))
            }
            other => {
                let name = entry.name.clone().unwrap_or_else(|| other.to_string());
                self.intern(CType::Other { name, size: entry.byte_size.unwrap_or(0) })
            }
        };
        self.known.insert(id, ty);
        Ok(ty)
    }

    /// The type of a typedef that is as wide as a pointer by its definition, where those are told apart.
    fn word(&self, typedef: &Entry, inner: TypeId) -> Option<CType> {
        let name = typedef.name.clone().filter(|name| is_word(name) && self.words == WordTypes::ByName)?;
        match *self.types.get(inner) {
            CType::Integer { size: 8, is_signed, .. } => Some(CType::Integer { size: 8, is_signed, name }),
            _ => None,
        }
    }

    fn inner(&mut self, entry: &Entry, depth: usize) -> Result<TypeId, DwarfError> {
        match entry.ty {
            Some(of) => self.resolve_at(of, depth + 1),
            None => Ok(self.intern(CType::Void)),
        }
    }

    /// Whether a type is `const`, directly or through typedefs.
    fn is_const(&self, ty: Option<EntryId>) -> bool {
        std::iter::successors(ty, |id| {
            let entry = &self.entries.all[*id];
            is_transparent(entry.tag()).then_some(entry.ty).flatten()
        })
        .take(MAX_DEPTH)
        .any(|id| self.entries.all[id].tag() == DW_TAG_const_type)
    }

    fn base(&mut self, entry: &Entry) -> CType {
        let name = entry.name.clone().unwrap_or_default();
        let size = entry.byte_size.unwrap_or(0);
        let encoding = entry.encoding.unwrap_or(gimli::DwAte(0));
        if encoding == DW_ATE_boolean && size == 1 {
            return CType::Bool;
        }
        let is_char = encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
        if is_char && name == "char" {
            self.types.char_is_signed = encoding == DW_ATE_signed_char;
            return CType::Char;
        }
        let is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
        let is_unsigned = encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char;
        match u32::try_from(size) {
            Ok(size @ (1 | 2 | 4 | 8 | 16)) if is_signed || is_unsigned => {
                CType::Integer { size, is_signed, name }
            }
            Ok(size) if encoding == DW_ATE_float => CType::Float { size, name },
            _ => CType::Other { name, size },
        }
    }

    fn array(&mut self, entry: &Entry, depth: usize) -> Result<TypeId, DwarfError> {
        let dimensions: Vec<Option<u64>> = self
            .children(entry)
            .filter(|child| child.tag() == DW_TAG_subrange_type)
            .map(|child| child.count)
            .collect();
        if dimensions.len() > MAX_DIMENSIONS {
            return Err(DwarfError::TooDeep);
        }
        let element = self.inner(entry, depth)?;
        if entry.is_vector {
            let of = self.types.name(element);
            let count = dimensions.first().copied().flatten().unwrap_or(0);
            let size = self.types.size(element).unwrap_or(0).saturating_mul(count);
            return Ok(self.intern(CType::Other { name: format!("vector of {count} {of}"), size }));
        }
        // The last dimension is the innermost one.
        let outer = dimensions.into_iter().rev();
        Ok(outer.fold(element, |of, len| self.intern(CType::Array { of, len })))
    }

    fn signature_at(&mut self, id: EntryId, depth: usize) -> Result<Signature, DwarfError> {
        let entries = self.entries;
        let returns = match entries.type_of(id) {
            Some(of) => self.resolve_at(of, depth + 1)?,
            None => self.intern(CType::Void),
        };
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        for &child in &entries.all[id].children {
            match entries.all[child].tag() {
                DW_TAG_formal_parameter => parameters.push(match entries.type_of(child) {
                    Some(of) => self.resolve_at(of, depth + 1)?,
                    None => self.intern(CType::Void),
                }),
                DW_TAG_unspecified_parameters => is_variadic = true,
                _ => {}
            }
        }
        Ok(Signature { returns, parameters, is_variadic })
    }

    fn record(&mut self, id: EntryId) -> Result<TypeId, DwarfError> {
        let id = self.names.definition(id);
        let shape = self.names.shape(id);
        if let Some(known) = self.by_shape.get(&shape) {
            return Ok(*known);
        }
        let entry = &self.entries.all[id];
        let record = self.types.add_record(Record {
            name: self.names.name(id),
            is_union: entry.tag() == DW_TAG_union_type,
            size: if entry.is_declaration { None } else { entry.byte_size },
            align: entry.align.unwrap_or(1),
            members: Vec::new(),
        });
        let ty = self.intern(CType::Record(record));
        self.by_shape.insert(shape, ty);
        self.unfinished.push((record, id));
        Ok(ty)
    }

    /// Reads the members of the records met so far, and of those met on the way.
    fn finish(&mut self) -> Result<(), DwarfError> {
        let entries = self.entries;
        let mut met = Vec::new();
        while let Some((record, id)) = self.unfinished.pop() {
            let mut members = Vec::new();
            for &child in &entries.all[id].children {
                let entry = &entries.all[child];
                if entry.tag() != DW_TAG_member {
                    continue;
                }
                let ty = match entry.ty {
                    Some(of) => self.resolve_at(of, 0)?,
                    None => self.intern(CType::Void),
                };
                members.push(member(entry, ty, self.types.size(ty)));
            }
            self.types.record_mut(record).members = members;
            met.push((record, entries.all[id].align));
        }
        self.align(&met);
        Ok(())
    }

    /// Alignments depend on those of the records inside: repeat until none changes.
    fn align(&mut self, records: &[(RecordId, Option<u64>)]) {
        for _ in 0..MAX_DEPTH {
            let mut has_changed = false;
            for (record, given) in records.iter().rev() {
                let align = given.unwrap_or_else(|| self.types.natural_align(*record)).max(1);
                has_changed |= self.types.record(*record).align != align;
                self.types.record_mut(*record).align = align;
            }
            if !has_changed {
                break;
            }
        }
    }

    fn enumeration(&mut self, id: EntryId) -> TypeId {
        let id = self.names.definition(id);
        let shape = self.names.shape(id);
        if let Some(known) = self.by_shape.get(&shape) {
            return *known;
        }
        let entry = &self.entries.all[id];
        let constants: Vec<(String, i128)> = self
            .children(entry)
            .filter(|child| child.tag() == DW_TAG_enumerator)
            .filter_map(|child| Some((child.name.clone()?, child.const_value?)))
            .collect();
        let underlying = entry.ty.and_then(|of| self.entries.all[of].encoding);
        let is_signed = match entry.encoding.or(underlying) {
            Some(encoding) => encoding == DW_ATE_signed || encoding == DW_ATE_signed_char,
            None => constants.iter().any(|(_, value)| *value < 0),
        };
        let size = entry.byte_size.and_then(|size| u32::try_from(size).ok()).unwrap_or(4);
        let name = self.names.name(id);
        let number = self.types.add_enum(Enumeration { name, size, is_signed, constants });
        let ty = self.intern(CType::Enum(number));
        self.by_shape.insert(shape, ty);
        ty
    }

    fn children<'s>(&'s self, entry: &'s Entry) -> impl Iterator<Item = &'s Entry> {
        entry.children.iter().map(|child| &self.entries.all[*child])
    }
}

fn tag_of(entry: &Entry) -> Option<Tag> {
    let name = entry.name.clone()?;
    match entry.tag() {
        DW_TAG_structure_type => Some(Tag::Struct(name)),
        DW_TAG_union_type => Some(Tag::Union(name)),
        DW_TAG_enumeration_type => Some(Tag::Enum(name)),
        _ => None,
    }
}

/// A member as its entry describes it; DWARF 4 counts the bits of a bit field from the other end.
fn member(entry: &Entry, ty: TypeId, size: Option<u64>) -> Member {
    let name = entry.name.clone().unwrap_or_default();
    let location = entry.member_location.unwrap_or(0);
    let Some(n_bits) = entry.bit_size.and_then(|bits| u32::try_from(bits).ok()) else {
        return Member { name, ty, offset: location, bits: None };
    };
    let first = match (entry.data_bit_offset, entry.bit_offset) {
        (Some(first), _) => first.saturating_add(location.saturating_mul(8)),
        (None, Some(from_top)) => {
            let unit = entry.byte_size.or(size).unwrap_or(4);
            let end = i128::from(location) * 8 + i128::from(unit) * 8 - i128::from(from_top);
            u64::try_from(end - i128::from(n_bits)).unwrap_or(0)
        }
        (None, None) => location.saturating_mul(8),
    };
    Member { name, ty, offset: first / 8, bits: Some((first, n_bits)) }
}
