#![deny(unused_must_use)]
use stairway::machine;

#[machine(start = Open)]
pub mod door {
    pub enum State { Open, Shut }
    pub enum Op { Push, Pull }
    fn next(s: State, op: Op) -> State { match (s, op) { (Open, Push) => Shut, (Shut, Pull) => Open } }
}

use door::*;

/// The door is shut, and nobody will ever open it.
fn forgotten() {
    start().push();
}

fn main() {}
