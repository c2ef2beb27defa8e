//! Which record or enumeration is meant: tags, typedefs and shapes.
//!
//! Names the entries, and decides when two entries of different units are one type. It builds no types.

// The constants' names are DWARF's.
#![allow(non_upper_case_globals)]

use std::collections::BTreeMap;

use gimli::{
    DW_TAG_array_type, DW_TAG_atomic_type, DW_TAG_const_type, DW_TAG_enumeration_type, DW_TAG_pointer_type,
    DW_TAG_restrict_type, DW_TAG_structure_type, DW_TAG_typedef, DW_TAG_union_type, DW_TAG_volatile_type,
    DwTag,
};

use super::entries::{Entries, Entry, EntryId};
use super::types::MAX_DEPTH;

/// What makes two records or enumerations of different units the same type.
pub(super) type Shape = (DwTag, String, Option<u64>, Vec<(String, u64, String)>);

/// The names of records and enumerations.
pub(super) struct Names<'a> {
    entries: &'a Entries,
    /// The typedef that names an unnamed record or enumeration.
    typedef_names: BTreeMap<EntryId, String>,
    /// Definitions by kind and tag, for declarations of them elsewhere.
    definitions: BTreeMap<(DwTag, String), Vec<EntryId>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(entries: &'a Entries) -> Self {
        let mut typedef_names = BTreeMap::new();
        let mut definitions: BTreeMap<(DwTag, String), Vec<EntryId>> = BTreeMap::new();
        for (id, entry) in entries.all.iter().enumerate() {
            if entry.tag() == DW_TAG_typedef
                && let (Some(name), Some(of)) = (&entry.name, entry.ty)
                && entries.all[of].name.is_none()
            {
                typedef_names.entry(of).or_insert_with(|| name.clone());
            }
            if is_tagged(entry.tag())
                && !entry.is_declaration
                && let Some(name) = &entry.name
            {
                definitions.entry((entry.tag(), name.clone())).or_default().push(id);
            }
        }
        Names { entries, typedef_names, definitions }
    }

    /// The definition behind a declaration: of the same unit if there is one, else of any.
    pub(super) fn definition(&self, id: EntryId) -> EntryId {
        let entry = &self.entries.all[id];
        let (true, Some(name)) = (entry.is_declaration, &entry.name) else { return id };
        let Some(candidates) = self.definitions.get(&(entry.tag(), name.clone())) else { return id };
        let same_unit = candidates.iter().find(|other| self.entries.all[**other].unit == entry.unit);
        same_unit.or(candidates.first()).copied().unwrap_or(id)
    }

    /// What tells a record or enumeration from others: see [`Shape`]. Unnamed ones also by their place.
    pub(super) fn shape(&self, id: EntryId) -> Shape {
        let entry = &self.entries.all[id];
        let mut name = self.name(id);
        if name.is_empty() {
            let file = entry.file.as_deref().map(|file| file.display().to_string()).unwrap_or_default();
            name = format!("{file}:{}", entry.line);
        }
        let parts = self
            .children(entry)
            .map(|child| {
                let place = child.data_bit_offset.or(child.member_location).unwrap_or(0);
                let spelling = match child.const_value {
                    Some(value) => value.to_string(),
                    None => self.spelling(child.ty),
                };
                (child.name.clone().unwrap_or_default(), place, spelling)
            })
            .collect();
        (entry.tag(), name, entry.byte_size, parts)
    }

    /// A type in a few words: not exact, but different for types that matter to tell apart.
    fn spelling(&self, ty: Option<EntryId>) -> String {
        let mut words = String::new();
        let mut next = ty;
        for _ in 0..MAX_DEPTH {
            let Some(id) = next else { break };
            let entry = &self.entries.all[id];
            match entry.tag() {
                DW_TAG_pointer_type => words.push('*'),
                DW_TAG_array_type => words.push('['),
                tag if is_transparent(tag) => {}
                _ => {
                    words.push_str(&self.name(id));
                    break;
                }
            }
            next = entry.ty;
        }
        words
    }

    /// Its tag, or the typedef that names it; empty if it has none.
    pub(super) fn name(&self, id: EntryId) -> String {
        let name = self.entries.all[id].name.as_ref();
        name.or_else(|| self.typedef_names.get(&id)).cloned().unwrap_or_default()
    }

    fn children<'s>(&'s self, entry: &'s Entry) -> impl Iterator<Item = &'s Entry> {
        entry.children.iter().map(|child| &self.entries.all[*child])
    }
}

pub(super) fn is_tagged(tag: DwTag) -> bool {
    matches!(tag, DW_TAG_structure_type | DW_TAG_union_type | DW_TAG_enumeration_type)
}

/// Whether a type of this tag is, to us, the type inside.
pub(super) fn is_transparent(tag: DwTag) -> bool {
    tag == DW_TAG_typedef
        || tag == DW_TAG_const_type
        || tag == DW_TAG_volatile_type
        || tag == DW_TAG_restrict_type
        || tag == DW_TAG_atomic_type
}
