//! The typestate API: a handle for each state, with the operations that are possible there.
//!
//! A handle owns the state's data and the machine's driver, if there is one. Only the machine makes handles,
//! so a program that compiles does nothing that `next` does not allow. Impossible operations exist as hidden
//! methods whose bound nothing meets: this lets the error name the state, the operation and where it is
//! possible.
//!
//! This file writes the handles, the driver's trait and the start; `methods` writes the operations,
//! `decision` what is done where operations exclude each other.

mod decision;
mod methods;

use super::tracked::{self, Tracked};
use super::{Machine, Op, State, hidden, with_fields};
use decision::decision;
pub(super) use methods::{Methods, method_name};
use methods::{impossible, method};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Fields;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let data = machine.states.iter().map(data);
    let handles = machine.states.iter().map(|state| handle(machine, state));
    let driver = driver(&machine.name, &machine.ops);
    let start = start(machine);
    let methods = machine.states.iter().map(|state| {
        let mut methods = Methods::default();
        for op in &machine.ops {
            methods.join(match machine.is_possible(&state.name, &op.name) {
                false => impossible(machine, state, op),
                true if tracked::concerns(machine, state, op) => tracked::method(machine, state, op),
                true => method(machine, state, op),
            });
        }
        methods.join(decision(machine, state));
        methods.expand(state)
    });
    let types = tracked::types(machine);
    quote! {
        /// What the handles carry: the data of each state.
        pub mod data {
            #[allow(unused_imports)]
            use super::*;
            #(#data)*
        }
        #[doc(no_inline)]
        pub use ::stairway::machine::core::Undriven;
        #(#handles)*
        #driver
        #start
        #types
        #(#methods)*
    }
}

