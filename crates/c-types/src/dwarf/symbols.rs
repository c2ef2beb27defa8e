//! The functions and variables of a program.
//!
//! Finds what can be called and what has an address among the entries. A function declared in one unit and
//! defined in another is one function.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gimli::{
    DW_TAG_compile_unit, DW_TAG_formal_parameter, DW_TAG_inlined_subroutine, DW_TAG_lexical_block,
    DW_TAG_subprogram, DW_TAG_typedef, DW_TAG_variable,
};

use super::entries::{Entries, Entry, EntryId, Storage};
use super::names::is_transparent;
use super::types::{MAX_DEPTH, TypeBuilder};
use super::{CFunction, CGlobal, CLocal, DwarfError};
use crate::ctypes::CType;

/// What tells static variables of one name apart: unit, line and address.
type Home = (usize, u32, Option<u64>);

/// All functions, in the order of their definitions, then those only declared.
pub(super) fn functions(
    entries: &Entries,
    types: &mut TypeBuilder<'_>,
) -> Result<Vec<CFunction>, DwarfError> {
    let mut found: Vec<CFunction> = Vec::new();
    // Functions others can see are one per name; static ones are one per unit, file and line.
    let mut known: BTreeMap<(String, Option<(usize, u32)>), usize> = BTreeMap::new();
    for (id, entry) in entries.all.iter().enumerate() {
        if entry.tag() != DW_TAG_subprogram || !is_at_file_scope(entries, entry) {
            continue;
        }
        let Some(function) = function(entries, types, id)? else { continue };
        let home = function.is_static.then_some((entry.unit, function.line));
        match known.get(&(function.name.clone(), home)) {
            Some(&at) if says_more(&function, &found[at]) => found[at] = function,
            Some(_) => {}
            None => {
                known.insert((function.name.clone(), home), found.len());
                found.push(function);
            }
        }
    }
    found.sort_by_key(|function| (!function.is_defined, function.address));
    Ok(found)
}

/// Code over a mere definition (inlined everywhere), a definition over a declaration.
fn says_more(new: &CFunction, old: &CFunction) -> bool {
    (new.address.is_some(), new.is_defined) > (old.address.is_some(), old.is_defined)
}

fn is_at_file_scope(entries: &Entries, entry: &Entry) -> bool {
    entry.parent.is_some_and(|parent| entries.all[parent].tag() == DW_TAG_compile_unit)
}

fn function(
    entries: &Entries,
    types: &mut TypeBuilder<'_>,
    id: EntryId,
) -> Result<Option<CFunction>, DwarfError> {
    let entry = &entries.all[id];
    let Some(name) = entries.name(id) else { return Ok(None) };
    if entries.origins(id).any(|entry| entry.is_artificial) {
        return Ok(None);
    }
    let is_defined = !entry.is_declaration;
    let mut signature = types.signature(id)?;
    // `int f() { … }` takes nothing, although its type does not say so.
    let is_prototyped = entries.origins(id).any(|entry| entry.is_prototyped);
    if is_defined && !is_prototyped {
        signature.is_variadic = false;
    }
    let (file, line) = place(entries, id);
    Ok(Some(CFunction {
        name: name.to_string(),
        address: entry.code.map(|(first, _)| first),
        size: entry.code.map_or(0, |(_, size)| size),
        ty: types.intern(CType::Function(signature.clone())),
        parameters: parameter_names(entries, entry),
        parameter_aliases: parameters(entries, entry).map(|id| alias(entries, id)).collect(),
        result_alias: alias(entries, id),
        locals: locals(entries, types, id)?,
        signature,
        is_static: !entries.origins(id).any(|entry| entry.is_external),
        is_defined,
        is_prototyped,
        is_noreturn: entries.origins(id).any(|entry| entry.is_noreturn),
        file,
        line,
    }))
}

fn place(entries: &Entries, id: EntryId) -> (Option<Arc<Path>>, u32) {
    let declared = entries.origins(id).find(|entry| entry.line != 0);
    declared.map_or((None, 0), |entry| (entry.file.clone(), entry.line))
}

fn parameters<'e>(entries: &'e Entries, entry: &'e Entry) -> impl Iterator<Item = EntryId> + 'e {
    entry.children.iter().copied().filter(|id| entries.all[*id].tag() == DW_TAG_formal_parameter)
}

