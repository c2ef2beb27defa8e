//! For which crate machines and their formulas are expanded.
//!
//! Everything is written for `stairway`. A crate that depends on `stairway-machine` alone gets the same
//! without tests, and every path to the shared part leads there directly.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

/// Whose macro was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// `stairway`.
    Stairway,
    /// `stairway-machine`: nothing that needs a heap or a test library.
    Machine,
}

/// What `stairway` calls the shared part, after `::`.
const SHARED: [&str; 7] = ["stairway", ":", ":", "machine", ":", ":", "core"];

impl Home {
    /// What is expanded, with paths that this crate can follow.
    pub(crate) fn reached(self, tokens: TokenStream) -> TokenStream {
        match self {
            Home::Stairway => tokens,
            Home::Machine => directly(tokens),
        }
    }
}

/// `stairway_machine` in place of every `stairway::machine::core`.
fn directly(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut out, mut at) = (Vec::with_capacity(tokens.len()), 0);
    while at < tokens.len() {
        let is_shared = tokens.len() - at >= SHARED.len()
            && SHARED.iter().zip(&tokens[at..]).all(|(word, token)| match token {
                TokenTree::Ident(name) => name == word,
                TokenTree::Punct(punct) => punct.as_char().to_string() == *word,
                _ => false,
            });
        match &tokens[at] {
            first if is_shared => {
                out.push(TokenTree::Ident(Ident::new("stairway_machine", first.span())));
                at += SHARED.len();
                continue;
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), directly(group.stream()));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            token => out.push(token.clone()),
        }
        at += 1;
    }
    out.into_iter().collect()
}
