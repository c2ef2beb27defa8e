//! What a sequence did, so that it can be done again: with other garbage in fresh memory, without its last
//! call, or with another function in place of one.
//!
//! Keeps the memory that was made, the arguments and the outcomes in order. An address is kept as where it
//! came from, because it may differ in the next run. Running is left to `again`.

use super::play::PlayedCall;
use crate::machine::Pc;

/// A sequence, event by event.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// What happened, in order.
    pub(super) events: Vec<Event>,
    bytes: Vec<u8>,
    patches: Vec<Patch>,
    n_allocations: u32,
    /// What functions without a body did.
    played: Vec<PlayedCall>,
    /// How many calls there are among the events.
    pub(super) n_calls: u32,
    /// Whether a call read uninitialised bytes.
    pub(super) has_reads: bool,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// Memory was made for an argument.
    Allocate { size: u64 },
    /// It was filled, from this byte on.
    Write { allocation: u32, at: u64, bytes: Bytes },
    /// A global was filled, from this address on.
    Global { address: u64, bytes: Bytes },
    /// A callback was made up.
    Answers { slot: usize, bytes: Bytes },
    /// A function was called and returned.
    Call(Call),
    /// A pointer to memory that was made is a variable now.
    Hold { allocation: u32 },
}

/// A call that returned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// Which function.
    pub(super) op: usize,
    /// Its arguments.
    pub(super) arguments: Bytes,
    /// What it returned.
    pub(super) result: Bytes,
    /// A hash of the basic blocks that ran.
    pub(super) flow: u64,
    /// The first read of uninitialised bytes, and where if that is known.
    pub(super) read: Option<Option<Pc>>,
    /// What could be seen of its effects, where that is compared.
    pub(super) effects: Bytes,
    /// Whether the result is a variable now.
    pub(super) is_kept: bool,
    /// Which of its allocations fails; 0 for none.
    pub(super) failing: u64,
    /// What was played in it: from which place in the log on, and how many.
    pub(super) played: (usize, usize),
}

impl Call {
    /// Grows from call to call.
    pub(super) fn arguments_start(&self) -> usize {
        self.arguments.start
    }
}

/// Bytes in the log, and which of them are addresses of something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes {
    start: usize,
    end: usize,
    first_patch: usize,
    last_patch: usize,
}

/// Bytes that depend on where things are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// From which byte on.
    pub(super) at: usize,
    /// How many.
    pub(super) size: usize,
    /// What they are.
    pub(super) source: Source,
}

/// Where an address comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// Memory that was made: the how manieth.
    Allocation(u32),
    /// The same, and how many bytes into it.
    Inside { allocation: u32, offset: u64 },
    /// A variable: the how manieth, and the way from it.
    Variable { index: usize, is_through: bool, offset: u64, is_address: bool },
}

/// A moment to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    n_events: usize,
    n_allocations: u32,
}

impl Log {
    /// Now.
    pub(super) fn mark(&self) -> Mark {
        Mark { n_events: self.events.len(), n_allocations: self.n_allocations }
    }

    /// Forgets what happened since; no call did.
    pub(super) fn cut(&mut self, mark: Mark) {
        self.events.truncate(mark.n_events);
        self.n_allocations = mark.n_allocations;
    }

    /// Memory was made; the answer is its number.
    pub(super) fn allocated(&mut self, size: u64) -> u32 {
        self.events.push(Event::Allocate { size });
        self.n_allocations += 1;
        self.n_allocations - 1
    }

    /// Memory that was made was filled.
    pub(super) fn wrote(&mut self, allocation: u32, contents: &[u8], patches: impl Iterator<Item = Patch>) {
        self.wrote_at(allocation, 0, contents, patches);
    }

    /// A part of memory that was made was filled.
    pub(super) fn wrote_at(
        &mut self,
        allocation: u32,
        at: u64,
        contents: &[u8],
        patches: impl Iterator<Item = Patch>,
    ) {
        let bytes = self.keep(contents, patches);
        self.events.push(Event::Write { allocation, at, bytes });
    }

    /// A global was filled.
    pub(super) fn wrote_global(
        &mut self,
        address: u64,
        contents: &[u8],
        patches: impl Iterator<Item = Patch>,
    ) {
        let bytes = self.keep(contents, patches);
        self.events.push(Event::Global { address, bytes });
    }

    /// A callback answers these values from now on.
    pub(super) fn answers(&mut self, slot: usize, bytes: Bytes) {
        self.events.push(Event::Answers { slot, bytes });
    }

    /// Later calls may be passed memory that was made.
    pub(super) fn held(&mut self, allocation: u32) {
        self.events.push(Event::Hold { allocation });
    }

    /// A function was called.
    pub(super) fn called(&mut self, call: Call) {
        self.n_calls += 1;
        self.has_reads |= call.read.is_some();
        self.events.push(Event::Call(call));
    }

    /// Keeps bytes.
    pub(super) fn keep(&mut self, contents: &[u8], patches: impl Iterator<Item = Patch>) -> Bytes {
        let (start, first_patch) = (self.bytes.len(), self.patches.len());
        self.bytes.extend_from_slice(contents);
        self.patches.extend(patches);
        Bytes { start, end: self.bytes.len(), first_patch, last_patch: self.patches.len() }
    }

    /// Keeps what was played in a call.
    pub(super) fn keep_played(&mut self, played: Vec<PlayedCall>) -> (usize, usize) {
        let (first, n) = (self.played.len(), played.len());
        self.played.extend(played);
        (first, n)
    }

    /// What was played in a call.
    pub(super) fn played(&self, call: &Call) -> &[PlayedCall] {
        &self.played[call.played.0..call.played.0 + call.played.1]
    }

    /// Whether a text is in what was drawn, or returned.
    pub(super) fn holds(&self, text: &[u8]) -> bool {
        !text.is_empty() && self.bytes.windows(text.len()).any(|window| window == text)
    }

    /// Whether all names of a path are in what was drawn, or returned; of the root, whether a `/` is. Paths come
    /// here without doubled slashes and the like, so the path as a whole may not be.
    pub(super) fn holds_path(&self, path: &[u8]) -> bool {
        let mut names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).peekable();
        match names.peek() {
            None => self.holds(path),
            Some(_) => names.all(|name| self.holds(name)),
        }
    }

    /// Kept bytes.
    pub(super) fn bytes(&self, bytes: Bytes) -> &[u8] {
        &self.bytes[bytes.start..bytes.end]
    }

    /// What of them depends on where things are.
    pub(super) fn patches(&self, bytes: Bytes) -> &[Patch] {
        &self.patches[bytes.first_patch..bytes.last_patch]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_drawn_names_is_known_however_it_was_spelled() {
        let mut log = Log::default();
        assert!(!log.holds_path(b"/") && !log.holds_path(b"data/words"));
        log.keep(b"//x/./yy\0", std::iter::empty());
        assert!(log.holds_path(b"/x/yy") && log.holds_path(b"yy") && log.holds_path(b"/"));
        assert!(!log.holds_path(b"/x/data") && !log.holds_path(b"/etc"));
    }
}
