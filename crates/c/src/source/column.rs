//! From columns of a rewritten copy to columns of the user's file.
//!
//! Finds the user's column for a position as the compiler of a copy has it. Macros are expanded in a copy,
//! spaces are joined and text is inserted, so a column is found again by the spelling of what stands there.

use std::path::Path;

use super::Sources;
use super::rewrite::MARKS;

impl Sources {
    /// The column in a file that corresponds to one in what was compiled; 0 if it stands in a macro.
    #[must_use]
    pub fn column(&self, file: &Path, line: u32, column: u32) -> u32 {
        let copies = self.units.iter().filter_map(|unit| {
            unit.watched.as_deref().or_else(|| unit.has_probes.then_some(unit.text.as_slice()))
        });
        let pieces = copies.flat_map(|copy| pieces(copy, file, line));
        let Some(piece) = pieces.into_iter().find(|piece| piece.len() >= column as usize) else {
            return column;
        };
        let source = self.files.iter().find(|known| file.ends_with(&known.path));
        let raw = source.and_then(|source| source.text.get(source.line_span(line)?));
        raw.and_then(|raw| again(piece, column as usize - 1, raw.as_bytes())).unwrap_or(0)
    }
}

/// The pieces of a copy that come from a line.
fn pieces<'c>(copy: &'c [u8], file: &Path, line: u32) -> Vec<&'c [u8]> {
    let mut found = Vec::new();
    let (mut is_file, mut number) = (false, 0_u32);
    for piece in copy.split(|byte| *byte == b'\n') {
        match marker(piece) {
            Some((at, name)) => {
                (is_file, number) = (file.ends_with(name) || Path::new(name).ends_with(file), at);
            }
            None => {
                if is_file && number == line {
                    found.push(piece);
                }
                number = number.saturating_add(1);
            }
        }
    }
    found
}

/// `# 12 "file.c" 2`
fn marker(piece: &[u8]) -> Option<(u32, &str)> {
    let rest = std::str::from_utf8(piece.strip_prefix(b"# ")?).ok()?;
    let (number, rest) = rest.split_once(" \"")?;
    Some((number.parse().ok()?, rest.split_once('"')?.0))
}

/// Words and single characters, each with its place.
fn spelled(line: &[u8]) -> Vec<(usize, &[u8])> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut all = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let n_word = line[at..].iter().take_while(|byte| is_word(**byte)).count();
        let n = n_word.max(1);
        if !line[at].is_ascii_whitespace() {
            all.push((at, &line[at..at + n]));
        }
        at += n;
    }
    all
}

/// The column, from 1, of what stands at a place of a copied line.
fn again(copied: &[u8], place: usize, raw: &[u8]) -> Option<u32> {
    // What was inserted is left out; a place in the midst of it is where it was inserted.
    let (mut kept, mut at, mut is_inserted) = (Vec::new(), 0, false);
    for (k, byte) in copied.iter().enumerate() {
        is_inserted |= copied[k..].starts_with(MARKS.0.as_bytes());
        if k == place {
            at = kept.len();
        }
        if !is_inserted {
            kept.push(*byte);
        }
        is_inserted &= !copied[..=k].ends_with(MARKS.1.as_bytes());
    }
    let tokens = spelled(&kept);
    let wanted = tokens.iter().position(|(start, text)| start + text.len() > at)?;
    let (start, text) = tokens[wanted];
    let nth = tokens[..wanted].iter().filter(|(_, other)| *other == text).count();
    let (found, _) = spelled(raw).into_iter().filter(|(_, other)| *other == text).nth(nth)?;
    u32::try_from(found + at.saturating_sub(start) + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_found_by_what_stands_there() {
        let raw = b"    int  b = n   + MAX(1, 2) + n;";
        let copied = b"    int b/*<*/, z/*>*/ = n + ((1)>(2)?(1):(2)) + n;";
        let at = |text: &str, nth: usize| {
            let copied = String::from_utf8_lossy(copied);
            copied.match_indices(text).nth(nth).expect("there").0
        };
        assert_eq!(again(copied, at("+", 0), raw), Some(18));
        assert_eq!(again(copied, at("+", 1), raw), Some(30));
        assert_eq!(again(copied, at("n;", 0), raw), Some(32));
        assert_eq!(again(copied, at(", z", 0), raw), Some(12));
        assert_eq!(again(copied, at(">(2", 0), raw), None);
    }

    #[test]
    fn lines_are_found_by_their_markers() {
        let copy = b"# 1 \"h.h\" 1\nx\n# 4 \"a.c\" 2\nfour\nfive\n# 5 \"a.c\"\nagain";
        let texts = |line| -> Vec<String> {
            let found = pieces(copy, Path::new("/w/a.c"), line);
            found.iter().map(|piece| String::from_utf8_lossy(piece).into_owned()).collect()
        };
        assert_eq!(
            (texts(4), texts(5)),
            (vec!["four".to_string()], vec!["five".to_string(), "again".to_string()])
        );
    }
}
