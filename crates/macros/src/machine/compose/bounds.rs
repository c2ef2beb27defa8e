//! Decides whether a part bounds an argument, so that few values have to be tried although another part or a
//! channel stores it.
//!
//! A message is inspected by its receiver, so each of its values counts. But if every arm of an operation
//! demands `k < 3`, or `k == n` with a number of the state, all other values are refused: only those below
//! the limit and those of the state are left. A part hands its limits on under hidden names, since they may
//! be private constants.

use super::super::argument_use::{Below, Limit, limits};
use super::super::{Machine, Op};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// Below which number an argument lies wherever a part allows an operation: a hidden constant of the part, or
/// no number at all if it is one that is known. Nothing if it may be any number.
pub(super) fn limit(machine: &Machine, part: &Ident, op: &Op, field: &Ident) -> Option<Option<TokenStream>> {
    let k = op.fields.iter().position(|own| own.ident.as_ref() == Some(field))?;
    let below = bounded_below(machine, op, k)?;
    let name = name("limit", op, k);
    Some((!below.is_empty()).then(|| quote!(#part::#name)))
}

/// Up to where a part tries all values of an argument: numbers under a hidden name.
pub(super) fn below(machine: &Machine, part: &Ident, op: &Op, field: &Ident) -> Below {
    let Some(k) = op.fields.iter().position(|own| own.ident.as_ref() == Some(field)) else {
        return Below::default();
    };
    let (mut below, name) = (computed_below(machine, op, k), name("below", op, k));
    if !below.numbers.is_empty() {
        below.numbers = vec![quote!(#part::#name)];
    }
    below
}

/// Below which numbers a machine computes with an argument.
fn computed_below(machine: &Machine, op: &Op, k: usize) -> Below {
    machine.uses.below(&format_ident!("Op"), Some(&op.name), k)
}

/// The hidden constants of a machine.
pub(in super::super) fn constants(machine: &Machine) -> TokenStream {
    let fields = machine.ops.iter().flat_map(|op| (0..op.fields.len()).map(move |k| (op, k)));
    let both = fields.flat_map(|(op, k)| {
        let limit = bounded_below(machine, op, k).unwrap_or_default();
        [(name("limit", op, k), limit), (name("below", op, k), computed_below(machine, op, k).numbers)]
    });
    let constants = both.filter(|(_, numbers)| !numbers.is_empty()).map(|(name, numbers)| {
        quote! {
            #[doc(hidden)]
            #[allow(non_upper_case_globals)]
            pub const #name: i128 = ::stairway::machine::core::largest(&[#(#numbers),*]);
        }
    });
    constants.collect()
}

fn name(what: &str, op: &Op, k: usize) -> Ident {
    format_ident!("__{what}_{}_{k}", op.name)
}

/// The numbers below which an argument lies in some arms; nothing if it may be any number in one.
fn bounded_below(machine: &Machine, op: &Op, k: usize) -> Option<Vec<TokenStream>> {
    let one = |limit| match limit {
        Limit::Below(limit) => Some(Some(limit)),
        Limit::BelowState => None,
        Limit::Equal => Some(None),
    };
    let all: Option<Vec<Option<TokenStream>>> = limits(machine, op, k)?.into_iter().map(one).collect();
    Some(all?.into_iter().flatten().collect())
}
