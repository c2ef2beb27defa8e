//! Passes that make single values, or several at once, simpler.

use super::layout::{ROOT, Unit};
use super::{Buffers, Shrinker, Workbench};
use stairway_choice::{Choice, Label, Offset, Shape, Value, decimal, index_of_float};

/// How many alternatives below the present one are tried.
const MAX_ALTERNATIVES: u64 = 16;
/// How many earlier results are tried in the place of one.
const MAX_REFERENCES: usize = 5;
/// How many numbers of each kind are tried in the place of an earlier result.
pub(super) const MAX_LITERALS: usize = 16;
/// How many small values are tried where a filter makes the values fail in no order.
const MAX_PROBES: u64 = 32;
/// The simplest character of each kind, the simplest kind first.
const KINDS: [char; 7] = ['A', '0', ' ', '!', '\n', '\0', '\u{C0}'];
/// How far apart, in numbers, two values lie that are lowered together or balanced.
const NEIGHBOURHOOD: usize = 8;

impl Shrinker<'_, '_> {
    /// Sets everything to its simplest value, or if that is too much, halves of it, and so on.
    pub(super) fn zero_all(&mut self) {
        self.zero_inside(ROOT);
    }

    /// Zeroes the units of one span, skipping lengths: shortening deals with those.
    fn zero_inside(&mut self, span: u32) {
        let Workbench { layout, best, buffers: Buffers { units: stack, .. }, .. } = &mut *self.bench;
        let start = stack.len();
        let is_program = span != ROOT && best.spans[span as usize].label == Label::Program;
        if is_program {
            // All arguments of all steps; which operations they are stays.
            for id in layout.inside(span) {
                if best.spans[id].label == Label::Step && best.spans[id].parent == span {
                    let behind_operation = best.spans[id].start as usize + 1;
                    layout.push_units(best, id as u32, behind_operation, stack);
                }
            }
        } else {
            layout.push_units(best, span, 0, stack);
        }
        let mut end = start;
        for k in start..stack.len() {
            let unit = stack[k];
            if unit.span != ROOT || !matches!(best.choices[unit.start].shape, Shape::Length { .. }) {
                stack[end] = unit;
                end += 1;
            }
        }
        stack.truncate(end);
        let n_spans = best.spans.len();
        self.zero_units(start, end, n_spans);
        self.bench.buffers.units.truncate(start);
    }

    /// Zeroes the units `start..end` on the stack. `n_spans` tells whether the layout is still
    /// the one they were read from.
    fn zero_units(&mut self, start: usize, end: usize, n_spans: usize) {
        let n = self.len();
        let is_zero = |u: &Unit| self.best()[u.start..u.end].iter().all(|c| c.index == 0);
        if self.bench.buffers.units[start..end].iter().all(is_zero) || self.is_spent() {
            return;
        }
        let stack = core::mem::take(&mut self.bench.buffers.units);
        let zeroed = self.attempt_with(|c| {
            for unit in &stack[start..end] {
                for choice in &mut c[unit.start..unit.end] {
                    choice.index = 0;
                }
            }
        });
        self.bench.buffers.units = stack;
        if zeroed {
            return;
        }
        if end - start == 1 {
            let unit = self.bench.buffers.units[start];
            if unit.span != ROOT {
                self.zero_inside(unit.span);
            }
            return;
        }
        // From the back: zeroing may shorten the record and move what lies behind.
        let middle = usize::midpoint(start, end);
        self.zero_units(middle, end, n_spans);
        if self.len() == n && self.bench.best.spans.len() == n_spans {
            self.zero_units(start, middle, n_spans);
        }
    }

