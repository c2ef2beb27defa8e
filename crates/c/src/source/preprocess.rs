//! What the compiler's preprocessor makes of a file, and where each line of it comes from.
//!
//! Runs the preprocessor with the user's flags, and keeps the expanded text, comments included, with its
//! tokens and a map from lines to source lines. It does not know specs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::lex::{self, Directives, Kind, Token};
use super::{Options, SourceError};

/// An expanded file.
#[derive(Debug)]
pub(super) struct ExpandedFile {
    pub(super) text: Vec<u8>,
    pub(super) tokens: Vec<Token>,
    pub(super) lines: LineMap,
    /// The line of each token, as a place in the map.
    token_lines: Vec<usize>,
}

/// Where the lines of an expanded file come from.
#[derive(Debug, Default)]
pub(super) struct LineMap {
    lines: Vec<Line>,
    pub(super) files: Vec<PathBuf>,
    /// Which of them are headers of the system.
    pub(super) are_system: Vec<bool>,
}

/// A line of an expanded file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Where it begins in the expanded text.
    pub(super) start: usize,
    /// Its file; `None` for what the compiler makes up.
    pub(super) file: Option<usize>,
    /// Its number in that file.
    pub(super) number: u32,
    /// Whether it stands in a header of the system.
    pub(super) is_system: bool,
    /// Whether it comes from a macro of the system, or stands in its headers.
    pub(super) is_foreign: bool,
}

/// Runs the preprocessor.
pub(super) fn expand(options: &Options, file: &Path) -> Result<ExpandedFile, SourceError> {
    let text = compile(options, file, &["-E", "-CC"])?;
    if text.len() >= u32::MAX as usize {
        return Err(SourceError::TooLarge { file: file.to_path_buf() });
    }
    let expanded = ExpandedFile::new(text);
    if expanded.lines.files.is_empty() {
        return Err(SourceError::NoLines { file: file.to_path_buf() });
    }
    Ok(expanded)
}

/// Asks the compiler whether a file is C.
pub(super) fn check(options: &Options, file: &Path) -> Result<(), SourceError> {
    // Of thousands of errors the first few say it all.
    compile(options, file, &["-fsyntax-only", "-w", "-fmax-errors=20"]).map(|_| ())
}

fn compile(options: &Options, file: &Path, what: &[&str]) -> Result<Vec<u8>, SourceError> {
    let mut command = Command::new(&options.compiler);
    command.args(what).args(options.arguments()).args(["-x", "c"]).arg(argument(file));
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| SourceError::Compiler { compiler: options.compiler.clone(), error })?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(SourceError::Rejected { file: file.to_path_buf(), stderr });
    }
    Ok(output.stdout)
}

/// A file name that no compiler takes for a flag.
pub(super) fn argument(file: &Path) -> OsString {
    if file.as_os_str().as_bytes().starts_with(b"-") {
        return Path::new(".").join(file).into_os_string();
    }
    file.as_os_str().to_os_string()
}

impl ExpandedFile {
    pub(super) fn new(text: Vec<u8>) -> ExpandedFile {
        let tokens = lex::tokens(&text, Directives::Whole);
        let lines = LineMap::new(&text, &tokens);
        let mut line = 0;
        let line_of = |token: &Token| {
            while lines.lines.get(line + 1).is_some_and(|next| next.start <= token.start) {
                line += 1;
            }
            line
        };
        let token_lines = tokens.iter().map(line_of).collect();
        ExpandedFile { text, tokens, lines, token_lines }
    }

    /// The line that the token with this number begins in: what [`LineMap::at`] says, without searching.
    pub(super) fn line_of(&self, token: usize) -> Line {
        self.lines.lines[self.token_lines[token]]
    }
}

impl LineMap {
    fn new(text: &[u8], tokens: &[Token]) -> LineMap {
        let mut map = LineMap::default();
        let mut known: BTreeMap<PathBuf, (usize, bool)> = BTreeMap::new();
        let mut directives = tokens.iter().filter(|token| token.kind == Kind::Directive).peekable();
        let mut now = Line { start: 0, file: None, number: 1, is_system: false, is_foreign: false };
        let mut start = 0;
        while start < text.len() {
            map.lines.push(Line { start, ..now });
            let end = text[start..].iter().position(|byte| *byte == b'\n');
            let end = end.map_or(text.len(), |length| start + length);
            while directives.peek().is_some_and(|token| token.end < end) {
                directives.next();
            }
            let marker = directives.peek().filter(|token| token.end == end && token.start >= start);
            match marker.and_then(|token| marker_of(token.text(text))) {
                Some(marker) => now = map.follow(marker, &mut known),
                None => now.number = now.number.saturating_add(1),
            }
            start = end + 1;
        }
        map
    }

