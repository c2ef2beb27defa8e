//! First contracts: what each function of `Thing` needs and promises. Stairway makes the calls. Contracts
//! stand on the `impl` itself, so this is what your `src/` will look like, with `stairway` as an ordinary
//! dependency.

use stairway::prelude::*;

/// A stand-in for the type under test.
#[derive(Debug)]
pub struct Thing {
    level: u32,
    capacity: u32,
}

#[contract]
impl Thing {
    /// Constructors are found by their type. `#[from(..)]` says what is drawn.
    pub fn new(#[from(1..=100)] capacity: u32) -> Thing {
        Thing { level: 0, capacity }
    }

    pub fn level(&self) -> u32 {
        self.level
    }

    /// `requires`: calls for which it does not hold are not made. `ensures`: must hold afterwards; `old(..)` is
    /// a value before the call.
    #[requires(amount <= self.capacity - self.level())]
    #[ensures(self.level() == old(self.level()) + amount)]
    pub fn fill(&mut self, #[from(0..=100)] amount: u32) {
        self.level += amount;
    }

    /// `result` is a reference to what the function returns.
    #[ensures(*result == old(self.level()) && self.level() == 0)]
    pub fn empty(&mut self) -> u32 {
        std::mem::take(&mut self.level)
    }

    /// Must hold after every call.
    #[invariant]
    fn does_not_overflow(&self) -> bool {
        self.level <= self.capacity
    }
}

#[test]
fn thing_keeps_its_contracts() {
    check_contracts::<Thing>();
}
