//! What a model becomes: the user's block, helpers that have a `self`, and `stairway::Model`.
//!
//! Receives a model without mistakes, hands on tokens. Expressions over `self` become hidden
//! methods of the model, because only there does `self` mean what the user meant.

use super::{Kind, Model, Observer, Op, Start, step};
use crate::attributes;
use crate::property::expand::{self as property, hidden};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Expr, ExprLit, Lit};

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
    let helpers = model.ops.iter().flat_map(helpers);
    let title = &model.title;
    let check = format!("Checks the system against `{title}`; panics with a report if they disagree.");
    let checker = format!("A checker of the system against `{title}`, for settings of its own.");
    let extra = quote! {
        #(#helpers)*

        #[doc = #check]
        #[allow(dead_code, unreachable_pub)]
        pub fn check() {
            Self::checker().run();
        }

        #[doc = #checker]
        #[allow(dead_code, unreachable_pub)]
        pub fn checker() -> ::stairway::ModelChecker<Self> {
            ::stairway::ModelChecker::new(::core::concat!(::core::module_path!(), "::", #title))
        }
    };
    block.items.push(syn::ImplItem::Verbatim(extra));
    quote!(#block)
}

fn helpers(op: &Op) -> Vec<TokenStream> {
    let mut found = Vec::new();
    let mut add = |what: &str, parameters: TokenStream, output: TokenStream, body: &Expr| {
        let name = helper(what, &op.name);
        found.push(quote! {
            #[doc(hidden)]
            #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::trivially_copy_pass_by_ref)]
            fn #name(&self, #parameters) -> #output {
                #body
            }
        });
    };
    if let Some(possible) = &op.possible {
        add("possible", TokenStream::new(), quote!(bool), possible);
    }
    if let Some((accepts, names)) = &op.accepts {
        let mentioned = op.parameters.iter().filter(|p| names.contains(&p.name));
        let parameters = mentioned.map(|p| {
            let (name, ty) = (&p.name, &p.ty);
            quote!(#name: #ty)
        });
        add("requires", quote!(#(#parameters),*), quote!(bool), accepts);
    }
    if let Some(weight) = op.options.weight.as_ref().filter(|weight| !is_number(weight)) {
        add("weight", TokenStream::new(), quote!(u32), weight);
    }
    found
}

fn is_number(expression: &Expr) -> bool {
    matches!(expression, Expr::Lit(ExprLit { lit: Lit::Int(_), .. }))
}

fn specification(model: &Model) -> TokenStream {
    let (generics, _, clause) = model.block.generics.split_for_impl();
    let ty = &model.block.self_ty;
    let system = &model.options.system;
    let titles = model.ops.iter().map(|op| op.name.unraw().to_string());
    let start = start(&model.start);
    let weights = weights(&model.ops);
    let steps = steps(&model.ops);
    let (violated, observe) = (violated(&model.invariants), observe(&model.covers));
    let is_over = is_over(&model.terminals);
    let finish = model.cleanup.as_ref().map(|cleanup| {
        let (running, case, end) = (hidden("__running"), hidden("__case"), step::end(cleanup));
        quote! {
            fn finish(#running: ::stairway::Running<Self>, #case: &mut ::stairway::Case<'_>) -> ::stairway::Checked {
                #end
            }
        }
    });
    let may_be_stuck = model.options.may_be_stuck.then(|| {
        quote! {
            fn may_be_stuck() -> bool {
                true
            }
        }
    });
    // The shape is the macro's, not the user's.
    quote! {
        #[automatically_derived]
        #[allow(unused_mut, unused_variables, clippy::all, clippy::pedantic, clippy::nursery)]
        impl #generics ::stairway::Model for #ty #clause {
            type System = #system;

            fn names() -> &'static [&'static str] {
                &[#(#titles),*]
            }

            #start
            #weights
            #steps
            #violated
            #observe
            #finish
            #is_over
            #may_be_stuck

            fn is_same(&self, other: &Self) -> bool {
                ::stairway::__private::same!(self, other)
            }

            fn show(&self, _: &Self::System) -> ::std::string::String {
                ::stairway::__private::show!(self)
            }
        }
    }
}

fn start(start: &Start) -> TokenStream {
    let case = hidden("__case");
    let method = &start.name;
    let names_generators = start.parameters.iter().any(|(_, draw)| draw.generator.is_some());
    let drawn_from = names_generators.then(attributes::drawn_from_helper);
    let drawn = start.parameters.iter().map(|(name, draw)| property::draw(name, draw));
    let arguments = start.parameters.iter().map(|(name, draw)| draw.borrow.of(name));
    quote! {
        fn start(#case: &mut ::stairway::Case<'_>) -> ::stairway::Checked<(Self, Self::System)> {
            #drawn_from
            #(#drawn)*
            ::core::result::Result::Ok(Self::#method(#(#arguments),*))
        }
    }
}

fn weights(ops: &[Op]) -> TokenStream {
    let (running, op) = (hidden("__running"), hidden("__op"));
    let arms = ops.iter().enumerate().map(|(k, op)| {
        let weight = weight(op);
        quote!(#k => #weight)
    });
    let is_fixed = ops.iter().all(is_fixed);
    quote! {
        fn weight(#running: &::stairway::Running<Self>, #op: usize) -> u32 {
            match #op {
                #(#arms,)*
                _ => 0,
            }
        }

        fn has_fixed_weights() -> bool {
            #is_fixed
        }
    }
}

fn is_fixed(op: &Op) -> bool {
    let refers = op.parameters.iter().any(|p| matches!(p.kind, Kind::Reference(_)));
    op.possible.is_none() && !refers && op.options.weight.as_ref().is_none_or(is_number)
}

fn weight(op: &Op) -> TokenStream {
    let (running, model) = (hidden("__running"), hidden("__model"));
    let weight = match &op.options.weight {
        None => quote!(1),
        Some(number) if is_number(number) => quote!(#number),
        Some(_) => {
            let helper = helper("weight", &op.name);
            quote!(#running.model().#helper())
        }
    };
    let possible = op.possible.as_ref().map(|_| {
        let helper = helper("possible", &op.name);
        quote!(#running.in_all(|#model| #model.#helper()))
    });
    let has_results = op.parameters.iter().filter_map(|p| match &p.kind {
        Kind::Reference(of) => Some(quote!(#running.results.has::<#of>())),
        _ => None,
    });
    let conditions: Vec<TokenStream> = has_results.chain(possible).collect();
    if conditions.is_empty() { weight } else { quote!(if #(#conditions)&&* { #weight } else { 0 }) }
}

fn steps(ops: &[Op]) -> TokenStream {
    let (running, step, op) = (hidden("__running"), hidden("__step"), hidden("__op"));
    let arms = ops.iter().enumerate().map(|(k, op)| {
        let body = step::step(op);
        quote!(#k => { #body })
    });
    let generators = ops.iter().flat_map(|op| &op.parameters);
    let names_generators =
        generators.into_iter().any(|p| matches!(&p.kind, Kind::Drawn(draw) if draw.generator.is_some()));
    let drawn_from = names_generators.then(attributes::drawn_from_helper);
    quote! {
        fn step(
            #running: &mut ::stairway::Running<Self>,
            #op: usize,
            #step: &mut ::stairway::Step<'_, '_>,
        ) -> ::stairway::Checked<::stairway::Stepped> {
            #drawn_from
            match #op {
                #(#arms)*
                _ => ::core::result::Result::Ok(::stairway::Stepped::Refused),
            }
        }
    }
}

impl Observer {
    fn asked(&self, system: &Ident) -> TokenStream {
        let name = &self.name;
        let system = self.sees_system.then_some(system);
        quote!(self.#name(#system))
    }
}

fn violated(invariants: &[Observer]) -> Option<TokenStream> {
    let system = hidden("__system");
    let checks = invariants.iter().map(|invariant| {
        let (asked, title) = (invariant.asked(&system), invariant.name.unraw().to_string());
        quote! {
            if !#asked {
                return ::core::option::Option::Some(#title);
            }
        }
    });
    (!invariants.is_empty()).then(|| {
        quote! {
            fn violated(&self, #system: &Self::System) -> ::core::option::Option<&'static str> {
                #(#checks)*
                ::core::option::Option::None
            }
        }
    })
}

fn observe(covers: &[(Expr, Observer)]) -> Option<TokenStream> {
    let (system, case) = (hidden("__system"), hidden("__case"));
    let seen = covers.iter().map(|(percent, cover)| {
        let (asked, title) = (cover.asked(&system), cover.name.unraw().to_string());
        quote!(#case.cover(#percent, #asked, #title);)
    });
    (!covers.is_empty()).then(|| {
        quote! {
            fn observe(&self, #system: &Self::System, #case: &mut ::stairway::Case<'_>) {
                #(#seen)*
            }
        }
    })
}

fn is_over(terminals: &[Observer]) -> Option<TokenStream> {
    let system = hidden("__system");
    let asked = terminals.iter().map(|terminal| terminal.asked(&system));
    (!terminals.is_empty()).then(|| {
        quote! {
            fn is_over(&self) -> bool {
                #(#asked)||*
            }
        }
    })
}
