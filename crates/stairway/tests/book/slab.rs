/// A table that hands out keys; places of removed entries are used again.
#[derive(Debug, Default)]
pub struct Slab {
    slots: Vec<Option<u8>>,
    free: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Key(usize);

impl Slab {
    pub fn insert(&mut self, value: u8) -> Key {
        let at = match self.free.last() {
            Some(at) => *at,
            None => {
                self.slots.push(None);
                self.slots.len() - 1
            }
        };
        self.slots[at] = Some(value);
        Key(at)
    }

    pub fn get(&self, key: &Key) -> Option<u8> {
        self.slots[key.0]
    }

    pub fn remove(&mut self, key: Key) -> Option<u8> {
        self.free.push(key.0);
        self.slots[key.0].take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Debug)]
    struct Entries(BTreeMap<Ref<Key>, u8>);

    #[model(system = Slab)]
    impl Entries {
        #[start]
        fn new() -> (Entries, Slab) {
            (Entries(BTreeMap::new()), Slab::default())
        }

        #[op]
        fn insert(&mut self, value: u8, #[result] key: Ref<Key>) {
            self.0.insert(key, value);
        }

        #[op]
        fn get(&self, key: Ref<Key>) -> Option<u8> {
            self.0.get(&key).copied()
        }

        #[op(consumes = key)]
        fn remove(&mut self, key: Ref<Key>) -> Option<u8> {
            self.0.remove(&key)
        }
    }

    #[test] #[ignore]
    fn keys_lead_to_their_entries() {
        Entries::check();
    }
}
