//! Comparing what is allowed with what was observed.
//!
//! Receives alternatives and an outcome, with a relation between the two, hands on a [`Correspondence`]. It says what
//! was allowed, what was observed and where the nearest two differ; a specification that cannot be
//! judged (it allows nothing, or a condition nobody can test) is said to be at fault.

use super::Correspondence;
use super::difference::{self, Difference};
use crate::allowed::{Allowed, Alternative, What};
use crate::panics::{self, Blame};
use stairway_engine::Failure;
use std::fmt::{Debug, Write as _};
use std::panic::Location;

/// The identity of a failure: none of several outcomes that were right.
pub(crate) const NOT_ALLOWED: &str = "not allowed by the specification";
/// The identity of a failure: not the only outcome that was right.
pub(crate) const NOT_SAID: &str = "not what the specification says";

/// How many outcomes are listed in a message.
const MAX_SHOWN: usize = 20;
/// How many outcomes are looked at to find the nearest one.
const MAX_COMPARED: usize = 1000;

/// Shows an outcome of the specification, and one of the implementation.
type Show<T, C> = (fn(&T) -> String, fn(&C) -> String);

/// A comparison on its way.
pub(crate) struct Judge<'j, 'a, T, C> {
    pub(crate) allowed: &'j Allowed<'a, (), T>,
    pub(crate) real: &'j C,
    pub(crate) show: Show<T, C>,
    /// The abstract outcome that the real one is by itself, where the types are the same.
    pub(crate) itself: Option<fn(&C) -> &T>,
    /// Whether the specification says exactly what comes out.
    pub(crate) is_exact: bool,
    pub(crate) place: Option<&'static Location<'static>>,
}

impl<'j, 'a, T: Debug, C: Debug> Judge<'j, 'a, T, C> {
    pub(crate) fn by_debug(allowed: &'j Allowed<'a, (), T>, real: &'j C) -> Self {
        let show: Show<T, C> = (|outcome| format!("{outcome:?}"), |outcome| format!("{outcome:?}"));
        Judge { allowed, real, show, itself: None, is_exact: false, place: None }
    }
}

impl<T, C> Judge<'_, '_, T, C> {
    /// Says whether the specification says exactly what comes out.
    pub(crate) const fn exact(mut self, is_exact: bool) -> Self {
        self.is_exact = is_exact;
        self
    }

    /// Says that the real outcome is an abstract one by itself.
    pub(crate) const fn with_itself(mut self, itself: fn(&C) -> &T) -> Self {
        self.itself = Some(itself);
        self
    }

    pub(crate) const fn at(mut self, place: &'static Location<'static>) -> Self {
        self.place = Some(place);
        self
    }

    /// Judges by a relation. The relation is part of the specification: its panics are that one's.
    pub(crate) fn relate(&self, relation: &dyn Fn(&T, &C) -> bool) -> Correspondence {
        let before = panics::blame(Blame::Specification);
        let corres = self.related(relation);
        panics::blame(before);
        corres
    }

