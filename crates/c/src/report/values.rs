//! Values read back from the texts that reports show, as far as they are numbers, lists and constructors.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number.
    Number(i128),
    /// `[a, b]`
    List(Vec<Value>),
    /// `Name { field: value }`, with or without a name.
    Parts(String, Vec<(String, Value)>),
    /// Anything else.
    Other,
}

/// How deep values may nest.
const MAX_DEPTH: u32 = 32;

/// Reads a text; what was cut off, or is no value, gives nothing.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut rest = text.trim();
    let value = value(&mut rest, MAX_DEPTH)?;
    rest.trim().is_empty().then_some(value)
}

fn value(rest: &mut &str, depth: u32) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    *rest = rest.trim_start();
    if eat(rest, "[") {
        return Some(Value::List(list(rest, "]", &mut |rest| value(rest, depth))?));
    }
    let word = word(rest);
    *rest = rest.trim_start();
    if eat(rest, "{") {
        let field = &mut |rest: &mut &str| {
            let name = self::word(rest);
            *rest = rest.trim_start();
            eat(rest, ":").then_some(())?;
            Some((name, value(rest, depth)?))
        };
        return Some(Value::Parts(word, list(rest, "}", field)?));
    }
    match word.parse() {
        Ok(number) => Some(Value::Number(number)),
        Err(_) if word.is_empty() => None,
        Err(_) if word.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            Some(Value::Parts(word, Vec::new()))
        }
        Err(_) => Some(Value::Other),
    }
}

fn list<T>(rest: &mut &str, end: &str, one: &mut dyn FnMut(&mut &str) -> Option<T>) -> Option<Vec<T>> {
    let mut all = Vec::new();
    loop {
        *rest = rest.trim_start();
        if eat(rest, end) {
            return Some(all);
        }
        if !all.is_empty() && !eat(rest, ",") {
            return None;
        }
        *rest = rest.trim_start();
        all.push(one(rest)?);
    }
}

fn eat(rest: &mut &str, text: &str) -> bool {
    match rest.strip_prefix(text) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

/// Everything up to a sign that ends a value.
fn word(rest: &mut &str) -> String {
    let end = rest.find(|c: char| " ,:{}[]".contains(c)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    word.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reports_show_is_read_back() {
        let number = Value::Number;
        assert_eq!(read("[1, -2]"), Some(Value::List(vec![number(1), number(-2)])));
        assert_eq!(read("[]"), Some(Value::List(Vec::new())));
        let parts = vec![("a".to_string(), number(3)), ("b".to_string(), Value::List(vec![number(4)]))];
        assert_eq!(read("Pair { a: 3, b: [4] }"), Some(Value::Parts("Pair".to_string(), parts)));
        assert_eq!(read("Leaf"), Some(Value::Parts("Leaf".to_string(), Vec::new())));
        assert_eq!(read("x1->front"), Some(Value::Other));
    }

    #[test]
    fn what_was_cut_off_is_no_value() {
        for text in ["[1, …", "[1", "Pair { a 3 }", "", "1 2", &"[".repeat(100)] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
