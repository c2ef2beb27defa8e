//! Results of earlier steps, for later steps to use.
//!
//! A model knows a result by its [`Ref`]: the number of the step that gave it. The system's value
//! itself is kept in [`Results`]. References are drawn through the choice stream, so they keep
//! their meaning when other steps are deleted.

use super::call_source::{self, PassingMode};
use super::step_source::AnswerPart;
use stairway_engine::{Checked, Step};
use std::any::{Any, TypeId, type_name};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// The result of an earlier step, as a model sees it: a name without contents.
///
/// It is `Copy`, can be compared and used as a key whatever `T` is.
pub struct Ref<T> {
    step: u32,
    /// Which of several results of the step, from 1; 0 for the only one.
    nth: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Ref<T> {
    /// The result of step number `step`, counted from 0.
    #[must_use]
    pub const fn of_step(step: u32) -> Self {
        Ref { step, nth: 0, of: PhantomData }
    }

    /// One of several results of step number `step`, counted from 0; `nth` counts from 1.
    #[must_use]
    pub const fn of_result(step: u32, nth: u32) -> Self {
        Ref { step, nth, of: PhantomData }
    }

    /// Which of several results of its step it is, from 1; 0 if it is the only one.
    #[must_use]
    pub const fn nth(self) -> u32 {
        self.nth
    }

    /// The number of the step that gave it, counted from 0.
    #[must_use]
    pub const fn step(self) -> u32 {
        self.step
    }
}

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Ref<T> {}
impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.step, self.nth) == (other.step, other.nth)
    }
}
impl<T> Eq for Ref<T> {}
impl<T> PartialOrd for Ref<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Ref<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.step, self.nth).cmp(&(other.step, other.nth))
    }
}
impl<T> std::hash::Hash for Ref<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.step, self.nth).hash(state);
    }
}
impl<T> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nth {
            0 => write!(f, "r{}", self.step + 1),
            nth => write!(f, "r{}.{nth}", self.step + 1),
        }
    }
}

/// The results of a program so far, by type and step.
#[derive(Default)]
pub struct Results {
    /// By the number of the step, so that finding one costs the same in long programs.
    values: Vec<Option<Box<dyn Any>>>,
    /// For each type, the steps whose results can be used, in order.
    usable: Vec<(TypeId, Vec<u32>)>,
    /// The results of steps that have several.
    several: Vec<Several>,
    /// Whether what is kept now is one of several.
    is_one_of_several: bool,
    /// How the next one is known, inside a law.
    given: Option<LawResult>,
    /// What the law at hand has used up.
    used_up: Vec<Key>,
}

/// How the result of an operation of a law is known.
#[derive(Clone, Copy, Debug)]
pub struct LawResult {
    step: u32,
    nth: u32,
    /// Whether both sides give it, so that later steps may use it.
    is_shared: bool,
}

impl LawResult {
    pub(super) const fn new(step: u32, nth: u32, is_shared: bool) -> Self {
        LawResult { step, nth, is_shared }
    }

    /// The step of the law.
    #[must_use]
    pub const fn step(self) -> u32 {
        self.step
    }

    pub(super) const fn nth(self) -> u32 {
        self.nth
    }

    /// The result, as the model knows it.
    #[must_use]
    pub const fn reference<T>(self) -> Ref<T> {
        Ref::of_result(self.step, self.nth)
    }
}

/// A result, of whatever type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    step: u32,
    nth: u32,
    of: TypeId,
}

impl Key {
    fn of<T: 'static>(reference: Ref<T>) -> Self {
        Key { step: reference.step, nth: reference.nth, of: TypeId::of::<T>() }
    }
}

/// One of several results of a step.
struct Several {
    step: u32,
    /// From 1.
    nth: u32,
    of: TypeId,
    is_usable: bool,
    value: Option<Box<dyn Any>>,
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there = self.values.iter().enumerate().filter(|(_, value)| value.is_some());
        let several = self.several.iter().filter(|one| one.value.is_some()).map(|one| one.step as usize);
        f.debug_set().entries(there.map(|(step, _)| step).chain(several)).finish()
    }
}

