//! Fingerprints of states in const evaluation, where `==` cannot be called: 128 bits of all their data.

/// Odd, and its bits look random.
const FACTOR: u128 = 0x9E37_79B9_7F4A_7C15;
const LOW: u128 = u64::MAX as u128;

/// The fingerprint of a value, fed word by word. Wide enough that no two states of one search are
/// ever taken for the same by accident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u128);

impl Default for Identity {
    fn default() -> Self {
        Identity::EMPTY
    }
}

impl Identity {
    /// Of nothing.
    pub const EMPTY: Identity = Identity(0x243F_6A88_85A3_08D3_1319_8A2E_0370_7344);

    /// Takes a word in. In const evaluation a call costs as much as ten operations, and `rotate_left` alone
    /// is eight calls: the low half is multiplied, the high half stirred into what comes of it.
    pub const fn word(&mut self, word: u64) {
        self.0 = (((self.0 ^ word as u128) & LOW) * FACTOR) ^ (self.0 >> 64);
    }

    /// Takes a wide number in.
    pub const fn wide(&mut self, wide: u128) {
        self.word(wide as u64);
        self.word((wide >> 64) as u64);
    }

    /// The fingerprint.
    #[must_use]
    pub const fn finish(self) -> u128 {
        self.0
    }
}

/// The fingerprint of a single word, without a call: what tells the states of most machines apart.
#[doc(hidden)]
#[macro_export]
macro_rules! __key_of_word {
    ($word:expr) => {
        ((0x1319_8A2E_0370_7344 ^ ($word)) as u128 * 0x9E37_79B9_7F4A_7C15) ^ 0x243F_6A88_85A3_08D3
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    /// The middle bits alone choose a bucket: no bucket of 64 may have four times its share.
    #[test]
    fn middle_bits_are_spread() {
        let mut buckets = [0; 64];
        for n in 0..640u64 {
            let mut identity = Identity::EMPTY;
            // As a variant with two small fields is fed.
            identity.word(1 | (n % 3) << 16 | (n / 3) << 24);
            buckets[((identity.finish() >> 40) as u64 % 64) as usize] += 1;
        }
        assert!(buckets.iter().all(|n| *n < 40), "{buckets:?}");
    }

    #[test]
    fn a_word_has_the_same_fingerprint_without_a_call() {
        for word in [0, 1, 0xFFFF_0000_1234_5678, u64::MAX] {
            let mut identity = Identity::EMPTY;
            identity.word(word);
            assert_eq!(crate::__key_of_word!(word), identity.finish());
        }
    }

    #[test]
    fn small_tuples_differ() {
        let mut seen = BTreeSet::new();
        for a in 0..40 {
            for b in 0..40 {
                for c in 0..10 {
                    let mut identity = Identity::EMPTY;
                    [a, b, c].into_iter().for_each(|word| identity.word(word));
                    assert!(seen.insert(identity.finish()), "{a} {b} {c}");
                }
            }
        }
    }
}
