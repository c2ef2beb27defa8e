//! Conditions on the states before and after an operation: `#[ensures(..)]`.
//!
//! In the expressions that come out, `self` has become the name of the model after the step, and `old(..)`
//! speaks of the model before it. With an abstraction and nothing else said, an operation is a relation: the
//! state after it is what the abstraction sees.

use super::method::is_mentioned;
use super::{Answer, Op};
use crate::attributes::Problems;
use crate::contract::clause;
use crate::operands;
use crate::property::expand::hidden;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Block, Error, Result};

/// A condition.
pub(crate) struct Ensures {
    /// Over `__before`, `__after`, `result` and the parameters.
    holds: TokenStream,
    /// As it was written.
    text: String,
    /// As a printed test states it, of `model`, `before` and `result`.
    claim: TokenStream,
    /// The parts of it that are shown when it does not hold.
    operands: Vec<(String, TokenStream)>,
}

/// Whether an attribute is such a condition.
pub(crate) fn is_ensures(attribute: &Attribute) -> bool {
    attribute.path().is_ident("ensures")
}

/// All conditions among some attributes.
pub(crate) fn all(problems: &mut Problems, attributes: &[Attribute]) -> Vec<Ensures> {
    attributes.iter().filter(|a| is_ensures(a)).filter_map(|a| problems.value(one(a))).collect()
}

fn one(attribute: &Attribute) -> Result<Ensures> {
    let (expression, text) = clause::expression(attribute)?;
    let states = States { after: hidden("__after"), before: hidden("__before") };
    let names = States {
        after: Ident::new("model", proc_macro2::Span::call_site()),
        before: Ident::new("before", proc_macro2::Span::call_site()),
    };
    let tokens = expression.to_token_stream();
    let shown = |operand: &syn::Expr| {
        let value = states.rewrite(operand.to_token_stream()).ok()?;
        Some((operands::text(operand), operands::shown(&value)))
    };
    Ok(Ensures {
        holds: states.rewrite(tokens.clone())?,
        claim: names.rewrite(tokens)?,
        text,
        operands: operands::of(&expression).iter().filter_map(shown).collect(),
    })
}

/// What the states before and after an operation are called.
struct States {
    after: Ident,
    before: Ident,
}

impl States {
    /// Replaces `self` by the state after; within `old(..)`, by the state before.
    fn rewrite(&self, tokens: TokenStream) -> Result<TokenStream> {
        replace_self(tokens, &self.after, Some(&self.before))
    }
}

/// Replaces `self` by the name of a state; within `old(..)`, of the state before, if there is one.
fn replace_self(tokens: TokenStream, state: &Ident, before: Option<&Ident>) -> Result<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut written: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    let mut k = 0;
    while k < tokens.len() {
        if let Some(before) = before
            && let Some((name, inside)) = clause::old(&tokens[k..], written.last())
        {
            if inside.stream().is_empty() {
                return Err(Error::new(name.span(), "which value? write `old(expression)`"));
            }
            if clause::find_old(&inside.stream()).is_some() {
                return Err(Error::new(name.span(), "one `old(..)` is enough: remove the one inside"));
            }
            let inside = replace_self(inside.stream(), before, None)?;
            if is_whole(&inside) {
                written.extend(inside);
            } else {
                written.push(TokenTree::Group(Group::new(Delimiter::Parenthesis, inside)));
            }
            k += 2;
            continue;
        }
        written.push(match &tokens[k] {
            TokenTree::Ident(ident) if ident == "self" => {
                let mut state = state.clone();
                state.set_span(state.span().located_at(ident.span()));
                TokenTree::Ident(state)
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace_self(group.stream(), state, before)?);
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            token => token.clone(),
        });
        k += 1;
    }
    Ok(written.into_iter().collect())
}

/// Whether an expression needs no parentheses, whatever stands around it.
fn is_whole(tokens: &TokenStream) -> bool {
    use syn::Expr::{Call, Field, Index, Lit, MethodCall, Path};
    let expression = syn::parse2::<syn::Expr>(tokens.clone());
    matches!(expression, Ok(Call(_) | Field(_) | Index(_) | Lit(_) | MethodCall(_) | Path(_)))
}

/// Decides what the conditions of an operation mean for it.
pub(crate) fn settle(problems: &mut Problems, op: &mut Op, abstraction: Option<&Ident>) {
    if op.ensures.is_empty() {
        return;
    }
    if matches!(op.answer, Answer::Allowed) {
        problems.at(
            &op.name,
            "alternatives say themselves what is right: put this condition into the predicate of `answer_matching`",
        );
    }
    op.is_relation = abstraction.is_some() && op.has_empty_body && matches!(op.answer, Answer::Unsaid);
}

/// Whether a method does nothing.
pub(crate) fn is_empty(body: &Block) -> bool {
    body.stmts.is_empty()
}

/// The conditions as a closure over both states and the answer.
pub(crate) fn closure(op: &Op) -> TokenStream {
    let (before, after) = (hidden("__before"), hidden("__after"));
    let result = Ident::new("result", proc_macro2::Span::call_site());
    let checks = op.ensures.iter().map(|ensures| {
        let Ensures { holds, text, claim, operands } = ensures;
        let parts = operands::listed(operands);
        let named = op.parameters.iter().map(|parameter| parameter.name.clone());
        let named = named.chain(["before", "result"].map(|name| Ident::new(name, result.span())));
        let mentioned = named.filter(|name| is_mentioned(name, claim.clone())).map(|name| name.to_string());
        let claim = crate::source_text::plain(claim.clone());
        let is_met = hidden("__is_met");
        let condition = quote_spanned!(holds.span()=> let #is_met: bool = #holds;);
        quote! {
            #condition
            if !#is_met {
                return ::core::option::Option::Some(::stairway::__private::BrokenClause {
                    text: #text,
                    claim: #claim,
                    mentioned: &[#(#mentioned),*],
                    parts: #parts,
                });
            }
        }
    });
    quote! {
        |#before: &Self, #after: &Self, #result| {
            #(#checks)*
            ::core::option::Option::None
        }
    }
}
