//! Goes through `next` and notes what each expression does with the data of the operation.

use super::super::kinds::Kind;
use super::super::patterns::variants;
use super::super::syntax::{bare, is_comparison, matches_parts, unguarded};
use super::{Bound, Reader, Use};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMatch, Item, Pat};

impl Reader<'_> {
    /// `match` and `let`: patterns of places say how those are used, and of the state what is in it.
    fn matched(&mut self, expr: &Expr, pat: &Pat) {
        if let (Expr::Tuple(_), Pat::Wild(_)) = (bare(expr), unguarded(pat)) {
            return;
        }
        if let (Expr::Tuple(parts), Pat::Tuple(pats)) = (bare(expr), unguarded(pat))
            && parts.elems.len() == pats.elems.len()
        {
            for (part, pat) in parts.elems.iter().zip(&pats.elems) {
                self.matched(part, pat);
            }
            return;
        }
        if let (Expr::Tuple(_), Pat::Or(or)) = (bare(expr), unguarded(pat)) {
            return or.cases.iter().for_each(|case| self.matched(expr, case));
        }
        match self.place(expr) {
            Some((key, kind)) => self.matched_with(pat, key.as_ref(), &kind),
            None if self.is_of_state(expr) => self.bind_all(pat, &Bound::State),
            None => {
                // A name for several parts at once may be used in any way.
                self.mark_mentioned(expr);
                self.bind_all(pat, &Bound::Other);
            }
        }
    }

    /// Each arm by itself: what its pattern binds and what its guard bounds holds in its body only.
    pub(super) fn visit_match(&mut self, m: &ExprMatch) {
        let before = self.names.clone();
        for arm in &m.arms {
            let n_small = self.small.len();
            self.matched(&m.expr, &arm.pat);
            if let Pat::Guard(guarded) = &arm.pat {
                // Where one of several conditions does not hold, it does not matter what the others compute.
                self.bound_by(&guarded.guard);
                self.visit_expr(&guarded.guard);
            }
            self.visit_expr(&arm.body);
            self.names.clone_from(&before);
            self.small.truncate(n_small);
        }
    }

    /// Whatever an expression says of the operation may be used, unless it is only compared.
    fn mark_mentioned(&mut self, expr: &Expr) {
        if let Expr::Tuple(parts) = bare(expr) {
            return parts.elems.iter().for_each(|part| self.visit_expr(part));
        }
        self.visit_expr(expr);
    }

    fn mark_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.mark_tokens(group.stream()),
                TokenTree::Ident(name) => {
                    if let Some(Bound::Data(key, kind)) = self.names.get(&name.to_string()).cloned() {
                        self.mark(key.as_ref(), &kind, Use::Free);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Reader<'_> {
    /// Whether two arguments of one operation are compared with each other, which is noted.
    fn compares_arguments(&mut self, left: &Expr, right: &Expr) -> bool {
        let (Some((Some(one), kind)), Some((Some(other), other_kind))) =
            (self.place(left), self.place(right))
        else {
            return false;
        };
        let are_arguments = one.0 == "Op" && (&one.0, &one.1) == (&other.0, &other.1) && one != other;
        let is_number = is_number_like(&kind) && !matches!(kind, Kind::Wide(_));
        if !are_arguments || !is_number || kind.bounds() != other_kind.bounds() {
            return false;
        }
        for key in [one, other] {
            self.mark(Some(&key), &kind, Use::Compared);
            self.paired.insert(key, kind.clone());
        }
        true
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Some((key, kind)) = self.place(expr) {
            return self.mark(key.as_ref(), &kind, Use::Free);
        }
        match expr {
            Expr::Binary(both) if is_comparison(&both.op) => {
                if self.compares_arguments(&both.left, &both.right) {
                    return;
                }
                for (one, other) in [(&both.left, &both.right), (&both.right, &both.left)] {
                    if let Some((key, kind)) = self.place(one)
                        && is_number_like(&kind)
                        && self.is_drawn_around(other, key.as_ref())
                    {
                        return self.mark(key.as_ref(), &kind, Use::Compared);
                    }
                    // `ret == Pin::Correct` says which variant it is.
                    if let (Some((key, kind)), Expr::Path(path)) = (self.place(one), bare(other))
                        && let Some(last) = path.path.segments.last()
                        && variants(&kind, &self.types).iter().any(|variant| last.ident == variant.name)
                    {
                        return self.mark(key.as_ref(), &kind, Use::Compared);
                    }
                }
                visit::visit_expr(self, expr);
            }
            Expr::Match(m) => self.visit_match(m),
            Expr::Let(l) => self.matched(&l.expr, &l.pat),
            Expr::If(i) => {
                let before = self.names.clone();
                let n_small = self.small.len();
                self.visit_expr(&i.cond);
                self.bound_by(&i.cond);
                self.visit_block(&i.then_branch);
                self.names = before;
                self.small.truncate(n_small);
                if let Some((_, other)) = &i.else_branch {
                    self.visit_expr(other);
                }
            }
            Expr::Macro(mac) => match matches_parts(&mac.mac) {
                Some((expr, pat, guard)) => {
                    let before = self.names.clone();
                    self.matched(&expr, &pat);
                    guard.iter().for_each(|guard| self.visit_expr(guard));
                    self.names = before;
                }
                None => self.mark_tokens(mac.mac.tokens.clone()),
            },
            Expr::Closure(closure) => self.mark_tokens(closure.to_token_stream()),
            expr => visit::visit_expr(self, expr),
        }
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        let before = self.names.clone();
        visit::visit_block(self, block);
        self.names = before;
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        let Some(init) = &local.init else { return };
        if let Some((_, otherwise)) = &init.diverge {
            self.visit_expr(otherwise);
        }
        self.matched(&init.expr, &local.pat);
    }

    fn visit_item(&mut self, _: &'a Item) {}
}

/// Whether values are compared by size or for equality in const evaluation.
fn is_number_like(kind: &Kind) -> bool {
    matches!(kind, Kind::Bool) || matches!(kind, Kind::Wide(ty) if ty == "u128") || kind.bounds().is_some()
}
