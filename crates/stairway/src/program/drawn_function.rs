//! Functions that programs of calls pass: drawn like other arguments, and shown as closures.
//!
//! A function decides by the text of its arguments which of its drawn results it gives, so that it needs
//! nothing of their types. Which of them matter is known when the call is over: until then it is shown by
//! what it may return. A function pointer carries nothing with it, so a thread remembers the function that
//! stands behind each place that takes one: the first one of a program, for all calls from there.

use stairway_engine::{Arbitrary, Checked, Draw, Function, any, function_of};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A function that was drawn. `R` is what one call gives: its result, and what it leaves in each argument
/// that it may change.
pub struct DrawnFunction<R>(Arc<Mutex<Function<Vec<String>, R>>>);

impl<R> DrawnFunction<R> {
    fn function(&self) -> MutexGuard<'_, Function<Vec<String>, R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R: Clone> DrawnFunction<R> {
    /// The result for these arguments, given as text.
    #[must_use]
    pub fn call(&self, arguments: Vec<String>) -> R {
        self.function().call(arguments)
    }
}

impl<R> Clone for DrawnFunction<R> {
    fn clone(&self) -> Self {
        DrawnFunction(Arc::clone(&self.0))
    }
}

impl<R> fmt::Debug for DrawnFunction<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a function")
    }
}

impl<R: Arbitrary + Clone> Arbitrary for DrawnFunction<R> {
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        let function = choices.draw(function_of(any::<R>()))?;
        Ok(DrawnFunction(Arc::new(Mutex::new(function))))
    }
}

/// What tells the arguments of a call apart. A function decides by it, so it is the same whatever is shown of
/// the case.
pub fn arguments_of(shown: impl FnOnce() -> Vec<String>) -> Vec<String> {
    crate::panics::showing(shown)
}

