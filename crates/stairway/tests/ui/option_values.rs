use stairway::prelude::*;

#[property(cases)]
fn without_a_value(_a: u8) {}

#[property(seed = )]
fn with_half_a_value(_a: u8) {}

#[property(cases = "many", isolate = true, executor = 5)]
fn with_other_values(_a: u8) {}

#[property(cases = 10, cases = 20)]
fn given_twice(_a: u8) {}

#[property(1000)]
fn without_a_name(_a: u8) {}

fn main() {}
