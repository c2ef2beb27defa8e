//! A log and a table of handles to it, with bugs that can be planted in the table.
//!
//! As with the files of an operating system, `open` gives a position from which to read, `dup` gives
//! another handle to the same position, and the position is free for others when its last handle is
//! closed. What is written goes to the end of the log.

/// A mistake in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// No mistake.
    None,
    /// `dup` gives a position of its own, which begins where the other is.
    CopiesPosition,
    /// `close` frees the position although another handle still refers to it.
    FreesShared,
}

/// A log, and who reads it.
#[derive(Debug)]
pub struct Table {
    log: Vec<u8>,
    positions: Vec<Position>,
    /// Positions to be used again.
    free: Vec<usize>,
    bug: Bug,
}

/// Where the next byte is read.
#[derive(Debug)]
struct Position {
    at: usize,
    n_handles: usize,
}

/// Refers to a position. It can be closed once.
#[derive(Debug)]
pub struct Handle(usize);

impl Table {
    /// An empty log that nobody reads.
    #[must_use]
    pub fn new(bug: Bug) -> Table {
        Table { log: vec![], positions: vec![], free: vec![], bug }
    }

    /// A handle to a position at the beginning.
    pub fn open(&mut self) -> Handle {
        self.handle_to(0)
    }

    /// Another handle to the same position.
    pub fn dup(&mut self, handle: &Handle) -> Handle {
        if self.bug == Bug::CopiesPosition {
            return self.handle_to(self.positions[handle.0].at);
        }
        self.positions[handle.0].n_handles += 1;
        Handle(handle.0)
    }

    /// Writes a byte at the end of the log.
    pub fn write(&mut self, _: &Handle, byte: u8) {
        self.log.push(byte);
    }

    /// Reads a byte, unless the log ends here.
    pub fn read(&mut self, handle: &Handle) -> Option<u8> {
        let position = &mut self.positions[handle.0];
        let byte = self.log.get(position.at).copied()?;
        position.at += 1;
        Some(byte)
    }

    /// Gives a handle up; with the last one goes the position.
    pub fn close(&mut self, handle: Handle) {
        let position = &mut self.positions[handle.0];
        // With `FreesShared` there may be more handles than are counted.
        position.n_handles = position.n_handles.saturating_sub(1);
        if position.n_handles == 0 || self.bug == Bug::FreesShared {
            self.free.push(handle.0);
        }
    }

    /// The only handle to a new position.
    fn handle_to(&mut self, at: usize) -> Handle {
        let position = Position { at, n_handles: 1 };
        if let Some(slot) = self.free.pop() {
            self.positions[slot] = position;
            return Handle(slot);
        }
        self.positions.push(position);
        Handle(self.positions.len() - 1)
    }
}
