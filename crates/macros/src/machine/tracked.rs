//! Fields that are part of a handle's type: `#[tracked(0..=2)] retries: u8` as a const parameter,
//! `#[tracked] n: u32` as a number in the style of Peano.
//!
//! For a bounded field there is one type a value, and where an operation leads is computed by `next`
//! itself: each type has a code, and the code of what follows is a constant. For a counter, the text of
//! the arm says what follows (`n`, `n + 1`, a number); anything else is an error.

use super::arms::{Arm, Target};
use super::handles::generics;
use super::{Machine, Op, State, binding, values, with_fields};
use crate::attributes::Problems;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit::Visit;
use syn::{Error, Expr, ExprRange, Fields, Lit, Member, Meta, Pat, RangeLimits, Result, Type};

/// A field that is part of the type.
pub(super) enum Tracked {
    /// With so many values.
    Bounded { field: usize, name: Ident, parameter: Ident, ty: Box<Type>, lo: i128, hi: i128 },
    /// Without a bound.
    Counter { name: Ident, parameter: Ident },
}

/// How many types one state may be.
const MAX_TYPES: i128 = 64;

pub(super) fn read(fields: &Fields) -> Result<Vec<Tracked>> {
    let mut found = Vec::new();
    for (k, field) in fields.iter().enumerate() {
        let Some(attribute) = field.attrs.iter().find(|a| a.path().is_ident("tracked")) else { continue };
        let Some(name) = &field.ident else {
            return Err(Error::new_spanned(
                field,
                "a tracked field needs a name: it becomes a parameter of the type",
            ));
        };
        let parameter = format_ident!("{}", name.to_string().to_uppercase());
        match &attribute.meta {
            Meta::Path(_) => found.push(Tracked::Counter { name: name.clone(), parameter }),
            _ => {
                let (lo, hi) = bounds(attribute.parse_args::<ExprRange>()?)?;
                found.push(Tracked::Bounded {
                    field: k,
                    name: name.clone(),
                    parameter,
                    ty: Box::new(field.ty.clone()),
                    lo,
                    hi,
                });
            }
        }
    }
    Ok(found)
}

fn bounds(range: ExprRange) -> Result<(i128, i128)> {
    let number = |expr: &Option<Box<Expr>>| match expr.as_deref() {
        Some(Expr::Lit(literal)) => match &literal.lit {
            Lit::Int(n) => n.base10_parse::<i128>().ok(),
            _ => None,
        },
        _ => None,
    };
    let wrong = || {
        Error::new_spanned(
            &range,
            "write the values that are tracked as a range of numbers: `#[tracked(0..=2)]`",
        )
    };
    let (lo, hi) = (number(&range.start).ok_or_else(wrong)?, number(&range.end).ok_or_else(wrong)?);
    let hi = if matches!(range.limits, RangeLimits::HalfOpen(_)) { hi - 1 } else { hi };
    if lo > hi {
        return Err(wrong());
    }
    Ok((lo, hi))
}

fn n_types(state: &State) -> i128 {
    state
        .tracked
        .iter()
        .map(|t| match t {
            Tracked::Bounded { lo, hi, .. } => hi - lo + 1,
            Tracked::Counter { .. } => 1,
        })
        .product()
}

fn has_bounded(state: &State) -> bool {
    state.tracked.iter().any(|t| matches!(t, Tracked::Bounded { .. }))
}

fn is_any_bounded(machine: &Machine) -> bool {
    machine.states.iter().any(has_bounded)
}

/// Whether the types of an operation have to be computed by `next`.
pub(super) fn concerns(machine: &Machine, state: &State, op: &Op) -> bool {
    let leads_there = |arm: &Arm| arm.targets.iter().any(|target| has_bounded(machine.state(&target.state)));
    has_bounded(state) || machine.arms_of(&state.name, &op.name).any(leads_there)
}

