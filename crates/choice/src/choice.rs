//! One recorded decision, and the order that says which of two decisions is simpler.
//!
//! A [`Choice`] is an index into the values its [`Shape`] allows, listed from the simplest on:
//! index 0 is the simplest value, a larger index a less simple one. Everything that edits
//! choices (shrinking, counting through all of them) works on indices; everything that shows or
//! stores them works on the [`Value`] an index stands for. This file is the only place that
//! knows how the two correspond. It does not know where choices come from.

use crate::StaticText;
use crate::float;

/// The name of an alternative.
type Text<'a> = &'a str;

/// What a choice was drawn from.
///
/// The fields are the bounds the generator asked for. They are part of the record because
/// editing a choice must respect them, and because a stored value is checked against them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// `false` is simpler.
    Boolean,
    /// A signed integer in `lo..=hi`; simpler is closer to `simplest`, above before below.
    Signed {
        /// Smallest value.
        lo: i64,
        /// Largest value.
        hi: i64,
        /// The value with index 0; lies within the bounds.
        simplest: i64,
    },
    /// An unsigned integer in `lo..=hi`, ordered like [`Shape::Signed`].
    Unsigned {
        /// Smallest value.
        lo: u64,
        /// Largest value.
        hi: u64,
        /// The value with index 0; lies within the bounds.
        simplest: u64,
    },
    /// How many elements follow in the innermost open span; shorter is simpler.
    ///
    /// Shrinking relies on this: it deletes an element together with one from the length.
    Length {
        /// Smallest length.
        min: u64,
        /// Largest length.
        max: u64,
    },
    /// One of `n` alternatives; an earlier one is simpler.
    Alternative {
        /// How many there are.
        n: u64,
        /// Their names, or nothing where they have none.
        #[cfg_attr(feature = "serde", serde(with = "crate::text::list"))]
        names: &'static [StaticText],
    },
    /// The result of an earlier step of the program, named by that step's number below `n`; an
    /// earlier one is simpler. Deleting steps renumbers it, so that it keeps its meaning.
    Reference {
        /// How many steps there were before.
        n: u64,
    },
    /// A character with a code in `lo..=hi`; over the full range letters and digits come first.
    Character {
        /// Smallest code point.
        lo: u32,
        /// Largest code point.
        hi: u32,
    },
    /// A float: small whole numbers, then fractions of few digits, then the rest, infinities and
    /// NaN last. The bounds are the bits of two `f64`; `special` admits infinities and NaN.
    Float {
        /// Bits of the smallest value.
        lo: u64,
        /// Bits of the largest value.
        hi: u64,
        /// Whether infinities and NaN are allowed.
        special: bool,
    },
}

/// A value as people and files see it, whatever its bounds were.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Value<'a> {
    /// Of [`Shape::Boolean`].
    Boolean(bool),
    /// Of [`Shape::Signed`] and [`Shape::Unsigned`].
    Integer(i128),
    /// Of [`Shape::Length`].
    Length(u64),
    /// Of a [`Shape::Alternative`] that has names.
    Name(#[cfg_attr(feature = "serde", serde(with = "crate::text"))] Text<'a>),
    /// Of a [`Shape::Alternative`] that has none, counted from 0.
    Position(u64),
    /// Of [`Shape::Reference`]: the number of a step.
    Step(u64),
    /// Of [`Shape::Character`].
    Character(char),
    /// Of [`Shape::Float`].
    Float(f64),
}

#[cfg(feature = "serde")]
impl Value<'_> {
    /// The same value, which lives as long as the program: names are kept, each once.
    #[must_use]
    pub fn interned(&self) -> Value<'static> {
        match *self {
            Value::Name(name) => Value::Name(crate::text::interned(name)),
            Value::Boolean(value) => Value::Boolean(value),
            Value::Integer(value) => Value::Integer(value),
            Value::Length(n) => Value::Length(n),
            Value::Position(n) => Value::Position(n),
            Value::Step(n) => Value::Step(n),
            Value::Character(value) => Value::Character(value),
            Value::Float(value) => Value::Float(value),
        }
    }
}

/// One decision: which value of a shape was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Choice {
    /// Position of the value in the shape's order of simplicity, 0 being the simplest.
    pub index: u64,
    /// What it was drawn from.
    pub shape: Shape,
}

impl Choice {
    /// A placeholder to fill buffers with.
    pub const BLANK: Choice = Choice { index: 0, shape: Shape::Boolean };

