use stairway::machine;

#[machine(start = Open)]
pub mod door {
    pub enum State { Open, Shut }
    pub enum Op { Push, Pull }
    fn next(s: State, op: Op) -> State { match (s, op) { (Open, Push) => Shut, (Shut, Pull) => Open } }
}

use door::*;

/// Handles are made by the machine only.
fn forged() -> Shut {
    Shut { data: data::Shut, driver: Undriven, types: Default::default() }
}

fn main() {}
