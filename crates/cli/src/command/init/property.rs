//! A first property: a function whose arguments are drawn. It holds if it never panics.

use stairway::prelude::*;

/// A stand-in for code of yours: replace it by `use your_crate::..;`.
fn without_duplicates(mut xs: Vec<i32>) -> Vec<i32> {
    xs.sort_unstable();
    xs.dedup();
    xs
}

#[property]
fn no_value_is_lost(xs: Vec<i32>) {
    // How often interesting inputs came up is part of the test.
    cover!(5.0, xs.len() > 3, "several values");
    let ys = without_duplicates(xs.clone());
    assert!(xs.iter().all(|x| ys.contains(x)));
}
