//! The checks around one function.
//!
//! A checked function `f` is a wrapper around `__unchecked_f`, which has the user's body: it checks what `f`
//! requires and goes on to `__ensured_f`, which calls and checks the rest. Programs enter through
//! `__attempt_f`, which gives the arguments back if they are not what `f` requires.

use super::Contract;
use super::Invariant;
use super::clause::{Clause, OldValue};
use super::entry_values::{EntryValues, taken_apart};
use super::function::{Function, KeptResult, Mode, arguments, is_opaque};
use crate::attributes;
use crate::executor;
use crate::operands;
use crate::property::expand::hidden;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, GenericParam, ReturnType, Signature};

/// The name of a function of ours about the function `name`.
pub(super) fn internal(prefix: &str, name: &Ident) -> Ident {
    Ident::new(&format!("__{prefix}_{}", name.unraw()), name.span())
}

/// The lints that our functions need not care for.
pub(super) fn quiet() -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
    }
}

/// What a function becomes: itself, with its checks, and the functions that it needs beside it.
pub(super) fn checked(
    contract: &Contract,
    function: &Function,
    prefix: &TokenStream,
    plain: TokenStream,
) -> (TokenStream, TokenStream) {
    let Ok(arguments) = arguments(&function.signature) else { return (plain, TokenStream::new()) };
    let (name, generics) = (&function.signature.ident, turbofish(&function.signature));
    let unchecked = internal("unchecked", name);
    let is_async = function.is_async();
    let ensured =
        Name { prefix, name: &internal("ensured", name), generics: &generics, is_async, declared: None };
    if function.is_const() {
        let rest = with_ensured(contract, function, &Name { name, ..ensured }, &ensured, &arguments);
        return (plain, rest);
    }
    let unchecked = Name { name: &unchecked, ..ensured };
    let (wrapper, body) = wrapped(function, &unchecked, &ensured, &arguments);
    let rest = with_ensured(contract, function, &unchecked, &ensured, &arguments);
    (wrapper, quote!(#body #rest))
}

/// A function as it is called.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) prefix: &'a TokenStream,
    pub(super) name: &'a Ident,
    pub(super) generics: &'a TokenStream,
    pub(super) is_async: bool,
    /// Whether it is declared here and written elsewhere, so that it may turn out to be async or not.
    pub(super) declared: Option<&'a Signature>,
}

impl Name<'_> {
    pub(super) fn call(&self, arguments: &[Ident]) -> TokenStream {
        let Name { prefix, name, generics, is_async, declared } = self;
        let call = match (declared, arguments) {
            // What a type has by `Deref` is found like this only.
            (Some(_), [receiver, rest @ ..]) if receiver == "self" => {
                quote!(#receiver.#name #generics (#(#rest),*))
            }
            _ => quote!(#prefix #name #generics (#(#arguments),*)),
        };
        let place = attributes::beside(name.span());
        match (declared, is_async) {
            (Some(_), true) => executor::awaited(&call, place),
            (Some(declared), false) if !is_opaque(&declared.output) => {
                let output = match &declared.output {
                    ReturnType::Default => quote!(()),
                    ReturnType::Type(_, ty) => ty.to_token_stream(),
                };
                executor::unawaited(&call, Some(&output), place)
            }
            (_, true) => quote!(#call.await),
            (_, false) => call,
        }
    }
}

/// The function that checks around the user's body, and that body under another name.
fn wrapped(
    function: &Function,
    unchecked: &Name<'_>,
    ensured: &Name<'_>,
    arguments: &[Ident],
) -> (TokenStream, TokenStream) {
    let Function { attributes, visibility, signature, block, .. } = function;
    let of_body = attributes.iter().filter(|a| is_about_bodies(a));
    let of_wrapper = attributes.iter().filter(|a| !a.path().is_ident("expect"));
    let mut body = function.written.clone();
    body.ident = unchecked.name.clone();
    let (plain, checked) = (unchecked.call(arguments), ensured.call(arguments));
    let requires = requires_of(function);
    let checks = match function.is_opaque() {
        true => quote! {
            if ::stairway::__private::contract::is_checking() {
                #(#requires)*
            }
        },
        false => quote! {
            if !::stairway::__private::contract::is_checking() {
                return #plain;
            }
            #(#requires)*
        },
    };
    let wrapper = quote! {
        #(#of_wrapper)*
        #visibility #signature {
            #checks
            #checked
        }
    };
    let body = quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        #(#of_body)*
        #body #block
    };
    (wrapper, body)
}

/// The checks of what a function requires.
pub(super) fn requires_of(function: &Function) -> impl Iterator<Item = TokenStream> {
    let title = function.signature.ident.to_string();
    function.requires.iter().map(move |clause| {
        let Clause { holds, text, operands, .. } = clause;
        let (place, parts) = (holds.span(), operands::listed(operands));
        let apart = taken_apart(function, &[holds]);
        let parts = if apart.is_empty() { parts } else { quote!({ #apart #parts }) };
        quote_spanned! {place=>
            ::stairway::__private::contract::requires(#title, #text, || -> bool { #apart #holds }, || #parts);
        }
    })
}

/// The function that calls `inner` and checks what it ensures, and what programs call.
pub(super) fn with_ensured(
    contract: &Contract,
    function: &Function,
    inner: &Name<'_>,
    ensured: &Name<'_>,
    arguments: &[Ident],
) -> TokenStream {
    let (cfgs, quiet) = (function.cfgs(), quiet());
    let mut signature = function.signature.clone();
    signature.constness = None;
    signature.ident = ensured.name.clone();
    let result = hidden("__result");
    let olds = function.ensures.iter().flat_map(|clause| &clause.olds);
    let olds = olds.map(|OldValue { name, value, copy }| {
        let place = attributes::beside(value.span());
        let copy = copy.as_ref().map(|copy| quote!(let #copy = ::stairway::__private::backup!(&#name);));
        quote_spanned!(place=> let #name = ::stairway::__private::contract::quietly(|| #value); #copy)
    });
    let kept = EntryValues::of(function);
    let title = function.signature.ident.to_string();
    let ensures = function.ensures.iter().map(|clause| {
        let Clause { holds, text, operands, .. } = clause;
        let (place, parts) = (holds.span(), kept.clause(&operands::listed(operands)));
        let holds = kept.clause(holds);
        let name = Ident::new("result", proc_macro2::Span::call_site());
        let check = quote_spanned! {place=>
            ::stairway::__private::contract::ensures(#title, #text, || -> bool { #holds }, || #parts)
        };
        quote! {
            {
                #[allow(unused_variables)]
                let #name = &#result;
                #check;
            }
        }
    });
    let invariants = invariants(contract, function, &title);
    let checks = quote!(#(#ensures)* #invariants);
    // Where the result is opaque, this is called while clauses are evaluated too.
    let checks = match function.is_opaque() {
        true => quote!(if ::stairway::__private::contract::is_checking() { #checks }),
        false => checks,
    };
    let call = inner.call(arguments);
    let EntryValues { before, after, .. } = &kept;
    let attempt = attempt(function, ensured, arguments);
    quote! {
        #quiet
        #(#cfgs)*
        #signature {
            #before
            #(#olds)*
            let #result = #call;
            #after
            #checks
            #result
        }
        #attempt
    }
}

/// Checks the invariants of `value` after the function that `title` names.
pub(super) fn check_invariants(contract: &Contract, title: &TokenStream, value: &TokenStream) -> TokenStream {
    let checks = contract.invariants.iter().map(|Invariant { name, returns, .. }| {
        let text = name.to_string();
        let (place, parts) = (name.span(), parts_of(name));
        let asked = quote_spanned!(place=> Self::#name(#value));
        let (holds, parts) = (returns.holds(&asked), returns.parts(&asked, quote!(Self::#parts(#value))));
        quote_spanned! {place=>
            ::stairway::__private::contract::invariant(#title, #text, || #holds, || #parts);
        }
    });
    quote!(#(#checks)*)
}

/// Checks the invariants of what the function was lent and of what it gives: those of this block, and those
/// that the type has elsewhere.
fn invariants(contract: &Contract, function: &Function, title: &str) -> TokenStream {
    let result = hidden("__result");
    let value = hidden("__value");
    let check = |value: &TokenStream| {
        let own = check_invariants(contract, &title.to_token_stream(), value);
        let others = contract
            .asks_elsewhere()
            .then(|| quote!(::stairway::__private::contract::check_others!(#value, #title);));
        quote!(#own #others)
    };
    if contract.invariants.is_empty() && !contract.asks_elsewhere() {
        return TokenStream::new();
    }
    let lent =
        function.parameters.iter().filter(|p| p.is_owner && p.mode != Mode::Value && !function.holds_self);
    let lent = lent.map(|parameter| {
        let name = &parameter.name;
        check(&quote!(&*#name))
    });
    let given =
        function.output.is_owner.then(|| check(&value.to_token_stream())).map(|check| {
            match &function.output.kept {
                KeptResult::Some(_) => {
                    quote!(if let ::core::option::Option::Some(#value) = &#result { #check })
                }
                KeptResult::Ok(_) => quote!(if let ::core::result::Result::Ok(#value) = &#result { #check }),
                _ => quote!({ let #value = &#result; #check }),
            }
        });
    let returned = function.returns_self().then(|| check(&quote!(&*#result)));
    quote!(#(#lent)* #returned #given)
}

/// The name of the function that shows the operands of an invariant.
fn parts_of(invariant: &Ident) -> Ident {
    internal("parts", invariant)
}

/// The function that shows the operands of an invariant.
pub(super) fn invariant_parts(invariant: &Invariant) -> TokenStream {
    let (name, quiet) = (parts_of(&invariant.name), quiet());
    let parts = operands::listed(&invariant.operands);
    quote! {
        #quiet
        fn #name(&self) -> ::stairway::__private::contract::Parts {
            #parts
        }
    }
}

/// The function that programs call, if they do.
fn attempt(function: &Function, ensured: &Name<'_>, arguments: &[Ident]) -> Option<TokenStream> {
    function.title.as_ref()?;
    let (cfgs, quiet) = (function.cfgs(), quiet());
    let mut signature = function.signature.clone();
    signature.constness = None;
    signature.ident = internal("attempt", &signature.ident);
    let output = match &signature.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => ty.to_token_stream(),
    };
    let taken: Vec<_> = function.parameters.iter().filter(|p| p.mode == Mode::Value).collect();
    let (types, names) = (taken.iter().map(|p| &p.ty), taken.iter().map(|p| &p.name));
    let names = quote!((#(#names,)*));
    signature.output = syn::parse_quote!(-> ::core::result::Result<#output, (#(#types,)*)>);
    let requires = function.requires.iter().map(|clause| {
        let holds = &clause.holds;
        let apart = taken_apart(function, &[holds]);
        quote! {
            if !::stairway::__private::contract::quietly(|| -> bool { #apart #holds }) {
                return ::core::result::Result::Err(#names);
            }
        }
    });
    let call = ensured.call(arguments);
    Some(quote! {
        #quiet
        #(#cfgs)*
        #signature {
            #(#requires)*
            ::core::result::Result::Ok(#call)
        }
    })
}

/// The types and constants that a call has to name.
fn turbofish(signature: &Signature) -> TokenStream {
    let named: Vec<&Ident> = signature
        .generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(ty) => Some(&ty.ident),
            GenericParam::Const(constant) => Some(&constant.ident),
            _ => None,
        })
        .collect();
    if named.is_empty() { TokenStream::new() } else { quote!(::<#(#named),*>) }
}

impl Function {
    pub(super) fn cfgs(&self) -> Vec<&Attribute> {
        self.attributes.iter().filter(|a| a.path().is_ident("cfg")).collect()
    }
}

/// Whether an attribute is about the body of a function rather than about its callers.
fn is_about_bodies(attribute: &Attribute) -> bool {
    const ABOUT_BODIES: [&str; 7] = ["cfg", "allow", "expect", "warn", "deny", "inline", "track_caller"];
    ABOUT_BODIES.iter().any(|name| attribute.path().is_ident(name))
}
