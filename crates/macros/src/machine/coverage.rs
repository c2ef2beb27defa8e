//! Decides whether arms without guards cover all data of a state and an operation together, as `{ retry:
//! false }` and `{ retry: true }` do.
//!
//! Rows of patterns are split value by value, column by column (Maranget, "Warnings for pattern matching",
//! 2007), where a column is a `bool` or an enum. A pattern of any other type covers only some values.

use super::arms::Arm;
use super::kinds::Kind;
use super::syntax::{head, is_variable};
use super::{Machine, Op};
use proc_macro2::Ident;
use syn::{Fields, Member, Pat};

/// A row of patterns; none where everything matches.
type Row<'p> = Vec<Option<&'p Pat>>;

pub(super) fn is_covered(machine: &Machine, state: &Ident, op: &Op) -> bool {
    if machine.refused_of(state, &op.name).next().is_some() {
        return false;
    }
    let from = machine.state(state);
    let arms = machine.arms_of(state, &op.name).filter(|arm| arm.is_sure());
    let rows = arms.filter_map(|arm| row(arm, (&from.name, &from.fields), op)).collect();
    let types = from.fields.iter().chain(&op.fields).map(|field| Kind::of(&field.ty, machine)).collect();
    covers(machine, types, rows)
}

/// The patterns of an arm for each field of the state and of the operation; nothing if it takes another state
/// or operation.
fn row<'p>(arm: &'p Arm, (state, fields): (&Ident, &Fields), op: &Op) -> Option<Row<'p>> {
    let mut row = columns(&arm.state_pattern, state, fields)?;
    row.extend(columns(&arm.op_pattern, &op.name, &op.fields)?);
    Some(row)
}

/// The patterns of the fields in a pattern of a variant; nothing where it cannot be told.
fn columns<'p>(pat: &'p Pat, variant: &Ident, fields: &Fields) -> Option<Row<'p>> {
    let nothing = || vec![None; fields.len()];
    match pat {
        Pat::Wild(_) => Some(nothing()),
        Pat::Paren(inner) => columns(&inner.pat, variant, fields),
        Pat::Ident(inner) => match &inner.subpat {
            Some((_, inner)) => columns(inner, variant, fields),
            None => Some(nothing()),
        },
        Pat::Path(_) => Some(nothing()),
        // Of several, one that is for this variant alone.
        Pat::Or(or) => {
            let mut own = or.cases.iter().filter(|case| head(case).is_none_or(|name| name == variant));
            match (own.next(), own.next()) {
                (Some(one), None) => columns(one, variant, fields),
                _ => None,
            }
        }
        Pat::Struct(inner) => {
            let mut row = nothing();
            for field in &inner.fields {
                let Member::Named(name) = &field.member else { return None };
                let k = fields.iter().position(|own| own.ident.as_ref() == Some(name))?;
                row[k] = Some(&field.pat);
            }
            Some(row)
        }
        Pat::TupleStruct(inner) if inner.elems.len() == fields.len() => {
            Some(inner.elems.iter().map(Some).collect())
        }
        _ => None,
    }
}

/// Whether some row takes every value.
fn covers(machine: &Machine, mut types: Vec<Kind>, rows: Vec<Row<'_>>) -> bool {
    let Some(kind) = types.pop() else { return !rows.is_empty() };
    let split: Vec<(Option<&Pat>, Row<'_>)> = rows
        .into_iter()
        .filter_map(|mut row| {
            let last = row.pop()?;
            Some((last, row))
        })
        .collect();
    let takes = |value: &str| {
        let rows = split.iter().filter(|(pat, _)| pat.is_none_or(|pat| takes_value(machine, pat, value)));
        rows.map(|(_, row)| row.clone()).collect::<Vec<_>>()
    };
    let values: Vec<String> = match &kind {
        Kind::Bool => vec!["true".into(), "false".into()],
        Kind::Local(name) => match machine.enums.iter().find(|item| item.ident == *name) {
            Some(item) => item.variants.iter().map(|variant| variant.ident.to_string()).collect(),
            None => vec![String::new()],
        },
        _ => vec![String::new()],
    };
    values.iter().all(|value| covers(machine, types.clone(), takes(value)))
}

/// Whether a pattern takes everything that is called so, for a `bool` or a variant; anything at all, if that
/// has no name.
fn takes_value(machine: &Machine, pat: &Pat, value: &str) -> bool {
    let is_variant =
        |name: &Ident| machine.enums.iter().any(|item| item.variants.iter().any(|v| v.ident == *name));
    let inner = |pat: &Pat| takes_value(machine, pat, "");
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Paren(pat) => takes_value(machine, &pat.pat, value),
        Pat::Or(or) => or.cases.iter().any(|case| takes_value(machine, case, value)),
        Pat::Lit(lit) => matches!(&lit.lit, syn::Lit::Bool(lit) if lit.value.to_string() == value),
        Pat::Ident(name) => match &name.subpat {
            Some((_, pat)) => takes_value(machine, pat, value),
            None if is_variant(&name.ident) => name.ident == value,
            None => is_variable(&name.ident),
        },
        Pat::Path(_) => head(pat).is_some_and(|name| name == value),
        Pat::Struct(own) => {
            head(pat).is_some_and(|name| name == value) && own.fields.iter().all(|field| inner(&field.pat))
        }
        Pat::TupleStruct(own) => head(pat).is_some_and(|name| name == value) && own.elems.iter().all(inner),
        _ => false,
    }
}
