//! How likely each value is when it is drawn at random.
//!
//! Picks a value within the bounds of a draw by random words. It knows nothing of sources and records: what
//! is drawn here is what a record will say.

use crate::choice::{self, Offset, Shape, Value};
use crate::float;
use crate::prng::{Prng, scale};

/// How the operations of a program are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// As the specification says, at every step anew.
    Even,
    /// As the specification says, but like cards: what was done twice waits for the others.
    Dealt,
    /// With other weights in each phase of so many steps.
    Phases {
        /// How many.
        n_steps: u64,
    },
}

/// The kind of program, of eight, that has an even mix.
pub(super) const EVEN: u64 = 7;
/// Steps of a phase: enough to fill something small, few enough for several in a program.
pub(super) const N_PHASE: u64 = 10;

/// 100 times 10 to the power of -1 to 1, in 32 steps.
pub(super) const SWARM: [u32; 32] = [
    10, 12, 13, 16, 18, 21, 24, 28, 33, 38, 44, 51, 59, 69, 80, 93, 108, 125, 145, 168, 195, 226, 263, 305,
    353, 410, 476, 552, 640, 743, 862, 1000,
];

/// How many choices a case of this size draws before its generators turn frugal.
pub(super) const fn choice_budget(size: u32) -> usize {
    64 + 32 * size as usize
}

/// The longest collection that follows from the size of a case alone.
pub(super) const LONGEST_BY_SIZE: u64 = super::FULL_SIZE as u64 + 4;
/// From which size on a collection may be as long as its bounds allow: the first cases of a run stay small.
pub(super) const MIN_SIZE_FOR_LONG: u32 = 20;
/// How many elements more than the fewest a collection has at most, whatever its bounds allow.
const MOST_ELEMENTS: u64 = 1 << 16;

/// How many elements more than the fewest a collection may have whose bounds allow `range` more. This knows
/// nothing of how many choices are left: a record has less room than a case, and must draw the same.
pub(super) const fn longest_within(range: u64) -> u64 {
    if range < MOST_ELEMENTS { range } else { MOST_ELEMENTS }
}

pub(super) const fn clamp_signed(v: i64, lo: i64, hi: i64) -> i64 {
    if v < lo {
        lo
    } else if v > hi {
        hi
    } else {
        v
    }
}

pub(super) const fn clamp_unsigned(v: u64, lo: u64, hi: u64) -> u64 {
    if v < lo {
        lo
    } else if v > hi {
        hi
    } else {
        v
    }
}

pub(super) const fn char_at(shape: Shape, index: u64) -> char {
    match shape.value_at(index) {
        Value::Character(c) => c,
        _ => 'a',
    }
}

/// ASCII characters that programs treat specially and that letters and digits do not bring.
const SEPARATORS: &[u8; 8] = b"\n\t\r\0 \"'\\";

/// Characters at which text breaks: controls, the ends of the ranges in which UTF-8 takes as many bytes,
/// marks without a width, a combining accent, a line end of Unicode, and letters that change their length
/// with their case.
const PITFALLS: &[u16; 14] =
    &[0x1B, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0xFEFF, 0xFFFF, 0x301, 0x200D, 0x202E, 0x2028, 0xDF, 0x130];

/// The indices of the last letter or digit and of the last printable character of ASCII where all of Unicode
/// is asked for.
const LAST_ALPHANUMERIC: u64 = 61;
const LAST_PRINTABLE: u64 = 94;

/// A character of `shape`, which has the codes `lo..=hi`: one in sixteen is the `latest` again; where all of
/// Unicode is asked for, most are ASCII, and one in eight is one that programs treat specially.
pub(super) const fn random_character(word: u64, shape: Shape, (lo, hi): (u32, u32), latest: char) -> char {
    if (word >> 3) & 15 == 1 && lo <= latest as u32 && latest as u32 <= hi {
        return latest;
    }
    let most = shape.largest_index();
    if word & 7 == 2 && hi - lo == char::MAX as u32 {
        let high = (word >> 32) as usize;
        let code = if word & 128 == 0 {
            SEPARATORS[high % SEPARATORS.len()] as u32
        } else {
            PITFALLS[high % PITFALLS.len()] as u32
        };
        return match char::from_u32(code) {
            Some(c) => c,
            None => char::REPLACEMENT_CHARACTER,
        };
    }
    let upper = match word & 7 {
        0 => most,
        1 => 0x24F,
        2..=4 => LAST_PRINTABLE,
        _ => LAST_ALPHANUMERIC,
    };
    char_at(shape, scale(word, if upper < most { upper } else { most }))
}

/// How many of the latest integers may be drawn again.
pub(super) const N_RECENT: usize = 4;

/// One draw in sixteen repeats one of the latest integers.
#[inline]
pub(super) const fn is_repetition(word: u64) -> bool {
    word & 15 == 1
}

/// Which of the latest integers `word` stands for.
#[inline]
pub(super) const fn slot_of(word: u64) -> usize {
    (word >> 10) as usize % N_RECENT
}

