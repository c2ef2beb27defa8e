use stairway::prelude::*;

struct System;

struct NoStart;
#[model(system = System)]
impl NoStart {
    #[op]
    fn go(&mut self) {}
}

struct TwoStarts;
#[model(system = System)]
impl TwoStarts {
    #[start]
    fn one() -> (Self, System) {
        (TwoStarts, System)
    }
    #[start]
    fn two() -> (Self, System) {
        (TwoStarts, System)
    }
    #[op]
    fn go(&mut self) {}
}

struct NoOp;
#[model(system = System)]
impl NoOp {
    #[start]
    fn new() -> (Self, System) {
        (NoOp, System)
    }
}

struct NoSystem;
#[model]
impl NoSystem {
    #[start]
    fn new() -> (Self, System) {
        (NoSystem, System)
    }
    #[op]
    fn go(&mut self) {}
}

struct UnknownOption;
#[model(system = System, stuck)]
impl UnknownOption {
    #[start]
    fn new() -> (Self, System) {
        (UnknownOption, System)
    }
    #[op]
    fn go(&mut self) {}
}

#[model(system = System)]
impl Clone for NoOp {
    fn clone(&self) -> Self {
        NoOp
    }
}

#[model(system = System)]
struct NotABlock;

struct Seeing(Vec<u8>);

#[model(system = Vec<u8>)]
impl Seeing {
    #[start]
    fn new(#[from(0..=self.0.len())] n: usize) -> (Seeing, Vec<u8>) {
        (Seeing(Vec::new()), Vec::new())
    }
    #[op]
    fn len(&self) -> usize {
        0
    }
}

fn main() {}
