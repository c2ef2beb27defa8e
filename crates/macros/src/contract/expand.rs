//! What a contract becomes: the plain block, the checked one, and the calls of programs.
//!
//! Contracts arrive here without mistakes. A checked function `f` is a wrapper around `__unchecked_f`, which
//! has the user's body: it checks what `f` requires and goes on to `__ensured_f`, which calls and checks the
//! rest. Programs enter through `__attempt_f`, which gives the arguments back if they are not what `f`
//! requires.

use super::clause::{Clause, Old};
use super::function::Uncalled;
use super::function::{Function, Kept, Mode, Parameter, arguments};
use super::{Contract, Invariant, Plain};
use crate::attributes;
use crate::executor::Executor;
use crate::operands;
use crate::property::expand::hidden;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, GenericParam, ImplItem, Item, ItemImpl, ItemMod, ReturnType, Signature};

/// All of it.
pub(super) fn expand(contract: &Contract) -> TokenStream {
    match &contract.plain {
        Plain::Block(block) => expand_block(contract, block),
        Plain::Module(module) => expand_module(contract, module),
        Plain::Foreign(foreign) => super::foreign::expand(contract, foreign),
    }
}

fn expand_block(contract: &Contract, block: &ItemImpl) -> TokenStream {
    let ItemImpl { attrs, generics, self_ty, items, .. } = block;
    let (with_generics, _, bounds) = generics.split_for_impl();
    let prefix = quote!(Self::);
    let items = items.iter().enumerate().map(|(k, item)| match (function_at(contract, k), item) {
        (Some(function), ImplItem::Fn(item)) => checked(contract, function, &prefix, item.to_token_stream()),
        (_, item) => item.to_token_stream(),
    });
    let parts = contract.invariants.iter().map(invariant_parts);
    let executor = contract.executor.helper();
    // What programs do with values of a type that is still open.
    let able = [
        quote!(::stairway::Arbitrary),
        quote!(::core::clone::Clone),
        quote!(::core::fmt::Debug),
        quote!('static),
    ];
    let able = able.iter().fold(generics.clone(), |generics, bound| attributes::bounded(&generics, bound));
    let (with_able, _, able_bounds) = able.split_for_impl();
    let of = quote!(::stairway::__private::call_source::path_of::<Self>());
    let calls =
        calls(contract, &Names { prefix: &prefix, of: &of, is_foreign: false, executor: &contract.executor });
    // The constant is there for its lint level, which must be around a `cfg` to reach it.
    quote! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(not(any(test, stairway)))]
            #block
            #[cfg(any(test, stairway))]
            #(#attrs)*
            impl #with_generics #self_ty #bounds {
                #(#items)*
                #(#parts)*
                #executor
            }
            #[cfg(any(test, stairway))]
            #[automatically_derived]
            impl #with_able ::stairway::__private::Contract for #self_ty #able_bounds {
                #calls
            }
        };
    }
}

