//! What an evaluation took, and whether it takes a byte twice.
//!
//! Ranges come in the order in which they are taken. Each is checked against all before it at once, so that a
//! cycle in memory ends a walk where it closes. Which bytes exist is not known here.

use crate::ctypes::TypeId;
use crate::machine::Range;
use crate::spec::position::Span;

/// Something that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenMemory {
    /// The resource that took it: in the clause, or in a predicate it uses.
    pub place: Span,
    /// The clause of the contract.
    pub clause: Span,
    /// As what.
    pub ctype: TypeId,
    /// Whether its value was read (`RW`); with `W` it may be uninitialised.
    pub is_initialised: bool,
}

/// What an evaluation took: for each range, what took it.
#[derive(Clone, Copy, Debug)]
pub struct Footprint<'e> {
    /// The bytes, disjoint, in the order in which they were taken.
    pub ranges: &'e [Range],
    /// What took them, in the same order.
    pub taken: &'e [TakenMemory],
    /// Bytes that may be read besides (`R`); in `requires` in the order of their addresses, with gaps between
    /// them.
    pub lent: &'e [Range],
}

/// What was taken so far.
#[derive(Debug, Default)]
pub(super) struct OwnedRanges {
    pub(super) ranges: Vec<Range>,
    pub(super) taken: Vec<TakenMemory>,
    /// For pieces of 16 bytes, which bytes are taken; open addressing, a power of two long.
    pieces: Vec<Piece>,
    n_pieces: usize,
    /// Entries of other epochs do not count.
    epoch: u32,
    /// Large ranges are not cut up.
    large: Vec<Range>,
    /// What may be read, in the order in which it was asked for.
    pub(super) lent: Vec<Range>,
    lent_by: Vec<TakenMemory>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    number: u64,
    epoch: u32,
    mask: u16,
}

const PIECE: u64 = 16;
const LARGE: u64 = 4096;

impl OwnedRanges {
    /// A new state: nothing is taken.
    pub(super) fn clear(&mut self) {
        self.ranges.clear();
        self.taken.clear();
        self.large.clear();
        self.lent.clear();
        self.lent_by.clear();
        self.n_pieces = 0;
        self.epoch = match self.epoch.checked_add(1) {
            Some(next) => next,
            None => {
                self.pieces.fill(Piece::default());
                1
            }
        };
    }

    /// Takes bytes (which exist, so the range does not wrap), or says what has one of them, and which byte.
    pub(super) fn take(&mut self, range: Range, what: TakenMemory) -> Result<(), (TakenMemory, u64)> {
        if let Some((k, byte)) = first_overlap(range, &self.lent) {
            return Err((self.lent_by[k], byte));
        }
        if let Some(byte) = self.claim(range) {
            return Err((self.owner(byte).unwrap_or(what), byte));
        }
        self.ranges.push(range);
        self.taken.push(what);
        Ok(())
    }

    /// The same for bytes that are only read, so that others may read them too.
    pub(super) fn lend(&mut self, range: Range, what: TakenMemory) -> Result<(), (TakenMemory, u64)> {
        if let Some((k, byte)) = first_overlap(range, &self.ranges) {
            return Err((self.taken[k], byte));
        }
        self.lent.push(range);
        self.lent_by.push(what);
        Ok(())
    }

    /// Brings what is lent into the order of addresses, and joins what touches.
    pub(super) fn sort_lent(&mut self) {
        self.lent.sort_unstable();
        self.lent.dedup_by(|next, last| {
            let end = last.address + last.size;
            let touches = next.address <= end;
            if touches {
                last.size = end.max(next.address + next.size) - last.address;
            }
            touches
        });
    }

    fn owner(&self, byte: u64) -> Option<TakenMemory> {
        let k = self.ranges.iter().position(|r| r.holds(byte, 1))?;
        self.taken.get(k).copied()
    }

