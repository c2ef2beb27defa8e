//! Answers that borrow from the system: `peek() -> Option<&T>`, a guard, an iterator.
//!
//! Takes the loan off what a system answered, so that it can outlive the call: clones of what references and
//! guards lead to, the items of iterators as a vector. What does not borrow, or cannot be cloned, stays as it
//! is. Method lookup prefers the implementation with the most references, so each answer finds the best one
//! there is.

use super::call_source;
use std::borrow::{Cow, ToOwned};
use std::cell::{Ref, RefMut};
use std::ops::Deref;
use std::sync::{MutexGuard, RwLockReadGuard, RwLockWriteGuard};

/// An answer on its way.
#[derive(Debug)]
pub struct BorrowingAnswer<T>(Option<T>);

impl<T> BorrowingAnswer<T> {
    /// An answer.
    pub const fn new(answer: T) -> Self {
        BorrowingAnswer(Some(answer))
    }

    fn take(&mut self) -> T {
        self.0.take().expect("an answer is taken once")
    }
}

/// Something that borrows and can be made owned, or stands beside such a thing.
pub trait Borrowed {
    /// What it is without the loan.
    type Owned;
    /// Whether there is a loan in it at all.
    const BORROWS: bool = true;
    /// The pattern that it is bound to where its loan is ended.
    const PATTERN: &'static str = "value";
    /// Ends the loan.
    fn own(self) -> Self::Owned;
    /// How that is written of an expression.
    fn written(expression: &str) -> String;
    /// How it is written of what the pattern has bound.
    fn bound() -> String {
        Self::written(Self::PATTERN)
    }
}

/// What leads to a value, which is copied.
macro_rules! leads_to {
    ($($from:ty)*) => {$(
        impl<'a, T: ToOwned + ?Sized> Borrowed for $from {
            type Owned = T::Owned;
            fn own(self) -> T::Owned {
                T::to_owned(&self)
            }
            fn written(expression: &str) -> String {
                format!("{expression}.to_owned()")
            }
        }
    )*};
}

leads_to! { &'a T &'a mut T }

/// A guard, which is given back when its value has been copied.
macro_rules! guards {
    ($($from:ty)*) => {$(
        impl<'a, T: ToOwned + ?Sized> Borrowed for $from {
            type Owned = T::Owned;
            fn own(self) -> T::Owned {
                T::to_owned(&self)
            }
            fn written(expression: &str) -> String {
                format!("(*{expression}).to_owned()")
            }
        }
    )*};
}

guards! { Ref<'a, T> RefMut<'a, T> MutexGuard<'a, T> RwLockReadGuard<'a, T> RwLockWriteGuard<'a, T> }

impl<T: ToOwned + ?Sized> Borrowed for Cow<'_, T> {
    type Owned = T::Owned;
    fn own(self) -> T::Owned {
        self.into_owned()
    }
    fn written(expression: &str) -> String {
        format!("{expression}.into_owned()")
    }
}

/// What owns itself beside something that borrows.
macro_rules! own_themselves {
    ($($plain:ty)*) => {$(
        impl Borrowed for $plain {
            type Owned = $plain;
            const BORROWS: bool = false;
            fn own(self) -> $plain {
                self
            }
            fn written(expression: &str) -> String {
                expression.to_string()
            }
        }
    )*};
}

own_themselves! {
    () bool char String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 std::time::Duration
}

/// How the items of an iterator are collected without their loans.
fn collected<B: Borrowed>(expression: &str) -> String {
    format!("{}.collect::<Vec<_>>()", mapped::<B>(expression))
}

/// How the loans inside something are ended with `map`, where there are any.
fn mapped<B: Borrowed>(expression: &str) -> String {
    match B::BORROWS {
        true => format!("{expression}.map(|{}| {})", B::PATTERN, B::bound()),
        false => expression.to_string(),
    }
}

impl<B: Borrowed> Borrowed for Option<B> {
    type Owned = Option<B::Owned>;
    const BORROWS: bool = B::BORROWS;
    fn own(self) -> Self::Owned {
        self.map(B::own)
    }
    fn written(expression: &str) -> String {
        mapped::<B>(expression)
    }
}

impl<B: Borrowed, E> Borrowed for Result<B, E> {
    type Owned = Result<B::Owned, E>;
    const BORROWS: bool = B::BORROWS;
    fn own(self) -> Self::Owned {
        self.map(B::own)
    }
    fn written(expression: &str) -> String {
        mapped::<B>(expression)
    }
}

impl<B: Borrowed> Borrowed for Vec<B> {
    type Owned = Vec<B::Owned>;
    const BORROWS: bool = B::BORROWS;
    fn own(self) -> Self::Owned {
        self.into_iter().map(B::own).collect()
    }
    fn written(expression: &str) -> String {
        collected::<B>(&format!("{expression}.into_iter()"))
    }
}

macro_rules! tuples {
    ($($pattern:literal $($part:ident $name:literal $at:tt)+;)+) => {$(
        impl<$($part: Borrowed),+> Borrowed for ($($part,)+) {
            type Owned = ($($part::Owned,)+);
            const BORROWS: bool = $($part::BORROWS)||+;
            const PATTERN: &'static str = $pattern;
            fn own(self) -> Self::Owned {
                ($(self.$at.own(),)+)
            }
            fn written(expression: &str) -> String {
                format!("{{ let {} = {expression}; {} }}", Self::PATTERN, Self::bound())
            }
            fn bound() -> String {
                format!("({})", [$($part::written($name)),+].join(", "))
            }
        }
    )+};
}

