//! Draws numbers, enums, floats, structs and arrays, as bytes and as text. Pointers are drawn elsewhere.

use super::hints::{Likely, ParameterHints};
use super::{ArgumentMaker, MadeArgument, NUMBERS};
use crate::ctypes::{EnumId, RecordId, TypeId};
use crate::operations::text;
use stairway::engine::Shape;

/// How many times in 16 a number is one that was passed before, and how many of those are remembered.
const AGAIN: u32 = 3;
const MOST_REMEMBERED: usize = 6;
/// The same in sequences that make do with few numbers, once there are enough.
const MOSTLY_AGAIN: u32 = 13;
/// How likely the length of a single object is passed, against 10 for a value.
const SINGLE: u32 = 2;
/// How many times in 16 a length is exactly that of what it counts.
const EXACT: u32 = 8;
/// How many times in 16 a number right after a text is at most its length, and how much more it is at most.
const RARELY_LONGER: u32 = 14;
const LONGER: u64 = 256;
/// How many elements a number announces at most, and mostly.
const MOST_ANNOUNCED: u64 = 1024;
const FEW_ANNOUNCED: u64 = 9;

impl ArgumentMaker<'_, '_, '_, '_> {
    /// An integer: a value, a number from the source, the length of what was made before, or a result.
    pub(super) fn number(
        &mut self,
        ty: TypeId,
        full: (i128, i128),
        wish: Option<&ParameterHints>,
        bytes: &mut [u8],
    ) -> MadeArgument {
        let (lo, hi) = narrowed(full, wish);
        let again = self.again.take().map(Likely::always);
        let is_pinned = wish.is_some_and(|wish| !wish.pinned.is_empty());
        let length = self.last_length.take().filter(|_| !is_pinned);
        if let Some(length) = length.filter(|_| wish.is_some_and(|wish| wish.is_length)) {
            let value = match wish.is_some_and(|wish| wish.may_be_longer) {
                true => self.length_or_longer(length, wish.is_some_and(|wish| wish.is_apart)),
                false => self.step.choices().unsigned_or(&[length], EXACT, 0, length, 0),
            };
            let value = i128::from(value).min(hi);
            put(bytes, value);
            return Ok(Some(self.shown(|| text::integer(value))));
        }
        if wish.is_some_and(|wish| wish.is_announced) {
            let most = u64::try_from(hi).unwrap_or(0).min(MOST_ANNOUNCED);
            let hint = self.step.choices().free_word().map(|word| word % FEW_ANNOUNCED);
            let value = match hint {
                Some(few) => self.step.choices().unsigned_or(&[few.min(most)], 14, 0, most, 0),
                None => self.step.choices().unsigned(0, most, 0),
            };
            self.announced = Some(value.max(1));
            put(bytes, i128::from(value));
            return Ok(Some(self.shown(|| text::integer(i128::from(value)))));
        }
        let has_earlier = self.has_earlier(ty, wish);
        let weights = [
            if is_pinned { 24 } else { 10 },
            match length {
                None => 0,
                // A single object is hardly counted.
                Some(0 | 1) => SINGLE,
                Some(_) => 16,
            },
            if has_earlier { 3 } else { 0 },
        ];
        let value = match self.step.choices().weighted(&weights, NUMBERS) {
            1 => {
                let length = length.unwrap_or(0);
                i128::from(self.step.choices().unsigned_or(&[length], EXACT, 0, length, 0)).min(hi)
            }
            2 if has_earlier => {
                // Should the call that gave it not be needed, its value takes its place.
                let foreseen = self.step.choices().foresee(shape(lo, hi));
                let made = self.earlier(ty, wish, bytes);
                self.origin = super::Origin::Earlier;
                self.step.choices().settle(foreseen, text::number(bytes, full.0 < 0));
                return made;
            }
            _ if again.is_some() => self.drawn(lo, hi, again.as_ref()),
            _ if is_pinned => self.drawn(lo, hi, wish.map(|wish| &wish.likely)),
            _ => self.drawn_again(lo, hi, wish.map(|wish| &wish.likely)),
        };
        put(bytes, value);
        Ok(Some(self.shown(|| text::integer(value))))
    }

    /// The length of the text before, less than it, or now and then more, which is doubtful.
    fn length_or_longer(&mut self, length: u64, is_doubtful: bool) -> u64 {
        let choices = self.step.choices();
        let less = choices.free_word().map_or(length, |word| word % (length + 1));
        let value = choices.unsigned_or(&[length, less], RARELY_LONGER, 0, length + LONGER, 0);
        if value > length && is_doubtful {
            self.doubt = self.doubt.or(Some(super::Doubt::Longer));
        }
        value
    }

