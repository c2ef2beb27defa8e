//! What a ring buffer must do, in the plainest Rust.
//!
//! Receives operations, hands on their answers. It knows nothing of C.

use stairway::{Arbitrary, ToSource};
use std::collections::VecDeque;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Arbitrary, ToSource)]
pub enum Op {
    /// Appends a byte.
    #[weight(4)]
    Push(u8),
    /// Takes the oldest byte.
    #[weight(3)]
    Pop,
    /// Empties the buffer, which then has another capacity.
    Reset(#[from(1..4u32)] u32),
}

/// What an operation answers: whether it was done, and a byte.
pub type Answer = (bool, Option<u8>);

/// The answers of a ring buffer with this capacity.
#[must_use]
pub fn answers(mut capacity: u32, ops: &[Op]) -> Vec<Answer> {
    let mut bytes = VecDeque::new();
    let one = |op: &Op| match op {
        Op::Push(byte) => {
            let has_room = bytes.len() < capacity as usize;
            if has_room {
                bytes.push_back(*byte);
            }
            (has_room, None)
        }
        Op::Pop => {
            let byte = bytes.pop_front();
            (byte.is_some(), byte)
        }
        Op::Reset(other) => {
            bytes.clear();
            capacity = *other;
            (true, None)
        }
    };
    ops.iter().map(one).collect()
}