impl Results {
    /// Whether there is a result of type `T`.
    #[must_use]
    pub fn has<T: 'static>(&self) -> bool {
        !self.steps::<T>().is_empty()
    }

    /// Whether nothing is kept.
    pub(super) fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
            && self.several.iter().all(|one| one.value.is_none())
            && self.usable.iter().all(|(_, steps)| steps.is_empty())
    }

    /// How many results of a type there are.
    pub(super) fn count_of(&self, id: TypeId) -> usize {
        self.usable.iter().find(|(of, _)| *of == id).map_or(0, |(_, steps)| steps.len())
    }

    /// The steps with results of type `T`, but for some.
    ///
    /// They are copied only if there is something to leave out: a program may hold thousands.
    pub(super) fn usable_except<T: 'static>(&self, except: &[u32]) -> Cow<'_, [u32]> {
        let steps = self.steps::<T>();
        if except.iter().all(|step| steps.binary_search(step).is_err()) {
            return Cow::Borrowed(steps);
        }
        steps.iter().copied().filter(|step| !except.contains(step)).collect()
    }

    /// A result, unless it is lent.
    pub(super) fn peek<T: 'static>(&self, reference: Ref<T>) -> Option<&T> {
        let value = match reference.nth {
            0 => self.values.get(reference.step as usize)?,
            nth => &self.several.iter().find(|one| one.step == reference.step && one.nth == nth)?.value,
        };
        value.as_ref()?.downcast_ref()
    }

    fn steps<T: 'static>(&self) -> &[u32] {
        let of_type = self.usable.iter().find(|(id, _)| *id == TypeId::of::<T>());
        of_type.map_or(&[], |(_, steps)| steps)
    }

    /// Draws a reference to a result of type `T`.
    ///
    /// # Errors
    /// Ends the case when there is none.
    pub fn draw<T: 'static>(&self, step: &mut Step<'_, '_>) -> Checked<Ref<T>> {
        let n = step.ordinal();
        let chosen = step.choices().reference(self.steps::<T>(), n);
        let nth = self.draw_nth::<T>(step, chosen);
        match step.choices().halted() {
            None => Ok(Ref { nth, ..Ref::of_step(chosen) }),
            Some(halt) => Err(stairway_engine::Stop::halt(halt)),
        }
    }

    /// Which of several results of a step.
    fn draw_nth<T: 'static>(&self, step: &mut Step<'_, '_>, of: u32) -> u32 {
        if self.several.is_empty() {
            return 0;
        }
        let usable: Vec<u32> = self.usable_several(TypeId::of::<T>(), of).collect();
        match usable[..] {
            [] => 0,
            [only] => only,
            _ => usable[step.choices().alternative(usable.len() as u64) as usize],
        }
    }

    fn usable_several(&self, of: TypeId, step: u32) -> impl Iterator<Item = u32> {
        let is_one = move |one: &&Several| one.step == step && one.of == of && one.is_usable;
        self.several.iter().filter(is_one).map(|one| one.nth)
    }

    /// Keeps what `keep` keeps as some of several results of one step, in a vector or in a tuple.
    fn keep_several<N>(&mut self, is_list: bool, keep: impl FnOnce(&mut Self) -> N) -> N {
        let outer = std::mem::replace(&mut self.is_one_of_several, true);
        call_source::begin_parts();
        let named = keep(self);
        call_source::end_parts(is_list);
        self.is_one_of_several = outer;
        named
    }

    /// Where the value behind a reference is.
    fn slot<T: 'static>(&mut self, reference: Ref<T>) -> Option<&mut Option<Box<dyn Any>>> {
        match reference.nth {
            0 => self.values.get_mut(reference.step as usize),
            nth => {
                let is_one = |one: &&mut Several| one.step == reference.step && one.nth == nth;
                self.several.iter_mut().find(is_one).map(|one| &mut one.value)
            }
        }
    }

    /// Keeps the result of step number `step`.
    pub fn put<T: 'static>(&mut self, step: u32, value: T) -> Ref<T> {
        let mut reference = Ref::of_step(step);
        if let Some(given) = self.given.take() {
            reference.nth = given.nth;
            self.keep_given(reference, given, Some(Box::new(value)));
            return reference;
        }
        if self.is_one_of_several {
            reference.nth = 1 + self.several.iter().filter(|one| one.step == step).count() as u32;
            let (of, value) = (TypeId::of::<T>(), Some(Box::new(value) as Box<dyn Any>));
            self.several.push(Several { step, nth: reference.nth, of, is_usable: true, value });
            call_source::part(AnswerPart::Result(step, reference.nth));
        } else {
            self.keep(step, Box::new(value));
        }
        self.reserve(reference)
    }

    /// The next result is known like this, or as always.
    pub(super) const fn expect(&mut self, given: Option<LawResult>) {
        self.given = given;
    }

    /// Makes a result of a law known that no system gives.
    pub(super) fn announce<T: 'static>(&mut self, reference: Ref<T>, given: LawResult) {
        self.keep_given(reference, given, None);
    }

    fn keep_given<T: 'static>(&mut self, reference: Ref<T>, given: LawResult, value: Option<Box<dyn Any>>) {
        let Ref { step, nth, .. } = reference;
        self.several.push(Several { step, nth, of: TypeId::of::<T>(), is_usable: given.is_shared, value });
        if given.is_shared {
            self.reserve(reference);
        }
    }

    /// From now on nothing may refer to this result, on neither side of the law.
    pub(super) fn use_up<T: 'static>(&mut self, reference: Ref<T>) {
        self.used_up.push(Key::of(reference));
        self.retire(reference);
    }

    /// Whether the law at hand has used a result up.
    pub(super) fn is_used_up<T: 'static>(&self, reference: Ref<T>) -> bool {
        self.used_up.contains(&Key::of(reference))
    }

    /// What a law has used up, once it is done.
    pub(super) fn take_used_up(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.used_up)
    }

    /// From now on a result may be referred to.
    pub(super) fn reserve<T: 'static>(&mut self, reference: Ref<T>) -> Ref<T> {
        match self.usable.iter_mut().find(|(id, _)| *id == TypeId::of::<T>()) {
            // Another one of several results was there first.
            Some((_, steps)) if steps.last() == Some(&reference.step) => {}
            Some((_, steps)) => steps.push(reference.step),
            None => self.usable.push((TypeId::of::<T>(), vec![reference.step])),
        }
        reference
    }

    /// Lends a result to a call. What a call consumes is gone afterwards.
    ///
    /// # Panics
    /// If there is no such result: a bug in the specification, or in Stairway.
    pub fn take<T: 'static>(&mut self, reference: Ref<T>) -> T {
        let value = self.slot(reference).and_then(Option::take);
        let value = value.and_then(|value| value.downcast::<T>().ok());
        *value.unwrap_or_else(|| panic!("there is no {} from step {}", type_name::<T>(), reference.step + 1))
    }

    /// Gives a lent result back.
    pub fn give_back<T: 'static>(&mut self, reference: Ref<T>, value: T) {
        match self.slot(reference) {
            Some(slot) => *slot = Some(Box::new(value)),
            None => self.keep(reference.step, Box::new(value)),
        }
    }

    fn keep(&mut self, step: u32, value: Box<dyn Any>) {
        let at = step as usize;
        if at >= self.values.len() {
            self.values.resize_with(at + 1, || None);
        }
        self.values[at] = Some(value);
    }

    /// From now on nothing may refer to this result.
    pub fn retire<T: 'static>(&mut self, reference: Ref<T>) {
        self.retire_any(Key::of(reference));
    }

    /// The same, of whatever type it is.
    pub(super) fn retire_any(&mut self, Key { step, nth, of }: Key) {
        if nth > 0 {
            let is_one = |one: &&mut Several| one.step == step && one.nth == nth;
            if let Some(one) = self.several.iter_mut().find(is_one) {
                one.is_usable = false;
            }
            if self.usable_several(of, step).next().is_some() {
                return;
            }
        }
        if let Some((_, steps)) = self.usable.iter_mut().find(|(id, _)| *id == of)
            && let Ok(at) = steps.binary_search(&step)
        {
            steps.remove(at);
        }
    }
}

