//! Messages about the user's specs, shown in the user's file the way rustc shows them.
//!
//! Every stage says what is wrong and where as data, which is rendered as text on request. It decides
//! nothing: which messages there are is the business of the stages.

use super::position::{SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The spec cannot be used.
    Error,
    /// The spec can be used and probably does not say what was meant, or is not run in full.
    Warning,
}

/// A message about a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where; the first is the place itself, the others explain it.
    pub labels: Vec<Label>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
}

/// A place with a word about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, message.into())
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span, message.into())
    }

    fn new(severity: Severity, span: Span, message: String) -> Diagnostic {
        let labels = vec![Label { span, text: String::new() }];
        Diagnostic { severity, message, labels, notes: Vec::new(), help: Vec::new() }
    }

    /// Says something at the place itself.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.labels[0].text = text.into();
        self
    }

    /// Points to another place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds what else is to be known.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds what to do, if there is something.
    #[must_use]
    pub fn maybe_help(self, text: Option<String>) -> Diagnostic {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn span(&self) -> Span {
        self.labels[0].span
    }

    /// The message as text, in the user's file; in colour on request.
    #[must_use]
    pub fn render(&self, sources: &SourceMap, in_colour: bool) -> String {
        let title = self.level().primary_title(printable(&self.message));
        let renderer = if in_colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[self.placed(sources, None, Group::with_title(title))]).to_string()
    }

    /// The lines of the file alone, for a report that has said what is wrong. Files in `root` are named from
    /// there.
    #[must_use]
    pub fn excerpt(&self, sources: &SourceMap, root: Option<&Path>) -> String {
        let group = self.placed(sources, root, Group::with_level(self.level()));
        format!("{}\n", Renderer::plain().render(&[group]).trim_end())
    }

    fn level(&self) -> Level<'static> {
        match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        }
    }

    /// A group with the lines around the labels, the notes and the help.
    fn placed<'g>(&'g self, sources: &'g SourceMap, root: Option<&Path>, mut group: Group<'g>) -> Group<'g> {
        let from_root = |name: &'g str| {
            let inside = root.and_then(|root| Path::new(name).strip_prefix(root).ok());
            inside.and_then(Path::to_str).unwrap_or(name)
        };
        let primary = self.span().file;
        let files: BTreeSet<_> = self.labels.iter().map(|label| label.span.file).collect();
        let others = files.into_iter().filter(|file| *file != primary);
        for file in std::iter::once(primary).chain(others) {
            let text = sources.text(file);
            // Only the lines around the labels are handed over: rendering must not read a long file once for
            // each message.
            let labels = self.labels.iter().enumerate().filter(|(_, label)| label.span.file == file);
            let (from, to) = labels.clone().fold((text.len(), 0), |(from, to), (_, label)| {
                (from.min(label.span.start as usize), to.max(label.span.end as usize))
            });
            let window = window(text, from, to);
            // The end of a line is no sign in it, wherever the file was written; offsets stay.
            let lines = text.get(window.shown.clone()).unwrap_or("").replace("\r\n", " \n");
            let mut snippet = Snippet::source(lines);
            if window.is_cut {
                let (line, column) = sources.line_column(file, from as u32);
                group = group.element(
                    Origin::path(from_root(sources.name(file)))
                        .line(line as usize)
                        .char_column(column as usize),
                );
                snippet = snippet.line_start(line as usize);
            } else {
                let (line, _) = sources.line_column(file, window.shown.start as u32);
                snippet = snippet.line_start(line as usize).path(from_root(sources.name(file)));
            }
            for (k, label) in labels {
                let kind = if k == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                let range = within(text, label.span, &window.shown);
                let mut annotation = kind.span(range);
                if !label.text.is_empty() {
                    annotation = annotation.label(printable(&label.text));
                }
                snippet = snippet.annotation(annotation);
            }
            group = group.element(snippet);
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(printable(note)));
        }
        for help in &self.help {
            group = group.element(Level::HELP.message(printable(help)));
        }
        group
    }
}

/// What is shown of a file.
struct Window {
    shown: Range<usize>,
    /// Whether it is less than whole lines.
    is_cut: bool,
}

/// More than anybody reads of one message, or writes in a line.
const MAX_SHOWN: usize = 20_000;
const MAX_LINE: usize = 600;

