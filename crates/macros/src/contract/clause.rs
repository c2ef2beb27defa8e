//! Clauses: the expressions in `#[requires(..)]` and `#[ensures(..)]`.
//!
//! Keeps each expression with its text; `old(..)` is found by its tokens, so that it is found in the
//! arguments of other macros too.

use crate::operands;
use crate::property::expand::hidden;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, BinOp, Error, Expr, Meta, Result};

/// A condition.
pub(super) struct Clause {
    /// The expression, in which every `old(..)` is the name of what was kept.
    pub(super) holds: TokenStream,
    /// As it was written.
    pub(super) text: String,
    /// The parts of it that are shown when it does not hold: their text, and an expression that shows them.
    pub(super) operands: Vec<(String, TokenStream)>,
    /// What is evaluated before the call.
    pub(super) olds: Vec<OldValue>,
}

/// What an `old(..)` keeps.
pub(super) struct OldValue {
    /// Its name after the call.
    pub(super) name: Ident,
    /// What is evaluated.
    pub(super) value: TokenStream,
    /// The name of a copy, if it is shown.
    pub(super) copy: Option<Ident>,
}

/// The clause of `#[requires(..)]`.
pub(super) fn requires(attribute: &Attribute) -> Result<Clause> {
    let (holds, text) = expression(attribute)?;
    let tokens = holds.to_token_stream();
    match find_old(&tokens) {
        None => {
            let operands = shown_operands(&holds, &mut []);
            Ok(Clause { holds: tokens, text, operands, olds: Vec::new() })
        }
        Some(old) => Err(Error::new(
            old.span(),
            "`old(..)` is what was before the call, and belongs in `#[ensures(..)]`: here, write the \
             expression itself",
        )),
    }
}

/// The clause of `#[ensures(..)]`; its `old(..)` get names from number `n_before` on.
pub(super) fn ensures(attribute: &Attribute, n_before: usize) -> Result<Clause> {
    let (holds, text) = expression(attribute)?;
    let mut olds = Vec::new();
    let kept = keep_old(holds.to_token_stream(), n_before, &mut olds)?;
    let operands = shown_operands(&holds, &mut olds);
    Ok(Clause { holds: kept, text, operands, olds })
}

/// Clauses that would be longer than this on one line keep the lines they were written in.
const MAX_LINE: usize = 80;

/// The text of a clause as it is shown: on one line, or without what its lines are indented by.
fn readable(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_LINE {
        return line;
    }
    let is_blank = |line: &&str| line.trim().is_empty();
    let mut lines = text.lines().map(str::trim_end).skip_while(is_blank);
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    // Where the first line begins is not known: what stands before it is no part of the text.
    let common = rest.iter().filter(|line| !is_blank(line)).map(|line| indent(line)).min().unwrap_or(0);
    let rest = rest.iter().map(|line| line.get(common..).unwrap_or_default());
    let lines: Vec<&str> = std::iter::once(first.trim_start()).chain(rest).collect();
    lines.join("\n").trim_end().to_string()
}

/// The expression of an attribute, and its text as it was written.
pub(crate) fn expression(attribute: &Attribute) -> Result<(Expr, String)> {
    let name = attribute.path().to_token_stream();
    let write = format!("which condition? write `#[{name}(condition)]`, for instance `#[{name}(n > 0)]`");
    let Meta::List(list) = &attribute.meta else {
        return Err(Error::new_spanned(attribute, write));
    };
    if list.tokens.is_empty() {
        return Err(Error::new_spanned(attribute, write));
    }
    let expression: Expr = list.parse_args()?;
    refuse_changes(&expression)?;
    let written = list.delimiter.span().join().source_text();
    let written = written.and_then(|text| {
        let inside = text.strip_prefix(['(', '[', '{'])?.strip_suffix([')', ']', '}'])?;
        Some(readable(inside))
    });
    Ok((expression, written.unwrap_or_else(|| list.tokens.to_string())))
}

