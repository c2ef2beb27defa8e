//! The red-black tree is a map.

use flash::tree::Tree;
use stairway::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug)]
struct Map(BTreeMap<u8, u8>);

#[model(system = Tree<u8, u8>)]
impl Map {
    #[start]
    fn new() -> (Map, Tree<u8, u8>) {
        (Map(BTreeMap::new()), Tree::default())
    }

    #[op(weight = 3)]
    fn insert(&mut self, #[from(0..40u8)] key: u8, v: u8) -> Option<u8> {
        self.0.insert(key, v)
    }

    #[op(call = system.get(&key).copied())]
    fn get(&self, #[from(0..40u8)] key: u8) -> Option<u8> {
        self.0.get(&key).copied()
    }

    #[op]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[op(call = system.entries().into_iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>())]
    fn entries(&self) -> Vec<(u8, u8)> {
        self.0.iter().map(|(k, v)| (*k, *v)).collect()
    }

    #[invariant]
    fn is_balanced(&self, system: &Tree<u8, u8>) -> bool {
        system.is_balanced()
    }
}

#[test]
fn the_tree_is_a_map() {
    Map::checker().cases(60).steps(80).demand_all().run();
}
