//! Functions as data: arguments for higher-order code that can be shown, replayed and shrunk.
//!
//! A [`Function`] is made of a generator of results. All results are drawn when it is made, so calling it
//! draws nothing and the record does not depend on the calls: the hash of the argument says which of the
//! results it gives. With one result left it is a constant, and that is what it shrinks to. (Claessen,
//! "Shrinking and Showing Functions", Haskell 2012, has the table of observed calls.) It knows nothing of its
//! argument but how to hash and compare it.

use super::{Any, Arbitrary, Generate, any, vec};
use crate::draw::Draw;
use crate::stop::Checked;
use alloc::vec::Vec;
use core::any::type_name;
use core::cell::RefCell;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use stairway_choice::mix;

/// Most results a function has; more would make the functions no more different to most code.
const MOST_RESULTS: usize = 20;
/// Most calls that are remembered to be shown.
const MOST_CALLS: usize = 64;

/// Functions from `A` to any value of `R`.
///
/// ```
/// use stairway_engine::{Choices, Draw, Function, Prng, Source, function};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let keep: Function<i32, bool> = choices.draw(function()).unwrap();
/// let kept: Vec<i32> = (0..9).filter(|n| keep.call(*n)).collect();
/// assert!(kept.iter().all(|n| keep.call(*n)));
/// ```
#[must_use]
pub fn function<A, R>() -> FunctionOf<A, Any<R>>
where
    A: Hash + Clone + PartialEq,
    R: Arbitrary + Clone,
{
    function_of(any())
}

/// Functions from `A` to values of `result`.
///
/// ```
/// # use stairway_engine::{Choices, Draw, Prng, Source, function_of};
/// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let score = choices.draw(function_of::<String, _>(0..=5)).unwrap();
/// assert!(score.call("a".into()) <= 5);
/// ```
pub fn function_of<A, G>(result: G) -> FunctionOf<A, G>
where
    A: Hash + Clone + PartialEq,
    G: Generate<Value: Clone>,
{
    FunctionOf { result, from: PhantomData }
}

/// See [`function`] and [`function_of`].
pub struct FunctionOf<A, G> {
    result: G,
    from: PhantomData<fn(A)>,
}

impl<A, G: Clone> Clone for FunctionOf<A, G> {
    fn clone(&self) -> Self {
        FunctionOf { result: self.result.clone(), from: PhantomData }
    }
}

impl<A, G: fmt::Debug> fmt::Debug for FunctionOf<A, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "functions from {} to {:?}", type_name::<A>(), self.result)
    }
}

impl<A, G: Generate> Generate for FunctionOf<A, G> {
    type Value = Function<A, G::Value>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
        let results = choices.draw(vec(&self.result, 1..=MOST_RESULTS))?;
        let salt = choices.draw(any())?;
        Ok(Function { results, salt, calls: RefCell::new(Vec::new()) })
    }
}

/// A function that was drawn; equal arguments give equal results.
///
/// It is shown as a table of the calls made so far, `{ 3 => true, 5 => false, _ => true }`,
/// which is a function that gives the same answers.
#[derive(Clone)]
pub struct Function<A, R> {
    /// Never empty.
    results: Vec<R>,
    salt: u64,
    calls: RefCell<Vec<(A, R)>>,
}

impl<A: Hash + Clone + PartialEq, R: Clone> Function<A, R> {
    /// The result for `argument`.
    pub fn call(&self, argument: A) -> R {
        let result = &self.results[self.position(&argument)];
        let mut calls = self.calls.borrow_mut();
        if calls.len() < MOST_CALLS && calls.iter().all(|(seen, _)| *seen != argument) {
            calls.push((argument, result.clone()));
        }
        result.clone()
    }

    /// The function as a closure, for code that takes one.
    ///
    /// ```
    /// # use stairway_engine::{Choices, Draw, Prng, Source, function};
    /// # let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
    /// let f = choices.draw(function::<i32, u8>()).unwrap();
    /// assert_eq!([1, 1].map(f.as_fn())[0], f.call(1));
    /// ```
    pub fn as_fn(&self) -> impl Fn(A) -> R + '_ {
        |argument| self.call(argument)
    }

    /// The calls made so far with their results, each argument once, and the result that other arguments are
    /// shown with. Only the first calls are kept.
    pub fn table(&self) -> (Vec<(A, R)>, R) {
        (self.calls.borrow().clone(), self.results[0].clone())
    }

    fn position(&self, argument: &A) -> usize {
        let mut hasher = Fnv(FNV_OFFSET ^ self.salt);
        argument.hash(&mut hasher);
        (hasher.finish() % self.results.len() as u64) as usize
    }
}

