//! Values as Rust source: what a reproducer that does not need Stairway is written with.
//!
//! Writes an expression that makes an equal value where its type is known, as in `let value: T = ..` or an
//! argument. Paths into `std` are written out, so that nothing has to be imported; names of the user's own
//! types are not, because the derive macro does not know them. This file decides nothing about lines and
//! indentation.

#![allow(clippy::disallowed_types, reason = "hashed collections are written in the order of their source")]

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt::Write;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A value that can be written as the Rust expression that makes it; derive it for your types.
///
/// ```
/// use stairway::ToSource;
/// #[derive(ToSource)]
/// struct Order { id: u32, items: Vec<(String, f64)>, note: Option<&'static str> }
/// let order = Order { id: 7, items: vec![("tea".to_owned(), 2.5)], note: None };
/// assert_eq!(
///     order.to_source(),
///     r#"Order { id: 7, items: vec![(String::from("tea"), 2.5)], note: None }"#,
/// );
/// ```
pub trait ToSource {
    /// Writes the expression at the end of `out`.
    fn write_source(&self, out: &mut String);

    /// The expression as a string of its own.
    fn to_source(&self) -> String {
        let mut out = String::new();
        self.write_source(&mut out);
        out
    }

    /// Writes the value at the end of `out` as an argument for a parameter that borrows it, as `&str` does from
    /// a `String`: what need not be owned for that is not.
    fn write_lent(&self, out: &mut String) {
        out.push('&');
        match self.is_loose() {
            true => push(out, format_args!("({})", self.to_source())),
            false => self.write_source(out),
        }
    }

    /// Whether an operator before the expression would take only a part of it, so that `&` needs
    /// parentheses.
    fn is_loose(&self) -> bool {
        false
    }

    /// What a comparison with the expression has to know about it.
    #[doc(hidden)]
    fn form(&self) -> SourceForm {
        SourceForm::Plain
    }
}

/// What the expression of a value says of the value's type, where another value is compared with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SourceForm {
    /// Enough.
    #[default]
    Plain,
    /// It is `()`, which is not worth a comparison.
    Unit,
    /// It is a list without elements, whose type it does not say.
    EmptyList,
    /// There are such lists among its elements.
    OpenElements,
}

/// The form of a list.
fn list_form<'a, T: ToSource + 'a>(elements: impl IntoIterator<Item = &'a T>) -> SourceForm {
    let mut elements = elements.into_iter().map(ToSource::form).peekable();
    let is_open = |form| matches!(form, SourceForm::EmptyList | SourceForm::OpenElements);
    match (elements.peek().is_none(), elements.any(is_open)) {
        (true, _) => SourceForm::EmptyList,
        (false, true) => SourceForm::OpenElements,
        (false, false) => SourceForm::Plain,
    }
}

/// Implements [`ToSource`] by an expression that is displayed.
macro_rules! displayed {
    ($([$($parameters:tt)*] $t:ty: |$value:ident| $shown:expr $(, $other:item)*;)*) => {$(
        impl<$($parameters)*> ToSource for $t {
            fn write_source(&self, out: &mut String) {
                let $value = self;
                out.push_str($shown.as_ref());
            }
            $($other)*
        }
    )*};
}

impl<const N: usize> ToSource for stairway_machine::Which<N> {
    fn write_source(&self, out: &mut String) {
        out.push_str("stairway::machine::Which::nth(");
        self.place().write_source(out);
        out.push(')');
    }
}

/// Implements [`ToSource`] by text around the source of an inner value.
macro_rules! wrapped {
    ($([$($parameters:tt)*] $t:ty: $before:literal, |$value:ident| $inner:expr, $after:literal;)*) => {$(
        impl<$($parameters)*> ToSource for $t {
            fn write_source(&self, out: &mut String) {
                let $value = self;
                out.push_str($before);
                $inner.write_source(out);
                out.push_str($after);
            }
        }
    )*};
}

