//! From the text of a spec comment to tokens.
//!
//! Turns the pieces of a comment (spans into the user's files) into tokens with byte-exact spans, and says
//! what cannot be read. It knows no keywords: the language has many, most of them also good names for
//! variables, so the parser tells them apart by where they stand.

use super::diagnostic::{Diagnostic, Diagnostics};
use super::position::{SourceMap, Span};
use super::types::Bits;
use num_bigint::BigInt;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Word(String),
    /// A number, with its type if it says it.
    Number(BigInt, Option<Bits>),
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end of the comment.
    End,
}

/// Longest first, so that the first that fits is the right one.
const SIGNS: [&str; 33] = [
    "->", "==", "!=", "<=", ">=", "=>", "&&", "||", "..", "(", ")", "{", "}", "[", "]", "<", ">", "+", "-",
    "*", "/", "%", "&", "|", "^", "!", "~", "?", ":", ";", ",", ".", "=",
];

/// Longer numbers than any program needs; parsing one takes more than linear time.
const MAX_DIGITS: usize = 2_000;

/// The tokens of a comment's pieces; the last is [`TokenKind::End`].
pub fn tokens(sources: &SourceMap, pieces: &[Span], diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut all = Vec::new();
    for piece in pieces {
        let text = sources.slice(*piece);
        Lexer { text, at: 0, base: *piece, tokens: &mut all, diagnostics }.run();
    }
    let end = pieces.last().map_or(Span::new(sources.first(), 0, 0), |piece| piece.after());
    all.push(Token { kind: TokenKind::End, span: end });
    all
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    base: Span,
    tokens: &'a mut Vec<Token>,
    diagnostics: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            match c {
                c if c.is_ascii_whitespace() => self.at += 1,
                '/' if self.rest().starts_with("//") => self.line_comment(),
                '/' if self.rest().starts_with("/*") => self.block_comment(),
                c if c.is_alphabetic() || c == '_' => self.word(),
                '0'..='9' => self.number(),
                '\'' | '"' => self.quoted(c),
                _ => self.sign(),
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, from: usize) -> Span {
        let base = self.base.start;
        Span::new(self.base.file, base + from as u32, base + self.at as u32)
    }

    fn push(&mut self, from: usize, kind: TokenKind) {
        let span = self.span(from);
        self.tokens.push(Token { kind, span });
    }

    /// Goes on while the bytes are of a kind; all kinds asked for are ASCII or end at ASCII.
    fn skip_while(&mut self, is_in: impl Fn(u8) -> bool) {
        let n = self.rest().bytes().position(|byte| !is_in(byte)).unwrap_or(self.rest().len());
        self.at += n;
    }

    fn line_comment(&mut self) {
        self.skip_while(|byte| byte != b'\n');
    }

    fn block_comment(&mut self) {
        let from = self.at;
        match self.rest()[2..].find("*/") {
            Some(n) => self.at += n + 4,
            None => {
                self.at = self.text.len();
                let span = Span { end: self.span(from).start + 2, ..self.span(from) };
                self.diagnostics.push(
                    Diagnostic::error(span, "a comment that does not end")
                        .help("comments inside specs are written `// …` and end with the line"),
                );
            }
        }
    }

    /// Compilers take letters of any script, so specs do.
    fn word(&mut self) {
        let from = self.at;
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.at += self.rest().find(|c: char| !is_part(c)).unwrap_or(self.rest().len());
        let word = self.text[from..self.at].to_string();
        self.push(from, TokenKind::Word(word));
    }

    fn number(&mut self) {
        let from = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let text = &self.text[from..self.at];
        match number(text) {
            Ok((value, bits)) => self.push(from, TokenKind::Number(value, bits)),
            Err((message, help)) => {
                let span = self.span(from);
                self.diagnostics.push(Diagnostic::error(span, message).maybe_help(help));
                self.push(from, TokenKind::Number(BigInt::ZERO, None));
            }
        }
    }

    /// A character or a string as in C, which the language does not have.
    fn quoted(&mut self, quote: char) {
        let from = self.at;
        let mut length = 1;
        let mut is_closed = false;
        let mut bytes = self.rest().bytes().skip(1);
        while let Some(byte) = bytes.next() {
            if byte == b'\n' {
                break;
            }
            length += 1;
            if byte == b'\\' {
                length += usize::from(bytes.next().is_some_and(|next| next != b'\n'));
            } else if byte == quote as u8 {
                is_closed = true;
                break;
            }
        }
        self.at = (from + length).min(self.text.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        let span = self.span(from);
        let inside = self.text[from + 1..self.at].trim_end_matches(quote);
        let value = (quote == '\'').then(|| character(inside)).flatten();
        let message = match (is_closed, quote) {
            (false, _) => "a quote that is not closed in its line",
            (true, '\'') => "specs have no character literals",
            (true, _) => "specs have no strings",
        };
        let help = value.map(|value| format!("write its code: `{value}u8`"));
        self.diagnostics.push(Diagnostic::error(span, message).maybe_help(help));
        self.push(from, TokenKind::Number(BigInt::from(value.unwrap_or(0)), Some(Bits::U8)));
    }

    fn sign(&mut self) {
        let from = self.at;
        // `default<u32>==x` closes a bracket before it compares.
        if self.rest().starts_with(">==") {
            self.at += 1;
            return self.push(from, TokenKind::Sign(">"));
        }
        if let Some(shift) = ["<<", ">>"].iter().find(|shift| self.rest().starts_with(**shift)) {
            // Closing brackets of nested types stand side by side as well, so only `<<` is surely a shift.
            if *shift == "<<" {
                self.at += 2;
                let span = self.span(from);
                self.diagnostics
                    .push(Diagnostic::error(span, "specs have no `<<`").help("write `shift_left(x, n)`"));
                return self.push(from, TokenKind::Sign("+"));
            }
        }
        if let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
            self.at += sign.len();
            return self.push(from, TokenKind::Sign(sign));
        }
        if self.rest().starts_with('@') {
            self.at += 1;
            return self.push(from, TokenKind::Sign("@"));
        }
        self.unknown(from);
    }

    /// Everything up to the next thing that could be a token, in one message.
    fn unknown(&mut self, from: usize) {
        let is_known = |c: char| {
            c.is_alphanumeric() || c.is_ascii_whitespace() || "_'\"@(){}[]<>+-*/%&|^!~?:;,.=".contains(c)
        };
        let first = self.rest().chars().next().map_or(0, char::len_utf8);
        let n = self.rest()[first..].find(is_known).map_or(self.rest().len(), |n| first + n);
        let text = &self.rest()[..n];
        let shown: String = text
            .chars()
            .take(10)
            .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
            .collect();
        let message = if text.is_ascii() {
            format!("`{shown}` has no meaning in a spec")
        } else {
            format!("`{}` has no meaning in a spec", text.chars().take(10).collect::<String>())
        };
        let help = text.chars().next().and_then(ascii_spelling).map(|sign| format!("write `{sign}`"));
        self.at += n;
        let span = self.span(from);
        self.diagnostics.push(Diagnostic::error(span, message).maybe_help(help));
    }
}

