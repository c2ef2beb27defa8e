//! Finds the states in which an expression can end. What else it computes is left to rustc.

use super::{Target, known};
use crate::machine::syntax::{bare, named};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Block, Error, Expr, Result, Stmt};

/// Where an expression ends.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) targets: Vec<Target>,
    /// Whether the state may stay what it is.
    pub(super) stays: bool,
    pub(super) may_be_none: bool,
}

pub(super) fn same(one: &Target, other: &Target) -> bool {
    one.made.as_ref().map(|made| made.to_token_stream().to_string())
        == other.made.as_ref().map(|made| made.to_token_stream().to_string())
}

/// Whether a macro says that something cannot be.
pub(in super::super) fn is_refusal(mac: &syn::Macro) -> bool {
    let last = mac.path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|name| ["unreachable", "panic", "todo", "unimplemented"].contains(&name.as_str()))
}

/// Looks for ends.
pub(super) struct Finder<'m> {
    pub(super) states: Vec<&'m Ident>,
    /// Whether a name is one for the state as it was.
    pub(super) is_state: &'m dyn Fn(&Ident) -> bool,
    pub(super) op: &'m Ident,
}

impl Finder<'_> {
    /// The states at the ends of an expression.
    pub(super) fn find(&self, expr: &Expr, ends: &mut Ends) -> Result<()> {
        const WRITE: &str = "the next state is written as a state, such as `Ready { n: n + 1 }`, or as an `if` or `match` that \
                             ends in states, so that its type is known";
        let head = |path: &syn::Path| path.segments.last().map(|last| last.ident.clone());
        match expr {
            Expr::Paren(inner) => self.find(&inner.expr, ends),
            Expr::Group(inner) => self.find(&inner.expr, ends),
            Expr::Block(inner) => self.block_ends(&inner.block, ends),
            Expr::If(i) => {
                self.block_ends(&i.then_branch, ends)?;
                match &i.else_branch {
                    Some((_, other)) => self.find(other, ends),
                    None => {
                        ends.may_be_none = true;
                        Ok(())
                    }
                }
            }
            Expr::Match(m) if self.takes_apart(&m.expr) => {
                const WRITE: &str = "take the state and the operation apart in the pattern of the arm, where the reader \
                                     sees it: `(On { n }, Press) => ..`";
                Err(Error::new_spanned(&m.expr, WRITE))
            }
            Expr::Match(m) => m.arms.iter().try_for_each(|arm| self.find(&arm.body, ends)),
            Expr::Macro(m) if is_refusal(&m.mac) => {
                ends.may_be_none = true;
                Ok(())
            }
            Expr::Path(path) if path.path.get_ident().is_some_and(|name| (self.is_state)(name)) => {
                ends.stays = true;
                Ok(())
            }
            Expr::Path(path) => self.target(head(&path.path), expr, ends),
            Expr::Struct(made) => self.target(head(&made.path), expr, ends),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if head(&path.path).is_some_and(|name| self.states.contains(&&name)) => {
                    self.target(head(&path.path), expr, ends)
                }
                _ => Err(Error::new_spanned(expr, WRITE)),
            },
            expr => Err(Error::new_spanned(expr, WRITE)),
        }
    }

    /// Whether an expression is the whole state or operation, or has one of them in it as a part of a tuple.
    fn takes_apart(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.takes_apart(part)),
            expr => named(expr).is_some_and(|name| (self.is_state)(name) || name == self.op),
        }
    }

    fn block_ends(&self, block: &Block, ends: &mut Ends) -> Result<()> {
        match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => self.find(last, ends),
            Some(Stmt::Macro(m)) if is_refusal(&m.mac) => {
                ends.may_be_none = true;
                Ok(())
            }
            _ => Err(Error::new(block.span(), "a state belongs at the end of this block")),
        }
    }

    fn target(&self, name: Option<Ident>, made: &Expr, ends: &mut Ends) -> Result<()> {
        if let Some(name) = name {
            known(&name, &self.states, "state")?;
            ends.targets.push(Target { state: name, made: Some(made.clone()) });
        }
        Ok(())
    }
}
