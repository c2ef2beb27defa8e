use stairway::prelude::*;

struct Account(u64);

#[contract]
impl Account {
    #[requires(old(self.0) > amount)]
    pub fn withdraw(&mut self, amount: u64) {
        self.0 -= amount;
    }

    #[postcondition(self.0 > 0)]
    #[ensures]
    pub fn deposit(&mut self, amount: u64) {
        self.0 += amount;
    }

    #[ensures(*result > 0)]
    pub async fn wait(&self) -> u64 {
        self.0
    }

    #[invariant]
    fn sane(&self, most: u64) -> bool {
        self.0 <= most
    }
}

fn main() {}
