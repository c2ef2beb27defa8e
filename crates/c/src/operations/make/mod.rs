//! Makes values for arguments: drawn afresh, taken from earlier results, or pointers to memory made for them.
//!
//! For a sequence that is shown, the C text of each value is kept with its bytes. Every decision is a draw
//! from the step's choices, the simplest alternative first, so shrinking needs nothing of its own. Whether a
//! value satisfies a contract is not known here.

mod callbacks;
mod doubts;
mod earlier;
mod hints;
mod memory;
mod state;
mod strings;
mod values;

pub(super) use callbacks::{Callbacks, is_answerable, words as answer_words};
pub(super) use doubts::linked_types;
pub use hints::{FreshMemory, ParameterHints};
pub(super) use state::linked;
pub(super) use strings::{MAX_TEXT, MAX_WRITTEN, Words};

use super::log::{Log, Patch, Source};
use super::names::NamedValue;
use super::targets::Ways;
use crate::ctypes::{CType, CTypes, TypeId};
use crate::finding::Doubt;
use crate::machine::Machine;
use stairway::engine::{Label, PLAIN_SIZE, Step};
use stairway::{Case, Checked, Stop};
use std::cell::RefCell;

/// A result of an earlier call: a C variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The step that gave it.
    pub step: u32,
    /// What kind of result it is: a number for each.
    pub kind: u32,
    /// Its type.
    pub ty: TypeId,
    /// Where it lives.
    pub address: u64,
    /// For a pointer to memory that was made for an argument: which of those of its step, from 1.
    pub made: u32,
    /// Whether a function has ended the life of what it points to, by all that its name says.
    pub is_ended: bool,
}

impl Variable {
    /// The kind of a pointer to memory that was made: no result.
    pub(super) const MADE: u32 = u32::MAX;

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
pub(super) struct HeldObject {
    pub(super) allocation: u32,
    pub(super) address: u64,
    /// The type of the pointer.
    pub(super) ty: TypeId,
    /// The type of the object.
    pub(super) of: TypeId,
    /// Which of those of its step, from 1.
    pub(super) made: u32,
}

/// The step that gave the object that was passed last, for each type of object.
#[derive(Debug, Default)]
pub(super) struct Favourites(Vec<(TypeId, u32)>);

impl Favourites {
    /// Of this type; no step if none was passed.
    fn of(&self, object: TypeId) -> u32 {
        self.0.iter().find(|(of, _)| *of == object).map_or(u32::MAX, |(_, step)| *step)
    }

    /// From now on the object of this type that was passed last is the one that this step gave.
    pub(super) fn set(&mut self, object: TypeId, step: u32) {
        match self.0.iter_mut().find(|(of, _)| *of == object) {
            Some(known) => known.1 = step,
            None => self.0.push((object, step)),
        }
    }
}

/// How much a sequence keeps to one object of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ObjectFocus {
    /// Mostly, and what it holds is passed as well.
    #[default]
    Usual,
    /// Nearly always.
    One,
    /// Not at all: any is as likely as the others.
    Any,
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
    /// Numbers that were passed before.
    pub(super) numbers: &'m RefCell<Vec<i128>>,
    /// Numbers that are yet to be passed, the next one last.
    pub(super) wanted: &'m RefCell<Vec<i128>>,
    /// From how many numbers on few others are passed.
    pub(super) n_enough: usize,
    /// How much the sequence keeps to one object.
    pub(super) devotion: ObjectFocus,
    /// Functions that were made up.
    pub(super) callbacks: &'m RefCell<Callbacks>,
    /// Objects that were passed last.
    pub(super) favourites: &'m RefCell<Favourites>,
    /// What has happened.
    pub(super) log: &'m RefCell<Log>,
}

/// Arguments of one call while they are made.
pub(super) struct ArgumentMaker<'m, 's, 'c, 'b> {
    from: &'m Materials<'m>,
    step: &'s mut Step<'c, 'b>,
    /// Functions that come before everything.
    definitions: Vec<String>,
    /// Declarations that come before the call.
    declarations: Vec<String>,
    /// The memory that they make; only for a sequence that is shown.
    pub(super) made: Vec<NamedValue>,
    /// How many elements the memory made last has.
    last_length: Option<u64>,
    /// How many elements the next pointer should point to: a number before it has said so.
    announced: Option<u64>,
    n_made: u32,
    /// Where the last argument came from.
    pub(super) origin: Origin,
    /// Objects that later calls may be passed as well.
    held: Vec<HeldObject>,
    room: earlier::Room,
    texts: strings::Texts,
    /// The number that the argument at hand is to be once more.
    again: Option<i128>,
    /// Whether this call is passed a text already that is not empty.
    has_text: bool,
    /// Where the argument before points to.
    start: Option<memory::Start>,
    /// What is doubtful about the arguments so far.
    pub(super) doubt: Option<Doubt>,
    /// Bytes that depend on where things are, in buffers that are not in the log yet: `at` is where they are
    /// here.
    pending: Vec<Patch>,
}