tuples! {
    "(a, b)" A "a" 0 B "b" 1;
    "(a, b, c)" A "a" 0 B "b" 1 C "c" 2;
    "(a, b, c, d)" A "a" 0 B "b" 1 C "c" 2 D "d" 3;
}

/// For what borrows.
pub trait OwnBorrowed<O> {
    /// Without the loan.
    fn own(&mut self) -> O;
}

impl<B: Borrowed> OwnBorrowed<B::Owned> for &mut &mut &mut &mut &mut BorrowingAnswer<B> {
    fn own(&mut self) -> B::Owned {
        if B::BORROWS {
            call_source::owned(B::written);
        }
        self.take().own()
    }
}

/// For what can be compared as it is, iterators included.
pub trait OwnEqual<O> {
    /// As it is.
    fn own(&mut self) -> O;
}

impl<T: PartialEq> OwnEqual<T> for &mut &mut &mut &mut BorrowingAnswer<T> {
    fn own(&mut self) -> T {
        self.take()
    }
}

/// For iterators over what borrows.
pub trait OwnCopied<O> {
    /// All items.
    fn own(&mut self) -> O;
}

impl<I: Iterator<Item: Borrowed>> OwnCopied<Vec<<I::Item as Borrowed>::Owned>>
    for &mut &mut &mut BorrowingAnswer<I>
{
    fn own(&mut self) -> Vec<<I::Item as Borrowed>::Owned> {
        call_source::owned(collected::<I::Item>);
        self.take().map(Borrowed::own).collect()
    }
}

/// For other iterators.
pub trait OwnCollected<O> {
    /// All items.
    fn own(&mut self) -> O;
}

impl<I: Iterator> OwnCollected<Vec<I::Item>> for &mut &mut BorrowingAnswer<I> {
    fn own(&mut self) -> Vec<I::Item> {
        call_source::owned(|call| format!("{call}.collect::<Vec<_>>()"));
        self.take().collect()
    }
}

/// For guards of other crates.
pub trait OwnGuarded<O> {
    /// What it guards.
    fn own(&mut self) -> O;
}

impl<D: Deref<Target: ToOwned>> OwnGuarded<<D::Target as ToOwned>::Owned> for &mut BorrowingAnswer<D> {
    fn own(&mut self) -> <D::Target as ToOwned>::Owned {
        call_source::owned(|call| format!("(*{call}).to_owned()"));
        D::Target::to_owned(&*self.take())
    }
}

/// For everything else.
pub trait OwnItself<O> {
    /// As it is.
    fn own(&mut self) -> O;
}

impl<T> OwnItself<T> for BorrowingAnswer<T> {
    fn own(&mut self) -> T {
        self.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn loans_end_inside_of_other_things() {
        let cell = RefCell::new(String::from("ab"));
        let inside: Option<String> =
            owned!(Some(cell.borrow()).map(|text| std::cell::Ref::map(text, String::as_str)));
        assert_eq!(inside, Some(String::from("ab")));
        let map = BTreeMap::from([(1, vec!['a']), (2, vec![])]);
        let lists: Vec<(i32, Vec<char>)> = owned!(map.iter().map(|(k, v)| (*k, v.as_slice())));
        assert_eq!(lists, [(1, vec!['a']), (2, vec![])]);
        let nested: Result<Option<Vec<char>>, u8> = owned!(Ok::<_, u8>(map.get(&2)));
        assert_eq!(nested, Ok(Some(vec![])));
        let three: (bool, Option<i32>, String) = owned!((true, map.keys().next(), "x"));
        assert_eq!(three, (true, Some(1), String::from("x")));
        let values: Vec<Vec<char>> = owned!(map.values().collect::<Vec<_>>());
        assert_eq!(values, [vec!['a'], vec![]]);
    }

    #[test]
    fn a_guard_of_somebody_else_is_one_by_what_it_leads_to() {
        struct Lease<'a>(&'a u8);
        impl Deref for Lease<'_> {
            type Target = u8;
            fn deref(&self) -> &u8 {
                self.0
            }
        }
        let inside: u8 = owned!(Lease(&7));
        assert_eq!(inside, 7);
    }

    #[test]
    fn what_ends_a_loan_is_written() {
        assert_eq!(<&str as Borrowed>::written("f()"), "f().to_owned()");
        assert_eq!(<Option<Ref<'_, u8>>>::written("f()"), "f().map(|value| (*value).to_owned())");
        assert_eq!(
            <Vec<&u8>>::written("f()"),
            "f().into_iter().map(|value| value.to_owned()).collect::<Vec<_>>()"
        );
        assert_eq!(<Option<(u8, &str)>>::written("f()"), "f().map(|(a, b)| (a, b.to_owned()))");
        assert_eq!(<Option<(u8, String)>>::written("f()"), "f()");
        assert_eq!(<(u8, &str)>::written("f()"), "{ let (a, b) = f(); (a, b.to_owned()) }");
    }

    #[test]
    fn what_does_not_borrow_stays_as_it_is() {
        struct Opaque(u8);
        assert_eq!(owned!(0..3), 0..3);
        assert_eq!(owned!(Some(String::from("a"))), Some(String::from("a")));
        assert_eq!(owned!(Opaque(4)).0, 4);
        assert_eq!(owned!(Box::new(Opaque(4))).0, 4);
    }
}
