//! Objects, and who has them.

/// How many bytes a block has.
pub const BLOCK_SIZE: usize = 4096;
/// The same as a shift.
pub const BLOCK_SHIFT: u32 = 12;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The medium failed.
    Io,
    /// There is no memory.
    NoMem,
    /// An argument makes no sense.
    Inval,
    /// The file is not open.
    BadF,
    /// There is no such thing.
    NoEnt,
}

/// A block of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjId {
    /// The file.
    pub ino: u32,
    /// The block's position in it.
    pub block: u64,
}

/// Who has the data of files.
pub trait Objects {
    /// The data of a block: at most [`BLOCK_SIZE`] bytes, without the zeros at the end.
    ///
    /// # Errors
    /// `NoEnt` if there is no such object, and whatever goes wrong.
    fn read(&mut self, id: ObjId) -> Result<Vec<u8>, Error>;
}