/// How specs write a sign that mathematicians use.
fn ascii_spelling(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2264}' => "<=",
        '\u{2265}' => ">=",
        '\u{2260}' => "!=",
        '\u{2227}' => "&&",
        '\u{2228}' => "||",
        '\u{ac}' => "!",
        '\u{2192}' | '\u{21d2}' => "implies",
        '\u{d7}' | '\u{b7}' => "*",
        '\u{2212}' | '\u{2013}' => "-",
        _ => return None,
    })
}

/// A number's value and type, or what is wrong with it and what to do.
fn number(text: &str) -> Result<(BigInt, Option<Bits>), (String, Option<String>)> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        _ => (10, text),
    };
    let n = digits.bytes().position(|byte| !(byte as char).is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(n);
    if digits.is_empty() {
        return Err((format!("`{}` is not a number", shortened(text)), None));
    }
    if digits.len() > MAX_DIGITS {
        return Err((
            format!("a number of {} digits", digits.len()),
            Some(format!("at most {MAX_DIGITS} are read")),
        ));
    }
    let Some(value) = BigInt::parse_bytes(digits.as_bytes(), radix) else {
        return Err((format!("`{}` is not a number", shortened(text)), None));
    };
    if suffix.is_empty() {
        return Ok((value, None));
    }
    match Bits::from_name(suffix) {
        Some(bits) => Ok((value, Some(bits))),
        None => Err((
            format!("unknown suffix `{}` of a number", shortened(suffix)),
            Some(suffix_help(digits, suffix)),
        )),
    }
}

fn suffix_help(digits: &str, suffix: &str) -> String {
    let digits = if digits.len() > 20 { "5" } else { digits };
    match suffix.to_ascii_lowercase().as_str() {
        "u" => format!("say how many bits: `{digits}u32`"),
        "l" | "ll" => format!("say how many bits: `{digits}i64`"),
        "ul" | "ull" | "lu" | "llu" => format!("say how many bits: `{digits}u64`"),
        _ => "suffixes are `i8`, `i16`, `i32`, `i64`, `i128` and the same with `u`".to_string(),
    }
}

