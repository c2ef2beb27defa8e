use stairway::prelude::*;

#[contract(of = Vec<u8>)]
trait Bytes {
    #[requires(self.pop().is_some())]
    fn push(&mut self, v: u8);
    fn clear(&mut self);
}

fn main() {}
