//! The report as text, and as a line of JSON.
//!
//! Writes what was found piece by piece to the caller; nothing is put together in memory, and nothing is
//! decided.

use crate::abi::{self, Report};
use crate::confidence::CONFIDENCE;
use crate::frames::{self, Frame};
use crate::live::{Kind, Live, Site, output};
use crate::result_codes::{self, Mistake};
use crate::spec::{pointee, text};
use core::fmt::{self, Display, Write};
use stairway_engine::{Decision, ShrinkSummary, Verdict};

/// Writes to the caller.
struct Output<'a>(&'a abi::Settings);

impl Write for Output<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        output(self.0, text.as_bytes());
        Ok(())
    }
}

/// A mistake in what was given.
pub(crate) fn wrong(settings: &abi::Settings, wrong: &Mistake) {
    if frames::are_wanted(settings) {
        return frames::wrong(settings, wrong);
    }
    let mut out = Output(settings);
    let code = result_codes::name(wrong.code).to_str().unwrap_or("");
    let _ = write!(out, "stairway: {code}: {}", wrong.what);
    let _ = if wrong.whose.is_empty() { writeln!(out) } else { writeln!(out, " (`{}`)", wrong.whose) };
}

/// How much memory it would take.
pub(crate) fn memory(settings: &abi::Settings, needed: usize) {
    if frames::are_wanted(settings) {
        let frame = Frame::new(settings, "memory");
        return frame.number(settings.memory_size as u64).number(needed as u64).end();
    }
    let _ = writeln!(Output(settings), "    it has {} bytes and {needed} are needed", settings.memory_size);
}

/// What is about to happen; the seed is always said.
pub(crate) fn head(live: &Live, seed: u64) {
    if frames::are_wanted(live.spec.settings) {
        return frames::head(live, seed);
    }
    let mut out = Output(live.spec.settings);
    let limits = &live.spec.limits;
    let _ = write!(out, "stairway: seed {seed:#x}");
    if live.spec.settings.verbosity == 2 {
        let _ = writeln!(out);
        return;
    }
    let (min, max) = (limits.min_properties, limits.max_properties);
    let _ = match limits.exhaustive.and_then(|exhaustive| exhaustive.depth) {
        Some(depth) => writeln!(out, ", every sequence of up to {depth} properties"),
        None => writeln!(out, ", {} tests of {min} to {max} properties", limits.n_tests),
    };
    if limits.has_native_widths {
        let bits = usize::BITS;
        let _ = writeln!(out, "    `long` and `size_t` are drawn by this target's {bits} bits");
    }
    if !limits.is_repeatable {
        let _ = writeln!(out, "    without `reset` a failing test is shown as it was found");
    }
    left_out(live);
}

/// What this library was built without, where somebody asks for it.
fn left_out(live: &Live) {
    let mut out = Output(live.spec.settings);
    let limits = &live.spec.limits;
    if !cfg!(feature = "shrinking") && limits.max_shrink_runs > 0 && limits.is_repeatable {
        let _ = writeln!(out, "    built without shrinking: a failing test is shown as it was found");
    }
    let wants_statistics = limits.n_states > 0 || limits.n_statistics > 0;
    if !cfg!(feature = "statistics") && wants_statistics {
        let _ = writeln!(out, "    built without statistics: there are no figures about states and values");
    }
}

/// Every sequence was tried.
pub(crate) fn explored(live: &Live, found: &Report, bound: Option<u64>) {
    let mut out = Output(live.spec.settings);
    match live.spec.settings.verbosity {
        2 => return,
        frames::FRAMES => return frames::explored(live, found, bound),
        _ => {}
    }
    let (depth, n, n_pruned) = (found.explored_depth, found.n_sequences, found.n_pruned);
    let _ = writeln!(
        out,
        "  explored every sequence of up to {depth} properties: {n} runs at that length, {n_pruned} pruned"
    );
    if let Some(bound) = bound {
        let _ = writeln!(out, "    numbers and lengths took their {} simplest values", bound + 1);
    }
}

/// A test begins that is shown step by step.
pub(crate) fn test(live: &Live) {
    let _ = writeln!(Output(live.spec.settings), "test {}:", live.n_tests.get());
}

/// A place in C source.
struct Place(*const core::ffi::c_char, core::ffi::c_int);

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_null() { Ok(()) } else { write!(f, " ({}:{})", text(self.0), self.1) }
    }
}

