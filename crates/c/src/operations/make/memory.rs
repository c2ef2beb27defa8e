//! Memory that is made for a pointer: objects, arrays, texts, streams.
//!
//! Receives what a pointer should point to; hands on its address, and notes what was made in the log. What is in it is
//! drawn by `values`.

use super::wish::{Fresh, Wish};
use super::{Held, Made, Making};
use crate::ctypes::{CType, TypeId};
use crate::operations::log::Source;
use crate::operations::names::Named;
use crate::operations::text;
use crate::operations::worth::MAX_TEXT;

/// How many times in 16 a text is one from the source.
const TEXTS: u32 = 4;
/// How much room there is where nobody says how much is needed.
const ROOM: u64 = 256;
/// How many elements memory that is made has at most.
const MAX_ELEMENTS: u64 = 8;
/// How long strings are at most.
const MAX_STRING: u64 = 12;

impl Making<'_, '_, '_, '_> {
    /// Keeps an object that was made for an argument.
    pub(super) fn hold(&mut self, ty: TypeId, to: TypeId, bytes: &[u8]) {
        let is_object = matches!(self.from.types.get(to), CType::Record(_));
        let allocation = self.pending.last().map(|patch| patch.source);
        if let (true, Some(Source::Allocation(allocation))) = (is_object, allocation) {
            let address = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            self.held.push(Held { allocation, address, ty, of: to, made: self.n_made });
        }
    }

    /// What memory for a pointer is made of: its own type, or bytes if that is `void`.
    pub(super) fn element(&self, to: TypeId) -> Option<(TypeId, u64, bool)> {
        let types = self.from.types;
        match types.get(to) {
            CType::Void => types.char_type().map(|char_type| (char_type, 1, false)),
            CType::Char => Some((to, 1, true)),
            CType::Function(_) => None,
            _ => types.size(to).filter(|size| *size > 0).map(|size| (to, size, false)),
        }
    }

    /// Memory as `malloc` gives it, with contents.
    pub(super) fn fresh(
        &mut self,
        to: TypeId,
        fresh: Fresh,
        wish: Option<&Wish>,
        bytes: &mut [u8],
        depth: u32,
    ) -> Made {
        let Some((element, size, is_text)) = self.element(to) else { return Ok(None) };
        if fresh != Fresh::No && self.is_stream(to) {
            return self.stream(bytes);
        }
        let declared = wish.and_then(|wish| wish.n_elements);
        if is_text && fresh == Fresh::Filled {
            let has_room = wish.is_some_and(|wish| wish.is_unsized && !wish.is_const);
            let room = declared.or(has_room.then_some(ROOM));
            return self.string(wish.map_or(&[], |wish| &wish.texts), room, bytes);
        }
        let is_ended = size == 1 && fresh == Fresh::Filled && wish.is_some_and(|wish| wish.is_unsized);
        let is_record = matches!(self.from.types.get(element), CType::Record(_));
        let most = if is_record || fresh != Fresh::Filled { 1 } else { MAX_ELEMENTS };
        let n_drawn = match declared {
            Some(n) => n.min(MAX_ELEMENTS),
            None => self.step.choices().length(1, most),
        };
        let room = declared.or((is_ended && wish.is_some_and(|wish| !wish.is_const)).then_some(ROOM));
        let has_room = room.is_some_and(|room| room > n_drawn);
        let n = room.unwrap_or(n_drawn + u64::from(is_ended));
        let Some(address) = self.from.machine.allocate(n * size, 16) else { return Ok(None) };
        let allocation = self.from.log.borrow_mut().allocated(n * size);
        let name = self.name();
        let mut parts = Vec::new();
        if fresh == Fresh::Filled {
            let mut contents = vec![0; (n * size) as usize];
            for part in contents.chunks_mut(size as usize).take(n_drawn as usize) {
                let known = wish.and_then(|wish| wish.pointee.as_deref());
                match self.value(element, known, part, depth + 1)? {
                    Some(value) => parts.push(value),
                    None => return Ok(None),
                }
            }
            if room.is_none() {
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
    fn string(&mut self, known: &[Vec<u8>], room: Option<u64>, bytes: &mut [u8]) -> Made {
        let room = room.map(|room| room as usize);
        let mut contents = self.characters(known);
        contents.truncate(room.map_or(contents.len(), |room| room.saturating_sub(1)));
        let n = contents.len() as u64;
        contents.resize(room.unwrap_or(n as usize + 1), 0);
        let Some(address) = self.from.machine.allocate(contents.len() as u64, 16) else { return Ok(None) };
        let _ = self.from.machine.write(address, &contents);
        let allocation = self.from.log.borrow_mut().allocated(contents.len() as u64);
        self.from.log.borrow_mut().wrote(allocation, &contents, std::iter::empty());
        self.last_length = Some(n);
        bytes.copy_from_slice(&address.to_le_bytes());
        self.depends(bytes, Source::Allocation(allocation));
        let name = self.name();
        if self.step.is_shown() {
            self.declarations.push(text::text_allocation(&name, &contents[..n as usize], room));
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
}
