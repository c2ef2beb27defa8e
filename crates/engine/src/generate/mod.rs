//! Generators: how a value is made from choices.
//!
//! A generator receives a stream of choices and hands back a value. It holds no randomness, no
//! size and no shrinker of its own: all three are the stream's. The sibling files each hold one
//! family; this one holds the trait and the combinators every generator has.

mod arbitrary;
mod branch;
mod collection;
mod distinct;
mod function;
#[cfg(feature = "std")]
mod hash;
mod number;
mod recursive;
mod select;
#[cfg(feature = "std")]
mod system;
mod text;
mod tuple;

#[cfg(test)]
mod testing;

pub use arbitrary::*;
pub use branch::*;
pub use collection::*;
pub use distinct::*;
pub use function::*;
#[cfg(feature = "std")]
pub use hash::*;
pub use number::*;
pub use recursive::*;
pub use select::*;
pub use text::*;

use crate::case::Case;
use crate::draw::Draw;
use crate::stop::{Checked, Discard, Stop};
use alloc::boxed::Box;
use core::any::type_name;
use core::panic::Location;
use stairway_choice::Label;

/// Makes values of one type from choices.
///
/// Implemented by ranges (`0..10`, `'a'..='z'`, `0.0..=1.0`), by tuples of generators, and by
/// what the functions of this module return. Its combinators do not share a name with those of
/// `Iterator`, because a range is both and `(0..9).map(..)` must go on to mean what it did.
///
/// ```
/// use stairway_engine::{Choices, Draw, Generate, Prng, Source};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let even = (0..50).mapped(|n| n * 2);
/// assert_eq!(choices.draw(&even).unwrap() % 2, 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    note = "generators are ranges, `any()`, `sampled_from([..])` for a list of values, `regex(\"..\")` for a pattern, \
            `just(..)` for one value, and what the functions of Stairway return"
)]
pub trait Generate {
    /// What it makes.
    type Value;

    /// Makes one value. Call it through [`Draw::draw`], which keeps the record's structure.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value>;

    /// Makes one value in a case, where it is drawn by itself and not as a part of another one: what needs
    /// more than choices overrides it.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    #[doc(hidden)]
    #[inline]
    fn generate_in(&self, case: &mut Case<'_>) -> Checked<Self::Value> {
        case.draw().draw(self)
    }

    /// Whether every value takes exactly one choice, so that it needs no span of its own.
    fn is_single(&self) -> bool {
        false
    }

    /// What kind of thing its values are: in shrinking, things of one kind may take each other's
    /// place.
    #[doc(hidden)]
    #[inline]
    fn label(&self) -> Label {
        Label::Value(type_name::<Self::Value>())
    }

    /// Makes `n` values, each as one unit, and hands them to `push`: the same choices as `n`
    /// times [`Draw::draw`]. Collections call it; what is drawn often overrides it to be fast.
    ///
    /// # Errors
    /// Ends the case when a value cannot be made.
    #[doc(hidden)]
    #[inline]
    fn generate_each(&self, n: usize, choices: &mut Draw<'_>, mut push: impl FnMut(Self::Value)) -> Checked
    where
        Self: Sized,
    {
        if !self.is_single() {
            for _ in 0..n {
                push(choices.draw(self)?);
            }
            return Ok(());
        }
        in_stretches(n, choices, |choices, n| {
            for _ in 0..n {
                push(self.generate(choices)?);
            }
            Ok(())
        })
    }

    /// Applies `f` to every value.
    fn mapped<T, F: Fn(Self::Value) -> T>(self, f: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map { inner: self, f }
    }

    /// Draws from a generator that depends on the value drawn first.
    ///
    /// ```
    /// # use stairway_engine::{Choices, Draw, Generate, Prng, Source};
    /// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
    /// let ordered = (0..10).and_then(|lo| (lo..20).mapped(move |hi| (lo, hi)));
    /// let (lo, hi) = choices.draw(&ordered).unwrap();
    /// assert!(lo <= hi);
    /// ```
    fn and_then<G: Generate, F: Fn(Self::Value) -> G>(self, f: F) -> AndThen<Self, F>
    where
        Self: Sized,
    {
        AndThen { inner: self, f }
    }

    /// Keeps the values that satisfy `keep`; after 64 failures in a row the case is discarded.
    #[track_caller]
    fn such_that<F: Fn(&Self::Value) -> bool>(self, keep: F) -> Filter<Self, F>
    where
        Self: Sized,
    {
        Filter { inner: self, keep, at: Location::caller() }
    }

    /// Hides the generator's type, so that different ones fit into one place.
    fn boxed<'g>(self) -> BoxedGenerator<'g, Self::Value>
    where
        Self: Sized + 'g,
    {
        BoxedGenerator { inner: Box::new(self) }
    }
}

impl<G: Generate + ?Sized> Generate for &G {
    type Value = G::Value;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<G::Value> {
        (**self).generate(choices)
    }
    #[inline]
    fn is_single(&self) -> bool {
        (**self).is_single()
    }
    #[inline]
    fn label(&self) -> Label {
        (**self).label()
    }
}

/// See [`Generate::mapped`].
#[derive(Clone, Copy, Debug)]
pub struct Map<G, F> {
    inner: G,
    f: F,
}

impl<G: Generate, T, F: Fn(G::Value) -> T> Generate for Map<G, F> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        Ok((self.f)(self.inner.generate(choices)?))
    }
    #[inline]
    fn is_single(&self) -> bool {
        self.inner.is_single()
    }
}

