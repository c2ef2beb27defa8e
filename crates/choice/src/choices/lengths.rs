//! How long the collections became that may be very long.
//!
//! Bounds such as `0..=100_000` are a wish, and limits may stand against it: no collection has more elements
//! than a case can hold, and what is nested shares one budget. Whoever reports on the cases compares what was
//! asked for with what was drawn.

/// A bound that was asked for, and the longest that was drawn within it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LongestLength {
    /// The most elements that the bounds allow; 0 if there is nothing here.
    pub asked: u64,
    /// The most elements that there were.
    pub drawn: u64,
}

/// The widest bounds that were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lengths {
    noted: [LongestLength; N_NOTED],
}

/// How many bounds are kept: there are seldom more, and every case has room for them.
const N_NOTED: usize = if cfg!(feature = "observations") { 2 } else { 0 };

impl Lengths {
    /// Nothing was asked for.
    pub const NONE: Lengths = Lengths { noted: [LongestLength { asked: 0, drawn: 0 }; N_NOTED] };

    /// Notes that up to `asked` elements were possible and there are `drawn`. Where there is no room left,
    /// the narrowest bound goes.
    pub const fn note(&mut self, asked: u64, drawn: u64) {
        if N_NOTED == 0 {
            return;
        }
        let (mut k, mut narrowest) = (0, 0);
        while k < self.noted.len() {
            if self.noted[k].asked == asked {
                if self.noted[k].drawn < drawn {
                    self.noted[k].drawn = drawn;
                }
                return;
            }
            if self.noted[k].asked < self.noted[narrowest].asked {
                narrowest = k;
            }
            k += 1;
        }
        if self.noted[narrowest].asked < asked {
            self.noted[narrowest] = LongestLength { asked, drawn };
        }
    }

    /// Adds what other cases have noted.
    pub const fn absorb(&mut self, other: &Lengths) {
        let mut k = 0;
        while k < self.noted.len() {
            let LongestLength { asked, drawn } = other.noted[k];
            if asked > 0 {
                self.note(asked, drawn);
            }
            k += 1;
        }
    }

    /// The bounds that no collection has reached, the widest first.
    pub fn never_drawn(&self) -> impl Iterator<Item = LongestLength> {
        let mut noted = self.noted;
        noted.sort_unstable_by_key(|longest| core::cmp::Reverse(longest.asked));
        noted.into_iter().filter(|longest| longest.drawn < longest.asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_widest_bounds_are_kept_with_the_longest_drawn() {
        let mut lengths = Lengths::NONE;
        for (asked, drawn) in [(1000, 4), (500, 500), (2000, 30), (1000, 900), (1000, 2), (300, 1)] {
            lengths.note(asked, drawn);
        }
        let mut others = Lengths::NONE;
        others.note(2000, 31);
        lengths.absorb(&others);
        let never: Vec<(u64, u64)> = lengths.never_drawn().map(|l| (l.asked, l.drawn)).collect();
        assert_eq!(never, [(2000, 31), (1000, 900)]);
        lengths.note(1000, 1000);
        assert_eq!(lengths.never_drawn().count(), 1);
    }
}
