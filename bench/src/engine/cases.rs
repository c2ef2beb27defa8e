//! What a case costs when there is next to nothing to generate, and what a small run costs.

use crate::findings::Findings;
use crate::measure::{Contender, count, race};
use crate::peers;
use hegel::generators as gs;
use proptest::prelude::any as any_of;
use stairway::prelude::*;

/// How many runs of [`CASES_A_RUN`] cases are timed together.
const N_RUNS: u64 = 20;
const CASES_A_RUN: u64 = 100;

pub(crate) fn run(findings: &mut Findings) {
    let reached = race(&[
        Contender { tool: "stairway", n_cases: 50_000, run: with_stairway },
        Contender { tool: "quickcheck", n_cases: 50_000, run: with_quickcheck },
        Contender { tool: "proptest", n_cases: 10_000, run: with_proptest },
        Contender { tool: "hegel", n_cases: 500, run: with_hegel },
    ]);
    super::speeds(
        findings,
        ("cases", "Cost of a case"),
        "cases",
        "A property over one `u32` that passes at once: the overhead of a case. (Over a `u8` Stairway would \
         stop after 256 cases, having tried all.)",
        &reached,
    );
    let of_runs = |tool, run| Contender { tool, n_cases: N_RUNS * CASES_A_RUN, run };
    let reached = race(&[
        of_runs("stairway", |n, seed| repeated(n, seed, with_stairway_u8)),
        of_runs("quickcheck", |n, seed| repeated(n, seed, with_quickcheck_u8)),
        of_runs("proptest", |n, seed| repeated(n, seed, with_proptest_u8)),
        of_runs("hegel", |n, seed| repeated(n, seed, with_hegel_u8)),
    ]);
    super::speeds(
        findings,
        ("runs", "Cost of a small run"),
        "cases",
        "Runs of 100 cases over one `u8` each, so that setting up and tearing down a run shows.",
        &reached,
    );
}

fn repeated(n_cases: u64, seed: u64, run: fn(u64, u64)) {
    for k in 0..n_cases / CASES_A_RUN {
        run(CASES_A_RUN, seed * N_RUNS + k);
    }
}

/// The same property over one argument, for all four tools.
macro_rules! over_one {
    ($t:ty: $stairway:ident $quickcheck:ident $proptest:ident $hegel:ident) => {
        fn $stairway(n_cases: u64, seed: u64) {
            peers::stairway(n_cases, seed, |t| {
                let x = t.pick(any::<$t>())?;
                count(1, &x);
                Ok(())
            });
        }

        fn $quickcheck(n_cases: u64, seed: u64) {
            fn property(x: $t) -> bool {
                count(1, &x);
                true
            }
            peers::quickcheck(n_cases, seed, 100, property as fn($t) -> bool);
        }

        fn $proptest(n_cases: u64, seed: u64) {
            peers::proptest(n_cases, seed, &any_of::<$t>(), |x| {
                count(1, &x);
                Ok(())
            });
        }

        fn $hegel(n_cases: u64, seed: u64) {
            peers::hegel(n_cases, seed, |tc| {
                let x = tc.draw(gs::integers::<$t>());
                count(1, &x);
            });
        }
    };
}

over_one!(u32: with_stairway with_quickcheck with_proptest with_hegel);
over_one!(u8: with_stairway_u8 with_quickcheck_u8 with_proptest_u8 with_hegel_u8);