impl<A: fmt::Debug, R: fmt::Debug> fmt::Debug for Function<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ ")?;
        let calls = self.calls.borrow();
        match self.results.as_slice() {
            [only] => write!(f, "_ => {only:?}")?,
            several if calls.is_empty() => write!(f, "_ => one of {several:?}")?,
            several => {
                for (argument, result) in calls.iter() {
                    write!(f, "{argument:?} => {result:?}, ")?;
                }
                write!(f, "_ => {:?}", several[0])?;
            }
        }
        f.write_str(" }")
    }
}

const FNV_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

/// FNV-1a with a final mix, which gives the same hash on every run and every target: integers
/// are fed in as little-endian bytes, those of a pointer's width as 64 bits.
struct Fnv(u64);

macro_rules! write_little_endian {
    ($($name:ident: $t:ty as $wide:ty),*) => {$(
        fn $name(&mut self, n: $t) {
            self.write(&(n as $wide).to_le_bytes());
        }
    )*};
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        mix(self.0)
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(FNV_PRIME);
        }
    }
    write_little_endian!(
        write_u16: u16 as u16, write_u32: u32 as u32, write_u64: u64 as u64, write_u128: u128 as u128,
        write_i16: i16 as i16, write_i32: i32 as i32, write_i64: i64 as i64, write_i128: i128 as i128,
        write_usize: usize as u64, write_isize: isize as i64
    );
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_replays, at, samples, simplest};
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn hash(value: impl Hash) -> u64 {
        let mut hasher = Fnv(FNV_OFFSET);
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn functions_replay() {
        assert_replays(&function::<u8, i32>());
        assert_replays(&function_of::<String, _>(vec(0..9, ..3)));
        let answers = function::<u8, bool>().mapped(|f| (0..20).map(|n| f.call(n)).collect::<Vec<bool>>());
        assert_replays(&answers);
    }

    #[test]
    fn equal_arguments_give_equal_results() {
        for f in samples(&function::<(u8, String), u16>(), 50) {
            for n in 0..20 {
                assert_eq!(f.call((n, "x".into())), f.as_fn()((n, "x".into())));
            }
        }
    }

    #[test]
    fn most_functions_are_not_constant_and_the_simplest_one_is() {
        let is_constant = |f: &Function<u8, bool>| (0..50).all(|n| f.call(n) == f.call(0));
        let n_constant = samples(&function(), 200).iter().filter(|f| is_constant(f)).count();
        assert!(n_constant < 60, "{n_constant}");
        assert!(is_constant(&simplest(&function())));
    }

    #[test]
    fn a_function_is_shown_as_the_calls_it_answered() {
        let constant = simplest(&function_of::<u8, _>(3..9));
        constant.call(5);
        assert_eq!(format!("{constant:?}"), "{ _ => 3 }");
        let f = at(&function::<u8, bool>(), &[1, 1, 0]).unwrap();
        assert_eq!(format!("{f:?}"), "{ _ => one of [true, false] }");
        let (a, b) = (f.call(3), f.call(5));
        f.call(3);
        assert_eq!(format!("{f:?}"), format!("{{ 3 => {a}, 5 => {b}, _ => true }}"));
    }

    #[test]
    fn many_calls_do_not_fill_the_memory() {
        let f = simplest(&function::<u32, bool>());
        for n in 0..10_000 {
            f.call(n);
        }
        assert_eq!(f.calls.borrow().len(), MOST_CALLS);
    }

    #[test]
    fn hashes_are_the_same_on_every_target() {
        assert_eq!(hash(7usize), hash(7u64));
        assert_eq!(hash(-7isize), hash(-7i64));
        let mut bytes = Fnv(FNV_OFFSET);
        bytes.write(&[2, 1]);
        assert_eq!(hash(0x0102u16), bytes.finish());
    }
}
