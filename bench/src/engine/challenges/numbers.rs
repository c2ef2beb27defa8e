//! Challenges over two numbers that depend on each other.

use super::{Challenge, challenge};
use crate::findings::{Findings, Table};
use hegel::TestCase;
use hegel::generators as gs;
use proptest::strategy::Strategy;
use stairway::prelude::*;

pub(super) fn run(findings: &mut Findings, table: &mut Table) {
    challenge::<Difference<0, 0>>(findings, table);
    challenge::<Difference<1, 4>>(findings, table);
    challenge::<Difference<1, 1>>(findings, table);
}

/// Holds unless x is at least 10 and between `LO` and `HI` away from y.
struct Difference<const LO: u32, const HI: u32>;

impl<const LO: u32, const HI: u32> Challenge for Difference<LO, HI> {
    const NAME: &'static str = match (LO, HI) {
        (0, _) => "difference_zero",
        (_, 1) => "difference_one",
        _ => "difference_small",
    };
    const MOST_RUNS: f64 = if LO == 0 { 40.0 } else { 400.0 };
    const SMALLEST: &'static [&'static str] = match (LO, HI) {
        (0, _) => &["(10, 10)"],
        (_, 1) => &["(10, 9)"],
        _ => &["(10, 6)"],
    };
    type Input = (i32, i32);
    type Quickcheck = (u32, u32);

    fn holds(&(x, y): &(i32, i32)) -> Option<bool> {
        Some(x < 10 || !(LO..=HI).contains(&x.abs_diff(y)))
    }
    fn stairway() -> impl Generate<Value = (i32, i32)> + Sync {
        (0.., 0..)
    }
    fn quickcheck((x, y): (u32, u32)) -> (i32, i32) {
        ((x >> 1) as i32, (y >> 1) as i32)
    }
    fn proptest() -> impl Strategy<Value = (i32, i32)> {
        (0..=i32::MAX, 0..=i32::MAX)
    }
    fn hegel(tc: &TestCase) -> (i32, i32) {
        let number = || gs::integers::<i32>().min_value(0);
        (tc.draw(number()), tc.draw(number()))
    }
}