/// Where an argument comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was drawn.
    Value,
    /// It is NULL.
    Null,
    /// It points to memory that was made for it, of so many elements.
    Made(u64),
    /// It is, or leads to, the result of an earlier call or an object made for one.
    Earlier,
    /// It is a function.
    Function,
}

/// What there is beside the arguments when they are made.
pub(super) struct CallPreamble {
    /// Functions that come before everything.
    pub(super) definitions: Vec<String>,
    /// Declarations that come before the call.
    pub(super) declarations: Vec<String>,
    /// The memory that they make; only for a sequence that is shown.
    pub(super) made: Vec<NamedValue>,
    /// The rest, and the room to use again.
    pub(super) room: Room,
}

/// What a call's arguments are made with, used again for the next call: nothing is allocated between calls.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// What of the arguments depends on where things are.
    pub(super) patches: Vec<Patch>,
    /// Objects that later calls may be passed as well.
    pub(super) held: Vec<HeldObject>,
    earlier: earlier::Room,
    texts: strings::Texts,
}

/// Where a number, or a struct, comes from.
const NUMBERS: &[&str] = &["value", "length", "earlier"];
/// Where a pointer comes from.
const POINTERS: &[&str] = &["null", "fresh", "earlier", "function", "callback", "again"];
/// How deep memory that is made may point to further memory that is made.
const MAX_DEPTH: u32 = 2;

/// A value could be made, and its text if it is to be shown; or there is none at present.
type MadeArgument = Checked<Option<String>>;

impl<'m, 's, 'c, 'b> ArgumentMaker<'m, 's, 'c, 'b> {
    /// Begins with the arguments of a call.
    pub(super) fn new(from: &'m Materials<'m>, step: &'s mut Step<'c, 'b>, mut room: Room) -> Self {
        room.patches.clear();
        room.held.clear();
        room.earlier.passed.clear();
        ArgumentMaker {
            from,
            step,
            definitions: Vec::new(),
            declarations: Vec::new(),
            made: Vec::new(),
            last_length: None,
            announced: None,
            n_made: 0,
            origin: Origin::Value,
            held: room.held,
            room: room.earlier,
            texts: room.texts,
            again: None,
            has_text: false,
            start: None,
            doubt: None,
            pending: room.patches,
        }
    }

    /// The declarations before the call, and what in its arguments depends on where things are.
    pub(super) fn finish(mut self, arguments: &[u8]) -> CallPreamble {
        let start = arguments.as_ptr().addr();
        self.pending.retain(|patch| patch.at.wrapping_sub(start) < arguments.len());
        self.pending.iter_mut().for_each(|patch| patch.at -= start);
        let ArgumentMaker {
            definitions,
            declarations,
            made,
            held,
            pending: patches,
            room: earlier,
            texts,
            ..
        } = self;
        let room = Room { patches, held, earlier, texts };
        CallPreamble { definitions, declarations, made, room }
    }

    /// Whether this is a sequence in which calls make everything that they can.
    fn is_plain(&mut self) -> bool {
        let choices = self.step.choices();
        choices.is_searching() && choices.size() == PLAIN_SIZE
    }

