//! A file that is written, then read, then closed; behind it a real one, with a buffer.

use crate::Bug;
use stairway::prelude::*;
use std::fs::File;
use std::io::{Read, Seek, Write};

/// A file of at most three bytes.
#[machine(start = Closed)]
pub mod file {
    pub enum State {
        Closed,
        Writing { len: u8 },
        Reading { left: u8 },
        AtEnd,
    }

    pub enum Op {
        Create,
        Write { byte: u8 },
        Rewind,
        Read { ret: Got },
        Close,
    }

    pub enum Got {
        Byte,
        End,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Closed, Create) => Writing { len: 0 },
            (Writing { len }, Write { .. }) if len < 3 => Writing { len: len + 1 },
            (Writing { len }, Rewind) => Reading { left: len },
            (Reading { left }, Read { ret: Byte }) if left > 0 => Reading { left: left - 1 },
            (Reading { left: 0 }, Read { ret: End }) => AtEnd,
            (Writing { .. } | Reading { .. } | AtEnd, Close) => Closed,
        }
    }
}

temporal! {
    /// What is opened is closed, in however many steps.
    pub is_closed in file: leads_to(at(Writing { .. }), at(Closed))
}
temporal! { pub soon_closed in file: always(implies(at(Writing { .. }), within(auto, at(Closed)))) }
temporal! { pub reads_what_was_written in file: always(implies(at(Writing { len: 0 }), not(next(after(Read { .. }))))) }

/// A file on the disk. Bytes go there two at a time.
#[derive(Debug)]
pub struct Disk {
    file: Option<File>,
    buffer: Vec<u8>,
    bug: Bug,
}

impl Disk {
    #[must_use]
    pub fn new(bug: Bug) -> Disk {
        Disk { file: None, buffer: Vec::new(), bug }
    }

    fn file(&mut self) -> &mut File {
        self.file.as_mut().expect("the machine calls this with an open file only")
    }

    fn flush(&mut self) {
        let bytes = std::mem::take(&mut self.buffer);
        self.file().write_all(&bytes).expect("a temporary file can be written");
    }
}

impl file::Driver for Disk {
    fn create(&mut self) {
        self.file = Some(tempfile::tempfile().expect("a temporary file can be made"));
    }

    fn write(&mut self, byte: u8) {
        self.buffer.push(byte);
        if self.buffer.len() == 2 {
            self.flush();
        }
    }

    fn rewind(&mut self) {
        // The planted bug: what is in the buffer stays there.
        if self.bug == Bug::None {
            self.flush();
        }
        self.file().rewind().expect("a file can be read from its beginning");
    }

    fn read(&mut self) -> file::Got {
        let mut byte = [0];
        match self.file().read(&mut byte).expect("a file can be read") {
            0 => file::Got::End,
            _ => file::Got::Byte,
        }
    }

    fn close(&mut self) {
        self.buffer.clear();
        self.file = None;
    }
}
