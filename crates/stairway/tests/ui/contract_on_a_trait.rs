use stairway::prelude::*;

struct Account(u64);

#[contract]
impl Clone for Account {
    fn clone(&self) -> Self {
        Account(self.0)
    }
}

#[contract]
fn lonely() {}

fn main() {}
