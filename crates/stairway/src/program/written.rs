//! Calls as Rust source, while they are made.
//!
//! Receives what a macro knows of an operation and the arguments that were drawn for it, hands on
//! the [`Code`] of the step. How an argument is passed is decided by the signature of what is
//! called, so it is known only when the call is made: [`Writing`] writes when it is dropped, and so
//! also when the call panics. Where the call may take the process with it, somebody listens, who is told the call as far as it is
//! known before it is made. What a test is made of such steps is for `reproducer_program` to say.

use stairway_engine::{Case, Code};
use std::cell::{Cell, RefCell};

pub use super::type_names::{path_of, type_of};

/// How an argument is passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum How {
    /// By value.
    #[default]
    Value,
    /// By reference.
    Shared,
    /// By mutable reference.
    Mutable,
    /// As `&str`.
    Text,
    /// As a slice.
    Slice,
    /// By value as far as is known; which argument it is, for whoever listens.
    Guessed(u8),
}

thread_local! {
    /// Who is told of calls before they are made.
    static LISTENER: Cell<Option<fn(&Code)>> = const { Cell::new(None) };
    /// The call that is being made, if somebody listens.
    static CALL: RefCell<Option<(Described, Vec<Cell<How>>)>> = const { RefCell::new(None) };
}

thread_local! {
    /// What the call on its way turned out to answer, where that decides how it is written.
    static ANSWERED: Cell<Answered> = const { Cell::new(Answered { owned: "", kept: None }) };
}

/// How an answer is written.
#[derive(Clone, Copy, Debug)]
struct Answered {
    /// What makes it owned.
    owned: &'static str,
    /// How the result that later steps refer to is got from it, or that there is none; nothing where that is known before.
    kept: Option<Option<&'static str>>,
}

/// The result that later steps refer to is got like this from the answer; or there is none.
pub(super) fn kept(how: Option<&'static str>) {
    ANSWERED.set(Answered { kept: Some(how), ..ANSWERED.get() });
}

/// The answer is made an owned one like this.
pub(crate) fn owned(how: &'static str) {
    ANSWERED.set(Answered { owned: how, ..ANSWERED.get() });
}

/// Has `told` told of each call before it is made, on this thread; or nobody.
pub(crate) fn listen(told: Option<fn(&Code)>) {
    LISTENER.set(told);
    CALL.take();
}

/// An argument of the call that is being made is passed in another way than by value.
#[cold]
pub(super) fn decide(argument: u8, how: How) {
    CALL.with_borrow(|call| {
        if let (Some((described, passed)), Some(told)) = (call, LISTENER.get()) {
            if let Some(guessed) = passed.get(usize::from(argument)) {
                guessed.set(how);
            }
            told(&described.code(passed));
        }
    });
}

/// How the arguments of one call were passed, in order.
pub type Passed<const N: usize> = [Cell<How>; N];

/// Nothing was passed yet.
#[inline]
#[must_use]
pub const fn passed<const N: usize>() -> Passed<N> {
    [const { Cell::new(How::Value) }; N]
}

/// A value that was drawn.
#[derive(Clone, Debug)]
pub struct Value {
    /// The parameter's name.
    pub name: &'static str,
    /// Its type as it was written; empty if that means nothing elsewhere.
    pub ty: &'static str,
    /// The value as Rust source.
    pub text: String,
    /// Whether it is.
    pub is_source: bool,
}

impl Value {
    /// The value as the parameter's type has it.
    fn lent(&self) -> String {
        let Value { ty, text, .. } = self;
        match ty.strip_prefix('&') {
            Some("str") | None => text.clone(),
            Some(rest) if rest.starts_with("mut ") => format!("&mut {text}"),
            Some(rest) if rest.starts_with('[') => slice(text),
            Some(_) => format!("&{text}"),
        }
    }

    fn is_text(&self) -> bool {
        self.ty == "&str"
    }