/// A range of integers, signed or not, seen from its simplest value.
#[derive(Clone, Copy)]
pub(super) struct IntegerRange {
    simplest: u64,
    /// How far it reaches down.
    below: u64,
    /// How far it reaches up.
    above: u64,
}

impl IntegerRange {
    #[inline]
    pub(super) const fn signed(lo: i64, hi: i64, simplest: i64) -> Self {
        let (below, above) = (simplest.wrapping_sub(lo) as u64, hi.wrapping_sub(simplest) as u64);
        IntegerRange { simplest: simplest as u64, below, above }
    }

    #[inline]
    pub(super) const fn unsigned(lo: u64, hi: u64, simplest: u64) -> Self {
        IntegerRange { simplest, below: simplest.wrapping_sub(lo), above: hi.wrapping_sub(simplest) }
    }

    #[inline]
    pub(super) const fn width(self) -> u64 {
        self.below.wrapping_add(self.above)
    }

    #[inline]
    pub(super) const fn contains(self, v: u64) -> bool {
        v.wrapping_sub(self.simplest).wrapping_add(self.below) <= self.width()
    }

    pub(super) fn index_of(self, v: u64) -> u64 {
        let difference = v.wrapping_sub(self.simplest);
        let below = difference > self.above;
        let distance = if below { difference.wrapping_neg() } else { difference };
        choice::index_at(Offset { below, distance }, self.below, self.above).unwrap_or(0)
    }

    /// What is left when both sides are halved `n` times.
    #[inline]
    pub(super) const fn halved(self, n: u32) -> Self {
        IntegerRange { simplest: self.simplest, below: self.below >> n, above: self.above >> n }
    }

    /// A value, uniform in `word`.
    #[inline]
    pub(super) const fn at(self, word: u64) -> u64 {
        self.simplest.wrapping_sub(self.below).wrapping_add(scale(word, self.width()))
    }

    /// How often a draw of this kind halves the range: not at all, down to about the size, or
    /// down to some number of bits. Small ranges are left alone.
    #[inline]
    pub(super) const fn n_halvings(self, word: u64, size: u32) -> u32 {
        let kind = (word & 15) as usize;
        let n_bits = 64 - self.width().leading_zeros();
        let down_to_size = n_bits.saturating_sub(32 - (size | 1).leading_zeros());
        let down_to_some = (((word >> 4) as u32 & 63) * n_bits) >> 6;
        if self.width() < 16 { 0 } else { down_to_size & TO_SIZE[kind] | down_to_some & TO_SOME[kind] }
    }
}

/// A random integer.
///
/// Of sixteen draws about eight are uniform, four within about the size, two within a random
/// number of bits, one repeats an earlier integer, and one lies at a bound or beside a power of
/// two: off-by-one errors live there.
///
/// Outside of programs (`is_alone`) a case has few integers and a run few cases, so four of the eight that
/// would be uniform in a wide range lie at or beside a power of two at which encodings change ([`crossing`]).
/// In programs each operation draws many, and small machines have no room for it.
///
/// This is the hottest code of all, and a branch on random bits is mispredicted as often as its
/// rarer side is taken. So most kinds are one computation: a uniform draw from what is left when
/// both sides of the range are halved some number of times.
#[inline(always)]
pub(super) const fn random_integer(
    prng: &mut Prng,
    recent: &[u64; N_RECENT],
    range: IntegerRange,
    (size, n_before): (u32, usize),
    is_alone: bool,
) -> u64 {
    let word = prng.next_u64();
    let again = recent[slot_of(word)];
    if is_repetition(word) && slot_of(word) < n_before && range.contains(again) {
        return again;
    }
    if word & 15 == 0 && range.width() >= 16 {
        return boundary(word >> 4, range);
    }
    if cfg!(feature = "observations") && is_alone && word & 12 == 8 && range.width() >= MIN_WIDE {
        return crossing(word >> 4, range);
    }
    // The low bits of `word` have been looked at: a wide range takes a fresh word.
    let fresh = if range.width() >> 52 != 0 { prng.next_u64() } else { word };
    range.halved(range.n_halvings(word, size)).at(fresh)
}

/// From this many integers on they are drawn in runs.
pub(super) const FEW: usize = 16;
/// How many integers a run has.
pub(super) const N_RUN: usize = 16;

