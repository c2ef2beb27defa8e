//! The generator a type brings along: `any::<T>()`.
//!
//! Any value of the type may be drawn; the simplest one is zero, empty or first. The types of `std` are
//! missing on purpose: `hash` and `system` have them, where the feature `std` is on.

use super::{Generate, RangeBound, array, btree_map, btree_set, option_of, result_of, strings, vec};
use crate::draw::Draw;
use crate::stop::Checked;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};
use alloc::rc::Rc;
use alloc::string::String;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::type_name;
use core::cell::{Cell, RefCell};
use core::cmp::{Ordering, Reverse};
use core::marker::PhantomData;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use core::num::{NonZero, Saturating, Wrapping};
use core::ops::{Bound, Range, RangeInclusive};
use core::time::Duration;
use stairway_choice::Label;

/// A type that knows how to make its values from choices.
///
/// ```
/// use stairway_engine::{Arbitrary, Checked, Choices, Draw, Prng, Source, any};
/// struct Celsius(f32);
/// impl Arbitrary for Celsius {
///     fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
///         Ok(Celsius(choices.draw(-273.15..1e6)?))
///     }
/// }
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(choices.draw(any::<Celsius>()).unwrap().0 >= -273.15);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be drawn: it does not implement `Arbitrary`",
    note = "derive it with `#[derive(Arbitrary)]`, or name a generator with `#[from(..)]`"
)]
pub trait Arbitrary: Sized {
    /// Makes one value; call it through `choices.draw(any::<T>())`.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self>;

    /// Whether every value takes exactly one choice.
    #[inline]
    #[must_use]
    fn is_single() -> bool {
        false
    }

    /// What kind of thing a value is; see [`Generate::label`].
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn label() -> Label {
        Label::Value(type_name::<Self>())
    }

    /// Makes `n` values, each as one unit; see [`Generate::generate_each`].
    ///
    /// # Errors
    /// Ends the case when a value cannot be made.
    #[doc(hidden)]
    #[inline]
    fn arbitrary_each(n: usize, choices: &mut Draw<'_>, push: impl FnMut(Self)) -> Checked {
        OneByOne(PhantomData).generate_each(n, choices, push)
    }
}

/// Values of a type that has no faster way to make many.
struct OneByOne<T>(PhantomData<fn() -> T>);

impl<T: Arbitrary> Generate for OneByOne<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        T::arbitrary(choices)
    }
    #[inline]
    fn label(&self) -> Label {
        T::label()
    }
    #[inline]
    fn is_single(&self) -> bool {
        T::is_single()
    }
}

/// Any value of a type.
///
/// ```
/// use stairway_engine::{Choices, Draw, Prng, Source, any};
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let (n, names): (u16, Vec<String>) = choices.draw(any()).unwrap();
/// assert!(n as usize + names.len() < 100_000);
/// ```
#[inline]
#[must_use]
pub const fn any<T: Arbitrary>() -> Any<T> {
    Any { of: PhantomData }
}

/// See [`any`].
pub struct Any<T> {
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Any<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Any<T> {}

impl<T> core::fmt::Debug for Any<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "any::<{}>()", type_name::<T>())
    }
}

impl<T: Arbitrary> Generate for Any<T> {
    type Value = T;
    #[inline]
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        T::arbitrary(choices)
    }
    #[inline]
    fn is_single(&self) -> bool {
        T::is_single()
    }
    #[inline]
    fn label(&self) -> Label {
        T::label()
    }
    #[inline]
    fn generate_each(&self, n: usize, choices: &mut Draw<'_>, push: impl FnMut(T)) -> Checked {
        T::arbitrary_each(n, choices, push)
    }
}

/// Implements [`Arbitrary`] for a type with these parameters, by an expression over the choices;
/// the second argument says when it is single.
macro_rules! arbitrary {
    ([$($bounds:tt)*] $t:ty, $single:expr, |$choices:ident| $value:expr) => {
        impl<$($bounds)*> Arbitrary for $t {
            #[inline]
            fn arbitrary($choices: &mut Draw<'_>) -> Checked<Self> {
                Ok($value)
            }
            #[inline]
            fn is_single() -> bool {
                $single
            }
        }
    };
}

