//! Challenges over lists.

use super::{Challenge, challenge};
use crate::findings::{Findings, Table};
use hegel::TestCase;
use hegel::generators as gs;
use proptest::collection::vec as vec_of;
use proptest::prelude::any as any_of;
use proptest::strategy::Strategy;
use quickcheck::Gen;
use stairway::prelude::*;
use std::collections::BTreeSet;

pub(super) fn run(findings: &mut Findings, table: &mut Table) {
    challenge::<Bound5>(findings, table);
    challenge::<LargeUnionList>(findings, table);
    challenge::<Reverse>(findings, table);
    challenge::<LengthList>(findings, table);
    challenge::<Coupling>(findings, table);
    challenge::<Deletion>(findings, table);
    challenge::<Distinct>(findings, table);
    challenge::<NestedLists>(findings, table);
}

/// Lists are up to this long, for every tool.
const MOST: usize = 100;

/// The parts that are the same for plain lists of integers.
macro_rules! over_lists {
    ($t:ty) => {
        type Input = Vec<$t>;
        type Quickcheck = Vec<$t>;
        fn stairway() -> impl Generate<Value = Self::Input> + Sync {
            vec(any::<$t>(), ..=MOST)
        }
        fn quickcheck(made: Self::Quickcheck) -> Self::Input {
            made
        }
        fn proptest() -> impl Strategy<Value = Self::Input> {
            vec_of(any_of::<$t>(), 0..=MOST)
        }
        fn hegel(tc: &TestCase) -> Self::Input {
            tc.draw(gs::vecs(gs::integers::<$t>()).max_size(MOST))
        }
    };
}

/// The parts that are the same for lists of lists.
macro_rules! over_nested_lists {
    () => {
        type Input = Vec<Vec<i64>>;
        type Quickcheck = Vec<Vec<i64>>;
        fn stairway() -> impl Generate<Value = Self::Input> + Sync {
            vec(vec(any::<i64>(), ..=MOST), ..=MOST)
        }
        fn quickcheck(made: Self::Quickcheck) -> Self::Input {
            made
        }
        fn proptest() -> impl Strategy<Value = Self::Input> {
            vec_of(vec_of(any_of::<i64>(), 0..=MOST), 0..=MOST)
        }
        fn hegel(tc: &TestCase) -> Self::Input {
            tc.draw(gs::vecs(gs::vecs(gs::integers::<i64>()).max_size(MOST)).max_size(MOST))
        }
    };
}

struct Bound5;

type Five = (Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>);

impl Challenge for Bound5 {
    const NAME: &'static str = "bound5";
    const MOST_RUNS: f64 = 137.0;
    const SMALLEST: &'static [&'static str] = &["([], [], [], [-1], [-32768])"];
    type Input = Five;
    type Quickcheck = Five;

    fn holds((a, b, c, d, e): &Five) -> Option<bool> {
        let sum = |list: &Vec<i16>| list.iter().fold(0i16, |sum, x| sum.wrapping_add(*x));
        let sums = [a, b, c, d, e].map(sum);
        let total = sums.iter().fold(0i16, |total, sum| total.wrapping_add(*sum));
        Some(sums.iter().any(|sum| *sum >= 256) || total < 5 * 256)
    }
    fn stairway() -> impl Generate<Value = Five> + Sync {
        let list = || vec(any::<i16>(), ..=MOST);
        (list(), list(), list(), list(), list())
    }
    fn quickcheck(made: Five) -> Five {
        made
    }
    fn proptest() -> impl Strategy<Value = Five> {
        let list = || vec_of(any_of::<i16>(), 0..=MOST);
        (list(), list(), list(), list(), list())
    }
    fn hegel(tc: &TestCase) -> Five {
        let list = || tc.draw(gs::vecs(gs::integers::<i16>()).max_size(MOST));
        (list(), list(), list(), list(), list())
    }
}

struct LargeUnionList;

impl Challenge for LargeUnionList {
    const NAME: &'static str = "large_union_list";
    const MOST_RUNS: f64 = 341.0;
    const SMALLEST: &'static [&'static str] = &["[[0, 1, -1, 2, -2]]"];
    over_nested_lists!();

    fn holds(lists: &Vec<Vec<i64>>) -> Option<bool> {
        Some(lists.iter().flatten().collect::<BTreeSet<_>>().len() <= 4)
    }
}

struct NestedLists;

impl Challenge for NestedLists {
    const NAME: &'static str = "nestedlists";
    const MOST_RUNS: f64 = 166.0;
    const SMALLEST: &'static [&'static str] = &["[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"];
    over_nested_lists!();

    fn holds(lists: &Vec<Vec<i64>>) -> Option<bool> {
        Some(lists.iter().map(Vec::len).sum::<usize>() <= 10)
    }
}

struct Reverse;

impl Challenge for Reverse {
    const NAME: &'static str = "reverse";
    const MOST_RUNS: f64 = 46.0;
    const SMALLEST: &'static [&'static str] = &["[0, 1]"];
    over_lists!(i64);

    fn holds(list: &Vec<i64>) -> Option<bool> {
        Some(list.iter().eq(list.iter().rev()))
    }
}

struct Distinct;

