//! Values for arguments: drawn afresh, taken from earlier results, or pointers to memory made for them.
//!
//! Receives types, what is known of the parameter, and the variables of the sequence so far; hands on bytes and, for
//! a sequence that is shown, the C text that makes them. Every decision is a draw from the step's choices, the simplest
//! alternative first, so shrinking needs nothing of its own. Whether a value satisfies a contract is not known here.

use super::names::Named;
use super::targets::{Way, Ways};
use super::text;
use crate::ctypes::{CType, CTypes, EnumId, RecordId, TypeId};
use crate::machine::{Machine, Range};
use stairway::{Checked, Step, Stop};
use std::cell::RefCell;

/// A result of an earlier call: a C variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The step that gave it.
    pub step: u32,
    /// Its type.
    pub ty: TypeId,
    /// Where it lives.
    pub address: u64,
}

/// What a contract, or the lack of one, says about a parameter.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The values it must have one of, if they are few.
    pub pinned: Vec<i128>,
    /// The least and the largest value worth trying.
    pub range: Option<(i128, i128)>,
    /// Whether NULL may be passed.
    pub may_be_null: bool,
    /// Whether memory may be made for it.
    pub fresh: Fresh,
}

/// What memory may be made for a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// None: the pointer comes from an earlier result.
    No,
    /// Initialised.
    Filled,
    /// Not initialised.
    Blank,
}

impl Wish {
    /// For a parameter of which nothing is known.
    #[must_use]
    pub const fn unknown() -> Wish {
        Wish { pinned: Vec::new(), range: None, may_be_null: false, fresh: Fresh::Filled }
    }
}

/// What arguments are made from.
#[derive(Debug)]
pub(super) struct Materials<'m> {
    /// The program's memory.
    pub(super) machine: &'m Machine,
    /// The program's types.
    pub(super) types: &'m CTypes,
    /// From variables to values.
    pub(super) ways: &'m RefCell<Ways>,
    /// Functions that pointers may point to, with their types' ids and addresses.
    pub(super) functions: &'m [(TypeId, &'static str, u64)],
    /// Numbers worth trying.
    pub(super) constants: &'m [i128],
    /// Results so far.
    pub(super) variables: &'m [Variable],
}

/// Arguments of one call while they are made.
pub(super) struct Making<'m, 's, 'c, 'b> {
    from: &'m Materials<'m>,
    step: &'s mut Step<'c, 'b>,
    /// Declarations that come before the call.
    pub(super) declarations: Vec<String>,
    /// The memory that they make; only for a sequence that is shown.
    pub(super) made: Vec<Named>,
    /// How many elements the memory made last has.
    last_length: Option<u64>,
    n_made: u32,
}

/// Where a number comes from.
const NUMBERS: &[&str] = &["value", "constant", "length", "earlier"];
/// Where a pointer comes from.
const POINTERS: &[&str] = &["null", "fresh", "earlier", "function"];
/// How deep memory that is made may point to further memory that is made.
const MAX_DEPTH: u32 = 2;
/// How many elements memory that is made has at most.
const MAX_ELEMENTS: u64 = 8;
/// How long strings are at most.
const MAX_STRING: u64 = 12;

/// A value could be made, and its text if it is to be shown; or there is none at present.
type Made = Checked<Option<String>>;

impl<'m, 's, 'c, 'b> Making<'m, 's, 'c, 'b> {
    /// Begins with the arguments of a call.
    pub(super) fn new(from: &'m Materials<'m>, step: &'s mut Step<'c, 'b>) -> Self {
        Making { from, step, declarations: Vec::new(), made: Vec::new(), last_length: None, n_made: 0 }
    }

    /// Makes one argument in `bytes`.
    ///
    /// # Errors
    /// Ends the case when the stream does.
    pub(super) fn argument(&mut self, ty: TypeId, wish: &Wish, bytes: &mut [u8]) -> Made {
        self.step.choices().open("argument");
        let made = self.value(ty, Some(wish), bytes, 0);
        self.step.choices().close();
        match self.step.choices().halted() {
            Some(halt) => Err(Stop::halt(halt)),
            None => made,
        }
    }

    fn shown(&self, text: impl FnOnce() -> String) -> String {
        if self.step.is_shown() { text() } else { String::new() }
    }

