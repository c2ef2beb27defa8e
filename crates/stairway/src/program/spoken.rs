//! Types and conditions in the words of reports and printed tests.

/// A type as it is written in an expression, without the modules it is in.
#[must_use]
pub fn path_of<T: ?Sized>() -> String {
    type_of::<T>().replacen('<', "::<", 1)
}

/// A type as it is written, without the modules it is in.
#[must_use]
pub fn type_of<T: ?Sized>() -> String {
    let (mut out, mut word) = (String::new(), String::new());
    let mut characters = std::any::type_name::<T>().chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            ':' if characters.peek() == Some(&':') => {
                characters.next();
                word.clear();
            }
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            c => {
                out.push_str(&std::mem::take(&mut word));
                out.push(c);
            }
        }
    }
    out + &word
}

/// How many lines of a condition are shown.
const MAX_LINES: usize = 12;
/// How long each of them is.
const MAX_LINE: usize = 120;
/// How much of a condition a failure is known by.
const MAX_NAME: usize = 100;

/// A condition behind the words that say what is wrong with it.
pub(crate) fn stated(words: &str, clause: &str) -> String {
    let lines: Vec<String> = clause.lines().take(MAX_LINES).map(|line| cut(line, MAX_LINE)).collect();
    let rest = if clause.lines().count() > MAX_LINES { "\n.." } else { "" };
    let gap = if lines.len() > 1 { "\n" } else { " " };
    format!("{words}:{gap}{}{rest}", lines.join("\n"))
}

/// A condition on one line.
pub(crate) fn on_one_line(clause: &str) -> String {
    clause.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a failing condition is known by.
pub(crate) fn name_of(clause: &str) -> String {
    let line = on_one_line(clause);
    match line.chars().count() {
        n if n <= MAX_NAME => line,
        // Conditions that begin alike are told apart.
        n => format!("{} ({n} characters)", cut(&line, MAX_NAME)),
    }
}

/// The beginning of a line that is too long, up to a word's end.
fn cut(line: &str, most: usize) -> String {
    let Some((end, _)) = line.char_indices().nth(most) else { return line.to_string() };
    let end = line[..end].rfind(' ').filter(|at| !line[..*at].trim().is_empty()).unwrap_or(end);
    format!("{} ..", &line[..end])
}

/// A condition of `#[ensures(..)]` in the words of a test: `self` is the model, and in `old(..)` the
/// model before the step.
pub(crate) fn spoken(clause: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut rest, mut old_until) = (String::new(), clause, None);
    let (mut depth, mut is_text, mut old_from) = (0u32, false, 0);
    while let Some(c) = rest.chars().next() {
        let is_start = !out.chars().next_back().is_some_and(is_word);
        let word: &str = if is_start && !is_text && is_word(c) {
            &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())]
        } else {
            ""
        };
        let taken = match word {
            "self" => {
                out.push_str(if old_until.is_some() { "before" } else { "model" });
                word.len()
            }
            "old"
                if old_until.is_none()
                    && !out.ends_with('.')
                    && rest[word.len()..].trim_start().starts_with('(') =>
            {
                (old_until, old_from) = (Some(depth), out.len());
                word.len()
            }
            "" => {
                match c {
                    '"' if !out.ends_with('\\') => is_text = !is_text,
                    '(' if !is_text => depth += 1,
                    ')' if !is_text => depth = depth.saturating_sub(1),
                    _ => {}
                }
                out.push(c);
                if c == ')' && !is_text && old_until == Some(depth) {
                    old_until = None;
                    // One word needs no parentheses.
                    if !out[old_from..].contains(' ') {
                        out.pop();
                        out.remove(old_from);
                    }
                }
                c.len_utf8()
            }
            word => {
                out.push_str(word);
                word.len()
            }
        };
        rest = &rest[taken..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_conditions_are_cut() {
        assert_eq!(stated("not so", "a == b"), "not so: a == b");
        assert_eq!(stated("not so", "{\n    a\n}"), "not so:\n{\n    a\n}");
        let line = stated("not so", &"long ".repeat(80));
        assert_eq!(line, format!("not so: {}long ..", "long ".repeat(23)));
        assert_eq!(stated("", &"line\n".repeat(80)).lines().count(), 14);
        assert_eq!(name_of("a\n    && b"), "a && b");
        let (one, other) = (name_of(&"x".repeat(300)), name_of(&"x".repeat(301)));
        assert!(one != other && one.len() < 130, "{one}");
    }

    #[test]
    fn types_are_written_without_their_modules() {
        assert_eq!(
            type_of::<std::collections::BTreeMap<String, Option<u8>>>(),
            "BTreeMap<String, Option<u8>>"
        );
        assert_eq!(path_of::<Vec<(u8, Box<str>)>>(), "Vec::<(u8, Box<str>)>");
    }

    #[test]
    fn conditions_speak_of_the_model_before_and_after() {
        let clause = r#"self.len() == old(self.len() + f(self)) + old(self.n(1)) && older(self) != "self (" && self.old(1)"#;
        let expected = r#"model.len() == (before.len() + f(before)) + before.n(1) && older(model) != "self (" && model.old(1)"#;
        assert_eq!(spoken(clause), expected);
    }
}
