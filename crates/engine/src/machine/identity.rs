//! What tells two states apart in const evaluation, where `==` cannot be called: 128 bits of
//! everything in them.

use crate::prng::mix;

/// The fingerprint of a value, fed word by word. Wide enough that no two states of one search are
/// ever taken for the same by accident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    one: u64,
    other: u64,
}

impl Default for Identity {
    fn default() -> Self {
        Identity::new()
    }
}

impl Identity {
    /// Of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Identity { one: 0x243F_6A88_85A3_08D3, other: 0x1319_8A2E_0370_7344 }
    }

    /// Takes a word in.
    pub const fn word(&mut self, word: u64) {
        self.one = (self.one ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        self.other = (self.other.rotate_left(17) ^ word).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    }

    /// Takes a wide number in.
    pub const fn wide(&mut self, wide: u128) {
        self.word(wide as u64);
        self.word((wide >> 64) as u64);
    }

    /// The fingerprint.
    #[must_use]
    pub const fn finish(self) -> u128 {
        (mix(self.one) as u128) << 64 | mix(self.other ^ self.one) as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn small_tuples_differ() {
        let mut seen = BTreeSet::new();
        for a in 0..40 {
            for b in 0..40 {
                for c in 0..10 {
                    let mut identity = Identity::new();
                    [a, b, c].into_iter().for_each(|word| identity.word(word));
                    assert!(seen.insert(identity.finish()), "{a} {b} {c}");
                }
            }
        }
    }
}
