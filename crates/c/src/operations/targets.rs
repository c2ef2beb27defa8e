//! What can be called, and where its arguments can come from.
//!
//! [`Target`]s are functions with everything that drawing their arguments needs. For each pair of types, this
//! module also knows the paths from a variable of one to a value of the other. Nothing is drawn or run here.

use super::aliases;
use super::candidates::Candidates;
use crate::ctypes::{CType, CTypes, TypeId};
use crate::dwarf::CFunction;
use crate::machine::{Machine, Prototype, UnsupportedType};
use crate::project::Project;
use crate::source::FunctionSource;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A function that sequences call.
#[derive(Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Where it is in the object.
    pub address: u64,
    /// How it is called.
    pub prototype: Rc<Prototype>,
    /// The types of its parameters.
    pub parameters: Vec<TypeId>,
    /// Their names.
    pub names: Vec<&'static str>,
    /// The typedefs that they are declared with.
    pub aliases: Vec<Option<String>>,
    /// The type of its result.
    pub returns: TypeId,
    /// The typedef that it is declared with.
    pub result_alias: Option<String>,
    /// Its contract: a place in the specs.
    pub contract: Option<usize>,
    /// What is worth passing to it.
    pub worth: Candidates,
    /// How many elements each parameter points to, where its declaration says so.
    pub extents: Vec<Option<u64>>,
    /// Where it is defined.
    pub line: u32,
    /// What its body uses as arrays.
    pub indexed: BTreeSet<String>,
    /// The structs of which other functions that are called give pointers or values.
    pub given: BTreeSet<TypeId>,
    /// The typedefs of which other functions that are called give values.
    pub given_aliases: BTreeSet<String>,
    /// Whether it seems to end the life of what it is given.
    pub is_ending: bool,
}

/// Why a function of the file is not called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncalledFunction {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

/// Which functions to call.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Selection {
    /// Only these, if there are any.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
    /// Also static functions without a contract, where others can be called.
    pub inner: bool,
    /// Functions that make what others are passed: called in any case, and not to blame for what they do.
    pub makers: Vec<String>,
}

/// The functions that can be called, and those that cannot. `setup` begins every sequence, and sets up what
/// it is passed.
#[must_use]
pub(super) fn targets(
    project: &Project,
    selection: &Selection,
    setup: Option<&str>,
) -> (Vec<Target>, Vec<UncalledFunction>) {
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    for source in &project.sources.functions {
        let path = &project.sources.file(source.file).path;
        let Some(function) = project.program.find(&source.name, path, source.line) else { continue };
        let is_named = selection.only.contains(&source.name) || selection.makers.contains(&source.name);
        let is_wanted = (selection.only.is_empty() || is_named) && !selection.skip.contains(&source.name);
        if !is_wanted || found.iter().any(|t: &Target| Some(t.address) == function.address) {
            continue;
        }
        if is_inner(project, function) && !is_named && !selection.inner {
            let why = "it is static and has no contract: its callers know what it needs (--all calls it)";
            refused.push(UncalledFunction { name: source.name.clone(), why: why.to_string() });
            continue;
        }
        match target(project, function, source) {
            Ok(target) => found.push(target),
            Err(why) => refused.push(UncalledFunction { name: source.name.clone(), why }),
        }
    }
    refused.extend(unread(project));
    find_given(&project.program.types, &mut found);
    find_set_up(&project.program.types, &mut found, setup);
    aliases::find_given(&mut found);
    (found, refused)
}

/// The functions that the compiler knows and the reader of sources does not: those of old C, which say
/// nothing of what they return.
fn unread(project: &Project) -> Vec<UncalledFunction> {
    let sources = &project.sources;
    let is_users = |function: &&CFunction| {
        let file = function.file.as_deref();
        let is_it = |path: &std::path::Path| {
            file.is_some_and(|file| file.ends_with(path.strip_prefix(".").unwrap_or(path)))
        };
        function.is_defined && sources.files.iter().any(|file| is_it(&file.path))
    };
    let is_read =
        |function: &CFunction| sources.functions.iter().any(|source| source.name == function.source_name());
    let users = project.program.functions.iter().filter(is_users).filter(|function| !is_read(function));
    let why = |name: &str| format!("it does not say what it returns; declare it: `int {name}(…)`");
    users.map(|f| UncalledFunction { name: f.source_name().to_string(), why: why(f.source_name()) }).collect()
}

