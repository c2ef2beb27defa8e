//! The entries of the debug information as one plain table.
//!
//! Collects every entry of an object with the attributes that the other files ask for, and resolves
//! references to places in one table. It does not know what the entries mean.

// The constants' names are DWARF's.
#![allow(non_upper_case_globals)]

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use gimli::{
    AttributeValue, DW_AT_GNU_vector, DW_AT_abstract_origin, DW_AT_alignment, DW_AT_artificial,
    DW_AT_bit_offset, DW_AT_bit_size, DW_AT_byte_size, DW_AT_const_value, DW_AT_count, DW_AT_data_bit_offset,
    DW_AT_data_member_location, DW_AT_decl_file, DW_AT_decl_line, DW_AT_declaration, DW_AT_encoding,
    DW_AT_external, DW_AT_high_pc, DW_AT_location, DW_AT_low_pc, DW_AT_name, DW_AT_noreturn,
    DW_AT_prototyped, DW_AT_ranges, DW_AT_specification, DW_AT_type, DW_AT_upper_bound, DwAte, DwTag,
    EndianSlice, LittleEndian, Operation, UnitRef,
};

use super::DwarfError;

pub(super) type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// An entry's place in the table.
pub(super) type EntryId = usize;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// At this address of the object.
    Static(u64),
    /// In every thread anew.
    Thread,
    /// On a stack, in registers, nowhere.
    Elsewhere,
}

/// One entry, with what we ask of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    raw_tag: u16,
    pub(super) parent: Option<EntryId>,
    pub(super) children: Vec<EntryId>,
    pub(super) unit: usize,
    pub(super) name: Option<String>,
    pub(super) ty: Option<EntryId>,
    /// What it completes: `DW_AT_abstract_origin` or `DW_AT_specification`.
    pub(super) origin: Option<EntryId>,
    pub(super) byte_size: Option<u64>,
    pub(super) encoding: Option<DwAte>,
    pub(super) align: Option<u64>,
    pub(super) member_location: Option<u64>,
    pub(super) bit_size: Option<u64>,
    pub(super) data_bit_offset: Option<u64>,
    /// DWARF 4: counted from the most significant bit of the storage unit.
    pub(super) bit_offset: Option<i64>,
    /// The number of elements of an array's dimension.
    pub(super) count: Option<u64>,
    pub(super) const_value: Option<i128>,
    pub(super) storage: Option<Storage>,
    /// First address and number of bytes of code.
    pub(super) code: Option<(u64, u64)>,
    pub(super) is_declaration: bool,
    pub(super) is_external: bool,
    pub(super) is_prototyped: bool,
    pub(super) is_noreturn: bool,
    pub(super) is_artificial: bool,
    pub(super) is_vector: bool,
    pub(super) file: Option<Arc<Path>>,
    pub(super) line: u32,
}

impl Entry {
    pub(super) fn tag(&self) -> DwTag {
        DwTag(self.raw_tag)
    }
}

/// All entries of an object.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) all: Vec<Entry>,
    /// The file that each unit was compiled from, as the compiler was given it.
    pub(super) units: Vec<Option<Arc<Path>>>,
}

/// How many steps an entry's origin is followed: two occur, a cycle must end.
const MAX_ORIGINS: usize = 8;

