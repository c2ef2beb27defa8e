//! Values worth trying as arguments: those that the machine itself mentions.
//!
//! A guard such as `packet.number == n` is hardly ever met by a random number. Guards compare with the
//! numbers in the state, their neighbours and the literals of the transition function, so random arguments
//! are drawn from these first. When arguments are enumerated, one that is only compared takes one value of
//! each class that the comparisons tell apart, and any other takes all its values; if those are too many, the
//! stream records that some were left out.

use stairway_choice::{Choices, Shape};

/// How many numbers are kept to be drawn at random.
const CAPACITY: usize = 64;
/// How many of them may come from the state: there is room for those that the machine mentions.
const OF_THE_STATE: usize = 26;
/// So many of 16 random numbers are among these; the others are any numbers at all.
const MENTIONED_IN_16: u32 = 15;
/// Every argument may be compared with a number.
pub(crate) const EVERYBODY: u64 = u64::MAX;
/// How many numbers are kept to be counted through.
const MAX_CLASSES: usize = 160;
/// Arguments of a type with at most so many values are counted through, whatever is done with them.
pub const MAX_ENUMERATED: i128 = 256;

/// What a formula does with the arguments of operations, beyond what the machine does with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// It does not look at them.
    Ignored,
    /// It matches them with patterns and compares them with numbers.
    Compared,
    /// It computes with them.
    Free,
}

/// What a formula wants to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Scrutiny<'f> {
    /// Numbers with which it compares arguments.
    pub numbers: &'f [i128],
    /// What it does with arguments.
    pub arguments: Arguments,
}

impl Scrutiny<'_> {
    /// Of the machine alone.
    pub const NONE: Scrutiny<'static> = Scrutiny { numbers: &[], arguments: Arguments::Ignored };
    /// Of everything that a driver may look at.
    pub const EVERYTHING: Scrutiny<'static> = Scrutiny { numbers: &[], arguments: Arguments::Compared };
}

/// Numbers worth trying.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    /// A number that the state mentions is in the same place whatever it is, so that a choice means
    /// the same in another state of the same name.
    values: [i128; CAPACITY],
    n: usize,
    /// Where choices are counted through: where classes of numbers begin that comparisons tell apart, in order.
    classes: [i128; MAX_CLASSES],
    /// A bit for each argument that a class is one of.
    askers: [u64; MAX_CLASSES],
    n_classes: usize,
    /// The arguments that are compared with numbers of the state.
    of_the_state: u64,
    is_counting: bool,
    /// Whether there was no room for all.
    is_cut: bool,
    /// How far from numbers of the state something is compared.
    offsets: &'static [i128],
    /// The largest number of the state.
    largest: i128,
    arguments: Arguments,
}

impl Pool {
    /// For arguments that are drawn at random: 0 and 1.
    #[must_use]
    pub const fn at_random() -> Self {
        let mut values = [0; CAPACITY];
        values[1] = 1;
        Pool { values, n: 2, is_counting: false, ..Pool::counting(&[], EVERYBODY) }
    }

    /// For arguments that are counted through, where some may be compared with numbers that are so far off
    /// those in the state.
    #[must_use]
    pub const fn counting(offsets: &'static [i128], of_the_state: u64) -> Self {
        Pool {
            values: [0; CAPACITY],
            n: 0,
            classes: [0; MAX_CLASSES],
            askers: [0; MAX_CLASSES],
            n_classes: 0,
            of_the_state,
            is_counting: true,
            is_cut: false,
            offsets,
            largest: 0,
            arguments: Arguments::Ignored,
        }
    }

    /// Adds what a formula looks at.
    pub const fn scrutinise(&mut self, scrutiny: Scrutiny<'_>) {
        self.all(scrutiny.numbers);
        self.arguments = scrutiny.arguments;
    }

    /// The same for a value with which anything may be done, whatever the machine does whose type it is.
    #[must_use]
    pub const fn freely(&self) -> Self {
        Pool { arguments: Arguments::Free, ..*self }
    }

    /// Adds what a part of the machine compares arguments with.
    pub const fn join(&mut self, part: &Pool) {
        let mut i = 0;
        while i < part.n_classes {
            if self.is_counting {
                self.insert(part.classes[i], EVERYBODY);
            } else {
                self.add(part.classes[i]);
            }
            i += 1;
        }
        self.is_cut |= part.is_cut;
    }