/// Implements [`ToSource`] by text around the sources of several values.
macro_rules! listed {
    ($(
        [$($parameters:tt)*] $t:ty: $before:literal, |$value:ident| $sources:expr, $after:literal
        $(, $other:item)*;
    )*) => {$(
        impl<$($parameters)*> ToSource for $t {
            fn write_source(&self, out: &mut String) {
                let $value = self;
                out.push_str($before);
                out.push_str(&$sources.join(", "));
                out.push_str($after);
            }
            $($other)*
        }
    )*};
}

macro_rules! integers {
    ($($t:ty),*) => {
        displayed! {$(
            [] $t: |n| n.to_string();
            [] NonZero<$t>: |n| format!(concat!("std::num::NonZero::new({}", stringify!($t), ").unwrap()"), n);
        )*}
    };
}

macro_rules! floats {
    ($($t:ident),*) => {displayed! {$(
        [] $t: |x| match *x {
            x if x.is_nan() => concat!(stringify!($t), "::NAN").to_owned(),
            $t::INFINITY => concat!(stringify!($t), "::INFINITY").to_owned(),
            $t::NEG_INFINITY => concat!(stringify!($t), "::NEG_INFINITY").to_owned(),
            x => format!("{x:?}"),
        };
    )*}};
}

integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
floats!(f32, f64);

displayed! {
    [] (): |_unit| "()", fn form(&self) -> SourceForm { SourceForm::Unit };
    [] bool: |b| b.to_string();
    [] char: |c| format!("{c:?}");
    [] &str: |text| format!("{text:?}");
    [] String: |text| format!("String::from({text:?})"), fn write_lent(&self, out: &mut String) {
        push(out, format_args!("{self:?}"));
    };
    [] Box<str>: |text| format!("Box::from({text:?})");
    [] Rc<str>: |text| format!("std::rc::Rc::from({text:?})");
    [] Arc<str>: |text| format!("std::sync::Arc::from({text:?})");
    [] &CStr: |text| format!("c{text:?}");
    [] CString: |text| format!("c{text:?}.to_owned()"), fn write_lent(&self, out: &mut String) {
        push(out, format_args!("c{self:?}"));
    };
    [] Ordering: |ordering| format!("std::cmp::Ordering::{ordering:?}");
    [] Duration: |d| format!("std::time::Duration::new({}, {})", d.as_secs(), d.subsec_nanos());
    [T: ?Sized] PhantomData<T>: |_phantom| "std::marker::PhantomData";
    [] SystemTime: |time| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => format!("std::time::UNIX_EPOCH.checked_add({}).unwrap()", after.to_source()),
        Err(e) => format!("std::time::UNIX_EPOCH.checked_sub({}).unwrap()", e.duration().to_source()),
    };
    [] Ipv4Addr: |address| format!("{:?}.parse::<std::net::Ipv4Addr>().unwrap()", address.to_string());
    [] Ipv6Addr: |address| format!("{:?}.parse::<std::net::Ipv6Addr>().unwrap()", address.to_string());
    [] SocketAddrV4: |address| {
        format!("{:?}.parse::<std::net::SocketAddrV4>().unwrap()", address.to_string())
    };
    // Its text leaves the flow information out.
    [] SocketAddrV6: |a| format!(
        "std::net::SocketAddrV6::new({}, {}, {}, {})",
        a.ip().to_source(), a.port(), a.flowinfo(), a.scope_id(),
    );
}

impl ToSource for OsString {
    fn write_source(&self, out: &mut String) {
        match self.to_str() {
            Some(text) => push(out, format_args!("std::ffi::OsString::from({text:?})")),
            None => write_encoded(self, out),
        }
    }
}

impl ToSource for PathBuf {
    fn write_source(&self, out: &mut String) {
        match self.to_str() {
            Some(text) => push(out, format_args!("std::path::PathBuf::from({text:?})")),
            None => {
                out.push_str("std::path::PathBuf::from(");
                write_encoded(self.as_os_str(), out);
                out.push(')');
            }
        }
    }
}