    /// The value as a call takes it.
    fn passed(&self, how: How) -> String {
        let owned = if self.is_text() { format!("String::from({})", self.text) } else { self.text.clone() };
        match how {
            How::Value | How::Guessed(_) => owned,
            How::Text if self.is_text() => self.text.clone(),
            How::Text => match owned.strip_prefix("String::from(").and_then(|t| t.strip_suffix(')')) {
                Some(literal) => literal.to_string(),
                None => format!("&{owned}"),
            },
            How::Shared => format!("&{owned}"),
            How::Mutable => format!("&mut {owned}"),
            How::Slice => slice(&owned),
        }
    }

    /// The statement that gives it its name.
    pub(crate) fn bound(&self) -> String {
        let Value { name, ty, .. } = self;
        let ty = if ty.is_empty() { String::new() } else { format!(": {ty}") };
        format!("let {name}{ty} = {};", self.lent())
    }
}

/// A vector lent as a slice.
fn slice(text: &str) -> String {
    match text.strip_prefix("vec!") {
        Some(list) => format!("&{list}"),
        None => format!("&{text}"),
    }
}

/// An argument of an operation.
#[derive(Clone, Debug)]
pub enum Given {
    /// A value.
    Value(Value),
    /// The result of an earlier step.
    Result {
        /// The parameter's name.
        name: &'static str,
        /// The step, from 0.
        step: u32,
        /// Whether it is gone afterwards.
        is_consumed: bool,
    },
    /// The result of this very step, which only the model is given.
    Own(u32),
    /// What the system answered, which only the model is given; whether by reference.
    Told(bool),
}

/// What a step does to the model.
#[derive(Clone, Debug)]
pub enum Follow {
    /// What the model's method of this name does.
    Method(&'static str),
    /// It becomes what the abstraction at this path sees in the system.
    Seen(String),
    /// One of several things.
    Open,
}

/// An operation that is about to be done.
#[derive(Clone, Debug)]
pub struct Described {
    /// The system's method.
    pub method: &'static str,
    /// What is called instead of it, and the parameters that are mentioned there.
    pub call: Option<(&'static str, &'static [&'static str])>,
    /// The arguments, in order.
    pub given: Vec<Given>,
    /// What it does to the model.
    pub follow: Follow,
    /// Whether it is awaited.
    pub is_async: bool,
    /// The function that runs it then; empty for ours, which a test brings along.
    pub executor: &'static str,
}

impl Described {
    fn code(&self, passed: &[Cell<How>]) -> Code {
        let model = match &self.follow {
            Follow::Method(name) => {
                let arguments: Vec<String> = self.given.iter().map(Given::for_the_model).collect();
                format!("model.{name}({})", arguments.join(", "))
            }
            Follow::Seen(of) => format!("model = {of}(&system)"),
            Follow::Open => String::new(),
        };
        let (bindings, call, missing) = match self.call {
            Some((call, mentioned)) => {
                let (bindings, call) = own_names(self.bindings(mentioned), call);
                (bindings, call, None)
            }
            None => (Vec::new(), self.method_call(passed), self.overlap(passed)),
        };
        let missing = missing.or_else(|| self.given.iter().find_map(Given::missing)).unwrap_or_default();
        let result = self.given.iter().any(|given| matches!(given, Given::Own(_))).then(String::new);
        let names = self.given.iter().filter_map(Given::named).collect();
        let is_async = self.is_async && self.executor.is_empty();
        let call =
            if self.is_async && !is_async { format!("{}(async {{ {call} }})", self.executor) } else { call };
        Code { bindings, call, model, names, result, is_async, missing, ..Code::default() }
    }

    fn bindings(&self, mentioned: &[&str]) -> Vec<String> {
        let bound = |given: &Given| match given {
            Given::Value(value) if mentioned.contains(&value.name) => Some(value.bound()),
            Given::Result { name, step, is_consumed } if mentioned.contains(name) => {
                Some(match is_consumed {
                    true => format!("let mut {name} = r{};", step + 1),
                    false => format!("let {name} = &mut r{};", step + 1),
                })
            }
            _ => None,
        };
        self.given.iter().filter_map(bound).collect()
    }

    fn method_call(&self, passed: &[Cell<How>]) -> String {
        let arguments: Vec<String> =
            self.for_the_system(passed).map(|(given, how)| given.passed(how)).collect();
        let call = format!("system.{}({})", self.method, arguments.join(", "));
        if self.is_async { format!("{call}.await") } else { call }
    }

    fn for_the_system<'d>(&'d self, passed: &'d [Cell<How>]) -> impl Iterator<Item = (&'d Given, How)> {
        let given = self.given.iter().filter(|given| matches!(given, Given::Value(_) | Given::Result { .. }));
        given.zip(passed).map(|(given, how)| (given, how.get()))
    }

    /// Why one result cannot be passed twice, if it is.
    fn overlap(&self, passed: &[Cell<How>]) -> Option<String> {
        let mut seen: Vec<(u32, How)> = Vec::new();
        for (given, how) in self.for_the_system(passed) {
            let Given::Result { step, .. } = given else { continue };
            let twice = seen.iter().find(|(other, _)| other == step);
            if twice.is_some_and(|(_, other)| *other == How::Mutable || how == How::Mutable) {
                return Some(format!("`{}` borrows r{} twice", self.method, step + 1));
            }
            seen.push((*step, how));
        }
        None
    }
}

impl Given {
    fn for_the_model(&self) -> String {
        match self {
            Given::Value(value) => value.lent(),
            Given::Result { step, .. } | Given::Own(step) => format!("Ref::of_step({step})"),
            Given::Told(true) => "&answer".to_string(),
            Given::Told(false) => "answer.clone()".to_string(),
        }
    }

