//! A file handle: what is open is closed, and what is closed is neither read nor written.

use stairway::{check, machine};

/// A file of at most four bytes, of which `at` have been read.
#[machine(start = Closed { len: 0 })]
pub mod file {
    pub const CAPACITY: u8 = 4;

    pub enum State {
        Closed { len: u8 },
        Open { len: u8, at: u8 },
    }

    pub enum Op {
        Open,
        Write { ret: Written },
        Read { ret: Byte },
        Rewind,
        Close,
    }

    pub enum Written {
        Done,
        Full,
    }

    pub enum Byte {
        Next,
        End,
    }

    fn next(s: State, op: Op) -> Option<State> {
        match (s, op) {
            (State::Closed { len }, Op::Open) => Some(State::Open { len, at: 0 }),
            (State::Open { len, at }, Op::Write { ret }) => match ret {
                Written::Done if len < CAPACITY => Some(State::Open { len: len + 1, at }),
                Written::Full if len == CAPACITY => Some(State::Open { len, at }),
                _ => None,
            },
            (State::Open { len, at }, Op::Read { ret }) => match ret {
                Byte::Next if at < len => Some(State::Open { len, at: at + 1 }),
                Byte::End if at == len => Some(State::Open { len, at }),
                _ => None,
            },
            (State::Open { len, .. }, Op::Rewind) => Some(State::Open { len, at: 0 }),
            (State::Open { len, .. }, Op::Close) => Some(State::Closed { len }),
            _ => None,
        }
    }
}

check! { never_past_the_end in file: always(at(Closed { .. } | Open { at: 0..=4, len: 0..=4 })) }
check! { can_be_closed in file: always(can_reach(at(Closed { .. }))) }
check! { reading_is_open in file: always(implies(after(Read { .. } | Write { .. }), at(Open { .. }))) }

/// A file in memory, as a driver.
#[derive(Debug, Default)]
pub struct InMemory {
    bytes: Vec<u8>,
    at: usize,
    /// A mistake that can be planted: opening does not go back to the beginning.
    forgets_to_rewind: bool,
}

impl InMemory {
    /// With the mistake.
    #[must_use]
    pub fn forgetful() -> Self {
        InMemory { forgets_to_rewind: true, ..InMemory::default() }
    }
}

impl file::Driver for InMemory {
    fn open(&mut self) {
        if !self.forgets_to_rewind {
            self.at = 0;
        }
    }

    fn write(&mut self) -> file::Written {
        if self.bytes.len() == usize::from(file::CAPACITY) {
            return file::Written::Full;
        }
        self.bytes.push(0);
        file::Written::Done
    }

    fn read(&mut self) -> file::Byte {
        if self.at == self.bytes.len() {
            return file::Byte::End;
        }
        self.at += 1;
        file::Byte::Next
    }

    fn rewind(&mut self) {
        self.at = 0;
    }

    fn close(&mut self) {}
}