    /// A number that was passed before in this sequence, now and then: what was put in is looked for so.
    fn drawn_again(&mut self, lo: i128, hi: i128, likely: Option<&Likely>) -> i128 {
        let numbers = self.from.numbers;
        let n = numbers.borrow().len();
        let again = if n >= self.from.n_enough { MOSTLY_AGAIN } else { AGAIN };
        let again = match self.next_wanted() {
            None => self.step.choices().hint(n, again).map(|k| numbers.borrow()[k]),
            wanted => wanted,
        };
        let value = match again {
            Some(value) => self.drawn(lo, hi, Some(&Likely::always(value))),
            None => self.drawn(lo, hi, likely),
        };
        let mut numbers = numbers.borrow_mut();
        if !numbers.contains(&value) {
            // The oldest is forgotten.
            if numbers.len() == MOST_REMEMBERED {
                numbers.remove(0);
            }
            numbers.push(value);
        }
        value
    }

    /// The next of the numbers that are wanted in this sequence, mostly.
    fn next_wanted(&mut self) -> Option<i128> {
        if self.from.wanted.borrow().is_empty() {
            return None;
        }
        self.step.choices().hint(1, MOSTLY_AGAIN).and_then(|_| self.from.wanted.borrow_mut().pop())
    }

    /// Keeps numbers that were passed, to pass them again.
    pub(super) fn remember(&mut self, passed: &[i128]) {
        let mut numbers = self.from.numbers.borrow_mut();
        for value in passed {
            if !numbers.contains(value) {
                if numbers.len() == MOST_REMEMBERED {
                    numbers.remove(0);
                }
                numbers.push(*value);
            }
        }
    }

    fn drawn(&mut self, lo: i128, hi: i128, likely: Option<&Likely>) -> i128 {
        const NONE: &Likely = &Likely { signed: Vec::new(), unsigned: Vec::new(), weight: 0 };
        let choices = self.step.choices();
        let Likely { signed, unsigned, weight } = likely.unwrap_or(NONE);
        match shape(lo, hi) {
            Shape::Unsigned { lo, hi, simplest } => {
                i128::from(choices.unsigned_or(unsigned, *weight, lo, hi, simplest))
            }
            Shape::Signed { lo, hi, simplest } => {
                i128::from(choices.signed_or(signed, *weight, lo, hi, simplest))
            }
            _ => 0,
        }
    }

    pub(super) fn constant(&mut self, id: EnumId, bytes: &mut [u8]) -> MadeArgument {
        let constants = &self.from.types.enumeration(id).constants;
        let again = self.again.take();
        if constants.is_empty() {
            put(bytes, 0);
            return Ok(Some("0".to_string()));
        }
        let again = again.and_then(|again| constants.iter().position(|(_, value)| *value == again));
        let flags = flags(constants);
        // After the constants come those that are made of several.
        let n_all = constants.len() as u64 + u64::from(flags.is_some());
        let choices = self.step.choices();
        let n = match again.filter(|_| choices.hint(1, MOSTLY_AGAIN).is_some()) {
            Some(known) => {
                choices.given_alternative(known as u64, n_all, &[]);
                known
            }
            None => choices.alternative(n_all) as usize,
        };
        if let Some(flags) = flags.filter(|_| n >= constants.len()) {
            return Ok(Some(self.combination(&flags, bytes)));
        }
        let (name, value) = &constants[n.min(constants.len() - 1)];
        put(bytes, *value);
        Ok(Some(self.shown(|| name.clone())))
    }

    /// Several flags together.
    fn combination(&mut self, flags: &[&(String, i128)], bytes: &mut [u8]) -> String {
        let mut names = Vec::new();
        let mut value = 0;
        for (name, flag) in flags {
            if self.step.choices().chance(1, 2) {
                names.push(name.as_str());
                value |= flag;
            }
        }
        put(bytes, value);
        self.shown(|| if names.is_empty() { "0".to_string() } else { names.join(" | ") })
    }

