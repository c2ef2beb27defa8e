//! A program on its way: the models that explain it so far, the system, and the judging of answers.
//!
//! Judges what a step did on both sides. Models that answer otherwise than the system are dropped; when none
//! is left, the system did something wrong. Two systems run side by side where the two sides of a law are
//! compared; then it is their answers that must agree, and models serve to say what is possible. No system is
//! called where a model runs alone.

use super::answers::{
    AnswerDisplay, BrokenClause, SystemAnswerDisplay, both, disagreement, ensures_broken, not_allowed,
    parted, show_alone, show_both, show_expected, sides_disagree,
};
use super::call_source::{self, CallDescription, CallWriter, PassingMode};
use super::in_turn::Turn;
use super::observation::Observation;
use super::results::{LawResult, NamesOne, Ref, Results};
use super::step_source::{self, AnswerSource, StepSource};
use crate::allowed::{Allowed, Name};
use crate::panics;
use stairway_engine::{
    Case, Checked, Failure, FailureKind, Party, Role, ShownStep, SpecificationFault, Step, StepOutcome, Stop,
};
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

/// How many states of the model are kept while it is open which one the system is in.
const MAX_MODELS: usize = 256;

/// A program on its way.
pub struct ProgramRun<M, S> {
    pub(super) left: Side<M, S>,
    /// The other side of a law.
    pub(super) right: Option<Box<Side<M, S>>>,
    pub(super) has_system: bool,
    /// Whether there is one system and nothing beside it: neither the other side of a law nor a
    /// model that runs alone.
    pub(super) is_lone: bool,
    /// The model that a system stands for, where the specification says so.
    pub(super) abstraction: Option<ModelView<M, S>>,
    /// Where the two sides of a law run one after the other, which of them this is.
    pub(super) turn: Option<Turn>,
}

/// Sees the model that a system stands for.
pub(super) type ModelView<M, S> = Arc<dyn Fn(&S) -> M + Send + Sync>;

impl<M, S> fmt::Debug for ProgramRun<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramRun").field("results", &self.left.results).finish_non_exhaustive()
    }
}

/// A system, the models that explain it, and earlier results.
#[derive(Debug)]
pub struct Side<M, S> {
    pub(super) models: Vec<M>,
    /// Dropped between the models and the system.
    _turn: SystemsTurn,
    pub(super) system: S,
    pub(super) results: Results,
    has_system: bool,
}

/// Says, when it is dropped, that the system's code runs from now on.
#[derive(Debug)]
pub(super) struct SystemsTurn;

impl Drop for SystemsTurn {
    fn drop(&mut self) {
        panics::blame(Party::System);
    }
}

/// What the system answered, or both systems, or none where a model runs alone.
#[derive(Debug)]
pub struct Answers<U: 'static> {
    left: Option<U>,
    right: Option<U>,
    /// Who waits for the answer, once it has been looked at.
    heir: Option<Turn>,
}

impl<U> Drop for Answers<U> {
    fn drop(&mut self) {
        if let (Some(heir), Some(answer)) = (self.heir.take(), self.left.take()) {
            heir.leave(answer);
        }
    }
}

impl<U> Answers<U> {
    const fn new(left: Option<U>, right: Option<U>) -> Self {
        Answers { left, right, heir: None }
    }

    /// The answer, if there is a system.
    pub const fn get(&self) -> Option<&U> {
        self.left.as_ref()
    }
}

/// What a call answered; nothing if it panicked, as it should.
fn caught(call: impl FnOnce() -> Option<String>) -> Checked<Option<String>> {
    let (mut call, mut answered) = (Some(call), None);
    let ended = panics::guard(&mut || {
        answered = call.take().and_then(|call| call());
        Ok(())
    });
    panics::blame(Party::Specification);
    match ended {
        Err(stop) if !stop.is_panic() => Err(stop),
        _ => Ok(answered),
    }
}

/// The condition that does not hold, if there is one: given the model before and after a step and the answer.
pub type ClauseResult = Option<BrokenClause>;

