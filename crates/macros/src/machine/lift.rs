//! The transition function as it is compiled: transitions that it does not list are not possible.
//!
//! The user's `match` keeps its arms, names and places in the file. It is compiled to change a pair of state
//! and operation in place and to say whether it did, since const evaluation pays for every copy. A lint reports
//! arms that can never match.

use super::Machine;
use super::arms::{Arm, Next, is_refusal};
use super::syntax::{each_end, mentions};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ItemEnum, parse_quote};

/// What the ends of an arm become.
#[derive(Clone, Copy)]
enum Lifter {
    /// A change of the pair `__at`, and whether there was one.
    InPlace,
    /// An optional state.
    Optional,
}

/// The body of an arm as an optional state.
pub(super) fn lifted(arm: &Arm) -> Expr {
    let mut body = arm.body.clone();
    Lifter::Optional.expression(&mut body);
    body
}

impl Lifter {
    /// That the operation leads to a state.
    fn some(self, state: &Expr) -> Expr {
        match self {
            Lifter::InPlace => parse_quote!({ __at.0 = #state; true }),
            Lifter::Optional => parse_quote!(Some(#state)),
        }
    }

    /// That the operation is not possible.
    fn none(self) -> Expr {
        match self {
            Lifter::InPlace => parse_quote!(false),
            Lifter::Optional => parse_quote!(None),
        }
    }

    /// Replaces the states at the ends of an expression.
    fn expression(self, expr: &mut Expr) {
        let replaced = each_end(expr, &mut |end| {
            *end = if matches!(end, Expr::Macro(m) if is_refusal(&m.mac)) {
                self.none()
            } else {
                self.some(end)
            };
            Ok(())
        });
        replaced.expect("the ends were found before");
    }
}

/// `ret == Pin::Correct` cannot be called in const evaluation; a pattern says the same.
struct Comparisons<'e>(&'e [ItemEnum]);

impl Comparisons<'_> {
    fn is_unit_variant(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let Some(last) = path.path.segments.last() else { return false };
        let variants = || self.0.iter().flat_map(|item| &item.variants);
        variants().any(|variant| variant.ident == last.ident && variant.fields.is_empty())
    }
}

impl VisitMut for Comparisons<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Binary(binary) = expr else { return };
        let is_not = match binary.op {
            BinOp::Eq(_) => false,
            BinOp::Ne(_) => true,
            _ => return,
        };
        let (value, variant) = match (self.is_unit_variant(&binary.left), self.is_unit_variant(&binary.right))
        {
            (false, true) => (&binary.left, &binary.right),
            (true, false) => (&binary.right, &binary.left),
            _ => return,
        };
        *expr = if is_not {
            parse_quote!(!matches!(#value, #variant))
        } else {
            parse_quote!(matches!(#value, #variant))
        };
    }
}

/// An expression with comparisons that const evaluation can do.
pub(super) fn comparable(expr: TokenStream, enums: &[ItemEnum]) -> TokenStream {
    match syn::parse2::<Expr>(expr.clone()) {
        Ok(mut expr) => {
            Comparisons(enums).visit_expr_mut(&mut expr);
            expr.into_token_stream()
        }
        Err(_) => expr,
    }
}

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let Next { state, op, whole, docs, place } = &machine.next;
    // Rustc reports the lint at the function.
    let lint = quote_spanned!(*place=> #[deny(unreachable_patterns)]);
    let (uses, start) = (machine.uses(), &machine.start);
    let mut whole = whole.clone();
    Comparisons(&machine.enums).visit_expr_match_mut(&mut whole);
    // Arms may mention the pair as it was.
    let kept = [state, op].into_iter().enumerate().filter(|(_, name)| {
        whole.arms.iter().any(|arm| mentions(arm.to_token_stream(), &|found| found == *name))
    });
    let kept: TokenStream = kept
        .map(|(k, name)| {
            let at = syn::Index::from(k);
            quote!(let #name = __at.#at;)
        })
        .collect();
    for arm in &mut whole.arms {
        Lifter::InPlace.expression(&mut arm.body);
        arm.comma.get_or_insert_with(Default::default);
    }
    whole.arms.push(parse_quote!(#[allow(unreachable_patterns)] _ => false,));
    *whole.expr = parse_quote!(*__at);
    let docs = if docs.is_empty() {
        quote!(#[doc = "Where an operation leads; `None` where it is not possible."])
    } else {
        quote!(#(#docs)*)
    };
    quote! {
    /// The state in which the machine starts.
    pub const START: State = { #uses #start };
    #docs
    pub const fn next(#state: State, #op: Op) -> ::core::option::Option<State> {
        let mut at = (#state, #op);
        if __next(&mut at) { Some(at.0) } else { None }
    }
    /// Does the operation of a pair, if it is possible.
    #[doc(hidden)]
    #lint
    #[allow(unused_variables, unused_mut)]
    pub const fn __next(__at: &mut (State, Op)) -> bool { #uses #kept #whole }
       }
}
