//! Expressions as they were written.
//!
//! Turns syntax into text for the tests that reports print. rustc gives the text of a whole group only, so an
//! expression is looked for among the pieces of the group it stands in, and taken for found only if it reads
//! the same.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;

/// The text of an expression that stands in the group at `around`, between commas or semicolons.
pub(crate) fn of(expression: &Expr, around: Span) -> String {
    let tokens = expression.to_token_stream().to_string();
    let found = around.source_text().and_then(|text| {
        let pieces = pieces(&text);
        // An expression may have commas of its own: the parameters of a closure.
        let from_to = |from: usize, to: usize| {
            let start = pieces[from].as_ptr() as usize - text.as_ptr() as usize;
            let end = pieces[to].as_ptr() as usize - text.as_ptr() as usize + pieces[to].len();
            &text[start..end]
        };
        let joined = (0..pieces.len())
            .flat_map(|from| (from..pieces.len().min(from + MAX_JOINED)).map(move |to| (from, to)));
        let candidates = joined.map(|(from, to)| from_to(from, to)).flat_map(|piece| {
            let behind_name = piece.split_once('=').map(|(_, behind)| behind);
            let behind_arrow = piece.split_once("=>").map(|(_, behind)| behind);
            [Some(piece), behind_name, behind_arrow].into_iter().flatten()
        });
        let is_it = |text: &&str| {
            let read = syn::parse_str::<Expr>(text.trim());
            read.is_ok_and(|read| read.to_token_stream().to_string() == tokens)
        };
        candidates.into_iter().find(is_it).map(|text| on_one_line(text.trim()))
    });
    found.unwrap_or_else(|| plain(expression.to_token_stream()))
}

/// How many pieces an expression may be made of.
const MAX_JOINED: usize = 8;

/// The text inside the outermost brackets, cut at commas and semicolons.
fn pieces(text: &str) -> Vec<&str> {
    let Some(open) = text.find(['(', '[', '{']) else { return Vec::new() };
    let inside = &text[open + 1..text.rfind([')', ']', '}']).unwrap_or(text.len())];
    let (mut pieces, mut depth, mut start, mut is_text, mut is_escaped) = (Vec::new(), 0u32, 0, false, false);
    for (at, c) in inside.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            _ if is_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' | ';' if depth == 0 => {
                pieces.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&inside[start..]);
    pieces
}

/// Line breaks become spaces, unless there are texts or comments they may belong to.
fn on_one_line(text: &str) -> String {
    if text.contains("//") || text.contains('"') {
        return text.to_string();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tokens with as few spaces as a person would write.
pub(crate) fn plain(tokens: TokenStream) -> String {
    let mut out = String::new();
    // Whether the next token follows without a space, and whether the last one ends a value.
    let (mut is_joint, mut is_value) = (true, false);
    // How many lists of types are open.
    let mut n_open = 0u32;
    for token in tokens {
        let text = match &token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => (" { ", " }"),
                    Delimiter::None => ("", ""),
                };
                is_joint |= is_value && group.delimiter() != Delimiter::None;
                format!("{open}{}{close}", plain(group.stream()))
            }
            token => token.to_string(),
        };
        let is_doubled =
            matches!(&token, TokenTree::Punct(punct) if punct.spacing() == proc_macro2::Spacing::Joint);
        let hugs = match text.as_str() {
            "!" => is_value && !is_doubled,
            ">" => n_open > 0,
            // `..` after a comma is no field.
            "." => !out.ends_with(','),
            text => matches!(text, "," | ";" | "?" | ":"),
        };
        let opens = text == "<" && out.ends_with("::");
        match text.as_str() {
            "<" if opens => n_open += 1,
            ">" if n_open > 0 => n_open -= 1,
            _ => {}
        }
        if !is_joint && !hugs {
            out.push(' ');
        }
        out.push_str(&text);
        is_joint = match &token {
            TokenTree::Punct(punct) => is_doubled || matches!(punct.as_char(), '.' | '&' | '!'),
            _ => false,
        };
        is_joint |= out.ends_with("..=");
        is_joint &= is_doubled || !ends_in_and(&out);
        is_joint |= opens || out.ends_with("::");
        // The name of a macro, and the end of a list of types.
        is_value = match &token {
            TokenTree::Punct(punct) => {
                matches!(punct.as_char(), '!' | '>' | '?') && (hugs || punct.as_char() == '>')
            }
            _ => true,
        };
    }
    out
}

/// Whether text ends in `a &&` or `a &`, after which a value follows and nothing that is borrowed.
fn ends_in_and(text: &str) -> bool {
    let before = text.trim_end_matches('&');
    let ends_value = |c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '}' | '"' | '\'');
    before.len() < text.len() && before.strip_suffix(' ').is_some_and(|before| before.ends_with(ends_value))
}

/// Whether one of `names` stands anywhere in these tokens.
pub(crate) fn names_any(tokens: TokenStream, names: &[Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.contains(&ident),
        TokenTree::Group(group) => names_any(group.stream(), names),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_cut_where_nothing_is_open() {
        assert_eq!(pieces("(a, f(b, \"),\"), [c; 2])"), ["a", " f(b, \"),\")", " [c; 2]"]);
        assert_eq!(
            pieces("laws! { system Q = Q::new(); op f(); }"),
            [" system Q = Q::new()", " op f()", " "]
        );
        assert!(pieces("nothing").is_empty());
    }

    #[test]
    fn tokens_are_written_without_needless_spaces() {
        let texts = [
            "system.drain(&x, 3).len()",
            "Vec::<u8>::new()",
            "a + b == !c",
            "f(|x| x.y, vec![1, 2])",
            "a * (b + c)",
        ];
        for text in texts {
            let written = plain(text.parse().unwrap());
            let again: TokenStream = written.parse().unwrap();
            let expected: TokenStream = text.parse().unwrap();
            assert_eq!(again.to_string(), expected.to_string(), "{written}");
        }
        assert_eq!(plain("a * (b + !c)".parse().unwrap()), "a * (b + !c)");
        assert_eq!(plain("a != b && f(0..=9)".parse().unwrap()), "a != b && f(0..=9)");
        assert_eq!(plain("system.drain(&x, 3).len()".parse().unwrap()), "system.drain(&x, 3).len()");
    }
}
