//! Calls of a driver: whether one may be possible before its result is known, and drawing one.
//!
//! Drivers are called by tests only, so none of this runs in const evaluation. The operation is chosen by the
//! runner of programs, or by the machine's `options`.

use super::arms::may;
use super::lift::lifted;
use super::names::snake;
use super::{Machine, values};
use crate::home::Home;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let may = may_be_called(machine);
    if machine.home == Home::Machine {
        return may;
    }
    let called = draw_call(machine);
    quote!(#may #called)
}

/// The function that says whether an operation may be possible before it has its result.
fn may_be_called(machine: &Machine) -> TokenStream {
    let uses = machine.uses();
    let (s, o) = (&machine.next.state, &machine.next.op);
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    for state in &machine.states {
        for op in machine.ops.iter().filter(|op| op.ret.is_some()) {
            let (state_name, op_name) = (&state.name, &op.name);
            if machine.is_total(state_name, op) {
                cases.extend(quote!((State::#state_name { .. }, Op::#op_name { .. }) => true,));
                continue;
            }
            let mut ways = Vec::new();
            for (k, arm) in machine.arms_of(state_name, op_name).enumerate() {
                let (op_text, state_text) = (snake(&op_name.to_string()), snake(&state_name.to_string()));
                let name = format_ident!("__may_{op_text}_in_{state_text}_{k}");
                let may = may(&machine.next, arm, op, &lifted(arm));
                functions.extend(quote! {
                    #[allow(unused_variables, unused_mut, unreachable_patterns, unreachable_code)]
                    fn #name(#s: State, #o: Op) -> ::core::option::Option<()> { #uses #may }
                });
                ways.push(name);
            }
            if !ways.is_empty() {
                cases.extend(quote! {
                    (State::#state_name { .. }, Op::#op_name { .. }) => #(#ways(s, op).is_some())||*,
                });
            }
        }
    }
    quote! {
        #functions
        /// Whether an operation may be possible, whatever its result.
        #[doc(hidden)]
        #[allow(unreachable_patterns)]
        fn __may(s: State, op: Op) -> bool {
            match (s, op) { #cases _ => next(s, op).is_some() }
        }
    }
}

/// The function that draws a call of a driver.
fn draw_call(machine: &Machine) -> TokenStream {
    if machine.options.is_some() {
        return quote!(::stairway::__driver_calls! { options });
    }
    let has_arguments = machine.ops.iter().map(|op| !op.arguments(&op.names()).is_empty());
    let draws = machine.ops.iter().map(|op| values::draw_op(machine, op, true)).enumerate();
    let draws = draws.map(|(k, draw)| quote!(#k => #draw,));
    quote!(::stairway::__driver_calls! { weighted [#(#has_arguments),*] |c, pool| { #(#draws)* } })
}
