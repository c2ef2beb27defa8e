use stairway::prelude::*;

struct Account(u64);

#[contract]
impl Account {
    #[requires(amount = self.0)]
    pub fn withdraw(&mut self, amount: u64) {
        self.0 -= amount;
    }

    #[ensures(old(self.0) > 0 && (self.0 -= 1))]
    pub fn deposit(&mut self, amount: u64) {
        self.0 += amount;
    }
}

struct Fifo(Vec<u8>);

#[model(system = Vec<u8>)]
impl Fifo {
    #[start]
    fn new() -> (Fifo, Vec<u8>) {
        (Fifo(Vec::new()), Vec::new())
    }
    #[op(requires = self.0 = Vec::new(), panics = v += 1)]
    fn push(&mut self, v: u8) {
        self.0.push(v);
    }
}

fn main() {}
