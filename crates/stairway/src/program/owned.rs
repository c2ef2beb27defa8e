//! Answers that borrow from the system: `peek() -> Option<&T>`, a guard, an iterator.
//!
//! Takes the loan off what a system answered, so that it can outlive the call: clones of what references and
//! guards lead to, the items of iterators as a vector. What does not borrow, or cannot be cloned, stays as it
//! is. Method lookup prefers the implementation with the most references, so each answer finds the best one
//! there is.

use super::call_source;
use std::borrow::{Cow, ToOwned};
use std::cell::{Ref, RefMut};
use std::sync::{MutexGuard, RwLockReadGuard, RwLockWriteGuard};

/// An answer on its way.
#[derive(Debug)]
pub struct Owning<T>(Option<T>);

impl<T> Owning<T> {
    /// An answer.
    pub const fn new(answer: T) -> Self {
        Owning(Some(answer))
    }

    fn take(&mut self) -> T {
        self.0.take().expect("an answer is taken once")
    }
}

/// Something that borrows and can be made owned.
pub trait Borrowed {
    /// What it is without the loan.
    type Owned;
    /// How that is written.
    const WRITTEN: &'static str;
    /// Ends the loan.
    fn own(self) -> Self::Owned;
}

macro_rules! borrowed {
    ($([$($generics:tt)*] $from:ty => $to:ty, $text:literal, |$value:ident| $own:expr;)*) => {$(
        impl<$($generics)*> Borrowed for $from {
            type Owned = $to;
            const WRITTEN: &'static str = $text;
            fn own(self) -> $to {
                let $value = self;
                $own
            }
        }
    )*};
}

borrowed! {
    ['a, T: ToOwned + ?Sized] &'a T => T::Owned, ".to_owned()", |value| value.to_owned();
    ['a, T: Clone] &'a mut T => T, ".clone()", |value| value.clone();
    ['a, T: ToOwned + ?Sized] Option<&'a T> => Option<T::Owned>, ".map(|value| value.to_owned())", |value| value.map(ToOwned::to_owned);
    ['a, T: Clone] Option<&'a mut T> => Option<T>, ".map(|value| value.clone())", |value| value.map(|value| value.clone());
    ['a, T: ToOwned + ?Sized, E] Result<&'a T, E> => Result<T::Owned, E>, ".map(|value| value.to_owned())", |value| value.map(ToOwned::to_owned);
    ['a, 'b, A: Clone, B: Clone] (&'a A, &'b B) => (A, B), "", |pair| (pair.0.clone(), pair.1.clone());
    ['a, 'b, A: Clone, B: Clone] Option<(&'a A, &'b B)> => Option<(A, B)>, ".map(|(a, b)| (a.clone(), b.clone()))", |pair| pair.map(|(a, b)| (a.clone(), b.clone()));
    ['a, T: ToOwned + ?Sized] Cow<'a, T> => T::Owned, ".into_owned()", |value| value.into_owned();
    ['a, T: Clone] Ref<'a, T> => T, ".clone()", |value| T::clone(&value);
    ['a, T: Clone] RefMut<'a, T> => T, ".clone()", |value| T::clone(&value);
    ['a, T: Clone] Option<Ref<'a, T>> => Option<T>, ".map(|value| (*value).clone())", |value| value.map(|value| T::clone(&value));
    ['a, T: Clone] MutexGuard<'a, T> => T, ".clone()", |value| T::clone(&value);
    ['a, T: Clone] RwLockReadGuard<'a, T> => T, ".clone()", |value| T::clone(&value);
    ['a, T: Clone] RwLockWriteGuard<'a, T> => T, ".clone()", |value| T::clone(&value);
}

/// For what borrows.
pub trait OwnBorrowed<O> {
    /// Without the loan.
    fn own(&mut self) -> O;
}

impl<B: Borrowed> OwnBorrowed<B::Owned> for &mut &mut &mut &mut Owning<B> {
    fn own(&mut self) -> B::Owned {
        call_source::owned(B::WRITTEN);
        self.take().own()
    }
}

/// For what can be compared as it is, iterators included.
pub trait OwnEqual<O> {
    /// As it is.
    fn own(&mut self) -> O;
}

impl<T: PartialEq> OwnEqual<T> for &mut &mut &mut Owning<T> {
    fn own(&mut self) -> T {
        self.take()
    }
}

/// How the items of an iterator are written, where they borrow.
const COPIED: &str = ".map(|item| item.to_owned()).collect::<Vec<_>>()";

/// For iterators over what borrows.
pub trait OwnCopied<O> {
    /// All items.
    fn own(&mut self) -> O;
}

impl<I: Iterator<Item: Borrowed>> OwnCopied<Vec<<I::Item as Borrowed>::Owned>> for &mut &mut Owning<I> {
    fn own(&mut self) -> Vec<<I::Item as Borrowed>::Owned> {
        call_source::owned(if <I::Item as Borrowed>::WRITTEN.is_empty() {
            ".map(|(a, b)| (a.clone(), b.clone())).collect::<Vec<_>>()"
        } else {
            COPIED
        });
        self.take().map(Borrowed::own).collect()
    }
}

/// For other iterators.
pub trait OwnCollected<O> {
    /// All items.
    fn own(&mut self) -> O;
}

impl<I: Iterator> OwnCollected<Vec<I::Item>> for &mut Owning<I> {
    fn own(&mut self) -> Vec<I::Item> {
        call_source::owned(".collect::<Vec<_>>()");
        self.take().collect()
    }
}

/// For everything else.
pub trait OwnItself<O> {
    /// As it is.
    fn own(&mut self) -> O;
}

impl<T> OwnItself<T> for Owning<T> {
    fn own(&mut self) -> T {
        self.take()
    }
}

#[cfg(test)]
mod tests {
    use crate::__private::owned;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    #[test]
    fn every_loan_ends() {
        let (text, numbers) = (String::from("ab"), vec![1, 2, 3]);
        let text: (String, Option<u8>) = (owned!(text.as_str()), owned!(text.as_bytes().first()));
        assert_eq!(text, (String::from("ab"), Some(b'a')));
        let all: (Vec<i32>, Vec<i32>, Vec<i32>) =
            (owned!(&numbers[..]), owned!(numbers.iter()), owned!(numbers.iter().map(|n| n + 1)));
        assert_eq!(all, (vec![1, 2, 3], vec![1, 2, 3], vec![2, 3, 4]));
        let map = BTreeMap::from([(1, 'a')]);
        let pairs: Vec<(i32, char)> = owned!(map.iter());
        let first: Option<(i32, char)> = owned!(map.first_key_value());
        assert_eq!((pairs, first), (vec![(1, 'a')], Some((1, 'a'))));
        let cell = RefCell::new(7);
        let inside: i32 = owned!(cell.borrow());
        assert_eq!(inside, 7);
    }

    #[test]
    fn what_does_not_borrow_stays_as_it_is() {
        struct Opaque(u8);
        assert_eq!(owned!(0..3), 0..3);
        assert_eq!(owned!(Some(String::from("a"))), Some(String::from("a")));
        assert_eq!(owned!(Opaque(4)).0, 4);
    }
}
