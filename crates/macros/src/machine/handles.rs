//! The typestate API: a handle for each state, with the operations that are possible there.
//!
//! A handle owns the state's data and the driver behind the machine, if there is one. Only the machine
//! makes handles, so a program that compiles does nothing that `next` does not allow. Operations that
//! are not possible exist as hidden methods whose bound nothing meets: that is what lets the error name
//! the state, the operation and where it is possible.

use super::arms::Arm;
use super::names::snake;
use super::tracked::{self, Tracked};
use super::{Machine, Op, State, binding, values, with_fields};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Fields};

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let data = machine.states.iter().map(data);
    let handles = machine.states.iter().map(|state| handle(machine, state));
    let driver = driver(&machine.name, &machine.ops);
    let start = start(machine);
    let mut methods = TokenStream::new();
    for state in &machine.states {
        for op in &machine.ops {
            methods.extend(match machine.is_possible(&state.name, &op.name) {
                false => impossible(machine, state, op),
                true if tracked::concerns(machine, state, op) => tracked::method(machine, state, op),
                true => method(machine, state, op),
            });
        }
        methods.extend(decision(machine, state));
    }
    let types = tracked::types(machine);
    quote! {
        /// What the handles carry: the data of each state.
        pub mod data {
            #[allow(unused_imports)]
            use super::*;
            #(#data)*
        }
        #[doc(no_inline)]
        pub use ::stairway::machine::Told;
        #(#handles)*
        #driver
        #start
        #types
        #methods
    }
}

/// The data of a state as a struct that can be read. It derives nothing: the state as a value has it all, and every
/// implementation costs each build of the crate.
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

/// The parameters of a handle, as declared, as written before `D` in an `impl`, and as passed.
pub(super) struct Generics {
    declared: TokenStream,
    pub(super) before: TokenStream,
    pub(super) passed: TokenStream,
}

