//! Generators from types that implement `arbitrary::Arbitrary`, as fuzz targets do.
//!
//! Bytes are drawn as a collection, and the type reads what it needs from them. Shrinking works on the bytes,
//! fewer and lower ones first, which most implementations turn into shorter collections and smaller numbers.
//! This file does not know what the bytes mean: a number of several bytes ends with as few of them above 0 as
//! can be, not at its smallest value. A generator of Stairway's own shrinks better and is worth it for types
//! that many tests use.

use arbitrary::{Arbitrary, Unstructured};
use stairway_engine::{Checked, Discard, Draw, Generate, Stop, bytes};
use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

/// Values of a type that implements `arbitrary::Arbitrary`. Where it cannot make one of the
/// bytes it is given the case is discarded.
///
/// ```
/// use stairway::generate::{Choices, Prng, Source, from_arbitrary};
/// use stairway::Draw;
/// #[derive(arbitrary::Arbitrary)]
/// struct Pixel { x: u16, y: u16 }
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let pixel: Pixel = choices.draw(from_arbitrary()).unwrap();
/// assert!(u32::from(pixel.x) + u32::from(pixel.y) < 200_000);
/// ```
#[must_use]
#[track_caller]
pub fn from_arbitrary<T: for<'a> Arbitrary<'a>>() -> FromArbitrary<T> {
    FromArbitrary { at: Location::caller(), of: PhantomData }
}

/// See [`from_arbitrary`].
pub struct FromArbitrary<T> {
    at: &'static Location<'static>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for FromArbitrary<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FromArbitrary<T> {}

impl<T> fmt::Debug for FromArbitrary<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from_arbitrary::<{}>()", type_name::<T>())
    }
}

/// How many bytes more than it needs a type is given, if it says no other number.
const UNBOUNDED: usize = 256;
/// How many bytes a type is given at most.
const MOST: usize = 1 << 16;

impl<T: for<'a> Arbitrary<'a>> Generate for FromArbitrary<T> {
    type Value = T;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        let (least, most) = T::size_hint(0);
        let least = least.min(MOST);
        let most = most.unwrap_or(least + UNBOUNDED).clamp(least, MOST);
        let drawn = choices.draw(bytes(least..=most))?;
        T::arbitrary_take_rest(Unstructured::new(&drawn))
            .map_err(|_unusable| Stop::discard(Discard::Filter(self.at.into())))
    }
}