impl ToSource for &OsStr {
    fn write_source(&self, out: &mut String) {
        out.push('&');
        self.to_os_string().write_source(out);
    }
}

impl ToSource for &Path {
    fn write_source(&self, out: &mut String) {
        out.push('&');
        self.to_path_buf().write_source(out);
    }
}

/// A name that is not text, by the bytes it has on every system of its family.
#[cfg(unix)]
fn write_encoded(name: &OsStr, out: &mut String) {
    use std::os::unix::ffi::OsStrExt;
    out.push_str("<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(");
    name.as_bytes().to_vec().write_source(out);
    out.push(')');
}

/// A name that is not text, as near as text comes.
#[cfg(not(unix))]
fn write_encoded(name: &OsStr, out: &mut String) {
    push(out, format_args!("std::ffi::OsString::from({:?})", name.to_string_lossy()));
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all text");
}

wrapped! {
    [T: ToSource] Box<T>: "Box::new(", |value| (**value), ")";
    [T: ToSource] Rc<T>: "std::rc::Rc::new(", |value| (**value), ")";
    [T: ToSource] Arc<T>: "std::sync::Arc::new(", |value| (**value), ")";
    [T: ToSource + Copy] Cell<T>: "std::cell::Cell::new(", |value| value.get(), ")";
    // While it is mutably borrowed there is nothing to read, and this panics as `borrow` does.
    [T: ToSource] RefCell<T>: "std::cell::RefCell::new(", |value| value.borrow(), ")";
    [T: ToSource] Wrapping<T>: "std::num::Wrapping(", |value| value.0, ")";
    [T: ToSource] Saturating<T>: "std::num::Saturating(", |value| value.0, ")";
    [T: ToSource] Reverse<T>: "std::cmp::Reverse(", |value| value.0, ")";
}

listed! {
    [T: ToSource, const N: usize] [T; N]: "[", |values| sources(values), "]",
        fn form(&self) -> SourceForm { list_form(self) };
    [T: ToSource] &[T]: "&[", |values| sources(*values), "]",
        fn form(&self) -> SourceForm { list_form(*self) };
    [T: ToSource] Vec<T>: "vec![", |values| sources(values), "]",
        fn write_lent(&self, out: &mut String) { (&self[..]).write_source(out); },
        fn form(&self) -> SourceForm { list_form(self) };
    [T: ToSource] Box<[T]>: "Box::from([", |values| sources(values), "])";
    [T: ToSource] Rc<[T]>: "std::rc::Rc::from([", |values| sources(&**values), "])";
    [T: ToSource] Arc<[T]>: "std::sync::Arc::from([", |values| sources(&**values), "])";
    [T: ToSource] VecDeque<T>: "std::collections::VecDeque::from([", |values| sources(values), "])";
    [T: ToSource] LinkedList<T>: "std::collections::LinkedList::from([", |values| sources(values), "])";
    [T: ToSource] BTreeSet<T>: "std::collections::BTreeSet::from([", |values| sources(values), "])";
    [K: ToSource, V: ToSource] BTreeMap<K, V>:
        "std::collections::BTreeMap::from([", |entries| pairs(entries), "])";
    [T: ToSource] BinaryHeap<T>:
        "std::collections::BinaryHeap::from([", |values| sorted(sources(values)), "])";
    [T: ToSource] HashSet<T>: "std::collections::HashSet::from([", |values| sorted(sources(values)), "])";
    [K: ToSource, V: ToSource] HashMap<K, V>:
        "std::collections::HashMap::from([", |entries| sorted(pairs(entries)), "])";
}

fn sources<'a, T: ToSource + 'a>(values: impl IntoIterator<Item = &'a T>) -> Vec<String> {
    values.into_iter().map(ToSource::to_source).collect()
}

fn pairs<'a, K: ToSource + 'a, V: ToSource + 'a>(
    entries: impl IntoIterator<Item = (&'a K, &'a V)>,
) -> Vec<String> {
    entries.into_iter().map(|(key, value)| format!("({}, {})", key.to_source(), value.to_source())).collect()
}

