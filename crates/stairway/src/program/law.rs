//! Laws: equations between fragments of calls, in any context or from the start only.
//!
//! This is section 4 of "Testing Monadic Code with QuickCheck". Two systems run side by side. The calls of
//! the context are done on both, and all their answers must agree; at one place the left side of the law is
//! done on the one system and its right side on the other, and there answers are compared by the name they
//! are bound to. Contexts are drawn such that both sides are well-formed: what is called must be possible on
//! both. The place is drawn too, so a failing context shrinks like any other program. A law and a
//! [`ModelBuilder`] list are the engine's operations.

use super::call_source::{Value, not_source};
use super::checker::Programs;
use super::in_turn::Turn;
use super::model::Model;
use super::model_builder::ModelBuilder;
use super::observation::Observation;
use super::program_run::{ProgramRun, Side};
use super::results::{Key, LawResult, Ref};
use super::step_source::{self, Claim, SideStep, StepSource};
use crate::check::Checker;
use crate::reproducer_program::{ProgramStart, Start, Subject};
use crate::whereabouts;
use stairway_engine::{Case, Checked, Discard, Failure, FailureKind, Generate, Operations, Place, Role};
use stairway_engine::{Step, StepOutcome, Stop};
use std::fmt;

/// Checks a law; made by `laws!`.
pub type LawChecker<M> = Checker<Programs<Law<M, <M as Model>::System>>>;

/// Draws the variables of a law and does its sides.
type Apply<M, S> = Box<dyn Fn(&mut Instance<'_, '_, '_, M, S>) -> Checked<StepOutcome> + Send + Sync>;

/// An equation between two fragments of calls.
pub struct Law<M, S> {
    methods: ModelBuilder<M, S>,
    names: &'static [&'static str],
    is_from_start: bool,
    apply: Apply<M, S>,
}

impl<M, S> fmt::Debug for Law<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Law").field(&self.names.last()).finish()
    }
}

/// What is known of a law beside its sides.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The module it stands in.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Whether it speaks of the beginning of programs only.
    pub is_from_start: bool,
    /// Whether the model is asked rather than the system.
    pub is_model_alone: bool,
}

impl<M: 'static, S: 'static> Law<M, S> {
    /// A law about what `methods` does.
    pub fn checker(
        methods: ModelBuilder<M, S>,
        about: About,
        apply: impl Fn(&mut Instance<'_, '_, '_, M, S>) -> Checked<StepOutcome> + Send + Sync + 'static,
    ) -> Checker<Programs<Self>> {
        let mut methods = methods.named();
        methods.has_system = !about.is_model_alone;
        let mut names = methods.names().to_vec();
        names.push(about.name);
        let law =
            Law { methods, names: names.leak(), is_from_start: about.is_from_start, apply: Box::new(apply) };
        let start = law.methods.described_start();
        let is_model_alone = about.is_model_alone;
        let start = start.map(|start| ProgramStart::Model(Start { is_model_alone, ..start }));
        // A model alone has nothing global.
        let runs_in_turn = law.methods.is_global && !is_model_alone;
        let checker =
            Checker::of_programs(format!("{}::{}", about.module, about.name), law, Subject::Law, start);
        if runs_in_turn { checker.run_by(Law::run_in_turn) } else { checker }
    }

    pub(super) const fn methods(&self) -> &ModelBuilder<M, S> {
        &self.methods
    }
}

/// One use of a law, in a program.
pub struct Instance<'i, 's, 'b, M, S> {
    running: &'i mut ProgramRun<M, S>,
    step: &'i mut Step<'s, 'b>,
}

impl<M, S> fmt::Debug for Instance<'_, '_, '_, M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance").finish_non_exhaustive()
    }
}

