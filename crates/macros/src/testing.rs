//! What the unit tests of all macros share: comparing expansions, reading diagnostics.
//!
//! Turns tokens into text that a person can compare.

use proc_macro2::TokenStream;
use syn::{Expr, Item, Lit};

/// Checks that `expansion` is the Rust in `expected`, whatever the layout of either.
#[track_caller]
pub(crate) fn assert_expands(expansion: TokenStream, expected: &str) {
    let expected: TokenStream = expected.parse().expect("the expected expansion is Rust");
    let (expansion, expected) = (pretty(expansion), pretty(expected));
    assert!(expansion == expected, "expanded to:\n{expansion}\nexpected:\n{expected}");
}

/// Rust source in the usual layout.
#[track_caller]
pub(crate) fn pretty(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens.clone()).unwrap_or_else(|error| panic!("{error} in {tokens}"));
    prettyplease::unparse(&file)
}

/// The messages of an expansion that consists of errors.
#[track_caller]
pub(crate) fn problems(expansion: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(expansion).expect("errors expand to items");
    let errors: Vec<String> =
        file.items.into_iter().filter(|item| matches!(item, Item::Macro(_))).map(message).collect();
    // What stands beside them is there for others.
    assert!(!errors.is_empty(), "this is no error: it was accepted");
    errors
}

/// The only message of an expansion that is an error.
#[track_caller]
pub(crate) fn problem(expansion: TokenStream) -> String {
    let mut problems = problems(expansion);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.remove(0)
}

#[track_caller]
fn message(item: Item) -> String {
    let Item::Macro(invocation) = item else { panic!("an error is a macro") };
    assert!(invocation.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error"));
    match invocation.mac.parse_body() {
        Ok(Expr::Lit(literal)) => match literal.lit {
            Lit::Str(text) => text.value(),
            _ => panic!("an error is told in words"),
        },
        _ => panic!("an error is told in words"),
    }
}