macro_rules! arbitrary_number {
    ($t:ty, $single:expr) => {
        impl Arbitrary for $t {
            #[inline]
            fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
                Ok(<$t>::between(choices, <$t>::MIN, <$t>::MAX))
            }
            #[inline]
            fn is_single() -> bool {
                $single
            }
            #[inline]
            fn arbitrary_each(n: usize, choices: &mut Draw<'_>, push: impl FnMut(Self)) -> Checked {
                <$t>::each_between(choices, <$t>::MIN, <$t>::MAX, n, push)
            }
        }
    };
}

macro_rules! unsigned {
    ($($t:ty, $single:expr;)*) => {$(
        arbitrary_number!($t, $single);
        arbitrary!([] NonZero<$t>, $single, |choices| {
            NonZero::new(<$t>::between(choices, 1, <$t>::MAX)).unwrap_or(NonZero::<$t>::MIN)
        });
    )*};
}

/// Without 0 the values from there on move up by one, so that each still has one index.
macro_rules! signed {
    ($($t:ty, $single:expr;)*) => {$(
        arbitrary_number!($t, $single);
        arbitrary!([] NonZero<$t>, $single, |choices| {
            let drawn = <$t>::between(choices, <$t>::MIN, <$t>::MAX - 1);
            NonZero::new(if drawn < 0 { drawn } else { drawn + 1 }).unwrap_or(NonZero::<$t>::MAX)
        });
    )*};
}

unsigned!(u8, true; u16, true; u32, true; u64, true; usize, true; u128, false;);
signed!(i8, true; i16, true; i32, true; i64, true; isize, true; i128, false;);

arbitrary!([] bool, true, |choices| choices.chance(1, 2));
arbitrary!([] char, true, |choices| choices.character(0, char::MAX as u32));
arbitrary!([] f64, true, |choices| choices.float(f64::MIN, f64::MAX, true));
arbitrary!([] f32, true, |choices| choices.float(f64::from(f32::MIN), f64::from(f32::MAX), true) as f32);
arbitrary!([](), false, |_choices| ());
arbitrary!([T: ?Sized] PhantomData<T>, false, |_choices| PhantomData);
arbitrary!([] Ordering, true, |choices| {
    const NAMES: [&str; 3] = ["Equal", "Less", "Greater"];
    [Ordering::Equal, Ordering::Less, Ordering::Greater][choices.named_alternative(3, &NAMES) as usize]
});

/// A wrapper is drawn as what it holds, and is of the same kind: the subtree in a box may take the
/// place of the tree.
macro_rules! wrapper {
    ($($wrapper:ident)*) => {$(
        impl<T: Arbitrary> Arbitrary for $wrapper<T> {
            #[inline]
            fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
                Ok($wrapper::new(T::arbitrary(choices)?))
            }
            #[inline]
            fn is_single() -> bool {
                T::is_single()
            }
            #[inline]
            fn label() -> Label {
                T::label()
            }
        }
    )*};
}

wrapper!(Box Rc Cell RefCell);
#[cfg(target_has_atomic = "ptr")]
wrapper!(Arc);
arbitrary!([T: Arbitrary] Wrapping<T>, T::is_single(), |choices| Wrapping(T::arbitrary(choices)?));
arbitrary!([T: Arbitrary] Saturating<T>, T::is_single(), |choices| Saturating(T::arbitrary(choices)?));
arbitrary!([T: Arbitrary] Reverse<T>, T::is_single(), |choices| Reverse(T::arbitrary(choices)?));

arbitrary!([T: Arbitrary] Option<T>, false, |choices| option_of(any()).generate(choices)?);
arbitrary!([T: Arbitrary, E: Arbitrary] Result<T, E>, false, |choices| {
    result_of(any(), any()).generate(choices)?
});

/// A collection without a size of its own has up to this many elements.
pub(super) const MOST: usize = 100;