/// For collections without an order that is the same in every run.
fn sorted(mut sources: Vec<String>) -> Vec<String> {
    sources.sort_unstable();
    sources
}

macro_rules! tuples {
    ($first:ident 0) => {
        wrapped! { [$first: ToSource] ($first,): "(", |value| value.0, ",)"; }
    };
    ($($name:ident $index:tt)*) => {
        listed! { [$($name: ToSource),*] ($($name,)*): "(", |value| [$(value.$index.to_source()),*], ")"; }
    };
}

tuples!(A 0);
tuples!(A 0 B 1);
tuples!(A 0 B 1 C 2);
tuples!(A 0 B 1 C 2 D 3);
tuples!(A 0 B 1 C 2 D 3 E 4);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);

/// Implements [`ToSource`] for an enum of `std`, all of whose variants hold one value or none.
macro_rules! enums {
    ($([$($parameters:tt)*] $t:ty { $($pattern:pat => $before:literal $(, $inner:ident)?;)* })*) => {$(
        impl<$($parameters)*> ToSource for $t {
            fn write_source(&self, out: &mut String) {
                match self {$(
                    $pattern => {
                        out.push_str($before);
                        $(
                            $inner.write_source(out);
                            out.push(')');
                        )?
                    }
                )*}
            }
        }
    )*};
}

enums! {
    [T: ToSource] Option<T> { None => "None"; Some(value) => "Some(", value; }
    [T: ToSource, E: ToSource] Result<T, E> { Ok(value) => "Ok(", value; Err(error) => "Err(", error; }
    [T: ToSource] Bound<T> {
        Bound::Unbounded => "std::ops::Bound::Unbounded";
        Bound::Included(value) => "std::ops::Bound::Included(", value;
        Bound::Excluded(value) => "std::ops::Bound::Excluded(", value;
    }
    [] IpAddr {
        IpAddr::V4(address) => "std::net::IpAddr::V4(", address;
        IpAddr::V6(address) => "std::net::IpAddr::V6(", address;
    }
    [] SocketAddr {
        SocketAddr::V4(address) => "std::net::SocketAddr::V4(", address;
        SocketAddr::V6(address) => "std::net::SocketAddr::V6(", address;
    }
}

impl<T: ToOwned + ?Sized> ToSource for Cow<'_, T>
where
    T::Owned: ToSource,
    for<'a> &'a T: ToSource,
{
    fn write_source(&self, out: &mut String) {
        let (variant, value) = match self {
            Cow::Borrowed(value) => ("Borrowed", value.to_source()),
            Cow::Owned(value) => ("Owned", value.to_source()),
        };
        push(out, format_args!("std::borrow::Cow::{variant}({value})"));
    }

    fn form(&self) -> SourceForm {
        let inner = match self {
            Cow::Borrowed(value) => value.form(),
            Cow::Owned(value) => value.form(),
        };
        // Whatever is borrowed or owned may be compared with something of another type.
        match inner {
            SourceForm::EmptyList | SourceForm::OpenElements => SourceForm::OpenElements,
            _ => SourceForm::Plain,
        }
    }
}

/// Ranges are written with the operator, which takes less than everything around it.
macro_rules! ranges {
    ($([$($parameters:tt)*] $t:ty: |$range:ident| $start:expr, $operator:literal, $end:expr;)*) => {$(
        impl<$($parameters)*> ToSource for $t {
            fn write_source(&self, out: &mut String) {
                let $range = self;
                write_range($start, $operator, $end, out);
            }
            fn is_loose(&self) -> bool {
                true
            }
        }
    )*};
}

ranges! {
    [T: ToSource] Range<T>: |range| Some(&range.start), "..", Some(&range.end);
    [T: ToSource] RangeInclusive<T>: |range| Some(range.start()), "..=", Some(range.end());
    [T: ToSource] RangeFrom<T>: |range| Some(&range.start), "..", None;
    [T: ToSource] RangeTo<T>: |range| None, "..", Some(&range.end);
    [T: ToSource] RangeToInclusive<T>: |range| None, "..=", Some(&range.end);
    [] RangeFull: |_range| None::<&()>, "..", None;
}