    /// Adds up elements, the last two first: if it is their sum that matters, this goes on until
    /// one is left, and if not, one run tells.
    pub(super) fn add_up_all(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            while self.best()[i].index > 0 && self.read_elements(i) {
                let n = self.bench.units.len();
                // Few steps can be added up.
                let first = if self.counts_steps(i) { 0 } else { n.saturating_sub(2) };
                if !(first..n.saturating_sub(1)).rev().any(|k| self.add_up(i, k)) {
                    break;
                }
            }
            i += 1;
        }
    }

    /// Puts the sum of two numbers, wrapped around like machine arithmetic does, in the place of
    /// both; or one step in the place of two that differ in one number at most. They are the
    /// elements `k` and `k + 1`.
    fn add_up(&mut self, length: usize, k: usize) -> bool {
        let (first, second) = (self.bench.units[k], self.bench.units[k + 1]);
        let refers = |c: &Choice| matches!(c.shape, Shape::Reference { .. });
        let is_needed = |c: &Choice| refers(c) && c.index == k as u64;
        let Some((at, sum)) = self.sum(first, second) else { return false };
        if first.span != ROOT && self.best().iter().any(is_needed) {
            return false;
        }
        self.attempt_edited(|record, editor| {
            record.choices[length].index -= 1;
            record.choices[second.start + at].index = sum;
            if first.span != ROOT {
                let later = record.choices.iter_mut().filter(|c| refers(c) && c.index > k as u64);
                later.for_each(|choice| choice.index -= 1);
            }
            editor.delete(record, first.start, first.end);
        })
    }

    /// The number in which two units may differ, as an offset from their beginning, and the
    /// index of the sum.
    fn sum(&self, first: Unit, second: Unit) -> Option<(usize, u64)> {
        let best = &self.bench.best;
        let is_lone = first.span == ROOT && second.span == ROOT;
        let is_step = |unit: Unit| unit.span != ROOT && best.spans[unit.span as usize].label == Label::Step;
        let are_steps = is_step(first) && is_step(second);
        if !(is_lone || are_steps) {
            return None;
        }
        let (ones, others) = (&best.choices[first.start..first.end], &best.choices[second.start..second.end]);
        let numbers = |one: &Choice, other: &Choice| match (one.value(), other.value()) {
            (Value::Integer(x), Value::Integer(y)) if x != 0 && y != 0 => Some(x + y),
            _ => None,
        };
        let at = (0..ones.len().min(others.len())).find(|&k| numbers(&ones[k], &others[k]).is_some())?;
        let is_else_equal = ones.len() == others.len()
            && ones.iter().zip(others).enumerate().all(|(k, (a, b))| k == at || a.index == b.index);
        if !is_else_equal {
            return None;
        }
        let sum = wrapped(numbers(&ones[at], &others[at])?, &others[at].shape)?;
        Some((at, sum))
    }

    /// Makes every choice as simple as it can be by itself.
    pub(super) fn lower_all(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            self.lower(i);
            i += 1;
        }
    }

    fn lower(&mut self, i: usize) {
        let choice = self.best()[i];
        if choice.index == 0 {
            return;
        }
        match choice.shape {
            Shape::Boolean => {
                self.set(i, 0);
            }
            // Which operation a step is stays: steps are deleted instead.
            Shape::Alternative { .. } if self.is_operation(i) => {}
            Shape::Reference { .. } => self.refer_earlier(i),
            Shape::Alternative { .. } => {
                let mut lower = 0..choice.index.min(MAX_ALTERNATIVES);
                if !lower.any(|index| self.set(i, index) || self.set_afresh(i, index)) {
                    self.set_literal(i);
                }
            }
            Shape::Float { .. } => self.lower_float(i),
            Shape::Signed { .. } | Shape::Unsigned { .. } => self.lower_integer(i),
            Shape::Length { .. } => {
                if !self.set(i, 0) {
                    self.search(&[i], choice.index, |_, distance| Some(distance));
                }
            }
            Shape::Character { .. } => self.lower_character(i),
        }
    }

    /// Code looks at the kind of a character as often as at its place in the order: the simplest of each kind
    /// is tried before the order is searched.
    fn lower_character(&mut self, i: usize) {
        let choice = self.best()[i];
        let kinds = KINDS.into_iter().filter_map(|kind| choice.shape.index_of(&Value::Character(kind)));
        if !self.set(i, 0) && !kinds.filter(|kind| *kind < choice.index).any(|kind| self.set(i, kind)) {
            self.search(&[i], choice.index, |_, distance| Some(distance));
        }
    }

    /// Turns a reference to an earlier step of the same operation, or one referred to elsewhere:
    /// these seem to give the same kind of result.
    fn refer_earlier(&mut self, i: usize) {
        let target = self.best()[i].index as usize;
        let Workbench { best, doomed, buffers: Buffers { indices: operations, .. }, .. } = &mut *self.bench;
        operations.clear();
        let steps = best.spans.iter().filter(|s| s.label == Label::Step && (s.start as usize) < i);
        operations.extend(steps.take(target + 1).map(|s| best.choices[s.start as usize].index as usize));
        let Some(&operation) = operations.get(target) else { return };
        let mut is_alike = core::mem::take(doomed);
        is_alike.clear();
        is_alike.extend(operations[..target].iter().map(|earlier| *earlier == operation));
        for choice in &best.choices {
            if matches!(choice.shape, Shape::Reference { .. }) && (choice.index as usize) < target {
                is_alike[choice.index as usize] = true;
            }
        }
        let alike = (0..target).filter(|earlier| is_alike[*earlier]);
        let _ = alike.take(MAX_REFERENCES).any(|earlier| self.set(i, earlier as u64));
        self.bench.doomed = is_alike;
    }

    /// Whether choice `i` says which operation a step is.
    fn is_operation(&self, i: usize) -> bool {
        let owner = self.bench.layout.owner(i);
        owner != ROOT && {
            let span = &self.bench.best.spans[owner as usize];
            span.label == Label::Step && span.start as usize == i
        }
    }

    /// Attempts the best record with choice `i` at `index`.
    fn set(&mut self, i: usize, index: u64) -> bool {
        self.attempt_with(|c| c[i].index = index)
    }

    /// Attempts another alternative with the simplest contents: those of the present one may
    /// mean something else there.
    fn set_afresh(&mut self, i: usize, index: u64) -> bool {
        let end = match self.bench.layout.owner(i) {
            ROOT => return false,
            owner => self.bench.best.spans[owner as usize].end as usize,
        };
        self.attempt_with(|c| {
            c[i].index = index;
            c[i + 1..end].iter_mut().for_each(|choice| choice.index = 0);
        })
    }

    /// Where choice `i` says that an earlier result is used, attempts a number instead: one that
    /// occurs elsewhere, one beside it, or a small one. What the result depends on is then free
    /// to go. (Seq-test, section 3.3.2.)
    fn set_literal(&mut self, i: usize) {
        let is_reference = |c: &Choice| matches!(c.shape, Shape::Reference { .. });
        if !self.best().get(i + 1).is_some_and(is_reference) {
            return;
        }
        let is_number = |c: &&Choice| matches!(c.shape, Shape::Signed { .. } | Shape::Unsigned { .. });
        let numbers = &mut self.bench.numbers;
        numbers.clear();
        numbers.extend(self.bench.best.choices.iter().filter(is_number).take(MAX_LITERALS));
        let n = numbers.len();
        let beside = |k: usize| [0i64, 1, -1].map(|by| (k, by));
        let occurring = (0..n).flat_map(beside);
        for (k, by) in occurring {
            let index = self.bench.numbers[k].index.checked_add_signed(by);
            if index.is_some_and(|index| self.set_pair(i, 0, i + 1, index)) {
                return;
            }
        }
        let _ = (1..=MAX_LITERALS as u64).any(|index| self.set_pair(i, 0, i + 1, index));
    }

    fn lower_integer(&mut self, i: usize) {
        if self.set(i, 0) {
            return;
        }
        let choice = self.best()[i];
        let Some(offset) = choice.offset() else { return };
        if offset.below
            && let Some(mirrored) = choice.index_at(Offset { below: false, ..offset })
        {
            self.set(i, mirrored);
        }
        self.search_integers(&[i]);
        // The next simpler value may lie on the other side.
        for _ in 0..NEIGHBOURHOOD {
            let Some(index) = self.best().get(i).map(|c| c.index) else { return };
            if index < 2 || !(self.set(i, index - 1) || self.set(i, index - 2)) {
                return;
            }
        }
    }

    /// Lowers the distance of all `positions`, which share one, as far as it goes.
    fn search_integers(&mut self, positions: &[usize]) {
        let Some(offset) = self.best().get(positions[0]).and_then(Choice::offset) else { return };
        self.search(positions, offset.distance, move |choice, distance| {
            choice.index_at(Offset { distance, ..offset })
        });
    }

    /// Finds the smallest distance that still fails, given that `hi` does and 0 does not.
    ///
    /// If neither the next smaller distances nor half of it work, it is taken to be stuck.
    /// Otherwise the search goes by the number of bits first: small answers are the common ones.
    fn search(&mut self, positions: &[usize], hi: u64, index_at: impl Fn(&Choice, u64) -> Option<u64>) {
        let mut hi = hi;
        let lower_to = |this: &mut Self, distance: u64| {
            let indices_exist = positions
                .iter()
                .all(|&p| this.best().get(p).is_some_and(|choice| index_at(choice, distance).is_some()));
            indices_exist
                && this.attempt_with(|c| {
                    for &p in positions {
                        c[p].index = index_at(&c[p], distance).unwrap_or(c[p].index);
                    }
                })
        };
        let near = [1, 2, hi / 2];
        let Some(step) = near.into_iter().find(|&d| d > 0 && d < hi && lower_to(self, hi - d)) else {
            // What a filter lets through has gaps: then the small values are worth a look.
            if self.is_filtered(positions[0]) {
                let _ = (1..hi.min(MAX_PROBES)).any(|small| lower_to(self, small));
            }
            return;
        };
        hi -= step;
        for small in 1..=2 {
            if small >= hi || lower_to(self, small) {
                return;
            }
        }
        // First the number of bits, then the bits.
        let mut lo = 2;
        let mut n_bits = (2, 64 - hi.leading_zeros());
        while n_bits.0 + 1 < n_bits.1 {
            let middle = u32::midpoint(n_bits.0, n_bits.1);
            let largest = (1u64 << middle) - 1;
            if lower_to(self, largest) {
                hi = largest;
                n_bits.1 = middle;
            } else {
                lo = largest;
                n_bits.0 = middle;
            }
        }
        while hi - lo > 1 {
            let middle = lo + (hi - lo) / 2;
            if lower_to(self, middle) { hi = middle } else { lo = middle }
        }
    }

    /// Whether a choice belongs to a value that a filter looked at.
    fn is_filtered(&self, i: usize) -> bool {
        let mut id = self.bench.layout.owner(i);
        while id != ROOT {
            let span = &self.bench.best.spans[id as usize];
            if span.label == Label::Filtered {
                return true;
            }
            id = span.parent;
        }
        false
    }

    fn lower_float(&mut self, i: usize) {
        for _ in 0..64 {
            let Some(choice) = self.best().get(i).copied() else { return };
            let Value::Float(f) = choice.value() else { return };
            let simpler = simpler_floats(f);
            let improved = simpler.into_iter().flatten().any(|g| {
                let index = index_of_float(g);
                index < choice.index && self.set(i, index)
            });
            if !improved {
                self.lower_whole_float(i, f);
                return self.lower_decimal(i);
            }
        }
    }

    /// Whole numbers are lowered like integers: by their value, or by their place among the floats where these lie
    /// further apart.
    fn lower_whole_float(&mut self, i: usize, f: f64) {
        let (magnitude, sign) = (f.abs(), if f < 0.0 { -1.0 } else { 1.0 });
        if magnitude < WHOLE_UP_TO && truncated(f) == f {
            self.search(&[i], magnitude as u64, |_, distance| Some(index_of_float(sign * distance as f64)));
        } else if cfg!(feature = "observations") && magnitude >= WHOLE_UP_TO && f.is_finite() {
            // Small machines do without: they have no room for one more search.
            let first = WHOLE_UP_TO.to_bits();
            self.search(&[i], magnitude.to_bits() - first, |_, distance| {
                Some(index_of_float(sign * f64::from_bits(first + distance)))
            });
        }
    }

    /// A number with decimal places is lowered like its digits, and then without the last of them.
    fn lower_decimal(&mut self, i: usize) {
        let float = self.best().get(i).map(Choice::value);
        let Some(Value::Float(f)) = float else { return };
        let Some((places, digits)) = decimal(f.abs()) else { return };
        let (sign, scale) =
            (if f < 0.0 { -1.0 } else { 1.0 }, (0..places).fold(1.0, |scale, _| scale * 10.0));
        self.search(&[i], digits, |_, distance| Some(index_of_float(sign * distance as f64 / scale)));
    }

    /// Lowers values that occur several times all at once, and neighbours by the same amount.
    pub(super) fn lower_together(&mut self) {
        self.shift_all();
        self.lower_equal();
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            for j in self.neighbours(i) {
                self.lower_pair(i, j);
            }
            i += 1;
        }
    }

    /// Moves all numbers by the same amount, so that the first one becomes the simplest.
    fn shift_all(&mut self) {
        let first = self.best().iter().filter(|c| c.index > 0).find_map(Choice::offset);
        let Some(Offset { below, distance }) = first else { return };
        let by = if below { i128::from(distance) } else { -i128::from(distance) };
        self.attempt_with(|choices| {
            for choice in choices {
                if let Value::Integer(v) = choice.value() {
                    // What cannot follow stays, and bounds that follow the others may take it.
                    choice.index = choice.shape.index_of(&Value::Integer(v + by)).unwrap_or(choice.index);
                }
            }
        });
    }

    fn lower_equal(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            let choice = self.best()[i];
            let equal = |c: &Choice| are_equal(c, &choice);
            let is_first = choice.index > 0 && !self.best()[..i].iter().any(equal);
            if is_first {
                let mut positions = core::mem::take(&mut self.bench.buffers.indices);
                positions.clear();
                positions.extend((i..self.len()).filter(|&p| equal(&self.best()[p])));
                self.lower_places(&positions);
                self.bench.buffers.indices = positions;
            }
            i += 1;
        }
    }

    /// Lowers several choices that are equal, numbers or characters, to the same.
    pub(super) fn lower_places(&mut self, positions: &[usize]) {
        let &[first, _, ..] = positions else { return };
        let first = self.best()[first];
        let is_character = matches!(first.shape, Shape::Character { .. });
        let can_be_lowered = first.index > 0 && (is_character || first.offset().is_some());
        if !can_be_lowered || self.attempt_with(|c| positions.iter().for_each(|&p| c[p].index = 0)) {
            return;
        }
        if is_character {
            self.search(positions, first.index, |_, distance| Some(distance));
        } else {
            self.search_integers(positions);
        }
    }

    /// The next few numbers behind number `i`; none if `i` is none or is the simplest already.
    fn neighbours(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let is_number = |c: &Choice| c.offset().is_some();
        let mut found = [None; NEIGHBOURHOOD];
        if self.best()[i].index > 0 && is_number(&self.best()[i]) {
            let numbers = (i + 1..self.len()).filter(|&j| is_number(&self.best()[j]));
            for (slot, j) in found.iter_mut().zip(numbers) {
                *slot = Some(j);
            }
        }
        found.into_iter().flatten()
    }

    fn lower_pair(&mut self, i: usize, j: usize) {
        let distance = |c: Option<&Choice>| c.and_then(Choice::offset).map_or(0, |o| o.distance);
        let most = distance(self.best().get(i)).min(distance(self.best().get(j)));
        let Some((a, b)) = self.pair(i, j) else { return };
        self.find_largest(most, |this, n| {
            let (Some(a), Some(b)) = (lowered(&a, n), lowered(&b, n)) else { return false };
            this.set_pair(i, a, j, b)
        });
    }

    fn pair(&self, i: usize, j: usize) -> Option<(Choice, Choice)> {
        Some((*self.best().get(i)?, *self.best().get(j)?))
    }

    fn set_pair(&mut self, i: usize, a: u64, j: usize, b: u64) -> bool {
        j < self.len()
            && self.attempt_with(|c| {
                c[i].index = a;
                c[j].index = b;
            })
    }

    /// Moves amounts from a number to a later one, so that their sum stays the same.
    pub(super) fn redistribute_all(&mut self) {
        self.add_up_everywhere();
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            for j in self.neighbours(i) {
                self.redistribute(i, j);
            }
            self.carry(i);
            i += 1;
        }
    }

    /// Lowers a number or character by one and makes the next one as large as it can be, which
    /// may then be lowered: from 300 to 299 and on, digit by digit.
    fn carry(&mut self, i: usize) {
        let is_digit = |c: &Choice| c.offset().is_some() || matches!(c.shape, Shape::Character { .. });
        let Some(choice) = self.best().get(i).copied().filter(|c| c.index > 0 && is_digit(c)) else { return };
        let lower = match choice.offset() {
            Some(_) => lowered(&choice, 1),
            None => Some(choice.index - 1),
        };
        let next = (i + 1..self.len()).find(|&j| is_digit(&self.best()[j]));
        if let (Some(lower), Some(j)) = (lower, next) {
            let largest = self.best()[j].shape.largest_index();
            self.set_pair(i, lower, j, largest);
        }
    }

    /// Adds up any two neighbouring elements.
    fn add_up_everywhere(&mut self) {
        let mut i = 0;
        while i < self.len() && !self.is_spent() {
            let mut k = 0;
            while self.best()[i].index > 0 && self.read_elements(i) && k + 1 < self.bench.units.len() {
                if !self.add_up(i, k) {
                    k += 1;
                }
            }
            i += 1;
        }
    }

    fn redistribute(&mut self, i: usize, j: usize) {
        let Some((a, b)) = self.pair(i, j) else { return };
        let (Some(offset), Value::Integer(v)) = (a.offset(), b.value()) else { return };
        let shift = |this: &mut Self, n: u64| {
            let moved = if offset.below { v - i128::from(n) } else { v + i128::from(n) };
            let (Some(a), Some(b)) = (lowered(&a, n), b.shape.index_of(&Value::Integer(moved))) else {
                return false;
            };
            this.set_pair(i, a, j, b)
        };
        let most = offset.distance.min(room(&b, offset.below));
        if !shift(self, most) && !self.is_name(i) {
            self.find_largest(most, shift);
        }
    }
}