fn parameter_names(entries: &Entries, entry: &Entry) -> Vec<String> {
    parameters(entries, entry).map(|id| entries.name(id).unwrap_or_default().to_string()).collect()
}

/// The typedef that something is declared with, unless it is one of the system's: `size_t` says no more than
/// its type.
fn alias(entries: &Entries, id: EntryId) -> Option<String> {
    let qualified = std::iter::successors(entries.type_of(id), |id| {
        let entry = &entries.all[*id];
        (is_transparent(entry.tag()) && entry.tag() != DW_TAG_typedef).then_some(entry.ty).flatten()
    });
    let entry = &entries.all[qualified.take(MAX_DEPTH).last()?];
    let is_systems = entry.file.as_deref().is_none_or(|file| file.starts_with("/usr"));
    entry.name.clone().filter(|_| entry.tag() == DW_TAG_typedef && !is_systems)
}

/// Parameters and local variables, those of inner blocks included, in the order of the source.
fn locals(
    entries: &Entries,
    types: &mut TypeBuilder<'_>,
    function: EntryId,
) -> Result<Vec<CLocal>, DwarfError> {
    let mut locals = Vec::new();
    let mut blocks = vec![function];
    while let Some(block) = blocks.pop() {
        for &id in &entries.all[block].children {
            let entry = &entries.all[id];
            if entry.tag() == DW_TAG_lexical_block {
                blocks.push(id);
            } else if (entry.tag() == DW_TAG_variable || entry.tag() == DW_TAG_formal_parameter)
                && let Some(name) = entries.name(id)
            {
                let (file, line) = place(entries, id);
                locals.push(CLocal { name: name.to_string(), ty: types.type_of(id)?, file, line });
            }
        }
    }
    locals.sort_by_key(|local: &CLocal| local.line);
    Ok(locals)
}

/// All variables with static storage, and the declared ones.
pub(super) fn globals(entries: &Entries, types: &mut TypeBuilder<'_>) -> Result<Vec<CGlobal>, DwarfError> {
    let mut found: Vec<CGlobal> = Vec::new();
    let mut known: BTreeMap<(String, Option<Home>), usize> = BTreeMap::new();
    for (id, entry) in entries.all.iter().enumerate() {
        if entry.tag() != DW_TAG_variable || entry.is_artificial {
            continue;
        }
        let Some(global) = global(entries, types, id)? else { continue };
        let home = global.is_static.then_some((entry.unit, global.line, global.address));
        match known.get(&(global.name.clone(), home)) {
            Some(&at) if found[at].address.is_none() && global.address.is_some() => found[at] = global,
            Some(_) => {}
            None => {
                known.insert((global.name.clone(), home), found.len());
                found.push(global);
            }
        }
    }
    Ok(found)
}

fn global(
    entries: &Entries,
    types: &mut TypeBuilder<'_>,
    id: EntryId,
) -> Result<Option<CGlobal>, DwarfError> {
    let entry = &entries.all[id];
    let Some(name) = entries.name(id) else { return Ok(None) };
    let is_external = entries.origins(id).any(|entry| entry.is_external);
    let function = enclosing_function(entries, id);
    let address = match entry.storage {
        Some(Storage::Static(address)) => Some(address),
        _ => None,
    };
    // A local variable without a fixed address is none of ours, and a copy in inlined code is no second one.
    if function.is_some() && !is_external && address.is_none() {
        return Ok(None);
    }
    let (file, line) = place(entries, id);
    Ok(Some(CGlobal {
        name: name.to_string(),
        address,
        ty: types.type_of(id)?,
        is_static: !is_external,
        is_const: types.is_const_variable(id),
        is_thread_local: entry.storage == Some(Storage::Thread),
        function: if is_external { None } else { function },
        unit: entries.units.get(entry.unit).cloned().flatten(),
        file,
        line,
    }))
}

/// The function a variable is declared in.
fn enclosing_function(entries: &Entries, id: EntryId) -> Option<String> {
    let mut above = entries.all[id].parent;
    while let Some(parent) = above {
        let tag = entries.all[parent].tag();
        if tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine {
            return Some(entries.name(parent).unwrap_or_default().to_string());
        }
        above = entries.all[parent].parent;
    }
    None
}
