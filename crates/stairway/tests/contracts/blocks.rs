//! `#[contract]` on every kind of `impl` block: what compiles without it compiles with it, and is checked.

use super::{check_calls, identity, program};
use stairway::prelude::*;
use std::collections::BTreeMap;

/// A store in memory that loses a value now and then.
mod store {
    use super::*;

    pub(super) trait Store {
        type Key;
        const LIMIT: usize;
        fn put(&mut self, key: Self::Key, value: u8) -> Option<u8>;
        fn get(&self, key: &Self::Key) -> Option<&u8>;
    }

    #[derive(Debug, Default)]
    pub(super) struct Memory(BTreeMap<u16, u8>);

    #[contract]
    impl Memory {
        pub fn new() -> Self {
            Memory::default()
        }

        #[invariant]
        fn is_small(&self) -> bool {
            self.0.len() <= Self::LIMIT
        }
    }

    #[contract]
    impl Store for Memory {
        type Key = u16;
        const LIMIT: usize = 2;

        #[requires(self.0.len() < Self::LIMIT)]
        #[ensures(self.get(&key) == Some(&value))]
        fn put(&mut self, key: Self::Key, value: u8) -> Option<u8> {
            let first: Option<Self::Key> = self.0.keys().next().copied();
            let value = if first.is_some_and(|first| key < first) { 0 } else { value };
            self.0.insert(key, value)
        }

        fn get(&self, key: &Self::Key) -> Option<&u8> {
            self.0.get(key)
        }
    }

    /// A further block: it is checked by the invariants of the first.
    #[contract(name = Loading)]
    impl Memory {
        pub fn load(&mut self, #[from(0..4)] n: u16) {
            self.0.extend((0..n).map(|k| (k, 1)));
        }
    }
}

#[test]
fn methods_of_a_trait_are_called_and_checked() {
    for seed in 0..5 {
        let report = check_calls::<(store::Memory, store::MemoryAsStore)>(seed);
        assert_eq!(identity(&report), "ensures `self.get(&key) == Some(&value)` of put", "{report}");
        assert_eq!(
            program(&report),
            ["r1 = Memory::new()", "r2 = Memory::put(&mut r1, 1, 0)", "r3 = Memory::put(&mut r1, 0, 1)"]
        );
        let test = report.test().expect("a test to paste");
        assert!(test.contains("r1.put(0, 1);"), "{test}");
    }
}

#[test]
fn invariants_hold_for_the_functions_of_other_blocks() {
    let report = check_calls::<(store::Memory, store::Loading)>(1);
    assert_eq!(identity(&report), "invariant is_small", "{report}");
    assert_eq!(program(&report), ["r1 = Memory::new()", "r2 = Memory::load(&mut r1, 3)"]);
}

#[test]
fn a_call_inside_of_other_code_is_checked_by_the_trait_too() {
    use store::Store;
    let overfull = std::panic::catch_unwind(|| {
        let mut memory = store::Memory::new();
        for key in 0..3 {
            memory.put(key, 1);
        }
    });
    let message = *overfull.unwrap_err().downcast::<String>().expect("words");
    assert!(message.contains("self.0.len() < Self::LIMIT"), "{message}");
}

/// Blocks that are hard to write again.
mod odd {
    use super::*;
    use std::fmt::{self, Display};
    use std::ops::{Add, Index};

    pub(super) struct Counter {
        n: u8,
    }

    #[contract]
    impl Counter {
        pub fn new(n: u8) -> Self {
            Counter { n }
        }

        pub fn r#type(&self) -> u8 {
            self.n
        }