    fn value(&mut self, ty: TypeId, wish: Option<&Wish>, bytes: &mut [u8], depth: u32) -> Made {
        let types = self.from.types;
        match types.get(ty) {
            CType::Bool => self.number(ty, (0, 1), None, bytes),
            CType::Char => self.number(ty, (0, 255), wish, bytes),
            CType::Integer { size, is_signed, .. } => {
                let range = text::range(*size, *is_signed);
                self.number(ty, range, wish, bytes)
            }
            CType::Enum(id) => self.constant(*id, bytes),
            CType::Float { size, .. } => Ok(Some(self.float(*size, bytes))),
            CType::Pointer { to, .. } => self.pointer(ty, *to, wish, bytes, depth),
            CType::Record(id) => self.record(ty, *id, bytes, depth),
            CType::Array { of, len: Some(len) } => self.array(*of, *len, bytes, depth),
            CType::Void | CType::Array { .. } | CType::Function(_) | CType::Other { .. } => Ok(None),
        }
    }

    /// An integer: a value, a number from the source, the length of what was made before, or a result.
    fn number(&mut self, ty: TypeId, full: (i128, i128), wish: Option<&Wish>, bytes: &mut [u8]) -> Made {
        let (lo, hi) =
            wish.and_then(|wish| wish.range).map_or(full, |(lo, hi)| (lo.max(full.0), hi.min(full.1)));
        let (lo, hi) = if lo > hi { full } else { (lo, hi) };
        let pinned = wish.map_or(&[][..], |wish| &wish.pinned);
        let fits = |v: &i128| (lo..=hi).contains(v);
        let candidates: Vec<i128> = match pinned.is_empty() {
            true => self.from.constants.iter().copied().filter(fits).collect(),
            false => pinned.iter().copied().filter(|v| (full.0..=full.1).contains(v)).collect(),
        };
        let earlier = self.candidates(ty);
        let length = self.last_length.filter(|_| pinned.is_empty());
        let weights = [
            if pinned.is_empty() { 8 } else { 1 },
            if candidates.is_empty() {
                0
            } else if pinned.is_empty() {
                2
            } else {
                24
            },
            if length.is_some() { 16 } else { 0 },
            if earlier.is_empty() { 0 } else { 3 },
        ];
        let value = match self.step.choices().weighted(&weights, NUMBERS) {
            1 if !candidates.is_empty() => {
                let n = self.step.choices().alternative(candidates.len() as u64) as usize;
                candidates[n.min(candidates.len() - 1)]
            }
            2 => i128::from(self.step.choices().unsigned(0, length.unwrap_or(0), 0)).min(hi),
            3 if !earlier.is_empty() => return self.earlier(ty, &earlier, bytes),
            _ => self.drawn(lo, hi),
        };
        put(bytes, value);
        Ok(Some(self.shown(|| text::integer(value))))
    }

    fn drawn(&mut self, lo: i128, hi: i128) -> i128 {
        let simplest = 0i128.clamp(lo, hi);
        let choices = self.step.choices();
        match (i64::try_from(lo), i64::try_from(hi), i64::try_from(simplest)) {
            (Ok(lo), Ok(hi), Ok(simplest)) => i128::from(choices.signed(lo, hi, simplest)),
            _ if lo >= 0 => {
                let limit = |v: i128| u64::try_from(v).unwrap_or(u64::MAX);
                i128::from(choices.unsigned(limit(lo), limit(hi), limit(simplest)))
            }
            _ => i128::from(choices.signed(i64::MIN, i64::MAX, 0)),
        }
    }

    fn constant(&mut self, id: EnumId, bytes: &mut [u8]) -> Made {
        let constants = &self.from.types.enumeration(id).constants;
        if constants.is_empty() {
            put(bytes, 0);
            return Ok(Some("0".to_string()));
        }
        let n = self.step.choices().alternative(constants.len() as u64) as usize;
        let (name, value) = &constants[n.min(constants.len() - 1)];
        put(bytes, *value);
        Ok(Some(self.shown(|| name.clone())))
    }

