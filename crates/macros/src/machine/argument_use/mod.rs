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
mod visit;

use super::arms::Next;
use super::kinds::{Kind, Types};
use super::numbers::is_number;
use super::patterns::{Pattern, variants};
use super::{Machine, Op};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};
use syn::Item;

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
    /// Up to where all values of a field are tried, because it is computed with below some number.
    limits: BTreeMap<Key, Below>,
    /// Numbers, or constants, by their text, and the fields that are compared with each.
    points: BTreeMap<String, (TokenStream, BTreeSet<Key>)>,
    /// Fields that are compared with numbers of the state.
    near_state: BTreeSet<Key>,
    /// Operations, and two arguments of them that are compared with each other.
    pairs: Vec<(String, usize, usize)>,
}

/// The numbers below which a field is computed with.
#[derive(Clone, Default)]
pub(super) struct Below {
    /// Numbers, or constants.
    pub(super) numbers: Vec<TokenStream>,
    /// Whether a number of the state may be one.
    pub(super) of_state: bool,
}

impl Below {
    /// Adds what is below other numbers.
    pub(super) fn join(&mut self, other: Below) {
        for number in other.numbers {
            if self.numbers.iter().all(|known| known.to_string() != number.to_string()) {
                self.numbers.push(number);
            }
        }
        self.of_state |= other.of_state;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty() && !self.of_state
    }

