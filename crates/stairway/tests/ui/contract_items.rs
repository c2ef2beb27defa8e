use stairway::prelude::*;

#[contract]
fn lonely() {}

fn main() {}