/// The whole lines around a range of bytes; of very long lines only what is near.
fn window(text: &str, from: usize, to: usize) -> Window {
    let bytes = text.as_bytes();
    let from = from.min(bytes.len());
    let to = to.clamp(from, bytes.len());
    let start = bytes[..from].iter().rev().take(MAX_LINE + 1).position(|byte| *byte == b'\n');
    let end = bytes[to..].iter().take(MAX_LINE + 1).position(|byte| *byte == b'\n');
    let start_of_line = start.map_or_else(|| (from <= MAX_LINE).then_some(0), |n| Some(from - n));
    let end_of_line =
        end.map_or_else(|| (bytes.len() - to <= MAX_LINE).then_some(bytes.len()), |n| Some(to + n));
    let is_long = |lines: &str| lines.split('\n').any(|line| line.len() > MAX_LINE);
    if let (Some(start), Some(end)) = (start_of_line, end_of_line)
        && end - start <= MAX_SHOWN
        && !is_long(&text[start..end])
    {
        return Window { shown: start..end, is_cut: false };
    }
    // The first line of the place, as far as it is near.
    let mut start = start_of_line.unwrap_or(0).max(from.saturating_sub(MAX_LINE / 4));
    let mut end = (from + MAX_LINE / 4).min(bytes.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[from.min(end)..end].find('\n').map_or(end, |n| from + n).max(start);
    Window { shown: start..end, is_cut: true }
}

/// A span relative to a window, on whole characters.
fn within(text: &str, span: Span, window: &Range<usize>) -> Range<usize> {
    let floor = |offset: u32| {
        let mut at = (offset as usize).clamp(window.start, window.end);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at - window.start
    };
    let (start, end) = (floor(span.start), floor(span.end));
    start..end.max(start)
}

/// A text without what would move the cursor: names come from the user's file.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// The messages of a run, bounded: hostile input must not make more than can be read.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    n_errors: usize,
    n_dropped: usize,
    /// Names in what could not be read: that they are unknown is then no news.
    unread: BTreeSet<String>,
}

/// How many messages are kept.
pub const MAX_DIAGNOSTICS: usize = 100;

impl Diagnostics {
    /// No messages.
    #[must_use]
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one, unless there are too many or the place has the same one already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.n_errors += 1;
        }
        if self.list.len() >= MAX_DIAGNOSTICS {
            self.n_dropped += 1;
        } else if !self.list.contains(&diagnostic) {
            self.list.push(diagnostic);
        }
    }

    /// Whether there is a message about something that lies between two places of one file.
    #[must_use]
    pub fn is_explained(&self, from: Span, to: Span) -> bool {
        let is_between = |span: Span| {
            span.file == from.file && span.file == to.file && from.end <= span.start && span.end <= to.start
        };
        self.list.iter().any(|diagnostic| is_between(diagnostic.span()))
    }

    /// What could not be read has this word in it.
    pub fn add_unread(&mut self, word: &str) {
        self.unread.insert(word.to_string());
    }

    /// Whether a name that is unknown may have been defined in what could not be read.
    #[must_use]
    pub fn is_unread(&self, name: &str) -> bool {
        self.unread.contains(name)
    }

    /// Whether further messages are dropped.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_DIAGNOSTICS
    }

    /// How many errors there were, the dropped ones included.
    #[must_use]
    pub fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// How many messages were dropped because there were too many.
    #[must_use]
    pub fn n_dropped(&self) -> usize {
        self.n_dropped
    }

    /// The messages, in the order of their places.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| (diagnostic.span(), diagnostic.severity));
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_its_places_notes_and_help() {
        let mut sources = SourceMap::new();
        let file = sources.add("queue.c", "int a;\n/*@ requires x < y; @*/\nint b;\n");
        let message = Diagnostic::error(Span::new(file, 20, 21), "unknown name `x`")
            .here("not found")
            .label(Span::new(file, 24, 25), "beside this")
            .note("parameters are `y`")
            .help("did you mean `y`?");
        insta::assert_snapshot!(message.render(&sources, false));
    }

    #[test]
    fn a_message_over_two_files_and_an_empty_file_is_shown() {
        let mut sources = SourceMap::new();
        let a = sources.add("a.c", "one\ntwo\n");
        let b = sources.add("b.h", "");
        let message =
            Diagnostic::warning(Span::new(a, 4, 7), "given twice").label(Span::new(b, 0, 0), "also here");
        insta::assert_snapshot!(message.render(&sources, false));
    }

    #[test]
    fn spans_outside_of_the_text_do_no_harm() {
        let mut sources = SourceMap::new();
        let a = sources.add("a.c", "\u{e9}\u{e9}");
        for span in [Span::new(a, 1, 3), Span::new(a, 100, 200), Span::new(a, 4, 4)] {
            assert!(Diagnostic::error(span, "x\u{7}").render(&sources, true).contains("a.c"));
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let mut sources = SourceMap::new();
        let text = format!("first\n{}needle{}\nlast", "x".repeat(100_000), "\u{e9}".repeat(100_000));
        let a = sources.add("a.c", text);
        let place = Span::new(a, 100_006, 100_012);
        let shown =
            Diagnostic::error(place, "found").label(sources.whole(a), "in all this").render(&sources, false);
        assert!(shown.len() < 3_000 && shown.contains("first"), "{shown}");
        let shown = Diagnostic::error(place, "found").render(&sources, false);
        assert!(shown.contains("a.c:2:100001") && shown.contains("needle"), "{shown}");
    }

    #[test]
    fn there_is_a_limit_to_messages() {
        let mut sources = SourceMap::new();
        let a = sources.add("a.c", "x");
        let mut all = Diagnostics::new();
        for k in 0..300 {
            all.push(Diagnostic::error(sources.whole(a), format!("message {k}")));
        }
        assert_eq!((all.n_errors(), all.n_dropped()), (300, 200));
        assert_eq!(all.into_sorted().len(), MAX_DIAGNOSTICS);
    }
}
