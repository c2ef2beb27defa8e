//! The method list: what a specification with a model consists of.
//!
//! This is the library of section 13 of "Testing Monadic Code with QuickCheck": a list of methods, each with
//! what it does to the model and to the system. `#[model]` expands to it, and operations that are known only
//! at run time are added to it by hand. The closures in it become the engine's operations. What is right
//! about one answer is for `running` to say; what is checked after every step is here.

mod step_checks;

use super::answers::{AnswerDisplay, BrokenClause};
use super::checker::Programs;
use super::contract::Parts;
use super::program_run::{ModelView, ProgramRun, Side};
use super::soundness::Returns;
use super::step_source::AnswerSource;
use crate::check::Checker;
use crate::panics;
use crate::reproducer_program::{ProgramStart, Start, Subject};
use crate::whereabouts;
use stairway_engine::{Case, Checked, Generate, MAX_OPERATIONS, Operations, Step, StepOutcome};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// One operation: draws its arguments, does it on both sides, judges the answers.
pub(crate) type Do<M, S> =
    Box<dyn Fn(&mut ProgramRun<M, S>, &mut Step<'_, '_>) -> Checked<StepOutcome> + Send + Sync>;
/// How likely an operation is.
type Likely<M, S> = Box<dyn Fn(&ProgramRun<M, S>) -> u32 + Send + Sync>;
/// Whether an operation is possible.
type Possible<M, S> = Box<dyn Fn(&ProgramRun<M, S>) -> bool + Send + Sync>;
/// Looks at a state.
type Look<M, S> = Box<dyn Fn(&M, &S) -> bool + Send + Sync>;
/// Whether a program is over.
type Over<M> = Box<dyn Fn(&M) -> bool + Send + Sync>;
/// The states before the first step; a second pair where the two sides of a law are compared.
type Begin<M, S> = Box<dyn Fn(&mut Case<'_>, bool) -> Checked<Pairs<M, S>> + Send + Sync>;
/// What ends a program.
type Finish<M, S> = Box<dyn Fn(ProgramRun<M, S>, &mut Case<'_>) -> Checked + Send + Sync>;

/// A model with its system, and another such pair if there are to be two.
pub type Pairs<M, S> = ((M, S), Option<(M, S)>);

/// One operation of a method list.
pub struct Operation<M, S> {
    name: &'static str,
    step: Do<M, S>,
    is_possible: Option<Possible<M, S>>,
    weight: Option<Likely<M, S>>,
    fixed_weight: u32,
}

impl<M, S> fmt::Debug for Operation<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl<M, S> Operation<M, S> {
    /// An operation that says itself how it is done.
    pub fn custom(
        name: &'static str,
        step: impl Fn(&mut ProgramRun<M, S>, &mut Step<'_, '_>) -> Checked<StepOutcome> + Send + Sync + 'static,
    ) -> Self {
        Operation { name, step: Box::new(step), is_possible: None, weight: None, fixed_weight: 1 }
    }

    /// How likely it is; 1 if nothing is said.
    #[must_use]
    pub const fn weight(mut self, weight: u32) -> Self {
        self.fixed_weight = weight;
        self
    }

    /// How likely it is in a state.
    #[must_use]
    pub fn weight_by(mut self, weight: impl Fn(&M) -> u32 + Send + Sync + 'static) -> Self {
        self.weight = Some(Box::new(move |running| weight(running.model())));
        self
    }

    /// When it is possible.
    #[must_use]
    pub fn possible(mut self, holds: impl Fn(&ProgramRun<M, S>) -> bool + Send + Sync + 'static) -> Self {
        self.is_possible = Some(Box::new(holds));
        self
    }

    const fn has_fixed_weight(&self) -> bool {
        self.is_possible.is_none() && self.weight.is_none()
    }

    #[inline]
    fn likely(&self, running: &ProgramRun<M, S>) -> u32 {
        match &self.is_possible {
            Some(is_possible) if !is_possible(running) => 0,
            _ => self.weight.as_ref().map_or(self.fixed_weight, |weight| weight(running)),
        }
    }
}

/// A list of methods with what belongs to it: a specification of a system by a model.
///
/// Made by `#[model]`, or by hand for operations that are known only at run time:
///
/// ```
/// use stairway::program::ModelBuilder;
/// use stairway::prelude::*;
/// use std::collections::VecDeque;
///
/// // The queue of section 13 of the paper, on a deque.
/// ModelBuilder::new("queue", || (Vec::new(), VecDeque::new()))
///     .op_with("add", any::<i32>(), |model, v| model.push(*v), |queue, v| queue.push_back(*v))
///     .op("front", |model| model.first().copied(), |queue| queue.front().copied())
///     .op("remove", |model| Some(model.remove(0)), |queue| queue.pop_front())
///     .requires(|model| !model.is_empty())
///     .checker()
///     .demand_all()
///     .run();
/// ```
pub struct ModelBuilder<M, S> {
    name: String,
    names: &'static [&'static str],
    /// The names under which steps are counted, where methods do not know what they will do.
    counted: Option<&'static [&'static str]>,
    methods: Vec<Operation<M, S>>,
    start: Begin<M, S>,
    finish: Option<Finish<M, S>>,
    /// What holds after every step.
    invariants: Vec<Invariant<M, S>>,
    covers: Vec<(&'static str, f64, Look<M, S>)>,
    terminal: Option<Over<M>>,
    may_be_stuck: bool,
    abstraction: Option<Abstraction<M, S>>,
    traits: Traits<M, S>,
    /// Whether a step is over once its answer is judged.
    is_plain: bool,
    has_fixed_weights: bool,
    pub(super) has_system: bool,
    /// Whether systems share something, so that no two can run side by side.
    pub(super) is_global: bool,
    pub(super) prunes: PruneRule,
    /// Whether states that are reached guide the search.
    names_states: bool,
    /// How a program begins, as source text.
    pub(super) source: Option<Start>,
}

/// What holds after every step.
struct Invariant<M, S> {
    name: &'static str,
    sees_system: bool,
    holds: Look<M, S>,
    /// Shows the operands of its condition.
    parts: fn(&M, &S) -> Parts,
    returns: Returns,
}

/// When a program that has reached a known state is not explored further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PruneRule {
    /// When model and system are as they were.
    OnBoth,
    /// When the model is as it was.
    OnModel,
}

