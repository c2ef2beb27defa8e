//! Guesses what arguments should be like where no contract says so.
//!
//! Derives [`ParameterHints`] for each parameter of a function without a contract, from the parameter's type,
//! its name and how the body uses it. Pointers lead to live objects of the right type, a length fits what it
//! counts, and objects that a function of the file makes come from that function.

use super::Settings;
use super::aliases;
use super::make::{FreshMemory, MAX_TEXT, MAX_WRITTEN, ParameterHints};
use super::targets::{Target, words};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::project::Project;

/// What is known of each parameter.
pub(super) fn wishes(project: &Project, target: &Target, settings: &Settings) -> Vec<ParameterHints> {
    let types = &project.program.types;
    let (may_be_null, may_be_stale) = (settings.is_hostile, settings.is_hostile);
    let unknown = ParameterHints { may_be_null, may_be_stale, ..ParameterHints::unknown() };
    let wish = |k: usize| {
        let is_length = is_length(types, target, k);
        let is_announced = !is_length && announces(types, target, k);
        let is_counted = length_of(types, target, k).is_some()
            || k.checked_sub(1).is_some_and(|k| announces(types, target, k))
            || is_end(types, target, k + 1);
        let is_end = is_end(types, target, k);
        let is_twin = k.checked_sub(1).is_some_and(|before| {
            are_twins(types, target, before) && length_of(types, target, before).is_some()
        });
        let is_many = is_counted && is_object(types, target, k);
        let n_elements = target.extents.get(k).copied().flatten();
        let is_unsized = n_elements.is_none() && !is_counted && !is_end;
        let is_const = matches!(types.get(target.parameters[k]), CType::Pointer { is_const: true, .. });
        let fresh = fresh(target, types, k, is_many);
        let is_apart = !settings.is_hostile;
        ParameterHints {
            fresh,
            is_length,
            may_be_longer: is_length && may_be_longer(types, target, k),
            is_announced,
            is_twin,
            is_end,
            is_many,
            n_elements,
            is_unsized,
            is_const,
            is_apart,
            ..unknown.clone()
        }
    };
    let mut wishes: Vec<ParameterHints> = (0..target.parameters.len()).map(wish).collect();
    limit_texts(types, target, &mut wishes);
    wishes
}

/// Where a text is written of which nobody says how much room there is, the other texts are short enough for
/// what is made for it.
fn limit_texts(types: &CTypes, target: &Target, wishes: &mut [ParameterHints]) {
    let is_bytes = |ty: TypeId| match types.get(ty) {
        CType::Pointer { to, .. } => types.size(*to) == Some(1) || matches!(types.get(*to), CType::Void),
        _ => false,
    };
    let texts: Vec<usize> = (0..wishes.len()).filter(|k| is_bytes(target.parameters[*k])).collect();
    let is_written = |k: &usize| wishes[*k].is_unsized && !wishes[*k].is_const;
    let longest = if texts.len() > 1 && texts.iter().any(is_written) { MAX_WRITTEN } else { MAX_TEXT };
    texts.into_iter().for_each(|k| wishes[k].longest = longest);
}

/// What may be made for a pointer of a function without a contract: objects that functions of the program
/// give come from them, others are all zeros, numbers, text and arrays of plain structs are anything.
fn fresh(target: &Target, types: &CTypes, k: usize, is_many: bool) -> FreshMemory {
    let CType::Pointer { to, .. } = types.get(target.parameters[k]) else { return FreshMemory::Filled };
    if !matches!(types.get(*to), CType::Record(_)) {
        return if aliases::comes_from_others(target, k) { FreshMemory::No } else { FreshMemory::Filled };
    }
    match is_many {
        true if is_plain(types, *to) => FreshMemory::Filled,
        _ if target.given.contains(to) => FreshMemory::No,
        _ => FreshMemory::Zeroed,
    }
}

/// Whether values of a type hold no pointer.
fn is_plain(types: &CTypes, ty: TypeId) -> bool {
    match types.get(ty) {
        CType::Bool | CType::Char | CType::Integer { .. } | CType::Enum(_) | CType::Float { .. } => true,
        CType::Array { of, .. } => is_plain(types, *of),
        CType::Record(id) => types.record(*id).members.iter().all(|member| is_plain(types, member.ty)),
        _ => false,
    }
}

/// The number that counts the elements that a pointer points to: the parameter behind it, or behind the other
/// arrays of its kind that follow it: `(const double *xs, const double *ys, size_t n)`.
pub(super) fn length_of(types: &CTypes, target: &Target, k: usize) -> Option<usize> {
    let last = (k..target.parameters.len()).find(|last| !are_twins(types, target, *last))?;
    is_length_of(types, target, last + 1).then_some(last + 1)
}

