use stairway::prelude::*;

#[property]
fn for_every_type<T: Ord>(xs: Vec<T>) {
    let _ = xs;
}

fn main() {}
