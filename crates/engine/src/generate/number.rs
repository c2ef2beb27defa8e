//! Numbers and characters: a range is the generator of its values.
//!
//! Draws one value between the bounds. What is likely inside the bounds and what is simple is the stream's
//! business; this file only says which draw a type maps to. It does not know the types' own generators, which
//! are `any`'s.

use super::{Generate, in_stretches};
use crate::draw::Draw;
use crate::stop::{Checked, Stop};
use core::cmp::Ordering;
use core::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use stairway_choice::{Fault, Halt};

/// A type whose ranges are generators: `3..=7`, `'a'..'f'`, `..0.5`, `1u8..`.
///
/// The simplest value is 0 where the range has it, and otherwise the bound closest to it.
///
/// ```
/// use stairway_engine::{Choices, Draw, Prng, Source};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!((-4..=9).contains(&choices.draw(-4..=9).unwrap()));
/// assert!(choices.draw('a'..'f').unwrap() < 'f');
/// assert!(choices.draw(250u8..).unwrap() >= 250);
/// ```
pub trait RangeBound: Copy + PartialOrd {
    /// The smallest value a range without a lower bound gives.
    const LEAST: Self;
    /// The largest value a range without an upper bound gives.
    const GREATEST: Self;

    /// Draws a value in `lo..=hi`.
    fn between(choices: &mut Draw<'_>, lo: Self, hi: Self) -> Self;

    /// Draws `n` values in `lo..=hi`, which hold at least one, and hands them to `push`.
    ///
    /// # Errors
    /// Ends the case when a value cannot be made.
    #[doc(hidden)]
    #[inline]
    fn each_between(choices: &mut Draw<'_>, lo: Self, hi: Self, n: usize, push: impl FnMut(Self)) -> Checked {
        Between(lo, hi).generate_each(n, choices, push)
    }

    /// The largest value below this one, which is not the smallest one of its type.
    #[must_use]
    fn before(self) -> Self;

    /// Whether [`RangeBound::between`] makes exactly one choice.
    #[inline]
    #[must_use]
    fn is_single(_lo: Self, _hi: Self) -> bool {
        true
    }
}

/// Values between two that a type draws one by one.
struct Between<T>(T, T);

impl<T: RangeBound> Generate for Between<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        Ok(T::between(choices, self.0, self.1))
    }
    #[inline]
    fn is_single(&self) -> bool {
        T::is_single(self.0, self.1)
    }
}

/// Draws from `lo..hi`; whether there is a value is decided before `hi` is lowered.
#[inline]
fn half_open<T: RangeBound>(choices: &mut Draw<'_>, lo: T, hi: T) -> Checked<T> {
    if lo.partial_cmp(&hi) == Some(Ordering::Less) {
        return Ok(T::between(choices, lo, hi.before()));
    }
    Err(empty(choices))
}

#[inline]
fn each_half_open<T: RangeBound>(
    choices: &mut Draw<'_>,
    lo: T,
    hi: T,
    n: usize,
    push: impl FnMut(T),
) -> Checked {
    if lo.partial_cmp(&hi) == Some(Ordering::Less) {
        return T::each_between(choices, lo, hi.before(), n, push);
    }
    if n == 0 { Ok(()) } else { Err(empty(choices)) }
}

#[cold]
fn empty(choices: &mut Draw<'_>) -> Stop {
    choices.choices().fault(Fault::EmptyRange);
    Stop::halt(Halt::Fault(Fault::EmptyRange))
}

#[inline]
fn is_single_half_open<T: RangeBound>(lo: T, hi: T) -> bool {
    lo.partial_cmp(&hi) != Some(Ordering::Less) || T::is_single(lo, hi.before())
}

impl<T: RangeBound> Generate for Range<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        half_open(choices, self.start, self.end)
    }
    #[inline]
    fn generate_each(&self, n: usize, choices: &mut Draw<'_>, push: impl FnMut(T)) -> Checked {
        each_half_open(choices, self.start, self.end, n, push)
    }
    #[inline]
    fn is_single(&self) -> bool {
        is_single_half_open(self.start, self.end)
    }
}

