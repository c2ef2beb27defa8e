//! Texts that differ: by lines where they have some, and cut to what can be read.

use super::order::{self, Pair};

/// A text is cut to about this many letters.
const MAX_LETTERS: usize = 60;
/// Letters kept before the first difference.
const N_BEFORE: usize = 20;

/// The lines of a text: those of a text in quotation marks are divided by `\n`.
fn lines(text: &str, is_quoted: bool) -> Vec<&str> {
    if is_quoted { text.split("\\n").collect() } else { text.lines().collect() }
}

/// The number of a line, and what each of two texts has there.
type Line<'t> = (usize, Option<&'t str>, Option<&'t str>);

/// The lines in which two texts differ, with their numbers; nothing where one line is all there is.
pub(super) fn by_line<'t>((one, other): (&'t str, &'t str), is_quoted: bool) -> Option<Vec<Line<'t>>> {
    if !is_quoted && !one.contains('\n') && !other.contains('\n')
        || is_quoted && one.len().max(other.len()) <= MAX_LETTERS
    {
        return None;
    }
    let (one, other) = (lines(one, is_quoted), lines(other, is_quoted));
    if one.len().max(other.len()) < 2 {
        return None;
    }
    let line = |pair| match pair {
        Pair::Both(k, l) => (k + 1, Some(one[k]), Some(other[l])),
        Pair::One(k) => (k + 1, Some(one[k]), None),
        Pair::Other(l) => (l + 1, None, Some(other[l])),
    };
    Some(order::unlike(&one, &other, |a, b| a == b).into_iter().map(line).collect())
}

/// Both texts from shortly before their first difference on.
pub(super) fn around(one: &str, other: &str) -> (String, String) {
    let n_common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let is_short = |text: &str| text.chars().count() <= MAX_LETTERS;
    let start = if is_short(one) && is_short(other) { 0 } else { n_common.saturating_sub(N_BEFORE) };
    (cut_from(one, start), cut_from(other, start))
}

/// A text on one line, cut if it is long.
pub(super) fn cut(text: &str) -> String {
    cut_from(text, 0)
}

fn cut_from(text: &str, start: usize) -> String {
    let line =
        if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text.into() };
    let mut letters = line.chars().skip(start);
    let mut shown: String = letters.by_ref().take(MAX_LETTERS).collect();
    if start > 0 {
        shown.insert(0, '…');
    }
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_around_the_difference() {
        let (one, other) = ("é".repeat(100) + "x", "é".repeat(100) + "yz");
        let (one, other) = around(&one, &other);
        assert_eq!(one, format!("…{}x", "é".repeat(20)));
        assert_eq!(other, format!("…{}yz", "é".repeat(20)));
        assert_eq!(around("abc", "abd"), ("abc".to_string(), "abd".to_string()));
        assert_eq!(cut(&"a".repeat(61)), "a".repeat(60) + "…");
    }

    #[test]
    fn lines_are_numbered() {
        assert_eq!(
            by_line(("a\nb\nc", "a\nx\nc\nd"), false).unwrap(),
            [(2, Some("b"), Some("x")), (4, None, Some("d"))]
        );
        assert_eq!(by_line(("a", "b"), false), None);
    }
}