impl Challenge for Distinct {
    const NAME: &'static str = "distinct";
    const MOST_RUNS: f64 = 52.0;
    const SMALLEST: &'static [&'static str] = &["[0, 1, -1]", "[0, 1, 2]"];
    over_lists!(i64);

    fn holds(list: &Vec<i64>) -> Option<bool> {
        Some(list.iter().collect::<BTreeSet<_>>().len() < 3)
    }
}

struct LengthList;

/// A list of 1 to 100 numbers up to 1000, as quickcheck can make and shrink it.
#[derive(Clone, Debug)]
struct Filled(u16, Vec<u16>);

impl quickcheck::Arbitrary for Filled {
    fn arbitrary(g: &mut Gen) -> Self {
        let (first, rest) = <(u16, Vec<u16>) as quickcheck::Arbitrary>::arbitrary(g);
        Filled(first % 1001, rest.into_iter().take(MOST - 1).map(|n| n % 1001).collect())
    }
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new((self.0, self.1.clone()).shrink().map(|(first, rest)| Filled(first, rest)))
    }
}

impl Challenge for LengthList {
    const NAME: &'static str = "lengthlist";
    const MOST_RUNS: f64 = 85.0;
    const SMALLEST: &'static [&'static str] = &["[900]"];
    type Input = Vec<u16>;
    type Quickcheck = Filled;

    fn holds(list: &Vec<u16>) -> Option<bool> {
        Some(list.iter().max().is_none_or(|largest| *largest < 900))
    }
    fn stairway() -> impl Generate<Value = Vec<u16>> + Sync {
        compose(|c| {
            let n = c.draw(1..=MOST)?;
            (0..n).map(|_| c.draw(0..=1000u16)).collect()
        })
    }
    fn quickcheck(Filled(first, mut rest): Filled) -> Vec<u16> {
        rest.insert(0, first);
        rest
    }
    fn proptest() -> impl Strategy<Value = Vec<u16>> {
        (1..=MOST).prop_flat_map(|n| vec_of(0..=1000u16, n))
    }
    fn hegel(tc: &TestCase) -> Vec<u16> {
        let n = tc.draw(gs::integers::<usize>().min_value(1).max_value(MOST));
        (0..n).map(|_| tc.draw(gs::integers::<u16>().max_value(1000))).collect()
    }
}

struct Coupling;

/// A number up to 10, as quickcheck can make and shrink it.
#[derive(Clone, Debug)]
struct UpTo10(usize);

impl quickcheck::Arbitrary for UpTo10 {
    fn arbitrary(g: &mut Gen) -> Self {
        UpTo10(usize::from(<u8 as quickcheck::Arbitrary>::arbitrary(g)) % 11)
    }
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(UpTo10))
    }
}

impl Challenge for Coupling {
    const NAME: &'static str = "coupling";
    const MOST_RUNS: f64 = 400.0;
    const SMALLEST: &'static [&'static str] = &["[1, 0]"];
    type Input = Vec<usize>;
    type Quickcheck = Vec<UpTo10>;

    fn holds(list: &Vec<usize>) -> Option<bool> {
        let counts = list.iter().all(|x| *x < list.len());
        counts.then(|| list.iter().enumerate().all(|(i, x)| *x == i || list[*x] != i))
    }
    fn stairway() -> impl Generate<Value = Vec<usize>> + Sync {
        vec(0..=10usize, ..=MOST)
    }
    fn quickcheck(made: Vec<UpTo10>) -> Vec<usize> {
        made.into_iter().map(|x| x.0).collect()
    }
    fn proptest() -> impl Strategy<Value = Vec<usize>> {
        vec_of(0..=10usize, 0..=MOST)
    }
    fn hegel(tc: &TestCase) -> Vec<usize> {
        tc.draw(gs::vecs(gs::integers::<usize>().max_value(10)).max_size(MOST))
    }
}

struct Deletion;

impl Challenge for Deletion {
    const NAME: &'static str = "deletion";
    const MOST_RUNS: f64 = 23.0;
    const SMALLEST: &'static [&'static str] = &["([0, 0], 0)"];
    type Input = (Vec<i64>, usize);
    type Quickcheck = (Vec<i64>, usize);

    fn holds((list, at): &(Vec<i64>, usize)) -> Option<bool> {
        let chosen = *list.get(*at)?;
        let mut list = list.clone();
        let first = list.iter().position(|x| *x == chosen)?;
        list.remove(first);
        Some(!list.contains(&chosen))
    }
    fn stairway() -> impl Generate<Value = Self::Input> + Sync {
        compose(|c| {
            let list = c.draw(vec(any::<i64>(), ..=MOST))?;
            let at = c.draw(0..=list.len().saturating_sub(1))?;
            Ok((list, at))
        })
    }
    fn quickcheck((list, at): Self::Quickcheck) -> Self::Input {
        let at = at % list.len().max(1);
        (list, at)
    }
    fn proptest() -> impl Strategy<Value = Self::Input> {
        vec_of(any_of::<i64>(), 0..=MOST).prop_flat_map(|list| {
            let last = list.len().saturating_sub(1);
            (proptest::strategy::Just(list), 0..=last)
        })
    }
    fn hegel(tc: &TestCase) -> Self::Input {
        let list = tc.draw(gs::vecs(gs::integers::<i64>()).max_size(MOST));
        let at = tc.draw(gs::integers::<usize>().max_value(list.len().saturating_sub(1)));
        (list, at)
    }
}