    pub(super) fn float(&mut self, size: u32, bytes: &mut [u8]) -> String {
        let value = self.step.choices().float(f64::MIN, f64::MAX, true);
        match size {
            4 => {
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "a float has less room, and infinity is one of its values"
                )]
                let value = value as f32;
                bytes[..4].copy_from_slice(&value.to_le_bytes());
                self.shown(|| text::float(f64::from(value)))
            }
            8 => {
                bytes[..8].copy_from_slice(&value.to_le_bytes());
                self.shown(|| text::float(value))
            }
            _ => {
                text::put_long_double(value, bytes);
                self.shown(|| text::float(value))
            }
        }
    }

    pub(super) fn record(
        &mut self,
        ty: TypeId,
        id: RecordId,
        wish: Option<&ParameterHints>,
        bytes: &mut [u8],
        depth: u32,
    ) -> MadeArgument {
        let has_earlier = depth == 0 && self.has_earlier(ty, wish);
        let weights = [4, 0, if has_earlier { 4 } else { 0 }];
        if depth == 0 && self.step.choices().weighted(&weights, NUMBERS) == 2 && has_earlier {
            return self.earlier(ty, wish, bytes);
        }
        bytes.fill(0);
        let record = self.from.types.record(id);
        let mut parts = Vec::new();
        let members: Vec<_> = match record.is_union {
            false => record.members.iter().enumerate().collect(),
            true => {
                let n = self.step.choices().alternative(record.members.len().max(1) as u64) as usize;
                record.members.get(n).map(|member| (n, member)).into_iter().collect()
            }
        };
        for (k, member) in members {
            let Some(size) = self.from.types.size(member.ty) else { continue };
            let known = wish.and_then(|wish| wish.members.get(&(k as u32)));
            if let Some((first, width)) = member.bits {
                let is_signed = text::is_signed(self.from.types, member.ty);
                let (lo, hi) = narrowed(text::bit_range(width, is_signed), known);
                let value = self.drawn(lo, hi, known.map(|known| &known.likely));
                text::put_bits(bytes, first, width, value);
                parts.push(self.shown(|| text::member(&member.name, &text::integer(value))));
                continue;
            }
            let place = member.offset as usize..(member.offset + size) as usize;
            let Some(part) = bytes.get_mut(place) else { continue };
            match self.value(member.ty, known, part, depth + 1)? {
                Some(value) => parts.push(self.shown(|| text::member(&member.name, &value))),
                None => return Ok(None),
            }
        }
        let types = self.from.types;
        Ok(Some(self.shown(|| text::record(types, ty, &parts, depth == 0))))
    }

    pub(super) fn array(&mut self, of: TypeId, len: u64, bytes: &mut [u8], depth: u32) -> MadeArgument {
        let Some(size) = self.from.types.size(of).filter(|size| *size > 0) else { return Ok(None) };
        let mut parts = Vec::new();
        for k in 0..len as usize {
            let Some(part) = bytes.get_mut(k * size as usize..(k + 1) * size as usize) else { break };
            match self.value(of, None, part, depth + 1)? {
                Some(value) => parts.push(value),
                None => return Ok(None),
            }
        }
        Ok(Some(self.shown(|| format!("{{{}}}", parts.join(", ")))))
    }
}

/// The constants that are one bit each, if they are there to be combined: at least three, and not just because
/// constants are counted through, as 0, 1, 2, 3, 4.
fn flags(constants: &[(String, i128)]) -> Option<Vec<&(String, i128)>> {
    let is_bit = |value: i128| value > 0 && value.count_ones() == 1;
    let flags: Vec<_> = constants.iter().filter(|(_, value)| is_bit(*value)).collect();
    let all = flags.iter().fold(0, |all, (_, value)| all | value);
    let is_made_of_flags = |(_, value): &(String, i128)| *value >= 0 && value & !all == 0;
    let values = || constants.iter().map(|(_, value)| *value);
    let is_run = values().max()? - values().min()? < constants.len() as i128;
    (flags.len() >= 3 && !is_run && constants.iter().all(is_made_of_flags)).then_some(flags)
}

/// The least and the largest value to draw, of those that the type has.
fn narrowed(full: (i128, i128), wish: Option<&ParameterHints>) -> (i128, i128) {
    let (lo, hi) = wish.and_then(|wish| wish.range).map_or(full, |(lo, hi)| (lo.max(full.0), hi.min(full.1)));
    if lo > hi { full } else { (lo, hi) }
}

/// How a number between two others is drawn.
fn shape(lo: i128, hi: i128) -> Shape {
    let simplest = 0i128.clamp(lo, hi);
    match (i64::try_from(lo), i64::try_from(hi), i64::try_from(simplest)) {
        (Ok(lo), Ok(hi), Ok(simplest)) => Shape::Signed { lo, hi, simplest },
        _ if lo >= 0 => {
            let limit = |v: i128| u64::try_from(v).unwrap_or(u64::MAX);
            Shape::Unsigned { lo: limit(lo), hi: limit(hi), simplest: limit(simplest) }
        }
        _ => Shape::Signed { lo: i64::MIN, hi: i64::MAX, simplest: 0 },
    }
}

/// Writes a number as C stores it.
fn put(bytes: &mut [u8], value: i128) {
    let n = bytes.len().min(16);
    bytes[..n].copy_from_slice(&value.to_le_bytes()[..n]);
}

#[cfg(test)]
mod tests {
    use super::flags;

    #[test]
    fn constants_are_flags_if_they_are_bits_and_not_counted_through() {
        let is_flags = |values: &[i128]| {
            let constants: Vec<_> = values.iter().map(|value| (format!("C{value}"), *value)).collect();
            flags(&constants).map(|flags| flags.len())
        };
        assert_eq!(is_flags(&[0, 1, 2, 4, 8, 15]), Some(4));
        assert_eq!(is_flags(&[1, 2, 4]), Some(3));
        assert_eq!(is_flags(&[0, 1, 2, 3, 4]), None);
        assert_eq!(is_flags(&[0, 1, 2]), None);
        assert_eq!(is_flags(&[1, 2, 4, 9]), None);
        assert_eq!(is_flags(&[-1, 1, 2, 4]), None);
        assert_eq!(is_flags(&[]), None);
    }
}
