//! Whole numbers in code: what arguments are drawn from.

use syn::visit::Visit;

/// The whole numbers in a piece of code.
#[derive(Default)]
pub(crate) struct Literals(pub(crate) Vec<i128>);

impl<'a> Visit<'a> for Literals {
    fn visit_lit_int(&mut self, literal: &'a syn::LitInt) {
        if let Ok(value) = literal.base10_parse::<i128>() {
            self.0.push(value);
        }
    }

    fn visit_macro(&mut self, node: &'a syn::Macro) {
        // Inside of `matches!` and the like.
        for token in node.tokens.clone() {
            if let proc_macro2::TokenTree::Literal(literal) = token
                && let Ok(literal) = syn::parse_str::<syn::LitInt>(&literal.to_string())
            {
                self.visit_lit_int(&literal);
            }
        }
    }
}
