//! A first model: the simplest code that answers what `Thing` must answer. Stairway draws sequences of calls,
//! makes them on both, and shows the shortest sequence for which the answers differ.

use stairway::prelude::*;

/// A stand-in for the type under test: delete it, and write `use your_crate::Thing;`.
#[derive(Debug, Default)]
pub struct Thing {
    values: Vec<u8>,
}

impl Thing {
    pub fn push(&mut self, value: u8) {
        self.values.push(value);
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.values.pop()
    }
}

/// The model. It may be slow and simple.
#[derive(Debug)]
struct ThingModel(Vec<u8>);

#[model(system = Thing)]
impl ThingModel {
    /// The model and the system at the start. If this had parameters, they would be drawn.
    #[start]
    fn new() -> (ThingModel, Thing) {
        (ThingModel(Vec::new()), Thing::default())
    }

    /// One `#[op]` for each method of `Thing`, with the same name and arguments: what it returns is what
    /// `Thing` must return.
    #[op]
    fn push(&mut self, value: u8) {
        self.0.push(value);
    }

    #[op]
    fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }

    /// A demand: this must become true in at least a tenth of the programs, or the run fails.
    #[cover(10.0)]
    fn holds_several(&self) -> bool {
        self.0.len() > 2
    }
}

#[test]
fn thing_does_what_the_model_says() {
    ThingModel::check();
}
