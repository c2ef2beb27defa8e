use stairway::prelude::*;

struct Account(u64);

/// Built without `cfg(test)`, this is the plain block.
struct Unchecked(u64);

#[contract]
impl Unchecked {
    #[ensures(result.0 == 1)]
    pub fn new() -> Self {
        Unchecked(2)
    }

    #[requires(nothing_here_is_compiled)]
    pub fn get(&self, #[from(0..9)] n: u64) -> u64 {
        self.0 + n
    }
}

fn main() {
    stairway::check_contracts::<Account>();
    stairway::check_contracts::<Unchecked>();
    let _ = Account(1).0 + Unchecked::new().get(1);
}
