//! Choices as text: what files hold and `STAIRWAY_REPLAY` takes.
//!
//! `true` and `false` are booleans, `-3` an integer, `#2` a length, `Push` or `"any name"` a named
//! alternative, `@1` an unnamed one, `$3` the result of step 3, `'a'` a character, `1.5f` a float. Tokens are
//! separated by spaces. Whether they fit a generator is for the engine to say.

use stairway_engine::{Choice, Value};

/// A value read from text, owning its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StoredValue {
    Plain(Value<'static>),
    Name(String),
}

impl StoredValue {
    pub(crate) fn of(choice: &Choice) -> Self {
        match choice.value() {
            Value::Name(name) => StoredValue::Name(name.to_string()),
            plain => StoredValue::Plain(plain),
        }
    }

    /// As it is written.
    pub(crate) fn text(&self) -> String {
        token_of(&self.as_value())
    }

    pub(crate) fn as_value(&self) -> Value<'_> {
        match self {
            StoredValue::Plain(value) => *value,
            StoredValue::Name(name) => Value::Name(name),
        }
    }
}

/// The token of a choice.
pub(crate) fn token(choice: &Choice) -> String {
    token_of(&choice.value())
}

fn token_of(value: &Value<'_>) -> String {
    match *value {
        Value::Boolean(b) => b.to_string(),
        Value::Integer(v) => v.to_string(),
        Value::Length(n) => format!("#{n}"),
        Value::Name(name) if is_word(name) => name.to_string(),
        Value::Name(name) => format!("{name:?}"),
        Value::Position(i) => format!("@{i}"),
        Value::Step(i) => format!("${i}"),
        Value::Character(c) => format!("{c:?}"),
        Value::Float(f) => format!("{f:?}f"),
    }
}

/// All choices of a record as one line: what [`Settings::replay`](crate::Settings::replay) takes.
#[must_use]
pub fn line(choices: &[Choice]) -> String {
    choices.iter().filter(|choice| !choice.is_imprint()).map(token).collect::<Vec<_>>().join(" ")
}

/// Reads tokens.
pub(crate) fn parse(text: &str) -> Result<Vec<StoredValue>, String> {
    let mut rest = text.trim_start();
    let mut values = Vec::new();
    while !rest.is_empty() {
        let end = token_end(rest);
        let (token, after) = rest.split_at(end);
        values.push(parse_token(token).ok_or_else(|| format!("`{token}` is not a choice"))?);
        rest = after.trim_start();
    }
    Ok(values)
}

/// Where the first token ends: at a space that is not within quotes.
fn token_end(text: &str) -> usize {
    let Some(quote) = text.chars().next().filter(|c| *c == '"' || *c == '\'') else {
        return text.find(char::is_whitespace).unwrap_or(text.len());
    };
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn parse_token(token: &str) -> Option<StoredValue> {
    let first = token.chars().next()?;
    let plain = match first {
        '#' => Value::Length(token[1..].parse().ok()?),
        '@' => Value::Position(token[1..].parse().ok()?),
        '$' => Value::Step(token[1..].parse().ok()?),
        '\'' => Value::Character(single(&unquoted(token, '\'')?)?),
        '"' => return unquoted(token, '"').map(StoredValue::Name),
        _ if token == "true" => Value::Boolean(true),
        _ if token == "false" => Value::Boolean(false),
        _ if is_float(token) => Value::Float(token.strip_suffix('f')?.parse().ok()?),
        '-' | '0'..='9' => Value::Integer(token.parse().ok()?),
        _ if is_word(token) => return Some(StoredValue::Name(token.to_string())),
        _ => return None,
    };
    Some(StoredValue::Plain(plain))
}

fn is_float(token: &str) -> bool {
    let starts = |p: &str| token.strip_prefix('-').unwrap_or(token).starts_with(p);
    matches!(token, "NaNf" | "inff" | "-inff")
        || (token.ends_with('f') && ('0'..='9').any(|d| starts(&d.to_string())))
}

fn is_word(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && !matches!(name, "true" | "false" | "NaNf" | "inff")
}

/// The contents of a quoted token, with Rust's escapes undone.
fn unquoted(token: &str, quote: char) -> Option<String> {
    let inner = token.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            '0' => out.push('\0'),
            'u' => {
                let code: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                out.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
            }
            other => out.push(other),
        }
    }
    Some(out)
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway_engine::Shape;

    fn round_trip(shape: Shape, value: Value<'static>) {
        let index = shape.index_of(&value).unwrap_or_else(|| panic!("{value:?}"));
        let choice = Choice { index, shape };
        let text = token(&choice);
        let parsed = parse(&text).unwrap();
        let [only] = &parsed[..] else { panic!("{text}: {parsed:?}") };
        assert_eq!(shape.index_of(&only.as_value()), Some(index), "{text}");
    }

    #[test]
    fn every_kind_of_value_survives_its_text() {
        let all = f64::NEG_INFINITY.to_bits();
        let float = Shape::Float { lo: all, hi: f64::INFINITY.to_bits(), special: true };
        for f in [0.0, -0.0, 1.5, -1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            round_trip(float, Value::Float(f));
        }
        let character = Shape::Character { lo: 0, hi: char::MAX as u32 };
        for c in ['a', ' ', '\'', '"', '\\', '\n', '\0', '\u{301}', '\u{10ffff}', '\u{200b}'] {
            round_trip(character, Value::Character(c));
        }
        const NAMES: &[&str] = &["Push", "two words", "true", "NaNf", "quo\"te", "", "été"];
        for name in NAMES {
            round_trip(Shape::Alternative { n: NAMES.len() as u64, names: NAMES }, Value::Name(name));
        }
        round_trip(Shape::Boolean, Value::Boolean(true));
        round_trip(Shape::Length { min: 0, max: 9 }, Value::Length(4));
        round_trip(Shape::Alternative { n: 5, names: &[] }, Value::Position(4));
        round_trip(Shape::Reference { n: 5 }, Value::Step(3));
        let wide = Shape::Signed { lo: i64::MIN, hi: i64::MAX, simplest: 0 };
        round_trip(wide, Value::Integer(i128::from(i64::MIN)));
    }

    #[test]
    fn nonsense_is_named() {
        assert_eq!(parse("1 #x").unwrap_err(), "`#x` is not a choice");
        assert_eq!(parse("'ab'").unwrap_err(), "`'ab'` is not a choice");
        assert_eq!(parse("\"open").unwrap_err(), "`\"open` is not a choice");
        assert_eq!(parse("9e99999").unwrap_err(), "`9e99999` is not a choice");
        let beyond = "9".repeat(41);
        assert_eq!(parse(&beyond).unwrap_err(), format!("`{beyond}` is not a choice"));
        assert_eq!(parse("").unwrap(), []);
    }
}
