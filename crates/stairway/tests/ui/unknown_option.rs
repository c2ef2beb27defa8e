use stairway::prelude::*;

#[property(case = 1000)]
fn addition_commutes(a: u8, b: u8) {
    assert_eq!(a.wrapping_add(b), b.wrapping_add(a));
}

fn main() {}
