//! A model keeps its answer until the system's is there.
use stairway::prelude::*;

struct Words(Vec<String>);

#[model(system = Vec<String>)]
impl Words {
    #[start]
    fn new() -> (Words, Vec<String>) {
        (Words(Vec::new()), Vec::new())
    }
    #[op]
    fn first(&self) -> Option<&String> {
        self.0.first()
    }
    #[op]
    fn join(&self) -> Option<&'static str> {
        None
    }
}

fn main() {}
