//! The report as frames, for a program at the other end of a link: `stairway embedded run`.
//!
//! A frame is a line, `~number kind field field*checksum`. Numbers count the frames since the start, so that
//! a lost line leaves a gap and a repeated one shows; the checksum (CRC-16/CCITT of what is between `~` and
//! `*`) tells a garbled one. Numbers are hexadecimal; bytes of texts that are not printable, and those with a
//! meaning here, are `%` and two digits; `%` alone is an empty text. Frames hold data: words for them are
//! chosen where they are read. Nothing is put together in memory.

use crate::abi::{self, Report};
use crate::live::{Live, Site, output};
use crate::result_codes::{self, Mistake};
use crate::spec::{pointee, text};
use core::sync::atomic::{AtomicU32, Ordering};
use stairway_engine::{ShrinkSummary, Verdict};

/// `SW_FRAMES`
pub(crate) const FRAMES: abi::Verbosity = 3;

/// How many frames were begun since the start of the program. A second run goes on counting.
static N_FRAMES: AtomicU32 = AtomicU32::new(0);
/// The checksum of the open frame, so far.
static SUM: AtomicU32 = AtomicU32::new(0);
/// The kind of text that is being written, or none: 1 while a frame of plain text is open.
static IS_TEXT_OPEN: AtomicU32 = AtomicU32::new(0);

/// Whether frames are wanted instead of text.
pub(crate) const fn are_wanted(settings: &abi::Settings) -> bool {
    settings.verbosity == FRAMES
}

/// One byte more of what a checksum is of.
const fn summed(sum: u32, byte: u8) -> u32 {
    let mut sum = sum ^ (byte as u32) << 8;
    let mut bit = 0;
    while bit < 8 {
        sum = if sum & 0x8000 == 0 { sum << 1 } else { sum << 1 ^ 0x1021 };
        bit += 1;
    }
    sum & 0xFFFF
}

/// A frame that is being written.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'s>(&'s abi::Settings);

impl<'s> Frame<'s> {
    /// Begins a frame of this kind.
    pub(crate) fn new(settings: &'s abi::Settings, kind: &str) -> Self {
        let frame = Frame(settings);
        if IS_TEXT_OPEN.load(Ordering::Relaxed) != 0 {
            frame.end();
        }
        let number = N_FRAMES.load(Ordering::Relaxed);
        N_FRAMES.store(number.wrapping_add(1), Ordering::Relaxed);
        output(settings, b"~");
        SUM.store(0xFFFF, Ordering::Relaxed);
        frame.digits(number.into()).raw(b" ").raw(kind.as_bytes())
    }

    fn raw(self, bytes: &[u8]) -> Self {
        let sum = bytes.iter().fold(SUM.load(Ordering::Relaxed), |sum, byte| summed(sum, *byte));
        SUM.store(sum, Ordering::Relaxed);
        output(self.0, bytes);
        self
    }

    fn digits(self, number: u64) -> Self {
        let n_digits = (number.checked_ilog2().unwrap_or(0) / 4 + 1) as usize;
        let mut digits = [0; 16];
        for (at, digit) in digits[..n_digits].iter_mut().enumerate() {
            *digit = hexadecimal((number >> (4 * (n_digits - 1 - at))) as u8);
        }
        self.raw(&digits[..n_digits])
    }

    /// A field with a number; one below 0 as two's complement of 64 bits.
    pub(crate) fn number(self, number: u64) -> Self {
        self.raw(b" ").digits(number)
    }

    /// A field with a text.
    pub(crate) fn text(self, text: &str) -> Self {
        self.raw(b" ").bytes(text.as_bytes()).raw(if text.is_empty() { b"%" } else { b"" })
    }

    /// More of the last field.
    fn bytes(self, mut bytes: &[u8]) -> Self {
        while let Some(first) = bytes.first() {
            let n_plain = bytes.iter().take_while(|byte| is_plain(**byte)).count();
            if n_plain == 0 {
                self.raw(&[b'%', hexadecimal(first >> 4), hexadecimal(*first)]);
            } else {
                self.raw(&bytes[..n_plain]);
            }
            bytes = &bytes[n_plain.max(1)..];
        }
        self
    }

