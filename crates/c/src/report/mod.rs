//! The report of a hunt: the sequence as C, what it broke, and what was and was not exercised.
//!
//! Renders the engine's report, with the project and how it was called, as text, JSON, or a C program.
//! Verdicts are the engine's; what is decided here is only whether a run in which nothing was broken has
//! exercised enough.

mod ci;
mod distribution;
mod functions;
mod json;
pub(crate) mod notes;
mod reproduce;
mod sequence;
mod translate;
pub(crate) mod words;

pub use ci::{github_error, junit_error};
pub use functions::{Facts, Lines, UnmetClause};
pub use json::error as json_error;

use crate::build::UNSIGNED_CHAR;
use crate::hunt;
use crate::project::Project;
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use sequence::Sequence;
use stairway::Report;
use stairway::engine::{CaseOrigin, Counterexample, FlakyCase, Limit, Observations, ShrinkSummary};
use stairway::report::words as failure_words;
use stairway::report::{Failure, FailureKind, Site, choice_line};
use std::fmt::Write as _;
use std::path::PathBuf;

/// How a hunt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything held.
    Passed,
    /// Something was broken.
    Falsified,
    /// Nothing was decided.
    GaveUp,
    /// Somebody ended the hunt before anything was decided.
    Interrupted,
    /// The program cannot be loaded: a library of the user's is missing, for example.
    Unloadable,
    /// Stairway itself is broken.
    Internal,
}

/// Stands for the choices of a sequence in [`About::command`].
pub const CHOICES: &str = "CHOICES";

/// What a report says beside what was found.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The files as the user named them.
    pub files: Vec<PathBuf>,
    /// The command that runs a sequence again, with [`CHOICES`] where its choices belong.
    pub command: String,
    /// The compiler and the flags that the user gave it.
    pub compiler: Vec<String>,
    /// Whether every function must have been called.
    pub demands_all: bool,
}

impl About {
    fn files(&self) -> String {
        self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ")
    }
}

/// A report with what is needed to show it.
#[derive(Debug)]
pub struct ReportView<'r> {
    report: &'r Report,
    project: &'r Project,
    about: &'r About,
    functions: Vec<Facts>,
    /// What was checked that no contract says.
    named: &'r [String],
}

/// What `check` says of a project without errors.
#[must_use]
pub fn checked(project: &Project) -> String {
    let n = project.specs.contracts.iter().filter(|contract| !contract.is_empty()).count();
    let (definitions, contracts) =
        (project.specs.predicates.len() + project.specs.functions.len(), plural(n as u64, "contract"));
    format!(
        "{contracts}, {} and {} of {} read; nothing is wrong with them",
        plural(definitions as u64, "definition"),
        plural(project.specs.loops.len() as u64, "loop invariant"),
        plural(project.sources.functions.len() as u64, "function"),
    )
}

/// What went wrong in one line. One that took its process with it could not say where: in the latest call.
fn headline(found: &Counterexample) -> String {
    let failure = &found.failure;
    let message = failure_words::message(failure);
    match (found.observed.steps.last(), &failure.kind) {
        (Some(last), FailureKind::Process(_) | FailureKind::Sanitizer(_)) => {
            format!("`{}`: {}: {message}", last.name, failure_words::identity(failure))
        }
        _ => message,
    }
}

/// So many further failures are shown with their sequences, the others by a line and the command that shows
/// them.
const MAX_OTHERS: usize = 11;

fn plural(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", failure_words::count(n)) }
}

impl<'r> ReportView<'r> {
    /// A report of a hunt.
    #[must_use]
    pub fn of(found: &'r hunt::HuntResult, about: &'r About) -> Self {
        let functions = functions::facts(found);
        ReportView { report: &found.report, project: &found.project, about, functions, named: &found.named }
    }

