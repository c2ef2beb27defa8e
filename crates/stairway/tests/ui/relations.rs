//! Conditions and abstractions that are not quite right.

use stairway::prelude::*;

pub struct System(u8);

impl System {
    pub fn go(&mut self) -> u8 {
        self.0
    }
}

#[derive(Clone, Debug)]
pub struct Model(u8);

#[model(system = System)]
impl Model {
    #[start]
    fn new() -> (Model, System) {
        (Model(0), System(0))
    }

    #[abstraction]
    fn of(system: &System) -> Model {
        Model(system.0)
    }

    #[op]
    #[ensures(self.0 + result == 3)]
    fn go(&mut self) {}

    #[ensures(true)]
    fn helper(&self) {}

    #[fingerprint]
    fn state(&self) -> u8 {
        0
    }
}

fn main() {}
