//! Shows what a sequence has made of its memory, in the terms of the contracts: `Queue(x1) = [1, 2]`.
//!
//! A predicate of one pointer that a precondition takes is a view of every variable of that type: after a
//! call that is shown, the precondition is entered with the variable and left again, and what it bound is the
//! text. Memory that no predicate describes is shown as it is.

use super::names::NamedValue;
use super::targets::Target;
use crate::ctypes::{CType, CTypes, TypeId};
use crate::evaluate::{Evaluator, ValueText};
use crate::machine::{Machine, Range};
use crate::project::Project;
use crate::spec::checked::{ClauseKind, Expr, ExprKind, Parameter, ResourceKind, Slot};

/// Longer texts are not shown.
const MAX_LENGTH: usize = 120;
/// How many things are shown after a call.
const MAX_SHOWN: usize = 6;

/// A precondition through which variables of a type can be looked at.
#[derive(Debug)]
pub(super) struct View {
    /// The type of the pointer.
    pointer: TypeId,
    contract: usize,
    /// The parameter that is looked at.
    parameter: usize,
    /// The sizes of all parameters.
    sizes: Vec<usize>,
    /// What the value is bound to.
    bound: String,
    /// The predicate; nothing for plain memory.
    predicate: Option<String>,
    /// How many clauses have to hold.
    n_clauses: usize,
}

/// The views that contracts give, those that say most and ask least first.
pub(super) fn views<'t>(project: &Project, targets: impl Iterator<Item = &'t Target>) -> Vec<View> {
    let mut found: Vec<View> = targets.flat_map(|target| of_target(project, target)).collect();
    found.sort_by_key(|view| (view.predicate.is_none(), view.n_clauses));
    found
}

fn of_target(project: &Project, target: &Target) -> Vec<View> {
    let Some(k) = target.contract else { return Vec::new() };
    let contract = &project.specs.contracts[k];
    let parameter = |slot: Slot| contract.parameters.iter().position(|p: &Parameter| p.slot == slot);
    let named = |e: &Expr| match e.kind {
        ExprKind::Slot(slot) => parameter(slot),
        _ => None,
    };
    let view = |clause: &ClauseKind| {
        let ClauseKind::Take { name, resource, .. } = clause else { return None };
        let (parameter, predicate) = match &resource.kind {
            ResourceKind::Predicate { predicate, arguments } if arguments.len() == 1 => {
                let name = &project.specs.predicates[predicate.0 as usize].name;
                (named(&arguments[0])?, Some(name.clone()))
            }
            ResourceKind::Memory { pointer, is_initialised: true, .. } => (named(pointer)?, None),
            _ => return None,
        };
        Some(View {
            pointer: *target.parameters.get(parameter)?,
            contract: k,
            parameter,
            sizes: (0..target.parameters.len()).map(|k| target.prototype.place(k).len()).collect(),
            bound: name.clone(),
            predicate,
            n_clauses: contract.requires.len(),
        })
    };
    contract.requires.iter().filter_map(|clause| view(&clause.kind)).collect()
}

/// What variables lead to, each with its value. `name` gives names for addresses: what is too long with them is left out.
pub(super) fn look(
    project: &Project,
    machine: &Machine,
    evaluator: &mut Evaluator,
    views: &[View],
    named: &[NamedValue],
    name: &dyn Fn(u64) -> Option<String>,
) -> Vec<(String, ValueText)> {
    let types = &project.program.types;
    let mut shown: Vec<(String, ValueText)> = Vec::new();
    let mut seen: Vec<u64> = Vec::new();
    for n in named {
        let Some((address, pointee)) = pointer(machine, types, n) else { continue };
        if address == 0 || seen.contains(&address) || shown.len() >= MAX_SHOWN {
            continue;
        }
        seen.push(address);
        let mut fitting = views.iter().filter(|view| points_to(types, view.pointer, pointee)).peekable();
        let has_views = fitting.peek().is_some();
        let value = fitting
            .find_map(|view| through(machine, evaluator, view, address).map(|value| (view, value)))
            .map(|(view, value)| match &view.predicate {
                Some(predicate) => (format!("{predicate}({})", n.text), value),
                None => (format!("*{}", n.text), value),
            });
        let value = match value {
            None if !has_views => plain(machine, evaluator, types, pointee, address)
                .map(|value| (format!("*{}", n.text), value)),
            value => value,
        };
        shown.extend(value);
    }
    for k in accessed(project) {
        let global = &project.program.globals[k];
        let Some(address) = global.address.map(|offset| machine.address(offset)) else { continue };
        if let Some(value) = plain(machine, evaluator, types, global.ty, address) {
            shown.push((global.name.clone(), value));
        }
    }
    shown.retain(|(what, value)| what.len() + value.named(name).len() <= MAX_LENGTH);
    shown
}

/// The globals that contracts access.
fn accessed(project: &Project) -> Vec<usize> {
    let accesses = project.specs.contracts.iter().flat_map(|contract| &contract.accesses);
    let mut all: Vec<usize> =
        accesses.filter_map(|access| project.globals.get(access.global.0 as usize).copied()).collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(MAX_SHOWN);
    all
}

/// Where a variable points to, and what is there.
fn pointer(machine: &Machine, types: &CTypes, named: &NamedValue) -> Option<(u64, TypeId)> {
    if named.is_pointee {
        return Some((named.address, named.ty));
    }
    let CType::Pointer { to, .. } = types.get(named.ty) else { return None };
    let mut bytes = [0; 8];
    machine.read(named.address, &mut bytes).then(|| (u64::from_le_bytes(bytes), *to))
}

fn points_to(types: &CTypes, pointer: TypeId, pointee: TypeId) -> bool {
    matches!(types.get(pointer), CType::Pointer { to, .. } if *to == pointee)
}

/// Enters a precondition with the address, and gives what it bound.
fn through(machine: &Machine, evaluator: &mut Evaluator, view: &View, address: u64) -> Option<ValueText> {
    let mut bytes: Vec<Vec<u8>> = view.sizes.iter().map(|size| vec![0; *size]).collect();
    let argument = bytes.get_mut(view.parameter).filter(|bytes| bytes.len() == 8)?;
    argument.copy_from_slice(&address.to_le_bytes());
    let arguments: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    let entered = evaluator.enter(view.contract, &arguments, machine).ok()?;
    let values = evaluator.entry_values(&entered);
    evaluator.leave(entered);
    values.into_iter().rev().find(|(bound, _)| *bound == view.bound).map(|(_, value)| value)
}

/// Memory as it is.
fn plain(
    machine: &Machine,
    evaluator: &mut Evaluator,
    types: &CTypes,
    ty: TypeId,
    address: u64,
) -> Option<ValueText> {
    let size = types.size(ty).filter(|size| (1..=256).contains(size))?;
    let range = Range { address, size };
    // Padding need not be initialised, so only scalars are asked whether they are.
    let is_scalar = !matches!(types.get(ty), CType::Record(_) | CType::Array { .. });
    if !machine.is_live(range) || (is_scalar && !machine.is_initialised(range)) {
        return None;
    }
    let mut bytes = vec![0; size as usize];
    machine.read(address, &mut bytes).then(|| evaluator.show_bytes(ty, &bytes))
}
