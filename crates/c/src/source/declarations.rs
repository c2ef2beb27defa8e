//! A copy of an expanded file in which functions have empty bodies: all that the compiler must see to know
//! the types, functions and variables that contracts name.
//!
//! Compiling it takes a fraction of the time that the file itself takes, so a mistake in a contract is
//! reported before anything is built. A body stays if a spec stands in it, whose locals are then needed, or
//! if it declares something that other functions can name.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lex::{Kind, Token};
use super::preprocess::ExpandedFile;
use super::structure::FunctionShape;

/// The copy; bodies of the functions with these numbers stay.
pub(super) fn declarations(
    expanded: &ExpandedFile,
    functions: &[FunctionShape],
    kept: &BTreeSet<usize>,
) -> Vec<u8> {
    let mut text = expanded.text.clone();
    for (k, function) in functions.iter().enumerate() {
        let tokens = tokens_in(&expanded.tokens, &function.body);
        if !kept.contains(&k) && !declares(&expanded.text, tokens) {
            empty(&mut text, tokens);
        }
    }
    text
}

fn tokens_in<'t>(tokens: &'t [Token], range: &Range<usize>) -> &'t [Token] {
    let first = tokens.partition_point(|token| token.start < range.start);
    let last = tokens.partition_point(|token| token.start < range.end);
    &tokens[first..last]
}

/// Whether a body may declare types, or variables of other files.
fn declares(text: &[u8], tokens: &[Token]) -> bool {
    let code: Vec<&Token> = tokens.iter().filter(|token| !token.is_comment()).collect();
    code.iter().enumerate().any(|(k, token)| match token.text(text) {
        b"typedef" | b"extern" => true,
        b"struct" | b"union" | b"enum" => code[k + 1..].iter().take(2).any(|next| next.is(text, b'{')),
        _ => false,
    })
}

/// Blanks everything between the braces but the ends of lines, and the markers that say where lines come from.
fn empty(text: &mut [u8], tokens: &[Token]) {
    let [_, inside @ .., _] = tokens else { return };
    for token in inside {
        let is_marker = token.kind == Kind::Directive && !token.text(text).starts_with(b"#pragma");
        if !is_marker {
            let bytes = &mut text[token.start..token.end];
            bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::clean;
    use crate::source::structure::{Patience, structure};

    fn emptied(text: &str, kept: &[usize]) -> String {
        let expanded = ExpandedFile::new(text.as_bytes().to_vec());
        let plain = clean::clean(&expanded, &[]);
        let found = structure(&plain, &expanded.text, &[], Patience::WithErrors).expect("short");
        let copy = declarations(&expanded, &found.functions, &kept.iter().copied().collect());
        String::from_utf8(copy).expect("text")
    }

    #[test]
    fn bodies_are_emptied_and_lines_stay() {
        let text =
            "# 1 \"a.c\"\nint f(int x)\n{ /* x */\n  return x;\n# 9 \"b.h\"\n}\nint g(void) { return 1; }\n";
        let copy = emptied(text, &[1]);
        assert_eq!(copy.len(), text.len());
        assert_eq!(
            copy.lines().map(str::trim).collect::<Vec<_>>(),
            ["# 1 \"a.c\"", "int f(int x)", "{", "", "# 9 \"b.h\"", "}", "int g(void) { return 1; }",]
        );
    }

    #[test]
    fn bodies_that_declare_something_stay() {
        for body in ["struct s { int a; } x;", "extern int g;", "typedef int t;", "enum { A };"] {
            let text = format!("void f(void) {{ {body} }}\n");
            assert_eq!(emptied(&text, &[]), text);
        }
        assert!(!emptied("void f(void) { struct s *p = 0; }\n", &[]).contains("struct"));
    }
}
