use stairway::prelude::*;

#[property]
#[example(1)]
fn too_few(_a: u8, _b: u8) {}

#[property]
#[example(1, 2, 3)]
fn too_many(_a: u8, _b: u8) {}

#[property]
#[example(_a = 1)]
fn one_name_is_missing(_a: u8, _b: u8) {}

#[property]
#[example(_a = 1, _c = 2)]
fn an_unknown_name(_a: u8, _b: u8) {}

#[property]
#[example(_a = 1, 2)]
fn by_name_and_by_position(_a: u8, _b: u8) {}

#[property]
#[example]
fn without_values(_a: u8, _b: u8) {}

fn main() {}
