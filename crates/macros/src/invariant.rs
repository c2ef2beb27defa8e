//! What an invariant returns, for models and contracts alike: `bool`, a `Result`, or nothing where it asserts.
//!
//! An invariant that has words for what is wrong is asked through `is_sound`, and its words take the place of
//! operands.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{ReturnType, Type};

/// What an invariant returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Returns {
    /// Whether it holds.
    #[default]
    Bool,
    /// `Err` if it does not hold.
    Result,
    /// Nothing; it panics if it does not hold.
    Nothing,
}

impl Returns {
    /// By how the signature is written; `None` if an invariant cannot return this.
    pub(crate) fn of(output: &ReturnType) -> Option<Self> {
        let ReturnType::Type(_, ty) = output else { return Some(Returns::Nothing) };
        match &**ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => Some(Returns::Nothing),
            Type::Path(path) if path.path.is_ident("bool") => Some(Returns::Bool),
            Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Result") => {
                Some(Returns::Result)
            }
            _ => None,
        }
    }

    /// Whether the invariant, asked so, holds.
    pub(crate) fn holds(self, asked: &TokenStream) -> TokenStream {
        match self {
            Returns::Bool => asked.to_token_stream(),
            _ => quote!(::stairway::__private::soundness::is_sound(|| #asked)),
        }
    }

    /// What is shown where the invariant, asked so, does not hold: these operands, or its own words.
    pub(crate) fn parts(self, asked: &TokenStream, operands: TokenStream) -> TokenStream {
        match self {
            Returns::Bool => operands,
            _ => quote!(::stairway::__private::soundness::wrong_parts(|| #asked)),
        }
    }

    /// The same as a value of the library.
    pub(crate) fn told(self) -> Option<TokenStream> {
        let kind = match self {
            Returns::Bool => return None,
            Returns::Result => quote!(Result),
            Returns::Nothing => quote!(Nothing),
        };
        Some(quote!(.invariant_returns(::stairway::__private::soundness::Returns::#kind)))
    }
}
