//! The choice stream: every nondeterministic decision of a case is drawn here.
//!
//! It draws from a [`Source`] and, where a record is wanted, writes it to two borrowed buffers. The draws are
//! inherent `const fn`s, so that const evaluation, machines without a heap and ordinary test runs share this
//! very type. It knows sources, records and limits and deliberately nothing of generators, properties or
//! verdicts; `draw.rs` has the draws, `bytes.rs` choices as a fuzzer's bytes and back, `counting.rs` all of
//! them one after the other, `hints.rs` those with values worth trying, `imprint.rs` what a drawn value is
//! known by when positions shift, `likely.rs` how likely their values are, `put.rs` choices made elsewhere,
//! `sums.rs` what is drawn in proportion to weights, `variation.rs` records that are only partly given.
//!
//! A random run that passes is never looked at again, so nothing is recorded unless asked for: the same seed
//! gives the same draws with and without a record.

mod bytes;
mod counting;
mod draw;
mod hints;
pub(crate) mod imprint;
mod lengths;
mod likely;
mod put;
mod rewind;
mod sums;
mod variation;

use crate::choice::{Choice, Shape, Value};
use crate::label::Label;
use crate::prng::Prng;
use crate::replay::Walk;
pub use counting::{COUNTED_VALUES, CountedChoice, MAX_DRAWN, RECORD};
pub use lengths::{Lengths, LongestLength};
pub use likely::Mix;
use likely::N_RECENT;
pub use rewind::Mark;
pub use sums::{LANES, Sums};
use variation::VariationState;

/// Where the choices of one case come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'b> {
    /// Drawn at random.
    Random(Prng),
    /// Taken from a record by index; past its end every choice is the simplest one.
    ///
    /// Indices that have become too large are lowered to the largest possible one, so any edit
    /// of a record is a valid source. A choice that may be unbounded (a number, a length)
    /// takes at most the index `bound`: counting through all choices needs a bound.
    ///
    /// With the record's spans, each span that is drawn again keeps to its own part of the record.
    Replay {
        /// The recorded choices.
        choices: &'b [Choice],
        /// The recorded spans; without them choices are taken strictly in order.
        spans: Option<&'b [Span]>,
        /// Largest index for numbers, lengths, floats and characters.
        bound: u64,
    },
    /// Taken from a record by index, as in a replay, and drawn at random where the record has nothing: behind
    /// its last step, or in a span that was emptied. This is how programs that were kept are varied.
    Varied {
        /// The recorded choices, edited.
        choices: &'b [Choice],
        /// The recorded spans.
        spans: &'b [Span],
        /// What is drawn where nothing is recorded.
        prng: Prng,
    },
    /// Counted through: as in a replay, but the choices that are wanted are the first ones of what was drawn
    /// before; see [`Choices::counting`].
    Counting {
        /// How many of them are wanted.
        n: usize,
        /// Largest index for numbers, lengths, floats and characters.
        bound: u64,
    },
    /// Another structure with the same numbers: booleans and alternatives are taken from
    /// `structure` in order, everything else from `numbers` in order; past the ends the simplest.
    Reshape {
        /// Choices for booleans and alternatives.
        structure: &'b [Choice],
        /// Choices for everything else.
        numbers: &'b [Choice],
    },
    /// Taken by value, as stored in a file. A value that does not fit what is drawn stops the
    /// case: the generators have changed since.
    Script(&'b [Value<'b>]),
    /// Decoded from a fuzzer's bytes; when they have run out every choice is the simplest one.
    Bytes(&'b [u8]),
}

/// A stretch of choices that belong together: one element, one field, one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// Index of the first choice in it.
    pub start: u32,
    /// Index past the last choice in it; [`Span::OPEN`] until it is closed.
    pub end: u32,
    /// The span around it, as an index among the spans; [`Span::OPEN`] at the top.
    pub parent: u32,
    /// What kind of thing it is; equal labels may replace each other in shrinking.
    pub label: Label,
    /// Whether the value was thrown away (by a filter): shrinking removes it first.
    pub rejected: bool,
}

impl Span {
    /// Stands for "not closed" and "no parent".
    pub const OPEN: u32 = u32::MAX;
    /// A placeholder to fill buffers with.
    pub const BLANK: Span =
        Span { start: 0, end: 0, parent: Span::OPEN, label: Label::Value(""), rejected: false };
}