impl<T: RangeBound> Generate for RangeTo<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        half_open(choices, T::LEAST, self.end)
    }
    #[inline]
    fn generate_each(&self, n: usize, choices: &mut Draw<'_>, push: impl FnMut(T)) -> Checked {
        each_half_open(choices, T::LEAST, self.end, n, push)
    }
    #[inline]
    fn is_single(&self) -> bool {
        is_single_half_open(T::LEAST, self.end)
    }
}

impl<T: RangeBound> Generate for RangeInclusive<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        Ok(T::between(choices, *self.start(), *self.end()))
    }
    #[inline]
    fn generate_each(&self, n: usize, choices: &mut Draw<'_>, push: impl FnMut(T)) -> Checked {
        T::each_between(choices, *self.start(), *self.end(), n, push)
    }
    #[inline]
    fn is_single(&self) -> bool {
        T::is_single(*self.start(), *self.end())
    }
}

impl<T: RangeBound> Generate for RangeFrom<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        Ok(T::between(choices, self.start, T::GREATEST))
    }
    #[inline]
    fn generate_each(&self, n: usize, choices: &mut Draw<'_>, push: impl FnMut(T)) -> Checked {
        T::each_between(choices, self.start, T::GREATEST, n, push)
    }
    #[inline]
    fn is_single(&self) -> bool {
        T::is_single(self.start, T::GREATEST)
    }
}

impl<T: RangeBound> Generate for RangeToInclusive<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        Ok(T::between(choices, T::LEAST, self.end))
    }
    #[inline]
    fn generate_each(&self, n: usize, choices: &mut Draw<'_>, push: impl FnMut(T)) -> Checked {
        T::each_between(choices, T::LEAST, self.end, n, push)
    }
    #[inline]
    fn is_single(&self) -> bool {
        T::is_single(T::LEAST, self.end)
    }
}

/// Integers of at most 64 bits are one draw. `usize` and `isize` are drawn with 64 bits, so that
/// a seed gives the same values whatever the width of a pointer.
macro_rules! integers {
    ($draw:ident $each:ident as $wide:ty: $($t:ty)*) => {$(
        impl RangeBound for $t {
            const LEAST: Self = <$t>::MIN;
            const GREATEST: Self = <$t>::MAX;
            #[inline]
            fn between(choices: &mut Draw<'_>, lo: Self, hi: Self) -> Self {
                choices.$draw(lo as $wide, hi as $wide, 0) as $t
            }
            #[inline]
            fn each_between(
                choices: &mut Draw<'_>,
                lo: Self,
                hi: Self,
                n: usize,
                mut push: impl FnMut(Self),
            ) -> Checked {
                in_stretches(n, choices, |choices, n| {
                    choices.choices().$each((lo as $wide, hi as $wide, 0), n, |v| push(v as $t));
                    Ok(())
                })
            }
            #[inline]
            fn before(self) -> Self {
                self - 1
            }
        }
    )*};
}

integers!(signed each_signed as i64: i8 i16 i32 i64 isize);
integers!(unsigned each_unsigned as u64: u8 u16 u32 u64 usize);

impl RangeBound for u128 {
    const LEAST: Self = u128::MIN;
    const GREATEST: Self = u128::MAX;
    fn between(choices: &mut Draw<'_>, lo: Self, hi: Self) -> Self {
        if lo > hi {
            choices.choices().fault(Fault::EmptyRange);
            return lo;
        }
        if let (Ok(lo), Ok(hi)) = (u64::try_from(lo), u64::try_from(hi)) {
            return u128::from(choices.unsigned(lo, hi, 0));
        }
        match u64::try_from(hi - lo) {
            Ok(width) => lo + u128::from(choices.unsigned(0, width, 0)),
            Err(_) => two_words(choices, lo, hi),
        }
    }
    fn before(self) -> Self {
        self - 1
    }
    fn is_single(lo: Self, hi: Self) -> bool {
        hi.saturating_sub(lo) <= u128::from(u64::MAX)
    }
}

