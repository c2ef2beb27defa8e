//! The maps of statistics. Where program memory is scarce they are sorted lists, which do what is asked of
//! maps here in a tenth of the code; whoever counts many different things has the feature `observations`, and
//! trees.

#[cfg(feature = "observations")]
pub use alloc::collections::BTreeMap as Map;
#[cfg(not(feature = "observations"))]
pub use few::Map;

#[cfg(any(test, not(feature = "observations")))]
#[allow(unreachable_pub, reason = "public where it is the map of statistics, and tested where it is not")]
mod few {
    use alloc::vec::Vec;

    /// Entries in the order of their keys.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Map<K, V>(Vec<(K, V)>);

    impl<K, V> Default for Map<K, V> {
        fn default() -> Self {
            Map(Vec::new())
        }
    }

    impl<K: Ord, V> Map<K, V> {
        /// Puts a value in the place of a key.
        pub(crate) fn insert(&mut self, key: K, value: V) {
            match self.0.binary_search_by(|(known, _)| known.cmp(&key)) {
                Ok(at) => self.0[at].1 = value,
                Err(at) => self.0.insert(at, (key, value)),
            }
        }

        /// The entry of a key, which may not be there yet.
        pub(crate) fn entry(&mut self, key: K) -> Entry<'_, K, V> {
            let at = self.0.binary_search_by(|(known, _)| known.cmp(&key));
            Entry { entries: &mut self.0, key, at }
        }

        /// Forgets all entries, and keeps their memory.
        pub(crate) fn clear(&mut self) {
            self.0.clear();
        }

        /// How many entries there are.
        #[must_use]
        pub fn len(&self) -> usize {
            self.0.len()
        }

        /// Whether there are none.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        /// All entries in order.
        pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
            self.0.iter().map(|(key, value)| (key, value))
        }

        /// All values in the order of their keys.
        pub fn values(&self) -> impl Iterator<Item = &V> {
            self.0.iter().map(|(_, value)| value)
        }

        /// The same, to be changed.
        pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
            self.0.iter_mut().map(|(_, value)| value)
        }

        /// Whether a key has an entry.
        pub(crate) fn contains_key(&self, key: &K) -> bool {
            self.0.iter().any(|(known, _)| known == key)
        }
    }

    /// The entry of one key.
    pub(crate) struct Entry<'m, K, V> {
        entries: &'m mut Vec<(K, V)>,
        key: K,
        at: Result<usize, usize>,
    }

    impl<'m, K, V> Entry<'m, K, V> {
        /// The value that is there, or this one.
        pub(crate) fn or_insert(self, value: V) -> &'m mut V {
            let at = self.at.unwrap_or_else(|at| {
                self.entries.insert(at, (self.key, value));
                at
            });
            &mut self.entries[at].1
        }

        /// The value that is there, or the simplest one.
        pub(crate) fn or_default(self) -> &'m mut V
        where
            V: Default,
        {
            self.or_insert(V::default())
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn entries_are_in_order_and_there_once() {
            let mut map = Map::default();
            for word in ["b", "a", "c", "b"] {
                *map.entry(word).or_default() += 1;
            }
            map.insert("a", 7);
            map.insert("0", 0);
            assert!(map.iter().eq([(&"0", &0), (&"a", &7), (&"b", &2), (&"c", &1)]));
            assert!(map.contains_key(&"c") && !map.contains_key(&"d") && map.len() == 4 && !map.is_empty());
            map.values_mut().for_each(|n| *n += 1);
            assert!(map.values().eq(&[1, 8, 3, 2]));
            map.clear();
            assert!(map.is_empty());
        }
    }
}
