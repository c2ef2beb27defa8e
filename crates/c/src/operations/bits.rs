//! Sets of small numbers, however many there are.

/// A set of numbers, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number; false if it was there.
    #[inline]
    pub(super) fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = place(number);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Takes a number out; false if it was not there.
    #[inline]
    pub(super) fn remove(&mut self, number: u32) -> bool {
        let (word, bit) = place(number);
        let was_there = self.contains(number);
        if was_there {
            self.0[word] &= !bit;
        }
        was_there
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.0.get(word).is_some_and(|bits| bits & bit != 0)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }

    /// Whether the two have a number in common.
    #[inline]
    pub(super) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    /// Adds all numbers of another set.
    pub(super) fn extend(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(bits, more)| *bits |= more);
    }
}

impl FromIterator<u32> for Bits {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Bits {
        let mut bits = Bits::default();
        numbers.into_iter().for_each(|number| {
            bits.insert(number);
        });
        bits
    }
}

#[inline]
const fn place(number: u32) -> (usize, u64) {
    ((number / 64) as usize, 1 << (number % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut bits: Bits = [3, 64, 700].into_iter().collect();
        assert!(bits.contains(3) && bits.contains(64) && bits.contains(700) && !bits.contains(699));
        assert!(!bits.contains(u32::MAX));
        assert!(!bits.insert(64) && bits.insert(65));
        assert!(bits.remove(700) && !bits.remove(700) && !bits.remove(9999));
        assert!(bits.meets(&[65].into_iter().collect()) && !bits.meets(&[700, 4].into_iter().collect()));
        bits.extend(&[1000].into_iter().collect());
        assert!(bits.contains(1000) && !bits.is_empty() && Bits::default().is_empty());
    }
}
