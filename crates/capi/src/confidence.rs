//! How much passing tests say: how many there have to be, and how often a test may still fail.
//!
//! The µQC paper (section 5.4) asks how many runs are needed for testing to be statistically significant. If
//! each test fails with a chance of p, n of them pass with a chance of (1 - p)^n; that all have passed is
//! evidence against every p for which this is below one minus the confidence. There are no logarithms without
//! a C library, so both questions are answered by halving an interval.

/// The confidence of what reports say.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// `base` to the power of `n`, by squaring.
fn power(mut base: f64, mut n: u64) -> f64 {
    let mut product = 1.0;
    while n > 0 {
        if n & 1 == 1 {
            product *= base;
        }
        base *= base;
        n >>= 1;
    }
    product
}

/// `sw_tests_for`
#[unsafe(no_mangle)]
pub extern "C" fn sw_tests_for(confidence: f64, failing: f64) -> u64 {
    let is_share = |share: f64| share > 0.0 && share < 1.0;
    if !is_share(confidence) || !is_share(failing) {
        return 0;
    }
    let is_enough = |n: u64| power(1.0 - failing, n) <= 1.0 - confidence;
    let Some(mut enough) = (0..63).map(|k| 1u64 << k).find(|n| is_enough(*n)) else { return u64::MAX };
    let mut too_few = enough / 2;
    while enough - too_few > 1 {
        let middle = u64::midpoint(too_few, enough);
        if is_enough(middle) { enough = middle } else { too_few = middle }
    }
    enough
}

/// The largest chance of failing that `n` passing tests leave with this confidence.
pub(crate) fn most_failing(n: u64, confidence: f64) -> f64 {
    const N_HALVINGS: usize = 48;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..N_HALVINGS {
        let middle = f64::midpoint(low, high);
        if power(1.0 - middle, n) <= 1.0 - confidence { high = middle } else { low = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule of three, and figures from tables.
    #[test]
    fn known_figures() {
        assert_eq!(sw_tests_for(0.95, 0.01), 299);
        assert_eq!(sw_tests_for(0.99, 0.001), 4603);
        assert_eq!(sw_tests_for(0.5, 0.5), 1);
        assert_eq!([sw_tests_for(0.0, 0.1), sw_tests_for(0.9, 1.0), sw_tests_for(f64::NAN, 0.1)], [0; 3]);
        assert!((most_failing(100, 0.95) - 0.029_513).abs() < 1e-6);
        assert!(most_failing(0, 0.95) > 0.999);
    }

    /// Both questions have the same answer.
    #[test]
    fn each_undoes_the_other() {
        for failing in [0.5, 0.1, 0.01, 1e-4, 1e-7] {
            let n = sw_tests_for(0.95, failing);
            assert!(most_failing(n, 0.95) <= failing && most_failing(n - 1, 0.95) > failing, "{failing}");
        }
    }
}
