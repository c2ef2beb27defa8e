//! Contracts: what a call of a function under `#[contract]` needs, draws, and gives.
//!
//! The macro says what it knows of a function: its parameters' types and how they are passed.
//! [`check_contracts`](super::check_contracts) makes programs of the calls. A parameter is a value drawn
//! afresh or the result of an earlier call. As Rust has it, several `&` may mean the same result, and a `&mut`
//! or a value no other's. Clauses are evaluated here too, quietly: what they call does not check its own contracts.

use super::call_source::not_source;
use super::calls::Calls;
pub use super::drawn_function::{
    By, DrawnFunction, MaybeFunction, arguments_of, call_pointer, function_source,
};
use super::model_builder::fingerprint_of;
use super::results::{Ref, Results};
use super::step_source::{self, ResultUse};
use crate::panics;
use stairway_engine::{Checked, Failure, FailureKind, Label, Moment, Party, Role, Step, StepOutcome, Stop};
use std::any::{Any, TypeId, type_name};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::Location;

/// A type whose functions have contracts: what `#[contract]` implements, and tuples of such types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no contracts to check here",
    note = "write `#[contract]` on its `impl` block, and build it with `cfg(test)` or `--cfg stairway`",
    note = "the contracts of `impl Trait for Type` are those of `TypeAsTrait`, or of the name in `#[contract(name = ..)]`",
    note = "an integration test sees its crate without `cfg(test)`: set RUSTFLAGS=\"--cfg stairway\" for it"
)]
pub trait Contract: 'static {
    /// The functions that programs call.
    fn calls() -> Vec<Call>;

    /// The public functions that programs do not call, each with the reason.
    fn uncalled() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// What reports call it: the type, or the module.
    fn title() -> String {
        type_name::<Self>().to_string()
    }
}

/// The block of a type that has no name of its own: there is one, and programs know its functions by the
/// type. A second `#[contract] impl Type` is given a name: `#[contract(name = Queries)]`. The trait is called
/// after what rustc says where that is forgotten: two implementations of it for one type.
pub trait TheSecondContractNeedsAName: 'static {
    /// The functions that programs call.
    fn calls() -> Vec<Call>;

    /// The public functions that programs do not call, each with the reason.
    fn uncalled() -> Vec<(&'static str, &'static str)>;
}

#[diagnostic::do_not_recommend]
impl<C: TheSecondContractNeedsAName> Contract for C {
    fn calls() -> Vec<Call> {
        C::calls()
    }

    fn uncalled() -> Vec<(&'static str, &'static str)> {
        C::uncalled()
    }
}

macro_rules! contract_of_tuple {
    ($($name:ident)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: Contract),+> Contract for ($($name,)+) {
            fn calls() -> Vec<Call> {
                let mut calls = Vec::new();
                $(calls.extend($name::calls());)+
                calls
            }

            fn uncalled() -> Vec<(&'static str, &'static str)> {
                let mut uncalled = Vec::new();
                $(uncalled.extend($name::uncalled());)+
                uncalled
            }

            fn title() -> String {
                format!("({})", [$($name::title()),+].join(", "))
            }
        }
    };
}
contract_of_tuple!(A);
contract_of_tuple!(A B);
contract_of_tuple!(A B C);
contract_of_tuple!(A B C D);
contract_of_tuple!(A B C D E);
contract_of_tuple!(A B C D E F);
contract_of_tuple!(A B C D E F G);
contract_of_tuple!(A B C D E F G H);

/// Draws the arguments of a function, calls it and keeps its result.
pub type Run = fn(&mut CallResults, &mut Step<'_, '_>) -> Checked<StepOutcome>;

/// A function that programs call.
#[derive(Clone, Debug)]
pub struct Call {
    pub(super) name: &'static str,
    /// How many results of which types there must be.
    pub(super) needs: Vec<(TypeId, usize)>,
    /// How many results of each type it takes if no two of them are the same.
    pub(super) takes: Vec<(TypeId, usize)>,
    /// What its parameters so far do with the results of each type.
    loans: Vec<(TypeId, Loans)>,
    /// The type of its result, if it is kept.
    pub(super) produces: Option<TypeId>,
    /// Why no program can make it.
    pub(super) why_not: Option<&'static str>,
    pub(super) run: Run,
}