/// An answer in which there is one result, or none.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one result",
    note = "laws know `Ref<T>`, `Option<Ref<T>>` and `Result<Ref<T>, E>`"
)]
pub trait NamesOne {
    /// What the result is.
    type Of: 'static;
    /// The result.
    fn reference(&self) -> Option<Ref<Self::Of>>;
}

impl<T: 'static> NamesOne for Ref<T> {
    type Of = T;
    fn reference(&self) -> Option<Ref<T>> {
        Some(*self)
    }
}

impl<T: 'static> NamesOne for Option<Ref<T>> {
    type Of = T;
    fn reference(&self) -> Option<Ref<T>> {
        *self
    }
}

impl<T: 'static, E> NamesOne for Result<Ref<T>, E> {
    type Of = T;
    fn reference(&self) -> Option<Ref<T>> {
        self.as_ref().ok().copied()
    }
}

/// What an operation of a law gives that has no result.
#[derive(Clone, Copy, Debug)]
pub struct NoResult;

/// What one operation of a law can pass on to a later one.
#[diagnostic::on_unimplemented(
    message = "only a result can be passed on inside a law",
    label = "this is an answer or a value",
    note = "a result is what an operation gives with `#[result] name: Ref<Type>`; answers and values are compared"
)]
pub trait PassOn {
    /// What is passed on.
    type Passed;
    /// It, if the operation gave one.
    fn passed(self) -> Option<Self::Passed>;
}