/// Whether two choices are the same number or the same character.
fn are_equal(one: &Choice, other: &Choice) -> bool {
    match (one.shape, other.shape) {
        (Shape::Character { .. }, Shape::Character { .. }) => one.index == other.index,
        _ => one.offset().is_some() && one.offset() == other.offset(),
    }
}

/// The index of `v`, taken around the bounds of an integer's shape.
fn wrapped(v: i128, shape: &Shape) -> Option<u64> {
    let (lo, hi) = bounds(shape)?;
    shape.index_of(&Value::Integer(lo + (v - lo).rem_euclid(hi - lo + 1)))
}

/// The smallest and the largest value of an integer's shape.
fn bounds(shape: &Shape) -> Option<(i128, i128)> {
    match *shape {
        Shape::Signed { lo, hi, .. } => Some((lo.into(), hi.into())),
        Shape::Unsigned { lo, hi, .. } => Some((lo.into(), hi.into())),
        _ => None,
    }
}

/// The index `n` closer to the simplest value.
pub(super) fn lowered(choice: &Choice, n: u64) -> Option<u64> {
    let offset = choice.offset()?;
    choice.index_at(Offset { distance: offset.distance.checked_sub(n)?, ..offset })
}

/// How far an integer can move down (or up) within its bounds.
fn room(choice: &Choice, down: bool) -> u64 {
    let (Some((lo, hi)), Value::Integer(v)) = (bounds(&choice.shape), choice.value()) else { return 0 };
    u64::try_from(if down { v - lo } else { hi - v }).unwrap_or(u64::MAX)
}