/// What the parameters of a call do with the results of a type.
#[derive(Clone, Copy, Debug, Default)]
struct Loans {
    /// How many of them have a result for themselves.
    n_exclusive: usize,
    /// How many look at one, which may be the same for all of them.
    n_shared: usize,
}

impl Call {
    /// A function without parameters or result.
    #[must_use]
    pub const fn new(name: &'static str, run: Run) -> Self {
        Call {
            name,
            needs: Vec::new(),
            takes: Vec::new(),
            loans: Vec::new(),
            produces: None,
            why_not: None,
            run,
        }
    }

    /// It takes a further parameter.
    #[must_use]
    pub fn takes<T: 'static>(mut self, parameter: &Parameter<T>) -> Self {
        if parameter.literal.is_some() {
            return self;
        }
        if parameter.mode == Mode::Function {
            self.why_not = Some("what its function returns cannot be drawn: derive `Arbitrary` for that");
            return self;
        }
        if parameter.is_lasting() {
            self.why_not =
                Some("what it may keep a reference to cannot be drawn: derive `Arbitrary` for that");
            return self;
        }
        let id = TypeId::of::<T>();
        let position = self.loans.iter().position(|(of, _)| *of == id);
        let position = position.unwrap_or_else(|| {
            self.loans.push((id, Loans::default()));
            self.loans.len() - 1
        });
        let loans = &mut self.loans[position].1;
        let is_exclusive = parameter.is_exclusive();
        let looked_at = usize::from(is_exclusive && loans.n_shared > 0);
        self.needs.push((id, loans.n_exclusive + looked_at + 1));
        self.takes.push((id, loans.n_exclusive + loans.n_shared + 1));
        loans.n_exclusive += usize::from(is_exclusive);
        loans.n_shared += usize::from(parameter.is_shared());
        self
    }

    /// Its result is kept for later calls.
    #[must_use]
    pub fn gives<T: 'static>(mut self) -> Self {
        self.produces = Some(TypeId::of::<T>());
        self
    }
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By value.
    Value,
    /// By reference.
    Shared,
    /// By reference, as `&str`: a literal is one already.
    Text,
    /// By mutable reference.
    Mutable,
    /// By reference, which what is called may keep: the value is never freed.
    Lasting,
    /// The same as `&str`.
    LastingText,
    /// Around a function, as the parameter wants it.
    Function,
}

impl Mode {
    /// What is written before an argument.
    const fn sign(self) -> &'static str {
        match self {
            Mode::Value | Mode::LastingText | Mode::Function => "",
            Mode::Shared | Mode::Text | Mode::Lasting => "&",
            Mode::Mutable => "&mut ",
        }
    }
}

/// Makes a value of type `T`.
pub type Literal<T> = fn(&mut Step<'_, '_>) -> Checked<T>;

/// Where an argument of type `T` comes from.
#[derive(Clone, Copy, Debug)]
pub struct Parameter<T> {
    /// How a value is drawn, if it can be.
    pub literal: Option<Literal<T>>,
    /// Whether it is always drawn, because its generator was named.
    pub is_always_drawn: bool,
    /// How a result is copied, if it can be.
    pub clone: Option<fn(&T) -> T>,
    /// How it is passed.
    pub mode: Mode,
}

impl<T> Parameter<T> {
    /// Whether the call gets a copy, not the result itself.
    const fn is_copied(&self) -> bool {
        matches!(self.mode, Mode::Value) && self.clone.is_some()
    }

    /// Whether the call only looks at the result.
    const fn is_shared(&self) -> bool {
        matches!(self.mode, Mode::Shared | Mode::Text)
    }

    /// Whether the call has the result for itself.
    const fn is_exclusive(&self) -> bool {
        !self.is_copied() && !self.is_shared()
    }

    /// Whether what is called may keep the reference, so that no result can be lent for it.
    const fn is_lasting(&self) -> bool {
        matches!(self.mode, Mode::Lasting | Mode::LastingText)
    }
}

/// The results of a program's calls so far.
#[derive(Debug)]
pub struct CallResults {
    pub(super) results: Results,
    pub(super) calls: &'static Calls,
    /// Whether what calls leave of the values that are lent to them guides the search.
    pub(super) names_states: bool,
}

