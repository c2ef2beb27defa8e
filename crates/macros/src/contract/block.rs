//! `impl` blocks: the block as it was written, the same with checks, and what programs call of it.
//!
//! Functions that the checks add go into the block itself. The `impl` of a trait has no place for them, so
//! there they go into a hidden trait beside it: with the user's trait as its supertrait, in which
//! `Self::Item` means what it means in the block. Programs know the functions of a type by that type, and
//! those of a further block, or of a trait's, by a name of their own: a type has one list of calls, and may
//! be another crate's.

use super::calls::{Names, calls, uncalled};
use super::checks::{check_invariants, checked, invariant_parts, quiet};
use super::foreign::split;
use super::{Contract, function_at};
use crate::attributes;
use crate::source_text;
use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, GenericParam, Generics, ImplItem, ItemImpl, Path, Type, parse_quote};

/// The block, whichever it is.
pub(super) fn expand(contract: &Contract, block: &ItemImpl) -> TokenStream {
    match (&block.trait_, &contract.name) {
        (Some((path, _)), Some(name)) => of_trait(contract, block, path, name),
        (None, Some(name)) => further(contract, block, name),
        _ => of_type(contract, block),
    }
}

/// The block whose functions programs know by the type.
fn of_type(contract: &Contract, block: &ItemImpl) -> TokenStream {
    let prefix = quote!(Self::);
    let cfgs = cfgs(&block.attrs);
    let (able, self_ty) = for_programs(block);
    let (with_able, _, able_bounds) = able.split_for_impl();
    let (listed, uncalled) = (calls(contract, &names(contract, &prefix)), uncalled(contract));
    let invariants = invariants_of_type(contract, block);
    let items = with_checks(contract, block, &prefix, &TokenStream::new());
    in_tests(
        block,
        &quote! {
            #items
            #invariants
            #[cfg(any(test, stairway))]
            #(#cfgs)*
            #[automatically_derived]
            impl #with_able ::stairway::__private::contract::TheSecondContractNeedsAName for #self_ty #able_bounds {
                #uncalled
                #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
                fn calls() -> ::std::vec::Vec<::stairway::__private::contract::Call> { #listed }
            }
        },
    )
}

