//! The only source of randomness: SplitMix64, usable in `const fn`.
//!
//! A seed becomes 64-bit words. Knows nothing of choices, sizes or distributions.
//!
//! The algorithm is that of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA
//! 2014), with its `split`. It passes BigCrush, needs two multiplications a word and gives the same numbers
//! on every target because it works on `u64` throughout.

/// Odd and close to 2^64 divided by the golden ratio: the default step between states.
const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// A splittable pseudo-random number generator.
///
/// ```
/// use stairway_choice::Prng;
/// const FIRST: u64 = Prng::new(42).next_u64();
/// assert_eq!(FIRST, Prng::new(42).next_u64());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Prng {
    state: u64,
    gamma: u64,
}

impl Prng {
    /// A generator for `seed`; equal seeds give equal streams.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Prng { state: seed, gamma: GOLDEN_GAMMA }
    }

    /// The generator of case number `index` in a run with `seed`.
    ///
    /// Each case has a stream of its own, so that cases can be run in any order, by any number
    /// of threads, and draw the same values.
    #[must_use]
    pub const fn for_case(seed: u64, index: u64) -> Self {
        let salted = mix(seed ^ mix(index.wrapping_add(GOLDEN_GAMMA)));
        Prng { state: salted, gamma: GOLDEN_GAMMA }
    }

    /// The generator's whole state, for handing it to another process.
    #[must_use]
    pub const fn state(&self) -> (u64, u64) {
        (self.state, self.gamma)
    }

    /// The generator with the given [`Prng::state`].
    #[must_use]
    pub const fn from_state((state, gamma): (u64, u64)) -> Self {
        Prng { state, gamma: gamma | 1 }
    }

    /// The next 64 bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(self.gamma);
        mix(self.state)
    }

    /// A second generator whose stream is independent of what this one gives from now on.
    #[must_use]
    pub const fn split(&mut self) -> Self {
        let state = self.next_u64();
        self.state = self.state.wrapping_add(self.gamma);
        Prng { state, gamma: mix_gamma(self.state) }
    }

    /// A number below `n`, as [`Prng::up_to`] gives it, in one call that makes no other: calls are what
    /// const evaluation takes longest for.
    #[inline]
    pub(crate) const fn below(&mut self, n: u64) -> u64 {
        self.state = (self.state as u128 + self.gamma as u128) as u64;
        let z = ((self.state ^ (self.state >> 30)) as u128 * 0xBF58_476D_1CE4_E5B9) as u64;
        let z = ((z ^ (z >> 27)) as u128 * 0x94D0_49BB_1331_11EB) as u64;
        (((z ^ (z >> 31)) as u128 * n as u128) >> 64) as u64
    }

    /// A number in `0..=max`, uniform to within 2^-64.
    #[inline]
    pub const fn up_to(&mut self, max: u64) -> u64 {
        scale(self.next_u64(), max)
    }
}

/// Maps a uniform word onto `0..=max` by its high bits (Lemire's multiply-and-shift).
#[inline]
pub(crate) const fn scale(word: u64, max: u64) -> u64 {
    // word * (max + 1), written so that the sum cannot overflow and no branch is needed
    ((word as u128 * max as u128 + word as u128) >> 64) as u64
}

/// Stafford's variant 13 of the MurmurHash3 finaliser.
#[inline]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// An odd step with enough bit transitions to mix well (section 4 of the paper).
const fn mix_gamma(mut z: u64) -> u64 {
    z = (z ^ (z >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    z = (z ^ (z >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    z = (z ^ (z >> 33)) | 1;
    if (z ^ (z >> 1)).count_ones() < 24 { z ^ 0xAAAA_AAAA_AAAA_AAAA } else { z }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::boxed::Box;

    /// Reference values of SplitMix64 for seed 0; another target must give the same ones.
    #[test]
    fn gives_the_published_numbers() {
        let mut prng = Prng::new(0);
        assert_eq!(prng.next_u64(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(prng.next_u64(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(prng.next_u64(), 0x06C4_5D18_8009_454F);
    }

    #[test]
    fn runs_in_const_evaluation() {
        const WORD: u64 = Prng::for_case(7, 3).next_u64();
        assert_eq!(WORD, Prng::for_case(7, 3).next_u64());
    }

    /// Chi-squared over 256 buckets stays within the 99.99 % band for every stream looked at.
    #[test]
    fn streams_of_cases_and_splits_are_uniform() {
        let chi_squared = |mut next: Box<dyn FnMut() -> u64>| {
            let (mut buckets, n) = ([0f64; 256], 65_536);
            for _ in 0..n {
                buckets[(next() >> 56) as usize] += 1.0;
            }
            let expected = f64::from(n) / 256.0;
            buckets.iter().map(|b| (b - expected) * (b - expected) / expected).sum::<f64>()
        };
        let mut parent = Prng::new(99);
        let mut child = parent.split();
        let mut index = 0;
        let streams: [Box<dyn FnMut() -> u64>; 3] = [
            Box::new(move || parent.next_u64()),
            Box::new(move || child.next_u64()),
            Box::new(move || {
                index += 1;
                Prng::for_case(1, index).next_u64()
            }),
        ];
        for stream in streams {
            let x = chi_squared(stream);
            assert!((150.0..350.0).contains(&x), "chi-squared {x} for 255 degrees of freedom");
        }
    }

    #[test]
    fn below_draws_what_up_to_draws() {
        let (mut one, mut other) = (Prng::new(3), Prng::new(3));
        for n in 1..2000 {
            assert_eq!(one.below(n), other.up_to(n - 1));
        }
    }

    #[test]
    fn scaling_keeps_to_its_bounds() {
        assert_eq!(scale(u64::MAX, 0), 0);
        assert_eq!(scale(u64::MAX, 9), 9);
        assert_eq!(scale(0, 9), 0);
        assert_eq!(scale(u64::MAX, u64::MAX), u64::MAX);
    }
}