    /// Whether arguments that the machine ignores may be left as they are.
    #[must_use]
    pub const fn ignores(&self) -> bool {
        matches!(self.arguments, Arguments::Ignored)
    }

    /// Adds a number.
    pub const fn add(&mut self, value: i128) {
        if self.is_counting {
            self.point(value, EVERYBODY);
        } else if self.n < CAPACITY {
            self.values[self.n] = value;
            self.n += 1;
        }
    }

    /// Adds a number of the state and its neighbours, unless there are very many.
    pub const fn around(&mut self, value: i128) {
        if self.is_counting {
            let askers = self.of_the_state;
            self.point(value, askers);
            if value > self.largest {
                self.largest = value;
            }
            let mut i = 0;
            while i < self.offsets.len() {
                self.point(value.saturating_add(self.offsets[i]), askers);
                i += 1;
            }
        } else if self.n + 3 <= OF_THE_STATE {
            self.add(value);
            self.add(value.saturating_add(1));
            self.add(value.saturating_sub(1));
        }
    }

    /// Adds several numbers.
    pub const fn all(&mut self, values: &[i128]) {
        let mut i = 0;
        while i < values.len() {
            self.add(values[i]);
            i += 1;
        }
    }

    /// Adds numbers with which some arguments are compared.
    pub const fn points(&mut self, points: &[(i128, u64)]) {
        let mut i = 0;
        while i < points.len() {
            self.point(points[i].0, points[i].1);
            i += 1;
        }
    }

    /// What is larger than a limit and than all numbers of the state, which a limit may be.
    #[must_use]
    pub const fn beyond_state(&self, limit: i128) -> i128 {
        let beyond = self.largest.saturating_add(1);
        if beyond > limit { beyond } else { limit }
    }

    /// A number with which something is compared. It is a class, and what lies between two such numbers is one:
    /// the first number of each is here, unless that is where a type begins.
    const fn point(&mut self, value: i128, askers: u64) {
        if askers != 0 {
            self.insert(value, askers);
            self.insert(value.saturating_add(1), askers);
        }
    }

    const fn insert(&mut self, value: i128, askers: u64) {
        let at = self.position(value);
        if at < self.n_classes && self.classes[at] == value {
            self.askers[at] |= askers;
            return;
        }
        if self.n_classes == MAX_CLASSES {
            self.is_cut = true;
            return;
        }
        let mut i = self.n_classes;
        while i > at {
            self.classes[i] = self.classes[i - 1];
            self.askers[i] = self.askers[i - 1];
            i -= 1;
        }
        self.classes[at] = value;
        self.askers[at] = askers;
        self.n_classes += 1;
    }

