//! Decides what a formula does with the arguments of operations, so that exploration tries enough of them.
//!
//! The counterpart for `next` is `machine/argument_use`. Errs on the side of "free" like that one.

use super::formula::Predicate;
use crate::machine::{Use, is_comparison, is_variable};
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Expr, Lit, Pat, UnOp};

/// What a predicate about an operation does with its arguments, and constants with which it compares them.
pub(super) fn of(predicate: &Predicate) -> (Use, Vec<syn::Path>) {
    let mut reader = Reader::default();
    reader.top(&predicate.pattern);
    if let Some(guard) = &predicate.guard {
        reader.visit_expr(guard);
    }
    (reader.found, reader.constants)
}

#[derive(Default)]
struct Reader {
    found: Use,
    names: BTreeSet<Ident>,
    constants: Vec<syn::Path>,
}

impl Reader {
    fn note(&mut self, found: Use) {
        self.found = self.found.max(found);
    }

    /// The pattern of the operation itself, which says nothing of its arguments.
    fn top(&mut self, pat: &Pat) {
        match pat {
            Pat::Paren(inner) => self.top(&inner.pat),
            Pat::Or(or) => or.cases.iter().for_each(|case| self.top(case)),
            Pat::Struct(inner) => inner.fields.iter().for_each(|field| self.visit_pat(&field.pat)),
            Pat::TupleStruct(inner) => inner.elems.iter().for_each(|pat| self.visit_pat(pat)),
            Pat::Ident(name) if is_variable(&name.ident) => {
                self.names.insert(name.ident.clone());
                name.subpat.iter().for_each(|(_, inner)| self.top(inner));
            }
            _ => {}
        }
    }

    /// A number with which arguments are compared: as it is written, or a constant.
    fn of_number(&mut self, expr: &Expr) -> Use {
        match expr {
            Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_) | Lit::Char(_) | Lit::Byte(_) | Lit::Bool(_)) => {
                Use::Compared
            }
            Expr::Unary(unary)
                if matches!(unary.op, UnOp::Neg(_)) && matches!(&*unary.expr, Expr::Lit(_)) =>
            {
                self.of_number(&unary.expr)
            }
            Expr::Paren(inner) => self.of_number(&inner.expr),
            Expr::Path(path) => match path.path.segments.last() {
                Some(last) if !last.ident.to_string().contains(char::is_lowercase) => {
                    self.constants.push(path.path.clone());
                    Use::Compared
                }
                _ => Use::Free,
            },
            _ => Use::Free,
        }
    }

    fn is_argument(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_argument(&inner.expr),
            Expr::Field(inner) => self.is_argument(&inner.base),
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.names.contains(name)),
            _ => false,
        }
    }
}

/// A variant, or a constant whose value is not known here.
fn of_name(name: &Ident) -> Use {
    if name.to_string().contains(char::is_lowercase) { Use::Compared } else { Use::Free }
}

impl<'a> Visit<'a> for Reader {
    /// A pattern of an argument, or in one.
    fn visit_pat(&mut self, pat: &'a Pat) {
        match pat {
            Pat::Ident(name) if is_variable(&name.ident) => drop(self.names.insert(name.ident.clone())),
            Pat::Ident(name) => self.note(of_name(&name.ident)),
            Pat::Path(path) => {
                return self.note(path.path.segments.last().map_or(Use::Free, |last| of_name(&last.ident)));
            }
            Pat::Lit(lit) => {
                let found = self.of_number(&Expr::Lit(lit.clone()));
                return self.note(found);
            }
            Pat::Range(range) => {
                for bound in [&range.start, &range.end].into_iter().flatten() {
                    let found = self.of_number(bound);
                    self.note(found);
                }
                return self.note(Use::Compared);
            }
            Pat::Struct(_) | Pat::TupleStruct(_) => self.note(Use::Compared),
            Pat::Wild(_) | Pat::Rest(_) | Pat::Or(_) | Pat::Paren(_) | Pat::Tuple(_) | Pat::Slice(_) => {}
            _ => self.note(Use::Free),
        }
        visit::visit_pat(self, pat);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.is_argument(expr) {
            return self.note(Use::Free);
        }
        match expr {
            Expr::Binary(both) if is_comparison(&both.op) => {
                for (one, other) in [(&both.left, &both.right), (&both.right, &both.left)] {
                    if self.is_argument(one) && self.of_number(other) == Use::Compared {
                        return self.note(Use::Compared);
                    }
                }
                visit::visit_expr(self, expr);
            }
            Expr::Macro(_) if !self.names.is_empty() => self.note(Use::Free),
            expr => visit::visit_expr(self, expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;
    use quote::quote;
    use syn::parse_quote;

    fn found(pattern: TokenStream, guard: Option<Expr>) -> Use {
        let pattern = syn::parse::Parser::parse2(Pat::parse_multi, pattern).expect("a pattern");
        of(&Predicate { part: None, pattern, guard }).0
    }

    #[test]
    fn comparisons_are_told_from_other_uses() {
        assert_eq!(found(quote!(Send | Wait { .. }), None), Use::Ignored);
        assert_eq!(found(quote!(Send { n: 2.., ret: Lost }), None), Use::Compared);
        assert_eq!(found(quote!(Send { n, .. }), Some(parse_quote!(n < 4))), Use::Compared);
        assert_eq!(found(quote!(Send { n, .. }), Some(parse_quote!(n < LIMIT))), Use::Compared);
        assert_eq!(found(quote!(Send { n: LIMIT }), None), Use::Free);
        assert_eq!(found(quote!(Send { n, .. }), Some(parse_quote!(n % 2 == 0))), Use::Free);
        assert_eq!(found(quote!(Send { n, m }), Some(parse_quote!(n < m))), Use::Free);
    }
}
