//! Parses the options in `#[machine(..)]`.

use super::names::list;
use crate::attributes::OrWrite;
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Result, Token, parenthesized};

/// `start = State, allow(dead_ends)`
pub(super) struct Options {
    pub(super) start: Expr,
    pub(super) allowed: Vec<Ident>,
}

/// What a machine may be allowed, and what that is about.
pub(super) const ALLOWED: [&str; 5] = ["unreachable", "never_done", "dead_ends", "overlaps", "hidden"];

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const WRITE: &str = "write `#[machine(start = Idle)]` with the state in which the machine starts";
        let (mut start, mut allowed) = (None, Vec::new());
        if input.is_empty() {
            return Err(Error::new(input.span(), WRITE));
        }
        while !input.is_empty() {
            let name: Ident = input.parse().or_write(WRITE)?;
            if name == "start" && start.is_none() {
                input.parse::<Token![=]>()?;
                start = Some(input.parse()?);
            } else if name == "allow" {
                let inside;
                parenthesized!(inside in input);
                for word in Punctuated::<Ident, Token![,]>::parse_terminated(&inside)? {
                    if !ALLOWED.iter().any(|known| word == known) {
                        let message = format!("`{word}` cannot be allowed; there are {}", list(&ALLOWED));
                        return Err(Error::new_spanned(word, message));
                    }
                    allowed.push(word);
                }
            } else {
                let message = format!("no option `{name}`; a machine has `start = ..` and `allow(..)`");
                return Err(Error::new_spanned(name, message));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let start = start.ok_or_else(|| Error::new(input.span(), WRITE))?;
        Ok(Options { start, allowed })
    }
}
