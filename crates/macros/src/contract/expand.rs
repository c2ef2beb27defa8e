//! What a contract becomes: for each kind of item, what was written and what is checked. Contracts arrive here
//! without mistakes.

use super::calls::{Names, listed};
use super::checks::checked;
use super::{Contract, Plain, function_at};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, ItemMod};

/// All of it.
pub(super) fn expand(contract: &Contract) -> TokenStream {
    match &contract.plain {
        Plain::Block(block) => super::block::expand(contract, block),
        Plain::Module(module) => expand_module(contract, module),
        Plain::Foreign(foreign) => super::foreign::expand(contract, foreign),
    }
}

fn expand_module(contract: &Contract, module: &ItemMod) -> TokenStream {
    let ItemMod { attrs, vis, ident, content, .. } = module;
    let plain = content.as_ref().map_or(&[][..], |(_, items)| items);
    let prefix = TokenStream::new();
    let items = plain.iter().enumerate().map(|(k, item)| match (function_at(contract, k), item) {
        (Some(function), Item::Fn(item)) => {
            let (wrapper, rest) = checked(contract, function, &prefix, item.to_token_stream());
            let checked = only_in_tests(quote!(#wrapper #rest));
            quote!(#[cfg(not(any(test, stairway)))] #item #checked)
        }
        (_, item) => item.to_token_stream(),
    });
    let name = ident.to_string();
    let of = quote!(::std::string::String::from(#name));
    let executor = contract.executor.helper().map(|helper| quote!(#[cfg(any(test, stairway))] #helper));
    let calls =
        listed(contract, &Names { prefix: &prefix, of, is_foreign: false, executor: &contract.executor });
    quote! {
        #[allow(unexpected_cfgs)]
        #(#attrs)*
        #vis mod #ident {
            #(#items)*
            #executor
            /// The functions of this module, for programs of calls.
            #[derive(Debug)]
            pub struct Contracts;
            #[cfg(any(test, stairway))]
            #[automatically_derived]
            impl ::stairway::__private::Contract for Contracts {
                #calls
                fn title() -> ::std::string::String {
                    ::std::string::String::from(::core::module_path!())
                }
            }
        }
    }
}

/// Items that are left out of other builds.
fn only_in_tests(items: TokenStream) -> TokenStream {
    match syn::parse2::<syn::File>(items) {
        Ok(syn::File { items, .. }) => quote!(#(#[cfg(any(test, stairway))] #items)*),
        Err(error) => error.into_compile_error(),
    }
}
