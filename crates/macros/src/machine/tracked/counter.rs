//! Unbounded counters as types in the style of Peano: the type arguments of the handles that arms lead to.

use super::super::arms::{Arm, Target};
use super::super::{Machine, State};
use super::{Tracked, binding_of};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Expr, Lit, Member, Result};

/// A number in the style of Peano on top of another.
fn successors(n: i128, of: TokenStream) -> TokenStream {
    (0..n).fold(of, |inner, _| quote!(::stairway::machine::core::S<#inner>))
}

fn zero() -> TokenStream {
    quote!(::stairway::machine::core::Z)
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
pub(in super::super) fn start_arguments(machine: &Machine, state: &State) -> TokenStream {
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
pub(in super::super) fn arguments(machine: &Machine, arm: &Arm, target: &Target) -> TokenStream {
    try_arguments(machine, arm, target).unwrap_or_default()
}

pub(super) fn try_arguments(machine: &Machine, arm: &Arm, target: &Target) -> Result<TokenStream> {
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
            .is_some_and(|ident| binding_of(&arm.state_pattern, &name) == Some(ident.to_string())),
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
