//! Sets and maps: collections whose elements or keys are distinct.
//!
//! They keep the protocol of `collection`, a length and then that many units. A unit tries
//! several elements for one that is new and may come back without any; so a set can have fewer
//! elements than the length says, though never fewer than its smallest size. This file knows
//! the two ordered collections of `alloc`; the hashed ones of `std` are `hash`'s.

use super::{Generate, Size, compose};
use crate::draw::Draw;
use crate::stop::{Checked, Discard, Stop};
use alloc::collections::{BTreeMap, BTreeSet};
use core::panic::Location;

/// How often a distinct element is tried for while the collection is too small.
const NEEDED_TRIES: u32 = 64;
/// How often when it might as well stay as it is.
const OPTIONAL_TRIES: u32 = 4;

/// A collection of units with distinct keys; `unit` makes one of its key. A case in which it stays below its
/// smallest size is discarded.
pub(super) fn fill<C: Default + Extend<U>, K: Generate, U>(
    (size, at): (Size, &'static Location<'static>),
    choices: &mut Draw<'_>,
    key: &K,
    has: impl Fn(&C, &K::Value) -> bool,
    unit: impl Fn(K::Value, &mut Draw<'_>) -> Checked<U>,
) -> Checked<C> {
    let (mut all, mut n) = (C::default(), 0);
    for _ in 0..size.draw(choices)? {
        let one = compose(|c| {
            let key = draw_distinct(key, n < size.min(), c, |key| has(&all, key))?;
            key.map(|key| unit(key, c)).transpose()
        });
        let one = choices.draw(one)?;
        n += u64::from(one.is_some());
        all.extend(one);
    }
    if n >= size.min() { Ok(all) } else { Err(Stop::discard(Discard::Filter(at.into()))) }
}

/// Draws an element that is not `known`, if it can; the caller makes it one unit.
fn draw_distinct<G: Generate>(
    element: &G,
    needed: bool,
    choices: &mut Draw<'_>,
    known: impl Fn(&G::Value) -> bool,
) -> Checked<Option<G::Value>> {
    let n_tries = match needed {
        _ if choices.choices().is_counting() => 1,
        true => NEEDED_TRIES,
        false => OPTIONAL_TRIES,
    };
    for _ in 0..n_tries {
        let value = choices.draw(element)?;
        if !known(&value) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Sets of elements from `element`. Where there are not enough distinct ones for the smallest
/// size the case is discarded.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, btree_set};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert_eq!(choices.draw(btree_set(0..9, 3)).unwrap().len(), 3);
/// ```
#[track_caller]
pub fn btree_set<G: Generate>(element: G, size: impl Into<Size>) -> SetOf<G>
where
    G::Value: Ord,
{
    SetOf { element, size: size.into(), at: Location::caller() }
}

/// See [`btree_set`].
#[derive(Clone, Copy, Debug)]
pub struct SetOf<G> {
    element: G,
    size: Size,
    at: &'static Location<'static>,
}

impl<G: Generate> Generate for SetOf<G>
where
    G::Value: Ord,
{
    type Value = BTreeSet<G::Value>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        fill((self.size, self.at), choices, &self.element, BTreeSet::contains, |value, _| Ok(value))
    }
}

/// Maps from keys of `key` to values of `value`. Where there are not enough distinct keys for
/// the smallest size the case is discarded.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, btree_map};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert_eq!(choices.draw(btree_map(0..9, 'a'..'f', 3)).unwrap().len(), 3);
/// ```
#[track_caller]
pub fn btree_map<K: Generate, V: Generate>(key: K, value: V, size: impl Into<Size>) -> MapOf<K, V>
where
    K::Value: Ord,
{
    MapOf { key, value, size: size.into(), at: Location::caller() }
}

/// See [`btree_map`].
#[derive(Clone, Copy, Debug)]
pub struct MapOf<K, V> {
    key: K,
    value: V,
    size: Size,
    at: &'static Location<'static>,
}

impl<K: Generate, V: Generate> Generate for MapOf<K, V>
where
    K::Value: Ord,
{
    type Value = BTreeMap<K::Value, V::Value>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        let entry = |key, c: &mut Draw<'_>| Ok((key, c.draw(&self.value)?));
        fill((self.size, self.at), choices, &self.key, BTreeMap::contains_key, entry)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, assert_replays, reason, record, sample, samples};
    use super::super::{any, vec};
    use super::*;
    use crate::stop::Reason;
    use stairway_choice::{Prng, Source};

    #[test]
    fn sets_and_maps_replay() {
        assert_replays(&btree_set(0..10, 3..8));
        assert_replays(&btree_set(vec(0..2, ..3), 3..8));
        assert_replays(&btree_map(0..10, vec(0..3, 0..3), 3..8));
    }

    #[test]
    fn sizes_are_kept() {
        assert!(samples(&btree_set(0..5, 5), 200).iter().all(|set| set.len() == 5));
        let small = samples(&btree_map(any::<bool>(), 0..9, 1..9), 200);
        assert!(small.iter().all(|map| (1..=2).contains(&map.len())));
        let n_full =
            samples(&btree_set(any::<i32>(), 0..=20), 200).iter().filter(|set| set.len() > 15).count();
        assert!((20..80).contains(&n_full), "{n_full}");
    }

    #[test]
    fn each_attempt_is_one_unit() {
        for seed in 0..50 {
            let set = record(&btree_set(any::<bool>(), 0..9), Source::Random(Prng::new(seed)));
            let map = record(&btree_map(any::<bool>(), any::<u8>(), 0..9), Source::Random(Prng::new(seed)));
            for (choices, spans) in [(set.choices, set.spans), (map.choices, map.spans)] {
                let n_units = spans.iter().filter(|span| span.parent == 0).count();
                assert_eq!(n_units as u64, choices[0].index);
            }
        }
    }

    #[test]
    fn small_sets_can_be_counted_through() {
        let sets = all(&btree_set(0..2, 0..=2));
        for set in [BTreeSet::new(), BTreeSet::from([0]), BTreeSet::from([1]), BTreeSet::from([0, 1])] {
            assert!(sets.contains(&set), "{set:?}");
        }
    }

    #[test]
    fn too_few_distinct_elements_are_discarded_at_the_callers_place() {
        for found in [
            reason(sample(&btree_set(any::<bool>(), 3), 1)),
            reason(sample(&btree_map(any::<bool>(), 0..9, 3), 1)),
        ] {
            assert!(matches!(found, Some(Reason::Discard(Discard::Filter(at))) if at.file == file!()));
        }
    }
}
