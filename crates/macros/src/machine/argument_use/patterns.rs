//! What patterns say about the data that they are matched with: which fields they compare, and which names they
//! bind.

use super::super::syntax::is_variable;
use super::types::Types;
use super::{Bound, Key, Reader, Use};
use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, Fields, Pat, Type};

impl Reader<'_> {
    /// A pattern of something in the operation: names in it stand for its parts.
    pub(super) fn pattern(&mut self, pat: &Pat, key: Option<&Key>, ty: &Type) {
        match pat {
            Pat::Wild(_) | Pat::Rest(_) => {}
            Pat::Paren(inner) => self.pattern(&inner.pat, key, ty),
            Pat::Guard(inner) => self.pattern(&inner.pat, key, ty),
            Pat::Reference(inner) => self.pattern(&inner.pat, key, ty),
            Pat::Or(or) => or.cases.iter().for_each(|case| self.pattern(case, key, ty)),
            Pat::Ident(name) if is_variable(&name.ident) => {
                self.names.insert(name.ident.to_string(), Bound::Data(key.cloned(), Box::new(ty.clone())));
                if let Some((_, inner)) = &name.subpat {
                    self.pattern(inner, key, ty);
                }
            }
            Pat::Ident(name) => self.constant(&name.ident, key, ty),
            Pat::Path(path) => match path.path.segments.last() {
                Some(last) => self.constant(&last.ident, key, ty),
                None => self.mark(key, ty, Use::Free),
            },
            Pat::Lit(lit) => {
                let is_point = self.types.is_point(&Expr::Lit(lit.clone()));
                self.mark(key, ty, if is_point { Use::Compared } else { Use::Free });
            }
            Pat::Range(range) => {
                let bounds = [&range.start, &range.end].into_iter().flatten();
                let is_point = bounds.into_iter().all(|bound| self.types.is_point(bound));
                self.mark(key, ty, if is_point { Use::Compared } else { Use::Free });
            }
            Pat::Struct(inner) => {
                self.mark(key, ty, Use::Compared);
                let variant = self.variant(&inner.path, ty);
                for field in &inner.fields {
                    match variant.as_ref().and_then(|(name, fields)| {
                        let (k, ty) = Types::field(fields, &field.member)?;
                        Some(((name.0.clone(), name.1.clone(), k), ty.clone()))
                    }) {
                        Some((key, ty)) => self.pattern(&field.pat, Some(&key), &ty),
                        None => self.unknown(&field.pat, key, ty),
                    }
                }
            }
            Pat::TupleStruct(inner) => self.tuple_struct(inner, key, ty),
            Pat::Tuple(tuple) => {
                self.mark(key, ty, Use::Compared);
                match ty {
                    Type::Tuple(types) if types.elems.len() == tuple.elems.len() => {
                        for (pat, ty) in tuple.elems.iter().zip(&types.elems) {
                            self.pattern(pat, key, ty);
                        }
                    }
                    _ => tuple.elems.iter().for_each(|pat| self.unknown(pat, key, ty)),
                }
            }
            Pat::Slice(slice) => {
                self.mark(key, ty, Use::Compared);
                let inner = match ty {
                    Type::Array(array) => (*array.elem).clone(),
                    other => other.clone(),
                };
                slice.elems.iter().for_each(|pat| self.pattern(pat, key, &inner));
            }
            pat => self.unknown(pat, key, ty),
        }
    }

    fn tuple_struct(&mut self, inner: &syn::PatTupleStruct, key: Option<&Key>, ty: &Type) {
        self.mark(key, ty, Use::Compared);
        if inner.path.is_ident("Some")
            && let Type::Path(path) = ty
            && let Some(syn::PathArguments::AngleBracketed(arguments)) =
                path.path.segments.last().map(|last| &last.arguments)
            && let Some(syn::GenericArgument::Type(of)) = arguments.args.first()
        {
            inner.elems.iter().for_each(|pat| self.pattern(pat, key, of));
            return;
        }
        let variant = self.variant(&inner.path, ty);
        let has_rest = inner.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)));
        for (k, pat) in inner.elems.iter().enumerate() {
            let field = variant.as_ref().filter(|_| !has_rest).and_then(|(name, fields)| {
                let field = fields.iter().nth(k)?;
                Some(((name.0.clone(), name.1.clone(), k), field.ty.clone()))
            });
            match field {
                Some((key, ty)) => self.pattern(pat, Some(&key), &ty),
                None => self.unknown(pat, key, ty),
            }
        }
    }

    /// The variant that a path names, with the name of its type.
    fn variant(&self, path: &syn::Path, ty: &Type) -> Option<((String, String), Fields)> {
        let last = path.segments.last()?.ident.to_string();
        let all: Vec<(String, &Fields)> = self.types.variants(ty).collect();
        let found = all.iter().find(|(name, _)| *name == last || name.is_empty())?;
        Some(((Types::name(ty), found.0.clone()), found.1.clone()))
    }

    /// A name without fields in a pattern: a variant, `None` or a constant.
    fn constant(&mut self, name: &Ident, key: Option<&Key>, ty: &Type) {
        let text = name.to_string();
        let is_known = text == "None"
            || self.types.constants.contains(&text)
            || self.types.variants(ty).any(|(variant, _)| variant == text);
        self.mark(key, ty, if is_known { Use::Compared } else { Use::Free });
    }

    /// A pattern of which it is not known what it is matched with.
    fn unknown(&mut self, pat: &Pat, key: Option<&Key>, ty: &Type) {
        if !matches!(pat, Pat::Wild(_) | Pat::Rest(_)) {
            self.mark(key, ty, Use::Free);
            self.bind_all(pat, &Bound::Data(key.cloned(), Box::new(ty.clone())));
        }
    }

    /// Binds all names in a pattern to one meaning.
    pub(super) fn bind_all(&mut self, pat: &Pat, bound: &Bound) {
        struct All(Vec<String>);
        impl<'a> Visit<'a> for All {
            fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
                if is_variable(&pat.ident) {
                    self.0.push(pat.ident.to_string());
                }
                visit::visit_pat_ident(self, pat);
            }
        }
        let mut all = All(Vec::new());
        all.visit_pat(pat);
        self.names.extend(all.0.into_iter().map(|name| (name, bound.clone())));
    }
}
