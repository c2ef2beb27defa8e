//! Suggests what to do about a failure that may be the caller's fault: a contract to paste, or an option.
//!
//! A function without a contract is called with every value of its types, so users first need to know how to
//! say which values are meant. This module adds hints to a failure and never decides a verdict.

use super::{Calls, Sequence, absent, failures};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::finding::Hint;
use crate::machine::{Violation, What};
use crate::operations::log::{Call, Log};
use crate::operations::targets::Target;
use crate::operations::text;
use stairway::report::Failure;

impl Calls {
    /// Adds to a failure what the user may do about it.
    pub(super) fn advise(&self, op: usize, sequence: &Sequence, failure: &mut Failure) {
        let (target, _, wishes) = &self.targets[op];
        if let Some(doubted) = &sequence.doubted {
            failures::hint(failure, Hint::Doubtful(doubted.clone()));
        }
        let violation = self.judge.observed().violation.clone();
        let what = violation.as_ref().and_then(what_of);
        if target.contract.is_some() {
            if let Some(What::Global { name: Some(global) }) = what {
                let is_deeper = self.judge.observed().is_deeper;
                failures::hint(failure, self.accessing(target, global, is_deeper));
            }
            return;
        }
        if !self.is_blamed(op) {
            return;
        }
        let telling = violation.as_ref().map_or(Telling::Set, Telling::of);
        if let Some(clauses) = self.excluding(target, sequence, what, telling) {
            failures::hint(failure, Hint::Exclude { function: target.name.to_string(), step: None, clauses });
        }
        let is_set_up =
            |wish: &super::Wish| wish.fresh == super::FreshMemory::Zeroed && wish.object.is_some();
        let is_object = wishes.iter().any(is_set_up);
        failures::hint(failure, Hint::SetUp { is_object });
    }

    /// Adds to a failure by memory that nobody has set what the user may do about it.
    pub(super) fn advise_setting(&self, call: &Call, log: &Log, sequence: &Sequence, failure: &mut Failure) {
        let target = &self.targets[call.op].0;
        if let Some(doubted) = &sequence.doubted {
            failures::hint(failure, Hint::Doubtful(doubted.clone()));
        }
        if target.contract.is_some() {
            return;
        }
        let types = &self.project.program.types;
        let unset = self.unset_parameter(call, log).filter(|k| !target.names[*k].is_empty());
        if let Some(k) = unset
            && let CType::Pointer { to, .. } = types.get(target.parameters[k])
        {
            let (function, parameter) = (target.name.to_string(), target.names[k].to_string());
            failures::hint(failure, Hint::SetFirst { function, parameter, pointee: types.name(*to) });
        }
        failures::hint(failure, Hint::SetUp { is_object: false });
    }

    /// The beginning of a contract with which a function may use a variable.
    fn accessing(&self, target: &Target, global: &str, is_deeper: bool) -> Hint {
        if is_deeper {
            return Hint::Accesses { global: global.to_string(), user: None };
        }
        let project = &self.project;
        let contract = target.contract.map(|k| &project.specs.contracts[k]);
        let known = contract.into_iter().flat_map(|contract| &contract.accesses);
        let mut names: Vec<String> =
            known.map(|access| project.described.globals[access.global.0 as usize].name.clone()).collect();
        names.push(global.to_string());
        Hint::Accesses { global: global.to_string(), user: Some((target.name.to_string(), names)) }
    }

