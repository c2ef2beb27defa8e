//! A run of a machine as text, in const evaluation.

use proc_macro2::TokenStream;
use quote::quote;

/// A run as the compiler's messages show it.
pub(super) fn expand() -> TokenStream {
    quote! {
        #[doc(hidden)]
        pub const fn __show_run(
            t: &mut ::stairway::engine::machine::Text,
            ops: &[::core::option::Option<Op>], states: &[State], n: usize,
            circle_from: ::core::option::Option<usize>,
        ) {
            let (mut width, mut i) = (0, 0);
            while i < n {
                let mut one = ::stairway::engine::machine::Text::new();
                if let Some(op) = ops[i] { op.__show(&mut one); }
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
                t.str("\n    ");
                if i < 9 { t.str(" "); }
                t.uint(i as u128 + 1);
                t.str(". ");
                let from = t.len();
                match ops[i] {
                    Some(op) => op.__show(t),
                    None => t.str("(nothing is possible)"),
                }
                t.pad(from, width);
                t.str(" -> ");
                states[i].__show(t);
                i += 1;
            }
            if let Some(from) = circle_from {
                if n == from + 1 && ops[from].is_none() {
                    t.str("\n         and there it stays for ever");
                } else {
                    t.str("\n         and so on for ever, again from step ");
                    t.uint(from as u128 + 1);
                }
            }
        }
    }
}
