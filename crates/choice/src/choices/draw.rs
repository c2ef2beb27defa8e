//! The draws: one `const fn` for each kind of decision.
//!
//! Each asks whether a choice may still be drawn, takes a value from the source (a random one by
//! its likelihood, any other by its index) and leaves it in the record where one is kept. What is
//! inlined is compiled with its user, in debug builds without optimisation: nothing is, there.

use super::likely::*;
use super::{Choices, Fault, MAX_DEPTH, Source, Sums};
use crate::choice::{self, Choice, Shape, index_of_character, index_of_signed, index_of_unsigned};
use crate::float;
use crate::prng::scale;

/// The arguments of a step lie inside it, and the step inside a program.
const PROGRAM_DEPTH: u32 = 2;

impl Choices<'_> {
    /// A signed integer in `lo..=hi`, in which `simplest` is what shrinking aims for.
    ///
    /// Random values mix a uniform draw with values near the simplest one, bounds, powers of two
    /// and repetitions of earlier values.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn signed(&mut self, lo: i64, hi: i64, simplest: i64) -> i64 {
        let simplest = clamp_signed(simplest, lo, hi);
        if lo > hi {
            self.fault(Fault::EmptyRange);
            return simplest;
        }
        if self.counts() {
            let index = self.counted(hi.wrapping_sub(lo) as u64, false);
            return choice::signed_at(index, lo, hi, simplest);
        }
        if !self.may_draw() {
            return simplest;
        }
        let v = match &mut self.source {
            Source::Random(prng) => {
                let range = IntegerRange::signed(lo, hi, simplest);
                let is_alone = self.depth < PROGRAM_DEPTH;
                let v = random_integer(prng, &self.recent, range, (self.size, self.n - 1), is_alone);
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
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn unsigned(&mut self, lo: u64, hi: u64, simplest: u64) -> u64 {
        let simplest = clamp_unsigned(simplest, lo, hi);
        if lo > hi {
            self.fault(Fault::EmptyRange);
            return simplest;
        }
        if self.counts() {
            let index = self.counted(hi.wrapping_sub(lo), false);
            return choice::unsigned_at(index, lo, hi, simplest);
        }
        if !self.may_draw() {
            return simplest;
        }
        let v = match &mut self.source {
            Source::Random(prng) => {
                let range = IntegerRange::unsigned(lo, hi, simplest);
                let is_alone = self.depth < PROGRAM_DEPTH;
                let v = random_integer(prng, &self.recent, range, (self.size, self.n - 1), is_alone);
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
    pub fn each_signed(&mut self, (lo, hi, simplest): (i64, i64, i64), n: usize, mut push: impl FnMut(i64)) {
        let simplest = clamp_signed(simplest, lo, hi);
        let range = IntegerRange::signed(lo, hi, simplest);
        if !self.each(Shape::Signed { lo, hi, simplest }, range, n, |v| push(v as i64)) {
            for _ in 0..n {
                push(self.signed(lo, hi, simplest));
            }
        }
    }

    /// Hands `n` unsigned integers in `lo..=hi` to `push`, each a choice as in
    /// [`Choices::unsigned`].
    #[inline]
    pub fn each_unsigned(
        &mut self,
        (lo, hi, simplest): (u64, u64, u64),
        n: usize,
        mut push: impl FnMut(u64),
    ) {
        let simplest = clamp_unsigned(simplest, lo, hi);
        let range = IntegerRange::unsigned(lo, hi, simplest);
        if !self.each(Shape::Unsigned { lo, hi, simplest }, range, n, &mut push) {
            for _ in 0..n {
                push(self.unsigned(lo, hi, simplest));
            }
        }
    }

    /// Draws many random integers at once; false if they have to be drawn one by one.
    #[inline(always)]
    fn each(&mut self, shape: Shape, range: IntegerRange, n: usize, mut push: impl FnMut(u64)) -> bool {
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
    #[cfg_attr(not(debug_assertions), inline)]
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
                // Long enough to be interesting, shorter inside deep structures and when
                // the case has become large already.
                let nesting = self.depth.saturating_sub(3);
                let mut most = if nesting > 8 { 1 } else { (self.size as u64 + 4) >> nesting };
                if self.n > choice_budget(self.size) {
                    most = 1;
                }
                if most > max - min {
                    most = max - min;
                }
                // What the size never reaches was asked for all the same.
                let is_long = max - min > LONGEST_BY_SIZE && nesting == 0 && most > 1;
                let longest =
                    if is_long && self.size >= MIN_SIZE_FOR_LONG { longest_within(max - min) } else { most };
                let word = prng.next_u64();
                let more = match word & 31 {
                    0 => 0,
                    1 => most,
                    2 if longest > most => longest,
                    3 | 4 if longest > most => scale(word, longest),
                    _ => scale(word, most),
                };
                if max - min > LONGEST_BY_SIZE {
                    self.lengths.note(max, min + more);
                }
                more
            }
            _ => self.taken(Shape::Length { min, max }),
        };
        self.record_if_asked(index, Shape::Length { min, max });
        min + index
    }

    /// A number of steps in `min..=max`, drawn like a length but not shortened by the size: three
    /// quarters of all programs have as many steps as they may. Shrinking may leave fewer than `min`
    /// steps; the simplest case, and what is drawn at random, have as many at least.
    pub const fn steps(&mut self, min: u64, max: u64) -> u64 {
        if min > max {
            self.fault(Fault::EmptyRange);
            return min;
        }
        if !self.may_draw() {
            return min;
        }
        let index = match &mut self.source {
            // Not drawn, but there is a place for it in the record.
            _ if self.n_steps.is_some() => {
                let _ = self.walk.next();
                self.fixed_steps(min, max)
            }
            Source::Random(prng) => {
                let word = prng.next_u64();
                if word & 3 != 0 { max } else { min + scale(word, max - min) }
            }
            // The simplest of all programs, before any is drawn.
            Source::Replay { choices: [], .. } => min,
            _ => self.taken(Shape::Length { min: 0, max }),
        };
        self.record_if_asked(index, Shape::Length { min: 0, max });
        index
    }

    const fn fixed_steps(&self, min: u64, max: u64) -> u64 {
        match self.n_steps {
            Some(n) if n < min => min,
            Some(n) if n < max => n,
            _ => max,
        }
    }

    /// How the operations of one program are mixed.
    ///
    /// Only the random source needs to know; what was chosen is recorded, the mix is not. The
    /// smaller the case, the likelier an even mix: most bugs show soon if every operation is done
    /// now and then, and the first program of a run should find them. What needs a deep or a
    /// lopsided state is found by weights that differ.
    pub const fn mix(&mut self) -> Mix {
        let size = self.size as u64;
        let Some(prng) = self.any_prng() else { return Mix::Even };
        let is_first = prng.up_to(size.saturating_sub(1)) == 0;
        let word = prng.next_u64();
        let kind = if is_first { EVEN } else { word >> 61 };
        match kind {
            0..=5 => Mix::Phases { n_steps: u64::MAX },
            6 => Mix::Phases { n_steps: N_PHASE },
            _ if word & 1 == 0 => Mix::Dealt,
            _ => Mix::Even,
        }
    }

    /// Weights of a phase, in percent: each is a factor between a tenth and ten, log-uniform, so
    /// that some phases do mostly one thing and some hardly do another.
    pub const fn swarm(&mut self, weights: &mut [u32]) {
        let Some(prng) = self.any_prng() else { return };
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
                let (mut found, mut above) = (0, steps.len());
                while above - found > 1 {
                    let middle = usize::midpoint(found, above);
                    if steps[middle] as u64 <= wanted { found = middle } else { above = middle }
                }
                steps[found]
            }
        };
        self.record_if_asked(step as u64, shape);
        step
    }

    /// One of `n` alternatives, all alike.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn alternative(&mut self, n: u64) -> u64 {
        self.named_alternative(n, &[])
    }

    /// One of `n` alternatives with these names; a record stores the name.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn named_alternative(&mut self, n: u64, names: &'static [&'static str]) -> u64 {
        if n == 0 {
            self.fault(Fault::NoAlternative);
        }
        if self.counts() {
            return self.counted(n.saturating_sub(1), true);
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
        // Nothing but a random draw that nobody keeps, among two or three: what const evaluation does most,
        // where every operation counts, and every local of a function that is called.
        if self.is_quiet
            && self.n < self.limit
            && let Source::Random(prng) = &mut self.source
        {
            let third = match weights {
                [_, _] => 0,
                [_, _, third] => *third as u64,
                _ => return self.weighted_quietly(weights, names),
            };
            let first = weights[0] as u64;
            let two = first + weights[1] as u64;
            if two + third > 0 {
                self.n += 1;
                let drawn = prng.below(two + third);
                return if drawn < first { 0 } else { 1 + (drawn >= two) as usize };
            }
        }
        if self.counts()
            && let Some(index) = self.weighted_counted(weights)
        {
            return index;
        }
        self.weighted_kept(weights, names)
    }

    /// [`Choices::weighted`] among any number, at random and not for the record.
    const fn weighted_quietly(&mut self, weights: &[u32], names: &'static [&'static str]) -> usize {
        let (mut total, mut i) = (0, 0);
        while i < weights.len() {
            total += weights[i] as u64;
            i += 1;
        }
        let Source::Random(prng) = &mut self.source else { return self.weighted_kept(weights, names) };
        if total == 0 {
            return self.weighted_kept(weights, names);
        }
        self.n += 1;
        let mut rest = prng.below(total);
        i = 0;
        while rest >= weights[i] as u64 {
            rest -= weights[i] as u64;
            i += 1;
        }
        i
    }

    /// [`Choices::weighted`] from any source, and for the record.
    const fn weighted_kept(&mut self, weights: &[u32], names: &'static [&'static str]) -> usize {
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

    /// A word that a later choice will be drawn with, where choices come from chance. Drawn with
    /// and without a record alike.
    pub const fn word_ahead(&mut self) -> u64 {
        match self.any_prng() {
            Some(prng) => prng.next_u64(),
            None => 0,
        }
    }

    /// Opens the span of a step and counts its choice, which is drawn with an earlier word; gives the word for
    /// the next one. This is what nearly every step of a program takes. Nothing happens if the choice is not
    /// random, has to be kept or is one too many.
    #[inline(always)]
    pub const fn open_quietly(&mut self) -> Option<u64> {
        if self.is_quiet
            && self.n < self.limit
            && self.depth < self.max_depth
            && let Source::Random(prng) = &mut self.source
        {
            self.depth += 1;
            self.n_spans += 1;
            self.n += 1;
            return Some(prng.next_u64());
        }
        None
    }

    /// An index drawn in proportion to weights; one of weight 0 is never taken. At random it is
    /// drawn with `word`, which becomes the word for the next one.
    pub const fn weighted_by_sums<const N: usize>(
        &mut self,
        sums: &Sums<N>,
        word: &mut u64,
        names: &'static [&'static str],
    ) -> usize {
        if !self.may_draw() {
            return sums.first_above(0);
        }
        let shape = Shape::Alternative { n: sums.len() as u64, names };
        let mut index = match &mut self.source {
            Source::Random(prng) => {
                let index = sums.chosen_by(*word);
                *word = prng.next_u64();
                index
            }
            _ => self.taken(shape) as usize,
        };
        if sums.weight(index) == 0 {
            index = sums.first_above(0);
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
        if self.is_deep() || self.n > choice_budget(self.size) {
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

    /// Whether recursion has to end here; values deeper than this are not seen by whoever asks.
    pub const fn is_deep(&mut self) -> bool {
        let is_deep = self.depth >= self.deepest();
        self.clipped |= is_deep;
        is_deep
    }

    /// The depth at which recursion ends: grows with the size, and with the bound when all
    /// choices are counted through.
    const fn deepest(&self) -> u32 {
        if let Source::Replay { bound, .. } | Source::Counting { bound, .. } = self.source
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
        if !self.may_draw() {
            return char_at(shape, 0);
        }
        let index = match &mut self.source {
            Source::Random(prng) => {
                let c = random_character(prng.next_u64(), shape, (lo, hi), self.recent_character);
                self.recent_character = c;
                index_of_character(c, lo, hi)
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
    #[cfg_attr(not(debug_assertions), inline)]
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
}