/// The data of a state as a struct that can be read. It derives nothing: the state as a value has it all, and
/// every implementation costs each build of the crate.
fn data(state: &State) -> TokenStream {
    let State { name, fields, docs, .. } = state;
    let named = fields.iter().map(|field| {
        let (name, ty, docs) = (&field.ident, &field.ty, super::docs(&field.attrs));
        match name {
            Some(name) => quote!(#(#docs)* pub #name: #ty),
            None => quote!(#(#docs)* pub #ty),
        }
    });
    match fields {
        Fields::Unit => quote!(#(#docs)* pub struct #name;),
        Fields::Unnamed(_) => quote!(#(#docs)* pub struct #name(#(#named),*);),
        Fields::Named(_) => quote!(#(#docs)* pub struct #name { #(#named),* }),
    }
}

/// The parameters of a handle before `D`: as declared, and as passed.
pub(super) struct Generics {
    pub(super) before: TokenStream,
    pub(super) passed: TokenStream,
}

pub(super) fn generics(state: &State) -> Generics {
    let before = state.tracked.iter().map(|Tracked { parameter, bounds, .. }| match bounds {
        Some((ty, ..)) => quote!(const #parameter: #ty,),
        None => quote!(#parameter,),
    });
    let passed = state.tracked.iter().map(|tracked| &tracked.parameter);
    Generics { before: before.collect(), passed: quote!(#(#passed,)*) }
}

fn handle(machine: &Machine, state: &State) -> TokenStream {
    let name = &state.name;
    let Generics { before, passed } = generics(state);
    let title = format!("`{}` is in state `{name}`.", machine.name);
    let docs = &state.docs;
    let phantoms = state.counters().map(|counter| &counter.parameter);
    let members: Vec<TokenStream> = state
        .fields
        .iter()
        .enumerate()
        .map(|(k, field)| {
            let member = field.ident.clone().map_or_else(|| syn::Member::from(k), syn::Member::from);
            quote!(self.__data.#member)
        })
        .collect();
    let whole = with_fields(quote!(State::#name), &state.fields, &members);
    let taken: Vec<TokenStream> = (0..state.fields.len()).map(|k| hidden(k).into_token_stream()).collect();
    let (from, to) = (
        with_fields(quote!(State::#name), &state.fields, &taken),
        with_fields(quote!(data::#name), &state.fields, &taken),
    );
    // An operation of the same name comes first.
    let views = [
        (
            "state",
            quote!(
                #[doc = "The state as a value."]
                pub const fn state(&self) -> State {
                    self.__state()
                }
            ),
        ),
        (
            "driver",
            quote!(
                #[doc = "The machine's driver."]
                pub const fn driver(&self) -> &D {
                    &self.__driver
                }
            ),
        ),
        (
            "into_driver",
            quote!(
                #[doc = "Ends the program and returns the driver."]
                pub fn into_driver(self) -> D {
                    self.__driver
                }
            ),
        ),
    ];
    let views = views.into_iter().filter(|(name, _)| !machine.has_method(name)).map(|(_, view)| view);
    let views = quote!(#(#views)*);
    let must = format!("`{}` stays in this state unless the handle is used", machine.name);
    let forged = forged(machine, state);
    // Rustc reports errors about the type at the state.
    let declaration = quote_spanned! {name.span()=>
        pub struct #name<#before D = Undriven> {
            __data: data::#name,
            __driver: D,
            __types: ::core::marker::PhantomData<(#(#phantoms,)*)>,
        }
    };
    quote! {
        #[doc = #title]
        ///
        #(#docs)*
        #[must_use = #must]
        #declaration
        #forged
        impl<#before D> ::core::ops::Deref for #name<#passed D> {
            type Target = data::#name;
            fn deref(&self) -> &data::#name { &self.__data }
        }
        impl<#before D> ::core::fmt::Debug for #name<#passed D> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.__state(), f)
            }
        }
        impl<#before D> #name<#passed D> {
            #[doc(hidden)]
            pub const fn __state(&self) -> State { #whole }
            #views
            #[doc(hidden)]
            #[allow(unreachable_patterns, unused_variables)]
            fn __of(__state: State, __driver: D) -> Self {
                match __state {
                    #from => #name { __data: #to, __driver, __types: ::core::marker::PhantomData },
                    _ => ::core::unreachable!("`next` leads where its text says"),
                }
            }
        }
    }
}

/// A handle from a state as a value would be one that the machine never made: the error says where handles
/// come from.
fn forged(machine: &Machine, state: &State) -> TokenStream {
    let name = &state.name;
    let Generics { before, passed } = generics(state);
    let bound = format_ident!("__{name}Made");
    let message = format!("only `{}` itself makes handles of its state `{name}`", machine.name);
    let label = format!("this would be a handle that never was in state `{name}`");
    let note = match machine.ways_to(name) {
        ways if ways.is_empty() => format!("`{}` starts in `{name}`: `start()`", machine.name),
        ways => format!("`{name}` follows on: {ways}"),
    };
    quote! {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #bound: Sized {
            fn never() -> Self;
        }
        #[doc(hidden)]
        impl<#before D> ::core::convert::From<State> for #name<#passed D> where Self: #bound {
            fn from(_: State) -> Self { <Self as #bound>::never() }
        }
    }
}

/// One method an operation: what really happens.
pub(super) fn driver(machine: &Ident, ops: &[Op]) -> TokenStream {
    let (mut methods, mut forwards) = (Vec::new(), Vec::new());
    for op in ops {
        let (method, docs, names) = (op.method(), &op.docs, op.names());
        let (parameters, arguments) = (op.parameters(false), op.arguments(&names));
        let answer = op.result().map(|ty| quote!(-> #ty));
        methods.push(quote!(#(#docs)* fn #method(&mut self, #(#parameters),*) #answer;));
        forwards.push(
            quote!(fn #method(&mut self, #(#parameters),*) #answer { Driver::#method(&mut **self, #(#arguments),*) }),
        );
    }
    let title =
        format!("The system behind `{machine}`: does each operation for real and returns its result.");
    quote! {
        #[doc = #title]
        pub trait Driver { #(#methods)* }
        impl<T: Driver + ?Sized> Driver for &mut T { #(#forwards)* }
    }
}

fn start(machine: &Machine) -> TokenStream {
    let state = machine.state(&machine.start_state);
    let name = &state.name;
    let passed = tracked::start_arguments(machine, state);
    quote! {
        /// Starts the machine; the caller passes the results of operations.
        pub fn start() -> #name<#passed Undriven> { #name::__of(START, Undriven) }
        /// Starts the machine with a driver, which does the operations and returns their results.
        pub fn start_with<D: Driver>(driver: D) -> #name<#passed D> { #name::__of(START, driver) }
    }
}