impl RangeBound for i128 {
    const LEAST: Self = i128::MIN;
    const GREATEST: Self = i128::MAX;
    fn between(choices: &mut Draw<'_>, lo: Self, hi: Self) -> Self {
        if lo > hi {
            choices.choices().fault(Fault::EmptyRange);
            return lo;
        }
        if let (Ok(lo), Ok(hi)) = (i64::try_from(lo), i64::try_from(hi)) {
            return i128::from(choices.signed(lo, hi, 0));
        }
        match u64::try_from(hi.abs_diff(lo)) {
            Ok(width) => {
                // The simplest value is 0 or a bound, and so is its distance from `lo`.
                let simplest = 0i128.clamp(lo, hi).abs_diff(lo) as u64;
                lo + i128::from(choices.unsigned(0, width, simplest))
            }
            Err(_) => sign_and_two_words(choices, lo, hi),
        }
    }
    fn before(self) -> Self {
        self - 1
    }
    fn is_single(lo: Self, hi: Self) -> bool {
        lo > hi || hi.abs_diff(lo) <= u128::from(u64::MAX)
    }
}

fn sign_and_two_words(choices: &mut Draw<'_>, lo: i128, hi: i128) -> i128 {
    let negative = lo < 0 && (hi < 0 || choices.chance(1, 2));
    if negative {
        let magnitude = two_words(choices, hi.min(-1).unsigned_abs(), lo.unsigned_abs());
        return (magnitude as i128).wrapping_neg();
    }
    two_words(choices, lo.max(0) as u128, hi as u128) as i128
}

/// Draws the low word first: when shrinking drops the high one, the low one keeps its place.
fn two_words(choices: &mut Draw<'_>, lo: u128, hi: u128) -> u128 {
    if let (Ok(lo), Ok(hi)) = (u64::try_from(lo), u64::try_from(hi)) {
        return u128::from(choices.unsigned(lo, hi, 0));
    }
    let low = choices.unsigned(0, u64::MAX, 0);
    let (least, most) = ((lo >> 64) as u64, (hi >> 64) as u64);
    // Without this decision values of one word would hardly turn up.
    let high = if least > 0 || choices.chance(1, 2) { choices.unsigned(least, most, 0) } else { 0 };
    (u128::from(high) << 64 | u128::from(low)).clamp(lo, hi)
}

impl RangeBound for f64 {
    const LEAST: Self = f64::MIN;
    const GREATEST: Self = f64::MAX;
    #[inline]
    fn between(choices: &mut Draw<'_>, lo: Self, hi: Self) -> Self {
        choices.float(lo, hi, false)
    }
    #[inline]
    fn before(self) -> Self {
        self.next_down()
    }
}

impl RangeBound for f32 {
    const LEAST: Self = f32::MIN;
    const GREATEST: Self = f32::MAX;
    /// Rounding keeps the order, so a value between two `f32` is still between them as an `f32`.
    #[inline]
    fn between(choices: &mut Draw<'_>, lo: Self, hi: Self) -> Self {
        choices.float(f64::from(lo), f64::from(hi), false) as f32
    }
    #[inline]
    fn before(self) -> Self {
        self.next_down()
    }
}

impl RangeBound for char {
    const LEAST: Self = char::MIN;
    const GREATEST: Self = char::MAX;
    #[inline]
    fn between(choices: &mut Draw<'_>, lo: Self, hi: Self) -> Self {
        choices.character(lo as u32, hi as u32)
    }
    /// No character has a code between U+D7FF and U+E000.
    #[inline]
    fn before(self) -> Self {
        char::from_u32(self as u32 - 1).unwrap_or('\u{D7FF}')
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, assert_replays, assert_single, halt_of, sample, samples, simplest};
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_kind_of_range_replays() {
        assert_replays(&(0..17));
        assert_replays(&(-5i8..=5));
        assert_replays(&(7u64..));
        assert_replays(&(..9usize));
        assert_replays(&(..=-3isize));
        assert_replays(&(-1.5..2.5));
        assert_replays(&(0.25f32..=0.75));
        assert_replays(&('a'..='z'));
        assert_replays(&(i128::MIN..=i128::MAX));
        assert_replays(&(0..u128::MAX));
        assert_replays(&(u128::MAX - 9..));
        assert_replays(&(-7..1i128 << 100));
    }

