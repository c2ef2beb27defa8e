//! Positions in the user's files.
//!
//! Names files and spans of their texts, and says where a span lies. It does not know what the texts mean.

use serde::{Deserialize, Serialize};
use stairway::report::Site;
/// A file whose text is held by a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(u32);

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// A span of a file's bytes.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end: end.max(start) }
    }

    /// From the beginning of this one to the end of the other. Parts of one contract may lie in
    /// several comments of one file, so what lies between is included; across files, this one is the answer.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file {
            Span::new(self.file, self.start.min(other.start), self.end.max(other.end))
        } else {
            self
        }
    }

    /// The empty span behind this one.
    #[must_use]
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// The texts of the user's files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SourceFile {
    name: String,
    text: String,
    /// Where each line begins.
    lines: Vec<u32>,
}

impl SourceMap {
    /// No files.
    #[must_use]
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file. Bytes that are not UTF-8 are held as `?` each, so offsets stay those of the file;
    /// what lies beyond 4 GiB is cut off.
    ///
    /// # Panics
    /// With more than 2³² files.
    pub fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> FileId {
        let mut bytes = bytes.into();
        bytes.truncate(u32::MAX as usize - 1);
        let text = to_text(bytes);
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(k, _)| k as u32 + 1))
            .collect();
        self.files.push(SourceFile { name: name.into(), text, lines });
        FileId(u32::try_from(self.files.len() - 1).expect("fewer than 2^32 files"))
    }

    /// The first file: the place of what has no place.
    #[must_use]
    pub fn first(&self) -> FileId {
        FileId(0)
    }

    /// The file that was added with a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<FileId> {
        let at = self.files.iter().position(|file| file.name == name)?;
        u32::try_from(at).ok().map(FileId)
    }

    /// The bytes of a line, counted from 1, without the blanks around it.
    #[must_use]
    pub fn line(&self, file: FileId, line: u32) -> Option<Span> {
        let held = self.files.get(file.0 as usize)?;
        let start = *held.lines.get((line as usize).checked_sub(1)?)?;
        let text = held.text.get(start as usize..)?.lines().next()?;
        let indent = text.len() - text.trim_start().len();
        let from = start + u32::try_from(indent).ok()?;
        Some(Span::new(file, from, from + u32::try_from(text.trim().len()).ok()?))
    }

    /// The name a file was added with.
    #[must_use]
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("?", |file| &file.name)
    }

    /// The text of a file.
    #[must_use]
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.text)
    }

    /// The whole of a file.
    #[must_use]
    pub fn whole(&self, file: FileId) -> Span {
        Span::new(file, 0, self.text(file).len() as u32)
    }

    /// The text at a span; empty if the span is not one of the file.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte, both from 1, the column in characters.
    #[must_use]
    pub fn line_column(&self, file: FileId, offset: u32) -> (u32, u32) {
        let Some(held) = self.files.get(file.0 as usize) else { return (1, 1) };
        let line = held.lines.partition_point(|start| *start <= offset).max(1);
        let start = held.lines[line - 1] as usize;
        let before = held.text.get(start..(offset as usize).min(held.text.len())).unwrap_or("");
        (line as u32, before.chars().count() as u32 + 1)
    }

    /// `file:line:column` of the beginning of a span.
    #[must_use]
    pub fn place(&self, span: Span) -> Site {
        let (line, column) = self.line_column(span.file, span.start);
        Site { file: self.name(span.file).to_string().into(), line, column }
    }
}

/// Bytes as text of the same length.
fn to_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut bytes = error.into_bytes();
        let mut from = 0;
        while let Err(error) = std::str::from_utf8(&bytes[from..]) {
            let bad = from + error.valid_up_to();
            bytes[bad] = b'?';
            from = bad;
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut map = SourceMap::new();
        let file = map.add("a.c", "ab\n\u{e9}x\n");
        assert_eq!(map.line_column(file, 0), (1, 1));
        assert_eq!(map.line_column(file, 2), (1, 3));
        assert_eq!(map.line_column(file, 5), (2, 2));
        assert_eq!(map.line_column(file, 700), (3, 1));
        assert_eq!(map.place(Span::new(file, 5, 6)).to_string(), "a.c:2:2");
    }

    #[test]
    fn lines_are_found_without_the_blanks_around_them() {
        let mut map = SourceMap::new();
        let file = map.add("a.c", "int x;\n  return x; \n");
        assert_eq!(map.find("a.c"), Some(file));
        assert_eq!(map.find("b.c"), None);
        assert_eq!(map.line(file, 2).map(|span| map.slice(span)), Some("return x;"));
        assert_eq!((map.line(file, 0), map.line(file, 9)), (None, None));
    }

    #[test]
    fn bytes_that_are_no_text_keep_their_places() {
        let mut map = SourceMap::new();
        let file = map.add("a.c", b"x\xff\xfe\xc3\xa9\xe2\x82 y".to_vec());
        assert_eq!(map.text(file), "x??\u{e9}?? y");
        assert_eq!(map.text(file).len(), 9);
    }

    #[test]
    fn spans_across_files_do_not_mix() {
        let mut map = SourceMap::new();
        let (a, b) = (map.add("a", "xx"), map.add("b", "yy"));
        assert_eq!(Span::new(a, 0, 1).to(Span::new(b, 1, 2)), Span::new(a, 0, 1));
        assert_eq!(map.slice(Span::new(b, 1, 9)), "");
    }
}
