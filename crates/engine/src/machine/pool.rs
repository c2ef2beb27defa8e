//! Whole numbers worth trying as arguments: those that the machine itself mentions.
//!
//! A guard such as `packet.number == n` is hardly ever met by a random number. The numbers in the
//! state, their neighbours and the literals of the transition function are what guards compare
//! with, so arguments are drawn from them first.

use crate::choices::Choices;

/// How many numbers are kept.
const CAPACITY: usize = 32;
/// One random number in so many is any number at all.
const ANY_IN: u32 = 8;

/// Numbers worth trying.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    values: [i128; CAPACITY],
    n: usize,
    is_thorough: bool,
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

impl Pool {
    /// 0 and 1.
    #[must_use]
    pub const fn new() -> Self {
        let mut values = [0; CAPACITY];
        values[1] = 1;
        Pool { values, n: 2, is_thorough: false }
    }

    /// Arguments at which the machine does not look are varied as well.
    pub const fn be_thorough(&mut self) {
        self.is_thorough = true;
    }

    /// See [`Pool::be_thorough`].
    #[must_use]
    pub const fn is_thorough(&self) -> bool {
        self.is_thorough
    }

    /// Adds a number.
    pub const fn add(&mut self, value: i128) {
        let mut i = 0;
        while i < self.n {
            if self.values[i] == value {
                return;
            }
            i += 1;
        }
        if self.n < CAPACITY {
            self.values[self.n] = value;
            self.n += 1;
        }
    }

    /// Adds a number and its neighbours.
    pub const fn around(&mut self, value: i128) {
        self.add(value);
        self.add(value.saturating_add(1));
        self.add(value.saturating_sub(1));
    }

    /// Adds several numbers.
    pub const fn all(&mut self, values: &[i128]) {
        let mut i = 0;
        while i < values.len() {
            self.add(values[i]);
            i += 1;
        }
    }

    /// A number in `lo..=hi`: one of these, or now and then any other. Where choices are counted
    /// through, only these are.
    pub const fn draw(&self, c: &mut Choices<'_>, lo: i128, hi: i128) -> i128 {
        let (mut fitting, mut n, mut i) = ([0; CAPACITY], 0, 0);
        while i < self.n {
            if lo <= self.values[i] && self.values[i] <= hi {
                fitting[n] = self.values[i];
                n += 1;
            }
            i += 1;
        }
        let is_any = n == 0 || !c.is_counting() && c.chance(1, ANY_IN);
        if !is_any {
            return fitting[c.alternative(n as u64) as usize];
        }
        if lo >= 0 {
            let most = if hi > u64::MAX as i128 { u64::MAX } else { hi as u64 };
            return c.unsigned(lo as u64, most, lo as u64) as i128;
        }
        let least = if lo < i64::MIN as i128 { i64::MIN } else { lo as i64 };
        let most = if hi > i64::MAX as i128 { i64::MAX } else { hi as i64 };
        c.signed(least, most, 0) as i128
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FULL_SIZE, Prng, Source};

    #[test]
    fn numbers_of_the_pool_come_first_and_bounds_are_kept() {
        let mut pool = Pool::new();
        pool.around(1_000_000);
        pool.around(-5);
        let mut c = Choices::new(Source::Random(Prng::new(1)), FULL_SIZE);
        let mut n_mentioned = 0;
        for _ in 0..1000 {
            let v = pool.draw(&mut c, 0, u32::MAX as i128);
            assert!((0..=u32::MAX as i128).contains(&v));
            n_mentioned += usize::from((999_999..=1_000_001).contains(&v));
        }
        assert!(n_mentioned > 300, "{n_mentioned}");
        assert!((-128..=127).contains(&pool.draw(&mut c, -128, 127)));
    }
}