    /// The value this choice stands for.
    #[must_use]
    pub const fn value(&self) -> Value<'static> {
        self.shape.value_at(self.index)
    }

    /// For an integer: which side of the simplest value it lies on, and how far away.
    ///
    /// Shrinking lowers the distance and keeps the side, where lowering the index by one would
    /// jump to the other side of the simplest value.
    #[must_use]
    pub const fn offset(&self) -> Option<Offset> {
        match self.shape.sides() {
            Some((below, above)) => Some(offset_at(self.index, below, above)),
            None => None,
        }
    }

    /// The index that lies `offset` away from the simplest value, where the bounds allow it.
    #[must_use]
    pub const fn index_at(&self, offset: Offset) -> Option<u64> {
        match self.shape.sides() {
            Some((below, above)) => index_at(offset, below, above),
            None => None,
        }
    }
}

/// A signed distance from the simplest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Whether the value lies below the simplest one.
    pub below: bool,
    /// How far away it is.
    pub distance: u64,
}

impl Shape {
    /// The largest index, so `largest_index() + 1` values in all.
    #[must_use]
    pub const fn largest_index(&self) -> u64 {
        match *self {
            Shape::Boolean => 1,
            Shape::Signed { .. } | Shape::Unsigned { .. } => match self.sides() {
                Some((below, above)) => below + above,
                None => 0,
            },
            Shape::Length { min, max } => max - min,
            Shape::Alternative { n, .. } | Shape::Reference { n } => n.saturating_sub(1),
            Shape::Character { lo, hi } => (rank_of_code(hi) - rank_of_code(lo)) as u64,
            Shape::Float { .. } => float::LARGEST_INDEX,
        }
    }

    /// Whether the choice decides what is drawn next rather than how large something is.
    #[must_use]
    pub const fn is_structural(&self) -> bool {
        matches!(self, Shape::Boolean | Shape::Alternative { .. })
    }

    /// How many values lie below and above the simplest one, for integers.
    const fn sides(&self) -> Option<(u64, u64)> {
        match *self {
            Shape::Signed { lo, hi, simplest } => {
                Some((simplest.wrapping_sub(lo) as u64, hi.wrapping_sub(simplest) as u64))
            }
            Shape::Unsigned { lo, hi, simplest } => Some((simplest - lo, hi - simplest)),
            _ => None,
        }
    }

    /// The value at `index`, which is taken to be at most [`Shape::largest_index`].
    #[must_use]
    pub const fn value_at(&self, index: u64) -> Value<'static> {
        match *self {
            Shape::Boolean => Value::Boolean(index != 0),
            Shape::Signed { lo, hi, simplest } => Value::Integer(signed_at(index, lo, hi, simplest) as i128),
            Shape::Unsigned { lo, hi, simplest } => {
                Value::Integer(unsigned_at(index, lo, hi, simplest) as i128)
            }
            Shape::Length { min, .. } => Value::Length(min + index),
            Shape::Alternative { names, .. } => {
                if index < names.len() as u64 {
                    Value::Name(names[index as usize])
                } else {
                    Value::Position(index)
                }
            }
            Shape::Reference { .. } => Value::Step(index),
            Shape::Character { lo, hi } => Value::Character(character_at(index, lo, hi)),
            Shape::Float { lo, hi, special } => Value::Float(float::at(index, lo, hi, special)),
        }
    }

    /// The index of `value`, if this shape has such a value: how stored values find their way
    /// back into a generator that may have changed since.
    #[must_use]
    pub const fn index_of(&self, value: &Value<'_>) -> Option<u64> {
        match (*self, *value) {
            (Shape::Boolean, Value::Boolean(b)) => Some(b as u64),
            (Shape::Signed { lo, hi, simplest }, Value::Integer(v)) => {
                if v < lo as i128 || v > hi as i128 {
                    return None;
                }
                Some(index_of_signed(v as i64, lo, hi, simplest))
            }
            (Shape::Unsigned { lo, hi, simplest }, Value::Integer(v)) => {
                if v < lo as i128 || v > hi as i128 {
                    return None;
                }
                Some(index_of_unsigned(v as u64, lo, hi, simplest))
            }
            (Shape::Length { min, max }, Value::Length(n)) if min <= n && n <= max => Some(n - min),
            (Shape::Alternative { names, .. }, Value::Name(name)) => position_of(name, names),
            (Shape::Alternative { n, names }, Value::Position(i)) if i < n && names.is_empty() => Some(i),
            (Shape::Reference { n }, Value::Step(i)) if i < n => Some(i),
            (Shape::Character { lo, hi }, Value::Character(c)) if lo <= c as u32 && c as u32 <= hi => {
                Some(index_of_character(c, lo, hi))
            }
            (Shape::Float { lo, hi, special }, Value::Float(f)) => {
                let index = float::index_of(f);
                let same =
                    float::at(index, lo, hi, special).to_bits() == f.to_bits() || f.is_nan() && special;
                if same { Some(index) } else { None }
            }
            _ => None,
        }
    }
}

