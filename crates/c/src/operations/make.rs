//! Values for arguments: drawn afresh, taken from earlier results, or pointers to memory made for them.
//!
//! Receives types, what is known of the parameter, and the variables of the sequence so far; hands on bytes and, for
//! a sequence that is shown, the C text that makes them. Every decision is a draw from the step's choices, the simplest
//! alternative first, so shrinking needs nothing of its own. Whether a value satisfies a contract is not known here.

use super::log::{Log, Patch, Source};
use super::names::Named;
use super::targets::{Way, Ways};
use super::text;
use super::worth::{MAX_TEXT, Worth};
use crate::ctypes::{CType, CTypes, EnumId, RecordId, TypeId};
use crate::machine::{Machine, Range};
use stairway::engine::Shape;
use stairway::{Checked, Step, Stop};
use std::cell::RefCell;
use std::rc::Rc;

/// A result of an earlier call: a C variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The step that gave it.
    pub step: u32,
    /// The function that gave it, by its place among the targets.
    pub op: u32,
    /// Its type.
    pub ty: TypeId,
    /// Where it lives.
    pub address: u64,
    /// For a pointer to memory that was made for an argument: which of those of its step, from 1.
    pub made: u32,
}

impl Variable {
    /// What stands for the function that gave a pointer to memory that was made.
    pub(super) const NO_FUNCTION: u32 = u32::MAX;

    /// Its name in C.
    pub(super) fn name(&self) -> String {
        match (self.step + 1, self.made) {
            (step, 0) => format!("x{step}"),
            (step, n) => format!("m{step}_{n}"),
        }
    }
}

/// An object that was made for an argument; later calls may be passed it as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) allocation: u32,
    pub(super) address: u64,
    /// The type of the pointer.
    pub(super) ty: TypeId,
    /// Which of those of its step, from 1.
    pub(super) made: u32,
}

/// A variable that leads to a value, by the ways that are open now.
struct Candidate {
    variable: Variable,
    ways: Rc<[Way]>,
    /// A bit for each of the first ways.
    open: u64,
}

impl Candidate {
    /// The open way number `k`.
    fn way(&self, k: usize) -> Option<&Way> {
        (0..self.ways.len().min(64)).filter(|n| self.open >> n & 1 == 1).nth(k).map(|n| &self.ways[n])
    }
}

/// What a contract, or the lack of one, says about a parameter.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The values it must have one of, if they are few.
    pub pinned: Vec<i128>,
    /// The least and the largest value worth trying.
    pub range: Option<(i128, i128)>,
    /// Whether it is less than something that is known only when it is called.
    pub is_bounded: bool,
    /// Whether NULL may be passed.
    pub may_be_null: bool,
    /// Whether a pointer to what is gone may be passed.
    pub may_be_stale: bool,
    /// Whether memory may be made for it.
    pub fresh: Fresh,
    /// Whether nothing says how many elements it points to: no contract, and no parameter behind it.
    pub is_unsized: bool,
    /// Whether it points to what is not to be changed.
    pub is_const: bool,
    /// Whether it is never the same as another argument.
    pub is_apart: bool,
    /// Whether it counts the elements that the pointer before it points to.
    pub is_length: bool,
    /// Numbers worth trying: those it is pinned to, or some from the source.
    pub(super) likely: Likely,
    /// Texts worth trying, where it is one.
    pub(super) texts: Rc<[Vec<u8>]>,
    /// How a variable that a function gave leads to it, for each function.
    pub(super) ways: Rc<[Rc<[Way]>]>,
    /// The functions with such a way, a bit for each.
    pub(super) producers: u128,
    /// Whether it can be made without any.
    pub(super) needs_none: bool,
}

/// What memory may be made for a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// None: the pointer comes from an earlier result.
    No,
    /// All bytes zero: what most objects are before somebody sets them up.
    Zeroed,
    /// Initialised, with anything.
    Filled,
    /// Not initialised.
    Blank,
}

impl Wish {
    /// For a parameter of which nothing is known.
    #[must_use]
    pub fn unknown() -> Wish {
        Wish {
            pinned: Vec::new(),
            range: None,
            is_bounded: false,
            may_be_null: false,
            may_be_stale: false,
            fresh: Fresh::Filled,
            is_length: false,
            is_unsized: false,
            is_const: false,
            is_apart: false,
            likely: Likely::default(),
            texts: Rc::new([]),
            ways: Rc::new([]),
            producers: 0,
            needs_none: true,
        }
    }
}

