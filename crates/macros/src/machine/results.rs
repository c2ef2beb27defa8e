//! Decides which results of an operation are possible, refused or forgotten in a state.
//!
//! Compares patterns by their text; whether they cover the data inside a result is left to rustc.

use super::arms::Arm;
use super::names::list;
use super::syntax::{head, is_variable};
use super::{Machine, Op, coverage, kinds};
use crate::attributes::Problems;
use proc_macro2::Ident;
use quote::format_ident;
use syn::ItemEnum;

impl Machine {
    /// Whether an operation is always possible in a state, as far as the arms say: whatever the data,
    /// and for each result that has a guard also without it.
    pub(super) fn is_total(&self, state: &Ident, op: &Op) -> bool {
        let arms = self.arms_of(state, &op.name);
        let is_open =
            |arm: &Arm| !arm.is_plain && !arms.clone().any(|other| other.is_plain && covers(other, arm, op));
        let is_plain = arms.clone().any(|arm| arm.is_plain) && !arms.clone().any(is_open);
        is_plain && !self.refuses_results(state, op) || coverage::is_covered(self, state, op)
    }

    /// Whether arms refuse some results of an operation in a state.
    fn refuses_results(&self, state: &Ident, op: &Op) -> bool {
        let is_plain = |arm: &&Arm| arm.is_plain;
        self.refused_of(state, &op.name).next().is_some()
            && !self.arms_of(state, &op.name).any(|arm| arm.is_plain && arm.takes_every_result)
            && match self.results_of(op) {
                Some(item) => {
                    !Self::unnamed(item, op, self.arms_of(state, &op.name).filter(is_plain)).is_empty()
                }
                None => true,
            }
    }

    /// A result about which no arm says anything is forgotten; what is inside results is for rustc.
    pub(super) fn diagnose_results(&self, problems: &mut Problems) {
        for state in &self.states {
            for op in &self.ops {
                let arms = || self.arms_of(&state.name, &op.name);
                let Some(plain) = arms().find(|arm| arm.is_plain) else { continue };
                let forgotten = self.forgotten(&state.name, op);
                if !forgotten.is_empty() {
                    let message = format!(
                        "no arm says what follows in state `{}` when `{}` returns {}: write an arm for each \
                         (`=> unreachable!()` if it cannot be), or one with `_` for all others",
                        state.name,
                        op.name,
                        list(&forgotten)
                    );
                    problems.at(&plain.op_pattern, message);
                }
            }
        }
    }

    /// The results of an operation about which no arm says anything, where they are an enum of the machine.
    fn forgotten(&self, state: &Ident, op: &Op) -> Vec<&Ident> {
        let Some(item) = self.results_of(op) else { return Vec::new() };
        let arms = self.arms_of(state, &op.name).chain(self.refused_of(state, &op.name));
        Self::unnamed(item, op, arms)
    }

    /// The enum that is an operation's result.
    fn results_of(&self, op: &Op) -> Option<&ItemEnum> {
        match kinds::Kind::of(op.result()?, self) {
            kinds::Kind::Local(ty) => self.enums.iter().find(|item| item.ident == ty),
            _ => None,
        }
    }

    /// The variants of an operation's result that none of these arms names.
    fn unnamed<'m, 'a>(item: &'m ItemEnum, op: &Op, arms: impl Iterator<Item = &'a Arm>) -> Vec<&'m Ident> {
        let mut named: Vec<Ident> = Vec::new();
        for arm in arms {
            match arm.result_pattern(op) {
                Some(pattern) => named.extend(variants_in(pattern)),
                None => return Vec::new(),
            }
        }
        let is_variant = |name: &Ident| item.variants.iter().any(|variant| variant.ident == *name);
        if named.iter().any(|name| !is_variant(name)) {
            return Vec::new();
        }
        item.variants.iter().map(|variant| &variant.ident).filter(|name| !named.contains(name)).collect()
    }
}

/// The variants that a pattern can match at its top; `_` and names for anything are called `_`.
fn variants_in(pat: &syn::Pat) -> Vec<Ident> {
    use syn::Pat;
    match pat {
        Pat::Paren(inner) => variants_in(&inner.pat),
        Pat::Reference(inner) => variants_in(&inner.pat),
        Pat::Or(or) => or.cases.iter().flat_map(variants_in).collect(),
        Pat::Ident(syn::PatIdent { subpat: Some((_, inner)), .. }) => variants_in(inner),
        pat => vec![head(pat).cloned().unwrap_or_else(|| format_ident!("_"))],
    }
}

/// Whether one arm takes every result that another one takes, as far as their text says.
fn covers(arm: &Arm, other: &Arm, op: &Op) -> bool {
    use syn::Pat;
    let only = |pat: &Pat| match &variants_in(pat)[..] {
        [one] if one != "_" => Some(one.clone()),
        _ => None,
    };
    // `Ack { .. }`, `Ack(a)`: all that is called so.
    let is_open = |pat: &Pat| match pat {
        Pat::Struct(pat) => pat.fields.iter().all(|field| is_anything(&field.pat)),
        Pat::TupleStruct(pat) => pat.elems.iter().all(is_anything),
        _ => true,
    };
    let (Some(one), Some(other)) = (arm.result_pattern(op), other.result_pattern(op)) else {
        return arm.takes_every_result;
    };
    let alternatives: Vec<&Pat> = match one {
        Pat::Or(or) => or.cases.iter().collect(),
        one => vec![one],
    };
    let is_same = |one: &Pat| one == other || is_open(one) && only(one).is_some() && only(one) == only(other);
    arm.takes_every_result || alternatives.into_iter().any(is_same)
}

fn is_anything(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Wild(_) | syn::Pat::Rest(_) => true,
        syn::Pat::Ident(name) => name.subpat.is_none() && is_variable(&name.ident),
        _ => false,
    }
}
