//! The protocol between AFL++ and a target: who says what, through which descriptor, in which memory.
//!
//! A target says what it can do, and then answers for each input: a process number, and how it ended. This
//! target is one process for all inputs; what it runs them in is not known here. The libFuzzer driver speaks
//! the same protocol.

use stairway_sandbox::Segment;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};

/// Names the memory in which the branches are that an input has taken.
const MAP: &str = "__AFL_SHM_ID";
/// Names the memory in which inputs come: their length, and the bytes.
const INPUT: &str = "__AFL_SHM_FUZZ_ID";
/// Where AFL++ says that there is an input.
const CONTROL: &str = "/proc/self/fd/198";
/// Where it is answered.
const STATUS: &str = "/proc/self/fd/199";

/// The words of `include/types.h` of AFL++: there are options; the map has a size; inputs come through memory.
const HAS_OPTIONS: u32 = 0x8000_0001;
const HAS_MAP_SIZE: u32 = 0x4000_0000;
const SHARES_INPUT: u32 = 0x0100_0000;

/// How many branches the map has room for.
pub(super) const MAP_SIZE: usize = 1 << 16;

/// How a process ends that calls `abort`, as `wait` has it.
const ABORTED: u32 = 6;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Returned,
    Aborted,
}

/// The target's end.
#[derive(Debug)]
pub(super) struct ForkServer {
    control: File,
    status: File,
    map: Segment,
    input: Segment,
}

/// Whether this process was started by a fuzzer as its target.
pub(super) fn is_target() -> bool {
    std::env::var_os(MAP).is_some()
}

impl ForkServer {
    /// Takes up what the fuzzer has prepared.
    pub(super) fn connect() -> io::Result<ForkServer> {
        let segment = |variable: &str| {
            let number = std::env::var(variable).ok().and_then(|text| text.parse().ok());
            let why =
                || io::Error::other(format!("{variable} names no memory: AFL++ 3.0 or later is needed"));
            Segment::attach(number.ok_or_else(why)?)
        };
        let map = segment(MAP)?;
        if map.bytes().len() < MAP_SIZE {
            return Err(io::Error::other("its map is too small; unset AFL_MAP_SIZE"));
        }
        let control = File::open(CONTROL)?;
        let status = OpenOptions::new().write(true).open(STATUS)?;
        Ok(ForkServer { control, status, map, input: segment(INPUT)? })
    }

    /// Runs every input that comes, until the fuzzer is gone. `run` leaves the branches in the map, which
    /// comes empty.
    pub(super) fn serve(mut self, mut run: impl FnMut(&[u8], &mut [u8]) -> End) -> io::Result<()> {
        let size = ((MAP_SIZE - 1) as u32) << 1;
        self.tell(HAS_OPTIONS | HAS_MAP_SIZE | SHARES_INPUT | size)?;
        // It says what it has understood; all that matters is sent with each input.
        self.hear()?;
        while self.hear()?.is_some() {
            self.tell(process_number())?;
            let end = run(input_in(self.input.bytes()), &mut self.map.bytes_mut()[..MAP_SIZE]);
            self.tell(if end == End::Aborted { ABORTED } else { 0 })?;
        }
        Ok(())
    }

    fn tell(&mut self, word: u32) -> io::Result<()> {
        self.status.write_all(&word.to_ne_bytes())
    }

    /// The next word; nothing if the fuzzer is gone.
    fn hear(&mut self) -> io::Result<Option<u32>> {
        let mut word = [0; 4];
        match self.control.read_exact(&mut word) {
            Ok(()) => Ok(Some(u32::from_ne_bytes(word))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The input in shared memory, which begins with its length.
fn input_in(memory: &[u8]) -> &[u8] {
    let Some((length, bytes)) = memory.split_first_chunk() else { return &[] };
    let length = u32::from_ne_bytes(*length) as usize;
    &bytes[..length.min(bytes.len())]
}

#[allow(
    clippy::disallowed_methods,
    reason = "the fuzzer ends this process by its number; nothing depends on it"
)]
fn process_number() -> u32 {
    std::process::id()
}

#[cfg(test)]
mod tests {
    use super::input_in;

    #[test]
    fn an_input_ends_with_the_memory_it_is_in() {
        let memory = |length: u32| [&length.to_ne_bytes()[..], b"abc"].concat();
        assert_eq!(input_in(&memory(2)), b"ab");
        assert_eq!(input_in(&memory(3)), b"abc");
        assert_eq!(input_in(&memory(u32::MAX)), b"abc");
        assert_eq!(input_in(&[1, 2]), b"");
    }
}
