//! What the macros expand to. Not part of the interface: it changes with the macros.

use crate::check::Checker;
use crate::checker::Example;
use crate::program::step_source::result_name;
use crate::settings::Settings;
use stairway_engine::{Case, Checked, Discard, Failure, FailureKind, Party, Place, ReturnFault, Role, Stop};
use std::any::Any;
use std::fmt::Debug;
use std::panic::Location;

pub use crate::abilities::*;
pub use crate::await_limit::{in_time, limited};
pub use crate::checker::Run;
pub use crate::executor::{block_on, block_on_inside};
pub use crate::isolate::{load as worker_loads, retire as retire_worker};
pub use crate::leaks::end_if_leaked;
pub use crate::program::await_errors::{
    AnswerDeclared, AnswerLater, AnswerNow, PendingAnswer, Undeclared, awaited,
};
pub use crate::program::borrowed_answers::{
    BorrowingAnswer, OwnBorrowed, OwnCollected, OwnCopied, OwnEqual, OwnGuarded, OwnItself,
};
pub use crate::program::call_source;
pub use crate::program::contract;
pub use crate::program::expanded::*;
pub use crate::program::soundness;
pub use crate::program::step_source::{self, AnswerSource, EntryValue, StepSource};
pub use crate::program::{Argument, Contract, Law, LawChecker, ModelBuilder, ModelChecker, Operation};
pub use crate::refine::clauses as refine;
pub use crate::refine::{Refinement, RefinementChecker};
pub use crate::refusals::note_refusal;
pub use crate::reproducer::{Returns, Source};
pub use crate::reproducer_program::Start;
pub use crate::source::SourceForm;
pub use stairway_engine::{Step, StepOutcome};

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
        if self { Ok(()) } else { Err(fail(ReturnFault::False, None)) }
    }
}

impl<T> Testable for Option<T> {
    #[track_caller]
    fn checked(self, partial: bool) -> Checked {
        match self {
            Some(_) => Ok(()),
            None if partial => Err(discard()),
            None => Err(fail(ReturnFault::None, None)),
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
        Err(if partial { discard() } else { fail(ReturnFault::Err, Some(format!("Err({error:?})"))) })
    }
}

/// What a property returned identifies the failure, but for the value inside.
fn fail(what: ReturnFault, value: Option<String>) -> Stop {
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
pub trait EarlyReturn {
    /// A value nobody will look at.
    fn ended() -> Self;
}

impl EarlyReturn for () {
    fn ended() {}
}

impl EarlyReturn for bool {
    fn ended() -> Self {
        true
    }
}

impl<T> EarlyReturn for Option<T> {
    fn ended() -> Self {
        None
    }
}

impl<T: EarlyReturn, E> EarlyReturn for Result<T, E> {
    fn ended() -> Self {
        Ok(T::ended())
    }
}

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
        let answer = (&mut &mut &mut $crate::__private::PendingAnswer::<_, $declared>::new($answer)).ready();
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
            OwnBorrowed as _, OwnCollected as _, OwnCopied as _, OwnEqual as _, OwnGuarded as _,
            OwnItself as _,
        };
        let answer = (&mut &mut &mut &mut &mut &mut $crate::__private::BorrowingAnswer::new($answer)).own();
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

/// Keeps the answer of a step for showing: its value, or its name where the value cannot be shown.
pub fn show_result(step: &mut stairway_engine::Step<'_, '_>, has_text: bool, show: impl FnOnce() -> String) {
    let name = result_name(step.ordinal(), 0);
    step.show_answer(|| if has_text { show() } else { name });
    if let Some(source) = step_source::of_running(step) {
        source.shows_name = !has_text;
    }
}

/// The answer of a step is its result, which is shown by its name.
pub fn show_name(step: &mut stairway_engine::Step<'_, '_>) {
    if let Some(source) = step_source::of_running(step) {
        source.shows_name = true;
    }
}

/// `assume!` inside `#[property]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __assume {
    ($case:expr, $condition:expr $(,)?) => {
        if let ::core::result::Result::Err(stop) =
            $case.assume_named($condition, ::core::stringify!($condition))
        {
            $case.stop_with(stop);
            return $crate::__private::EarlyReturn::ended();
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
