//! From places of expanded text to the user's files.
//!
//! Finds the user's names, lines and places for those of an expanded file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lex::{self, Kind, Token};
use super::place::DraftPlace;
use super::preprocess::ExpandedFile;
use super::structure::{FunctionShape, LocalShape};
use super::{FileId, FunctionId, Local, Place};

/// The variables that can be named at a place: of several with one name the innermost.
pub(super) fn visible<'s>(
    unit: &Translation<'_>,
    function: &'s FunctionShape,
    at: usize,
) -> Vec<&'s LocalShape> {
    let mut innermost: BTreeMap<&[u8], usize> = BTreeMap::new();
    let mut found: Vec<Option<&LocalShape>> = Vec::new();
    for local in function.locals.iter().filter(|local| local.visible.contains(&at)) {
        if let Some(outer) = innermost.insert(&unit.expanded.text[local.name.clone()], found.len()) {
            found[outer] = None;
        }
        found.push(Some(local));
    }
    found.into_iter().flatten().collect()
}

/// An expanded file and the user's files its lines come from.
pub(super) struct Translation<'a> {
    pub(super) expanded: &'a ExpandedFile,
    pub(super) files: &'a [FileId],
}

impl<'a> Translation<'a> {
    /// The file and line a place comes from.
    pub(super) fn line(&self, offset: usize) -> Option<(FileId, u32)> {
        let line = self.expanded.lines.at(offset);
        Some((self.files[line.file.filter(|_| !line.is_system)?], line.number))
    }

    pub(super) fn text(&self, range: &Range<usize>) -> String {
        String::from_utf8_lossy(&self.expanded.text[range.clone()]).into_owned()
    }

    /// A name as the user writes it.
    pub(super) fn name(&self, range: &Range<usize>) -> String {
        lex::spelled(&self.expanded.text[range.clone()])
    }

    /// The numbers of the tokens that begin in a range.
    fn token_numbers(&self, range: &Range<usize>) -> Range<usize> {
        let tokens = &self.expanded.tokens;
        let first = tokens.partition_point(|token| token.start < range.start);
        let last = tokens.partition_point(|token| token.start < range.end);
        first..last.max(first)
    }

    fn tokens(&self, range: &Range<usize>) -> &'a [Token] {
        &self.expanded.tokens[self.token_numbers(range)]
    }

    /// The tokens of a range that the user wrote, macros of the system excepted.
    pub(super) fn own_tokens(&self, range: &Range<usize>) -> Vec<Token> {
        let tokens = &self.expanded.tokens;
        let is_own = |number: &usize| {
            tokens[*number].kind != Kind::Directive && !self.expanded.line_of(*number).is_foreign
        };
        self.token_numbers(range).filter(is_own).map(|number| tokens[number]).collect()
    }

    /// Places of a word in a range.
    pub(super) fn words(&self, range: &Range<usize>, word: &[u8]) -> Vec<Range<usize>> {
        let same = self.tokens(range).iter().filter(|token| token.text(&self.expanded.text) == word);
        same.map(|token| token.range()).collect()
    }

    /// A number that is written down.
    pub(super) fn number(&self, range: &Range<usize>) -> Option<u64> {
        let text = self.text(range);
        let digits = text.trim().trim_end_matches(['u', 'U', 'l', 'L']);
        match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        }
    }

    /// Whether a body calls what is no function's name: `p->f(x)`, `table[i](x)`, `(*f)(x)`, or a variable.
    pub(super) fn calls_pointers(&self, shape: &FunctionShape, body: &[Token]) -> bool {
        let text = &self.expanded.text;
        let locals: Vec<&[u8]> = shape.locals.iter().map(|local| &text[local.name.clone()]).collect();
        let code: Vec<&Token> = body.iter().filter(|token| !token.is_comment()).collect();
        let is = |k: usize, byte: u8| code.get(k).is_some_and(|token| token.is(text, byte));
        (1..code.len()).filter(|k| is(*k, b'(')).any(|k| {
            let called = code[k - 1];
            let is_member = k > 1 && (is(k - 2, b'.') || is(k - 2, b'>'));
            let is_pointer = k > 3 && is(k - 1, b')') && is(k - 3, b'*') && is(k - 4, b'(');
            match called.kind {
                Kind::Word => is_member || locals.contains(&called.text(text)),
                _ => called.is(text, b']') || is_pointer,
            }
        })
    }

    /// Whether a variable has an address once `register` is gone: not if it names a machine register.
    pub(super) fn has_address(&self, local: &LocalShape) -> bool {
        let named = [&b"asm"[..], b"__asm__", b"__asm"];
        !named.iter().any(|word| !self.words(&local.declaration, word).is_empty())
    }

    /// The token at a place, and how many equal ones precede it in its line.
    pub(super) fn token_at(&self, offset: usize) -> Option<(&'a [u8], usize)> {
        let text = &self.expanded.text;
        let token = self.tokens(&(offset..text.len())).first()?.text(text);
        let line = self.expanded.lines.at(offset);
        Some((token, self.words(&(line.start..offset), token).len()))
    }

    pub(super) fn local(&self, local: &LocalShape) -> Option<Local> {
        let (file, line) = self.line(local.name.start)?;
        Some(Local { name: self.name(&local.name), file, line })
    }

    pub(super) fn place(&self, place: &DraftPlace, functions: &[Option<FunctionId>]) -> Option<Place> {
        Some(match *place {
            DraftPlace::TopLevel(_) => Place::TopLevel,
            DraftPlace::Contract(function) => Place::Contract { function: functions[function]? },
            DraftPlace::Prototype((start, end)) => Place::Prototype {
                name: self.text(&(start..end)),
                line: self.expanded.lines.at(start).number,
            },
            DraftPlace::Loop { function, start } => {
                Place::Loop { function: functions[function]?, line: self.expanded.lines.at(start).number }
            }
            DraftPlace::Statement { function, .. } => Place::Statement { function: functions[function]? },
            DraftPlace::Ghost { function, callee: (start, end), .. } => {
                Place::Ghost { function: functions[function]?, callee: self.text(&(start..end)) }
            }
        })
    }
}