    /// Ends the frame.
    pub(crate) fn end(self) {
        IS_TEXT_OPEN.store(0, Ordering::Relaxed);
        let sum = SUM.load(Ordering::Relaxed);
        let digit = |place: u32| hexadecimal((sum >> (4 * place)) as u8);
        output(self.0, &[b'*', digit(3), digit(2), digit(1), digit(0), b'\n']);
    }

    /// Ends the frame with a field of what is written next, up to [`end_text`] or the next frame.
    pub(crate) fn open_text(self) {
        self.raw(b" ");
        IS_TEXT_OPEN.store(1, Ordering::Relaxed);
    }
}

const fn hexadecimal(digit: u8) -> u8 {
    match digit & 0xF {
        digit @ 0..=9 => b'0' + digit,
        digit => b'a' - 10 + digit,
    }
}

const fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x21..=0x7E) && !matches!(byte, b'%' | b'*' | b'~')
}

/// Ends the field of text that is open.
pub(crate) fn end_text(settings: &abi::Settings) {
    if IS_TEXT_OPEN.load(Ordering::Relaxed) != 0 {
        Frame(settings).end();
    }
}

/// Text as printers write it: into the field that is open, or a line of it into a frame of its own.
pub(crate) fn write(settings: &abi::Settings, bytes: &[u8]) {
    for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
        if IS_TEXT_OPEN.load(Ordering::Relaxed) == 0 {
            Frame::new(settings, "text").open_text();
        }
        let line = piece.strip_suffix(b"\n").unwrap_or(piece);
        Frame(settings).bytes(line);
        if line.len() < piece.len() {
            end_text(settings);
        }
    }
}

/// A mistake in what was given.
pub(crate) fn wrong(settings: &abi::Settings, wrong: &Mistake) {
    let code = result_codes::name(wrong.code).to_str().unwrap_or("");
    Frame::new(settings, "wrong").text(code).text(wrong.what).text(wrong.whose).end();
}

/// What is about to happen, and the names of everything.
pub(crate) fn head(live: &Live, seed: u64) {
    let (settings, limits) = (live.spec.settings, &live.spec.limits);
    let lacks_shrinking = !cfg!(feature = "shrinking") && limits.max_shrink_runs > 0;
    let wants_statistics = limits.n_states > 0 || limits.n_statistics > 0;
    Frame::new(settings, "start")
        .text(env!("CARGO_PKG_VERSION"))
        .number(seed)
        .number(limits.n_tests)
        .number(usize::BITS.into())
        .number(limits.has_native_widths.into())
        .number(limits.is_repeatable.into())
        .number(lacks_shrinking.into())
        .number((!cfg!(feature = "statistics") && wants_statistics).into())
        .end();
    for operation in &live.operations {
        Frame::new(settings, "property")
            .text(text(live.spec.sets[operation.set].name))
            .text(text(operation.property.name))
            .end();
    }
}

/// So many tests were run, or runs of shrinking made; said ever more rarely.
pub(crate) fn progress(live: &Live, kind: &str, n: u64) {
    if are_wanted(live.spec.settings) && n >= live.next_progress.get() {
        live.next_progress.set(n + 1 + n / 16);
        Frame::new(live.spec.settings, kind).number(n).end();
    }
}

/// A place in C source, and where in which set it is.
fn site(frame: Frame<'_>, site: &Site) {
    let op = site.op.map_or(0, |op| op as u64 + 1);
    let line = u64::from(site.line.unsigned_abs());
    frame
        .number(site.kind as u64)
        .number(op)
        .text(text(site.file))
        .number(line)
        .text(text(site.message))
        .end();
}

/// What failed, before its steps.
pub(crate) fn falsified(live: &Live, at: &Site, found: &Report) {
    let frame = Frame::new(live.spec.settings, "failed");
    site(frame.number(found.failed_test), at);
}

