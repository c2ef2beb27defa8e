use stairway::prelude::*;

struct Size;
struct System;
impl System {
    fn push(&mut self, _v: u8) -> bool {
        true
    }
    fn size(&self) -> Size {
        Size
    }
}

struct Wrong;
#[model(system = System)]
impl Wrong {
    #[start]
    fn new() -> (Self, System) {
        (Wrong, System)
    }
    #[op]
    fn push(&mut self, v: i32) -> bool {
        v > 0
    }
    #[op]
    fn size(&self) -> Size {
        Size
    }
    #[op]
    fn missing(&self) {}
}

fn main() {}