/// What failed, before it is shown.
pub(crate) fn falsified(live: &Live, site: &Site, found: &Report) {
    if frames::are_wanted(live.spec.settings) {
        return frames::falsified(live, site, found);
    }
    let mut out = Output(live.spec.settings);
    let name = text(found.failed_property);
    let place = Place(site.file, site.line);
    let _ = match site.kind {
        Kind::Condition | Kind::Unsaid => write!(out, "FAILED: `{name}` does not hold{place}"),
        Kind::Hang => write!(out, "FAILED: `{name}` does not return"),
        Kind::Crash if site.message.is_null() => write!(out, "FAILED: `{name}` crashes"),
        Kind::Crash => write!(out, "FAILED: `{name}` crashes ({})", text(site.message)),
        Kind::Stuck => write!(out, "FAILED: a state in which no property is eligible"),
        Kind::Endless => write!(out, "FAILED: a state from which no cleanup property became eligible"),
    };
    let quiet = live.spec.settings.verbosity == 2;
    let _ = if quiet { writeln!(out, "{}", Seed(found.seed)) } else { writeln!(out, "\n") };
}

struct Seed(u64);

impl Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", seed {:#x}", self.0)
    }
}

/// What there is to say about the failing test once it was shown.
pub(crate) fn after_steps(live: &Live, site: &Site, found: &Report, shrinking: &ShrinkSummary) {
    if frames::are_wanted(live.spec.settings) {
        return frames::after_steps(live, site, found, shrinking);
    }
    let mut out = Output(live.spec.settings);
    let _ = match site.kind {
        Kind::Condition => Ok(()),
        Kind::Unsaid => writeln!(out, "      the body gave SW_FAIL"),
        Kind::Hang => writeln!(out, "      the guard gave SW_HANG"),
        Kind::Crash if site.message.is_null() => writeln!(out, "      the guard gave SW_CRASH"),
        // What has no number has no address either: an assertion.
        Kind::Crash if site.signal == 0 => Ok(()),
        Kind::Crash => {
            writeln!(out, "      {} at address {:#x}", text(site.message), found.failed_address)
        }
        Kind::Stuck => writeln!(
            out,
            "  now every precondition is false: the system is in an inconsistent state, or they ask for too much"
        ),
        Kind::Endless => writeln!(out, "  and so many more; a cleanup property asks for too much"),
    };
    let _ = write!(out, "\n  found in test {}", found.failed_test);
    let _ = match (live.spec.limits.is_repeatable, found.n_shrink_runs, found.is_minimal) {
        (false, ..) => writeln!(out, "; seed {:#x} gives it again", found.seed),
        (_, 0, _) => writeln!(out, ", shown as it was found; seed {:#x} gives it again", found.seed),
        (_, n, true) => {
            writeln!(out, ", made as small as it gets in {n} runs; seed {:#x} gives it again", found.seed)
        }
        (_, n, false) => writeln!(out, ", made smaller in {n} runs and not finished; raise max_shrink_runs"),
    };
    others(live, site);
}

/// Failures at other places, met while this one was made smaller.
fn others(live: &Live, shown: &Site) {
    let mut out = Output(live.spec.settings);
    for site in (0..live.n_sites()).filter_map(|at| live.site(at)) {
        let is_shown = site.kind == shown.kind && site.op == shown.op && site.line == shown.line;
        if let Some(op) = site.op.filter(|_| !is_shown) {
            let name = text(live.operations[op].property.name);
            let _ = writeln!(out, "  met on the way: `{name}` fails as well{}", Place(site.file, site.line));
        }
    }
}

/// The same test did not fail again.
pub(crate) fn flaky(live: &Live, site: Option<&Site>, found: &Report, then: &Verdict) {
    if let (true, Some(site)) = (frames::are_wanted(live.spec.settings), site) {
        return frames::flaky(live, site, found, then);
    }
    let mut out = Output(live.spec.settings);
    let name = text(found.failed_property);
    let place = Place(found.failed_file, found.failed_line);
    let _ = writeln!(
        out,
        "FLAKY: `{name}` failed{place} in test {}, and did not when it was run again",
        found.failed_test
    );
    let _ = writeln!(out, "    does `reset` bring everything back? does something depend on time?");
}

/// Too little was tried.
pub(crate) fn gave_up(live: &Live, report: &stairway_engine::Report) {
    if frames::are_wanted(live.spec.settings) {
        return; // the verdict says it all
    }
    let mut out = Output(live.spec.settings);
    let (n, n_discarded) = (report.statistics.n_passed, report.statistics.n_discarded);
    let n_choices = live.spec.limits.n_choices;
    let _ = writeln!(out, "GAVE UP: {n} tests passed and {n_discarded} were thrown away");
    let _ = writeln!(
        out,
        "    they drew more than {n_choices} values: raise max_choices, or lower max_properties or lengths"
    );
}