pub(super) fn generics(state: &State) -> Generics {
    let (mut declared, mut before, mut passed) = (quote!(), quote!(), quote!());
    for tracked in &state.tracked {
        match tracked {
            Tracked::Bounded { parameter, ty, .. } => {
                declared.extend(quote!(const #parameter: #ty,));
                before.extend(quote!(const #parameter: #ty,));
                passed.extend(quote!(#parameter,));
            }
            Tracked::Counter { parameter, .. } => {
                declared.extend(quote!(#parameter,));
                before.extend(quote!(#parameter,));
                passed.extend(quote!(#parameter,));
            }
        }
    }
    Generics { declared, before, passed }
}

/// The state's data moved from one shape to another.
fn fields_of(state: &State, prefix: &str) -> Vec<TokenStream> {
    let names = state.fields.iter().enumerate().map(|(k, field)| binding(field, k));
    names.map(|name| format_ident!("{prefix}{name}").into_token_stream()).collect()
}

fn handle(machine: &Machine, state: &State) -> TokenStream {
    let name = &state.name;
    let Generics { declared, before, passed } = generics(state);
    let title = format!("`{}` is in state `{name}`.", machine.name);
    let docs = &state.docs;
    let phantoms = state.tracked.iter().filter_map(|t| match t {
        Tracked::Counter { parameter, .. } => Some(parameter),
        Tracked::Bounded { .. } => None,
    });
    let members: Vec<TokenStream> = state
        .fields
        .iter()
        .enumerate()
        .map(|(k, field)| {
            let member = field
                .ident
                .as_ref()
                .map_or_else(|| syn::Index::from(k).into_token_stream(), ToTokens::to_token_stream);
            quote!(self.data.#member)
        })
        .collect();
    let whole = with_fields(quote!(State::#name), &state.fields, &members);
    let taken = fields_of(state, "");
    let (from, to) = (
        with_fields(quote!(State::#name), &state.fields, &taken),
        with_fields(quote!(data::#name), &state.fields, &taken),
    );
    let must = format!("`{}` stays in this state unless the handle is used", machine.name);
    let forged = forged(machine, state);
    // What rustc says about the type is said at the state.
    let declaration = quote_spanned! {name.span()=>
        pub struct #name<#declared D = Told> {
            data: data::#name,
            driver: D,
            types: ::core::marker::PhantomData<(#(#phantoms,)*)>,
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
            fn deref(&self) -> &data::#name { &self.data }
        }
        impl<#before D> ::core::fmt::Debug for #name<#passed D> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.state(), f)
            }
        }
        impl<#before D> #name<#passed D> {
            /// The state as a value.
            pub const fn state(&self) -> State { #whole }
            /// The driver behind the machine.
            pub const fn driver(&self) -> &D { &self.driver }
            /// Ends the program and gives the driver back.
            pub fn into_driver(self) -> D { self.driver }
            #[doc(hidden)]
            #[allow(unreachable_patterns, unused_variables)]
            fn __of(state: State, driver: D) -> Self {
                match state {
                    #from => #name { data: #to, driver, types: ::core::marker::PhantomData },
                    _ => ::core::unreachable!("`next` leads where its text says"),
                }
            }
        }
    }
}

/// A handle from a state as a value would be one that the machine never made: the error says where handles come from.
fn forged(machine: &Machine, state: &State) -> TokenStream {
    let name = &state.name;
    let Generics { before, passed, .. } = generics(state);
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

/// `self`, where the operation stands in `next`: there is said that a handle is moved by it.
pub(super) fn receiver(machine: &Machine, state: &State, op: &Op) -> TokenStream {
    let arm = machine.arms_of(&state.name, &op.name).next();
    let place = arm.and_then(|arm| arm.op_pattern.as_ref()).map_or(op.name.span(), Spanned::span);
    quote_spanned!(place=> self)
}

/// One method an operation: what really happens.
pub(super) fn driver(machine: &Ident, ops: &[Op]) -> TokenStream {
    let (mut methods, mut forwards) = (Vec::new(), Vec::new());
    for op in ops {
        let (method, docs) = (op.method(), &op.docs);
        let bound = op.bound();
        let parameters =
            bound.iter().filter(|(_, _, is_ret)| !is_ret).map(|(name, ty, _)| quote!(#name: #ty));
        let arguments = bound.iter().filter(|(_, _, is_ret)| !is_ret).map(|(name, ..)| name);
        let answer = bound.iter().find(|(_, _, is_ret)| *is_ret).map(|(_, ty, _)| quote!(-> #ty));
        let parameters: Vec<_> = parameters.collect();
        methods.push(quote!(#(#docs)* fn #method(&mut self, #(#parameters),*) #answer;));
        forwards.push(
            quote!(fn #method(&mut self, #(#parameters),*) #answer { (**self).#method(#(#arguments),*) }),
        );
    }
    let title = format!("What is behind `{machine}`: does each operation for real and says what came of it.");
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
        /// Starts the machine; results are told to it by whoever calls its operations.
        pub fn start() -> #name<#passed Told> { #name::__of(START, Told) }
        /// Starts the machine with a driver, which does the operations and gives their results.
        pub fn start_with<D: Driver>(driver: D) -> #name<#passed D> { #name::__of(START, driver) }
    }
}

/// An operation that is not possible in a state: to call it is an error that says so.
fn impossible(machine: &Machine, state: &State, op: &Op) -> TokenStream {
    let (name, method) = (&state.name, op.method());
    let Generics { before, passed, .. } = generics(state);
    let bound = format_ident!("__{}In{}", op.name, state.name);
    let message = format!("`{method}` is not possible when `{}` is in state `{name}`", machine.name);
    let label = format!("the machine is in state `{name}` here");
    let note = format!("`{method}` is possible only in: {}", machine.where_possible(&op.name));
    let fields = op.bound();
    let (all, told): (Vec<_>, Vec<_>) = (
        fields.iter().map(|(name, ty, _)| quote!(#name: #ty)).collect(),
        fields.iter().filter(|(_, _, is_ret)| !is_ret).map(|(name, ty, _)| quote!(#name: #ty)).collect(),
    );
    let one = |generics: TokenStream, d: TokenStream, parameters: &[TokenStream]| {
        quote! {
            #[allow(unused_variables)]
            impl<#before #generics> #name<#passed #d> {
                #[doc(hidden)]
                pub fn #method<Next>(self, #(#parameters),*) -> Next where Self: #bound<Next> { self.never() }
            }
        }
    };
    // A result is told, or comes from the driver.
    let methods = if op.ret.is_some() {
        let (told, driven) = (one(quote!(), quote!(Told), &all), one(quote!(D: Driver), quote!(D), &told));
        quote!(#told #driven)
    } else {
        one(quote!(D), quote!(D), &all)
    };
    quote! {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #bound<Next> {
            fn never(self) -> Next;
        }
        #methods
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
    let counters = state.tracked.iter().filter_map(|tracked| match tracked {
        Tracked::Counter { parameter, .. } => Some(parameter),
        Tracked::Bounded { .. } => None,
    });
    let is_mentioned =
        |name: &&Ident| ways.iter().any(|way| way.arguments.to_string().contains(&name.to_string()));
    let names = counters.filter(is_mentioned);
    quote!(#(#names,)*)
}

/// The type that an operation gives, what makes it from `to` and `driver`, and the enum it may need.
struct Outcome {
    ty: TokenStream,
    make: TokenStream,
    declared: TokenStream,
}

fn outcome(machine: &Machine, state: &State, op: &Op, d: &TokenStream) -> Outcome {
    let arms: Vec<&Arm> = machine.arms_of(&state.name, &op.name).collect();
    let ways = ways(machine, &arms);
    if let [way] = &ways[..] {
        let Way { state, arguments } = way;
        let (ty, make) = (quote!(#state<#arguments #d>), quote!(#state::__of(to, driver)));
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
    let makes = ways
        .iter()
        .map(|Way { state, .. }| quote!(State::#state { .. } => #name::#state(#state::__of(to, driver)),));
    let debug = debug(&name, [&mentioned; 2], ways.iter().map(|way| &way.state));
    Outcome {
        ty: quote!(#name<#mentioned #d>),
        make: quote!(match to { #(#makes)* #[allow(unreachable_patterns)] _ => ::core::unreachable!() }),
        declared: quote! {
            #[doc = #doc]
            #[must_use = "the machine is in one of these states"]
            pub enum #name<#mentioned D = Told> { #(#variants),* }
            #debug
        },
    }
}

/// `Debug` whatever the driver is: handles do not show it.
fn debug<'v>(
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

fn method(machine: &Machine, state: &State, op: &Op) -> TokenStream {
    let (name, method, docs) = (&state.name, op.method(), &op.docs);
    let Generics { before, passed, .. } = generics(state);
    let is_total = machine.is_total(name, op);
    let told = outcome(machine, state, op, &quote!(Told));
    let driven = outcome(machine, state, op, &quote!(D));
    let fields = op.bound();
    let parameters = |with_ret: bool| -> Vec<TokenStream> {
        let kept = fields.iter().filter(|(_, _, is_ret)| with_ret || !is_ret);
        kept.map(|(name, ty, _)| quote!(#name: #ty)).collect()
    };
    let arguments: Vec<&Ident> =
        fields.iter().filter(|(_, _, is_ret)| !is_ret).map(|(name, ..)| name).collect();
    let ret = fields.iter().find(|(_, _, is_ret)| *is_ret).map(|(name, ..)| name);
    let values: Vec<TokenStream> = fields.iter().map(|(name, ..)| name.to_token_stream()).collect();
    let op_name = &op.name;
    let made = with_fields(quote!(Op::#op_name), &op.fields, &values);
    let (all, asked) = (parameters(true), parameters(false));
    let given_back = quote!(#name<#passed Told>);
    let given_back_driven = quote!(#name<#passed D>);
    let wrap = |ty: &TokenStream, back: &TokenStream| match is_total {
        true => ty.clone(),
        false => quote!(::core::result::Result<#ty, #back>),
    };
    let (told_ty, driven_ty) = (wrap(&told.ty, &given_back), wrap(&driven.ty, &given_back_driven));
    let finish = |make: &TokenStream| match is_total {
        true => quote! {
            let driver = self.driver;
            match next { Some(to) => #make, None => ::core::unreachable!("`next` has an arm for this") }
        },
        false => quote! {
            match next {
                Some(to) => { let driver = self.driver; Ok(#make) }
                None => Err(self),
            }
        },
    };
    let (told_make, driven_make) = (finish(&told.make), finish(&driven.make));
    let call = quote!(self.driver.#method(#(#arguments),*););
    // The guard comes before anything happens, as far as it can be known without the result.
    let driven_next = match ret {
        Some(ret) => {
            let early = (!is_total).then(|| asked_before(machine, op));
            quote!(#early let #ret = #call let next = self::next(self.state(), #made);)
        }
        None => quote!(let next = self::next(self.state(), #made); if next.is_some() { #call }),
    };
    let guard_doc = (!is_total).then(
        || quote!(#[doc = "\n\nGives the handle back if the operation is not possible with this data."]),
    );
    let driven_doc = (!is_total && ret.is_some())
        .then(|| quote!(#[doc = "The driver is asked only if it depends on the result whether it is."]));
    let told_doc = ret.map(|_| quote!(#[doc = "\n\nThe result is told by the caller."]));
    let declared = &told.declared;
    let receiver = receiver(machine, state, op);
    quote! {
        #declared
        impl<#before> #name<#passed Told> {
            #(#docs)* #guard_doc #told_doc
            pub fn #method(#receiver, #(#all),*) -> #told_ty {
                let next = self::next(self.state(), #made);
                #told_make
            }
        }
        impl<#before D: Driver> #name<#passed D> {
            #(#docs)* #guard_doc #driven_doc
            pub fn #method(mut #receiver, #(#asked),*) -> #driven_ty {
                #driven_next
                #driven_make
            }
        }
    }
}

/// Gives the handle back before the driver is asked, if no result would do.
fn asked_before(machine: &Machine, op: &Op) -> TokenStream {
    let op_name = &op.name;
    let values: Vec<TokenStream> = op.bound().iter().map(|(name, ..)| name.to_token_stream()).collect();
    let made = with_fields(quote!(Op::#op_name), &op.fields, &values);
    let ret = op.bound().into_iter().find(|(_, _, is_ret)| *is_ret);
    let Some((ret, ty, _)) = ret else { return quote!() };
    // Types that cannot be looked into were refused before.
    let Some(simplest) = values::simplest(machine, ty) else { return quote!() };
    quote!({ let #ret: #ty = #simplest; if !__may(self.state(), #made) { return Err(self); } })
}

/// `decide()`, where all operations of a state are guarded and take nothing.
fn decision(machine: &Machine, state: &State) -> TokenStream {
    let ops: Vec<&Op> = machine.ops.iter().filter(|op| machine.is_possible(&state.name, &op.name)).collect();
    let is_guarded = |op: &&Op| !machine.is_total(&state.name, op) && op.fields.is_empty();
    if ops.is_empty()
        || !ops.iter().all(is_guarded)
        || ops.iter().any(|op| tracked::concerns(machine, state, op))
    {
        return quote!();
    }
    let name = &state.name;
    let Generics { before, passed, .. } = generics(state);
    let decision = format_ident!("{name}Decision");
    let guards: Vec<Vec<&Expr>> =
        ops.iter().map(|op| machine.arms_of(name, &op.name).flat_map(|arm| &arm.guards).collect()).collect();
    let are_all = matches!(&guards[..], [one, other] if one.len() == 1 && other.len() == 1 && are_opposite(one[0], other[0]));
    let outcomes: Vec<_> = ops.iter().map(|op| outcome(machine, state, op, &quote!(D))).collect();
    let variants = ops.iter().zip(&outcomes).map(|(op, outcome)| {
        let (op, ty, docs) = (&op.name, &outcome.ty, &op.docs);
        quote!(#(#docs)* #op(#ty))
    });
    let is_used = |tracked: &Tracked| match tracked {
        Tracked::Counter { parameter, .. } => {
            outcomes.iter().any(|outcome| outcome.ty.to_string().contains(&parameter.to_string()))
        }
        Tracked::Bounded { .. } => true,
    };
    let has_parameters = !are_all || state.tracked.iter().all(is_used);
    let (enum_before, enum_passed) =
        if has_parameters { (before.clone(), passed.clone()) } else { (quote!(), quote!()) };
    let neither = (!are_all).then(|| quote!(#[doc = "None of them is possible."] Neither(#name<#passed D>)));
    let tries = |is_driven: bool| {
        let op_names = ops.iter().map(|op| &op.name);
        let methods = ops.iter().map(|op| op.method());
        let makes = outcomes.iter().map(|outcome| &outcome.make);
        let calls = methods.map(|method| if is_driven { quote!(driver.#method();) } else { quote!() });
        quote!(#(if let Some(to) = self::next(state, Op::#op_names) { #calls return #decision::#op_names(#makes); })*)
    };
    let (told, driven) = (tries(false), tries(true));
    let last = if are_all {
        quote!(::core::unreachable!("one guard is the opposite of the other"))
    } else {
        quote!(#decision::Neither(#name::__of(state, driver)))
    };
    let doc = format!("What is possible in [`{name}`], whose operations exclude each other.");
    let none = format_ident!("Neither");
    let names = ops.iter().map(|op| &op.name).chain((!are_all).then_some(&none));
    let debug = debug(&decision, [&enum_before, &enum_passed], names);
    quote! {
        #[doc = #doc]
        #[must_use = "the machine is in one of these states"]
        pub enum #decision<#enum_before D = Told> { #(#variants,)* #neither }
        #debug
        impl<#before> #name<#passed Told> {
            /// Does the operation whose guard holds.
            pub fn decide(self) -> #decision<#enum_passed Told> {
                let (state, driver) = (self.state(), self.driver);
                #told
                #last
            }
        }
        impl<#before D: Driver> #name<#passed D> {
            /// Does the operation whose guard holds.
            pub fn decide(self) -> #decision<#enum_passed D> {
                let (state, mut driver) = (self.state(), self.driver);
                #driven
                #last
            }
        }
    }
}

/// Whether one of two conditions holds whenever the other does not, as far as their text says.
fn are_opposite(one: &Expr, other: &Expr) -> bool {
    use syn::{BinOp, UnOp};
    let text = |expr: &Expr| expr.to_token_stream().to_string();
    if let Expr::Unary(unary) = one
        && matches!(unary.op, UnOp::Not(_))
        && text(&unary.expr).trim_matches(['(', ')', ' ']) == text(other)
    {
        return true;
    }
    if let (Expr::Unary(unary), true) = (other, true)
        && matches!(unary.op, UnOp::Not(_))
        && text(&unary.expr).trim_matches(['(', ')', ' ']) == text(one)
    {
        return true;
    }
    let (Expr::Binary(a), Expr::Binary(b)) = (one, other) else { return false };
    let opposite = matches!(
        (&a.op, &b.op),
        (BinOp::Eq(_), BinOp::Ne(_))
            | (BinOp::Ne(_), BinOp::Eq(_))
            | (BinOp::Lt(_), BinOp::Ge(_))
            | (BinOp::Ge(_), BinOp::Lt(_))
            | (BinOp::Gt(_), BinOp::Le(_))
            | (BinOp::Le(_), BinOp::Gt(_))
    );
    opposite && text(&a.left) == text(&b.left) && text(&a.right) == text(&b.right)
}

/// The name of a method, for other files.
pub(super) fn method_name(op: &Op) -> String {
    snake(&op.name.to_string())
}