/// An argument that was decided on.
#[derive(Debug)]
pub struct Argument<T> {
    value: Option<T>,
    /// The result that the call changes or consumes.
    lent: Option<Ref<T>>,
    /// The result that it looks at, where this is kept.
    shared: Option<Ref<T>>,
    /// How it is shown.
    show: fn(&T) -> String,
}

/// The arguments of one call while they are drawn.
#[derive(Default)]
pub struct Arguments {
    /// The steps whose results the call has for itself.
    lent: Vec<u32>,
    /// Those whose results it looks at.
    shared: Vec<u32>,
    /// As source, if the call is shown.
    written: Vec<ArgumentSource>,
    /// The positions of those that are functions, and how each is written now.
    functions: Vec<(usize, Box<dyn Fn() -> String>)>,
    /// What is called, if that is shown.
    callee: Option<Callee>,
}

impl std::fmt::Debug for Arguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arguments")
            .field("lent", &self.lent)
            .field("shared", &self.shared)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}

/// A function that is called, as source.
#[derive(Debug)]
struct Callee {
    of: String,
    name: String,
    is_method: bool,
    executor: String,
}

/// An argument as source.
#[derive(Debug)]
struct ArgumentSource {
    mode: Mode,
    text: String,
    /// The step whose result it is.
    step: Option<u32>,
    missing: Option<String>,
}

/// Where an argument comes from, the simplest first.
const SOURCES: &[&str] = &["value", "result"];

impl Arguments {
    /// Decides on an argument; `None` if there is no result left to pass.
    ///
    /// # Errors
    /// Ends the case when no value can be drawn.
    pub fn draw<T: 'static>(
        &mut self,
        held: &CallResults,
        step: &mut Step<'_, '_>,
        name: &'static str,
        parameter: &Parameter<T>,
        show: (fn(&T) -> String, bool),
    ) -> Checked<Option<Argument<T>>> {
        step.choices().open(Label::Argument);
        let drawn = self.decide(held, step, name, parameter, show);
        step.choices().close();
        drawn
    }

    fn decide<T: 'static>(
        &mut self,
        held: &CallResults,
        step: &mut Step<'_, '_>,
        name: &'static str,
        parameter: &Parameter<T>,
        (show, is_source): (fn(&T) -> String, bool),
    ) -> Checked<Option<Argument<T>>> {
        let may_be_result = !parameter.is_lasting()
            && (parameter.literal.is_none()
                || (!parameter.is_always_drawn && held.calls.produces(TypeId::of::<T>())));
        let taken = if parameter.is_exclusive() && !self.shared.is_empty() {
            Cow::Owned([&self.lent[..], &self.shared].concat())
        } else {
            Cow::Borrowed(&self.lent[..])
        };
        let usable =
            if may_be_result { held.results.usable_except::<T>(&taken) } else { Cow::Borrowed(&[][..]) };
        let (mode, sign) = (parameter.mode, parameter.mode.sign());
        if let Some(literal) = parameter.literal {
            let n_sources = if usable.is_empty() { 1 } else { 2 };
            if !may_be_result || step.choices().named_alternative(n_sources, SOURCES) == 0 {
                let value = literal(step)?;
                let sign = if parameter.is_lasting() { sign } else { "" };
                step.show_argument(name, || format!("{sign}{}", show(&value)));
                if step.is_shown() {
                    let missing = (!is_source).then(|| not_source(name));
                    self.written.push(ArgumentSource { mode, text: show(&value), step: None, missing });
                }
                return Ok(Some(Argument { value: Some(value), lent: None, shared: None, show }));
            }
        }
        if usable.is_empty() {
            return Ok(None);
        }
        let n = step.ordinal();
        let chosen = Ref::of_step(step.choices().reference(&usable, n));
        if let Some(halt) = step.choices().halted() {
            return Err(Stop::halt(halt));
        }
        step.show_argument(name, || format!("{sign}{chosen:?}"));
        if step.is_shown() {
            let copied = if parameter.is_copied() { ".clone()" } else { "" };
            let text = format!("{chosen:?}{copied}");
            self.written.push(ArgumentSource { mode, text, step: Some(chosen.step()), missing: None });
        }
        let mut argument = Argument { value: None, lent: None, shared: None, show };
        match parameter.clone {
            Some(clone) if parameter.mode == Mode::Value => {
                argument.value = held.results.peek(chosen).map(clone);
            }
            _ if parameter.is_shared() => {
                self.shared.push(chosen.step());
                argument.shared = Some(chosen);
            }
            _ => {
                self.lent.push(chosen.step());
                argument.lent = Some(chosen);
            }
        }
        Ok(Some(argument))
    }
}

