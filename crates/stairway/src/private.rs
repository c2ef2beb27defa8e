//! What the macros expand to. Not part of the interface: it changes with the macros.

use crate::check::Checker;
use crate::checker::Example;
use crate::settings::Settings;
use stairway_engine::{Case, Checked, Discard, Failure, FailureKind, Party, Place, Returned, Role, Stop};
use std::any::Any;
use std::fmt::Debug;
use std::panic::Location;

pub use crate::await_limit::{in_time, limited};
pub use crate::checker::Run;
pub use crate::executor::block_on;
pub use crate::isolate::{load as worker_loads, retire as retire_worker};
pub use crate::leaks::end_if_leaked;
pub use crate::program::awaited::{AnswerDeclared, AnswerLater, AnswerNow, Answered, Undeclared, awaited};
pub use crate::program::call_source;
pub use crate::program::contract;
pub use crate::program::expanded::*;
pub use crate::program::owned::{OwnBorrowed, OwnCollected, OwnCopied, OwnEqual, OwnItself, Owning};
pub use crate::program::soundness;
pub use crate::program::step_source::{self, StepSource};
pub use crate::program::{Argument, Contract, Law, LawChecker, ModelBuilder, ModelChecker, Operation};
pub use crate::refine::clauses as refine;
pub use crate::refine::{Refinement, RefinementChecker};
pub use crate::refused::note_refusal;
pub use crate::reproducer::{Returns, Source};
pub use crate::reproducer_program::Start;
pub use stairway_engine::{Step, Stepped};

/// What a generator that was made of a model's state has to offer.
#[derive(Debug)]
pub enum Offer<T> {
    /// An empty range, or nothing to choose from.
    Nothing,
    /// Something; nobody has asked for a value.
    Something,
    /// This value.
    Drawn(T),
}

/// Draws from a generator that was made of a model's state. Without a step, only says whether there is
/// something to draw.
///
/// # Errors
/// Ends the case when no value can be made.
pub fn from_state<G: stairway_engine::Generate>(
    step: Option<&mut stairway_engine::Step<'_, '_>>,
    generator: &G,
    imprint: stairway_engine::Imprint<G::Value>,
) -> Checked<Offer<G::Value>> {
    if stairway_engine::is_empty(generator) {
        return Ok(Offer::Nothing);
    }
    match step {
        Some(step) => step.draw_from_state(generator, imprint).map(Offer::Drawn),
        None => Ok(Offer::Something),
    }
}

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

/// A property made by `#[property]`.
#[derive(Debug)]
pub struct Property {
    checker: Checker,
}

impl Property {
    /// A property with the path `name`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Property { checker: Checker::new(name) }
    }

    /// Its options.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.checker = self.checker.settings(settings);
        self
    }

    /// Its text.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.checker.run.source = Some(source);
        self
    }

    /// Its `#[example]`s.
    #[must_use]
    pub fn examples(mut self, examples: &[Example]) -> Self {
        self.checker = self.checker.examples(examples);
        self
    }

    /// Checks it.
    pub fn run(self, property: impl Fn(&mut Case<'_>) -> Checked + Sync) {
        self.checker.run(property);
    }
}

/// What a property function may return.
#[diagnostic::on_unimplemented(
    message = "a property cannot return `{Self}`",
    note = "it returns nothing, `bool`, `Option`, `Correspondence`, or `Result` with an error that implements `Debug`"
)]
pub trait Testable {
    /// Its meaning. A missing result fails a total property and discards a partial one.
    ///
    /// # Errors
    /// Fails or discards the case.
    fn checked(self, partial: bool) -> Checked;

    /// Its meaning in a case, which it may tell something.
    ///
    /// # Errors
    /// Fails or discards the case.
    #[track_caller]
    fn checked_in(self, case: &mut Case<'_>, partial: bool) -> Checked
    where
        Self: Sized,
    {
        let _ = case;
        self.checked(partial)
    }
}

impl Testable for crate::Correspondence {
    fn checked(self, _: bool) -> Checked {
        self.failure.map_or(Ok(()), |failure| Err(Stop::fail(*failure)))
    }

