//! Several right answers, each with what it does to the model.

use std::fmt;

/// What a nondeterministic specification allows: a list of alternatives.
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
pub struct Allowed<'m, M, T> {
    model: &'m M,
    alternatives: Vec<Alternative<'m, M, T>>,
}

struct Alternative<'m, M, T> {
    name: &'static str,
    accepts: Box<dyn Fn(&T) -> bool + 'm>,
    shown: Option<T>,
    then: Box<Effect<'m, M, T>>,
}

/// What an answer does to the model.
type Effect<'m, M, T> = dyn Fn(&mut M, &T) + 'm;

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
    pub fn answer(mut self, name: &'static str, answer: T, then: impl Fn(&mut M) + 'm) -> Self {
        let expected = answer.clone();
        self.alternatives.push(Alternative {
            name,
            accepts: Box::new(move |got| *got == expected),
            shown: Some(answer),
            then: Box::new(move |model, _| then(model)),
        });
        self
    }

    /// Allows every answer that satisfies `accepts`, after which `then` changes the model: for
    /// sets of answers too large to list.
    #[must_use]
    pub fn such_that(
        mut self,
        name: &'static str,
        accepts: impl Fn(&T) -> bool + 'm,
        then: impl Fn(&mut M, &T) + 'm,
    ) -> Self {
        let (accepts, then) = (Box::new(accepts), Box::new(then));
        self.alternatives.push(Alternative { name, accepts, shown: None, then });
        self
    }
}

impl<M, T> Allowed<'_, M, T> {
    /// The names of the alternatives.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.alternatives.iter().map(|alternative| alternative.name).collect()
    }
}

impl<M: Clone, T> Allowed<'_, M, T> {
    /// The alternatives that explain the answer `got`: their names, and the model after each.
    pub fn explain(&self, got: &T) -> Vec<(&'static str, M)> {
        let explains = |alternative: &&Alternative<'_, M, T>| (alternative.accepts)(got);
        let after = |alternative: &Alternative<'_, M, T>| {
            let mut model = self.model.clone();
            (alternative.then)(&mut model, got);
            (alternative.name, model)
        };
        self.alternatives.iter().filter(explains).map(after).collect()
    }

    /// What is allowed, as Rust source; nothing if not all of it can be listed.
    pub(crate) fn written(&self, write: impl Fn(&T) -> String) -> Option<Vec<String>> {
        let one = |alternative: &Alternative<'_, M, T>| alternative.shown.as_ref().map(&write);
        self.alternatives.iter().map(|a| one(a).filter(|text| !text.is_empty())).collect()
    }

    /// What is allowed, in words.
    pub(crate) fn describe(&self, show: impl Fn(&T) -> String) -> String {
        let one = |alternative: &Alternative<'_, M, T>| match &alternative.shown {
            Some(answer) => format!("{} ({})", show(answer), alternative.name),
            None => alternative.name.to_string(),
        };
        self.alternatives.iter().map(one).collect::<Vec<_>>().join(" or ")
    }
}
