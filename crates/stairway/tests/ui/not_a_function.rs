use stairway::prelude::*;

#[property]
struct Point {
    x: i32,
}

fn main() {}
