//! Values from earlier calls: what the variables of the sequence, their members and their addresses lead to
//! now.
//!
//! Also knows what must not be passed, because without a contract nothing says that it may.

use super::hints::ParameterHints;
use super::{ArgumentMaker, MadeArgument, ObjectFocus, Variable};
use crate::ctypes::{CType, TypeId};
use crate::machine::Range;
use crate::operations::log::Source;
use crate::operations::targets::Way;
use std::rc::Rc;

/// Of how many ways from a variable to a value it is asked whether they are open.
const MOST_WAYS: usize = 64;

/// How many times in 16 the object is passed that was passed last: what one call leaves behind is met by the
/// next.
const FAVOURITE: u32 = 12;
/// The same in sequences that go on with one object, and in those that pass any.
const ONLY: u32 = 15;
const ANY: u32 = 0;

/// How likely a result itself is passed, against each way into what it holds, times the number of these.
const WHOLE: u32 = 2;
/// The same in sequences that build something up.
const MOSTLY_WHOLE: u32 = 30;

/// Room for the steps that an earlier result may be of, used again and again.
#[derive(Debug, Default)]
pub(in crate::operations) struct Room {
    /// The steps, in ascending order.
    steps: Vec<u32>,
    /// What was passed by address in this call, and whether only to be read.
    pub(super) passed: Vec<(u64, bool)>,
}

/// Ways from a variable: those that were found beforehand, or for this value.
enum Paths<'w> {
    Known(&'w [Way]),
    Found(Rc<[Way]>),
}

impl std::ops::Deref for Paths<'_> {
    type Target = [Way];

    #[inline]
    fn deref(&self) -> &[Way] {
        match self {
            Paths::Known(ways) => ways,
            Paths::Found(ways) => ways,
        }
    }
}

impl ArgumentMaker<'_, '_, '_, '_> {
    /// Whether a variable leads to a value of this type now. The latest is asked first: it is the likeliest
    /// to do.
    pub(super) fn has_earlier(&self, ty: TypeId, wish: Option<&ParameterHints>) -> bool {
        let is_pointer = matches!(self.from.types.get(ty), CType::Pointer { .. });
        let known = known_ways(wish);
        if known.is_some_and(|wish| wish.producers.is_empty()) && !is_pointer {
            return false;
        }
        let mut candidates = self.from.variables.iter().rev().filter(|variable| may_lead(variable, known));
        candidates.any(|variable| self.is_usable(variable, ty, wish))
    }

    /// Whether a variable leads to a value of this type now.
    fn is_usable(&self, variable: &Variable, ty: TypeId, wish: Option<&ParameterHints>) -> bool {
        let is_open = |way: &Way| self.place(variable, way, ty, wish).is_some();
        self.ways_from(variable, ty, wish).is_some_and(|ways| ways.iter().take(MOST_WAYS).any(is_open))
    }

