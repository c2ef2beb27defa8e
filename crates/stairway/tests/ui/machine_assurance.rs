//! Properties that hold and are not proved: a warning says why, here an error.
#![deny(deprecated)]

use stairway::prelude::*;

/// More states than are explored.
#[machine(start = Up { n: 0 })]
pub mod counter {
    pub enum State { Up { n: u32 } }
    pub enum Op { Inc }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (Up { n }, Inc) => Up { n: n.wrapping_add(1) } }
    }
}

/// More arguments than are tried.
#[machine(start = Idle)]
pub mod window {
    pub enum State { Idle, Sent { n: u8 } }
    pub enum Op { Send { first: u32, last: u32, tag: u16 }, Ack }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Idle, Send { first, last, tag: 1.. }) => Sent { n: (last.wrapping_sub(first) % 4) as u8 },
            (Sent { .. }, Ack) => Idle,
        }
    }
}

temporal! { counts in counter: always(at(Up { .. })) }
temporal! { few in window: always(not(at(Sent { n: 4.. }))) }
temporal! { accepted in window, sampled: always(not(at(Sent { n: 4.. }))) }
// Only the formula does more than to compare.
temporal! { odd in window, sampled: always(not(after(Send { tag, .. } if tag % 3 == 7))) }

fn main() {}