impl<T> PassOn for Option<Ref<T>> {
    type Passed = Ref<T>;
    fn passed(self) -> Option<Ref<T>> {
        self
    }
}

/// Passes a result on to a later operation of a law; nothing where there is none.
pub fn pass_on<P: PassOn>(result: P) -> Option<P::Passed> {
    result.passed()
}

/// What an answer of the system becomes for the model: names in place of results.
#[diagnostic::on_unimplemented(
    message = "what the system answered, `{U}`, cannot be named as `{Self}`",
    note = "a result is named by `Ref<T>`, `Option<Ref<T>>` or `Result<Ref<T>, E>` for answers `T`, `Option<T>` and `Result<T, E>`, \
            several by tuples and `Vec<Ref<T>>`; other parts of a tuple are numbers, `bool`, `char`, `String` or `()`",
    note = "for anything else, say how to get there: `#[op(call = system.open().map(|(handle, _)| handle))]`; what borrows \
            from the system cannot be kept across steps"
)]
pub trait NamedResult<U>: Sized {
    /// Keeps what step number `step` gave, and names it.
    fn keep(results: &mut Results, step: u32, answer: U) -> Self;
}

impl<T: 'static> NamedResult<T> for Ref<T> {
    fn keep(results: &mut Results, step: u32, answer: T) -> Self {
        results.put(step, answer)
    }
}

impl<T: 'static> NamedResult<Option<T>> for Option<Ref<T>> {
    fn keep(results: &mut Results, step: u32, answer: Option<T>) -> Self {
        call_source::kept(answer.is_some().then_some(".unwrap()"));
        if answer.is_none() {
            call_source::part(AnswerPart::Other);
        }
        answer.map(|value| results.put(step, value))
    }
}

impl<T: 'static, E> NamedResult<Result<T, E>> for Result<Ref<T>, E> {
    fn keep(results: &mut Results, step: u32, answer: Result<T, E>) -> Self {
        // The error may not be one that can be shown.
        call_source::kept(answer.is_ok().then_some(".ok().unwrap()"));
        answer.map(|value| results.put(step, value))
    }
}

impl<T: 'static> NamedResult<Vec<T>> for Vec<Ref<T>> {
    fn keep(results: &mut Results, step: u32, answer: Vec<T>) -> Self {
        results
            .keep_several(true, |results| answer.into_iter().map(|value| results.put(step, value)).collect())
    }
}

