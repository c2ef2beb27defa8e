//! Names addresses by the variable that holds them, as a C programmer would write it: `x1`, `x1->front`.
//!
//! Also replaces the addresses in a text by such names. Used only for sequences that are shown.

use crate::ctypes::{CType, CTypes, TypeId};
use crate::machine::{Machine, Range};
use std::collections::{BTreeMap, VecDeque};

/// How many places are looked at: enough for what can be read.
const MAX_PLACES: usize = 400;
/// How far from a variable a name may go.
const MAX_DEPTH: u32 = 6;

/// Something that has a name in C.
#[derive(Clone, Debug)]
pub(super) struct NamedValue {
    /// How C writes it.
    pub(super) text: String,
    /// Its type.
    pub(super) ty: TypeId,
    /// Where it is.
    pub(super) address: u64,
    /// Whether it is the memory that the name points to, rather than a variable of that name.
    pub(super) is_pointee: bool,
}

/// The names of addresses at one moment.
#[derive(Debug)]
pub(super) struct Names<'m> {
    machine: &'m Machine,
    known: BTreeMap<u64, String>,
}

/// A place that is still to be looked at: how C writes it, its type, where it is, how far from a variable.
struct Place {
    text: String,
    ty: TypeId,
    address: u64,
    depth: u32,
}

impl<'m> Names<'m> {
    /// Names everything that can be reached from variables, the nearest first.
    pub(super) fn new(machine: &'m Machine, types: &CTypes, named: &[NamedValue]) -> Names<'m> {
        let mut names = Names { machine, known: BTreeMap::new() };
        let mut queue = VecDeque::new();
        for n in named {
            let NamedValue { text, ty, address, is_pointee } = n.clone();
            if is_pointee {
                names.known.insert(address, text.clone());
                names.enter(types, &format!("{text}->"), ty, address, 1, &mut queue);
            } else {
                names.known.insert(address, format!("&{text}"));
                queue.push_back(Place { text, ty, address, depth: 0 });
            }
        }
        for _ in 0..MAX_PLACES {
            let Some(place) = queue.pop_front() else { break };
            names.look(types, &place, &mut queue);
        }
        names
    }

    fn look(&mut self, types: &CTypes, place: &Place, queue: &mut VecDeque<Place>) {
        match types.get(place.ty) {
            CType::Record(_) => {
                self.enter(types, &format!("{}.", place.text), place.ty, place.address, place.depth, queue);
            }
            CType::Pointer { to, .. } => {
                let mut bytes = [0; 8];
                let range = Range { address: place.address, size: 8 };
                let is_known = self.machine.is_live(range)
                    && self.machine.is_initialised(range)
                    && self.machine.read(place.address, &mut bytes);
                let target = u64::from_le_bytes(bytes);
                if !is_known || target == 0 || self.known.contains_key(&target) {
                    return;
                }
                self.known.insert(target, place.text.clone());
                let (text, depth) = (format!("{}->", place.text), place.depth + 1);
                self.enter(types, &text, *to, target, depth, queue);
            }
            _ => {}
        }
    }

    /// Queues the members of a record, if that is what is there.
    fn enter(
        &mut self,
        types: &CTypes,
        prefix: &str,
        ty: TypeId,
        address: u64,
        depth: u32,
        queue: &mut VecDeque<Place>,
    ) {
        let CType::Record(id) = types.get(ty) else { return };
        if depth > MAX_DEPTH || queue.len() > MAX_PLACES {
            return;
        }
        for member in types.record(*id).members.iter().filter(|m| m.bits.is_none() && !m.name.is_empty()) {
            let text = format!("{prefix}{}", member.name);
            let address = address.wrapping_add(member.offset);
            self.known.entry(address).or_insert_with(|| format!("&{text}"));
            queue.push_back(Place { text, ty: member.ty, address, depth });
        }
    }

    /// What an address is called; blocks that no variable leads to have numbers.
    pub(super) fn name(&self, address: u64) -> Option<String> {
        if let Some(name) = self.known.get(&address) {
            return Some(name.clone());
        }
        let block = self.machine.block_at(address)?;
        let (start, name) = match self.known.range(block.range.address..=address).next_back() {
            Some((start, name)) => (*start, name.clone()),
            None => (block.range.address, format!("block {}", block.id.0)),
        };
        Some(match address - start {
            0 => name,
            offset => format!("{name} + {offset} bytes"),
        })
    }

    /// What a block is called by the program's variables, from its number.
    fn block(&self, number: u64) -> Option<&String> {
        let block = self.machine.block(crate::machine::BlockId(number))?;
        let range = block.range.address..=block.range.address + block.range.size.saturating_sub(1);
        self.known.range(range).next().map(|(_, name)| name)
    }

    /// A text with names for addresses, and beside the numbers of blocks.
    pub(super) fn rewrite(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = [rest.find("0x"), rest.find("block ")].into_iter().flatten().min() {
            let (before, found) = rest.split_at(at);
            out.push_str(before);
            let is_address = found.starts_with("0x");
            let (head, tail) = found.split_at(if is_address { "0x".len() } else { "block ".len() });
            let is_digit = |c: char| if is_address { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
            let digits = tail.len() - tail.trim_start_matches(is_digit).len();
            let (digits, tail) = tail.split_at(digits);
            let name = match is_address {
                true => u64::from_str_radix(digits, 16).ok().and_then(|address| self.name(address)),
                false => digits
                    .parse()
                    .ok()
                    .and_then(|n| self.block(n))
                    .map(|name| format!("{head}{digits} ({name})")),
            };
            match name {
                Some(name) => out.push_str(&name),
                None => out.extend([head, digits]),
            }
            rest = tail;
        }
        out + rest
    }
}