/// A further block of a type.
fn further(contract: &Contract, block: &ItemImpl, name: &Ident) -> TokenStream {
    let prefix = quote!(Self::);
    let name_of_list = name.to_string().to_lowercase();
    let list = super::checks::internal("calls_of", &Ident::new(&name_of_list, name.span()));
    let listed = list_method(contract, block, &prefix, &list);
    let items = with_checks(contract, block, &prefix, &listed);
    let (_, self_ty) = for_programs(block);
    let programs = named_programs(contract, block, name, &quote!(<#self_ty>::#list()));
    let checked = in_tests(block, &quote!(#items #programs));
    let declared = named_type(block, name);
    quote!(#declared #checked)
}

/// The functions of a trait.
fn of_trait(contract: &Contract, block: &ItemImpl, path: &Path, name: &Ident) -> TokenStream {
    let ItemImpl { attrs, unsafety, generics, self_ty, items, .. } = block;
    let (with_generics, arguments, bounds) = generics.split_for_impl();
    let hidden = Ident::new("__Contracts", Span::call_site());
    let prefix = quote!(<Self as #hidden #arguments>::);
    let cfgs = cfgs(attrs);
    let (mut wrappers, mut added) = (TokenStream::new(), TokenStream::new());
    for (k, item) in items.iter().enumerate() {
        match (function_at(contract, k), item) {
            (Some(function), ImplItem::Fn(item)) => {
                let (wrapper, rest) = checked(contract, function, &prefix, item.to_token_stream());
                wrappers.extend(wrapper);
                added.extend(rest);
            }
            (_, item) => wrappers.extend(item.to_token_stream()),
        }
    }
    added.extend(contract.invariants.iter().map(invariant_parts));
    added.extend(contract.helpers.iter().map(ToTokens::to_token_stream));
    added.extend(contract.executor.helper());
    added.extend(list_method(contract, block, &prefix, &Ident::new("__calls", Span::call_site())));
    let (declared, defined) = match split(&added) {
        Ok(both) => both,
        Err(error) => return error.into_compile_error(),
    };
    let sized = (!may_be_unsized(self_ty, generics)).then(|| quote!(+ ::core::marker::Sized));
    let (_, static_ty) = for_programs(block);
    let lifetimes = lifetimes_of(generics);
    let static_arguments = with_static(arguments.to_token_stream(), &lifetimes);
    let programs =
        named_programs(contract, block, name, &quote!(<#static_ty as #hidden #static_arguments>::__calls()));
    let checked = in_tests(
        block,
        &quote! {
            #[cfg(any(test, stairway))]
            #(#attrs)*
            #unsafety impl #with_generics #path for #self_ty #bounds {
                #wrappers
            }
            #[cfg(any(test, stairway))]
            #(#cfgs)*
            #[allow(dead_code, drop_bounds, async_fn_in_trait, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            trait #hidden #with_generics: #path #sized #bounds {
                #(#declared)*
            }
            #[cfg(any(test, stairway))]
            #(#cfgs)*
            #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #with_generics #hidden #arguments for #self_ty #bounds {
                #(#defined)*
            }
            #programs
        },
    );
    let declared = named_type(block, name);
    quote!(#declared #checked)
}

/// The block as it was written where nothing is checked, and `tested` where it is.
fn in_tests(block: &ItemImpl, tested: &TokenStream) -> TokenStream {
    // The constant is there for its lint level, which must be around a `cfg` to reach it.
    quote! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(not(any(test, stairway)))]
            #block
            #tested
        };
    }
}

/// The block of a type with checks and `more`.
fn with_checks(
    contract: &Contract,
    block: &ItemImpl,
    prefix: &TokenStream,
    more: &TokenStream,
) -> TokenStream {
    let ItemImpl { attrs, generics, self_ty, items, .. } = block;
    let (with_generics, _, bounds) = generics.split_for_impl();
    let items = items.iter().enumerate().map(|(k, item)| match (function_at(contract, k), item) {
        (Some(function), ImplItem::Fn(item)) => {
            let (wrapper, rest) = checked(contract, function, prefix, item.to_token_stream());
            quote!(#wrapper #rest)
        }
        (_, item) => item.to_token_stream(),
    });
    let parts = contract.invariants.iter().map(invariant_parts);
    let executor = contract.executor.helper();
    quote! {
        #[cfg(any(test, stairway))]
        #(#attrs)*
        impl #with_generics #self_ty #bounds {
            #(#items)*
            #(#parts)*
            #executor
            #more
        }
    }
}

/// The invariants of a type, for its other blocks.
fn invariants_of_type(contract: &Contract, block: &ItemImpl) -> Option<TokenStream> {
    if contract.invariants.is_empty() {
        return None;
    }
    let ItemImpl { attrs, generics, self_ty, .. } = block;
    let (with_generics, _, bounds) = generics.split_for_impl();
    let (cfgs, function) = (cfgs(attrs), Ident::new("function", Span::mixed_site()));
    let checks = check_invariants(contract, &function.to_token_stream(), &quote!(self));
    Some(quote! {
        #[cfg(any(test, stairway))]
        #(#cfgs)*
        #[automatically_derived]
        impl #with_generics ::stairway::__private::contract::Invariants for #self_ty #bounds {
            fn check_invariants(&self, #function: &'static str) { #checks }
        }
    })
}

/// The method that lists what programs call.
fn list_method(contract: &Contract, block: &ItemImpl, prefix: &TokenStream, name: &Ident) -> TokenStream {
    let (listed, quiet) = (calls(contract, &names(contract, prefix)), quiet());
    let able = able();
    let bounds = block.generics.type_params().map(|parameter| {
        let name = &parameter.ident;
        quote!(#name: #(#able)+*)
    });
    quote! {
        #quiet
        fn #name() -> ::std::vec::Vec<::stairway::__private::contract::Call>
        where
            Self: 'static,
            #(#bounds,)*
        {
            #listed
        }
    }
}

/// Programs of the calls that `listed` gives.
fn named_programs(contract: &Contract, block: &ItemImpl, name: &Ident, listed: &TokenStream) -> TokenStream {
    let (able, _) = for_programs(block);
    let (with_able, arguments, bounds) = able.split_for_impl();
    let (cfgs, uncalled) = (cfgs(&block.attrs), uncalled(contract));
    quote! {
        #[cfg(any(test, stairway))]
        #(#cfgs)*
        #[automatically_derived]
        impl #with_able ::stairway::__private::Contract for #name #arguments #bounds {
            #uncalled
            fn calls() -> ::std::vec::Vec<::stairway::__private::contract::Call> { #listed }
        }
    }
}

/// The type by which programs know the functions of a block.
pub(crate) fn named_type(block: &ItemImpl, name: &Ident) -> TokenStream {
    let types: Vec<&Ident> = block.generics.type_params().map(|parameter| &parameter.ident).collect();
    let parameters = block.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(ty) => {
            let name = &ty.ident;
            Some(quote!(#name: ?::core::marker::Sized))
        }
        GenericParam::Const(constant) => {
            let (name, ty) = (&constant.ident, &constant.ty);
            Some(quote!(const #name: #ty))
        }
        _ => None,
    });
    let (cfgs, about) = (
        cfgs(&block.attrs),
        format!(
            "The functions of a block of `{}`, for programs of calls.",
            source_text::plain(block.self_ty.to_token_stream())
        ),
    );
    quote! {
        #(#cfgs)*
        #[doc = #about]
        #[derive(Debug)]
        #[allow(dead_code, unreachable_pub, non_camel_case_types)]
        pub struct #name<#(#parameters),*>(::core::marker::PhantomData<fn() -> (#(*const #types,)*)>);
    }
}

/// How the functions of a block are reached.
fn names<'a>(contract: &'a Contract, prefix: &'a TokenStream) -> Names<'a> {
    let of = quote!(::stairway::__private::call_source::path_of::<Self>());
    Names { prefix, of, is_foreign: false, executor: &contract.executor }
}

/// What programs do with values of a type that is still open.
fn able() -> [TokenStream; 4] {
    [quote!(::stairway::Arbitrary), quote!(::core::clone::Clone), quote!(::core::fmt::Debug), quote!('static)]
}

/// The generics of a block and its type as programs have them: nothing that borrows lives across calls.
fn for_programs(block: &ItemImpl) -> (Generics, Type) {
    let able =
        able().iter().fold(block.generics.clone(), |generics, bound| attributes::bounded(&generics, bound));
    let lifetimes = lifetimes_of(&block.generics);
    let mut generics = able;
    let kept = generics.params.into_iter().filter(|p| !matches!(p, GenericParam::Lifetime(_)));
    let kept = kept.map(|parameter| -> GenericParam {
        let tokens = with_static(parameter.to_token_stream(), &lifetimes);
        parse_quote!(#tokens)
    });
    generics.params = kept.collect();
    generics.where_clause = generics.where_clause.map(|clause| {
        let tokens = with_static(clause.to_token_stream(), &lifetimes);
        parse_quote!(#tokens)
    });
    let self_ty = with_static(block.self_ty.to_token_stream(), &lifetimes);
    (generics, parse_quote!(#self_ty))
}

/// Gives every lifetime that the block's trait leaves out a name, which the hidden trait needs.
pub(super) fn name_lifetimes(block: &mut ItemImpl) {
    let Some((path, _)) = &mut block.trait_ else { return };
    let mut named: Vec<Ident> = Vec::new();
    let mut name = |at: Span| {
        named.push(Ident::new(&format!("__elided_{}", named.len()), at));
        named[named.len() - 1].clone()
    };
    let tokens = with_references(path.to_token_stream());
    let tokens = replace_lifetimes(tokens, &mut |word| (word == "_").then(|| name(word.span())));
    if named.is_empty() {
        return;
    }
    *path = parse_quote!(#tokens);
    for (k, name) in named.into_iter().enumerate() {
        let lifetime = syn::Lifetime { apostrophe: name.span(), ident: name };
        block.generics.params.insert(k, parse_quote!(#lifetime));
    }
}

/// The tokens with `&'_` for every `&` without a lifetime.
fn with_references(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let is_named =
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '\'');
                let place = punct.span();
                out.push(TokenTree::Punct(punct));
                if !is_named {
                    out.push(TokenTree::Punct(Punct::new('\'', Spacing::Joint)));
                    out.push(TokenTree::Ident(Ident::new("_", place)));
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_references(group.stream()));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// The names of the lifetimes that a block is about.
fn lifetimes_of(generics: &Generics) -> Vec<Ident> {
    generics.lifetimes().map(|parameter| parameter.lifetime.ident.clone()).collect()
}

/// The tokens with `'static` in place of these lifetimes, and of `'_`.
fn with_static(tokens: TokenStream, lifetimes: &[Ident]) -> TokenStream {
    replace_lifetimes(tokens, &mut |word| {
        (lifetimes.contains(word) || word == "_").then(|| Ident::new("static", word.span()))
    })
}

/// The tokens with other lifetimes, where `other` has one.
fn replace_lifetimes(tokens: TokenStream, other: &mut impl FnMut(&Ident) -> Option<Ident>) -> TokenStream {
    let mut is_lifetime = false;
    let mut replace = |token: TokenTree| match token {
        TokenTree::Ident(word) if is_lifetime => {
            is_lifetime = false;
            TokenTree::Ident(other(&word).unwrap_or(word))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), replace_lifetimes(group.stream(), &mut *other));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        token => {
            is_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
            token
        }
    };
    tokens.into_iter().map(&mut replace).collect()
}

/// The name by which programs know the functions of a trait unless another one is given: `StackAsIterator`.
pub(crate) fn name_of(self_ty: &Type, path: &Path) -> Option<Ident> {
    let of_trait = path.segments.last()?.to_token_stream();
    let name = format!("{}As{}", camel_case(self_ty.to_token_stream()), camel_case(of_trait));
    syn::parse_str(&name).ok()
}

/// The words of some tokens, in camel case; of a path, its last.
fn camel_case(tokens: TokenStream) -> String {
    let mut name = String::new();
    let mut is_lifetime = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let was_lifetime = is_lifetime;
        is_lifetime = matches!(&token, TokenTree::Punct(p) if p.as_char() == '\'');
        let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
        let word = match token {
            TokenTree::Ident(word) if !is_path && !was_lifetime => word.to_string(),
            TokenTree::Literal(literal) => literal.to_string(),
            TokenTree::Group(group) => camel_case(group.stream()),
            _ => continue,
        };
        let mut letters = word.chars().filter(|c| c.is_alphanumeric());
        name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        name.extend(letters);
    }
    name
}

fn may_be_unsized(ty: &Type, generics: &Generics) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => {
            path.path.is_ident("str")
                || generics.type_params().any(|parameter| path.path.is_ident(&parameter.ident))
        }
        _ => false,
    }
}

fn cfgs(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|a| a.path().is_ident("cfg")).collect()
}
