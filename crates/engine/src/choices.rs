//! The choice stream: every nondeterministic decision of a case is drawn here.
//!
//! Receives a [`Source`] and, where a record is wanted, two borrowed buffers; hands out values
//! and leaves the record behind. The draws are inherent `const fn`s, so that const evaluation,
//! machines without a heap and ordinary test runs share this very type. It knows the bounds and
//! the likelihood of a draw and deliberately nothing of generators, properties or verdicts.
//!
//! A random run that passes is never looked at again, so nothing is recorded unless asked for:
//! the same seed gives the same draws with and without a record.

use crate::choice::{
    self, Choice, Offset, Shape, Value, index_of_character, index_of_signed, index_of_unsigned,
};
use crate::float;
use crate::prng::{Prng, scale};
use crate::replay::Walk;

/// Where the choices of one case come from.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
pub struct Span {
    /// Index of the first choice in it.
    pub start: u32,
    /// Index past the last choice in it; [`Span::OPEN`] until it is closed.
    pub end: u32,
    /// The span around it, as an index among the spans; [`Span::OPEN`] at the top.
    pub parent: u32,
    /// What kind of thing it is; equal labels may replace each other in shrinking.
    pub label: &'static str,
    /// Whether the value was thrown away (by a filter): shrinking removes it first.
    pub rejected: bool,
}

impl Span {
    /// Stands for "not closed" and "no parent".
    pub const OPEN: u32 = u32::MAX;
    /// A placeholder to fill buffers with.
    pub const BLANK: Span = Span { start: 0, end: 0, parent: Span::OPEN, label: "", rejected: false };
}