struct Abstraction<M, S> {
    of: ModelView<M, S>,
    is_same: fn(&M, &M) -> bool,
}

/// What the types of a model and a system can do, as far as it is known.
#[derive(Debug)]
pub struct Traits<M, S> {
    /// Shows a model; none if its type has no text.
    pub show_model: fn(&M) -> Option<String>,
    /// Shows a system; empty if it cannot be shown.
    pub show_system: fn(&S) -> String,
    /// The model as a number, so that equal numbers mean equal models.
    pub hash_model: Option<fn(&M) -> u128>,
    /// The system as a number: what `#[fingerprint]` gives.
    pub fingerprint: Option<fn(&S) -> u128>,
}

/// A value as a number. Two halves from different beginnings, so that no two states of one run are
/// ever taken for the same by accident.
pub fn fingerprint_of(value: &(impl Hash + ?Sized)) -> u128 {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

impl<M, S> fmt::Debug for ModelBuilder<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelBuilder").field("name", &self.name).field("methods", &self.methods).finish()
    }
}

impl<M: fmt::Debug + 'static, S: 'static> ModelBuilder<M, S> {
    /// A specification without methods yet: `start` gives the model and the system.
    #[must_use]
    pub fn new(name: impl Into<String>, start: impl Fn() -> (M, S) + Send + Sync + 'static) -> Self {
        let name = name.into();
        ModelBuilder::raw(name, no_traits(), move |_, twice| Ok((start(), twice.then(&start))))
    }

    /// [`new`](ModelBuilder::new) with parameters of the start, drawn from `generator`.
    #[must_use]
    pub fn drawn<G>(
        name: impl Into<String>,
        generator: G,
        start: impl Fn(&G::Value) -> (M, S) + Send + Sync + 'static,
    ) -> Self
    where
        G: Generate<Value: fmt::Debug> + Send + Sync + 'static,
    {
        let name = name.into();
        ModelBuilder::raw(name, no_traits(), move |case, twice| {
            let value = case.pick(&generator)?;
            Ok((start(&value), twice.then(|| start(&value))))
        })
    }
}

