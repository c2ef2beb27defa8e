//! What a model becomes: the user's block, helpers that have a `self`, and `stairway::Model`.
//!
//! Models arrive here without mistakes. Expressions over `self` become hidden methods of the model, because
//! only there does `self` mean what the user meant.

use super::method::{is_lent, is_mentioned, mentions_self};
use super::{Answer, Kind, Model, Observer, Op, Parameter, Start, call_source, step};
use crate::attributes;
use crate::property::Borrow;
use crate::property::expand::{self as property, hidden};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, Type};

/// The block and the implementation of `Model`.
pub(crate) fn expand(model: &Model) -> TokenStream {
    let block = block(model);
    let specification = specification(model);
    quote! {
        #block
        #specification
    }
}

/// The name of the hidden method that holds an expression of an operation.
pub(crate) fn helper(what: &str, op: &Ident) -> Ident {
    format_ident!("__{what}_{}", op.unraw())
}

/// The user's block with its helpers and `check`.
fn block(model: &Model) -> TokenStream {
    let mut block = model.block.clone();
    let helpers = model.ops.iter().flat_map(helpers).chain(model.invariants.iter().map(invariant_parts));
    let laws = model.ops.iter().filter_map(|op| step::law(op, model));
    let title = &model.title;
    let check = format!("Checks the system against `{title}`; panics with a report if they disagree.");
    let checker = format!("A checker of the system against `{title}`, for settings of its own.");
    let executor = model.options.executor.helper();
    let extra = quote! {
        #executor
        #(#helpers)*
        #(#laws)*

        #[doc = #check]
        #[allow(dead_code, unreachable_pub)]
        pub fn check() {
            Self::checker().run();
        }

        #[doc = #checker]
        #[allow(dead_code, unreachable_pub)]
        pub fn checker() -> ::stairway::__private::ModelChecker<Self> {
            <Self as ::stairway::Model>::methods().checker()
        }
    };
    block.items.push(syn::ImplItem::Verbatim(extra));
    quote!(#block)
}

/// The hidden method that shows the operands of an invariant.
fn invariant_parts(invariant: &Observer) -> TokenStream {
    let Observer { parameters, operands, .. } = invariant;
    let (name, parts) = (helper("parts", &invariant.name), crate::operands::listed(operands));
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, unused_variables, clippy::all, clippy::pedantic)]
        fn #name(&self, #parameters) -> ::stairway::__private::contract::Parts {
            #parts
        }
    }
}

fn helpers(op: &Op) -> Vec<TokenStream> {
    let mut found = Vec::new();
    if let Answer::Equal(ty) = &op.answer
        && !matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty())
    {
        // What a law binds to a value has the type of the answer it stands for.
        let name = helper("answer", &op.name);
        found.push(quote! {
            #[doc(hidden)]
            #[allow(dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            pub fn #name(answer: #ty) -> #ty {
                answer
            }
        });
    }
    let mut add = |what: &str, parameters: &[&Parameter], output: TokenStream, body: &Expr| {
        let name = helper(what, &op.name);
        let given: Vec<&Ident> = parameters.iter().map(|p| &p.name).collect();
        let parameters = parameters.iter().map(|Parameter { name, ty, .. }| quote!(#name: #ty));
        let parameters = quote!(#(#parameters),*);
        found.push(quote! {
            #[doc(hidden)]
            #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::trivially_copy_pass_by_ref)]
            fn #name(&self, #parameters) -> #output {
                #body
            }
        });
        // Lent for changes, a condition that makes some gets an error of ours. What is made of the whole of `self`
        // depends on how it is lent.
        let tokens = body.to_token_stream();
        if what != "weight" && mentions_self(body) && !is_lent("self", tokens) {
            let name = helper(&format!("{what}_looks"), &op.name);
            let looks = quote_spanned! {body.span()=>
                ::stairway::__private::contract::looks_only(|| -> bool {
                    #(let #given = ::stairway::__private::contract::another(&#given);)*
                    #body
                })
            };
            found.push(quote! {
                #[doc(hidden)]
                #[allow(dead_code, clippy::all, clippy::pedantic)]
                fn #name(&mut self, #parameters) {
                    #looks
                }
            });
        }
    };
    if let Some(possible) = &op.possible {
        add("possible", &[], quote!(bool), possible);
    }
    if let Some((accepts, names)) = &op.accepts {
        let mentioned: Vec<_> = op.parameters.iter().filter(|p| names.contains(&p.name)).collect();
        add("requires", &mentioned, quote!(bool), accepts);
    }
    if let Some(panics) = &op.options.panics {
        let is_given = |p: &&Parameter| is_mentioned(&p.name, panics.to_token_stream());
        let mentioned: Vec<_> = op.parameters.iter().filter(is_given).collect();
        add("panics", &mentioned, quote!(bool), panics);
    }
    if let Some(weight) = op.options.weight.as_ref().filter(|weight| !is_number(weight)) {
        add("weight", &[], quote!(u32), weight);
    }
    found.extend(op.parameters.iter().filter_map(|parameter| from_method(op, parameter)));
    found
}

