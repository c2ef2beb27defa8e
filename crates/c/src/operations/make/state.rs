//! Puts a state from a precondition into memory: allocates the blocks of its blueprint, fills them and logs
//! them.
//!
//! The log lets the state be made again at other addresses.

use super::{ArgumentMaker, HeldObject};
use crate::ctypes::CType;
use crate::operations::log::{Patch, Source};
use crate::operations::names::NamedValue;
use crate::operations::states::{Blueprint, Contents, Link};
use crate::operations::targets::Target;

/// Where a block lies: its address and, if it is no global, its number in the log.
type BlockPlace = (u64, Option<u32>);

impl ArgumentMaker<'_, '_, '_, '_> {
    /// Makes a state: its memory, then the arguments in `buffer`. `false` if there is no room for it.
    pub(in crate::operations) fn state(
        &mut self,
        blueprint: &Blueprint,
        target: &Target,
        buffer: &mut [u8],
    ) -> bool {
        let mut placed: Vec<BlockPlace> = Vec::with_capacity(blueprint.blocks.len());
        for block in &blueprint.blocks {
            match block.fixed {
                Some(address) => placed.push((address, None)),
                None => {
                    let Some(address) = self.from.machine.allocate(block.size, 16) else { return false };
                    placed.push((address, Some(self.from.log.borrow_mut().allocated(block.size))));
                    self.n_made += 1;
                }
            }
        }
        for (block, (address, allocation)) in blueprint.blocks.iter().zip(&placed) {
            for (at, contents) in &block.contents {
                let bytes = linked(contents, |k| placed[k].0);
                let patches = contents.links.iter().filter_map(|link| patch(link, &placed));
                let is_written = self.from.machine.write(address + at, &bytes);
                let mut log = self.from.log.borrow_mut();
                match allocation {
                    Some(allocation) => log.wrote_at(*allocation, *at, &bytes, patches),
                    None => log.wrote_global(address + at, &bytes, patches),
                }
                if !is_written {
                    return false;
                }
            }
        }
        for (k, (contents, _)) in blueprint.arguments.iter().enumerate() {
            let part = &mut buffer[target.prototype.place(k)];
            let n = part.len().min(contents.bytes.len());
            part[..n].copy_from_slice(&linked(contents, |k| placed[k].0)[..n]);
            let start = part.as_ptr().addr();
            let patches = contents.links.iter().filter_map(|link| patch(link, &placed));
            self.pending.extend(patches.map(|patch| Patch { at: patch.at + start, ..patch }));
            self.hold_object(target, k, contents, &placed, blueprint);
        }
        self.remember(&blueprint.numbers);
        if self.step.is_shown() {
            self.show(blueprint, &placed);
        }
        true
    }

    /// Keeps an object that an argument points to: later calls may be passed it as well.
    fn hold_object(
        &mut self,
        target: &Target,
        k: usize,
        contents: &Contents,
        placed: &[BlockPlace],
        blueprint: &Blueprint,
    ) {
        let ty = target.parameters[k];
        let CType::Pointer { to, .. } = self.from.types.get(ty) else { return };
        let is_object = matches!(self.from.types.get(*to), CType::Record(_));
        let Some(link) = contents.links.first().filter(|link| is_object && link.offset == 0) else { return };
        if let (address, Some(allocation)) = placed[link.block] {
            // Names count the blocks that are no globals.
            let before = &blueprint.blocks[..=link.block];
            let made = before.iter().filter(|block| block.fixed.is_none()).count() as u32;
            self.held.push(HeldObject { allocation, address, ty, of: *to, made });
        }
    }

    fn show(&mut self, blueprint: &Blueprint, placed: &[BlockPlace]) {
        if !blueprint.blocks.is_empty() {
            self.declarations.push("// a state that the precondition describes".to_string());
        }
        let blocks = || blueprint.blocks.iter();
        self.declarations.extend(blocks().map(|b| b.declaration.clone()).filter(|line| !line.is_empty()));
        self.declarations.extend(blocks().flat_map(|block| block.assignments.iter().cloned()));
        for (block, (address, allocation)) in blocks().zip(placed) {
            if let (Some(_), Some(ty)) = (allocation, block.element) {
                let (text, address) = (block.name.clone(), *address);
                self.made.push(NamedValue { text, ty, address, is_pointee: true });
            }
        }
    }
}

/// Bytes with the addresses of the blocks that they link to.
pub(in crate::operations) fn linked(contents: &Contents, address: impl Fn(usize) -> u64) -> Vec<u8> {
    let mut bytes = contents.bytes.clone();
    for Link { at, block, offset } in &contents.links {
        if let Some(part) = bytes.get_mut(*at..*at + 8) {
            part.copy_from_slice(&(address(*block) + offset).to_le_bytes());
        }
    }
    bytes
}

/// What of the bytes depends on where a block is; globals stay where they are.
fn patch(link: &Link, placed: &[BlockPlace]) -> Option<Patch> {
    let allocation = placed[link.block].1?;
    Some(Patch { at: link.at, size: 8, source: Source::Inside { allocation, offset: link.offset } })
}