impl Arguments {
    /// Draws a function; `None` if there is none. A pointer to one is passed at `site`.
    ///
    /// # Errors
    /// Ends the case when no value can be drawn.
    pub fn draw_function<T: MaybeFunction<Answer: 'static> + Clone + 'static>(
        &mut self,
        step: &mut Step<'_, '_>,
        name: &'static str,
        site: Option<&'static str>,
        parameter: &Parameter<T>,
        (show, is_source): (fn(&T) -> String, bool),
    ) -> Checked<Option<Argument<T>>> {
        let Some(literal) = parameter.literal else { return Ok(None) };
        step.choices().open(Label::Argument);
        let drawn = literal(step);
        step.choices().close();
        let value = match site {
            Some(site) => drawn?.behind(site),
            None => drawn?,
        };
        step.show_argument(name, || show(&value));
        if step.is_shown() {
            let missing = (!is_source).then(|| not_source(name));
            self.written.push(ArgumentSource {
                mode: Mode::Function,
                text: show(&value),
                step: None,
                missing,
            });
            let again = value.clone();
            self.functions.push((self.written.len() - 1, Box::new(move || show(&again))));
        }
        Ok(Some(Argument { value: Some(value), lent: None, shared: None, show }))
    }

    /// Writes the call of `name` in `of` down, if it is shown.
    pub fn write(
        &mut self,
        step: &mut Step<'_, '_>,
        of: impl FnOnce() -> String,
        (name, is_method): (&str, bool),
        executor: &str,
    ) {
        let Some(code) = step_source::of_running(step) else { return };
        code.missing = self.written.iter().find_map(|w| w.missing.clone()).unwrap_or_default();
        let used = |(argument, source): (usize, &ArgumentSource)| {
            let is_changed = source.mode == Mode::Mutable;
            Some(ResultUse { step: source.step?, nth: 0, is_changed, argument })
        };
        code.results = self.written.iter().enumerate().filter_map(used).collect();
        let (name, executor) = (name.to_string(), executor.to_string());
        let callee = Callee { of: of(), name, is_method, executor };
        code.call = callee.call(&self.written);
        self.callee = Some(callee);
        step.case().checkpoint();
    }

    /// Until what is returned goes, a call is made: then the functions that it was given are written as what
    /// was asked of them.
    pub fn watch<'w, 's, 'c>(&'w mut self, step: &'w mut Step<'s, 'c>) -> GuardedCall<'w, 's, 'c> {
        GuardedCall { arguments: self, step }
    }

    fn write_again(&mut self, step: &mut Step<'_, '_>) {
        for (k, show) in &self.functions {
            step.show_argument_again(*k, show);
            self.written[*k].text = show();
        }
        if let (Some(callee), Some(code)) = (&self.callee, step_source::of_running(step)) {
            code.call = callee.call(&self.written);
        }
    }
}

impl ArgumentSource {
    /// As the call takes it. The text of a drawn value is the whole argument, that of a result its name.
    fn passed(&self) -> String {
        match (self.mode, self.step) {
            (Mode::Lasting, _) => format!("Box::leak(Box::new({}))", self.text),
            (_, None) => self.text.clone(),
            (mode, Some(_)) => format!("{}{}", mode.sign(), self.text),
        }
    }
}

impl Callee {
    fn call(&self, written: &[ArgumentSource]) -> String {
        let Callee { of, name, is_method, executor } = self;
        let passed = |list: &[ArgumentSource]| -> String {
            list.iter().map(ArgumentSource::passed).collect::<Vec<_>>().join(", ")
        };
        let call = match written {
            [receiver @ ArgumentSource { step: Some(_), .. }, rest @ ..] if *is_method => {
                format!("{}.{name}({})", receiver.text, passed(rest))
            }
            all => format!("{of}::{name}({})", passed(all)),
        };
        if executor.is_empty() { call } else { format!("{executor}({call})") }
    }
}