/// The name of the hidden method that draws a parameter from the model's state.
pub(crate) fn from_helper(op: &Op, parameter: &Parameter) -> Ident {
    format_ident!("__from_{}_{}", op.name.unraw(), parameter.name.unraw())
}

/// The hidden method that draws a parameter from the model's state; without a step, it says whether there is
/// something to draw. In a method `self` means what the user meant.
fn from_method(op: &Op, parameter: &Parameter) -> Option<TokenStream> {
    let (generator, ty) = step::sees_model(parameter)?;
    let (name, step) = (from_helper(op, parameter), hidden("__step"));
    let place = attributes::place_of(ty, Some(generator));
    let (drawn_from, imprint) =
        (attributes::drawn_from_helper(), quote!(::stairway::__private::imprint_of!(#ty)));
    let earlier = step::earlier(op, parameter).into_iter().map(|(name, ty)| quote!(, #name: #ty));
    let generator = attributes::generator_of(ty, Some(generator));
    let body = quote_spanned!(place=> ::stairway::__private::from_state(#step, &#generator, #imprint));
    Some(quote! {
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        fn #name(
            &self,
            #step: ::core::option::Option<&mut ::stairway::__private::Step<'_, '_>>
            #(#earlier)*
        ) -> ::stairway::Checked<::stairway::__private::Offer<#ty>> {
            #drawn_from
            #body
        }
    })
}

fn is_number(expression: &Expr) -> bool {
    matches!(expression, Expr::Lit(ExprLit { lit: Lit::Int(_), .. }))
}

fn specification(model: &Model) -> TokenStream {
    let (generics, _, clause) = model.block.generics.split_for_impl();
    let (ty, system, title) = (&model.block.self_ty, &model.options.system, &model.title);
    let generators = model.ops.iter().flat_map(|op| op.parameters.iter().map(|p| &p.kind));
    let names_generators = generators
        .filter_map(|kind| if let Kind::Drawn(draw) = kind { Some(draw) } else { None })
        .chain(model.start.parameters.iter().map(|(_, draw, _)| draw))
        .any(|draw| draw.generator.is_some());
    let drawn_from = names_generators.then(attributes::drawn_from_helper);
    let (start, methods) = (start(model), model.ops.iter().map(|op| method(op, model)));
    let traits = traits(model);
    let source = call_source::start(model);
    let rest = rest(model);
    let name = if model.block.generics.params.is_empty() {
        quote!(::core::concat!(::core::module_path!(), "::", #title))
    } else {
        // One block, several models: each has a name of its own.
        quote!(::core::any::type_name::<Self>())
    };
    // The shape is the macro's, not the user's.
    quote! {
        #[automatically_derived]
        #[allow(unused_mut, unused_variables, clippy::all, clippy::pedantic, clippy::nursery)]
        impl #generics ::stairway::Model for #ty #clause {
            type System = #system;

            fn methods() -> ::stairway::__private::ModelBuilder<Self, #system> {
                #drawn_from
                let name = #name;
                ::stairway::__private::ModelBuilder::<Self, #system>::raw(::std::string::String::from(name), #traits, #start)
                    .source(#source)
                    #(.method(#methods))*
                    #rest
            }
        }
    }
}

/// What is said of the whole model rather than of one operation.
fn rest(model: &Model) -> TokenStream {
    let (seen, system) = (hidden("__model"), hidden("__system"));
    let invariants = model.invariants.iter().map(|invariant| {
        let (asked, title) = (invariant.asked(&seen, &system), invariant.name.unraw().to_string());
        let parts = helper("parts", &invariant.name);
        let (holds, returns) = (invariant.returns.holds(&asked), invariant.returns.told());
        let of_system = invariant.sees_system.then_some(&system);
        let parts = invariant.returns.parts(&asked, quote!(#seen.#parts(#of_system)));
        if invariant.sees_system {
            quote! {
                .invariant(#title, |#seen, #system| #holds)
                .invariant_parts(|#seen, #system| #parts)
                #returns
            }
        } else {
            quote!(.model_invariant(#title, |#seen| #holds).invariant_parts(|#seen, _| #parts) #returns)
        }
    });
    let covers = model.covers.iter().map(|(percent, cover)| {
        let (asked, title) = (cover.asked(&seen, &system), cover.name.unraw().to_string());
        quote!(.cover(#title, #percent, |#seen, #system| #asked))
    });
    let terminal = (!model.terminals.is_empty()).then(|| {
        let asked = model.terminals.iter().map(|terminal| terminal.asked(&seen, &system));
        quote!(.terminal(|#seen| #(#asked)||*))
    });
    let may_be_stuck = model.options.may_be_stuck.then(|| quote!(.may_be_stuck()));
    let global = model.options.is_global.then(|| quote!(.global()));
    let abstraction = model.abstraction.as_ref().map(|of| quote!(.abstraction(|#system| Self::#of(#system))));
    let finish = model.cleanup.as_ref().map(|cleanup| {
        let (running, case, end) = (hidden("__running"), hidden("__case"), step::end(cleanup, model));
        quote!(.cleanup(|#running, #case| { #end }))
    });
    quote! {
        #(#invariants)*
        #(#covers)*
        #terminal
        #may_be_stuck
        #global
        #abstraction
        #finish
    }
}

/// What the types of the model and the system can do.
fn traits(model: &Model) -> TokenStream {
    let system = &model.options.system;
    let fingerprint = match &model.fingerprint {
        Some(of) => quote! {
            ::core::option::Option::Some(|system: &#system| ::stairway::__private::fingerprint_of(&Self::#of(system)))
        },
        None => quote!(::core::option::Option::None),
    };
    quote! {
        ::stairway::__private::Traits {
            show_model: |model: &Self| ::stairway::__private::show_or_none!(model),
            show_system: |system: &#system| ::stairway::__private::show_if_possible!(system),
            hash_model: ::stairway::__private::hash_of!(Self),
            fingerprint: #fingerprint,
        }
    }
}

fn start(model: &Model) -> TokenStream {
    let start: &Start = &model.start;
    let (case, twice) = (hidden("__case"), hidden("__twice"));
    let method = &start.name;
    let drawn = start.parameters.iter().map(|(name, draw, _)| property::draw(name, draw));
    let again = start.parameters.iter().map(|(name, draw, _)| {
        let again = quote! {
            ::stairway::__private::backup!(&#name).expect("what is drawn at the start can be cloned for a law")
        };
        match draw.borrow {
            Borrow::Shared => quote!(&#name),
            Borrow::Mutable => quote!(&mut #again),
            Borrow::None => again,
        }
    });
    let arguments = start.parameters.iter().map(|(name, draw, _)| draw.borrow.of(name));
    let begun = |call: TokenStream| match start.is_async {
        true => model.options.executor.run(&quote!(Self::), &call),
        false => call,
    };
    let (first, again) =
        (begun(quote!(Self::#method(#(#arguments),*))), begun(quote!(Self::#method(#(#again),*))));
    quote! {
        |#case, #twice| {
            #(#drawn)*
            let second = if #twice {
                ::core::option::Option::Some(#again)
            } else {
                ::core::option::Option::None
            };
            ::core::result::Result::Ok((#first, second))
        }
    }
}

/// One operation in the list.
fn method(op: &Op, model_block: &Model) -> TokenStream {
    let system = &model_block.options.system;
    let (running, step, model) = (hidden("__running"), hidden("__step"), hidden("__model"));
    let (title, body) = (op.name.unraw().to_string(), step::step(op, model_block));
    let weight = op.options.weight.as_ref().map(|weight| {
        if is_number(weight) {
            return quote!(.weight(#weight));
        }
        let helper = helper("weight", &op.name);
        quote!(.weight_by(|#model| #model.#helper()))
    });
    let possible = op.possible.as_ref().map(|_| {
        let helper = helper("possible", &op.name);
        quote!(#running.in_all(|#model| #model.#helper()))
    });
    let has_results = op.parameters.iter().filter_map(|p| match &p.kind {
        Kind::Reference(of) => Some(quote!(#running.has::<#of>())),
        _ => None,
    });
    let system_name = Ident::new("system", Span::call_site());
    let when = op.options.when.as_ref().map(|when| quote!(#running.in_systems(|#system_name| #when)));
    let offers = op
        .parameters
        .iter()
        .filter(|parameter| step::sees_model(parameter).is_some() && step::earlier(op, parameter).is_empty());
    let offers = offers.map(|parameter| {
        let helper = from_helper(op, parameter);
        quote!(#running.in_all(|#model| {
            !::core::matches!(
                #model.#helper(::core::option::Option::None),
                ::core::result::Result::Ok(::stairway::__private::Offer::Nothing)
            )
        }))
    });
    let conditions: Vec<TokenStream> = has_results.chain(possible).chain(when).chain(offers).collect();
    let possible = (!conditions.is_empty()).then(|| quote!(.possible(|#running| #(#conditions)&&*)));
    quote! {
        ::stairway::__private::Operation::<Self, #system>::custom(#title, |#running, #step| { #body })
            #weight
            #possible
    }
}

impl Observer {
    fn asked(&self, model: &Ident, system: &Ident) -> TokenStream {
        let name = &self.name;
        let system = self.sees_system.then_some(system);
        quote!(#model.#name(#system))
    }
}