/// What was exercised, and the verdict.
pub(crate) fn tail(live: &Live, report: &stairway_engine::Report, found: &Report) {
    let settings = live.spec.settings;
    if frames::are_wanted(settings) {
        return frames::tail(live, report, found);
    }
    let mut out = Output(settings);
    let is_quiet = settings.verbosity == 2;
    // The few tests before a failure say little, unless somebody wants to know.
    let has_failed = matches!(found.result, result_codes::FAILED | result_codes::FLAKY);
    if found.result >= 0 && !is_quiet && cfg!(feature = "statistics") {
        let wanted = if has_failed && settings.statistics == 0 { 1 } else { settings.statistics };
        if matches!(wanted, 0 | 2) {
            automatic(live, report);
        }
        if matches!(wanted, 0 | 3) {
            user_statistics(live);
        }
    }
    if found.result >= 0 && !is_quiet && !has_failed {
        demands(live, report);
        if live.spec.limits.n_states > 0 && cfg!(feature = "statistics") {
            assurance(live, found);
        }
        silences(live, report);
        let is_random = live.spec.limits.exhaustive.is_none();
        if cfg!(feature = "statistics") && is_random && found.result == result_codes::PASSED {
            let (percent, confidence) = (Percent(100.0 * found.most_failing), 100.0 * CONFIDENCE);
            let _ = writeln!(
                out,
                "  one more test fails with a chance of at most {percent} ({} % confidence)",
                confidence as u32
            );
        }
    }
    let _ = match found.result {
        result_codes::PASSED => {
            writeln!(out, "PASSED: {} tests, {} properties", found.n_tests, found.n_calls)
        }
        result_codes::UNCOVERED => {
            writeln!(out, "UNCOVERED: a demand is not met, or a property never ran; see above")
        }
        _ => Ok(()),
    };
    if settings.json && cfg!(feature = "statistics") {
        json(live, report, found);
    }
}

/// Calls, starts, and what followed what.
fn automatic(live: &Live, report: &stairway_engine::Report) {
    let mut out = Output(live.spec.settings);
    let counts = &report.statistics.program;
    let n = counts.n_done.len();
    let width = counts.names.iter().map(|name| name.len()).max().unwrap_or(0).clamp(8, 24);
    let followed_by = if counts.follow.is_empty() { "" } else { "  followed by" };
    let _ = writeln!(out, "  {:width$}    calls   starts{followed_by}", "property");
    for op in 0..n {
        let _ =
            write!(out, "  {:width$} {:8} {:8} ", counts.names[op], counts.n_done[op], counts.n_first[op]);
        let followed = counts.follow.get(op * n..(op + 1) * n).unwrap_or_default();
        for (next, times) in followed.iter().enumerate().filter(|(_, n)| **n > 0) {
            let _ = write!(out, " {} {times}", counts.names[next]);
        }
        if counts.n_refused[op] > 0 {
            let _ = write!(out, " (refused {})", counts.n_refused[op]);
        }
        let _ = writeln!(out);
    }
}

fn user_statistics(live: &Live) {
    let mut out = Output(live.spec.settings);
    let mut measures = live.measures.borrow_mut();
    for operation in &live.operations {
        let statistics = operation.property.statistics.iter().map_while(|pointer| pointee(*pointer));
        for (k, statistic) in statistics.enumerate() {
            let Some(measure) = measures.get_mut(operation.first_statistic + k) else { continue };
            let (property, name) = (text(operation.property.name), text(statistic.name));
            let mean = measure.mean_in_tenths();
            let _ = write!(out, "  {name} after {property}: {} times", measure.n);
            if measure.n > 0 {
                let (least, most) = (measure.least, measure.most);
                let sign = if mean < 0 { "-" } else { "" };
                let (whole, tenth) = (mean.unsigned_abs() / 10, mean.unsigned_abs() % 10);
                let _ = write!(out, ", {least} to {most}, mean {sign}{whole}.{tenth};");
            }
            let (n_other, rows) = (measure.n_other, measure.rows());
            for (value, n) in rows {
                let _ = write!(out, " {value}: {n}");
            }
            let _ = if n_other > 0 { writeln!(out, " others: {n_other}") } else { writeln!(out) };
        }
    }
}

/// Hundredths as a number with two digits after the point, without the machinery for floats.
struct Percent(f64);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0 + 0.5) as u64;
        write!(f, "{}.{:02} %", hundredths / 100, hundredths % 100)
    }
}

fn demands(live: &Live, report: &stairway_engine::Report) {
    let mut out = Output(live.spec.settings);
    for (name, demand) in report.statistics.demands.iter() {
        let verdict = match demand.decide() {
            Decision::Met => "met",
            Decision::NotMet => "NOT MET",
            Decision::Open => "too few tests to say",
        };
        let (reached, wanted) = (Percent(demand.reached()), Percent(demand.percent));
        let _ = writeln!(out, "  {name}: in {reached} of tests, demanded {wanted}: {verdict}");
    }
}

