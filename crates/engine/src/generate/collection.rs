//! Collections: a length, then that many elements.
//!
//! A collection is made of a generator for its elements and a [`Size`]. Shrinking relies on the protocol kept
//! here: in the span of the collection a length is drawn first and then exactly as many elements, each as one
//! unit (a single choice, or a span), and nothing else. So an element is deleted by deleting its unit and
//! lowering the length by one. This file does not know how long collections are likely to be; the stream
//! does.

use super::{Generate, Map};
use crate::draw::Draw;
use crate::stop::Checked;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

/// How many elements a collection may have: `5`, `0..10`, `1..=3`, `..4`; `2..` means up to 100
/// more.
///
/// ```
/// use stairway_engine::Size;
/// assert_eq!(Size::from(1..4), Size::from(1..=3));
/// assert_eq!(Size::from(2..), Size::from(2..=102));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    min: u64,
    max: u64,
}

/// How many elements more than its start an unbounded size stands for.
const UNBOUNDED: usize = 100;

impl Size {
    /// Without any value; drawing it is a fault.
    const EMPTY: Size = Size { min: 1, max: 0 };

    /// At most `most`; nothing where that is less than the minimum.
    pub(super) fn at_most(self, most: usize) -> Option<Size> {
        let max = self.max.min(most as u64);
        (self.min <= max || self == Size::EMPTY).then_some(Size { max, ..self })
    }

    /// The fewest elements.
    pub(super) const fn min(self) -> u64 {
        self.min
    }

    /// Draws the number of elements.
    #[inline]
    pub(super) fn draw(self, choices: &mut Draw<'_>) -> Checked<usize> {
        let n = choices.length(self.min, self.max);
        choices.still_running()?;
        Ok(n as usize)
    }
}

impl From<usize> for Size {
    fn from(n: usize) -> Self {
        Size { min: n as u64, max: n as u64 }
    }
}

impl From<RangeInclusive<usize>> for Size {
    fn from(range: RangeInclusive<usize>) -> Self {
        let (min, max) = (*range.start() as u64, *range.end() as u64);
        if min <= max { Size { min, max } } else { Size::EMPTY }
    }
}

impl From<Range<usize>> for Size {
    fn from(range: Range<usize>) -> Self {
        range.end.checked_sub(1).map_or(Size::EMPTY, |last| Size::from(range.start..=last))
    }
}

impl From<RangeTo<usize>> for Size {
    fn from(range: RangeTo<usize>) -> Self {
        Size::from(0..range.end)
    }
}

impl From<RangeToInclusive<usize>> for Size {
    fn from(range: RangeToInclusive<usize>) -> Self {
        Size::from(0..=range.end)
    }
}

impl From<RangeFrom<usize>> for Size {
    fn from(range: RangeFrom<usize>) -> Self {
        Size::from(range.start..=range.start.saturating_add(UNBOUNDED))
    }
}

/// Memory is reserved for at most this many elements: a length read from a fuzzer's bytes may be
/// anything.
const MOST_RESERVED: usize = 1 << 12;

/// Vectors of elements from `element`.
///
/// ```
/// use stairway_engine::{Choices, Draw, Prng, Source, any, vec};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let xs: Vec<i32> = choices.draw(vec(any(), 2..20)).unwrap();
/// assert!((2..20).contains(&xs.len()));
/// let digits = choices.draw(vec(0..10u8, 4)).unwrap();
/// assert!(digits.len() == 4 && digits.iter().all(|d| *d < 10));
/// ```
pub fn vec<G: Generate>(element: G, size: impl Into<Size>) -> VecOf<G> {
    VecOf { element, size: size.into() }
}

/// See [`vec`](fn@vec).
#[derive(Clone, Copy, Debug)]
pub struct VecOf<G> {
    element: G,
    size: Size,
}

impl<G: Generate> Generate for VecOf<G> {
    type Value = Vec<G::Value>;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        let n = self.size.draw(choices)?;
        let mut values = Vec::with_capacity(n.min(MOST_RESERVED));
        self.element.generate_each(n, choices, |value| values.push(value))?;
        Ok(values)
    }
}

/// What `generator` makes, converted by a plain function.
pub type Conversion<G, T> = Map<G, fn(<G as Generate>::Value) -> T>;

