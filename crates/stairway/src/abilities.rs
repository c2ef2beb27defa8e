//! What expansions of macros may do with a type of the user's: show it, write it as source, copy it, compare
//! it.
//!
//! A macro sees the name of a type and not its traits, so each ability is asked for by method lookup, which
//! prefers the implementation with the most references: `(&&&Show(v)).show()` finds Rust source before `Debug`,
//! and `Debug` before the name of the type. Every ability has a trait for each answer, and a macro that asks.

use crate::program::expanded::fingerprint_of;
use crate::program::step_source::{AnswerSource, LentSource};
use crate::source::SourceForm;
use std::fmt::Debug;

/// A value to be shown as well as its type allows: as Rust source, by `Debug`, or by its type.
#[derive(Debug)]
pub struct Show<'a, T: ?Sized>(pub &'a T);

/// Shown as Rust source.
pub trait ShowSource {
    /// The text.
    fn show(&self) -> String;
}

impl<T: crate::ToSource + ?Sized> ShowSource for &&Show<'_, T> {
    fn show(&self) -> String {
        crate::panics::shown(|| self.0.to_source())
    }
}

/// Shown by `Debug`.
pub trait ShowDebug {
    /// The text.
    fn show(&self) -> String;
}

impl<T: Debug + ?Sized> ShowDebug for &Show<'_, T> {
    fn show(&self) -> String {
        crate::panics::shown(|| format!("{:?}", self.0))
    }
}

/// Shown by its type.
pub trait ShowType {
    /// The text.
    fn show(&self) -> String;
}

impl<T: ?Sized> ShowType for Show<'_, T> {
    fn show(&self) -> String {
        format!("<{}>", std::any::type_name::<T>())
    }
}

/// For types without `Debug`.
pub trait ShowNothing {
    /// No text.
    fn show(&self) -> String;
}

impl<T: ?Sized> ShowNothing for Show<'_, T> {
    fn show(&self) -> String {
        String::new()
    }
}

/// Shows a value as well as its type allows.
#[macro_export]
#[doc(hidden)]
macro_rules! __show {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{ShowDebug as _, ShowSource as _, ShowType as _};
        (&&&$crate::__private::Show($value)).show()
    }};
}
pub use __show as show;

/// Shows a value by `Debug`, or by its type.
#[macro_export]
#[doc(hidden)]
macro_rules! __debug {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{ShowDebug as _, ShowType as _};
        (&&$crate::__private::Show($value)).show()
    }};
}
pub use __debug as debug;

/// Shows a value by `Debug`, or as nothing.
#[macro_export]
#[doc(hidden)]
macro_rules! __show_if_possible {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{ShowDebug as _, ShowNothing as _};
        (&&$crate::__private::Show($value)).show()
    }};
}
pub use __show_if_possible as show_if_possible;

/// Shows a copy that was made where the type allowed it, by `Debug`; or as nothing.
#[macro_export]
#[doc(hidden)]
macro_rules! __show_copy {
    ($copy:expr) => {
        match $copy {
            ::core::option::Option::Some(value) => $crate::__private::show_if_possible!(value),
            ::core::option::Option::None => ::std::string::String::new(),
        }
    };
}
pub use __show_copy as show_copy;

/// For values that have a text: source, or by `Debug`.
pub trait TextSome {
    /// True.
    fn has_text(&self) -> bool;
}

impl<T: Debug + ?Sized> TextSome for &Show<'_, T> {
    fn has_text(&self) -> bool {
        true
    }
}

/// For values that are written as Rust source.
pub trait TextSource {
    /// True.
    fn has_text(&self) -> bool;
}

impl<T: crate::ToSource + ?Sized> TextSource for &&Show<'_, T> {
    fn has_text(&self) -> bool {
        true
    }
}

/// For all other values, which are shown by their type.
pub trait TextNone {
    /// False.
    fn has_text(&self) -> bool;
}

impl<T: ?Sized> TextNone for Show<'_, T> {
    fn has_text(&self) -> bool {
        false
    }
}

/// Whether what `show!` gives is the value's own text, and not the name of its type.
#[macro_export]
#[doc(hidden)]
macro_rules! __has_text {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{TextNone as _, TextSome as _, TextSource as _};
        (&&&$crate::__private::Show($value)).has_text()
    }};
}
pub use __has_text as has_text;

/// A value as `show!` gives it, if it has a text.
#[macro_export]
#[doc(hidden)]
macro_rules! __show_or_none {
    ($value:expr) => {
        $crate::__private::has_text!($value).then(|| $crate::__private::show!($value))
    };
}
pub use __show_or_none as show_or_none;

/// For values that are lent as well as their type allows: as Rust source.
pub trait LendSource {
    /// The argument.
    fn lend(&self) -> LentSource;
}

impl<T: crate::ToSource + ?Sized> LendSource for &Show<'_, T> {
    fn lend(&self) -> LentSource {
        let (mut out, mut is_loose) = (String::new(), false);
        let text = crate::panics::shown(|| {
            is_loose = self.0.is_loose();
            self.0.write_lent(&mut out);
            out
        });
        LentSource { text, is_loose }
    }
}