impl<M: 'static, S: 'static> ModelBuilder<M, S> {
    /// Adds an operation without arguments: what it does to the model, what to the system. Both
    /// must answer the same.
    #[must_use]
    pub fn op<T, U>(
        self,
        name: impl Into<String>,
        model: impl Fn(&mut M) -> T + Send + Sync + 'static,
        system: impl Fn(&mut S) -> U + Send + Sync + 'static,
    ) -> Self
    where
        T: PartialEq<U> + PartialEq + fmt::Debug + 'static,
        U: PartialEq + fmt::Debug + 'static,
    {
        let name: &'static str = name.into().leak();
        self.method(Operation::custom(name, move |running, step| {
            running.answer(step, name, (&[], || None), |s, _| system(s), &model, by_debug)
        }))
    }

    /// Adds an operation with an argument from `generator`; several arguments are a tuple.
    #[must_use]
    pub fn op_with<G, T, U>(
        self,
        name: impl Into<String>,
        generator: G,
        model: impl Fn(&mut M, &G::Value) -> T + Send + Sync + 'static,
        system: impl Fn(&mut S, &G::Value) -> U + Send + Sync + 'static,
    ) -> Self
    where
        G: Generate<Value: fmt::Debug> + Send + Sync + 'static,
        T: PartialEq<U> + PartialEq + fmt::Debug + 'static,
        U: PartialEq + fmt::Debug + 'static,
    {
        let name: &'static str = name.into().leak();
        self.method(Operation::custom(name, move |running, step| {
            let argument = step.draw(&generator)?;
            step.show_argument("", || format!("{argument:?}"));
            let (both, unwritten) = ((|m: &mut M| model(m, &argument), by_debug), (&[][..], || None));
            running.answer(step, name, unwritten, |s, _| system(s, &argument), both.0, both.1)
        }))
    }

    /// Adds an operation specified by a relation between the state before it, the argument, the
    /// answer and the state after it. The states are what the
    /// [`abstraction`](ModelBuilder::abstraction) sees in the system.
    #[must_use]
    pub fn relation<G, U>(
        self,
        name: impl Into<String>,
        generator: G,
        system: impl Fn(&mut S, &G::Value) -> U + Send + Sync + 'static,
        holds: impl Fn(&M, &G::Value, &U, &M) -> bool + Send + Sync + 'static,
    ) -> Self
    where
        G: Generate<Value: fmt::Debug> + Send + Sync + 'static,
        U: PartialEq + fmt::Debug + 'static,
    {
        let name: &'static str = name.into().leak();
        let shown = by_debug::<U, U>().of_system();
        self.method(Operation::custom(name, move |running, step| {
            let argument = step.draw(&generator)?;
            step.show_argument("", || format!("{argument:?}"));
            let got = running.call(|s, _| system(s, &argument));
            running.relate(step, name, &got, shown, |before, after, got| {
                (!holds(before, &argument, got, after))
                    .then(|| BrokenClause::unwritten("the relation between before and after"))
            })
        }))
    }

    /// When the operation added last is possible.
    #[must_use]
    pub fn requires(self, holds: impl Fn(&M) -> bool + Send + Sync + 'static) -> Self {
        self.last(|method| method.possible(move |running| running.in_all(&holds)))
    }

    /// How likely the operation added last is; 1 if nothing is said.
    #[must_use]
    pub fn weight(self, weight: u32) -> Self {
        self.last(|method| method.weight(weight))
    }

    /// How likely the operation added last is in a state.
    #[must_use]
    pub fn weight_by(self, weight: impl Fn(&M) -> u32 + Send + Sync + 'static) -> Self {
        self.last(|method| method.weight_by(weight))
    }

    fn last(mut self, change: impl FnOnce(Operation<M, S>) -> Operation<M, S>) -> Self {
        let method = self.methods.pop().expect("add an operation before you say something of it");
        self.method(change(method))
    }
}

fn by_debug<T: PartialEq + fmt::Debug + 'static, U: PartialEq + fmt::Debug + 'static>() -> AnswerDisplay<T, U>
{
    AnswerDisplay {
        model: |answer| panics::shown(|| format!("{answer:?}")),
        system: |answer| panics::shown(|| format!("{answer:?}")),
        write_model: |_| AnswerSource::unwritten::<T>(),
        write_system: |_| AnswerSource::unwritten::<U>(),
        has_model_text: |_| true,
        has_text: |_| true,
        are_models_alike: T::eq,
        are_alike: U::eq,
    }
}

fn no_traits<M: fmt::Debug, S>() -> Traits<M, S> {
    Traits {
        show_model: |model| Some(panics::shown(|| format!("{model:?}"))),
        show_system: |_| String::new(),
        hash_model: None,
        fingerprint: None,
    }
}