impl<M, S> Side<M, S> {
    pub(super) fn new((model, system): (M, S), has_system: bool) -> Self {
        Side { models: vec![model], _turn: SystemsTurn, system, results: Results::default(), has_system }
    }

    /// Runs the system's side of an operation of a law.
    pub fn call<U>(&mut self, mut call: impl FnMut(&mut S, &mut Results) -> U) -> Option<U> {
        if !self.has_system {
            return None;
        }
        panics::blame(Party::System);
        let answer = call(&mut self.system, &mut self.results);
        panics::blame(Party::Specification);
        Some(answer)
    }

    /// [`call`](Side::call), written down where there is somewhere to write to.
    #[doc(hidden)]
    pub fn call_written<U>(
        &mut self,
        code: Option<&mut StepSource>,
        passed: &[Cell<PassingMode>],
        described: impl FnOnce() -> CallDescription,
        call: impl FnMut(&mut S, &mut Results) -> U,
    ) -> Option<U> {
        let _writing = code.map(|code| CallWriter::new(code, passed, described()));
        self.call(call)
    }

    /// Results of earlier steps.
    pub const fn results(&mut self) -> &mut Results {
        &mut self.results
    }

    /// Whether an operation of a law is possible here.
    pub fn accepts(&self, holds: impl Fn(&M) -> bool) -> bool {
        self.models.iter().all(holds)
    }

    /// Whether an operation of a law is possible here, by the system alone.
    pub fn allows(&self, holds: impl Fn(&S) -> bool) -> bool {
        holds(&self.system)
    }

    /// Does the model's side of an operation of a law; gives what the first model answers.
    pub fn follow<T>(&mut self, answer: impl Fn(&mut M) -> T) -> Option<T> {
        let mut said = self.models.iter_mut().map(answer);
        let first = said.next();
        said.for_each(drop);
        first
    }

    /// Whether a result can be passed to an operation of a law: the law may have used it up.
    #[must_use]
    pub fn holds<T: 'static>(&self, reference: Ref<T>) -> bool {
        !self.results.is_used_up(reference) && (!self.has_system || self.results.peek(reference).is_some())
    }

    /// An operation of a law has used up a result.
    pub fn use_up<T: 'static>(&mut self, reference: Ref<T>) {
        self.results.use_up(reference);
    }

    /// The result of the operation of a law that comes next is known like this.
    pub fn expect(&mut self, given: LawResult) {
        self.results.expect(Some(given));
    }

    /// The result of an operation of a law, as the system answered or, where a model runs alone, as that did.
    pub fn named<N: NamesOne>(
        &mut self,
        given: LawResult,
        got: Option<&N>,
        said: Option<&N>,
    ) -> Option<Ref<N::Of>> {
        if got.is_some() || self.has_system {
            return got?.reference();
        }
        let reference = said?.reference()?;
        self.results.announce(reference, given);
        Some(reference)
    }
}

/// An answer under a law: the system's, or the model's where it runs alone.
pub fn observed<T: 'static, U: 'static>(
    got: Option<U>,
    said: Option<T>,
    shown: AnswerDisplay<T, U>,
) -> Observation {
    match (got, said) {
        (Some(got), _) => Observation::new(got, shown.of_system()),
        (None, Some(said)) => Observation::new(said, shown.of_model()),
        (None, None) => Observation::nothing(),
    }
}

impl<M, S> ProgramRun<M, S> {
    /// The first of the models that explain what was seen, and the system.
    pub(super) fn into_parts(self) -> Option<(M, S)> {
        let Side { models, system, .. } = self.left;
        models.into_iter().next().map(|model| (model, system))
    }

    /// Whether this is about a law, which says nothing of what is right, only of what is alike.
    #[inline]
    pub(super) const fn is_law(&self) -> bool {
        self.right.is_some() || self.turn.is_some()
    }

    /// The first of the models that explain what was seen.
    #[must_use]
    pub fn model(&self) -> &M {
        &self.left.models[0]
    }