/// Why a stream gives no more choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Halt {
    /// More choices were drawn than the limit or the buffer allows.
    Overrun,
    /// A stored value does not fit what is drawn at this position of the script.
    Mismatch {
        /// How many stored values had been used.
        at: u32,
    },
    /// The generator itself is wrong.
    Fault(Fault),
}

/// What is wrong with a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fault {
    /// A range without values.
    EmptyRange,
    /// Nothing to choose from, or only alternatives of weight 0.
    NoAlternative,
    /// Spans nested deeper than the limit: a generator that recurs for ever.
    TooDeep,
}

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Fault::EmptyRange => "a range without values; check its bounds, or assume that it has some first",
            Fault::NoAlternative => "nothing to choose from; give at least one alternative a weight above 0",
            Fault::TooDeep => {
                "values nested deeper than the limit; give the recursion a base case, or use `recursive`"
            }
        })
    }
}

/// How deep spans may nest before a generator counts as recurring for ever.
pub const MAX_DEPTH: u32 = 128;
/// How many choices a case may draw unless told otherwise.
pub const MAX_CHOICES: usize = 1 << 20;
/// Value of the size at which generators reach their full extent.
pub const FULL_SIZE: u32 = 100;

/// The stream of choices of one case.
///
/// ```
/// use stairway_choice::{Choices, Prng, Source};
/// const DIE: i64 = Choices::new(Source::Random(Prng::new(4)), 100).signed(1, 6, 1);
/// assert!((1..=6).contains(&DIE));
/// ```
#[derive(Debug)]
pub struct Choices<'b> {
    source: Source<'b>,
    /// The other source of a record that is varied; see `variation.rs`.
    varied: Option<VariationState<'b>>,
    /// How much of the source has been used, in values, bytes or structural choices.
    used: usize,
    walk: Walk<'b>,
    choices: &'b mut [Choice],
    spans: &'b mut [Span],
    /// What is counted through, where it is.
    counted: &'b mut [CountedChoice],
    recording: bool,
    /// Whether choices come from chance and nothing is kept of them: what nearly every case of
    /// a run is, so one look at this has to do.
    is_quiet: bool,
    n: usize,
    limit: usize,
    n_spans: usize,
    current: u32,
    depth: u32,
    max_depth: u32,
    size: u32,
    halt: Option<Halt>,
    clipped: bool,
    n_steps: Option<u64>,
    /// How long the collections became that may be very long; kept when the stream is restarted.
    lengths: Lengths,
    /// The latest integers, so that equal ones turn up more often than chance has it; 0 at first.
    recent: [u64; N_RECENT],
    /// The latest character.
    recent_character: char,
}

impl<'b> Choices<'b> {
    /// A stream from `source`, without a record. `size` from 0 to [`FULL_SIZE`] bounds how large
    /// random values are likely to be.
    #[inline(always)]
    #[must_use]
    pub const fn new(source: Source<'b>, size: u32) -> Self {
        let walk = match source {
            Source::Replay { choices, spans, .. } => Walk::new(choices, spans),
            Source::Reshape { numbers, .. } => Walk::new(numbers, None),
            Source::Varied { choices, spans, .. } => Walk::new(choices, Some(spans)),
            _ => Walk::new(&[], None),
        };
        let is_quiet = matches!(source, Source::Random(_));
        let (source, varied) = match source {
            Source::Varied { choices, spans, prng } => VariationState::sources(choices, spans, prng),
            source => (source, None),
        };
        let limit = if varied.is_some() { 0 } else { MAX_CHOICES };
        Choices {
            source,
            varied,
            is_quiet,
            used: 0,
            walk,
            choices: &mut [],
            spans: &mut [],
            counted: &mut [],
            recording: false,
            n: 0,
            limit,
            n_spans: 0,
            current: Span::OPEN,
            depth: 0,
            max_depth: MAX_DEPTH,
            size,
            halt: None,
            clipped: false,
            lengths: Lengths::NONE,
            n_steps: None,
            recent: [0; N_RECENT],
            recent_character: 'a',
        }
    }

    /// Begins the next random case with the same stream: making a new one is what costs most, in const
    /// evaluation and elsewhere. Only for streams that keep no record and have not ended.
    #[inline]
    pub const fn restart(&mut self, prng: Prng) {
        self.source = Source::Random(prng);
        self.n = 0;
        self.recent = [0; N_RECENT];
        self.recent_character = 'a';
    }

