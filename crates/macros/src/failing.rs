//! `failing!`: programs that must not compile, and what the compiler has to say about them.
//!
//! Makes one test for each name, message and program, which gives the program to rustc.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Ident, LitStr, Result, Token, braced};

/// The tests, or what is wrong with them.
pub(crate) fn failing(input: TokenStream) -> TokenStream {
    let read = |input: ParseStream<'_>| {
        let mut all = TokenStream::new();
        while !input.is_empty() {
            all.extend(input.parse::<FailingProgram>()?.test());
        }
        Ok(all)
    };
    syn::parse::Parser::parse2(read, input).unwrap_or_else(Error::into_compile_error)
}

/// `name: "message" { program }`
struct FailingProgram {
    docs: Vec<Attribute>,
    name: Ident,
    message: LitStr,
    program: TokenStream,
}

impl Parse for FailingProgram {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let docs = input.call(Attribute::parse_outer)?;
        let name = input.parse()?;
        input
            .parse::<Token![:]>()
            .map_err(|error| Error::new(error.span(), "write `name: \"part of the message\" { program }`"))?;
        let message = input.parse()?;
        let inside;
        braced!(inside in input);
        Ok(FailingProgram { docs, name, message, program: inside.parse()? })
    }
}

impl FailingProgram {
    fn test(&self) -> TokenStream {
        let FailingProgram { docs, name, message, program } = self;
        let text = program.to_string();
        quote! {
            #(#docs)*
            #[cfg(test)]
            #[test]
            fn #name() {
                ::stairway::machine::assert_rejected(::core::env!("CARGO_CRATE_NAME"), ::core::env!("CARGO_PKG_NAME"), #text, #message);
            }
        }
    }
}