/// Double-ended queues of elements from `element`.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, vec_deque};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert_eq!(choices.draw(vec_deque(0..9, 3)).unwrap().len(), 3);
/// ```
pub fn vec_deque<G: Generate>(element: G, size: impl Into<Size>) -> Conversion<VecOf<G>, VecDeque<G::Value>> {
    vec(element, size).mapped(VecDeque::from)
}

/// The vectors that `vectors` makes, sorted.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, sorted, vec};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(sorted(vec(0..100, ..30))).unwrap().is_sorted());
/// ```
pub fn sorted<T: Ord, G: Generate<Value = Vec<T>>>(vectors: G) -> Conversion<G, Vec<T>> {
    vectors.mapped(|mut values| {
        values.sort();
        values
    })
}

/// Strings of characters from `character`.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, string_of};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let word = choices.draw(string_of('a'..='f', 1..9)).unwrap();
/// assert!(word.chars().all(|c| ('a'..='f').contains(&c)));
/// ```
pub fn string_of<G: Generate<Value = char>>(character: G, size: impl Into<Size>) -> StringOf<G> {
    StringOf { character, size: size.into() }
}

/// See [`string_of`].
#[derive(Clone, Copy, Debug)]
pub struct StringOf<G> {
    character: G,
    size: Size,
}

impl<G: Generate<Value = char>> Generate for StringOf<G> {
    type Value = String;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<String> {
        let n = self.size.draw(choices)?;
        let mut text = String::with_capacity(n.min(MOST_RESERVED));
        self.character.generate_each(n, choices, |c| text.push(c))?;
        Ok(text)
    }
}

/// Bytes, every value as likely as any other: what a parser is fed with.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, bytes};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert_eq!(choices.draw(bytes(16)).unwrap().len(), 16);
/// ```
pub fn bytes(size: impl Into<Size>) -> VecOf<UniformByte> {
    vec(UniformByte(()), size)
}

/// One byte of [`bytes`].
#[derive(Clone, Copy, Debug)]
pub struct UniformByte(());

impl Generate for UniformByte {
    type Value = u8;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<u8> {
        Ok(choices.byte())
    }
    #[inline]
    fn is_single(&self) -> bool {
        true
    }
}

/// Arrays of `N` elements from `element`; no length is drawn and no heap is needed.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, array};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let [x, y, z] = choices.draw(array(-1.0..=1.0)).unwrap();
/// assert!(x * y * z <= 1.0);
/// ```
pub fn array<const N: usize, G: Generate>(element: G) -> ArrayOf<G, N> {
    ArrayOf { element }
}

/// See [`array`](fn@array).
#[derive(Clone, Copy, Debug)]
pub struct ArrayOf<G, const N: usize> {
    element: G,
}