    fn checked_in(self, case: &mut Case<'_>, _: bool) -> Checked {
        self.check(case)
    }
}

impl Testable for () {
    fn checked(self, _: bool) -> Checked {
        Ok(())
    }
}

impl Testable for bool {
    fn checked(self, _: bool) -> Checked {
        if self { Ok(()) } else { Err(fail(Returned::False, None)) }
    }
}

impl<T> Testable for Option<T> {
    #[track_caller]
    fn checked(self, partial: bool) -> Checked {
        match self {
            Some(_) => Ok(()),
            None if partial => Err(discard()),
            None => Err(fail(Returned::None, None)),
        }
    }
}

impl<T, E: Debug + 'static> Testable for Result<T, E> {
    #[track_caller]
    fn checked(self, partial: bool) -> Checked {
        let Err(error) = self else { return Ok(()) };
        if let Some(stop) = (&error as &dyn Any).downcast_ref::<Stop>() {
            return Err(stop.clone());
        }
        Err(if partial { discard() } else { fail(Returned::Err, Some(format!("Err({error:?})"))) })
    }
}

/// What a property returned identifies the failure, but for the value inside.
fn fail(what: Returned, value: Option<String>) -> Stop {
    let failure = Failure::new(FailureKind::Returned(what));
    Stop::fail(value.into_iter().fold(failure, |failure, value| failure.with(Role::Returned, value)))
}

#[track_caller]
fn discard() -> Stop {
    Stop::discard(Discard::Partial(Place::from(Location::caller())))
}

/// What a property function returns when `assume!` ends it early; the case knows why.
#[diagnostic::on_unimplemented(
    message = "`assume!` cannot end a function or closure that returns `{Self}`",
    note = "use it where nothing, `bool`, `Option` or `Result` is returned, or draw with `t: &mut Case`"
)]
pub trait Ended {
    /// A value nobody will look at.
    fn ended() -> Self;
}

impl Ended for () {
    fn ended() {}
}

impl Ended for bool {
    fn ended() -> Self {
        true
    }
}

impl<T> Ended for Option<T> {
    fn ended() -> Self {
        None
    }
}

impl<T: Ended, E> Ended for Result<T, E> {
    fn ended() -> Self {
        Ok(T::ended())
    }
}

/// A value to be shown as well as its type allows: as Rust source, by `Debug`, or by its type.
///
/// Method lookup prefers the implementation with the most references, so `(&&&Show(v)).show()`
/// finds the best one there is.
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

/// For answers that a test can compare with what they should be.
pub trait WriteSource {
    /// The expression.
    fn write(&self) -> String;
}

impl<T: crate::ToSource + Debug + PartialEq> WriteSource for &Show<'_, T> {
    fn write(&self) -> String {
        let this = self.0;
        // A value such as `NAN`, which is not equal to itself, cannot be compared with an expression.
        #[allow(clippy::eq_op, reason = "some values differ from themselves")]
        crate::panics::or_nothing(|| if this == this { this.to_source() } else { String::new() })
    }
}

/// For all other answers.
pub trait WriteNothing {
    /// No text.
    fn write(&self) -> String;
}

