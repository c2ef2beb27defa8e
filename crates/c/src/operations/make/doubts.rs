//! Finds arguments that callers hardly ever pass, where no contract says whether they may.
//!
//! Looks at a pointer from an earlier call and at what was passed before it. Nothing is refused here:
//! failures after such calls are reported apart, and most sequences avoid them.

use super::ArgumentMaker;
use super::hints::ParameterHints;
use crate::ctypes::{CType, CTypes, TypeId};
use crate::finding::Doubt;
use crate::machine::{Block, Range};
use std::collections::BTreeSet;

/// How many bytes of a text are looked at together for its end.
const PIECE: usize = 256;

/// The structs and unions that others hold pointers to, by their types: objects that can be linked.
pub(in crate::operations) fn linked_types(types: &CTypes) -> BTreeSet<TypeId> {
    let mut linked = BTreeSet::new();
    for ty in types.ids() {
        let CType::Record(id) = types.get(ty) else { continue };
        for member in &types.record(*id).members {
            linked.extend(object_behind(types, member.ty));
        }
    }
    linked
}

/// The struct or union that pointers or arrays of them lead to.
fn object_behind(types: &CTypes, ty: TypeId) -> Option<TypeId> {
    const MOST_POINTERS: usize = 3;
    let mut at = ty;
    for _ in 0..MOST_POINTERS {
        at = match types.get(at) {
            CType::Pointer { to, .. } => *to,
            CType::Array { of, .. } => *of,
            _ => break,
        };
    }
    (at != ty && matches!(types.get(at), CType::Record(_))).then_some(at)
}

impl ArgumentMaker<'_, '_, '_, '_> {
    /// Notes what is doubtful about a pointer that an earlier call gave.
    pub(super) fn doubt(&mut self, pointer: u64, to: TypeId, wish: Option<&ParameterHints>) {
        let Some(wish) = wish.filter(|wish| wish.is_apart && self.doubt.is_none()) else { return };
        let block = |address: u64| self.from.machine.block_at(address).filter(|block| !block.is_slot);
        let Some(at) = block(pointer) else { return };
        let is_shared = |(other, is_const): &(u64, bool)| {
            let is_read = *is_const && wish.is_const;
            !is_read && block(*other).is_some_and(|other| self.are_joined(&at, &other))
        };
        self.doubt = if wish.may_be_held && self.from.machine.may_be_held(&at) {
            Some(Doubt::Held)
        } else if self.room.passed.iter().any(is_shared) {
            Some(Doubt::Shared)
        } else if !wish.is_unsized || self.from.types.size(to) != Some(1) {
            None
        } else if !matches!(self.from.types.get(to), CType::Char) {
            (!wish.is_const).then_some(Doubt::Unmeasured)
        } else {
            (!self.has_end(pointer, &at)).then_some(Doubt::Endless)
        };
    }

    /// Whether two blocks are one, or one leads to the other.
    fn are_joined(&self, one: &Block, other: &Block) -> bool {
        let machine = self.from.machine;
        one.id == other.id
            || machine.leads_to(one.range, &[other.range])
            || machine.leads_to(other.range, &[one.range])
    }

    /// Whether there is a 0 between a pointer and the end of its block.
    fn has_end(&self, pointer: u64, block: &Block) -> bool {
        let Range { address, size } = block.range;
        let (mut at, end) = (pointer, address + size);
        let mut bytes = [0; PIECE];
        // Texts are short, and blocks may be long.
        while at < end {
            let piece = &mut bytes[..PIECE.min((end - at) as usize)];
            if !self.from.machine.read(at, piece) {
                return false;
            }
            if piece.contains(&0) {
                return true;
            }
            at += piece.len() as u64;
        }
        false
    }
}