/// Floats that may be simpler than `f`, the simplest first.
fn simpler_floats(f: f64) -> [Option<f64>; 18] {
    if !f.is_finite() {
        let mut simpler = [None; 18];
        let finite = [0.0, 1.0, -1.0, f64::MAX, f64::MIN, f64::INFINITY];
        simpler[..6].copy_from_slice(&finite.map(Some));
        return simpler;
    }
    let sign = if f < 0.0 { -1.0 } else { 1.0 };
    let whole = truncated(f);
    let exponent = (f.abs().to_bits() >> 52) as i64 - 1023;
    // The same with fewer decimal places, rounded down and up.
    let down = |scale: f64| Some(truncated(f * scale) / scale);
    let up = |scale: f64| Some((truncated(f * scale) + sign) / scale);
    [
        Some(0.0),
        Some(sign),
        Some(-f),
        Some(whole),
        Some(whole + sign),
        down(1e1),
        up(1e1),
        down(1e2),
        up(1e2),
        down(1e3),
        up(1e3),
        down(1e6),
        up(1e6),
        down(1e9),
        Some(truncated(f * 16.0) / 16.0),
        // Large numbers: half of the digits, no digits but the first, half of the value.
        Some(sign * power_of_two(exponent / 2)),
        Some(sign * power_of_two(exponent)),
        Some(f / 2.0).filter(|_| exponent >= 52),
    ]
}

/// Two to the power of `exponent`, which is that of a finite float.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent.max(-1022) + 1023) as u64) << 52)
}

/// Below this, whole floats lie one apart.
const WHOLE_UP_TO: f64 = 9_007_199_254_740_992.0;

/// Rounds towards zero; `f64::trunc` needs the standard library.
fn truncated(f: f64) -> f64 {
    if f.abs() < WHOLE_UP_TO { f as i64 as f64 } else { f }
}
