//! Running sums of weights, searched without branches.
//!
//! Finds the position that a random word stands for. What is drawn cannot be predicted, so no step of the
//! search depends on it.

/// Sums are looked at so many at a time.
pub const LANES: usize = 8;

/// Running sums of up to `N * LANES` weights. Behind them are others that exceed every one.
#[derive(Clone, Debug)]
pub struct Sums<const N: usize> {
    lanes: [[u32; LANES]; N],
    n: usize,
    n_lanes: usize,
    total: u32,
}

impl<const N: usize> Sums<N> {
    /// Room for `n` sums.
    pub const fn new(n: usize) -> Self {
        assert!(n <= N * LANES, "more weights than there is room for");
        Sums { lanes: [[u32::MAX; LANES]; N], n, n_lanes: n.div_ceil(LANES), total: 0 }
    }

    /// The sum of the weights up to and including `at`, to be set for one after the other.
    #[inline]
    pub const fn set(&mut self, at: usize, sum: u32) {
        self.lanes[at / LANES][at % LANES] = sum;
        self.total = sum;
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.n
    }

    /// The weight at `at`.
    pub const fn weight(&self, at: usize) -> u32 {
        let before = if at == 0 { 0 } else { self.lanes[(at - 1) / LANES][(at - 1) % LANES] };
        self.lanes[at / LANES][at % LANES] - before
    }

    /// The position that a uniform word stands for: never one of weight 0, if there are others.
    #[inline(always)]
    pub const fn chosen_by(&self, word: u64) -> usize {
        self.first_above(((word as u128 * self.total as u128) >> 64) as u32)
    }

    /// The first position whose sum exceeds `drawn`, which is below the total.
    #[inline(always)]
    pub const fn first_above(&self, drawn: u32) -> usize {
        // Few specifications have more operations than one lane holds. Where program memory is scarce the loop does.
        if cfg!(feature = "observations") && self.n_lanes <= 1 {
            return first_in_lane(&self.lanes[0], drawn);
        }
        let (mut lane, mut k) = (0, 1);
        while k < self.n_lanes {
            lane += (self.lanes[k - 1][LANES - 1] <= drawn) as usize;
            k += 1;
        }
        LANES * lane + first_in_lane(&self.lanes[lane], drawn)
    }

    /// Takes `amount` of the weight at `at` away, which is at least as much.
    #[inline]
    pub fn lower(&mut self, at: usize, amount: u32) {
        for sum in &mut self.lanes.as_flattened_mut()[at..self.n] {
            *sum -= amount;
        }
        self.total -= amount;
    }

    /// What all weights come to.
    pub const fn total(&self) -> u32 {
        self.total
    }
}

/// The first position whose sum exceeds `drawn`, or the last one.
#[inline(always)]
const fn first_in_lane(sums: &[u32; LANES], drawn: u32) -> usize {
    let mut at = 4 * (sums[3] <= drawn) as usize;
    at += 2 * (sums[at + 1] <= drawn) as usize;
    at + (sums[at] <= drawn) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_for_a_weight_in_proportion() {
        let weights = [3u32, 0, 1, 4, 0, 2, 0, 0, 5, 1, 0];
        let mut sums = Sums::<2>::new(weights.len());
        let mut sum = 0;
        for (at, weight) in weights.iter().enumerate() {
            sum += weight;
            sums.set(at, sum);
        }
        let mut counts = [0u32; 11];
        for drawn in 0..sums.total {
            counts[sums.first_above(drawn)] += 1;
        }
        assert_eq!(counts, weights);
        assert!((0..weights.len()).all(|at| sums.weight(at) == weights[at]));
        assert_eq!((sums.chosen_by(0), sums.chosen_by(u64::MAX)), (0, 9));
    }

    #[test]
    fn a_weight_that_is_lowered_is_as_if_it_had_been_less_from_the_start() {
        let mut weights = [3u32, 0, 1, 4, 0, 2, 0, 0, 5, 1, 0];
        let of = |weights: &[u32; 11]| {
            let (mut sums, mut sum) = (Sums::<2>::new(weights.len()), 0);
            for (at, weight) in weights.iter().enumerate() {
                sum += weight;
                sums.set(at, sum);
            }
            sums
        };
        let mut sums = of(&weights);
        for (at, amount) in [(3, 2), (0, 3), (10, 0), (8, 5), (3, 2), (9, 1), (2, 1), (5, 2)] {
            sums.lower(at, amount);
            weights[at] -= amount;
            assert_eq!((sums.lanes, sums.total()), (of(&weights).lanes, of(&weights).total()));
        }
        assert_eq!(sums.total(), 0);
    }

    #[test]
    fn the_largest_sum_leaves_none_behind() {
        let mut sums = Sums::<1>::new(2);
        sums.set(0, 7);
        sums.set(1, u32::MAX);
        assert_eq!((sums.chosen_by(0), sums.chosen_by(u64::MAX)), (0, 1));
    }
}
