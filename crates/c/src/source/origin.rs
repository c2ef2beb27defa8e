//! The user's files as they are on disk, and where in them expanded text comes from.
//!
//! Reads texts and the spec comments in them, and finds places again by line and spelling (the preprocessor
//! keeps lines, not columns). It does not know which specs are active.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::lex::{self, Directives};
use super::{FileId, SourceFile, SpecComment};

/// The files met so far.
#[derive(Debug, Default)]
pub(super) struct Origins {
    pub(super) files: Vec<SourceFile>,
    by_path: BTreeMap<PathBuf, FileId>,
    specs: Vec<Vec<RawSpec>>,
}

/// A spec comment in a file, active or not.
#[derive(Debug)]
struct RawSpec {
    comment: SpecComment,
    squeezed: Vec<u8>,
}

impl Origins {
    /// The file of this path; one that cannot be read is empty.
    pub(super) fn file(&mut self, path: &Path) -> FileId {
        if let Some(id) = self.by_path.get(path) {
            return *id;
        }
        let bytes = std::fs::read(path).unwrap_or_default();
        self.add(path, &bytes)
    }

    /// A file with this content.
    pub(super) fn add(&mut self, path: &Path, bytes: &[u8]) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let file = SourceFile::new(path, bytes);
        self.specs.push(raw_specs(id, &file, bytes));
        self.files.push(file);
        self.by_path.insert(path.to_path_buf(), id);
        id
    }

    pub(super) fn get(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The spec comment with this spelling that begins in this line, the `nth` if there are several.
    ///
    /// Comments in arguments of macros are moved to the macro's line, those in macros to where they are
    /// used: then the nearest one below, or else the last above.
    pub(super) fn spec(&self, file: FileId, line: u32, comment: &[u8], nth: usize) -> Option<SpecComment> {
        let squeezed = squeeze(comment);
        let specs = &self.specs[file.0 as usize];
        let first = specs.partition_point(|spec| spec.comment.line < line);
        let in_line = specs[first..].iter().take_while(|spec| spec.comment.line == line);
        let same: Vec<&RawSpec> = in_line.filter(|spec| spec.squeezed == squeezed).collect();
        let below = || specs[first..].iter().find(|spec| spec.squeezed == squeezed);
        let above = || specs[..first].iter().rev().find(|spec| spec.squeezed == squeezed);
        let found = same.get(nth).or(same.last()).copied().or_else(below).or_else(above);
        found.map(|spec| spec.comment.clone())
    }

    /// A spec comment of any file with this spelling: for macros of headers.
    pub(super) fn spec_anywhere(&self, comment: &[u8]) -> Option<SpecComment> {
        let squeezed = squeeze(comment);
        let mut all = self.specs.iter().flatten();
        all.find(|spec| spec.squeezed == squeezed).map(|spec| spec.comment.clone())
    }

    /// Where a token stands in a line of a file; `nth` counts equal ones before it in the expanded line.
    pub(super) fn token(&self, file: FileId, line: u32, token: &[u8], nth: usize) -> Option<Range<usize>> {
        let source = self.get(file);
        let span = source.line_span(line)?;
        let text = &source.text.as_bytes()[span.clone()];
        let is_word = token.first().is_some_and(|byte| lex::is_word_byte(*byte));
        let is_whole = |at: &usize| {
            let before = at.checked_sub(1).and_then(|k| text.get(k));
            let after = text.get(at + token.len());
            !is_word || ![before, after].into_iter().flatten().any(|byte| lex::is_word_byte(*byte))
        };
        if token.is_empty() {
            return None;
        }
        let all: Vec<usize> = text
            .windows(token.len())
            .enumerate()
            .filter(|(_, part)| *part == token)
            .map(|(at, _)| at)
            .filter(is_whole)
            .collect();
        let at = span.start + all.get(nth).or(all.last())?;
        Some(at..at + token.len())
    }
}

/// A comment without what the preprocessor may change: white space and spliced lines.
pub(super) fn squeeze(comment: &[u8]) -> Vec<u8> {
    comment.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'\\').collect()
}

fn raw_specs(id: FileId, file: &SourceFile, bytes: &[u8]) -> Vec<RawSpec> {
    let tokens = lex::tokens(bytes, Directives::Read);
    let specs = tokens.into_iter().filter_map(|token| {
        let inside = lex::spec_inside(bytes, token)?;
        let line = file.line_of(token.start);
        let comment = SpecComment { file: id, span: inside, comment: token.range(), line };
        Some(RawSpec { comment, squeezed: squeeze(token.text(bytes)) })
    });
    specs.collect()
}