    fn float(&mut self, size: u32, bytes: &mut [u8]) -> String {
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

    fn record(&mut self, ty: TypeId, id: RecordId, bytes: &mut [u8], depth: u32) -> Made {
        let earlier = self.candidates(ty);
        let weights = [4, 0, 0, if earlier.is_empty() { 0 } else { 4 }];
        if depth == 0 && self.step.choices().weighted(&weights, NUMBERS) == 3 && !earlier.is_empty() {
            return self.earlier(ty, &earlier, bytes);
        }
        bytes.fill(0);
        let record = self.from.types.record(id);
        let mut parts = Vec::new();
        let members: Vec<_> = match record.is_union {
            false => record.members.iter().collect(),
            true => {
                let n = self.step.choices().alternative(record.members.len().max(1) as u64) as usize;
                record.members.get(n).into_iter().collect()
            }
        };
        for member in members {
            let Some(size) = self.from.types.size(member.ty) else { continue };
            if let Some((first, width)) = member.bits {
                let is_signed = text::is_signed(self.from.types, member.ty);
                let (lo, hi) = text::bit_range(width, is_signed);
                let value = self.drawn(lo, hi);
                text::put_bits(bytes, first, width, value);
                parts.push(self.shown(|| text::member(&member.name, &text::integer(value))));
                continue;
            }
            let place = member.offset as usize..(member.offset + size) as usize;
            let Some(part) = bytes.get_mut(place) else { continue };
            match self.value(member.ty, None, part, depth + 1)? {
                Some(value) => parts.push(self.shown(|| text::member(&member.name, &value))),
                None => return Ok(None),
            }
        }
        let types = self.from.types;
        Ok(Some(self.shown(|| text::record(types, ty, &parts, depth == 0))))
    }

    fn array(&mut self, of: TypeId, len: u64, bytes: &mut [u8], depth: u32) -> Made {
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

    fn pointer(&mut self, ty: TypeId, to: TypeId, wish: Option<&Wish>, bytes: &mut [u8], depth: u32) -> Made {
        let earlier = self.candidates(ty);
        let functions: Vec<_> = self.from.functions.iter().filter(|(of, ..)| *of == to).collect();
        let fresh = match wish {
            Some(wish) => wish.fresh,
            None if depth > MAX_DEPTH => Fresh::No,
            None => Fresh::Filled,
        };
        let can_be_made = fresh != Fresh::No && self.element(to).is_some();
        let may_be_null = wish.is_none_or(|wish| wish.may_be_null);
        let weights = [
            if may_be_null { 2 } else { 0 },
            if can_be_made { 4 } else { 0 },
            if earlier.is_empty() { 0 } else { 8 },
            if functions.is_empty() { 0 } else { 8 },
        ];
        if weights.iter().all(|w| *w == 0) {
            return Ok(None);
        }
        match self.step.choices().weighted(&weights, POINTERS) {
            0 if may_be_null => {
                bytes.fill(0);
                Ok(Some("NULL".to_string()))
            }
            2 if !earlier.is_empty() => self.earlier(ty, &earlier, bytes),
            3 if !functions.is_empty() => {
                let n = self.step.choices().alternative(functions.len() as u64) as usize;
                let (_, name, address) = functions[n.min(functions.len() - 1)];
                bytes.copy_from_slice(&address.to_le_bytes());
                Ok(Some((*name).to_string()))
            }
            _ if can_be_made => self.fresh(to, fresh, bytes, depth),
            _ => Ok(None),
        }
    }

    /// What memory for a pointer is made of: its own type, or bytes if that is `void`.
    fn element(&self, to: TypeId) -> Option<(TypeId, u64, bool)> {
        let types = self.from.types;
        match types.get(to) {
            CType::Void => types.char_type().map(|char_type| (char_type, 1, false)),
            CType::Char => Some((to, 1, true)),
            CType::Function(_) => None,
            _ => types.size(to).filter(|size| *size > 0).map(|size| (to, size, false)),
        }
    }

    /// Memory as `malloc` gives it, with contents.
    fn fresh(&mut self, to: TypeId, fresh: Fresh, bytes: &mut [u8], depth: u32) -> Made {
        let Some((element, size, is_text)) = self.element(to) else { return Ok(None) };
        if is_text && fresh == Fresh::Filled {
            return self.string(bytes);
        }
        let is_record = matches!(self.from.types.get(element), CType::Record(_));
        let most = if is_record || fresh == Fresh::Blank { 1 } else { MAX_ELEMENTS };
        let n = self.step.choices().length(1, most);
        let Some(address) = self.from.machine.allocate(n * size, 16) else { return Ok(None) };
        let name = self.name();
        let mut parts = Vec::new();
        if fresh == Fresh::Filled {
            let mut contents = vec![0; (n * size) as usize];
            for part in contents.chunks_mut(size as usize) {
                match self.value(element, None, part, depth + 1)? {
                    Some(value) => parts.push(value),
                    None => return Ok(None),
                }
            }
            let _ = self.from.machine.write(address, &contents);
        }
        self.last_length = Some(n);
        bytes.copy_from_slice(&address.to_le_bytes());
        if self.step.is_shown() {
            self.declarations.push(text::allocation(self.from.types, element, &name, n, &parts));
            self.made.push(Named { text: name.clone(), ty: element, address, is_pointee: true });
        }
        Ok(Some(name))
    }

    fn string(&mut self, bytes: &mut [u8]) -> Made {
        let n = self.step.choices().length(0, MAX_STRING);
        let mut contents = Vec::with_capacity(n as usize + 1);
        for _ in 0..n {
            let c = self.step.choices().character(u32::from(b' '), u32::from(b'~'));
            contents.push(u8::try_from(c).unwrap_or(b'?'));
        }
        contents.push(0);
        let Some(address) = self.from.machine.allocate(contents.len() as u64, 16) else { return Ok(None) };
        let _ = self.from.machine.write(address, &contents);
        self.last_length = Some(n);
        bytes.copy_from_slice(&address.to_le_bytes());
        let name = self.name();
        if self.step.is_shown() {
            self.declarations
                .push(format!("char *{name} = strdup({});", text::string(&contents[..n as usize])));
            if let Some(ty) = self.from.types.char_type() {
                self.made.push(Named { text: name.clone(), ty, address, is_pointee: true });
            }
        }
        Ok(Some(name))
    }

    fn name(&mut self) -> String {
        self.n_made += 1;
        let (step, n) = (self.step.ordinal() + 1, self.n_made);
        self.shown(|| format!("m{step}_{n}"))
    }

    /// The variables that lead to a value of this type now, with the ways.
    fn candidates(&self, ty: TypeId) -> Vec<(Variable, Vec<Way>)> {
        let mut ways = self.from.ways.borrow_mut();
        let usable = |variable: &Variable| {
            let between = ways.between(self.from.types, variable.ty, ty);
            let open: Vec<Way> =
                between.iter().filter(|way| self.place(variable, way, ty).is_some()).cloned().collect();
            (!open.is_empty()).then_some((*variable, open))
        };
        self.from.variables.iter().filter_map(usable).collect()
    }

    /// Where a way leads: an address to take, or to read from.
    fn place(&self, variable: &Variable, way: &Way, ty: TypeId) -> Option<u64> {
        let machine = self.from.machine;
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
        if way.is_through || !way.is_address {
            let size = if way.is_address { 1 } else { self.from.types.size(ty)? };
            let range = Range { address, size };
            let is_readable = machine.is_live(range) && (way.is_address || machine.is_initialised(range));
            return is_readable.then_some(address);
        }
        Some(address)
    }

    fn earlier(&mut self, ty: TypeId, candidates: &[(Variable, Vec<Way>)], bytes: &mut [u8]) -> Made {
        let steps: Vec<u32> = candidates.iter().map(|(variable, _)| variable.step).collect();
        let n = self.step.ordinal();
        let chosen = self.step.choices().reference(&steps, n);
        let Some((variable, ways)) = candidates.iter().find(|(variable, _)| variable.step == chosen) else {
            return Ok(None);
        };
        let k = match ways.len() {
            1 => 0,
            n => (self.step.choices().alternative(n as u64) as usize).min(n - 1),
        };
        let Some(address) = self.place(variable, &ways[k], ty) else { return Ok(None) };
        if ways[k].is_address {
            bytes.copy_from_slice(&address.to_le_bytes());
        } else if !self.from.machine.read(address, bytes) {
            return Ok(None);
        }
        let name = format!("x{}", variable.step + 1);
        Ok(Some(self.shown(|| ways[k].text.replace('@', &name))))
    }
}

/// Writes a number as C stores it.
fn put(bytes: &mut [u8], value: i128) {
    let n = bytes.len().min(16);
    bytes[..n].copy_from_slice(&value.to_le_bytes()[..n]);
}
