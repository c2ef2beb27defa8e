//! Two texts with marks below what differs.
//!
//! Tells how far apart two texts are that `Debug` has written, and shows a line of each around the first
//! difference. It takes them for sequences of words, numbers and marks, and knows nothing of the values
//! behind them.

/// Words kept on either side of a difference.
const CONTEXT: usize = 12;
/// Words of a difference that are shown.
const MAX_CHANGED: usize = 30;

/// How two texts differ.
#[derive(Debug)]
pub(crate) struct Marks {
    /// How many words are not common to both.
    pub(crate) n_tokens: usize,
    /// The position in the innermost list, where it is in one.
    pub(crate) index: Option<usize>,
    n_before: usize,
    n_behind: usize,
}

impl Marks {
    /// What is between the longest common beginning and the longest common end.
    pub(crate) fn between(one: &str, other: &str) -> Self {
        let (one, other) = (tokens(one), tokens(other));
        let n_before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
        let (rest_of_one, rest_of_other) = (&one[n_before..], &other[n_before..]);
        let ends = rest_of_one.iter().rev().zip(rest_of_other.iter().rev());
        let n_behind = ends.take_while(|(a, b)| a == b).count();
        let n_tokens = (one.len() - n_before - n_behind) + (other.len() - n_before - n_behind);
        Marks { n_tokens, index: index_in_list(&one[..n_before]), n_before, n_behind }
    }

    /// Both texts around the difference, and marks to put below it.
    pub(crate) fn shown(&self, one: &str, other: &str) -> (String, String, String) {
        let (one, other) = (tokens(one), tokens(other));
        let start = self.n_before.saturating_sub(CONTEXT);
        let lead = if start > 0 { "… " } else { "" };
        let before: String = one[start..self.n_before].concat();
        let (changed_one, changed_other) = (self.changed(&one), self.changed(&other));
        let line = |all: &[&str], changed: &str| {
            let behind = &all[all.len() - self.n_behind..];
            let tail = if behind.len() > CONTEXT { " …" } else { "" };
            let behind: String = behind.iter().take(CONTEXT).copied().collect();
            format!("{lead}{before}{changed}{behind}{tail}").replace('\n', " ")
        };
        let width = |text: &str| text.trim_end().chars().count();
        let n_marks = width(&changed_one).max(width(&changed_other)).max(1);
        let marks = " ".repeat(lead.chars().count() + before.chars().count()) + &"^".repeat(n_marks);
        (line(&one, &changed_one), line(&other, &changed_other), marks)
    }

    fn changed(&self, all: &[&str]) -> String {
        let changed = &all[self.n_before..all.len() - self.n_behind];
        if changed.len() <= MAX_CHANGED {
            return changed.concat();
        }
        format!("{} … ", changed[..MAX_CHANGED].concat())
    }
}

/// The position in the list that is open at the end of `tokens`.
fn index_in_list(tokens: &[&str]) -> Option<usize> {
    let mut open: Vec<(char, usize)> = Vec::new();
    for token in tokens {
        match token.chars().next() {
            Some(bracket @ ('[' | '(' | '{')) => open.push((bracket, 0)),
            Some(']' | ')' | '}') => {
                open.pop();
            }
            Some(',') => {
                if let Some((_, n)) = open.last_mut() {
                    *n += 1;
                }
            }
            _ => {}
        }
    }
    open.last().filter(|(bracket, _)| *bracket == '[').map(|(_, n)| *n)
}

/// How many values a text lists.
pub(crate) fn n_elements(text: &str) -> usize {
    1 + tokens(text).iter().filter(|token| token.starts_with(',')).count()
}

/// Words, numbers and marks, each with the space behind it; texts letter by letter.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut tokens = Vec::new();
    let (mut rest, mut is_text) = (text, false);
    while let Some(first) = rest.chars().next() {
        let mut end = first.len_utf8();
        if is_text {
            if first == '\\' {
                end += rest[end..].chars().next().map_or(0, char::len_utf8);
            }
        } else if is_word(first) || first == '-' {
            end = first.len_utf8()
                + rest[end..]
                    .char_indices()
                    .find(|(_, c)| !is_word(*c))
                    .map_or(rest.len() - end, |(at, _)| at);
        }
        is_text ^= first == '"';
        if !is_text {
            end += rest[end..].len() - rest[end..].trim_start().len();
        }
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_whole_text() {
        for text in ["Ok([1, -2.5])", "A { b: \"x \\\" y\", c: 'z' }", "", "  ", "é, ü", "\"open"] {
            assert_eq!(tokens(text).concat(), text);
        }
        assert_eq!(tokens("Ok([1, -2.5])"), ["Ok", "(", "[", "1", ", ", "-2.5", "]", ")"]);
        assert_eq!(tokens("\"ab\": 1"), ["\"", "a", "b", "\"", ": ", "1"]);
    }

    #[test]
    fn a_difference_is_shown_where_it_is() {
        let (one, other) = ("Ok([0, 0, 0])", "Ok([0, 17, 0])");
        let difference = Marks::between(one, other);
        assert_eq!((difference.n_tokens, difference.index), (2, Some(1)));
        let (one, other, marks) = difference.shown(one, other);
        assert_eq!(
            (one.as_str(), other.as_str(), marks.as_str()),
            ("Ok([0, 0, 0])", "Ok([0, 17, 0])", "       ^^")
        );
    }

    #[test]
    fn long_texts_are_cut_around_it() {
        let list = |change: usize| {
            let mut list = vec![0; 4096];
            list[1000] = change;
            format!("{list:?}")
        };
        let (one, other) = (list(0), list(255));
        let difference = Marks::between(&one, &other);
        assert_eq!(difference.index, Some(1000));
        let (one, other, marks) = difference.shown(&one, &other);
        assert_eq!(one, "… 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 …");
        assert_eq!(other, "… 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0 …");
        assert_eq!(marks, format!("{}^^^", " ".repeat(20)));
    }

    #[test]
    fn one_text_may_be_the_beginning_of_the_other() {
        let difference = Marks::between("[1, 2]", "[1, 2, 3]");
        assert_eq!((difference.n_tokens, difference.index), (2, Some(1)));
        assert_eq!(Marks::between("x", "x").n_tokens, 0);
        assert_eq!(Marks::between("", "x").shown("", "x").1, "x");
    }
}
