//! Clauses that are written for tests alone, `#[cfg_attr(test, ensures(..))]`.
//!
//! An attribute of a block sees the attributes inside as they were written, not as `cfg` leaves them. Whoever
//! has Stairway as a dev-dependency writes `#[cfg_attr(test, contract)]` above the block and the same before
//! each clause; where the block is a contract, so are they. Other conditions are left alone: what they come to
//! is not known here.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

/// The attributes that belong to a contract.
const CLAUSES: [&str; 4] = ["requires", "ensures", "invariant", "from"];

/// The tokens with `#[ensures(..)]` for every `#[cfg_attr(test, ensures(..))]`, and so on.
pub(super) fn clauses_in_tests(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut is_attribute = false;
    for token in tokens {
        let TokenTree::Group(group) = token else {
            is_attribute = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
            out.extend([token]);
            continue;
        };
        let clauses = is_attribute.then(|| clauses(&group)).flatten();
        is_attribute = false;
        match clauses {
            // The `#` before the group is there already.
            Some(clauses) => out.extend(clauses),
            None => {
                let mut inner = Group::new(group.delimiter(), clauses_in_tests(group.stream()));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
        }
    }
    out
}

/// What stands behind the first `#` instead of this attribute, if it holds clauses for tests.
fn clauses(attribute: &Group) -> Option<TokenStream> {
    if attribute.delimiter() != Delimiter::Bracket {
        return None;
    }
    let Meta::List(list) = syn::parse2(attribute.stream()).ok()? else { return None };
    let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone()).ok()?;
    let mut parts = parts.into_iter();
    let condition = parts.next()?;
    let clauses: Vec<Meta> = parts.collect();
    let is_clause = |meta: &Meta| CLAUSES.iter().any(|clause| meta.path().is_ident(clause));
    let is_meant = list.path.is_ident("cfg_attr") && is_test(&condition);
    (is_meant && !clauses.is_empty() && clauses.iter().all(is_clause)).then(|| {
        let (first, rest) = (&clauses[0], &clauses[1..]);
        quote!([#first] #(#[#rest])*)
    })
}

/// `test`, or the condition under which contracts are checked.
fn is_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("stairway"),
        Meta::List(list) if list.path.is_ident("any") => {
            let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
            parts.is_ok_and(|parts| parts.iter().any(is_test))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn becomes(before: TokenStream, after: TokenStream) {
        assert_eq!(clauses_in_tests(before).to_string(), after.to_string());
    }

    #[test]
    fn clauses_for_tests_are_clauses() {
        becomes(
            quote!(impl T { #[cfg_attr(test, requires(x > 0), ensures(result))] #[inline] fn f(x: u8) -> bool { x == [1][0] } }),
            quote!(impl T { #[requires(x > 0)] #[ensures(result)] #[inline] fn f(x: u8) -> bool { x == [1][0] } }),
        );
        becomes(
            quote!(
                fn f(#[cfg_attr(any(test, stairway), from(1..=8))] n: u8) {}
            ),
            quote!(
                fn f(#[from(1..=8)] n: u8) {}
            ),
        );
        becomes(quote!(#[cfg_attr(test, invariant)] fn f()), quote!(#[invariant] fn f()));
    }

    #[test]
    fn other_conditions_and_attributes_stay() {
        for tokens in [
            quote!(
                #[cfg_attr(feature = "slow", ensures(false))]
                fn f() {}
            ),
            quote!(
                #[cfg_attr(not(test), requires(false))]
                fn f() {}
            ),
            quote!(
                #[cfg_attr(test, allow(dead_code))]
                fn f() {}
            ),
            quote!(
                #[cfg_attr(test, ensures(true), inline)]
                fn f() {}
            ),
            quote!(
                #[cfg(test)]
                fn f() {
                    a[cfg_attr(test, ensures(b))]
                }
            ),
        ] {
            becomes(tokens.clone(), tokens);
        }
    }
}