/// For all other values, which no test can be given.
pub trait LendNothing {
    /// No text.
    fn lend(&self) -> LentSource;
}

impl<T: ?Sized> LendNothing for Show<'_, T> {
    fn lend(&self) -> LentSource {
        LentSource::default()
    }
}

/// A value as an argument for a parameter that borrows it: Rust source, or nothing.
#[macro_export]
#[doc(hidden)]
macro_rules! __lend {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{LendNothing as _, LendSource as _};
        (&&$crate::__private::Show($value)).lend()
    }};
}
pub use __lend as lend;

/// For answers that a test can compare with what they should be.
pub trait WriteSource {
    /// The expression.
    fn write(&self) -> AnswerSource;
}

impl<T: crate::ToSource + Debug + PartialEq> WriteSource for &Show<'_, T> {
    fn write(&self) -> AnswerSource {
        let this = self.0;
        let mut form = SourceForm::Plain;
        // A value such as `NAN`, which is not equal to itself, cannot be compared with an expression.
        #[allow(clippy::eq_op, reason = "some values differ from themselves")]
        let text = crate::panics::or_nothing(|| {
            form = this.form();
            if this == this { this.to_source() } else { String::new() }
        });
        AnswerSource { text, form }
    }
}

/// For all other answers.
pub trait WriteNothing {
    /// No text.
    fn write(&self) -> AnswerSource;
}

impl<T: ?Sized> WriteNothing for Show<'_, T> {
    fn write(&self) -> AnswerSource {
        AnswerSource::default()
    }
}

/// An answer as a test compares it: Rust source, or nothing.
#[macro_export]
#[doc(hidden)]
macro_rules! __write {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{WriteNothing as _, WriteSource as _};
        (&&$crate::__private::Show($value)).write()
    }};
}
pub use __write as write;

/// How answers are shown and compared: those of a model of a type and of its system, or of a
/// system alone.
#[macro_export]
#[doc(hidden)]
macro_rules! __shown {
    () => {
        (
            |answer| $crate::__private::show!(answer),
            |one, other| $crate::__private::alike!(one, other),
            |answer| $crate::__private::write!(answer),
            |answer| $crate::__private::has_text!(answer),
        )
    };
    ($model:ty) => {
        $crate::__private::AnswerDisplay {
            model: |answer: &$model| $crate::__private::show!(answer),
            system: |answer| $crate::__private::show!(answer),
            write_model: |answer: &$model| $crate::__private::write!(answer),
            write_system: |answer| $crate::__private::write!(answer),
            has_model_text: |answer: &$model| $crate::__private::has_text!(answer),
            has_text: |answer| $crate::__private::has_text!(answer),
            are_models_alike: |one: &$model, other: &$model| $crate::__private::alike!(one, other),
            are_alike: |one, other| $crate::__private::alike!(one, other),
        }
    };
}
pub use __shown as shown;

/// A copy of a result to put back after a call that took it, where its type can be copied.
#[derive(Debug)]
pub struct Backup<'a, T>(pub &'a T);

/// For types that can be copied.
pub trait BackupClone<T> {
    /// The copy.
    fn backup(&self) -> Option<T>;
}

impl<T: Clone> BackupClone<T> for &Backup<'_, T> {
    fn backup(&self) -> Option<T> {
        Some(self.0.clone())
    }
}

/// For all other types.
pub trait BackupNone<T> {
    /// Nothing.
    fn backup(&self) -> Option<T>;
}

impl<T> BackupNone<T> for Backup<'_, T> {
    fn backup(&self) -> Option<T> {
        None
    }
}

/// A copy of a value, where its type can be copied.
#[macro_export]
#[doc(hidden)]
macro_rules! __backup {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{BackupClone as _, BackupNone as _};
        (&&$crate::__private::Backup($value)).backup()
    }};
}
pub use __backup as backup;

/// Two states of a model, which are the same if their type can tell.
#[derive(Debug)]
pub struct Same<'a, T>(pub &'a T, pub &'a T);

/// For types that can be compared.
pub trait SameEq {
    /// Whether they are equal.
    fn is_same(&self) -> bool;
}

impl<T: PartialEq> SameEq for &Same<'_, T> {
    fn is_same(&self) -> bool {
        self.0 == self.1
    }
}

/// For all other types.
pub trait SameUnknown {
    /// No.
    fn is_same(&self) -> bool;
}

impl<T> SameUnknown for Same<'_, T> {
    fn is_same(&self) -> bool {
        false
    }
}

/// Whether two values are the same, where their type can tell.
#[macro_export]
#[doc(hidden)]
macro_rules! __same {
    ($one:expr, $other:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{SameEq as _, SameUnknown as _};
        (&&$crate::__private::Same($one, $other)).is_same()
    }};
}
pub use __same as same;

/// For types that cannot be compared: by how they are shown.
pub trait AlikeShown {
    /// Whether they are shown alike.
    fn is_alike(&self) -> bool;
}

impl<T: Debug> AlikeShown for &Same<'_, T> {
    fn is_alike(&self) -> bool {
        format!("{:?}", self.0) == format!("{:?}", self.1)
    }
}