/// A call that is being made with functions.
#[derive(Debug)]
pub struct GuardedCall<'w, 's, 'c> {
    arguments: &'w mut Arguments,
    step: &'w mut Step<'s, 'c>,
}

impl Drop for GuardedCall<'_, '_, '_> {
    fn drop(&mut self) {
        self.arguments.write_again(self.step);
    }
}

thread_local! {
    /// What was lent for good. A sanitizer that looks for leaks sees that somebody holds it.
    static LASTING: RefCell<Vec<&'static dyn Any>> = const { RefCell::new(Vec::new()) };
}

/// An argument's value is there once it was lent, and until it was taken.
const PRESENT: &str = "an argument is passed once";

impl<T: 'static> Argument<T> {
    /// Gets the value, once all arguments are decided on.
    pub fn lend(&mut self, held: &mut CallResults) {
        if let Some(lent) = self.lent {
            self.value = Some(held.results.take(lent));
        }
    }

    /// Passes it by value.
    ///
    /// # Panics
    /// If it was not lent, which the macro does.
    pub fn take(&mut self) -> T {
        self.value.take().expect(PRESENT)
    }

    /// Passes it by reference.
    ///
    /// # Panics
    /// If it was not lent, which the macro does.
    pub fn shared<'a>(&'a self, held: &'a CallResults) -> &'a T {
        self.shared.map_or(self.value.as_ref(), |shared| held.results.peek(shared)).expect(PRESENT)
    }

    /// The function that was drawn for it.
    ///
    /// # Panics
    /// If it is none, which the macro knows.
    pub fn function(&self) -> &T {
        self.value.as_ref().expect(PRESENT)
    }

    /// Passes it by a reference that what is called may keep.
    ///
    /// # Panics
    /// If it was passed before, which the macro does not do.
    pub fn lasting(&mut self) -> &'static T {
        let value: &'static T = Box::leak(Box::new(self.take()));
        LASTING.with_borrow_mut(|lasting| lasting.push(value));
        value
    }

    /// Passes it by mutable reference.
    ///
    /// # Panics
    /// If it was not lent, which the macro does.
    pub fn mutable(&mut self) -> &mut T {
        self.value.as_mut().expect(PRESENT)
    }

    /// Puts back what a refused call did not take after all.
    pub fn refuse(&mut self, value: T) {
        self.value = Some(value);
    }

    /// Ends the loan; a result that the call has taken cannot be used any more.
    pub fn settle(self, held: &mut CallResults, step: &mut Step<'_, '_>) {
        let kept = self.shared.and_then(|shared| held.results.peek(shared));
        let left = kept.or_else(|| self.value.as_ref().filter(|_| self.lent.is_some()));
        if let Some(value) = left
            && held.names_states
            && step.case().wants_features()
        {
            let shown = panics::showing(|| (self.show)(value));
            step.case().feature(fingerprint_of(&(type_name::<T>(), shown)) as u64);
        }
        match (self.lent, self.value) {
            (Some(lent), Some(value)) => held.results.give_back(lent, value),
            (Some(lent), None) => held.results.retire(lent),
            (None, _) => {}
        }
    }
}

/// What a call answered, or what it was given if it was refused: apart, because an answer may borrow from
/// arguments.
#[inline]
pub fn part<T, E>(attempted: Result<T, E>) -> (Option<T>, Option<E>) {
    match attempted {
        Ok(answer) => (Some(answer), None),
        Err(arguments) => (None, Some(arguments)),
    }
}

impl CallResults {
    /// Keeps a result for later calls; in a test it is `how` of the answer.
    pub fn keep<T: 'static>(&mut self, step: &mut Step<'_, '_>, value: T, how: &str) {
        self.results.put(step.ordinal(), value);
        if let Some(code) = step_source::of_running(step) {
            code.result = Some(how.to_string());
        }
    }

    pub(super) fn has(&self, needs: &[(TypeId, usize)]) -> bool {
        needs.iter().all(|(id, n)| self.results.count_of(*id) >= *n)
    }
}

/// Stands for a type whose abilities are asked for.
#[derive(Debug)]
pub struct Of<T>(PhantomData<fn() -> T>);

