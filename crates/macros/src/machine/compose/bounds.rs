//! Decides whether a part bounds an argument, so that few values have to be tried although another part or a
//! channel stores it.
//!
//! A message is inspected by its receiver, so each of its values counts. But if every arm of an operation
//! demands `k < 3`, or `k == n` with a number of the state, all other values are refused: only those below
//! the limit and those of the state are left.

use super::super::{Machine, Op};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Member, Pat, Visibility};

/// Numbers below which an argument lies wherever a part allows an operation; nothing if it may be any number.
pub(super) fn limits(machine: &Machine, part: &Ident, op: &Op, field: &Ident) -> Option<Vec<TokenStream>> {
    let mut limits = Vec::new();
    for arm in machine.arms.iter().filter(|arm| arm.op == op.name) {
        let Pat::Struct(pattern) = &arm.op_pattern else { return None };
        let is_it = |found: &&syn::FieldPat| matches!(&found.member, Member::Named(name) if name == field);
        let bound = match &*pattern.fields.iter().find(is_it)?.pat {
            // A number is tried as any that `next` mentions.
            Pat::Lit(_) => continue,
            Pat::Ident(name) if name.subpat.is_none() => &name.ident,
            _ => return None,
        };
        let state = &arm.state_pattern;
        let conditions = arm.guards.iter();
        let found =
            conditions.filter_map(|condition| limit(condition, bound, state, (machine, part))).next()?;
        limits.extend(found);
    }
    Some(limits)
}

/// What a condition says of a name: a limit below which it is, no number at all if it is one that is known,
/// or nothing.
fn limit(
    condition: &Expr,
    name: &Ident,
    state: &Pat,
    (machine, part): (&Machine, &Ident),
) -> Option<Option<TokenStream>> {
    let Expr::Binary(both) = condition else { return None };
    let is_name = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.is_ident(name));
    let (other, is_left) = match (is_name(&both.left), is_name(&both.right)) {
        (true, false) => (&*both.right, true),
        (false, true) => (&*both.left, false),
        _ => return None,
    };
    let more = match both.op {
        BinOp::Eq(_) => {
            return is_tried(other, state).then_some(None);
        }
        BinOp::Lt(_) if is_left => 0,
        BinOp::Le(_) if is_left => 1,
        BinOp::Gt(_) if !is_left => 0,
        BinOp::Ge(_) if !is_left => 1,
        _ => return None,
    };
    let limit = if is_literal(other) { other.to_token_stream() } else { constant(other, machine, part)? };
    let more = proc_macro2::Literal::i128_unsuffixed(more);
    Some(Some(quote!((#limit) as i128 + #more)))
}

/// Whether a number is one that arguments are drawn around: a literal, one of the state, or one that is so
/// far off it.
fn is_tried(expr: &Expr, state: &Pat) -> bool {
    match expr {
        Expr::Paren(inner) => is_tried(&inner.expr, state),
        Expr::Binary(both) if matches!(both.op, BinOp::Add(_) | BinOp::Sub(_)) => {
            is_bound_in(&both.left, state) && is_literal(&both.right)
        }
        expr => is_literal(expr) || is_bound_in(expr, state),
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)))
}

/// Whether a name is one that the pattern of the state binds.
fn is_bound_in(expr: &Expr, state: &Pat) -> bool {
    struct Bindings<'n>(&'n Ident, bool);
    impl<'a> Visit<'a> for Bindings<'_> {
        fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
            self.1 |= pat.ident == *self.0;
            visit::visit_pat_ident(self, pat);
        }
    }
    let Expr::Path(path) = expr else { return false };
    let Some(name) = path.path.get_ident() else { return false };
    let mut found = Bindings(name, false);
    found.visit_pat(state);
    found.1
}

/// A constant that can be named from outside of its machine.
fn constant(expr: &Expr, machine: &Machine, part: &Ident) -> Option<TokenStream> {
    let Expr::Path(path) = expr else { return None };
    let name = path.path.get_ident()?;
    let is_it = |item: &&syn::Item| matches!(item, syn::Item::Const(item) if item.ident == *name && matches!(item.vis, Visibility::Public(_)));
    machine.rest.iter().find(is_it).map(|_| quote!(#part::#name))
}