/// Random integers in runs of one kind. All but the first are led by a boundary or a repetition
/// of what has led an earlier one; the first may be shorter, so that leaders turn up everywhere.
///
/// What a run is like is decided once, and its length can be predicted: an integer in a run costs
/// less than half of what a single one does.
#[inline(always)]
pub(super) fn random_many(
    prng: &mut Prng,
    recent: &mut [u64; N_RECENT],
    range: IntegerRange,
    (size, mut n_before): (u32, usize),
    n: usize,
    mut emit: impl FnMut(u64),
) {
    let (mut rest, mut word) = (n, prng.next_u64());
    let n_first = 1 + (word >> 60) as usize % N_RUN;
    let mut part = range.halved(range.n_halvings(word, size));
    let mut n_plain = rest.min(n_first);
    loop {
        for _ in 0..n_plain {
            emit(part.at(prng.next_u64()));
        }
        rest -= n_plain;
        if rest == 0 {
            return;
        }
        word = prng.next_u64();
        part = range.halved(range.n_halvings(word, size));
        let again = recent[slot_of(word)];
        let leader = match word >> 63 {
            0 if range.width() >= 16 => boundary(word >> 16, range),
            1 if slot_of(word) < n_before && range.contains(again) => again,
            _ => range.at(prng.next_u64()),
        };
        emit(leader);
        recent[n_before % N_RECENT] = leader;
        (rest, n_before) = (rest - 1, n_before + 1);
        n_plain = rest.min(N_RUN - 1);
    }
}

/// All bits set for the kinds of draws that keep within about the size.
pub(super) const TO_SIZE: [u32; 16] = mask(2, 5);
/// All bits set for the kinds of draws that keep within a random number of bits.
pub(super) const TO_SOME: [u32; 16] = mask(6, 7);

pub(super) const fn mask(first: usize, last: usize) -> [u32; 16] {
    let (mut mask, mut kind) = ([0; 16], first);
    while kind <= last {
        mask[kind] = u32::MAX;
        kind += 1;
    }
    mask
}

/// A bound, its neighbour, or a power of two and its neighbours.
#[cold]
pub(super) const fn boundary(bits: u64, range: IntegerRange) -> u64 {
    let IntegerRange { simplest, below, above } = range;
    let down = below > 0 && (above == 0 || bits & 1 != 0);
    let side = if down { below } else { above };
    let distance = match (bits >> 1) & 7 {
        0 | 1 => side,
        2 => side - 1,
        kind => {
            let most_bits = 64 - side.leading_zeros() as u64;
            let power = 1u64 << ((bits >> 4) % most_bits);
            match kind {
                3 | 4 => power,
                5 => power - 1,
                _ => power.saturating_add(1),
            }
        }
    };
    let distance = if distance < side { distance } else { side };
    if down { simplest.wrapping_sub(distance) } else { simplest.wrapping_add(distance) }
}

/// From this width on a range has so many values that a uniform one is unlikely to be a boundary.
const MIN_WIDE: u64 = 1 << 12;

/// The powers of two at which variable-length integers, UTF-8, words, counters and floats change: those of
/// small numbers first, which are drawn more often.
const CROSSINGS: [u8; 16] = [7, 8, 14, 15, 16, 21, 24, 28, 12, 31, 32, 35, 42, 49, 53, 63];

/// One of these powers of two, or a neighbour; half of the time the power itself.
#[cold]
const fn crossing(bits: u64, range: IntegerRange) -> u64 {
    let IntegerRange { simplest, below, above } = range;
    let down = below > 0 && (above == 0 || bits & 3 == 0);
    let side = if down { below } else { above };
    let n_bits = 64 - side.leading_zeros() as u64;
    let place = ((bits >> 2) & if bits & 64 == 0 { 7 } else { 15 }) as usize;
    let known = CROSSINGS[place] as u64;
    let power = 1u64 << if known < n_bits { known } else { (bits >> 12) % n_bits };
    let value = match (bits >> 7) & 3 {
        0 | 1 => power,
        2 => power - 1,
        _ => power.saturating_add(1),
    };
    // A range that begins at 1 has the same powers as one that begins at 0.
    let distance = if !down && simplest <= value { value - simplest } else { value };
    let distance = if distance < side { distance } else { side };
    if down { simplest.wrapping_sub(distance) } else { simplest.wrapping_add(distance) }
}

/// Floats that numerical code trips over.
pub(super) const TRICKY: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    0.5,
    f64::EPSILON,
    f64::MIN_POSITIVE,
    5e-324,
    9_007_199_254_740_993.0,
    f64::MAX,
    f64::MIN,
    f32::MAX as f64,
    1e308,
];

pub(super) const fn random_float(prng: &mut Prng, lo: f64, hi: f64, special: bool, size: u32) -> f64 {
    let word = prng.next_u64();
    let fraction = (prng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let drawn = match word & 15 {
        0 | 1 => TRICKY[scale(word, TRICKY.len() as u64 - 1) as usize],
        2 if special => match word >> 62 {
            0 => f64::NAN,
            1 => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        },
        3 => lo,
        4 => hi,
        5..=7 => scale(word, 2 * size as u64) as f64 - size as f64,
        8..=10 => (fraction * 2.0 - 1.0) * (1.0 + size as f64),
        11 | 12 => f64::from_bits(prng.next_u64()),
        _ => {
            // Both bounds may be huge: halve before subtracting.
            let mid = lo / 2.0 + hi / 2.0;
            mid + (fraction - 0.5) * 2.0 * (hi / 2.0 - lo / 2.0)
        }
    };
    float::at(float::index_of(drawn), lo.to_bits(), hi.to_bits(), special)
}