    fn related(&self, relation: &dyn Fn(&T, &C) -> bool) -> Correspondence {
        let mut untestable = None;
        let is_taken = |alternative: &Alternative<'_, (), T>| match (&alternative.what, self.itself) {
            (What::Value(value, _), _) => relation(value, self.real),
            // The observed outcome is the only candidate there is.
            (What::SuchThat(accepts), Some(itself)) => {
                let outcome = itself(self.real);
                accepts(outcome) && relation(outcome, self.real)
            }
            (What::SuchThat(_), None) => {
                untestable = Some(alternative.name.to_string());
                false
            }
        };
        let taken: Vec<bool> = self.allowed.alternatives().iter().map(is_taken).collect();
        match untestable {
            Some(name) if !taken.contains(&true) => self.fault("condition", &untestable_condition(&name)),
            _ => self.conclude(&taken, || ((self.show.1)(self.real), String::new())),
        }
    }

    /// Judges by the abstract outcome that the real one stands for.
    pub(crate) fn view(&self, view: &dyn Fn(&C) -> T, is_equal: fn(&T, &T) -> bool) -> Correspondence {
        let before = panics::blame(Blame::Specification);
        let seen = view(self.real);
        let is_taken = |alternative: &Alternative<'_, (), T>| match &alternative.what {
            What::Value(value, _) => is_equal(value, &seen),
            What::SuchThat(accepts) => accepts(&seen),
        };
        let taken: Vec<bool> = self.allowed.alternatives().iter().map(is_taken).collect();
        let corres = self.conclude(&taken, || {
            let (text, real) = ((self.show.0)(&seen), (self.show.1)(self.real));
            let stands_for =
                if text == real { String::new() } else { format!("  seen in     {}\n", shortened(&real)) };
            (text, stands_for)
        });
        panics::blame(before);
        corres
    }

    /// The verdict, given which alternatives explain what was observed; `observed` shows that, and
    /// says more about it.
    fn conclude(&self, taken: &[bool], observed: impl FnOnce() -> (String, String)) -> Correspondence {
        let alternatives = self.allowed.alternatives();
        if alternatives.is_empty() {
            return self.fault("allows nothing", ALLOWS_NOTHING);
        }
        let named = alternatives.iter().zip(taken).filter(|(alternative, _)| !alternative.name.is_empty());
        let named = named.map(|(alternative, is_taken)| (alternative.name.clone(), *is_taken)).collect();
        let failure = (!taken.contains(&true)).then(|| {
            let (text, more) = observed();
            let identity = if self.is_exact { NOT_SAID } else { NOT_ALLOWED };
            Box::new(self.failure(identity, self.message(&text, &more)))
        });
        Correspondence { alternatives: named, failure }
    }

    fn failure(&self, identity: &str, message: String) -> Failure {
        match self.place {
            Some(place) => Failure::at(place, identity, message),
            None => Failure::of(identity.to_string(), message),
        }
    }

    fn fault(&self, which: &str, message: &str) -> Correspondence {
        let failure = self.failure(&format!("the specification: {which}"), message.to_string());
        Correspondence { alternatives: Vec::new(), failure: Some(Box::new(failure)) }
    }

    fn message(&self, observed: &str, more: &str) -> String {
        let mut out = String::from(if self.is_exact {
            "the implementation did something else than the specification says\n\n"
        } else {
            "the implementation did something that the specification does not allow\n\n"
        });
        let _ = write!(out, "  observed    {}\n{more}", shortened(observed));
        let alternatives = self.allowed.alternatives();
        let mut nearest: Option<(Difference, &str, String)> = None;
        for (k, Alternative { name, what, .. }) in alternatives.iter().take(MAX_COMPARED).enumerate() {
            let text = match what {
                What::Value(value, _) => Some((self.show.0)(value)),
                What::SuchThat(_) => None,
            };
            if k < MAX_SHOWN {
                let label = if k == 0 { "allowed" } else { "" };
                let _ = writeln!(out, "  {label:11} {}", listed(text.as_deref(), name));
            }
            let Some(text) = text else { continue };
            let difference = Difference::between(&text, observed);
            if nearest.as_ref().is_none_or(|(best, ..)| difference.n_tokens < best.n_tokens) {
                nearest = Some((difference, name, text));
            }
        }
        if alternatives.len() > MAX_SHOWN {
            let _ = writeln!(out, "              and {} more", alternatives.len() - MAX_SHOWN);
        }
        if let Some((difference, name, text)) = nearest {
            out.push_str(&nearest_to(&difference, name, (&text, observed), alternatives.len()));
        }
        out.truncate(out.trim_end().len());
        out
    }
}

const ALLOWS_NOTHING: &str = "it allows no outcome at all for this input: say what is right for it, \
                              or draw inputs that leave it out";

fn untestable_condition(name: &str) -> String {
    format!(
        "`{name}` is a condition on what the specification gives, and nothing says which outcome the observed \
         one stands for: give a view of it instead of a relation (`view => |real| ..` in `refinement!`, \
         or `Spec::view`)"
    )
}

/// One line of what is allowed.
fn listed(text: Option<&str>, name: &str) -> String {
    match text {
        None => name.to_string(),
        Some(text) if name.is_empty() || text.contains(name) && text.len() < 40 => shortened(text),
        Some(text) => format!("{} ({name})", shortened(text)),
    }
}

/// Where the observed outcome differs from the nearest one that is allowed.
fn nearest_to(difference: &Difference, name: &str, (text, observed): (&str, &str), n: usize) -> String {
    if text == observed {
        return "\n  they are shown alike: the relation tells them apart by something else\n".to_string();
    }
    let name = if name.is_empty() || n < 2 { String::new() } else { format!(", {name}") };
    let which = if n < 2 { "the difference" } else { "the nearest" };
    let at = difference.index.map_or(String::new(), |index| format!(", at index {index}"));
    let (allowed, observed, marks) = difference.shown(text, observed);
    format!(
        "\n  {which}{name}{at}:\n    allowed   {allowed}\n    observed  {observed}\n              {marks}\n"
    )
}

/// The beginning and the end of a text that is too long to be read.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    const END: usize = 30;
    let n = text.chars().count();
    if n <= LONGEST {
        return text.to_string();
    }
    let start: String = text.chars().take(LONGEST - END).collect();
    let end: String = text.chars().skip(n - END).collect();
    let n_elements = difference::n_elements(text);
    let left_out = if n_elements > 8 { format!("({n_elements} values in all)") } else { String::new() };
    format!("{start} … {end} {left_out}").trim_end().to_string()
}
