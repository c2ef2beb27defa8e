//! One mistake is one error: what is made of a block is there for the tests that name it.
use stairway::prelude::*;

struct Fifo(Vec<u8>);

#[model(system = Vec<u8>)]
impl Fifo {
    #[start]
    fn new() -> (Fifo, Vec<u8>) {
        (Fifo(Vec::new()), Vec::new())
    }
    #[op(wait = 3)]
    fn push(&mut self, v: u8) {
        self.0.push(v);
    }
}

fn model_is_checked() {
    Fifo::check();
    Fifo::checker().cases(10).run();
}

laws! { Fifo:
    pushes(v: u8): [push(v)] == [push(v)];
}

#[contract(of = std::collections::VecDeque<u8>)]
trait Deque {
    #[requires]
    fn push_back(&mut self, v: u8);
}

#[contract]
mod numbers {
    #[ensures]
    pub fn half(n: u8) -> u8 {
        n / 2
    }
}

fn contracts_are_checked() {
    stairway::check_contracts::<Deque>();
    assert_eq!(numbers::half(4), 2);
}

fn main() {}
