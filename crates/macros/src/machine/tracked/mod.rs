//! Fields that are part of a handle's type: `#[tracked(0..=2)] retries: u8` as a const parameter, `#[tracked]
//! n: u32` as a number in the style of Peano.
//!
//! A bounded field has one type for each value, and `next` itself computes where an operation leads: each
//! type has a code, and the code of the next state is a constant. For a counter, the text of the arm
//! determines what follows (`n`, `n + 1`, a number); anything else is an error.
//!
//! This file reads and checks the attributes; `counter` writes the types of counters, `bounds` those of
//! bounded fields with their operations.

mod bounds;
mod counter;

use super::arms::Arm;
use super::{Machine, Op, State};
use crate::attributes::Problems;
pub(super) use bounds::{markers, method, types};
pub(super) use counter::{arguments, start_arguments};
use proc_macro2::Ident;
use quote::format_ident;
use syn::visit::Visit;
use syn::{Error, Expr, ExprRange, Fields, Member, Meta, Pat, RangeLimits, Result, Type};

/// A field that is part of the type.
pub(super) struct Tracked {
    field: usize,
    name: Ident,
    pub(super) parameter: Ident,
    /// Its type, its least and its largest value; nothing of a counter, which has no bound.
    pub(super) bounds: Option<(Type, i128, i128)>,
}

impl State {
    /// The fields that are part of its type as numbers in the style of Peano.
    pub(super) fn counters(&self) -> impl Iterator<Item = &Tracked> {
        self.tracked.iter().filter(|tracked| tracked.bounds.is_none())
    }

    /// The fields with bounds, and these.
    fn bounded(&self) -> impl Iterator<Item = (&Tracked, i128, i128)> {
        self.tracked.iter().filter_map(|tracked| {
            let (_, lo, hi) = tracked.bounds.as_ref()?;
            Some((tracked, *lo, *hi))
        })
    }
}

/// How many types one state may be.
const MAX_TYPES: i128 = 64;

pub(super) fn read(fields: &Fields) -> Result<Vec<Tracked>> {
    let mut found = Vec::new();
    for (k, field) in fields.iter().enumerate() {
        let Some(attribute) = field.attrs.iter().find(|a| a.path().is_ident("tracked")) else { continue };
        let Some(name) = &field.ident else {
            return Err(Error::new_spanned(
                field,
                "a tracked field needs a name: it becomes a parameter of the type",
            ));
        };
        let parameter = format_ident!("{}", name.to_string().to_uppercase());
        let bounds = match &attribute.meta {
            Meta::Path(_) => None,
            _ => {
                let (lo, hi) = bounds(attribute.parse_args::<ExprRange>()?)?;
                Some((field.ty.clone(), lo, hi))
            }
        };
        found.push(Tracked { field: k, name: name.clone(), parameter, bounds });
    }
    Ok(found)
}

fn bounds(range: ExprRange) -> Result<(i128, i128)> {
    let number = |expr: &Option<Box<Expr>>| counter::number(expr.as_deref()?);
    let wrong = || {
        Error::new_spanned(
            &range,
            "write the values that are tracked as a range of numbers: `#[tracked(0..=2)]`",
        )
    };
    let (lo, hi) = (number(&range.start).ok_or_else(wrong)?, number(&range.end).ok_or_else(wrong)?);
    let hi = if matches!(range.limits, RangeLimits::HalfOpen(_)) { hi - 1 } else { hi };
    if lo > hi {
        return Err(wrong());
    }
    Ok((lo, hi))
}

fn n_types(state: &State) -> i128 {
    state.bounded().map(|(_, lo, hi)| hi - lo + 1).product()
}

fn has_bounded(state: &State) -> bool {
    state.bounded().next().is_some()
}

fn is_any_bounded(machine: &Machine) -> bool {
    machine.states.iter().any(has_bounded)
}

/// Whether the types of an operation have to be computed by `next`.
pub(super) fn concerns(machine: &Machine, state: &State, op: &Op) -> bool {
    let leads_there = |arm: &Arm| arm.targets.iter().any(|target| has_bounded(machine.state(&target.state)));
    has_bounded(state) || machine.arms_of(&state.name, &op.name).any(leads_there)
}

pub(super) fn diagnose(machine: &Machine, problems: &mut Problems) {
    for state in &machine.states {
        let counters = state.counters().count();
        if counters > 1 || counters == 1 && is_any_bounded(machine) {
            problems.at(&state.name, "a machine tracks one counter without a bound, or fields with bounds");
        }
        if n_types(state) > MAX_TYPES {
            problems.at(
                &state.name,
                format!("this state would be more than {MAX_TYPES} types: track a smaller range"),
            );
        }
    }
    for arm in &machine.arms {
        for target in &arm.targets {
            if let Err(problem) = counter::try_arguments(machine, arm, target) {
                problems.add(problem);
            }
        }
        let state = machine.state(&arm.state);
        if concerns(machine, state, machine.op(&arm.op)) {
            diagnose_bounded(machine, state, arm, problems);
        }
    }
}

/// Where types are computed, they may depend on tracked fields and on the result only.
fn diagnose_bounded(machine: &Machine, state: &State, arm: &Arm, problems: &mut Problems) {
    let known: Vec<String> = bound_to_tracked(state, arm);
    let check = |expr: &Expr, problems: &mut Problems| {
        let mut names = Names::default();
        names.visit_expr(expr);
        if let Some(unknown) = names.0.iter().find(|name| !known.contains(&name.to_string())) {
            let message = format!(
                "`{unknown}` is not part of the type of `{}`: what is computed for types may use tracked fields and \
                 numbers only",
                arm.state
            );
            problems.at(unknown, message);
        }
    };
    arm.guards.iter().for_each(|guard| check(guard, problems));
    for target in &arm.targets {
        let (Some(made), to) = (&target.made, machine.state(&target.state)) else { continue };
        for (Tracked { name, .. }, ..) in to.bounded() {
            counter::field_of(made, name).into_iter().for_each(|given| check(given, problems));
        }
    }
}

/// The names that a pattern binds to tracked fields.
fn bound_to_tracked(state: &State, arm: &Arm) -> Vec<String> {
    state.tracked.iter().filter_map(|tracked| binding_of(&arm.state_pattern, &tracked.name)).collect()
}

/// What a field is called after a pattern.
fn binding_of(pattern: &Pat, field: &Ident) -> Option<String> {
    let Pat::Struct(pattern) = pattern else { return None };
    let is_it = |given: &&syn::FieldPat| matches!(&given.member, Member::Named(member) if member == field);
    match &*pattern.fields.iter().find(is_it)?.pat {
        Pat::Ident(name) => Some(name.ident.to_string()),
        _ => None,
    }
}

/// Variables in an expression: names in lower case.
#[derive(Default)]
struct Names(Vec<Ident>);

impl<'a> Visit<'a> for Names {
    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(name) = path.path.get_ident()
            && name.to_string().starts_with(char::is_lowercase)
        {
            self.0.push(name.clone());
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        // The name of a function is no variable.
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }
}
