//! Collects the numbers in tokens, from which arguments are drawn.
//!
//! Reading tokens finds numbers in every place where Rust can have them: patterns, macros, casts. The end of
//! a range, and a number that is compared by size, is collected with its neighbours; names of constants are
//! collected too.

use crate::machine::patterns;
use proc_macro2::{Literal, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// What a piece of code mentions.
#[derive(Default)]
pub(crate) struct Literals {
    /// Whole numbers, and characters as their codes.
    pub(crate) numbers: BTreeSet<i128>,
    /// The characters among them.
    pub(crate) characters: BTreeSet<char>,
    /// Names, and whether they stand where numbers are compared by size.
    pub(crate) names: BTreeSet<(String, bool)>,
}

impl Literals {
    pub(crate) fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (k, token) in tokens.iter().enumerate() {
            let is_negative = is_sign(&tokens, k.checked_sub(1), "-");
            let is_bound = ends_in_size(&tokens[..k - usize::from(is_negative)])
                || is_sign(&tokens, k.checked_add(1), "<>.");
            match token {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Ident(name) => drop(self.names.insert((name.to_string(), is_bound))),
                TokenTree::Literal(literal) => {
                    if let Some(value) = number(literal) {
                        self.number(value, is_bound);
                        if is_negative {
                            self.number(-value, is_bound);
                        }
                        self.characters.extend(character(literal));
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn number(&mut self, value: i128, is_bound: bool) {
        self.numbers.insert(value);
        if is_bound {
            self.numbers.extend([value.saturating_sub(1), value.saturating_add(1)]);
        }
    }
}

/// Whether the token at a position is one of these signs.
fn is_sign(tokens: &[TokenTree], at: Option<usize>, signs: &str) -> bool {
    let token = at.and_then(|at| tokens.get(at));
    matches!(token, Some(TokenTree::Punct(punct)) if signs.contains(punct.as_char()))
}

/// Whether tokens end in `<`, `<=`, `>`, `>=`, `..` or `..=`; `=>` and `->` are none of these.
fn ends_in_size(tokens: &[TokenTree]) -> bool {
    let (last, before) = (tokens.len().checked_sub(1), tokens.len().checked_sub(2));
    let is_arrow = is_sign(tokens, last, ">") && is_sign(tokens, before, "=-");
    !is_arrow
        && (is_sign(tokens, last, "<>.") || is_sign(tokens, last, "=") && is_sign(tokens, before, "<>."))
}

/// The value of a whole number, a character or a byte.
fn number(literal: &Literal) -> Option<i128> {
    patterns::number(&syn::parse_str(&literal.to_string()).ok()?)
}

fn character(literal: &Literal) -> Option<char> {
    syn::parse_str::<syn::LitChar>(&literal.to_string()).ok().map(|literal| literal.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn numbers(tokens: TokenStream) -> Vec<i128> {
        let mut literals = Literals::default();
        literals.read(tokens);
        literals.numbers.into_iter().collect()
    }

    #[test]
    fn numbers_are_found_wherever_they_stand() {
        assert_eq!(numbers(quote!(matches!(op, Write { n: 0x10, by: b'a' } | Read('b')))), [16, 97, 98]);
        assert_eq!(numbers(quote!(by == -5 && n != 3 => Ready { n: 7 })), [-5, 3, 5, 7]);
    }

    #[test]
    fn what_is_compared_by_size_has_neighbours() {
        assert_eq!(numbers(quote!(n > 100 && n <= 200)), [99, 100, 101, 199, 200, 201]);
        assert_eq!(numbers(quote!(10 < n)), [9, 10, 11]);
        assert_eq!(numbers(quote!(Read { n: 5..=9 })), [4, 5, 6, 8, 9, 10]);
        assert_eq!(numbers(quote!(Read { n: 5 } => 8)), [5, 8]);
    }
}