/// Finds out which structs each function can be given by others. A function that needs one to give one is no
/// source of it, nor is one that needs what nobody gives.
fn find_given(types: &CTypes, targets: &mut [Target]) {
    let pointee = |ty: TypeId| match types.get(ty) {
        CType::Pointer { to, .. } => *to,
        _ => ty,
    };
    let is_object = |ty: &TypeId| matches!(types.get(*ty), CType::Record(_));
    let gives = |target: &Target| Some(pointee(target.returns)).filter(is_object);
    // Structs that some function wants by address, and a source of them is known to give in the end.
    let mut available: BTreeSet<TypeId> = BTreeSet::new();
    let wanted_by = |target: &Target| -> Vec<TypeId> {
        let pointers = target.parameters.iter().filter(|ty| matches!(types.get(**ty), CType::Pointer { .. }));
        pointers.map(|ty| pointee(*ty)).filter(is_object).collect()
    };
    let is_made_otherwise =
        |object: &TypeId, targets: &[Target]| !targets.iter().any(|target| gives(target) == Some(*object));
    loop {
        let is_callable = |target: &Target| {
            let wanted = wanted_by(target);
            target.contract.is_some()
                || wanted
                    .iter()
                    .all(|object| available.contains(object) || is_made_otherwise(object, targets))
        };
        let new: Vec<TypeId> = targets
            .iter()
            .filter_map(|target| {
                gives(target).filter(|object| !available.contains(object) && is_callable(target))
            })
            .collect();
        if new.is_empty() {
            break;
        }
        available.extend(new);
    }
    let givers: Vec<(TypeId, &'static str)> =
        targets.iter().filter_map(|target| Some((gives(target)?, target.name))).collect();
    for target in targets {
        let is_other =
            |(object, name): &&(TypeId, &'static str)| *name != target.name && available.contains(object);
        target.given = givers.iter().filter(is_other).map(|(object, _)| *object).collect();
    }
}

/// The functions that pointers may point to, with their types and addresses in the object. Those that call
/// functions they were given are left out where others will do: handed to each other they call without end.
pub(super) fn pointed_to(project: &Project, is_hostile: bool) -> Vec<(TypeId, &'static str, u64)> {
    let mut found: Vec<(TypeId, &'static str, u64)> = Vec::new();
    let mut last = Vec::new();
    for function in &project.program.functions {
        let Some(address) = function.address else { continue };
        let is_it = |source: &&FunctionSource| source.name == function.name && source.line == function.line;
        let source = project.sources.functions.iter().find(is_it);
        let is_last = !is_hostile && source.is_some_and(|source| source.calls_pointers);
        let list = if is_last { &mut last } else { &mut found };
        list.push((function.ty, &*function.name.clone().leak(), address));
    }
    let is_needed = |one: &(TypeId, &'static str, u64)| !found.iter().any(|(ty, ..)| *ty == one.0);
    let needed: Vec<_> = last.into_iter().filter(is_needed).collect();
    found.extend(needed);
    found
}

/// The C library's functions for pointers to functions that allocate, by the types of those: who calls one
/// expects as much memory as it asked for, so none can be made up.
pub(super) fn allocators(project: &Project, machine: &Machine) -> Vec<(TypeId, &'static str, u64)> {
    let types = &project.program.types;
    let is_void = |ty: TypeId| {
        let CType::Pointer { to, .. } = types.get(ty) else { return false };
        matches!(types.get(*to), CType::Void)
    };
    let is_size = |ty: TypeId| matches!(types.get(ty), CType::Integer { size: 8, is_signed: false, .. });
    let allocator = |ty: TypeId| {
        let CType::Function(signature) = types.get(ty) else { return None };
        let name = match signature.parameters[..] {
            _ if !is_void(signature.returns) => return None,
            [n] if is_size(n) => "malloc",
            [n, size] if is_size(n) && is_size(size) => "calloc",
            // What is passed before a size may as well be something of the allocator's own.
            [old, size] if is_void(old) && is_size(size) && is_called(project, ty, "realloc") => "realloc",
            _ => return None,
        };
        let symbol = machine.symbol(&format!("__wrap_{name}"))?;
        Some((ty, name, symbol.address))
    };
    types.ids().filter_map(allocator).collect()
}

/// Whether a parameter or a member that points to a function of this type has a word in its name.
fn is_called(project: &Project, function: TypeId, word: &str) -> bool {
    let types = &project.program.types;
    let is_meant = |name: &str, ty: TypeId| {
        let points_there = matches!(types.get(ty), CType::Pointer { to, .. } if *to == function);
        points_there && name.to_ascii_lowercase().contains(word)
    };
    let is_parameter = |known: &CFunction| {
        let mut parameters = known.parameters.iter().zip(&known.signature.parameters);
        parameters.any(|(name, ty)| is_meant(name, *ty))
    };
    let is_member = |ty: TypeId| {
        let CType::Record(id) = types.get(ty) else { return false };
        types.record(*id).members.iter().any(|member| is_meant(&member.name, member.ty))
    };
    project.program.functions.iter().any(is_parameter) || types.ids().any(is_member)
}

/// Whether a function is meant for its own file only, and says nothing of what it needs.
fn is_inner(project: &Project, function: &CFunction) -> bool {
    let has_contract = |f: &CFunction| project.specs.contract_of.contains_key(&f.name);
    let is_outer = |f: &CFunction| f.is_defined && f.name != "main" && (!f.is_static || has_contract(f));
    function.is_static && !has_contract(function) && project.program.functions.iter().any(is_outer)
}

fn target(project: &Project, function: &CFunction, source: &FunctionSource) -> Result<Target, String> {
    if function.name == "main" {
        return Err("`main` is never called".to_string());
    }
    if function.is_noreturn {
        return Err("it never returns".to_string());
    }
    if function.signature.is_variadic && function.is_prototyped {
        return Err("it takes a variable number of arguments".to_string());
    }
    if function.signature.parameters.iter().any(|ty| is_va_list(&project.program.types, *ty)) {
        return Err("it takes a `va_list`: call it through a function with `...`".to_string());
    }
    let address = function.address.ok_or("the compiler left no code of it")?;
    let prototype = Prototype::new(&project.program.types, &function.signature)
        .map_err(|unsupported: UnsupportedType| unsupported.to_string())?;
    let contract = project.specs.contract_of.get(&function.name).copied();
    let contract = contract.filter(|k| {
        let contract = &project.specs.contracts[*k];
        contract.not_run.is_none() && !contract.is_empty()
    });
    Ok(Target {
        name: function.name.clone().leak(),
        address,
        prototype: Rc::new(prototype),
        parameters: function.signature.parameters.clone(),
        names: function.parameters.iter().map(|name| &*name.clone().leak()).collect(),
        aliases: function.parameter_aliases.clone(),
        returns: function.signature.returns,
        result_alias: function.result_alias.clone(),
        contract,
        worth: Candidates::of(project, source),
        extents: source.extents.clone(),
        line: function.line,
        indexed: source.indexed.clone(),
        given: BTreeSet::new(),
        given_aliases: BTreeSet::new(),
        is_ending: is_ending(&project.program.types, function),
    })
}

/// Structs that a function of the program sets up are not passed to others as zeros: they come from there.
fn find_set_up(types: &CTypes, targets: &mut [Target], setup: Option<&str>) {
    let set_up = |target: &Target| {
        let is_it = setup == Some(target.name) || (target.contract.is_none() && is_setup(target));
        match types.get(*target.parameters.first().filter(|_| is_it)?) {
            CType::Pointer { to, is_const: false, .. } if matches!(types.get(*to), CType::Record(_)) => {
                Some(*to)
            }
            _ => None,
        }
    };
    let all: BTreeSet<TypeId> = targets.iter().filter_map(set_up).collect();
    for target in targets {
        let own = set_up(target);
        target.given.extend(all.iter().filter(|object| own != Some(**object)));
    }
}

/// Whether a function seems to begin the life of the object that it is passed, by its name.
fn is_setup(target: &Target) -> bool {
    const WORDS: [&str; 6] = ["init", "initialise", "initialize", "setup", "construct", "ctor"];
    words(target.name).any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The words of a name: `ring_init`, `ringInit` and `Ring2Init` have `init` or `Init` among them.
pub(super) fn words(name: &str) -> impl Iterator<Item = &str> {
    // A capital after a small letter begins a word.
    let is_edge = |(before, at): (&u8, &u8)| before.is_ascii_lowercase() && at.is_ascii_uppercase();
    name.split(|c: char| c == '_' || c.is_ascii_digit()).flat_map(move |part| {
        let bytes = part.as_bytes();
        let edges = bytes.iter().zip(bytes.iter().skip(1)).enumerate();
        let edges = edges.filter(move |(_, pair)| is_edge(*pair)).map(|(k, _)| k + 1);
        let mut start = 0;
        edges.chain([part.len()]).map(move |end| &part[std::mem::replace(&mut start, end)..end])
    })
}

/// Whether a type is what `va_list` is behind its name.
fn is_va_list(types: &CTypes, ty: TypeId) -> bool {
    let is_tag =
        |ty: TypeId| matches!(types.get(ty), CType::Record(id) if types.record(*id).name == "__va_list_tag");
    match types.get(ty) {
        CType::Pointer { to, .. } => is_tag(*to),
        CType::Array { of, .. } => is_tag(*of),
        _ => is_tag(ty),
    }
}

/// Whether a function seems to end the life of the one object that it is given, by its name and type.
fn is_ending(types: &CTypes, function: &CFunction) -> bool {
    const WORDS: [&str; 9] =
        ["free", "destroy", "delete", "close", "release", "dispose", "deinit", "fini", "unref"];
    let name = function.name.to_ascii_lowercase();
    let is_object = |ty: &TypeId| matches!(types.get(*ty), CType::Pointer { .. });
    function.signature.parameters.len() == 1
        && function.signature.parameters.iter().all(is_object)
        && matches!(types.get(function.signature.returns), CType::Void | CType::Integer { .. })
        && WORDS.iter().any(|word| name.contains(word))
}

/// A way from a variable to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// Follow the pointer in the variable first.
    pub(super) is_through: bool,
    /// Then go so many bytes on.
    pub(super) offset: u64,
    /// Take the address rather than what is there.
    pub(super) is_address: bool,
    /// As C writes it, with `@` for the variable.
    pub(super) text: String,
}

impl Way {
    /// Whether it is the variable itself.
    pub(super) fn is_itself(&self) -> bool {
        !self.is_through && !self.is_address && self.text == "@"
    }
}

/// All ways from variables of one type to values of another.
#[derive(Debug)]
pub(super) struct Ways {
    /// The variable itself.
    itself: Rc<[Way]>,
    known: BTreeMap<(TypeId, TypeId), Rc<[Way]>>,
    outer: BTreeMap<(TypeId, TypeId), Rc<[Way]>>,
}

impl Default for Ways {
    fn default() -> Ways {
        let itself = Way { is_through: false, offset: 0, is_address: false, text: "@".to_string() };
        Ways { itself: Rc::new([itself]), known: BTreeMap::new(), outer: BTreeMap::new() }
    }
}

impl Ways {
    /// The ways from a variable of type `from` to a value of type `to`, the shortest first.
    pub(super) fn between(&mut self, types: &CTypes, from: TypeId, to: TypeId) -> Rc<[Way]> {
        self.known.entry((from, to)).or_insert_with(|| find(types, from, to).into()).clone()
    }

    /// Those ways that do not lead into an object.
    pub(super) fn outer(&mut self, types: &CTypes, from: TypeId, to: TypeId) -> Rc<[Way]> {
        let found = || find(types, from, to).into_iter().filter(|way| !way.is_through).collect();
        self.outer.entry((from, to)).or_insert_with(found).clone()
    }

    /// The way that is the variable itself, if its type suits.
    pub(super) fn direct(&self, types: &CTypes, from: TypeId, to: TypeId) -> Option<Rc<[Way]>> {
        is_same(types, from, to).then(|| self.itself.clone())
    }
}

fn find(types: &CTypes, from: TypeId, to: TypeId) -> Vec<Way> {
    let mut ways = Vec::new();
    let way = |is_through, offset, is_address, text: String| Way { is_through, offset, is_address, text };
    if is_same(types, from, to) {
        ways.push(way(false, 0, false, "@".to_string()));
    }
    let points_to = |ty: TypeId| match types.get(to) {
        CType::Pointer { to, .. } => is_same(types, *to, ty),
        _ => false,
    };
    if points_to(from) {
        ways.push(way(false, 0, true, "&@".to_string()));
    }
    let mut members = |record: TypeId, is_through: bool, sign: &str| {
        let CType::Record(id) = types.get(record) else { return };
        for member in types.record(*id).members.iter().filter(|m| m.bits.is_none() && !m.name.is_empty()) {
            let place = format!("@{sign}{}", member.name);
            if is_same(types, member.ty, to) {
                ways.push(way(is_through, member.offset, false, place.clone()));
            }
            if points_to(member.ty) {
                ways.push(way(is_through, member.offset, true, format!("&{place}")));
            }
        }
    };
    members(from, false, ".");
    if let CType::Pointer { to: pointee, .. } = types.get(from) {
        members(*pointee, true, "->");
    }
    ways
}

/// Whether values of the two types can stand for each other: pointers may gain a `const`.
#[must_use]
fn is_same(types: &CTypes, one: TypeId, other: TypeId) -> bool {
    if one == other {
        return true;
    }
    match (types.get(one), types.get(other)) {
        (CType::Pointer { to: one, .. }, CType::Pointer { to: other, .. }) => {
            is_same(types, *one, *other) || matches!(types.get(*other), CType::Void)
        }
        (one, other) => one == other && !matches!(one, CType::Record(_)),
    }
}