pub(super) fn diagnose(machine: &Machine, problems: &mut Problems) {
    for state in &machine.states {
        let counters = state.tracked.iter().filter(|t| matches!(t, Tracked::Counter { .. })).count();
        if counters > 1 || counters == 1 && is_any_bounded(machine) {
            problems.at(&state.name, "a machine tracks one counter without a bound, or fields with bounds");
        }
        if n_types(state) > MAX_TYPES {
            problems.at(
                &state.name,
                format!("this state would be more than {MAX_TYPES} types: track a smaller range"),
            );
        }
    }
    for arm in &machine.arms {
        for target in &arm.targets {
            if let Err(problem) = try_arguments(machine, arm, target) {
                problems.add(problem);
            }
        }
        let (state, op) = (machine.state(&arm.state), machine.ops.iter().find(|op| op.name == arm.op));
        if let Some(op) = op
            && concerns(machine, state, op)
        {
            diagnose_bounded(machine, state, arm, problems);
        }
    }
}

/// Where types are computed, they may depend on tracked fields and on the result only.
fn diagnose_bounded(machine: &Machine, state: &State, arm: &Arm, problems: &mut Problems) {
    let known: Vec<String> = bound_to_tracked(state, arm);
    let check = |expr: &Expr, problems: &mut Problems| {
        let mut names = Names::default();
        names.visit_expr(expr);
        if let Some(unknown) = names.0.iter().find(|name| !known.contains(&name.to_string())) {
            let message = format!(
                "`{unknown}` is not part of the type of `{}`: what is computed for types may use tracked fields and \
                 numbers only",
                arm.state
            );
            problems.at(unknown, message);
        }
    };
    arm.guards.iter().for_each(|guard| check(guard, problems));
    for target in &arm.targets {
        let (Some(Expr::Struct(made)), to) = (&target.made, machine.state(&target.state)) else { continue };
        for tracked in &to.tracked {
            let Tracked::Bounded { name, .. } = tracked else { continue };
            let given =
                made.fields.iter().find(|f| matches!(&f.member, Member::Named(member) if member == name));
            if let Some(given) = given {
                check(&given.expr, problems);
            }
        }
    }
}

/// The names that a pattern gives to tracked fields.
fn bound_to_tracked(state: &State, arm: &Arm) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for tracked in &state.tracked {
        let (Tracked::Bounded { name, .. } | Tracked::Counter { name, .. }) = tracked;
        names.extend(bindings_of(arm.state_pattern.as_ref(), name));
    }
    names
}

/// What a field is called behind a pattern.
fn bindings_of(pattern: Option<&Pat>, field: &Ident) -> Vec<String> {
    match pattern {
        Some(Pat::Struct(pattern)) => {
            let here =
                pattern.fields.iter().find(|f| matches!(&f.member, Member::Named(member) if member == field));
            match here.map(|f| &*f.pat) {
                Some(Pat::Ident(name)) => vec![name.ident.to_string()],
                _ => Vec::new(),
            }
        }
        Some(Pat::Or(or)) => or.cases.iter().flat_map(|case| bindings_of(Some(case), field)).collect(),
        Some(Pat::Paren(inner)) => bindings_of(Some(&inner.pat), field),
        _ => Vec::new(),
    }
}

/// Variables in an expression: names in lower case.
#[derive(Default)]
struct Names(Vec<Ident>);

impl<'a> Visit<'a> for Names {
    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(name) = path.path.get_ident()
            && name.to_string().starts_with(char::is_lowercase)
        {
            self.0.push(name.clone());
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        // The name of a function is no variable.
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }
}

