//! Prints runs of a machine in const evaluation; every counterexample is printed here.

use super::super::Machine;
use super::super::compose::System;
use proc_macro2::TokenStream;
use quote::quote;

/// A run as the compiler's messages and tests show it.
pub(super) fn expand(machine: &Machine) -> TokenStream {
    let follows = machine.system.as_ref().filter(|system| system.has_copies());
    let follow = follows.map(System::follow);
    // Among copies, the states that were explored are not always those that the run is shown in.
    let (begin, step, note, end) = match follows {
        None => (quote!(), quote!((ops[edge], states[state])), quote!(), quote!()),
        Some(_) => (
            quote! {
                let (mut renamings, mut at) = (__SAME_PLACES, START);
                let mut entry = ::stairway::machine::core::Text::new();
                START.__show(&mut entry);
                let mut last = entry;
            },
            quote!(__follow(&mut renamings, &at, ops[edge], &states[state])),
            quote! {
                at = states[state];
                last = ::stairway::machine::core::Text::new();
                shown.__show(&mut last);
                if let Some(from) = cycle_from && from == i + 1 { entry = last; }
            },
            quote! {
                if !entry.is_same(&last) { t.str(", with copies in each other's places"); }
            },
        ),
    };
    quote! {
        #follow
        /// A run of steps that stand one after the other.
        #[doc(hidden)]
        pub const fn __show_run(
            t: &mut ::stairway::machine::core::Text,
            ops: &[::core::option::Option<Op>], states: &[State], n: usize,
        ) {
            __show_steps(t, (ops, states), None, n, None);
        }
        /// A run along edges of what was explored.
        #[doc(hidden)]
        pub const fn __show_path(
            t: &mut ::stairway::machine::core::Text,
            known: &::stairway::machine::core::Known<'_, State, Op>,
            path: &[u32], found: ::stairway::machine::core::Counterexample,
        ) {
            __show_steps(t, (known.ops, known.states), Some((path, known.to)), found.n_path, found.cycle_from);
        }
        const fn __show_steps(
            t: &mut ::stairway::machine::core::Text,
            (ops, states): (&[::core::option::Option<Op>], &[State]),
            path: ::core::option::Option<(&[u32], &[u32])>,
            n: usize, cycle_from: ::core::option::Option<usize>,
        ) {
            let (mut width, mut i) = (0, 0);
            while i < n {
                let mut one = ::stairway::machine::core::Text::new();
                let edge = match path { Some((path, _)) => path[i] as usize, None => i };
                if let Some(op) = ops[edge] { op.__show(&mut one); }
                if one.len() > width && one.len() <= 60 { width = one.len(); }
                i += 1;
            }
            t.str("\n         ");
            START.__show(t);
            #begin
            let mut i = 0;
            while i < n {
                let (edge, state) = match path {
                    Some((path, to)) => (path[i] as usize, to[path[i] as usize] as usize),
                    None => (i, i),
                };
                let (op, shown) = #step;
                #note
                // Nobody reads hundreds of steps: the first and the last ones tell most.
                if n > 40 && i >= 20 && i < n - 10 {
                    if i == 20 {
                        t.str("\n         ");
                        t.uint((n - 30) as u128);
                        t.str(" more steps, and then");
                    }
                    i += 1;
                    continue;
                }
                t.str("\n    ");
                if i < 9 { t.str(" "); }
                t.uint(i as u128 + 1);
                t.str(". ");
                let from = t.len();
                match op {
                    Some(op) => op.__show(t),
                    None => t.str("(nothing is possible)"),
                }
                t.pad(from, width);
                t.str(" -> ");
                shown.__show(t);
                i += 1;
            }
            if let (Some(from), Some((path, _))) = (cycle_from, path) {
                if n == from + 1 && ops[path[from] as usize].is_none() {
                    t.str("\n         stays there for ever");
                } else {
                    t.str("\n         cycle: repeats from step ");
                    t.uint(from as u128 + 1);
                    #end
                }
            }
        }
    }
}
