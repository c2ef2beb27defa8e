//! Decides whether a part bounds an argument, so that few values have to be tried although another part or a
//! channel stores it.
//!
//! A message is inspected by its receiver, so each of its values counts. But if every arm of an operation
//! demands `k < 3`, or `k == n` with a number of the state, all other values are refused: only those below
//! the limit and those of the state are left. A part hands its limits on under hidden names, since they may
//! be private constants.

use super::super::argument_use::{Limit, limits};
use super::super::{Machine, Op};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// Below which number an argument lies wherever a part allows an operation: a hidden constant of the part, or
/// no number at all if it is one that is known. Nothing if it may be any number.
pub(super) fn limit(machine: &Machine, part: &Ident, op: &Op, field: &Ident) -> Option<Option<TokenStream>> {
    let k = op.fields.iter().position(|own| own.ident.as_ref() == Some(field))?;
    let below = below(machine, op, k)?;
    let name = name(op, k);
    Some((!below.is_empty()).then(|| quote!(#part::#name)))
}

/// The hidden constants of a machine.
pub(in super::super) fn constants(machine: &Machine) -> TokenStream {
    let fields = machine.ops.iter().flat_map(|op| (0..op.fields.len()).map(move |k| (op, k)));
    let bounded = fields.filter_map(|(op, k)| below(machine, op, k).map(|below| (op, k, below)));
    let constants = bounded.filter(|(_, _, below)| !below.is_empty()).map(|(op, k, below)| {
        let name = name(op, k);
        quote! {
            #[doc(hidden)]
            #[allow(non_upper_case_globals)]
            pub const #name: i128 = ::stairway::machine::core::largest(&[#(#below),*]);
        }
    });
    constants.collect()
}

fn name(op: &Op, k: usize) -> Ident {
    format_ident!("__limit_{}_{k}", op.name)
}

/// The numbers below which an argument lies in some arms; nothing if it may be any number in one.
fn below(machine: &Machine, op: &Op, k: usize) -> Option<Vec<TokenStream>> {
    let one = |limit| match limit {
        Limit::Below(limit) => Some(Some(limit)),
        Limit::BelowState => None,
        Limit::Equal => Some(None),
    };
    let all: Option<Vec<Option<TokenStream>>> = limits(machine, op, k)?.into_iter().map(one).collect();
    Some(all?.into_iter().flatten().collect())
}
