//! Selection: one of several values, some of them, or all in another order.
//!
//! The user lists the values to choose from. The decision is always drawn before what it leads to, as one of
//! so many alternatives, so that shrinking can move to an earlier one. The values often come from the run
//! itself, so nothing to choose from discards the case: there may be something next time. Generators to
//! choose from are `branch`'s.

use super::{Generate, Size};
use crate::draw::Draw;
use crate::stop::{Checked, Discard, Stop};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;
use core::panic::Location;

/// Values to choose from: an array, a vector, a slice, or a reference to one of them.
pub trait Values {
    /// What one of them is.
    type Item;
    /// All of them, in order.
    fn as_slice(&self) -> &[Self::Item];
}

impl<T> Values for [T] {
    type Item = T;
    fn as_slice(&self) -> &[T] {
        self
    }
}

impl<T, const N: usize> Values for [T; N] {
    type Item = T;
    fn as_slice(&self) -> &[T] {
        self
    }
}

impl<T> Values for Vec<T> {
    type Item = T;
    fn as_slice(&self) -> &[T] {
        self
    }
}

macro_rules! values_behind {
    ($($pointer:ty),*) => {$(
        impl<V: Values + ?Sized> Values for $pointer {
            type Item = V::Item;
            fn as_slice(&self) -> &[V::Item] {
                (**self).as_slice()
            }
        }
    )*};
}

values_behind!(&V, Box<V>, Rc<V>);

/// One of `values`, cloned; earlier ones are simpler. Without values the case is discarded.
///
/// ```
/// use stairway_engine::{Choices, Draw, Prng, Source, sampled_from};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let opened = vec![String::from("a.txt"), String::from("b.txt")];
/// let name: String = choices.draw(sampled_from(&opened)).unwrap();
/// assert!(opened.contains(&name));
/// assert!([2, 3, 5].contains(&choices.draw(sampled_from([2, 3, 5])).unwrap()));
/// ```
#[track_caller]
pub fn sampled_from<V: Values<Item: Clone>>(values: V) -> SampledFrom<V> {
    SampledFrom { values, at: Location::caller() }
}

/// See [`sampled_from`].
#[derive(Clone, Copy, Debug)]
pub struct SampledFrom<V> {
    values: V,
    at: &'static Location<'static>,
}

impl<V: Values<Item: Clone>> Generate for SampledFrom<V> {
    type Value = V::Item;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<V::Item> {
        let values = self.values.as_slice();
        Ok(values[position(values.len(), self.at, choices)?].clone())
    }
    #[inline]
    fn is_single(&self) -> bool {
        true
    }
}

#[inline]
fn position(n: usize, at: &'static Location<'static>, choices: &mut Draw<'_>) -> Checked<usize> {
    if n == 0 {
        return Err(Stop::discard(Discard::Empty(at.into())));
    }
    Ok(choices.alternative(n as u64) as usize)
}

/// One of `values` by reference, which is shown by its position. Without values the case is
/// discarded.
///
/// This is how to quantify over values of an abstract type, which can be neither made nor shown
/// (Claessen and Hughes, "Testing Monadic Code with QuickCheck", section 11).
///
/// ```
/// use stairway_engine::{Choices, Draw, Prng, Source, element};
/// struct Opaque(u8);
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let picked = choices.draw(element(&[Opaque(7)])).unwrap();
/// assert_eq!((picked.0, picked.index()), (7, 0));
/// assert_eq!(format!("{picked:?}"), "position 1 of 1");
/// ```
#[track_caller]
pub fn element<T>(values: &[T]) -> Element<'_, T> {
    Element { values, at: Location::caller() }
}

/// See [`element`].
pub struct Element<'a, T> {
    values: &'a [T],
    at: &'static Location<'static>,
}

impl<T> fmt::Debug for Element<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {} at {}", self.values.len(), self.at)
    }
}

impl<'a, T> Generate for Element<'a, T> {
    type Value = PickedElement<'a, T>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<PickedElement<'a, T>> {
        let index = position(self.values.len(), self.at, choices)?;
        Ok(PickedElement { values: self.values, index })
    }
    fn is_single(&self) -> bool {
        true
    }
}

/// An element of a slice that knows its position; it is shown as `position 2 of 3`, counted
/// from 1, whatever its type.
pub struct PickedElement<'a, T> {
    values: &'a [T],
    index: usize,
}