    /// The first number that need not be tried: an expression about `pool`.
    pub(super) fn end(&self) -> TokenStream {
        let numbers = &self.numbers;
        let largest = match &numbers[..] {
            [] => quote!(0),
            _ => quote!(const { ::stairway::machine::core::largest(&[#(#numbers),*]) }),
        };
        if self.of_state { quote!(pool.beyond_state(#largest)) } else { largest }
    }
}

impl Uses {
    /// What is done with a field of a struct (with no variant) or an enum.
    pub(super) fn of_field(&self, ty: &Ident, variant: Option<&Ident>, k: usize) -> Use {
        let key = (ty.to_string(), variant.map(ToString::to_string).unwrap_or_default(), k);
        self.fields.get(&key).copied().unwrap_or(Use::Ignored)
    }

    /// Up to where all values of a field are tried.
    pub(super) fn below(&self, ty: &Ident, variant: Option<&Ident>, k: usize) -> Below {
        let key = (ty.to_string(), variant.map(ToString::to_string).unwrap_or_default(), k);
        self.limits.get(&key).cloned().unwrap_or_default()
    }

    /// The arguments of an operation that are compared with each other and nothing else is done with.
    pub(super) fn pairs(&self, op: &Ident) -> impl Iterator<Item = (usize, usize)> {
        self.pairs.iter().filter(move |pair| *op == pair.0).map(|pair| (pair.1, pair.2))
    }

    /// Says that two arguments of an operation are compared with each other.
    pub(super) fn set_pair(&mut self, op: &Ident, one: usize, other: usize) {
        self.pairs.push((op.to_string(), one, other));
    }

    /// Notes a number with which a field is compared.
    fn point(&mut self, number: TokenStream, key: Option<&Key>) {
        let known = self.points.entry(number.to_string()).or_insert((number, BTreeSet::new()));
        known.1.insert(key.cloned().unwrap_or_default());
    }

    /// A bit for each of these fields: the last one is for all that have none of their own, and all are for
    /// what is not known to be in a field.
    fn bits<'k>(&self, keys: impl IntoIterator<Item = &'k Key>) -> u64 {
        let bit = |key: &Key| match self.fields.keys().position(|known| known == key) {
            Some(at) => 1 << at.min(63),
            None => u64::MAX,
        };
        keys.into_iter().fold(0, |bits, key| bits | bit(key))
    }

    /// The numbers with which something is compared, and the bits of what is.
    pub(super) fn points(&self) -> Vec<TokenStream> {
        let points = self.points.values().map(|(number, keys)| (number, self.bits(keys)));
        points.map(|(number, bits)| quote!((#number, #bits))).collect()
    }

    /// The bits of what is compared with numbers of the state.
    pub(super) fn near_state(&self) -> u64 {
        self.bits(&self.near_state)
    }

    /// The bit of a field.
    pub(super) fn bit(&self, ty: &Ident, variant: Option<&Ident>, k: usize) -> u64 {
        self.bits([&(ty.to_string(), variant.map(ToString::to_string).unwrap_or_default(), k)])
    }

    /// Says what is done with an argument of an operation, and up to where all its values are tried.
    pub(super) fn set(&mut self, op: &Ident, k: usize, to: Use, below: Below) {
        let key = ("Op".to_string(), op.to_string(), k);
        self.fields.insert(key.clone(), to);
        self.limits.insert(key, below);
    }

    pub(super) fn read(next: &Next, types: Types<'_>, rest: &[Item]) -> Uses {
        let mut reader = Reader::new(next, types, rest);
        reader.visit_match(&next.whole);
        reader.close_pairs();
        reader.uses
    }
}

/// Why few values of an operation's argument are possible wherever the machine allows the operation, arm by
/// arm; nothing if it may be any number.
pub(super) fn limits(machine: &Machine, op: &Op, k: usize) -> Option<Vec<Limit>> {
    let key = ("Op".to_string(), op.name.to_string(), k);
    let mut limits = Vec::new();
    for arm in machine.arms.iter().filter(|arm| arm.op == op.name) {
        // A number is tried as any that `next` mentions.
        let at = machine.state(&arm.state).fields.len() + k;
        if let Pattern::Between(from, to) = &arm.row[at]
            && from == to
        {
            continue;
        }
        let mut reader = Reader::new(&machine.next, machine.types(), &machine.rest);
        reader.bind_all(&arm.state_pattern, &Bound::State);
        reader.matched_with(&arm.op_pattern, None, &operation());
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
    /// The operation or something in it: the field that it is or is in, and its kind.
    Data(Option<Key>, Box<Kind>),
    /// Something that was computed.
    Other,
}

/// Something in the operation: the field that it is or is in, and its kind.
type Place = (Option<Key>, Kind);

/// The kind of operations.
fn operation() -> Kind {
    Kind::Local(quote::format_ident!("Op"))
}

struct Reader<'m> {
    types: Types<'m>,
    /// The machine's constants that are numbers.
    constants: BTreeSet<String>,
    names: BTreeMap<String, Bound>,
    /// Fields of which few values are possible here.
    small: Vec<(Key, Limit)>,
    /// Arguments that are compared with another argument, and their kinds.
    paired: BTreeMap<Key, Kind>,
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

impl<'m> Reader<'m> {
    fn new(next: &Next, types: Types<'m>, rest: &[Item]) -> Self {
        let names = BTreeMap::from([
            (next.state.to_string(), Bound::State),
            (next.op.to_string(), Bound::Data(None, Box::new(operation()))),
        ]);
        let constants = rest.iter().filter_map(|item| match item {
            Item::Const(item) if is_number(&item.ty) => Some(item.ident.to_string()),
            _ => None,
        });
        Reader {
            types,
            constants: constants.collect(),
            names,
            small: Vec::new(),
            paired: BTreeMap::new(),
            uses: Uses::default(),
        }
    }

    /// Two arguments that are compared with each other are drawn together, so that in each class one is less than
    /// the other, equal or greater. For a third argument that would not do, nor for one of which all values are
    /// tried.
    fn close_pairs(&mut self) {
        let paired: Vec<(Key, Kind)> = std::mem::take(&mut self.paired).into_iter().collect();
        for of_op in paired.chunk_by(|(one, _), (other, _)| one.1 == other.1) {
            let is_free = |(key, _): &(Key, Kind)| self.uses.fields.get(key) == Some(&Use::Free);
            match of_op {
                [(one, _), (other, _)] if !of_op.iter().any(is_free) => {
                    self.uses.pairs.push((one.1.clone(), one.2, other.2));
                }
                _ => of_op.iter().for_each(|(key, kind)| self.mark(Some(key), kind, Use::Free)),
            }
        }
    }

    fn mark(&mut self, key: Option<&Key>, kind: &Kind, mut mark: Use) {
        let limit = self.small.iter().find(|(small, _)| Some(small) == key).map(|(_, limit)| limit.clone());
        // All values that it can have here are tried.
        let is_tried = |limit: &Limit| matches!((limit, kind), (Limit::Equal, _) | (_, Kind::Unsigned(_)));
        if let Some(key) = key {
            if let Some(limit) = limit.filter(|limit| mark == Use::Free && is_tried(limit)) {
                mark = Use::Compared;
                self.uses.limits.entry(key.clone()).or_default().join(match limit {
                    Limit::Equal => Below::default(),
                    Limit::BelowState => Below { of_state: true, ..Below::default() },
                    Limit::Below(limit) => Below { numbers: vec![limit], ..Below::default() },
                });
            }
            let known = self.uses.fields.entry(key.clone()).or_insert(Use::Ignored);
            *known = (*known).max(mark);
        }
        if mark == Use::Free {
            self.free_inside(kind);
        }
    }

    /// Everything in a value may be used.
    fn free_inside(&mut self, kind: &Kind) {
        for variant in variants(kind, &self.types) {
            for (k, part) in variant.kinds.iter().enumerate() {
                let is_new = match kind {
                    Kind::Local(ty) => {
                        let key = (ty.to_string(), variant.name.clone(), k);
                        self.uses.fields.insert(key, Use::Free) != Some(Use::Free)
                    }
                    _ => true,
                };
                if is_new {
                    self.free_inside(part);
                }
            }
        }
        // However long an array is.
        if let Kind::Array(inner, _) = kind {
            self.free_inside(inner);
        }
    }
}