    /// The same, to be changed by the operation that is being done.
    pub fn model_mut(&mut self) -> &mut M {
        &mut self.left.models[0]
    }

    /// Whether `holds` is true of every model that explains what was seen.
    #[inline]
    pub fn in_all(&self, holds: impl Fn(&M) -> bool) -> bool {
        self.left.models.iter().all(&holds)
            && self.right.as_ref().is_none_or(|side| side.models.iter().all(&holds))
    }

    /// Whether `holds` is true of the system, or of both.
    pub fn in_systems(&self, holds: impl Fn(&S) -> bool) -> bool {
        holds(&self.left.system) && self.right.as_ref().is_none_or(|side| holds(&side.system))
    }

    /// Whether there is a result of type `T`.
    #[must_use]
    pub fn has<T: 'static>(&self) -> bool {
        self.left.results.has::<T>()
    }

    /// Results of earlier steps.
    pub const fn results(&mut self) -> &mut Results {
        &mut self.left.results
    }

    /// From now on nothing may refer to this result.
    pub fn retire<T: 'static>(&mut self, reference: Ref<T>) {
        self.left.results.retire(reference);
        if let Some(side) = &mut self.right {
            side.results.retire(reference);
        }
    }

    /// Makes the result of this step known where no system gives it.
    pub fn reserve<T: 'static>(&mut self, reference: Ref<T>) {
        if !self.has_system {
            self.left.results.reserve(reference);
            if let Some(side) = &mut self.right {
                side.results.reserve(reference);
            }
        }
    }

    /// Takes a result back that the model has not given, where no system gives any.
    pub fn withdraw<T: 'static>(&mut self, reference: Ref<T>) {
        if !self.has_system {
            self.retire(reference);
        }
    }

    /// Runs the system's side of a step.
    #[inline]
    pub fn call<U>(&mut self, mut call: impl FnMut(&mut S, &mut Results) -> U) -> Answers<U> {
        if !self.is_lone {
            return self.call_otherwise(&mut call);
        }
        panics::blame(Party::System);
        let answer = call(&mut self.left.system, &mut self.left.results);
        panics::blame(Party::Specification);
        Answers::new(Some(answer), None)
    }

    /// [`call`](ProgramRun::call), written down where there is somewhere to write to.
    #[doc(hidden)]
    #[inline]
    pub fn call_written<U>(
        &mut self,
        code: Option<&mut StepSource>,
        passed: &[Cell<PassingMode>],
        described: impl FnOnce() -> CallDescription,
        mut call: impl FnMut(&mut S, &mut Results) -> U,
    ) -> Answers<U> {
        match code {
            None => self.call(call),
            Some(code) => self.call_shown(&CallWriter::told(code, passed, described()), &mut call),
        }
    }

    #[cold]
    fn call_shown<U>(
        &mut self,
        _writing: &CallWriter<'_>,
        call: &mut dyn FnMut(&mut S, &mut Results) -> U,
    ) -> Answers<U> {
        self.call(|system, results| call(system, results))
    }

    /// A whole step whose call is to panic: the models stay as they are.
    ///
    /// # Errors
    /// Fails the case when the system answers.
    #[doc(hidden)]
    pub fn panics<U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        (passed, described): (&[Cell<PassingMode>], impl FnOnce() -> CallDescription),
        mut call: impl FnMut(&mut S, &mut Results) -> U,
        show: fn(&U) -> String,
    ) -> Checked<StepOutcome> {
        let mut answered = None;
        if self.has_system {
            let writing =
                step_source::of_running(step).map(|code| CallWriter::told(code, passed, described()));
            let ended = caught(|| self.left.call(&mut call).as_ref().map(show));
            let other = self
                .right
                .as_mut()
                .map_or(Ok(None), |side| caught(|| side.call(&mut call).as_ref().map(show)));
            drop(writing);
            answered = ended?.or(other?);
        }
        step.show_answer(|| answered.clone().unwrap_or_else(|| "panics".to_string()));
        if let Some(code) = step_source::of_running(step) {
            call_source::expect_panic(code, answered.is_none());
        }
        match answered {
            None => Ok(StepOutcome::Done),
            Some(answer) => Err(not_allowed(op, answer, ["a panic".to_string()])),
        }
    }

    #[cold]
    fn call_otherwise<U>(&mut self, call: &mut dyn FnMut(&mut S, &mut Results) -> U) -> Answers<U> {
        let left = self.left.call(&mut *call);
        match &self.turn {
            None => Answers::new(left, self.right.as_mut().and_then(|side| side.call(call))),
            Some(turn) if turn.is_second => Answers::new(turn.inherit(), left),
            Some(turn) => Answers { left, right: None, heir: Some(turn.clone()) },
        }
    }

    /// A whole step: [`call_written`](ProgramRun::call_written) and then
    /// [`compare`](ProgramRun::compare). Nearly all steps are of this kind and none of them is shown:
    /// for these nothing is made ready that only a report needs.
    ///
    /// # Errors
    /// Fails the case when no model is left, or the two sides of a law disagree.
    #[doc(hidden)]
    #[inline]
    pub fn answer<T: PartialEq<U>, U: 'static>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        (passed, described): (&[Cell<PassingMode>], impl FnOnce() -> Option<CallDescription>),
        mut call: impl FnMut(&mut S, &mut Results) -> U,
        answer: impl Fn(&mut M) -> T,
        shown: impl FnOnce() -> AnswerDisplay<T, U>,
    ) -> Checked<StepOutcome> {
        if self.is_lone
            && !step.is_shown()
            && let [model] = &mut self.left.models[..]
        {
            panics::blame(Party::System);
            let got = call(&mut self.left.system, &mut self.left.results);
            panics::blame(Party::Specification);
            let expected = answer(model);
            // Comparing and dropping answers is code under test too.
            panics::blame(Party::System);
            return if expected == got {
                Ok(StepOutcome::Done)
            } else {
                Err(step.remember(parted(op, &got, &expected, shown())))
            };
        }
        let described = if step.is_shown() { described() } else { None };
        self.answer_otherwise(step, op, shown(), (passed, described), &mut call, &answer)
    }

    #[cold]
    #[inline(never)]
    fn answer_otherwise<T: PartialEq<U>, U: 'static>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        shown: AnswerDisplay<T, U>,
        (passed, described): (&[Cell<PassingMode>], Option<CallDescription>),
        call: &mut dyn FnMut(&mut S, &mut Results) -> U,
        answer: &dyn Fn(&mut M) -> T,
    ) -> Checked<StepOutcome> {
        let got = match (step_source::of_running(step), described) {
            (Some(code), Some(described)) => {
                self.call_shown(&CallWriter::told(code, passed, described), call)
            }
            _ => self.call(call),
        };
        self.compare(step, op, &got, shown, answer)
    }

    /// Compares the system's answer with that of each model; models that answer otherwise go.
    ///
    /// # Errors
    /// Fails the case when no model is left, or the two sides of a law disagree.
    #[inline]
    pub fn compare<T: PartialEq<U>, U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &Answers<U>,
        shown: AnswerDisplay<T, U>,
        answer: impl Fn(&mut M) -> T,
    ) -> Checked<StepOutcome> {
        if !self.is_law()
            && let ([model], Answers { left: Some(got), right: None, .. }) = (&mut self.left.models[..], got)
        {
            if step.is_shown() {
                shown.show(step, got);
            }
            let expected = answer(model);
            // Comparing and dropping answers is code under test too.
            panics::blame(Party::System);
            if expected != *got {
                show_expected(step, || Some(vec![shown.expected(&expected)?]));
                return Err(step.remember(parted(op, got, &expected, shown)));
            }
            return Ok(StepOutcome::Done);
        }
        self.compare_otherwise(step, op, got, shown, &answer)
    }

    #[cold]
    fn compare_otherwise<T: PartialEq<U>, U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &Answers<U>,
        shown: AnswerDisplay<T, U>,
        answer: &dyn Fn(&mut M) -> T,
    ) -> Checked<StepOutcome> {
        if self.is_law() || got.left.is_none() {
            return self.compare_sides(step, op, got, shown, answer);
        }
        let Some(got) = &got.left else { return Ok(StepOutcome::Done) };
        shown.show(step, got);
        let (mut expected, mut written) = (Vec::new(), Vec::new());
        self.left.models.retain_mut(|model| {
            let answer = answer(model);
            let agrees = answer == *got;
            if !agrees {
                expected.push((shown.model)(&answer));
                written.push(shown.expected(&answer));
            }
            agrees
        });
        if self.left.models.is_empty() {
            show_expected(step, || written.into_iter().collect());
            return Err(
                step.remember(shown.unless_itself(got, disagreement(op, (shown.system)(got), expected)))
            );
        }
        Ok(StepOutcome::Done)
    }

    /// The answers in the context of a law, or of a model that runs alone.
    fn compare_sides<T, U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &Answers<U>,
        shown: AnswerDisplay<T, U>,
        answer: &dyn Fn(&mut M) -> T,
    ) -> Checked<StepOutcome> {
        let first = |side: &mut Side<M, S>| {
            let said: Vec<T> = side.models.iter_mut().map(answer).collect();
            said.into_iter().next()
        };
        let left = first(&mut self.left);
        let right = self.right.as_mut().and_then(|side| first(side));
        if let (Some(answer), None, Some(_)) = (&got.left, &got.right, &self.turn) {
            shown.show(step, answer);
        } else if let (Some(left), Some(right)) = (&got.left, &got.right) {
            show_both(step, shown.of_system(), (left, right));
            if !(shown.are_alike)(left, right) {
                return Err(step.remember(sides_disagree(op, (shown.system)(left), (shown.system)(right))));
            }
        } else if let (Some(left), None) = (&left, &right) {
            show_alone(step, shown.of_model(), left);
        } else if let (Some(left), Some(right)) = (&left, &right) {
            show_both(step, shown.of_model(), (left, right));
            if !(shown.are_models_alike)(left, right) {
                return Err(step.remember(sides_disagree(op, (shown.model)(left), (shown.model)(right))));
            }
        }
        Ok(StepOutcome::Done)
    }

    /// [`compare`](ProgramRun::compare), and then a condition on the models before and after and the
    /// system's answer.
    ///
    /// # Errors
    /// Fails the case when no model is left.
    pub fn compare_and<T: PartialEq<U>, U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &Answers<U>,
        shown: AnswerDisplay<T, U>,
        answer: impl Fn(&mut M) -> T,
        broken: impl Fn(&M, &M, &U) -> ClauseResult,
    ) -> Checked<StepOutcome>
    where
        M: Clone,
    {
        let before = self.left.models.clone();
        if self.is_law() || got.left.is_none() || before.len() != 1 {
            let answer: &dyn Fn(&mut M) -> T = &answer;
            let only = got.left.as_ref().filter(|_| !self.is_law());
            let Some(only) = only else {
                return self.compare_sides(step, op, got, shown, answer);
            };
            shown.show(step, only);
            return self.keep_unbroken(step, op, |model| {
                let before = model.clone();
                let agrees = answer(model) == *only;
                let broken = broken(&before, model, only);
                if agrees { broken } else { Some(BrokenClause::ANSWERS_ARE_EQUAL) }
            });
        }
        let stepped = self.compare(step, op, got, shown, answer)?;
        match got.left.as_ref().and_then(|got| broken(&before[0], self.model(), got)) {
            None => Ok(stepped),
            Some(clause) => Err(ensures_broken(step, op, clause)),
        }
    }

    fn keep_unbroken(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        broken: impl Fn(&mut M) -> ClauseResult,
    ) -> Checked<StepOutcome> {
        let mut first = None;
        self.left.models.retain_mut(|model| {
            let clause = broken(model);
            let is_kept = clause.is_none();
            first = first.take().or(clause);
            is_kept
        });
        match first {
            Some(clause) if self.left.models.is_empty() => Err(ensures_broken(step, op, clause)),
            _ => Ok(StepOutcome::Done),
        }
    }

    /// A step specified by a relation between the states before and after and the answer (section
    /// 12 of the paper): the state after is what the abstraction sees in the system.
    ///
    /// # Errors
    /// Fails the case when the relation does not hold, or the two sides of a law disagree.
    ///
    /// # Panics
    /// If the specification has no abstraction.
    pub fn relate<U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &Answers<U>,
        shown: SystemAnswerDisplay<U>,
        broken: impl Fn(&M, &M, &U) -> ClauseResult,
    ) -> Checked<StepOutcome> {
        let Some(answer) = &got.left else { return Ok(StepOutcome::Refused) };
        let abstraction = self.abstraction.clone();
        let abstraction = abstraction.unwrap_or_else(|| {
            panic!("`{op}` relates the states before and after it: say what they are by an abstraction")
        });
        show_alone(step, shown, answer);
        let before = std::mem::replace(&mut self.left.models, vec![abstraction(&self.left.system)]);
        if let Some(side) = &mut self.right {
            side.models = vec![abstraction(&side.system)];
        }
        if let Some(other) = &got.right {
            show_both(step, shown, (answer, other));
            if !shown.1(answer, other) {
                return Err(step.remember(sides_disagree(op, shown.0(answer), shown.0(other))));
            }
        }
        if self.is_law() {
            return Ok(StepOutcome::Done);
        }
        match before.iter().filter_map(|before| broken(before, self.model(), answer)).next() {
            None => Ok(StepOutcome::Done),
            Some(clause) => Err(ensures_broken(step, op, clause)),
        }
    }

    /// Keeps the models after every alternative that explains the answer.
    ///
    /// # Errors
    /// Fails the case when nothing allowed explains it.
    pub fn explain<U>(
        &mut self,
        step: &mut Step<'_, '_>,
        op: &'static str,
        got: &Answers<U>,
        shown: SystemAnswerDisplay<U>,
        rules: (impl for<'m> Fn(&'m M) -> Allowed<'m, M, U>, fn(&M, &M) -> bool),
    ) -> Checked<StepOutcome>
    where
        M: Clone,
    {
        let (allowed, is_same) = rules;
        let Some(answer) = &got.left else { return Ok(StepOutcome::Refused) };
        show_alone(step, shown, answer);
        if let Some(other) = &got.right {
            show_both(step, shown, (answer, other));
            if !shown.1(answer, other) {
                return Err(step.remember(sides_disagree(op, shown.0(answer), shown.0(other))));
            }
        }
        if let (Some(side), Some(other)) = (&mut self.right, &got.right) {
            let (after, _) = explained(op, &side.models, other, &allowed, is_same)?;
            if !after.is_empty() {
                side.models = after;
            }
        }
        let (after, taken) = explained(op, &self.left.models, answer, &allowed, is_same)?;
        if !after.is_empty() {
            for (name, is_taken) in taken {
                step.case().alternative(format!("{op}: {name}"), is_taken);
            }
            self.left.models = after;
        } else if !self.is_law() {
            show_expected(step, || {
                let all = self.left.models.iter().map(|model| allowed(model).written(shown.2));
                let mut all: Vec<AnswerSource> = all.collect::<Option<Vec<_>>>()?.concat();
                all.dedup();
                Some(all)
            });
            let mut said: Vec<String> = Vec::new();
            for model in &self.left.models {
                let allows = allowed(model).describe(shown.0);
                if !said.contains(&allows) {
                    said.push(allows);
                }
            }
            return Err(step.remember(not_allowed(op, shown.0(answer), said)));
        }
        Ok(StepOutcome::Done)
    }

    /// Begins the end of a program, which is shown as its last step.
    pub fn end(&mut self, case: &mut Case<'_>, op: &'static str) {
        if case.is_detailed() {
            let ordinal = case.observed().steps.last().map_or(0, |last| last.ordinal + 1);
            case.observed().steps.push(ShownStep { name: op, ordinal, ..ShownStep::default() });
        }
    }

    /// Compares the answers at the end of a program, and drops the system.
    ///
    /// # Errors
    /// Fails the case when no model gives the system's answer.
    pub fn conclude<T: PartialEq<U>, U>(
        mut self,
        case: &mut Case<'_>,
        op: &'static str,
        got: &Answers<U>,
        shown: AnswerDisplay<T, U>,
        answer: impl Fn(&mut M) -> T,
    ) -> Checked {
        if let Some(left) = &got.left
            && case.is_detailed()
            && let Some(last) = case.observed().steps.last_mut()
        {
            last.answer = match &got.right {
                None => (shown.system)(left),
                Some(right) => both(shown.of_system(), left, right),
            };
            let code = last.attachment.get_or_default::<StepSource>();
            code.answer = (shown.write_system)(left);
            code.is_opaque = !(shown.has_text)(left);
        }
        let answers: Vec<T> = self.left.models.iter_mut().map(answer).collect();
        match got {
            Answers { left: Some(left), right: Some(right), .. } => {
                if !(shown.are_alike)(left, right) {
                    return Err(case.remember(sides_disagree(
                        op,
                        (shown.system)(left),
                        (shown.system)(right),
                    )));
                }
            }
            Answers { left: Some(_), right: None, .. } if self.turn.is_some() => {}
            Answers { left: Some(got), right: None, .. } => {
                if !answers.iter().any(|answer| answer == got) {
                    if let Some(code) = call_source::code_of_the_end(case) {
                        let written = answers.iter().map(|answer| shown.expected(answer));
                        code.expected = written.collect::<Option<_>>().unwrap_or_default();
                    }
                    let expected: Vec<String> = answers.iter().map(shown.model).collect();
                    return Err(case.remember(disagreement(op, (shown.system)(got), expected)));
                }
            }
            Answers { left: None, .. } => {}
        }
        self.drop_system();
        Ok(())
    }

    /// What goes wrong here is the system's fault.
    pub(super) fn drop_system(self) {
        panics::blame(Party::System);
    }
}