    /// [`Choices::restart`] with another size, after a case that may have opened spans.
    #[inline]
    pub const fn restart_with(&mut self, prng: Prng, size: u32) {
        self.restart(prng);
        self.size = size;
        self.n_spans = 0;
        self.depth = 0;
        self.clipped = false;
    }

    /// Records into the two buffers; running out of either ends the case as discarded.
    #[inline]
    #[must_use]
    pub const fn recording(mut self, choices: &'b mut [Choice], spans: &'b mut [Span]) -> Self {
        self.record_into(choices, spans);
        self
    }

    /// Draws at most `n_choices` choices and nests at most `depth` spans.
    #[inline]
    #[must_use]
    pub const fn limited(mut self, n_choices: usize, depth: u32) -> Self {
        self.limit(n_choices, depth);
        self
    }

    /// Gives programs this many steps, where that is not to be drawn.
    #[inline]
    pub const fn fix_steps(&mut self, n_steps: Option<u64>) {
        self.n_steps = n_steps;
    }

    /// [`Choices::recording`], in place.
    #[inline]
    pub const fn record_into(&mut self, choices: &'b mut [Choice], spans: &'b mut [Span]) {
        self.limit_to(choices.len());
        self.choices = choices;
        self.spans = spans;
        self.recording = true;
        self.is_quiet = false;
    }

    /// [`Choices::limited`], in place.
    #[inline]
    pub const fn limit(&mut self, n_choices: usize, depth: u32) {
        self.limit_to(n_choices);
        self.max_depth = depth;
    }

    const fn limit_to(&mut self, n_choices: usize) {
        let limit = self.limit_mut();
        if n_choices < *limit {
            *limit = n_choices;
        }
    }

    /// How many choices have been drawn.
    #[must_use]
    pub const fn n_choices(&self) -> usize {
        self.n
    }

    /// How many spans have been opened.
    #[must_use]
    pub const fn n_spans(&self) -> usize {
        self.n_spans
    }

    /// The choices recorded so far; empty without a record.
    #[must_use]
    pub const fn recorded(&self) -> &[Choice] {
        if self.recording { self.choices.split_at(self.n).0 } else { &[] }
    }

    /// The spans recorded so far; empty without a record.
    #[must_use]
    pub const fn recorded_spans(&self) -> &[Span] {
        if self.recording { self.spans.split_at(self.n_spans).0 } else { &[] }
    }

    /// The size this case was given.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// How many spans are open.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// Why the stream has ended, if it has.
    #[must_use]
    pub const fn halted(&self) -> Option<Halt> {
        self.halt
    }

    /// Whether the choices are being counted through, so that every value has a case of its own:
    /// trying again for a better one would only repeat others.
    #[must_use]
    pub const fn is_counting(&self) -> bool {
        match self.source {
            Source::Replay { bound, .. } => bound < u64::MAX,
            Source::Counting { .. } => true,
            _ => false,
        }
    }

    /// Whether a choice had more values than the replay's bound, or a recursion more depth than
    /// the size let through.
    #[must_use]
    pub const fn was_clipped(&self) -> bool {
        self.clipped
    }

    /// How long the collections became that may be very long, since the stream was made.
    #[must_use]
    pub const fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// Whether a script was used to its end.
    #[must_use]
    pub const fn is_used_up(&self) -> bool {
        match self.source {
            Source::Script(values) => self.used == values.len(),
            _ => true,
        }
    }

    /// Ends the stream: the generator is wrong.
    pub const fn fault(&mut self, fault: Fault) {
        self.stop(Halt::Fault(fault));
    }

    const fn stop(&mut self, halt: Halt) {
        if self.halt.is_none() {
            self.halt = Some(halt);
            // From here on the one comparison with the limit turns every draw away.
            self.limit = 0;
            self.varied = None;
            self.is_quiet = false;
        }
    }

    /// Opens a span. Spans must be closed in the opposite order.
    #[inline(always)]
    pub const fn open(&mut self, label: Label) {
        self.depth += 1;
        if self.is_quiet && self.depth <= self.max_depth {
            self.n_spans += 1;
        } else {
            self.open_kept(label);
        }
    }

