//! The path to an arm: all patterns, conditions and statements that `next` passes on the way to it.
//!
//! Code that checks one arm by itself needs the names that were bound on the way. So the path is kept and can
//! be written around any expression: exactly, or as far as it is known before the operation has its result.

use super::Arm;
use crate::machine::Op;
use crate::machine::syntax::{is_variable, unparen};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Member, Pat, Stmt, parse_quote};

/// What a `match` looks at.
#[derive(Clone, Copy, PartialEq)]
pub(in super::super) enum Subject {
    State,
    Op,
    /// A tuple, and where in it the two stand.
    Tuple {
        state: Option<usize>,
        op: Option<usize>,
    },
}

impl Subject {
    /// The operation's part of a pattern of all that is looked at.
    fn op_part(self, pat: &mut Pat) -> Option<&mut Pat> {
        match (self, pat) {
            (Subject::Op, pat) => Some(pat),
            (Subject::Tuple { op: Some(op), .. }, Pat::Tuple(tuple)) => tuple.elems.get_mut(op),
            _ => None,
        }
    }
}

/// One thing on the way to an arm.
#[derive(Clone)]
pub(in super::super) enum Layer {
    /// A statement that does not return.
    Statement(Stmt),
    /// One arm of a `match`, or an `if let`.
    Match { expr: Expr, subject: Subject, pat: Pat, guard: Option<Expr> },
    /// A condition that has to hold.
    If(Expr),
    /// The condition of an early return, or of a branch not taken.
    Unless(Expr),
}

/// The way to an arm, and what is there: an optional value, `None` where the way is not taken.
pub(in super::super) fn nested(path: &[Layer], inner: TokenStream) -> TokenStream {
    path.iter().rev().fold(inner, |inner, layer| match layer {
        Layer::Statement(statement) => quote!({ #statement #inner }),
        Layer::If(cond) => quote!(if #cond { #inner } else { None }),
        Layer::Unless(cond) => quote!(if #cond { None } else { #inner }),
        Layer::Match { expr, pat, guard, .. } => {
            let guard = guard.as_ref().map(|guard| quote!(if #guard));
            quote!(match #expr { #pat #guard => { #inner } _ => None })
        }
    })
}

/// Whether an arm may be taken before the operation has its result: `Some(())` as far as is known.
/// Conditions that depend on the result are left out. `body` is the arm's body as an optional state.
pub(in super::super) fn may(arm: &Arm, op: &Op, name_of_op: &Ident, body: &Expr) -> TokenStream {
    let mut known = Known { op, unknown: BTreeSet::from([name_of_op.to_string()]) };
    let path: Vec<Layer> = arm.path.iter().filter_map(|layer| known.layer(layer)).collect();
    let inner = if arm.may_be_none && !known.depends(body) {
        quote!(match #body { Some(_) => Some(()), None => None })
    } else {
        quote!(Some(()))
    };
    nested(&path, inner)
}

/// What is known without the result.
struct Known<'o> {
    op: &'o Op,
    /// Names that stand for something that depends on it.
    unknown: BTreeSet<String>,
}

impl Known<'_> {
    fn depends(&self, syntax: &impl ToTokens) -> bool {
        mentions(syntax.to_token_stream(), &self.unknown)
    }

    /// The layer without what depends on the result.
    fn layer(&mut self, layer: &Layer) -> Option<Layer> {
        match layer {
            Layer::Statement(statement) if self.depends(statement) => {
                let mut bound = Bound::default();
                bound.visit_stmt(statement);
                self.unknown.append(&mut bound.0);
                None
            }
            Layer::If(cond) => self.without_result(cond).map(Layer::If),
            Layer::Unless(cond) if self.depends(cond) => None,
            Layer::Match { expr, subject, pat, guard } => {
                let (mut expr, mut pat) = (expr.clone(), pat.clone());
                self.forget_result(&mut pat, *subject);
                self.forget_parts(&mut expr, &mut pat, *subject);
                let guard = guard.as_ref().and_then(|guard| self.without_result(guard));
                Some(Layer::Match { expr, subject: *subject, pat, guard })
            }
            layer => Some(layer.clone()),
        }
    }

    /// The parts of `a && b` that are known.
    fn without_result(&mut self, cond: &Expr) -> Option<Expr> {
        let mut known = Vec::new();
        for part in conjuncts(cond) {
            if !self.depends(part) {
                known.push(part);
            } else if let Expr::Let(inner) = part {
                let mut bound = Bound::default();
                bound.visit_pat(&inner.pat);
                self.unknown.append(&mut bound.0);
            }
        }
        (!known.is_empty()).then(|| parse_quote!(#(#known)&&*))
    }

    /// Lets a pattern match whatever the result is; the names it binds to the result are not known.
    fn forget_result(&mut self, pat: &mut Pat, subject: Subject) {
        let Some(part) = subject.op_part(pat) else { return };
        let mut bound = Bound::default();
        results_in(part, self.op, &mut |pat| bound.visit_pat(pat));
        self.unknown.append(&mut bound.0);
        Forget { op: self.op, unknown: &self.unknown }.visit_pat_mut(part);
    }

    /// Leaves out the other parts of a tuple that depend on the result.
    fn forget_parts(&mut self, expr: &mut Expr, pat: &mut Pat, subject: Subject) {
        let (Subject::Tuple { state, op }, Expr::Tuple(tuple)) = (subject, expr) else { return };
        let Pat::Tuple(pats) = pat else { return };
        for (k, (part, pat)) in tuple.elems.iter_mut().zip(&mut pats.elems).enumerate() {
            if state != Some(k) && op != Some(k) && self.depends(part) {
                let mut bound = Bound::default();
                bound.visit_pat(pat);
                self.unknown.append(&mut bound.0);
                (*part, *pat) = (parse_quote!(()), parse_quote!(_));
            }
        }
    }
}

/// Calls `found` with each pattern of the whole operation or of its result.
fn results_in(pat: &Pat, op: &Op, found: &mut dyn FnMut(&Pat)) {
    match pat {
        Pat::Paren(inner) => results_in(&inner.pat, op, found),
        Pat::Reference(inner) => results_in(&inner.pat, op, found),
        Pat::Or(or) => or.cases.iter().for_each(|case| results_in(case, op, found)),
        // A name for the whole operation.
        Pat::Ident(_) => found(pat),
        pat => result_pattern(pat, op).into_iter().for_each(found),
    }
}

/// The pattern of an operation's result, where there is one.
pub(super) fn result_pattern<'p>(pat: &'p Pat, op: &Op) -> Option<&'p Pat> {
    let k = op.ret?;
    match unparen(pat) {
        Pat::Reference(inner) => result_pattern(&inner.pat, op),
        Pat::Ident(inner) => result_pattern(&inner.subpat.as_ref()?.1, op),
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

/// The parts of `a && b && c`.
pub(super) fn conjuncts(cond: &Expr) -> Vec<&Expr> {
    match cond {
        Expr::Binary(both) if matches!(both.op, syn::BinOp::And(_)) => {
            [conjuncts(&both.left), conjuncts(&both.right)].concat()
        }
        Expr::Paren(inner) if matches!(&*inner.expr, Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_))) => {
            conjuncts(&inner.expr)
        }
        cond => vec![cond],
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
