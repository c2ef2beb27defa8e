//! Conditions as reports and files show them: cut where they are too long to read.

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
}
