//! Messages in a ring of bytes: one side writes, the other reads, neither trusts the other.
//!
//! Each keeps its own count of what it has done and takes of the other's only what is possible. A message may
//! be longer than the ring: it goes over in pieces.

use super::memory::{Memory, RING, Side};

/// What is in the ring was not written by a [`Writer`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken;

/// What stands before each message: its length, its number and its checksum.
const HEAD: usize = 24;
/// The longest message; a length beyond it was not written here.
const LONGEST: u64 = 1 << 30;

/// Writes to a side.
#[derive(Debug)]
pub(super) struct Writer {
    to: Side,
    n_written: u64,
    n_messages: u64,
}

impl Writer {
    pub(super) const fn to(to: Side) -> Writer {
        Writer { to, n_written: 0, n_messages: 0 }
    }

    /// The bytes that go over for a message.
    pub(super) fn frame(&mut self, message: &[u8]) -> Vec<u8> {
        let (len, number) = (message.len() as u64, self.n_messages);
        self.n_messages += 1;
        let mut frame = Vec::with_capacity(HEAD + message.len());
        for word in [len, number, checksum(number, message)] {
            frame.extend_from_slice(&word.to_le_bytes());
        }
        frame.extend_from_slice(message);
        frame
    }

    /// Writes as much as there is room for, and says how much; `None` if the other side's count is impossible.
    pub(super) fn write(&mut self, memory: &Memory, bytes: &[u8]) -> Option<usize> {
        let (_, n_read) = memory.counts(self.to);
        let unread = usize::try_from(self.n_written.checked_sub(n_read)?).ok()?;
        let n = RING.checked_sub(unread)?.min(bytes.len());
        let at = place(self.n_written);
        let (first, second) = bytes[..n].split_at(n.min(RING - at));
        memory.put(self.to, at, first);
        memory.put(self.to, 0, second);
        if n > 0 {
            self.n_written += n as u64;
            memory.publish(self.to, self.n_written);
        }
        Some(n)
    }
}

#[cfg(test)]
impl Writer {
    /// Counts from the beginning again, as nobody should.
    pub(super) fn forget_messages(&mut self) {
        self.n_messages = 0;
    }
}

/// Reads what was written to a side.
#[derive(Debug)]
pub(super) struct Reader {
    at: Side,
    n_read: u64,
    n_messages: u64,
    /// What was read and is not a whole message yet.
    pending: Vec<u8>,
    /// How many bytes at its beginning have been handed on.
    n_done: usize,
}

impl Reader {
    pub(super) const fn at(at: Side) -> Reader {
        Reader { at, n_read: 0, n_messages: 0, pending: Vec::new(), n_done: 0 }
    }

    /// The next message, if all of it is there.
    pub(super) fn read(&mut self, memory: &Memory) -> Result<Option<Vec<u8>>, Broken> {
        if let Some(message) = self.message()? {
            return Ok(Some(message));
        }
        self.pull(memory)?;
        self.message()
    }

    /// Takes everything out of the ring.
    fn pull(&mut self, memory: &Memory) -> Result<(), Broken> {
        let (n_written, _) = memory.counts(self.at);
        let n = n_written.checked_sub(self.n_read).and_then(|n| usize::try_from(n).ok()).ok_or(Broken)?;
        if n > RING {
            return Err(Broken);
        }
        if n == 0 {
            return Ok(());
        }
        self.pending.drain(..self.n_done);
        self.n_done = 0;
        let at = place(self.n_read);
        let first = n.min(RING - at);
        memory.get(self.at, at, first, &mut self.pending);
        memory.get(self.at, 0, n - first, &mut self.pending);
        self.n_read += n as u64;
        memory.release(self.at, self.n_read);
        Ok(())
    }

    /// Takes a message from what was read.
    fn message(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        let rest = &self.pending[self.n_done..];
        let Some((head, rest)) = rest.split_at_checked(HEAD) else { return Ok(None) };
        let word =
            |k: usize| head[k * 8..][..8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let (len, number, sum) = (word(0), word(1), word(2));
        if len > LONGEST || number != self.n_messages {
            return Err(Broken);
        }
        let Some(message) = rest.get(..len as usize) else { return Ok(None) };
        if checksum(number, message) != sum {
            return Err(Broken);
        }
        let message = message.to_vec();
        self.n_messages += 1;
        self.n_done += HEAD + message.len();
        Ok(Some(message))
    }
}

/// Where in its ring a byte lies.
const fn place(count: u64) -> usize {
    (count % RING as u64) as usize
}

/// Mixes all bytes of a message: not against an enemy, but any stray write changes it.
fn checksum(number: u64, message: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(ODD);
    let mut words = message.chunks_exact(8);
    let mut sum = mix(number ^ ODD, message.len() as u64);
    for word in &mut words {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(word);
        sum = mix(sum, u64::from_le_bytes(bytes));
    }
    for byte in words.remainder() {
        sum = mix(sum, u64::from(*byte));
    }
    sum ^ sum >> 29
}
