//! What a nondeterministic specification allows.
//!
//! A specification says values, conditions and choices between them; they become a list of named alternatives
//! for whoever judges an outcome: the models of programs (`program/program_run.rs`) and refinement (`refine/`).
//! It knows nothing of systems, cases or reports. `function.rs` holds what makes the list for a function:
//! choice, sequence, mapping; `notation.rs` writes it like do-notation.

mod function;
mod notation;

use crate::program::step_source::AnswerSource;
use std::borrow::Cow;
use std::fmt;

/// What a nondeterministic specification allows: a list of alternatives.
///
/// An operation of a model says what it may answer, and what each answer does to the model:
///
/// ```
/// use stairway::Allowed;
/// #[derive(Clone)]
/// struct Deque(Vec<i32>);
/// impl Deque {
///     fn steal(&self) -> Allowed<'_, Deque, Option<i32>> {
///         Allowed::of(self)
///             .answer("lost the race", None, |_| ())
///             .answer("the last one", self.0.last().copied(), |model| {
///                 model.0.pop();
///             })
///     }
/// }
/// assert_eq!(Deque(vec![1]).steal().names(), ["lost the race", "the last one"]);
/// ```
///
/// A function has no model: what it may give is an [`Outcomes`], which is this type with nothing
/// for a model, and has choice, sequence and mapping.
pub struct Allowed<'m, M, T> {
    model: &'m M,
    alternatives: Vec<Alternative<'m, M, T>>,
}

/// What the specification of a function allows it to give.
///
/// ```
/// use stairway::Outcomes;
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Error { Io, NoMemory }
///
/// fn read(block: u8) -> Outcomes<Result<u8, Error>> {
///     Outcomes::named("read", Ok(block)).or(Outcomes::each([Error::Io, Error::NoMemory]).map(Err))
/// }
/// assert_eq!(read(7).names(), ["read", "Io", "NoMemory"]);
/// assert!(read(7).allows(&Err(Error::Io)) && !read(7).allows(&Ok(8)));
/// ```
pub type Outcomes<T> = Allowed<'static, (), T>;

/// The name of an alternative; empty if it has none.
pub(crate) type Name = Cow<'static, str>;

pub(crate) struct Alternative<'m, M, T> {
    pub(crate) name: Name,
    pub(crate) what: What<'m, T>,
    then: Option<Box<Effect<'m, M, T>>>,
}

/// Which outcomes an alternative stands for.
pub(crate) enum What<'m, T> {
    /// This one, and what is equal to it where the type can tell.
    Value(T, Option<fn(&T, &T) -> bool>),
    /// Every one that satisfies a condition.
    SuchThat(Box<dyn Fn(&T) -> bool + 'm>),
}

impl<T> What<'_, T> {
    fn accepts(&self, got: &T) -> bool {
        match self {
            What::Value(value, equals) => equals.is_some_and(|equals| equals(value, got)),
            What::SuchThat(accepts) => accepts(got),
        }
    }
}

/// What an answer does to the model.
type Effect<'m, M, T> = dyn FnOnce(&mut M, &T) + 'm;

impl<M, T> fmt::Debug for Allowed<'_, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl<'m, M: Clone, T: PartialEq + Clone + 'm> Allowed<'m, M, T> {
    /// Nothing is allowed yet, in the state `model`.
    #[must_use]
    pub const fn of(model: &'m M) -> Self {
        Allowed { model, alternatives: Vec::new() }
    }

    /// Allows the answer `answer`, after which `then` changes the model.
    #[must_use]
    pub fn answer(mut self, name: &'static str, answer: T, then: impl FnOnce(&mut M) + 'm) -> Self {
        self.alternatives.push(Alternative {
            name: Cow::Borrowed(name),
            what: What::Value(answer, Some(T::eq)),
            then: Some(Box::new(move |model, _| then(model))),
        });
        self
    }

    /// Allows every answer that satisfies `accepts`, after which `then` changes the model: for
    /// sets of answers too large to list.
    #[must_use]
    pub fn answer_matching(
        mut self,
        name: &'static str,
        accepts: impl Fn(&T) -> bool + 'm,
        then: impl FnOnce(&mut M, &T) + 'm,
    ) -> Self {
        let what = What::SuchThat(Box::new(accepts));
        self.alternatives.push(Alternative { name: Cow::Borrowed(name), what, then: Some(Box::new(then)) });
        self
    }
}

impl<M, T> Allowed<'_, M, T> {
    /// The names of the alternatives; empty for those without.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.alternatives.iter().map(|alternative| &*alternative.name).collect()
    }

    /// Whether nothing is allowed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// How many alternatives there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.alternatives.len()
    }

    /// The outcomes that are listed, which are all but those given by a condition.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.alternatives.iter().filter_map(|alternative| match &alternative.what {
            What::Value(value, _) => Some(value),
            What::SuchThat(_) => None,
        })
    }

    /// Allows what `other` allows as well.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.alternatives.extend(other.alternatives);
        function::bounded(self.alternatives.len());
        self
    }

    pub(crate) fn alternatives(&self) -> &[Alternative<'_, M, T>] {
        &self.alternatives
    }
}

impl<M, T: PartialEq> Allowed<'_, M, T> {
    /// Whether `outcome` is allowed.
    #[must_use]
    pub fn allows(&self, outcome: &T) -> bool {
        self.alternatives.iter().any(|alternative| match &alternative.what {
            What::Value(value, _) => value == outcome,
            What::SuchThat(accepts) => accepts(outcome),
        })
    }
}

impl<M: Clone, T> Allowed<'_, M, T> {
    /// The alternatives that explain the answer `got`: their names, and the model after each.
    pub fn explain(self, got: &T) -> Vec<(Name, M)> {
        let explains = |alternative: &Alternative<'_, M, T>| alternative.what.accepts(got);
        let after = |alternative: Alternative<'_, M, T>| {
            let mut model = self.model.clone();
            if let Some(then) = alternative.then {
                then(&mut model, got);
            }
            (alternative.name, model)
        };
        self.alternatives.into_iter().filter(explains).map(after).collect()
    }

    /// What is allowed, as Rust source; nothing if not all of it can be listed.
    pub(crate) fn written(&self, write: impl Fn(&T) -> AnswerSource) -> Option<Vec<AnswerSource>> {
        let one = |alternative: &Alternative<'_, M, T>| match &alternative.what {
            What::Value(value, _) => Some(write(value)).filter(|source| !source.is_empty()),
            What::SuchThat(_) => None,
        };
        self.alternatives.iter().map(one).collect()
    }

    /// What is allowed, in words.
    pub(crate) fn describe(&self, show: impl Fn(&T) -> String) -> String {
        if self.alternatives.is_empty() {
            return "nothing at all".to_string();
        }
        let one = |alternative: &Alternative<'_, M, T>| match &alternative.what {
            What::Value(answer, _) if alternative.name.is_empty() => show(answer),
            What::Value(answer, _) => format!("{} ({})", show(answer), alternative.name),
            What::SuchThat(_) => alternative.name.to_string(),
        };
        let mut all: Vec<String> = Vec::new();
        for text in self.alternatives.iter().map(one) {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all.join(" or ")
    }
}
