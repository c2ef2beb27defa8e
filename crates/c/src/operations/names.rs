//! Names addresses by the variable that holds them, as a C programmer would write it: `x1`, `x1->front`.
//!
//! Used only for sequences that are shown.

use crate::ctypes::{CType, CTypes, TypeId};
use crate::finding::BlockName;
use crate::machine::{BlockId, Machine, Pc, Range};
use stairway::report::Site;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

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
    pub(super) fn name(&self, address: u64) -> Option<AddressName> {
        let named = |base: &String| AddressBase::Variable(base.clone());
        if let Some(name) = self.known.get(&address) {
            return Some(AddressName { base: named(name), offset: 0 });
        }
        let block = self.machine.block_at(address)?;
        let (start, base) = match self.known.range(block.range.address..=address).next_back() {
            Some((start, name)) => (*start, named(name)),
            None => (block.range.address, AddressBase::Block(block.id)),
        };
        Some(AddressName { base, offset: address - start })
    }

    /// The same as text.
    pub(super) fn text(&self, address: u64) -> Option<String> {
        self.name(address).map(|name| name.to_string())
    }

    /// How a block is told from the others; `at` says where an instruction is in the source.
    pub(super) fn block(&self, id: BlockId, at: impl Fn(Pc) -> Option<Site>) -> Option<BlockName> {
        let block = self.machine.block(id)?;
        let range = block.range.address..=block.range.address + block.range.size.saturating_sub(1);
        let variable = self.known.range(range).next().map(|(_, name)| name.clone());
        let allocated_at = block.allocated_at.and_then(at);
        Some(BlockName { variable, size: block.range.size, allocated_at })
    }
}

/// What an address is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AddressName {
    /// What it is counted from.
    pub(super) base: AddressBase,
    /// How many bytes after that it is.
    offset: u64,
}

/// Something from which addresses are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AddressBase {
    /// Something that a variable leads to, as C writes it.
    Variable(String),
    /// A block that no variable leads to.
    Block(BlockId),
}

impl fmt::Display for AddressName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            AddressBase::Variable(text) => f.write_str(text)?,
            AddressBase::Block(id) => write!(f, "block {}", id.0)?,
        }
        match self.offset {
            0 => Ok(()),
            offset => write!(f, " + {offset} bytes"),
        }
    }
}