/// An argument that is a function, or may be one.
pub trait MaybeFunction {
    /// What a call gives.
    type Answer;
    /// The function.
    fn function(&self) -> Option<&DrawnFunction<Self::Answer>>;
    /// What stands behind a pointer to it that is passed at `site`: the first function of the program there.
    #[must_use]
    fn behind(self, site: &'static str) -> Self
    where
        Self::Answer: 'static;
}

impl<R> MaybeFunction for DrawnFunction<R> {
    type Answer = R;
    fn function(&self) -> Option<&DrawnFunction<R>> {
        Some(self)
    }
    fn behind(self, site: &'static str) -> Self
    where
        R: 'static,
    {
        POINTERS.with_borrow_mut(|pointers| {
            let first = pointers.entry(site).or_insert_with(|| Box::new(self.clone()));
            first.downcast_ref::<DrawnFunction<R>>().unwrap_or(&self).clone()
        })
    }
}

impl<R> MaybeFunction for Option<DrawnFunction<R>> {
    type Answer = R;
    fn function(&self) -> Option<&DrawnFunction<R>> {
        self.as_ref()
    }
    fn behind(self, site: &'static str) -> Self
    where
        R: 'static,
    {
        self.map(|function| function.behind(site))
    }
}

/// How a function is given an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// As a value.
    Value,
    /// As a reference.
    Reference,
    /// As something borrowed that is equal to its text.
    Borrowed,
    /// As a reference that it may write to.
    Mutable,
}

/// A function as a closure: how its arguments are given to it, what is written before the closure, and how it
/// is written that there is none. `parts` shows what a call gives.
pub fn function_source<F: MaybeFunction<Answer: Clone>>(
    value: &F,
    (taken, around, none): (&[By], &str, &str),
    parts: fn(&F::Answer) -> Vec<String>,
) -> String {
    let Some(function) = value.function() else { return none.to_string() };
    let (calls, other) = function.function().table();
    let other = parts(&other);
    let calls: Vec<(Vec<String>, Vec<String>)> =
        calls.into_iter().map(|(arguments, given)| (arguments, parts(&given))).collect();
    let closure = closure(taken, &calls, &other);
    let closing = if around.ends_with('(') { ")" } else { "" };
    let closure = format!("{around}{closure}{closing}");
    if none.is_empty() { closure } else { format!("Some({closure})") }
}

fn closure(taken: &[By], calls: &[(Vec<String>, Vec<String>)], other: &[String]) -> String {
    // What was called with is what there is to know; if all of it gave the same, nothing is decided.
    let otherwise = match calls {
        [(_, first), rest @ ..] if rest.iter().all(|(_, given)| given == first) => first,
        _ => other,
    };
    let decided: Vec<_> = calls.iter().filter(|(_, given)| given != otherwise).collect();
    let name = |k: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[k % 26]);
    let parameters: Vec<String> = taken
        .iter()
        .enumerate()
        .map(|(k, by)| match decided.is_empty() && *by != By::Mutable {
            true => "_".to_string(),
            false => name(k).to_string(),
        })
        .collect();
    let body = |given: &[String]| {
        let changed = taken.iter().enumerate().filter(|(_, by)| **by == By::Mutable);
        let written: String =
            changed.zip(&given[1..]).map(|((k, _), value)| format!("*{} = {value}; ", name(k))).collect();
        let result = if given[0] == "()" && !written.is_empty() { "" } else { &given[0] };
        (written, result.to_string())
    };
    let braced = |given: &[String]| {
        let (written, result) = body(given);
        format!("{{ {} }}", format!("{written}{result}").trim_end())
    };
    let mut text = format!("|{}| ", parameters.join(", "));
    for (arguments, given) in &decided {
        let equal = |(k, (by, value)): (usize, (&By, &String))| match by {
            By::Value | By::Borrowed => format!("{} == {value}", name(k)),
            By::Reference | By::Mutable => format!("*{} == {value}", name(k)),
        };
        let condition: Vec<String> = taken.iter().zip(arguments).enumerate().map(equal).collect();
        text.push_str(&format!("if {} {} else ", condition.join(" && "), braced(given)));
    }
    let (written, result) = body(otherwise);
    match decided.is_empty() && written.is_empty() {
        true => text.push_str(&result),
        false => text.push_str(&braced(otherwise)),
    }
    text
}

thread_local! {
    /// The functions behind the pointers that were passed, by the place that takes them.
    static POINTERS: RefCell<BTreeMap<&'static str, Box<dyn Any>>> = const { RefCell::new(BTreeMap::new()) };
}

/// A program begins: nothing was passed yet.
pub(super) fn forget_pointers() {
    POINTERS.with_borrow_mut(BTreeMap::clear);
}

/// Calls the function behind the pointer passed at `site`.
///
/// # Panics
/// On another thread than the program's, and after its end.
#[must_use]
pub fn call_pointer<R: Clone + 'static>(site: &'static str, arguments: Vec<String>) -> R {
    let function = POINTERS.with_borrow(|pointers| {
        let function = pointers.get(site).and_then(|function| function.downcast_ref::<DrawnFunction<R>>());
        function.cloned()
    });
    let function =
        function.expect("a drawn function pointer is called on the thread of its program, before its end");
    function.call(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    fn shown(taken: &[By], calls: &[(&[&str], &[&str])], other: &[&str]) -> String {
        let calls: Vec<_> = calls.iter().map(|(arguments, given)| (texts(arguments), texts(given))).collect();
        closure(taken, &calls, &texts(other))
    }

    #[test]
    fn a_function_is_shown_by_what_was_asked_of_it() {
        assert_eq!(shown(&[By::Value], &[], &["0"]), "|_| 0");
        assert_eq!(shown(&[By::Value], &[(&["3"], &["5"])], &["0"]), "|_| 5");
        assert_eq!(
            shown(&[By::Value], &[(&["3"], &["5"]), (&["4"], &["0"])], &["0"]),
            "|a| if a == 3 { 5 } else { 0 }"
        );
        let by = [By::Reference, By::Borrowed];
        assert_eq!(
            shown(&by, &[(&["3", "\"x\""], &["true"]), (&["4", "\"\""], &["false"])], &["false"]),
            "|a, b| if *a == 3 && b == \"x\" { true } else { false }"
        );
        assert_eq!(shown(&[], &[(&[], &["7"])], &["7"]), "|| 7");
    }

    #[test]
    fn what_it_writes_is_shown() {
        assert_eq!(shown(&[By::Mutable], &[(&["3"], &["()", "9"])], &["()", "0"]), "|a| { *a = 9; }");
        assert_eq!(
            shown(&[By::Value, By::Mutable], &[(&["1", "3"], &["true", "9"])], &["true", "0"]),
            "|_, b| { *b = 9; true }"
        );
        assert_eq!(
            shown(&[By::Mutable], &[(&["3"], &["1", "9"]), (&["4"], &["0", "0"])], &["0", "0"]),
            "|a| if *a == 3 { *a = 9; 1 } else { *a = 0; 0 }"
        );
    }

    #[test]
    fn the_first_function_of_a_program_stands_behind_a_pointer() {
        let function = |n: u8| {
            let mut choices = Draw::from(stairway_engine::Choices::new(
                stairway_engine::Source::Random(stairway_engine::Prng::new(u64::from(n))),
                100,
            ));
            choices.draw(any::<DrawnFunction<u64>>()).unwrap()
        };
        let (one, other) = (function(1), function(2));
        let asked = |f: &DrawnFunction<u64>| f.call(texts(&["3"]));
        assert_ne!(asked(&one), asked(&other));
        let _ = one.clone().behind("here");
        let _ = other.clone().behind("here");
        assert_eq!(call_pointer::<u64>("here", texts(&["3"])), asked(&one));
        forget_pointers();
        let _ = Some(other.clone()).behind("here");
        assert_eq!(call_pointer::<u64>("here", texts(&["3"])), asked(&other));
    }
}