arbitrary!([T: Arbitrary, const N: usize] [T; N], false, |choices| array(any()).generate(choices)?);
arbitrary!([T: Arbitrary] Vec<T>, false, |choices| vec(any(), ..=MOST).generate(choices)?);
arbitrary!([T: Arbitrary] VecDeque<T>, false, |choices| Vec::arbitrary(choices)?.into());
arbitrary!([T: Arbitrary] LinkedList<T>, false, |choices| Vec::arbitrary(choices)?.into_iter().collect());
arbitrary!([T: Arbitrary] Box<[T]>, false, |choices| Vec::arbitrary(choices)?.into());
arbitrary!([T: Arbitrary + Ord] BinaryHeap<T>, false, |choices| Vec::arbitrary(choices)?.into());
arbitrary!([T: Arbitrary + Ord] BTreeSet<T>, false, |choices| {
    btree_set(any(), ..=MOST).generate(choices)?
});
arbitrary!([K: Arbitrary + Ord, V: Arbitrary] BTreeMap<K, V>, false, |choices| {
    btree_map(any(), any(), ..=MOST).generate(choices)?
});
arbitrary!([] String, false, |choices| strings(..=MOST).generate(choices)?);
arbitrary!([] Box<str>, false, |choices| String::arbitrary(choices)?.into());
arbitrary!([] Rc<str>, false, |choices| String::arbitrary(choices)?.into());
arbitrary!([T: Arbitrary] Rc<[T]>, false, |choices| Vec::arbitrary(choices)?.into());
#[cfg(target_has_atomic = "ptr")]
arbitrary!([] Arc<str>, false, |choices| String::arbitrary(choices)?.into());
#[cfg(target_has_atomic = "ptr")]
arbitrary!([T: Arbitrary] Arc<[T]>, false, |choices| Vec::arbitrary(choices)?.into());
arbitrary!(['a] Cow<'a, str>, false, |choices| Cow::Owned(String::arbitrary(choices)?));
arbitrary!(['a, T: Arbitrary + Clone] Cow<'a, [T]>, false, |choices| Cow::Owned(Vec::arbitrary(choices)?));

arbitrary!([] Duration, false, |choices| Duration::new(
    choices.draw(any())?,
    choices.draw(0..1_000_000_000u32)?
));

// Ranges run upwards; the half-open ones may be empty.
arbitrary!([T: Arbitrary + Ord] Range<T>, false, |choices| {
    let (start, end) = ordered(choices)?;
    start..end
});
arbitrary!([T: Arbitrary + Ord] RangeInclusive<T>, false, |choices| {
    let (start, end) = ordered(choices)?;
    start..=end
});

fn ordered<T: Arbitrary + Ord>(choices: &mut Draw<'_>) -> Checked<(T, T)> {
    let (a, b) = (choices.draw(any())?, choices.draw(any())?);
    Ok(if a <= b { (a, b) } else { (b, a) })
}

arbitrary!([T: Arbitrary] Bound<T>, false, |choices| {
    match choices.named_alternative(3, &["Unbounded", "Included", "Excluded"]) {
        0 => Bound::Unbounded,
        1 => Bound::Included(choices.draw(any())?),
        _ => Bound::Excluded(choices.draw(any())?),
    }
});

arbitrary!([] Ipv4Addr, true, |choices| Ipv4Addr::from_bits(u32::arbitrary(choices)?));
arbitrary!([] Ipv6Addr, false, |choices| Ipv6Addr::from_bits(u128::arbitrary(choices)?));
arbitrary!([] IpAddr, false, |choices| match choices.named_alternative(2, &["V4", "V6"]) {
    0 => IpAddr::V4(choices.draw(any())?),
    _ => IpAddr::V6(choices.draw(any())?),
});
arbitrary!([] SocketAddrV4, false, |choices| SocketAddrV4::new(
    choices.draw(any())?,
    choices.draw(any())?
));
arbitrary!([] SocketAddrV6, false, |choices| {
    let (address, port) = choices.draw(any())?;
    SocketAddrV6::new(address, port, choices.draw(any())?, choices.draw(any())?)
});
arbitrary!([] SocketAddr, false, |choices| match choices.named_alternative(2, &["V4", "V6"]) {
    0 => SocketAddr::V4(choices.draw(any())?),
    _ => SocketAddr::V6(choices.draw(any())?),
});

#[cfg(test)]
mod tests {
    use super::super::testing::{all, assert_replays, assert_single, record, samples, simplest};
    use super::*;
    use stairway_choice::{Prng, Source};

    /// Replays, keeps to what it says about single choices, and is simplest at `first`.
    fn assert_arbitrary<T: Arbitrary + core::fmt::Debug>(first: &str) {
        assert_replays(&any::<T>());
        assert_single(&any::<T>(), T::is_single());
        assert_eq!(alloc::format!("{:?}", simplest(&any::<T>())), first);
    }

    #[test]
    fn every_type_replays_and_has_a_simplest_value() {
        assert_arbitrary::<bool>("false");
        assert_arbitrary::<(u8, u16, u32, u64, usize, u128)>("(0, 0, 0, 0, 0, 0)");
        assert_arbitrary::<(i8, i16, i32, i64, isize, i128)>("(0, 0, 0, 0, 0, 0)");
        assert_arbitrary::<(NonZero<u8>, NonZero<i64>, NonZero<i128>)>("(1, 1, 1)");
        assert_arbitrary::<(f32, f64, char)>("(0.0, 0.0, 'a')");
        assert_arbitrary::<i32>("0");
        assert_arbitrary::<f32>("0.0");
        assert_arbitrary::<char>("'a'");
        assert_arbitrary::<((), PhantomData<str>, Ordering)>("((), PhantomData<str>, Equal)");
        assert_arbitrary::<(Box<u8>, Rc<u8>, Arc<u8>)>("(0, 0, 0)");
        assert_arbitrary::<Cell<Wrapping<u8>>>("Cell { value: 0 }");
        assert_arbitrary::<RefCell<[bool; 2]>>("RefCell { value: [false, false] }");
        assert_arbitrary::<Option<u8>>("None");
        assert_arbitrary::<Result<u8, bool>>("Ok(0)");
        assert_arbitrary::<(String, Box<str>, Cow<'static, str>)>("(\"\", \"\", \"\")");
        assert_arbitrary::<(Rc<str>, Arc<str>, Rc<[u8]>, Arc<[u8]>, Cow<'_, [u8]>)>(
            "(\"\", \"\", [], [], [])",
        );
        assert_arbitrary::<(Vec<u8>, VecDeque<u8>, LinkedList<u8>, Box<[u8]>)>("([], [], [], [])");
        assert_arbitrary::<(BTreeMap<u8, u8>, BTreeSet<u8>, BinaryHeap<u8>)>("({}, {}, [])");
        assert_arbitrary::<Duration>("0ns");
        assert_arbitrary::<(Range<u8>, RangeInclusive<i8>, Bound<u8>)>("(0..0, 0..=0, Unbounded)");
        assert_arbitrary::<Ipv4Addr>("0.0.0.0");
        assert_arbitrary::<(IpAddr, Ipv6Addr, SocketAddr)>("(0.0.0.0, ::, 0.0.0.0:0)");
        assert_arbitrary::<SocketAddrV6>("[::]:0");
        assert_arbitrary::<(u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8)>(
            "(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        );
    }

    #[test]
    fn every_value_of_a_small_type_turns_up_once() {
        assert_eq!(all(&any::<bool>()), [false, true]);
        let mut bytes: Vec<i8> = all(&any::<NonZero<i8>>()).into_iter().map(NonZero::get).collect();
        bytes.sort_unstable();
        assert_eq!(bytes, (i8::MIN..=i8::MAX).filter(|b| *b != 0).collect::<Vec<i8>>());
        assert_eq!(all(&any::<NonZero<u8>>()).len(), 255);
        assert_eq!(all(&any::<(Ordering, [bool; 2])>()).len(), 12);
        assert_eq!(all(&any::<Option<bool>>()), [None, Some(false), Some(true)]);
    }

    #[test]
    fn interesting_values_turn_up() {
        let floats = samples(&any::<f32>(), 2000);
        assert!(floats.iter().any(|f| f.is_nan()) && floats.contains(&f32::NEG_INFINITY));
        let numbers = samples(&any::<i32>(), 4000);
        assert!(numbers.contains(&i32::MIN) && numbers.contains(&i32::MAX) && numbers.contains(&0));
        let n_true = samples(&any::<bool>(), 1000).into_iter().filter(|b| *b).count();
        assert!((400..600).contains(&n_true), "{n_true}");
        let lengths: usize = samples(&any::<Vec<u8>>(), 200).iter().map(Vec::len).sum();
        assert!((30..70).contains(&(lengths / 200)), "{lengths}");
    }

    #[test]
    fn what_is_in_a_box_is_of_the_same_kind_as_what_is_not() {
        let run = record(&any::<(Vec<u8>, Box<Vec<u8>>)>(), Source::Random(Prng::new(1)));
        let labels: Vec<_> = run.spans.iter().map(|span| span.label).collect();
        assert_eq!(labels[1], labels[2]);
    }

    #[test]
    fn ranges_run_upwards() {
        assert!(samples(&any::<Range<i8>>(), 500).iter().all(|r| r.start <= r.end));
    }
}
