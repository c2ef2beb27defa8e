//! Ways to get a handle that are not the machine's.
use stairway::machine;

#[machine(start = Closed)]
pub mod file {
    pub enum State { Closed, Open { at: u8 } }
    pub enum Op { Open, Read { n: u8 }, Close }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Closed, Op::Open) => State::Open { at: 0 },
            (State::Open { at }, Read { n }) if n < 5 && at < 10 => State::Open { at: at + n },
            (State::Open { .. }, Close) => Closed,
        }
    }
}

fn by_default() -> file::Open {
    Default::default()
}

fn from_a_state() -> file::Open {
    file::State::Open { at: 1 }.into()
}

fn main() {}
