//! What is wrong with a description, and where.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// Something wrong with a description file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub message: String,
    /// Where, in bytes.
    pub place: Range<usize>,
    /// What to do instead; may be empty.
    pub help: String,
}

impl Problem {
    pub(crate) fn new(place: Range<usize>, message: impl Into<String>) -> Self {
        Problem { message: message.into(), place, help: String::new() }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The message with the lines of the file that it is about.
    #[must_use]
    pub fn render(&self, name: &str, text: &str, in_colour: bool) -> String {
        let floor = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let place = floor(self.place.start)..floor(self.place.end.max(self.place.start));
        let snippet = Snippet::source(text).path(name).annotation(AnnotationKind::Primary.span(place));
        let mut group = Group::with_title(Level::ERROR.primary_title(self.message.as_str())).element(snippet);
        if !self.help.is_empty() {
            group = group.element(Level::HELP.message(self.help.as_str()));
        }
        let renderer = if in_colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group]).to_string()
    }
}