    /// How the hunt ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let failure = self.failure();
        match &self.report.result.outcome {
            _ if failure.is_some_and(is_unloadable) => Outcome::Unloadable,
            _ if failure.is_some_and(is_ours) => Outcome::Internal,
            stairway::report::Outcome::Falsified(_) | stairway::report::Outcome::Flaky(_) => {
                Outcome::Falsified
            }
            stairway::report::Outcome::GeneratorFailed { .. } => Outcome::Internal,
            _ if self.report.is_interrupted => Outcome::Interrupted,
            outcome if !outcome.is_success() || self.is_short() => Outcome::GaveUp,
            _ => Outcome::Passed,
        }
    }

    fn failure(&self) -> Option<&Failure> {
        match &self.report.result.outcome {
            stairway::report::Outcome::Falsified(found) => Some(&found.failure),
            stairway::report::Outcome::Flaky(flaky) => Some(&flaky.failure),
            _ => None,
        }
    }

    /// Whether too little was called for a verdict.
    fn is_short(&self) -> bool {
        !self.report.is_replay
            && (self.n_calls() == 0 || (self.about.demands_all && self.never().next().is_some()))
    }

    fn n_calls(&self) -> u64 {
        self.functions.iter().map(|facts| facts.n_calls).sum()
    }

    /// The functions that were never called, with the reason. That `main` is not goes without saying.
    fn never(&self) -> impl Iterator<Item = (&str, &str)> {
        let of = |facts: &'_ Facts| facts.never.is_some() && facts.name != "main";
        self.functions
            .iter()
            .filter(move |facts| of(facts))
            .filter_map(|facts| Some((&*facts.name, facts.never.as_deref()?)))
    }

    /// The report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        match &self.report.result.outcome {
            _ if self.is_unusable() => self.internal(&mut out),
            stairway::report::Outcome::Falsified(found) => self.falsified(&mut out, found),
            stairway::report::Outcome::Flaky(flaky) => self.flaky(&mut out, flaky),
            _ => self.not_falsified(&mut out),
        }
        // Of a search that ended with its first call nothing is counted, beside the sequence above.
        let counts = &self.report.result.statistics.program;
        if counts.n_done.iter().chain(&counts.n_refused).any(|n| *n > 0) {
            functions::table(&mut out, &self.functions);
            self.what_is_counted(&mut out);
        }
        let names = self.functions.iter().map(|facts| &*facts.name);
        distribution::table(&mut out, self.project, &self.report.result.statistics, names);
        self.never_called(&mut out);
        for note in notes::lines(self.project, &self.report.result.statistics) {
            let _ = writeln!(out, "note: {note}");
        }
        for warning in &self.report.warnings {
            let _ = writeln!(out, "note: {warning}");
        }
        for note in self.unsigned_char().into_iter().chain(self.without_contracts()) {
            let _ = writeln!(out, "note: {note}");
        }
        out
    }

    /// The table counts every sequence, which goes without saying where all passed.
    fn what_is_counted(&self, out: &mut String) {
        let is_shown = self.failure().is_some() && self.n_calls() > 0 && !self.is_unusable();
        if is_shown {
            let statistics = &self.report.result.statistics;
            let passed = plural(statistics.n_passed, "sequence");
            let failed = match statistics.n_failed {
                0 => String::new(),
                n => format!(" and {} that failed", failure_words::count(n)),
            };
            let _ = writeln!(out, "(counted in {passed} that passed{failed})");
        }
    }

    /// Functions with a contract, and all.
    fn contracts(&self) -> (usize, usize) {
        let contracts = &self.project.specs.contracts;
        let n = contracts.iter().filter(|contract| !contract.is_empty()).count();
        (n, self.project.sources.functions.iter().filter(|function| function.name != "main").count())
    }

    /// What was not checked where no function has a contract.
    fn without_contracts(&self) -> Option<String> {
        let (n, all) = self.contracts();
        let is_said = n == 0 && all > 0 && !self.report.is_replay && !self.is_unusable();
        is_said.then(|| {
            let checked = match self.named {
                [] => "crashes, memory and arithmetic".to_string(),
                named => format!("crashes, memory, arithmetic and `{}`", named.join("`, `")),
            };
            format!("0 of {all} functions have a contract: only {checked} were checked")
        })
    }

    /// What differs from the user's own build if specs speak of a `char`.
    fn unsigned_char(&self) -> Option<String> {
        let files: Vec<String> =
            self.project.unsigned_char().iter().map(|file| file.display().to_string()).collect();
        let all = files.join(", ");
        (!files.is_empty()).then(|| {
            format!(
                "{all}: compiled with {UNSIGNED_CHAR}, because specs speak of a `char`, which is `u8` to them"
            )
        })
    }

    fn internal(&self, out: &mut String) {
        let text = self.failure().map_or_else(|| "a generator is wrong".to_string(), failure_words::message);
        let place = self.failure().and_then(|failure| failure.place.as_ref());
        let place = place.map_or_else(String::new, |place| format!(" ({place})"));
        let _ = writeln!(out, "{}: {text}{place}", self.about.files());
    }

    /// Whether nothing can be said of the program.
    fn is_unusable(&self) -> bool {
        matches!(self.outcome(), Outcome::Internal | Outcome::Unloadable)
    }

    fn not_falsified(&self, out: &mut String) {
        let files = self.about.files();
        let statistics = &self.report.result.statistics;
        let sequences = match statistics.n_varied {
            0 => plural(statistics.n_passed, "sequence"),
            n => format!("{}, and {}", plural(statistics.n_passed, "sequence"), plural(n, "variation")),
        };
        let calls = plural(self.n_calls(), "call");
        let _ = match self.outcome() {
            _ if self.report.is_replay => writeln!(out, "{files}: the sequence passes"),
            Outcome::Interrupted => {
                writeln!(out, "{files}: interrupted after {sequences} ({calls}); nothing was found")
            }
            Outcome::Passed if self.report.result.stopped_by == Some(Limit::Clock) => {
                writeln!(out, "{files}: passed: {calls}; stopped by the clock after {sequences}")
            }
            Outcome::Passed if self.report.result.stopped_by == Some(Limit::Settled) => {
                let n = self.report.result.spent.steps;
                writeln!(
                    out,
                    "{files}: passed: {calls} in {sequences}; nothing new was seen in the second half (--calls {n} \
                     repeats it, --no-settle searches on)"
                )
            }
            Outcome::Passed => writeln!(out, "{files}: passed: {calls} in {sequences}"),
            _ if self.n_calls() == 0 => {
                writeln!(out, "{files}: gave up: NO FUNCTION WAS CALLED, so nothing was checked")
            }
            _ if !self.report.result.outcome.is_success() => {
                let n = plural(statistics.n_discarded, "sequence");
                writeln!(out, "{files}: gave up: {n} came to no end, {sequences} did")
            }
            _ => {
                writeln!(out, "{files}: gave up: not every function was called, which --demand-all asks for")
            }
        };
    }

    fn falsified(&self, out: &mut String, found: &Counterexample) {
        let _ = writeln!(out, "{}: {}\n", self.about.files(), headline(found));
        out.push_str(&self.sequence(&found.observed).text());
        out.push('\n');
        self.details(out, &found.failure);
        let (shrunk, known) = self.shrunk(&found.shrinking);
        let origin = match found.origin {
            CaseOrigin::Case(n) | CaseOrigin::Varied(n) => {
                format!("found with seed {:#x} in sequence {n}", self.report.result.seed)
            }
            CaseOrigin::Shrinking => {
                format!("found with seed {:#x} while another failure was shrunk", self.report.result.seed)
            }
            CaseOrigin::Input(_) => "found in an input of a fuzzer".to_string(),
            _ if self.report.is_replay => "replayed".to_string(),
            _ => "found again, as it was stored by an earlier run".to_string(),
        };
        let _ = writeln!(out, "{origin}{shrunk}, confirmed in a fresh process{known}");
        if let Some(file) = &self.report.stored_in {
            let _ = writeln!(out, "stored in {}; the next run tries it first", file.display());
        }
        let _ = writeln!(out, "replay: {}", self.replay(&found.recording.choices));
        let mut n_doubtful = u64::from(found.failure.is_doubtful());
        for (k, other) in self.report.result.others.iter().enumerate() {
            let replay = self.replay(&other.recording.choices);
            let is_doubtful = other.failure.is_doubtful();
            let after = if is_doubtful { ", after doubtful arguments" } else { "" };
            let _ = writeln!(out, "\nalso{after}: {}", headline(other));
            n_doubtful += u64::from(is_doubtful);
            // Whoever repairs the first ones has not read the last ones. Doubtful ones have one remedy.
            if k < MAX_OTHERS && (!is_doubtful || n_doubtful == 1) {
                out.push('\n');
                out.push_str(&self.sequence(&other.observed).text());
                out.push('\n');
                self.details(out, &other.failure);
            }
            let _ = writeln!(out, "replay: {replay}");
        }
        if n_doubtful > 1 {
            let many = plural(n_doubtful, "failure");
            let _ = writeln!(out, "\n{many} took doubtful arguments: --cautious leaves such calls out");
        }
        match self.report.result.n_unshown {
            0 => {}
            n => {
                let _ = writeln!(
                    out,
                    "\n{} not shown: exclude or repair these first",
                    plural(n as u64, "more failure")
                );
            }
        }
    }

    /// How long it was shrunk, and what is known of the result: that every step is needed only where each was
    /// left out once.
    fn shrunk(&self, shrinking: &ShrinkSummary) -> (String, &'static str) {
        const UNKNOWN: &str = "; a shorter one may exist";
        let runs = format!(", shrunk in {}", plural(shrinking.n_runs, "run"));
        match shrinking.cut_by {
            Some(_) if self.report.is_interrupted => (format!("{runs} until it was interrupted"), UNKNOWN),
            _ if shrinking.n_runs == 0 => (String::new(), ""),
            Some(Limit::Clock) => (format!("{runs} until the clock stopped it"), UNKNOWN),
            Some(_) => (format!("{runs} until the budget ended"), UNKNOWN),
            None if shrinking.are_steps_needed => (runs, "; every step is needed"),
            None => (runs, ""),
        }
    }

    fn flaky(&self, out: &mut String, flaky: &FlakyCase) {
        let files = self.about.files();
        let _ = writeln!(
            out,
            "{files}: different results on replay: {}; run again, it {}\n",
            failure_words::message(&flaky.failure),
            failure_words::run_again(&flaky.then)
        );
        let observed = flaky.failing.as_ref().unwrap_or(&flaky.observed);
        out.push_str(&self.sequence(observed).text());
        out.push('\n');
        self.details(out, &flaky.failure);
        let _ = writeln!(out, "found with seed {:#x}", self.report.result.seed);
        let _ = writeln!(out, "replay: {}", self.replay(&flaky.recording.choices));
    }

    /// The place of a failure in the user's file.
    fn details(&self, out: &mut String, failure: &Failure) {
        let (excerpt, details) = (failure.excerpt.trim_end(), failure.details.trim_end());
        if !excerpt.is_empty() {
            // What is added to an excerpt stands directly below it.
            let _ = writeln!(out, "{excerpt}{}", if details.is_empty() { "\n" } else { "" });
        } else if let Some(span) = failure.place.as_ref().and_then(|place| self.place(place)) {
            let shown = Diagnostic::error(span, String::new()).excerpt(&self.project.map, None);
            let _ = writeln!(out, "{}\n", shown.trim_end());
        } else if let Some(place) = &failure.place {
            let _ = writeln!(out, "  at {place}\n");
        }
        if !details.is_empty() {
            let _ = writeln!(out, "{details}\n");
        }
    }

    /// The line of a place, from the column on.
    fn place(&self, place: &Site) -> Option<Span> {
        let (map, column) = (&self.project.map, place.column);
        let span = map.line(map.find(&place.file)?, place.line)?;
        let (_, first) = map.line_column(span.file, span.start);
        let skipped = map.slice(span).chars().take(column.saturating_sub(first) as usize).map(char::len_utf8);
        let start = span.start + u32::try_from(skipped.sum::<usize>()).ok()?;
        Some(Span::new(span.file, start.min(span.end), span.end))
    }

    /// The command that runs a sequence again.
    fn replay(&self, choices: &[stairway::generate::Choice]) -> String {
        self.about.command.replace(CHOICES, &quoted(&choice_line(choices)))
    }

    fn sequence<'s>(&'s self, observed: &'s Observations) -> Sequence<'s> {
        let is_broken = self.failure().is_some();
        let (definitions, steps) = (&observed.notes, &observed.steps);
        Sequence { project: self.project, definitions, steps, is_broken }
    }

    fn never_called(&self, out: &mut String) {
        if self.failure().is_some() || self.report.is_replay {
            return;
        }
        for (name, why) in self.never() {
            let _ = writeln!(out, "NEVER CALLED: `{name}`: {why}");
        }
    }

    /// The report as JSON; `docs/c-report.md` says what is in it.
    #[must_use]
    pub fn json(&self) -> String {
        json::of(self)
    }

    /// The failing sequence as a C program that fails without Stairway; nothing if nothing failed.
    #[must_use]
    pub fn test(&self) -> Option<String> {
        match &self.report.result.outcome {
            _ if self.is_unusable() => None,
            stairway::report::Outcome::Falsified(found) => {
                Some(reproduce::program(self, &found.failure, &found.observed))
            }
            stairway::report::Outcome::Flaky(flaky) => {
                let observed = flaky.failing.as_ref().unwrap_or(&flaky.observed);
                Some(reproduce::program(self, &flaky.failure, observed))
            }
            _ => None,
        }
    }
}

/// Whether a failure is that the system does not load the program.
fn is_unloadable(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::NotLoaded { is_users: true })
}

/// Whether a failure is a bug of ours: C code does not panic, and what was built can be loaded.
fn is_ours(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Panic(_) | FailureKind::NotLoaded { is_users: false })
}

/// A text as one word of a shell. Choices are full of characters in single quotes.
fn quoted(text: &str) -> String {
    if text.contains('\'') && !text.contains(['"', '$', '`', '\\', '!']) {
        return format!("\"{text}\"");
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_ours_and_a_clause_the_users() {
        assert!(is_ours(&Failure::new(FailureKind::Panic(stairway::report::Party::System))));
        assert!(is_ours(&Failure::new(FailureKind::NotLoaded { is_users: false })));
        let function = "panic_button".into();
        let fault = stairway::report::CallFault::Clause(stairway::report::ContractClause::Postcondition);
        assert!(!is_ours(&Failure::new(FailureKind::Call {
            fault,
            function,
            reach: stairway::report::Reach::Directly
        })));
        assert!(!is_ours(&Failure::new(FailureKind::Process(stairway::report::ProcessEnd::Signal(11)))));
    }
}