fn assurance(live: &Live, found: &Report) {
    let mut out = Output(live.spec.settings);
    let at_least = if found.is_table_full { "at least " } else { "" };
    let _ = writeln!(
        out,
        "  reached {at_least}{} states and {} transitions",
        found.n_states, found.n_transitions
    );
    if found.is_table_full {
        let _ = writeln!(out, "    there were more than can be told apart: raise max_states");
        return;
    }
    let (state, transition) =
        (Percent(100.0 * found.new_state_chance), Percent(100.0 * found.new_transition_chance));
    let _ = writeln!(
        out,
        "  chance that one more test reaches a new state {state}, takes a new transition {transition}"
    );
}

/// What was asked for and did not happen.
fn silences(live: &Live, report: &stairway_engine::Report) {
    let mut out = Output(live.spec.settings);
    let counts = &report.statistics.program;
    for (name, n) in counts.names.iter().zip(&counts.n_done) {
        if *n == 0 && report.statistics.n_passed > 0 {
            let _ = writeln!(out, "  `{name}` never ran in a passing test");
        }
    }
    if live.n_short.get() > 0 {
        let min = live.spec.limits.min_properties;
        let _ = writeln!(
            out,
            "  {} tests ended with fewer than {min} properties: no other was eligible",
            live.n_short.get()
        );
    }
    if report.statistics.n_discarded > 0 {
        let _ =
            writeln!(out, "  {} tests were thrown away: raise max_choices", report.statistics.n_discarded);
    }
}

/// Text within a JSON string.
struct Json<'a>(&'a str);

impl Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c < ' ' => write!(f, "\\u{:04x}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// One line for machines.
fn json(live: &Live, report: &stairway_engine::Report, found: &Report) {
    let mut out = Output(live.spec.settings);
    let result = result_codes::name(found.result).to_str().unwrap_or("");
    let _ = write!(out, "{{\"stairway\":\"{}\",\"result\":\"{result}\"", env!("CARGO_PKG_VERSION"));
    let _ = write!(
        out,
        ",\"seed\":\"{:#x}\",\"tests\":{},\"discarded\":{}",
        found.seed, found.n_tests, found.n_discarded
    );
    let _ = write!(out, ",\"calls\":{}", found.n_calls);
    if matches!(found.result, result_codes::FAILED | result_codes::FLAKY) {
        let (set, property) = (Json(text(found.failed_set)), Json(text(found.failed_property)));
        let (message, file) = (Json(text(found.failed_message)), Json(text(found.failed_file)));
        let _ = write!(
            out,
            ",\"failed\":{{\"set\":\"{set}\",\"property\":\"{property}\",\"message\":\"{message}\""
        );
        let _ =
            write!(out, ",\"file\":\"{file}\",\"line\":{},\"test\":{}", found.failed_line, found.failed_test);
        let _ = write!(out, ",\"steps\":{},\"shrink_runs\":{}", found.n_steps, found.n_shrink_runs);
        let _ = write!(out, ",\"minimal\":{}}}", found.is_minimal);
    }
    let _ = write!(out, ",\"properties\":[");
    let counts = &report.statistics.program;
    for (op, operation) in live.operations.iter().enumerate().take(counts.n_done.len()) {
        let (set, name) =
            (Json(text(live.spec.sets[operation.set].name)), Json(text(operation.property.name)));
        let comma = if op == 0 { "" } else { "," };
        let (calls, starts) = (counts.n_done[op], counts.n_first[op]);
        let _ = write!(
            out,
            "{comma}{{\"set\":\"{set}\",\"name\":\"{name}\",\"calls\":{calls},\"starts\":{starts}}}"
        );
    }
    let _ = write!(out, "],\"demands\":[");
    for (k, (name, demand)) in report.statistics.demands.iter().enumerate() {
        let comma = if k == 0 { "" } else { "," };
        let (hits, of) = (demand.n_hits, demand.n);
        let _ = write!(out, "{comma}{{\"name\":\"{}\",\"hits\":{hits},\"tests\":{of}}}", Json(name));
    }
    let _ = write!(out, "]");
    if live.spec.limits.n_states > 0 {
        let per_million = |chance: f64| (chance * 1e6 + 0.5) as u64;
        let _ = write!(out, ",\"states\":{},\"transitions\":{}", found.n_states, found.n_transitions);
        let _ = write!(out, ",\"table_full\":{}", found.is_table_full);
        let _ = write!(out, ",\"new_state_per_million\":{}", per_million(found.new_state_chance));
        let _ = write!(out, ",\"new_transition_per_million\":{}", per_million(found.new_transition_chance));
    }
    let _ = writeln!(out, "}}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn figures_and_texts_are_written_as_they_should() {
        assert_eq!(Percent(12.345).to_string(), "12.35 %");
        assert_eq!(Percent(0.0).to_string(), "0.00 %");
        assert_eq!(Json("a\"b\\c\n").to_string(), "a\\\"b\\\\c\\u000a");
    }
}
