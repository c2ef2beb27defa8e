//! Makes memory for a pointer: objects, arrays, texts, streams.
//!
//! Everything that is made is noted in the log. `values` draws what is in it.

use super::hints::{FreshMemory, ParameterHints};
use super::strings::{MAX_WRITTEN, Words};
use super::{ArgumentMaker, HeldObject, MadeArgument, Origin};
use crate::ctypes::{CType, TypeId};
use crate::operations::log::Source;
use crate::operations::names::NamedValue;
use crate::operations::text;

/// How much room there is where nobody says how much is needed.
const ROOM: u64 = 256;
/// How many elements memory that is made has mostly, how many have values of their own, and how many there
/// are at most.
const FEW_ELEMENTS: u64 = 8;
const OWN_ELEMENTS: u64 = 64;
const MAX_ELEMENTS: u64 = 1024;

/// How many times in 16 an end is that of everything.
const WHOLE: u32 = 8;

/// Where an argument points to, of which the next one may be the end.
#[derive(Debug)]
pub(super) struct Start {
    address: u64,
    source: Source,
    n_elements: u64,
    name: String,
}

impl Start {
    /// Where an address so many bytes behind it comes from, if that can be said.
    fn source_behind(&self, n_bytes: u64) -> Option<Source> {
        Some(match self.source {
            source if n_bytes == 0 => source,
            Source::Allocation(allocation) => Source::Inside { allocation, offset: n_bytes },
            Source::Variable { index, is_through, offset, is_address: true } => {
                Source::Variable { index, is_through, offset: offset + n_bytes, is_address: true }
            }
            // Through the pointer that the variable is.
            Source::Variable { index, is_through: false, offset: 0, is_address: false } => {
                Source::Variable { index, is_through: true, offset: n_bytes, is_address: true }
            }
            Source::Inside { .. } | Source::Variable { .. } => return None,
        })
    }
}

impl ArgumentMaker<'_, '_, '_, '_> {
    /// Where the argument at hand points to, if that is known.
    pub(super) fn start_of(&self, made: &MadeArgument, bytes: &[u8]) -> Option<Start> {
        let (Ok(Some(name)), Origin::Made(_) | Origin::Earlier) = (made, self.origin) else { return None };
        let (source, n_elements) = (self.pending.last()?.source, self.last_length?);
        let address = u64::from_le_bytes(bytes.try_into().ok()?);
        Some(Start { address, source, n_elements, name: name.clone() })
    }

    /// The end of what the argument before points to, or of a part of it.
    pub(super) fn end_of(&mut self, start: &Start, to: TypeId, bytes: &mut [u8]) -> Option<String> {
        let most = start.n_elements;
        let n = self.step.choices().unsigned_or(&[most], WHOLE, 0, most, 0).min(most);
        let offset = n * self.from.types.size(to).unwrap_or(1);
        let (n, offset, source) = match start.source_behind(offset) {
            Some(source) => (n, offset, source),
            None => (0, 0, start.source),
        };
        bytes.copy_from_slice(&(start.address + offset).to_le_bytes());
        self.depends(bytes, source);
        self.last_length = None;
        Some(self.shown(|| match n {
            0 => start.name.clone(),
            _ => format!("{} + {n}", start.name),
        }))
    }