impl Wish {
    /// Whether a number is worth trying.
    pub(super) fn admits(&self, value: i128) -> bool {
        self.range.is_none_or(|(lo, hi)| (lo..=hi).contains(&value))
    }

    /// Notes what is worth trying, when all is known that it is pinned to.
    pub(super) fn expect(&mut self, worth: &Worth) {
        let (values, weight) = match (self.pinned.is_empty(), self.is_bounded) {
            (true, false) => (&*worth.numbers, CONSTANTS),
            (true, true) => (SMALL, BOUNDED),
            (false, _) => (&*self.pinned, PINNED),
        };
        let values = values.iter().copied().filter(|value| self.admits(*value));
        self.likely = Likely::new(values, weight);
        self.texts = worth.texts.clone().into();
    }
}

/// Numbers worth trying, in the types in which they are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Likely {
    signed: Vec<i64>,
    unsigned: Vec<u64>,
    /// How many times in 16.
    weight: u32,
}

impl Likely {
    fn new(values: impl Iterator<Item = i128> + Clone, weight: u32) -> Likely {
        Likely {
            signed: values.clone().filter_map(|value| i64::try_from(value).ok()).collect(),
            unsigned: values.filter_map(|value| u64::try_from(value).ok()).collect(),
            weight,
        }
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
    /// Results so far.
    pub(super) variables: &'m [Variable],
    /// What has happened.
    pub(super) log: &'m RefCell<Log>,
}

/// Arguments of one call while they are made.
pub(super) struct Making<'m, 's, 'c, 'b> {
    from: &'m Materials<'m>,
    step: &'s mut Step<'c, 'b>,
    /// Declarations that come before the call.
    declarations: Vec<String>,
    /// The memory that they make; only for a sequence that is shown.
    pub(super) made: Vec<Named>,
    /// How many elements the memory made last has.
    last_length: Option<u64>,
    n_made: u32,
    /// Objects that later calls may be passed as well.
    held: Vec<Held>,
    /// What was passed by address in this call.
    passed: Vec<u64>,
    /// Bytes that depend on where things are, in buffers that are not in the log yet: `at` is where they are here.
    pending: Vec<Patch>,
}

/// What there is beside the arguments when they are made.
pub(super) struct Finished {
    /// Declarations that come before the call.
    pub(super) declarations: Vec<String>,
    /// The memory that they make; only for a sequence that is shown.
    pub(super) made: Vec<Named>,
    /// Objects that later calls may be passed as well.
    pub(super) held: Vec<Held>,
    /// What of the arguments depends on where things are.
    pub(super) patches: Vec<Patch>,
}

/// Where a number, or a struct, comes from.
const NUMBERS: &[&str] = &["value", "length", "earlier"];
/// How many times in 16 a text is one from the source.
const TEXTS: u32 = 4;
/// How much room there is where nobody says how much is needed.
const ROOM: usize = 256;
/// How many times in 16 a number is one from the source, and one of those that a precondition pins it to.
const CONSTANTS: u32 = 4;
const PINNED: u32 = 15;
/// The same for what is less than a length, and what it is then.
const BOUNDED: u32 = 10;
const SMALL: &[i128] = &[0, 1, 2, 3, 0, 1, 4, 5, 6, 7];
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
    /// Begins with the arguments of a call; `room` is used again.
    pub(super) fn new(from: &'m Materials<'m>, step: &'s mut Step<'c, 'b>, mut room: Vec<Patch>) -> Self {
        room.clear();
        Making {
            from,
            step,
            declarations: Vec::new(),
            made: Vec::new(),
            last_length: None,
            n_made: 0,
            held: Vec::new(),
            passed: Vec::new(),
            pending: room,
        }
    }