/// For types that can be compared.
pub trait AlikeEq {
    /// Whether they are equal.
    fn is_alike(&self) -> bool;
}

impl<T: PartialEq> AlikeEq for &&Same<'_, T> {
    fn is_alike(&self) -> bool {
        self.0 == self.1
    }
}

/// For all other types, of which nothing can be said.
pub trait AlikeUnknown {
    /// Yes.
    fn is_alike(&self) -> bool;
}

impl<T> AlikeUnknown for Same<'_, T> {
    fn is_alike(&self) -> bool {
        true
    }
}

/// Whether two answers are the same, as far as their type can tell.
#[macro_export]
#[doc(hidden)]
macro_rules! __alike {
    ($one:expr, $other:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{AlikeEq as _, AlikeShown as _, AlikeUnknown as _};
        (&&&$crate::__private::Same($one, $other)).is_alike()
    }};
}
pub use __alike as alike;

/// A type, to ask whether its values can be written as Rust source.
#[derive(Debug)]
pub struct Kind<T: ?Sized>(pub std::marker::PhantomData<T>);

/// For types whose values can.
pub trait KindSource {
    /// True.
    fn is_source(&self) -> bool;
}

impl<T: crate::ToSource + ?Sized> KindSource for &&Kind<T> {
    fn is_source(&self) -> bool {
        true
    }
}

/// The types whose values are shown by `Debug` as they are written.
const SHOWN_AS_WRITTEN: [&str; 14] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool", "char"];

/// For types that are shown by `Debug`: a type parameter is all that a generic function knows, and may stand for a
/// number.
pub trait KindShown {
    /// Whether that is how they are written.
    fn is_source(&self) -> bool;
}

impl<T: std::fmt::Debug + ?Sized> KindShown for &Kind<T> {
    fn is_source(&self) -> bool {
        SHOWN_AS_WRITTEN.contains(&std::any::type_name::<T>())
    }
}

/// For all other types.
pub trait KindOther {
    /// False.
    fn is_source(&self) -> bool;
}

impl<T: ?Sized> KindOther for Kind<T> {
    fn is_source(&self) -> bool {
        false
    }
}

/// Whether values of a type can be written as Rust source.
#[macro_export]
#[doc(hidden)]
macro_rules! __is_source {
    ($type:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{KindOther as _, KindShown as _, KindSource as _};
        (&&&$crate::__private::Kind::<$type>(::core::marker::PhantomData)).is_source()
    }};
}
pub use __is_source as is_source;

/// For types that can be hashed.
pub trait HashSome<T> {
    /// How.
    fn hash_of(&self) -> Option<fn(&T) -> u128>;
}

impl<T: std::hash::Hash> HashSome<T> for &Kind<T> {
    fn hash_of(&self) -> Option<fn(&T) -> u128> {
        Some(|value| crate::program::expanded::fingerprint_of(value))
    }
}

/// For all other types.
pub trait HashNone<T> {
    /// Nothing.
    fn hash_of(&self) -> Option<fn(&T) -> u128>;
}

impl<T> HashNone<T> for Kind<T> {
    fn hash_of(&self) -> Option<fn(&T) -> u128> {
        None
    }
}

/// How values of a type become numbers, where they can.
#[macro_export]
#[doc(hidden)]
macro_rules! __hash_of {
    ($type:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{HashNone as _, HashSome as _};
        (&&$crate::__private::Kind::<$type>(::core::marker::PhantomData)).hash_of()
    }};
}
pub use __hash_of as hash_of;

/// What values of a type are known by: their hash, or how they are shown.
pub trait ImprintHash<T> {
    /// How.
    fn imprint_of(&self) -> stairway_engine::Imprint<T>;
}

impl<T: std::hash::Hash> ImprintHash<T> for &&Kind<T> {
    fn imprint_of(&self) -> stairway_engine::Imprint<T> {
        Some(|value| fingerprint_of(value) as u32)
    }
}

/// For types that cannot be hashed.
pub trait ImprintShown<T> {
    /// How.
    fn imprint_of(&self) -> stairway_engine::Imprint<T>;
}

impl<T: Debug> ImprintShown<T> for &Kind<T> {
    fn imprint_of(&self) -> stairway_engine::Imprint<T> {
        Some(|value| fingerprint_of(&format!("{value:?}")) as u32)
    }
}

/// For all other types.
pub trait ImprintNone<T> {
    /// Nothing.
    fn imprint_of(&self) -> stairway_engine::Imprint<T>;
}

impl<T> ImprintNone<T> for Kind<T> {
    fn imprint_of(&self) -> stairway_engine::Imprint<T> {
        None
    }
}

/// What values of a type are known by, where they can be told apart.
#[macro_export]
#[doc(hidden)]
macro_rules! __imprint_of {
    ($type:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{ImprintHash as _, ImprintNone as _, ImprintShown as _};
        (&&&$crate::__private::Kind::<$type>(::core::marker::PhantomData)).imprint_of()
    }};
}
pub use __imprint_of as imprint_of;
