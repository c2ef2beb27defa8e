//! Users rely on models of accessors as people write them: what is borrowed stands inside options, results,
//! tuples and lists, beside what is owned, and behind guards.

use super::{falsified, program, quiet};
use stairway::prelude::*;
use stairway::report::Outcome;
use std::borrow::Cow;
use std::cell::{Ref as Guard, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Deref;

/// Texts by key, and the order in which they came. `LIES` has the front of that order be the second.
#[derive(Default)]
struct Texts<const LIES: bool> {
    by_key: BTreeMap<u8, String>,
    order: RefCell<VecDeque<(u8, String)>>,
}

/// A guard that is none of the standard library's.
struct Lease<'a>(Guard<'a, VecDeque<(u8, String)>>);

impl Deref for Lease<'_> {
    type Target = VecDeque<(u8, String)>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<const LIES: bool> Texts<LIES> {
    fn put(&mut self, key: u8, text: &str) -> Option<&mut String> {
        self.order.borrow_mut().push_back((key, text.to_string()));
        self.by_key.insert(key, text.to_string());
        self.by_key.get_mut(&key)
    }

    fn pair(&self, key: u8) -> Option<(&u8, &String)> {
        self.by_key.get_key_value(&key)
    }

    fn tagged(&self, key: u8) -> Option<(u8, &str, bool)> {
        self.by_key.get(&key).map(|text| (key, text.as_str(), true))
    }

    fn found(&self, key: u8) -> Result<&str, String> {
        self.by_key.get(&key).map(String::as_str).ok_or(format!("no {key}"))
    }

    fn maybe(&self, key: u8) -> Result<Option<&String>, u8> {
        if key < 3 { Ok(self.by_key.get(&key)) } else { Err(key) }
    }

    fn front(&self) -> Option<Guard<'_, str>> {
        let at = usize::from(LIES && self.order.borrow().len() > 1);
        Guard::filter_map(self.order.borrow(), |order| order.get(at).map(|(_, text)| text.as_str())).ok()
    }

    fn all(&self) -> Vec<&str> {
        self.by_key.values().map(String::as_str).collect()
    }

    fn sorted(&self) -> impl Iterator<Item = (u8, &str)> {
        self.by_key.iter().map(|(key, text)| (*key, text.as_str()))
    }

    fn boxed(&self) -> Box<dyn Iterator<Item = &u8> + '_> {
        Box::new(self.by_key.keys())
    }

    fn joined(&self) -> Cow<'_, str> {
        Cow::Owned(self.by_key.values().map(String::as_str).collect())
    }

    fn lease(&self) -> Lease<'_> {
        Lease(self.order.borrow())
    }
}

#[derive(Debug, Default)]
struct Plain<const LIES: bool> {
    by_key: BTreeMap<u8, String>,
    order: VecDeque<(u8, String)>,
}

#[model(system = Texts<LIES>)]
impl<const LIES: bool> Plain<LIES> {
    #[start]
    fn new() -> (Self, Texts<LIES>) {
        (Plain::default(), Texts::default())
    }

    #[op(weight = 3)]
    fn put(&mut self, #[from(0..4)] key: u8, #[from(regex("[ab]{0,2}"))] text: &str) -> Option<String> {
        self.order.push_back((key, text.to_string()));
        self.by_key.insert(key, text.to_string());
        Some(text.to_string())
    }

    #[op]
    fn pair(&self, #[from(0..4)] key: u8) -> Option<(u8, String)> {
        self.by_key.get(&key).map(|text| (key, text.clone()))
    }

    #[op]
    fn tagged(&self, #[from(0..4)] key: u8) -> Option<(u8, String, bool)> {
        self.by_key.get(&key).map(|text| (key, text.clone(), true))
    }

    #[op]
    fn found(&self, #[from(0..4)] key: u8) -> Result<String, String> {
        self.by_key.get(&key).cloned().ok_or(format!("no {key}"))
    }

    #[op]
    fn maybe(&self, #[from(0..4)] key: u8) -> Result<Option<String>, u8> {
        if key < 3 { Ok(self.by_key.get(&key).cloned()) } else { Err(key) }
    }

    #[op]
    fn front(&self) -> Option<String> {
        self.order.front().map(|(_, text)| text.clone())
    }

    #[op]
    fn all(&self) -> Vec<String> {
        self.by_key.values().cloned().collect()
    }

    #[op]
    fn sorted(&self) -> Vec<(u8, String)> {
        self.by_key.iter().map(|(key, text)| (*key, text.clone())).collect()
    }

