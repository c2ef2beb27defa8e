//! Reports for continuous integration: JUnit's XML, which every CI server shows as a list of tests, and the
//! annotations of GitHub, which stand beside the lines of a change. Both say what the text says; neither
//! decides anything.

use super::{Outcome, ReportView};
use stairway::report::words as failure_words;
use stairway::report::{Failure, FailureKind};
use std::fmt::Write as _;

impl ReportView<'_> {
    /// The report as JUnit XML: every function is a test, and the one that failed has the report as its text.
    #[must_use]
    pub fn junit(&self) -> String {
        let suite = self.about.files();
        let failed = self.failure().map(|failure| (self.blamed(failure), failure));
        let is_error = matches!(self.outcome(), Outcome::Internal | Outcome::Unloadable);
        let mut cases = Cases::default();
        for facts in self.functions.iter().filter(|facts| facts.name != "main") {
            match (&failed, &facts.never) {
                (Some((name, failure)), _) if *name == facts.name => {
                    cases.failed(
                        &suite,
                        &facts.name,
                        &failure_words::message(failure),
                        &self.text(),
                        is_error,
                    );
                }
                (_, Some(why)) => cases.skipped(&suite, &facts.name, why),
                _ => cases.passed(&suite, &facts.name),
            }
        }
        // What no function is to blame for belongs to all of them.
        if let Some((name, failure)) = &failed
            && !self.functions.iter().any(|facts| facts.name == *name && name != "main")
        {
            // A failure that was stored is met before any function is counted.
            let name = if name.is_empty() { "whole program" } else { name };
            cases.failed(&suite, name, &failure_words::message(failure), &self.text(), is_error);
        } else if self.outcome() == Outcome::GaveUp {
            cases.failed(&suite, "whole program", "nothing was decided", &self.text(), true);
        }
        cases.finish(&suite)
    }

    /// Annotations as GitHub's log reads them, then nothing: the text is printed besides.
    #[must_use]
    pub fn github(&self) -> String {
        let mut out = String::new();
        if let Some(failure) = self.failure() {
            out.push_str(&annotation("error", failure, &self.text()));
        }
        for other in &self.report.result.others {
            out.push_str(&annotation("error", &other.failure, &failure_words::message(&other.failure)));
        }
        if self.failure().is_none() {
            for (name, why) in self.never() {
                let _ =
                    writeln!(out, "::warning title=never called::{}", message(&format!("`{name}`: {why}")));
            }
        }
        out
    }

    /// The function that a failure is about: that of its kind, or that of the last call.
    fn blamed(&self, failure: &Failure) -> String {
        match (&failure.kind, &self.report.result.outcome) {
            (FailureKind::Call { function, .. }, _) => function.to_string(),
            (_, stairway::report::Outcome::Falsified(found)) => {
                found.observed.steps.last().map_or_else(String::new, |step| step.name.to_string())
            }
            _ => String::new(),
        }
    }
}

/// A report that has no run: wrong input, or a bug of Stairway.
#[must_use]
pub fn junit_error(files: &str, error: &str) -> String {
    let mut cases = Cases::default();
    cases.failed(files, "whole program", error.lines().next().unwrap_or(error), error, true);
    cases.finish(files)
}

/// The same as an annotation.
#[must_use]
pub fn github_error(error: &str) -> String {
    format!("::error title=stairway::{}\n", message(error))
}

fn annotation(level: &str, failure: &Failure, text: &str) -> String {
    let title = property(&failure_words::message(failure));
    let place = failure.place.as_ref().map_or_else(String::new, |place| {
        format!("file={},line={},col={},", property(&place.file), place.line, place.column.max(1))
    });
    format!("::{level} {place}title={title}::{}\n", message(text))
}

/// Text of an annotation: it ends at the end of the line.
fn message(text: &str) -> String {
    text.trim_end().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of an annotation: it ends at a comma or a colon, too.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// The tests of a suite, while they are written.
#[derive(Default)]
struct Cases {
    text: String,
    n: usize,
    n_failures: usize,
    n_errors: usize,
    n_skipped: usize,
}

impl Cases {
    fn open(&mut self, suite: &str, name: &str) -> String {
        self.n += 1;
        format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(suite), escaped(name))
    }

    fn passed(&mut self, suite: &str, name: &str) {
        let open = self.open(suite, name);
        let _ = writeln!(self.text, "{open}/>");
    }

    fn skipped(&mut self, suite: &str, name: &str, why: &str) {
        let open = self.open(suite, name);
        self.n_skipped += 1;
        let _ = writeln!(self.text, "{open}><skipped message=\"{}\"/></testcase>", escaped(why));
    }

    fn failed(&mut self, suite: &str, name: &str, message: &str, text: &str, is_error: bool) {
        let open = self.open(suite, name);
        let kind = if is_error { "error" } else { "failure" };
        *(if is_error { &mut self.n_errors } else { &mut self.n_failures }) += 1;
        let (message, text) = (escaped(message), escaped(text));
        let _ = writeln!(self.text, "{open}><{kind} message=\"{message}\">{text}</{kind}></testcase>");
    }

    fn finish(self, suite: &str) -> String {
        let Cases { text, n, n_failures, n_errors, n_skipped } = self;
        let counts =
            format!("tests=\"{n}\" failures=\"{n_failures}\" errors=\"{n_errors}\" skipped=\"{n_skipped}\"");
        let name = escaped(suite);
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"stairway\" {counts}>\n  \
             <testsuite name=\"{name}\" {counts}>\n{text}  </testsuite>\n</testsuites>\n"
        )
    }
}

/// Text inside XML. What XML cannot say at all becomes a question mark.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_code_prints_stays_inside_of_the_page() {
        assert_eq!(escaped("a<b> & \"c\"\n\u{1b}[1m"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;?[1m");
        assert_eq!(message("50%\nmore\n"), "50%25%0Amore");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }

    #[test]
    fn an_error_is_a_test_that_has_one() {
        let page = junit_error("q.c", "cannot read `q.c`\nmore");
        assert!(
            page.contains("<error message=\"cannot read `q.c`\">cannot read `q.c`&#10;more</error>"),
            "{page}"
        );
        assert!(page.contains("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""));
        assert_eq!(github_error("a\nb"), "::error title=stairway::a%0Ab\n");
    }
}
