//! What a generator draws from: the dozen draws that a generator of one's own needs.
//!
//! A [`Draw`] is the case's stream of choices without what belongs to the engine (sources, records, look-ahead,
//! restarts), so that a generator cannot depend on how its choices come about. It costs nothing: it
//! is the stream.

use crate::generate::Generate;
use crate::stop::{Checked, Stop};
use stairway_choice::Choices;

/// What generators draw from; `compose` and [`Generate::generate`] are given one.
///
/// ```
/// use stairway_engine::{Choices, Draw, Prng, Source, any, vec};
/// let mut c = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!((1..=6).contains(&c.signed(1, 6, 1)));
/// assert!(c.draw(vec(any::<u8>(), 2..5)).unwrap().len() < 5);
/// ```
#[derive(Debug)]
pub struct Draw<'b> {
    choices: Choices<'b>,
}

impl<'b> From<Choices<'b>> for Draw<'b> {
    fn from(choices: Choices<'b>) -> Self {
        Draw { choices }
    }
}

impl<'b> Draw<'b> {
    /// Draws from `choices`.
    #[inline(always)]
    pub(crate) const fn new(choices: Choices<'b>) -> Self {
        Draw { choices }
    }

    /// The engine's stream beneath.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn choices(&mut self) -> &mut Choices<'b> {
        &mut self.choices
    }

    /// The same, to look at.
    #[inline(always)]
    pub(crate) const fn stream(&self) -> &Choices<'b> {
        &self.choices
    }

    /// Draws a value from `generator`, in a span of its own unless it is a single choice.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    #[inline]
    pub fn draw<G: Generate>(&mut self, generator: G) -> Checked<G::Value> {
        if generator.is_single() {
            let value = generator.generate(self)?;
            return self.still_running().map(|()| value);
        }
        self.choices.open(generator.label());
        // A generator that recurs for ever is stopped here, before it recurs.
        self.still_running()?;
        let value = generator.generate(self);
        self.choices.close();
        self.still_running()?;
        value
    }

    /// Ends the case if its stream has ended: what was drawn since then means nothing.
    #[inline]
    #[doc(hidden)]
    pub fn still_running(&self) -> Checked {
        match self.choices.halted() {
            None => Ok(()),
            Some(halt) => Err(Stop::halt(halt)),
        }
    }
}

/// The draws, which are those of [`Choices`]; like there, what is inlined into unoptimised code is slower.
impl Draw<'_> {
    /// A signed integer in `lo..=hi`; shrinking aims for `simplest`.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn signed(&mut self, lo: i64, hi: i64, simplest: i64) -> i64 {
        self.choices.signed(lo, hi, simplest)
    }

    /// An unsigned integer in `lo..=hi`; shrinking aims for `simplest`.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn unsigned(&mut self, lo: u64, hi: u64, simplest: u64) -> u64 {
        self.choices.unsigned(lo, hi, simplest)
    }

    /// A truth value that is true `numerator` times in `denominator`; false is simpler.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.choices.chance(numerator, denominator)
    }

    /// A number of elements in `min..=max`, which are then drawn one after the other: shrinking deletes an
    /// element together with one from the length.
    pub const fn length(&mut self, min: u64, max: u64) -> u64 {
        self.choices.length(min, max)
    }

    /// One of `n` alternatives, all alike; an earlier one is simpler.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn alternative(&mut self, n: u64) -> u64 {
        self.choices.alternative(n)
    }

    /// One of `n` alternatives with these names, which stored values are known by.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn named_alternative(&mut self, n: u64, names: &'static [&'static str]) -> u64 {
        self.choices.named_alternative(n, names)
    }

    /// An index into `weights`, drawn in proportion to them; one of weight 0 is never taken.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn weighted(&mut self, weights: &[u32], names: &'static [&'static str]) -> usize {
        self.choices.weighted(weights, names)
    }

    /// One of the named variants of a recursive type, of which the first `n_leaves` end the recursion; the
    /// others become rarer with depth.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn variant(&mut self, names: &'static [&'static str], n_leaves: u64) -> u64 {
        self.choices.variant(names, n_leaves)
    }

    /// Whether a recursive value has to end here: as deep as the size of the case lets it grow.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn is_deep(&mut self) -> bool {
        self.choices.is_deep()
    }

    /// A character with a code in `lo..=hi`; the surrogates between are left out.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn character(&mut self, lo: u32, hi: u32) -> char {
        self.choices.character(lo, hi)
    }

    /// A float in `lo..=hi`, with infinities and NaN where `special` is set.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn float(&mut self, lo: f64, hi: f64, special: bool) -> f64 {
        self.choices.float(lo, hi, special)
    }

    /// A byte; every value is as likely as any other.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn byte(&mut self) -> u8 {
        self.choices.byte()
    }
}
