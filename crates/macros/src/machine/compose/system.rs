//! What is known of a composed machine beyond its module: where it may end, and how a run among copies is
//! shown.

use super::super::argument_use::Uses;
use super::super::kinds::copies_keys;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Path, Visibility};

/// What is known of a machine that was composed.
pub(in super::super) struct System {
    /// The parts' names, each that of a module inside the machine's.
    pub(in super::super) parts: Vec<Ident>,
    /// The parts as pictures call them.
    pub(in super::super) titles: Vec<String>,
    /// How many of each there are, if they are copies.
    pub(in super::super) n_copies: Vec<Option<usize>>,
    /// Which parts are copies that nothing tells apart.
    pub(super) is_alike: Vec<bool>,
    /// Enums of the parts that formulas may name.
    pub(in super::super) enums: Vec<(Visibility, TokenStream)>,
    /// What the parts do with arguments.
    pub(in super::super) uses: Uses,
    pub(in super::super) last_character: char,
    pub(in super::super) pictures: Vec<stairway_picture::Picture>,
    /// A line for each operation that says who takes part.
    pub(in super::super) summary: Vec<String>,
    /// Operations with the copies that do them: positions among the parts.
    pub(super) acting: Vec<(Ident, Vec<usize>)>,
}

impl System {
    /// Whether some parts are copies that nothing tells apart.
    pub(in super::super) fn has_copies(&self) -> bool {
        self.is_alike.contains(&true)
    }

    /// A function that says whether the whole may end in a state: all its parts may.
    pub(in super::super) fn may_end(&self) -> TokenStream {
        let parts = self.parts.iter().zip(&self.n_copies).map(|(name, n_copies)| match n_copies {
            None => quote!(#name::__may_end(&#name)),
            Some(_) => quote!({
                let (mut is_end, mut k) = (true, 0);
                while k < #name.__len() { is_end &= #name::__may_end(&#name.__get(k)); k += 1; }
                is_end
            }),
        });
        let names = &self.parts;
        quote! {
            #[doc(hidden)]
            pub const fn __may_end(s: &State) -> bool {
                let State::System { #(#names,)* .. } = *s;
                #(#parts)&&*
            }
        }
    }

    /// A function that goes one step along a run, and returns the step with each copy in the place where it
    /// was at first.
    pub(in super::super) fn follow(&self) -> TokenStream {
        let copies: Vec<(usize, &Ident)> =
            self.parts.iter().enumerate().filter(|(k, _)| self.is_alike[*k]).collect();
        let n = copies.len();
        let position = |part: usize| copies.iter().position(|(k, _)| *k == part).unwrap_or(0);
        let renamed_ops = self.acting.iter().filter(|(_, acting)| !acting.is_empty()).map(|(op, acting)| {
            let names: Vec<&Ident> = acting.iter().map(|k| &self.parts[*k]).collect();
            let renamed = acting.iter().zip(&names).map(|(k, name)| {
                let at = position(*k);
                quote!(*#name = renamings[#at].which(*#name);)
            });
            quote!(Some(Op::#op { #(#names,)* .. }) => { #(#renamed)* })
        });
        let renamed = copies.iter().enumerate().map(|(at, (_, name))| {
            let path: Path = syn::parse_quote!(#name);
            let (led_to, kept) = (copies_keys(&path, &quote!(led_to)), copies_keys(&path, &quote!(kept)));
            quote! {{
                let (State::System { #name: led_to, .. }, State::System { #name: kept, .. }) = (to, *kept);
                let State::System { #name, .. } = &mut shown;
                *#name = renamings[#at].copies(led_to);
                renamings[#at] = renamings[#at].follow(#led_to, #kept);
            }}
        });
        quote! {
            const __SAME_PLACES: [::stairway::machine::core::Renaming; #n] = [::stairway::machine::core::Renaming::NONE; #n];
            #[doc(hidden)]
            const fn __follow(
                renamings: &mut [::stairway::machine::core::Renaming; #n], from: &State,
                op: ::core::option::Option<Op>, kept: &State,
            ) -> (::core::option::Option<Op>, State) {
                let mut op = op;
                let to = match op {
                    Some(op) => match next(*from, op) { Some(to) => to, None => *kept },
                    None => *kept,
                };
                match &mut op { #(#renamed_ops)* _ => {} }
                let mut shown = to;
                #(#renamed)*
                (op, shown)
            }
        }
    }
}
