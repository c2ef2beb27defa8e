//! What laws become: a checker and a test for each.

use super::{About, FragmentStep, Law, LawsInput, OpOfSystem, Side, Statement, System, Variable};
use crate::attributes;
use crate::property::Draw;
use crate::property::expand::hidden;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

pub(super) fn expand(laws: &LawsInput) -> TokenStream {
    let (ty, is_alone, model) = match &laws.about {
        About::Model { ty, is_alone } => (ty.to_token_stream(), *is_alone, None),
        About::System(system) => {
            let first = laws.laws.first().map_or_else(String::new, |law| law.name.unraw().to_string());
            let name = format_ident!("__LawsFrom_{first}");
            (name.to_token_stream(), false, Some(model_of(system, &name)))
        }
    };
    let tests = laws.laws.iter().map(|law| test(law, &ty, is_alone));
    quote! {
        #model
        #(#tests)*
    }
}

/// A model that says nothing: laws need to know what can be called, not what it answers.
fn model_of(system: &System, name: &Ident) -> TokenStream {
    let System { visibility, is_global, parameters, ty, start, ops } = system;
    let parameters = parameters.iter();
    let methods = ops.iter().map(|op| {
        let OpOfSystem { name, parameters, consumes, requires, .. } = op;
        let parameters = parameters.iter();
        let consumes = (!consumes.is_empty()).then(|| quote!(, consumes = (#(#consumes,)*)));
        let when = requires.as_ref().map(|requires| quote!(, __when = #requires));
        quote! {
            #[op(__unsaid #consumes #when)]
            #[allow(unused_variables)]
            fn #name(&self, #(#parameters),*) {}
        }
    });
    let answers = ops.iter().filter_map(|op| {
        let answer = op.answer.as_ref()?;
        let name = crate::model::helper("answer", &op.name);
        Some(quote! {
            fn #name(answer: #answer) -> #answer {
                answer
            }
        })
    });
    let block = quote! {
        impl #name {
            #[start]
            fn __start(#(#parameters),*) -> (Self, #ty) {
                (Self, #start)
            }
            #(#methods)*
        }
    };
    let global = is_global.then(|| quote!(, global));
    let block = crate::model::model(quote!(system = #ty #global), block);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        // Without `Debug`: nobody wrote this model, so no report shows it.
        #[derive(Clone, PartialEq, Eq, Hash)]
        #visibility struct #name;

        #[allow(non_camel_case_types, dead_code, unused_variables)]
        const _: () = {
            impl #name {
                #(#answers)*
            }
        };

        #block
    }
}

fn test(law: &Law, ty: &TokenStream, is_alone: bool) -> TokenStream {
    let Law { attributes, name, left, right, .. } = law;
    let checker = format_ident!("{}_law", name.unraw(), span = name.span());
    let title = name.unraw().to_string();
    let is_from_start = left.start.is_some();
    let instance = hidden("__law");
    let names_generators = law
        .variables
        .iter()
        .any(|(_, variable)| matches!(variable, Variable::Drawn(draw) if draw.generator.is_some()));
    let drawn_from = names_generators.then(attributes::drawn_from_helper);
    let draws = law.variables.iter().map(|(name, draw)| variable(name, draw));
    let (one, two) = (side(left, right, law, ty), side(right, left, law, ty));
    let doc = format!("The checker of the law `{title}`, for settings of its own.");
    quote! {
        #(#attributes)*
        #[test]
        fn #name() {
            #checker().run();
        }

        #[doc = #doc]
        #[allow(dead_code, unreachable_pub, unused_variables, clippy::all, clippy::pedantic)]
        pub fn #checker() -> ::stairway::__private::LawChecker<#ty> {
            #drawn_from
            ::stairway::__private::Law::checker(
                <#ty as ::stairway::Model>::methods(),
                ::stairway::__private::About {
                    module: ::core::module_path!(),
                    name: #title,
                    is_from_start: #is_from_start,
                    is_model_alone: #is_alone,
                },
                |#instance| {
                    #(#draws)*
                    #instance.compare(#one, #two)
                },
            )
        }
    }
}

fn variable(name: &Ident, variable: &Variable) -> TokenStream {
    let draw = match variable {
        Variable::Drawn(draw) => draw,
        Variable::Earlier(of) => {
            let (place, title) = (attributes::place_of(of, None), name.unraw().to_string());
            let instance = Ident::new("__law", place);
            return quote_spanned! {place=>
                let ::core::option::Option::Some(#name) = #instance.earlier::<#of>(#title)? else {
                    return ::core::result::Result::Ok(::stairway::__private::StepOutcome::Refused);
                };
            };
        }
    };
    let Draw { owned, generator, is_text, .. } = &**draw;
    let place = attributes::place_of(owned, generator.as_ref());
    let instance = Ident::new("__law", place);
    let title = name.unraw().to_string();
    let as_text = is_text.then(|| quote!(.as_str()));
    let generator = attributes::generator_of(owned, generator.as_ref());
    quote_spanned! {place=>
        let #name: #owned =
            #instance.draw(#title, #generator, |value: &#owned| ::stairway::__private::show!(value #as_text))?;
    }
}

/// One side as a closure over the fragment it is done on.
fn side(side: &Side, other: &Side, law: &Law, ty: &TokenStream) -> TokenStream {
    let fragment = hidden("__fragment");
    let statements = side.statements.iter().enumerate();
    let statements = statements.map(|at| self::statement(at, (side, other), law, ty));
    let place = side.bracket.span.join();
    let fragment_type = quote_spanned!(place=> &mut ::stairway::__private::Fragment<'_, _, _>);
    quote! {
        |#fragment: #fragment_type| {
            #(#statements)*
            ::core::option::Option::Some(())
        }
    }
}

/// The number under which a result of a law is known, from 1. What has a name has the same one on both sides;
/// what has none is known to nobody.
fn number(law: &Law, (at, statement): (usize, &Statement)) -> u32 {
    let names = || law.left.statements.iter().chain(&law.right.statements).filter_map(|s| s.name.as_ref());
    let named = statement.name.as_ref().and_then(|name| names().position(|other| other == name));
    let number = named.unwrap_or_else(|| names().count() + at);
    u32::try_from(number + 1).unwrap_or(u32::MAX)
}

fn statement(
    (at, statement): (usize, &Statement),
    (side, other): (&Side, &Side),
    law: &Law,
    ty: &TokenStream,
) -> TokenStream {
    let (fragment, on, value) = (hidden("__fragment"), hidden("__side"), hidden("__value"));
    let (code, given, result) = (hidden("__code"), hidden("__given"), hidden("__result"));
    let copies =
        law.variables.iter().map(|(name, _)| quote!(let #name = ::core::clone::Clone::clone(&#name);));
    let copies = quote!(#(#copies)*);
    let bind = statement.name.as_ref().map(|name| {
        let title = name.unraw().to_string();
        quote!(#fragment.bind(#title, #value);)
    });
    let passed_on = statement.name.as_ref().filter(|name| side.passes_on(name)).map(|name| {
        let place = attributes::beside(name.span());
        quote_spanned!(place=> let #name = ::stairway::__private::pass_on(#result)?;)
    });
    let made = match &statement.what {
        FragmentStep::Call { op, arguments } => {
            let function = crate::model::helper("law", op);
            let function = Ident::new(&function.to_string(), op.span());
            let mut text = quote!(#op(#(#arguments),*)).to_string().replace(" ,", ",").replace(" (", "(");
            text = text.replace("( ", "(").replace(" )", ")");
            if let Some(name) = &statement.name {
                text = format!("{} = {text}", name.unraw());
            }
            let number = number(law, (at, statement));
            let is_shared = statement
                .name
                .as_ref()
                .is_some_and(|name| matches!(other.bound(name), Some(FragmentStep::Call { .. })));
            quote!({
                #copies
                #fragment.call(
                    #text,
                    (#number, #is_shared),
                    |#on, #code, #given| <#ty>::#function(#on, #code, #given, #(#arguments),*),
                )?
            })
        }
        FragmentStep::Value(expression) => {
            let typed = statement.name.as_ref().and_then(|name| match other.bound(name) {
                Some(FragmentStep::Call { op, .. }) => Some(crate::model::helper("answer", op)),
                _ => None,
            });
            let typed = match typed {
                Some(helper) => {
                    let helper = Ident::new(&helper.to_string(), expression.span());
                    quote!(<#ty>::#helper(#expression))
                }
                None => expression.to_token_stream(),
            };
            let text = crate::source_text::of(expression, side.bracket.span.join());
            let variables = law.variables.iter().zip(&law.parameters);
            let mentioned = variables.filter(|((name, _), _)| {
                crate::source_text::names_any(expression.to_token_stream(), std::slice::from_ref(name))
            });
            let mentioned = mentioned.filter_map(|((name, variable), parameter)| {
                let Variable::Drawn(draw) = variable else { return None };
                let ty = &parameter.ty;
                Some(crate::model::value(name, draw, ty, &crate::property::expand::text(ty), &[]))
            });
            quote! {{
                #copies
                #fragment.value(#text, || ::std::vec![#(#mentioned),*]);
                (
                    ::stairway::__private::Observation::new(#typed, ::stairway::__private::shown!()),
                    ::stairway::__private::NoResult,
                )
            }}
        }
    };
    quote! {
        let (#value, #result) = #made;
        #bind
        #passed_on
    }
}
