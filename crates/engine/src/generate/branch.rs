//! Branching: the value comes from one of several generators.
//!
//! Generators have weights or are equally likely. Which one it is is drawn first, as one of so many
//! alternatives; then the chosen generator draws as a unit of its own. Having none to choose from is a fault
//! of the generator.

use super::Generate;
use crate::draw::Draw;
use crate::stop::Checked;
use alloc::vec::Vec;

/// Generators of one type of value to choose from: an array, a vector or a slice of one type of
/// generator, or a tuple of different ones.
pub trait Alternatives {
    /// What each of them makes.
    type Value;
    /// How many there are.
    fn n_alternatives(&self) -> usize;
    /// Draws from the one at `index`, which is below [`Alternatives::n_alternatives`].
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    fn draw_from(&self, index: usize, choices: &mut Draw<'_>) -> Checked<Self::Value>;
}

impl<G: Generate> Alternatives for [G] {
    type Value = G::Value;
    fn n_alternatives(&self) -> usize {
        self.len()
    }
    fn draw_from(&self, index: usize, choices: &mut Draw<'_>) -> Checked<G::Value> {
        choices.draw(&self[index])
    }
}

macro_rules! like_slices {
    ($([$($parameters:tt)*] $t:ty),*) => {$(
        impl<$($parameters)*> Alternatives for $t {
            type Value = G::Value;
            fn n_alternatives(&self) -> usize {
                self.len()
            }
            fn draw_from(&self, index: usize, choices: &mut Draw<'_>) -> Checked<G::Value> {
                choices.draw(&self[index])
            }
        }
    )*};
}

like_slices!([G: Generate] Vec<G>, [G: Generate] &[G], [G: Generate, const N: usize] [G; N]);

macro_rules! tuples {
    ($n:literal: $first:ident $($name:ident $index:tt)*) => {
        impl<$first: Generate $(, $name: Generate<Value = $first::Value>)*> Alternatives
            for ($first, $($name,)*)
        {
            type Value = $first::Value;
            fn n_alternatives(&self) -> usize {
                $n
            }
            fn draw_from(&self, index: usize, choices: &mut Draw<'_>) -> Checked<Self::Value> {
                match index {
                    $($index => choices.draw(&self.$index),)*
                    _ => choices.draw(&self.0),
                }
            }
        }
    };
}

tuples!(1: A);
tuples!(2: A B 1);
tuples!(3: A B 1 C 2);
tuples!(4: A B 1 C 2 D 3);
tuples!(5: A B 1 C 2 D 3 E 4);
tuples!(6: A B 1 C 2 D 3 E 4 F 5);
tuples!(7: A B 1 C 2 D 3 E 4 F 5 G 6);
tuples!(8: A B 1 C 2 D 3 E 4 F 5 G 6 H 7);

/// A value from one of `generators`, each as likely as any other; earlier ones are simpler.
///
/// ```
/// use stairway_engine::{Choices, Draw, Generate, Prng, Source, one_of, just};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let port = choices.draw(one_of((just(80u16), 1024..2048, 8000..))).unwrap();
/// assert!(port >= 80);
/// let boxed = one_of([just(1).boxed(), (5..9).boxed()]);
/// assert!(choices.draw(&boxed).unwrap() < 9);
/// ```
pub fn one_of<A: Alternatives>(generators: A) -> OneOf<A> {
    OneOf { generators }
}

/// A value from `a` or from `b`, which is less simple.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, either, just};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(either(just(-1), 1..9)).unwrap() != 0);
/// ```
pub fn either<A: Generate, B: Generate<Value = A::Value>>(a: A, b: B) -> OneOf<(A, B)> {
    one_of((a, b))
}

/// See [`one_of`] and [`either`].
#[derive(Clone, Copy, Debug)]
pub struct OneOf<A> {
    generators: A,
}

impl<A: Alternatives> Generate for OneOf<A> {
    type Value = A::Value;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<A::Value> {
        let index = choices.alternative(self.generators.n_alternatives() as u64);
        choices.still_running()?;
        self.generators.draw_from(index as usize, choices)
    }
}

/// A value from one of several generators, each as likely as its weight says; one of weight 0 is
/// never chosen.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Generate, Prng, Source, just, weighted};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let mostly_small = weighted([(9, 0..10), (1, 0..1000), (0, 5000..6000)]);
/// assert!(choices.draw(&mostly_small).unwrap() < 1000);
/// ```
pub fn weighted<G: Generate>(generators: impl IntoIterator<Item = (u32, G)>) -> WeightedBranch<G> {
    let (weights, generators) = generators.into_iter().unzip();
    WeightedBranch { weights, generators }
}

/// See [`weighted`].
#[derive(Clone, Debug)]
pub struct WeightedBranch<G> {
    weights: Vec<u32>,
    generators: Vec<G>,
}

impl<G: Generate> Generate for WeightedBranch<G> {
    type Value = G::Value;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<G::Value> {
        let index = choices.weighted(&self.weights, &[]);
        choices.still_running()?;
        self.generators.draw_from(index, choices)
    }
}

/// `None`, or, three times as often, a value from `some`.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, option_of};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(option_of(1..9)).unwrap().is_none_or(|n| n < 9));
/// ```
pub fn option_of<G: Generate>(some: G) -> OptionOf<G> {
    OptionOf { some }
}

/// See [`option_of`].
#[derive(Clone, Copy, Debug)]
pub struct OptionOf<G> {
    some: G,
}

/// From this depth on an `Option` counts as what ends a recursion: a type may hold itself in it.
const DEEP: u32 = 12;

impl<G: Generate> Generate for OptionOf<G> {
    type Value = Option<G::Value>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        const NAMES: [&str; 2] = ["None", "Some"];
        let is_some = if choices.choices().depth() < DEEP {
            choices.weighted(&[1, 3], &NAMES) == 1
        } else {
            choices.variant(&NAMES, 1) == 1
        };
        is_some.then(|| choices.draw(&self.some)).transpose()
    }
}