impl<'a, T> PickedElement<'a, T> {
    /// Its position in the slice, counted from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The element for as long as the slice lives.
    #[must_use]
    pub const fn get(&self) -> &'a T {
        &self.values[self.index]
    }
}

impl<T> Clone for PickedElement<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PickedElement<'_, T> {}

impl<T> Deref for PickedElement<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.get()
    }
}

impl<T> fmt::Debug for PickedElement<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {} of {}", self.index + 1, self.values.len())
    }
}

/// Each of `values` or not, in their order: one decision for each of them.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, subset};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(subset(["read", "write"])).unwrap().len() <= 2);
/// ```
pub fn subset<V: Values<Item: Clone>>(values: V) -> Subset<V> {
    Subset { values }
}

/// See [`subset`].
#[derive(Clone, Copy, Debug)]
pub struct Subset<V> {
    values: V,
}

impl<V: Values<Item: Clone>> Generate for Subset<V> {
    type Value = Vec<V::Item>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        Ok(self.values.as_slice().iter().filter(|_| choices.chance(1, 2)).cloned().collect())
    }
}

/// As many of `values` as `size` says, in their order. Where there are not enough of them the
/// case is discarded.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, subsequence};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let two = choices.draw(subsequence([1, 2, 3, 4], 2)).unwrap();
/// assert!(two.len() == 2 && two[0] < two[1]);
/// ```
#[track_caller]
pub fn subsequence<V: Values<Item: Clone>>(values: V, size: impl Into<Size>) -> Subsequence<V> {
    Subsequence { values, size: size.into(), at: Location::caller() }
}

/// See [`subsequence`].
#[derive(Clone, Copy, Debug)]
pub struct Subsequence<V> {
    values: V,
    size: Size,
    at: &'static Location<'static>,
}

impl<V: Values<Item: Clone>> Generate for Subsequence<V> {
    type Value = Vec<V::Item>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        let values = self.values.as_slice();
        let size = self.size.at_most(values.len());
        let n = size.ok_or(Stop::discard(Discard::Empty(self.at.into())))?.draw(choices)?;
        let mut taken: Vec<usize> = (0..values.len()).collect();
        permute(&mut taken, n, choices);
        taken.truncate(n);
        taken.sort_unstable();
        Ok(taken.into_iter().map(|i| values[i].clone()).collect())
    }
}

/// All of `values` in some order; the simplest is the one they are in.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, shuffle};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let mut order = choices.draw(shuffle([1, 2, 3])).unwrap();
/// order.sort();
/// assert_eq!(order, [1, 2, 3]);
/// ```
pub fn shuffle<V: Values<Item: Clone>>(values: V) -> Shuffle<V> {
    Shuffle { values }
}

/// See [`shuffle`].
#[derive(Clone, Copy, Debug)]
pub struct Shuffle<V> {
    values: V,
}

impl<V: Values<Item: Clone>> Generate for Shuffle<V> {
    type Value = Vec<V::Item>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        let mut values = self.values.as_slice().to_vec();
        // The last one has no alternative.
        let n = values.len().saturating_sub(1);
        permute(&mut values, n, choices);
        Ok(values)
    }
}

/// Draws for each of the first `n` positions which of the remaining values goes there; the ones
/// not taken keep their order.
fn permute<T>(values: &mut [T], n: usize, choices: &mut Draw<'_>) {
    for i in 0..n {
        let k = choices.alternative((values.len() - i) as u64) as usize;
        values[i..=i + k].rotate_right(1);
    }
}

/// True `numerator` times in `denominator`.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, weighted_bool};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(!choices.draw(weighted_bool(0, 5)).unwrap());
/// ```
#[must_use]
pub const fn weighted_bool(numerator: u32, denominator: u32) -> WeightedBool {
    WeightedBool { numerator, denominator }
}

/// See [`weighted_bool`].
#[derive(Clone, Copy, Debug)]
pub struct WeightedBool {
    numerator: u32,
    denominator: u32,
}

impl Generate for WeightedBool {
    type Value = bool;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<bool> {
        Ok(choices.chance(self.numerator, self.denominator))
    }
    #[inline]
    fn is_single(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        all, assert_replays, assert_single, at, halt_of, reason, sample, samples, simplest,
    };
    use super::*;
    use crate::stop::Reason;
    use alloc::{format, vec};
    use stairway_choice::{Fault, Halt};