/// Why a stream gives no more choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
#[non_exhaustive]
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
/// use stairway_engine::{Choices, Prng, Source};
/// const DIE: i64 = Choices::new(Source::Random(Prng::new(4)), 100).signed(1, 6, 1);
/// assert!((1..=6).contains(&DIE));
/// ```
#[derive(Debug)]
pub struct Choices<'b> {
    source: Source<'b>,
    /// How much of the source has been used, in values, bytes or structural choices.
    used: usize,
    walk: Walk<'b>,
    choices: &'b mut [Choice],
    spans: &'b mut [Span],
    recording: bool,
    n: usize,
    limit: usize,
    n_spans: usize,
    current: u32,
    depth: u32,
    max_depth: u32,
    size: u32,
    halt: Option<Halt>,
    clipped: bool,
    /// The latest integers, so that equal ones turn up more often than chance has it; 0 at first.
    recent: [u64; N_RECENT],
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
            _ => Walk::new(&[], None),
        };
        Choices {
            source,
            used: 0,
            walk,
            choices: &mut [],
            spans: &mut [],
            recording: false,
            n: 0,
            limit: MAX_CHOICES,
            n_spans: 0,
            current: Span::OPEN,
            depth: 0,
            max_depth: MAX_DEPTH,
            size,
            halt: None,
            clipped: false,
            recent: [0; N_RECENT],
        }
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

    /// [`Choices::recording`], in place.
    #[inline]
    pub(crate) const fn record_into(&mut self, choices: &'b mut [Choice], spans: &'b mut [Span]) {
        if choices.len() < self.limit {
            self.limit = choices.len();
        }
        self.choices = choices;
        self.spans = spans;
        self.recording = true;
    }

    /// [`Choices::limited`], in place.
    #[inline]
    pub(crate) const fn limit(&mut self, n_choices: usize, depth: u32) {
        if n_choices < self.limit {
            self.limit = n_choices;
        }
        self.max_depth = depth;
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
        matches!(self.source, Source::Replay { bound, .. } if bound < u64::MAX)
    }

    /// Whether a choice had more values than the replay's bound, or a recursion more depth than
    /// the size let through.
    #[must_use]
    pub const fn was_clipped(&self) -> bool {
        self.clipped
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
        }
    }

    /// Opens a span. Spans must be closed in the opposite order.
    #[inline]
    pub const fn open(&mut self, label: &'static str) {
        self.depth += 1;
        if let Source::Replay { .. } = self.source {
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
    #[inline]
    pub const fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if let Source::Replay { .. } = self.source {
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

    /// A signed integer in `lo..=hi`, in which `simplest` is what shrinking aims for.
    ///
    /// Random values mix a uniform draw with values near the simplest one, bounds, powers of two
    /// and repetitions of earlier values.
    #[inline]
    pub const fn signed(&mut self, lo: i64, hi: i64, simplest: i64) -> i64 {
        if lo > hi {
            self.fault(Fault::EmptyRange);
        }
        let simplest = clamp_signed(simplest, lo, hi);
        if !self.may_draw() {
            return simplest;
        }
        let v = match &mut self.source {
            Source::Random(prng) => {
                let range = Around::signed(lo, hi, simplest);
                let v = random_integer(prng, &self.recent, range, (self.size, self.n - 1));
                self.recent[(self.n - 1) % N_RECENT] = v;
                v as i64
            }
            _ => {
                let index = self.taken(Shape::Signed { lo, hi, simplest });
                choice::signed_at(index, lo, hi, simplest)
            }
        };
        if self.recording {
            let index = index_of_signed(v, lo, hi, simplest);
            self.record(Choice { index, shape: Shape::Signed { lo, hi, simplest } });
        }
        v
    }

    /// An unsigned integer in `lo..=hi`; see [`Choices::signed`].
    #[inline]
    pub const fn unsigned(&mut self, lo: u64, hi: u64, simplest: u64) -> u64 {
        if lo > hi {
            self.fault(Fault::EmptyRange);
        }
        let simplest = clamp_unsigned(simplest, lo, hi);
        if !self.may_draw() {
            return simplest;
        }
        let v = match &mut self.source {
            Source::Random(prng) => {
                let range = Around::unsigned(lo, hi, simplest);
                let v = random_integer(prng, &self.recent, range, (self.size, self.n - 1));
                self.recent[(self.n - 1) % N_RECENT] = v;
                v
            }
            _ => {
                let index = self.taken(Shape::Unsigned { lo, hi, simplest });
                choice::unsigned_at(index, lo, hi, simplest)
            }
        };
        if self.recording {
            let index = index_of_unsigned(v, lo, hi, simplest);
            self.record(Choice { index, shape: Shape::Unsigned { lo, hi, simplest } });
        }
        v
    }

    /// Hands `n` signed integers in `lo..=hi` to `push`, each a choice as in [`Choices::signed`].
    #[inline]
    pub(crate) fn each_signed(
        &mut self,
        (lo, hi, simplest): (i64, i64, i64),
        n: usize,
        mut push: impl FnMut(i64),
    ) {
        let simplest = clamp_signed(simplest, lo, hi);
        let range = Around::signed(lo, hi, simplest);
        if !self.each(Shape::Signed { lo, hi, simplest }, range, n, |v| push(v as i64)) {
            for _ in 0..n {
                push(self.signed(lo, hi, simplest));
            }
        }
    }

    /// Hands `n` unsigned integers in `lo..=hi` to `push`, each a choice as in
    /// [`Choices::unsigned`].
    #[inline]
    pub(crate) fn each_unsigned(
        &mut self,
        (lo, hi, simplest): (u64, u64, u64),
        n: usize,
        mut push: impl FnMut(u64),
    ) {
        let simplest = clamp_unsigned(simplest, lo, hi);
        let range = Around::unsigned(lo, hi, simplest);
        if !self.each(Shape::Unsigned { lo, hi, simplest }, range, n, &mut push) {
            for _ in 0..n {
                push(self.unsigned(lo, hi, simplest));
            }
        }
    }

    /// Draws many random integers at once; false if they have to be drawn one by one.
    #[inline(always)]
    fn each(&mut self, shape: Shape, range: Around, n: usize, mut push: impl FnMut(u64)) -> bool {
        let Source::Random(prng) = &mut self.source else { return false };
        if n < FEW || n > self.limit.saturating_sub(self.n) {
            return false;
        }
        let (mut stream, mut recent) = (*prng, self.recent);
        if self.recording {
            let mut at = self.n;
            random_many(&mut stream, &mut recent, range, (self.size, self.n), n, |v| {
                self.choices[at] = Choice { index: range.index_of(v), shape };
                at += 1;
                push(v);
            });
        } else {
            random_many(&mut stream, &mut recent, range, (self.size, self.n), n, push);
        }
        (*prng, self.recent, self.n) = (stream, recent, self.n + n);
        true
    }

    /// A truth value that is true `numerator` times in `denominator`.
    ///
    /// Impossible and certain outcomes are still choices, but only one way.
    #[inline]
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        if denominator == 0 {
            self.fault(Fault::NoAlternative);
        }
        if !self.may_draw() {
            return false;
        }
        let index = match &mut self.source {
            Source::Random(prng) => (prng.up_to(denominator as u64 - 1) < numerator as u64) as u64,
            _ => {
                let index = self.taken(Shape::Boolean);
                if numerator == 0 {
                    0
                } else if numerator >= denominator {
                    1
                } else {
                    index
                }
            }
        };
        self.record_if_asked(index, Shape::Boolean);
        index != 0
    }

    /// A number of elements in `min..=max`, which the caller then draws in the same span.
    pub const fn length(&mut self, min: u64, max: u64) -> u64 {
        if min > max {
            self.fault(Fault::EmptyRange);
            return min;
        }
        if !self.may_draw() {
            return min;
        }
        let index = match &mut self.source {
            Source::Random(prng) => {
                // Long enough to be interesting, shorter inside of deep structures and when
                // the case has become large already.
                let nesting = self.depth.saturating_sub(3);
                let mut most = if nesting > 8 { 1 } else { (self.size as u64 + 4) >> nesting };
                if self.n > choice_budget(self.size) {
                    most = 1;
                }
                if most > max - min {
                    most = max - min;
                }
                let word = prng.next_u64();
                match word & 31 {
                    0 => 0,
                    1 => most,
                    _ => scale(word, most),
                }
            }
            _ => self.taken(Shape::Length { min, max }),
        };
        self.record_if_asked(index, Shape::Length { min, max });
        min + index
    }

    /// A number of steps in `min..=max`, drawn like a length but not shortened by the size: half
    /// of all programs have as many steps as they may.
    pub const fn steps(&mut self, min: u64, max: u64) -> u64 {
        if min > max {
            self.fault(Fault::EmptyRange);
            return min;
        }
        if !self.may_draw() {
            return min;
        }
        let index = match &mut self.source {
            Source::Random(prng) => {
                let word = prng.next_u64();
                if word & 1 == 0 { max - min } else { scale(word, max - min) }
            }
            _ => self.taken(Shape::Length { min, max }),
        };
        self.record_if_asked(index, Shape::Length { min, max });
        min + index
    }

    /// Weights of one program, in percent: in every other program each is a factor between a
    /// tenth and ten, log-uniform, so that some programs do mostly one thing and some hardly do
    /// another; in the rest all are alike.
    ///
    /// Only the random source needs them; what was chosen is recorded, they are not.
    pub const fn swarm(&mut self, weights: &mut [u32]) {
        let Source::Random(prng) = &mut self.source else { return };
        if prng.next_u64() >> 63 == 0 {
            return;
        }
        let mut i = 0;
        while i < weights.len() {
            weights[i] = SWARM[(prng.next_u64() >> 59) as usize];
            i += 1;
        }
    }

    /// The number of the earlier step whose result is meant, one of `steps`, which are in
    /// ascending order and below `n`; recent ones are likelier.
    pub const fn reference(&mut self, steps: &[u32], n: u32) -> u32 {
        if steps.is_empty() {
            self.fault(Fault::NoAlternative);
            return 0;
        }
        if !self.may_draw() {
            return steps[0];
        }
        let shape = Shape::Reference { n: n as u64 };
        let step = match &mut self.source {
            Source::Random(prng) => {
                let word = prng.next_u64();
                let last = steps.len() - 1;
                if word & 3 == 0 { steps[last] } else { steps[scale(word, last as u64) as usize] }
            }
            _ => {
                let wanted = self.taken(shape);
                // A step that has no such result gives way to the latest one before it.
                let mut found = steps[0];
                let mut i = 1;
                while i < steps.len() && steps[i] as u64 <= wanted {
                    found = steps[i];
                    i += 1;
                }
                found
            }
        };
        self.record_if_asked(step as u64, shape);
        step
    }

    /// One of `n` alternatives, all alike.
    #[inline]
    pub const fn alternative(&mut self, n: u64) -> u64 {
        self.named_alternative(n, &[])
    }

    /// One of `n` alternatives with these names; a record stores the name.
    #[inline]
    pub const fn named_alternative(&mut self, n: u64, names: &'static [&'static str]) -> u64 {
        if n == 0 {
            self.fault(Fault::NoAlternative);
        }
        if !self.may_draw() {
            return 0;
        }
        let shape = Shape::Alternative { n, names };
        let index = match &mut self.source {
            Source::Random(prng) => prng.up_to(n - 1),
            _ => self.taken(shape),
        };
        self.record_if_asked(index, shape);
        index
    }

    /// An index into `weights`, drawn in proportion to them; one of weight 0 is never taken.
    pub const fn weighted(&mut self, weights: &[u32], names: &'static [&'static str]) -> usize {
        let (mut total, mut first, mut last, mut i) = (0u64, usize::MAX, 0, 0);
        while i < weights.len() {
            if weights[i] > 0 {
                first = if first == usize::MAX { i } else { first };
                last = i;
            }
            total += weights[i] as u64;
            i += 1;
        }
        if total == 0 {
            self.fault(Fault::NoAlternative);
            return 0;
        }
        if !self.may_draw() {
            return first;
        }
        let shape = Shape::Alternative { n: last as u64 + 1, names };
        let mut index = match &mut self.source {
            Source::Random(prng) => {
                let mut rest = prng.up_to(total - 1);
                let mut k = 0;
                while rest >= weights[k] as u64 {
                    rest -= weights[k] as u64;
                    k += 1;
                }
                k
            }
            _ => self.taken(shape) as usize,
        };
        // The next one that there is; a stored name may lie behind the last.
        while index < last && weights[index] == 0 {
            index += 1;
        }
        if index > last {
            index = last;
        }
        self.record_if_asked(index as u64, shape);
        index
    }

    /// An index drawn in proportion to weights given as running sums, so that `sums[i]` is the
    /// sum of the weights up to and including `i`; one of weight 0 is never taken.
    #[inline]
    pub const fn weighted_by_sums(&mut self, sums: &[u32], names: &'static [&'static str]) -> usize {
        let total = if sums.is_empty() { 0 } else { sums[sums.len() - 1] };
        if total == 0 {
            self.fault(Fault::NoAlternative);
            return 0;
        }
        if !self.may_draw() {
            return smallest_above(sums, 0);
        }
        let shape = Shape::Alternative { n: sums.len() as u64, names };
        let mut index = match &mut self.source {
            Source::Random(prng) => smallest_above(sums, prng.up_to(total as u64 - 1) as u32),
            _ => self.taken(shape) as usize,
        };
        if sums[index] == if index == 0 { 0 } else { sums[index - 1] } {
            index = smallest_above(sums, 0);
        }
        self.record_if_asked(index as u64, shape);
        index
    }

    /// One of the named variants of a recursive type, of which the first `n_leaves` end the
    /// recursion. Others become rarer the deeper and the larger the value is already, and
    /// impossible at the end of the budget that the size allows.
    pub const fn variant(&mut self, names: &'static [&'static str], n_leaves: u64) -> u64 {
        let n = names.len() as u64;
        let n_branches = n - n_leaves;
        if n_branches == 0 || n_leaves == 0 {
            return self.named_alternative(n, names);
        }
        let deepest = self.deepest();
        if self.depth >= deepest || self.n > choice_budget(self.size) {
            self.clipped = true;
            return self.named_alternative(n_leaves, names);
        }
        if !self.may_draw() {
            return 0;
        }
        let shape = Shape::Alternative { n, names };
        let index = match &mut self.source {
            Source::Random(prng) => {
                let word = prng.next_u64();
                // P(branch) = n_branches / n * room / deepest
                let cut = n_branches * (deepest - self.depth) as u64;
                let is_branch = scale(word, n * deepest as u64 - 1) < cut;
                // The decision took the high bits; the low ones say which it is.
                let other = word.rotate_left(32);
                if is_branch { n_leaves + scale(other, n_branches - 1) } else { scale(other, n_leaves - 1) }
            }
            _ => self.taken(shape),
        };
        self.record_if_asked(index, shape);
        index
    }

    /// The depth at which recursion ends: grows with the size, and with the bound when all
    /// choices are counted through.
    const fn deepest(&self) -> u32 {
        if let Source::Replay { bound, .. } = self.source
            && bound < MAX_DEPTH as u64
        {
            return bound as u32 + 1;
        }
        4 + self.size / 4
    }

    /// A character with a code in `lo..=hi`; the surrogates between are left out.
    pub const fn character(&mut self, lo: u32, hi: u32) -> char {
        if lo > hi || (lo >= 0xD800 && hi <= 0xDFFF) {
            self.fault(Fault::EmptyRange);
            return 'a';
        }
        let shape = Shape::Character { lo, hi };
        let most = shape.largest_index();
        if !self.may_draw() {
            return char_at(shape, 0);
        }
        let index = match &mut self.source {
            Source::Random(prng) => {
                let word = prng.next_u64();
                // Mostly ASCII where the whole of Unicode is asked for.
                let upper = match word & 7 {
                    0 => most,
                    1 => 0x24F,
                    2..=4 => 127,
                    _ => 61,
                };
                scale(word, if upper < most { upper } else { most })
            }
            _ => self.taken(shape),
        };
        let c = char_at(shape, index);
        self.record_if_asked(index_of_character(c, lo, hi), shape);
        c
    }

    /// A float in `lo..=hi`, with infinities and NaN where `special` is set.
    pub const fn float(&mut self, lo: f64, hi: f64, special: bool) -> f64 {
        if lo > hi || lo.is_nan() || hi.is_nan() {
            self.fault(Fault::EmptyRange);
            return lo;
        }
        let shape = Shape::Float { lo: lo.to_bits(), hi: hi.to_bits(), special };
        if !self.may_draw() {
            return float::at(0, lo.to_bits(), hi.to_bits(), special);
        }
        let f = match &mut self.source {
            Source::Random(prng) => random_float(prng, lo, hi, special, self.size),
            _ => float::at(self.taken(shape), lo.to_bits(), hi.to_bits(), special),
        };
        self.record_if_asked(float::index_of(f), shape);
        f
    }

    /// A byte; every value is as likely as any other.
    #[inline]
    pub const fn byte(&mut self) -> u8 {
        if !self.may_draw() {
            return 0;
        }
        let shape = Shape::Unsigned { lo: 0, hi: 255, simplest: 0 };
        let index = match &mut self.source {
            Source::Random(prng) => prng.next_u64() >> 56,
            _ => self.taken(shape),
        };
        self.record_if_asked(index, shape);
        index as u8
    }

    /// Fills `bytes`, one choice each.
    pub const fn fill(&mut self, bytes: &mut [u8]) {
        let mut i = 0;
        while i < bytes.len() {
            bytes[i] = self.byte();
            i += 1;
        }
    }

    /// Counts a draw; false when there are no more to be had.
    #[inline]
    const fn may_draw(&mut self) -> bool {
        if self.n >= self.limit {
            self.stop(Halt::Overrun);
            return false;
        }
        self.n += 1;
        true
    }

    /// The index that a source other than the random one has for this draw.
    const fn taken(&mut self, shape: Shape) -> u64 {
        let at = self.used;
        let largest = shape.largest_index();
        match self.source {
            Source::Random(ref mut prng) => prng.up_to(largest),
            Source::Replay { bound, .. } => {
                let clip = largest > bound && !shape.is_structural();
                self.clipped |= clip;
                let most = if clip { bound } else { largest };
                at_most(self.walk.next(), most)
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
            Source::Bytes(bytes) => {
                let width = (64 - largest.leading_zeros()).div_ceil(8) as usize;
                let (mut word, mut k) = (0u64, 0);
                while k < width && at + k < bytes.len() {
                    word |= (bytes[at + k] as u64) << (8 * k);
                    k += 1;
                }
                self.used += k;
                if largest == u64::MAX { word } else { word % (largest + 1) }
            }
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

/// The first position whose running sum exceeds `drawn`. Without branches, because what is drawn
/// cannot be predicted.
#[inline]
const fn smallest_above(sums: &[u32], drawn: u32) -> usize {
    let (mut n, mut i) = (0, 0);
    while i < sums.len() {
        n += (sums[i] <= drawn) as usize;
        i += 1;
    }
    n
}

const fn at_most(index: Option<u64>, most: u64) -> u64 {
    match index {
        Some(index) if index > most => most,
        Some(index) => index,
        None => 0,
    }
}

/// 100 times 10 to the power of -1 to 1, in 32 steps.
const SWARM: [u32; 32] = [
    10, 12, 13, 16, 18, 21, 24, 28, 33, 38, 44, 51, 59, 69, 80, 93, 108, 125, 145, 168, 195, 226, 263, 305,
    353, 410, 476, 552, 640, 743, 862, 1000,
];

/// How many choices a case of this size draws before its generators turn frugal.
const fn choice_budget(size: u32) -> usize {
    64 + 32 * size as usize
}

const fn clamp_signed(v: i64, lo: i64, hi: i64) -> i64 {
    if v < lo {
        lo
    } else if v > hi {
        hi
    } else {
        v
    }
}

const fn clamp_unsigned(v: u64, lo: u64, hi: u64) -> u64 {
    if v < lo {
        lo
    } else if v > hi {
        hi
    } else {
        v
    }
}

const fn char_at(shape: Shape, index: u64) -> char {
    match shape.value_at(index) {
        Value::Character(c) => c,
        _ => 'a',
    }
}

/// How many of the latest integers may be drawn again.
const N_RECENT: usize = 4;

/// One draw in sixteen repeats one of the latest integers.
#[inline]
const fn is_repetition(word: u64) -> bool {
    word & 15 == 1
}

/// Which of the latest integers `word` stands for.
#[inline]
const fn slot_of(word: u64) -> usize {
    (word >> 10) as usize % N_RECENT
}

/// A range of integers, signed or not, seen from its simplest value.
#[derive(Clone, Copy)]
struct Around {
    simplest: u64,
    /// How far it reaches down.
    below: u64,
    /// How far it reaches up.
    above: u64,
}

impl Around {
    #[inline]
    const fn signed(lo: i64, hi: i64, simplest: i64) -> Self {
        let (below, above) = (simplest.wrapping_sub(lo) as u64, hi.wrapping_sub(simplest) as u64);
        Around { simplest: simplest as u64, below, above }
    }

    #[inline]
    const fn unsigned(lo: u64, hi: u64, simplest: u64) -> Self {
        Around { simplest, below: simplest.wrapping_sub(lo), above: hi.wrapping_sub(simplest) }
    }

    #[inline]
    const fn width(self) -> u64 {
        self.below.wrapping_add(self.above)
    }

    #[inline]
    const fn contains(self, v: u64) -> bool {
        v.wrapping_sub(self.simplest).wrapping_add(self.below) <= self.width()
    }

    fn index_of(self, v: u64) -> u64 {
        let difference = v.wrapping_sub(self.simplest);
        let below = difference > self.above;
        let distance = if below { difference.wrapping_neg() } else { difference };
        choice::index_at(Offset { below, distance }, self.below, self.above).unwrap_or(0)
    }

    /// What is left when both sides are halved `n` times.
    #[inline]
    const fn halved(self, n: u32) -> Self {
        Around { simplest: self.simplest, below: self.below >> n, above: self.above >> n }
    }

    /// A value, uniform in `word`.
    #[inline]
    const fn at(self, word: u64) -> u64 {
        self.simplest.wrapping_sub(self.below).wrapping_add(scale(word, self.width()))
    }

    /// How often a draw of this kind halves the range: not at all, down to about the size, or
    /// down to some number of bits. Small ranges are left alone.
    #[inline]
    const fn n_halvings(self, word: u64, size: u32) -> u32 {
        let kind = (word & 15) as usize;
        let n_bits = 64 - self.width().leading_zeros();
        let down_to_size = n_bits.saturating_sub(32 - (size | 1).leading_zeros());
        let down_to_some = (((word >> 4) as u32 & 63) * n_bits) >> 6;
        if self.width() < 16 { 0 } else { down_to_size & TO_SIZE[kind] | down_to_some & TO_SOME[kind] }
    }
}

/// A random integer.
///
/// Of sixteen draws about eight are uniform, four within about the size, two within a random
/// number of bits, one repeats an earlier integer, and one lies at a bound or beside a power of
/// two: off-by-one errors live there.
///
/// This is the hottest code of all, and a branch on random bits is mispredicted as often as its
/// rarer side is taken. So most kinds are one computation: a uniform draw from what is left when
/// both sides of the range are halved some number of times.
#[inline(always)]
const fn random_integer(
    prng: &mut Prng,
    recent: &[u64; N_RECENT],
    range: Around,
    (size, n_before): (u32, usize),
) -> u64 {
    let word = prng.next_u64();
    let again = recent[slot_of(word)];
    if is_repetition(word) && slot_of(word) < n_before && range.contains(again) {
        return again;
    }
    if word & 15 == 0 && range.width() >= 16 {
        return boundary(word >> 4, range);
    }
    // The low bits of `word` have been looked at: a wide range takes a fresh word.
    let fresh = if range.width() >> 52 != 0 { prng.next_u64() } else { word };
    range.halved(range.n_halvings(word, size)).at(fresh)
}

/// From this many integers on they are drawn in runs.
const FEW: usize = 16;
/// How many integers a run has.
const N_RUN: usize = 16;

/// Random integers in runs of one kind. All but the first are led by a boundary or a repetition
/// of what has led an earlier one; the first may be shorter, so that leaders turn up everywhere.
///
/// What a run is like is decided once, and its length can be predicted: an integer in a run costs
/// less than half of what a single one does.
#[inline(always)]
fn random_many(
    prng: &mut Prng,
    recent: &mut [u64; N_RECENT],
    range: Around,
    (size, mut n_before): (u32, usize),
    n: usize,
    mut emit: impl FnMut(u64),
) {
    let (mut rest, mut word) = (n, prng.next_u64());
    let n_first = 1 + (word >> 60) as usize % N_RUN;
    let mut part = range.halved(range.n_halvings(word, size));
    let mut n_plain = rest.min(n_first);
    loop {
        for _ in 0..n_plain {
            emit(part.at(prng.next_u64()));
        }
        rest -= n_plain;
        if rest == 0 {
            return;
        }
        word = prng.next_u64();
        part = range.halved(range.n_halvings(word, size));
        let again = recent[slot_of(word)];
        let leader = match word >> 63 {
            0 if range.width() >= 16 => boundary(word >> 16, range),
            1 if slot_of(word) < n_before && range.contains(again) => again,
            _ => range.at(prng.next_u64()),
        };
        emit(leader);
        recent[n_before % N_RECENT] = leader;
        (rest, n_before) = (rest - 1, n_before + 1);
        n_plain = rest.min(N_RUN - 1);
    }
}

/// All bits set for the kinds of draws that keep within about the size.
const TO_SIZE: [u32; 16] = mask(2, 5);
/// All bits set for the kinds of draws that keep within a random number of bits.
const TO_SOME: [u32; 16] = mask(6, 7);

const fn mask(first: usize, last: usize) -> [u32; 16] {
    let (mut mask, mut kind) = ([0; 16], first);
    while kind <= last {
        mask[kind] = u32::MAX;
        kind += 1;
    }
    mask
}

/// A bound, its neighbour, or a power of two and its neighbours.
#[cold]
const fn boundary(bits: u64, range: Around) -> u64 {
    let Around { simplest, below, above } = range;
    let down = below > 0 && (above == 0 || bits & 1 != 0);
    let side = if down { below } else { above };
    let distance = match (bits >> 1) & 7 {
        0 | 1 => side,
        2 => side - 1,
        kind => {
            let most_bits = 64 - side.leading_zeros() as u64;
            let power = 1u64 << ((bits >> 4) % most_bits);
            match kind {
                3 | 4 => power,
                5 => power - 1,
                _ => power.saturating_add(1),
            }
        }
    };
    let distance = if distance < side { distance } else { side };
    if down { simplest.wrapping_sub(distance) } else { simplest.wrapping_add(distance) }
}

/// Floats that numerical code trips over.
const TRICKY: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    0.5,
    f64::EPSILON,
    f64::MIN_POSITIVE,
    5e-324,
    9_007_199_254_740_993.0,
    f64::MAX,
    f64::MIN,
    f32::MAX as f64,
    1e308,
];

const fn random_float(prng: &mut Prng, lo: f64, hi: f64, special: bool, size: u32) -> f64 {
    let word = prng.next_u64();
    let fraction = (prng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let drawn = match word & 15 {
        0 | 1 => TRICKY[scale(word, TRICKY.len() as u64 - 1) as usize],
        2 if special => match word >> 62 {
            0 => f64::NAN,
            1 => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        },
        3 => lo,
        4 => hi,
        5..=7 => scale(word, 2 * size as u64) as f64 - size as f64,
        8..=10 => (fraction * 2.0 - 1.0) * (1.0 + size as f64),
        11 | 12 => f64::from_bits(prng.next_u64()),
        _ => {
            // Both bounds may be huge: halve before subtracting.
            let mid = lo / 2.0 + hi / 2.0;
            mid + (fraction - 0.5) * 2.0 * (hi / 2.0 - lo / 2.0)
        }
    };
    float::at(float::index_of(drawn), lo.to_bits(), hi.to_bits(), special)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn random(seed: u64) -> Choices<'static> {
        Choices::new(Source::Random(Prng::new(seed)), 50)
    }

    #[test]
    fn one_type_serves_const_evaluation_and_run_time() {
        const fn sum() -> i64 {
            let mut buffer = [Choice::BLANK; 8];
            let mut spans = [Span::BLANK; 2];
            let mut c = Choices::new(Source::Random(Prng::new(9)), 10).recording(&mut buffer, &mut spans);
            c.open("pair");
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
            c.open("down");
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
        c.open("outer");
        c.byte();
        c.open("inner");
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
            c.open("tree");
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