impl<T: 'static> NamedResult<Option<Vec<T>>> for Option<Vec<Ref<T>>> {
    fn keep(results: &mut Results, step: u32, answer: Option<Vec<T>>) -> Self {
        call_source::kept(answer.is_some().then_some(".unwrap()"));
        answer.map(|answer| NamedResult::keep(results, step, answer))
    }
}

impl<T: 'static, E> NamedResult<Result<Vec<T>, E>> for Result<Vec<Ref<T>>, E> {
    fn keep(results: &mut Results, step: u32, answer: Result<Vec<T>, E>) -> Self {
        call_source::kept(answer.is_ok().then_some(".ok().unwrap()"));
        answer.map(|answer| NamedResult::keep(results, step, answer))
    }
}

macro_rules! named_tuples {
    ($($(($answer:ident, $named:ident))*;)*) => {
        $(
            #[allow(non_snake_case, reason = "values are named like their types")]
            impl<$($answer, $named: NamedResult<$answer>),*> NamedResult<($($answer,)*)> for ($($named,)*) {
                fn keep(results: &mut Results, step: u32, ($($answer,)*): ($($answer,)*)) -> Self {
                    results.keep_several(false, |results| ($($named::keep(results, step, $answer),)*))
                }
            }

            impl<$($answer, $named: NamedResult<$answer>),*> NamedResult<Option<($($answer,)*)>> for Option<($($named,)*)> {
                fn keep(results: &mut Results, step: u32, answer: Option<($($answer,)*)>) -> Self {
                    call_source::kept(answer.is_some().then_some(".unwrap()"));
                    answer.map(|answer| NamedResult::keep(results, step, answer))
                }
            }

            impl<$($answer, $named: NamedResult<$answer>,)* Error> NamedResult<Result<($($answer,)*), Error>>
                for Result<($($named,)*), Error>
            {
                fn keep(results: &mut Results, step: u32, answer: Result<($($answer,)*), Error>) -> Self {
                    call_source::kept(answer.is_ok().then_some(".ok().unwrap()"));
                    answer.map(|answer| NamedResult::keep(results, step, answer))
                }
            }
        )*
    };
}

named_tuples! {
    (A, X) (B, Y);
    (A, X) (B, Y) (C, Z);
    (A, X) (B, Y) (C, Z) (D, W);
}

/// What stands beside results in a tuple.
macro_rules! as_they_are {
    ($($plain:ty)*) => {
        $(impl NamedResult<$plain> for $plain {
            fn keep(_: &mut Results, _: u32, answer: $plain) -> Self {
                call_source::part(AnswerPart::Other);
                answer
            }
        })*
    };
}

as_they_are! { () bool char String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 }

/// An argument on its way into a call, which takes it by value, by reference or by mutable
/// reference: the call's signature decides, through [`PassAs`].
#[derive(Debug)]
pub struct Argument<'h, T> {
    value: Option<T>,
    how: &'h Cell<PassingMode>,
}

impl<'h, T> Argument<'h, T> {
    /// An argument to be passed; how it was is kept in `how`.
    pub const fn new(value: T, how: &'h Cell<PassingMode>) -> Self {
        Argument { value: Some(value), how }
    }

    /// Passes the argument the way the call wants it.
    pub fn pass<'a, P>(&'a mut self) -> P
    where
        T: PassAs<'a, P>,
    {
        T::pass_as(self)
    }

    fn passed(&self, how: PassingMode) {
        if let PassingMode::Guessed(k) = self.how.replace(how) {
            call_source::decide(k, how);
        }
    }

    /// The value, unless the call has taken it.
    pub fn into_value(self) -> Option<T> {
        self.value
    }
}

/// How an argument of type `Self` can be passed to a parameter of type `P`.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{Self}` cannot be passed as `{P}`",
    label = "the system wants `{P}`",
    note = "write the type that the system wants, or say how to call it: `#[op(call = system.name(..))]`"
)]
pub trait PassAs<'a, P>: Sized {
    /// Passes it.
    fn pass_as(argument: &'a mut Argument<'_, Self>) -> P;
}

