//! What is known of an arm before its operation has a result.
//!
//! A driver decides the result, so whether an operation may be called is asked before it is known: patterns of
//! the result match anything then, and conditions that depend on it are left out.

use super::{Arm, Next};
use crate::machine::Op;
use crate::machine::syntax::{is_variable, unparen};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Member, Pat, parse_quote};

/// Whether an arm may be taken before the operation has its result: `Some(())` as far as is known.
/// Conditions that depend on the result are left out. `body` is the arm's body as an optional state.
pub(in super::super) fn may(next: &Next, arm: &Arm, op: &Op, body: &Expr) -> TokenStream {
    let mut known = arm.clone();
    // Names that stand for something that depends on the result.
    let mut unknown = Bound(BTreeSet::from([next.op.to_string()]));
    results_in(&arm.op_pattern, op, &mut |pat| unknown.visit_pat(pat));
    Forget { op, unknown: &unknown.0 }.visit_pat_mut(&mut known.op_pattern);
    known.guards.retain(|guard| {
        let depends = mentions(guard.to_token_stream(), &unknown.0);
        if let (true, Expr::Let(inner)) = (depends, guard) {
            unknown.visit_pat(&inner.pat);
        }
        !depends
    });
    let inner = if arm.may_be_none && !mentions(body.to_token_stream(), &unknown.0) {
        quote!(match #body { Some(_) => Some(()), None => None })
    } else {
        quote!(Some(()))
    };
    next.around(&known, inner)
}

/// Calls `found` with each pattern of the whole operation or of its result.
fn results_in(pat: &Pat, op: &Op, found: &mut dyn FnMut(&Pat)) {
    match pat {
        Pat::Paren(inner) => results_in(&inner.pat, op, found),
        Pat::Or(or) => or.cases.iter().for_each(|case| results_in(case, op, found)),
        // A name for the whole operation.
        Pat::Ident(_) => found(pat),
        pat => op.ret.and_then(|k| field_pattern(pat, op, k)).into_iter().for_each(found),
    }
}

/// The pattern of an operation's field, where there is one.
pub(super) fn field_pattern<'p>(pat: &'p Pat, op: &Op, k: usize) -> Option<&'p Pat> {
    match unparen(pat) {
        Pat::Ident(inner) => field_pattern(&inner.subpat.as_ref()?.1, op, k),
        Pat::Struct(inner) => {
            let name = op.fields.iter().nth(k)?.ident.as_ref()?;
            let is_it = |f: &&syn::FieldPat| matches!(&f.member, Member::Named(member) if member == name);
            inner.fields.iter().find(is_it).map(|field| &*field.pat)
        }
        Pat::TupleStruct(inner) => inner.elems.iter().nth(position(inner, op, k)?),
        _ => None,
    }
}

/// Where field `k` stands in a pattern that may leave fields out.
pub(super) fn position(pat: &syn::PatTupleStruct, op: &Op, k: usize) -> Option<usize> {
    let rest = pat.elems.iter().position(|pat| matches!(pat, Pat::Rest(_)));
    let (n_fields, n_pats) = (op.fields.len(), pat.elems.len());
    match rest {
        Some(rest) if k >= rest => (k + n_pats).checked_sub(n_fields).filter(|at| *at > rest),
        _ => Some(k).filter(|k| *k < n_pats),
    }
}

/// Replaces the pattern of the result, and names that are not known, by `_`.
struct Forget<'o> {
    op: &'o Op,
    unknown: &'o BTreeSet<String>,
}

impl VisitMut for Forget<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        let is_unknown = |pat: &syn::PatIdent| self.unknown.contains(&pat.ident.to_string());
        match pat {
            Pat::Ident(name) if is_unknown(name) => match name.subpat.take() {
                Some((_, inner)) => {
                    *pat = *inner;
                    self.visit_pat_mut(pat);
                }
                None => *pat = parse_quote!(_),
            },
            Pat::Struct(inner) => {
                let ret = self.op.ret.and_then(|k| self.op.fields.iter().nth(k)?.ident.as_ref());
                for field in &mut inner.fields {
                    if matches!(&field.member, Member::Named(member) if Some(member) == ret) {
                        field.colon_token.get_or_insert_with(Default::default);
                        *field.pat = parse_quote!(_);
                    } else {
                        self.visit_pat_mut(&mut field.pat);
                        if matches!(&*field.pat, Pat::Wild(_)) {
                            field.colon_token.get_or_insert_with(Default::default);
                        }
                    }
                }
            }
            Pat::TupleStruct(inner) => {
                let at = self.op.ret.and_then(|k| position(inner, self.op, k));
                for (k, element) in inner.elems.iter_mut().enumerate() {
                    if Some(k) == at {
                        *element = parse_quote!(_);
                    } else {
                        self.visit_pat_mut(element);
                    }
                }
            }
            pat => visit_mut::visit_pat_mut(self, pat),
        }
    }
}

/// Names that patterns bind.
#[derive(Default)]
struct Bound(BTreeSet<String>);

impl<'a> Visit<'a> for Bound {
    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        if is_variable(&pat.ident) {
            self.0.insert(pat.ident.to_string());
        }
        if let Some((_, inner)) = &pat.subpat {
            self.visit_pat(inner);
        }
    }
}

/// Whether one of these names stands somewhere in a piece of code.
fn mentions(tokens: TokenStream, names: &BTreeSet<String>) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => names.contains(&name.to_string()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}
