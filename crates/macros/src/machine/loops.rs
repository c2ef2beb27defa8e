//! Bounds every loop in a machine's functions.
//!
//! The compiler runs these functions, so an endless loop would be an endless compilation. Each loop counts
//! its turns, and too many are an error at that loop.

use super::arms::Next;
use proc_macro2::Ident;
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, ItemFn, parse_quote};

/// How often a loop may go round.
const MAX_TURNS: u32 = 100_000;

/// Counts the turns of all loops in these functions.
pub(super) fn bound(machine: &Ident, next: &mut Next, options: Option<&mut ItemFn>, rest: &mut [Item]) {
    let message = |name: &Ident| {
        format!("a loop in `{name}` of the machine `{machine}` does not end: it went round {MAX_TURNS} times")
    };
    Bound { message: message(&format_ident!("next")) }.visit_expr_match_mut(&mut next.whole);
    let helpers = rest.iter_mut().filter_map(|item| match item {
        Item::Fn(item) => Some(item),
        _ => None,
    });
    for function in options.into_iter().chain(helpers) {
        Bound { message: message(&function.sig.ident) }.visit_block_mut(&mut function.block);
    }
}

struct Bound {
    message: String,
}

impl Bound {
    /// A statement that counts, at the place of the loop.
    fn count(&self, body: &mut Block, place: proc_macro2::Span) {
        let message = &self.message;
        let counted = quote_spanned! {place=>
            __turns += 1;
            if __turns > #MAX_TURNS { ::core::panic!(#message) }
        };
        let counted: Block = parse_quote!({ #counted });
        body.stmts.splice(0..0, counted.stmts);
    }
}

impl VisitMut for Bound {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::While(inner) => self.count(&mut inner.body, inner.while_token.span()),
            Expr::Loop(inner) => self.count(&mut inner.body, inner.loop_token.span()),
            _ => return,
        }
        *expr = parse_quote!({ let mut __turns = 0u32; #expr });
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        if let Item::Fn(item) = item {
            self.visit_block_mut(&mut item.block);
        }
    }
}
