//! Resolves the names in the patterns of a formula, so that no name of a state, an operation or a value is
//! taken for a variable, which would match everything.
//!
//! Each name keeps its place in the file, so that rustc reports its errors there.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FieldPat, Pat, Path};

/// Whether a name is that of a state, an operation or a value.
pub(super) fn is_capital(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// Where the names of a formula are looked up.
pub(super) struct Names<'n> {
    /// The machine, as it can be named here.
    pub(super) machine: &'n TokenStream,
    /// `State` or `Op`: whose variants stand at the top.
    pub(super) top: &'n str,
}

impl Names<'_> {
    /// A pattern in which the name of a state cannot be taken for a variable: `Ready` is `State::Ready`,
    /// whatever its data.
    pub(super) fn qualified(&self, pattern: &Pat) -> Pat {
        let mut pattern = pattern.clone();
        Qualifier { names: self, is_top: true }.visit_pat_mut(&mut pattern);
        pattern
    }

    fn path(&self, path: &Path, is_top: bool) -> Path {
        if path.segments.len() != 1 || path.leading_colon.is_some() {
            return path.clone();
        }
        let (span, name) = (path.span(), &path.segments[0].ident);
        let top = Ident::new(self.top, span);
        // Constants may be the user's own; they are looked up where the formula stands.
        let is_constant = !name.to_string().contains(char::is_lowercase);
        let qualified = match (is_top, is_constant) {
            (true, _) => {
                let machine = placed(self.machine.clone(), span);
                quote_spanned!(span=> #machine::#top::#name)
            }
            (false, true) => quote_spanned!(span=> self::#name),
            (false, false) => {
                let machine = placed(self.machine.clone(), span);
                quote_spanned!(span=> #machine::names::#name)
            }
        };
        syn::parse2(qualified).unwrap_or_else(|_| path.clone())
    }

    /// A name without fields. At the top it stands for the state whatever its data are.
    fn alone(&self, path: &Path, is_top: bool) -> Pat {
        let path = self.path(path, is_top);
        let span = path.span();
        let tokens = match is_top {
            true => quote_spanned!(span=> #path { .. }),
            false => path.to_token_stream(),
        };
        syn::parse::Parser::parse2(Pat::parse_single, tokens).unwrap_or_else(|_| syn::parse_quote!(_))
    }
}

/// Goes through a pattern.
struct Qualifier<'n> {
    names: &'n Names<'n>,
    /// Whether this is the state or the operation itself.
    is_top: bool,
}

impl VisitMut for Qualifier<'_> {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        let is_top = self.is_top;
        match pattern {
            Pat::Ident(name) if name.subpat.is_none() && name.ident != "None" && is_capital(&name.ident) => {
                return *pattern = self.names.alone(&name.ident.clone().into(), is_top);
            }
            Pat::Path(path) => return *pattern = self.names.alone(&path.path, is_top),
            Pat::Struct(inner) => inner.path = self.names.path(&inner.path, is_top),
            // `Some` and `Ok` are everybody's.
            Pat::TupleStruct(inner)
                if is_top || !["Some", "Ok", "Err"].iter().any(|known| inner.path.is_ident(known)) =>
            {
                inner.path = self.names.path(&inner.path, is_top);
            }
            _ => {}
        }
        self.is_top &=
            !matches!(pattern, Pat::Struct(_) | Pat::TupleStruct(_) | Pat::Tuple(_) | Pat::Slice(_));
        visit_mut::visit_pat_mut(self, pattern);
        self.is_top = is_top;
    }

    /// `n` alone is a name for the field.
    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        if field.colon_token.is_some() {
            self.visit_pat_mut(&mut field.pat);
        }
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

/// Tokens as if they were written at a place.
pub(super) fn placed(tokens: TokenStream, place: Span) -> TokenStream {
    let mut tokens: Vec<proc_macro2::TokenTree> = tokens.into_iter().collect();
    tokens.iter_mut().for_each(|token| token.set_span(place));
    tokens.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn qualified(pattern: TokenStream) -> String {
        let pattern = syn::parse::Parser::parse2(Pat::parse_multi, pattern).expect("a pattern");
        let machine = quote!(atm);
        let qualified = Names { machine: &machine, top: "State" }.qualified(&pattern);
        qualified.to_token_stream().to_string().replace(' ', "")
    }

    #[test]
    fn no_name_can_be_taken_for_a_variable() {
        assert_eq!(
            qualified(quote!(Ready | Card { by: Me, .. })),
            "atm::State::Ready{..}|atm::State::Card{by:atm::names::Me,..}"
        );
        assert_eq!(qualified(quote!(Held { by: A, n: LIMIT })), "atm::State::Held{by:self::A,n:self::LIMIT}");
        assert_eq!(
            qualified(quote!(Held { by: Some(Me), n, at: [First, _] })),
            "atm::State::Held{by:Some(atm::names::Me),n,at:[atm::names::First,_]}"
        );
        assert_eq!(qualified(quote!(State::Ready)), "State::Ready{..}");
    }
}
