//! Bounded fields as const parameters: one type for each value, and operations whose types `next` computes.

use super::super::handles::{Generics, Methods, generics};
use super::super::{Machine, Op, State, values, with_fields};
use super::is_any_bounded;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Field;

/// The values of a state's bounded fields, all combinations.
fn combinations(state: &State) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for (_, lo, hi) in state.bounded() {
        let longer = |one: Vec<i128>| (lo..=hi).map(move |v| [&one[..], &[v]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

fn literals(values: &[i128]) -> Vec<proc_macro2::Literal> {
    values.iter().map(|v| proc_macro2::Literal::i128_unsuffixed(*v)).collect()
}

/// Types by code, where fields are tracked.
pub(in super::super) fn types(machine: &Machine) -> TokenStream {
    if !is_any_bounded(machine) {
        return match machine.states.iter().any(|state| !state.tracked.is_empty()) {
            true => quote!(
                #[doc(no_inline)]
                pub use ::stairway::machine::core::{S, Z};
            ),
            false => TokenStream::new(),
        };
    }
    let (mut code, mut arms, mut impls) = (0u32, TokenStream::new(), TokenStream::new());
    let name = &machine.name;
    for state in &machine.states {
        let state_name = &state.name;
        for values in combinations(state) {
            let literals = literals(&values);
            let names = state.bounded().map(|(tracked, ..)| &tracked.name);
            arms.extend(quote!(Some(State::#state_name { #(#names: #literals,)* .. }) => #code,));
            impls.extend(quote! {
                impl<D> __Typed<D> for __Code<#code> {
                    type Handle = #state_name<#(#literals,)* D>;
                    fn make(state: State, driver: D) -> Self::Handle { #state_name::__of(state, driver) }
                }
            });
            code += 1;
        }
    }
    let message = format!("a tracked field of `{name}` has left its range");
    quote! {
        #[doc(hidden)]
        pub struct __Code<const C: u32>;
        #[doc(hidden)]
        pub trait __Typed<D> {
            type Handle;
            fn make(state: State, driver: D) -> Self::Handle;
        }
        #impls
        /// Stands for no state: an operation is not possible with these values.
        #[derive(Debug)]
        pub enum NotPossible {}
        impl<D> __Typed<D> for __Code<{ u32::MAX }> {
            type Handle = NotPossible;
            fn make(_: State, _: D) -> NotPossible { ::core::unreachable!() }
        }
        #[doc(hidden)]
        pub const fn __code(state: ::core::option::Option<State>) -> u32 {
            match state {
                #arms
                None => u32::MAX,
                #[allow(unreachable_patterns)]
                _ => panic!(#message),
            }
        }
    }
}

/// The results of an operation by which its types are told apart.
fn results(machine: &Machine, op: &Op) -> Vec<(Ident, TokenStream, TokenStream)> {
    let ty = op.result().map(|ty| ty.to_token_stream().to_string()).unwrap_or_default();
    let Some(item) = machine.enums.iter().find(|e| e.ident == ty) else { return Vec::new() };
    let name = &item.ident;
    item.variants
        .iter()
        .filter_map(|variant| {
            let ident = &variant.ident;
            let value = values::simplest_fields(machine, quote!(#name::#ident), &variant.fields)?;
            Some((ident.clone(), quote!(#name::#ident { .. }), value))
        })
        .collect()
}

/// An operation whose types are computed by `next`.
pub(in super::super) fn method(machine: &Machine, state: &State, op: &Op) -> Methods {
    let results = results(machine, op);
    let (name, method, docs, op_name) = (&state.name, op.method(), &op.docs, &op.name);
    let slots: Vec<Ident> = match results.is_empty() {
        true => vec![format_ident!("Next")],
        false => results.iter().map(|(variant, ..)| variant.clone()).collect(),
    };
    let makers: Vec<Ident> = slots.iter().map(|slot| format_ident!("__make_{}", slot)).collect();
    let step = format_ident!("__{}From{}", op.name, state.name);
    let possible = format_ident!("__{}PossibleIn{}", op.name, state.name);
    let is_only = machine.states.iter().filter(|s| machine.is_possible(&s.name, &op.name)).count() == 1;
    let outcome = if is_only {
        format_ident!("{}Next", op.name)
    } else {
        format_ident!("{}After{}", op.name, state.name)
    };
    let mut impls = TokenStream::new();
    for combination in combinations(state) {
        let made_state = tracked_state(machine, state, &combination);
        let codes = (0..slots.len()).map(|k| {
            let fields: Option<Vec<TokenStream>> = op
                .fields
                .iter()
                .enumerate()
                .map(|(at, field)| match (op.ret == Some(at), results.get(k)) {
                    (true, Some((_, _, value))) => Some(value.clone()),
                    _ => values::simplest(machine, &field.ty),
                })
                .collect();
            let made = with_fields(quote!(Op::#op_name), &op.fields, &fields.unwrap_or_default());
            quote!({ __code(self::next(#made_state, #made)) })
        });
        let codes: Vec<TokenStream> = codes.collect();
        let literals = literals(&combination);
        impls.extend(quote! {
            impl<D> #step<D> for #name<#(#literals,)* D> {
                #(type #slots = <__Code<#codes> as __Typed<D>>::Handle;)*
                #(fn #makers(state: State, driver: D) -> Self::#slots { <__Code<#codes> as __Typed<D>>::make(state, driver) })*
            }
        });
    }
    let names = op.names();
    let (made, arguments, ret) = (op.with(&names), op.arguments(&names), op.ret.map(|k| &names[k]));
    let (all, asked) = (op.parameters(true), op.parameters(false));
    let message = format!("`{method}` is not possible when `{}` is in state `{{From}}`", machine.name);
    let label = "the machine is in state `{From}` here";
    let note = format!("`{method}` is possible only in: {}", machine.where_possible(&op.name));
    let (ty, make, declared) = if results.is_empty() {
        let make = &makers[0];
        (quote!(Next), quote!(<Self as #step<_>>::#make(__to, __driver)), quote!())
    } else {
        let ret = ret.expect("there are results");
        let patterns = results.iter().map(|(_, pattern, _)| pattern);
        let variants = slots.iter().map(|slot| {
            let doc = format!("The result was `{slot}`.");
            quote!(#[doc = #doc] #slot(#slot))
        });
        let doc = format!("Where `{method}` leads from [`{name}`], by its result.");
        (
            quote!(#outcome<#(#slots),*>),
            quote!(match #ret { #(#patterns => #outcome::#slots(<Self as #step<_>>::#makers(__to, __driver)),)* }),
            quote!(#[doc = #doc] #[must_use = "the machine is in one of these states"] #[derive(Debug)] pub enum #outcome<#(#slots),*> { #(#variants),* }),
        )
    };
    let bounds = quote!(#(#slots: #possible<Self>,)*);
    let assoc = quote!(#(#slots = #slots),*);
    let call = quote!(Driver::#method(&mut self.__driver, #(#arguments),*););
    let called = ret.map(|ret| quote!(let #ret =));
    let take = quote! {
        let __next = self::next(self.__state(), #made);
        let __driver = self.__driver;
        match __next { Some(__to) => #make, None => ::core::unreachable!("the types say that this is possible") }
    };
    let types = quote! {
        #declared
        #[doc(hidden)]
        #[allow(non_snake_case)]
        pub trait #step<D>: Sized { #(type #slots; fn #makers(state: State, driver: D) -> Self::#slots;)* }
        #[allow(non_snake_case)]
        const _: () = { #impls };
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #possible<From> {}
        #[diagnostic::do_not_recommend]
        impl<T: __IsState, From> #possible<From> for T {}
    };
    let told = quote! {
        #(#docs)*
        pub fn #method<#(#slots),*>(self, #(#all),*) -> #ty where Self: #step<Undriven, #assoc>, #bounds { #take }
    };
    let driven = quote! {
        #(#docs)*
        pub fn #method<#(#slots),*>(mut self, #(#asked),*) -> #ty where Self: #step<D, #assoc>, #bounds { #called #call #take }
    };
    Methods { told, driven, types, ..Methods::default() }
}

/// A state with these values of its tracked fields and the simplest others.
fn tracked_state(machine: &Machine, state: &State, combination: &[i128]) -> TokenStream {
    let name = &state.name;
    let value = |(k, field): (usize, &Field)| {
        let tracked =
            state.bounded().zip(literals(combination)).find(|((tracked, ..), _)| tracked.field == k);
        let value = tracked.map(|(_, value)| value.to_token_stream());
        value.or_else(|| values::simplest(machine, &field.ty)).unwrap_or_default()
    };
    let fields: Vec<TokenStream> = state.fields.iter().enumerate().map(value).collect();
    with_fields(quote!(State::#name), &state.fields, &fields)
}

/// Marks the handles, so that what is not possible can be told apart.
pub(in super::super) fn markers(machine: &Machine) -> TokenStream {
    if !is_any_bounded(machine) {
        return quote!();
    }
    let impls = machine.states.iter().map(|state| {
        let name = &state.name;
        let Generics { before, passed } = generics(state);
        quote!(impl<#before D> __IsState for #name<#passed D> {})
    });
    quote!(#[doc(hidden)] pub trait __IsState {} #(#impls)*)
}