    /// Keeps an object that was made for an argument, or memory of which only the address may matter: what was
    /// registered with `void *user` is looked for by it.
    pub(super) fn hold(&mut self, ty: TypeId, to: TypeId, wish: Option<&ParameterHints>, bytes: &[u8]) {
        let is_object = match self.from.types.get(to) {
            CType::Record(_) => true,
            CType::Void => wish.is_some_and(|wish| wish.is_unsized),
            _ => false,
        };
        let allocation = self.pending.last().map(|patch| patch.source);
        if let (true, Some(Source::Allocation(allocation))) = (is_object, allocation) {
            let address = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            self.held.push(HeldObject { allocation, address, ty, of: to, made: self.n_made });
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
        fresh: FreshMemory,
        wish: Option<&ParameterHints>,
        bytes: &mut [u8],
        depth: u32,
    ) -> MadeArgument {
        let Some((element, size, is_text)) = self.element(to) else { return Ok(None) };
        if fresh != FreshMemory::No && self.is_stream(to) {
            return self.stream(bytes);
        }
        let declared = self.announced.take().or(wish.and_then(|wish| wish.n_elements));
        if is_text && fresh == FreshMemory::Filled {
            return self.string(wish, declared, bytes);
        }
        let is_ended = size == 1 && fresh == FreshMemory::Filled && wish.is_some_and(|wish| wish.is_unsized);
        let is_record = matches!(self.from.types.get(element), CType::Record(_));
        let is_list = self.is_list(element, wish) && depth == 0 && fresh == FreshMemory::Filled;
        let is_many = (!is_record && fresh == FreshMemory::Filled) || wish.is_some_and(|wish| wish.is_many);
        let text = match wish.filter(|_| size == 1 && depth == 0 && fresh == FreshMemory::Filled) {
            Some(wish) => self.text_of_bytes(wish),
            None => None,
        };
        let (n_drawn, n_times) = match declared {
            _ if text.is_some() => {
                let n = text.as_ref().map_or(0, |text| text.len() as u64);
                (n.min(declared.unwrap_or(n)), 1)
            }
            Some(n) => (n.min(FEW_ELEMENTS), 1),
            None if !is_many => (self.step.choices().length(1, 1), 1),
            None if depth > 0 => (self.step.choices().length(1, FEW_ELEMENTS), 1),
            None => self.n_elements(size, is_record || is_list),
        };
        let is_ended = is_ended || (is_list && self.is_list_ended(wish));
        let room = declared.or((is_ended && !is_list && wish.is_some_and(|wish| !wish.is_const))
            .then_some(ROOM + n_drawn * n_times));
        let has_room = room.is_some_and(|room| room > n_drawn);
        let n = room.unwrap_or(n_drawn * n_times + u64::from(is_ended));
        let Some(address) = self.from.machine.allocate(n * size, 16) else { return Ok(None) };
        let allocation = self.from.log.borrow_mut().allocated(n * size);
        let name = self.name();
        let mut parts = Vec::new();
        if fresh == FreshMemory::Filled {
            let mut contents = vec![0; (n * size) as usize];
            for (k, part) in contents.chunks_mut(size as usize).take(n_drawn as usize).enumerate() {
                if let Some(text) = &text {
                    part[0] = text[k];
                    parts.push(self.shown(|| text[k].to_string()));
                    continue;
                }
                let known = wish.and_then(|wish| wish.pointee.as_deref());
                match self.value(element, known, part, depth + 1)? {
                    Some(value) => parts.push(value),
                    None => return Ok(None),
                }
            }
            let n_pattern = (n_drawn * size) as usize;
            for k in 1..n_times as usize {
                contents.copy_within(..n_pattern, k * n_pattern);
            }
            let _ = self.from.machine.write(address, &contents);
            let patches = self.patches_of(&contents);
            self.from.log.borrow_mut().wrote(allocation, &contents, patches.into_iter());
        }
        if fresh == FreshMemory::Zeroed {
            let contents = vec![0; (n * size) as usize];
            let _ = self.from.machine.write(address, &contents);
            self.from.log.borrow_mut().wrote(allocation, &contents, std::iter::empty());
        }
        self.last_length = Some(n - u64::from(is_ended && room.is_none()));
        bytes.copy_from_slice(&address.to_le_bytes());
        self.depends(bytes, Source::Allocation(allocation));
        if self.step.is_shown() {
            let is_zeroed = fresh == FreshMemory::Zeroed || has_room || is_ended;
            let n_filled = n_drawn * n_times;
            self.declarations.push(text::allocation(
                self.from.types,
                element,
                &name,
                (n, n_filled),
                &parts,
                is_zeroed,
            ));
            self.made.push(NamedValue { text: name.clone(), ty: element, address, is_pointee: true });
        }
        Ok(Some(name))
    }

    /// Whether memory is an array of pointers of which nobody says how long it is. Such an array mostly ends with
    /// NULL, as `argv` does.
    fn is_list(&self, element: TypeId, wish: Option<&ParameterHints>) -> bool {
        let is_data = match self.from.types.get(element) {
            CType::Pointer { to, .. } => !matches!(self.from.types.get(*to), CType::Function(_)),
            _ => false,
        };
        is_data && wish.is_some_and(|wish| wish.is_unsized && wish.n_elements.is_none())
    }

    /// Whether a NULL stands after the elements of an array of pointers; it is doubtful if none does.
    fn is_list_ended(&mut self, wish: Option<&ParameterHints>) -> bool {
        const ENDS: &[&str] = &["ended", "endless"];
        let is_ended = self.step.choices().weighted(&[7, 1], ENDS) == 0;
        if !is_ended && wish.is_some_and(|wish| wish.is_apart) {
            self.doubt = self.doubt.or(Some(super::Doubt::Unended));
        }
        is_ended
    }

    /// A text for an array of bytes, now and then: much of what comes as bytes is text, in UTF-8 for example.
    fn text_of_bytes(&mut self, wish: &ParameterHints) -> Option<Vec<u8>> {
        const CONTENTS: &[&str] = &["numbers", "text"];
        if self.step.choices().weighted(&[3, 1], CONTENTS) == 0 {
            return None;
        }
        let parts = self.text(&wish.words, OWN_ELEMENTS);
        let mut text: Vec<u8> = parts.iter().flat_map(|(part, times)| part.repeat(*times as usize)).collect();
        text.truncate(OWN_ELEMENTS as usize);
        if text.is_empty() {
            text.push(0);
        }
        self.texts.remember(&text);
        Some(text)
    }

    /// How many elements have values of their own, and how often those are repeated. Of structs there are few.
    fn n_elements(&mut self, size: u64, is_record: bool) -> (u64, u64) {
        const MOST_BYTES: u64 = 1 << 16;
        let most = (MOST_BYTES / size.max(1)).clamp(1, MAX_ELEMENTS);
        let own = most.min(OWN_ELEMENTS);
        let word = self.step.choices().free_word();
        let n = match word {
            // One in thirty-two is longer than a handful.
            Some(word) => {
                let bound = if word % 32 == 0 && !is_record { own } else { own.min(FEW_ELEMENTS) };
                let n = 1 + ((u128::from(word >> 8) * u128::from(bound)) >> 56) as u64;
                self.step.choices().given_length(n - 1, 0, own - 1);
                n
            }
            None => 1 + self.step.choices().length(0, own - 1),
        };
        if is_record {
            return (n, 1);
        }
        let times = match word {
            Some(word) => {
                let is_long = word >> 5 & 127 == 0;
                let times = if is_long { 1 + (word >> 40) % (most / n).max(1) } else { 1 };
                self.step.choices().given_unsigned(times, 1, MAX_ELEMENTS, 1);
                times
            }
            None => self.step.choices().unsigned(1, MAX_ELEMENTS, 1),
        };
        (n, times.min((most / n).max(1)))
    }

    /// Whether a type is the C library's `FILE`: only that library can make one.
    fn is_stream(&self, to: TypeId) -> bool {
        matches!(self.from.types.get(to), CType::Record(id) if self.from.types.record(*id).name == "_IO_FILE")
    }

    /// One of the streams that every program has.
    fn stream(&mut self, bytes: &mut [u8]) -> MadeArgument {
        let name = ["stdout", "stdin"][self.step.choices().alternative(2).min(1) as usize];
        let stream = self.from.machine.stream(name);
        Ok(stream.map(|stream| {
            bytes.copy_from_slice(&stream.to_le_bytes());
            name.to_string()
        }))
    }

    /// A text, in as many bytes as it takes or as there are.
    fn string(
        &mut self,
        wish: Option<&ParameterHints>,
        declared: Option<u64>,
        bytes: &mut [u8],
    ) -> MadeArgument {
        let has_room = wish.is_some_and(|wish| wish.is_unsized && !wish.is_const);
        let longest = wish
            .map_or(MAX_WRITTEN, |wish| wish.longest)
            .min(declared.map_or(u64::MAX, |n| n.saturating_sub(1)));
        let none = Words::default();
        let mut parts = self.text(wish.map_or(&none, |wish| &wish.words), longest);
        let mut contents: Vec<u8> = parts
            .iter()
            .flat_map(|(part, times)| part.iter().cycle().take(part.len() * *times as usize))
            .copied()
            .collect();
        if contents.len() as u64 > longest {
            contents.truncate(longest as usize);
            parts = vec![(contents.clone(), 1)];
        }
        self.texts.remember(&contents);
        self.has_text |= !contents.is_empty();
        let n = contents.len() as u64;
        let room = declared.or(has_room.then_some(ROOM + n)).map(|room| room as usize);
        contents.resize(room.unwrap_or(n as usize + 1), 0);
        let Some(address) = self.from.machine.allocate(contents.len() as u64, 16) else { return Ok(None) };
        let _ = self.from.machine.write(address, &contents);
        let allocation = self.from.log.borrow_mut().allocated(contents.len() as u64);
        self.from.log.borrow_mut().wrote(allocation, &contents, std::iter::empty());
        // A number that goes with what may be written says how large it is, one with a text how long that is.
        let is_buffer = wish.is_some_and(|wish| wish.is_apart && !wish.is_const && !wish.is_unsized);
        self.last_length = Some(if is_buffer { contents.len() as u64 } else { n });
        bytes.copy_from_slice(&address.to_le_bytes());
        self.depends(bytes, Source::Allocation(allocation));
        let name = self.name();
        if self.step.is_shown() {
            self.declarations.push(text::text_allocation(&name, &parts, room));
            if let Some(ty) = self.from.types.char_type() {
                self.made.push(NamedValue { text: name.clone(), ty, address, is_pointee: true });
            }
        }
        Ok(Some(name))
    }

    pub(super) fn name(&mut self) -> String {
        self.n_made += 1;
        let (step, n) = (self.step.ordinal() + 1, self.n_made);
        self.shown(|| format!("m{step}_{n}"))
    }
}
