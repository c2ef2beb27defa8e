//! Where tokens stand in the text they were read from.
//!
//! rustc gives the text of a whole group only. Walking along the tokens and the text at the same time, past
//! spaces and comments, gives the place of each token, so that statements can be left out of a text that
//! stays as it was written.

use proc_macro2::{Delimiter, Group, TokenTree};
use std::ops::Range;

/// A walk along a text.
pub(crate) struct TokenRanges<'t> {
    text: &'t str,
    end: usize,
}

impl<'t> TokenRanges<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        TokenRanges { text, end: 0 }
    }

    /// Where the next token starts.
    pub(crate) fn next_start(&self) -> usize {
        let mut rest = &self.text[self.end..];
        // Each round takes something away.
        while let Some(shorter) = without_blank(rest) {
            rest = shorter;
        }
        self.text.len() - rest.len()
    }

    /// Where the last token ended.
    pub(crate) const fn end(&self) -> usize {
        self.end
    }

    /// Goes past these tokens; `None` if something else stands in the text.
    pub(crate) fn skip(&mut self, tokens: &[TokenTree]) -> Option<()> {
        tokens.iter().try_for_each(|token| match token {
            TokenTree::Group(group) => {
                self.open(group)?;
                self.skip(&group.stream().into_iter().collect::<Vec<_>>())?;
                self.close(group)
            }
            token => self.expect(&token.to_string()),
        })
    }

    /// Goes past the opening delimiter.
    pub(crate) fn open(&mut self, group: &Group) -> Option<()> {
        self.expect(delimiters(group).0)
    }

    /// Goes past the closing delimiter.
    pub(crate) fn close(&mut self, group: &Group) -> Option<()> {
        self.expect(delimiters(group).1)
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        let start = self.next_start();
        self.text[start..].starts_with(token).then(|| self.end = start + token.len())
    }
}

fn delimiters(group: &Group) -> (&'static str, &'static str) {
    match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => ("", ""),
    }
}

/// The text after the spaces or the comment with which it begins.
fn without_blank(text: &str) -> Option<&str> {
    let trimmed = text.trim_start();
    if trimmed.len() < text.len() {
        return Some(trimmed);
    }
    if text.starts_with("//") {
        return Some(text.find('\n').map_or("", |end| &text[end..]));
    }
    text.starts_with("/*").then(|| after_comment(text))
}

/// The text after the comment with which it begins; comments nest.
fn after_comment(text: &str) -> &str {
    let (mut depth, mut at) = (0usize, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return &text[at..];
        }
    }
    ""
}

/// The text without these ranges, which do not overlap; lines that held nothing else go as well.
pub(crate) fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for range in ranges {
        out.push_str(&text[at..range.start]);
        let mut rest = &text[range.end..];
        // The space before what follows on the same line is there already.
        if out.ends_with(' ') {
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
        let stood_alone = out.lines().next_back().is_none_or(|line| line.trim().is_empty());
        if stood_alone && let Some(next) = rest.trim_start_matches([' ', '\t']).strip_prefix('\n') {
            out.truncate(out.trim_end_matches([' ', '\t']).len());
            rest = next;
        }
        at = text.len() - rest.len();
    }
    out + &text[at..]
}

/// The lines between the braces, with their common indentation taken away.
pub(crate) fn lines_between_braces(text: &str) -> Vec<String> {
    let inner = text.trim();
    let inner = inner.strip_prefix('{').map_or(inner, |inner| inner.strip_suffix('}').unwrap_or(inner));
    let inner = inner.trim_matches('\n').trim_end();
    let is_blank = |line: &&str| line.trim().is_empty();
    let indent_of = |line: &str| line.len() - line.trim_start().len();
    let indent = inner.lines().filter(|line| !is_blank(line)).map(indent_of).min().unwrap_or(0);
    inner.lines().map(|line| line.get(indent..).unwrap_or("").trim_end().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;

    #[test]
    fn tokens_are_found_past_comments() {
        let text = "{ a /* b /* c */ */ ( \"d//\" ) // e\n 'x' <<= 'l }";
        let tokens: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
        let mut ranges = TokenRanges::new(text);
        assert_eq!(ranges.skip(&tokens), Some(()));
        assert_eq!(ranges.end(), text.len());
        assert_eq!(TokenRanges::new("{ b }").skip(&tokens), None);
    }

    #[test]
    fn lines_lose_their_braces_and_their_indentation() {
        let lines = lines_between_braces;
        assert_eq!(lines("{\n        a();\n\n            b();\n    }"), ["a();", "", "    b();"]);
        assert_eq!(lines("{ a() }"), ["a()"]);
    }
}
