//! The body of a property, as tokens: its text in a printed test, and the macros in it that speak about the
//! case.
//!
//! A printed test leaves these macros out, since its input is known to satisfy what was assumed; in the
//! property they are handed the case. Both are decided on tokens, so the arguments of other macros are
//! searched too, whatever they mean.

use crate::token_ranges::{self, TokenRanges};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::ops::Range;
use syn::Result;
use syn::parse::{Parse, ParseStream};

/// The macros that speak about the case.
const ABOUT_THE_CASE: [&str; 7] = ["assume", "cover", "label", "classify", "collect", "note", "maximize"];

/// A block of statements that has not been parsed, with its text where it was not written so.
pub(crate) struct Body(Group, Option<String>);

impl Parse for Body {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        input.step(|cursor| match cursor.group(Delimiter::Brace) {
            Some((inside, span, rest)) => {
                let mut group = Group::new(Delimiter::Brace, inside.token_stream());
                group.set_span(span.join());
                Ok((Body(group, None), rest))
            }
            None => Err(cursor.error("a property needs a body that checks something: write `{ .. }` here")),
        })
    }
}

impl Body {
    /// A body made of `tokens`, which is to be read as `text`.
    pub(crate) fn made(tokens: TokenStream, text: String) -> Self {
        Body(Group::new(Delimiter::Brace, tokens), Some(text))
    }

    /// The lines between the braces as a printed test repeats them, without what only observes; nothing if they
    /// cannot be told apart.
    pub(crate) fn lines(&self) -> Option<Vec<String>> {
        if let Some(text) = &self.1 {
            return Some(token_ranges::lines_between_braces(text));
        }
        let texts = [self.0.span().source_text(), Some(self.0.to_string())];
        let text = texts.into_iter().flatten().find_map(|text| without_observers(&text, &self.0))?;
        Some(token_ranges::lines_between_braces(&text))
    }

    /// The body with `case` handed to the macros that speak about it.
    pub(crate) fn about(&self, case: &Ident) -> TokenStream {
        about_in_group(&self.0, case).unwrap_or_else(|| self.0.clone()).into_token_stream()
    }
}

/// The group rewritten, or `None` if nothing in it was: an untouched group keeps the spans of both
/// its delimiters.
fn about_in_group(group: &Group, case: &Ident) -> Option<Group> {
    let inside = about(group.stream(), case)?;
    let mut rewritten = Group::new(group.delimiter(), inside);
    rewritten.set_span(group.span());
    Some(rewritten)
}

fn about(tokens: TokenStream, case: &Ident) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut written: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    let (mut is_changed, mut i) = (false, 0);
    while i < tokens.len() {
        if let Some((name, arguments)) = invocation(&tokens[i..])
            && strip_path(&mut written)
        {
            written.extend(invoke(name, arguments, case));
            is_changed = true;
            i += 3;
            continue;
        }
        let rewritten = match &tokens[i] {
            TokenTree::Group(group) => about_in_group(group, case),
            _ => None,
        };
        is_changed |= rewritten.is_some();
        written.push(rewritten.map_or_else(|| tokens[i].clone(), TokenTree::Group));
        i += 1;
    }
    is_changed.then(|| written.into_iter().collect())
}

/// The name and arguments, if `tokens` begin with a macro that speaks about the case.
fn invocation(tokens: &[TokenTree]) -> Option<(&Ident, &Group)> {
    match tokens {
        [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(arguments), ..]
            if bang.as_char() == '!' && ABOUT_THE_CASE.iter().any(|known| name == known) =>
        {
            Some((name, arguments))
        }
        _ => None,
    }
}

/// Whether a macro's name after `written` is ours: alone, or behind `stairway::`, which is then
/// removed. Other crates have macros of these names too.
fn strip_path(written: &mut Vec<TokenTree>) -> bool {
    if !ends_with_path_separator(written) {
        return true;
    }
    let without = written.len() - 2;
    let is_ours = matches!(written[..without].last(), Some(TokenTree::Ident(name)) if *name == "stairway");
    if !is_ours {
        return false;
    }
    let mut keep = without - 1;
    if ends_with_path_separator(&written[..keep]) {
        keep -= 2;
        let is_longer = matches!(written[..keep].last(), Some(TokenTree::Ident(_)));
        if is_longer {
            return false;
        }
    }
    written.truncate(keep);
    true
}