    /// [`Choices::open`] where the span has to be kept or followed.
    #[inline(never)]
    const fn open_kept(&mut self, label: Label) {
        if self.is_walking() {
            self.walk.enter(label);
        }
        if self.depth > self.max_depth {
            self.fault(Fault::TooDeep);
        }
        if self.halt.is_some() {
            return;
        }
        if self.recording {
            if self.n_spans >= self.spans.len() {
                self.stop(Halt::Overrun);
                return;
            }
            let start = self.n as u32;
            self.spans[self.n_spans] =
                Span { start, end: Span::OPEN, parent: self.current, label, rejected: false };
            self.current = self.n_spans as u32;
        }
        self.n_spans += 1;
    }

    /// Closes the innermost open span.
    #[inline(always)]
    pub const fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if !self.is_quiet {
            self.close_kept();
        }
    }

    /// [`Choices::close`] where the span was kept or followed.
    #[inline(never)]
    const fn close_kept(&mut self) {
        if self.is_walking() {
            self.walk.leave();
        }
        if self.recording && self.halt.is_none() && self.current != Span::OPEN {
            let span = &mut self.spans[self.current as usize];
            span.end = self.n as u32;
            self.current = span.parent;
        }
    }

    /// Closes the innermost open span, whose value was thrown away.
    pub const fn close_rejected(&mut self) {
        if self.recording && self.halt.is_none() && self.current != Span::OPEN {
            self.spans[self.current as usize].rejected = true;
        }
        self.close();
    }

    /// Counts a draw; false when there are no more to be had.
    #[inline]
    const fn may_draw(&mut self) -> bool {
        if self.n >= self.limit {
            return self.may_draw_varied();
        }
        self.n += 1;
        true
    }

    /// Whether draws follow a record.
    const fn is_walking(&self) -> bool {
        self.varied.is_some() || matches!(self.source, Source::Replay { .. })
    }

    /// The index that a source other than the random one has for this draw.
    const fn taken(&mut self, shape: Shape) -> u64 {
        let at = self.used;
        let largest = shape.largest_index();
        match self.source {
            Source::Random(ref mut prng) => prng.up_to(largest),
            // It was taken apart when the stream was made.
            Source::Varied { .. } => 0,
            Source::Replay { bound, .. } => {
                let clip = largest > bound && !shape.is_structural();
                self.clipped |= clip;
                let most = if clip { bound } else { largest };
                at_most(self.walk.next(), most)
            }
            Source::Counting { .. } => {
                // It counts the draw itself.
                self.n -= 1;
                self.counted(largest, shape.is_structural())
            }
            Source::Reshape { structure, .. } => {
                if !shape.is_structural() {
                    return at_most(self.walk.next(), largest);
                }
                self.used += 1;
                at_most(if at < structure.len() { Some(structure[at].index) } else { None }, largest)
            }
            Source::Script(values) => {
                if at < values.len() {
                    self.used += 1;
                    if let Some(index) = shape.index_of(&values[at]) {
                        return index;
                    }
                }
                self.stop(Halt::Mismatch { at: at as u32 });
                0
            }
            Source::Bytes(_) => self.decoded(shape),
        }
    }

    #[inline]
    const fn record_if_asked(&mut self, index: u64, shape: Shape) {
        if self.recording {
            self.record(Choice { index, shape });
        }
    }

    #[inline]
    const fn record(&mut self, choice: Choice) {
        // `may_draw` has counted this choice and checked it against the buffer.
        self.choices[self.n - 1] = choice;
    }
}