impl<T> Of<T> {
    /// The type.
    #[must_use]
    pub const fn new() -> Self {
        Of(PhantomData)
    }
}

impl<T> Default for Of<T> {
    fn default() -> Self {
        Of::new()
    }
}

/// For types that can be drawn.
pub trait LiteralArbitrary<T> {
    /// How.
    fn literal(&self) -> Option<Literal<T>>;
}

impl<T: stairway_engine::Arbitrary> LiteralArbitrary<T> for &Of<T> {
    fn literal(&self) -> Option<Literal<T>> {
        Some(|step| step.draw(stairway_engine::any::<T>()))
    }
}

/// For all other types.
pub trait LiteralNone<T> {
    /// Nothing.
    fn literal(&self) -> Option<Literal<T>>;
}

impl<T> LiteralNone<T> for Of<T> {
    fn literal(&self) -> Option<Literal<T>> {
        None
    }
}

/// For types that can be copied.
pub trait CloneSome<T> {
    /// How.
    fn cloner(&self) -> Option<fn(&T) -> T>;
}

impl<T: Clone> CloneSome<T> for &Of<T> {
    fn cloner(&self) -> Option<fn(&T) -> T> {
        Some(T::clone)
    }
}

/// For all other types.
pub trait CloneNone<T> {
    /// Nothing.
    fn cloner(&self) -> Option<fn(&T) -> T>;
}

impl<T> CloneNone<T> for Of<T> {
    fn cloner(&self) -> Option<fn(&T) -> T> {
        None
    }
}

/// A [`Parameter`] of a type, passed in a way, drawn by what is given or by what the type brings.
#[macro_export]
#[doc(hidden)]
macro_rules! __parameter {
    ($ty:ty, $mode:ident) => {{
        #[allow(unused_imports)]
        use $crate::__private::contract::{CloneNone as _, CloneSome as _};
        #[allow(unused_imports)]
        use $crate::__private::contract::{LiteralArbitrary as _, LiteralNone as _};
        $crate::__private::contract::Parameter::<$ty> {
            literal: (&&$crate::__private::contract::Of::<$ty>::new()).literal(),
            is_always_drawn: false,
            clone: (&&$crate::__private::contract::Of::<$ty>::new()).cloner(),
            mode: $crate::__private::contract::Mode::$mode,
        }
    }};
    ($ty:ty, $mode:ident, $literal:expr) => {
        $crate::__private::contract::Parameter::<$ty> {
            literal: ::core::option::Option::Some($literal),
            is_always_drawn: true,
            clone: ::core::option::Option::None,
            mode: $crate::__private::contract::Mode::$mode,
        }
    };
}
pub use __parameter as parameter;

thread_local! {
    /// How many clauses this thread is evaluating.
    static QUIET: Cell<u32> = const { Cell::new(0) };
}

/// Whether functions check their contracts: not while a clause is evaluated.
#[inline]
#[must_use]
pub fn is_checking() -> bool {
    QUIET.get() == 0
}

/// A clause being evaluated; says whose code ran before.
struct QuietGuard(Party);

impl QuietGuard {
    fn new() -> Self {
        QUIET.set(QUIET.get() + 1);
        QuietGuard(panics::blame(Party::Specification))
    }
}

impl Drop for QuietGuard {
    fn drop(&mut self) {
        QUIET.set(QUIET.get() - 1);
        panics::blame(self.0);
    }
}

/// Evaluates a part of a clause.
#[inline]
pub fn quietly<T>(clause: impl FnOnce() -> T) -> T {
    let _quiet = QuietGuard::new();
    clause()
}

