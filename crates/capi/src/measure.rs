//! Statistics of the user's: how often each value came up.
//!
//! Sums numbers up in a small table. It tells the first few different values apart and only counts the
//! others, so that its memory does not grow.

use crate::sort::sort_by_key;

/// How many different values are told apart.
const N_ROWS: usize = 16;

/// One statistic.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measure {
    rows: [(i64, u64); N_ROWS],
    n_rows: usize,
    pub(crate) n: u64,
    pub(crate) n_other: u64,
    pub(crate) least: i64,
    pub(crate) most: i64,
    sum: i128,
}

impl Measure {
    /// Counts a value.
    pub(crate) fn add(&mut self, value: i64) {
        self.least = if self.n == 0 { value } else { self.least.min(value) };
        self.most = if self.n == 0 { value } else { self.most.max(value) };
        self.n += 1;
        self.sum += i128::from(value);
        match self.rows[..self.n_rows].iter_mut().find(|(known, _)| *known == value) {
            Some((_, n)) => *n += 1,
            None if self.n_rows < N_ROWS => {
                self.rows[self.n_rows] = (value, 1);
                self.n_rows += 1;
            }
            None => self.n_other += 1,
        }
    }

    /// Values and how often they came up, the smallest first.
    pub(crate) fn rows(&mut self) -> &[(i64, u64)] {
        let rows = &mut self.rows[..self.n_rows];
        sort_by_key(rows, |row| *row);
        rows
    }

    /// The mean, in tenths and rounded down.
    pub(crate) fn mean_in_tenths(&self) -> i64 {
        if self.n == 0 { 0 } else { (self.sum * 10).div_euclid(i128::from(self.n)) as i64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_values_and_what_lies_beyond_the_table() {
        let mut measure = Measure::default();
        for value in [3, -1, 3, 7] {
            measure.add(value);
        }
        assert_eq!(measure.rows(), [(-1, 1), (3, 2), (7, 1)]);
        assert_eq!((measure.least, measure.most, measure.mean_in_tenths()), (-1, 7, 30));
        for value in 0..100 {
            measure.add(value);
        }
        assert_eq!((measure.n, measure.rows().len()), (104, N_ROWS));
        assert!(measure.n_other > 80);
    }
}