impl<M, S> Instance<'_, '_, '_, M, S> {
    /// Draws a variable of the law.
    ///
    /// # Errors
    /// Ends the case when there is no value.
    pub fn draw<G: Generate>(
        &mut self,
        name: &'static str,
        generator: G,
        show: fn(&G::Value) -> String,
    ) -> Checked<G::Value> {
        let value = self.step.draw(generator)?;
        self.step.show_argument(name, || format!("{name} = {}", show(&value)));
        Ok(value)
    }

    /// Draws a variable that is a result of an earlier step, on both sides alike; `None` if there is none.
    ///
    /// # Errors
    /// Ends the case when nothing can be drawn.
    pub fn earlier<T: 'static>(&mut self, name: &'static str) -> Checked<Option<Ref<T>>> {
        let other = self.running.right.as_ref();
        if !self.running.has::<T>() || !other.is_none_or(|other| other.results.has::<T>()) {
            return Ok(None);
        }
        let chosen = self.running.results().draw::<T>(self.step)?;
        self.step.show_argument(name, || format!("{name} = {chosen:?}"));
        Ok(Some(chosen))
    }

    /// Does both sides, each on its own system, and compares what is bound; one of them, where they have
    /// their turns.
    ///
    /// # Errors
    /// Fails the case when the same name means different answers; discards it when a side cannot
    /// be done to its end here.
    pub fn compare(
        &mut self,
        left: impl FnOnce(&mut Fragment<'_, M, S>) -> Option<()>,
        right: impl FnOnce(&mut Fragment<'_, M, S>) -> Option<()>,
    ) -> Checked<StepOutcome> {
        if let Some(turn) = self.running.turn.clone() {
            return match turn.is_second {
                false => self.first_side(&turn, left),
                true => self.second_side(&turn, right),
            };
        }
        let ordinal = self.step.ordinal();
        let Some(other) = &mut self.running.right else { return Ok(StepOutcome::Refused) };
        let mut one = Fragment::new(&mut self.running.left, ordinal, side_of(self.step, 0));
        let is_done = left(&mut one).is_some();
        let one = one.said();
        let mut two = Fragment::new(other, ordinal, side_of(self.step, 1));
        let is_done = is_done && right(&mut two).is_some();
        let two = two.said();
        // What one side has used up is gone for the calls after the law, which are made on both.
        for key in one.used_up.iter().chain(&two.used_up) {
            self.running.left.results.retire_any(*key);
            other.results.retire_any(*key);
        }
        if !is_done {
            return not_done(one.did.is_empty() && two.did.is_empty());
        }
        self.judge(&one, &two)
    }

    /// Does the left side, and keeps what it says.
    fn first_side(
        &mut self,
        turn: &Turn,
        left: impl FnOnce(&mut Fragment<'_, M, S>) -> Option<()>,
    ) -> Checked<StepOutcome> {
        let ordinal = self.step.ordinal();
        let mut one = Fragment::new(&mut self.running.left, ordinal, side_of(self.step, 0));
        let is_done = left(&mut one).is_some();
        let mut one = one.said();
        if !is_done {
            return not_done(one.did.is_empty());
        }
        self.step.show_note(|| format!("left:  {}", one.did.join("; ")));
        one.written = side_of(self.step, 0).cloned().unwrap_or_default();
        turn.leave_said(one);
        Ok(StepOutcome::Done)
    }

    /// Does the right side, and compares it with what the left one has said.
    fn second_side(
        &mut self,
        turn: &Turn,
        right: impl FnOnce(&mut Fragment<'_, M, S>) -> Option<()>,
    ) -> Checked<StepOutcome> {
        let Some(mut one) = turn.inherit_said() else { return Err(impossible()) };
        if let Some(left) = side_of(self.step, 0) {
            *left = std::mem::take(&mut one.written);
        }
        let ordinal = self.step.ordinal();
        let mut two = Fragment::new(&mut self.running.left, ordinal, side_of(self.step, 1));
        let is_done = right(&mut two).is_some();
        let two = two.said();
        // The calls after the law were drawn in the first run, which did not know what this side uses up.
        let uses_alike = one.used_up.iter().all(|key| two.used_up.contains(key))
            && two.used_up.iter().all(|key| one.used_up.contains(key));
        if is_done && uses_alike { self.judge(&one, &two) } else { Err(impossible()) }
    }

    /// Compares what both sides have bound.
    fn judge(&mut self, one: &SideOutcome, two: &SideOutcome) -> Checked<StepOutcome> {
        self.step.show_note(|| format!("left:  {}", one.did.join("; ")));
        self.step.show_note(|| format!("right: {}", two.did.join("; ")));
        for (name, left) in &one.bound {
            let named = two.bound.iter().find(|(other, _)| other == name);
            let Some((_, right)) = named.filter(|(_, right)| !left.is_same(right)) else { continue };
            if let Some(code) = step_source::of_running(self.step) {
                code.claim = Claim::new((*name).to_string());
                code.answer.clone_from(&left.written);
                code.is_opaque = !left.has_text;
            }
            let (left, right) = (left.text(), right.text());
            let failure = Failure::new(FailureKind::Law { binding: (*name).into() });
            return Err(Stop::fail(failure.with(Role::Left, left).with(Role::Right, right)));
        }
        Ok(StepOutcome::Done)
    }
}

/// A side that cannot be done to its end here. What was begun cannot be taken back.
fn not_done(is_untouched: bool) -> Checked<StepOutcome> {
    if is_untouched { Ok(StepOutcome::Refused) } else { Err(impossible()) }
}

/// Where one side of a law is kept as source, if it is shown: 0 is the left one.
fn side_of<'s>(step: &'s mut Step<'_, '_>, side: usize) -> Option<&'s mut Vec<SideStep>> {
    step_source::of_running(step).map(|source| &mut source.sides[side])
}

/// The case is of no use.
#[track_caller]
pub(super) fn impossible() -> Stop {
    Stop::discard(Discard::Partial(Place::from(std::panic::Location::caller())))
}

/// One side of a law while it is done.
#[derive(Debug)]
pub struct Fragment<'f, M, S> {
    side: &'f mut Side<M, S>,
    /// The step of the law.
    ordinal: u32,
    bound: Vec<(&'static str, Observation)>,
    did: Vec<String>,
    /// Whether the last of that is a call whose answer has no name yet.
    is_call: bool,
    /// Where it is written down, if it is shown.
    written: Option<&'f mut Vec<SideStep>>,
}

/// What a side has said once it was done.
pub(super) struct SideOutcome {
    bound: Vec<(&'static str, Observation)>,
    did: Vec<String>,
    /// As source, if it is to be shown later.
    written: Vec<SideStep>,
    /// The results that are gone.
    used_up: Vec<Key>,
}

impl<'f, M, S> Fragment<'f, M, S> {
    const fn new(side: &'f mut Side<M, S>, ordinal: u32, written: Option<&'f mut Vec<SideStep>>) -> Self {
        Fragment { side, ordinal, bound: Vec::new(), did: Vec::new(), is_call: false, written }
    }

    fn said(self) -> SideOutcome {
        let used_up = self.side.results.take_used_up();
        SideOutcome { bound: self.bound, did: self.did, written: Vec::new(), used_up }
    }

    /// Does an operation; `None` if it is not possible. A result of it has a number, and later steps may use it
    /// if both sides give it.
    pub fn call<R>(
        &mut self,
        text: &'static str,
        (nth, is_shared): (u32, bool),
        call: impl FnOnce(&mut Side<M, S>, Option<&mut StepSource>, LawResult) -> Option<(Observation, R)>,
    ) -> Option<(Observation, R)> {
        let given = LawResult::new(self.ordinal, nth, is_shared);
        let code = self.written.as_mut().map(|written| {
            written.push(SideStep { result: (self.ordinal, given.nth()), ..SideStep::default() });
            let last = written.len() - 1;
            &mut written[last].source
        });
        let answer = call(self.side, code, given);
        self.side.results.expect(None);
        let answer = answer?;
        self.did.push(text.to_string());
        self.is_call = true;
        Some(answer)
    }

    /// Writes a value down: its expression, and the variables it mentions.
    pub fn value(&mut self, text: &'static str, variables: impl FnOnce() -> Vec<Value>) {
        self.is_call = false;
        let Some(written) = &mut self.written else { return };
        let variables = variables();
        let missing = variables.iter().find(|v| !v.is_source).map(|v| not_source(v.parameter.name));
        let bindings = variables.iter().map(Value::bound).collect();
        let imports = variables.iter().flat_map(|v| v.parameter.imports).map(ToString::to_string).collect();
        let missing = missing.unwrap_or_default();
        let source = StepSource { imports, bindings, missing, ..StepSource::default() };
        written.push(SideStep { source, value: text.to_string(), ..SideStep::default() });
    }

    /// Gives a value or an answer its name.
    pub fn bind(&mut self, name: &'static str, value: Observation) {
        if let Some(last) = self.written.as_mut().and_then(|written| written.last_mut()) {
            last.name = name.to_string();
        }
        match self.did.last_mut().filter(|_| std::mem::take(&mut self.is_call)) {
            Some(last) => *last = format!("{last} -> {}", value.text()),
            None => self.did.push(format!("{name} = {}", value.text())),
        }
        self.bound.push((name, value));
    }
}

/// A program in which a law is used once.
#[derive(Debug)]
pub struct Context<M, S> {
    running: ProgramRun<M, S>,
    is_used: bool,
}

impl<M, S> Context<M, S> {
    pub(super) const fn new(running: ProgramRun<M, S>) -> Self {
        Context { running, is_used: false }
    }
}

/// How many calls of the context come before the law, on average.
const MEAN_PREFIX: u32 = 8;

impl<M, S> Operations for Law<M, S> {
    type State = Context<M, S>;

    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn start(&self, case: &mut Case<'_>) -> Checked<Context<M, S>> {
        Ok(Context::new(self.methods.begin(case, true)?))
    }

    fn weight(&self, op: usize, state: &Context<M, S>) -> u32 {
        let n_methods = self.names.len() - 1;
        match (op < n_methods, state.is_used) {
            (true, false) if self.is_from_start => 0,
            (true, _) => self.methods.likely(op, &state.running),
            (false, true) => 0,
            (false, false) => {
                let total: u32 = (0..n_methods)
                    .fold(0u32, |total, op| total.saturating_add(self.methods.likely(op, &state.running)));
                (total / MEAN_PREFIX).max(1)
            }
        }
    }

    fn step(&self, op: usize, state: &mut Context<M, S>, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        if op < self.names.len() - 1 {
            return self.methods.step(op, &mut state.running, step);
        }
        whereabouts::begin_step(op, step.ordinal());
        let stepped = (self.apply)(&mut Instance { running: &mut state.running, step })?;
        state.is_used |= stepped == StepOutcome::Done;
        Ok(stepped)
    }

    fn last(&self, state: &Context<M, S>) -> Option<usize> {
        (!state.is_used).then_some(self.names.len() - 1)
    }

    fn finish(&self, state: Context<M, S>, case: &mut Case<'_>) -> Checked {
        if !state.is_used {
            return Err(impossible());
        }
        self.methods.finish(state.running, case)
    }

    fn is_over(&self, state: &Context<M, S>) -> bool {
        state.is_used && self.methods.is_over(&state.running)
    }

    fn may_be_stuck(&self) -> bool {
        true
    }
}
