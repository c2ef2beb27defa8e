//! Finds the states in which an expression can end. What else it computes is left to rustc.

use super::{Target, known};
use crate::machine::syntax::each_end;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Error, Expr, Result};

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
}

impl Finder<'_> {
    /// The states at the ends of an expression.
    pub(super) fn find(&self, expr: &Expr) -> Result<Ends> {
        let mut ends = Ends::default();
        each_end(&mut expr.clone(), &mut |end| self.end(end, &mut ends))?;
        Ok(ends)
    }

    fn end(&self, expr: &Expr, ends: &mut Ends) -> Result<()> {
        const WRITE: &str = "the next state is written as a state, such as `Ready { n: n + 1 }`, or as an `if` or `match` that \
                             ends in states, so that its type is known";
        match expr {
            Expr::Macro(m) if is_refusal(&m.mac) => ends.may_be_none = true,
            Expr::Path(path) if path.path.get_ident().is_some_and(|name| (self.is_state)(name)) => {
                ends.stays = true;
            }
            expr => {
                let name =
                    made_by(expr).filter(|name| !matches!(expr, Expr::Call(_)) || self.states.contains(name));
                let name = name.ok_or_else(|| Error::new_spanned(expr, WRITE))?;
                known(name, &self.states, "state")?;
                ends.targets.push(Target { state: name.clone(), made: Some(expr.clone()) });
            }
        }
        Ok(())
    }
}

/// The variant that an expression makes, as far as its text says.
pub(in super::super) fn made_by(expr: &Expr) -> Option<&Ident> {
    let path = match expr {
        Expr::Path(path) => &path.path,
        Expr::Struct(made) => &made.path,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => &path.path,
            _ => return None,
        },
        _ => return None,
    };
    path.segments.last().map(|last| &last.ident)
}