    /// The declarations before the call, and what in its arguments depends on where things are.
    pub(super) fn finish(mut self, arguments: &[u8]) -> Finished {
        let start = arguments.as_ptr().addr();
        self.pending.retain(|patch| patch.at.wrapping_sub(start) < arguments.len());
        self.pending.iter_mut().for_each(|patch| patch.at -= start);
        Finished { declarations: self.declarations, made: self.made, held: self.held, patches: self.pending }
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

    /// What in the contents of memory depends on where things are.
    fn patches_of(&mut self, bytes: &[u8]) -> Vec<Patch> {
        let (start, size) = (bytes.as_ptr().addr(), bytes.len());
        let is_inside = |patch: &Patch| patch.at.wrapping_sub(start) < size;
        let inside = self.pending.iter().filter(|patch| is_inside(patch));
        let inside = inside.map(|patch| Patch { at: patch.at - start, ..*patch }).collect();
        self.pending.retain(|patch| !is_inside(patch));
        inside
    }

    fn depends(&mut self, bytes: &[u8], source: Source) {
        self.pending.push(Patch { at: bytes.as_ptr().addr(), size: bytes.len(), source });
    }

    fn shown(&self, text: impl FnOnce() -> String) -> String {
        if self.step.is_shown() { text() } else { String::new() }
    }

    fn value(&mut self, ty: TypeId, wish: Option<&Wish>, bytes: &mut [u8], depth: u32) -> Made {
        if depth == 0 {
            return self.whole(ty, wish, bytes, depth);
        }
        // A part that is drawn in another way must not shift the others.
        self.step.choices().open("part");
        let made = self.whole(ty, wish, bytes, depth);
        self.step.choices().close();
        made
    }

    fn whole(&mut self, ty: TypeId, wish: Option<&Wish>, bytes: &mut [u8], depth: u32) -> Made {
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
            CType::Record(id) => self.record(ty, *id, wish, bytes, depth),
            CType::Array { of, len: Some(len) } => self.array(*of, *len, bytes, depth),
            CType::Void | CType::Array { .. } | CType::Function(_) | CType::Other { .. } => Ok(None),
        }
    }

