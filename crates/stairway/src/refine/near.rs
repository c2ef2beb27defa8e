//! Numbers that need not be equal: `near(1e-3)`.
//!
//! Makes a relation for `relate` of a tolerance. How far apart two outcomes are is kept by the thread until
//! the comparison is judged, so that a report can show it.

use std::cell::Cell;

thread_local! {
    /// How far apart the outcomes were that were compared last, and how far they may be.
    static APART: Cell<Option<(f64, f64)>> = const { Cell::new(None) };
}

/// Outcomes that are compared number by number.
pub trait Near<R: ?Sized = Self> {
    /// The largest difference between two numbers in the same place; infinite if anything else differs.
    fn difference(&self, other: &R) -> f64;
}

macro_rules! near_number {
    ($($number:ty),*) => {$(
        impl Near for $number {
            fn difference(&self, other: &Self) -> f64 {
                let (one, other) = (f64::from(*self), f64::from(*other));
                if one == other || one.is_nan() && other.is_nan() { 0.0 } else { (one - other).abs() }
            }
        }
    )*};
}
near_number!(f32, f64);

macro_rules! near_exactly {
    ($($ty:ty),*) => {$(
        impl Near for $ty {
            fn difference(&self, other: &Self) -> f64 {
                exactly(self == other)
            }
        }
    )*};
}
near_exactly!(bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, str, String, ());

const fn exactly(is_equal: bool) -> f64 {
    if is_equal { 0.0 } else { f64::INFINITY }
}

/// The larger of two differences; one that is not a number is the largest.
fn larger(one: f64, other: f64) -> f64 {
    if one.is_nan() || other.is_nan() { f64::INFINITY } else { one.max(other) }
}

impl<A: Near<B>, B> Near<[B]> for [A] {
    fn difference(&self, other: &[B]) -> f64 {
        let all = self.iter().zip(other).map(|(one, other)| one.difference(other));
        all.fold(exactly(self.len() == other.len()), larger)
    }
}

impl<A: Near<B>, B> Near<Vec<B>> for Vec<A> {
    fn difference(&self, other: &Vec<B>) -> f64 {
        self[..].difference(&other[..])
    }
}

impl<A: Near<B>, B, const N: usize> Near<[B; N]> for [A; N] {
    fn difference(&self, other: &[B; N]) -> f64 {
        self[..].difference(&other[..])
    }
}

impl<A: Near<B>, B> Near<Option<B>> for Option<A> {
    fn difference(&self, other: &Option<B>) -> f64 {
        match (self, other) {
            (Some(one), Some(other)) => one.difference(other),
            (one, other) => exactly(one.is_none() && other.is_none()),
        }
    }
}

impl<A: Near<B>, B, E: PartialEq<F>, F> Near<Result<B, F>> for Result<A, E> {
    fn difference(&self, other: &Result<B, F>) -> f64 {
        match (self, other) {
            (Ok(one), Ok(other)) => one.difference(other),
            (Err(one), Err(other)) => exactly(one == other),
            _ => f64::INFINITY,
        }
    }
}

impl<A: Near<C>, B: Near<D>, C, D> Near<(C, D)> for (A, B) {
    fn difference(&self, other: &(C, D)) -> f64 {
        larger(self.0.difference(&other.0), self.1.difference(&other.1))
    }
}

impl<A: Near<D>, B: Near<E>, C: Near<F>, D, E, F> Near<(D, E, F)> for (A, B, C) {
    fn difference(&self, other: &(D, E, F)) -> f64 {
        let first = larger(self.0.difference(&other.0), self.1.difference(&other.1));
        larger(first, self.2.difference(&other.2))
    }
}

/// A relation between outcomes whose numbers differ by at most `tolerance`; everything else in them is equal.
///
/// ```
/// use stairway::prelude::*;
/// use stairway::near;
///
/// refinement! {
///     /// The fast root is good to three places.
///     fast_root(#[from(0.0..1000.0)] x: f64) {
///         spec   => x.sqrt(),
///         real   => (1.0 + x).sqrt() - 1.0 / (2.0 * (1.0 + x).sqrt()) - 1.0 / (8.0 * (1.0 + x).powf(1.5)),
///         relate => near(1.0),
///     }
/// }
/// ```
pub fn near<T: Near<C> + ?Sized, C: ?Sized>(tolerance: f64) -> impl Fn(&T, &C) -> bool {
    move |spec, real| {
        let apart = spec.difference(real);
        let is_near = apart <= tolerance;
        APART.set((!is_near).then_some((apart, tolerance)));
        is_near
    }
}

/// By how much the outcomes that were compared last differ too much, in words; once.
pub(super) fn too_far() -> Option<String> {
    let (apart, tolerance) = APART.take()?;
    let apart = if apart.is_finite() { format!("{apart}") } else { "more than any number".to_string() };
    Some(format!("{apart}, where {tolerance} is allowed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_in_their_places() {
        assert!(near(0.5)(&1.0, &1.5) && !near(0.4)(&1.0, &1.5));
        assert!(near(0.1)(&f64::NAN, &f64::NAN) && near(0.1)(&f64::INFINITY, &f64::INFINITY));
        assert!(!near(0.1)(&f64::NAN, &1.0) && !near(0.1)(&f64::INFINITY, &1.0));
        assert!(near(0.1)(&vec![(1, 2.0)], &vec![(1, 2.05)]) && !near(0.1)(&vec![(1, 2.0)], &vec![(2, 2.0)]));
        assert!(!near(9.0)(&vec![1.0], &vec![1.0, 1.0]) && !near(9.0)(&Some(1.0), &None));
        assert!(near(0.1)(&Err::<f32, _>("x"), &Err("x")));
    }

    #[test]
    fn the_difference_is_said_once() {
        near(0.25)(&1.0, &2.0);
        assert_eq!(too_far().as_deref(), Some("1, where 0.25 is allowed"));
        assert_eq!(too_far(), None);
    }
}
