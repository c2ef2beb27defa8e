use stairway::prelude::*;

#[derive(Arbitrary)]
union Bits {
    int: u32,
    float: f32,
}

#[derive(Arbitrary)]
enum Never {}

#[derive(Arbitrary)]
enum Weightless {
    #[weight(0)]
    A,
    #[weight(0)]
    B,
}

#[derive(Arbitrary)]
enum Weighed {
    #[weight("heavy")]
    A,
    B,
}

#[derive(Arbitrary)]
#[weight(3)]
struct Misplaced {
    #[from()]
    x: u8,
}

fn main() {}