    /// Where the first class is that is not smaller than a value.
    const fn position(&self, value: i128) -> usize {
        let (mut from, mut to) = (0, self.n_classes);
        // Mostly a bound of a type is asked for, which is at one of the ends.
        if to == 0 || value > self.classes[to - 1] {
            return to;
        }
        if value <= self.classes[1] {
            return (value > self.classes[0]) as usize;
        }
        while from < to {
            let middle = (from + to) / 2;
            if self.classes[middle] < value {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    /// A number that is only compared with numbers: one of these or a bound, or now and then any other. Where
    /// choices are counted through, one of each class.
    pub const fn compared(&self, c: &mut Choices<'_>, of: Numbers) -> i128 {
        if self.is_counting {
            return self.counted(c, &of, 0, matches!(self.arguments, Arguments::Free));
        }
        self.random(c, of.lo, of.hi)
    }

    /// A number with which anything may be done. Where choices are counted through, all, if they are few.
    pub const fn free(&self, c: &mut Choices<'_>, of: Numbers) -> i128 {
        if self.is_counting {
            return self.counted(c, &of, 0, true);
        }
        self.random(c, of.lo, of.hi)
    }

    /// Two numbers that are compared with numbers and with each other. Where choices are counted through, two of
    /// each pair of classes; of one class also a smaller one with a larger one, either way round.
    pub const fn pair(&self, c: &mut Choices<'_>, of: Numbers) -> (i128, i128) {
        if !self.is_counting || self.is_cut || matches!(self.arguments, Arguments::Free) {
            return (self.compared(c, of), self.compared(c, of));
        }
        let classes = self.classes(c, &of);
        let n = classes.n;
        let one = c.alternative(n as u64) as usize;
        let from = self.start(&of, &classes, one);
        let last = if one + 1 < n { self.start(&of, &classes, one + 1) - 1 } else { of.hi };
        let other = c.alternative(n as u64 + 2 * (last > from) as u64) as usize;
        if other == n {
            (from, last)
        } else if other > n {
            (last, from)
        } else {
            (from, self.start(&of, &classes, other))
        }
    }

    /// The classes of an argument's numbers. Below its end each number is one, unless those are too many.
    ///
    /// Every argument of every step comes by here: what is called is only what is rare.
    const fn classes(&self, c: &mut Choices<'_>, of: &Numbers) -> Classes {
        let mut end = of.lo;
        if of.end > of.lo {
            end = if of.end > of.hi { of.hi + 1 } else { of.end };
            if end - of.lo > MAX_ENUMERATED {
                c.clip();
                end = of.lo;
            }
        }
        let askers = if matches!(self.arguments, Arguments::Free) { EVERYBODY } else { of.askers };
        let (mut last, mut n, mut at) = (end, (end - of.lo) as usize + (end <= of.hi) as usize, 0);
        while at < self.n_classes {
            let value = self.classes[at];
            if value > end && self.askers[at] & askers != 0 {
                if value > of.hi {
                    break;
                }
                last = value;
                n += 1;
            }
            at += 1;
        }
        Classes { n, end, last, askers }
    }

    /// The first number of a class.
    const fn start(&self, of: &Numbers, classes: &Classes, k: usize) -> i128 {
        let n_alone = (classes.end - of.lo) as usize;
        if k <= n_alone {
            return of.lo + k as i128;
        }
        let (end, askers, mut left, mut at) = (classes.end, classes.askers, k - n_alone, 0);
        loop {
            if self.classes[at] > end && self.askers[at] & askers != 0 {
                left -= 1;
                if left == 0 {
                    return self.classes[at];
                }
            }
            at += 1;
        }
    }

    const fn random(&self, c: &mut Choices<'_>, lo: i128, hi: i128) -> i128 {
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

    /// A character, which is drawn as a number is; at random from the space to `most`.
    pub const fn character(&self, c: &mut Choices<'_>, most: char, askers: u64, is_free: bool) -> char {
        let code = if self.is_counting {
            let is_free = is_free || matches!(self.arguments, Arguments::Free);
            // Those that can be read come first.
            self.counted(c, &Numbers::new(0, char::MAX as i128, askers), ' ' as i128, is_free)
        } else {
            self.random(c, ' ' as i128, most as i128)
        };
        match char::from_u32(code as u32) {
            Some(drawn) => drawn,
            None => most,
        }
    }

    /// One of the values in `lo..=hi` that are counted through, in order from the simplest on.
    const fn counted(&self, c: &mut Choices<'_>, of: &Numbers, simplest: i128, is_free: bool) -> i128 {
        let (lo, hi) = (of.lo, of.hi);
        let simplest = if lo >= simplest { lo } else { simplest };
        // Also where there was no room for all classes, if there is for all values.
        if (is_free || self.is_cut) && hi - lo < MAX_ENUMERATED {
            let value = simplest + c.alternative((hi - lo + 1) as u64) as i128;
            return if value > hi { value - (hi - lo + 1) } else { value };
        }
        if is_free || self.is_cut {
            c.clip();
        }
        let classes = self.classes(c, of);
        let n = classes.n + (classes.end <= hi && classes.last != hi) as usize;
        let mut skipped = 0;
        while simplest != lo && skipped < classes.n && self.start(of, &classes, skipped) < simplest {
            skipped += 1;
        }
        let k = (c.alternative(n as u64) as usize + skipped) % n;
        if k < classes.n { self.start(of, &classes, k) } else { hi }
    }
}

/// The numbers that an argument may be.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    lo: i128,
    hi: i128,
    /// Below this anything may be done with them.
    end: i128,
    /// The bits of the argument, or of the two.
    askers: u64,
}

impl Numbers {
    /// Those in `lo..=hi`.
    #[must_use]
    pub const fn new(lo: i128, hi: i128, askers: u64) -> Self {
        Numbers { lo, hi, end: lo, askers }
    }

    /// The same with which anything may be done below an `end`: all of those are counted through.
    #[must_use]
    pub const fn below(self, end: i128) -> Self {
        Numbers { end, ..self }
    }
}

/// Classes of an argument's numbers: each number below `end`, then those that begin there and at some of the
/// pool's numbers.
struct Classes {
    n: usize,
    end: i128,
    /// Where the last one begins.
    last: i128,
    /// Whose they are.
    askers: u64,
}

/// The largest of several numbers that are not negative.
#[must_use]
pub const fn largest(numbers: &[i128]) -> i128 {
    let (mut most, mut i) = (0, 0);
    while i < numbers.len() {
        if numbers[i] > most {
            most = numbers[i];
        }
        i += 1;
    }
    most
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
    use alloc::vec;
    use alloc::vec::Vec;
    use stairway_choice::{Choice, FULL_SIZE, Prng, RECORD, Source, Span};

    fn numbers(lo: i128, hi: i128) -> Numbers {
        Numbers::new(lo, hi, EVERYBODY)
    }

    #[test]
    fn numbers_of_the_pool_come_first_and_bounds_are_kept() {
        let mut pool = Pool::at_random();
        pool.around(1_000_000);
        pool.around(-5);
        let mut c = Choices::new(Source::Random(Prng::new(1)), FULL_SIZE);
        let mut n_mentioned = 0;
        for _ in 0..1000 {
            let v = pool.compared(&mut c, numbers(0, u32::MAX as i128));
            assert!((0..=u32::MAX as i128).contains(&v));
            n_mentioned += usize::from((999_999..=1_000_001).contains(&v));
        }
        assert!(n_mentioned > 200, "{n_mentioned}");
        assert!((-128..=127).contains(&pool.compared(&mut c, numbers(-128, 127))));
        assert!((0..200).any(|_| pool.compared(&mut c, numbers(0, 255)) == 255), "bounds turn up");
    }

    #[test]
    fn what_the_machine_mentions_has_room_beside_a_large_state() {
        let mut pool = Pool::at_random();
        (0..40).for_each(|n| pool.around(1000 + 10 * n));
        pool.all(&[7, 8, 9]);
        assert!([7, 8, 9].into_iter().all(|value| pool.values[..pool.n].contains(&value)));
    }

    #[test]
    fn characters_that_are_mentioned_come_first() {
        let mut pool = Pool::at_random();
        pool.all(&['q' as i128]);
        let mut c = Choices::new(Source::Random(Prng::new(1)), FULL_SIZE);
        let mut n_mentioned = 0;
        for _ in 0..500 {
            let drawn = pool.character(&mut c, '~', EVERYBODY, false);
            assert!((' '..='~').contains(&drawn));
            n_mentioned += usize::from(drawn == 'q');
        }
        assert!(n_mentioned > 50, "{n_mentioned}");
    }

    #[test]
    fn a_number_stays_what_it_is_without_where_it_came_from() {
        let (mut record, mut spans) = ([Choice::BLANK; 4], [Span::BLANK; 1]);
        let mut pool = Pool::at_random();
        pool.around(1_000_000);
        let mut seed = 0;
        let (drawn, record) = loop {
            let mut c = Choices::new(Source::Random(Prng::new(seed)), FULL_SIZE);
            c.record_into(&mut record, &mut spans);
            let drawn = pool.compared(&mut c, numbers(0, i128::from(u32::MAX)));
            if drawn == 1_000_001 {
                break (drawn, c.recorded().to_vec());
            }
            seed += 1;
        };
        let replay = |record: &[Choice], pool: &Pool| {
            let mut c =
                Choices::new(Source::Replay { choices: record, spans: None, bound: u64::MAX }, FULL_SIZE);
            pool.compared(&mut c, numbers(0, i128::from(u32::MAX)))
        };
        assert_eq!(replay(&record, &pool), drawn);
        let mut other = Pool::at_random();
        other.around(7);
        assert_eq!(replay(&record, &other), 8, "what comes after the number in the state");
        let mut literal = record.clone();
        literal[0].index = 0;
        assert_eq!(replay(&literal, &other), drawn, "the number by itself");
    }

    /// All values that are counted through.
    fn counted(pool: &Pool, draw: impl Fn(&Pool, &mut Choices<'_>) -> i128) -> (Vec<i128>, bool) {
        let (mut all, mut record) = (Vec::new(), RECORD);
        let mut c = Choices::counting(&mut record);
        loop {
            all.push(draw(pool, &mut c));
            if !c.advance() {
                return (all, !c.was_clipped());
            }
        }
    }

    /// Comparisons with the points of a pool take each argument that is told apart from another one.
    #[test]
    fn every_class_has_a_value() {
        let points = [[0, 1, 255], [7, 9, 200], [254, 3, 4], [100, 101, 103]];
        for points in points {
            let mut pool = Pool::counting(&[2], EVERYBODY);
            pool.all(&points);
            pool.around(60);
            let (values, is_exact) = counted(&pool, |pool, c| pool.compared(c, numbers(0, 255)));
            assert!(is_exact && values.len() < 14, "{values:?}");
            let class = |v: i128| {
                let all = points.into_iter().chain([60, 62]);
                all.map(|p| v.cmp(&p)).collect::<Vec<_>>()
            };
            for v in 0..=255 {
                assert!(
                    values.iter().any(|tried| class(*tried) == class(v)),
                    "{v} of {points:?}: {values:?}"
                );
            }
        }
    }

    /// What only another argument is compared with is no class of this one.
    #[test]
    fn each_argument_has_its_own_classes() {
        let mut pool = Pool::counting(&[], 0b10);
        pool.points(&[(10, 0b01), (20, 0b11)]);
        pool.around(30);
        let of = |numbers: Numbers| counted(&pool, |pool, c| pool.compared(c, numbers)).0;
        assert_eq!(of(Numbers::new(0, 255, 0b01)), [0, 10, 11, 20, 21, 255]);
        assert_eq!(of(Numbers::new(0, 255, 0b10)), [0, 20, 21, 30, 31, 255]);
        assert_eq!(
            of(Numbers::new(0, 255, 0b01).below(12)),
            (0..=12).chain([20, 21, 255]).collect::<Vec<_>>()
        );
        assert_eq!(of(Numbers::new(0, 3, 0b01).below(12)), [0, 1, 2, 3]);
    }

    /// Two arguments take each pair of classes, in each order.
    #[test]
    fn every_pair_of_classes_has_values() {
        for (points, of_state) in [(vec![0, 100, 255], 60), (vec![7, 8, 10], 254), (vec![], 0)] {
            let mut pool = Pool::counting(&[1], EVERYBODY);
            pool.all(&points);
            pool.around(of_state);
            let (mut tried, mut record) = (Vec::new(), RECORD);
            let mut c = Choices::counting(&mut record);
            loop {
                tried.push(pool.pair(&mut c, numbers(0, 255)));
                if !c.advance() {
                    break;
                }
            }
            let class = |v: i128| {
                let all = points.iter().copied().chain([of_state, of_state + 1]);
                all.map(|p| v.cmp(&p)).collect::<Vec<_>>()
            };
            let of = |(a, b): (i128, i128)| (class(a), class(b), a.cmp(&b));
            let tried: alloc::collections::BTreeSet<_> = tried.into_iter().map(of).collect();
            for a in 0..=255 {
                assert!((0..=255).all(|b| tried.contains(&of((a, b)))), "{a} of {points:?}");
            }
        }
    }

    #[test]
    fn what_is_free_takes_all_values_or_says_that_it_does_not() {
        let pool = Pool::counting(&[], EVERYBODY);
        let (mut values, is_exact) = counted(&pool, |pool, c| pool.free(c, numbers(-128, 127)));
        assert_eq!((values.len(), values[..3].to_vec(), is_exact), (256, [0, 1, 2].to_vec(), true));
        values.sort_unstable();
        assert_eq!(values, (-128..=127).collect::<Vec<_>>());
        let (values, is_exact) = counted(&pool, |pool, c| pool.free(c, numbers(0, 65535)));
        assert_eq!((values, is_exact), ([0, 65535].to_vec(), false));
    }

    #[test]
    fn a_pool_without_room_says_so() {
        let mut pool = Pool::counting(&[], EVERYBODY);
        (0..100).for_each(|n| pool.add(10 * n));
        assert!(!counted(&pool, |pool, c| pool.compared(c, numbers(0, 65535))).1);
        let (values, is_exact) = counted(&pool, |pool, c| pool.compared(c, numbers(0, 255)));
        assert_eq!((values.len(), is_exact), (256, true), "a byte has room");
    }
}