/// Zigzag around the simplest value until one side is used up, then straight on.
pub(crate) const fn index_at(offset: Offset, below: u64, above: u64) -> Option<u64> {
    let d = offset.distance;
    if d == 0 {
        return Some(0);
    }
    let (own, other) = if offset.below { (below, above) } else { (above, below) };
    if d > own {
        return None;
    }
    if d > other {
        return Some(d + other);
    }
    Some(if offset.below { 2 * d } else { 2 * d - 1 })
}

/// The inverse of [`index_at`].
pub(crate) const fn offset_at(index: u64, below: u64, above: u64) -> Offset {
    let shared = if below < above { below } else { above };
    // In operators, since every call is dear in const evaluation.
    let (distance, is_odd) = (index / 2 + index % 2, index % 2 == 1);
    if distance <= shared {
        return Offset { below: !is_odd && index != 0, distance };
    }
    Offset { below: below > above, distance: index - shared }
}

pub(crate) const fn signed_at(index: u64, lo: i64, hi: i64, simplest: i64) -> i64 {
    let offset = offset_at(index, simplest.wrapping_sub(lo) as u64, hi.wrapping_sub(simplest) as u64);
    if offset.below {
        simplest.wrapping_sub(offset.distance as i64)
    } else {
        simplest.wrapping_add(offset.distance as i64)
    }
}

pub(crate) const fn unsigned_at(index: u64, lo: u64, hi: u64, simplest: u64) -> u64 {
    if simplest == lo {
        return lo + index;
    }
    let offset = offset_at(index, simplest - lo, hi - simplest);
    if offset.below { simplest - offset.distance } else { simplest + offset.distance }
}

pub(crate) const fn index_of_signed(v: i64, lo: i64, hi: i64, simplest: i64) -> u64 {
    let below = v < simplest;
    let distance = if below { simplest.wrapping_sub(v) } else { v.wrapping_sub(simplest) } as u64;
    let sides = (simplest.wrapping_sub(lo) as u64, hi.wrapping_sub(simplest) as u64);
    match index_at(Offset { below, distance }, sides.0, sides.1) {
        Some(index) => index,
        None => 0,
    }
}

pub(crate) const fn index_of_unsigned(v: u64, lo: u64, hi: u64, simplest: u64) -> u64 {
    let below = v < simplest;
    let distance = if below { simplest - v } else { v - simplest };
    match index_at(Offset { below, distance }, simplest - lo, hi - simplest) {
        Some(index) => index,
        None => 0,
    }
}

/// All of ASCII as people would order it, for readable text: letters, digits and the space stand at the front
/// of the full range, control characters at the end.
const FRIENDLY: &[u8; N_ASCII as usize] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \
!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\
\n\t\r\0\x01\x02\x03\x04\x05\x06\x07\x08\x0B\x0C\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\
\x1B\x1C\x1D\x1E\x1F\x7F";
const N_ASCII: u32 = 128;

/// The letters of Latin with accents: the simplest characters that are not ASCII.
const FIRST_ACCENTED: u32 = 0xC0;
const N_ACCENTED: u32 = 0x250 - FIRST_ACCENTED;

const N_SURROGATES: u32 = 0x800;

const fn is_full(lo: u32, hi: u32) -> bool {
    lo == 0 && hi == char::MAX as u32
}

/// Position of a code point in a range that leaves out the surrogates.
const fn rank_of_code(code: u32) -> u32 {
    if code >= 0xE000 { code - N_SURROGATES } else { code }
}

const fn character_at(index: u64, lo: u32, hi: u32) -> char {
    if is_full(lo, hi) {
        return friendly_character_at(index as u32);
    }
    code_to_char(rank_of_code(lo) + index as u32)
}

const fn code_to_char(rank: u32) -> char {
    let code = if rank >= 0xD800 { rank + N_SURROGATES } else { rank };
    match char::from_u32(code) {
        Some(c) => c,
        None => char::REPLACEMENT_CHARACTER,
    }
}

/// ASCII comes first, then letters with accents, then what lies between the two, then everything else by code.
const fn friendly_character_at(index: u32) -> char {
    if index < N_ASCII {
        return FRIENDLY[index as usize] as char;
    }
    if index < N_ASCII + N_ACCENTED {
        return code_to_char(index - N_ASCII + FIRST_ACCENTED);
    }
    code_to_char(if index < FIRST_ACCENTED + N_ACCENTED { index - N_ACCENTED } else { index })
}