impl<M, S> ModelBuilder<M, S> {
    /// A specification whose start draws by itself. What it is asked is whether it must give two
    /// pairs, alike.
    #[must_use]
    pub fn raw(
        name: String,
        traits: Traits<M, S>,
        start: impl Fn(&mut Case<'_>, bool) -> Checked<Pairs<M, S>> + Send + Sync + 'static,
    ) -> Self {
        ModelBuilder {
            name,
            names: &[],
            counted: None,
            methods: Vec::new(),
            start: Box::new(start),
            finish: None,
            invariants: Vec::new(),
            covers: Vec::new(),
            terminal: None,
            may_be_stuck: false,
            abstraction: None,
            traits,
            is_plain: true,
            has_fixed_weights: true,
            has_system: true,
            is_global: false,
            prunes: PruneRule::OnBoth,
            names_states: false,
            source: None,
        }
    }

    /// Lets the states that programs reach guide the search.
    pub(super) fn name_states(&mut self) {
        self.names_states = true;
        self.is_plain = false;
    }

    /// How a program begins, as source text: with it, and with operations that write themselves
    /// down, reports contain a test.
    #[doc(hidden)]
    #[must_use]
    pub fn source(mut self, source: Start) -> Self {
        self.source = Some(source);
        self
    }

    /// Steps are counted under these names, as they [turn out](Step::turned_out).
    #[must_use]
    pub(crate) const fn counted(mut self, names: &'static [&'static str]) -> Self {
        self.counted = Some(names);
        self
    }

    /// Adds an operation.
    #[must_use]
    pub fn method(mut self, method: Operation<M, S>) -> Self {
        self.has_fixed_weights &= method.has_fixed_weight();
        self.methods.push(method);
        self
    }

    /// What holds after every step.
    #[must_use]
    pub fn invariant(
        mut self,
        name: &'static str,
        holds: impl Fn(&M, &S) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.is_plain = false;
        self.invariants.push(Invariant {
            name,
            sees_system: true,
            holds: Box::new(holds),
            parts: |_, _| Parts::new(),
            returns: Returns::Bool,
        });
        self
    }

    /// What holds of the model after every step, also where it runs alone.
    #[must_use]
    pub fn model_invariant(
        mut self,
        name: &'static str,
        holds: impl Fn(&M) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.is_plain = false;
        let holds = Box::new(move |model: &M, _: &S| holds(model));
        self.invariants.push(Invariant {
            name,
            sees_system: false,
            holds,
            parts: |_, _| Parts::new(),
            returns: Returns::Bool,
        });
        self
    }

    /// What the latest invariant shows of its operands when it does not hold; for macros.
    #[doc(hidden)]
    #[must_use]
    pub fn invariant_parts(mut self, parts: fn(&M, &S) -> Parts) -> Self {
        if let Some(latest) = self.invariants.last_mut() {
            latest.parts = parts;
        }
        self
    }

    /// What the latest invariant returns where it is written; for macros.
    #[doc(hidden)]
    #[must_use]
    pub fn invariant_returns(mut self, returns: Returns) -> Self {
        if let Some(latest) = self.invariants.last_mut() {
            latest.returns = returns;
        }
        self
    }

    /// What holds after some step in this share of all programs, in percent.
    #[must_use]
    pub fn cover(
        mut self,
        name: &'static str,
        percent: f64,
        holds: impl Fn(&M, &S) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.is_plain = false;
        self.covers.push((name, percent, Box::new(holds)));
        self
    }

    /// A program that has reached such a state is over.
    #[must_use]
    pub fn terminal(mut self, is_over: impl Fn(&M) -> bool + Send + Sync + 'static) -> Self {
        self.terminal = Some(Box::new(is_over));
        self
    }

    /// Systems share something (a static, a file, a server), so no two of them run at the same time: the
    /// sides of a law run one after the other, each from a start of its own, which has to leave nothing of
    /// the system before.
    #[must_use]
    pub const fn global(mut self) -> Self {
        self.is_global = true;
        self
    }

    /// A state in which nothing is possible is an end like any other.
    #[must_use]
    pub const fn may_be_stuck(mut self) -> Self {
        self.may_be_stuck = true;
        self
    }