impl Entries {
    /// Reads every unit.
    pub(super) fn read(dwarf: &gimli::Dwarf<Slice<'_>>) -> Result<Entries, DwarfError> {
        let mut entries = Entries::default();
        let mut by_offset = BTreeMap::new();
        let mut links = Vec::new();
        let mut headers = dwarf.units();
        let mut n_units = 0;
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            entries.units.push(unit.name.map(|name| bytes_to_path(name.slice()).into()));
            entries.read_unit(unit.unit_ref(dwarf), n_units, &mut by_offset, &mut links)?;
            n_units += 1;
        }
        for (entry, kind, offset) in links {
            let Some(&to) = by_offset.get(&offset) else { continue };
            match kind {
                Link::Type => entries.all[entry].ty = Some(to),
                Link::Origin => entries.all[entry].origin = Some(to),
            }
        }
        Ok(entries)
    }

    /// The entry and what it completes, nearest first.
    pub(super) fn origins(&self, id: EntryId) -> impl Iterator<Item = &Entry> {
        std::iter::successors(Some(id), |id| self.all[*id].origin).take(MAX_ORIGINS).map(|id| &self.all[id])
    }

    /// The entry's name, or that of what it completes.
    pub(super) fn name(&self, id: EntryId) -> Option<&str> {
        self.origins(id).find_map(|entry| entry.name.as_deref())
    }

    /// The entry's type, or that of what it completes.
    pub(super) fn type_of(&self, id: EntryId) -> Option<EntryId> {
        self.origins(id).find_map(|entry| entry.ty)
    }

    fn read_unit<'a>(
        &mut self,
        unit: UnitRef<'_, Slice<'a>>,
        number: usize,
        by_offset: &mut BTreeMap<usize, EntryId>,
        links: &mut Vec<(EntryId, Link, usize)>,
    ) -> Result<(), DwarfError> {
        let Some(base) = unit.header.debug_info_offset() else { return Ok(()) };
        let files = file_names(unit);
        let mut parents: Vec<(isize, EntryId)> = Vec::new();
        let mut cursor = unit.entries();
        while let Some(die) = cursor.next_dfs()? {
            let depth = die.depth();
            while parents.last().is_some_and(|(above, _)| *above >= depth) {
                parents.pop();
            }
            let id = self.all.len();
            let parent = parents.last().map(|(_, parent)| *parent);
            let mut entry = Entry { raw_tag: die.tag().0, unit: number, parent, ..Entry::default() };
            for (kind, offset) in read_attributes(unit, die, &files, &mut entry)? {
                let global = match offset {
                    Reference::InUnit(offset) => base.0.wrapping_add(offset),
                    Reference::InSection(offset) => offset,
                };
                links.push((id, kind, global));
            }
            by_offset.insert(base.0.wrapping_add(die.offset().0), id);
            if let Some(parent) = parent {
                self.all[parent].children.push(id);
            }
            self.all.push(entry);
            parents.push((depth, id));
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Link {
    Type,
    Origin,
}

enum Reference {
    InUnit(usize),
    InSection(usize),
}

/// The file names of a unit by their number in it.
fn file_names(unit: UnitRef<'_, Slice<'_>>) -> BTreeMap<u64, Arc<Path>> {
    let Some(program) = &unit.line_program else { return BTreeMap::new() };
    let header = program.header();
    // Versions before 5 count from 1; asking for one too many does no harm.
    (0..=header.file_names().len() as u64)
        .filter_map(|number| Some((number, file_name(unit, header, number)?)))
        .collect()
}

/// A file's path, joined to the folder the compiler ran in.
pub(super) fn file_name<'a>(
    unit: UnitRef<'_, Slice<'a>>,
    header: &gimli::LineProgramHeader<Slice<'a>>,
    number: u64,
) -> Option<Arc<Path>> {
    let file = header.file(number)?;
    let mut path = unit.comp_dir.map_or_else(PathBuf::new, |folder| bytes_to_path(folder.slice()));
    if let Some(folder) = file.directory(header).and_then(|attr| unit.attr_string(attr).ok()) {
        path.push(bytes_to_path(folder.slice()));
    }
    path.push(bytes_to_path(unit.attr_string(file.path_name()).ok()?.slice()));
    // `a/./b` and `a/b` are one file; `..` stays, since links may be in between.
    Some(path.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>().into())
}

#[cfg(unix)]
fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Fills in the attributes; those that refer to entries not yet read are returned.
fn read_attributes<'a>(
    unit: UnitRef<'_, Slice<'a>>,
    die: &gimli::DebuggingInformationEntry<Slice<'a>>,
    files: &BTreeMap<u64, Arc<Path>>,
    entry: &mut Entry,
) -> Result<Vec<(Link, Reference)>, DwarfError> {
    let mut links = Vec::new();
    for attribute in die.attrs() {
        let value = attribute.value();
        match attribute.name() {
            DW_AT_name => {
                entry.name = Some(unit.attr_string(value)?.to_string_lossy().into_owned());
            }
            DW_AT_type => links.extend(reference(&value).map(|to| (Link::Type, to))),
            DW_AT_abstract_origin | DW_AT_specification => {
                links.extend(reference(&value).map(|to| (Link::Origin, to)));
            }
            DW_AT_byte_size => entry.byte_size = value.udata_value(),
            DW_AT_encoding => entry.encoding = encoding(&value),
            DW_AT_alignment => entry.align = value.udata_value(),
            DW_AT_data_member_location => entry.member_location = member_location(unit, &value),
            DW_AT_bit_size => entry.bit_size = value.udata_value(),
            DW_AT_data_bit_offset => entry.data_bit_offset = value.udata_value(),
            DW_AT_bit_offset => entry.bit_offset = value.sdata_value(),
            DW_AT_upper_bound => entry.count = upper_bound(&value),
            DW_AT_count => entry.count = value.udata_value(),
            DW_AT_const_value => entry.const_value = constant(&value),
            DW_AT_location => entry.storage = Some(storage(unit, &value)),
            DW_AT_declaration => entry.is_declaration = is_set(&value),
            DW_AT_external => entry.is_external = is_set(&value),
            DW_AT_prototyped => entry.is_prototyped = is_set(&value),
            DW_AT_noreturn => entry.is_noreturn = is_set(&value),
            DW_AT_artificial => entry.is_artificial = is_set(&value),
            DW_AT_GNU_vector => entry.is_vector = is_set(&value),
            DW_AT_decl_file => {
                let number = match value {
                    AttributeValue::FileIndex(number) => Some(number),
                    ref other => other.udata_value(),
                };
                entry.file = number.and_then(|number| files.get(&number).cloned());
            }
            DW_AT_decl_line => {
                entry.line = value.udata_value().and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
            }
            _ => {}
        }
    }
    entry.code = code(unit, die)?;
    Ok(links)
}

