use stairway::prelude::*;

#[derive(Debug)]
struct Queue(Vec<u8>);

impl Queue {
    fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }
}

#[derive(Debug)]
struct Fifo(Vec<u8>);

#[model(system = Queue)]
impl Fifo {
    #[start]
    fn new() -> (Fifo, Queue) {
        (Fifo(Vec::new()), Queue(Vec::new()))
    }

    #[op(requires = self.0.pop().is_some())]
    fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }
}

fn main() {}