impl<T> PassAs<'_, T> for T {
    fn pass_as(argument: &mut Argument<'_, T>) -> T {
        argument.value.take().expect("an argument is passed once")
    }
}

impl<'a, T> PassAs<'a, &'a T> for T {
    fn pass_as(argument: &'a mut Argument<'_, T>) -> &'a T {
        argument.passed(PassingMode::Shared);
        argument.value.as_ref().expect("an argument is passed once")
    }
}

impl<'a, T> PassAs<'a, &'a mut T> for T {
    fn pass_as(argument: &'a mut Argument<'_, T>) -> &'a mut T {
        argument.passed(PassingMode::Mutable);
        argument.value.as_mut().expect("an argument is passed once")
    }
}

impl<'a> PassAs<'a, &'a str> for String {
    fn pass_as(argument: &'a mut Argument<'_, String>) -> &'a str {
        argument.passed(PassingMode::Text);
        argument.value.as_deref().expect("an argument is passed once")
    }
}

impl<'a, T> PassAs<'a, &'a [T]> for Vec<T> {
    fn pass_as(argument: &'a mut Argument<'_, Vec<T>>) -> &'a [T] {
        argument.passed(PassingMode::Slice);
        argument.value.as_deref().expect("an argument is passed once")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_value(n: i32) -> i32 {
        n
    }
    fn by_reference(n: &i32) -> i32 {
        *n
    }
    fn by_mutable_reference(n: &mut i32) -> i32 {
        *n += 1;
        *n
    }
    fn text(s: &str) -> usize {
        s.len()
    }

    #[test]
    fn results_are_copied_only_to_leave_some_out() {
        let mut results = Results::default();
        results.put(0, 'a');
        results.put(1, 10);
        results.put(4, 'b');
        assert!(matches!(results.usable_except::<char>(&[]), Cow::Borrowed([0, 4])));
        assert!(matches!(results.usable_except::<char>(&[1]), Cow::Borrowed([0, 4])));
        assert_eq!(*results.usable_except::<char>(&[1, 4]), [0]);
    }

    #[test]
    fn several_results_of_a_step_have_names_of_their_own() {
        let mut results = Results::default();
        let (letters, n): (Vec<Ref<char>>, usize) = NamedResult::keep(&mut results, 2, (vec!['a', 'b'], 2));
        let (one, other): (Ref<char>, Ref<i32>) = NamedResult::keep(&mut results, 5, ('c', 7));
        assert_eq!((format!("{letters:?} {one:?} {other:?}"), n), ("[r3.1, r3.2] r6.1 r6.2".to_string(), 2));
        assert_eq!((results.steps::<char>(), results.steps::<i32>()), (&[2, 5][..], &[5][..]));
        assert_eq!((results.take(letters[1]), results.take(other)), ('b', 7));
        results.give_back(letters[1], 'B');
        results.retire(letters[0]);
        assert_eq!(results.steps::<char>(), [2, 5]);
        assert_eq!(results.take(letters[1]), 'B');
        results.retire(letters[1]);
        assert_eq!(results.steps::<char>(), [5]);
        assert!(!results.is_empty());
    }

    #[test]
    fn the_signature_decides_how_an_argument_is_passed() {
        let how = Cell::default();
        let mut a = Argument::new(1, &how);
        assert_eq!((by_value(a.pass()), how.get()), (1, PassingMode::Value));
        let mut a = Argument::new(2, &how);
        assert_eq!((by_reference(a.pass()), how.get()), (2, PassingMode::Shared));
        let mut a = Argument::new(3, &how);
        assert_eq!((by_mutable_reference(a.pass()), how.get()), (4, PassingMode::Mutable));
        assert_eq!(a.into_value(), Some(4));
        assert_eq!(
            (text(Argument::new(String::from("abc"), &how).pass()), how.get()),
            (3, PassingMode::Text)
        );
    }
}
