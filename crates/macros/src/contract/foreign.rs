//! `#[contract(of = path::Type)] trait Name { .. }`: contracts for a type that is not ours to change, or from
//! tests alone.
//!
//! The user writes a trait whose methods are those of the type, with clauses; it expands to a type of that
//! name whose contracts can be checked. The trait itself is gone: its methods would stand in the way of the
//! type's own. Clauses become methods of a hidden trait that the type implements, because only there does
//! `self` mean what the user meant. Calls that the type makes to itself are not checked: nothing stands
//! between.

use super::calls::{Names, listed};
use super::checks::{Name, internal, invariant_parts, quiet, requires_of, with_ensured};
use super::function::{self, Function, Owner, UncalledFunction, arguments, borrows};
use super::{Contract, Invariant, Plain, is_invariant};
use crate::attributes::Problems;
use crate::executor::Executor;
use crate::invariant::Returns;
use crate::operands;
use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Error, FnArg, ImplItem, ImplItemFn, ItemImpl, ItemTrait, ReceiverKind, Result, ReturnType, Signature,
    TraitItem, TraitItemFn, Type, Visibility, parse_quote,
};

/// What the type is called in the expansion.
const OF: &str = "__Of";

/// The contracts of a type that is not ours.
pub(super) struct Foreign {
    of: Type,
    name: Ident,
    visibility: Visibility,
    attributes: Vec<syn::Attribute>,
    /// Methods with a body, which clauses may use.
    helpers: Vec<TraitItemFn>,
}

/// What is wrong with the trait, or what it says.
pub(super) fn diagnose(of: Type, executor: Executor, item: ItemTrait) -> Result<Contract> {
    let mut problems = Problems::default();
    let owner = Owner::new(&of);
    if owner.is_none() {
        problems.at(
            &of,
            "contracts are for a struct or an enum: write its path here, as in `of = bank::Account`",
        );
    }
    if !item.generics.params.is_empty() {
        let message =
            "programs call functions of concrete types: choose one, as in `of = Stack<u8>`, and remove these";
        problems.at(&item.generics, message);
    }
    if !item.supertraits.is_empty() {
        problems
            .at(&item.supertraits, "this only lists methods of the type: remove what stands after the colon");
    }
    let (mut functions, mut invariants, mut helpers) = (Vec::new(), Vec::new(), Vec::new());
    let mut uncalled = Vec::new();
    for (k, item) in item.items.into_iter().enumerate() {
        let TraitItem::Fn(mut written) = item else {
            problems.at(item, "contracts are about functions: remove this");
            continue;
        };
        if is_invariant(&mut problems, &mut written.attrs, &written.sig) {
            let returns = Returns::of(&written.sig.output).unwrap_or_default();
            let operands = match (&returns, &written.default) {
                (Returns::Bool, Some(body)) => operands::of_function(body),
                _ => Vec::new(),
            };
            invariants.push(Invariant { name: written.sig.ident.clone(), operands, returns });
            helpers.extend(written.default.is_some().then_some(written));
            continue;
        }
        if written.default.is_some() {
            if let Some(clause) = written.attrs.iter().find(|a| function::is_ours(a)) {
                problems.at(
                    clause,
                    "the body of this function is the type's: write `;` in its place, or remove the clause",
                );
            }
            helpers.push(written);
            continue;
        }
        let (attributes, visibility) = (&mut written.attrs, parse_quote!(pub));
        let function = function::diagnose(
            &mut problems,
            owner.as_ref(),
            attributes,
            &visibility,
            &mut written.sig,
            &parse_quote!({}),
        );
        uncalled.extend(match &function {
            Some(function) => function.uncalled.clone(),
            None => UncalledFunction::of(owner.as_ref(), &visibility, &written.sig),
        });
        functions.extend(function.map(|function| (k, function)));
    }
    if functions.is_empty() {
        let message =
            "what can a program call? list functions of the type here, as in `fn len(&self) -> usize;`";
        problems.at(&item.ident, message);
    }
    problems.finish()?;
    let foreign = Foreign { of, name: item.ident, visibility: item.vis, attributes: item.attrs, helpers };
    let plain = Plain::Foreign(Box::new(foreign));
    Ok(Contract { plain, functions, invariants, executor, uncalled, name: None, helpers: Vec::new() })
}

/// The type of the trait's name, and what it takes to check its contracts.
pub(super) fn expand(contract: &Contract, foreign: &Foreign) -> TokenStream {
    let Foreign { of, name, visibility, attributes, helpers } = foreign;
    let alias = Ident::new(OF, Span::call_site());
    let prefix = quote!(Self::);
    let checked = contract.functions.iter().map(|(_, function)| checked(contract, function, &prefix));
    let parts = contract.invariants.iter().map(invariant_parts);
    let methods = checked.chain(parts).chain(helpers.iter().map(ToTokens::to_token_stream));
    let methods: TokenStream = methods.chain(contract.executor.helper()).collect();
    let (declared, defined) = match split(&methods) {
        Ok(both) => both,
        Err(error) => return error.into_compile_error(),
    };
    let whole = quote!(::stairway::__private::call_source::path_of::<#name>());
    let calls = listed(
        contract,
        &Names { prefix: &prefix, of: whole, is_foreign: true, executor: &contract.executor },
    );
    let calls = with_alias(calls, &alias);
    let entries = contract.functions.iter().filter_map(|(_, function)| entry(function, &alias));
    quote! {
        #(#attributes)*
        #[derive(Debug)]
        #[allow(dead_code)]
        #visibility struct #name;
        const _: () = {
            #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery)]
            type #alias = #of;
            #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            trait __Contracts: ::core::marker::Sized {
                #(#declared)*
            }
            #[automatically_derived]
            impl __Contracts for #of {
                #(#defined)*
            }
            #[automatically_derived]
            #[allow(dead_code, unreachable_pub, missing_docs, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #name {
                #(#entries)*
            }
            #[automatically_derived]
            impl ::stairway::__private::Contract for #name {
                #calls
            }
        };
    }
}