        pub fn all(&self) -> impl Iterator<Item = u8> + '_ {
            0..self.n
        }

        #[ensures(result.size_hint().0 == usize::from(self.n))]
        pub fn sized(&self) -> impl Iterator<Item = u8> + '_ {
            0..self.n
        }

        pub fn bounded<'a>(&'a self, more: &'a [u8]) -> Box<dyn Fn(u8) -> bool + 'a> {
            Box::new(move |n| n < self.n || more.contains(&n))
        }

        pub fn named(&self, name: &'static str) -> usize {
            name.len()
        }

        pub fn parts(&self, (a, b): (u8, u8), [c, ..]: [u8; 3], _: u8) -> u32 {
            u32::from(a) + u32::from(b) + u32::from(c)
        }

        #[allow(unreachable_pub, reason = "programs know what is public")]
        pub fn never(&self) -> ! {
            panic!("never")
        }

        #[cfg(any())]
        #[ensures(nothing_like_this)]
        pub fn gone(&self) {}
    }

    #[contract]
    impl Iterator for Counter {
        type Item = u8;

        #[ensures(result.is_some() == (old(self.n) > 0))]
        fn next(&mut self) -> Option<Self::Item> {
            self.n = self.n.checked_sub(1)?;
            Some(self.n)
        }
    }

    #[contract]
    impl From<u8> for Counter {
        #[ensures(result.n == n)]
        fn from(n: u8) -> Self {
            Self { n }
        }
    }

    #[contract]
    impl From<(u8, u8)> for Counter {
        fn from((a, b): (u8, u8)) -> Self {
            Self { n: a.max(b) }
        }
    }

    #[contract]
    impl Add<&Counter> for &Counter {
        type Output = Counter;

        #[requires(self.n < 100 && other.n < 100)]
        fn add(self, other: &Counter) -> Counter {
            Counter { n: self.n + other.n }
        }
    }

    #[contract]
    impl Index<usize> for Counter {
        type Output = u8;

        #[requires(at == 0)]
        fn index(&self, at: usize) -> &u8 {
            [&self.n][at]
        }
    }

    #[contract]
    impl Display for Counter {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", self.n)
        }
    }

    #[contract]
    impl Drop for Counter {
        fn drop(&mut self) {}
    }

    pub(super) trait Sum {
        fn sum(&self) -> u64;
    }

    #[contract]
    impl Sum for [u8] {
        #[ensures(*result <= 255 * self.len() as u64)]
        fn sum(&self) -> u64 {
            self.iter().copied().map(u64::from).sum()
        }
    }

    pub(super) trait Show {
        fn shown(&self) -> String;
    }

    #[contract]
    impl<T: Display + ?Sized> Show for T {
        #[ensures(*result == self.to_string())]
        fn shown(&self) -> String {
            self.to_string()
        }
    }

    #[allow(dead_code, reason = "programs call them by other names")]
    pub(super) trait Later {
        async fn later(&mut self, n: u8) -> u8;
        fn each(&self) -> impl Iterator<Item = u8>;
        fn put<K: Into<u8>>(&mut self, n: K) -> u8;
    }

    #[contract]
    impl Later for Counter {
        #[ensures(*result == n)]
        async fn later(&mut self, n: u8) -> u8 {
            self.n = n;
            n
        }

        fn each(&self) -> impl Iterator<Item = u8> {
            0..self.n
        }

        #[requires(self.n < 200)]
        fn put<K: Into<u8>>(&mut self, n: K) -> u8 {
            self.n += 1;
            n.into()
        }
    }

    pub(super) struct View<'a, T, const N: usize>(pub(super) &'a [T; N]);

    pub(super) trait Look<'x, U> {
        fn look(&self, at: usize) -> Option<&U>;
    }

    #[contract]
    impl<T, const N: usize> Look<'_, T> for View<'_, T, N>
    where
        T: PartialEq + Clone,
    {
        #[requires(at < N)]
        #[ensures(result.is_some())]
        fn look(&self, at: usize) -> Option<&T> {
            self.0.get(at)
        }
    }

    #[contract]
    impl<'a, T, const N: usize> View<'a, T, N> {
        pub fn new(of: &'a [T; N]) -> Self {
            View(of)
        }

        #[ensures(result.len() == N)]
        pub fn all(&self) -> &'a [T] {
            self.0
        }
    }
}

#[test]
fn odd_blocks_are_checked() {
    use odd::{Look, Show, Sum};
    type All = (
        odd::Counter,
        odd::CounterAsIterator,
        odd::CounterAsFromU8,
        odd::CounterAsFromU8U8,
        odd::CounterAsAddCounter,
        odd::CounterAsLater,
        odd::CounterAsDisplay,
    );
    let report = check_calls::<All>(3);
    assert!(report.counterexample().is_none(), "{report}");
    let why =
        |name: &str| report.uncalled.iter().find(|(uncalled, _)| *uncalled == name).map(|(_, why)| *why);
    assert_eq!(why("Counter::never"), Some("it never returns"));
    assert_eq!(why("Counter::named"), None);
    assert_eq!(([1_u8, 2][..].sum(), 12.shown()), (3, "12".to_string()));
    assert_eq!(odd::View(&[1, 2]).look(1), Some(&2));
    assert_eq!(odd::View::new(&[1, 2]).all(), [1, 2]);
}