fn ends_with_path_separator(tokens: &[TokenTree]) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ':');
    match tokens {
        [.., TokenTree::Punct(first), second] => {
            first.as_char() == ':' && first.spacing() == Spacing::Joint && is_colon(second)
        }
        _ => false,
    }
}

/// The text of `group` without the statements that only observe; nothing if it is not the text of these tokens.
fn without_observers(text: &str, group: &Group) -> Option<String> {
    let mut ranges = TokenRanges::new(text);
    let mut observers = Vec::new();
    find_observers(&[TokenTree::Group(group.clone())], &mut ranges, &mut observers)?;
    Some(token_ranges::without(text, &observers))
}

/// Adds where the statements stand that only observe.
fn find_observers(
    tokens: &[TokenTree],
    ranges: &mut TokenRanges<'_>,
    observers: &mut Vec<Range<usize>>,
) -> Option<()> {
    let mut starts: Vec<usize> = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        starts.push(ranges.next_start());
        let mut before = tokens[..i].to_vec();
        if let Some((_, arguments)) = invocation(&tokens[i..])
            && strip_path(&mut before)
        {
            let start = starts[before.len()];
            ranges.skip(&tokens[i..i + 2])?;
            ranges.skip(&[TokenTree::Group(arguments.clone())])?;
            i += 3;
            if matches!(tokens.get(i), Some(TokenTree::Punct(semicolon)) if semicolon.as_char() == ';') {
                ranges.skip(&tokens[i..=i])?;
                i += 1;
            }
            observers.push(start..ranges.end());
            // Nothing can stand before these tokens that is part of a path.
            starts.resize(i, start);
            continue;
        }
        match &tokens[i] {
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                ranges.open(group)?;
                find_observers(&inside, ranges, observers)?;
                ranges.close(group)?;
            }
            token => ranges.skip(std::slice::from_ref(token))?,
        }
        i += 1;
    }
    Some(())
}

/// `::stairway::__private::name!(case, arguments)`, at the place of the macro it stands for: a report names
/// the line of an assumption by where this call stands, not by the attribute that wrote it.
fn invoke(name: &Ident, arguments: &Group, case: &Ident) -> TokenStream {
    let place = name.span();
    let mut case_here = case.clone();
    case_here.set_span(case.span().located_at(name.span()));
    let mut inside = case_here.into_token_stream();
    if !arguments.stream().is_empty() {
        let mut comma = Punct::new(',', Spacing::Alone);
        comma.set_span(place);
        inside.extend([TokenTree::Punct(comma)]);
        inside.extend(about(arguments.stream(), case).unwrap_or_else(|| arguments.stream()));
    }
    let mut arguments_with_case = Group::new(arguments.delimiter(), inside);
    arguments_with_case.set_span(arguments.span());
    quote_spanned!(place=> ::stairway::__private::#name! #arguments_with_case)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let TokenTree::Group(group) = text.parse::<TokenStream>().unwrap().into_iter().next().unwrap() else {
            panic!("a body has braces")
        };
        token_ranges::lines_between_braces(&without_observers(text, &group).unwrap())
    }

    #[test]
    fn what_only_observes_is_not_in_the_printed_test() {
        let body =
            "{\n    assume!(x > 0);\n    stairway::cover!(\n        1.0,\n        x,\n    );\n    f(x);\n}";
        assert_eq!(lines(body), ["f(x);"]);
        let one_line = "{ collect!(\"depth (\", depth(&j)); assert!(depth(&j) < 3); }";
        assert_eq!(lines(one_line), ["assert!(depth(&j) < 3);"]);
        let inside = "{\n    for i in 0..3 { note!(\"{i}\"); f(i) }\n    renote!(1);\n}";
        assert_eq!(lines(inside), ["for i in 0..3 { f(i) }", "renote!(1);"]);
        let beside = "{\n    // about this: note!(1);\n    let quote = '\"'; note!(\"{quote}\");\n    other::note!(2);\n}";
        assert_eq!(lines(beside), ["// about this: note!(1);", "let quote = '\"';", "other::note!(2);"]);
    }

    #[test]
    fn a_text_of_other_tokens_is_refused() {
        let TokenTree::Group(group) = "{ f(x) }".parse::<TokenStream>().unwrap().into_iter().next().unwrap()
        else {
            panic!("a body has braces")
        };
        assert!(without_observers("{ f($x) }", &group).is_none());
    }
}