fn expand_module(contract: &Contract, module: &ItemMod) -> TokenStream {
    let ItemMod { attrs, vis, ident, content, .. } = module;
    let plain = content.as_ref().map_or(&[][..], |(_, items)| items);
    let prefix = TokenStream::new();
    let items = plain.iter().enumerate().map(|(k, item)| match (function_at(contract, k), item) {
        (Some(function), Item::Fn(item)) => {
            let checked = only_in_tests(checked(contract, function, &prefix, item.to_token_stream()));
            quote!(#[cfg(not(any(test, stairway)))] #item #checked)
        }
        (_, item) => item.to_token_stream(),
    });
    let name = ident.to_string();
    let of = quote!(::std::string::String::from(#name));
    let executor = contract.executor.helper().map(|helper| quote!(#[cfg(any(test, stairway))] #helper));
    let calls =
        calls(contract, &Names { prefix: &prefix, of: &of, is_foreign: false, executor: &contract.executor });
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

fn function_at(contract: &Contract, k: usize) -> Option<&Function> {
    contract.functions.iter().find(|(at, _)| *at == k).map(|(_, function)| function)
}

/// The lints that our functions need not care for.
pub(super) fn quiet() -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
    }
}

/// The functions that one function becomes.
fn checked(
    contract: &Contract,
    function: &Function,
    prefix: &TokenStream,
    plain: TokenStream,
) -> TokenStream {
    let Ok(arguments) = arguments(&function.signature) else { return plain };
    let (name, generics) = (&function.signature.ident, turbofish(&function.signature));
    let unchecked = format_ident!("__unchecked_{name}");
    let is_async = function.is_async();
    let ensured = Name { prefix, name: &format_ident!("__ensured_{name}"), generics: &generics, is_async };
    if function.is_const() {
        let rest = with_ensured(contract, function, &Name { name, ..ensured }, &ensured, &arguments);
        return quote!(#plain #rest);
    }
    let unchecked = Name { name: &unchecked, ..ensured };
    let wrapped = wrapped(function, &unchecked, &ensured, &arguments);
    let rest = with_ensured(contract, function, &unchecked, &ensured, &arguments);
    quote!(#wrapped #rest)
}

/// A function as it is called.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) prefix: &'a TokenStream,
    pub(super) name: &'a Ident,
    pub(super) generics: &'a TokenStream,
    pub(super) is_async: bool,
}

/// How the functions of a contract are reached.
pub(super) struct Names<'a> {
    pub(super) prefix: &'a TokenStream,
    /// An expression of what they belong to, as it is written in a test.
    pub(super) of: &'a TokenStream,
    /// Whether a test calls them through the contract rather than by themselves.
    pub(super) is_foreign: bool,
    /// Who runs the async ones.
    pub(super) executor: &'a Executor,
}

impl Name<'_> {
    pub(super) fn call(&self, arguments: &[Ident]) -> TokenStream {
        let Name { prefix, name, generics, is_async } = self;
        let awaited = is_async.then(|| quote!(.await));
        quote!(#prefix #name #generics (#(#arguments),*) #awaited)
    }
}

/// The user's body under another name, and the function that checks around it.
fn wrapped(
    function: &Function,
    unchecked: &Name<'_>,
    ensured: &Name<'_>,
    arguments: &[Ident],
) -> TokenStream {
    let Function { attributes, visibility, signature, block, .. } = function;
    let of_body = attributes.iter().filter(|a| is_about_bodies(a));
    let of_wrapper = attributes.iter().filter(|a| !a.path().is_ident("expect"));
    let mut body = function.written.clone();
    body.ident = unchecked.name.clone();
    let (plain, checked) = (unchecked.call(arguments), ensured.call(arguments));
    let requires = requires_of(function);
    quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        #(#of_body)*
        #body #block
        #(#of_wrapper)*
        #visibility #signature {
            if !::stairway::__private::contract::is_checking() {
                return #plain;
            }
            #(#requires)*
            #checked
        }
    }
}

/// The checks of what a function requires.
pub(super) fn requires_of(function: &Function) -> impl Iterator<Item = TokenStream> {
    let title = function.signature.ident.to_string();
    function.requires.iter().map(move |clause| {
        let Clause { holds, text, operands, .. } = clause;
        let (place, parts) = (holds.span(), operands::listed(operands));
        quote_spanned! {place=>
            ::stairway::__private::contract::requires(#title, #text, || -> bool { #holds }, || #parts);
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
    let olds = olds.map(|Old { name, value, copy }| {
        let place = attributes::beside(value.span());
        let copy = copy.as_ref().map(|copy| quote!(let #copy = ::stairway::__private::backup!(&#name);));
        quote_spanned!(place=> let #name = ::stairway::__private::contract::quietly(|| #value); #copy)
    });
    let title = function.signature.ident.to_string();
    let ensures = function.ensures.iter().map(|clause| {
        let Clause { holds, text, operands, .. } = clause;
        let (place, parts) = (holds.span(), operands::listed(operands));
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
    let call = inner.call(arguments);
    let attempt = attempt(function, ensured, arguments);
    quote! {
        #quiet
        #(#cfgs)*
        #signature {
            #(#olds)*
            let #result = #call;
            #(#ensures)*
            #invariants
            #result
        }
        #attempt
    }
}

/// Checks the invariants of what the function was lent and of what it gives.
fn invariants(contract: &Contract, function: &Function, title: &str) -> TokenStream {
    let result = hidden("__result");
    let value = hidden("__value");
    let check = |value: &TokenStream| {
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
    };
    if contract.invariants.is_empty() {
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
                Kept::Some(_) => quote!(if let ::core::option::Option::Some(#value) = &#result { #check }),
                Kept::Ok(_) => quote!(if let ::core::result::Result::Ok(#value) = &#result { #check }),
                _ => quote!({ let #value = &#result; #check }),
            }
        });
    quote!(#(#lent)* #given)
}

/// The name of the function that shows the operands of an invariant.
fn parts_of(invariant: &Ident) -> Ident {
    format_ident!("__parts_{invariant}")
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
    signature.ident = format_ident!("__attempt_{}", signature.ident);
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
        quote! {
            if !::stairway::__private::contract::quietly(|| -> bool { #holds }) {
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
    fn cfgs(&self) -> Vec<&Attribute> {
        self.attributes.iter().filter(|a| a.path().is_ident("cfg")).collect()
    }
}

/// Whether an attribute is about the body of a function rather than about its callers.
fn is_about_bodies(attribute: &Attribute) -> bool {
    const ABOUT_BODIES: [&str; 7] = ["cfg", "allow", "expect", "warn", "deny", "inline", "track_caller"];
    ABOUT_BODIES.iter().any(|name| attribute.path().is_ident(name))
}

/// The function that lists what programs call.
pub(super) fn calls(contract: &Contract, names: &Names<'_>) -> TokenStream {
    let calls = hidden("__calls");
    let callable = contract.functions.iter().filter_map(|(_, function)| {
        let call = call(function, function.title.as_ref()?, names);
        let cfgs = function.cfgs();
        Some(quote!(#(#cfgs)* #calls.push(#call);))
    });
    let parameters = contract.functions.iter().flat_map(|(_, function)| &function.parameters);
    let names_generators = parameters.into_iter().any(|parameter| parameter.generator.is_some());
    let helper = names_generators.then(attributes::drawn_from_helper);
    let uncalled = contract.uncalled.iter().map(|Uncalled { title, why }| quote!((#title, #why)));
    quote! {
        fn uncalled() -> ::std::vec::Vec<(&'static str, &'static str)> {
            ::std::vec![#(#uncalled),*]
        }
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        fn calls() -> ::std::vec::Vec<::stairway::__private::contract::Call> {
            #helper
            let mut #calls = ::std::vec::Vec::new();
            #(#callable)*
            #calls
        }
    }
}

/// One call, as data.
fn call(function: &Function, title: &str, names: &Names<'_>) -> TokenStream {
    let prefix = names.prefix;
    let (held, step, drawn, result) =
        (hidden("__held"), hidden("__step"), hidden("__drawn"), hidden("__result"));
    let slots: Vec<Ident> =
        (0..function.parameters.len()).map(|k| hidden(&format!("__argument_{k}"))).collect();
    let both = || function.parameters.iter().zip(&slots);
    let draws = both().map(|(parameter, slot)| {
        let (name, described, ty) = (parameter.name.to_string(), described(parameter), &parameter.ty);
        quote! {
            let ::core::option::Option::Some(mut #slot) = #drawn.draw(
                #held, #step, #name, &#described,
                (|value| ::stairway::__private::show!(value), ::stairway::__private::is_source!(#ty)),
            )? else {
                return ::core::result::Result::Ok(::stairway::__private::Stepped::Refused);
            };
        }
    });
    let lends = slots.iter().map(|slot| quote!(#slot.lend(#held);));
    let passed = both().map(|(parameter, slot)| match parameter.mode {
        Mode::Value => quote!(#slot.take()),
        Mode::Shared => quote!(#slot.shared()),
        Mode::Mutable => quote!(#slot.mutable()),
    });
    let taken: Vec<&Ident> = both().filter(|(p, _)| p.mode == Mode::Value).map(|(_, slot)| slot).collect();
    let values: Vec<Ident> = (0..taken.len()).map(|k| hidden(&format!("__value_{k}"))).collect();
    let settle: Vec<TokenStream> = slots.iter().map(|slot| quote!(#slot.settle(#held);)).collect();
    let attempt = format_ident!("__attempt_{}", function.signature.ident);
    let attempted = quote!(#prefix #attempt(#(#passed),*));
    let attempted = if function.is_async() { names.executor.run(prefix, &attempted) } else { attempted };
    let show = (!function.output.is_unit).then(|| {
        quote! {
            ::stairway::__private::show_result(#step, || ::stairway::__private::show!(&#result));
            if let ::core::option::Option::Some(source) = ::stairway::__private::step_source::of_running(#step) {
                source.answer = ::stairway::__private::write!(&#result);
            }
        }
    });
    let written = written(function, names);
    let (keep, gives) = keep(function, &held, &step, &result);
    let takes = function.parameters.iter().map(|parameter| {
        let described = described(parameter);
        quote!(.takes(&#described))
    });
    quote! {
        ::stairway::__private::contract::Call::new(#title, |#held, #step| {
            let mut #drawn = ::stairway::__private::contract::Arguments::default();
            #(#draws)*
            #drawn.write(#step, #written);
            #(#lends)*
            match #attempted {
                ::core::result::Result::Err((#(#values,)*)) => {
                    #(#taken.refuse(#values);)*
                    #(#settle)*
                    ::core::result::Result::Ok(::stairway::__private::Stepped::Refused)
                }
                ::core::result::Result::Ok(#result) => {
                    #show
                    #(#settle)*
                    #keep
                    ::core::result::Result::Ok(::stairway::__private::Stepped::Done)
                }
            }
        })
        #(#takes)*
        #gives
    }
}

/// The call as source: whose function it is, its name, how what is kept is got from its answer, and
/// whether it has a receiver.
fn written(function: &Function, names: &Names<'_>) -> TokenStream {
    let of = names.of;
    let name = function.signature.ident.to_string();
    let kept = match &function.output.kept {
        Kept::Nothing => quote!(::core::option::Option::None),
        Kept::All(_) => quote!(::core::option::Option::Some("")),
        Kept::Some(_) => quote!(::core::option::Option::Some(".unwrap()")),
        // The error may not be one that can be shown.
        Kept::Ok(_) => quote!(::core::option::Option::Some(".ok().unwrap()")),
    };
    let is_method = function.signature.receiver().is_some() && !names.is_foreign;
    let executor = match (function.is_async(), names.executor.text()) {
        (false, _) => String::new(),
        (true, text) if text.is_empty() => "stairway::block_on".to_string(),
        (true, text) => text,
    };
    quote!(|| #of, (#name, #kept, #is_method), #executor)
}

/// Keeps the result, and says of which type it is.
fn keep(
    function: &Function,
    held: &Ident,
    step: &Ident,
    result: &Ident,
) -> (TokenStream, Option<TokenStream>) {
    let value = hidden("__value");
    let keep = quote!(#held.keep(#step, #value););
    match &function.output.kept {
        Kept::Nothing => (TokenStream::new(), None),
        Kept::All(ty) => (quote!(#held.keep(#step, #result);), Some(quote!(.gives::<#ty>()))),
        Kept::Some(ty) => (
            quote!(if let ::core::option::Option::Some(#value) = #result { #keep }),
            Some(quote!(.gives::<#ty>())),
        ),
        Kept::Ok(ty) => (
            quote!(if let ::core::result::Result::Ok(#value) = #result { #keep }),
            Some(quote!(.gives::<#ty>())),
        ),
    }
}

/// The parameter as the library wants to know it.
fn described(parameter: &Parameter) -> TokenStream {
    let Parameter { ty, mode, generator, .. } = parameter;
    let mode = match mode {
        Mode::Value => quote!(Value),
        Mode::Shared => quote!(Shared),
        Mode::Mutable => quote!(Mutable),
    };
    match generator {
        None => quote!(::stairway::__private::contract::parameter!(#ty, #mode)),
        Some(generator) => {
            let drawn = attributes::generator_of(ty, Some(generator));
            quote!(::stairway::__private::contract::parameter!(#ty, #mode, |choices| choices.draw(#drawn)))
        }
    }
}
