//! The channel between a parent and its worker: shared memory that code under test cannot reach.
//!
//! The parent makes a piece of memory without a name and starts the worker with its descriptor as standard
//! input. The worker maps it, closes the descriptor, and makes the mapping inaccessible whenever code under
//! test runs: there is nothing left that a stray write, `close` or `dup2` could meet. In the memory lie two
//! rings of bytes, one each way. A message has a length, a number and a checksum; whatever does not fit them
//! is [`Received::Garbage`], which only the code under test can have caused. Who waits sleeps on a futex in
//! the same memory. That the worker has died or was stopped is learnt from the kernel by a thread of the
//! parent, which rings the same bell, so nobody waits for a worker that is gone.
//!
//! Bytes are all it knows: neither what messages mean nor what a death is worth.

mod memory;
mod process;
mod ring;

use memory::{Memory, Side};
use ring::{Reader, Writer};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use process::Watch;
pub use process::{Fate, Process, contain};

/// How long anybody sleeps before looking again: a bell that code under test has broken delays, and hangs
/// nothing.
const NAP: Duration = Duration::from_secs(1);

/// What the parent has received.
#[derive(Debug)]
pub enum Received {
    /// A message.
    Message(Vec<u8>),
    /// The worker is dead or was stopped, and everything that it had sent was received.
    Ended(Fate),
    /// Nothing came in time.
    Silence,
    /// What is in the memory was not written by this module.
    Garbage,
}

/// The parent's end.
#[derive(Debug)]
pub struct ParentEnd {
    memory: Arc<Memory>,
    writer: Writer,
    reader: Reader,
    watch: Option<Watch>,
}

impl ParentEnd {
    /// A channel, and what a worker is to be started with as its standard input.
    ///
    /// # Errors
    /// If the system has no memory to share.
    pub fn new() -> io::Result<(ParentEnd, OwnedFd)> {
        let (memory, descriptor) = Memory::create()?;
        let (writer, reader) = (Writer::to(Side::Worker), Reader::at(Side::Parent));
        Ok((ParentEnd { memory: Arc::new(memory), writer, reader, watch: None }, descriptor))
    }

    /// Learns from now on what becomes of the worker.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn watch(&mut self, worker: &Process) -> io::Result<()> {
        self.watch = Some(Watch::start(worker, &self.memory)?);
        Ok(())
    }

    /// Sends a message, as far as the worker lives and takes it within `limit`; what becomes of it otherwise
    /// is for [`receive`](ParentEnd::receive) to say.
    pub fn send(&mut self, message: &[u8], limit: Duration) {
        let end = Deadline::after(limit);
        let mut rest = self.writer.frame(message);
        loop {
            let seen = self.memory.bell(Side::Parent);
            let fate = self.fate();
            let Some(n) = self.writer.write(&self.memory, &rest) else { return };
            rest.drain(..n);
            let left = end.left();
            if rest.is_empty() || fate != Fate::Alive || left.is_zero() {
                return;
            }
            if n == 0 {
                self.memory.sleep(Side::Parent, seen, left.min(NAP));
            }
        }
    }

    /// The next message, if it comes within `limit`.
    pub fn receive(&mut self, limit: Duration) -> Received {
        let end = Deadline::after(limit);
        loop {
            let seen = self.memory.bell(Side::Parent);
            // Asked before the ring is read: what a worker sends before it dies is not lost.
            let fate = self.fate();
            match self.reader.read(&self.memory) {
                Ok(Some(message)) => return Received::Message(message),
                Ok(None) if fate != Fate::Alive => return Received::Ended(fate),
                Ok(None) => {}
                Err(ring::Broken) => return Received::Garbage,
            }
            let left = end.left();
            if left.is_zero() {
                return Received::Silence;
            }
            self.memory.sleep(Side::Parent, seen, left.min(NAP));
        }
    }

    fn fate(&self) -> Fate {
        self.watch.as_ref().map_or(Fate::Alive, Watch::fate)
    }
}

/// The worker's end.
///
/// The memory is accessible only within its functions.
#[derive(Debug)]
pub struct WorkerEnd {
    memory: Memory,
    writer: Writer,
    reader: Reader,
    parent: i32,
}

impl WorkerEnd {
    /// Takes over the channel that this process was started with. Its standard input is empty afterwards.
    ///
    /// # Errors
    /// If it was not started with one.
    pub fn join() -> io::Result<WorkerEnd> {
        let memory = Memory::inherit()?;
        memory.close();
        let (writer, reader) = (Writer::to(Side::Parent), Reader::at(Side::Worker));
        Ok(WorkerEnd { memory, writer, reader, parent: process::parent() })
    }

    /// The next message; none if the parent is gone, or the memory was written over.
    pub fn receive(&mut self) -> Option<Vec<u8>> {
        self.memory.open();
        let message = loop {
            let seen = self.memory.bell(Side::Worker);
            match self.reader.read(&self.memory) {
                Ok(Some(message)) => break Some(message),
                Ok(None) if process::parent() == self.parent => {}
                _ => break None,
            }
            self.memory.sleep(Side::Worker, seen, NAP);
        };
        self.memory.close();
        message
    }

    /// Sends a message; `None` if the parent is gone, or the memory was written over.
    pub fn send(&mut self, message: &[u8]) -> Option<()> {
        self.memory.open();
        let mut rest = self.writer.frame(message);
        let sent = loop {
            let seen = self.memory.bell(Side::Worker);
            let Some(n) = self.writer.write(&self.memory, &rest) else { break None };
            rest.drain(..n);
            if rest.is_empty() {
                break Some(());
            }
            if n == 0 {
                if process::parent() != self.parent {
                    break None;
                }
                self.memory.sleep(Side::Worker, seen, NAP);
            }
        };
        self.memory.close();
        sent
    }
}

/// When waiting is over.
struct Deadline(Option<Instant>);

impl Deadline {
    #[allow(clippy::disallowed_methods, reason = "silence can only be told by a clock")]
    fn after(limit: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(limit))
    }

    #[allow(clippy::disallowed_methods, reason = "silence can only be told by a clock")]
    fn left(&self) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests;
