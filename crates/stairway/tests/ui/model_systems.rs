use stairway::prelude::*;

struct System;
impl System {
    fn push(&mut self, _v: u8) -> bool {
        true
    }
    fn size(&self) -> usize {
        0
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
    fn size(&self) -> i32 {
        0
    }
    #[op]
    fn missing(&self) {}
    #[op(call = ())]
    fn odd_generator(&self, #[from(0..3u8)] v: i32) {
        let _ = v;
    }
}

fn main() {}
