//! Names and lists as messages write them.

/// `CheckPin` as `check_pin`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() && !before.is_uppercase() && before != '_' {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = c;
    }
    out
}

/// `a`, `b` and `c`.
pub(crate) fn list<T: std::fmt::Display>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        [] => "none".to_string(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// What may have been meant by a mistaken name, for a message; nothing if no known name looks like it.
pub(crate) fn guess(wrong: &str, known: &[String]) -> String {
    nearest(wrong, known).map(|guess| format!(" (did you mean `{guess}`?)")).unwrap_or_default()
}

/// The known name that looks most like a mistaken one.
fn nearest<'n>(wrong: &str, known: &'n [String]) -> Option<&'n String> {
    let distance = |name: &&String| edits(&wrong.to_lowercase(), &name.to_lowercase());
    known
        .iter()
        .min_by_key(distance)
        .filter(|name| distance(name) <= 1 + name.len() / 3 && distance(name) < name.len())
}

fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (corner + usize::from(x != *y)).min(above + 1).min(row[j] + 1);
            corner = above;
        }
    }
    row[b.len()]
}
