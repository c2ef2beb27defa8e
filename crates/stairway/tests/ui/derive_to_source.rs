use stairway::prelude::*;

#[derive(ToSource)]
union Bits {
    int: u32,
    float: f32,
}

fn main() {}
