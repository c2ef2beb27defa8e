//! Unbounded counters as types in the style of Peano: the type arguments of the handles that arms lead to.

use super::super::arms::{Arm, Target};
use super::super::syntax::named;
use super::super::{Machine, State, patterns};
use super::{Tracked, binding_of};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Expr, FieldValue, Member, Result};

/// A number in the style of Peano on top of another.
fn successors(n: i128, of: TokenStream) -> TokenStream {
    (0..n).fold(of, |inner, _| quote!(::stairway::machine::core::S<#inner>))
}

fn zero() -> TokenStream {
    quote!(::stairway::machine::core::Z)
}

/// A number that a type can be.
pub(super) fn number(expr: &Expr) -> Option<i128> {
    patterns::number(expr).filter(|n| *n >= 0)
}

/// The arguments of the handle at the start.
pub(in super::super) fn start_arguments(machine: &Machine, state: &State) -> TokenStream {
    let argument = |Tracked { name: field, bounds, .. }: &Tracked| {
        if bounds.is_none() {
            let given = field_of(&machine.start, field).and_then(number).unwrap_or(0);
            let ty = successors(given, zero());
            return quote!(#ty,);
        }
        let name = &state.name;
        quote!({ match START { State::#name { #field, .. } => #field, #[allow(unreachable_patterns)] _ => ::core::unreachable!() } },)
    };
    state.tracked.iter().map(argument).collect()
}

/// What a field is in an expression that makes a state.
pub(super) fn field_of<'e>(made: &'e Expr, field: &Ident) -> Option<&'e Expr> {
    let Expr::Struct(made) = made else { return None };
    let is_it = |given: &&FieldValue| matches!(&given.member, Member::Named(member) if member == field);
    made.fields.iter().find(is_it).map(|given| &given.expr)
}

/// The arguments of the handle that an arm leads to, before `D`.
pub(in super::super) fn arguments(machine: &Machine, arm: &Arm, target: &Target) -> TokenStream {
    try_arguments(machine, arm, target).unwrap_or_default()
}

pub(super) fn try_arguments(machine: &Machine, arm: &Arm, target: &Target) -> Result<TokenStream> {
    let (from, to) = (machine.state(&arm.state), machine.state(&target.state));
    let Some(Tracked { name: field, .. }) = to.counters().next() else { return Ok(quote!()) };
    let wrong = |syntax: &dyn ToTokens| {
        let message = format!(
            "it cannot be read off what `{field}` is in the type of `{}`: write `{field}`, `{field} + 1` or a number, where \
             `{field}` is the tracked field of `{}`",
            target.state, arm.state
        );
        Error::new_spanned(syntax.to_token_stream(), message)
    };
    let source = from.counters().next();
    let Some(made) = &target.made else {
        let parameter = source.map(|source| &source.parameter).ok_or_else(|| wrong(&arm.body))?;
        return Ok(quote!(#parameter,));
    };
    let Some(expr) = field_of(made, field) else { return Err(wrong(made)) };
    if let Some(n) = number(expr) {
        let ty = successors(n, zero());
        return Ok(quote!(#ty,));
    }
    let Some(Tracked { name, parameter, .. }) = source else { return Err(wrong(expr)) };
    let (of, added) = match expr {
        Expr::Binary(sum) if matches!(sum.op, syn::BinOp::Add(_)) => (&*sum.left, number(&sum.right)),
        expr => (expr, Some(0)),
    };
    let is_bound = matches!(of, Expr::Path(_))
        && named(of).map(ToString::to_string) == binding_of(&arm.state_pattern, name);
    match added.filter(|_| is_bound) {
        Some(n) => {
            let ty = successors(n, quote!(#parameter));
            Ok(quote!(#ty,))
        }
        None => Err(wrong(expr)),
    }
}