pub(crate) const fn index_of_character(c: char, lo: u32, hi: u32) -> u64 {
    let code = c as u32;
    if !is_full(lo, hi) {
        return (rank_of_code(code) - rank_of_code(lo)) as u64;
    }
    let index = if code >= FIRST_ACCENTED + N_ACCENTED {
        rank_of_code(code)
    } else if code >= FIRST_ACCENTED {
        code - FIRST_ACCENTED + N_ASCII
    } else if code >= N_ASCII {
        code + N_ACCENTED
    } else {
        let mut i = 0;
        while FRIENDLY[i] as u32 != code {
            i += 1;
        }
        i as u32
    };
    index as u64
}

/// Position of `name` among `names`; `==` on strings is not available in const evaluation.
const fn position_of(name: &str, names: &[&str]) -> Option<u64> {
    let mut i = 0;
    while i < names.len() {
        if same_text(name.as_bytes(), names[i].as_bytes()) {
            return Some(i as u64);
        }
        i += 1;
    }
    None
}

pub(crate) const fn same_text(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn listed(shape: Shape) -> Vec<i128> {
        (0..=shape.largest_index())
            .map(|i| match shape.value_at(i) {
                Value::Integer(v) => v,
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn integers_zigzag_around_the_simplest_and_then_go_straight() {
        assert_eq!(listed(Shape::Signed { lo: -2, hi: 4, simplest: 0 }), [0, 1, -1, 2, -2, 3, 4]);
        assert_eq!(listed(Shape::Signed { lo: -4, hi: 1, simplest: 0 }), [0, 1, -1, -2, -3, -4]);
        assert_eq!(listed(Shape::Unsigned { lo: 3, hi: 6, simplest: 5 }), [5, 6, 4, 3]);
        assert_eq!(listed(Shape::Unsigned { lo: 3, hi: 6, simplest: 3 }), [3, 4, 5, 6]);
    }

    #[test]
    fn every_value_has_one_index_and_finds_its_way_back() {
        let names: &[&str] = &["a", "b", "c"];
        let shapes = [
            Shape::Boolean,
            Shape::Signed { lo: -7, hi: 3, simplest: -2 },
            Shape::Unsigned { lo: 10, hi: 30, simplest: 12 },
            Shape::Length { min: 2, max: 9 },
            Shape::Alternative { n: 3, names },
            Shape::Alternative { n: 5, names: &[] },
            Shape::Reference { n: 4 },
            Shape::Character { lo: 0, hi: char::MAX as u32 },
            Shape::Character { lo: 0xD700, hi: 0xE010 },
        ];
        for shape in shapes {
            for index in 0..=shape.largest_index().min(3000) {
                assert_eq!(shape.index_of(&shape.value_at(index)), Some(index), "{shape:?}");
            }
        }
    }

    #[test]
    fn the_widest_ranges_do_not_overflow() {
        let signed = Shape::Signed { lo: i64::MIN, hi: i64::MAX, simplest: 0 };
        assert_eq!(signed.largest_index(), u64::MAX);
        for v in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX] {
            let value = Value::Integer(i128::from(v));
            assert_eq!(signed.value_at(signed.index_of(&value).unwrap()), value);
        }
        let unsigned = Shape::Unsigned { lo: 0, hi: u64::MAX, simplest: 0 };
        let value = Value::Integer(i128::from(u64::MAX));
        assert_eq!(unsigned.index_of(&value), Some(u64::MAX));
        assert_eq!(unsigned.value_at(u64::MAX), value);
    }

    #[test]
    fn values_outside_the_bounds_have_no_index() {
        let shape = Shape::Signed { lo: 0, hi: 9, simplest: 0 };
        assert_eq!(shape.index_of(&Value::Integer(10)), None);
        assert_eq!(shape.index_of(&Value::Boolean(true)), None);
        let named = Shape::Alternative { n: 2, names: &["on", "off"] };
        assert_eq!(named.index_of(&Value::Name("dim")), None);
        assert_eq!(named.index_of(&Value::Position(1)), None);
    }

    #[test]
    fn characters_start_with_letters_and_end_with_the_last_code_point() {
        let shape = Shape::Character { lo: 0, hi: char::MAX as u32 };
        assert_eq!(shape.value_at(0), Value::Character('a'));
        assert_eq!(shape.value_at(52), Value::Character('0'));
        assert_eq!(shape.value_at(shape.largest_index()), Value::Character(char::MAX));
    }
}
