use stairway::prelude::*;

refinement! {
    misspelt(n: u8) {
        spec => n,
        reel => n,
    }
}

fn main() {}
