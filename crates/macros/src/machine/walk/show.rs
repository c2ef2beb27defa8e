//! A run of a machine as text, in const evaluation: the one printer of counterexamples.

use proc_macro2::TokenStream;
use quote::quote;

/// A run as the compiler's messages and tests show it.
pub(super) fn expand() -> TokenStream {
    quote! {
        /// A run of steps that stand one behind the other.
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
            path: &[u32], found: ::stairway::machine::core::Found,
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
            let mut i = 0;
            while i < n {
                // Nobody reads hundreds of steps: the first and the last ones tell most.
                if n > 40 && i == 20 {
                    t.str("\n         ");
                    t.uint((n - 30) as u128);
                    t.str(" more steps, and then");
                    i = n - 10;
                }
                let (edge, state) = match path {
                    Some((path, to)) => (path[i] as usize, to[path[i] as usize] as usize),
                    None => (i, i),
                };
                t.str("\n    ");
                if i < 9 { t.str(" "); }
                t.uint(i as u128 + 1);
                t.str(". ");
                let from = t.len();
                match ops[edge] {
                    Some(op) => op.__show(t),
                    None => t.str("(nothing is possible)"),
                }
                t.pad(from, width);
                t.str(" -> ");
                states[state].__show(t);
                i += 1;
            }
            if let (Some(from), Some((path, _))) = (cycle_from, path) {
                if n == from + 1 && ops[path[from] as usize].is_none() {
                    t.str("\n         stays there for ever");
                } else {
                    t.str("\n         cycle: repeats from step ");
                    t.uint(from as u128 + 1);
                }
            }
        }
    }
}
