//! What a refinement becomes: a checker and a test.

use super::{DerivedInput, Refinement, Relation, text};
use crate::attributes;
use crate::property::Property;
use crate::property::body::Body;
use crate::property::expand::{self as property_expand, CASE, hidden};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, parse_quote};

pub(super) fn expand(refinement: &Refinement) -> TokenStream {
    let Refinement { attributes, visibility, name, .. } = refinement;
    let title = name.unraw().to_string();
    let checker = format_ident!("{title}_refinement", span = name.span());
    let property = property(refinement);
    let helper = property.names_generators().then(attributes::drawn_from_helper);
    let function = property_expand::function(&property);
    let settings = property_expand::settings(&property);
    let source = property_expand::source(&property, &title, Some(&text::several(refinement)));
    let run = property_expand::run(&property);
    let examples = property_expand::examples_of(&property);
    let doc = format!("The checker of the refinement `{title}`, for settings of its own.");
    quote! {
        #(#attributes)*
        #[test]
        #visibility fn #name() {
            #checker().run();
        }

        #[doc = #doc]
        #[allow(dead_code, unreachable_pub, unused_variables, unused_mut, clippy::all, clippy::pedantic)]
        pub fn #checker() -> ::stairway::__private::RefinementChecker {
            #helper
            #function
            ::stairway::__private::Refinement::checker(
                ::core::concat!(::core::module_path!(), "::", #title),
                #settings,
                #source,
                ::std::vec![#(#examples),*],
                #run,
            )
        }
    }
}

/// The refinement as a property.
fn property(refinement: &Refinement) -> Property {
    let options = crate::property::options::Options {
        settings: refinement.options.settings.clone(),
        executor: None,
        is_partial: refinement.options.is_partial,
    };
    Property {
        options,
        attributes: Vec::new(),
        visibility: syn::Visibility::Inherited,
        name: refinement.name.clone(),
        is_async: false,
        fn_token: syn::token::Fn(refinement.name.span()),
        parentheses: syn::token::Paren(refinement.name.span()),
        parameters: refinement.parameters.clone(),
        output: parse_quote!(-> ::stairway::Checked),
        examples: refinement.examples.clone(),
        body: Body::made(body(refinement), text::exact(refinement)),
    }
}

/// Runs the clauses in order.
fn body(refinement: &Refinement) -> TokenStream {
    let (case, spec, real) = (hidden(CASE), hidden("__spec"), hidden("__real"));
    let (judged, outcome) = (hidden("__judged"), hidden("__outcome"));
    let oracle = refinement.oracle();
    let made = refinement.made.iter().map(|made| self::made(made, oracle.is_some()));
    let specified = asked(checked(&refinement.spec), oracle.is_some().then(|| quote!(spec)));
    let happened = asked(checked(&refinement.real), oracle.is_some().then(|| quote!(real)));
    let shared = hidden("__shared");
    let share = oracle
        .map(|oracle| quote!(let #shared = ::stairway::__private::refine::SharedOracle::new(&#oracle);));
    let hear = oracle.map(|_| quote!(let #judged = #shared.conclude(#case, #judged);));
    let said = quote_spanned!(attributes::beside(refinement.spec.span())=>
        let #spec = ::stairway::__private::refine::said!(::stairway::__private::refine::spec(#specified)?););
    let shown = quote! {(
        |#outcome| ::stairway::__private::debug!(#outcome),
        |#outcome| ::stairway::__private::debug!(#outcome),
        ::stairway::__private::refine::itself!(&#spec, &#real),
    )};
    let judge = match &refinement.relation {
        Relation::Equal => {
            let place = attributes::beside(refinement.spec.span());
            quote_spanned!(place=> ::stairway::__private::refine::equal(&#spec, &#real, #shown))
        }
        Relation::Relate(relation) => {
            let place = attributes::beside(relation.span());
            quote_spanned!(place=> ::stairway::__private::refine::related(&#spec, &#real, #shown, #relation))
        }
        Relation::View(view) => {
            let place = attributes::beside(view.span());
            quote_spanned!(place=> ::stairway::__private::refine::viewed(&#spec, &#real, #shown, #view))
        }
    };
    let happens = quote! {
        #said
        let #real = ::stairway::__private::refine::real(#happened)?;
        let #judged = #judge;
    };
    let judged_and_freed = match &refinement.teardown {
        None => happens,
        // What the implementation gave is there only if it gave something.
        Some(teardown @ Expr::Closure(closure)) if closure.inputs.len() == 1 => {
            quote!(#happens ::stairway::__private::refine::teardown(#real, #teardown);)
        }
        Some(teardown) => quote! {
            let #judged = ::stairway::__private::refine::whatever(|| { #happens #judged });
            ::stairway::__private::refine::teardown((), |()| { #teardown; });
        },
    };
    quote! {
        #share
        #(#made)*
        #case.checkpoint();
        #judged_and_freed
        #hear
        ::stairway::__private::refine::conclude(#case, #judged)
    }
}

/// A closure around an expression that may use `?`.
fn checked(expression: &Expr) -> TokenStream {
    quote!(|| -> ::stairway::Checked<_> { ::core::result::Result::Ok(#expression) })
}

/// The same with the oracle in charge, where there is one: for this side.
fn asked(closure: TokenStream, side: Option<TokenStream>) -> TokenStream {
    let shared = hidden("__shared");
    match side {
        None => closure,
        Some(side) => quote!(|| #shared.#side(#closure)),
    }
}

/// An abstract or concrete input.
fn made(made: &DerivedInput, has_oracle: bool) -> TokenStream {
    let DerivedInput { is_abstract, pattern, names, expression } = made;
    let side = if *is_abstract { quote!(spec) } else { quote!(real) };
    let expression = asked(checked(expression), has_oracle.then_some(side));
    if !is_abstract {
        return quote!(let #pattern = ::stairway::__private::refine::real(#expression)?;);
    }
    let case = hidden(CASE);
    let title = names.iter().map(|name| name.unraw().to_string()).collect::<Vec<_>>().join(", ");
    let shown = names.iter().map(|name| {
        let title = name.unraw().to_string();
        quote!(#case.given_abstract(#title, || ::stairway::__private::debug!(&#name));)
    });
    quote! {
        let #pattern = ::stairway::__private::refine::abstraction(#title, #expression)?;
        #(#shown)*
    }
}