const fn at_most(index: Option<u64>, most: u64) -> u64 {
    match index {
        Some(index) if index > most => most,
        Some(index) => index,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    fn random(seed: u64) -> Choices<'static> {
        Choices::new(Source::Random(Prng::new(seed)), 50)
    }

    #[test]
    fn characters_that_programs_treat_specially_are_common() {
        let mut choices = Choices::new(Source::Random(Prng::new(5)), 100);
        let drawn: Vec<char> = (0..20_000).map(|_| choices.character(0, char::MAX as u32)).collect();
        let share = |is: &dyn Fn(char) -> bool| drawn.iter().filter(|c| is(**c)).count() * 1000 / drawn.len();
        for separator in ['\n', '\t', '\r', '\0', '"', '\'', '\\'] {
            assert!(share(&|c| c == separator) >= 5, "{separator:?}");
        }
        assert!(share(&|c| c.is_ascii()) > 600);
        assert!(share(&|c| c.len_utf8() > 2) > 50);
        assert!(drawn.windows(2).filter(|pair| pair[0] == pair[1]).count() * 1000 / drawn.len() >= 50);
    }

    #[test]
    fn one_type_serves_const_evaluation_and_run_time() {
        const fn sum() -> i64 {
            let mut buffer = [Choice::BLANK; 8];
            let mut spans = [Span::BLANK; 2];
            let mut c = Choices::new(Source::Random(Prng::new(9)), 10).recording(&mut buffer, &mut spans);
            c.open(Label::Value("pair"));
            let sum = c.signed(-5, 5, 0) + c.unsigned(0, 9, 0) as i64;
            c.close();
            assert!(c.recorded().len() == 2 && c.recorded_spans().len() == 1);
            sum
        }
        const SUM: i64 = sum();
        assert_eq!(SUM, sum());
    }

    #[test]
    fn a_record_replays_to_the_same_values() {
        let draw = |c: &mut Choices<'_>| {
            (
                c.signed(i64::MIN, i64::MAX, 0),
                c.unsigned(3, 1000, 5),
                c.chance(1, 3),
                c.length(0, 10),
                c.weighted(&[1, 0, 5], &[]),
                c.character(0, char::MAX as u32),
                c.float(-1e9, 1e9, true).to_bits(),
                c.byte(),
            )
        };
        for seed in 0..500 {
            let (mut buffer, mut again) = (vec![Choice::BLANK; 16], vec![Choice::BLANK; 16]);
            let plain = draw(&mut random(seed));
            let mut c = random(seed).recording(&mut buffer, &mut []);
            let first = draw(&mut c);
            assert_eq!(plain, first, "recording must not change what is drawn");
            let record: Vec<Choice> = c.recorded().to_vec();
            let mut c = Choices::new(Source::Replay { choices: &record, spans: None, bound: u64::MAX }, 0)
                .recording(&mut again, &mut []);
            assert_eq!(draw(&mut c), first);
            assert_eq!(c.recorded(), record);
            let script: Vec<Value<'_>> = record.iter().map(Choice::value).collect();
            let mut c = Choices::new(Source::Script(&script), 0);
            assert_eq!(draw(&mut c), first);
            assert!(c.is_used_up() && c.halted().is_none());
        }
    }

    #[test]
    fn values_stay_in_bounds_for_every_source() {
        for seed in 0..2000u64 {
            let bytes = seed.wrapping_mul(0x1234_5678_9ABC_DEF1).to_le_bytes();
            for mut c in [random(seed), Choices::new(Source::Bytes(&bytes), 3)] {
                assert!((-3..=40).contains(&c.signed(-3, 40, 0)));
                assert!((7..=9).contains(&c.unsigned(7, 9, 0)));
                assert!((2..=5).contains(&c.length(2, 5)));
                assert_eq!(c.weighted(&[0, 1, 0], &[]), 1);
                assert!((0.5..=0.75).contains(&c.float(0.5, 0.75, false)));
                assert!(('x'..='z').contains(&c.character('x' as u32, 'z' as u32)));
            }
        }
    }

    #[test]
    fn lengths_reach_the_bounds_that_were_asked_for() {
        for (min, max) in [(0, 1000), (640, 1536), (0, 300), (3, 20_000)] {
            let drawn = |seed| Choices::new(Source::Random(Prng::new(seed)), (seed % 101) as u32);
            let lengths: Vec<u64> = (0..256).map(|seed| drawn(seed).length(min, max)).collect();
            assert!(lengths.iter().all(|length| (min..=max).contains(length)));
            assert!(lengths.contains(&max), "{min}..={max}");
            let n_long = lengths.iter().filter(|length| **length > min + 104).count();
            assert!((8..64).contains(&n_long), "{min}..={max}: {n_long} long ones");
        }
        let within_sizes = (0..512).map(|seed| random(seed).length(0, 100)).max();
        assert!(within_sizes <= Some(100));
    }

    #[test]
    fn bounds_powers_and_repetitions_turn_up() {
        let (mut extremes, mut zeros, mut equal, mut powers) = (0, 0, 0, 0);
        for seed in 0..4000 {
            let mut c = random(seed);
            let (a, b) = (
                c.signed(i64::from(i32::MIN), i64::from(i32::MAX), 0),
                c.signed(i64::from(i32::MIN), i64::from(i32::MAX), 0),
            );
            extremes += i32::from(a == i64::from(i32::MAX) || a == i64::from(i32::MIN));
            zeros += i32::from(a == 0);
            equal += i32::from(a == b);
            powers += i32::from(a > 256 && a.count_ones() == 1);
        }
        assert!(
            extremes > 20 && zeros > 20 && equal > 20 && powers > 8,
            "{extremes} {zeros} {equal} {powers}"
        );
    }

    #[test]
    fn a_run_of_the_usual_length_meets_the_ends_of_varints() {
        let meets = |seed, hi: u64, wanted: u64| {
            let first =
                |case| Choices::new(Source::Random(Prng::for_case(seed, case)), 50).unsigned(0, hi, 0);
            (0..256).any(|case| first(case) == wanted)
        };
        for (hi, wanted) in
            [(u64::MAX, 128), (u64::MAX, 1 << 14), (1 << 32, 128), (1 << 32, 1 << 14), (65_535, 256)]
        {
            let n = (0..100).filter(|seed| meets(*seed, hi, wanted)).count();
            assert!(n >= 90, "{wanted} in 0..={hi}: {n} of 100");
        }
    }

    #[test]
    fn running_out_of_buffer_or_limit_halts_and_gives_simplest_values() {
        let mut buffer = [Choice::BLANK; 2];
        let mut c = random(1).recording(&mut buffer, &mut []);
        c.signed(1, 9, 5);
        c.byte();
        assert_eq!(c.halted(), None);
        assert_eq!(c.signed(1, 9, 5), 5);
        assert_eq!(c.halted(), Some(Halt::Overrun));
        assert_eq!(c.recorded().len(), 2);
        let mut c = random(1).limited(3, 8);
        for _ in 0..9 {
            c.byte();
        }
        assert_eq!((c.n_choices(), c.halted()), (3, Some(Halt::Overrun)));
    }

    #[test]
    fn wrong_generators_are_faults() {
        let mut c = random(1);
        c.signed(5, 4, 0);
        assert_eq!(c.halted(), Some(Halt::Fault(Fault::EmptyRange)));
        let mut c = random(1);
        c.weighted(&[0, 0], &[]);
        assert_eq!(c.halted(), Some(Halt::Fault(Fault::NoAlternative)));
        let mut c = random(1);
        for _ in 0..=MAX_DEPTH {
            c.open(Label::Value("down"));
        }
        assert_eq!(c.halted(), Some(Halt::Fault(Fault::TooDeep)));
    }

    #[test]
    fn a_script_that_no_longer_fits_says_where() {
        let script = [Value::Integer(4), Value::Boolean(true)];
        let mut c = Choices::new(Source::Script(&script), 0);
        assert_eq!(c.unsigned(0, 9, 0), 4);
        c.unsigned(0, 9, 0);
        assert_eq!(c.halted(), Some(Halt::Mismatch { at: 1 }));
    }

    #[test]
    fn spans_know_their_parents() {
        let (mut choices, mut spans) = ([Choice::BLANK; 9], [Span::BLANK; 9]);
        let mut c = random(3).recording(&mut choices, &mut spans);
        c.open(Label::Value("outer"));
        c.byte();
        c.open(Label::Value("inner"));
        c.byte();
        c.close();
        c.close();
        let spans = c.recorded_spans();
        assert_eq!((spans[0].start, spans[0].end, spans[0].parent), (0, 2, Span::OPEN));
        assert_eq!((spans[1].start, spans[1].end, spans[1].parent), (1, 2, 0));
    }

    #[test]
    fn recursion_ends_within_the_budget() {
        fn tree(c: &mut Choices<'_>) -> u32 {
            c.open(Label::Value("tree"));
            let nodes = match c.variant(&["Leaf", "Node", "Other"], 1) {
                0 => 1,
                _ => 1 + tree(c) + tree(c),
            };
            c.close();
            nodes
        }
        let (mut largest, mut total) = (0, 0);
        for seed in 0..1000 {
            let mut c = Choices::new(Source::Random(Prng::for_case(1, seed)), 100);
            let n = tree(&mut c);
            assert_eq!(c.halted(), None);
            largest = largest.max(n);
            total += n;
        }
        assert!(largest > 100 && total / 1000 >= 10, "largest {largest}, mean {}", total / 1000);
    }
}