    /// The line that a marker announces.
    fn follow(&mut self, marker: Marker, known: &mut BTreeMap<PathBuf, (usize, bool)>) -> Line {
        let Marker { number, file, is_system: is_foreign } = marker;
        let bytes = file.as_os_str().as_bytes();
        // `<built-in>`, and the folder the compiler runs in.
        if (bytes.starts_with(b"<") && bytes.ends_with(b">")) || bytes.ends_with(b"//") {
            return Line { start: 0, file: None, number, is_system: true, is_foreign: true };
        }
        // A file is the system's if it was so when it was entered: later markers also tell macros.
        let (file, is_system) = *known.entry(file.clone()).or_insert_with(|| {
            self.files.push(file);
            self.are_system.push(is_foreign);
            (self.files.len() - 1, is_foreign)
        });
        Line { start: 0, file: Some(file), number, is_system, is_foreign: is_foreign || is_system }
    }

    /// The line a place of the expanded text lies in.
    pub(super) fn at(&self, offset: usize) -> Line {
        let after = self.lines.partition_point(|line| line.start <= offset);
        let none = Line { start: 0, file: None, number: 0, is_system: true, is_foreign: true };
        self.lines[..after].last().copied().unwrap_or(none)
    }
}

/// `# 12 "file.c" 1 3 4`
#[derive(Debug, PartialEq, Eq)]
struct Marker {
    number: u32,
    file: PathBuf,
    is_system: bool,
}

fn marker_of(line: &[u8]) -> Option<Marker> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let n_digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    let number = std::str::from_utf8(&rest[..n_digits]).ok()?.parse().ok()?;
    let quoted = rest[n_digits..].trim_ascii_start().strip_prefix(b"\"")?;
    let (file, flags) = unquote(quoted)?;
    let is_system = flags.split(u8::is_ascii_whitespace).any(|flag| flag == b"3");
    Some(Marker { number, file: PathBuf::from(OsString::from_vec(file)), is_system })
}

/// What stands up to the closing quote, escapes resolved, and what follows it.
fn unquote(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut name = Vec::new();
    let mut at = 0;
    loop {
        match *text.get(at)? {
            b'"' => return Some((name, &text[at + 1..])),
            b'\\' => {
                let digits = text.get(at + 1..at + 4).filter(|digits| digits.iter().all(u8::is_ascii_digit));
                if let Some(digits) = digits {
                    let value = digits.iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                    name.push(value as u8);
                    at += 4;
                } else {
                    name.push(*text.get(at + 1)?);
                    at += 2;
                }
            }
            byte => {
                name.push(byte);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read() {
        let marker = marker_of(b"# 12 \"a \\\"b\\\\\\303\\274.h\" 1 3 4").expect("a marker");
        assert_eq!(marker, Marker { number: 12, file: "a \"b\\ü.h".into(), is_system: true });
        assert_eq!(marker_of(b"#line 7 \"x\"").map(|marker| marker.number), Some(7));
        for nonsense in
            [&b"#pragma once"[..], b"#", b"# 1", b"# 99999999999999 \"a\"", b"# 1 \"a", b"# 1 \"a\\"]
        {
            assert_eq!(marker_of(nonsense), None);
        }
    }

    #[test]
    fn lines_come_from_where_the_markers_say() {
        let text = b"# 1 \"a.c\"\nint a;\n# 1 \"/usr/s.h\" 1 3 4\nint s;\n# 3 \"a.c\" 2\n/*\n# 9 \"no.c\"\n*/ b\n# 9 \"a.c\" 3 4\nNULL\n";
        let expanded = ExpandedFile::new(text.to_vec());
        let at = |what: &str| {
            let offset = text.windows(what.len()).position(|part| part == what.as_bytes()).expect("there");
            let line = expanded.lines.at(offset);
            (
                expanded.lines.files[line.file.expect("a file")].clone(),
                line.number,
                line.is_system,
                line.is_foreign,
            )
        };
        assert_eq!(at("int a"), ("a.c".into(), 1, false, false));
        assert_eq!(at("int s"), ("/usr/s.h".into(), 1, true, true));
        assert_eq!(at("b\n"), ("a.c".into(), 5, false, false));
        assert_eq!(at("NULL"), ("a.c".into(), 9, false, true));
    }
}