/// `Ok` with a value from `ok` or, just as often, `Err` with one from `err`.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, result_of};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// match choices.draw(result_of(1..9, 'a'..'f')).unwrap() {
///     Ok(n) => assert!(n < 9),
///     Err(c) => assert!(c < 'f'),
/// }
/// ```
pub fn result_of<T: Generate, E: Generate>(ok: T, err: E) -> ResultOf<T, E> {
    ResultOf { ok, err }
}

/// See [`result_of`].
#[derive(Clone, Copy, Debug)]
pub struct ResultOf<T, E> {
    ok: T,
    err: E,
}

impl<T: Generate, E: Generate> Generate for ResultOf<T, E> {
    type Value = Result<T::Value, E::Value>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        match choices.named_alternative(2, &["Ok", "Err"]) {
            0 => Ok(Ok(choices.draw(&self.ok)?)),
            _ => Ok(Err(choices.draw(&self.err)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, assert_replays, halt_of, samples, simplest};
    use super::super::{BoxedGenerator, any, compose, just, vec};
    use super::*;
    use stairway_choice::{Fault, Halt};

    #[test]
    fn every_kind_of_branching_replays() {
        assert_replays(&one_of((just(0), 5..9, any())));
        assert_replays(&one_of([vec(0..9, 3).boxed(), just(Vec::new()).boxed()]));
        assert_replays(&either('a'..'f', any::<char>()));
        assert_replays(&weighted([(3, 0..5), (0, 9..10), (1, 50..60)]));
        assert_replays(&option_of(vec(0..9, ..4)));
        assert_replays(&result_of(0..5, vec(0..9, ..4)));
    }

    #[test]
    fn earlier_alternatives_are_simpler_and_all_can_be_counted_through() {
        assert_eq!(all(&one_of((just(7), 1..3, just(4)))), [7, 1, 2, 4]);
        assert_eq!(all(&either(0..2, 5..6)), [0, 1, 5]);
        assert_eq!(all(&one_of(alloc::vec![just(1), just(2)])), [1, 2]);
        assert_eq!(all(&option_of(0..2)), [None, Some(0), Some(1)]);
        assert_eq!(all(&result_of(0..1, 5..6)), [Ok(0), Err(5)]);
        assert_eq!(simplest(&weighted([(0, 9..10), (1, 50..60)])), 50);
    }

    #[test]
    fn weights_are_kept() {
        let drawn = samples(&weighted([(3, just('a')), (0, just('b')), (1, just('c'))]), 1000);
        let n_a = drawn.iter().filter(|c| **c == 'a').count();
        assert!((680..820).contains(&n_a) && !drawn.contains(&'b'), "{n_a}");
        let n_some = samples(&option_of(just(())), 1000).into_iter().flatten().count();
        assert!((680..820).contains(&n_some), "{n_some}");
    }

    #[test]
    fn nothing_to_choose_from_is_a_fault() {
        let fault = Some(Halt::Fault(Fault::NoAlternative));
        assert_eq!(halt_of(&weighted([(0, just(1)), (0, just(2))])), fault);
        assert_eq!(halt_of(&weighted(Vec::<(u32, BoxedGenerator<'_, u8>)>::new())), fault);
        assert_eq!(halt_of(&one_of(Vec::<BoxedGenerator<'_, u8>>::new())), fault);
    }

    #[test]
    fn a_type_that_holds_itself_in_an_option_ends() {
        fn chain(choices: &mut Draw<'_>) -> Checked<u32> {
            Ok(choices.draw(option_of(compose(chain)))?.map_or(0, |n| n + 1))
        }
        let lengths = samples(&compose(chain), 2000);
        assert!(lengths.iter().any(|n| *n > 5), "chains have some length");
    }
}
