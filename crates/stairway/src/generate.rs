//! Generators: how values are drawn.
//!
//! A generator is a range, a tuple of generators, [`any`] for the usual values of a type, or what one of
//! these functions returns. [`Generate`] has the combinators that all of them share. The functions are in
//! the prelude; their types are here, for signatures.
//!
//! A generator of your own is a function that draws: [`compose`] makes one from a closure. Outside of a
//! property, [`Choices`] made from a [`Prng`] draw values one at a time:
//!
//! ```
//! use stairway::generate::{Choices, Draw, Prng, Source, vec};
//! let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
//! let digits = choices.draw(&vec(0..10u8, 3)).unwrap();
//! assert_eq!(digits.len(), 3);
//! ```

#[cfg(feature = "arbitrary")]
pub use crate::adapter::{FromArbitrary, from_arbitrary};
pub use crate::regex::{ByteRegex, Regex, RegexError, RegexErrorKind, byte_regex, regex};
pub use stairway_engine::{
    Alternatives, AndThen, Any, Arbitrary, ArrayOf, AsciiChar, BoxedGenerator, Compose, Conversion, Element,
    Filter, Function, FunctionOf, Generate, HashMapOf, HashSetOf, Just, Map, MapOf, OneOf, OptionOf,
    PickedElement, RangeBound, Recursive, ResultOf, SampledFrom, SetOf, Shuffle, Size, StringOf, Subsequence,
    Subset, UniformByte, Values, VecOf, WeightedBool, WeightedBranch,
};
pub use stairway_engine::{Choice, Choices, Draw, Prng, Source};
pub use stairway_engine::{
    alphanumeric, any, array, ascii, btree_map, btree_set, bytes, compose, either, element, function,
    function_of, hash_map, hash_set, just, one_of, option_of, printable, recursive, result_of, sampled_from,
    shuffle, sorted, string_of, strings, subsequence, subset, vec, vec_deque, weighted, weighted_bool,
};
