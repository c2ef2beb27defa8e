//! Which arguments of an operation `next` looks at: the others need not be varied where steps are counted
//! through.
//!
//! Receives arms with the way to each. Whoever mentions the operation as a whole may look at everything
//! in it, so in doubt the answer is yes: an argument that is left out wrongly hides states.

use super::arms::{Arm, Layer, Subject};
use super::{Machine, Op};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Field, Member, Pat, Stmt};

/// A field of an operation, and what the operation is called in `next`.
struct Asked<'o> {
    k: usize,
    field: &'o Field,
    name: &'o Ident,
}

pub(super) fn is_looked_at(machine: &Machine, op: &Op, k: usize, field: &Field) -> bool {
    let asked = Asked { k, field, name: &machine.next.parameters.op };
    let arms = machine.arms.iter().chain(&machine.refused);
    arms.filter(|arm| arm.op == op.name).any(|arm| asked.by_arm(arm))
}

impl Asked<'_> {
    fn by_arm(&self, arm: &Arm) -> bool {
        let by_layer = |layer: &Layer| match layer {
            Layer::Statement(Stmt::Local(local)) => {
                local.init.as_ref().is_some_and(|init| self.by_condition(&init.expr))
            }
            Layer::Statement(statement) => self.mentions(statement),
            Layer::If(cond) | Layer::Unless(cond) => self.by_condition(cond),
            Layer::Match { subject, pat, guard, .. } => {
                self.by_subject(*subject, pat) || guard.as_ref().is_some_and(|guard| self.by_condition(guard))
            }
        };
        arm.path.iter().any(by_layer) || self.mentions(&arm.body)
    }

    fn by_subject(&self, subject: Subject, pat: &Pat) -> bool {
        match (subject, pat) {
            (Subject::State | Subject::Tuple { op: None, .. }, _) => false,
            (_, Pat::Paren(inner)) => self.by_subject(subject, &inner.pat),
            (_, Pat::Or(or)) => or.cases.iter().any(|case| self.by_subject(subject, case)),
            (Subject::Tuple { op: Some(at), .. }, Pat::Tuple(tuple)) => {
                tuple.elems.iter().nth(at).is_some_and(|pat| self.by_pattern(pat))
            }
            (_, pat) => self.by_pattern(pat),
        }
    }

    /// `let P = op` and `matches!(op, P)` look at what is in the pattern.
    fn by_condition(&self, cond: &Expr) -> bool {
        match cond {
            Expr::Paren(inner) => self.by_condition(&inner.expr),
            Expr::Unary(inner) => self.by_condition(&inner.expr),
            Expr::Binary(both) => self.by_condition(&both.left) || self.by_condition(&both.right),
            Expr::Let(inner) if self.is_it(&inner.expr) => self.by_pattern(&inner.pat),
            Expr::Macro(mac) if mac.mac.path.is_ident("matches") => {
                let parser = |input: syn::parse::ParseStream<'_>| {
                    let expr: Expr = input.parse()?;
                    input.parse::<syn::Token![,]>()?;
                    let pat = Pat::parse_multi_with_leading_vert(input)?;
                    let rest: TokenStream = input.parse()?;
                    Ok((expr, pat, rest))
                };
                match mac.mac.parse_body_with(parser) {
                    Ok((expr, pat, rest)) if self.is_it(&expr) => {
                        self.by_pattern(&pat) || self.mentions(&rest)
                    }
                    _ => self.mentions(cond),
                }
            }
            cond => self.mentions(cond),
        }
    }

    fn is_it(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(path) if path.path.is_ident(self.name))
    }

    /// Whether a pattern of the operation looks at the field.
    fn by_pattern(&self, pat: &Pat) -> bool {
        match pat {
            Pat::Paren(inner) => self.by_pattern(&inner.pat),
            Pat::Reference(inner) => self.by_pattern(&inner.pat),
            Pat::Or(or) => or.cases.iter().any(|case| self.by_pattern(case)),
            Pat::Struct(inner) => inner.fields.iter().any(|f| {
                matches!(&f.member, Member::Named(member) if self.field.ident.as_ref() == Some(member))
                    && !matches!(&*f.pat, Pat::Wild(_))
            }),
            Pat::TupleStruct(inner) => {
                let has_rest = inner.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)));
                let own = inner.elems.iter().nth(self.k);
                has_rest && inner.elems.len() > 1
                    || own.is_some_and(|pat| !matches!(pat, Pat::Wild(_) | Pat::Rest(_)))
            }
            // A name for the whole operation may look at everything.
            Pat::Ident(inner) => {
                inner.subpat.is_some() || inner.ident.to_string().starts_with(char::is_lowercase)
            }
            _ => false,
        }
    }

    fn mentions(&self, syntax: &impl ToTokens) -> bool {
        mentions(syntax.to_token_stream(), self.name)
    }
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}