/// See [`Generate::and_then`].
#[derive(Clone, Copy, Debug)]
pub struct AndThen<G, F> {
    inner: G,
    f: F,
}

impl<G: Generate, H: Generate, F: Fn(G::Value) -> H> Generate for AndThen<G, F> {
    type Value = H::Value;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<H::Value> {
        let first = choices.draw(&self.inner)?;
        choices.draw((self.f)(first))
    }
}

/// How many single choices are drawn between two looks at whether the stream goes on.
const N_BETWEEN_LOOKS: usize = 1 << 10;

/// Draws `n` single choices, looking from time to time at whether the stream goes on: a length
/// from a fuzzer's bytes may be anything.
#[inline]
fn in_stretches<'b>(
    n: usize,
    choices: &mut Draw<'b>,
    mut draw: impl FnMut(&mut Draw<'b>, usize) -> Checked,
) -> Checked {
    let mut rest = n;
    while rest > 0 {
        let stretch = rest.min(N_BETWEEN_LOOKS);
        draw(choices, stretch)?;
        choices.still_running()?;
        rest -= stretch;
    }
    Ok(())
}

/// How often a filter tries before it gives the case up.
const FILTER_TRIES: u32 = 64;

/// See [`Generate::such_that`].
#[derive(Clone, Copy, Debug)]
pub struct Filter<G, F> {
    inner: G,
    keep: F,
    at: &'static Location<'static>,
}

impl<G: Generate, F: Fn(&G::Value) -> bool> Generate for Filter<G, F> {
    type Value = G::Value;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<G::Value> {
        let n_tries = if choices.choices().is_counting() { 1 } else { FILTER_TRIES };
        for _ in 0..n_tries {
            choices.choices().open(Label::Filtered);
            let drawn = choices.draw(&self.inner);
            if drawn.as_ref().is_ok_and(|value| !(self.keep)(value)) {
                choices.choices().close_rejected();
                continue;
            }
            choices.choices().close();
            return drawn;
        }
        Err(Stop::discard(Discard::Filter(self.at.into())))
    }
}

/// See [`Generate::boxed`].
pub struct BoxedGenerator<'g, T> {
    inner: Box<dyn Generate<Value = T> + 'g>,
}

impl<T> core::fmt::Debug for BoxedGenerator<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Boxed<{}>", type_name::<T>())
    }
}

impl<T> Generate for BoxedGenerator<'_, T> {
    type Value = T;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        self.inner.generate(choices)
    }
    fn is_single(&self) -> bool {
        self.inner.is_single()
    }
    fn label(&self) -> Label {
        self.inner.label()
    }
}

/// A generator written as code: draw what you need with [`Draw::draw`].
///
/// ```
/// use stairway_engine::{Choices, Draw, Generate, Prng, Source, compose};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let date = compose(|c| {
///     let month = c.draw(1..=12u8)?;
///     let day = c.draw(1..=if month == 2 { 28 } else { 30 })?;
///     Ok((month, day))
/// });
/// assert!(choices.draw(&date).unwrap().1 <= 30);
/// ```
pub fn compose<T, F: Fn(&mut Draw<'_>) -> Checked<T>>(f: F) -> Compose<F> {
    Compose { f }
}

/// See [`compose`].
#[derive(Clone, Copy, Debug)]
pub struct Compose<F> {
    f: F,
}

impl<T, F: Fn(&mut Draw<'_>) -> Checked<T>> Generate for Compose<F> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        (self.f)(choices)
    }
}

/// Always `value`; takes no choice.
pub fn just<T: Clone>(value: T) -> Just<T> {
    Just { value }
}

/// See [`just`].
#[derive(Clone, Copy, Debug)]
pub struct Just<T> {
    value: T,
}

impl<T: Clone> Generate for Just<T> {
    type Value = T;
    fn generate(&self, _: &mut Draw<'_>) -> Checked<T> {
        Ok(self.value.clone())
    }
}
