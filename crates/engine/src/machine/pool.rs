//! Whole numbers worth trying as arguments: those that the machine itself mentions.
//!
//! A guard such as `packet.number == n` is hardly ever met by a random number. The numbers in the
//! state, their neighbours and the literals of the transition function are what guards compare
//! with, so arguments are drawn from them first.

use stairway_choice::{Choices, Shape};

/// How many numbers are kept.
const CAPACITY: usize = 64;
/// How many of them may come from the state: there is room for those that the machine mentions.
const OF_THE_STATE: usize = 26;
/// So many of 16 random numbers are among these; the others are any numbers at all.
const MENTIONED_IN_16: u32 = 15;

/// Numbers worth trying.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    /// A number that the state mentions is in the same place whatever it is, so that a choice means
    /// the same in another state of the same name.
    values: [i128; CAPACITY],
    n: usize,
    /// Which of them are there already.
    repeated: u64,
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
        Pool { values, n: 2, repeated: 0, is_thorough: false }
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
        if self.n == CAPACITY {
            return;
        }
        let mut i = 0;
        while i < self.n {
            if self.values[i] == value {
                self.repeated |= 1 << self.n;
                break;
            }
            i += 1;
        }
        self.values[self.n] = value;
        self.n += 1;
    }

    /// Adds a number of the state and its neighbours, unless there are very many.
    pub const fn around(&mut self, value: i128) {
        if self.n + 3 > OF_THE_STATE {
            return;
        }
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

    /// A number in `lo..=hi`: one of these or a bound, or now and then any other. Where choices are
    /// counted through, only these are.
    pub const fn draw(&self, c: &mut Choices<'_>, lo: i128, hi: i128) -> i128 {
        if c.is_counting() {
            return self.counted(c, lo, hi);
        }
        let shape = if lo >= 0 {
            let most = if hi > u64::MAX as i128 { u64::MAX } else { hi as u64 };
            Shape::Unsigned { lo: lo as u64, hi: most, simplest: lo as u64 }
        } else {
            let least = if lo < i64::MIN as i128 { i64::MIN } else { lo as i64 };
            let most = if hi > i64::MAX as i128 { i64::MAX } else { hi as i64 };
            Shape::Signed { lo: least, hi: most, simplest: 0 }
        };
        if c.chance(MENTIONED_IN_16, 16) {
            // Shrinking may put the number in the place of where it came from.
            let at = c.foresee(shape);
            let k = c.alternative(self.n as u64 + 2) as usize;
            let value = if k < self.n {
                self.values[k]
            } else if k == self.n {
                hi
            } else {
                lo
            };
            let value = clamped(value, lo, hi);
            c.settle(at, value);
            return value;
        }
        match shape {
            Shape::Unsigned { lo, hi, simplest } => c.unsigned(lo, hi, simplest) as i128,
            Shape::Signed { lo, hi, simplest } => c.signed(lo, hi, simplest) as i128,
            _ => lo,
        }
    }

    /// A character from the space to `most`, which is drawn as a number is.
    pub const fn character(&self, c: &mut Choices<'_>, most: char) -> char {
        match char::from_u32(self.draw(c, ' ' as i128, most as i128) as u32) {
            Some(drawn) => drawn,
            None => most,
        }
    }

    const fn counted(&self, c: &mut Choices<'_>, lo: i128, hi: i128) -> i128 {
        let (mut fitting, mut n, mut i) = ([0; CAPACITY + 2], 0, 0);
        while i < self.n {
            let value = self.values[i];
            if lo <= value && value <= hi && self.repeated >> i & 1 == 0 {
                fitting[n] = value;
                n += 1;
            }
            i += 1;
        }
        let bounds = [lo, hi];
        let mut i = 0;
        while i < 2 {
            if !self.has(bounds[i]) {
                fitting[n] = bounds[i];
                n += 1;
            }
            i += 1;
        }
        fitting[c.alternative(n as u64) as usize]
    }

    const fn has(&self, value: i128) -> bool {
        let mut i = 0;
        while i < self.n {
            if self.values[i] == value {
                return true;
            }
            i += 1;
        }
        false
    }
}

const fn clamped(value: i128, lo: i128, hi: i128) -> i128 {
    if value < lo {
        lo
    } else if value > hi {
        hi
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, FULL_SIZE, Prng, Source, Span};

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
        assert!(n_mentioned > 200, "{n_mentioned}");
        assert!((-128..=127).contains(&pool.draw(&mut c, -128, 127)));
        assert!((0..200).any(|_| pool.draw(&mut c, 0, 255) == 255), "bounds turn up");
    }

    #[test]
    fn what_the_machine_mentions_has_room_beside_a_large_state() {
        let mut pool = Pool::new();
        (0..40).for_each(|n| pool.around(1000 + 10 * n));
        pool.all(&[7, 8, 9]);
        assert!([7, 8, 9].into_iter().all(|value| pool.has(value)));
    }

    #[test]
    fn characters_that_are_mentioned_come_first() {
        let mut pool = Pool::new();
        pool.all(&['q' as i128]);
        let mut c = Choices::new(Source::Random(Prng::new(1)), FULL_SIZE);
        let mut n_mentioned = 0;
        for _ in 0..500 {
            let drawn = pool.character(&mut c, '~');
            assert!((' '..='~').contains(&drawn));
            n_mentioned += usize::from(drawn == 'q');
        }
        assert!(n_mentioned > 50, "{n_mentioned}");
    }

    #[test]
    fn a_number_stays_what_it_is_without_where_it_came_from() {
        let (mut record, mut spans) = ([Choice::BLANK; 4], [Span::BLANK; 1]);
        let mut pool = Pool::new();
        pool.around(1_000_000);
        let mut seed = 0;
        let (drawn, record) = loop {
            let mut c = Choices::new(Source::Random(Prng::new(seed)), FULL_SIZE);
            c.record_into(&mut record, &mut spans);
            let drawn = pool.draw(&mut c, 0, i128::from(u32::MAX));
            if drawn == 1_000_001 {
                break (drawn, c.recorded().to_vec());
            }
            seed += 1;
        };
        let replay = |record: &[Choice], pool: &Pool| {
            let mut c =
                Choices::new(Source::Replay { choices: record, spans: None, bound: u64::MAX }, FULL_SIZE);
            pool.draw(&mut c, 0, i128::from(u32::MAX))
        };
        assert_eq!(replay(&record, &pool), drawn);
        let mut other = Pool::new();
        other.around(7);
        assert_eq!(replay(&record, &other), 8, "what comes after the number in the state");
        let mut literal = record.clone();
        literal[0].index = 0;
        assert_eq!(replay(&literal, &other), drawn, "the number by itself");
    }
}