impl<T: ?Sized> WriteNothing for Show<'_, T> {
    fn write(&self) -> String {
        String::new()
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
        $crate::__private::Shown {
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

/// How much of an operand is shown.
const MAX_OPERAND: usize = 200;

/// A part of a condition that does not hold, with its value: none if it cannot be shown, or cannot be
/// evaluated.
pub fn part(text: &'static str, show: impl FnOnce() -> String) -> Option<(&'static str, String)> {
    let (mut show, mut shown) = (Some(show), String::new());
    let evaluated = crate::panics::guard(&mut || {
        shown = show.take().map(|show| show()).unwrap_or_default();
        Ok(())
    });
    if shown.chars().count() > MAX_OPERAND {
        shown = shown.chars().take(MAX_OPERAND).chain(" ..".chars()).collect();
    }
    (evaluated.is_ok() && !shown.is_empty()).then_some((text, shown))
}

/// The parts of a condition that can be shown.
pub fn parts<const N: usize>(parts: [Option<(&'static str, String)>; N]) -> crate::program::contract::Parts {
    parts.into_iter().flatten().collect()
}

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

/// Keeps the result of step number `step` for later ones, and names it for the model.
pub fn keep<U, N: crate::program::expanded::NamedResult<U>>(
    results: &mut crate::program::Results,
    step: u32,
    answer: U,
) -> N {
    N::keep(results, step, answer)
}

/// An answer that nothing has to await, where its declared type may be said; futures do not compile.
#[macro_export]
#[doc(hidden)]
macro_rules! __ready {
    ($answer:expr) => {
        $crate::__private::ready!($answer, $crate::__private::Undeclared)
    };
    ($answer:expr, $declared:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{AnswerDeclared as _, AnswerLater as _, AnswerNow as _};
        let answer = (&mut &mut &mut $crate::__private::Answered::<_, $declared>::new($answer)).ready();
        answer
    }};
}
pub use __ready as ready;

/// An answer that does not borrow from the system, if it can be made one.
#[macro_export]
#[doc(hidden)]
macro_rules! __owned {
    ($answer:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{
            OwnBorrowed as _, OwnCollected as _, OwnCopied as _, OwnEqual as _, OwnItself as _,
        };
        let answer = (&mut &mut &mut &mut &mut $crate::__private::Owning::new($answer)).own();
        answer
    }};
}
pub use __owned as owned;

/// Gives a result back after a call, to which it was passed as the named parameter of an operation.
///
/// # Panics
/// If the call has taken it: the specification does not say so.
#[track_caller]
pub fn give_back<T: 'static>(
    results: &mut crate::program::Results,
    reference: crate::Ref<T>,
    value: Option<T>,
    (operation, parameter): (&str, &str),
) {
    match value {
        Some(value) => results.give_back(reference, value),
        None => {
            crate::panics::blame(Party::Specification);
            panic!(
                "`{operation}` takes `{parameter}` by value, and it cannot be cloned: \
                 write `#[op(consumes = {parameter})]`"
            );
        }
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

/// Keeps the answer of a step for showing: its value, or its name where the value cannot be shown.
pub fn show_result(step: &mut stairway_engine::Step<'_, '_>, has_text: bool, show: impl FnOnce() -> String) {
    let name = step.ordinal() + 1;
    step.show_answer(|| if has_text { show() } else { format!("r{name}") });
}

/// A type, to ask whether its values can be written as Rust source.
#[derive(Debug)]
pub struct Kind<T: ?Sized>(pub std::marker::PhantomData<T>);

/// For types whose values can.
pub trait KindSource {
    /// True.
    fn is_source(&self) -> bool;
}

impl<T: crate::ToSource + ?Sized> KindSource for &Kind<T> {
    fn is_source(&self) -> bool {
        true
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
        use $crate::__private::{KindOther as _, KindSource as _};
        (&&$crate::__private::Kind::<$type>(::core::marker::PhantomData)).is_source()
    }};
}
pub use __is_source as is_source;

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

/// `assume!` inside `#[property]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __assume {
    ($case:expr, $condition:expr $(,)?) => {
        if let ::core::result::Result::Err(stop) =
            $case.assume_named($condition, ::core::stringify!($condition))
        {
            $case.stop_with(stop);
            return $crate::__private::Ended::ended();
        }
    };
}
pub use __assume as assume;

/// `cover!` inside `#[property]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __cover {
    ($case:expr, $($arguments:tt)*) => {
        $case.cover($($arguments)*)
    };
}
pub use __cover as cover;

/// `label!` inside `#[property]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __label {
    ($case:expr, $($arguments:tt)*) => {
        $case.label($($arguments)*)
    };
}
pub use __label as label;

/// `classify!` inside `#[property]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __classify {
    ($case:expr, $($arguments:tt)*) => {
        $case.classify($($arguments)*)
    };
}
pub use __classify as classify;

/// `collect!` inside `#[property]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __collect {
    ($case:expr, $($arguments:tt)*) => {
        $case.collect($($arguments)*)
    };
}
pub use __collect as collect;

/// `maximize!` inside `#[property]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __maximize {
    ($case:expr, $($arguments:tt)*) => {
        $case.maximize($($arguments)*)
    };
}
pub use __maximize as maximize;

/// `note!` inside `#[property]`, with the syntax of `format!`.
#[macro_export]
#[doc(hidden)]
macro_rules! __note {
    ($case:expr, $($arguments:tt)*) => {
        $case.note(::core::format_args!($($arguments)*))
    };
}
pub use __note as note;