fn write_range<T: ToSource>(start: Option<&T>, operator: &str, end: Option<&T>, out: &mut String) {
    start.into_iter().for_each(|bound| write_tight(bound, out));
    out.push_str(operator);
    end.into_iter().for_each(|bound| write_tight(bound, out));
}

/// Writes an expression where an operator stands beside it.
fn write_tight<T: ToSource>(value: &T, out: &mut String) {
    match value.is_loose() {
        true => push(out, format_args!("({})", value.to_source())),
        false => value.write_source(out),
    }
}

impl<T: ToSource> ToSource for &T {
    fn write_source(&self, out: &mut String) {
        out.push('&');
        write_tight(*self, out);
    }

    fn form(&self) -> SourceForm {
        (**self).form()
    }
}

impl<T: ToSource> ToSource for &mut T {
    fn write_source(&self, out: &mut String) {
        out.push_str("&mut ");
        write_tight(*self, out);
    }

    fn form(&self) -> SourceForm {
        (**self).form()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value is written as the source it was made from; that this compiles shows that the
    /// source does.
    macro_rules! assert_same {
        ($($t:ty: $value:expr;)*) => {$({
            let value: $t = $value;
            // The compiler breaks long lines.
            assert_eq!(<$t as ToSource>::to_source(&value), stringify!($value).replace('\n', " "));
        })*};
    }

    #[test]
    fn scalars_are_written_as_they_are_read() {
        assert_same! {
            (): ();
            bool: true;
            u8: 255;
            i32: -2147483648;
            u128: 340282366920938463463374607431768211455;
            f64: -0.0;
            f64: 0.1;
            f64: 1.7976931348623157e308;
            f64: 5e-324;
            f32: 16777216.0;
            f32: f32::NAN;
            f64: f64::INFINITY;
            f64: f64::NEG_INFINITY;
            char: 'ß';
            char: '\'';
            char: '\n';
            char: '\u{202e}';
            std::num::NonZero<u32>: std::num::NonZero::new(5u32).unwrap();
            std::num::NonZero<i8>: std::num::NonZero::new(-5i8).unwrap();
            Ordering: std::cmp::Ordering::Less;
            Duration: std::time::Duration::new(1, 500);
            PhantomData<str>: std::marker::PhantomData;
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_same! {
            &str: "plain";
            &str: "\"\\\n\t\0\u{202e}\u{301}'";
            String: String::from("a \"b\"");
            Box<str>: Box::from("b");
            Rc<str>: std::rc::Rc::from("c");
            Arc<str>: std::sync::Arc::from("d");
            Cow<'_, str>: std::borrow::Cow::Borrowed("e");
            Cow<'_, str>: std::borrow::Cow::Owned(String::from("f"));
            Cow<'_, [u8]>: std::borrow::Cow::Borrowed(&[1]);
        }
    }

    fn lent(value: &impl ToSource) -> String {
        let mut out = String::new();
        value.write_lent(&mut out);
        out
    }

    #[test]
    fn what_is_borrowed_need_not_be_owned() {
        assert_eq!(lent(&String::from("vec![")), "\"vec![\"");
        assert_eq!(lent(&vec![vec![1u8], vec![]]), "&[vec![1], vec![]]");
        assert_eq!(lent(&Some(1u8)), "&Some(1)");
        assert_eq!(lent(&(1u8..2)), "&(1..2)");
    }

    #[test]
    fn empty_lists_do_not_say_what_is_in_them() {
        assert_eq!(Vec::<u8>::new().form(), SourceForm::EmptyList);
        assert_eq!(vec![vec![1u8], vec![]].form(), SourceForm::OpenElements);
        assert_eq!([[vec![0u8; 0]]].form(), SourceForm::OpenElements);
        assert_eq!(vec![String::from("vec![]")].form(), SourceForm::Plain);
        assert_eq!(Some(Vec::<u8>::new()).form(), SourceForm::Plain, "options are of one type");
        assert_eq!([().form(), (&&()).form()], [SourceForm::Unit; 2]);
    }

    #[test]
    fn collections_hold_their_elements() {
        assert_same! {
            [u8; 0]: [];
            [bool; 2]: [true, false];
            Vec<u8>: vec![];
            Vec<Vec<i32>>: vec![vec![1, -2], vec![]];
            &[u8]: &[1, 2];
            Box<[u8]>: Box::from([1, 2]);
            Rc<[u8]>: std::rc::Rc::from([1, 2]);
            VecDeque<u8>: std::collections::VecDeque::from([1, 2]);
            LinkedList<u8>: std::collections::LinkedList::from([1]);
            BinaryHeap<u8>: std::collections::BinaryHeap::from([1, 2, 3]);
            BTreeSet<char>: std::collections::BTreeSet::from(['a', 'b']);
            BTreeMap<u8, &str>: std::collections::BTreeMap::from([(1, "one"), (2, "two")]);
            HashSet<u8>: std::collections::HashSet::from([1, 2, 3, 4]);
            HashMap<u8, bool>: std::collections::HashMap::from([(1, true), (2, false), (3, true)]);
        }
    }

    #[test]
    fn wrappers_and_tuples_nest() {
        assert_same! {
            Option<Option<u8>>: Some(None);
            Result<u8, String>: Err(String::from("no"));
            Box<Rc<u8>>: Box::new(std::rc::Rc::new(1));
            Arc<u8>: std::sync::Arc::new(1);
            Cell<u8>: std::cell::Cell::new(1);
            RefCell<Vec<u8>>: std::cell::RefCell::new(vec![1]);
            Wrapping<u8>: std::num::Wrapping(1);
            Saturating<i8>: std::num::Saturating(-1);
            Reverse<u8>: std::cmp::Reverse(1);
            (u8,): (1,);
            (u8, &str): (1, "a");
            (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8): (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
            &&u8: &&1;
            &mut Option<i8>: &mut Some(-1);
        }
    }

    #[test]
    fn ranges_stay_whole() {
        assert_same! {
            Range<i8>: -1..2;
            RangeInclusive<char>: 'a'..='z';
            RangeFrom<u8>: 1..;
            RangeTo<u8>: ..2;
            RangeToInclusive<u8>: ..=2;
            RangeFull: ..;
            &Range<u8>: &(1..2);
            Option<Range<u8>>: Some(1..2);
            Bound<u8>: std::ops::Bound::Excluded(1);
            Bound<u8>: std::ops::Bound::Unbounded;
        }
    }

    #[test]
    fn what_a_system_says_is_written_in_full() {
        assert_same! {
            PathBuf: std::path::PathBuf::from("/tmp");
            OsString: std::ffi::OsString::from("a");
            CString: c"a\n\"\xff".to_owned();
            &CStr: c"";
            &OsStr: &std::ffi::OsString::from("a");
            &Path: &std::path::PathBuf::from("a");
            SystemTime: std::time::UNIX_EPOCH.checked_add(std::time::Duration::new(1, 2)).unwrap();
            SystemTime: std::time::UNIX_EPOCH.checked_sub(std::time::Duration::new(1, 0)).unwrap();
            IpAddr: std::net::IpAddr::V4("127.0.0.1".parse::<std::net::Ipv4Addr>().unwrap());
            SocketAddrV4: "1.2.3.4:80".parse::<std::net::SocketAddrV4>().unwrap();
            SocketAddrV6:
                std::net::SocketAddrV6::new("::1".parse::<std::net::Ipv6Addr>().unwrap(), 80, 1, 2);
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_text_keep_their_bytes() {
        assert_same! {
            OsString: <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(vec![255, 47]);
            PathBuf: std::path::PathBuf::from(
                <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(vec![255, 47])
            );
        }
    }
}
