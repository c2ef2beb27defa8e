//! Laws that are not quite right.

use stairway::prelude::*;

pub struct Queue;

impl Queue {
    pub fn add(&mut self, _: i32) {}
    pub fn front(&self) -> Option<i32> {
        None
    }
}

laws! {
    system Queue = Queue;
    op add(n: i32);
    op front() -> Option<i32>;

    one_sided(m: i32): [add(m); x = front()] == [add(m)];
    half_a_start: start [x = front()] == [x = None];
    a_value: [None] == [];
    twice: [x = front(); x = front()] == [x = front()];
}

laws! {
    system Queue = Queue;
    op front() -> Option<i32>;

    another_type: [x = front()] == [x = 3];
    unknown_operation: [pop()] == [];
}

fn main() {}
