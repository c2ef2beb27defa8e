//! The text of `Debug` as a tree of values.
//!
//! Reads what the derived `Debug` writes, on one line or on several, and takes everything else as one piece of
//! text. What has brackets that do not match is such a piece as well, so that no text is refused.

/// Values inside more brackets than this are not taken apart.
const MAX_DEPTH: usize = 64;

/// One value, with the text that shows it.
#[derive(Debug, PartialEq)]
pub(super) struct Value<'t> {
    /// All of it.
    pub text: &'t str,
    /// What stands before the bracket: a type or a variant.
    pub name: &'t str,
    pub kind: Kind,
    pub parts: Vec<Part<'t>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing that could be taken apart.
    Atom,
    /// A text in quotation marks.
    Text,
    /// `{..}`: a struct, a map or a set.
    Braces,
    /// `[..]`
    List,
    /// `(..)`
    Tuple,
}

/// A field, an element or an entry.
#[derive(Debug, PartialEq)]
pub(super) struct Part<'t> {
    /// The field's name or the entry's key; nothing for elements.
    pub key: &'t str,
    pub value: Value<'t>,
}

impl<'t> Value<'t> {
    /// The whole text as a value.
    pub(super) fn of(text: &'t str) -> Self {
        let text = text.trim();
        let mut reader = Reader { text, at: 0, depth: 0 };
        match reader.value() {
            Some(value) if reader.rest().trim().is_empty() => value,
            _ => Value::atom(text),
        }
    }

    fn atom(text: &'t str) -> Self {
        let kind = if is_text(text) { Kind::Text } else { Kind::Atom };
        Value { text, name: "", kind, parts: Vec::new() }
    }

    /// Whether it has parts, or could have.
    pub(super) fn has_brackets(&self) -> bool {
        matches!(self.kind, Kind::Braces | Kind::List | Kind::Tuple)
    }

    /// Whether its parts are fields, each with a name of its own.
    pub(super) fn is_struct(&self) -> bool {
        self.kind == Kind::Braces && !self.name.is_empty()
    }

    /// What is in a wrapper around one value: `Some(3)`, `Stack { items: [3] }`.
    pub(super) fn only_part(&self) -> Option<&Self> {
        match &self.parts[..] {
            [part] if !self.name.is_empty() => Some(&part.value),
            _ => None,
        }
    }

    pub(super) fn part(&self, key: &str) -> Option<&Self> {
        self.parts.iter().find(|part| part.key == key).map(|part| &part.value)
    }
}

/// Whether all of it is one text in quotation marks, possibly of bytes.
fn is_text(text: &str) -> bool {
    let body = text.strip_prefix(['b', 'c']).unwrap_or(text);
    body.starts_with('"') && quoted(body) == Some(body.len())
}

/// How long the text is that begins with a quotation mark here.
fn quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    })?;
    Some(end.0 + 1)
}

/// How long the character is that begins with an apostrophe here; an apostrophe alone is one as well.
fn character(text: &str) -> usize {
    const LONGEST: usize = r"'\u{10ffff}'".len();
    let mut letters = text.char_indices().skip(1);
    match letters.next() {
        Some((_, '\\')) => {
            letters.next();
            letters.take(LONGEST).find(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 1)
        }
        Some(_) => letters.next().filter(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 1),
        None => 1,
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// A value up to what ends it: a comma, a colon, a closing bracket or the end of the text.
    fn value(&mut self) -> Option<Value<'t>> {
        self.skip_space();
        let start = self.at;
        let mut parts = None;
        let mut n_brackets = 0;
        while let Some(next) = self.rest().chars().next() {
            match next {
                '"' => self.at += quoted(self.rest())?,
                '\'' => self.at += character(self.rest()),
                '{' | '[' | '(' => {
                    let name = self.text[start..self.at].trim_end();
                    parts = Some((name, kind_of(next), self.parts(closing(next))?));
                    n_brackets += 1;
                }
                ',' | '}' | ']' | ')' => break,
                ':' if self.rest()[1..].starts_with(char::is_whitespace) => break,
                _ => self.at += next.len_utf8(),
            }
        }
        let text = self.text[start..self.at].trim_end();
        let ends_in_bracket = text.ends_with(['}', ']', ')']);
        Some(match parts {
            Some((name, kind, parts)) if n_brackets == 1 && ends_in_bracket && is_name(name) => {
                Value { text, name, kind, parts }
            }
            _ => Value::atom(text),
        })
    }

    /// What stands between two brackets, of which the first is next.
    fn parts(&mut self, closing: char) -> Option<Vec<Part<'t>>> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            let mut value = self.value()?;
            let mut key = "";
            if self.rest().starts_with(':') {
                self.at += 1;
                key = value.text;
                value = self.value()?;
            }
            if !(key.is_empty() && value.text.is_empty()) {
                parts.push(Part { key, value });
            }
            self.skip_space();
            let next = self.rest().chars().next()?;
            self.at += next.len_utf8();
            match next {
                ',' => {}
                _ if next == closing => break,
                _ => return None,
            }
        }
        self.depth -= 1;
        Some(parts)
    }
}