/// What is known once the steps were shown.
pub(crate) fn after_steps(live: &Live, shown: &Site, found: &Report, shrinking: &ShrinkSummary) {
    let settings = live.spec.settings;
    Frame::new(settings, "shrunk")
        .number(shrinking.n_runs)
        .number(shrinking.is_minimal.into())
        .number(shrinking.are_steps_needed.into())
        .number(found.failed_signal as u64)
        .number(found.failed_address as u64)
        .end();
    for other in (0..live.n_sites()).filter_map(|at| live.site(at)).filter(|other| !other.is_same(shown)) {
        site(Frame::new(settings, "other"), &other);
    }
}

/// The same test did not fail again.
pub(crate) fn flaky(live: &Live, at: &Site, found: &Report, then: &Verdict) {
    let has_passed = u64::from(matches!(then, Verdict::Passed));
    site(Frame::new(live.spec.settings, "flaky").number(found.failed_test).number(has_passed), at);
}

/// Every sequence was tried.
pub(crate) fn explored(live: &Live, found: &Report, bound: Option<u64>) {
    Frame::new(live.spec.settings, "explored")
        .number(found.explored_depth.into())
        .number(found.n_sequences)
        .number(found.n_pruned)
        .number(bound.map_or(0, |bound| bound + 1))
        .end();
}

/// What was exercised, and the verdict.
pub(crate) fn tail(live: &Live, report: &stairway_engine::Report, found: &Report) {
    let settings = live.spec.settings;
    if cfg!(feature = "statistics") {
        counts(live, report);
        measures(live);
    }
    for (name, demand) in report.statistics.demands.iter() {
        let percent = (demand.percent * 1e6 + 0.5) as u64;
        Frame::new(settings, "demand")
            .text(name)
            .number(percent)
            .number(demand.n_hits)
            .number(demand.n)
            .end();
    }
    if live.spec.limits.n_states > 0 && cfg!(feature = "statistics") {
        let per_million = |chance: f64| (chance * 1e6 + 0.5) as u64;
        Frame::new(settings, "reached")
            .number(found.n_states)
            .number(found.n_transitions)
            .number(found.is_table_full.into())
            .number(per_million(found.new_state_chance))
            .number(per_million(found.new_transition_chance))
            .end();
    }
    end(settings, found, live.n_short.get());
}

/// The verdict, and nothing more of this run.
pub(crate) fn end(settings: &abi::Settings, found: &Report, n_short: u64) {
    if are_wanted(settings) {
        Frame::new(settings, "end")
            .text(result_codes::name(found.result).to_str().unwrap_or(""))
            .number(found.n_tests)
            .number(found.n_discarded)
            .number((found.most_failing * 1e6 + 0.5) as u64)
            .number(n_short)
            .end();
    }
}

/// Calls, starts, and what followed what.
fn counts(live: &Live, report: &stairway_engine::Report) {
    let counts = &report.statistics.program;
    let n = counts.n_done.len();
    for op in 0..n {
        let mut frame = Frame::new(live.spec.settings, "counts")
            .number(op as u64)
            .number(counts.n_done[op])
            .number(counts.n_first[op])
            .number(counts.n_refused[op])
            .number(counts.n_impossible[op]);
        for times in counts.follow.get(op * n..(op + 1) * n).unwrap_or_default() {
            frame = frame.number(*times);
        }
        frame.end();
    }
}

/// The user's statistics.
fn measures(live: &Live) {
    let mut measures = live.measures.borrow_mut();
    for operation in &live.operations {
        let statistics = operation.property.statistics.iter().map_while(|pointer| pointee(*pointer));
        for (k, statistic) in statistics.enumerate() {
            let Some(measure) = measures.get_mut(operation.first_statistic + k) else { continue };
            let mut frame = Frame::new(live.spec.settings, "measured")
                .text(text(operation.property.name))
                .text(text(statistic.name))
                .number(measure.n_other);
            for (value, n) in measure.rows() {
                frame = frame.number(*value as u64).number(*n);
            }
            frame.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value that everybody gives for this sum.
    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(b"123456789".iter().fold(0xFFFF, |sum, byte| summed(sum, *byte)), 0x29B1);
    }

    #[test]
    fn what_has_a_meaning_in_a_frame_is_not_plain() {
        assert!(b" %*~\n\x80".iter().all(|byte| !is_plain(*byte)));
        assert!(b"aZ0(\"{".iter().all(|byte| is_plain(*byte)));
    }
}