    #[test]
    fn every_kind_of_selection_replays() {
        assert_replays(&sampled_from(["a", "b"]));
        assert_replays(&element(&[3, 4, 5]));
        assert_replays(&subset([1, 2, 3, 4]));
        assert_replays(&subsequence(vec![1, 2, 3, 4], 1..));
        assert_replays(&shuffle([1, 2, 3, 4, 5]));
        assert_replays(&weighted_bool(2, 7));
    }

    #[test]
    fn values_may_be_owned_or_borrowed() {
        let values = vec![2, 3, 5];
        for drawn in
            [all(&sampled_from(&values)), all(&sampled_from(&values[..])), all(&sampled_from([2, 3, 5]))]
        {
            assert_eq!(drawn, values);
        }
        assert_eq!(all(&sampled_from(&[2, 3])), [2, 3]);
        let shared: Rc<[i32]> = Rc::from([2, 3]);
        assert_eq!(all(&sampled_from(shared)), [2, 3]);
        assert_eq!(all(&sampled_from(values)), [2, 3, 5]);
    }

    #[test]
    fn every_value_is_as_likely_as_any_other() {
        let drawn = samples(&sampled_from([0, 1, 2, 3]), 2000);
        for value in 0..4 {
            let n = drawn.iter().filter(|v| **v == value).count();
            assert!((400..600).contains(&n), "{value}: {n}");
        }
        let n_true = samples(&weighted_bool(1, 5), 1000).into_iter().filter(|b| *b).count();
        assert!((140..260).contains(&n_true), "{n_true}");
    }

    #[test]
    fn picked_elements_are_shown_by_position() {
        struct Opaque(char);
        let values = [Opaque('x'), Opaque('y'), Opaque('z')];
        let picked = at(&element(&values), &[1]).unwrap();
        let copy = picked;
        assert_eq!((copy.0, picked.index(), picked.get().0), ('y', 1, 'y'));
        assert_eq!(format!("{picked:?}"), "position 2 of 3");
    }

    #[test]
    fn one_choice_is_what_single_says() {
        assert_single(&sampled_from([1]), true);
        assert_single(&element(&[1, 2]), true);
        assert_single(&weighted_bool(1, 2), true);
    }

    #[test]
    fn every_subset_and_every_order_turns_up_once() {
        let mut subsets = all(&subset([1, 2, 3]));
        assert_eq!(subsets[0], []);
        subsets.sort();
        subsets.dedup();
        assert_eq!(subsets.len(), 8);
        let mut orders = all(&shuffle([1, 2, 3, 4]));
        assert_eq!(orders[0], [1, 2, 3, 4]);
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 24);
        assert_eq!(simplest(&shuffle(Vec::<u8>::new())), []);
    }

    #[test]
    fn subsequences_keep_the_order_and_the_size() {
        for drawn in samples(&subsequence([1, 2, 3, 4, 5], 2..=4), 300) {
            assert!((2..=4).contains(&drawn.len()) && drawn.is_sorted_by(|a, b| a < b), "{drawn:?}");
        }
        assert_eq!(simplest(&subsequence([1, 2, 3], 2..)), [1, 2]);
        assert_eq!(at(&subsequence([1, 2, 3, 4], 0..), &[2, 3, 1]).unwrap(), [2, 4]);
    }

    #[test]
    fn nothing_to_pick_from_is_discarded_at_the_callers_place() {
        let line = line!() + 1;
        let empty = sampled_from(Vec::<u8>::new());
        let found = reason(sample(&empty, 1));
        assert!(matches!(found, Some(Reason::Discard(Discard::Empty(at))) if at.line == line), "{found:?}");
        let found = reason(sample(&element::<u8>(&[]), 1));
        assert!(matches!(found, Some(Reason::Discard(Discard::Empty(at))) if at.file == file!()));
        let found = reason(sample(&subsequence([1, 2], 3), 1));
        assert!(matches!(found, Some(Reason::Discard(Discard::Empty(_)))));
    }

    #[test]
    fn impossible_chances_and_sizes_are_faults() {
        assert_eq!(halt_of(&weighted_bool(1, 0)), Some(Halt::Fault(Fault::NoAlternative)));
        assert_eq!(halt_of(&subsequence([1, 2], 0..0)), Some(Halt::Fault(Fault::EmptyRange)));
    }
}