/// A number in the style of Peano on top of another.
fn successors(n: i128, of: TokenStream) -> TokenStream {
    (0..n).fold(of, |inner, _| quote!(::stairway::machine::S<#inner>))
}

fn zero() -> TokenStream {
    quote!(::stairway::machine::Z)
}

fn number(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(n) => n.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(inner) => number(&inner.expr),
        _ => None,
    }
}

/// The arguments of the handle at the start.
pub(super) fn start_arguments(machine: &Machine, state: &State) -> TokenStream {
    let mut out = TokenStream::new();
    for tracked in &state.tracked {
        match tracked {
            Tracked::Bounded { name, .. } => {
                let get = value_of(state, name);
                out.extend(quote!({ #get },));
            }
            Tracked::Counter { name, .. } => {
                let given = field_of(&machine.start, name).and_then(|expr| number(&expr)).unwrap_or(0);
                let ty = successors(given, zero());
                out.extend(quote!(#ty,));
            }
        }
    }
    out
}

/// A tracked field of the start, as a constant.
fn value_of(state: &State, field: &Ident) -> TokenStream {
    let name = &state.name;
    quote!(match START { State::#name { #field, .. } => #field, #[allow(unreachable_patterns)] _ => ::core::unreachable!() })
}

fn field_of(made: &Expr, field: &Ident) -> Option<Expr> {
    let Expr::Struct(made) = made else { return None };
    made.fields
        .iter()
        .find(|f| matches!(&f.member, Member::Named(member) if member == field))
        .map(|f| f.expr.clone())
}

/// The arguments of the handle that an arm leads to, before `D`.
pub(super) fn arguments(machine: &Machine, arm: &Arm, target: &Target) -> TokenStream {
    try_arguments(machine, arm, target).unwrap_or_default()
}

fn try_arguments(machine: &Machine, arm: &Arm, target: &Target) -> Result<TokenStream> {
    let (from, to) = (machine.state(&arm.state), machine.state(&target.state));
    let counter = |state: &State| {
        state.tracked.iter().find_map(|t| match t {
            Tracked::Counter { name, parameter } => Some((name.clone(), parameter.clone())),
            Tracked::Bounded { .. } => None,
        })
    };
    let Some((field, _)) = counter(to) else { return Ok(quote!()) };
    let wrong = |syntax: &dyn ToTokens| {
        let message = format!(
            "it cannot be read off what `{field}` is in the type of `{}`: write `{field}`, `{field} + 1` or a number, where \
             `{field}` is the tracked field of `{}`",
            target.state, arm.state
        );
        Error::new_spanned(syntax.to_token_stream(), message)
    };
    let source = counter(from);
    let Some(made) = &target.made else {
        return source.map(|(_, parameter)| quote!(#parameter,)).ok_or_else(|| wrong(&arm.body));
    };
    let Some(expr) = field_of(made, &field) else { return Err(wrong(made)) };
    if let Some(n) = number(&expr) {
        let ty = successors(n, zero());
        return Ok(quote!(#ty,));
    }
    let Some((name, parameter)) = source else { return Err(wrong(&expr)) };
    let is_bound = |expr: &Expr| match expr {
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|ident| bindings_of(arm.state_pattern.as_ref(), &name).contains(&ident.to_string())),
        _ => false,
    };
    if is_bound(&expr) {
        return Ok(quote!(#parameter,));
    }
    if let Expr::Binary(sum) = &expr
        && matches!(sum.op, syn::BinOp::Add(_))
        && is_bound(&sum.left)
        && let Some(n) = number(&sum.right)
    {
        let ty = successors(n, quote!(#parameter));
        return Ok(quote!(#ty,));
    }
    Err(wrong(&expr))
}

/// The values of a state's bounded fields, all combinations.
fn combinations(state: &State) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for tracked in &state.tracked {
        let Tracked::Bounded { lo, hi, .. } = tracked else { continue };
        all = all
            .into_iter()
            .flat_map(|one: Vec<i128>| (*lo..=*hi).map(move |v| [&one[..], &[v]].concat()))
            .collect();
    }
    all
}

fn literals(values: &[i128]) -> Vec<proc_macro2::Literal> {
    values.iter().map(|v| proc_macro2::Literal::i128_unsuffixed(*v)).collect()
}

/// Types by code, where fields are tracked.
pub(super) fn types(machine: &Machine) -> TokenStream {
    if !is_any_bounded(machine) {
        return if machine.states.iter().any(|s| !s.tracked.is_empty()) {
            quote!(
                #[doc(no_inline)]
                pub use ::stairway::machine::{S, Z};
            )
        } else {
            quote!()
        };
    }
    let (mut code, mut arms, mut impls) = (0u32, TokenStream::new(), TokenStream::new());
    let name = &machine.name;
    for state in &machine.states {
        let state_name = &state.name;
        for values in combinations(state) {
            let literals = literals(&values);
            let names = state.tracked.iter().filter_map(|t| match t {
                Tracked::Bounded { name, .. } => Some(name),
                Tracked::Counter { .. } => None,
            });
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
    let Some(k) = op.ret else { return Vec::new() };
    let ty = op.fields.iter().nth(k).map(|field| field.ty.to_token_stream().to_string()).unwrap_or_default();
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
pub(super) fn method(machine: &Machine, state: &State, op: &Op) -> TokenStream {
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
    let super::handles::Generics { before, passed, .. } = generics(state);
    let fields = op.bound();
    let values: Vec<TokenStream> = fields.iter().map(|(name, ..)| name.to_token_stream()).collect();
    let made = with_fields(quote!(Op::#op_name), &op.fields, &values);
    let all: Vec<_> = fields.iter().map(|(name, ty, _)| quote!(#name: #ty)).collect();
    let asked: Vec<_> =
        fields.iter().filter(|(_, _, is_ret)| !is_ret).map(|(name, ty, _)| quote!(#name: #ty)).collect();
    let arguments: Vec<_> = fields.iter().filter(|(_, _, is_ret)| !is_ret).map(|(name, ..)| name).collect();
    let ret = fields.iter().find(|(_, _, is_ret)| *is_ret).map(|(name, ..)| name);
    let message = format!("`{method}` is not possible when `{}` is in state `{{From}}`", machine.name);
    let label = "the machine is in state `{From}` here";
    let note = format!("`{method}` is possible only in: {}", machine.where_possible(&op.name));
    let (ty, make, declared) = if results.is_empty() {
        let make = &makers[0];
        (quote!(Next), quote!(<Self as #step<_>>::#make(to, driver)), quote!())
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
            quote!(match #ret { #(#patterns => #outcome::#slots(<Self as #step<_>>::#makers(to, driver)),)* }),
            quote!(#[doc = #doc] #[must_use = "the machine is in one of these states"] #[derive(Debug)] pub enum #outcome<#(#slots),*> { #(#variants),* }),
        )
    };
    let bounds = quote!(#(#slots: #possible<Self>,)*);
    let assoc = quote!(#(#slots = #slots),*);
    let call = quote!(self.driver.#method(#(#arguments),*););
    let called = match ret {
        Some(ret) => quote!(let #ret = #call),
        None => quote!(#call),
    };
    let take = quote! {
        let next = self::next(self.state(), #made);
        let driver = self.driver;
        match next { Some(to) => #make, None => ::core::unreachable!("the types say that this is possible") }
    };
    quote! {
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
        impl<#before> #name<#passed Told> {
            #(#docs)*
            pub fn #method<#(#slots),*>(self, #(#all),*) -> #ty where Self: #step<Told, #assoc>, #bounds { #take }
        }
        impl<#before D: Driver> #name<#passed D> {
            #(#docs)*
            pub fn #method<#(#slots),*>(mut self, #(#asked),*) -> #ty where Self: #step<D, #assoc>, #bounds { #called #take }
        }
    }
}

/// A state with these values of its tracked fields and the simplest others.
fn tracked_state(machine: &Machine, state: &State, combination: &[i128]) -> TokenStream {
    let name = &state.name;
    let mut values = combination.iter();
    let fields: Vec<TokenStream> = state
        .fields
        .iter()
        .enumerate()
        .map(|(k, field)| {
            let is_tracked =
                state.tracked.iter().any(|t| matches!(t, Tracked::Bounded { field, .. } if *field == k));
            match (is_tracked, values.clone().next()) {
                (true, Some(value)) => {
                    let _ = values.next();
                    proc_macro2::Literal::i128_unsuffixed(*value).to_token_stream()
                }
                _ => values::simplest(machine, &field.ty)
                    .unwrap_or_else(|| binding(field, k).to_token_stream()),
            }
        })
        .collect();
    with_fields(quote!(State::#name), &state.fields, &fields)
}

/// Marks the handles, so that what is not possible can be told apart.
pub(super) fn markers(machine: &Machine) -> TokenStream {
    if !is_any_bounded(machine) {
        return quote!();
    }
    let impls = machine.states.iter().map(|state| {
        let name = &state.name;
        let super::handles::Generics { before, passed, .. } = generics(state);
        quote!(impl<#before D> __IsState for #name<#passed D> {})
    });
    quote!(#[doc(hidden)] pub trait __IsState {} #(#impls)*)
}
