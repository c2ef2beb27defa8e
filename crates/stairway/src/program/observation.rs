//! Answers under a law: values of whatever type, compared with one another.

use super::answers::SystemAnswerDisplay;
use super::step_source::AnswerSource;
use crate::panics;
use std::any::Any;
use std::fmt;

/// Compares two values of one type.
type AreAlike = dyn Fn(&dyn Any, &dyn Any) -> bool;
/// Shows a value of one type.
type Show = dyn Fn(&dyn Any) -> String;

/// An answer under a law: comparable with others, of whatever type.
pub struct Observation {
    value: Box<dyn Any>,
    text: String,
    /// As Rust source; empty if it cannot be compared in a test.
    pub(super) written: AnswerSource,
    /// Whether values of its type have a text.
    pub(super) has_text: bool,
    are_alike: Box<AreAlike>,
    show: Box<Show>,
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Observation {
    /// An answer with how it is shown and compared.
    pub fn new<T: 'static>(value: T, (show, are_alike, write, has_text): SystemAnswerDisplay<T>) -> Self {
        Observation {
            text: show(&value),
            show: Box::new(move |value| value.downcast_ref().map(show).unwrap_or_default()),
            written: write(&value),
            has_text: has_text(&value),
            value: Box::new(value),
            are_alike: Box::new(move |one, other| match (one.downcast_ref(), other.downcast_ref()) {
                (Some(one), Some(other)) => are_alike(one, other),
                _ => false,
            }),
        }
    }

    /// What says nothing: alike to its like.
    pub(super) fn nothing() -> Self {
        Observation::new((), (|()| String::new(), |(), ()| true, |()| AnswerSource::default(), |()| true))
    }

    /// As it is shown.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the two are the same; values of different types are if they are shown alike.
    #[must_use]
    pub fn is_same(&self, other: &Observation) -> bool {
        let (one, two) = (&*self.value, &*other.value);
        match one.type_id() == two.type_id() {
            true => (self.are_alike)(one, two),
            false => panics::showing(|| (self.show)(one) == (other.show)(two)),
        }
    }
}