fn is_set(value: &AttributeValue<Slice<'_>>) -> bool {
    matches!(value, AttributeValue::Flag(true))
}

fn reference(value: &AttributeValue<Slice<'_>>) -> Option<Reference> {
    match value {
        AttributeValue::UnitRef(offset) => Some(Reference::InUnit(offset.0)),
        AttributeValue::DebugInfoRef(offset) => Some(Reference::InSection(offset.0)),
        _ => None,
    }
}

fn encoding(value: &AttributeValue<Slice<'_>>) -> Option<DwAte> {
    match value {
        AttributeValue::Encoding(encoding) => Some(*encoding),
        _ => None,
    }
}

/// How many elements an array has whose last one has this number.
fn upper_bound(value: &AttributeValue<Slice<'_>>) -> Option<u64> {
    match value {
        AttributeValue::Sdata(-1) => Some(0),
        other => Some(other.udata_value()?.wrapping_add(1)),
    }
}

fn constant(value: &AttributeValue<Slice<'_>>) -> Option<i128> {
    match value {
        AttributeValue::Sdata(value) => Some(i128::from(*value)),
        other => other.udata_value().map(i128::from),
    }
}

/// The offset of a member: a number, or in old versions an expression that adds one.
fn member_location(unit: UnitRef<'_, Slice<'_>>, value: &AttributeValue<Slice<'_>>) -> Option<u64> {
    if let AttributeValue::Exprloc(expression) = value {
        return match expression.operations(unit.encoding()).next() {
            Ok(Some(Operation::PlusConstant { value })) => Some(value),
            _ => None,
        };
    }
    value.udata_value()
}

fn storage(unit: UnitRef<'_, Slice<'_>>, value: &AttributeValue<Slice<'_>>) -> Storage {
    let AttributeValue::Exprloc(expression) = value else { return Storage::Elsewhere };
    let mut operations = expression.operations(unit.encoding());
    let mut found = Storage::Elsewhere;
    let mut n_operations = 0;
    while let Ok(Some(operation)) = operations.next() {
        n_operations += 1;
        match operation {
            Operation::Address { address } => found = Storage::Static(address),
            Operation::AddressIndex { index } => {
                found = unit.address(index).map_or(Storage::Elsewhere, Storage::Static);
            }
            Operation::TLS => return Storage::Thread,
            _ => {}
        }
    }
    if n_operations == 1 { found } else { Storage::Elsewhere }
}

/// The first address of the code and its length.
fn code<'a>(
    unit: UnitRef<'_, Slice<'a>>,
    die: &gimli::DebuggingInformationEntry<Slice<'a>>,
) -> Result<Option<(u64, u64)>, DwarfError> {
    if let Some(low) = die.attr_value(DW_AT_low_pc) {
        let Some(low) = unit.attr_address(low)? else { return Ok(None) };
        let length = match die.attr_value(DW_AT_high_pc) {
            Some(high) => match unit.attr_address(high)? {
                Some(high) => high.saturating_sub(low),
                None => high.udata_value().unwrap_or(0),
            },
            None => 0,
        };
        return Ok(Some((low, length)));
    }
    let Some(ranges) = die.attr_value(DW_AT_ranges) else { return Ok(None) };
    // A function split into a hot and a cold part is entered at the first range.
    let Some(mut ranges) = unit.attr_ranges(ranges)? else { return Ok(None) };
    Ok(ranges.next()?.map(|range| (range.begin, range.end.saturating_sub(range.begin))))
}
