//! The tokens of C, comments and directives included.
//!
//! Turns bytes into tokens that cover everything but white space. It accepts anything: what is unterminated
//! ends with its line or with the text.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// A character constant, quotes included.
    Character,
    /// A string literal, quotes included.
    String,
    /// `/* … */`
    Comment,
    /// `// …` up to the end of the line.
    LineComment,
    /// A line that begins with `#`; only if asked for.
    Directive,
    /// One character of anything else.
    Mark,
}

/// A token: a kind and a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn text(self, text: &[u8]) -> &[u8] {
        &text[self.start..self.end]
    }

    pub(super) fn is(self, text: &[u8], mark: u8) -> bool {
        self.kind == Kind::Mark && text[self.start] == mark
    }

    pub(super) fn is_comment(self) -> bool {
        matches!(self.kind, Kind::Comment | Kind::LineComment)
    }
}

/// What to do with lines that begin with `#`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Directives {
    /// One token each: for what the preprocessor leaves.
    Whole,
    /// Read what they contain: for sources, where a macro may hold a comment.
    Read,
}

/// All tokens of a text.
pub(super) fn tokens(text: &[u8], directives: Directives) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut at = 0;
    let mut is_line_start = true;
    while at < text.len() {
        let byte = text[at];
        if byte == b'\n' {
            is_line_start = true;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, end) = if byte == b'#' && is_line_start && directives == Directives::Whole {
            (Kind::Directive, line_end(text, at))
        } else {
            token(text, at)
        };
        tokens.push(Token { kind, start: at, end });
        is_line_start = false;
        at = end;
    }
    tokens
}

fn token(text: &[u8], at: usize) -> (Kind, usize) {
    let next = text.get(at + 1).copied().unwrap_or(0);
    match text[at] {
        b'/' if next == b'*' => {
            let body = &text[at + 2..];
            let length = body.windows(2).position(|two| two == b"*/").map_or(body.len(), |k| k + 2);
            (Kind::Comment, at + 2 + length)
        }
        b'/' if next == b'/' => (Kind::LineComment, spliced_line_end(text, at)),
        b'"' => (Kind::String, quoted_end(text, at)),
        b'\'' => (Kind::Character, quoted_end(text, at)),
        b'0'..=b'9' => (Kind::Number, number_end(text, at)),
        b'.' if next.is_ascii_digit() => (Kind::Number, number_end(text, at)),
        byte if is_word_byte(byte) || is_escape(text, at) => (Kind::Word, word_end(text, at)),
        _ => (Kind::Mark, at + 1),
    }
}

/// Whether a letter is written `\\u00fc`, as gcc's preprocessor writes those beyond ASCII.
fn is_escape(text: &[u8], at: usize) -> bool {
    text[at] == b'\\' && matches!(text.get(at + 1), Some(b'u' | b'U'))
}

fn word_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < text.len() {
        if is_word_byte(text[end]) {
            end += 1;
        } else if is_escape(text, end) {
            end += 2;
        } else {
            break;
        }
    }
    end
}

/// A word as the user wrote it, letters beyond ASCII in place of their numbers.
pub(super) fn spelled(word: &[u8]) -> String {
    let word = String::from_utf8_lossy(word);
    let mut parts = word.split('\\');
    let mut spelled = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let n_digits = if part.starts_with('U') { 8 } else { 4 };
        let letter = part.get(1..=n_digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match letter.and_then(char::from_u32) {
            Some(letter) => {
                spelled.push(letter);
                spelled.push_str(&part[n_digits + 1..]);
            }
            None => spelled.push_str(part),
        }
    }
    spelled
}

/// Letters, digits, `_`, `$`, and whatever is not ASCII.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| at + length)
}

/// The end of a line that goes on behind a backslash.
fn spliced_line_end(text: &[u8], at: usize) -> usize {
    let mut end = line_end(text, at);
    while end < text.len() && (text[..end].ends_with(b"\\") || text[..end].ends_with(b"\\\r")) {
        end = line_end(text, end + 1);
    }
    end
}

fn quoted_end(text: &[u8], at: usize) -> usize {
    let quote = text[at];
    let mut end = at + 1;
    while end < text.len() {
        match text[end] {
            b'\\' if text.get(end + 1) == Some(&b'\r') => end += 3,
            b'\\' => end += 2,
            b'\n' => return end,
            byte if byte == quote => return end + 1,
            _ => end += 1,
        }
    }
    text.len()
}

fn number_end(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < text.len() {
        let follows_exponent = matches!(text[end - 1], b'e' | b'E' | b'p' | b'P');
        let is_hexadecimal = text[at..].starts_with(b"0x") || text[at..].starts_with(b"0X");
        let takes_sign = follows_exponent && !(is_hexadecimal && matches!(text[end - 1], b'e' | b'E'));
        match text[end] {
            byte if is_word_byte(byte) || byte == b'.' => end += 1,
            b'+' | b'-' if takes_sign => end += 1,
            b'\'' if text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) => end += 2,
            _ => break,
        }
    }
    end
}

/// Whether a comment is a spec, or looks like one: it begins with `/*@` or `//@`, or with `/* @`.
pub(super) fn may_be_spec(comment: &[u8]) -> bool {
    let inside = comment.get(2..).unwrap_or_default();
    inside.starts_with(b"@") || comment.starts_with(b"/*") && inside.trim_ascii_start().starts_with(b"@")
}

