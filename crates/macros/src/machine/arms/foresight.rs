//! What is known of an arm before its operation has a result.
//!
//! A driver decides the result, so whether an operation may be called is asked before it is known: patterns of
//! the result match anything then, and conditions that depend on it are left out.

use super::{Arm, Next};

use crate::machine::syntax::{mentions, names_in};
use crate::machine::{Op, with_fields};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Pat, parse_quote};

/// Whether an arm may be taken before the operation has its result: `Some(())` as far as is known.
/// Conditions that depend on the result are left out. `body` is the arm's body as an optional state.
pub(in super::super) fn may(next: &Next, arm: &Arm, op: &Op, body: &Expr) -> TokenStream {
    let mut known = arm.clone();
    // Names that stand for something that depends on the result.
    let mut unknown = vec![next.op.to_string()];
    match (op.patterns(&arm.op_pattern), op.ret) {
        (Some(mut patterns), Some(ret)) => {
            unknown.extend(patterns[ret].take().map(names_in).unwrap_or_default());
            let any = |pat: Option<&Pat>| pat.map_or_else(|| quote!(_), ToTokens::to_token_stream);
            let (name, patterns) = (&op.name, patterns.into_iter().map(any).collect::<Vec<_>>());
            let pattern = with_fields(quote!(self::Op::#name), &op.fields, &patterns);
            known.op_pattern = parse_quote!(#pattern);
        }
        _ => unknown.extend(names_in(&arm.op_pattern)),
    }
    let depends = |code: &Expr, unknown: &[String]| {
        mentions(code.to_token_stream(), &|name| unknown.contains(&name.to_string()))
    };
    known.guards.retain(|guard| {
        let is_unknown = depends(guard, &unknown);
        if let (true, Expr::Let(inner)) = (is_unknown, guard) {
            unknown.extend(names_in(&inner.pat));
        }
        !is_unknown
    });
    let inner = if arm.may_be_none && !depends(body, &unknown) {
        quote!(match #body { Some(_) => Some(()), None => None })
    } else {
        quote!(Some(()))
    };
    next.around(&known, inner)
}
