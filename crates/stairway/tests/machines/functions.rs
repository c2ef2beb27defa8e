//! Properties of `const fn`s, checked by the compiler and again by the engine.

use stairway::prelude::*;

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

const fn apply(sign: Sign, x: i32) -> i32 {
    match sign {
        Sign::Plus => x,
        Sign::Minus => x.wrapping_neg(),
    }
}

const fn sum(xs: &[u8]) -> u32 {
    let (mut sum, mut i) = (0, 0);
    while i < xs.len() {
        sum += xs[i] as u32;
        i += 1;
    }
    sum
}

const_property! { signs_cancel(sign: Sign in [Sign::Plus, Sign::Minus], x: i32): apply(sign, apply(sign, x)) == x }
const_property! {
    /// Arrays as long as a number drawn before.
    sums_are_bounded(n: usize in 0..=6, xs: [u8; n]): sum(xs) <= 255 * n as u32
}
const_property! { tuples(pair: (u8, bool), fixed: [i8; 3]): pair.0 as u32 + fixed.len() as u32 >= 3 }
const_property! { halves(x: u16) if x % 2 == 0: x / 2 * 2 == x }
const_property! { commutes(a: u32, b: u32), random(50), seed(7): a.wrapping_add(b) == b.wrapping_add(a) }
