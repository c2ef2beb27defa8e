//! Lines of a printed test: indentation, comments, and names in them.

use crate::program::step_source::Binding;

/// The body of a test while it is written.
#[derive(Debug)]
pub(crate) struct Lines {
    text: String,
    indent: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines { text: String::new(), indent: 1 }
    }
}

/// Comments that would make a line longer than this stand above it.
const MAX_WIDTH: usize = 96;

impl Lines {
    /// Adds a statement or a tail expression.
    pub(crate) fn push(&mut self, line: String) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// Imports types, where they can be.
    pub(crate) fn import<'p>(&mut self, paths: impl IntoIterator<Item = &'p str>) {
        importable(paths).into_iter().for_each(|path| self.push(format!("use {path};")));
    }

    /// Adds statements that give names.
    pub(crate) fn bind(&mut self, bindings: &[Binding]) {
        for binding in bindings {
            self.push(binding.statement.clone());
        }
    }

    /// Adds a comment.
    pub(crate) fn comment(&mut self, comment: &str) {
        self.push(format!("// {comment}"));
    }

    /// Adds a statement with a comment behind it, or above where it is long.
    pub(crate) fn note(&mut self, line: String, comment: &str) {
        let width = 4 * self.indent + line.chars().count() + comment.chars().count() + 4;
        if comment.is_empty() {
            self.push(line);
        } else if width > MAX_WIDTH {
            self.comment(comment);
            self.push(line);
        } else {
            self.push(format!("{line} // {comment}"));
        }
    }

    /// Begins a block.
    pub(crate) fn open(&mut self, line: String) {
        self.push(line);
        self.indent += 1;
    }

    /// Ends a block.
    pub(crate) fn close(&mut self, line: &str) {
        self.indent -= 1;
        self.push(line.to_string());
    }

    /// What waits for a future, by the standard library alone.
    pub(crate) fn block_on(&mut self) {
        self.open("fn block_on<F: std::future::Future>(future: F) -> F::Output {".to_string());
        self.push("let mut future = std::pin::pin!(future);".to_string());
        self.push("let mut context = std::task::Context::from_waker(std::task::Waker::noop());".to_string());
        self.open("loop {".to_string());
        self.open("if let std::task::Poll::Ready(answer) = future.as_mut().poll(&mut context) {".to_string());
        self.push("return answer;".to_string());
        self.close("}");
        self.close("}");
        self.close("}");
    }

    pub(crate) fn text(self) -> String {
        self.text
    }
}

/// Those of these paths that a test can import: each once, and none of two that end with the same name.
pub(crate) fn importable<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<&'p str> {
    let mut all: Vec<&str> = Vec::new();
    for path in paths {
        if !all.contains(&path) {
            all.push(path);
        }
    }
    let last = |path: &&str| path.rsplit("::").next().map(str::to_string);
    let names: Vec<Option<String>> = all.iter().map(last).collect();
    all.retain(|path| names.iter().filter(|name| **name == last(path)).count() == 1);
    all
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The beginning of a text, on one line.
pub(crate) fn first_line(text: &str) -> String {
    const MAX: usize = 120;
    let line = text.lines().next().unwrap_or("").trim();
    if line.chars().count() <= MAX {
        return line.to_string();
    }
    line.chars().take(MAX).chain("..".chars()).collect()
}

/// The last name in a path, as a function is called.
pub(crate) fn snake_case(path: &str) -> String {
    let path = path.split('<').next().unwrap_or(path);
    let last = path.rsplit("::").next().unwrap_or(path).rsplit(' ').next().unwrap_or(path);
    let all: Vec<char> = last.chars().filter(|c| is_word(*c)).collect();
    let mut name = String::new();
    for (at, c) in all.iter().enumerate() {
        // A row of capitals is one word, of which the last begins the next: `HTTPQueue`.
        let is_in_row =
            at > 0 && all[at - 1].is_uppercase() && !all.get(at + 1).is_some_and(|c| c.is_lowercase());
        if c.is_uppercase() && !name.is_empty() && !name.ends_with('_') && !is_in_row {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if starts_well { name } else { format!("test_{name}").trim_end_matches('_').to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_after_what_they_test() {
        let names =
            ["models::RingQueue<true>", "calls of a::Account", "a::front_add", "queue", "(a::A, b::B)", "7"];
        assert_eq!(names.map(snake_case), ["ring_queue", "account", "front_add", "queue", "b", "test_7"]);
        assert_eq!(["HTTPQueue", "LRU", "Utf8Reader"].map(snake_case), ["http_queue", "lru", "utf8_reader"]);
    }

    #[test]
    fn long_comments_stand_above() {
        let mut lines = Lines::default();
        lines.note("f();".to_string(), "short");
        lines.open("{".to_string());
        lines.note("g();".to_string(), &"long ".repeat(20));
        lines.close("}");
        let long = "long ".repeat(20);
        assert_eq!(
            lines.text(),
            format!("    f(); // short\n    {{\n        // {long}\n        g();\n    }}\n")
        );
    }

    #[test]
    fn only_the_beginning_of_a_message_is_repeated() {
        assert_eq!(first_line("one\ntwo"), "one");
        assert_eq!(first_line(&"x".repeat(500)).len(), 122);
    }
}
