//! Decides what `next` does with the data of operations, field by field, so that exploration knows which
//! values to try.
//!
//! A field that is only compared with numbers is represented by one value of each class that the comparisons
//! tell apart. A field that `next` computes with, or that becomes part of a state, is tried with all its
//! values. Errs on the side of "free": a class that is too wide would hide reachable states, and a false
//! property would be called proved.
//!
//! `visit` goes through the expressions of `next`, `patterns` through its patterns, `places` finds out which
//! expressions are data of the operation or of the state.

mod patterns;
mod places;
#[cfg(test)]
mod tests;
mod types;
mod visit;

use super::arms::Next;
use super::syntax::is_unsigned;
use super::{Machine, Op};
use proc_macro2::{Ident, TokenStream};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, ItemEnum, ItemStruct, Type};
use types::Types;

/// What is done with a field, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// Nothing depends on it.
    #[default]
    Ignored,
    /// It is matched with patterns and compared with numbers of the machine.
    Compared,
    /// Anything else.
    Free,
}

/// A field: the type that has it, the variant, and its position.
type Key = (String, String, usize);

/// What is done with each field, and how far from numbers of the state comparisons are.
#[derive(Default)]
pub(super) struct Uses {
    fields: BTreeMap<Key, Use>,
    /// `n + 2` is compared with something.
    pub(super) offsets: BTreeSet<i128>,
    /// Numbers, or constants, below which something is computed with.
    pub(super) limits: Vec<TokenStream>,
    /// Whether something below a number of the state is computed with.
    pub(super) is_below_state: bool,
    /// Arguments that are compared with another argument.
    paired: BTreeSet<Key>,
}

impl Uses {
    /// What is done with a field of a struct (with no variant) or an enum.
    pub(super) fn of_field(&self, ty: &Ident, variant: Option<&Ident>, k: usize) -> Use {
        let key = (ty.to_string(), variant.map(ToString::to_string).unwrap_or_default(), k);
        self.fields.get(&key).copied().unwrap_or(Use::Ignored)
    }

    /// Whether an argument of an operation is compared with another one.
    pub(super) fn is_paired(&self, op: &Ident, k: usize) -> bool {
        self.paired.contains(&("Op".to_string(), op.to_string(), k))
    }

    /// Says what is done with an argument of an operation.
    pub(super) fn set(&mut self, op: &Ident, k: usize, to: Use) {
        self.fields.insert(("Op".to_string(), op.to_string(), k), to);
    }

    pub(super) fn read(next: &Next, enums: &[ItemEnum], structs: &[ItemStruct], rest: &[Item]) -> Uses {
        let mut reader = Reader::new(next, Types::read(enums, structs, rest));
        reader.visit_match(&next.whole);
        reader.close_pairs();
        reader.uses
    }
}

/// Why few values of an operation's argument are possible wherever the machine allows the operation, arm by
/// arm; nothing if it may be any number.
pub(super) fn limits(machine: &Machine, op: &Op, k: usize) -> Option<Vec<Limit>> {
    let (op_type, key) = (syn::parse_quote!(Op), ("Op".to_string(), op.name.to_string(), k));
    let mut limits = Vec::new();
    for arm in machine.arms.iter().filter(|arm| arm.op == op.name) {
        // A number is tried as any that `next` mentions.
        if let Some(syn::Pat::Lit(_)) = arm.field_pattern(op, k) {
            continue;
        }
        let types = Types::read(&machine.enums, &machine.structs, &machine.rest);
        let mut reader = Reader::new(&machine.next, types);
        reader.bind_all(&arm.state_pattern, &Bound::State);
        reader.pattern(&arm.op_pattern, None, &op_type);
        arm.guards.iter().for_each(|guard| reader.bound_by(guard));
        limits.push(reader.small.into_iter().find(|(small, _)| *small == key)?.1);
    }
    Some(limits)
}

/// What a name stands for.
#[derive(Clone)]
enum Bound {
    /// The state, or something in it.
    State,
    /// The operation or something in it: the field that it is or is in, and its type.
    Data(Option<Key>, Box<Type>),
    /// Something that was computed.
    Other,
}

