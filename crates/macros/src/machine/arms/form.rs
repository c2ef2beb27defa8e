//! The one form of `next`: a `match` on the state and the operation, whose arms end in states.
//!
//! Everything else about the function is read off the arms of that `match`. Other forms are errors that show
//! what to write.

use crate::machine::docs;
use crate::machine::syntax::{bare, named};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, Error, Expr, ExprMatch, FnArg, ItemFn, Pat, Result, ReturnType, Stmt};

/// The transition function as it was written.
pub(in super::super) struct Next {
    /// What the function calls the state and the operation.
    pub(in super::super) state: Ident,
    pub(in super::super) op: Ident,
    /// `match (s, op) { .. }`
    pub(in super::super) whole: ExprMatch,
    pub(in super::super) docs: Vec<Attribute>,
    /// Where its name stands.
    pub(in super::super) place: Span,
}

impl Next {
    pub(in super::super) fn read(next: &ItemFn) -> Result<Self> {
        let [state, op] = parameters(next)?;
        let is_pair = |expr: &Expr| match expr {
            Expr::Tuple(pair) => pair.elems.iter().map(named).eq([Some(&state), Some(&op)]),
            _ => false,
        };
        let form = format!("`next` is one `match ({state}, {op}) {{ (Idle, Go) => Busy, .. }}`");
        let whole = match &next.block.stmts[..] {
            [Stmt::Expr(Expr::Match(whole), None)] if is_pair(&whole.expr) => whole.clone(),
            [Stmt::Expr(Expr::Match(other), None)] => {
                let message = format!("{form}: each arm names the state and the operation that it is for");
                return Err(Error::new_spanned(&other.expr, message));
            }
            [first, ..] => {
                let message = format!(
                    "{form}: what is decided here belongs in patterns and guards of its arms, what is computed here \
                     in a `const fn` of the module"
                );
                return Err(Error::new_spanned(first, message));
            }
            [] => return Err(Error::new(next.block.span(), form)),
        };
        let mut detours = Detours { names: [&state, &op], error: None };
        whole.arms.iter().for_each(|arm| detours.visit_arm(arm));
        match detours.error {
            Some(error) => Err(error),
            None => Ok(Next { state, op, whole, docs: docs(&next.attrs), place: next.sig.ident.span() }),
        }
    }
}

/// The names of the parameters.
fn parameters(next: &ItemFn) -> Result<[Ident; 2]> {
    const SIGNATURE: &str = "write `fn next(s: State, op: Op) -> State`: what no arm mentions is not possible, and \
                             neither is an arm that ends in `unreachable!()`";
    let wrong = |syntax: &dyn ToTokens| Error::new_spanned(syntax.to_token_stream(), SIGNATURE);
    let mut names = Vec::new();
    for (input, wanted) in next.sig.inputs.iter().zip(["State", "Op"]) {
        let FnArg::Typed(typed) = input else { return Err(wrong(input)) };
        let Pat::Ident(name) = &*typed.pat else {
            const NAME: &str = "give this parameter a name, and take it apart in the `match`";
            return Err(Error::new_spanned(&typed.pat, NAME));
        };
        if typed.ty.to_token_stream().to_string() != wanted {
            return Err(wrong(&typed.ty));
        }
        names.push(name.ident.clone());
    }
    match &next.sig.output {
        ReturnType::Type(_, ty) if ty.to_token_stream().to_string() == "State" => {}
        ReturnType::Type(_, ty) => return Err(wrong(ty)),
        ReturnType::Default => return Err(wrong(&next.sig)),
    }
    if next.sig.inputs.len() > 2 {
        return Err(wrong(&next.sig));
    }
    names.try_into().map_err(|_| wrong(&next.sig))
}

/// Finds the first place where the function leaves an arm before its end, or decides again what the arm is for.
struct Detours<'n> {
    names: [&'n Ident; 2],
    error: Option<Error>,
}

impl Detours<'_> {
    fn note(&mut self, place: impl ToTokens, write: &str) {
        self.error.get_or_insert_with(|| Error::new_spanned(place, write));
    }

    /// Whether an expression is the whole state or operation, or has one of them in it as a part of a tuple.
    fn takes_apart(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.takes_apart(part)),
            expr => named(expr).is_some_and(|name| self.names.contains(&name)),
        }
    }
}

impl<'a> Visit<'a> for Detours<'_> {
    fn visit_expr_match(&mut self, node: &'a ExprMatch) {
        if self.takes_apart(&node.expr) {
            const WRITE: &str = "take the state and the operation apart in the pattern of the arm, where the reader \
                                 sees it: `(On { n }, Press) => ..`";
            self.note(&node.expr, WRITE);
        }
        syn::visit::visit_expr_match(self, node);
    }

    fn visit_expr_return(&mut self, node: &'a syn::ExprReturn) {
        const WRITE: &str = "each arm ends in a state: write `if .. { .. } else { .. }` instead of `return`";
        self.note(node, WRITE);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        // What only leaves a block inside the arm is none.
        let is_inside = |body: &Expr| matches!(body, Expr::Block(body) if matches!(&body.block.stmts[..], [Stmt::Expr(Expr::Break(_), _)]));
        let diverge = local.init.as_ref().and_then(|init| init.diverge.as_ref());
        if diverge.is_some_and(|(_, body)| !is_inside(body)) {
            const WRITE: &str = "each arm ends in a state: write this pattern in the arm, `(On { n }, Press) => ..`, or as \
                                 an arm of a `match`";
            self.note(local, WRITE);
        }
        syn::visit::visit_local(self, local);
    }

    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