    fn passed(&self, how: How) -> String {
        match self {
            Given::Value(value) => value.passed(how),
            Given::Result { step, is_consumed, .. } => {
                let name = format!("r{}", step + 1);
                match how {
                    How::Value | How::Guessed(_) if *is_consumed => name,
                    How::Value | How::Guessed(_) => format!("{name}.clone()"),
                    How::Mutable => format!("&mut {name}"),
                    _ => format!("&{name}"),
                }
            }
            Given::Own(_) | Given::Told(_) => String::new(),
        }
    }

    /// The statement that gives the model's argument its name.
    fn named(&self) -> Option<String> {
        match self {
            Given::Value(value) => Some(value.bound()),
            Given::Result { name, step, .. } => Some(format!("let {name} = Ref::of_step({step});")),
            Given::Own(_) | Given::Told(_) => None,
        }
    }

    fn missing(&self) -> Option<String> {
        match self {
            Given::Value(value) if !value.is_source => Some(not_source(value.name)),
            _ => None,
        }
    }
}

/// Names that a test gives to other things are given inside the call only.
fn own_names(bindings: Vec<String>, call: &str) -> (Vec<String>, String) {
    let is_ours = |binding: &String| {
        let name = binding.trim_start_matches("let ").trim_start_matches("mut ");
        let name = name.split([':', ' ']).next().unwrap_or("");
        let is_result = name.strip_prefix('r').is_some_and(|n| n.parse::<u32>().is_ok());
        is_result || ["model", "answer", "before", "result", "block_on"].contains(&name)
    };
    if bindings.iter().any(is_ours) {
        return (Vec::new(), format!("{{ {} {call} }}", bindings.join(" ")));
    }
    (bindings, call.to_string())
}

/// What to do about a value that cannot be written.
pub(crate) fn not_source(name: &str) -> String {
    format!("derive `ToSource` for the type of `{name}`")
}

thread_local! {
    /// Whether the call that is being written has several results.
    static HAS_SEVERAL: Cell<bool> = const { Cell::new(false) };
}

/// Says that the call has several results.
pub(super) fn kept_several() {
    HAS_SEVERAL.set(true);
}

/// A call on its way: writes it down once it is over, whichever way it ended.
#[derive(Debug)]
pub struct Writing<'w> {
    code: &'w mut Code,
    passed: &'w [Cell<How>],
    described: Described,
}

impl<'w> Writing<'w> {
    /// Begins to write.
    pub(super) fn new(code: &'w mut Code, passed: &'w [Cell<How>], described: Described) -> Self {
        ANSWERED.set(Answered { owned: "", kept: None });
        HAS_SEVERAL.set(false);
        Writing { code, passed, described }
    }