    /// The first byte that is not free.
    fn claim(&mut self, range: Range) -> Option<u64> {
        let end = range.address.wrapping_add(range.size);
        let overlap = |other: &Range| {
            let from = range.address.max(other.address);
            (from < end.min(other.address.wrapping_add(other.size))).then_some(from)
        };
        if range.size > LARGE {
            let found = self.ranges.iter().filter_map(overlap).min();
            self.large.push(range);
            return found;
        }
        if let Some(found) = self.large.iter().filter_map(overlap).min() {
            return Some(found);
        }
        let mut from = range.address;
        while from < end {
            let number = from / PIECE;
            let offset = (from % PIECE) as u32;
            let n = (end - from).min(PIECE - u64::from(offset)) as u32;
            let mask = (((1u32 << n) - 1) << offset) as u16;
            let taken = self.piece(number);
            if *taken & mask != 0 {
                return Some(number * PIECE + u64::from((*taken & mask).trailing_zeros()));
            }
            *taken |= mask;
            from += u64::from(n);
        }
        None
    }

    /// Which bytes of a piece are taken.
    fn piece(&mut self, number: u64) -> &mut u16 {
        if self.n_pieces * 2 >= self.pieces.len() {
            self.grow();
        }
        let k = find(&self.pieces, number, self.epoch);
        let piece = &mut self.pieces[k];
        if piece.epoch != self.epoch {
            *piece = Piece { number, epoch: self.epoch, mask: 0 };
            self.n_pieces += 1;
        }
        &mut piece.mask
    }

    fn grow(&mut self) {
        let larger = vec![Piece::default(); (self.pieces.len() * 2).max(128)];
        let old = std::mem::replace(&mut self.pieces, larger);
        // Epoch 0 means free, also before the first `clear`.
        self.epoch = self.epoch.max(1);
        for piece in old.into_iter().filter(|p| p.epoch == self.epoch) {
            let k = find(&self.pieces, piece.number, self.epoch);
            self.pieces[k] = piece;
        }
    }
}

/// The first of the ranges with a byte of this one, and the byte.
fn first_overlap(range: Range, others: &[Range]) -> Option<(usize, u64)> {
    let end = range.address.wrapping_add(range.size);
    others.iter().enumerate().find_map(|(k, other)| {
        let from = range.address.max(other.address);
        (from < end.min(other.address.wrapping_add(other.size))).then_some((k, from))
    })
}

/// Where a piece is, or would be: there is always a free place.
fn find(pieces: &[Piece], number: u64, epoch: u32) -> usize {
    let mask = pieces.len() - 1;
    let mut k = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
    while pieces[k].epoch == epoch && pieces[k].number != number {
        k = (k + 1) & mask;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::{CType, CTypes};
    use crate::spec::position::SourceMap;

    #[test]
    fn bytes_are_taken_once_in_each_state() {
        let span = SourceMap::new();
        let place = Span::new(span.first(), 0, 1);
        let ctype = CTypes::default().add(CType::Char);
        let what = TakenMemory { place, clause: place, ctype, is_initialised: true };
        let mut owned = OwnedRanges::default();
        for _ in 0..3 {
            owned.clear();
            let mut take =
                |address, size| owned.take(Range { address, size }, what).map_err(|(_, byte)| byte);
            assert_eq!(take(100, 12), Ok(()));
            assert_eq!(take(112, 4), Ok(()));
            assert_eq!(take(99, 1), Ok(()));
            assert_eq!(take(97, 3), Err(99));
            assert_eq!(take(115, 100), Err(115));
            // Many, so that the table grows; then one over all, and one inside that.
            for k in 0..1000 {
                assert_eq!(take(0x1_0000 + 24 * k, 20), Ok(()));
            }
            assert_eq!(take(0x1_0000 + 24 * 7 + 19, 1), Err(0x1_0000 + 24 * 7 + 19));
            assert_eq!(take(0x1_0000 - 8000, 8001), Err(0x1_0000));
        }
        owned.clear();
        assert_eq!(owned.take(Range { address: 0x5000, size: 8000 }, what), Ok(()));
        assert_eq!(
            owned.take(Range { address: 0x5000 + 7999, size: 8 }, what).map_err(|(_, byte)| byte),
            Err(0x5000 + 7999)
        );
        assert_eq!(owned.take(Range { address: 0x5000 - 8, size: 8 }, what), Ok(()));
    }
}