    /// How a variable leads to values of a type, if it does and may be passed.
    #[inline]
    fn ways_from<'w>(
        &self,
        variable: &Variable,
        ty: TypeId,
        wish: Option<&'w ParameterHints>,
    ) -> Option<Paths<'w>> {
        let known = known_ways(wish);
        if !may_lead(variable, known) {
            return None;
        }
        let types = self.from.types;
        let ways = match known {
            _ if variable.made > 0 => Paths::Found(self.from.ways.borrow().direct(types, variable.ty, ty)?),
            Some(wish) => Paths::Known(&wish.ways[variable.kind as usize]),
            None => Paths::Found(self.from.ways.borrow_mut().between(types, variable.ty, ty)),
        };
        (!self.is_foreign(variable, ty, wish)).then_some(ways)
    }

    /// The variables of a step; they are in the order of the steps.
    fn of_step(&self, step: u32) -> std::ops::Range<usize> {
        let variables = self.from.variables;
        let first = variables.partition_point(|variable| variable.step < step);
        first..first + variables[first..].iter().take_while(|variable| variable.step == step).count()
    }

    /// A bit for each of the ways that are open now.
    fn open_ways(&self, variable: &Variable, ways: &[Way], ty: TypeId, wish: Option<&ParameterHints>) -> u64 {
        let is_open = |(k, way): (usize, &Way)| u64::from(self.place(variable, way, ty, wish).is_some()) << k;
        ways.iter().enumerate().take(MOST_WAYS).map(is_open).sum()
    }

    /// Where a way leads: an address to take, or to read from.
    fn place(
        &self,
        variable: &Variable,
        way: &Way,
        ty: TypeId,
        wish: Option<&ParameterHints>,
    ) -> Option<u64> {
        let machine = self.from.machine;
        if variable.is_ended {
            return None;
        }
        let base = if way.is_through {
            let mut pointer = [0; 8];
            if !machine.read(variable.address, &mut pointer) {
                return None;
            }
            u64::from_le_bytes(pointer)
        } else {
            variable.address
        };
        let address = base.checked_add(way.offset)?;
        if !way.is_address && !self.is_good_pointer(address, ty, wish) {
            return None;
        }
        let is_refused = || {
            wish.is_some_and(|wish| wish.is_consumed)
                || self.is_passed(address, wish)
                || self.is_one_character(ty, wish)
                || self.is_short(address, ty, wish)
        };
        if way.is_address && is_refused() {
            return None;
        }
        if !way.is_through {
            // The variable itself, or a part of it: it lives as long as the sequence, and was written when it
            // was made.
            return Some(address);
        }
        let size = if way.is_address { 1 } else { self.from.types.size(ty)? };
        let range = Range { address, size };
        let is_readable = machine.is_live(range) && (way.is_address || machine.is_initialised(range));
        is_readable.then_some(address)
    }

    /// Whether the address of a character would be passed where a text or a buffer is meant, for all we know.
    fn is_one_character(&self, ty: TypeId, wish: Option<&ParameterHints>) -> bool {
        let CType::Pointer { to, .. } = self.from.types.get(ty) else { return false };
        wish.is_some_and(|wish| wish.is_unsized) && self.from.types.size(*to) == Some(1)
    }

    /// Whether there are fewer elements than the parameter's declaration says.
    fn is_short(&self, pointer: u64, ty: TypeId, wish: Option<&ParameterHints>) -> bool {
        let n = self.announced.or_else(|| wish.and_then(|wish| wish.n_elements));
        // What is passed has this type, so there is one.
        let (Some(n @ 2..), CType::Pointer { to, .. }) = (n, self.from.types.get(ty)) else {
            return false;
        };
        let block = self.from.machine.block_at(pointer);
        let n_bytes = block.and_then(|block| (block.range.address + block.range.size).checked_sub(pointer));
        let size = self.from.types.size(*to).unwrap_or(1).max(1);
        n_bytes.is_none_or(|n_bytes| n_bytes / size < n)
    }

    /// Whether an object would be passed as mere bytes: without a contract nobody says what becomes of it, or
    /// that all of its bytes have values, those between its members as well.
    fn is_foreign(&self, variable: &Variable, ty: TypeId, wish: Option<&ParameterHints>) -> bool {
        let pointee = |ty: TypeId| match self.from.types.get(ty) {
            CType::Pointer { to, .. } => Some(self.from.types.get(*to)),
            _ => None,
        };
        let is_changed_or_counted =
            |wish: &ParameterHints| wish.is_apart && (!wish.is_const || !wish.is_unsized);
        wish.is_some_and(is_changed_or_counted)
            && matches!(pointee(ty), Some(CType::Void))
            && matches!(pointee(variable.ty), Some(CType::Record(_)))
    }

    /// Whether a pointer is among the arguments already: without a contract nobody says that two of them may
    /// be one, unless both are only read through.
    fn is_passed(&self, pointer: u64, wish: Option<&ParameterHints>) -> bool {
        let is_apart = |wish: &ParameterHints| {
            let mut same = self.room.passed.iter().filter(|(passed, _)| *passed == pointer);
            wish.is_apart && same.any(|(_, is_const)| !(*is_const && wish.is_const))
        };
        wish.is_some_and(is_apart)
    }

    /// Whether what is at an address, if it is a pointer, can be passed on: stale ones and NULL are never.
    fn is_good_pointer(&self, address: u64, ty: TypeId, wish: Option<&ParameterHints>) -> bool {
        let CType::Pointer { to, .. } = self.from.types.get(ty) else { return true };
        let is_data = !matches!(self.from.types.get(*to), CType::Function(_));
        let mut bytes = [0; 8];
        if !self.from.machine.read(address, &mut bytes) {
            return false;
        }
        match u64::from_le_bytes(bytes) {
            // Where NULL may be passed it is one of the alternatives already.
            0 => false,
            value if self.is_passed(value, wish) || self.is_short(value, ty, wish) => false,
            value if self.from.machine.is_reused(value) => false,
            // Without a contract, `char *f(void)` may well give a literal: nobody says that it can be written.
            value if is_data && wish.is_some_and(|wish| wish.is_apart && !wish.is_const) => {
                self.from.machine.is_writable(value)
                    && self.from.machine.is_live(Range { address: value, size: 1 })
            }
            value => {
                wish.is_some_and(|wish| wish.may_be_stale)
                    || self.from.machine.is_live(Range { address: value, size: 1 })
            }
        }
    }

    /// How many elements there are from an address to the end of its block.
    fn elements(&self, address: u64, of: TypeId) -> Option<u64> {
        let block = self.from.machine.block_at(address)?;
        let n_bytes = (block.range.address + block.range.size).checked_sub(address)?;
        let (_, size, is_text) = self.element(of)?;
        Some((n_bytes / size).saturating_sub(u64::from(is_text)))
    }

    /// A value that an earlier call gave; there is one.
    pub(super) fn earlier(
        &mut self,
        ty: TypeId,
        wish: Option<&ParameterHints>,
        bytes: &mut [u8],
    ) -> MadeArgument {
        let chosen = self.earlier_step(ty, wish);
        let of_step = self.of_step(chosen);
        let is_usable = |index: &usize| self.is_usable(&self.from.variables[*index], ty, wish);
        let k = match of_step.clone().filter(is_usable).count() as u64 {
            0 | 1 => 0,
            n => self.step.choices().alternative(n).min(n - 1) as usize,
        };
        let is_usable = |index: &usize| self.is_usable(&self.from.variables[*index], ty, wish);
        let Some(index) = of_step.clone().filter(is_usable).nth(k) else { return Ok(None) };
        let variable = &self.from.variables[index];
        let Some(ways) = self.ways_from(variable, ty, wish) else { return Ok(None) };
        let open = self.open_ways(variable, &ways, ty, wish);
        let k = match open.count_ones() as usize {
            1 => 0,
            n => {
                // The result itself is likelier than all that it holds.
                let mut weights = [1; MOST_WAYS];
                let is_built = self.from.devotion != ObjectFocus::Usual;
                weights[0] = if is_built { MOSTLY_WHOLE } else { WHOLE } * n as u32;
                self.step.choices().weighted(&weights[..n], &[]).min(n.saturating_sub(1))
            }
        };
        let mut open = ways.iter().enumerate().filter(|(n, _)| *n < MOST_WAYS && open >> n & 1 == 1);
        let Some((_, way)) = open.nth(k) else { return Ok(None) };
        let Some(address) = self.place(variable, way, ty, wish) else { return Ok(None) };
        self.last_length = None;
        if way.is_address {
            bytes.copy_from_slice(&address.to_le_bytes());
        } else if !self.from.machine.read(address, bytes) {
            return Ok(None);
        }
        if let CType::Pointer { to, .. } = self.from.types.get(ty) {
            let pointer = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            // Of variables and literals no more is known than that they begin there.
            self.last_length = self.elements(pointer, *to).or(Some(1));
            self.doubt(pointer, *to, wish);
            self.room.passed.push((pointer, wish.is_some_and(|wish| wish.is_const)));
        }
        if matches!(self.from.types.get(ty), CType::Pointer { .. } | CType::Record(_)) {
            let Way { is_through, offset, is_address, .. } = *way;
            self.depends(bytes, Source::Variable { index, is_through, offset, is_address });
        }
        Ok(Some(self.shown(|| way.text.replace('@', &variable.name()))))
    }

    /// Draws the step whose result is passed. The favourite is asked for before all the others: whether a
    /// variable may be passed has to be looked up, and mostly it is the favourite that is.
    fn earlier_step(&mut self, ty: TypeId, wish: Option<&ParameterHints>) -> u32 {
        let n = self.step.ordinal();
        let object = wish.and_then(|wish| wish.object);
        let favourite = object.and_then(|object| self.favourite(object, ty, wish));
        let chosen = match favourite {
            Some(favourite) if self.step.choices().given_reference(favourite, n) => favourite,
            _ => {
                let mut steps = std::mem::take(&mut self.room.steps);
                steps.clear();
                let known = known_ways(wish);
                for variable in self.from.variables.iter().filter(|variable| may_lead(variable, known)) {
                    if steps.last() != Some(&variable.step) && self.is_usable(variable, ty, wish) {
                        steps.push(variable.step);
                    }
                }
                let chosen = self.step.choices().reference(&steps, n);
                self.room.steps = steps;
                chosen
            }
        };
        if let Some(object) = object {
            self.from.favourites.borrow_mut().set(object, chosen);
        }
        chosen
    }

    /// The step whose object was passed last, mostly, if it may be passed again.
    fn favourite(&mut self, object: TypeId, ty: TypeId, wish: Option<&ParameterHints>) -> Option<u32> {
        let weight = match self.from.devotion {
            ObjectFocus::Usual => FAVOURITE,
            ObjectFocus::One => ONLY,
            ObjectFocus::Any => ANY,
        };
        self.step.choices().hint(1, weight)?;
        let step = self.from.favourites.borrow().of(object);
        let of_step = &self.from.variables[self.of_step(step)];
        of_step.iter().any(|variable| self.is_usable(variable, ty, wish)).then_some(step)
    }
}

/// What is needed, if the ways to it were found beforehand.
#[inline]
fn known_ways(wish: Option<&ParameterHints>) -> Option<&ParameterHints> {
    wish.filter(|wish| !wish.ways.is_empty())
}

/// Whether a variable may lead to what is needed, which is known at once: most variables do not.
#[inline]
fn may_lead(variable: &Variable, known: Option<&ParameterHints>) -> bool {
    variable.made > 0 || known.is_none_or(|wish| wish.producers.contains(variable.kind))
}