impl<G: Generate, const N: usize> Generate for ArrayOf<G, N> {
    type Value = [G::Value; N];
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        let mut stopped = None;
        let drawn: [Option<G::Value>; N] = core::array::from_fn(|_| {
            if stopped.is_some() {
                return None;
            }
            choices.draw(&self.element).map_err(|stop| stopped = Some(stop)).ok()
        });
        match stopped {
            Some(stop) => Err(stop),
            None => Ok(drawn.map(|value| value.expect("every draw has succeeded"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        all, assert_replays, at, halt_of, reason, record, sample, samples, simplest,
    };
    use super::super::{any, just};
    use super::*;
    use crate::stop::{Discard, Reason};
    use stairway_choice::{Choices, Fault, Halt, Prng, Shape, Source};

    #[test]
    fn every_collection_replays() {
        assert_replays(&vec(any::<i64>(), 0..30));
        assert_replays(&vec(vec(any::<bool>(), ..4), 2..));
        assert_replays(&vec_deque('a'..'y', ..=5));
        assert_replays(&sorted(vec(0..99, 7)));
        assert_replays(&string_of(any::<char>(), 0..30));
        assert_replays(&bytes(0..30));
        assert_replays(&array::<4, _>((0..3, 0..3)));
        assert_replays(&vec(just('x'), 0..9));
    }

    #[test]
    fn sizes_are_kept_and_spread() {
        let lengths: Vec<usize> = samples(&vec(0..9, 2..=7), 600).iter().map(Vec::len).collect();
        for n in 2..=7 {
            assert!(lengths.iter().filter(|l| **l == n).count() > 50, "{n}");
        }
        assert!(lengths.iter().all(|n| (2..=7).contains(n)));
    }

    #[test]
    fn a_length_comes_first_and_each_element_is_one_unit() {
        for seed in 0..50 {
            let run = record(&vec((0..5, 0..5), 0..9), Source::Random(Prng::new(seed)));
            assert!(matches!(run.choices[0].shape, Shape::Length { min: 0, max: 8 }));
            let n_units = run.spans.iter().filter(|span| span.parent == 0).count();
            assert_eq!(n_units as u64, run.choices[0].index);
            let run = record(&vec(0..5, 0..9), Source::Random(Prng::new(seed)));
            assert_eq!((run.choices.len() as u64, run.spans.len()), (run.choices[0].index + 1, 1));
        }
    }

    #[test]
    fn deleting_a_unit_and_lowering_the_length_deletes_the_element() {
        assert_eq!(at(&vec(0..9, 0..9), &[3, 5, 6, 7]).unwrap(), [5, 6, 7]);
        assert_eq!(at(&vec(0..9, 0..9), &[2, 5, 7]).unwrap(), [5, 7]);
        assert_eq!(at(&string_of('a'..'y', 0..9), &[2, 1, 0]).unwrap(), "ba");
    }

    #[test]
    fn small_collections_can_be_counted_through() {
        assert_eq!(all(&vec(any::<bool>(), 0..=2)).len(), 1 + 2 + 4);
        assert_eq!(all(&array::<3, _>(any::<bool>())).len(), 8);
        assert_eq!(simplest(&vec(3..9, 2..)), [3, 3]);
    }

    #[test]
    fn impossible_sizes_are_faults() {
        assert_eq!(halt_of(&vec(0..9, 0..0)), Some(Halt::Fault(Fault::EmptyRange)));
        let (low, high) = (3, 5);
        assert_eq!(halt_of(&bytes(high..=low)), Some(Halt::Fault(Fault::EmptyRange)));
        assert_eq!(halt_of(&vec(5..low, 1)), Some(Halt::Fault(Fault::EmptyRange)));
    }

    #[test]
    fn many_integers_are_the_same_with_and_without_a_record() {
        let generator = (vec(any::<i32>(), 0..200), vec(any::<u64>(), 50), vec(-3i8..=90, 50), 0..99u8);
        for seed in 0..200 {
            let source = Source::Random(Prng::new(seed));
            let recorded = record(&generator, source);
            let plain = Draw::from(Choices::new(source, 100)).draw(&generator).unwrap();
            let again = Source::Replay { choices: &recorded.choices, spans: None, bound: u64::MAX };
            assert_eq!(plain, Draw::from(Choices::new(again, 100)).draw(&generator).unwrap());
        }
    }

    #[test]
    fn long_vectors_hold_bounds_powers_repetitions_and_small_numbers() {
        let share = |is: &dyn Fn(&[i32], usize) -> bool| {
            let vectors = samples(&vec(any::<i32>(), 64), 200);
            let n: usize = vectors.iter().map(|v| (0..64).filter(|i| is(v, *i)).count()).sum();
            n as f64 / (200.0 * 64.0)
        };
        let extreme = share(&|v, i| v[i] == i32::MIN || v[i] == i32::MAX);
        let power = share(&|v, i| v[i].unsigned_abs().is_power_of_two() && v[i].unsigned_abs() > 1000);
        let again = share(&|v, i| v[i].unsigned_abs() > 1000 && v[..i].contains(&v[i]));
        let small = share(&|v, i| v[i].unsigned_abs() <= 100);
        assert!(extreme > 0.005 && power > 0.005 && again > 0.005, "{extreme} {power} {again}");
        assert!((0.15..0.5).contains(&small), "{small}");
        let zero_first = share(&|v, i| i == 0 && v[0] == 0) * 64.0;
        assert!(zero_first < 0.05, "{zero_first} begin with 0 although nothing is there to be repeated");
    }

    #[test]
    fn a_huge_length_in_bytes_is_no_longer_than_what_follows_it() {
        let mut choices = Draw::from(Choices::new(Source::Bytes(&[255; 64]), 100));
        let drawn = choices.draw(vec(any::<u8>(), 0..=usize::MAX)).unwrap();
        assert_eq!(drawn.len(), 64 - size_of::<usize>());
    }

    #[test]
    fn an_array_stops_at_the_first_failure() {
        let never = (0..9).such_that(|_| false);
        let stopped = sample(&array::<3, _>(never), 1);
        assert!(matches!(reason(stopped), Some(Reason::Discard(Discard::Filter(_)))));
    }
}
