//! What stands beside an error: the block without our attributes, and what the rest of the user's file needs
//! of it.
//!
//! A `#[model]` or `#[contract]` with a mistake says what is wrong with it. Without this, tests that name the
//! model would say as well that there is no function `check`, and the reader would begin with the wrong
//! error.

use crate::property;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{
    Attribute, Error, Expr, FnArg, GenericParam, ImplItem, Item, ItemImpl, ItemMod, ItemTrait, PatType,
    ReturnType, Signature, Token, Type, parse_quote,
};

/// An error in a model, and the model as far as others need it.
pub(crate) fn model(error: Error, options: TokenStream, item: TokenStream) -> TokenStream {
    let error = error.into_compile_error();
    let Ok(mut block) = syn::parse2::<ItemImpl>(item) else { return error };
    if block.trait_.is_some() || !matches!(*block.self_ty, Type::Path(_)) {
        return error;
    }
    let ops: Vec<Signature> = functions(&block).map(|function| function.sig.clone()).collect();
    strip_block(&mut block);
    let (generics, self_ty) = (&block.generics, &block.self_ty);
    let (with_generics, _, bounds) = generics.split_for_impl();
    let system = system_of(options);
    let has = |name: &str| functions(&block).any(|function| function.sig.ident == name);
    let check = (!has("check")).then(|| {
        quote!(
            pub fn check() {}
        )
    });
    let checker = (!has("checker")).then(|| {
        quote! {
            pub fn checker() -> ::stairway::__private::ModelChecker<Self> { ::core::unreachable!() }
        }
    });
    let laws = ops.iter().map(|op| of_laws(op, &system));
    quote! {
        #error
        #[allow(dead_code, unused_variables, unused_mut)]
        #block
        #[allow(dead_code, unreachable_pub, missing_docs, clippy::all, clippy::pedantic)]
        impl #with_generics #self_ty #bounds {
            #check
            #checker
            #(#laws)*
        }
        impl #with_generics ::stairway::Model for #self_ty #bounds {
            type System = #system;
            fn methods() -> ::stairway::__private::ModelBuilder<Self, Self::System> { ::core::unreachable!() }
        }
    }
}