    #[test]
    fn values_stay_between_the_bounds() {
        assert!(samples(&(-5..9), 2000).iter().all(|v| (-5..9).contains(v)));
        assert!(samples(&(0.5f32..0.75), 2000).iter().all(|v| (0.5..0.75).contains(v)));
        assert!(samples(&(-1.0..0.0), 2000).iter().all(|v| (-1.0..0.0).contains(v)));
        assert!(samples(&(0.0f64..), 2000).iter().all(|v| *v >= 0.0 && v.is_finite()));
        assert!(samples(&('\u{D000}'..'\u{E000}'), 2000).iter().all(|c| *c < '\u{E000}'));
        let wide = -(1i128 << 90)..=(1i128 << 70) + 3;
        assert!(samples(&wide, 2000).iter().all(|v| wide.contains(v)));
        let high = (5u128 << 64) + 9..(7u128 << 64) + 2;
        assert!(samples(&high, 2000).iter().all(|v| high.contains(v)));
    }

    #[test]
    fn the_simplest_value_is_zero_or_the_bound_closest_to_it() {
        assert_eq!(simplest(&(-5..9)), 0);
        assert_eq!(simplest(&(3..9)), 3);
        assert_eq!(simplest(&(-9..=-3)), -3);
        assert_eq!(simplest(&(-9.0..=-3.0)), -3.0);
        assert_eq!(simplest(&(i128::MIN..i128::MAX)), 0);
        assert_eq!(simplest(&(i128::MIN..-5)), -6);
        assert_eq!(simplest(&((9i128 << 64) - 3..=(9i128 << 64) + 3)), (9i128 << 64) - 3);
        assert_eq!(simplest(&(-(9i128 << 64)..=-(9i128 << 64) + 3)), -(9i128 << 64) + 3);
        assert_eq!(simplest(&(1u128 << 70..)), 1u128 << 70);
        assert_eq!(simplest(&('k'..'x')), 'k');
    }

    #[test]
    fn small_ranges_can_be_counted_through() {
        assert_eq!(all(&(-2..3)), [0, 1, -1, 2, -2]);
        assert_eq!(all(&(250u8..)), [250, 251, 252, 253, 254, 255]);
        assert_eq!(all(&(..=-126i8)), [-126, -127, -128]);
        assert_eq!(all(&((1u128 << 80)..(1u128 << 80) + 2)), [1u128 << 80, (1u128 << 80) + 1]);
        assert_eq!(all(&('\u{D7FE}'..='\u{E001}')), ['\u{D7FE}', '\u{D7FF}', '\u{E000}', '\u{E001}']);
    }

    #[test]
    fn one_choice_is_what_single_says() {
        assert_single(&(0..9), true);
        assert_single(&(0.0..1.0), true);
        assert_single(&('a'..), true);
        assert_single(&(-3i128..900), true);
        assert_single(&(i128::MAX - 4..), true);
        assert_single(&(0u128..1 << 65), false);
        assert_single(&(i128::MIN..), false);
    }

    #[test]
    fn empty_ranges_are_faults() {
        let fault = Some(Halt::Fault(Fault::EmptyRange));
        let from = |start: i32| start..5;
        assert_eq!(halt_of(&from(5)), fault);
        assert_eq!(halt_of(&from(6)), fault);
        assert_eq!(halt_of(&(from(6).start..=from(5).end)), fault);
        assert_eq!(halt_of(&(..i64::MIN)), fault);
        assert_eq!(halt_of(&(..0u8)), fault);
        assert_eq!(halt_of(&(1.0..f64::NAN)), fault);
        assert_eq!(halt_of(&(2.0..=1.0)), fault);
        assert_eq!(halt_of(&(0.0..-0.0)), fault);
        assert_eq!(halt_of(&('b'..'a')), fault);
        assert_eq!(halt_of(&(1i128..=i128::from(from(0).start))), fault);
        assert_eq!(halt_of(&(..0u128)), fault);
    }

    #[test]
    fn wide_integers_are_small_and_negative_often_enough() {
        let drawn: Vec<i128> = (0..1000).map(|seed| sample(&(i128::MIN..), seed).unwrap()).collect();
        let n_small = drawn.iter().filter(|v| v.unsigned_abs() <= u128::from(u64::MAX)).count();
        let n_negative = drawn.iter().filter(|v| **v < 0).count();
        assert!((400..600).contains(&n_small) && (400..600).contains(&n_negative), "{n_small} {n_negative}");
    }

    #[test]
    fn pointer_sized_integers_draw_like_64_bits() {
        for seed in 0..100 {
            assert_eq!(sample(&(3usize..900), seed).unwrap() as u64, sample(&(3u64..900), seed).unwrap());
        }
    }
}
