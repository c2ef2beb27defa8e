//! Reading a page.

use crate::store::{BLOCK_SHIFT, BLOCK_SIZE, Error, ObjId, Objects};

/// What the operating system knows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inode {
    /// Its number.
    pub ino: u32,
    /// How many bytes it has.
    pub size: u64,
}

/// A mistake to plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// None.
    Nothing,
    /// What was in the buffer stays behind a short block.
    NoPadding,
    /// The block at the end of the file is taken for one past it.
    EndIsPast,
    /// The empty block at the end of a file is read from the store.
    ReadsTheEnd,
    /// An error of the store is taken for a block of zeros.
    ErrorsAreZeros,
}

/// Reads the `n`-th page of a file into `buffer`, zeros behind the data. A page that was never
/// written has no object, and reads as zeros.
///
/// # Errors
/// `NoEnt` for a page past the end of the file, and what the store says.
pub fn readpage(
    store: &mut impl Objects,
    inode: Inode,
    n: u64,
    buffer: &mut [u8; BLOCK_SIZE],
    bug: Bug,
) -> Result<(), Error> {
    let limit = inode.size >> BLOCK_SHIFT;
    let is_past = if bug == Bug::EndIsPast { n >= limit } else { n > limit };
    if is_past {
        buffer.fill(0);
        return Err(Error::NoEnt);
    }
    let ends_here = n == limit && inode.size.is_multiple_of(BLOCK_SIZE as u64);
    if ends_here && bug != Bug::ReadsTheEnd {
        return Ok(());
    }
    match store.read(ObjId { ino: inode.ino, block: n }) {
        Ok(data) => {
            buffer[..data.len()].copy_from_slice(&data);
            if bug != Bug::NoPadding {
                buffer[data.len()..].fill(0);
            }
            Ok(())
        }
        Err(Error::NoEnt) => {
            buffer.fill(0);
            Ok(())
        }
        Err(_) if bug == Bug::ErrorsAreZeros => {
            buffer.fill(0);
            Ok(())
        }
        Err(error) => Err(error),
    }
}
