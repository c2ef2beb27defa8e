use stairway::prelude::*;

struct Queue;

impl Queue {
    #[property]
    fn keeps_order(&self, x: i32) {
        let _ = x;
    }
}

fn main() {}
