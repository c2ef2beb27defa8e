//! Patterns of states and operations: which names they can match, and whether they match all data.

use super::foresight::position;
use super::known;
use crate::machine::Op;
use crate::machine::syntax::{head, is_variable, unparen};
use proc_macro2::Ident;
use syn::{Error, Pat, Result};

/// The names of a machine.
pub(super) struct Names<'m> {
    pub(super) states: Vec<&'m Ident>,
    pub(super) ops: Vec<&'m Ident>,
    /// All variants of all enums.
    pub(super) variants: Vec<String>,
}

impl Names<'_> {
    /// Whether a pattern is a name for anything.
    pub(super) fn is_variable(&self, pat: &Pat) -> bool {
        match pat {
            Pat::Ident(name) => {
                name.subpat.is_none()
                    && !self.variants.contains(&name.ident.to_string())
                    && is_variable(&name.ident)
            }
            _ => false,
        }
    }

    /// The names that a pattern can match at its top.
    pub(super) fn heads(&self, pat: &Pat, all: &[&Ident], what: &str) -> Result<Vec<Ident>> {
        match unparen(pat) {
            Pat::Ident(syn::PatIdent { subpat: Some((_, pat)), .. }) => self.heads(pat, all, what),
            pat if matches!(pat, Pat::Wild(_)) || self.is_variable(pat) => {
                Ok(all.iter().map(|name| (*name).clone()).collect())
            }
            Pat::Or(or) => {
                let mut names = Vec::new();
                for case in &or.cases {
                    for name in self.heads(case, all, what)? {
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                }
                Ok(names)
            }
            pat => match head(pat) {
                Some(name) => known(name, all, what).map(|()| vec![name.clone()]),
                None => Err(Error::new_spanned(
                    pat,
                    format!("write this {what} as a pattern such as `Waiting {{ n }}`"),
                )),
            },
        }
    }

    /// Whether every value of this name matches, whatever `except` is.
    pub(super) fn is_irrefutable_inside(&self, pat: &Pat, name: &Ident, except: Option<&Op>) -> bool {
        match unparen(pat) {
            Pat::Or(or) => or.cases.iter().any(|case| {
                self.heads(case, &[name], "").is_ok() && self.is_irrefutable_inside(case, name, except)
            }),
            Pat::Ident(inner) => {
                inner.subpat.as_ref().is_none_or(|(_, pat)| self.is_irrefutable_inside(pat, name, except))
            }
            Pat::Struct(inner) => inner.fields.iter().all(|field| {
                let ret = except.and_then(|op| op.fields.iter().nth(op.ret?)?.ident.as_ref());
                let is_ret = matches!(&field.member, syn::Member::Named(member) if Some(member) == ret);
                is_ret || self.is_irrefutable(&field.pat)
            }),
            Pat::TupleStruct(inner) => inner.elems.iter().enumerate().all(|(k, pat)| {
                let ret = except.and_then(|op| position(inner, op, op.ret?));
                ret == Some(k) || self.is_irrefutable(pat)
            }),
            _ => true,
        }
    }

    pub(super) fn is_irrefutable(&self, pat: &Pat) -> bool {
        match unparen(pat) {
            Pat::Wild(_) | Pat::Rest(_) => true,
            Pat::Ident(name) => match &name.subpat {
                Some((_, pat)) => self.is_irrefutable(pat),
                None => !self.variants.contains(&name.ident.to_string()) && self.is_variable(pat),
            },
            Pat::Tuple(tuple) => tuple.elems.iter().all(|pat| self.is_irrefutable(pat)),
            // There are arrays of a fixed length only.
            Pat::Slice(slice) => slice.elems.iter().all(|pat| self.is_irrefutable(pat)),
            Pat::TupleStruct(inner) => {
                self.is_struct(&inner.path)
                    && !inner.path.is_ident("Some")
                    && inner.elems.iter().all(|pat| self.is_irrefutable(pat))
            }
            Pat::Struct(inner) => {
                self.is_struct(&inner.path) && inner.fields.iter().all(|f| self.is_irrefutable(&f.pat))
            }
            _ => false,
        }
    }
}

impl Names<'_> {
    /// Whether a path is that of a struct, and not of a variant: of one of the machine's own enums, or of an
    /// enum of another one, which is named before it.
    fn is_struct(&self, path: &syn::Path) -> bool {
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let is_own = names.next().is_some_and(|name| self.variants.contains(&name));
        let is_foreign = names.next().is_some_and(|name| name.starts_with(char::is_uppercase));
        !is_own && !is_foreign
    }
}