    /// A precondition that this call does not meet, if there is one that may have to do with what went wrong.
    fn excluding(
        &self,
        target: &Target,
        sequence: &Sequence,
        what: Option<&What>,
        telling: Telling,
    ) -> Option<String> {
        let types = &self.project.program.types;
        let argument = |k: usize| &sequence.buffer[target.prototype.place(k)];
        let pointer = |k: usize| match types.get(target.parameters[k]) {
            CType::Pointer { to, .. } => {
                Some((*to, u64::from_le_bytes(argument(k).try_into().unwrap_or_default())))
            }
            _ => None,
        };
        let named = |k: &usize| target.names.get(*k).is_some_and(|name| !name.is_empty());
        let parameters = || (0..target.parameters.len()).filter(named);
        match what {
            Some(What::Null) => {
                let null = parameters().find(|k| pointer(*k).is_some_and(|(_, address)| address == 0))?;
                return Some(format!("!is_null({});", target.names[null]));
            }
            // Before its beginning nothing is promised, however many elements there are.
            Some(What::RedZone { block, offset: offset @ 0.., .. }) => {
                let block = self.machine.block(*block)?;
                let is_it = |k: &usize| pointer(*k).is_some_and(|(_, address)| block.range.holds(address, 1));
                let k = parameters().find(is_it)?;
                let (to, _) = pointer(k)?;
                // An object that the code made itself is as large as it made it, whatever callers promise.
                let is_own = block.allocated_at.is_some() && matches!(types.get(to), CType::Record(_));
                let beside = [absent::length_of(types, target, k), k.checked_add(1), k.checked_sub(1)];
                let beside = beside.into_iter().flatten();
                let length = beside.filter(|n| *n < target.parameters.len()).filter(named).find_map(|n| {
                    let suffix = suffix(types, target.parameters[n])?;
                    Some((target.names[n], text::number(argument(n), suffix.starts_with('i'))))
                });
                if !is_own {
                    return Some(elements(types, target, k, to, *offset, length));
                }
            }
            _ => {}
        }
        let numbers = parameters().filter_map(|k| {
            let suffix = suffix(types, target.parameters[k])?;
            let value = text::number(argument(k), suffix.starts_with('i'));
            telling.admits(value).then_some((target.names[k], value, suffix))
        });
        let (name, value, suffix) = numbers.max_by_key(|(_, value, _)| value.unsigned_abs())?;
        Some(match value {
            0 => format!("{name} != 0{suffix};"),
            1.. => format!("{name} < {value}{suffix};"),
            _ => format!("{name} > {value}{suffix};"),
        })
    }
}

/// Which numbers among the arguments may have to do with what went wrong. What has nothing to do with it was
/// made 0.
#[derive(Clone, Copy)]
enum Telling {
    /// Any.
    Any,
    /// Those that are not 0.
    Set,
    /// Those that are large enough for a loop to take long.
    Large,
}

impl Telling {
    const LARGE: u128 = 64;

    const fn of(violation: &Violation) -> Telling {
        match violation {
            Violation::OutOfFuel { .. } | Violation::Timeout { .. } => Telling::Large,
            Violation::Signal { .. } | Violation::Abort { .. } | Violation::Assert { .. } => Telling::Any,
            _ => Telling::Set,
        }
    }

    const fn admits(self, value: i128) -> bool {
        match self {
            Telling::Any => true,
            Telling::Set => value != 0,
            Telling::Large => value.unsigned_abs() >= Telling::LARGE,
        }
    }
}

/// The memory that a violation is about.
fn what_of(violation: &Violation) -> Option<&What> {
    match violation {
        Violation::Access { what, .. } | Violation::Signal { what, .. } => Some(what),
        _ => None,
    }
}

/// That a pointer leads to as many elements as another parameter says, or as this call has touched.
fn elements(
    types: &CTypes,
    target: &Target,
    k: usize,
    to: TypeId,
    offset: i64,
    length: Option<(&str, i128)>,
) -> String {
    let (of, size) = match types.get(to) {
        CType::Void => ("char".to_string(), 1),
        _ => (types.name(to), types.size(to).unwrap_or(1).max(1)),
    };
    let touched = u64::try_from(offset).unwrap_or(0) / size;
    let most = match length {
        // It is an index rather than a length.
        Some((name, value)) if value == i128::from(touched) => format!("(u64) {name} + 1u64"),
        Some((name, _)) => format!("(u64) {name}"),
        None => format!("{}u64", touched + 1),
    };
    let name = target.names[k];
    let index = ["i", "j", "k"].into_iter().find(|index| !target.names.contains(index)).unwrap_or("index");
    format!(
        "take Elements = each (u64 {index}; {index} < {most}) {{ RW<{of}>(array_shift<{of}>({name}, {index})) }};"
    )
}

/// What stands behind a number of this type in a contract.
fn suffix(types: &CTypes, ty: TypeId) -> Option<String> {
    match types.get(ty) {
        CType::Integer { size, is_signed, .. } if *size <= 8 => {
            Some(format!("{}{}", if *is_signed { "i" } else { "u" }, size * 8))
        }
        CType::Char => Some("u8".to_string()),
        _ => None,
    }
}
