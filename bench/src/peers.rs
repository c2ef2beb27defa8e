//! How each tool is driven: its ordinary runner, a fixed seed, nothing stored on disk.

use hegel::TestCase;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};
use quickcheck::{Gen, QuickCheck, Testable};
use stairway::{Case, Checked, Checker, Settings};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};

static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Makes it possible to keep panics off the terminal. Has to come first: the tools put hooks of
/// their own in front of this one.
pub(crate) fn install_hook() {
    let previous = take_hook();
    set_hook(Box::new(move |info| {
        if !IS_QUIET.load(Ordering::Relaxed) {
            previous(info);
        }
    }));
}

/// Whether panics that no tool keeps to itself are shown: those of a failing property are not wanted.
pub(crate) fn panics_are_shown(shown: bool) {
    IS_QUIET.store(!shown, Ordering::Relaxed);
}

/// Checks with Stairway.
pub(crate) fn stairway(n_cases: u64, seed: u64, property: impl Fn(&mut Case<'_>) -> Checked + Sync) {
    let settings = Settings::new().without_regressions().max_discards(100).cases(n_cases).seed(seed);
    let _ = Checker::new("bench").settings(settings).report(property);
}

/// Checks with quickcheck; `size` bounds the length of its vectors from above, exclusively.
pub(crate) fn quickcheck(n_cases: u64, seed: u64, size: usize, property: impl Testable) {
    let random = Gen::from_size_and_seed(size, seed);
    let _ = QuickCheck::new().rng(random).tests(n_cases).max_tests(100 * n_cases).quicktest(property);
}

/// Checks with proptest.
pub(crate) fn proptest<S: Strategy>(
    n_cases: u64,
    seed: u64,
    strategy: &S,
    property: impl Fn(S::Value) -> TestCaseResult,
) {
    let cases = u32::try_from(n_cases).unwrap_or(u32::MAX);
    let max_global_rejects = cases.saturating_mul(100);
    let config = Config { cases, max_global_rejects, failure_persistence: None, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let _ = TestRunner::new_with_rng(config, rng).run(strategy, property);
}

/// Checks with hegel.
pub(crate) fn hegel(n_cases: u64, seed: u64, property: impl Fn(TestCase)) {
    let settings = hegel::Settings::new()
        .seed(Some(seed))
        .test_cases(n_cases)
        .database(None::<String>)
        .verbosity(hegel::Verbosity::Quiet)
        .print_blob(false)
        .suppress_health_check(hegel::HealthCheck::all());
    let _ = catch_unwind(AssertUnwindSafe(|| hegel::Hegel::new(property).settings(settings).run()));
}
