//! What patterns say about the data that they are matched with: which fields they compare, and which names they
//! bind.

use super::super::kinds::Kind;
use super::super::patterns::{Pattern, variants};
use super::super::syntax::names_in;
use super::{Bound, Key, Reader, Use};
use proc_macro2::{Ident, Literal};
use quote::ToTokens;
use syn::{Expr, Pat};

impl Reader<'_> {
    /// A pattern of something in the operation: names in it stand for its parts.
    pub(super) fn matched_with(&mut self, pat: &Pat, key: Option<&Key>, kind: &Kind) {
        self.pattern(&Pattern::read(pat, kind, &self.types), key, kind);
    }

    fn pattern(&mut self, pattern: &Pattern, key: Option<&Key>, kind: &Kind) {
        match pattern {
            Pattern::All => {}
            Pattern::Named(name, inner) => {
                self.names.insert(name.to_string(), Bound::Data(key.cloned(), Box::new(kind.clone())));
                self.pattern(inner, key, kind);
            }
            Pattern::Or(cases) => cases.iter().for_each(|case| self.pattern(case, key, kind)),
            Pattern::Between(from, to) => {
                for number in [from, to] {
                    self.uses.point(Literal::i128_suffixed(*number).into_token_stream(), key);
                }
                self.mark(key, kind, Use::Compared);
            }
            Pattern::Variant(name, parts) => {
                self.mark(key, kind, Use::Compared);
                let found = variants(kind, &self.types).into_iter().find(|variant| variant.name == *name);
                let kinds = found.map(|variant| variant.kinds).unwrap_or_default();
                for (k, (part, inner)) in parts.iter().zip(&kinds).enumerate() {
                    match kind {
                        Kind::Local(ty) => {
                            self.pattern(part, Some(&(ty.to_string(), name.clone(), k)), inner);
                        }
                        _ => self.pattern(part, key, inner),
                    }
                }
            }
            Pattern::Unknown(pat) => {
                let is_compared = self.is_constant(pat, key);
                self.mark(key, kind, if is_compared { Use::Compared } else { Use::Free });
                self.bind_all(pat, &Bound::Data(key.cloned(), Box::new(kind.clone())));
            }
        }
    }

    /// Whether a pattern is a constant of the module, or a range between such.
    fn is_constant(&mut self, pat: &Pat, key: Option<&Key>) -> bool {
        let name = |name: &Ident| syn::parse_quote!(#name);
        let numbers: Vec<Expr> = match pat {
            Pat::Ident(constant) => vec![name(&constant.ident)],
            Pat::Path(path) => path.path.segments.last().map(|last| name(&last.ident)).into_iter().collect(),
            Pat::Range(range) => {
                [&range.start, &range.end].into_iter().flatten().map(|bound| (**bound).clone()).collect()
            }
            _ => return false,
        };
        numbers.iter().fold(!numbers.is_empty(), |all, number| self.is_tried(number, key) && all)
    }

    /// Binds all names in a pattern to one meaning.
    pub(super) fn bind_all(&mut self, pat: &Pat, bound: &Bound) {
        self.names.extend(names_in(pat).into_iter().map(|name| (name, bound.clone())));
    }
}