fn shortened(text: &str) -> String {
    if text.len() <= 30 { text.to_string() } else { format!("{}…", &text[..30]) }
}

/// The code of a C character.
fn character(inside: &str) -> Option<u32> {
    let mut chars = inside.chars();
    let value = match (chars.next()?, chars.next()) {
        ('\\', Some(escaped)) => match escaped {
            'n' => 10,
            't' => 9,
            'r' => 13,
            '0' => 0,
            '\\' | '\'' | '"' => escaped as u32,
            _ => return None,
        },
        (c, None) if c.is_ascii() => c as u32,
        _ => return None,
    };
    chars.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> (Vec<String>, Vec<String>) {
        let mut sources = SourceMap::new();
        let file = sources.add("t.c", text);
        let mut diagnostics = Diagnostics::new();
        let tokens = tokens(&sources, &[sources.whole(file)], &mut diagnostics);
        let shown = tokens
            .iter()
            .map(|token| match &token.kind {
                TokenKind::Word(word) => word.clone(),
                TokenKind::Number(value, bits) => {
                    format!("{value}{}", bits.map_or(String::new(), |bits| bits.name().to_string()))
                }
                TokenKind::Sign(sign) => (*sign).to_string(),
                TokenKind::End => "END".to_string(),
            })
            .collect();
        (shown, diagnostics.into_sorted().iter().map(|d| d.render(&sources, false)).collect())
    }

    fn good(text: &str) -> String {
        let (tokens, errors) = lex(text);
        assert_eq!(errors, Vec::<String>::new(), "{text}");
        tokens.join(" ")
    }

    fn bad(text: &str) -> String {
        let (tokens, errors) = lex(text);
        format!("{}\n{}", tokens.join(" "), errors.join("\n"))
    }

    #[test]
    fn words_numbers_and_signs() {
        assert_eq!(good("take x_1 = RW<int>(p);"), "take x_1 = RW < int > ( p ) ; END");
        assert_eq!(
            good("5i32 0x10u64 0b11 007 99999999999999999999"),
            "5i32 16u64 3 7 99999999999999999999 END"
        );
        assert_eq!(good("a->b..c=>d<=e>=f&&g||!h"), "a -> b .. c => d <= e >= f && g || ! h END");
        assert_eq!(good("map<u64,map<u8,u8>>"), "map < u64 , map < u8 , u8 > > END");
        assert_eq!(good("default<u32>==x"), "default < u32 > == x END");
        assert_eq!(good("{e}@start"), "{ e } @ start END");
        assert_eq!(good(""), "END");
    }

    #[test]
    fn comments_are_no_tokens() {
        assert_eq!(good("a // b ; \u{e9} '\n c /* d */ e // f"), "a c e END");
    }

    #[test]
    fn pieces_follow_one_another() {
        let mut sources = SourceMap::new();
        let file = sources.add("t.c", "/*@ a @*/ x /*@ b @*/");
        let pieces = [Span::new(file, 3, 6), Span::new(file, 15, 18)];
        let tokens = tokens(&sources, &pieces, &mut Diagnostics::new());
        let slices: Vec<&str> = tokens.iter().map(|token| sources.slice(token.span)).collect();
        assert_eq!(slices, ["a", "b", ""]);
        assert_eq!(tokens[2].span, Span::new(file, 18, 18));
    }

    #[test]
    fn what_c_has_and_specs_do_not() {
        insta::assert_snapshot!(bad("x == 5u && y == 7UL && z == 3q7"));
        insta::assert_snapshot!(bad(r"c == 'a' || c == '\n' || c == 'ab' || s == "));
        insta::assert_snapshot!(bad("s == \"text\" || 'open\n x"));
        insta::assert_snapshot!(bad("x << 3"));
    }

    #[test]
    fn what_nothing_has() {
        insta::assert_snapshot!(bad("gr\u{f6}\u{df}e # \\ $$ \0 \u{2264} \u{663}x"));
        insta::assert_snapshot!(bad("0x"));
        insta::assert_snapshot!(bad("a /* b"));
        let (tokens, errors) = lex(&"9".repeat(100_000));
        assert_eq!(tokens, ["0", "END"]);
        assert!(errors[0].contains("a number of 100000 digits"));
    }
}
