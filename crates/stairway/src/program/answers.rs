//! What is said of answers: how they are kept with a step, and the words for one that is wrong.
//!
//! Answers were compared already; models, systems and which of them are left are not known here.

use super::step_source::{self, AnswerSource, Claim};
use crate::panics;
use stairway_engine::{Evidence, Failure, FailureKind, Operand, Role, Step, Stop};
use std::any::type_name;

/// How answers are shown and compared with their like.
#[derive(Debug)]
pub struct AnswerDisplay<T, U> {
    /// Shows the model's.
    pub model: fn(&T) -> String,
    /// Shows the system's.
    pub system: fn(&U) -> String,
    /// Writes the model's as Rust source; as nothing if it cannot be compared in a test.
    pub write_model: fn(&T) -> AnswerSource,
    /// Writes the system's.
    pub write_system: fn(&U) -> AnswerSource,
    /// Whether the model's have a text at all.
    pub has_model_text: fn(&T) -> bool,
    /// Whether the system's have.
    pub has_text: fn(&U) -> bool,
    /// Whether two of the model's are the same.
    pub are_models_alike: fn(&T, &T) -> bool,
    /// Whether two of the system's are the same.
    pub are_alike: fn(&U, &U) -> bool,
}

impl<T, U> Clone for AnswerDisplay<T, U> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, U> Copy for AnswerDisplay<T, U> {}

impl<T, U> AnswerDisplay<T, U> {
    /// Keeps the system's answer.
    pub(super) fn show(&self, step: &mut Step<'_, '_>, got: &U) {
        show_alone(step, self.of_system(), got);
    }

    /// How those of the system are shown.
    pub(super) const fn of_system(&self) -> SystemAnswerDisplay<U> {
        (self.system, self.are_alike, self.write_system, self.has_text)
    }

    /// How those of the model are shown.
    pub(super) const fn of_model(&self) -> SystemAnswerDisplay<T> {
        (self.model, self.are_models_alike, self.write_model, self.has_model_text)
    }

    /// Says of an answer that is not equal to itself that it is not: then no model can be right.
    pub(super) fn unless_itself(&self, got: &U, stop: Stop) -> Stop {
        match panics::caught(|| (self.are_alike)(got, got)) {
            Ok(false) => stop.map_failure(|failure| failure.with(Role::NotItself, "")),
            _ => stop,
        }
    }

    /// The model's answer as what the system should have answered, if it is of the same type.
    pub(super) fn expected(&self, answer: &T) -> Option<AnswerSource> {
        let is_same = type_name::<T>() == type_name::<U>();
        Some((self.write_model)(answer)).filter(|source| is_same && !source.is_empty())
    }
}

/// How the answers of a system are shown, compared, and written as Rust source, and whether they have a text
/// at all.
pub type SystemAnswerDisplay<U> =
    (fn(&U) -> String, fn(&U, &U) -> bool, fn(&U) -> AnswerSource, fn(&U) -> bool);

/// Keeps the system's answer.
pub(super) fn show_alone<U>(step: &mut Step<'_, '_>, shown: SystemAnswerDisplay<U>, got: &U) {
    step.show_answer(|| shown.0(got));
    if let Some(code) = step_source::of_running(step) {
        code.answer = shown.2(got);
        code.is_opaque = !shown.3(got);
    }
}

/// Keeps the answers on both sides of a law.
pub(super) fn show_both<U>(step: &mut Step<'_, '_>, shown: SystemAnswerDisplay<U>, (left, right): (&U, &U)) {
    show_alone(step, shown, left);
    step.show_answer(|| both(shown, left, right));
}

/// The answers on both sides of a law, or one where they are the same.
pub(super) fn both<U>((show, are_alike, ..): SystemAnswerDisplay<U>, left: &U, right: &U) -> String {
    let (one, other) = (show(left), show(right));
    if are_alike(left, right) || one == other {
        one
    } else {
        format!("{one} on the left, {other} on the right")
    }
}

/// Keeps what should have been answered, if all of it can be written.
pub(super) fn show_expected(step: &mut Step<'_, '_>, expected: impl FnOnce() -> Option<Vec<AnswerSource>>) {
    if let Some(code) = step_source::of_running(step) {
        code.expected = expected().unwrap_or_default();
    }
}

/// The answer of a model that does not say what the answer is: equal to everything.
#[derive(Clone, Copy, Debug)]
pub struct Anything;

impl<U> PartialEq<U> for Anything {
    fn eq(&self, _: &U) -> bool {
        true
    }
}

/// What became of a step in which the model and the system part.
#[cold]
#[inline(never)]
pub(super) fn parted<T, U>(op: &'static str, got: &U, expected: &T, shown: AnswerDisplay<T, U>) -> Stop {
    shown.unless_itself(got, disagreement(op, (shown.system)(got), [(shown.model)(expected)]))
}

/// The system's answer is none of those that the models give.
pub(super) fn disagreement(
    op: &'static str,
    got: String,
    expected: impl IntoIterator<Item = String>,
) -> Stop {
    Stop::fail(answered(op, got, Role::Model, expected))
}

/// The system's answer is none of what the models allow, which is told in words.
pub(super) fn not_allowed(op: &'static str, got: String, allowed: impl IntoIterator<Item = String>) -> Stop {
    Stop::fail(answered(op, got, Role::Allowed, allowed))
}

fn answered(
    op: &'static str,
    got: String,
    role: Role,
    expected: impl IntoIterator<Item = String>,
) -> Failure {
    let failure = Failure::new(FailureKind::Answer { operation: op.into() }).with(Role::System, got);
    expected.into_iter().fold(failure, |failure, answer| failure.with(role, answer))
}

pub(super) fn ensures_broken(step: &mut Step<'_, '_>, op: &'static str, broken: BrokenClause) -> Stop {
    if let Some(code) = step_source::of_running(step) {
        let mentioned = broken.mentioned.iter().map(ToString::to_string).collect();
        code.claim = Claim { text: broken.claim.to_string(), mentioned };
    }
    let kind = FailureKind::Ensures { function: op.into(), clause: Box::new(broken.text.into()) };
    let parts =
        broken.parts.into_iter().map(|(name, value)| Operand { role: Role::Part, name: name.into(), value });
    let evidence = Evidence { operands: parts.collect(), ..Evidence::default() };
    step.remember(Stop::fail(Failure::new(kind).shown_by(evidence)))
}

pub(super) fn sides_disagree(op: &'static str, left: String, right: String) -> Stop {
    let failure = Failure::new(FailureKind::SidesAnswer { operation: op.into() });
    Stop::fail(failure.with(Role::Left, left).with(Role::Right, right))
}

impl BrokenClause {
    /// A condition that is not source text.
    pub(super) const fn unwritten(text: &'static str) -> Self {
        BrokenClause { text, claim: "", mentioned: &[], parts: Vec::new() }
    }

    /// Stands in for a comparison of answers where several models are asked.
    pub(super) const ANSWERS_ARE_EQUAL: BrokenClause = BrokenClause::unwritten("the answers are equal");
}

/// A condition that does not hold.
#[derive(Clone, Debug)]
pub struct BrokenClause {
    /// As it was written.
    pub text: &'static str,
    /// As a printed test states it, of `model`, `before` and `result`.
    pub claim: &'static str,
    /// The names in that which a test has to bind.
    pub mentioned: &'static [&'static str],
    /// Its parts, with their values.
    pub parts: Vec<(&'static str, String)>,
}