    /// An integer: a value, a number from the source, the length of what was made before, or a result.
    fn number(&mut self, ty: TypeId, full: (i128, i128), wish: Option<&Wish>, bytes: &mut [u8]) -> Made {
        let (lo, hi) =
            wish.and_then(|wish| wish.range).map_or(full, |(lo, hi)| (lo.max(full.0), hi.min(full.1)));
        let (lo, hi) = if lo > hi { full } else { (lo, hi) };
        let is_pinned = wish.is_some_and(|wish| !wish.pinned.is_empty());
        let earlier = self.candidates(ty, wish);
        let length = self.last_length.take().filter(|_| !is_pinned);
        if let Some(length) = length.filter(|_| wish.is_some_and(|wish| wish.is_length)) {
            let value = i128::from(self.step.choices().unsigned(0, length, 0)).min(hi);
            put(bytes, value);
            return Ok(Some(self.shown(|| text::integer(value))));
        }
        let weights = [
            if is_pinned { 24 } else { 10 },
            if length.is_some() { 16 } else { 0 },
            if earlier.is_empty() { 0 } else { 3 },
        ];
        let value = match self.step.choices().weighted(&weights, NUMBERS) {
            1 => i128::from(self.step.choices().unsigned(0, length.unwrap_or(0), 0)).min(hi),
            2 if !earlier.is_empty() => {
                // Should the call that gave it not be needed, its value takes its place.
                let foreseen = self.step.choices().foresee(shape(lo, hi));
                let made = self.earlier(ty, wish, &earlier, bytes);
                self.step.choices().settle(foreseen, text::number(bytes, full.0 < 0));
                return made;
            }
            _ => self.drawn(lo, hi, wish.map(|wish| &wish.likely)),
        };
        put(bytes, value);
        Ok(Some(self.shown(|| text::integer(value))))
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

    fn record(
        &mut self,
        ty: TypeId,
        id: RecordId,
        wish: Option<&Wish>,
        bytes: &mut [u8],
        depth: u32,
    ) -> Made {
        let earlier = self.candidates(ty, wish);
        let weights = [4, 0, if earlier.is_empty() { 0 } else { 4 }];
        if depth == 0 && self.step.choices().weighted(&weights, NUMBERS) == 2 && !earlier.is_empty() {
            return self.earlier(ty, wish, &earlier, bytes);
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
                let value = self.drawn(lo, hi, None);
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
        let earlier = self.candidates(ty, wish);
        let n_functions = self.from.functions.iter().filter(|(of, ..)| *of == to).count();
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
            if n_functions == 0 { 0 } else { 8 },
        ];
        if weights.iter().all(|w| *w == 0) {
            return Ok(None);
        }
        match self.step.choices().weighted(&weights, POINTERS) {
            0 if may_be_null => {
                bytes.fill(0);
                Ok(Some("NULL".to_string()))
            }
            2 if !earlier.is_empty() => self.earlier(ty, wish, &earlier, bytes),
            3 if n_functions > 0 => {
                let n = self.step.choices().alternative(n_functions as u64) as usize;
                let functions = self.from.functions.iter().filter(|(of, ..)| *of == to);
                let Some((_, name, address)) = functions.take(n + 1).last() else { return Ok(None) };
                bytes.copy_from_slice(&address.to_le_bytes());
                Ok(Some((*name).to_string()))
            }
            _ if can_be_made => {
                let made = self.fresh(to, fresh, wish, bytes, depth)?;
                if depth == 0 && made.is_some() {
                    self.hold(ty, to, bytes);
                }
                Ok(made)
            }
            _ => Ok(None),
        }
    }

    /// Keeps an object that was made for an argument.
    fn hold(&mut self, ty: TypeId, to: TypeId, bytes: &[u8]) {
        let is_object = matches!(self.from.types.get(to), CType::Record(_));
        let allocation = self.pending.last().map(|patch| patch.source);
        if let (true, Some(Source::Allocation(allocation))) = (is_object, allocation) {
            let address = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            self.held.push(Held { allocation, address, ty, made: self.n_made });
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
    fn fresh(&mut self, to: TypeId, fresh: Fresh, wish: Option<&Wish>, bytes: &mut [u8], depth: u32) -> Made {
        let Some((element, size, is_text)) = self.element(to) else { return Ok(None) };
        if fresh != Fresh::No && self.is_stream(to) {
            return self.stream(bytes);
        }
        if is_text && fresh == Fresh::Filled {
            let has_room = wish.is_some_and(|wish| wish.is_unsized && !wish.is_const);
            return self.string(wish.map_or(&[], |wish| &wish.texts), has_room, bytes);
        }
        let is_ended = size == 1 && fresh == Fresh::Filled && wish.is_some_and(|wish| wish.is_unsized);
        let is_record = matches!(self.from.types.get(element), CType::Record(_));
        let most = if is_record || fresh != Fresh::Filled { 1 } else { MAX_ELEMENTS };
        let n_drawn = self.step.choices().length(1, most);
        let has_room = is_ended && wish.is_some_and(|wish| !wish.is_const);
        let n = if has_room { ROOM as u64 } else { n_drawn + u64::from(is_ended) };
        let Some(address) = self.from.machine.allocate(n * size, 16) else { return Ok(None) };
        let allocation = self.from.log.borrow_mut().allocated(n * size);
        let name = self.name();
        let mut parts = Vec::new();
        if fresh == Fresh::Filled {
            let mut contents = vec![0; (n * size) as usize];
            for part in contents.chunks_mut(size as usize).take(n_drawn as usize) {
                match self.value(element, None, part, depth + 1)? {
                    Some(value) => parts.push(value),
                    None => return Ok(None),
                }
            }
            if !has_room {
                parts.extend(is_ended.then(|| "0".to_string()));
            }
            let _ = self.from.machine.write(address, &contents);
            let patches = self.patches_of(&contents);
            self.from.log.borrow_mut().wrote(allocation, &contents, patches.into_iter());
        }
        if fresh == Fresh::Zeroed {
            let contents = vec![0; (n * size) as usize];
            let _ = self.from.machine.write(address, &contents);
            self.from.log.borrow_mut().wrote(allocation, &contents, std::iter::empty());
        }
        self.last_length = Some(n);
        bytes.copy_from_slice(&address.to_le_bytes());
        self.depends(bytes, Source::Allocation(allocation));
        if self.step.is_shown() {
            let is_zeroed = fresh == Fresh::Zeroed || has_room;
            self.declarations.push(text::allocation(self.from.types, element, &name, n, &parts, is_zeroed));
            self.made.push(Named { text: name.clone(), ty: element, address, is_pointee: true });
        }
        Ok(Some(name))
    }

    /// Whether a type is the C library's `FILE`: only that library can make one.
    fn is_stream(&self, to: TypeId) -> bool {
        matches!(self.from.types.get(to), CType::Record(id) if self.from.types.record(*id).name == "_IO_FILE")
    }

    /// One of the streams that every program has.
    fn stream(&mut self, bytes: &mut [u8]) -> Made {
        let name = ["stdout", "stdin"][self.step.choices().alternative(2).min(1) as usize];
        let stream = self.from.machine.stream(name);
        Ok(stream.map(|stream| {
            bytes.copy_from_slice(&stream.to_le_bytes());
            name.to_string()
        }))
    }

    /// Anything, or a text of the source.
    fn string(&mut self, known: &[Vec<u8>], has_room: bool, bytes: &mut [u8]) -> Made {
        let mut contents = self.characters(known);
        let n = contents.len() as u64;
        contents.resize(if has_room { ROOM } else { n as usize + 1 }, 0);
        let Some(address) = self.from.machine.allocate(contents.len() as u64, 16) else { return Ok(None) };
        let _ = self.from.machine.write(address, &contents);
        let allocation = self.from.log.borrow_mut().allocated(contents.len() as u64);
        self.from.log.borrow_mut().wrote(allocation, &contents, std::iter::empty());
        self.last_length = Some(n);
        bytes.copy_from_slice(&address.to_le_bytes());
        self.depends(bytes, Source::Allocation(allocation));
        let name = self.name();
        if self.step.is_shown() {
            self.declarations.push(text::text_allocation(
                &name,
                &contents[..n as usize],
                has_room.then_some(ROOM),
            ));
            if let Some(ty) = self.from.types.char_type() {
                self.made.push(Named { text: name.clone(), ty, address, is_pointee: true });
            }
        }
        Ok(Some(name))
    }

    fn characters(&mut self, known: &[Vec<u8>]) -> Vec<u8> {
        let (lo, hi) = (u32::from(b' '), u32::from(b'~'));
        let most = if known.is_empty() { MAX_STRING } else { MAX_TEXT as u64 };
        let choices = self.step.choices();
        if let Some(text) = choices.hint(known.len(), TEXTS).and_then(|k| known.get(k)) {
            choices.given_length(text.len() as u64, 0, most);
            text.iter().for_each(|byte| choices.given_character(char::from(*byte), lo, hi));
            return text.clone();
        }
        let n = choices.length(0, most);
        let mut contents = Vec::with_capacity(n as usize + 1);
        for _ in 0..n {
            contents.push(u8::try_from(choices.character(lo, hi)).unwrap_or(b'?'));
        }
        contents
    }

    fn name(&mut self) -> String {
        self.n_made += 1;
        let (step, n) = (self.step.ordinal() + 1, self.n_made);
        self.shown(|| format!("m{step}_{n}"))
    }

    /// The variables that lead to a value of this type now, with the ways.
    fn candidates(&self, ty: TypeId, wish: Option<&Wish>) -> Vec<Candidate> {
        let known = wish.filter(|wish| !wish.ways.is_empty());
        let is_pointer = matches!(self.from.types.get(ty), CType::Pointer { .. });
        if known.is_some_and(|wish| wish.producers == 0) && !is_pointer {
            return Vec::new();
        }
        let usable = |variable: &Variable| {
            if self.is_foreign(variable, ty, wish) {
                return None;
            }
            let ways = match known {
                _ if variable.made > 0 => {
                    self.from.ways.borrow_mut().direct(self.from.types, variable.ty, ty)
                }
                Some(wish) if wish.producers >> variable.op & 1 == 0 => return None,
                Some(wish) => wish.ways[variable.op as usize].clone(),
                None => self.from.ways.borrow_mut().between(self.from.types, variable.ty, ty),
            };
            let is_open =
                |(k, way): (usize, &Way)| u64::from(self.place(variable, way, ty, wish).is_some()) << k;
            let open = ways.iter().enumerate().take(64).map(is_open).sum();
            (open != 0).then_some(Candidate { variable: *variable, ways, open })
        };
        self.from.variables.iter().filter_map(usable).collect()
    }

    /// Where a way leads: an address to take, or to read from.
    fn place(&self, variable: &Variable, way: &Way, ty: TypeId, wish: Option<&Wish>) -> Option<u64> {
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
        if !way.is_address && !self.is_good_pointer(address, ty, wish) {
            return None;
        }
        if way.is_address && (self.is_passed(address, wish) || self.is_one_character(ty, wish)) {
            return None;
        }
        if way.is_through || !way.is_address {
            let size = if way.is_address { 1 } else { self.from.types.size(ty)? };
            let range = Range { address, size };
            let is_readable = machine.is_live(range) && (way.is_address || machine.is_initialised(range));
            return is_readable.then_some(address);
        }
        Some(address)
    }

    /// Whether the address of a character would be passed where a text or a buffer is meant, for all we know.
    fn is_one_character(&self, ty: TypeId, wish: Option<&Wish>) -> bool {
        let CType::Pointer { to, .. } = self.from.types.get(ty) else { return false };
        wish.is_some_and(|wish| wish.is_unsized) && self.from.types.size(*to) == Some(1)
    }

    /// Whether an object would be passed as mere bytes: without a contract nobody says what becomes of it.
    fn is_foreign(&self, variable: &Variable, ty: TypeId, wish: Option<&Wish>) -> bool {
        let pointee = |ty: TypeId| match self.from.types.get(ty) {
            CType::Pointer { to, .. } => Some(self.from.types.get(*to)),
            _ => None,
        };
        wish.is_some_and(|wish| wish.is_apart && !wish.is_const)
            && matches!(pointee(ty), Some(CType::Void))
            && matches!(pointee(variable.ty), Some(CType::Record(_)))
    }

    /// Whether a pointer is among the arguments already: without a contract nobody says that two of them may be one.
    fn is_passed(&self, pointer: u64, wish: Option<&Wish>) -> bool {
        wish.is_some_and(|wish| wish.is_apart) && self.passed.contains(&pointer)
    }

    /// Whether what is at an address, if it is a pointer, can be passed on: stale ones are never, NULL is where it may be.
    fn is_good_pointer(&self, address: u64, ty: TypeId, wish: Option<&Wish>) -> bool {
        let CType::Pointer { to, .. } = self.from.types.get(ty) else { return true };
        let is_data = !matches!(self.from.types.get(*to), CType::Function(_));
        let mut bytes = [0; 8];
        if !self.from.machine.read(address, &mut bytes) {
            return false;
        }
        match u64::from_le_bytes(bytes) {
            0 => wish.is_none_or(|wish| wish.may_be_null),
            value if self.is_passed(value, wish) => false,
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

    fn earlier(
        &mut self,
        ty: TypeId,
        wish: Option<&Wish>,
        candidates: &[Candidate],
        bytes: &mut [u8],
    ) -> Made {
        let mut steps: Vec<u32> = candidates.iter().map(|candidate| candidate.variable.step).collect();
        steps.dedup();
        let n = self.step.ordinal();
        let chosen = self.step.choices().reference(&steps, n);
        let of_step = || candidates.iter().filter(|candidate| candidate.variable.step == chosen);
        let k = match of_step().count() as u64 {
            0 | 1 => 0,
            n => self.step.choices().alternative(n).min(n - 1) as usize,
        };
        let Some(candidate) = of_step().nth(k) else { return Ok(None) };
        let k = match candidate.open.count_ones() {
            1 => 0,
            n => (self.step.choices().alternative(u64::from(n)) as usize).min(n as usize - 1),
        };
        let Some(way) = candidate.way(k) else { return Ok(None) };
        let Some(address) = self.place(&candidate.variable, way, ty, wish) else { return Ok(None) };
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
            self.passed.push(pointer);
        }
        if matches!(self.from.types.get(ty), CType::Pointer { .. } | CType::Record(_)) {
            let Way { is_through, offset, is_address, .. } = *way;
            let slot = candidate.variable.address;
            let index = self.from.variables.iter().position(|v| v.address == slot).unwrap_or(0);
            self.depends(bytes, Source::Variable { index, is_through, offset, is_address });
        }
        Ok(Some(self.shown(|| way.text.replace('@', &candidate.variable.name()))))
    }
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