/// The functions that one function becomes: with its contract, and for programs.
fn checked(contract: &Contract, function: &Function, prefix: &TokenStream) -> TokenStream {
    let Ok(arguments) = arguments(&function.signature) else { return TokenStream::new() };
    let (name, none) = (&function.signature.ident, TokenStream::new());
    let ensured = internal("ensured", name);
    let declared = Some(&function.signature);
    let inner = Name { prefix, name, generics: &none, is_async: function.is_async(), declared };
    let ensured = Name { name: &ensured, declared: None, ..inner };
    let rest = with_ensured(contract, function, &inner, &ensured, &arguments);
    let (requires, quiet, call) = (requires_of(function), quiet(), ensured.call(&arguments));
    let mut signature = function.signature.clone();
    signature.ident = internal("checked", name);
    quote! {
        #quiet
        #signature {
            #(#requires)*
            #call
        }
        #rest
    }
}

/// Methods as a trait declares them, and as the type has them.
pub(super) fn split(methods: &TokenStream) -> Result<(Vec<TraitItemFn>, Vec<ImplItemFn>)> {
    let block: ItemImpl = syn::parse2(quote!(impl __Of { #methods }))?;
    let (mut declared, mut defined) = (Vec::new(), Vec::new());
    for item in block.items {
        let ImplItem::Fn(function) = item else {
            return Err(Error::new_spanned(item, "contracts are about functions: remove this"));
        };
        // What is about bodies says nothing where there is none.
        let attributes =
            function.attrs.iter().filter(|a| a.path().is_ident("cfg") || a.path().is_ident("doc"));
        let mut signature = function.sig.clone();
        for input in &mut signature.inputs {
            match input {
                FnArg::Receiver(receiver) => receiver.mutability = None,
                FnArg::Typed(typed) => match &mut *typed.pat {
                    syn::Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                        name.mutability = None;
                    }
                    pattern => *pattern = parse_quote!(_),
                },
            }
        }
        declared.push(parse_quote!(#(#attributes)* #signature;));
        defined.push(function);
    }
    Ok((declared, defined))
}

/// The function under its own name, for tests that reports print: it checks its contract.
fn entry(function: &Function, of: &Ident) -> Option<TokenStream> {
    let mut signature = function.signature.clone();
    let names = arguments(&signature).ok()?;
    let checked = internal("checked", &signature.ident);
    let this = Ident::new("__this", Span::mixed_site());
    let names = names.into_iter().map(|name| if name == "self" { this.clone() } else { name });
    let awaited = function.is_async().then(|| quote!(.await));
    let call = quote!(#of::#checked(#(#names),*) #awaited);
    let is_method = name_receiver(&mut signature, &this, of);
    if is_method && borrows(&signature.output.to_token_stream()) && is_elided(&signature) {
        name_lifetime(&mut signature);
    }
    let signature = with_alias(signature.to_token_stream(), of);
    Some(quote!(pub #signature { #call }))
}

/// Makes the receiver an ordinary parameter; whether there was one.
fn name_receiver(signature: &mut Signature, this: &Ident, of: &Ident) -> bool {
    let Some(first @ FnArg::Receiver(_)) = signature.inputs.first_mut() else { return false };
    let FnArg::Receiver(receiver) = &*first else { return false };
    *first = match &receiver.kind {
        ReceiverKind::Reference(_, _, None) => parse_quote!(#this: &#of),
        ReceiverKind::Reference(_, _, Some(_)) => parse_quote!(#this: &mut #of),
        _ => parse_quote!(#this: #of),
    };
    true
}

fn is_elided(signature: &Signature) -> bool {
    signature.generics.params.is_empty()
}

/// What the result borrows, it borrows from the first parameter.
fn name_lifetime(signature: &mut Signature) {
    signature.generics = parse_quote!(<'this>);
    if let Some(first) = signature.inputs.first_mut() {
        let tokens = lifetimes(first.to_token_stream());
        *first = parse_quote!(#tokens);
    }
    if let ReturnType::Type(_, ty) = &mut signature.output {
        let tokens = lifetimes(ty.to_token_stream());
        **ty = parse_quote!(#tokens);
    }
}

/// `&'this` for every `&` without a lifetime, and for `'_`.
fn lifetimes(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                out.push(TokenTree::Punct(punct));
                let has_lifetime =
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '\'');
                if !has_lifetime {
                    out.push(TokenTree::Punct(Punct::new('\'', Spacing::Joint)));
                    out.push(TokenTree::Ident(Ident::new("this", Span::call_site())));
                }
            }
            TokenTree::Ident(word)
                if word == "_" && matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '\'') =>
            {
                out.push(TokenTree::Ident(Ident::new("this", word.span())));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), lifetimes(group.stream()));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// The tokens with the type's name in place of `Self`.
fn with_alias(tokens: TokenStream, alias: &Ident) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == "Self" => {
            TokenTree::Ident(Ident::new(&alias.to_string(), word.span()))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), with_alias(group.stream(), alias));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        token => token,
    });
    replaced.collect()
}
