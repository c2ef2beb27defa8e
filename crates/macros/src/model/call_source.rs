//! A model's operations as source text, for the test that a report prints.
//!
//! Expands an operation to a description of the call with the arguments that were drawn. It describes; what
//! is written is for the library to say.

use super::method::{is_lent, is_mentioned};
use super::{Answer, Kind, Model, Op, Parameter};
use crate::attributes;
use crate::property::Draw;
use crate::property::expand::{hidden, imports_source, parameter_source, text};
use crate::source_text;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{GenericParam, Type};

/// The call of the closure `call`, written down to `code` once it is over.
pub(super) fn around(op: &Op, model: &Model, code: &TokenStream, call: &TokenStream) -> TokenStream {
    let (running, passed) = (hidden("__running"), hidden("__passed"));
    let n = n_passed(op);
    let described = described(op, model);
    quote! {{
        let #passed = ::stairway::__private::call_source::passed::<#n>();
        #running.call_written(#code, &#passed, || #described, #call)
    }}
}

/// A whole step by the closures `call` and `answer`, written down where it is shown.
pub(super) fn whole(
    op: &Op,
    model: &Model,
    call: &TokenStream,
    judged: (&TokenStream, &TokenStream),
) -> TokenStream {
    let (running, step, passed) = (hidden("__running"), hidden("__step"), hidden("__passed"));
    let (title, described, (shown, answer)) = (op.name.unraw().to_string(), described(op, model), judged);
    let (n, place) = (n_passed(op), attributes::beside(op.name.span()));
    let written = quote!(|| ::core::option::Option::Some(#described));
    let judged = quote_spanned! {place=>
        #running.answer(#step, #title, (&#passed, #written), #call, #answer, || #shown)
    };
    quote! {
        let #passed = ::stairway::__private::call_source::passed::<#n>();
        #judged
    }
}

/// A whole step that is to end with a panic of the closure `call`, written down where it is shown.
pub(super) fn caught(op: &Op, model: &Model, title: &str, call: &TokenStream) -> TokenStream {
    let (running, step, passed) = (hidden("__running"), hidden("__step"), hidden("__passed"));
    let (n, described) = (n_passed(op), described(op, model));
    quote! {{
        let #passed = ::stairway::__private::call_source::passed::<#n>();
        #running.panics(
            #step, #title, (&#passed, || #described), #call, |answer| ::stairway::__private::show!(answer),
        )
    }}
}

/// How many arguments are passed to the system.
fn n_passed(op: &Op) -> usize {
    op.passed().count()
}

fn described(op: &Op, model: &Model) -> TokenStream {
    let method = op.name.to_string();
    let call = match (&op.options.call, &op.options.call_text) {
        (Some(call), Some(text)) => {
            let names = op.parameters.iter().filter(|p| is_mentioned(&p.name, call.to_token_stream()));
            let names = names.map(|p| p.name.to_string());
            let is_lent = is_lent("system", call.to_token_stream());
            let names = quote!(&[#(#names),*]);
            quote! {
                ::core::option::Option::Some(
                    ::stairway::__private::call_source::WrittenCall { text: #text, mentioned: #names, is_lent: #is_lent },
                )
            }
        }
        _ => quote!(::core::option::Option::None),
    };
    let given = op.parameters.iter().map(|parameter| given(op, parameter, model));
    let follow = match (&op.answer, &model.abstraction) {
        (_, Some(of)) if op.is_relation => {
            let of = format!("::{of}");
            quote!(Abstraction(::stairway::__private::call_source::path_of::<Self>() + #of))
        }
        (Answer::Allowed, _) => quote!(Open),
        _ => quote!(Method(#method)),
    };
    let (is_async, executor) = (op.options.awaits, op.options.executor.text());
    let oracle = match op.oracle() {
        Some(Parameter { name, .. }) => {
            let title = name.to_string();
            quote!(::core::option::Option::Some((#title, ::core::clone::Clone::clone(&#name))))
        }
        None => quote!(::core::option::Option::None),
    };
    let imports = match &op.answer {
        Answer::Equal(ty) => imports_source(ty, &names_inside(model)),
        Answer::Allowed | Answer::Unsaid => quote!(&[]),
    };
    quote! {
        ::stairway::__private::call_source::CallDescription {
            method: #method,
            call: #call,
            given: ::std::vec![#(::stairway::__private::call_source::CallArgument::#given),*],
            follow: ::stairway::__private::call_source::ModelStep::#follow,
            is_async: #is_async,
            executor: #executor,
            imports: #imports,
            oracle: #oracle,
        }
    }
}

fn given(op: &Op, parameter: &Parameter, model: &Model) -> TokenStream {
    let (name, title) = (&parameter.name, parameter.name.to_string());
    match &parameter.kind {
        Kind::Drawn(draw) => {
            let text = type_text(&parameter.ty, model);
            let value = value(name, draw, &parameter.ty, &text, &names_inside(model));
            quote!(Value(#value))
        }
        Kind::Reference(_) => {
            let is_consumed = op.consumes(name);
            quote!(Result { name: #title, step: #name.step(), nth: #name.nth(), is_consumed: #is_consumed })
        }
        Kind::Result => {
            let reference = hidden("__reference");
            quote!(OwnResult(#reference.step(), #reference.nth()))
        }
        Kind::Told => {
            let is_reference = matches!(parameter.ty, Type::Reference(_));
            quote!(Answer(#is_reference))
        }
    }
}

/// A drawn value as the library writes it; `inside` are names that mean nothing elsewhere.
pub(crate) fn value(name: &Ident, draw: &Draw, ty: &Type, text: &str, inside: &[Ident]) -> TokenStream {
    let Draw { owned, is_text, .. } = draw;
    let parameter = parameter_source(&name.to_string(), ty, text, inside);
    let as_text = is_text.then(|| quote!(.as_str()));
    quote! {
        ::stairway::__private::call_source::Value {
            parameter: #parameter,
            text: ::stairway::__private::show!(&#name #as_text),
            lent: ::stairway::__private::lend!(&#name),
            is_source: ::stairway::__private::is_source!(#owned),
        }
    }
}

/// A type as it can be written outside the block, where its type parameters mean nothing.
fn type_text(ty: &Type, model: &Model) -> String {
    if !source_text::names_any(ty.to_token_stream(), &names_inside(model)) {
        return text(ty);
    }
    match ty {
        Type::Reference(reference) if reference.mutability.is_some() => "&mut _".to_string(),
        Type::Reference(_) => "&_".to_string(),
        _ => "_".to_string(),
    }
}

/// Whether the type has arguments, which its constructor does not always determine: `Ring<u8, 4>`.
fn has_arguments(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.iter().any(|segment| !segment.arguments.is_none())
}

/// The names that mean something in the block only.
fn names_inside(model: &Model) -> Vec<Ident> {
    let parameters = model.block.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(ty) => Some(ty.ident.clone()),
        GenericParam::Const(constant) => Some(constant.ident.clone()),
        GenericParam::Lifetime(_) => None,
    });
    parameters.chain([Ident::new("Self", Span::call_site())]).collect()
}

/// How a program begins.
pub(super) fn start(model: &Model) -> TokenStream {
    let start = model.start.name.to_string();
    let inside = names_inside(model);
    let parameters = model
        .start
        .parameters
        .iter()
        .map(|(name, _, ty)| parameter_source(&name.to_string(), ty, &type_text(ty, model), &inside));
    let types = model.start.parameters.iter().map(|(_, draw, _)| &draw.owned);
    let system = model
        .start
        .system
        .as_ref()
        .filter(|(expression, _)| !source_text::names_any(expression.to_token_stream(), &inside));
    let system_source = system.map_or("", |(_, text)| text);
    let mentioned = model.start.parameters.iter().filter(|(name, ..)| {
        system.is_some_and(|(expression, _)| is_mentioned(name, expression.to_token_stream()))
    });
    let mentioned = mentioned.map(|(name, ..)| name.to_string());
    let system = &model.options.system;
    // Elsewhere, nothing says what the type parameters and the arguments are.
    let system_type = if !model.block.generics.params.is_empty() {
        quote!(::stairway::__private::call_source::type_of::<#system>())
    } else if has_arguments(system) {
        let written = text(system);
        quote!(::std::string::String::from(#written))
    } else {
        quote!(::std::string::String::new())
    };
    let (is_async, executor) = (model.start.is_async, model.options.executor.text());
    let of = model.abstraction.as_ref().map_or_else(String::new, ToString::to_string);
    quote! {
        ::stairway::__private::Start {
            model: ::stairway::__private::call_source::path_of::<Self>(),
            start: #start,
            parameters: &[#(#parameters),*],
            is_pasteable: true #(&& ::stairway::__private::is_source!(#types))*,
            system: #system_source,
            system_type: #system_type,
            mentioned: &[#(#mentioned),*],
            of: #of,
            invariants: ::std::vec::Vec::new(),
            is_model_alone: false,
            is_async: #is_async,
            executor: ::std::string::String::from(#executor),
        }
    }
}