    /// Begins to write the only call of a step, of which whoever listens is told.
    pub(super) fn told(code: &'w mut Code, passed: &'w [Cell<How>], described: Described) -> Self {
        if let Some(told) = LISTENER.get() {
            for (k, how) in (0..).zip(passed) {
                how.set(How::Guessed(k));
            }
            told(&described.code(passed));
            CALL.set(Some((described.clone(), passed.to_vec())));
        }
        Writing::new(code, passed, described)
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        *self.code = self.described.code(self.passed);
        let Answered { owned, kept } = ANSWERED.get();
        self.code.call.push_str(owned);
        if let Some(kept) = kept {
            self.code.result = kept.map(str::to_string);
        }
        if HAS_SEVERAL.take() {
            self.code.missing = "give each call one result".to_string();
        }
    }
}

/// Makes the call of a step one that is to panic, and says whether it did.
pub(super) fn expect_panic(code: &mut Code, has_panicked: bool) {
    code.call =
        format!("std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {{ {}; }})).is_err()", code.call);
    // The model stays as it is.
    code.model = "()".to_string();
    code.answer = has_panicked.to_string();
    code.result = None;
    if !has_panicked {
        code.expected = vec![true.to_string()];
    }
}

/// Where the end of a program is written down, if it is shown.
pub fn code_of_the_end<'c>(case: &'c mut Case<'_>) -> Option<&'c mut Code> {
    if !case.is_detailed() {
        return None;
    }
    case.observed().steps.last_mut().map(|last| &mut last.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(ty: &'static str, text: &str) -> Value {
        Value { name: "v", ty, text: text.to_string(), is_source: true }
    }

    #[test]
    fn values_are_passed_as_the_signature_wants_them() {
        let hows = [How::Value, How::Shared, How::Mutable, How::Text];
        let text = value("&str", "\"a\"");
        assert_eq!(
            hows.map(|how| text.passed(how)),
            ["String::from(\"a\")", "&String::from(\"a\")", "&mut String::from(\"a\")", "\"a\""]
        );
        assert_eq!(value("String", "String::from(\"a\")").passed(How::Text), "\"a\"");
        assert_eq!(value("Vec<u8>", "vec![1, 2]").passed(How::Slice), "&[1, 2]");
        assert_eq!(value("&[u8]", "vec![1]").bound(), "let v: &[u8] = &[1];");
        assert_eq!(value("&mut Vec<u8>", "vec![1]").bound(), "let v: &mut Vec<u8> = &mut vec![1];");
        assert_eq!(value("", "3").bound(), "let v = 3;");
    }

    #[test]
    fn a_call_is_written_when_it_is_over_even_by_a_panic() {
        let mut code = Code::default();
        let hows = passed::<2>();
        let described = Described {
            method: "write",
            call: None,
            given: vec![
                Given::Result { name: "h", step: 0, is_consumed: false },
                Given::Told(true),
                Given::Value(value("i32", "3")),
            ],
            follow: Follow::Method("write"),
            is_async: false,
            executor: "",
        };
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _writing = Writing::new(&mut code, &hows, described);
            hows[0].set(How::Mutable);
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(ended.is_err());
        assert_eq!(code.call, "system.write(&mut r1, 3)");
        assert_eq!(code.model, "model.write(Ref::of_step(0), &answer, 3)");
        assert_eq!(code.names, ["let h = Ref::of_step(0);", "let v: i32 = 3;"]);
    }

    #[test]
    fn a_name_that_the_test_needs_is_given_in_the_call() {
        let bindings = |name: &str| vec![format!("let {name}: u8 = 1;")];
        assert_eq!(own_names(bindings("n"), "f(n)"), (bindings("n"), "f(n)".to_string()));
        for name in ["model", "r12"] {
            let (bindings, call) = own_names(bindings(name), "f()");
            assert_eq!((bindings.len(), call), (0, format!("{{ let {name}: u8 = 1; f() }}")));
        }
    }
}