    #[op]
    fn boxed(&self) -> Vec<u8> {
        self.by_key.keys().copied().collect()
    }

    #[op]
    fn joined(&self) -> String {
        self.by_key.values().map(String::as_str).collect()
    }

    #[op]
    fn lease(&self) -> VecDeque<(u8, String)> {
        self.order.clone()
    }
}

#[test]
fn what_is_borrowed_may_stand_inside_of_other_things() {
    let report = quiet(Plain::<false>::checker(), 1).demand_all().report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{report}");
    let report = quiet(Plain::<true>::checker(), 1).report();
    let steps = program(falsified(&report));
    assert!(steps[2].starts_with("front() -> Some("), "{report}");
    let test = report.test().expect("a test to paste");
    assert!(test.contains("system.front().map(|value| (*value).to_owned())"), "{test}");
}

/// Accessors of one type, none of which keeps a program from calling the others.
mod of_a_contract {
    use super::*;
    use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard};

    #[derive(Default)]
    pub(super) struct Shelf {
        items: Vec<String>,
        index: BTreeMap<u8, Vec<u8>>,
        cell: RefCell<Vec<u8>>,
        count: Mutex<u8>,
        shared: RwLock<Vec<u8>>,
    }

    #[contract]
    impl Shelf {
        pub fn new() -> Shelf {
            Shelf::default()
        }

        pub fn put(&mut self, key: u8, #[from(regex("[a-z]{0,3}"))] text: String) -> &mut Vec<u8> {
            self.items.push(text);
            self.index.entry(key).or_default()
        }

        pub fn first(&self) -> Option<&str> {
            self.items.first().map(String::as_str)
        }

        pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, String> {
            self.items.iter_mut()
        }

        pub fn entry(&mut self, key: u8) -> std::collections::btree_map::Entry<'_, u8, Vec<u8>> {
            self.index.entry(key)
        }

        pub fn pairs(&self) -> impl Iterator<Item = (&u8, &Vec<u8>)> + '_ {
            self.index.iter()
        }

        pub fn guard(&self) -> std::cell::RefMut<'_, Vec<u8>> {
            self.cell.borrow_mut()
        }

        pub fn count(&self) -> MutexGuard<'_, u8> {
            self.count.lock().expect("nobody panics with it")
        }

        pub fn shared(&self) -> Result<RwLockReadGuard<'_, Vec<u8>>, String> {
            self.shared.read().map_err(|error| error.to_string())
        }

        pub fn halves(&self) -> (&[String], &[String]) {
            self.items.split_at(self.items.len() / 2)
        }

        pub fn longest<'a>(&'a self, other: &'a str) -> &'a str {
            self.items.iter().map(String::as_str).max_by_key(|text| text.len()).unwrap_or(other)
        }

        pub fn lookup<'a>(&'a self, key: &u8) -> Result<&'a Vec<u8>, u8> {
            self.index.get(key).ok_or(*key)
        }

        pub fn drain(&mut self) -> std::vec::Drain<'_, String> {
            self.items.drain(..)
        }

        #[ensures(result.iter().all(|text| text.len() < 3))]
        pub fn all(&self) -> &[String] {
            &self.items
        }
    }
}

#[test]
fn contracts_call_what_returns_something_borrowed() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = Checker::contracts::<of_a_contract::Shelf>().settings(settings).report();
    let names: Vec<&str> = falsified(&report).observed.steps.iter().map(|step| step.name).collect();
    assert_eq!(names.last(), Some(&"Shelf::all"), "{report}");
    let counts = &report.result.statistics.program;
    assert_eq!(counts.names.len(), 14, "{:?}", counts.names);
}

/// What a type has by `Deref` can be listed too.
#[contract(of = Vec<u8>)]
trait Bytes {
    fn new() -> Self;
    fn push(&mut self, byte: u8);
    #[ensures(result.copied() == self.get(self.len().wrapping_sub(1)).copied())]
    fn last(&self) -> Option<&u8>;
    #[ensures(self.len() < 3 || self[0] >= self[1])]
    fn sort(&mut self);
}

#[test]
fn methods_of_a_slice_are_methods_of_a_vector() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = Checker::contracts::<Bytes>().settings(settings).report();
    let names: Vec<&str> = falsified(&report).observed.steps.iter().map(|step| step.name).collect();
    assert_eq!(names.last(), Some(&"Vec::sort"), "{report}");
}