/// Alternatives, and whether they explain an answer.
type NamedAlternatives = Vec<(Name, bool)>;

/// The models after every alternative that explains an answer, and the names of all alternatives
/// with whether they explain it.
///
/// Forgetting some of too many would blame the system for what only they explain.
fn explained<M: Clone, U>(
    op: &'static str,
    models: &[M],
    got: &U,
    allowed: &impl for<'m> Fn(&'m M) -> Allowed<'m, M, U>,
    is_same: fn(&M, &M) -> bool,
) -> Checked<(Vec<M>, NamedAlternatives)> {
    let (mut after, mut names): (Vec<M>, NamedAlternatives) = (Vec::new(), Vec::new());
    for model in models {
        let allowed = allowed(model);
        for alternative in allowed.alternatives() {
            if names.iter().all(|(name, _)| *name != alternative.name) {
                names.push((alternative.name.clone(), false));
            }
        }
        for (name, model) in allowed.explain(got) {
            for (_, is_taken) in names.iter_mut().filter(|(known, _)| *known == name) {
                *is_taken = true;
            }
            if !after.iter().any(|other| is_same(other, &model)) {
                after.push(model);
            }
            if after.len() > MAX_MODELS {
                return Err(too_many(op));
            }
        }
    }
    Ok((after, names))
}

fn too_many(op: &'static str) -> Stop {
    let failure = Failure::new(FailureKind::Specification(SpecificationFault::TooManyModels));
    Stop::fail(failure.with(Role::Model, MAX_MODELS.to_string()).with(Role::Operation, op))
}
