use stairway::prelude::*;

#[property]
const fn early(_a: u8) {}

#[property]
unsafe fn dangerous(_a: u8) {}

#[property]
extern "C" fn foreign(_a: u8) {}

#[property]
#[test]
fn twice_a_test(_a: u8) {}

#[property]
#[from(0..3)]
fn from_on_the_function(_a: u8) {}

fn main() {}