    /// The model that a system stands for: after every step it must be the one that the model's
    /// side has come to. It is asked twice; a difference between the two, or a system that is not
    /// what it was before, is reported as the fault of the specification.
    #[must_use]
    pub fn abstraction(mut self, of: impl Fn(&S) -> M + Send + Sync + 'static) -> Self
    where
        M: PartialEq,
    {
        self.is_plain = false;
        self.abstraction = Some(Abstraction { of: Arc::new(of), is_same: M::eq });
        self
    }

    /// What tells two states of the system apart, so that exhaustive search can leave out what it
    /// has seen: everything that can make a difference to a later answer.
    #[must_use]
    pub fn fingerprint(mut self, of: fn(&S) -> u128) -> Self
    where
        M: Hash,
    {
        self.traits.fingerprint = Some(of);
        self.traits.hash_model = Some(|model| fingerprint_of(model));
        self
    }

    /// What ends a program.
    #[must_use]
    pub fn cleanup(
        mut self,
        finish: impl Fn(ProgramRun<M, S>, &mut Case<'_>) -> Checked + Send + Sync + 'static,
    ) -> Self {
        self.finish = Some(Box::new(finish));
        self
    }

    /// The checker of this specification.
    ///
    /// # Panics
    /// With more operations than programs can be made of.
    pub fn checker(self) -> Checker<Programs<Self>> {
        let methods = self.named();
        let source = methods.described_start().map(ProgramStart::Model);
        Checker::of_programs(methods.name.clone(), methods, Subject::Model, source)
    }

    /// How a program begins, as source text, with what has to hold from there on.
    pub(super) fn described_start(&self) -> Option<Start> {
        let invariants = self.invariants.iter().map(|invariant| (invariant.name, invariant.claim()));
        self.source.clone().map(|start| Start { invariants: invariants.collect(), ..start })
    }

    /// The list is complete: the engine may know its names.
    pub(super) fn named(mut self) -> Self {
        let n = self.methods.len();
        assert!(
            n <= MAX_OPERATIONS,
            "programs are made of at most {MAX_OPERATIONS} operations, but `{}` has {n}: split them up",
            self.name
        );
        let names: Vec<&'static str> = self.methods.iter().map(|method| method.name).collect();
        self.names = names.leak();
        self
    }

    /// How likely an operation is.
    #[inline]
    pub(super) fn likely(&self, op: usize, running: &ProgramRun<M, S>) -> u32 {
        self.methods[op].likely(running)
    }
}

impl<M, S> Operations for ModelBuilder<M, S> {
    type State = ProgramRun<M, S>;

    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn counted_names(&self) -> &'static [&'static str] {
        self.counted.unwrap_or(self.names)
    }

    fn start(&self, case: &mut Case<'_>) -> Checked<ProgramRun<M, S>> {
        self.begin(case, false)
    }

    #[inline]
    fn weight(&self, op: usize, state: &ProgramRun<M, S>) -> u32 {
        self.likely(op, state)
    }

    fn has_fixed_weights(&self) -> bool {
        self.has_fixed_weights
    }

    #[inline(always)]
    fn step(&self, op: usize, state: &mut ProgramRun<M, S>, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        whereabouts::begin_step(op, step.ordinal());
        // Changed in place: it is six words, and nearly always there is nothing to add.
        let mut stepped = (self.methods[op].step)(state, step);
        if !self.is_plain || step.is_shown() {
            self.take_in(op, &mut stepped, state, step);
        }
        stepped
    }

    fn finish(&self, state: ProgramRun<M, S>, case: &mut Case<'_>) -> Checked {
        whereabouts::end_steps();
        match &self.finish {
            Some(finish) => finish(state, case),
            None => {
                state.drop_system();
                Ok(())
            }
        }
    }

    /// Results of earlier steps cannot be told apart: with some, nothing is said.
    fn fingerprint(&self, state: &ProgramRun<M, S>) -> Option<u128> {
        let ProgramRun { left: Side { models, system, results, .. }, right: None, .. } = state else {
            return None;
        };
        let hash_model = self.traits.hash_model.filter(|_| results.is_empty())?;
        let models: Vec<u128> = models.iter().map(hash_model).collect();
        let system = match self.prunes {
            PruneRule::OnModel => None,
            PruneRule::OnBoth if !self.has_system => None,
            PruneRule::OnBoth => Some((self.traits.fingerprint?)(system)),
        };
        Some(fingerprint_of(&(models, system)))
    }

    fn is_over(&self, state: &ProgramRun<M, S>) -> bool {
        self.terminal.as_ref().is_some_and(|is_over| state.in_all(is_over))
    }

    fn may_be_stuck(&self) -> bool {
        self.may_be_stuck
    }
}
