//! What the compiler suggests where `?` is used in a property that returns nothing can be pasted.

use stairway::prelude::*;

#[property]
pub fn parses(x: u8) {
    let y: u8 = x.to_string().parse()?;
    assert_eq!(x, y);
}

#[property]
pub fn divides(x: u8, y: u8) {
    let z = x.checked_div(y)?;
    assert!(z <= x);
}

fn main() {}
