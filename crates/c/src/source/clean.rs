//! Expanded C made plain: what a parser of standard C would stumble over, blanked out.
//!
//! Turns tokens into a text of the same length in which every place means the same. Comments, directives,
//! headers of the system and the compiler's extensions become blanks or simple stand-ins.

use super::lex::{Kind, Token};
use super::preprocess::ExpandedFile;

/// Words that say nothing about structure.
const DROPPED: &[&[u8]] = &[
    b"__extension__",
    b"__restrict",
    b"__restrict__",
    b"restrict",
    b"__inline",
    b"__inline__",
    b"inline",
    b"__const",
    b"__const__",
    b"__volatile",
    b"__volatile__",
    b"volatile",
    b"__signed",
    b"__signed__",
    b"_Noreturn",
    b"__thread",
    b"_Thread_local",
    b"_Complex",
    b"__complex__",
    b"__complex",
];

/// Words that go together with the parentheses behind them.
const DROPPED_GROUPS: &[&[u8]] = &[
    b"__attribute__",
    b"__attribute",
    b"__asm__",
    b"__asm",
    b"asm",
    b"_Alignas",
    b"alignas",
    b"_Static_assert",
    b"static_assert",
];

/// Words that, with their parentheses, stand for a type.
const TYPES: &[&[u8]] =
    &[b"__typeof__", b"__typeof", b"typeof", b"typeof_unqual", b"_Atomic", b"__auto_type"];

/// Words that, with their parentheses, stand for a value.
const VALUES: &[&[u8]] =
    &[b"__builtin_va_arg", b"__builtin_offsetof", b"__builtin_types_compatible_p", b"_Generic"];

/// The text a parser gets to see. Bodies without any of the given places, and with nothing to watch, are left
/// empty: nobody asks what they contain.
pub(super) fn clean(expanded: &ExpandedFile, places: &[usize]) -> Vec<u8> {
    let text = &expanded.text;
    let mut plain: Vec<u8> = text.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' }).collect();
    let is_code = |(number, token): &(usize, &Token)| {
        !token.is_comment() && token.kind != Kind::Directive && !expanded.line_of(*number).is_system
    };
    let code: Vec<Token> =
        expanded.tokens.iter().enumerate().filter(is_code).map(|(_, token)| *token).collect();
    let bodies = plain_bodies(text, &code, places);
    let mut bodies = bodies.iter().peekable();
    let mut k = 0;
    while k < code.len() {
        while bodies.peek().is_some_and(|(open, _)| *open < k) {
            bodies.next();
        }
        if let Some((open, close)) = bodies.peek()
            && *open == k
        {
            plain[code[*open].start] = b'{';
            plain[code[*close].start] = b'}';
            k = close + 1;
        } else {
            k = copy(text, &code, k, &mut plain);
        }
    }
    plain
}

/// How many tokens of code are read in any case: what a parser does with them takes no time worth mentioning.
const SHORT: usize = 50_000;

/// Whether something in a body may be worth watching, in a file that is too long to be read for nothing.
fn is_watched(text: &[u8], body: &[Token]) -> bool {
    body.windows(2).any(|pair| {
        let is_name = |token: &Token| token.kind == Kind::Word;
        let is_array = is_name(&pair[0]) && pair[1].is(text, b'[');
        is_array || (pair[0].is(text, b'&') && is_name(&pair[1])) || pair[0].text(text).ends_with(b"alloca")
    })
}

/// The braces of functions' bodies in which none of the places lie.
fn plain_bodies(text: &[u8], code: &[Token], places: &[usize]) -> Vec<(usize, usize)> {
    let mut bodies = Vec::new();
    let mut open = Vec::new();
    for (k, token) in code.iter().enumerate() {
        if token.is(text, b'{') {
            open.push(k);
        } else if token.is(text, b'}') {
            let Some(start) = open.pop() else { continue };
            let follows_parameters = start > 0 && code[start - 1].is(text, b')');
            let first = places.partition_point(|place| *place < code[start].start);
            let is_plain = places.get(first).is_none_or(|place| *place > token.start);
            let is_read = || code.len() < SHORT || is_watched(text, &code[start..k]);
            if open.is_empty() && follows_parameters && is_plain && !is_read() {
                bodies.push((start, k));
            }
        }
    }
    bodies
}

