//! A copy of an expanded file that calls us where its invariants and assertions stand.
//!
//! Puts a call to [`PROBE`] at each probe site of the expanded text. Lines stay lines, so errors and debug
//! information name the user's. It does not know what is checked.

use std::ops::Range;

use super::lex::{Kind, Token};
use super::watch::DECLARATIONS;

/// The function of the runtime that a rewritten file calls: `void stairway_probe(number, n, &x, …)`.
pub const PROBE: &str = "stairway_probe";

/// Where a probe goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// Before a condition is evaluated.
    Condition(Range<usize>),
    /// Where a condition is missing, which means true.
    NoCondition(usize),
    /// Between statements.
    Between(usize),
    /// Before a statement that only one statement can replace.
    Before(usize, Range<usize>),
}

/// A probe to insert.
#[derive(Clone, Debug)]
pub(super) struct Insertion {
    pub(super) number: u32,
    pub(super) site: Site,
    /// The variables whose addresses it passes on.
    pub(super) locals: Vec<String>,
    /// `register` in their declarations: such variables have no address.
    pub(super) registers: Vec<Range<usize>>,
}

/// Text to insert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: usize,
    pub(super) text: String,
}

/// What stands around inserted text: with both and all between them taken out, a line is what it was.
pub(super) const MARKS: (&str, &str) = ("/*<*/", "/*>*/");

/// Inserts the probes and the edits; lines keep their numbers.
pub(super) fn rewrite(text: &[u8], tokens: &[Token], insertions: &[Insertion], watched: &[Edit]) -> Vec<u8> {
    if insertions.is_empty() && watched.is_empty() {
        return text.to_vec();
    }
    let mut edits: Vec<(usize, String)> = watched.iter().map(|edit| (edit.at, edit.text.clone())).collect();
    let mut blanks: Vec<Range<usize>> = Vec::new();
    for insertion in insertions {
        let call = call(insertion);
        match &insertion.site {
            Site::Condition(expression) => {
                edits.push((expression.start, format!("({call}, (")));
                edits.push((expression.end, "))".to_string()));
            }
            Site::NoCondition(at) => edits.push((*at, format!("({call}, 1)"))),
            Site::Between(at) => edits.push((*at, format!("{call}; "))),
            Site::Before(at, statement) => {
                edits.push((*at, format!("{{ {call}; ")));
                edits.push((statement.end, " }".to_string()));
            }
        }
        blanks.extend(insertion.registers.iter().cloned());
    }
    edits.iter_mut().for_each(|(_, text)| *text = format!("{}{text}{}", MARKS.0, MARKS.1));
    edits.push(declaration(tokens, !watched.is_empty()));
    edits.sort_by_key(|(at, _)| *at);
    let mut blank = text.to_vec();
    for range in blanks {
        blank[range].fill(b' ');
    }
    let mut rewritten =
        Vec::with_capacity(text.len() + edits.iter().map(|(_, new)| new.len()).sum::<usize>());
    let mut from = 0;
    for (at, new) in edits {
        rewritten.extend_from_slice(&blank[from..at]);
        rewritten.extend_from_slice(new.as_bytes());
        from = at;
    }
    rewritten.extend_from_slice(&blank[from..]);
    rewritten
}

/// `stairway_probe(3, 2, (void *)&x, (void *)&y)`
fn call(insertion: &Insertion) -> String {
    let (number, n) = (insertion.number, insertion.locals.len());
    let addresses: String = insertion.locals.iter().map(|name| format!(", (void *)&{name}")).collect();
    format!("{PROBE}({number}, {n}{addresses})")
}

/// Declares the probe before the last of the markers a file begins with: that one resets the line,
/// and compilers look for the file's name in the first ones.
fn declaration(tokens: &[Token], is_watched: bool) -> (usize, String) {
    let leading = tokens.iter().take_while(|token| token.kind == Kind::Directive).last();
    let at = leading.map_or(0, |token| token.start);
    let end = if leading.is_some() { "\n" } else { " " };
    let watched = if is_watched { DECLARATIONS } else { "" };
    (at, format!("extern void {PROBE}(unsigned long, int, ...);{watched}{end}"))
}