/// What laws call of an operation.
fn of_laws(op: &Signature, system: &Type) -> TokenStream {
    let (law, answer) = (crate::model::helper("law", &op.ident), crate::model::helper("answer", &op.ident));
    let is_result = |typed: &PatType| typed.attrs.iter().any(|attribute| attribute.path().is_ident("result"));
    let types = op.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) if is_result(typed) => None,
        FnArg::Typed(typed) => Some(match property::draw(&typed.ty, None) {
            Ok(Some(draw)) => draw.owned,
            _ => (*typed.ty).clone(),
        }),
        FnArg::Receiver(_) => None,
    });
    let answer = match &op.output {
        ReturnType::Type(_, ty) if op.generics.params.is_empty() => {
            Some(quote!(pub fn #answer(answer: #ty) -> #ty { answer }))
        }
        _ => None,
    };
    let is_plain = op.generics.params.is_empty();
    let result = op.inputs.iter().find_map(|input| match input {
        FnArg::Typed(typed) if is_result(typed) => crate::model::result_in_laws(&typed.ty),
        _ => None,
    });
    let result = result.unwrap_or_else(|| quote!(::stairway::__private::NoResult));
    let law = is_plain.then(|| {
        quote! {
            pub fn #law(
                _: &mut ::stairway::__private::Side<Self, #system>,
                _: ::core::option::Option<&mut ::stairway::__private::StepSource>,
                _: ::stairway::__private::LawResult,
                #(_: #types),*
            ) -> ::core::option::Option<(::stairway::__private::Observation, #result)> {
                ::core::unreachable!()
            }
        }
    });
    quote!(#law #answer)
}

/// An error in a contract, and what it was written on as far as others need it.
pub(crate) fn contract(error: Error, options: TokenStream, item: TokenStream) -> TokenStream {
    let error = error.into_compile_error();
    let beside = match syn::parse2(item) {
        Ok(Item::Impl(block)) => contract_of_block(block, option_of(options, "name")),
        Ok(Item::Mod(module)) => contract_of_module(module),
        Ok(Item::Trait(item)) => contract_of_other(&item),
        Ok(other) => other.into_token_stream(),
        Err(_) => TokenStream::new(),
    };
    quote!(#error #beside)
}

/// The functions that the library asks a contract for.
fn listed() -> TokenStream {
    quote! {
        fn calls() -> ::std::vec::Vec<::stairway::__private::contract::Call> { ::core::unreachable!() }
        fn uncalled() -> ::std::vec::Vec<(&'static str, &'static str)> { ::core::unreachable!() }
    }
}

fn contract_of_block(mut block: ItemImpl, name: Option<Expr>) -> TokenStream {
    strip_block(&mut block);
    let is_own = block.trait_.is_none() && matches!(*block.self_ty, Type::Path(_));
    let name = match (name, &block.trait_) {
        (Some(name), _) => syn::parse2(name.to_token_stream()).ok(),
        (None, Some((path, _))) => crate::contract::name_of(&block.self_ty, path),
        (None, None) => None,
    };
    let mut generics = block.generics.clone();
    generics.params =
        generics.params.into_iter().filter(|p| !matches!(p, GenericParam::Lifetime(_))).collect();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!('static));
    }
    let is_about_lifetimes = block.generics.lifetimes().next().is_some();
    let (with_generics, arguments, bounds) = generics.split_for_impl();
    let (self_ty, listed) = (&block.self_ty, listed());
    let implemented = match &name {
        Some(name) => Some(quote!(::stairway::__private::Contract for #name #arguments)),
        None if is_own => {
            Some(quote!(::stairway::__private::contract::TheSecondContractNeedsAName for #self_ty))
        }
        None => None,
    };
    // A block that is about a lifetime takes part in no program here.
    let programs = implemented.filter(|_| !is_about_lifetimes).map(|implemented| {
        quote! {
            #[cfg(any(test, stairway))]
            impl #with_generics #implemented #bounds { #listed }
        }
    });
    let named = name.map(|name| crate::contract::named_type(&block, &name));
    quote! {
        #named
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[allow(dead_code, unused_variables, unused_mut)]
            #block
            #programs
        };
    }
}

fn contract_of_module(mut module: ItemMod) -> TokenStream {
    let Some((_, items)) = &mut module.content else { return module.into_token_stream() };
    for item in &mut *items {
        if let Item::Fn(function) = item {
            function.attrs.retain(is_theirs);
            strip_parameters(&mut function.sig);
        }
    }
    let listed = listed();
    let programs = quote! {
        #[derive(Debug)]
        pub struct Contracts;
        #[cfg(any(test, stairway))]
        impl ::stairway::__private::Contract for Contracts { #listed }
    };
    items.push(Item::Verbatim(programs));
    quote!(#[allow(unexpected_cfgs, dead_code)] #module)
}

fn contract_of_other(item: &ItemTrait) -> TokenStream {
    let (name, visibility, listed) = (&item.ident, &item.vis, listed());
    quote! {
        #[derive(Debug)]
        #[allow(dead_code)]
        #visibility struct #name;
        impl ::stairway::__private::Contract for #name { #listed }
    }
}

fn functions(block: &ItemImpl) -> impl Iterator<Item = &syn::ImplItemFn> {
    block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })
}

/// Takes our attributes off a block.
fn strip_block(block: &mut ItemImpl) {
    block.attrs.retain(is_theirs);
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            function.attrs.retain(is_theirs);
            strip_parameters(&mut function.sig);
        }
    }
}

fn strip_parameters(signature: &mut Signature) {
    for input in &mut signature.inputs {
        let attributes = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(typed) => &mut typed.attrs,
        };
        attributes.retain(is_theirs);
    }
}

/// Whether an attribute means something without us. What is misspelt means nothing either.
fn is_theirs(attribute: &Attribute) -> bool {
    const KNOWN: [&str; 10] =
        ["cfg", "cfg_attr", "doc", "allow", "expect", "warn", "deny", "inline", "must_use", "track_caller"];
    KNOWN.iter().any(|name| attribute.path().is_ident(name))
}

/// The type in `system = Type`, if it is there.
fn system_of(options: TokenStream) -> Type {
    let mut system = parse_quote!(());
    read_options(options, |name, input| {
        if name == "system" {
            system = input.parse()?;
        } else {
            input.parse::<Expr>()?;
        }
        Ok(())
    });
    system
}

/// The expression in `name = expression`, if it is there.
fn option_of(options: TokenStream, wanted: &str) -> Option<Expr> {
    let mut found = None;
    read_options(options, |name, input| {
        if name == wanted {
            found = Some(input.parse()?);
        } else {
            input.parse::<Type>()?;
        }
        Ok(())
    });
    found
}

/// Reads options as far as they can be read: what cannot is what the error is about.
fn read_options(options: TokenStream, mut read: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>) {
    let all = |input: ParseStream<'_>| -> syn::Result<()> {
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            if input.parse::<Option<Token![=]>>()?.is_some() {
                read(&name, input)?;
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    };
    let _ = all.parse2(options);
}