const fn closing(opening: char) -> char {
    match opening {
        '{' => '}',
        '[' => ']',
        _ => ')',
    }
}

const fn kind_of(opening: char) -> Kind {
    match opening {
        '{' => Kind::Braces,
        '[' => Kind::List,
        _ => Kind::Tuple,
    }
}

/// Whether a type, a variant or a macro could be called so.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '<' | '>' | '#' | '!' | '&'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys<'t>(value: &Value<'t>) -> Vec<(&'t str, &'t str)> {
        value.parts.iter().map(|part| (part.key, part.value.text)).collect()
    }

    #[test]
    fn derived_texts_are_taken_apart() {
        let value = Value::of("Cache { slots: [Some(Slot { key: 7 }), None], names: {1: \"a, }\"}, .. }");
        assert_eq!((value.name, value.is_struct()), ("Cache", true));
        assert_eq!(
            keys(&value),
            [("slots", "[Some(Slot { key: 7 }), None]"), ("names", "{1: \"a, }\"}"), ("", ".."),]
        );
        let slots = value.part("slots").unwrap();
        assert_eq!(keys(slots), [("", "Some(Slot { key: 7 })"), ("", "None")]);
        assert_eq!(slots.parts[0].value.only_part().unwrap().name, "Slot");
        assert_eq!(keys(value.part("names").unwrap()), [("1", "\"a, }\"")]);
    }

    #[test]
    fn a_text_on_several_lines_is_the_same_value() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "they are shown")]
        struct Two {
            one: Vec<(u8, char)>,
            two: Option<&'static str>,
        }
        let two = Two { one: vec![(1, '\''), (2, '"')], two: Some("x\n\"") };
        let (line, lines) = (format!("{two:?}"), format!("{two:#?}"));
        let (line, lines) = (Value::of(&line), Value::of(&lines));
        assert_eq!(line.parts.len(), 2);
        assert_eq!(line.part("one").unwrap().parts.len(), 2);
        assert_eq!(lines.part("one").unwrap().parts.len(), 2);
        assert_eq!(keys(&line.part("one").unwrap().parts[1].value), [("", "2"), ("", "'\"'")]);
        assert_eq!(keys(&lines.part("one").unwrap().parts[1].value), [("", "2"), ("", "'\"'")]);
    }

    #[test]
    fn other_texts_are_one_piece() {
        for text in [
            "",
            "x",
            "<tag 10>",
            "10:30:00",
            "[1, 2",
            "[1)",
            "a, b",
            "#.[\n..#",
            "(1)..(2)",
            "\"open",
            "it's",
            "-",
            "x: 1",
            "]",
            "Some(1) and more",
            "it 'is \\",
            "a {b} {c}",
        ] {
            assert_eq!(Value::of(text), Value::atom(text), "{text}");
        }
        assert_eq!(Value::of("\"text\"").kind, Kind::Text);
        assert_eq!(Value::of(&"[".repeat(100_000)).kind, Kind::Atom);
        let deep = "[".repeat(500) + &"]".repeat(500);
        assert_eq!(Value::of(&deep).kind, Kind::Atom);
    }
}
