//! Hashed sets and maps, which live in `std`.
//!
//! Makes `HashSet` and `HashMap` by the protocol of `distinct`. What is drawn never depends on the order of a
//! hashed collection, so a record replays to an equal one. The order itself differs from run to run, and so
//! does what a property sees when it iterates: to keep that out, choose a hasher without random keys.

#![allow(
    clippy::disallowed_types,
    reason = "users' code takes hashed collections; nothing here looks at their order"
)]

use super::arbitrary::MOST;
use super::distinct::fill;
use super::{Arbitrary, Generate, Size, any};
use crate::draw::Draw;
use crate::stop::Checked;
use core::fmt;
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;
use core::panic::Location;
use std::collections::{HashMap, HashSet};
use std::hash::RandomState;

/// Hashed sets of elements from `element`. Where there are not enough distinct ones for the
/// smallest size the case is discarded.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, hash_set};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert_eq!(choices.draw(hash_set(0..9, 3)).unwrap().len(), 3);
/// ```
#[track_caller]
pub fn hash_set<G: Generate>(element: G, size: impl Into<Size>) -> HashSetOf<G>
where
    G::Value: Hash + Eq,
{
    HashSetOf { element, size: size.into(), at: Location::caller(), hasher: PhantomData }
}

/// See [`hash_set`].
pub struct HashSetOf<G, S = RandomState> {
    element: G,
    size: Size,
    at: &'static Location<'static>,
    hasher: PhantomData<fn() -> S>,
}

impl<G: fmt::Debug, S> fmt::Debug for HashSetOf<G, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashSetOf").field("element", &self.element).field("size", &self.size).finish()
    }
}

impl<G: Generate, S: BuildHasher + Default> Generate for HashSetOf<G, S>
where
    G::Value: Hash + Eq,
{
    type Value = HashSet<G::Value, S>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        fill((self.size, self.at), choices, &self.element, HashSet::contains, |value, _| Ok(value))
    }
}

/// Hashed maps from keys of `key` to values of `value`. Where there are not enough distinct
/// keys for the smallest size the case is discarded.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, hash_map};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert_eq!(choices.draw(hash_map(0..9, 'a'..'f', 3)).unwrap().len(), 3);
/// ```
#[track_caller]
pub fn hash_map<K: Generate, V: Generate>(key: K, value: V, size: impl Into<Size>) -> HashMapOf<K, V>
where
    K::Value: Hash + Eq,
{
    HashMapOf { key, value, size: size.into(), at: Location::caller(), hasher: PhantomData }
}

/// See [`hash_map`].
pub struct HashMapOf<K, V, S = RandomState> {
    key: K,
    value: V,
    size: Size,
    at: &'static Location<'static>,
    hasher: PhantomData<fn() -> S>,
}

impl<K: fmt::Debug, V: fmt::Debug, S> fmt::Debug for HashMapOf<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("HashMapOf");
        shown.field("key", &self.key).field("value", &self.value).field("size", &self.size).finish()
    }
}

impl<K: Generate, V: Generate, S: BuildHasher + Default> Generate for HashMapOf<K, V, S>
where
    K::Value: Hash + Eq,
{
    type Value = HashMap<K::Value, V::Value, S>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        let entry = |key, c: &mut Draw<'_>| Ok((key, c.draw(&self.value)?));
        fill((self.size, self.at), choices, &self.key, HashMap::contains_key, entry)
    }
}

impl<T: Arbitrary + Hash + Eq, S: BuildHasher + Default> Arbitrary for HashSet<T, S> {
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        let (size, at) = ((..=MOST).into(), Location::caller());
        HashSetOf { element: any(), size, at, hasher: PhantomData }.generate(choices)
    }
}

impl<K: Arbitrary + Hash + Eq, V: Arbitrary, S: BuildHasher + Default> Arbitrary for HashMap<K, V, S> {
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        let (size, at) = ((..=MOST).into(), Location::caller());
        HashMapOf { key: any(), value: any(), size, at, hasher: PhantomData }.generate(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::super::btree_map;
    use super::super::testing::{assert_replays, reason, record, sample, samples, simplest};
    use super::*;
    use crate::stop::{Discard, Reason};
    use alloc::collections::{BTreeMap, BTreeSet};
    use core::hash::BuildHasherDefault;
    use stairway_choice::{Prng, Source};
    use std::hash::DefaultHasher;

    type Fixed = BuildHasherDefault<DefaultHasher>;

    #[test]
    fn hashed_collections_replay() {
        assert_replays(&hash_set(0..10, 3..8).mapped(|set| set.into_iter().collect::<BTreeSet<_>>()));
        assert_replays(&hash_map(0..10, 0..3, 3..8).mapped(|m| m.into_iter().collect::<BTreeMap<_, _>>()));
        assert_replays(&any::<HashSet<u8, Fixed>>());
        assert_replays(&any::<HashMap<u8, bool, Fixed>>());
    }

    #[test]
    fn they_draw_what_their_ordered_siblings_draw() {
        for seed in 0..50 {
            let hashed = record(&hash_map(0..9, 0..9, 2..9), Source::Random(Prng::new(seed)));
            let ordered = record(&btree_map(0..9, 0..9, 2..9), Source::Random(Prng::new(seed)));
            assert_eq!(hashed.choices, ordered.choices);
            assert_eq!(hashed.value.unwrap().into_iter().collect::<BTreeMap<_, _>>(), ordered.value.unwrap());
        }
    }

    #[test]
    fn sizes_are_kept_and_the_simplest_is_empty() {
        assert!(samples(&hash_set(0..5, 5), 200).iter().all(|set| set.len() == 5));
        assert!(samples(&hash_map(0..2, 0..9, 1..9), 200).iter().all(|map| (1..=2).contains(&map.len())));
        assert!(simplest(&any::<HashMap<u8, u8>>()).is_empty() && simplest(&any::<HashSet<u8>>()).is_empty());
    }

    #[test]
    fn too_few_distinct_elements_are_discarded_at_the_callers_place() {
        for found in [
            reason(sample(&hash_set(any::<bool>(), 3), 1)),
            reason(sample(&hash_map(any::<bool>(), 0..9, 3), 1)),
        ] {
            assert!(matches!(found, Some(Reason::Discard(Discard::Filter(at))) if at.file == file!()));
        }
    }
}