/// Whether a pointer says where what the one before it points to ends: `(const char *begin, const char *end)`.
fn is_end(types: &CTypes, target: &Target, k: usize) -> bool {
    const WORDS: [&str; 4] = ["end", "limit", "stop", "finish"];
    let element = |k: usize| match types.get(*target.parameters.get(k)?) {
        CType::Pointer { to, .. } if types.size(*to).is_some() => Some(*to),
        _ => None,
    };
    let is_called_so = |k: usize| {
        let name = target.names.get(k).copied().unwrap_or("");
        words(name).any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
    };
    let Some(before) = k.checked_sub(1) else { return false };
    element(k).is_some() && element(before) == element(k) && is_called_so(k) && !is_called_so(before)
}

/// Whether a pointer and the one after it lead to numbers of one type. Texts end by themselves.
fn are_twins(types: &CTypes, target: &Target, k: usize) -> bool {
    let element = |k: usize| match types.get(*target.parameters.get(k)?) {
        CType::Pointer { to, .. } => Some(*to),
        _ => None,
    };
    let is_number = |to: TypeId| {
        let is_text = types.size(to) == Some(1);
        matches!(types.get(to), CType::Integer { .. } | CType::Float { .. } | CType::Enum(_)) && !is_text
    };
    let (one, other) = (element(k), element(k + 1));
    one.is_some_and(is_number) && one == other
}

/// Whether there is a parameter number `k`, and it counts the elements of the one before it.
fn is_length_of(types: &CTypes, target: &Target, k: usize) -> bool {
    k < target.parameters.len() && is_length(types, target, k)
}

/// Whether a number says how many elements the pointer before it points to: by its type, or by its name.
fn is_length(types: &CTypes, target: &Target, k: usize) -> bool {
    let Some(before) = k.checked_sub(1) else { return false };
    let CType::Pointer { to, .. } = types.get(target.parameters[before]) else { return false };
    let is_size = matches!(types.get(target.parameters[k]), CType::Integer { size: 8, is_signed: false, .. });
    let is_number = matches!(types.get(target.parameters[k]), CType::Integer { .. });
    match types.get(*to) {
        CType::Function(_) => false,
        // One struct with a number behind it is the usual case; an array of them is used as one.
        CType::Record(_) => is_number && is_called_a_length(target, k) && is_array(target, before),
        _ => is_size || (is_number && is_called_a_length(target, k)),
    }
}

/// Whether a number that comes right after a text is called something else than a length: a width, a limit or
/// a position may be beyond the text's end.
fn may_be_longer(types: &CTypes, target: &Target, k: usize) -> bool {
    let before = k.checked_sub(1).map(|before| types.get(target.parameters[before]));
    let is_text = matches!(before, Some(CType::Pointer { to, is_const: true }) if matches!(types.get(*to), CType::Char));
    let is_named = target.names.get(k).is_some_and(|name| !name.is_empty());
    is_text && is_named && !is_called_a_length(target, k)
}

/// Whether a number says how many elements the pointer after it points to.
fn announces(types: &CTypes, target: &Target, k: usize) -> bool {
    let Some(after) = target.parameters.get(k + 1) else { return false };
    let CType::Pointer { to, .. } = types.get(*after) else { return false };
    let is_number = matches!(types.get(target.parameters[k]), CType::Integer { .. });
    let is_sized = types.size(*to).is_some() && !matches!(types.get(*to), CType::Function(_) | CType::Char);
    let has_own = target.extents.get(k + 1).copied().flatten().is_some();
    is_number
        && is_sized
        && !has_own
        && is_called_a_length(target, k)
        && is_array(target, k + 1)
        && !is_length(types, target, k)
        && !is_length_of(types, target, k + 2)
}

fn is_object(types: &CTypes, target: &Target, k: usize) -> bool {
    match types.get(target.parameters[k]) {
        CType::Pointer { to, .. } => matches!(types.get(*to), CType::Record(_)),
        _ => false,
    }
}

/// Whether the body uses a parameter as an array.
fn is_array(target: &Target, k: usize) -> bool {
    target.names.get(k).is_some_and(|name| target.indexed.contains(*name))
}

fn is_called_a_length(target: &Target, k: usize) -> bool {
    const WORDS: [&str; 12] = [
        "n", "len", "length", "size", "count", "num", "cnt", "nbytes", "capacity", "nmemb", "nelem", "nelems",
    ];
    const ENDS: [&str; 4] = ["len", "length", "size", "count"];
    let name = target.names.get(k).copied().unwrap_or("").to_ascii_lowercase();
    name.split('_').any(|part| WORDS.contains(&part)) || ENDS.iter().any(|end| name.ends_with(end))
}
