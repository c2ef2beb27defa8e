//! What is said of answers: how they are kept with a step, and the words for one that is wrong.
//!
//! Receives answers that were compared already; it does not know models, systems or which of them are left.

use super::written;
use stairway_engine::{Failure, Step, Stop};
use std::any::type_name;

/// How answers are shown and compared with their like.
#[derive(Debug)]
pub struct Shown<T, U> {
    /// Shows the model's.
    pub model: fn(&T) -> String,
    /// Shows the system's.
    pub system: fn(&U) -> String,
    /// Writes the model's as Rust source; as nothing if it cannot be compared in a test.
    pub write_model: fn(&T) -> String,
    /// Writes the system's.
    pub write_system: fn(&U) -> String,
    /// Whether two of the model's are the same.
    pub are_models_alike: fn(&T, &T) -> bool,
    /// Whether two of the system's are the same.
    pub are_alike: fn(&U, &U) -> bool,
}

impl<T, U> Clone for Shown<T, U> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, U> Copy for Shown<T, U> {}

impl<T, U> Shown<T, U> {
    /// Keeps the system's answer.
    pub(super) fn show(&self, step: &mut Step<'_, '_>, got: &U) {
        step.show_answer(|| (self.system)(got));
        if let Some(code) = step.code() {
            code.answer = (self.write_system)(got);
        }
    }

    /// The model's answer as what the system should have answered, if it is of the same type.
    pub(super) fn expected(&self, answer: &T) -> Option<String> {
        let is_same = type_name::<T>() == type_name::<U>();
        Some((self.write_model)(answer)).filter(|text| is_same && !text.is_empty())
    }
}

/// How the answers of a system are shown, compared, and written as Rust source.
pub type ShownAlone<U> = (fn(&U) -> String, fn(&U, &U) -> bool, fn(&U) -> String);

/// Keeps the system's answer.
pub(super) fn show_alone<U>(step: &mut Step<'_, '_>, shown: ShownAlone<U>, got: &U) {
    step.show_answer(|| shown.0(got));
    if let Some(code) = step.code() {
        code.answer = shown.2(got);
    }
}

/// Keeps the answers on both sides of a law.
pub(super) fn show_both<U>(step: &mut Step<'_, '_>, shown: ShownAlone<U>, (left, right): (&U, &U)) {
    show_alone(step, shown, left);
    step.show_answer(|| both(shown, left, right));
}

/// The answers on both sides of a law, or one where they are the same.
pub(super) fn both<U>((show, are_alike, _): ShownAlone<U>, left: &U, right: &U) -> String {
    let (one, other) = (show(left), show(right));
    if are_alike(left, right) || one == other {
        one
    } else {
        format!("{one} on the left, {other} on the right")
    }
}

/// Keeps what should have been answered, if all of it can be written.
pub(super) fn show_expected(step: &mut Step<'_, '_>, expected: impl FnOnce() -> Option<Vec<String>>) {
    if let Some(code) = step.code() {
        code.expected = expected().unwrap_or_default();
    }
}

/// Keeps the condition that does not hold.
fn show_broken(step: &mut Step<'_, '_>, clause: &str) {
    if let Some(code) = step.code() {
        code.claim = written::spoken(&written::on_one_line(clause));
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
pub(super) fn parted<T, U>(op: &'static str, got: &U, expected: &T, shown: Shown<T, U>) -> Stop {
    disagreement(op, &(shown.system)(got), &(shown.model)(expected))
}

pub(super) fn disagreement(op: &'static str, got: &str, expected: &str) -> Stop {
    let message = format!("`{op}` answered {got}, but the model says {expected}");
    Stop::fail(Failure::of(format!("answer of {op}"), message))
}

pub(super) fn ensures_broken(step: &mut Step<'_, '_>, op: &'static str, clause: &'static str) -> Stop {
    show_broken(step, clause);
    let message = match clause.lines().count() {
        0 | 1 => format!("`{op}` does not ensure `{clause}`"),
        _ => written::stated(&format!("`{op}` does not ensure"), clause),
    };
    Stop::fail(Failure::of(format!("ensures of {op}: {}", written::name_of(clause)), message))
}

pub(super) fn sides_disagree(op: &'static str, left: &str, right: &str) -> Stop {
    let message =
        format!("after the left side of the law `{op}` answers {left}, after the right side {right}");
    Stop::fail(Failure::of(format!("answer of {op}"), message))
}