/// Something in the operation: the field that it is or is in, and its type.
type Place = (Option<Key>, Type);

struct Reader<'m> {
    types: Types<'m>,
    names: BTreeMap<String, Bound>,
    /// Fields of which few values are possible here.
    small: Vec<(Key, Limit)>,
    /// Arguments that are compared with another argument, and their types.
    paired: BTreeMap<Key, Type>,
    uses: Uses,
}

/// Why few values of a field are possible.
#[derive(Clone)]
pub(super) enum Limit {
    /// It is below this number.
    Below(TokenStream),
    /// It is below a number of the state.
    BelowState,
    /// It is a number that is tried anyway.
    Equal,
}

impl Limit {
    fn is_equal(&self) -> bool {
        matches!(self, Limit::Equal)
    }
}

impl<'m> Reader<'m> {
    fn new(next: &Next, types: Types<'m>) -> Self {
        let names = BTreeMap::from([
            (next.state.to_string(), Bound::State),
            (next.op.to_string(), Bound::Data(None, Box::new(syn::parse_quote!(Op)))),
        ]);
        Reader { types, names, small: Vec::new(), paired: BTreeMap::new(), uses: Uses::default() }
    }

    /// Two arguments that are compared with each other: each class has two values, its first and its last one,
    /// so that one is less than the other, equal or greater. For a third argument they would not do, nor for
    /// one of which all values are tried.
    fn close_pairs(&mut self) {
        let paired = std::mem::take(&mut self.paired);
        for (key, ty) in &paired {
            let others = || paired.keys().filter(|other| other.1 == key.1);
            let is_free = |key: &Key| self.uses.fields.get(key) == Some(&Use::Free);
            if others().count() > 2 || others().any(is_free) {
                self.mark(Some(key), ty, Use::Free);
            }
        }
        self.uses.paired = paired.into_keys().collect();
    }

    fn mark(&mut self, key: Option<&Key>, ty: &Type, mut mark: Use) {
        let limit = self.small.iter().find(|(small, _)| Some(small) == key).map(|(_, limit)| limit.clone());
        // All values that it can have here are tried.
        match limit.filter(|limit| mark == Use::Free && (limit.is_equal() || is_unsigned(ty))) {
            None => {}
            Some(limit) => {
                mark = Use::Compared;
                match limit {
                    Limit::Equal => {}
                    Limit::BelowState => self.uses.is_below_state = true,
                    Limit::Below(limit) => {
                        if self.uses.limits.iter().all(|known| known.to_string() != limit.to_string()) {
                            self.uses.limits.push(limit);
                        }
                    }
                }
            }
        }
        if let Some(key) = key {
            let known = self.uses.fields.entry(key.clone()).or_insert(Use::Ignored);
            *known = (*known).max(mark);
        }
        if mark == Use::Free {
            self.free_inside(ty);
        }
    }

    /// Everything in a type may be used.
    fn free_inside(&mut self, ty: &Type) {
        match ty {
            Type::Paren(inner) => self.free_inside(&inner.elem),
            Type::Group(inner) => self.free_inside(&inner.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.free_inside(ty)),
            Type::Array(array) => self.free_inside(&array.elem),
            Type::Path(path) => {
                if let Some(syn::PathArguments::AngleBracketed(arguments)) =
                    path.path.segments.last().map(|last| &last.arguments)
                {
                    for argument in &arguments.args {
                        if let syn::GenericArgument::Type(ty) = argument {
                            self.free_inside(ty);
                        }
                    }
                }
                let fields: Vec<(Key, Type)> = self
                    .types
                    .variants(ty)
                    .flat_map(|(variant, fields)| {
                        let of = |(k, field): (usize, &syn::Field)| {
                            ((Types::name(ty), variant.clone(), k), field.ty.clone())
                        };
                        fields.iter().enumerate().map(of).collect::<Vec<_>>()
                    })
                    .collect();
                for (key, ty) in fields {
                    if self.uses.fields.insert(key, Use::Free) != Some(Use::Free) {
                        self.free_inside(&ty);
                    }
                }
            }
            _ => {}
        }
    }
}