    /// The case that arguments are made for.
    pub(super) fn case(&mut self) -> &mut Case<'b> {
        self.step.case()
    }

    /// Makes one argument in `bytes`.
    ///
    /// # Errors
    /// Ends the case when the stream does.
    pub(super) fn argument(&mut self, ty: TypeId, wish: &ParameterHints, bytes: &mut [u8]) -> MadeArgument {
        self.step.choices().open(Label::Argument);
        self.origin = Origin::Value;
        let before = self.last_length.filter(|n| *n > 0 && wish.is_twin);
        self.announced = before.or(self.announced);
        let made = self.value(ty, Some(wish), bytes, 0);
        if let (Some(before), Some(own)) = (before, self.last_length) {
            self.last_length = Some(own.min(before));
        }
        self.start = self.start_of(&made, bytes);
        if !wish.is_announced {
            self.announced = None;
        }
        self.step.choices().close();
        match self.step.choices().halted() {
            Some(halt) => Err(Stop::halt(halt)),
            None => made,
        }
    }

    /// The next argument is mostly to be what it was, if it is a number.
    pub(super) fn repeat(&mut self, ty: TypeId, bytes: &[u8]) {
        self.again = match self.from.types.get(ty) {
            CType::Bool | CType::Char => Some(super::text::number(bytes, false)),
            CType::Integer { is_signed, .. } => Some(super::text::number(bytes, *is_signed)),
            CType::Enum(_) => Some(super::text::number(bytes, true)),
            _ => None,
        };
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

    fn value(
        &mut self,
        ty: TypeId,
        wish: Option<&ParameterHints>,
        bytes: &mut [u8],
        depth: u32,
    ) -> MadeArgument {
        if depth == 0 {
            return self.whole(ty, wish, bytes, depth);
        }
        // A part that is drawn in another way must not shift the others.
        self.step.choices().open(Label::Part);
        let made = self.whole(ty, wish, bytes, depth);
        self.step.choices().close();
        made
    }

    fn whole(
        &mut self,
        ty: TypeId,
        wish: Option<&ParameterHints>,
        bytes: &mut [u8],
        depth: u32,
    ) -> MadeArgument {
        let types = self.from.types;
        match types.get(ty) {
            CType::Bool => self.number(ty, (0, 1), None, bytes),
            CType::Char => self.number(ty, (0, 255), wish, bytes),
            CType::Integer { size, is_signed, .. } => {
                let range = super::text::range(*size, *is_signed);
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

    fn pointer(
        &mut self,
        ty: TypeId,
        to: TypeId,
        wish: Option<&ParameterHints>,
        bytes: &mut [u8],
        depth: u32,
    ) -> MadeArgument {
        if let Some(start) = self.start.take().filter(|_| wish.is_some_and(|wish| wish.is_end)) {
            return Ok(self.end_of(&start, to, bytes));
        }
        let has_earlier = self.has_earlier(ty, wish);
        let n_functions = self.from.functions.iter().filter(|(of, ..)| *of == to).count();
        let fresh = match wish {
            _ if depth > MAX_DEPTH => FreshMemory::No,
            Some(wish) => wish.fresh,
            None => FreshMemory::Filled,
        };
        let can_be_made = fresh != FreshMemory::No && self.element(to).is_some();
        let may_be_null = wish.is_none_or(|wish| wish.may_be_null);
        // Where there is an object already, one more that nobody has set up tells little.
        let is_one_more = fresh == FreshMemory::Zeroed && has_earlier;
        // Where functions return such objects, one that none has made is the last resort of a report.
        let is_given = wish.is_some_and(|wish| wish.object.is_some() && !wish.producers.is_empty());
        let can_be_made = can_be_made && !(is_given && self.is_plain());
        let weights = [
            match may_be_null {
                true if self.is_plain() => 1,
                true => 2,
                false => 0,
            },
            match can_be_made {
                true if is_one_more => 1,
                true => 4,
                false => 0,
            },
            if has_earlier { 8 } else { 0 },
            if n_functions == 0 { 0 } else { 8 },
            match self.can_answer(to) {
                true if n_functions == 0 => 8,
                true => 2,
                false => 0,
            },
            if self.has_callback(to) { 4 } else { 0 },
        ];
        if weights.iter().all(|w| *w == 0) {
            return Ok(None);
        }
        let chosen = self.step.choices().weighted(&weights, POINTERS);
        if depth == 0 {
            self.origin = match chosen {
                0 => Origin::Null,
                2 => Origin::Earlier,
                3..=5 => Origin::Function,
                _ => Origin::Made(0),
            };
        }
        match chosen {
            0 if may_be_null => {
                bytes.fill(0);
                Ok(Some(self.shown(|| "NULL".to_string())))
            }
            2 if has_earlier => self.earlier(ty, wish, bytes),
            3 if n_functions > 0 => {
                let n = self.step.choices().alternative(n_functions as u64) as usize;
                let functions = self.from.functions.iter().filter(|(of, ..)| *of == to);
                let Some((_, name, address)) = functions.take(n + 1).last() else { return Ok(None) };
                bytes.copy_from_slice(&address.to_le_bytes());
                Ok(Some(self.shown(|| (*name).to_string())))
            }
            4 if weights[4] > 0 => self.callback(to, bytes, depth),
            5 if weights[5] > 0 => self.callback_again(to, bytes),
            _ if can_be_made => {
                if is_given {
                    self.step.choices().open(Label::MADE);
                }
                let made = self.fresh(to, fresh, wish, bytes, depth);
                if is_given {
                    self.step.choices().close();
                }
                let made = made?;
                if depth == 0 && made.is_some() {
                    self.origin = Origin::Made(self.last_length.unwrap_or(0));
                    self.hold(ty, to, wish, bytes);
                }
                Ok(made)
            }
            _ => Ok(None),
        }
    }
}