/// The inner text of a spec comment: what stands between `/*@` and `@*/` (or `*/`).
pub(super) fn spec_inside(text: &[u8], token: Token) -> Option<Range<usize>> {
    let comment = token.text(text);
    if token.kind != Kind::Comment || !comment.starts_with(b"/*@") || comment.len() < 5 {
        return None;
    }
    let mut end = comment.len();
    if comment.ends_with(b"*/") {
        end -= 2;
    }
    if end > 3 && comment[end - 1] == b'@' {
        end -= 1;
    }
    let inside = 3..end.max(3);
    if is_foreign(&comment[inside.clone()]) {
        return None;
    }
    Some(token.start + inside.start..token.start + inside.end)
}

/// Whether a comment that begins with `/*@` is meant for somebody else: Splint's controls (`/*@-noeffect@*/`)
/// and annotations (`/*@null@*/`), groups of Doxygen (`/*@{*/`). Ours begin with a space or with a word of
/// ours, and have more in them than words.
fn is_foreign(inside: &[u8]) -> bool {
    match inside.first() {
        Some(b'-' | b'+' | b'=' | b'!' | b'{' | b'}') => true,
        Some(first) if is_word_byte(*first) => {
            inside.iter().all(|byte| is_word_byte(*byte) || *byte == b' ' || *byte == b',')
                && !matches!(first_word(inside), b"requires" | b"ensures" | b"inv" | b"trusted" | b"accesses")
        }
        _ => false,
    }
}

/// The first word of a spec, past its own comments.
pub(super) fn first_word(spec: &[u8]) -> &[u8] {
    let mut rest = spec.trim_ascii_start();
    while rest.starts_with(b"//") || rest.starts_with(b"/*") {
        let (_, end) = token(rest, 0);
        rest = rest[end..].trim_ascii_start();
    }
    let length = rest.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(rest.len());
    &rest[..length]
}

/// The words of a spec that may name variables: not those behind `.` or `->`, not in comments.
pub(super) fn names(spec: &[u8]) -> Vec<&[u8]> {
    let all = tokens(spec, Directives::Read);
    let code: Vec<Token> = all.into_iter().filter(|token| !token.is_comment()).collect();
    let is_member = |k: usize| {
        k > 0
            && (code[k - 1].is(spec, b'.')
                || (k > 1 && code[k - 1].is(spec, b'>') && code[k - 2].is(spec, b'-')))
    };
    let words = (0..code.len()).filter(|k| code[*k].kind == Kind::Word && !is_member(*k));
    words.map(|k| code[k].text(spec)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(Kind, &str)> {
        let all = tokens(text.as_bytes(), Directives::Whole);
        all.into_iter().map(|token| (token.kind, &text[token.range()])).collect()
    }

    #[test]
    fn quotes_and_comments_hide_each_other() {
        let found = texts("\"/*@ a @*/\" '\"' /* \" */ // '\n# 3 \"f\"\nx");
        let kinds: Vec<Kind> = found.iter().map(|(kind, _)| *kind).collect();
        use Kind::*;
        assert_eq!(kinds, [String, Character, Comment, LineComment, Directive, Word]);
    }

    #[test]
    fn unterminated_things_end() {
        for text in
            ["/*@ x", "/*", "\"abc", "'", "'\\", "\"\\\r", "/", "// x \\", "/*@*", "/*@*/", "0x1p", "1'"]
        {
            let all = tokens(text.as_bytes(), Directives::Read);
            assert!(all.last().is_some_and(|token| token.end <= text.len()), "{text}");
            for token in all {
                let _ = spec_inside(text.as_bytes(), token);
            }
        }
    }

    #[test]
    fn numbers_are_whole() {
        assert_eq!(texts("1e+5 0x1e+5 1'000 .5f").len(), 6);
    }

    #[test]
    fn the_inside_of_specs() {
        let inside = |text: &'static str| {
            let all = tokens(text.as_bytes(), Directives::Read);
            spec_inside(text.as_bytes(), all[0]).map(|range| &text[range])
        };
        assert_eq!(inside("/*@ a @*/"), Some(" a "));
        assert_eq!(inside("/*@ a */"), Some(" a "));
        assert_eq!(inside("/*@@*/"), Some(""));
        assert_eq!(inside("/*@*/"), Some(""));
        assert_eq!(inside("/* a */"), None);
        assert_eq!(inside("/*@requires a; @*/"), Some("requires a; "));
        assert_eq!(inside("/*@requires@*/"), Some("requires"));
    }

    #[test]
    fn comments_of_splint_and_doxygen_are_not_specs() {
        for text in [
            "/*@-noeffect*/",
            "/*@=noeffect@*/",
            "/*@null@*/",
            "/*@only null@*/",
            "/*@i1@*/",
            "/*@{*/",
            "/*@}*/",
        ] {
            let all = tokens(text.as_bytes(), Directives::Read);
            assert_eq!(spec_inside(text.as_bytes(), all[0]), None, "{text}");
        }
    }

    #[test]
    fn letters_beyond_ascii_have_two_spellings() {
        let text = "gr\\U000000fcn+\\u00e4x \\ \\u";
        let words: Vec<(Kind, &str)> = texts(text);
        assert_eq!(words.len(), 5);
        assert_eq!(spelled(words[0].1.as_bytes()), "gr\u{fc}n");
        assert_eq!(spelled(words[2].1.as_bytes()), "\u{e4}x");
        assert_eq!(spelled(b"\\u12"), "u12");
    }

    #[test]
    fn words_of_specs() {
        assert_eq!(first_word(b" // requires\n /* x */ ensures x"), b"ensures");
        assert_eq!(first_word(b"  "), b"");
        let found = names(b"p->len == q.n && x < y; // z");
        assert_eq!(found, [&b"p"[..], b"q", b"x", b"y"]);
    }
}