/// A condition only looks. What a call in it changes is found by rustc.
pub(crate) fn refuse_changes(condition: &Expr) -> Result<()> {
    const LOOKS: &str = "a condition looks at things and does not change them: compare with `==`, or move this into \
                         the function";
    match condition {
        Expr::Assign(assign) => Err(Error::new_spanned(assign, LOOKS)),
        Expr::Paren(inner) => refuse_changes(&inner.expr),
        Expr::Unary(unary) => refuse_changes(&unary.expr),
        Expr::Binary(binary) => match binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                refuse_changes(&binary.left)?;
                refuse_changes(&binary.right)
            }
            BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_) => Err(Error::new_spanned(binary, LOOKS)),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// What is in the parentheses, if `tokens` begin with `old(..)` and `before` is no part of a path.
pub(crate) fn old<'t>(tokens: &'t [TokenTree], before: Option<&TokenTree>) -> Option<(&'t Ident, &'t Group)> {
    let is_path = matches!(before, Some(TokenTree::Punct(p)) if matches!(p.as_char(), '.' | ':'));
    match tokens {
        [TokenTree::Ident(name), TokenTree::Group(inside), ..]
            if *name == "old" && inside.delimiter() == Delimiter::Parenthesis && !is_path =>
        {
            Some((name, inside))
        }
        _ => None,
    }
}

/// The first `old` that is called.
pub(crate) fn find_old(tokens: &TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    (0..tokens.len()).find_map(|k| {
        let before = k.checked_sub(1).map(|before| &tokens[before]);
        match (old(&tokens[k..], before), &tokens[k]) {
            (Some((name, _)), _) => Some(name.clone()),
            (None, TokenTree::Group(group)) => find_old(&group.stream()),
            _ => None,
        }
    })
}

/// The operands of a condition of `#[ensures(..)]`. What an `old(..)` keeps may be used up by the condition
/// itself, so it is shown from a copy.
fn shown_operands(condition: &Expr, olds: &mut [OldValue]) -> Vec<(String, TokenStream)> {
    let shown = |operand: &Expr| {
        let tokens = operand.to_token_stream();
        let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
        match old(&all, None) {
            Some((_, inside)) if all.len() == 2 => {
                let inside = inside.stream().to_string();
                let kept = olds.iter_mut().find(|kept| kept.value.to_string() == inside)?;
                let copy = kept.copy.get_or_insert_with(|| hidden(&format!("{}_copy", kept.name)));
                Some((operands::text(operand), quote!(::stairway::__private::show_copy!(&#copy))))
            }
            _ if find_old(&tokens).is_some() => None,
            _ => Some((operands::text(operand), operands::shown(&tokens))),
        }
    };
    operands::of(condition).iter().filter_map(shown).collect()
}

/// Replaces every `old(..)` by a name.
fn keep_old(tokens: TokenStream, n_before: usize, olds: &mut Vec<OldValue>) -> Result<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut written: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    let mut k = 0;
    while k < tokens.len() {
        if let Some((name, inside)) = old(&tokens[k..], written.last()) {
            if inside.stream().is_empty() {
                return Err(Error::new(name.span(), "which value? write `old(expression)`"));
            }
            if let Some(nested) = find_old(&inside.stream()) {
                return Err(Error::new(
                    nested.span(),
                    "this is inside an `old(..)` already: remove this one",
                ));
            }
            let mut kept = hidden(&format_ident!("__old_{}", n_before + olds.len()).to_string());
            kept.set_span(kept.span().located_at(name.span()));
            olds.push(OldValue { name: kept.clone(), value: inside.stream(), copy: None });
            written.push(TokenTree::Ident(kept));
            k += 2;
            continue;
        }
        written.push(match &tokens[k] {
            TokenTree::Group(group) => {
                let mut rewritten = Group::new(group.delimiter(), keep_old(group.stream(), n_before, olds)?);
                rewritten.set_span(group.span());
                TokenTree::Group(rewritten)
            }
            token => token.clone(),
        });
        k += 1;
    }
    Ok(written.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn short_clauses_stand_on_one_line_and_long_ones_on_theirs() {
        assert_eq!(readable("a\n        && b"), "a && b");
        let long = "{\n            let before = old(self.items.len());\n\n            if before == 0 {\n                \
            self.items.is_empty()\n            } else {\n                true\n            }\n        }";
        let shown = "{\n    let before = old(self.items.len());\n\n    if before == 0 {\n        \
            self.items.is_empty()\n    } else {\n        true\n    }\n}";
        assert_eq!(readable(long), shown);
        assert_eq!(readable(&format!("\n        {shown}\n    ")).lines().next(), Some("{"));
    }
}
