//! The calls of programs: for each function, what is drawn for it, how it is made, and what is kept of its
//! answer.

use super::Contract;
use super::checks::internal;
use super::function::{Function, KeptResult, Mode, Parameter, UncalledFunction};
use crate::attributes;
use crate::executor::Executor;
use crate::property::expand::hidden;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// How the functions of a contract are reached.
pub(super) struct Names<'a> {
    pub(super) prefix: &'a TokenStream,
    /// An expression of what they belong to, as it is written in a test.
    pub(super) of: TokenStream,
    /// Whether a test calls them through the contract rather than by themselves.
    pub(super) is_foreign: bool,
    /// Who runs the async ones.
    pub(super) executor: &'a Executor,
}

/// The list of what programs call.
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
    quote! {
        #helper
        let mut #calls = ::std::vec::Vec::new();
        #(#callable)*
        #calls
    }
}

/// The function that lists what programs do not call.
pub(super) fn uncalled(contract: &Contract) -> TokenStream {
    let uncalled = contract.uncalled.iter().map(|UncalledFunction { title, why }| quote!((#title, #why)));
    quote! {
        fn uncalled() -> ::std::vec::Vec<(&'static str, &'static str)> {
            ::std::vec![#(#uncalled),*]
        }
    }
}

/// Both functions, as the library's trait has them.
pub(super) fn listed(contract: &Contract, names: &Names<'_>) -> TokenStream {
    let (calls, uncalled) = (calls(contract, names), uncalled(contract));
    quote! {
        #uncalled
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        fn calls() -> ::std::vec::Vec<::stairway::__private::contract::Call> { #calls }
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
        let (show, is_source) = match &parameter.closure {
            Some(closure) => closure.shown(),
            None => (shown_argument(parameter), quote!(::stairway::__private::is_source!(#ty))),
        };
        let draw = match &parameter.closure {
            Some(closure) => {
                let site = closure.is_pointer().then(|| site_of(title, parameter));
                let site = site.map_or(quote!(None), |site| quote!(Some(#site)));
                quote!(draw_function(#step, #name, ::core::option::Option::#site, &#described, (#show, #is_source)))
            }
            None => quote!(draw(#held, #step, #name, &#described, (#show, #is_source))),
        };
        quote! {
            let ::core::option::Option::Some(mut #slot) = #drawn.#draw? else {
                return ::core::result::Result::Ok(::stairway::__private::StepOutcome::Refused);
            };
        }
    });
    let lends = slots.iter().map(|slot| quote!(#slot.lend(#held);));
    let passed = both().map(|(parameter, slot)| match (parameter.mode, &parameter.closure) {
        (_, Some(closure)) => closure.passed(slot, &site_of(title, parameter)).1,
        (Mode::Value, _) => quote!(#slot.take()),
        (Mode::Mutable, _) => quote!(#slot.mutable()),
        (Mode::Lasting | Mode::LastingText, _) => quote!(#slot.lasting()),
        _ => quote!(#slot.shared(#held)),
    });
    let made = both().filter_map(|(parameter, slot)| {
        Some(parameter.closure.as_ref()?.passed(slot, &site_of(title, parameter)).0)
    });
    let taken: Vec<&Ident> = both().filter(|(p, _)| p.mode == Mode::Value).map(|(_, slot)| slot).collect();
    let values: Vec<Ident> = (0..taken.len()).map(|k| hidden(&format!("__value_{k}"))).collect();
    let settle: Vec<TokenStream> = slots.iter().map(|slot| quote!(#slot.settle(#held, #step);)).collect();
    let attempt = internal("attempt", &function.signature.ident);
    let attempted = quote!(#prefix #attempt(#(#passed),*));
    let attempted = if function.is_async() { names.executor.run(prefix, &attempted) } else { attempted };
    // How a function is shown is known when it was called, however that ends.
    let takes_functions = function.parameters.iter().any(|parameter| parameter.closure.is_some());
    let watched = takes_functions.then(|| quote!(let _watched = #drawn.watch(#step);));
    let show = (!function.output.is_unit).then(|| {
        quote! {
            ::stairway::__private::show_result(
                #step,
                ::stairway::__private::has_text!(&#result),
                || ::stairway::__private::show!(&#result),
            );
            if let ::core::option::Option::Some(source) = ::stairway::__private::step_source::of_running(#step) {
                source.answer = ::stairway::__private::write!(&#result);
            }
        }
    });
    let written = written(function, names);
    let (keep, gives) = keep(function, &held, &step, &result);
    // What borrows from an argument goes before the argument does.
    let gone = gives.is_none().then(|| quote!(::core::mem::drop(#result);));
    let (answer, refused) = (hidden("__answer"), hidden("__refused"));
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
            #(#made)*
            let (#answer, #refused) = ::stairway::__private::contract::part({
                #watched
                #attempted
            });
            if ::core::option::Option::is_none(&#answer) {
                ::core::mem::drop(#answer);
                if let ::core::option::Option::Some((#(#values,)*)) = #refused {
                    #(#taken.refuse(#values);)*
                }
                #(#settle)*
                return ::core::result::Result::Ok(::stairway::__private::StepOutcome::Refused);
            }
            let #result = ::core::option::Option::unwrap(#answer);
            #show
            #gone
            #(#settle)*
            #keep
            ::core::result::Result::Ok(::stairway::__private::StepOutcome::Done)
        })
        #(#takes)*
        #gives
    }
}

/// The place that takes a function, by name.
fn site_of(title: &str, parameter: &Parameter) -> String {
    format!("{title}({})", parameter.name)
}

/// The call as source: whose function it is, its name, how what is kept is got from its answer, and
/// whether it has a receiver.
fn written(function: &Function, names: &Names<'_>) -> TokenStream {
    let of = &names.of;
    let name = function.signature.ident.to_string();
    let is_method = function.signature.receiver().is_some() && !names.is_foreign;
    let executor = match (function.is_async(), names.executor.text()) {
        (false, _) => String::new(),
        (true, text) if text.is_empty() => "stairway::block_on".to_string(),
        (true, text) => text,
    };
    quote!(|| #of, (#name, #is_method), #executor)
}

/// Keeps the result, and says of which type it is.
fn keep(
    function: &Function,
    held: &Ident,
    step: &Ident,
    result: &Ident,
) -> (TokenStream, Option<TokenStream>) {
    let value = hidden("__value");
    let (keep, ty) = match &function.output.kept {
        KeptResult::Nothing => return (TokenStream::new(), None),
        KeptResult::All(ty) => (quote!(#held.keep(#step, #result, "");), ty),
        KeptResult::Some(ty) => {
            let keep = quote!(#held.keep(#step, #value, ".unwrap()"););
            (quote!(if let ::core::option::Option::Some(#value) = #result { #keep }), ty)
        }
        KeptResult::Ok(ty) => {
            // The error may not be one that can be shown.
            let keep = quote!(#held.keep(#step, #value, ".ok().unwrap()"););
            (quote!(if let ::core::result::Result::Ok(#value) = #result { #keep }), ty)
        }
    };
    (keep, Some(quote!(.gives::<#ty>())))
}

/// How a drawn argument is shown: as the call takes it.
fn shown_argument(parameter: &Parameter) -> TokenStream {
    let signed = |sign: &str| {
        quote!(|value| ::stairway::__private::call_source::signed(
            #sign,
            &::stairway::__private::show!(value),
            ::stairway::__private::lend!(value).is_loose
        ))
    };
    match parameter.mode {
        Mode::Value | Mode::Lasting | Mode::Function => {
            quote!(|value| ::stairway::__private::show!(value))
        }
        Mode::Text | Mode::LastingText => quote!(|value| ::stairway::__private::lend!(value).text),
        Mode::Shared => signed("&"),
        Mode::Mutable => signed("&mut "),
    }
}

/// The parameter as the library wants to know it.
fn described(parameter: &Parameter) -> TokenStream {
    let Parameter { ty, mode, generator, .. } = parameter;
    let mode = match mode {
        Mode::Value => quote!(Value),
        Mode::Shared => quote!(Shared),
        Mode::Text => quote!(Text),
        Mode::Mutable => quote!(Mutable),
        Mode::Lasting => quote!(Lasting),
        Mode::LastingText => quote!(LastingText),
        Mode::Function => quote!(Function),
    };
    match generator {
        None => quote!(::stairway::__private::contract::parameter!(#ty, #mode)),
        Some(generator) => {
            let drawn = attributes::generator_of(ty, Some(generator));
            quote!(::stairway::__private::contract::parameter!(#ty, #mode, |choices| choices.draw(#drawn)))
        }
    }
}
