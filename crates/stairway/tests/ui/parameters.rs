use stairway::prelude::*;

#[property]
fn patterns((a, b): (u8, u8)) {
    assert_eq!(a, b);
}

#[property]
fn generators(#[from] a: u8, #[from(0..3, 4..5)] b: u8) {
    assert_eq!(a, b);
}

#[property]
fn lifetimes(a: &'static str, b: impl Copy) {
    let _ = (a, b);
}

#[property]
fn two_cases(one: &mut Case<'_>, two: &mut Case<'_>) {
    let _ = (one, two);
}

fn main() {}
