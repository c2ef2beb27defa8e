//! The operations of a handle: their parameters, what they return, and those that are not possible.

use super::super::arms::Arm;
use super::super::names::snake;
use super::super::tracked;
use super::super::{Machine, Op, State, values};
use super::{Generics, generics};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The methods of a state's handle: where the caller passes results, where a driver returns them, and in
/// either case; and the types that they need. They stand in one `impl` each, because rustc pays for every
/// `impl`.
#[derive(Default)]
pub(in super::super) struct Methods {
    pub(in super::super) told: TokenStream,
    pub(in super::super) driven: TokenStream,
    pub(in super::super) either: TokenStream,
    pub(in super::super) types: TokenStream,
}

impl Methods {
    pub(super) fn join(&mut self, other: Methods) {
        self.told.extend(other.told);
        self.driven.extend(other.driven);
        self.either.extend(other.either);
        self.types.extend(other.types);
    }

    pub(super) fn expand(&self, state: &State) -> TokenStream {
        let (name, Methods { told, driven, either, types }) = (&state.name, self);
        let Generics { before, passed } = generics(state);
        let told = (!told.is_empty()).then(|| quote!(impl<#before> #name<#passed Undriven> { #told }));
        let driven =
            (!driven.is_empty()).then(|| quote!(impl<#before D: Driver> #name<#passed D> { #driven }));
        let either = (!either.is_empty())
            .then(|| quote!(#[allow(unused_variables)] impl<#before D> #name<#passed D> { #either }));
        quote!(#types #told #driven #either)
    }
}

/// The name of a method, for other files.
pub(in super::super) fn method_name(op: &Op) -> String {
    snake(&op.name.to_string())
}

/// `self`, where the operation stands in `next`: rustc reports there that a handle is moved by it. If a macro
/// has written the operation, this is another `self` than one that is written here, so a method uses only
/// this one.
fn receiver(machine: &Machine, state: &State, op: &Op) -> TokenStream {
    let arm = machine.arms_of(&state.name, &op.name).next();
    let place = arm.map_or(op.name.span(), |arm| arm.op_pattern.span());
    quote_spanned!(place=> self)
}

/// An operation that is not possible in a state: to call it is an error that says so.
pub(super) fn impossible(machine: &Machine, state: &State, op: &Op) -> Methods {
    let (name, method) = (&state.name, op.method());
    let bound = format_ident!("__{}In{}", op.name, state.name);
    let message = format!("`{method}` is not possible when `{}` is in state `{name}`", machine.name);
    let label = format!("the machine is in state `{name}` here");
    let note = format!("`{method}` is possible only in: {}", machine.where_possible(&op.name));
    let one = |with_result: bool| {
        let parameters = op.parameters(with_result);
        quote! {
            #[doc(hidden)]
            #[allow(unused_variables)]
            pub fn #method<Next>(self, #(#parameters),*) -> Next where Self: #bound<Next> { #bound::never(self) }
        }
    };
    let types = quote! {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #bound<Next> {
            fn never(self) -> Next;
        }
    };
    // A result comes from the caller, or from the driver.
    match op.ret {
        Some(_) => Methods { types, told: one(true), driven: one(false), ..Methods::default() },
        None => Methods { types, either: one(true), ..Methods::default() },
    }
}

/// Where an operation leads from a state: the type of each handle.
struct Way {
    state: Ident,
    arguments: TokenStream,
}

/// Every handle that an operation can lead to, once each.
fn ways(machine: &Machine, arms: &[&Arm]) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for arm in arms {
        for target in &arm.targets {
            if ways.iter().all(|way| way.state != target.state) {
                let arguments = tracked::arguments(machine, arm, target);
                ways.push(Way { state: target.state.clone(), arguments });
            }
        }
    }
    ways
}

/// The parameters of the state that handles of a result mention.
fn mentioned(state: &State, ways: &[Way]) -> TokenStream {
    let is_mentioned =
        |name: &&Ident| ways.iter().any(|way| way.arguments.to_string().contains(&name.to_string()));
    let names = state.counters().map(|counter| &counter.parameter).filter(is_mentioned);
    quote!(#(#names,)*)
}

/// The type that an operation returns, what makes it from `__to` and `__driver`, and the enum it may need.
pub(super) struct Outcome {
    pub(super) ty: TokenStream,
    pub(super) make: TokenStream,
    declared: TokenStream,
}

pub(super) fn outcome(machine: &Machine, state: &State, op: &Op, d: &TokenStream) -> Outcome {
    let arms: Vec<&Arm> = machine.arms_of(&state.name, &op.name).collect();
    let ways = ways(machine, &arms);
    if let [way] = &ways[..] {
        let Way { state, arguments } = way;
        let (ty, make) = (quote!(#state<#arguments #d>), quote!(#state::__of(__to, __driver)));
        return Outcome { ty, make, declared: quote!() };
    }
    let is_only = machine.states.iter().filter(|s| machine.is_possible(&s.name, &op.name)).count() == 1;
    let name = if is_only {
        format_ident!("{}Next", op.name)
    } else {
        format_ident!("{}From{}", op.name, state.name)
    };
    let mentioned = mentioned(state, &ways);
    let variants = ways.iter().map(|Way { state, arguments }| {
        let doc = format!("The machine is in state `{state}` now.");
        quote!(#[doc = #doc] #state(#state<#arguments D>))
    });
    let doc = format!("Where `{}` leads from [`{}`].", op.method(), state.name);
    let makes = ways.iter().map(
        |Way { state, .. }| quote!(State::#state { .. } => #name::#state(#state::__of(__to, __driver)),),
    );
    let debug = debug(&name, [&mentioned; 2], ways.iter().map(|way| &way.state));
    Outcome {
        ty: quote!(#name<#mentioned #d>),
        make: quote!(match __to { #(#makes)* #[allow(unreachable_patterns)] _ => ::core::unreachable!() }),
        declared: quote! {
            #[doc = #doc]
            #[must_use = "the machine is in one of these states"]
            pub enum #name<#mentioned D = Undriven> { #(#variants),* }
            #debug
        },
    }
}

/// `Debug` whatever the driver is: handles do not show it.
pub(super) fn debug<'v>(
    name: &Ident,
    [declared, passed]: [&TokenStream; 2],
    variants: impl Iterator<Item = &'v Ident>,
) -> TokenStream {
    let shown = variants.map(|variant| {
        let text = variant.to_string();
        quote!(#name::#variant(inner) => f.debug_tuple(#text).field(inner).finish(),)
    });
    quote! {
        impl<#declared D> ::core::fmt::Debug for #name<#passed D> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { match self { #(#shown)* } }
        }
    }
}

pub(super) fn method(machine: &Machine, state: &State, op: &Op) -> Methods {
    let (name, method, docs) = (&state.name, op.method(), &op.docs);
    let is_total = machine.is_total(name, op);
    let this = receiver(machine, state, op);
    let names = op.names();
    let (made, arguments, ret) = (op.with(&names), op.arguments(&names), op.ret.map(|k| &names[k]));
    let one = |d: TokenStream| {
        let Outcome { ty, make, declared } = outcome(machine, state, op, &d);
        let passed = generics(state).passed;
        let (ty, finish) = match is_total {
            true => (
                ty,
                quote! {
                    let __driver = #this.__driver;
                    match __next { Some(__to) => #make, None => ::core::unreachable!("`next` has an arm for this") }
                },
            ),
            false => (
                quote!(::core::result::Result<#ty, #name<#passed #d>>),
                quote! {
                    match __next {
                        Some(__to) => { let __driver = #this.__driver; Ok(#make) }
                        None => Err(#this),
                    }
                },
            ),
        };
        (ty, finish, declared)
    };
    let (told_ty, told_finish, types) = one(quote!(Undriven));
    let (driven_ty, driven_finish, _) = one(quote!(D));
    let (all, asked) = (op.parameters(true), op.parameters(false));
    let call = quote!(Driver::#method(&mut #this.__driver, #(#arguments),*););
    let next = quote!(let __next = self::next(#this.__state(), #made););
    // The guard comes before anything happens, as far as it can be known without the result.
    let driven_next = match ret {
        Some(ret) => {
            let early = (!is_total).then(|| asked_before(machine, op, &this));
            quote!(#early let #ret = #call #next)
        }
        None => quote!(#next if __next.is_some() { #call }),
    };
    let guard_doc = (!is_total)
        .then(|| quote!(#[doc = "\n\nReturns the handle if the operation is not possible with this data."]));
    let driven_doc = (!is_total && ret.is_some())
        .then(|| quote!(#[doc = "The driver is called only if that depends on the result."]));
    let told_doc = ret.map(|_| quote!(#[doc = "\n\nThe caller passes the result."]));
    let told = quote! {
        #(#docs)* #guard_doc #told_doc
        pub fn #method(#this, #(#all),*) -> #told_ty { #next #told_finish }
    };
    let driven = quote! {
        #(#docs)* #guard_doc #driven_doc
        pub fn #method(mut #this, #(#asked),*) -> #driven_ty { #driven_next #driven_finish }
    };
    Methods { told, driven, types, ..Methods::default() }
}

/// Gives the handle back before the driver is asked, if no result would do.
fn asked_before(machine: &Machine, op: &Op, this: &TokenStream) -> TokenStream {
    let names = op.names();
    let (Some(k), Some(ty)) = (op.ret, op.result()) else { return quote!() };
    // Types that cannot be looked into were refused before.
    let Some(simplest) = values::simplest(machine, ty) else { return quote!() };
    let (ret, made) = (&names[k], op.with(&names));
    quote!({ let #ret: #ty = #simplest; if !__may(#this.__state(), #made) { return Err(#this); } })
}