/// A condition, which looks at things and changes nothing. A closure that changes or uses up something is none.
#[diagnostic::on_unimplemented(
    message = "a condition looks at things and does not change them",
    label = "this changes or uses up what it mentions",
    note = "compare copies (`.clone()`), or do this in the function itself"
)]
pub trait LooksOnly {
    /// Whether it holds.
    fn holds(&self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<F: Fn() -> bool> LooksOnly for F {
    #[inline]
    fn holds(&self) -> bool {
        self()
    }
}

/// An argument that can be kept for the clauses that mention it.
#[diagnostic::on_unimplemented(
    message = "a clause mentions an argument that the function uses up, and `{Self}` cannot be cloned",
    label = "this is gone when the clause is evaluated",
    note = "write `old(..)` around what the clause needs of it, as in `old(item.len())`, or make the type `Clone`"
)]
pub trait KeptArgument {
    /// A clone.
    fn keep(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> KeptArgument for T {
    #[inline]
    fn keep(&self) -> Self {
        self.clone()
    }
}

/// An argument as it was passed, for clauses.
#[inline]
pub fn kept<T: KeptArgument>(argument: &T) -> T {
    quietly(|| argument.keep())
}

/// Where a value is; a number, because a pointer would not be held across an `await`.
#[inline]
pub fn address<T: ?Sized>(value: &T) -> usize {
    std::ptr::from_ref(value).addr()
}

/// `self` after a call that returns it and so holds it, for clauses.
///
/// # Panics
/// If it is something else that was returned: then nobody can look at `self`.
#[track_caller]
#[inline]
pub fn returned_self<'r, T: ?Sized>(place: usize, returned: &'r T, function: &'static str) -> &'r T {
    assert!(
        place == address(returned),
        "a clause of `{function}` mentions `self`, but the call returned another value, which holds it: mention \
         `result` instead"
    );
    returned
}

/// The parts of a clause, with their values.
pub type Parts = Vec<(&'static str, String)>;

/// A clause of `requires` before a call from inside other code; `parts` shows its operands.
#[track_caller]
#[inline]
pub fn requires(
    function: &'static str,
    clause: &'static str,
    holds: impl LooksOnly,
    parts: impl FnOnce() -> Parts,
) {
    if !quietly(|| holds.holds()) {
        let kind = FailureKind::Requires { function: function.into(), clause: Box::new(clause.into()) };
        fail(Failure::new(kind).at(Location::caller()), parts);
    }
}

/// A clause of `ensures` after a call; `parts` shows its operands.
#[track_caller]
#[inline]
pub fn ensures(
    function: &'static str,
    clause: &'static str,
    holds: impl FnOnce() -> bool,
    parts: impl FnOnce() -> Parts,
) {
    if !quietly(holds) {
        let kind = FailureKind::Ensures { function: function.into(), clause: Box::new(clause.into()) };
        fail(Failure::new(kind).at(Location::caller()), parts);
    }
}

/// An invariant after a call; `parts` shows its operands.
#[track_caller]
#[inline]
pub fn invariant(
    function: &'static str,
    name: &'static str,
    holds: impl FnOnce() -> bool,
    parts: impl FnOnce() -> Parts,
) {
    if !quietly(holds) {
        let kind = FailureKind::Invariant { name: name.into(), moment: Moment::Step };
        fail(Failure::new(kind).at(Location::caller()).with(Role::Operation, function), parts);
    }
}

/// The invariants of a type, for functions of other blocks.
pub trait Invariants {
    /// Checks them after a function.
    fn check_invariants(&self, function: &'static str);
}

/// A value whose type may have invariants.
#[derive(Debug)]
pub struct InvariantProbe<'a, T: ?Sized>(pub &'a T);

/// For types that have invariants.
pub trait SoundSome {
    /// Checks them.
    fn check(&self, function: &'static str);
}

impl<T: Invariants + ?Sized> SoundSome for &InvariantProbe<'_, T> {
    fn check(&self, function: &'static str) {
        self.0.check_invariants(function);
    }
}

/// For all other types.
pub trait SoundNone {
    /// Nothing.
    fn check(&self, function: &'static str);
}

impl<T: ?Sized> SoundNone for InvariantProbe<'_, T> {
    fn check(&self, _: &'static str) {}
}

/// Checks the invariants that the type of a value has in another block.
#[macro_export]
#[doc(hidden)]
macro_rules! __check_others {
    ($value:expr, $function:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::contract::{SoundNone as _, SoundSome as _};
        (&&$crate::__private::contract::InvariantProbe($value)).check($function);
    }};
}
pub use __check_others as check_others;

#[cold]
#[track_caller]
fn fail(failure: Failure, parts: impl FnOnce() -> Parts) -> ! {
    let parts = quietly(parts);
    panics::fail(
        parts.into_iter().fold(failure, |failure, (name, value)| failure.with_named(Role::Part, name, value)),
    )
}
