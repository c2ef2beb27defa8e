//! `Vec<i32>` whose length is uniform in 0..=100, for a property that does nothing with it.

use crate::findings::Findings;
use crate::measure::{Contender, count, race};
use crate::peers;
use hegel::generators as gs;
use proptest::prelude::any as any_of;
use stairway::prelude::*;

const MAX_LENGTH: usize = 100;
/// Means of lengths that are farther apart than this are not one distribution.
const TOLERANCE: f64 = 0.02;
/// Hegel cannot draw uniformly: its integers prefer small numbers and the ends of their range, and
/// the mean varies between seeds more than twice as much as chance would have it. Over 31 seeds of
/// 2,000 cases it is 49.0 with a standard deviation of 1.5. Its speed is counted in elements, so
/// this hardly matters; the table shows the mean it reached.
const TOLERANCE_OF_HEGEL: f64 = 0.05;

pub(crate) fn run(findings: &mut Findings) {
    let reached = race(&[
        Contender { tool: "stairway", n_cases: 10_000, run: with_stairway },
        Contender { tool: "quickcheck", n_cases: 10_000, run: with_quickcheck },
        Contender { tool: "proptest", n_cases: 2_000, run: with_proptest },
        Contender { tool: "hegel", n_cases: 2_000, run: with_hegel },
    ]);
    let mean = MAX_LENGTH as f64 / 2.0;
    for one in &reached {
        let off = (one.per_case / mean - 1.0).abs();
        let tolerance = if one.tool == "hegel" { TOLERANCE_OF_HEGEL } else { TOLERANCE };
        assert!(off < tolerance, "{} drew {} elements a case, not {mean}", one.tool, one.per_case);
    }
    super::speeds(
        findings,
        ("vec_i32", "Vec<i32>"),
        "elements",
        "Elements generated for a property over `Vec<i32>` that passes, lengths uniform in 0..=100 (hegel's \
         as uniform as it draws: see its mean).",
        &reached,
    );
}

/// Also what linearity is measured with.
pub(super) fn with_stairway(n_cases: u64, seed: u64) {
    let generator = compose(|c| {
        let n = c.alternative(MAX_LENGTH as u64 + 1) as usize;
        vec(any::<i32>(), n).generate(c)
    });
    peers::stairway(n_cases, seed, |t| {
        let xs = t.pick(&generator)?;
        count(xs.len(), &xs);
        Ok(())
    });
}

fn with_quickcheck(n_cases: u64, seed: u64) {
    fn property(xs: Vec<i32>) -> bool {
        count(xs.len(), &xs);
        true
    }
    peers::quickcheck(n_cases, seed, MAX_LENGTH + 1, property as fn(Vec<i32>) -> bool);
}

fn with_proptest(n_cases: u64, seed: u64) {
    let strategy = proptest::collection::vec(any_of::<i32>(), 0..=MAX_LENGTH);
    peers::proptest(n_cases, seed, &strategy, |xs| {
        count(xs.len(), &xs);
        Ok(())
    });
}

fn with_hegel(n_cases: u64, seed: u64) {
    let lengths: Vec<usize> = (0..=MAX_LENGTH).collect();
    peers::hegel(n_cases, seed, move |tc| {
        // Its vectors are short by themselves: the length has to be drawn apart.
        let n = tc.draw(gs::sampled_from(lengths.as_slice()));
        let xs = tc.draw(gs::vecs(gs::integers::<i32>()).min_size(n).max_size(n));
        count(xs.len(), &xs);
    });
}