/// Copies what begins at the token, or its stand-in; returns the token behind it.
fn copy(text: &[u8], code: &[Token], k: usize, plain: &mut [u8]) -> usize {
    let token = code[k];
    let word = token.text(text);
    match token.kind {
        Kind::Word if DROPPED.contains(&word) => k + 1,
        Kind::Word if DROPPED_GROUPS.contains(&word) => {
            let end = group_end(text, code, skip_qualifiers(text, code, k + 1));
            let is_assertion = word.ends_with(b"tatic_assert");
            // Its semicolon would be left alone, which is no declaration.
            if is_assertion && code.get(end).is_some_and(|next| next.is(text, b';')) { end + 1 } else { end }
        }
        Kind::Word if TYPES.contains(&word) => {
            let end = group_end(text, code, k + 1);
            if end > k + 1 || word == b"__auto_type" {
                plain[token.start..token.start + 3].copy_from_slice(b"int");
            }
            end
        }
        Kind::Word if VALUES.contains(&word) => {
            let end = group_end(text, code, k + 1);
            plain[token.start..code[end - 1].end].fill(b'0');
            end
        }
        Kind::Number | Kind::Character => {
            plain[token.range()].fill(b'0');
            k + 1
        }
        Kind::String => {
            plain[token.range()].fill(b'_');
            plain[token.start] = b'"';
            plain[token.end - 1] = b'"';
            k + 1
        }
        Kind::Word => {
            for at in token.range() {
                plain[at] = if text[at].is_ascii_alphanumeric() { text[at] } else { b'_' };
            }
            k + 1
        }
        _ => {
            plain[token.start] = if text[token.start].is_ascii_graphic() { text[token.start] } else { b' ' };
            k + 1
        }
    }
}

/// `volatile`, `goto` and the like between `asm` and its parentheses.
fn skip_qualifiers(text: &[u8], code: &[Token], mut k: usize) -> usize {
    while code.get(k).is_some_and(|token| token.kind == Kind::Word)
        && code[k].text(text).iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
        && code[k..].iter().take(4).any(|token| token.is(text, b'('))
    {
        k += 1;
    }
    k
}

/// The token behind the parentheses that begin here; the same token if none do.
fn group_end(text: &[u8], code: &[Token], k: usize) -> usize {
    if !code.get(k).is_some_and(|token| token.is(text, b'(')) {
        return k;
    }
    let mut depth = 0_usize;
    for (length, token) in code[k..].iter().enumerate() {
        if token.is(text, b'(') {
            depth += 1;
        } else if token.is(text, b')') {
            depth -= 1;
            if depth == 0 {
                return k + length + 1;
            }
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        let expanded = ExpandedFile::new(format!("# 1 \"a.c\"\n{text}").into_bytes());
        let places: Vec<usize> = (0..expanded.text.len()).collect();
        let plain = clean(&expanded, &places);
        let plain = String::from_utf8(plain).expect("ASCII");
        assert_eq!(plain.len(), text.len() + 10);
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn extensions_become_plain() {
        assert_eq!(
            cleaned("static __inline int f(void) __attribute__((x(1))) { }"),
            "static int f(void) { }"
        );
        assert_eq!(cleaned("__asm__ volatile (\"nop\" : : \"r\"(x)); y;"), "; y;");
        assert_eq!(
            cleaned("__typeof__(x + (1)) y = __builtin_va_arg(a, int);"),
            "int y = 000000000000000000000000;"
        );
        assert_eq!(cleaned("_Static_assert(sizeof(int) == 4, \"x\"); int a;"), "int a;");
        assert_eq!(cleaned("_Atomic int a; _Atomic(long) b;"), "int a; int b;");
        assert_eq!(cleaned("char *s = \"/* ü */\"; int ü = 'x';"), "char *s = \"________\"; int __ = 000;");
    }

    #[test]
    fn bodies_that_nobody_asks_for_are_empty_in_long_files() {
        let text = "# 1 \"a.c\"\nint f(void) { if (1) { 2; } } int a[] = { 3 }; int g(void) { 4; } int h(void) { int b[5]; }";
        let place = text.find('4').expect("there");
        let cleaned = |text: &str| {
            let plain = clean(&ExpandedFile::new(text.as_bytes().to_vec()), &[place]);
            let plain = String::from_utf8(plain).expect("ASCII");
            plain.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert!(cleaned(text).starts_with("int f(void) { if (0) { 0; } } "));
        let long = format!("{text}{}", " ;".repeat(SHORT));
        let short = "int f(void) { } int a[] = { 0 }; int g(void) { 0; } int h(void) { int b[0]; } ;";
        assert!(cleaned(&long).starts_with(short));
    }

    #[test]
    fn what_is_not_ours_is_blank() {
        assert_eq!(
            cleaned("/* a */ b // c\n#pragma d\n# 1 \"/usr/s.h\" 1 3\nint s;\n# 4 \"a.c\" 2\ne"),
            "b e"
        );
        assert_eq!(cleaned("__attribute__((( x"), "");
        assert_eq!(cleaned("\""), "\"");
    }
}
